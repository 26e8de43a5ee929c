// Derivatives of softmax, normalisation and losses.
#include "autograd/formulas_norm.h"

#include "rushlight/ops.h"

namespace rushlight {

Tensor softmax_double_backward(const Tensor& grad, const Tensor& grad_output, const Tensor& output, std::int64_t dim) {
  const OptionalIntArray along(dim);
  const Tensor inner = sum(mul(grad_output, output), along, true), outer = sum(mul(grad, output), along, true);
  return sub(mul(grad, sub(grad_output, inner)), mul(grad_output, outer));
}

Tensor log_softmax_double_backward(const Tensor& grad, const Tensor& grad_output, const Tensor& output,
                                   std::int64_t dim) {
  return neg(mul(mul(grad, exp(output)), sum(grad_output, OptionalIntArray(dim), true)));
}

Tensor log_softmax_backward_transposed(const Tensor& grad, const Tensor& output, std::int64_t dim) {
  return sub(grad, sum(mul(grad, exp(output)), OptionalIntArray(dim), true));
}

}  // namespace rushlight
