// Wrappers that let subclasses and modes take over attributes and methods that are written by hand: each asks
// __torch_function__ first, and costs one test of a flag where nobody overrides.
#pragma once
#include "tensor_object.h"
#include "torch_function.h"

namespace rushlight::python {

// A name as an argument of a template.
template <std::size_t Size>
struct Name {
  char text[Size];
  consteval Name(const char (&name)[Size]) {
    for (std::size_t i = 0; i < Size; ++i)
      text[i] = name[i];
  }
};

// An attribute; overrides know it as `Tensor.<name>.__get__` and `Tensor.<name>.__set__`. The name is the context.
template <PyObject* (*Get)(PyObject*, void*)>
PyObject* overridable_get(PyObject* self, void* name) {
  PyObject* result;
  if (may_be_overridden(self) && attribute_overridden(static_cast<const char*>(name), self, nullptr, &result))
      [[unlikely]]
    return result;
  return Get(self, nullptr);
}
template <int (*Set)(PyObject*, PyObject*, void*)>
int overridable_set(PyObject* self, PyObject* value, void* name) {
  PyObject* result;
  if (value && may_be_overridden(self) && attribute_overridden(static_cast<const char*>(name), self, value, &result))
      [[unlikely]] {
    Py_XDECREF(result);
    return result ? 0 : -1;
  }
  return Set(self, value, nullptr);
}

// A method of no argument or of one.
template <Name name, PyObject* (*Method)(PyObject*, PyObject*)>
PyObject* overridable(PyObject* self, PyObject* argument) {
  PyObject* result;
  if (may_be_overridden(self) && fast_method_overridden(name.text, self, &argument, argument ? 1 : 0, nullptr, &result))
      [[unlikely]]
    return result;
  return Method(self, argument);
}
// A method with positional and keyword arguments in an array.
template <Name name, PyObject* (*Method)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*)>
PyObject* overridable(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords) {
  PyObject* result;
  if (may_be_overridden(self) && fast_method_overridden(name.text, self, args, count, keywords, &result)) [[unlikely]]
    return result;
  return Method(self, args, count, keywords);
}
// A method with positional and keyword arguments in a tuple and a dict.
template <Name name, PyObject* (*Method)(PyObject*, PyObject*, PyObject*)>
PyObject* overridable(PyObject* self, PyObject* args, PyObject* kwargs) {
  PyObject* result;
  if (may_be_overridden(self) && method_overridden(name.text, self, args, kwargs, &result)) [[unlikely]]
    return result;
  return Method(self, args, kwargs);
}
// A conversion slot, such as __int__.
template <Name name, PyObject* (*Slot)(PyObject*)>
PyObject* overridable(PyObject* self) {
  PyObject* result;
  if (may_be_overridden(self) && method_overridden(name.text, self, nullptr, nullptr, &result)) [[unlikely]]
    return result;
  return Slot(self);
}

}  // namespace rushlight::python
