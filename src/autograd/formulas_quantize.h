// Derivatives of rounding to a quantized format.
#pragma once
#include <optional>
#include <tuple>

#include "rushlight/tensor.h"

namespace rushlight {

// Gradients of self, scale and zero_point: the numbers in range pass straight through, and the others move with the
// end of the range (Esser et al., "Learned Step Size Quantization", 2020). `axis`: that of the channels.
std::tuple<Tensor, Tensor, Tensor> learnable_quantize_backward(const Tensor& grad, const Tensor& self,
                                                               const Tensor& scale, const Tensor& zero_point,
                                                               std::optional<std::int64_t> axis, std::int64_t quant_min,
                                                               std::int64_t quant_max, double grad_factor);

}  // namespace rushlight
