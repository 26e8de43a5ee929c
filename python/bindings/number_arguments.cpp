// Recognising and converting numbers.
#include "number_arguments.h"

#include <cstring>

#include "errors.h"
#include "rushlight/forward_ad.h"

namespace rushlight::python {
namespace {

bool is_small_tensor(PyObject* object) {  // without a derivative, which a number would lose
  if (!is_tensor(object)) return false;
  const Tensor& tensor = unwrap(object);
  return tensor.dim() == 0 && !tensor.requires_grad() && !tangent_of(tensor).defined();
}
bool is_numpy_scalar(PyObject* object, const char* kind) {
  const char* name = Py_TYPE(object)->tp_name;
  return std::strncmp(name, "numpy.", 6) == 0 && std::strncmp(name + 6, kind, std::strlen(kind)) == 0;
}
bool is_numpy_integer(PyObject* object) {
  return PyIndex_Check(object) && (is_numpy_scalar(object, "int") || is_numpy_scalar(object, "uint") ||
                                   is_numpy_scalar(object, "longlong") || is_numpy_scalar(object, "ulonglong"));
}
bool is_numpy_complex(PyObject* object) { return is_numpy_scalar(object, "complex"); }
bool is_numpy_float(PyObject* object) { return is_numpy_scalar(object, "float"); }

// An integer beyond int64.
[[gnu::cold]] Scalar large_integer(PyObject* object) {
  PyErr_Clear();
  const unsigned long long value = PyLong_AsUnsignedLongLong(object);
  if (value == ~0ull && PyErr_Occurred()) {
    PyErr_Clear();
    throw OverflowError("int too big to convert");
  }
  return value;
}

}  // namespace

bool is_numpy(PyObject* object) { return std::strncmp(Py_TYPE(object)->tp_name, "numpy.", 6) == 0; }
bool is_numpy_bool(PyObject* object) { return is_numpy_scalar(object, "bool"); }

bool is_number(PyObject* object) {  // bool is an int
  return PyFloat_Check(object) || PyLong_Check(object) || PyComplex_Check(object) ||
         (is_numpy(object) &&
          (is_numpy_integer(object) || is_numpy_float(object) || is_numpy_complex(object) || is_numpy_bool(object)));
}
bool is_scalar_argument(PyObject* object) { return is_number(object) || is_small_tensor(object); }
bool is_real_argument(PyObject* object) {
  return PyFloat_Check(object) || PyLong_Check(object) || is_small_tensor(object) || is_numpy_integer(object) ||
         is_numpy_float(object);
}
bool is_int_argument_slow(PyObject* object) {
  if (PyLong_Check(object)) return !PyBool_Check(object);
  if (is_tensor(object)) return is_small_tensor(object) && is_integral(unwrap(object).dtype(), false);
  return is_numpy_integer(object) && !is_numpy_bool(object);
}
bool is_bool_argument(PyObject* object) {
  return PyBool_Check(object) || is_numpy_bool(object) || is_small_tensor(object);
}

Scalar number_of(PyObject* object) {
  if (PyFloat_Check(object)) return PyFloat_AS_DOUBLE(object);
  if (PyBool_Check(object)) return object == Py_True;
  if (PyLong_Check(object)) {
    const long long value = PyLong_AsLongLong(object);
    if (value == -1 && PyErr_Occurred()) [[unlikely]]
      return large_integer(object);
    return value;
  }
  if (is_tensor(object)) return unwrap(object).item();
  if (PyComplex_Check(object) || is_numpy_complex(object)) {
    const Py_complex value = PyComplex_AsCComplex(object);
    if (PyErr_Occurred()) throw PythonError{};
    return std::complex<double>(value.real, value.imag);
  }
  if (is_numpy_bool(object)) return PyObject_IsTrue(object) == 1;
  if (PyIndex_Check(object)) return number_of(own(PyNumber_Index(object)).get());
  const Owned real = own(PyNumber_Float(object));
  return PyFloat_AS_DOUBLE(real.get());
}

std::int64_t integer_of(PyObject* object) {
  if (PyLong_Check(object)) {
    const long long value = PyLong_AsLongLong(object);
    if (value == -1 && PyErr_Occurred()) [[unlikely]] {
      PyErr_Clear();
      throw ValueError("Overflow when unpacking long long");
    }
    return value;
  }
  if (is_tensor(object)) {
    const Scalar value = unwrap(object).item();
    check(value.type() != Dtype::kUInt64, "value cannot be converted to type int64 without overflow");
    return value.to_int();
  }
  const Owned index = own(PyNumber_Index(object));
  return integer_of(index.get());
}

}  // namespace rushlight::python
