// Hooks that are Python callables, in the forms the engine calls; the garbage collector can see
// them.
#pragma once
#include "autograd/saved.h"
#include "errors.h"
#include "tensor_object.h"

namespace rushlight::python {

// Where a hook is registered. Owned by the hook, so that handles know when it is gone.
struct HookPlace {
  Node* node = nullptr;
  std::uint64_t id = 0;
};

// An owned callable that may be copied and destroyed on any thread.
class Callable {
 public:
  explicit Callable(PyObject* callable, std::shared_ptr<HookPlace> place = {})
      : callable_(Py_NewRef(callable)), place_(std::move(place)) {}
  Callable(const Callable& other) : callable_(other.callable_), place_(other.place_) {
    const GilHeld gil;
    Py_INCREF(callable_);
  }
  Callable(Callable&& other) noexcept
      : callable_(std::exchange(other.callable_, nullptr)), place_(std::move(other.place_)) {}
  Callable& operator=(const Callable&) = delete;
  ~Callable() {
    if (!callable_ || !Py_IsInitialized()) return;
    const GilHeld gil;
    Py_DECREF(callable_);
  }
  PyObject* get() const { return callable_; }

 private:
  PyObject* callable_;
  std::shared_ptr<HookPlace> place_;
};

// hook(gradient) -> another gradient or None.
struct TensorHookCallable : Callable {
  using Function = std::function<Tensor(const Tensor&)>;
  using Callable::Callable;
  Tensor operator()(const Tensor& gradient) const;
};
// hook(tensor) after its gradient was accumulated.
struct LeafHookCallable : Callable {
  using Function = std::function<void(const Tensor&)>;
  using Callable::Callable;
  void operator()(const Tensor& leaf) const;
};
// hook(gradients of the outputs) -> others or None, before a node runs.
struct NodePreHookCallable : Callable {
  using Callable::Callable;
  void operator()(std::vector<Tensor>& gradients) const;
};
// hook(gradients of the inputs, of the outputs) -> others of the inputs or None, after a node ran.
struct NodeHookCallable : Callable {
  using Callable::Callable;
  void operator()(std::vector<Tensor>& of_inputs, const std::vector<Tensor>& of_outputs) const;
};

// Hooks on saved tensors: what `pack` returns is kept until `unpack` gives the tensor back.
std::shared_ptr<const SavedHooks> saved_hooks_of(PyObject* pack, PyObject* unpack);

// Reports what the node of a custom Function holds in Python to the collector.
int visit_function(const Node& node, visitproc visit, void* arg);

}  // namespace rushlight::python
