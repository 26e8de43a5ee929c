// torch.dtype: one immortal object per element type.
#include "type_objects.h"

namespace rushlight::python {

PyTypeObject DtypeType{PyVarObject_HEAD_INIT(nullptr, 0) "torch.dtype"};
DtypeObject kDtypeObjects[kDtypes];

PyObject* wrap(Dtype type) { return Py_NewRef(borrowed(type)); }

namespace {

// By index_of; the dtypes behind these are abbreviated as their names, bits apart.
constexpr const char* kAbbreviations[] = {
    "b8",  "u8",  "i8",  "i16",  "i32",      "i64",    "u16",        "u32",        "u64",       "f16", "bf16",
    "f32", "f64", "c64", "c128", "f8e4m3fn", "f8e5m2", "f8e4m3fnuz", "f8e5m2fnuz", "f8e8m0fnu", "c32", "f4e2m1fnx2"};
constexpr const char* kBitsAbbreviations[] = {"b1x8", "b2x4", "b4x2", "b8x1", "b16x1"};
const char* abbreviation(Dtype type) {
  if (index_of(type) <= index_of(Dtype::kFloat4E2M1FNx2)) return kAbbreviations[index_of(type)];
  if (type >= Dtype::kBits1x8 && type <= Dtype::kBits16)
    return kBitsAbbreviations[static_cast<int>(type) - static_cast<int>(Dtype::kBits1x8)];
  return name(type);
}

PyObject* repr(PyObject* self) { return PyUnicode_FromFormat("torch.%s", name(dtype_of(self))); }
// Pickled by name; copies are the object itself.
PyObject* reduce(PyObject* self, PyObject*) {
  Owned module(PyImport_ImportModule("rushlight._C"));
  if (!module) return nullptr;
  Owned find(PyObject_GetAttrString(module.get(), "_dtype_of_name"));
  return find ? Py_BuildValue("O(s)", find.get(), name(dtype_of(self))) : nullptr;
}
PyObject* copy(PyObject* self, PyObject*) { return Py_NewRef(self); }
PyObject* to_real_dtype(PyObject* self, PyObject*) { return wrap(to_real(dtype_of(self))); }
PyObject* to_complex_dtype(PyObject* self, PyObject*) {
  const Dtype type = dtype_of(self);
  if (!is_differentiable(type) || is_float8(type))
    return PyErr_Format(PyExc_RuntimeError, "Unknown Complex ScalarType for %s", scalar_type_name(type));
  return wrap(to_complex(type));
}
PyMethodDef kMethods[] = {
    {"__reduce__", reduce, METH_NOARGS, nullptr},
    {"__copy__", copy, METH_NOARGS, nullptr},
    {"__deepcopy__", copy, METH_O, nullptr},
    {"to_real", to_real_dtype, METH_NOARGS, "The dtype of the real part."},
    {"to_complex", to_complex_dtype, METH_NOARGS, "The complex dtype with parts of this precision."},
    {nullptr, nullptr, 0, nullptr},
};

PyObject* get_floating(PyObject* self, void*) { return PyBool_FromLong(is_floating(dtype_of(self))); }
PyObject* get_complex(PyObject* self, void*) { return PyBool_FromLong(is_complex(dtype_of(self))); }
PyObject* get_signed(PyObject* self, void*) { return PyBool_FromLong(is_signed(dtype_of(self))); }
PyObject* get_itemsize(PyObject* self, void*) { return PyLong_FromSize_t(item_size(dtype_of(self))); }
PyObject* get_abbreviation(PyObject* self, void*) { return PyUnicode_FromString(abbreviation(dtype_of(self))); }
PyObject* get_scalar_type(PyObject* self, void*) { return PyUnicode_FromString(scalar_type_name(dtype_of(self))); }
PyObject* get_module(PyObject*, void*) { return PyUnicode_FromString("torch"); }
PyGetSetDef kAttributes[] = {
    {"is_floating_point", get_floating, nullptr, "Whether elements are real floating point numbers.", nullptr},
    {"is_complex", get_complex, nullptr, "Whether elements are complex.", nullptr},
    {"is_signed", get_signed, nullptr, "Whether elements can be negative.", nullptr},
    {"itemsize", get_itemsize, nullptr, "Bytes of one element.", nullptr},
    {"abbr", get_abbreviation, nullptr, "Short name.", nullptr},
    {"_scalar_type", get_scalar_type, nullptr, "Its name in error texts and in the names of tensor types.", nullptr},
    {"__module__", get_module, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyObject* dtype_of_name(PyObject*, PyObject* text) {
  for (const Dtype type : kAllDtypes)
    if (PyUnicode_Check(text) && PyUnicode_CompareWithASCIIString(text, name(type)) == 0) return wrap(type);
  return PyErr_Format(PyExc_ValueError, "there is no dtype %R", text);
}
PyMethodDef kFunctions[] = {
    {"_dtype_of_name", dtype_of_name, METH_O, "The dtype with a name such as 'float32'."},
    {nullptr, nullptr, 0, nullptr},
};

struct Alias {
  const char* name;
  Dtype type;
};
constexpr Alias kAliases[] = {
    {"float", Dtype::kFloat32},    {"double", Dtype::kFloat64},     {"half", Dtype::kFloat16},
    {"short", Dtype::kInt16},      {"int", Dtype::kInt32},          {"long", Dtype::kInt64},
    {"cfloat", Dtype::kComplex64}, {"cdouble", Dtype::kComplex128}, {"chalf", Dtype::kComplex32},
    {"bit", Dtype::kUInt1},
};

}  // namespace

bool setup_dtypes(PyObject* module) {
  DtypeType.tp_basicsize = sizeof(DtypeObject);
  DtypeType.tp_flags = Py_TPFLAGS_DEFAULT;
  DtypeType.tp_repr = repr;
  DtypeType.tp_methods = kMethods;
  DtypeType.tp_getset = kAttributes;
  DtypeType.tp_doc = "The type of a tensor's elements.";
  if (PyType_Ready(&DtypeType) < 0 ||
      PyModule_AddObjectRef(module, "dtype", reinterpret_cast<PyObject*>(&DtypeType)) < 0)
    return false;
  for (const Dtype type : kAllDtypes) {
    DtypeObject& object = kDtypeObjects[index_of(type)];
    PyObject_Init(reinterpret_cast<PyObject*>(&object), &DtypeType);
    object.dtype = type;
    if (PyModule_AddObjectRef(module, name(type), borrowed(type)) < 0) return false;
  }
  for (const Alias& alias : kAliases)
    if (PyModule_AddObjectRef(module, alias.name, borrowed(alias.type)) < 0) return false;
  return PyModule_AddFunctions(module, kFunctions) == 0;
}

}  // namespace rushlight::python
