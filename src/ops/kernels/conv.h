// Kernels of convolution.
#pragma once
#include "ops/kernel.h"

namespace rushlight {

// One to three spatial dims, the last ones; those that a lower-dimensional convolution lacks are 1
// (padding 0).
struct ConvolutionShape {
  std::int64_t batch, in_channels, out_channels, groups;
  std::int64_t in[3], out[3], kernel[3], stride[3], padding[3], dilation[3];
  bool channels_last = false;  // the order of memory of all operands of two or more dims but depthwise weights

  bool depthwise() const { return groups > 1 && groups == in_channels && groups == out_channels; }
  // Whether the gradient of the input is a convolution of grad_output with the reversed kernel.
  bool reversible() const {
    for (int d = 0; d < 3; ++d)
      if (stride[d] != 1 || (kernel[d] - 1) * dilation[d] < padding[d]) return false;
    return true;
  }
};

// input (batch, in_channels, in), weight (out_channels, in_channels / groups, kernel), output
// (batch, out_channels, out); real dtypes of one kind, all contiguous and not empty. `bias` may be
// undefined. Channels-last shapes are floating, of one group or depthwise; the gradient of the input of one group must
// be reversible.
extern const Kernel<void(const ConvolutionShape& shape, const TensorBase& input, const TensorBase& weight,
                         const TensorBase& bias, const TensorBase& output)>
    convolution_kernel;
extern const Kernel<void(const ConvolutionShape& shape, const TensorBase& weight, const TensorBase& grad_output,
                         const TensorBase& grad_input)>
    convolution_input_kernel;
extern const Kernel<void(const ConvolutionShape& shape, const TensorBase& input, const TensorBase& grad_output,
                         const TensorBase& grad_weight)>
    convolution_weight_kernel;

}  // namespace rushlight
