// The Tensor type: its slots and the tables of methods and attributes it is made of.
#include "tensor_type.h"

#include <cstring>

#include "dlpack_structures.h"
#include "errors.h"
#include "module_parts.h"
#include "number_arguments.h"
#include "overridable.h"
#include "rushlight/ops.h"

namespace rushlight::python {

extern PyMethodDef kTensorMethods[];  // generated

namespace {

PyNumberMethods number_slots{};
PyMappingMethods mapping_slots{};
PySequenceMethods sequence_slots{};

int truth(PyObject* self) {
  PyObject* result;
  if (may_be_overridden(self) && method_overridden("__bool__", self, nullptr, nullptr, &result)) [[unlikely]] {
    const Owned answer(result);
    return answer ? PyObject_IsTrue(answer.get()) : -1;
  }
  return guarded_status([&] {
    const Tensor& tensor = unwrap(self);
    check(tensor.numel() != 0, "Boolean value of Tensor with no values is ambiguous");
    check(tensor.numel() == 1, "Boolean value of Tensor with more than one value is ambiguous");
    return static_cast<int>(tensor.item().is_zero() ? 0 : 1);
  });
}

// The only element as a Python number.
Owned number(PyObject* self) {
  const Tensor& tensor = unwrap(self);
  check<ValueError>(tensor.numel() == 1, "only one element tensors can be converted to Python scalars");
  return own(wrap_number(tensor.item()));
}
Owned real_number(PyObject* self, const char* type) {
  Owned value = number(self);
  if (!PyComplex_Check(value.get())) return value;
  check(PyComplex_ImagAsDouble(value.get()) == 0, "value cannot be converted to type ", type, " without overflow");
  return own(PyFloat_FromDouble(PyComplex_RealAsDouble(value.get())));
}
PyObject* to_int(PyObject* self) {
  return guarded([&] { return PyNumber_Long(real_number(self, "int64_t").get()); });
}
PyObject* to_float(PyObject* self) {
  return guarded([&] { return PyNumber_Float(real_number(self, "double").get()); });
}
PyObject* to_index(PyObject* self) {
  return guarded([&] {
    const Tensor& tensor = unwrap(self);
    check<TypeError>(tensor.numel() == 1 && is_integral(tensor.dtype()),
                     "only integer tensors of a single element can be converted to an index");
    return PyNumber_Index(number(self).get());
  });
}

Py_ssize_t length(PyObject* self) {
  PyObject* result;
  if (may_be_overridden(self) && method_overridden("__len__", self, nullptr, nullptr, &result)) [[unlikely]] {
    const Owned answer(result);
    return answer ? PyNumber_AsSsize_t(answer.get(), PyExc_OverflowError) : -1;
  }
  const Tensor& tensor = unwrap(self);
  if (tensor.dim()) return tensor.impl()->sizes()[0];
  PyErr_SetString(PyExc_TypeError, "len() of a 0-d tensor");
  return -1;
}
PyObject* item_at(PyObject* self, Py_ssize_t at) {
  Owned index(PyLong_FromSsize_t(at));
  return index ? subscript(self, index.get()) : nullptr;
}
int contains(PyObject* self, PyObject* element) {
  PyObject* result;
  if (may_be_overridden(self) && fast_method_overridden("__contains__", self, &element, 1, nullptr, &result))
      [[unlikely]] {
    const Owned answer(result);
    return answer ? PyObject_IsTrue(answer.get()) : -1;
  }
  return guarded_status([&]() -> int {
    if (!is_tensor(element) && !is_number(element)) {
      PyErr_Format(PyExc_RuntimeError, "Tensor.__contains__ only supports Tensor or scalar, but you passed in a %R.",
                   Py_TYPE(element));
      throw PythonError{};
    }
    const Owned same = own(compare_slot(self, element, Py_EQ));
    return any(unwrap(same.get())).item().to<bool>() ? 1 : 0;
  });
}
PyObject* iterate(PyObject* self) {
  return guarded([&] {
    check<TypeError>(unwrap(self).dim() > 0, "iteration over a 0-d tensor");
    const Owned rows = own(PyObject_CallMethod(self, "unbind", "i", 0));
    return PyObject_GetIter(rows.get());
  });
}

PyObject* repr(PyObject* self) { return wrap("<" + unwrap(self).summary() + ">"); }
Py_hash_t hash(PyObject* self) { return reinterpret_cast<Py_hash_t>(self); }  // id(x), as in PyTorch

// From its first attribute on, a tensor can be part of a cycle.
int set_attribute(PyObject* self, PyObject* attribute, PyObject* value) {
  const int result = PyObject_GenericSetAttr(self, attribute, value);
  if (reinterpret_cast<TensorObject*>(self)->dict) track(self);
  return result;
}

bool add_methods(PyMethodDef* methods) {
  for (PyMethodDef* def = methods; def->ml_name; ++def) {
    Owned method(def->ml_flags & METH_STATIC  ? PyStaticMethod_New(own(PyCFunction_New(def, nullptr)).get())
                 : def->ml_flags & METH_CLASS ? PyDescr_NewClassMethod(&TensorType, def)
                                              : PyDescr_NewMethod(&TensorType, def));
    if (!method || PyDict_SetItemString(TensorType.tp_dict, def->ml_name, method.get()) < 0) return false;
  }
  return true;
}

// Some operators have the name of an attribute: x.mT is the attribute.
bool restore_attributes() {
  for (PyGetSetDef* def = kTensorAttributes; def->name; ++def) {
    Owned attribute(PyDescr_NewGetSet(&TensorType, def));
    if (!attribute || PyDict_SetItemString(TensorType.tp_dict, def->name, attribute.get()) < 0) return false;
  }
  return true;
}

}  // namespace

bool setup_tensor_type(PyObject* module) {
  setup_tensor_object();
  if (PyType_Ready(&TensorMeta) < 0) return false;
  fill_number_slots(number_slots);
  number_slots.nb_bool = truth;
  number_slots.nb_int = overridable<"__int__", to_int>;
  number_slots.nb_float = overridable<"__float__", to_float>;
  number_slots.nb_index = overridable<"__index__", to_index>;
  sequence_slots.sq_length = length;
  sequence_slots.sq_item = item_at;
  sequence_slots.sq_contains = contains;
  mapping_slots.mp_length = length;
  mapping_slots.mp_subscript = subscript;
  mapping_slots.mp_ass_subscript = assign_subscript;
  TensorType.tp_basicsize = sizeof(TensorObject);
  TensorType.tp_dictoffset = offsetof(TensorObject, dict);
  TensorType.tp_weaklistoffset = offsetof(TensorObject, weakrefs);
  TensorType.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC;
  TensorType.tp_as_number = &number_slots;
  TensorType.tp_as_mapping = &mapping_slots;
  TensorType.tp_as_sequence = &sequence_slots;
  TensorType.tp_as_buffer = &kBufferSlots;
  TensorType.tp_methods = kTensorMethods;
  TensorType.tp_getset = kTensorAttributes;
  TensorType.tp_setattro = set_attribute;
  TensorType.tp_richcompare = compare_slot;
  TensorType.tp_hash = hash;
  TensorType.tp_iter = iterate;
  TensorType.tp_repr = repr;
  TensorType.tp_new = new_tensor;
  TensorType.tp_doc = "A multi-dimensional array of numbers of one dtype, with automatic differentiation.";
  if (PyType_Ready(&TensorType) < 0) return false;
  for (PyMethodDef* methods :
       {kBasicMethods, kConversionMethods, kAutogradMethods, kSubclassMethods, kArrayMethods, kDlpackMethods,
        kConstructionMethods, kNonzeroMethods, kStorageMethods, kTorchFunctionMethods})
    if (!add_methods(methods)) return false;
  if (!restore_attributes() || !add_exchange_api(reinterpret_cast<PyObject*>(&TensorType))) return false;
  TensorType.tp_flags &= ~Py_TPFLAGS_IMMUTABLETYPE;  // programs add methods to Tensor
  PyType_Modified(&TensorType);
  auto* type = reinterpret_cast<PyObject*>(&TensorType);
  return PyModule_AddObjectRef(module, "Tensor", type) == 0 && PyModule_AddObjectRef(module, "TensorBase", type) == 0 &&
         PyModule_AddObjectRef(module, "_TensorBase", type) == 0 &&
         PyModule_AddObjectRef(module, "_TensorMeta", reinterpret_cast<PyObject*>(&TensorMeta)) == 0;
}

}  // namespace rushlight::python
