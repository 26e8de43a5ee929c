#include "autograd/formulas_quantize.h"

#include "rushlight/ops.h"

namespace rushlight {

std::tuple<Tensor, Tensor, Tensor> learnable_quantize_backward(const Tensor& grad, const Tensor& self,
                                                               const Tensor& scale, const Tensor& zero_point,
                                                               std::optional<std::int64_t> axis, std::int64_t quant_min,
                                                               std::int64_t quant_max, double grad_factor) {
  const Scalar low(quant_min), high(quant_max);
  std::vector<std::int64_t> shape(static_cast<std::size_t>(self.dim()), 1);
  if (axis) shape[static_cast<std::size_t>(*axis)] = scale.numel();
  const Tensor step = scale.view(shape), zero = zero_point.round().clamp(low, high).view(shape);
  const Tensor inverse = step.reciprocal(), position = self.mul(inverse).round().add(zero);
  const Tensor bounded = position.clamp(low, high), inside = position.eq(bounded);
  const Tensor rounded = bounded.sub(zero).mul(step);
  const Tensor by_scale = where(inside, rounded.sub(self).mul(inverse), bounded.sub(zero));
  const Tensor by_zero = where(inside, zeros_like(step), step.neg());
  const auto gathered = [&](const Tensor& slope, const Tensor& parameter) {
    return slope.mul(grad).mul(Scalar(grad_factor)).sum_to_size(shape).view(parameter.sizes()).to(parameter.dtype());
  };
  return {grad.mul(inside), gathered(by_scale, scale), gathered(by_zero, zero_point)};
}

}  // namespace rushlight
