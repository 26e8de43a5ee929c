// Calling Python hooks from the engine and reading what they return.
#include "hook_callable.h"

#include "rushlight/error.h"

namespace rushlight::python {
namespace {

// The tensors of a hook's result, None for undefined; a lone tensor is a tuple of one.
std::vector<Tensor> gradients_of(PyObject* result, std::size_t expected, const char* kind) {
  std::vector<Tensor> tensors;
  const auto read = [&](PyObject* item) {
    check<TypeError>(item == Py_None || is_tensor(item), "hook: expected a Tensor or None, got ", type_name(item));
    tensors.push_back(item == Py_None ? Tensor() : unwrap(item));
  };
  if (is_tensor(result)) {
    read(result);
  } else {
    check<TypeError>(PyTuple_Check(result) || PyList_Check(result),
                     "hook: expected a Tensor, a tuple of Tensors or None, got ", type_name(result));
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(result); ++i)
      read(PySequence_Fast_GET_ITEM(result, i));
  }
  check(tensors.size() == expected, "hook '", kind, "' has returned an incorrect number of values (got ",
        tensors.size(), ", but expected ", expected, ")");
  return tensors;
}

Owned call(PyObject* callable, Owned first, Owned second = {}) {
  PyObject* arguments[] = {first.get(), second.get()};
  return own(PyObject_Vectorcall(callable, arguments, second ? 2 : 1, nullptr));
}

}  // namespace

Tensor TensorHookCallable::operator()(const Tensor& gradient) const {
  const GilHeld gil;
  const Owned result = call(get(), own(wrap(gradient)));
  if (result.get() == Py_None) return {};
  check<TypeError>(is_tensor(result.get()), "hooks must return None or a Tensor, not ", type_name(result.get()));
  return unwrap(result.get());
}

void LeafHookCallable::operator()(const Tensor& leaf) const {
  const GilHeld gil;
  call(get(), own(wrap(leaf)));
}

void NodePreHookCallable::operator()(std::vector<Tensor>& gradients) const {
  const GilHeld gil;
  const Owned result = call(get(), own(wrap_tensors(gradients)));
  if (result.get() != Py_None) gradients = gradients_of(result.get(), gradients.size(), "prehook");
}

void NodeHookCallable::operator()(std::vector<Tensor>& of_inputs, const std::vector<Tensor>& of_outputs) const {
  const GilHeld gil;
  const Owned result = call(get(), own(wrap_tensors(of_inputs)), own(wrap_tensors(of_outputs)));
  if (result.get() != Py_None) of_inputs = gradients_of(result.get(), of_inputs.size(), "hook");
}

std::shared_ptr<const SavedHooks> saved_hooks_of(PyObject* pack, PyObject* unpack) {
  auto hooks = std::make_shared<SavedHooks>();
  hooks->pack = [callable = Callable(pack)](const Tensor& tensor) -> std::shared_ptr<void> {
    const GilHeld gil;
    const Owned argument = own(wrap(tensor));
    PyObject* packed = need(PyObject_CallOneArg(callable.get(), argument.get()));
    return {packed, [](void* object) {
              if (!Py_IsInitialized()) return;
              const GilHeld held;
              Py_DECREF(static_cast<PyObject*>(object));
            }};
  };
  hooks->unpack = [callable = Callable(unpack)](const std::shared_ptr<void>& packed) {
    const GilHeld gil;
    const Owned result = own(PyObject_CallOneArg(callable.get(), static_cast<PyObject*>(packed.get())));
    check<TypeError>(is_tensor(result.get()),
                     "Output of saved tensor unpack_hook expected to be a Tensor but got result of type ",
                     type_name(result.get()));
    return unwrap(result.get());
  };
  return hooks;
}

}  // namespace rushlight::python
