// Changes in place: what is allowed, and how a change of a view becomes part of the history of its base.
#include "autograd/inplace.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <string_view>

#include "autograd/error_text.h"
#include "ops/entry.h"
#include "tensor/dims.h"

namespace rushlight {
namespace {

void release_nothing(Node&) {}

void pass_on(Node&, Tensor* in, Tensor* out) { out[0] = std::move(in[0]); }

// The history of a base one of whose views was changed: takes the view's part out of the gradient, sends it through
// the operator that changed the view, and puts the result back in its place.
struct CopySlices final : NodeOfList<1> {
  CopySlices(const TensorImpl& base_impl, const TensorImpl& view_impl, Node* changed_by, std::uint32_t which);
  ~CopySlices() {
    function->hooks->slices = nullptr;
    function->drop();
  }
  Node* function;  // owned
  std::uint32_t output;
  Geometry base, view;
  Device device;
  bool dense;
};

void apply_slices(Node& node, Tensor* in, Tensor* out) {
  auto& self = static_cast<CopySlices&>(node);
  Tensor grad = std::move(in[0]);
  if (!grad.defined()) return;
  Tensor result;
  if (self.dense) {
    result = empty_strided_tensor(self.base.sizes, self.base.strides, grad.dtype(), grad.device());
  } else {  // room for whatever the view may reach
    const auto item = static_cast<std::size_t>(1);
    const auto reach = std::max(span_bytes(self.base.sizes, self.base.strides, item, "CopySlices"),
                                static_cast<std::size_t>(self.view.offset - self.base.offset) +
                                    span_bytes(self.view.sizes, self.view.strides, item, "CopySlices"));
    result = alias(zeros({static_cast<std::int64_t>(reach)}, TensorOptions(grad.dtype(), grad.device())),
                   self.base.sizes, self.base.strides.data(), 0);
  }
  copy_(result, grad);
  Tensor slice = view_with(result, self.view, self.base.offset);
  std::vector<Tensor> incoming(self.function->outputs), outgoing(self.function->edge_count);
  incoming[self.output] = clone(slice);
  self.function->type->apply(*self.function, incoming.data(), outgoing.data());
  Tensor inner;
  std::size_t next = 1;
  for (std::uint32_t i = 0; i < self.function->edge_count; ++i) {
    const Edge& edge = self.function->edges[i];
    if (edge.node && edge.node->type == &kOldValue) {
      if (outgoing[i].defined()) inner = inner.defined() ? add(inner, outgoing[i]) : outgoing[i];
    } else {
      out[next++] = std::move(outgoing[i]);
    }
  }
  if (inner.defined())
    copy_(slice, inner);
  else
    zero_(slice);
  out[0] = std::move(result);
}

void release_slices(Node& node) {
  auto& self = static_cast<CopySlices&>(node);
  self.function->type->release(*self.function);
  self.function->released = true;
}

constexpr NodeType kCopySlices{"CopySlices", apply_slices, release_slices, destroy_node<CopySlices>};

CopySlices::CopySlices(const TensorImpl& base_impl, const TensorImpl& view_impl, Node* changed_by, std::uint32_t which)
    : NodeOfList<1>(kCopySlices), function(changed_by), output(which), base(base_impl), view(view_impl) {
  dense = true;
  std::size_t others = 0;
  for (std::uint32_t i = 0; i < function->edge_count; ++i)
    others += !function->edges[i].node || function->edges[i].node->type != &kOldValue;
  set_edges(1 + others);
  function->make_hooks().slices = this;
}

[[noreturn]] void refuse_view(const TensorImpl* impl, const char* what) {
  const char* where = impl->origin == ViewOrigin::kMadeWithoutGrad ? "no_grad" : "inference";
  if (impl->origin == ViewOrigin::kOneOfSeveral)
    throw RuntimeError(
        str("Output ", impl->output, " of ", impl->grad_fn ? short_name(*impl->grad_fn) : "a function",
            " is a view and ", what,
            ". This view is the output of a function that returns multiple views. Such "
            "functions do not allow the output views to be modified inplace. You should replace the inplace "
            "operation by an out-of-place one."));
  throw RuntimeError(str(
      "A view was created in ", where, " mode and ", what,
      " with grad mode enabled. Given that this use case is ambiguous and error-prone, it is forbidden. Move both the "
      "view and the inplace operation inside the ",
      where, " block, or both outside of it."));
}

}  // namespace

constinit const NodeType kOldValue{"AliasBackward0", pass_on, release_nothing, destroy_node<Identity>};
constinit const NodeType kStandIn{"AliasBackward0", pass_on, release_nothing, destroy_node<Identity>};

void link(const Tensor& stand_in, const Tensor& tensor, const NodeType& kind) {
  auto* node = new (pool_take(size_class(sizeof(Identity)))) Identity(kind);
  connect(*node, 0, tensor);
  finish(*node);
  set_history(stand_in, node);
}

Geometry::Geometry(const TensorImpl& impl)
    : sizes(impl.sizes(), impl.sizes() + impl.dim),
      strides(impl.strides(), impl.strides() + impl.dim),
      dtype(impl.dtype()) {
  const auto start = impl.storage->meta ? std::intptr_t{0} : reinterpret_cast<std::intptr_t>(impl.storage->data);
  offset = (reinterpret_cast<std::intptr_t>(impl.data) - start) / static_cast<std::intptr_t>(item_size(dtype));
}

Tensor view_with(const Tensor& base, const Geometry& geometry, std::int64_t shift) {
  const bool to_real = base.is_complex() && !is_complex(geometry.dtype);
  const bool to_complex = !base.is_complex() && is_complex(geometry.dtype);
  const Tensor source = to_real ? view_as_real(base) : to_complex ? view_as_complex(base) : base;
  // `shift` is in elements of the base; after a change of dtype one of them is two, or half, of the view's.
  const std::int64_t scaled = to_real ? 2 * shift : to_complex ? shift / 2 : shift;
  return as_strided(source, geometry.sizes, geometry.strides, geometry.offset - scaled);
}

void set_history_of_view(const Tensor& saved, Node& slices) {
  const auto& self = static_cast<const CopySlices&>(slices);
  // Only the history of this base counts: it needs no memory.
  const Tensor base =
      empty_strided_tensor(self.base.sizes, self.base.strides, self.base.dtype, Device(DeviceType::kMeta));
  slices.retain();
  set_history(base, &slices);
  Tensor view;
  {
    const ModeScope record(0, kGradOff | kInterposed);
    view = view_with(base, self.view, self.base.offset);
  }
  view.impl()->grad_fn->retain();
  set_history(saved, view.impl()->grad_fn, view.impl()->output);
}

bool view_needs_grad(const TensorImpl* view) { return view->base->word & kNeedsGrad; }

void refresh_view(TensorImpl* view) {
  const std::uint32_t version = view->storage->version;
  TensorImpl* base = view->base;
  if (!(base->word & kNeedsGrad)) {
    view->view_version = version;
    return;
  }
  if (view->origin != ViewOrigin::kOrdinary)
    refuse_view(view, "its base or another view of its base has been modified inplace");
  base->retain();
  const Tensor whole(base);
  Tensor fresh;
  {
    const ModeScope record(0, kGradOff | kInterposed);
    fresh = view_with(whole, Geometry(*view), 0);
  }
  // Several threads may read a view after its base was changed: the first one's history stays.
  static std::mutex mutex;
  std::unique_lock lock(mutex);
  if (view->view_version.load(std::memory_order_relaxed) == version) return;
  Node* node = fresh.impl()->grad_fn;
  node->retain();
  Node* old = view->grad_fn;
  if (old) move_retained(view, old, node, fresh.impl()->output);
  view->grad_fn = node;
  view->output = fresh.impl()->output;
  if (!(view->word & kNeedsGrad)) view->word |= kNeedsGrad;
  view->view_version.store(version, std::memory_order_release);
  lock.unlock();
  if (old) old->drop();
}

void mark_views(const std::vector<Tensor>& views, const Tensor& source) {
  for (const Tensor& view : views) {
    mark_view(view, source);
    if (view.impl()->origin == ViewOrigin::kOrdinary) view.impl()->origin = ViewOrigin::kOneOfSeveral;
  }
}

void check_inplace(const Tensor& self, const char* name) {
  check(
      !(self.word() & kInference) || thread.modes & kInferenceMode, name,
      ": Inplace update to inference tensor outside InferenceMode is not allowed. You can make a clone to get a normal "
      "tensor before doing inplace update.");
}

void check_recorded_inplace(const Tensor& self, const char* name) {
  TensorImpl* impl = self.impl();
  if (impl->word & kView) {
    keep_view_current(impl);
    if (impl->origin != ViewOrigin::kOrdinary) refuse_view(impl, "is being modified inplace");
    check(!(impl->base->word & kNeedsGrad) || impl->base->grad_fn, name,
          ": a view of a leaf Variable that requires grad is being used in an in-place operation.");
  }
  check(!(impl->word & kNeedsGrad) || impl->grad_fn, name,
        ": a leaf Variable that requires grad is being used in an in-place operation.");
}

Tensor before_recorded_inplace(const Tensor& self, bool copy, const char* name) {
  TensorImpl* impl = self.impl();
  if (!is_differentiable(self.dtype())) return {};
  check_recorded_inplace(self, name);
  Tensor before = copy ? copy_for_inplace(self) : shallow_copy(self);
  if (!(impl->word & kNeedsGrad)) return before;
  if (impl->base) {
    link(before, self, kOldValue);
  } else {
    impl->grad_fn->retain();
    set_history(before, impl->grad_fn, impl->output);
  }
  return before;
}

void move_retained(TensorImpl* impl, Node* from, Node* to, std::uint32_t output) {
  if (!impl->meta || !impl->meta->retain_id || !from->hooks) return;
  const std::uint64_t id = impl->meta->retain_id;
  std::erase_if(from->hooks->retain, [&](const auto& entry) { return entry.id == id; });
  to->make_hooks().retain.push_back({id, output, impl});
}

void replace_history(TensorImpl* impl, Node* node, std::uint32_t output) {
  Node* old = impl->grad_fn;
  if (!impl->base) {
    move_retained(impl, old, node, output);
    impl->grad_fn = node;
    impl->output = output;
    impl->word |= kNeedsGrad;
    old->drop();
    return;
  }
  TensorImpl* base = impl->base;
  auto* slices = new (pool_take(size_class(sizeof(CopySlices)))) CopySlices(*base, *impl, node, output);
  base->retain();
  const Tensor whole(base);
  slices->dense = whole.is_non_overlapping_and_dense();
  connect(*slices, 0, whole);
  std::size_t next = 1;
  for (std::uint32_t i = 0; i < node->edge_count; ++i) {
    const Edge& edge = node->edges[i];
    if (edge.node && edge.node->type == &kOldValue) continue;
    if (edge.node) edge.node->retain();
    slices->edges[next++] = edge;
  }
  finish(*slices);
  set_history(whole, slices);
  impl->word |= kNeedsGrad;
  impl->view_version = impl->storage->version - 1;  // out of date: made anew from the base on its next use
}

namespace {
// The history of a tensor that an operator without derivative wrote: its gradient goes nowhere.
struct Forgotten final : NodeOf<1> {
  static const NodeType kType;
  Forgotten() : NodeOf<1>(kType) { edge_count = 0; }
  std::string title;
};
void apply_forgotten(Node&, Tensor*, Tensor*) {}
const char* title_of_forgotten(const Node& node) { return static_cast<const Forgotten&>(node).title.c_str(); }
constexpr NodeType Forgotten::kType{"Forgotten", apply_forgotten,   release_nothing, destroy_node<Forgotten>,
                                    false,       title_of_forgotten};
}  // namespace

void forget_history(const Tensor& self, const char* name) {
  check_inplace(self, name);
  if (thread.modes & kGradOff || !any_needs_grad(self)) return;
  if (!before_recorded_inplace(self, false, name).defined()) return;
  auto* node = make_node<Forgotten>();
  node->title = node_title(name);
  finish(*node);
  set_history(self, node);
}

}  // namespace rushlight
