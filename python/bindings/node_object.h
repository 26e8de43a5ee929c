// Python objects for graph nodes: `x.grad_fn`.
#pragma once
#include "autograd/node.h"
#include "errors.h"

namespace rushlight::python {

PyObject* wrap_node(Node* node);  // the same object while it lives; None for null
bool is_node(PyObject* object);
Node* node_of(PyObject* object);  // throws TypeError for other objects

}  // namespace rushlight::python
