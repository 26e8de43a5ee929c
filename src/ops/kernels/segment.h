// Kernel of reductions of runs of one dimension.
#pragma once
#include "ops/kernel.h"

namespace rushlight {

enum class SegmentReduction : std::uint8_t { kSum, kMean, kProd, kMax, kMin };

// What a segment starts from, and the result of one without elements.
struct SegmentStart {
  double value, empty;
};

// out[o, s, i] = data[o, k, i] for bounds[o, s] <= k < bounds[o, s + 1], reduced in this order. Contiguous tensors of
// floats; `bounds` is int64, ascends in each row and lies in dimension `axis`, the first that `i` does not count.
extern const Kernel<void(SegmentReduction op, const TensorBase& out, const TensorBase& data, const TensorBase& bounds,
                         SegmentStart start, std::int64_t axis)>
    segment_reduce_kernel;

}  // namespace rushlight
