// Leaves: their part of the graph and how gradients accumulate in `.grad`.
#include <mutex>

#include "autograd/node.h"
#include "batching/batched.h"
#include "ops/sparse.h"
#include "rushlight/detail/long_work.h"
#include "rushlight/ops.h"
#include "tensor/memory_format.h"

namespace rushlight {
namespace {

// Guards `.grad` of leaves that two backward runs share; by address, so that no leaf pays for a mutex of its own.
std::mutex& guard_of(const TensorImpl* leaf) {
  static std::mutex guards[64];
  return guards[reinterpret_cast<std::uintptr_t>(leaf) / sizeof(TensorImpl) % 64];
}

// A gradient keeps the strides of a dense leaf and is row-major otherwise.
bool obeys_layout(const Tensor& gradient, const TensorBase& leaf) {
  if (is_sparse(gradient)) return sparse_parts(gradient).values.impl()->storage->refs.value() == 1;
  if (gradient.word() & kComposed) return true;
  if (!leaf.is_non_overlapping_and_dense()) return gradient.is_contiguous();
  const std::int64_t *sizes = gradient.impl()->sizes(), *a = gradient.impl()->strides(), *b = leaf.impl()->strides();
  for (std::int64_t i = 0; i < leaf.dim(); ++i)
    if (sizes[i] != 1 && a[i] != b[i]) return false;
  return true;
}

Tensor with_layout(const Tensor& gradient, const TensorBase& leaf) {
  if (gradient.word() & kComposed) return clone(gradient);
  if (!leaf.is_non_overlapping_and_dense()) return clone(gradient, MemoryFormat::kContiguous);
  Tensor result = empty_strided_tensor(leaf.sizes(), leaf.strides(), gradient.dtype(), gradient.device());
  copy_(result, gradient);
  return result;
}

void accumulate(Node& node, Tensor* in, Tensor*) {
  Tensor gradient = std::move(in[0]);
  if (!gradient.defined()) return;
  while (gradient.word() & kBatched) [[unlikely]]  // of a leaf that all samples share
    gradient = sum(batching::value_of(gradient), OptionalIntArray{0}, false);
  const bool recording = !(thread.modes & kGradOff);
  node.leaf->retain();
  const Tensor leaf(node.leaf);
  AutogradMeta& meta = *node.leaf->meta;
  {
    const std::lock_guard lock(guard_of(node.leaf));
    const LockedSection section;
    if (!meta.grad.defined()) {
      // Stolen when nobody else can see it.
      const bool sole = gradient.impl()->refs.value() == 1 && gradient.impl()->storage->refs.value() == 1;
      meta.grad = sole && obeys_layout(gradient, leaf) ? std::move(gradient) : with_layout(gradient, leaf);
    } else if (meta.grad.word() & kSparse && !(gradient.word() & kSparse)) {
      meta.grad = add(gradient, meta.grad);
    } else if (recording) {
      meta.grad = add(meta.grad, gradient);
    } else {
      add_(meta.grad, gradient);
    }
  }
  if (node.hooks) [[unlikely]]
    for (std::size_t i = 0; i < node.hooks->accumulated.size(); ++i)
      node.hooks->accumulated[i].call(leaf);
}
void release_nothing(Node&) {}
void destroy_nothing(Node&) {}  // lives in AutogradMeta
constexpr NodeType kAccumulate{"AccumulateGrad", accumulate, release_nothing, destroy_nothing};

}  // namespace

AutogradMeta::AutogradMeta(TensorImpl* owner) : accumulator(kAccumulate) {
  accumulator.leaf = owner;
  accumulator.sequence = ~std::uint64_t{0};  // leaves run first: their buffers are freed early
  accumulator.recording = false;
}

AutogradMeta::~AutogradMeta() {
  if (retain_id && accumulator.leaf->grad_fn && accumulator.leaf->grad_fn->hooks)
    accumulator.leaf->grad_fn->hooks->remove(retain_id);
  delete accumulator.hooks;
}

AutogradMeta& meta_of(TensorImpl* impl) {
  AutogradMeta* meta = __atomic_load_n(&impl->meta, __ATOMIC_ACQUIRE);
  if (meta) [[likely]]
    return *meta;
  const std::lock_guard lock(guard_of(impl));
  meta = __atomic_load_n(&impl->meta, __ATOMIC_ACQUIRE);
  if (!meta) {
    meta = new AutogradMeta(impl);
    __atomic_store_n(&impl->meta, meta, __ATOMIC_RELEASE);
  }
  return *meta;
}

}  // namespace rushlight
