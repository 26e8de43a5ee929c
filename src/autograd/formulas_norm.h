// Derivatives of softmax, normalisation and losses: each can be differentiated again.
#pragma once
#include <array>
#include <tuple>

#include "rushlight/tensor.h"

namespace rushlight {

// d/d(output) of _softmax_backward_data(grad_output, output) and of its logarithmic form, times grad.
Tensor softmax_double_backward(const Tensor& grad, const Tensor& grad_output, const Tensor& output, std::int64_t dim);
Tensor log_softmax_double_backward(const Tensor& grad, const Tensor& grad_output, const Tensor& output,
                                   std::int64_t dim);
Tensor log_softmax_backward_transposed(const Tensor& grad, const Tensor& output, std::int64_t dim);

// Gradients of input, weight and bias. While gradients are recorded they are made of public operators and so can be
// differentiated; else of one kernel.
using NormGradients = std::tuple<Tensor, Tensor, Tensor>;
NormGradients layer_norm_backward(const Tensor& grad, const Tensor& input, IntArray normalized_shape,
                                  const std::optional<Tensor>& weight, const Tensor& mean, const Tensor& rstd,
                                  double eps, const std::array<bool, 3>& mask);
std::tuple<Tensor, Tensor> rms_norm_backward(const Tensor& grad, const Tensor& input, IntArray normalized_shape,
                                             const std::optional<Tensor>& weight, const Tensor& rstd,
                                             std::optional<double> eps, const std::array<bool, 2>& mask);
NormGradients group_norm_backward(const Tensor& grad, const Tensor& grad_mean, const Tensor& grad_rstd,
                                  const Tensor& input, const std::optional<Tensor>& weight, std::int64_t group,
                                  double eps, const std::array<bool, 3>& mask);
NormGradients batch_norm_backward(const Tensor& grad, const Tensor& input, const std::optional<Tensor>& weight,
                                  const std::optional<Tensor>& running_mean, const std::optional<Tensor>& running_var,
                                  const Tensor& mean, const Tensor& rstd, bool training, double eps,
                                  const std::array<bool, 3>& mask);

Tensor cross_entropy_backward(const Tensor& grad, const Tensor& self, const Tensor& target,
                              const std::optional<Tensor>& weight, std::int64_t reduction, std::int64_t ignore_index,
                              const Tensor& total_weight, const Tensor& lse);

}  // namespace rushlight
