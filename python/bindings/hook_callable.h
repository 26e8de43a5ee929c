// Hooks that are Python callables, in the forms the engine calls; the garbage collector can see them.
#pragma once
#include "autograd/node.h"
#include "errors.h"
#include "tensor_object.h"

namespace rushlight::python {

// An owned callable that may be copied and destroyed on any thread.
class Callable {
 public:
  explicit Callable(PyObject* callable) : callable_(Py_NewRef(callable)) {}
  Callable(const Callable& other) : callable_(other.callable_) {
    const GilHeld gil;
    Py_INCREF(callable_);
  }
  Callable(Callable&& other) noexcept : callable_(std::exchange(other.callable_, nullptr)) {}
  Callable& operator=(const Callable&) = delete;
  ~Callable() {
    if (!callable_ || !Py_IsInitialized()) return;
    const GilHeld gil;
    Py_DECREF(callable_);
  }
  PyObject* get() const { return callable_; }

 private:
  PyObject* callable_;
};

// hook(gradient) -> another gradient or None.
struct TensorHookCallable : Callable {
  using Callable::Callable;
  Tensor operator()(const Tensor& gradient) const;
};
// hook(tensor) after its gradient was accumulated.
struct LeafHookCallable : Callable {
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

// Reports what the node of a custom Function holds in Python to the collector.
int visit_function(const Node& node, visitproc visit, void* arg);

}  // namespace rushlight::python
