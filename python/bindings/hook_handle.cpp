// The handle of a hook: `remove()`, or a context in which the hook is active.
#include "hook_handle.h"

#include "rushlight/autograd.h"

namespace rushlight::python {
namespace {

PyTypeObject HandleType{PyVarObject_HEAD_INIT(nullptr, 0) "torch.utils.hooks.RemovableHandle"};

struct HandleObject {
  PyObject_HEAD std::weak_ptr<HookPlace> place;  // the hook itself owns it: gone with the hook
  std::uint64_t id;
};
HandleObject& of(PyObject* self) { return *reinterpret_cast<HandleObject*>(self); }

void dealloc(PyObject* self) {
  of(self).place.~weak_ptr();
  Py_TYPE(self)->tp_free(self);
}
PyObject* remove(PyObject* self, PyObject*) {
  return guarded([&] {
    Node* node = nullptr;
    if (const auto place = of(self).place.lock()) node = std::exchange(place->node, nullptr);
    // Holds the node: what the hook refers to may be its last owner.
    if (node) autograd::HookHandle(node, of(self).id).remove();
    Py_RETURN_NONE;
  });
}
PyObject* enter(PyObject* self, PyObject*) { return Py_NewRef(self); }
PyMethodDef kMethods[] = {
    {"remove", remove, METH_NOARGS, "Takes the hook away."},
    {"__enter__", enter, METH_NOARGS, nullptr},
    {"__exit__", remove, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};
PyObject* get_id(PyObject* self, void*) { return PyLong_FromUnsignedLongLong(of(self).id); }
PyGetSetDef kAttributes[] = {
    {"id", get_id, nullptr, "Number of the hook.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

}  // namespace

PyObject* make_hook_handle(std::shared_ptr<HookPlace> place) {
  auto* handle = PyObject_New(HandleObject, &HandleType);
  if (!handle) return nullptr;
  handle->id = place->id;
  new (&handle->place) std::weak_ptr<HookPlace>(std::move(place));
  return reinterpret_cast<PyObject*>(handle);
}

bool setup_hook_handle(PyObject* module) {
  HandleType.tp_basicsize = sizeof(HandleObject);
  HandleType.tp_flags = Py_TPFLAGS_DEFAULT;
  HandleType.tp_dealloc = dealloc;
  HandleType.tp_methods = kMethods;
  HandleType.tp_getset = kAttributes;
  HandleType.tp_doc = "Takes a hook away again.";
  return PyType_Ready(&HandleType) == 0 &&
         PyModule_AddObjectRef(module, "_HookHandle", reinterpret_cast<PyObject*>(&HandleType)) == 0;
}

}  // namespace rushlight::python
