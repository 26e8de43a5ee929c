// Python objects for graph nodes: `x.grad_fn`, and the base of contexts of custom functions.
#pragma once
#include "autograd/node.h"
#include "errors.h"

namespace rushlight::python {

struct NodeObject {
  PyObject_HEAD Node* node;  // null once the node is gone
  PyObject* metadata;        // dict, made when asked for
  bool owns;                 // keeps the node alive; contexts are kept alive by theirs instead
};
extern PyTypeObject NodeObjectType;

PyObject* wrap_node(Node* node);  // the same object while it lives; None for null
bool is_node(PyObject* object);
Node& node_of(PyObject* object);  // throws for a node that is gone

PyObject* context_of(const Node& node);  // function_base.cpp: borrowed, null for nodes of operators

}  // namespace rushlight::python
