// Derivatives of pooling, borders and resampling.
#pragma once
#include <array>
#include <tuple>

#include "rushlight/sparse.h"

namespace rushlight {

// What a change of the input is at the maxima of a pooling over the last `dims` dims.
Tensor pooled_change(const Tensor& grad, const Tensor& indices, std::int64_t dims);
// The same for adaptive averages whose result has `sizes`.
Tensor adaptive_average_change(const Tensor& grad, IntArray sizes, std::int64_t dims);

// The last two sizes.
inline IntArray plane_sizes(IntArray sizes) { return sizes.last(2); }

Tensor constant_pad_backward(const Tensor& grad, IntArray pad);

// Gradients of the input and of the grid of grid_sampler; recorded where gradients are to be differentiated.
std::tuple<Tensor, Tensor> grid_sampler_backward(const Tensor& grad, const Tensor& input, const Tensor& grid,
                                                 std::int64_t interpolation_mode, std::int64_t padding_mode,
                                                 bool align_corners, const std::array<bool, 2>& mask);

}  // namespace rushlight
