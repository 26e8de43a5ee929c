// torch.finfo and torch.iinfo: the limits of a dtype.
#include <cmath>
#include <cstdio>
#include <limits>

#include "type_objects.h"

namespace rushlight::python {
namespace {

PyTypeObject FloatInfoType{PyVarObject_HEAD_INIT(nullptr, 0) "torch.finfo"};
PyTypeObject IntInfoType{PyVarObject_HEAD_INIT(nullptr, 0) "torch.iinfo"};

struct InfoObject {
  PyObject_HEAD Dtype dtype;
};
Dtype of(PyObject* self) { return reinterpret_cast<InfoObject*>(self)->dtype; }

PyObject* make(PyTypeObject* type, Dtype dtype) {
  auto* info = PyObject_New(InfoObject, type);
  if (info) info->dtype = dtype;
  return reinterpret_cast<PyObject*>(info);
}

struct FloatLimits {
  double eps, largest, smallest_normal, resolution;
  int bits;
  double positive = 0;  // the smallest number of a format that has no other sign
  double smallest() const { return positive ? positive : -largest; }
};
FloatLimits float_limits(Dtype type) {
  switch (type) {
    case Dtype::kFloat16:
      return {0x1p-10, 65504.0, 0x1p-14, 1e-3, 16};
    case Dtype::kBFloat16:
      return {0x1p-7, 0x1.fep127, 0x1p-126, 1e-2, 16};
    case Dtype::kFloat8E4M3FN:
      return {0x1p-3, 448.0, 0x1p-6, 1.0, 8};
    case Dtype::kFloat8E5M2:
      return {0x1p-2, 57344.0, 0x1p-14, 1.0, 8};
    case Dtype::kFloat8E4M3FNUZ:
      return {0x1p-3, 240.0, 0x1p-7, 1.0, 8};
    case Dtype::kFloat8E5M2FNUZ:
      return {0x1p-3, 57344.0, 0x1p-15, 1.0, 8};
    case Dtype::kFloat8E8M0FNU:
      return {1.0, 0x1p127, 0x1p-127, 1.0, 8, 0x1p-127};
    case Dtype::kFloat64:
      return {0x1p-52, std::numeric_limits<double>::max(), std::numeric_limits<double>::min(), 1e-15, 64};
    default:
      return {0x1p-23, std::numeric_limits<float>::max(), std::numeric_limits<float>::min(), 1e-6, 32};
  }
}
struct IntLimits {
  long long smallest;
  unsigned long long largest;
  int bits;
};
IntLimits int_limits(Dtype type) {
  switch (type) {
    case Dtype::kUInt8:
      return {0, 255, 8};
    case Dtype::kInt8:
      return {-128, 127, 8};
    case Dtype::kInt16:
      return {-32768, 32767, 16};
    case Dtype::kUInt16:
      return {0, 65535, 16};
    case Dtype::kUInt32:
      return {0, std::numeric_limits<std::uint32_t>::max(), 32};
    case Dtype::kUInt64:
      return {0, std::numeric_limits<std::uint64_t>::max(), 64};
    case Dtype::kInt32:
      return {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max(), 32};
    default:
      return {std::numeric_limits<long long>::min(), std::numeric_limits<long long>::max(), 64};
  }
}

PyObject* new_float_info(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  static const char* keywords[] = {"type", nullptr};
  PyObject* given = nullptr;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O!:finfo", const_cast<char**>(keywords), &DtypeType, &given))
    return nullptr;
  const Dtype dtype = given ? dtype_of(given) : default_dtype();
  if (!is_differentiable(dtype))
    return PyErr_Format(PyExc_TypeError,
                        "torch.finfo() requires a floating point input type. Use torch.iinfo to "
                        "handle 'torch.finfo'");
  return make(type, to_real(dtype));
}
PyObject* new_int_info(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  static const char* keywords[] = {"type", nullptr};
  PyObject* given = nullptr;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!:iinfo", const_cast<char**>(keywords), &DtypeType, &given))
    return nullptr;
  if (dtype_of(given) == Dtype::kBool)
    return PyErr_Format(PyExc_TypeError, "torch.bool is not supported by torch.iinfo");
  if (!is_integral(dtype_of(given)))
    return PyErr_Format(PyExc_TypeError,
                        "torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'");
  return make(type, dtype_of(given));
}

PyObject* float_repr(PyObject* self) {
  const FloatLimits limits = float_limits(of(self));
  char text[256];
  std::snprintf(text, sizeof(text),
                "finfo(resolution=%g, min=%g, max=%g, eps=%g, smallest_normal=%g, tiny=%g, dtype=%s)",
                limits.resolution, limits.smallest(), limits.largest, limits.eps, limits.smallest_normal,
                limits.smallest_normal, name(of(self)));
  return PyUnicode_FromString(text);
}
PyObject* int_repr(PyObject* self) {
  const IntLimits limits = int_limits(of(self));
  char text[128];
  std::snprintf(text, sizeof(text), "iinfo(min=%g, max=%g, dtype=%s)", static_cast<double>(limits.smallest),
                static_cast<double>(limits.largest), name(of(self)));
  return PyUnicode_FromString(text);
}

template <double FloatLimits::* Field>
PyObject* get_float(PyObject* self, void*) {
  return PyFloat_FromDouble(float_limits(of(self)).*Field);
}
PyObject* get_float_min(PyObject* self, void*) { return PyFloat_FromDouble(float_limits(of(self)).smallest()); }
PyObject* get_float_bits(PyObject* self, void*) { return PyLong_FromLong(float_limits(of(self)).bits); }
PyObject* get_int_min(PyObject* self, void*) { return PyLong_FromLongLong(int_limits(of(self)).smallest); }
PyObject* get_int_max(PyObject* self, void*) { return PyLong_FromUnsignedLongLong(int_limits(of(self)).largest); }
PyObject* get_int_bits(PyObject* self, void*) { return PyLong_FromLong(int_limits(of(self)).bits); }
PyObject* get_name(PyObject* self, void*) { return PyUnicode_FromString(name(of(self))); }

PyGetSetDef kFloatAttributes[] = {
    {"bits", get_float_bits, nullptr, "Bits of a number.", nullptr},
    {"eps", get_float<&FloatLimits::eps>, nullptr, "Distance from 1 to the next larger number.", nullptr},
    {"max", get_float<&FloatLimits::largest>, nullptr, "Largest number.", nullptr},
    {"min", get_float_min, nullptr, "Smallest number, -max.", nullptr},
    {"smallest_normal", get_float<&FloatLimits::smallest_normal>, nullptr, "Smallest positive normal number.", nullptr},
    {"tiny", get_float<&FloatLimits::smallest_normal>, nullptr, "Smallest positive normal number.", nullptr},
    {"resolution", get_float<&FloatLimits::resolution>, nullptr, "Decimal resolution.", nullptr},
    {"dtype", get_name, nullptr, "Name of the dtype.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};
PyGetSetDef kIntAttributes[] = {
    {"bits", get_int_bits, nullptr, "Bits of a number.", nullptr},
    {"max", get_int_max, nullptr, "Largest number.", nullptr},
    {"min", get_int_min, nullptr, "Smallest number.", nullptr},
    {"dtype", get_name, nullptr, "Name of the dtype.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

Py_hash_t hash(PyObject* self) { return static_cast<Py_hash_t>(of(self)); }
PyObject* compare(PyObject* a, PyObject* b, int op) {
  if (Py_TYPE(a) != Py_TYPE(b) || (op != Py_EQ && op != Py_NE)) Py_RETURN_NOTIMPLEMENTED;
  return PyBool_FromLong((of(a) == of(b)) == (op == Py_EQ));
}

bool ready(PyTypeObject& type, newfunc make_new, reprfunc repr, PyGetSetDef* attributes, const char* doc) {
  type.tp_basicsize = sizeof(InfoObject);
  type.tp_flags = Py_TPFLAGS_DEFAULT;
  type.tp_new = make_new;
  type.tp_repr = repr;
  type.tp_hash = hash;
  type.tp_richcompare = compare;
  type.tp_getset = attributes;
  type.tp_doc = doc;
  return PyType_Ready(&type) == 0;
}

}  // namespace

bool setup_number_info(PyObject* module) {
  return ready(FloatInfoType, new_float_info, float_repr, kFloatAttributes, "Limits of a floating point dtype.") &&
         ready(IntInfoType, new_int_info, int_repr, kIntAttributes, "Limits of an integer dtype.") &&
         PyModule_AddObjectRef(module, "finfo", reinterpret_cast<PyObject*>(&FloatInfoType)) == 0 &&
         PyModule_AddObjectRef(module, "iinfo", reinterpret_cast<PyObject*>(&IntInfoType)) == 0;
}

}  // namespace rushlight::python
