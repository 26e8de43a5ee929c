// Tensors from Python data.
#pragma once
#include <optional>

#include "errors.h"
#include "rushlight/tensor.h"

namespace rushlight::python {

// A new tensor with a copy of `data`: nested sequences of numbers, arrays, tensors. Without `dtype`
// it is inferred. A new tensor never shares memory with `data` where `copy` is set; else arrays and
// tensors are shared where they fit.
Tensor tensor_from(PyObject* data, std::optional<Dtype> dtype, std::optional<Device> device, bool copy);
bool is_data_sequence(PyObject* object);

}  // namespace rushlight::python
