// Saved values off the straight path: hooks, errors, outputs that get their history back.
#include "autograd/saved.h"

#include "autograd/error_text.h"
#include "autograd/inplace.h"
#include "rushlight/forward_ad.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace {

struct HookStack {
  std::vector<std::shared_ptr<const SavedHooks>> hooks;
  std::optional<std::string> disabled;
};
HookStack& hook_stack() {
  static thread_local HookStack stack;
  return stack;
}

// The history of an output: the node itself, or the view's when it was changed in place.
void set_output_history(const Tensor& result, Node& node, std::uint32_t output) {
  if (node.hooks && node.hooks->slices) return set_history_of_view(result, *node.hooks->slices);
  node.retain();
  set_history(result, &node, output);
}

}  // namespace

void push_saved_hooks(std::shared_ptr<const SavedHooks> hooks) {
  HookStack& stack = hook_stack();
  check(!stack.disabled, stack.disabled.value_or(""));
  stack.hooks.push_back(std::move(hooks));
  thread.modes |= kSavedHooks;
}
void pop_saved_hooks() {
  HookStack& stack = hook_stack();
  if (!stack.hooks.empty()) stack.hooks.pop_back();
  if (stack.hooks.empty()) thread.modes &= ~kSavedHooks;
}
void set_saved_hooks_error(std::optional<std::string> message) {
  HookStack& stack = hook_stack();
  check(!message || stack.hooks.empty(), message.value_or(""));
  stack.disabled = std::move(message);
}
std::optional<std::string> saved_hooks_error() { return hook_stack().disabled; }

// What unpacking needs besides the object: the history of the tensor that was packed.
struct Saved::Packed {
  std::shared_ptr<void> object;
  std::shared_ptr<const SavedHooks> hooks;
  Tensor leaf;              // the original, where it is a leaf that requires grad
  Node* grad_fn = nullptr;  // owned; null for outputs and leaves
  std::uint32_t output = 0;
  ~Packed() {
    if (grad_fn) grad_fn->drop();
  }
};

Saved::Saved(Saved&& other) noexcept
    : tensor_(std::move(other.tensor_)),
      version_(other.version_),
      output_(other.output_),
      packed_(std::exchange(other.packed_, nullptr)) {}

void Saved::reset() {
  delete std::exchange(packed_, nullptr);
  tensor_ = {};
}

void Saved::keep_slowly(const Tensor& tensor, std::uint32_t pending_bumps, int output) {
  check(!(tensor.word() & kInference),
        "Inference tensors cannot be saved for backward. To work around you can make a clone to get a normal tensor "
        "and use it in autograd.");
  version_ = tensor.impl()->storage->version + pending_bumps;
  output_ = static_cast<std::int16_t>(output);
  const Tensor plain = shallow_copy(tensor);
  const std::shared_ptr<const SavedHooks> hooks = hook_stack().hooks.back();
  auto packed = std::make_unique<Packed>();
  {
    // What the hook computes is not recorded and not packed itself.
    const ModeScope below(kGradOff, kSavedHooks);
    packed->object = hooks->pack(plain);
  }
  packed->hooks = hooks;
  if (output < 0 && any_needs_grad(tensor)) {
    const Edge edge = gradient_edge(tensor);
    if (edge.node && edge.node->leaf) {
      packed->leaf = tensor;
      edge.node->drop();
    } else if (edge.node) {
      packed->grad_fn = edge.node;
      packed->output = edge.output;
    }
  }
  packed_ = packed.release();
}

void Saved::register_hooks(Node& node, std::shared_ptr<const SavedHooks> hooks) {
  check(!packed_, "Calling register_hooks on a saved tensor whose hooks have already been set is not allowed");
  check(tensor_.defined(),
        "Calling register_hooks on a saved tensor after it has been freed. Saved intermediate values "
        "of the graph are freed when you call .backward() or autograd.grad().");
  if (tensor_.impl()->storage->version != version_) modified(node);
  const Tensor original = std::move(tensor_);
  const std::uint32_t version = version_;
  const int output = output_;
  push_saved_hooks(std::move(hooks));
  try {
    keep_slowly(original, 0, output);
  } catch (...) {
    pop_saved_hooks();
    tensor_ = original;
    throw;
  }
  pop_saved_hooks();
  version_ = version;
}

void freed(const Node& node) {
  throw Error(str(
      node.name(),
      ": Trying to backward through the graph a second time (or directly access saved tensors after they have already "
      "been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). "
      "Specify retain_graph=True if you need to backward through the graph a second time or if you need to access "
      "saved tensors after calling backward."));
}

Tensor Saved::get_slowly(Node& node) const {
  if (packed_) {
    Tensor tensor;
    {
      const ModeScope below(kGradOff, kSavedHooks);
      tensor = packed_->hooks->unpack(packed_->object);
    }
    if (!tensor.defined()) return tensor;
    if (packed_->leaf.defined() && thread.modes & kGradOff) return tensor;
    Tensor result = shallow_copy(tensor);
    if (!is_differentiable(result.dtype())) return result;
    if (output_ >= 0) {
      set_output_history(result, node, static_cast<std::uint32_t>(output_));
    } else if (packed_->leaf.defined()) {
      return packed_->leaf.impl()->storage == tensor.impl()->storage ? packed_->leaf : result;
    } else if (packed_->grad_fn) {
      packed_->grad_fn->retain();
      set_history(result, packed_->grad_fn, packed_->output);
    }
    return result;
  }
  if (node.released) freed(node);
  return {};
}

void Saved::modified(const Node& node) const {
  const Storage& storage = *tensor_.impl()->storage;
  std::string text =
      str("one of the variables needed for gradient computation has been modified by an inplace operation: [",
          typed_shape(tensor_), "]");
  const Node* made_by = output_ >= 0 ? &node : tensor_.impl()->grad_fn;
  const std::uint32_t which = output_ >= 0 ? static_cast<std::uint32_t>(output_) : tensor_.impl()->output;
  if (made_by) text += str(", which is output ", which, " of ", short_name(*made_by), ",");
  text += str(" is at version ", storage.version, "; expected version ", version_, " instead. ", short_name(node),
              " saved it");
  if (storage.changed_by) text += str(", ", storage.changed_by, " changed it");
  text +=
      node.hooks && !node.hooks->trace.empty()
          ? str(". The saving operation was called here:\n", node.hooks->trace)
          : std::string(". Hint: enable anomaly detection to see where, with torch.autograd.set_detect_anomaly(True).");
  throw RuntimeError(text);
}

Tensor Saved::with_history(Node& node) const {
  const bool tangent = node.hooks && static_cast<std::size_t>(output_) < node.hooks->tangents.size() &&
                       node.hooks->tangents[static_cast<std::size_t>(output_)].defined();
  if (thread.modes & kGradOff && !tangent) return tensor_;
  Tensor result = shallow_copy(tensor_);
  if (!(thread.modes & kGradOff) && is_differentiable(result.dtype()))  // a mask or an index has no history
    set_output_history(result, node, static_cast<std::uint32_t>(output_));
  if (tangent) set_tangent(result, node.hooks->tangents[static_cast<std::size_t>(output_)]);
  return result;
}

ShapeList shapes_of(TensorList tensors) {
  ShapeList shapes;
  shapes.reserve(tensors.size());
  for (const Tensor& tensor : tensors)
    shapes.push_back(shape_of(tensor));
  return shapes;
}
DtypeList dtypes_of(TensorList tensors) {
  DtypeList dtypes;
  dtypes.reserve(tensors.size());
  for (const Tensor& tensor : tensors)
    dtypes.push_back(dtype_of(tensor));
  return dtypes;
}

Tensor BroadcastFrom::reduced(Tensor gradient) const { return sum_to_size(gradient, *sizes_); }

}  // namespace rushlight
