// Strides of memory formats: row-major, channels-last in two and three dimensions, and orders taken from a tensor.
#include "tensor/memory_format.h"

#include <numeric>

namespace rushlight {
namespace {

// Dims from innermost to outermost; empty where `rank` does not fit.
IntArray channels_last_order(std::int64_t rank) {
  static constexpr std::int64_t kTwo[] = {1, 3, 2, 0}, kThree[] = {1, 4, 3, 2, 0};
  static constexpr std::int64_t kTwoUnbatched[] = {0, 2, 1}, kThreeUnbatched[] = {0, 3, 2, 1};
  switch (rank) {
    case 3:
      return {kTwoUnbatched, 3};
    case 4:
      return {kTwo, 4};
    case 5:
      return {kThree, 5};
    default:
      return {kThreeUnbatched, 0};
  }
}

bool in_order(const TensorBase& tensor, IntArray order) {
  std::int64_t expected = 1;
  for (const std::int64_t dim : order) {
    const std::int64_t size = tensor.impl()->sizes()[dim];
    if (size == 1) continue;
    if (tensor.impl()->strides()[dim] != expected) return false;
    expected *= size;
  }
  return true;
}

// Whether strides look channels-last: not smaller going outwards, and N111 or 11HW do not count.
bool looks_channels_last(const TensorBase& tensor) {
  if (tensor.dim() != 4 && tensor.dim() != 5) return false;
  const std::int64_t *sizes = tensor.impl()->sizes(), *strides = tensor.impl()->strides();
  std::int64_t least = 0;
  if (strides[1] == 0) return false;
  for (const std::int64_t dim : channels_last_order(tensor.dim())) {
    if (sizes[dim] == 0 || strides[dim] < least) return false;
    if (dim == 0 && least == strides[1]) return false;
    least = strides[dim];
    if (sizes[dim] > 1) least *= sizes[dim];
  }
  return true;
}

}  // namespace

ShortShape format_strides(IntArray sizes, MemoryFormat format) {
  ShortShape strides;
  strides.count = sizes.size();
  std::int64_t expected = 1;
  if (format == MemoryFormat::kChannelsLast || format == MemoryFormat::kChannelsLast3d) {
    const std::size_t rank = format == MemoryFormat::kChannelsLast ? 4 : 5;
    check(sizes.size() == rank, "required rank ", rank, " tensor to use ",
          rank == 4 ? "channels_last" : "channels_last_3d", " format, not ", sizes.size());
    for (const std::int64_t dim : channels_last_order(static_cast<std::int64_t>(rank))) {
      strides[static_cast<std::size_t>(dim)] = expected;
      expected *= std::max<std::int64_t>(sizes[static_cast<std::size_t>(dim)], 1);
    }
    return strides;
  }
  for (std::size_t i = sizes.size(); i-- > 0;) {
    strides[i] = expected;
    expected *= std::max<std::int64_t>(sizes[i], 1);
  }
  return strides;
}

ShortShape dense_strides_like(IntArray sizes, IntArray strides) {
  const std::size_t rank = sizes.size();
  std::size_t order[kMaxDims];  // from innermost to outermost
  for (std::size_t i = 0; i < rank; ++i)
    order[i] = rank - 1 - i;
  // How `a` stands to `b`, which follows it outwards: 1 when they must swap, 0 when nothing is known.
  const auto compare = [&](std::size_t a, std::size_t b) {
    if (strides[a] == 0 || strides[b] == 0) return 0;
    if (strides[a] != strides[b]) return strides[a] < strides[b] ? -1 : 1;
    return sizes[a] > sizes[b] ? 1 : 0;
  };
  for (std::size_t i = 1; i < rank; ++i)
    for (std::size_t at = i, j = i; j-- > 0;) {
      const int found = compare(order[j], order[at]);
      if (found < 0) break;
      if (found > 0) {
        std::swap(order[j], order[at]);
        at = j;
      }
    }
  ShortShape dense;
  dense.count = rank;
  std::int64_t expected = 1;
  for (std::size_t i = 0; i < rank; ++i) {
    dense[order[i]] = expected;
    expected *= std::max<std::int64_t>(sizes[order[i]], 1);
  }
  return dense;
}

MemoryFormat suggested_format(const TensorBase& tensor) {
  if (!looks_channels_last(tensor)) return MemoryFormat::kContiguous;
  return tensor.dim() == 4 ? MemoryFormat::kChannelsLast : MemoryFormat::kChannelsLast3d;
}

ShortShape preserved_strides(const TensorBase& like) {
  if (like.is_non_overlapping_and_dense()) return ShortShape(like.strides());
  return dense_strides_like(like.sizes(), like.strides());
}

ShortShape result_strides(const TensorBase& like, std::optional<MemoryFormat> format) {
  const MemoryFormat wanted = format.value_or(MemoryFormat::kPreserve);
  return wanted == MemoryFormat::kPreserve ? preserved_strides(like) : format_strides(like.sizes(), wanted);
}

bool TensorBase::is_contiguous(MemoryFormat format) const {
  switch (format) {
    case MemoryFormat::kChannelsLast:
      return dim() == 4 && in_order(*this, channels_last_order(4));
    case MemoryFormat::kChannelsLast3d:
      return dim() == 5 && in_order(*this, channels_last_order(5));
    default:
      return is_contiguous();
  }
}

bool TensorBase::is_non_overlapping_and_dense() const {
  if (is_contiguous()) return true;
  std::size_t order[kMaxDims];
  const auto rank = static_cast<std::size_t>(dim());
  const std::int64_t *sizes = impl_->sizes(), *strides = impl_->strides();
  std::iota(order, order + rank, std::size_t{0});
  std::sort(order, order + rank, [&](std::size_t a, std::size_t b) {
    if (sizes[a] < 2) return false;
    return sizes[b] < 2 || strides[a] < strides[b];
  });
  std::int64_t expected = 1;
  for (std::size_t i = 0; i < rank && sizes[order[i]] >= 2; ++i) {
    if (strides[order[i]] != expected) return false;
    expected *= sizes[order[i]];
  }
  return true;
}

}  // namespace rushlight
