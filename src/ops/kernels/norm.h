// Kernels of layer, RMS, batch and group normalisation. All tensors are contiguous float32, or all float64;
// weights and biases may be undefined, and so may results that are not wanted.
#pragma once
#include "ops/kernel.h"

namespace rushlight {

enum class RowNorm : std::uint8_t { kLayer, kRms };

// Rows of n elements. kRms has no mean and no bias.
extern const Kernel<void(RowNorm kind, const TensorBase& out, const TensorBase& mean, const TensorBase& rstd,
                         const TensorBase& in, const TensorBase& weight, const TensorBase& bias, std::int64_t n,
                         double eps)>
    row_norm_kernel;
extern const Kernel<void(RowNorm kind, const TensorBase& grad_in, const TensorBase& grad_weight,
                         const TensorBase& grad_bias, const TensorBase& grad, const TensorBase& in,
                         const TensorBase& weight, const TensorBase& mean, const TensorBase& rstd, std::int64_t n)>
    row_norm_backward_kernel;

// Data of shape [batch, channels, inner].
struct ChannelShape {
  std::int64_t batch, channels, inner;
};

// Statistics over batch and inner. `mean` and `rstd` have one element per channel.
extern const Kernel<void(const TensorBase& mean, const TensorBase& var, const TensorBase& in,
                         const ChannelShape& shape)>
    channel_moments_kernel;
// out = (in - mean) * rstd * weight + bias, with statistics per channel.
extern const Kernel<void(const TensorBase& out, const TensorBase& in, const TensorBase& weight, const TensorBase& bias,
                         const TensorBase& mean, const TensorBase& rstd, const ChannelShape& shape)>
    channel_norm_kernel;
enum class Statistics : std::uint8_t { kOfBatch, kGiven };  // whether they depend on the input
extern const Kernel<void(Statistics statistics, const TensorBase& grad_in, const TensorBase& grad_weight,
                         const TensorBase& grad_bias, const TensorBase& grad, const TensorBase& in,
                         const TensorBase& weight, const TensorBase& mean, const TensorBase& rstd,
                         const ChannelShape& shape)>
    channel_norm_backward_kernel;

// Statistics over inner and the channels of a group, one per batch element and group.
extern const Kernel<void(const TensorBase& out, const TensorBase& mean, const TensorBase& rstd, const TensorBase& in,
                         const TensorBase& weight, const TensorBase& bias, const ChannelShape& shape,
                         std::int64_t groups, double eps)>
    group_norm_kernel;
extern const Kernel<void(const TensorBase& grad_in, const TensorBase& grad_weight, const TensorBase& grad_bias,
                         const TensorBase& grad, const TensorBase& in, const TensorBase& weight, const TensorBase& mean,
                         const TensorBase& rstd, const ChannelShape& shape, std::int64_t groups)>
    group_norm_backward_kernel;

}  // namespace rushlight
