// What nodes show of their saved values in Python: `_saved_<name>` and `_raw_saved_<name>`.
#pragma once
#include "autograd/saved.h"
#include "errors.h"

namespace rushlight::python {

PyObject* node_attribute(PyObject* node, PyObject* name);  // tp_getattro of nodes
PyObject* node_directory(PyObject* node, PyObject*);       // __dir__

// A saved tensor of a node, unread; its hooks may still be set.
PyObject* wrap_saved(PyObject* node, Saved& saved);

bool setup_saved_tensor(PyObject* module);

}  // namespace rushlight::python
