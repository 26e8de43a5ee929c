// Graph nodes in Python: names, neighbours, hooks. Each name is a class of its own, so that it
// shows in texts.
#include "node_object.h"

#include "hook_callable.h"
#include "hook_handle.h"
#include "module_parts.h"
#include "saved_attributes.h"
#include "tensor_object.h"

namespace rushlight::python {

PyTypeObject NodeObjectType{PyVarObject_HEAD_INIT(nullptr, 0) "torch.autograd.graph.Node"};

namespace {

PyObject* classes;  // name -> class

NodeObject& of(PyObject* self) { return *reinterpret_cast<NodeObject*>(self); }

PyObject* class_of(const char* name) {  // borrowed
  if (PyObject* known = PyDict_GetItemString(classes, name)) return known;
  Owned made(PyObject_CallFunction(reinterpret_cast<PyObject*>(&PyType_Type), "s(O){ss}", name,
                                   reinterpret_cast<PyObject*>(&NodeObjectType), "__module__", "builtins"));
  if (!made || PyDict_SetItemString(classes, name, made.get()) < 0) return nullptr;
  return PyDict_GetItemString(classes, name);
}

void dealloc(PyObject* self) {
  Py_CLEAR(of(self).metadata);
  if (Node* node = std::exchange(of(self).node, nullptr); node && of(self).owns) {
    if (node->hooks && node->hooks->object == self) node->hooks->object = nullptr;
    node->drop();
  }
  Py_TYPE(self)->tp_free(self);
}

PyObject* name(PyObject* self, PyObject*) {
  return guarded([&] {
    const Node& node = node_of(self);
    const std::string_view title = node.name();
    const bool written_by_hand = node.leaf || title == "CopySlices";  // PyTorch shows where those are declared
    return PyUnicode_FromString(((written_by_hand ? "torch::autograd::" : "") + std::string(title)).c_str());
  });
}
PyObject* sequence_number(PyObject* self, PyObject*) {
  return guarded([&] { return PyLong_FromUnsignedLongLong(node_of(self).sequence); });
}

template <class Hook, class Function>
PyObject* add_hook(PyObject* self, PyObject* callable) {
  return guarded([&] {
    check<TypeError>(PyCallable_Check(callable), "hook must be callable, not ", type_name(callable));
    Node& node = node_of(self);
    const auto place = std::make_shared<HookPlace>();
    place->node = &node;
    place->id = add_node_hook(node, Function(Hook(callable, place)));
    return make_hook_handle(place);
  });
}
PyObject* register_hook(PyObject* self, PyObject* callable) {
  return add_hook<NodeHookCallable, NodeHooks::NodeHook>(self, callable);
}
PyObject* register_prehook(PyObject* self, PyObject* callable) {
  return add_hook<NodePreHookCallable, NodeHooks::NodePreHook>(self, callable);
}
PyMethodDef kMethods[] = {
    {"name", name, METH_NOARGS, "Name of the kind of node."},
    {"_sequence_nr", sequence_number, METH_NOARGS, "Nodes recorded later have higher numbers."},
    {"register_hook", register_hook, METH_O,
     "Calls a function with the gradients of inputs and outputs after the node ran."},
    {"register_prehook", register_prehook, METH_O,
     "Calls a function with the gradients of outputs before the node runs."},
    {"__dir__", node_directory, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyObject* get_next_functions(PyObject* self, void*) {
  return guarded([&] {
    const Node& node = node_of(self);
    Owned list = own(PyTuple_New(static_cast<Py_ssize_t>(node.edge_count)));
    for (std::uint32_t i = 0; i < node.edge_count; ++i) {
      const Edge& edge = node.edges[i];
      PyTuple_SET_ITEM(list.get(), static_cast<Py_ssize_t>(i),
                       need(Py_BuildValue("(NI)", need(wrap_node(edge.node)), edge.output)));
    }
    return list.release();
  });
}
PyObject* get_metadata(PyObject* self, void*) {
  if (!of(self).metadata && !(of(self).metadata = PyDict_New())) return nullptr;
  return Py_NewRef(of(self).metadata);
}
PyObject* get_variable(PyObject* self, void*) {
  return guarded([&]() -> PyObject* {
    TensorImpl* leaf = node_of(self).leaf;
    if (!leaf)
      return PyErr_Format(PyExc_AttributeError, "'%s' object has no attribute 'variable'", node_of(self).name());
    leaf->retain();
    return wrap(Tensor(leaf));
  });
}
PyGetSetDef kAttributes[] = {
    {"next_functions", get_next_functions, nullptr,
     "The nodes that gradients of the inputs go to, with numbers of outputs.", nullptr},
    {"metadata", get_metadata, nullptr, "A dict for whatever one wants to attach.", nullptr},
    {"variable", get_variable, nullptr, "The leaf that a node accumulates into.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

}  // namespace

PyObject* wrap_node(Node* node) {
  if (!node) Py_RETURN_NONE;
  if (PyObject* context = context_of(*node)) return Py_NewRef(context);
  if (node->hooks && node->hooks->object) return Py_NewRef(reinterpret_cast<PyObject*>(node->hooks->object));
  auto* type = reinterpret_cast<PyTypeObject*>(class_of(node->name()));
  PyObject* self = type ? type->tp_alloc(type, 0) : nullptr;
  if (!self) return nullptr;
  node->retain();
  of(self).node = node;
  of(self).owns = true;
  node->make_hooks().object = self;
  return self;
}

bool is_node(PyObject* object) { return PyObject_TypeCheck(object, &NodeObjectType); }
Node& node_of(PyObject* object) {
  check<TypeError>(is_node(object), "expected a graph node, got ", type_name(object));
  check(of(object).node, "the graph node was freed");
  return *of(object).node;
}

bool setup_nodes(PyObject* module) {
  classes = PyDict_New();
  NodeObjectType.tp_basicsize = sizeof(NodeObject);
  NodeObjectType.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
  NodeObjectType.tp_dealloc = dealloc;
  NodeObjectType.tp_getattro = node_attribute;
  NodeObjectType.tp_methods = kMethods;
  NodeObjectType.tp_getset = kAttributes;
  NodeObjectType.tp_doc = "A step of the recorded graph.";
  return classes && PyType_Ready(&NodeObjectType) == 0 && setup_hook_handle(module) && setup_saved_tensor(module) &&
         PyModule_AddObjectRef(module, "_NodeBase", reinterpret_cast<PyObject*>(&NodeObjectType)) == 0;
}

}  // namespace rushlight::python
