// Derivatives of pooling, borders and resampling.
#pragma once
#include "rushlight/tensor.h"

namespace rushlight {

// What a change of the input is at the maxima of a pooling over the last `dims` dims.
Tensor pooled_change(const Tensor& grad, const Tensor& indices, std::int64_t dims);
// The same for adaptive averages whose result has `sizes`.
Tensor adaptive_average_change(const Tensor& grad, IntArray sizes, std::int64_t dims);

}  // namespace rushlight
