// Derivatives of losses between two tensors.
#include "autograd/formulas_loss.h"

#include "ops/fused_loss.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace {

// What each element of a loss of the shape of `elements` is weighted with.
Tensor of_elements(const Tensor& grad, const Tensor& elements, std::int64_t reduction) {
  return reduction == 1 ? grad / Scalar(static_cast<double>(elements.numel())) : grad;
}
Tensor fitted(const Tensor& gradient, const Tensor& input) {
  return gradient.sizes() == input.sizes() ? gradient : gradient.sum_to_size(input.sizes());
}

// The derivative in one pass, where it need not be recorded itself.
bool takes_one_pass(const Tensor& grad, const Tensor& self, const Tensor& target, std::int64_t reduction) {
  return thread.modes & kGradOff && ops::fits_one_pass(self, target, reduction) && grad.dtype() == self.dtype() &&
         grad.numel() == 1 && !(grad.impl()->word & (kComposed | kTangent));
}

}  // namespace

Tensor mse_loss_backward(const Tensor& grad, const Tensor& self, const Tensor& target, std::int64_t reduction) {
  if (takes_one_pass(grad, self, target, reduction))
    return ops::one_pass_gradient(PairLoss::kSquared, grad, self, target, reduction, 0);
  const Tensor gap = self - target;
  const double slope = reduction == 1 ? 2 / static_cast<double>(gap.numel()) : 2;
  return fitted((gap * Scalar(slope)).conj() * grad, self);
}

Tensor smooth_l1_loss_backward(const Tensor& grad, const Tensor& self, const Tensor& target, std::int64_t reduction,
                               double beta) {
  if (beta > 0 && takes_one_pass(grad, self, target, reduction))
    return ops::one_pass_gradient(PairLoss::kSmoothL1, grad, self, target, reduction, beta);
  const Tensor gap = self - target;
  return fitted(smooth_l1_backward(of_elements(grad, gap, reduction), self, target, beta), self);
}

Tensor huber_loss_backward(const Tensor& grad, const Tensor& self, const Tensor& target, std::int64_t reduction,
                           double delta) {
  if (takes_one_pass(grad, self, target, reduction))
    return ops::one_pass_gradient(PairLoss::kHuber, grad, self, target, reduction, delta);
  const Tensor gap = self - target;
  return fitted(huber_backward(of_elements(grad, gap, reduction), self, target, delta), self);
}

std::tuple<Tensor, Tensor, Tensor> binary_cross_entropy_backward(const Tensor& grad, const Tensor& self,
                                                                 const Tensor& target,
                                                                 const std::optional<Tensor>& weight,
                                                                 std::int64_t reduction,
                                                                 const std::array<bool, 3>& mask) {
  constexpr double kLeast = 1e-12;  // keeps the slope finite where a probability is 0 or 1
  const Tensor gap = self - target;
  const Tensor unweighted = of_elements(grad, weight ? gap * *weight : gap, reduction);
  const Tensor each = weight ? unweighted * *weight : unweighted;
  std::tuple<Tensor, Tensor, Tensor> found;
  if (mask[0]) std::get<0>(found) = fitted(each * gap / clamp_min((1 - self) * self, kLeast), self);
  if (mask[1]) std::get<1>(found) = fitted(each * (log1p(-self) - log(self)), target);
  if (mask[2]) {
    constexpr double kLeastLogarithm = -100;
    const Tensor of_one = clamp_min(log(self), kLeastLogarithm), of_zero = clamp_min(log1p(-self), kLeastLogarithm);
    std::get<2>(found) = fitted(unweighted * -(target * of_one + (1 - target) * of_zero), *weight);
  }
  return found;
}

std::tuple<Tensor, Tensor, Tensor, Tensor> logits_cross_entropy_backward(
    const Tensor& grad, const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
    const std::optional<Tensor>& pos_weight, std::int64_t reduction, const std::array<bool, 4>& mask) {
  if (!weight && !pos_weight && mask[0] && !mask[1] && takes_one_pass(grad, self, target, reduction))
    return {ops::one_pass_gradient(PairLoss::kLogits, grad, self, target, reduction, 0), {}, {}, {}};
  const Tensor positive = pos_weight ? (*pos_weight - 1) * target + 1 : Tensor();
  const Tensor slope = pos_weight ? (1 - target) - sigmoid(-self) * positive : sigmoid(self) - target;
  const Tensor unweighted = of_elements(grad, weight ? slope * *weight : slope, reduction);
  const Tensor each = weight ? unweighted * *weight : unweighted;
  std::tuple<Tensor, Tensor, Tensor, Tensor> found;
  if (mask[0]) std::get<0>(found) = fitted(slope * each, self);
  if (!mask[1] && !mask[2] && !mask[3]) return found;
  const Tensor of_one = log_sigmoid(self);
  if (mask[1]) std::get<1>(found) = fitted(each * -(pos_weight ? self + of_one * (*pos_weight - 1) : self), target);
  if (mask[2]) {
    const Tensor loss = (1 - target) * self - (pos_weight ? of_one * positive : of_one);
    std::get<2>(found) = fitted(unweighted * loss, *weight);
  }
  if (mask[3]) std::get<3>(found) = fitted(each * -(of_one * target), *pos_weight);
  return found;
}

}  // namespace rushlight
