// __torch_function__: overrides by subclasses, by other types and by modes.
#pragma once
#include "arguments.h"

namespace rushlight::python {

// An operator slot with an override among its operands or a mode; `method` is the dunder name. `b`
// may be null. False: nothing overrides after all; go on.
[[gnu::cold]] bool overridden_operator(const char* method, PyObject* a, PyObject* b, PyObject** result);

// A method written by hand: calls the override when there is one. False: nothing overrides; go on.
bool method_overridden(const char* method, PyObject* self, PyObject* args, PyObject* kwargs, PyObject** result);
// The same for a method that takes its arguments in an array, and for an attribute; `value` is null where it is read.
bool fast_method_overridden(const char* method, PyObject* self, PyObject* const* args, Py_ssize_t count,
                            PyObject* keywords, PyObject** result);
bool attribute_overridden(const char* attribute, PyObject* self, PyObject* value, PyObject** result);
// A function written by hand, under a mode.
bool function_overridden(const char* function, PyObject* args, PyObject* kwargs, PyObject** result);
inline bool may_be_overridden(PyObject* self) {
  return (thread.modes | unwrap(self).word()) & (kTorchFunction | kFunctionMode);
}

// Whether tensors of `type` are to carry kTorchFunction.
bool overrides(PyTypeObject* type);

bool setup_torch_function(PyObject* module);
extern PyMethodDef kTorchFunctionMethods[];

}  // namespace rushlight::python
