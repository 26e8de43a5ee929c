// What a Tensor says and does about gradients: flags, `.grad`, hooks, detaching.
#include <atomic>

#include "autograd/node.h"
#include "batching/batched.h"
#include "rushlight/autograd.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace {

std::uint64_t next_hook_id() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

Node* fresh_grad_fn(const Tensor& tensor) {
  TensorImpl* impl = tensor.impl();
  keep_view_current(impl);
  return impl->grad_fn;
}

Node& node_of(const Tensor& tensor) {
  Node* node = fresh_grad_fn(tensor);
  return node ? *node : meta_of(tensor).accumulator;
}

// Nothing batched gets here: what follows is done to one tensor.
void need_one(const Tensor& tensor, const char* what) {
  if (batching::is_batched(tensor)) [[unlikely]]
    batching::need_samples(str("vmap: ", what, " is for one sample").c_str());
}

void release_storage(void* storage) { static_cast<Storage*>(storage)->release(); }

}  // namespace

bool Tensor::is_leaf() const { return !fresh_grad_fn(batching::innermost(*this)); }

Tensor& Tensor::set_requires_grad(bool on) {
  requires_grad_(on);
  return *this;
}

const Tensor& Tensor::requires_grad_(bool on) const {
  if (batching::is_batched(*this)) [[unlikely]] {
    batching::value_of(*this).requires_grad_(on);
    return *this;
  }
  if (!is_leaf()) {
    check(on,
          "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a "
          "subgraph that doesn't require differentiation use var_no_grad = var.detach().");
    return *this;
  }
  check(!on || is_differentiable(dtype()), "only Tensors of floating point and complex dtype can require gradients");
  check(!on || !(impl_->word & kInference) || thread.modes & kInferenceMode,
        "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.");
  impl_->word = on ? impl_->word | kNeedsGrad : impl_->word & ~kNeedsGrad;
  return *this;
}

Tensor Tensor::grad() const {
  if (batching::is_batched(*this)) [[unlikely]] {
    const Tensor of_all = batching::value_of(*this).grad();
    return of_all.defined() ? batching::batched(of_all, batching::serial_of(*this)) : of_all;
  }
  return impl_->meta ? impl_->meta->grad : Tensor();
}
Tensor& Tensor::mutable_grad() const { return meta_of(*this).grad; }

void Tensor::set_grad(Tensor grad) const {
  need_one(*this, "setting .grad");
  if (grad.defined()) {
    check(!grad.is_same(*this), "can't assign Variable as its own grad");
    check(grad.sizes() == sizes(), "attempting to assign a gradient of size '", grad.sizes(), "' to a tensor of size '",
          sizes(), "'. Please ensure that the gradient and the tensor are the same size");
    check(grad.device().type == device().type, "attempting to assign a gradient with device type '", grad.device(),
          "' to a tensor with device type '", device(),
          "'. Please ensure that the gradient and the tensor are on the same device");
    check(grad.dtype() == dtype(), "attempting to assign a gradient with dtype '", grad.dtype(),
          "' to a tensor of dtype '", dtype(), "'. The gradient must have the dtype of the tensor");
  } else if (!impl_->meta) {
    return;
  }
  meta_of(*this).grad = std::move(grad);
}

void Tensor::backward(const Tensor& gradient, std::optional<bool> retain_graph, bool create_graph,
                      TensorList inputs) const {
  const Tensor tensors[] = {*this}, gradients[] = {gradient};
  autograd::backward({tensors, 1}, {gradients, 1}, retain_graph, create_graph, inputs);
}

Tensor Tensor::_base() const {
  if (!impl_->base) return {};
  impl_->base->retain();
  return Tensor(impl_->base);
}

unsigned Tensor::add_hook(std::function<Tensor(const Tensor&)> hook) const {
  need_one(*this, "a hook");
  return static_cast<unsigned>(autograd::register_hook(*this, std::move(hook)).id());
}
void Tensor::remove_hook(unsigned id) const {
  if (NodeHooks* hooks = node_of(*this).hooks) hooks->remove(id);
}

void Tensor::retain_grad() const {
  if (batching::is_batched(*this)) [[unlikely]]
    return batching::value_of(*this).retain_grad();
  check(requires_grad(), "can't retain_grad on Tensor that has requires_grad=False");
  Node* node = fresh_grad_fn(*this);
  if (!node) return;  // a leaf keeps its gradient anyway
  AutogradMeta& meta = meta_of(*this);
  if (meta.retain_id) return;
  meta.retain_id = next_hook_id();
  node->make_hooks().retain.push_back({meta.retain_id, impl_->output, impl_});
}

Tensor Tensor::detach() const { return shallow_copy(*this); }

const Tensor& Tensor::detach_() const {
  if (batching::is_batched(*this)) [[unlikely]] {
    batching::value_of(*this).detach_();
    return *this;
  }
  check(!impl_->base || !(impl_->word & kView), "Can't detach views in-place. Use detach() instead.");
  if (Node* old = std::exchange(impl_->grad_fn, nullptr)) {
    if (impl_->meta && impl_->meta->retain_id && old->hooks)
      old->hooks->remove(std::exchange(impl_->meta->retain_id, 0));
    old->drop();
  }
  impl_->output = 0;
  impl_->word &= ~kNeedsGrad;
  return *this;
}

Tensor Tensor::variable_data() const {
  if (batching::is_batched(*this)) [[unlikely]]
    return batching::batched(batching::value_of(*this).variable_data(), batching::serial_of(*this));
  Tensor result = shallow_copy(*this);
  Storage* shared = impl_->storage;
  if (shared->meta) return result;
  shared->exposed = true;
  Storage* own = Storage::borrow(shared->data, shared->bytes, release_storage, shared);
  result.impl()->storage = own;  // the header's reference to `shared` is now that of `own`
  return result;
}

namespace autograd {

HookHandle::HookHandle(Node* node, std::uint64_t id) : node_(node), id_(id) { node_->retain(); }
HookHandle::HookHandle(const HookHandle& other) : node_(other.node_), id_(other.id_) {
  if (node_) node_->retain();
}
HookHandle& HookHandle::operator=(HookHandle other) noexcept {
  std::swap(node_, other.node_);
  std::swap(id_, other.id_);
  return *this;
}
HookHandle::~HookHandle() {
  if (node_) node_->drop();
}
void HookHandle::remove() {
  if (!node_) return;
  if (node_->hooks) node_->hooks->remove(id_);
  std::exchange(node_, nullptr)->drop();
}

HookHandle register_hook(const Tensor& tensor, std::function<Tensor(const Tensor&)> hook) {
  need_one(tensor, "a hook");
  check(tensor.requires_grad(), "cannot register a hook on a tensor that doesn't require gradient");
  Node& node = node_of(tensor);
  const std::uint64_t id = next_hook_id();
  node.make_hooks().tensor.push_back({id, tensor.impl()->grad_fn ? tensor.impl()->output : 0, std::move(hook)});
  return HookHandle(&node, id);
}

HookHandle register_post_accumulate_grad_hook(const Tensor& tensor, std::function<void(const Tensor&)> hook) {
  need_one(tensor, "a hook");
  check(tensor.requires_grad(), "cannot register a hook on a tensor that doesn't require gradient");
  check(tensor.is_leaf(), "post accumulate grad hooks cannot be registered on non-leaf tensors");
  Node& node = node_of(tensor);
  const std::uint64_t id = next_hook_id();
  node.make_hooks().accumulated.push_back({id, 0, std::move(hook)});
  return HookHandle(&node, id);
}

}  // namespace autograd

std::uint64_t add_node_hook(Node& node, NodeHooks::NodePreHook hook) {
  const std::uint64_t id = next_hook_id();
  node.make_hooks().before.push_back({id, 0, std::move(hook)});
  return id;
}
std::uint64_t add_node_hook(Node& node, NodeHooks::NodeHook hook) {
  const std::uint64_t id = next_hook_id();
  node.make_hooks().after.push_back({id, 0, std::move(hook)});
  return id;
}

}  // namespace rushlight
