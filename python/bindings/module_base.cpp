// _C._ModuleBase: what nn.Module does most often, without Python frames: calls and reads of registered attributes.
#include "module_parts.h"

namespace rushlight::python {
namespace {

PyObject *forward_name, *call_impl_name, *hooked_name, *getattr_name, *getattribute_name, *init_subclass_name;
PyObject* module_base;           // the type
PyObject* tables[3];             // "_modules", "_parameters", "_buffers"
PyObject* registered_getattr;    // the descriptor `__getattr__` of the base
PyObject* plain_getattribute;    // object.__getattribute__
bool every_call_hooked = false;  // a hook on all modules was registered once

PyObject* instance_dict(PyObject* self) {  // borrowed; null without an error where there is none
  PyObject** dict = _PyObject_GetDictPtr(self);
  return dict ? *dict : nullptr;
}

// The member `name` of self's registries as a new reference; null without an error if there is none.
PyObject* registered(PyObject* self, PyObject* name) {
  PyObject* dict = instance_dict(self);
  if (!dict) return nullptr;
  for (PyObject* key : tables) {
    PyObject* table = PyDict_GetItemWithError(dict, key);
    if (!table) {
      if (PyErr_Occurred()) return nullptr;
      continue;
    }
    if (!PyDict_Check(table)) continue;
    if (PyObject* found = PyDict_GetItemWithError(table, name)) return Py_NewRef(found);
    if (PyErr_Occurred()) return nullptr;
  }
  return nullptr;
}

PyObject* no_attribute(PyObject* self, PyObject* name) {
  return PyErr_Format(PyExc_AttributeError, "'%s' object has no attribute '%U'", Py_TYPE(self)->tp_name, name);
}

PyObject* module_getattr(PyObject* self, PyObject* name) {
  PyObject* found = registered(self, name);
  return found || PyErr_Occurred() ? found : no_attribute(self, name);
}

// Ordinary attributes first, then the registries: as with `__getattr__`, but a miss of the first raises nothing.
PyObject* module_getattro(PyObject* self, PyObject* name) {
  PyObject* found = _PyObject_GenericGetAttrWithDict(self, name, nullptr, 1);
  return found || PyErr_Occurred() ? found : module_getattr(self, name);
}

PyObject* call_method(PyObject* self, PyObject* name, PyObject* args, PyObject* kwargs) {
  PyObject* method = PyObject_GetAttr(self, name);
  if (!method) return nullptr;
  PyObject* result = PyObject_Call(method, args, kwargs);
  Py_DECREF(method);
  return result;
}

// Classes whose `__getattr__` is ours read attributes by `module_getattro`; others keep what Python gave them.
PyObject* init_subclass(PyObject* cls, PyObject* args, PyObject* kwargs) {
  auto* type = reinterpret_cast<PyTypeObject*>(cls);
  if (_PyType_Lookup(type, getattr_name) == registered_getattr &&
      _PyType_Lookup(type, getattribute_name) == plain_getattribute)
    type->tp_getattro = module_getattro;
  PyObject* next = PyObject_CallFunctionObjArgs(reinterpret_cast<PyObject*>(&PySuper_Type), module_base, cls, nullptr);
  if (!next) return nullptr;
  PyObject* result = call_method(next, init_subclass_name, args, kwargs);
  Py_DECREF(next);
  return result;
}

PyObject* watch_all_calls(PyObject*, PyObject*) {
  every_call_hooked = true;
  Py_RETURN_NONE;
}

// A module without hooks goes straight to its forward.
PyObject* module_call(PyObject* self, PyObject* args, PyObject* kwargs) {
  PyObject* dict = instance_dict(self);
  bool hooked = every_call_hooked, own_forward = false;
  if (dict) {
    hooked |= PyDict_GetItemWithError(dict, hooked_name) != nullptr;
    own_forward = PyDict_GetItemWithError(dict, forward_name) != nullptr;
    if (PyErr_Occurred()) return nullptr;
  }
  if (hooked) return call_method(self, call_impl_name, args, kwargs);
  PyObject* forward = own_forward ? nullptr : _PyType_Lookup(Py_TYPE(self), forward_name);
  constexpr Py_ssize_t kMost = 6;
  const Py_ssize_t count = PyTuple_GET_SIZE(args);
  if (!forward || !PyFunction_Check(forward) || count > kMost || (kwargs && PyDict_GET_SIZE(kwargs)))
    return call_method(self, forward_name, args, kwargs);
  PyObject* values[kMost + 1] = {self};
  for (Py_ssize_t i = 0; i < count; ++i)
    values[i + 1] = PyTuple_GET_ITEM(args, i);
  Py_INCREF(forward);  // the class may drop it during the call
  PyObject* result = PyObject_Vectorcall(forward, values, static_cast<std::size_t>(count + 1), nullptr);
  Py_DECREF(forward);
  return result;
}

PyMethodDef methods[] = {
    {"__getattr__", module_getattr, METH_O, "Finds parameters, buffers and submodules."},
    {"__init_subclass__", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(init_subclass)),
     METH_VARARGS | METH_KEYWORDS | METH_CLASS, "Prepares a subclass."},
    {"_watch_all_calls", watch_all_calls, METH_NOARGS | METH_STATIC, "Says that a hook on all modules may exist."},
    {nullptr, nullptr, 0, nullptr}};

PyType_Slot slots[] = {{Py_tp_call, reinterpret_cast<void*>(module_call)},
                       {Py_tp_methods, methods},
                       {Py_tp_doc, const_cast<char*>("Calls and attribute reads of nn.Module.")},
                       {0, nullptr}};

PyType_Spec spec = {"rushlight._C._ModuleBase", sizeof(PyObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};

bool intern(PyObject*& slot, const char* text) { return (slot = PyUnicode_InternFromString(text)) != nullptr; }

}  // namespace

bool setup_module_base(PyObject* module) {
  const bool named = intern(forward_name, "forward") && intern(call_impl_name, "_call_impl") &&
                     intern(hooked_name, "_hooked") && intern(getattr_name, "__getattr__") &&
                     intern(getattribute_name, "__getattribute__") && intern(init_subclass_name, "__init_subclass__") &&
                     intern(tables[0], "_modules") && intern(tables[1], "_parameters") && intern(tables[2], "_buffers");
  if (!named) return false;
  module_base = PyType_FromSpec(&spec);
  if (!module_base) return false;
  registered_getattr = _PyType_Lookup(reinterpret_cast<PyTypeObject*>(module_base), getattr_name);
  plain_getattribute = _PyType_Lookup(&PyBaseObject_Type, getattribute_name);
  return PyModule_AddObjectRef(module, "_ModuleBase", module_base) == 0;
}

}  // namespace rushlight::python
