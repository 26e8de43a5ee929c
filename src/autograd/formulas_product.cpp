// Derivatives of products.
#include "autograd/formulas_product.h"

#include "rushlight/ops.h"

namespace rushlight {

Tensor scaled_gradient(const Tensor& grad, const Scalar& factor) {
  return factor.is_one() ? grad : grad.mul(factor.conj());
}

Tensor added_backward(const Tensor& grad, IntArray sizes, const Scalar& beta) {
  return scaled_gradient(grad.sizes() == sizes ? grad : grad.sum_to_size(sizes), beta);
}

}  // namespace rushlight
