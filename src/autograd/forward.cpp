// Forward mode for every operator by one mechanism: transposing the recorded backward.
//
// The operator runs on stand-ins of its arguments with recording on. Its backward g(u) is linear in u, so that the
// gradient of g with respect to u, applied to the tangents of the arguments, is the tangent of the result.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <string_view>

#include "autograd/inplace.h"
#include "autograd/interpose.h"
#include "batching/batched.h"
#include "rushlight/autograd.h"
#include "rushlight/forward_ad.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace {

std::atomic<std::uint64_t> open_level{0}, last_level{0};  // 0: none is open

// A header over the same memory, linked to `tensor` where that needs a gradient.
Tensor linked_alias(const Tensor& tensor) {
  Tensor result = shallow_copy(tensor);
  if (!(thread.modes & kGradOff) && any_needs_grad(tensor)) link(result, tensor, kStandIn);
  mark_view(result, tensor);
  return result;
}

}  // namespace

Tensor tangent_of(const Tensor& tensor) {
  if (!(tensor.word() & kTangent)) return {};
  TensorImpl* impl = tensor.impl();
  if (impl->meta->level == open_level.load(std::memory_order_relaxed)) return impl->meta->tangent;
  impl->word &= ~kTangent;
  impl->meta->tangent = {};
  return {};
}

void set_tangent(const Tensor& tensor, const Tensor& tangent) {
  TensorImpl* impl = tensor.impl();
  if (!tangent.defined()) {
    impl->word &= ~kTangent;
    if (impl->meta) impl->meta->tangent = {};
    return;
  }
  AutogradMeta& meta = meta_of(impl);
  meta.tangent = tangent;
  meta.level = open_level;
  impl->word |= kTangent;
}

namespace forward_ad {

std::int64_t enter_dual_level() {
  std::uint64_t none = 0;
  check(open_level.compare_exchange_strong(none, last_level + 1),
        "Nested forward mode AD is not supported at the moment");
  ++last_level;
  return 0;
}

void exit_dual_level(std::int64_t level) {
  check(level == 0 && open_level != 0,
        "Trying to exit a forward AD level that was not the last one that was created. This is not supported.");
  open_level = 0;
}

// Where elements of a tensor share memory, those of its tangent do, too. The last one written stays: smaller strides
// are inner loops, and of equal ones those of the smaller or later dimension, as in PyTorch.
static Tensor laid_out_like(const Tensor& tangent, const Tensor& tensor) {
  if (tangent.strides() == tensor.strides() || tensor.numel() == 0 || tensor.is_meta()) return tangent;
  const IntArray sizes = tensor.sizes(), strides = tensor.strides();
  std::int64_t extent = 1;
  for (std::size_t d = 0; d < sizes.size(); ++d)
    extent += (sizes[d] - 1) * strides[d];
  if (extent >= tensor.numel() || tangent.requires_grad()) return tangent;
  std::vector<std::size_t> order(sizes.size());  // outermost first
  for (std::size_t d = 0; d < order.size(); ++d)
    order[d] = d;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return strides[a] != strides[b] ? strides[a] > strides[b] : sizes[a] > sizes[b];
  });
  const Tensor shared = empty_strided_tensor(sizes, strides, tensor.dtype());
  const auto item = static_cast<std::int64_t>(tensor.itemsize());
  std::vector<std::int64_t> index(sizes.size(), 0);
  for (std::int64_t n = 0; n < tensor.numel(); ++n) {
    std::int64_t from = 0, to = 0;
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      from += index[d] * tangent.strides()[d];
      to += index[d] * strides[d];
    }
    std::memcpy(shared.mutable_data<char>() + to * item, tangent.data<char>() + from * item,
                static_cast<std::size_t>(item));
    for (std::size_t i = order.size(); i-- > 0;) {
      if (++index[order[i]] < sizes[order[i]]) break;
      index[order[i]] = 0;
    }
  }
  return shared;
}

Tensor make_dual(const Tensor& tensor, const Tensor& tangent) {
  check(open_level != 0,
        "Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() first.");
  for (const Tensor* one : {&tensor, &tangent})
    if (batching::is_batched(*one)) [[unlikely]] {  // tangents belong to values
      const batching::Level level = batching::level_of(*one);
      return batching::batched(make_dual(batching::batch_of(tensor, level), batching::batch_of(tangent, level)),
                               level.serial);
    }
  check<ValueError>(is_differentiable(tensor.dtype()),
                    "Expected primal to be floating point or complex, but got: torch.", tensor.dtype());
  check<ValueError>(is_differentiable(tangent.dtype()),
                    "Expected tangent to be floating point or complex, but got: torch.", tangent.dtype());
  check(tangent.sizes() == tensor.sizes(),
        "Trying to set a forward gradient that has a different size than that of the original Tensor, this "
        "is not supported. Tensor is of size ",
        tensor.sizes(), " while the given forward gradient is of size ", tangent.sizes(), ".");
  check(is_complex(tensor.dtype()) || !is_complex(tangent.dtype()),
        "make_dual: the tangent of a real tensor must be real, not ", tangent.dtype());
  const Tensor dual = linked_alias(tensor);
  const Tensor same = tangent.dtype() == tensor.dtype() ? tangent : tangent.to(tensor.dtype());
  set_tangent(dual, laid_out_like(same, tensor));
  return dual;
}

std::tuple<Tensor, Tensor> unpack_dual(const Tensor& tensor) {
  if (batching::is_batched(tensor)) [[unlikely]] {
    const std::uint64_t serial = batching::serial_of(tensor);
    const auto [primal, tangent] = unpack_dual(batching::value_of(tensor));
    return {batching::batched(primal, serial), tangent.defined() ? batching::batched(tangent, serial) : tangent};
  }
  const Tensor tangent = tangent_of(tensor);
  return {tangent.defined() ? linked_alias(tensor) : tensor, tangent};
}

}  // namespace forward_ad

namespace forward {
namespace {

bool repeats(const Tensor& tensor) {
  for (std::size_t i = 0; i < tensor.sizes().size(); ++i)
    if (tensor.strides()[i] == 0 && tensor.sizes()[i] > 1) return true;
  return false;
}

// Writes the tangent of a tensor that was changed in place; that of a view is part of the tangent of its base.
void write_tangent(const Tensor& self, const Tensor& tangent) {
  const Tensor present = tangent_of(self);
  const bool writable =
      present.defined() && (thread.modes & kGradOff || !present.requires_grad() || !present.is_leaf());
  if (writable && !repeats(present)) {
    copy_(present, tangent);
    return;
  }
  TensorImpl* base = self.impl()->base;
  if (present.defined() || !base || !(self.word() & kView)) return set_tangent(self, tangent);
  base->retain();
  const Tensor whole(base);
  Tensor all = tangent_of(whole);
  if (!all.defined() || !(all.strides() == whole.strides())) {  // one that parts can be taken from like from the base
    const Tensor before = all;
    all = empty_strided_tensor(whole.sizes(), whole.strides(), whole.dtype(), whole.device());
    before.defined() ? copy_(all, before) : zero_(all);
    set_tangent(whole, all);
  }
  const Tensor part = view_with(all, Geometry(*self.impl()), whole.storage_offset() - all.storage_offset());
  copy_(part, tangent);
  set_tangent(self, part);
}

}  // namespace

bool has_tangent(const Tensor& tensor) { return tensor.word() & kTangent && tangent_of(tensor).defined(); }

struct Run::State {
  struct Entry {
    Tensor original;
    Tensor at;     // what the derivative is taken with respect to
    Tensor given;  // what the operator gets; another header where it changes its argument in place
    Tensor tangent;
  };
  const char* name;
  const Tensor* self;
  Word modes;
  bool recording = false;  // some argument needs a gradient of the caller's
  bool started = false;
  std::vector<Entry> entries;
};

Run::Run(const char* name, const Tensor* self) : state_(std::make_unique<State>()) {
  state_->name = name;
  state_->self = self;
  state_->modes = thread.modes;
}
Run::~Run() {
  if (state_->started)
    thread.modes = (thread.modes & ~(kGradOff | kInferenceMode)) | (state_->modes & (kGradOff | kInferenceMode));
}

Tensor Run::primal(const Tensor& tensor) {
  if (!tensor.defined() || !is_differentiable(tensor.dtype())) return tensor;
  State& state = *state_;
  for (const State::Entry& entry : state.entries)
    if (entry.original.is_same(tensor)) return entry.given;
  const bool changed = state.self && state.self->is_same(tensor);
  State::Entry entry{tensor, {}, {}, tangent_of(tensor)};
  check(!entry.tangent.defined() || !changed || !std::string_view(state.name).ends_with("_out"), state.name,
        ": functions with out=... arguments don't support forward mode automatic differentiation");
  const bool recorded = !(state.modes & kGradOff) && any_needs_grad(tensor);
  state.recording |= recorded;
  if (recorded && changed) before_recorded_inplace(tensor, false, state.name);  // checks
  entry.at = shallow_copy(tensor);
  if (recorded) {
    link(entry.at, tensor, kStandIn);
  } else if (entry.tangent.defined()) {
    entry.at.impl()->word |= kNeedsGrad;
  }
  entry.given = entry.at;
  if (changed) {
    entry.given = shallow_copy(tensor);
    if (entry.at.requires_grad()) link(entry.given, entry.at, kOldValue);
  } else {
    mark_view(entry.at, tensor);
  }
  state.entries.push_back(entry);
  return entry.given;
}

void Run::start() {
  state_->started = true;
  thread.modes &= ~(kGradOff | kInferenceMode);
}

void Run::finish(const std::vector<Tensor*>& results) {
  State& state = *state_;
  State::Entry* changed = nullptr;
  if (state.self)
    for (State::Entry& entry : state.entries)
      if (entry.original.is_same(*state.self)) changed = &entry;
  // What has a derivative among the results, and among the arguments.
  std::vector<Tensor> outputs, units, inputs, tangents;
  std::vector<Tensor*> targets;
  const auto note = [&](Tensor& result) {
    if (!result.defined() || !is_differentiable(result.dtype()) || !result.requires_grad()) return;
    outputs.push_back(result);
    units.push_back(zeros(result.sizes(), result.options()).set_requires_grad(true));
    targets.push_back(&result);
  };
  for (Tensor* result : results)
    note(*result);
  if (changed) note(changed->given);
  bool tangents_recorded = state.recording;
  for (const State::Entry& entry : state.entries)
    if (entry.tangent.defined()) {
      inputs.push_back(entry.at);
      tangents.push_back(entry.tangent);
      tangents_recorded |= entry.tangent.requires_grad();
    }
  std::vector<Tensor> moved(outputs.size());
  if (!outputs.empty() && !inputs.empty()) {
    const std::vector<Tensor> gradients = autograd::grad(outputs, inputs, units, true, true, true);
    std::vector<Tensor> linear, directions;
    for (std::size_t i = 0; i < gradients.size(); ++i)
      if (gradients[i].defined() && gradients[i].requires_grad()) {
        linear.push_back(gradients[i]);
        directions.push_back(tangents[i]);
      }
    const bool record = tangents_recorded && !(state.modes & kGradOff);
    if (!linear.empty()) moved = autograd::grad(linear, units, directions, true, record, true);
  }
  thread.modes |= state.modes & (kGradOff | kInferenceMode);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    TensorImpl* impl = targets[i]->impl();
    if (!state.recording) {  // the history served its purpose
      if (Node* node = std::exchange(impl->grad_fn, nullptr)) node->drop();
      impl->output = 0;
      impl->word &= ~kNeedsGrad;
    } else if (moved[i].defined() && impl->grad_fn) {
      auto& known = impl->grad_fn->make_hooks().tangents;
      known.resize(std::max<std::size_t>(known.size(), impl->grad_fn->outputs));
      known[impl->output] = shallow_copy(moved[i]);  // without its history, which may lead back to the node
    }
  }
  if (state.recording)  // values saved for the caller's backward carry their tangents
    for (const State::Entry& entry : state.entries)
      if (entry.tangent.defined() && &entry != changed) set_tangent(entry.at, entry.tangent);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (moved[i].defined() && !(changed && targets[i] == &changed->given)) set_tangent(*targets[i], moved[i]);
  if (!changed) return;
  const Tensor& self = *state.self;
  TensorImpl* given = changed->given.impl();
  if (state.recording && given->grad_fn) {
    given->grad_fn->retain();
    set_history(self, given->grad_fn, given->output);
  }
  const bool same_shape = self.sizes() == changed->given.sizes();
  if (!same_shape) self.impl()->take_data(*given);
  if (!moved.empty() && moved.back().defined()) {
    if (same_shape)
      write_tangent(self, moved.back());
    else
      set_tangent(self, moved.back());
  } else if (changed->tangent.defined()) {
    zero_(changed->tangent);
  }
}

}  // namespace forward
}  // namespace rushlight
