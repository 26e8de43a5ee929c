// Derivatives of the backward pass of convolution and of attention.
#pragma once
#include <array>
#include <tuple>

#include "rushlight/tensor.h"

namespace rushlight {

// Gradients of grad_output, input and weight from those of the three results of
// convolution_backward, which may be undefined.
std::tuple<Tensor, Tensor, Tensor> convolution_double_backward(const Tensor& change_input, const Tensor& change_weight,
                                                               const Tensor& change_bias, const Tensor& grad_output,
                                                               const Tensor& input, const Tensor& weight,
                                                               IntArray stride, IntArray padding, IntArray dilation,
                                                               bool transposed, IntArray output_padding,
                                                               std::int64_t groups, const std::array<bool, 3>& mask);

// Gradients of query, key and value; recorded as products when gradients are to be differentiated.
std::tuple<Tensor, Tensor, Tensor> attention_backward(const Tensor& grad, const Tensor& query, const Tensor& key,
                                                      const Tensor& value, const Tensor& output, const Tensor& lse,
                                                      bool is_causal, const std::optional<Tensor>& attn_mask,
                                                      std::optional<double> scale);

}  // namespace rushlight
