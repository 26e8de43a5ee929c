// Dimension arguments: wrapping negatives, sets of dims, reduced shapes without heap allocation.
#pragma once
#include <array>
#include <bitset>

#include "rushlight/tensor_base.h"

namespace rushlight {

// `dim` counted from the front; 0-dim tensors accept -1 and 0.
inline std::int64_t wrap_dim(std::int64_t dim, std::int64_t rank, const char* op) {
  const std::int64_t span = rank ? rank : 1;
  check<IndexError>(dim >= -span && dim < span, op, ": Dimension out of range (expected to be in range of [", -span,
                    ", ", span - 1, "], but got ", dim, ")");
  return dim < 0 ? dim + span : dim;
}

using DimSet = std::bitset<kMaxDims>;

// The dims of a list as a set; none given or an empty list means all of them.
inline DimSet dim_set(const OptionalIntArray& dims, std::int64_t rank, const char* op) {
  DimSet set;
  if (!dims || dims->empty()) return set.set();
  for (const std::int64_t dim : *dims) {
    const auto at = static_cast<std::size_t>(wrap_dim(dim, rank, op));
    check(!set[at], op, ": dim ", dim, " appears multiple times in the list of dims");
    set[at] = true;
  }
  return set;
}

// A shape, or a list of strides, without heap allocation.
struct ShortShape {
  std::int64_t size[kMaxDims];
  std::size_t count = 0;
  ShortShape() = default;
  explicit ShortShape(IntArray sizes) : count(sizes.size()) { std::copy(sizes.begin(), sizes.end(), size); }
  void push(std::int64_t extent) {
    check(count < kMaxDims, "tensors of more than ", kMaxDims, " dimensions are not supported");
    size[count++] = extent;
  }
  void insert(std::size_t at, std::int64_t extent) {
    push(extent);
    for (std::size_t i = count - 1; i > at; --i)
      size[i] = size[i - 1];
    size[at] = extent;
  }
  void erase(std::size_t at) {
    for (std::size_t i = at; i + 1 < count; ++i)
      size[i] = size[i + 1];
    --count;
  }
  std::int64_t& operator[](std::size_t at) { return size[at]; }
  std::int64_t operator[](std::size_t at) const { return size[at]; }
  IntArray view() const { return {size, count}; }
  operator IntArray() const { return view(); }
};

inline ShortShape reduced_shape(const TensorBase& self, const DimSet& reduced, bool keepdim) {
  ShortShape shape;
  for (std::size_t i = 0; i < static_cast<std::size_t>(self.dim()); ++i)
    if (!reduced[i] || keepdim) shape.size[shape.count++] = reduced[i] ? 1 : self.impl()->sizes()[i];
  return shape;
}

// Elements of a tensor of these sizes; throws for negative sizes and when the count overflows.
std::int64_t checked_numel(IntArray sizes, const char* op);
// Bytes that a tensor of these sizes and strides spans from its first element.
std::size_t span_bytes(IntArray sizes, IntArray strides, std::size_t item, const char* op);

}  // namespace rushlight
