// Derivatives of pooling, borders and resampling.
#include "autograd/formulas_pool.h"

#include "rushlight/ops.h"

namespace rushlight {

Tensor pooled_change(const Tensor& grad, const Tensor& indices, std::int64_t dims) {
  return grad.flatten(-dims, -1).gather(-1, indices.flatten(-dims, -1)).view(indices.sizes());
}

Tensor adaptive_average_change(const Tensor& grad, IntArray sizes, std::int64_t dims) {
  const IntArray last = sizes.last(static_cast<std::size_t>(dims));
  return dims == 2 ? _adaptive_avg_pool2d(grad, last) : _adaptive_avg_pool3d(grad, last);
}

}  // namespace rushlight
