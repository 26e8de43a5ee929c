// Walks the elements of a strided nest in logical order, as offsets.
#pragma once
#include <algorithm>
#include <array>

#include "rushlight/tensor_base.h"

namespace rushlight {

// Offsets of up to N operands that share one shape. Start anywhere with `seek`, then `next`.
template <int N>
class Odometer {
 public:
  Odometer(IntArray sizes, std::array<const std::int64_t*, N> strides)
      : dim_(static_cast<int>(sizes.size())), sizes_(sizes.data()), strides_(strides) {}

  void seek(std::int64_t position) {
    std::fill_n(offset, N, 0);
    for (int d = dim_ - 1; d >= 0; --d) {
      index_[d] = position % sizes_[d];
      position /= sizes_[d];
      for (int k = 0; k < N; ++k)
        offset[k] += index_[d] * strides_[static_cast<std::size_t>(k)][d];
    }
  }
  void next() {
    for (int d = dim_ - 1; d >= 0; --d) {
      for (int k = 0; k < N; ++k)
        offset[k] += strides_[static_cast<std::size_t>(k)][d];
      if (++index_[d] < sizes_[d]) return;
      for (int k = 0; k < N; ++k)
        offset[k] -= strides_[static_cast<std::size_t>(k)][d] * sizes_[d];
      index_[d] = 0;
    }
  }
  std::int64_t index(int d) const { return index_[d]; }

  std::int64_t offset[N] = {};

 private:
  int dim_;
  const std::int64_t* sizes_;
  std::array<const std::int64_t*, N> strides_;
  std::int64_t index_[kMaxDims] = {};
};

}  // namespace rushlight
