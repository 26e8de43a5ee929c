// What nodes show of their saved values in Python, found by name in the lists that the generator makes.
#include "saved_attributes.h"

#include <string_view>

#include "autograd/saved_fields.h"
#include "hook_callable.h"
#include "node_object.h"

namespace rushlight::python {
namespace {

constexpr std::string_view kRead = "_saved_", kRaw = "_raw_saved_";

PyTypeObject SavedTensorType{PyVarObject_HEAD_INIT(nullptr, 0) "torch._C._autograd.SavedTensor"};

struct SavedTensorObject {
  PyObject_HEAD PyObject* node;  // keeps `saved` alive
  Saved* saved;
};
SavedTensorObject& of(PyObject* self) { return *reinterpret_cast<SavedTensorObject*>(self); }

void dealloc(PyObject* self) {
  Py_CLEAR(of(self).node);
  Py_TYPE(self)->tp_free(self);
}

PyObject* register_hooks(PyObject* self, PyObject* args) {
  PyObject *pack, *unpack;
  if (!PyArg_ParseTuple(args, "OO:register_hooks", &pack, &unpack)) return nullptr;
  return guarded([&] {
    check<TypeError>(PyCallable_Check(pack) && PyCallable_Check(unpack),
                     "register_hooks: pack and unpack are callables");
    Node& node = node_of(of(self).node);
    if (node.released) freed(node);
    of(self).saved->register_hooks(node, saved_hooks_of(pack, unpack));
    Py_RETURN_NONE;
  });
}
PyMethodDef kMethods[] = {
    {"register_hooks", register_hooks, METH_VARARGS,
     "Calls `pack` with the tensor now and keeps what it returns; `unpack` gives the tensor back for backward."},
    {nullptr, nullptr, 0, nullptr},
};

const SavedField* find(const NodeType& type, std::string_view name) {
  for (std::uint32_t i = 0; i < type.saved_count; ++i)
    if (type.saved[i].name == name) return &type.saved[i];
  return nullptr;
}

PyObject* tuple_of(std::vector<PyObject*> items) {
  Owned tuple = own(PyTuple_New(static_cast<Py_ssize_t>(items.size())));
  for (std::size_t i = 0; i < items.size(); ++i)
    PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), need(items[i]));
  return tuple.release();
}
PyObject* python_of(std::monostate) { Py_RETURN_NONE; }
template <class T>
PyObject* python_of(const T& value) {
  return wrap(value);
}
template <class T>
PyObject* python_of(const std::vector<T>& values) {
  std::vector<PyObject*> items;
  for (const T& value : values)
    items.push_back(wrap(value));
  return tuple_of(std::move(items));
}

PyObject* raw(PyObject* self, Node& node, const SavedField& field) {
  if (Saved* saved = saved_tensor(node, field)) return wrap_saved(self, *saved);
  std::vector<PyObject*> items;
  for (Saved* each : saved_list(node, field)->entries())
    items.push_back(wrap_saved(self, *each));
  return tuple_of(std::move(items));
}

bool holds_tensors(Node& node, const SavedField& field) { return saved_tensor(node, field) || saved_list(node, field); }

}  // namespace

PyObject* node_attribute(PyObject* self, PyObject* name) {
  const char* text = PyUnicode_AsUTF8(name);
  if (!text) return nullptr;
  const std::string_view wanted = text;
  const bool reads = wanted.starts_with(kRead), unread = wanted.starts_with(kRaw);
  Node* node = reads || unread ? reinterpret_cast<NodeObject*>(self)->node : nullptr;
  const SavedField* field = node ? find(*node->type, wanted.substr((reads ? kRead : kRaw).size())) : nullptr;
  if (!field || (unread && !holds_tensors(*node, *field))) return PyObject_GenericGetAttr(self, name);
  return guarded([&] {
    if (unread) return raw(self, *node, *field);
    return std::visit([](const auto& value) { return python_of(value); }, saved_value(*node, *field));
  });
}

PyObject* node_directory(PyObject* self, PyObject*) {
  return guarded([&] {
    const Owned base = own(PyObject_CallMethod(reinterpret_cast<PyObject*>(&PyBaseObject_Type), "__dir__", "O", self));
    Owned names = own(PySequence_List(base.get()));
    Node& node = node_of(self);
    const NodeType& type = *node.type;
    for (std::uint32_t i = 0; i < type.saved_count; ++i)
      for (const std::string_view prefix : {kRead, kRaw}) {
        if (prefix == kRaw && !holds_tensors(node, type.saved[i])) continue;
        const Owned entry = own(wrap(std::string(prefix) + type.saved[i].name));
        need(PyList_Append(names.get(), entry.get()));
      }
    return names.release();
  });
}

PyObject* wrap_saved(PyObject* node, Saved& saved) {
  auto* object = PyObject_New(SavedTensorObject, &SavedTensorType);
  if (!object) return nullptr;
  object->node = Py_NewRef(node);
  object->saved = &saved;
  return reinterpret_cast<PyObject*>(object);
}

bool setup_saved_tensor(PyObject* module) {
  SavedTensorType.tp_basicsize = sizeof(SavedTensorObject);
  SavedTensorType.tp_flags = Py_TPFLAGS_DEFAULT;
  SavedTensorType.tp_dealloc = dealloc;
  SavedTensorType.tp_methods = kMethods;
  SavedTensorType.tp_doc = "A tensor that a node saved, unread.";
  return PyType_Ready(&SavedTensorType) == 0 &&
         PyModule_AddObjectRef(module, "_SavedTensor", reinterpret_cast<PyObject*>(&SavedTensorType)) == 0;
}

}  // namespace rushlight::python
