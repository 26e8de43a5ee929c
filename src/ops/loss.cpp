// Losses. `reduction`: 0 none, 1 mean, 2 sum.
#include <cmath>

#include "autograd/shown_name.h"
#include "ops/fused_loss.h"
#include "ops/pointwise.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace {

Tensor reduced(const Tensor& loss, std::int64_t reduction) {
  return reduction == 1 ? mean(loss) : reduction == 2 ? sum(loss) : loss;
}

}  // namespace

namespace ops {

namespace pw = pointwise;

bool fits_one_pass(const Tensor& self, const Tensor& target, std::int64_t reduction) {
  const Dtype type = self.dtype();
  const auto plain = [](const Tensor& t) { return t.is_contiguous() && !(t.impl()->word & (kComposed | kTangent)); };
  return reduction != 0 && (type == Dtype::kFloat32 || type == Dtype::kFloat64) && target.dtype() == type &&
         self.sizes() == target.sizes() && plain(self) && plain(target) && self.device().is_cpu() &&
         target.device().is_cpu() && self.numel() > 0;
}

Tensor one_pass(PairLoss kind, const Tensor& self, const Tensor& target, std::int64_t reduction, double parameter) {
  Tensor result = empty_tensor({}, self.dtype(), self.device());
  pair_loss_kernel(self.device(), kind, result, self, target, parameter,
                   reduction == 1 ? 1 / static_cast<double>(self.numel()) : 1);
  return result;
}

Tensor one_pass_gradient(PairLoss kind, const Tensor& grad, const Tensor& self, const Tensor& target,
                         std::int64_t reduction, double parameter) {
  Tensor result = empty_tensor(self.sizes(), self.dtype(), self.device());
  pair_loss_gradient_kernel(self.device(), kind, result, grad, self, target, parameter,
                            reduction == 1 ? 1 / static_cast<double>(self.numel()) : 1);
  return result;
}

Tensor _smooth_l1(const Tensor& self, const Tensor& target, double beta, const Tensor* out) {
  return pw::apply(pw::smooth_l1, {self, target}, {Scalar(beta)}, out);
}
Tensor _huber(const Tensor& self, const Tensor& target, double delta, const Tensor* out) {
  return pw::apply(pw::huber, {self, target}, {Scalar(delta)}, out);
}

// What follows records one node for the whole loss.
Tensor mse_loss(const Tensor& self, const Tensor& target, std::int64_t reduction) {
  const NoGradGuard no_grad;
  if (fits_one_pass(self, target, reduction)) return one_pass(PairLoss::kSquared, self, target, reduction, 0);
  return reduced(_squared_difference(self, target), reduction);
}
Tensor smooth_l1_loss(const Tensor& self, const Tensor& target, std::int64_t reduction, double beta) {
  const NoGradGuard no_grad;
  check(beta >= 0, "smooth_l1_loss does not support negative values for beta.");
  if (beta > 0 && fits_one_pass(self, target, reduction))
    return one_pass(PairLoss::kSmoothL1, self, target, reduction, beta);
  return beta == 0 ? l1_loss(self, target, reduction) : reduced(_smooth_l1(self, target, beta), reduction);
}
Tensor huber_loss(const Tensor& self, const Tensor& target, std::int64_t reduction, double delta) {
  const NoGradGuard no_grad;
  check(delta > 0, "huber_loss does not support non-positive values for delta.");
  if (fits_one_pass(self, target, reduction)) return one_pass(PairLoss::kHuber, self, target, reduction, delta);
  return reduced(_huber(self, target, delta), reduction);
}
Tensor binary_cross_entropy(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                            std::int64_t reduction) {
  const NoGradGuard no_grad;
  if (!self.is_meta() && self.numel() > 0) {
    check(all(logical_and(self >= 0, self <= 1)).item<bool>(),
          "binary_cross_entropy: all elements of input should be between 0 and 1");
  }
  const Tensor loss = _binary_cross_entropy(self, target);
  return reduced(weight ? loss * *weight : loss, reduction);
}
Tensor binary_cross_entropy_with_logits(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                                        const std::optional<Tensor>& pos_weight, std::int64_t reduction) {
  const NoGradGuard no_grad;
  if (!weight && !pos_weight && fits_one_pass(self, target, reduction))
    return one_pass(PairLoss::kLogits, self, target, reduction, 0);
  const Tensor of_one = log_sigmoid(self);
  Tensor loss = (1 - target) * self;
  loss = loss - (pos_weight ? of_one * ((*pos_weight - 1) * target + 1) : of_one);
  return reduced(weight ? loss * *weight : loss, reduction);
}

}  // namespace ops

Tensor uncast_l1_loss(const Tensor& self, const Tensor& target, std::int64_t reduction) {
  return reduced(abs(self - target), reduction);
}
Tensor uncast_soft_margin_loss(const Tensor& self, const Tensor& target, std::int64_t reduction) {
  const ShownAs shown("SoftMarginLossBackward0");
  return shown(reduced(log1p(exp(-target * self)), reduction));
}

Tensor uncast_kl_div(const Tensor& self, const Tensor& target, std::int64_t reduction, bool log_target) {
  check(!self.is_complex(), "kl_div: Complex inputs not supported.");
  check(!target.is_complex(), "kl_div: Complex inputs not supported.");
  return reduced(log_target ? exp(target) * (target - self) : xlogy(target, target) - target * self, reduction);
}

Tensor uncast_margin_ranking_loss(const Tensor& input1, const Tensor& input2, const Tensor& target, double margin,
                                  std::int64_t reduction) {
  check(input1.dim() == input2.dim() && input1.dim() == target.dim(),
        "margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: ", input1.sizes(),
        ", input2: ", input2.sizes(), ", target: ", target.sizes());
  return reduced(clamp_min(-target * (input1 - input2) + margin, 0), reduction);
}

Tensor uncast_hinge_embedding_loss(const Tensor& self, const Tensor& target, double margin, std::int64_t reduction) {
  const Tensor apart = where(ne(target, 1), clamp_min(-self + margin, 0), 0);
  return reduced(apart + where(ne(target, -1), self, 0), reduction);
}

Tensor uncast_cosine_embedding_loss(const Tensor& input1, const Tensor& input2, const Tensor& target, double margin,
                                    std::int64_t reduction) {
  check(target.dim() == 1 || target.dim() == 0, "0D or 1D target tensor expected, multi-target not supported");
  if (target.dim() == 1)
    check(input1.dim() == 2 && input2.dim() == 2,
          "1D target tensor expects 2D input tensors, but found inputs with sizes ", input1.sizes(), " and ",
          input2.sizes(), ".");
  else
    check(input1.dim() == 1 && input2.dim() == 1,
          "0D target tensor expects 1D input tensors, but found inputs with sizes ", input1.sizes(), " and ",
          input2.sizes(), ".");
  constexpr double kEpsilon = 1e-12;  // keeps the root of a zero vector differentiable
  const std::int64_t dim = target.dim();
  const Tensor product = sum(input1 * input2, dim);
  const Tensor first = sum(input1 * input1, dim) + kEpsilon, second = sum(input2 * input2, dim) + kEpsilon;
  const Tensor cosine = product / sqrt(first * second);
  const Tensor alike = where(eq(target, 1), 1 - cosine, 0),
               unlike = where(eq(target, -1), clamp_min(cosine - margin, 0), 0);
  return reduced(alike + unlike, reduction);
}

Tensor uncast_poisson_nll_loss(const Tensor& input, const Tensor& target, bool log_input, bool full, double eps,
                               std::int64_t reduction) {
  Tensor loss = log_input ? exp(input) - target * input : input - target * log(input + eps);
  if (full) {  // Stirling's formula for log(target!)
    const Tensor stirling = target * log(target) - target + log(target * (2 * M_PI)) * 0.5;
    loss = loss + masked_fill(stirling, target <= 1, 0);
  }
  return reduced(loss, reduction);
}

Tensor uncast_triplet_margin_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative, double margin,
                                  double p, double eps, bool swap, std::int64_t reduction) {
  check(anchor.dim() == positive.dim() && anchor.dim() == negative.dim(),
        "triplet_margin_loss: The anchor, positive, and negative tensors are expected to have the same number of "
        "dimensions, "
        "but got: anchor ",
        anchor.dim(), "D, positive ", positive.dim(), "D, and negative ", negative.dim(), "D inputs");
  check(margin > 0, "triplet_margin_loss: margin must be greater than 0, got ", margin);
  const auto distance = [&](const Tensor& a, const Tensor& b) { return pairwise_distance(a, b, p, eps, false); };
  const Tensor near = distance(anchor, positive);
  Tensor far = distance(anchor, negative);
  if (swap) far = minimum(far, distance(positive, negative));
  return reduced(clamp_min(near - far + margin, 0), reduction);
}

}  // namespace rushlight
