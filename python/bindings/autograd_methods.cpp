// Methods of Tensor about gradients: requires_grad_, retain_grad, hooks.
#include "autograd/node.h"
#include "hook_handle.h"
#include "overridable.h"
#include "rushlight/autograd.h"
#include "rushlight/ops.h"
#include "tensor_type.h"

namespace rushlight::python {
namespace {

PyObject* requires_grad(PyObject* self, PyObject* args, PyObject* kwargs) {
  static const char* keywords[] = {"requires_grad", nullptr};
  PyObject* on = Py_True;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O!:requires_grad_", const_cast<char**>(keywords), &PyBool_Type, &on))
    return nullptr;
  return guarded([&] {
    unwrap(self).requires_grad_(on == Py_True);
    return Py_NewRef(self);
  });
}
PyObject* retain_grad(PyObject* self, PyObject*) {
  return guarded([&] {
    unwrap(self).retain_grad();
    Py_RETURN_NONE;
  });
}
PyObject* detach(PyObject* self, PyObject*) {
  return guarded([&] { return wrap(unwrap(self).detach()); });
}
PyObject* detach_in_place(PyObject* self, PyObject*) {
  return guarded([&] {
    unwrap(self).detach_();
    return Py_NewRef(self);
  });
}

// Registers and returns a handle; from now on the tensor can be part of a cycle.
template <class Hook>
PyObject* add_hook(PyObject* self, PyObject* callable,
                   autograd::HookHandle (*add)(const Tensor&, typename Hook::Function)) {
  return guarded([&] {
    check<TypeError>(PyCallable_Check(callable), "hook must be callable, not ", type_name(callable));
    const auto place = std::make_shared<HookPlace>();
    autograd::HookHandle handle = add(unwrap(self), Hook(callable, place));
    place->node = unwrap(self).impl()->grad_fn ? unwrap(self).impl()->grad_fn : &meta_of(unwrap(self)).accumulator;
    place->id = handle.id();
    track(self);
    return make_hook_handle(place);
  });
}
PyObject* hook_of(PyObject* args, PyObject* kwargs, const char* format) {  // borrowed
  static const char* const kNames[] = {"hook", nullptr};
  PyObject* callable;
  return PyArg_ParseTupleAndKeywords(args, kwargs, format, const_cast<char**>(kNames), &callable) ? callable : nullptr;
}
PyObject* register_hook(PyObject* self, PyObject* args, PyObject* kwargs) {
  PyObject* callable = hook_of(args, kwargs, "O:register_hook");
  return callable ? add_hook<TensorHookCallable>(self, callable, autograd::register_hook) : nullptr;
}
PyObject* register_leaf_hook(PyObject* self, PyObject* args, PyObject* kwargs) {
  PyObject* callable = hook_of(args, kwargs, "O:register_post_accumulate_grad_hook");
  return callable ? add_hook<LeafHookCallable>(self, callable, autograd::register_post_accumulate_grad_hook) : nullptr;
}

PyCFunction with_keywords(PyObject* (*method)(PyObject*, PyObject*, PyObject*)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(method));
}

}  // namespace

PyMethodDef kAutogradMethods[] = {
    {"requires_grad_", with_keywords(overridable<"requires_grad_", requires_grad>), METH_VARARGS | METH_KEYWORDS,
     "Turns the computing of gradients on or off."},
    {"retain_grad", overridable<"retain_grad", retain_grad>, METH_NOARGS,
     "Keeps the gradient of a tensor that is no leaf in `.grad`."},
    {"detach", overridable<"detach", detach>, METH_NOARGS, "The same memory without history."},
    {"detach_", overridable<"detach_", detach_in_place>, METH_NOARGS, "Forgets the history of the tensor."},
    {"register_hook", with_keywords(overridable<"register_hook", register_hook>), METH_VARARGS | METH_KEYWORDS,
     "Calls a function with the gradient of the tensor; its result replaces it."},
    {"register_post_accumulate_grad_hook",
     with_keywords(overridable<"register_post_accumulate_grad_hook", register_leaf_hook>), METH_VARARGS | METH_KEYWORDS,
     "Calls a function with the tensor after its gradient was accumulated."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace rushlight::python
