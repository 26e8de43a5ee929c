// Exchange of memory with NumPy and everything that speaks the buffer protocol.
#pragma once
#include <optional>

#include "errors.h"
#include "rushlight/tensor.h"

namespace rushlight::python {

PyObject* numpy_module();               // borrowed; imported on first use; throws RuntimeError without NumPy
bool is_numpy_array(PyObject* object);  // without importing NumPy
// A tensor over the memory of an array, without a copy. Throws for what a tensor cannot be.
Tensor from_array(PyObject* array, bool warn_if_read_only = true);
// Any other object with a buffer: a flat tensor over its memory.
Tensor from_buffer(PyObject* object, Dtype dtype, std::int64_t count, std::int64_t offset,
                   bool warn_if_read_only = true);
PyObject* to_array(const Tensor& tensor,
                   PyObject* self);  // throws where NumPy cannot share the memory

// The buffer format of a dtype; null for those that have none.
const char* buffer_format(Dtype dtype);
std::optional<Dtype> dtype_of_format(const char* format);  // throws ValueError for foreign byte order

}  // namespace rushlight::python
