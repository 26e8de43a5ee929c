// Derivatives of losses between two tensors, reduced as `reduction` says: 0 none, 1 mean, 2 sum.
#pragma once
#include <array>
#include <tuple>

#include "autograd/formulas_pointwise.h"

namespace rushlight {

// The gradient of `self`; that of the target is the same with both exchanged.
Tensor mse_loss_backward(const Tensor& grad, const Tensor& self, const Tensor& target, std::int64_t reduction);
Tensor smooth_l1_loss_backward(const Tensor& grad, const Tensor& self, const Tensor& target, std::int64_t reduction,
                               double beta);
Tensor huber_loss_backward(const Tensor& grad, const Tensor& self, const Tensor& target, std::int64_t reduction,
                           double delta);

// Gradients of probabilities or logits, targets and weights, as far as `mask` wants them.
std::tuple<Tensor, Tensor, Tensor> binary_cross_entropy_backward(const Tensor& grad, const Tensor& self,
                                                                 const Tensor& target,
                                                                 const std::optional<Tensor>& weight,
                                                                 std::int64_t reduction,
                                                                 const std::array<bool, 3>& mask);
std::tuple<Tensor, Tensor, Tensor, Tensor> logits_cross_entropy_backward(
    const Tensor& grad, const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
    const std::optional<Tensor>& pos_weight, std::int64_t reduction, const std::array<bool, 4>& mask);

}  // namespace rushlight
