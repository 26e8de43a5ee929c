// Numbers as arguments: Python's, NumPy's scalars and tensors with one element.
#pragma once
#include "tensor_object.h"

namespace rushlight::python {

bool is_number(PyObject* object);           // Python's and NumPy's, not tensors
bool is_scalar_argument(PyObject* object);  // those, and 0-dim tensors without gradient
bool is_real_argument(PyObject* object);
bool is_int_argument_slow(PyObject* object);
inline bool is_int_argument(PyObject* object) { return PyLong_CheckExact(object) || is_int_argument_slow(object); }
bool is_bool_argument(PyObject* object);

Scalar number_of(PyObject* object);
std::int64_t integer_of(PyObject* object);

// NumPy is recognised by name, so that it need not be imported.
bool is_numpy(PyObject* object);
bool is_numpy_bool(PyObject* object);

}  // namespace rushlight::python
