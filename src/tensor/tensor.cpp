// Tensor headers: making, sharing and destroying them, their shapes, and what they say about themselves.
#include "rushlight/tensor.h"

#include "autograd/node.h"
#include "batching/batched.h"
#include "ops/composed.h"
#include "tensor/dims.h"
#include "tensor/memory_format.h"
#include "tensor/object_hook.h"

namespace rushlight {

namespace {
constinit ReleaseObject release_object = nullptr;
}
void set_release_object(ReleaseObject function) { release_object = function; }

void TensorImpl::destroy() {
  if (object && release_object(this)) [[unlikely]]
    return;
  if (meta) [[unlikely]]
    delete meta;  // before the history, which it may have entries in
  if (grad_fn) grad_fn->drop();
  if (base) base->release();
  storage->release();
  if (heap) [[unlikely]]
    delete[] heap;
  if (parts) [[unlikely]]
    delete parts;
  pool_give(this, kClass);
}

void TensorImpl::set_shape(IntArray sizes, const std::int64_t* from) {
  check(sizes.size() <= kMaxDims, "tensors of more than ", kMaxDims, " dimensions are not supported, got ",
        sizes.size());
  const auto rank = static_cast<std::int32_t>(sizes.size());
  std::int64_t* old = heap;
  if (rank > kInlineDims)
    heap = new std::int64_t[2 * sizes.size()];
  else
    heap = nullptr;
  std::int64_t* to_sizes = heap ? heap : inline_sizes;
  std::int64_t* to_strides = heap ? heap + rank : inline_strides;
  dim = rank;
  std::int64_t expected = 1, count = 1;
  bool contiguous = true;
  for (int i = rank - 1; i >= 0; --i) {
    const std::int64_t size = sizes[static_cast<std::size_t>(i)];
    to_sizes[i] = size;
    to_strides[i] = from ? from[i] : expected;
    contiguous &= size == 1 || to_strides[i] == expected;
    expected *= size > 1 ? size : 1;
    count *= size;
  }
  numel = count;
  word = contiguous || count == 0 ? word | kContiguous : word & ~kContiguous;
  if (old) delete[] old;
}

namespace {
TensorParts* clone_of(const TensorParts* parts) {
  return parts ? static_cast<const ComposedParts*>(parts)->clone() : nullptr;
}
constexpr Word kOfParts = kComposed | kCompressed;
}  // namespace

void TensorImpl::take_data(const TensorImpl& other) {
  if (this == &other) return;
  constexpr Word kOfData = kDtypeMask | kContiguous | kMeta | kOfParts;
  if (parts || other.parts) [[unlikely]] {
    TensorParts* const old = std::exchange(parts, clone_of(other.parts));
    delete old;
  }
  other.storage->refs.up();
  storage->release();
  storage = other.storage;
  data = other.data;
  word = (word & ~kOfData) | (other.word & kOfData);
  const ShortShape sizes(IntArray(other.sizes(), static_cast<std::size_t>(other.dim)));
  const ShortShape strides(IntArray(other.strides(), static_cast<std::size_t>(other.dim)));
  set_shape(sizes, strides.size);
  if (parts) word &= ~kContiguous;
}

void TensorBase::no_such_dim(std::int64_t which, const char* op) const {
  wrap_dim(which, dim(), op);
  throw IndexError(str(op, ": a tensor without dimensions has no dimension ", which));
}
bool TensorBase::requires_grad_by_another() const {
  return impl_->word & kBatched ? batching::value_of(*this).requires_grad() : impl_->base->word & kNeedsGrad;
}
// Without memory, `data` holds the offset itself.
std::int64_t TensorBase::meta_offset() const {
  return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(impl_->data) / itemsize());
}

std::string TensorBase::summary() const {
  if (!impl_) return "undefined tensor";
  const Word kind = word() & (kSparse | kCompressed);
  return str(name(dtype()),
             kind == kSparse ? " sparse_coo"
             : kind          ? " sparse compressed"
                             : "",
             " tensor of shape ", sizes(), is_meta() ? " on meta" : "");
}

std::int64_t checked_numel(IntArray sizes, const char* op) {
  std::int64_t count = 1;
  bool overflow = false;
  for (const std::int64_t size : sizes) {
    check(size >= 0, op, ": Trying to create tensor with negative dimension ", size, ": ", sizes);
    overflow |= __builtin_mul_overflow(count, size, &count);
  }
  for (const std::int64_t size : sizes)
    if (size == 0) return 0;
  check(!overflow, op, ": Storage size calculation overflowed with sizes=", sizes);
  return count;
}

std::size_t span_bytes(IntArray sizes, IntArray strides, std::size_t item, const char* op) {
  std::int64_t last = 1;
  bool overflow = false;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) return 0;
    std::int64_t reach;
    overflow |= __builtin_mul_overflow(sizes[i] - 1, strides[i], &reach) || __builtin_add_overflow(last, reach, &last);
  }
  std::int64_t bytes = 0;
  overflow |= __builtin_mul_overflow(last, static_cast<std::int64_t>(item), &bytes);
  check(!overflow, op, ": Storage size calculation overflowed with sizes=", sizes, " and strides=", strides);
  return static_cast<std::size_t>(bytes);
}

namespace {

Tensor over_new_storage(std::size_t bytes, IntArray sizes, const std::int64_t* strides, Dtype dtype, Device device) {
  check(sizes.size() <= kMaxDims, "tensors of more than ", kMaxDims, " dimensions are not supported, got ",
        sizes.size());
  Storage* storage = device.is_meta() ? Storage::make_meta(bytes) : Storage::make(bytes);
  TensorImpl* impl = TensorImpl::make();
  impl->word = new_word(dtype, thread.modes) | (device.is_meta() ? kMeta : 0);
  impl->storage = storage;
  impl->data = storage->data;
  impl->set_shape(sizes, strides);
  return Tensor(impl);
}

}  // namespace

Tensor empty_tensor(IntArray sizes, Dtype dtype, Device device) {
  const std::int64_t count = checked_numel(sizes, "empty");
  std::int64_t bytes;
  check(!__builtin_mul_overflow(count, static_cast<std::int64_t>(item_size(dtype)), &bytes),
        "empty: Storage size calculation overflowed with sizes=", sizes);
  return over_new_storage(static_cast<std::size_t>(bytes), sizes, nullptr, dtype, device);
}

Tensor empty_strided_tensor(IntArray sizes, IntArray strides, Dtype dtype, Device device) {
  check(sizes.size() == strides.size(), "empty_strided: dimensionality of sizes (", sizes.size(),
        ") must match dimensionality of strides (", strides.size(), ")");
  for (const std::int64_t stride : strides)
    check(stride >= 0, "empty_strided: Negative strides are not supported, got strides: ", strides);
  checked_numel(sizes, "empty_strided");
  return over_new_storage(span_bytes(sizes, strides, item_size(dtype), "empty_strided"), sizes, strides.data(), dtype,
                          device);
}

Tensor empty_like_tensor(const Tensor& like, Dtype dtype) {
  if (like.is_contiguous() && !like.is_meta()) return empty_like_contiguous(*like.impl(), dtype);
  return empty_strided_tensor(like.sizes(), preserved_strides(like), dtype, like.device());
}

Tensor alias(const Tensor& source, IntArray sizes, const std::int64_t* strides, std::int64_t offset) {
  need_memory(source, "as_strided");
  TensorImpl* from = source.impl();
  TensorImpl* impl = TensorImpl::make();
  impl->word = from->word & (kDtypeMask | kMeta | kInference);
  impl->storage = from->storage;
  from->storage->refs.up();
  impl->data = reinterpret_cast<void*>(reinterpret_cast<std::intptr_t>(from->data) +
                                       offset * static_cast<std::int64_t>(item_size(from->dtype())));
  impl->set_shape(sizes, strides);
  return Tensor(impl);
}

Tensor shallow_copy(const TensorBase& tensor) {
  TensorImpl* from = tensor.impl();
  TensorImpl* impl = TensorImpl::make();
  impl->word = from->word & (kDtypeMask | kContiguous | kMeta | kInference | kOfParts);
  if (from->parts) [[unlikely]]
    impl->parts = clone_of(from->parts);
  impl->storage = from->storage;
  from->storage->refs.up();
  impl->data = from->data;
  impl->numel = from->numel;
  impl->dim = from->dim;
  if (from->heap) [[unlikely]]
    impl->set_shape(tensor.sizes(), from->strides());
  else
    std::memcpy(impl->inline_sizes, from->inline_sizes, 2 * sizeof(from->inline_sizes));
  return Tensor(impl);
}

void Tensor::refuse_data_ptr() const {
  if (impl_->word & kBatched) refuse_memory(*this, "data_ptr");
  throw RuntimeError(str("data_ptr: Cannot access data pointer of Tensor that doesn't have storage: ", summary(),
                         "; call .to_dense() first"));
}

Scalar Tensor::item() const {
  check(numel() == 1, "item: a Tensor with ", numel(), " elements cannot be converted to Scalar");
  check(!is_meta(), "item: Tensor.item() cannot be called on meta tensors");
  if (word() & kBatched) [[unlikely]]
    batching::need_samples(
        "vmap: It looks like you're calling .item() on a Tensor. We don't support vmap over calling .item() on a "
        "Tensor, "
        "please try to rewrite what you're doing with other operations. If error is occurring somewhere inside PyTorch "
        "internals, please file a bug report.");
  if (word() & kComposed) [[unlikely]]
    refuse_composed(word(), "_local_scalar_dense");
  return visit_numbers(dtype(), [&](auto zero) { return Scalar(*data<decltype(zero)>()); });
}

}  // namespace rushlight
