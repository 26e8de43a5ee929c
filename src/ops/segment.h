// Runs of a dimension, as segment_reduce and its derivative see them.
#pragma once
#include "rushlight/tensor.h"

namespace rushlight {

// The places where segments begin and end, one more than there are segments, int64: `offsets`, or what adds up
// `lengths`.
Tensor segment_bounds(const std::optional<Tensor>& lengths, const std::optional<Tensor>& offsets);

}  // namespace rushlight
