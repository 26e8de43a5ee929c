// Derivatives of scans.
#include "autograd/formulas_scan.h"

#include <limits>

#include "rushlight/ops.h"
#include "tensor/dims.h"

namespace rushlight {
namespace {

Tensor reversed_cumsum(const Tensor& x, std::int64_t dim) { return flip(cumsum(flip(x, {dim}), dim), {dim}); }

// With zeros the quotient result / x is lost. Position k gets P[k - 1] * S[k], where P are running products and
// S[k] = g[k] + x[k + 1] * S[k + 1].
Tensor cumprod_backward_with_zeros(const Tensor& grad, const Tensor& x, const Tensor& result, std::int64_t dim) {
  const std::int64_t n = x.size(dim);
  const std::vector<Tensor> parts = {ones_like(narrow(x, dim, 0, 1)), narrow(result, dim, 0, n - 1)};
  std::vector<Tensor> sums(static_cast<std::size_t>(n));
  Tensor s = narrow(grad, dim, n - 1, 1);
  sums[static_cast<std::size_t>(n - 1)] = s;
  for (std::int64_t k = n - 2; k >= 0; --k) {
    s = add(narrow(grad, dim, k, 1), mul(conj(narrow(x, dim, k + 1, 1)), s));
    sums[static_cast<std::size_t>(k)] = s;
  }
  return mul(conj(cat(parts, dim)), cat(sums, dim));
}

// Linear in grad, as a derivative of it needs: s[k] = g[k] + exp(r[k] - r[k + 1]) s[k + 1] never overflows.
Tensor logcumsumexp_backward_linear(const Tensor& grad, const Tensor& self, const Tensor& result, std::int64_t dim) {
  const std::int64_t n = self.size(dim);
  const double infinity = std::numeric_limits<double>::infinity();
  const Tensor r = where(eq(result, Scalar(-infinity)), Scalar(0.0), result);
  std::vector<Tensor> sums(static_cast<std::size_t>(n));
  Tensor s = narrow(grad, dim, n - 1, 1);
  sums[static_cast<std::size_t>(n - 1)] = s;
  for (std::int64_t k = n - 2; k >= 0; --k) {
    const Tensor ratio = exp(sub(narrow(r, dim, k, 1), narrow(r, dim, k + 1, 1)));
    s = add(narrow(grad, dim, k, 1), mul(conj(ratio), s));
    sums[static_cast<std::size_t>(k)] = s;
  }
  return mul(conj(exp(sub(self, r))), cat(sums, dim));
}

}  // namespace

Tensor cumsum_backward(const Tensor& grad, std::int64_t dim, Dtype dtype) {
  if (grad.numel() <= 1) return cast_to(grad, dtype);
  return cast_to(reversed_cumsum(grad, wrap_dim(dim, grad.dim(), "cumsum")), dtype);
}

Tensor cumprod_backward(const Tensor& grad, const Tensor& self, const Tensor& result, std::int64_t dim) {
  if (self.numel() <= 1 && self.dim() == 0) return cast_to(grad, self.dtype());
  if (self.numel() == 0) return zeros_like(self);
  dim = wrap_dim(dim, self.dim(), "cumprod");
  if (self.size(dim) == 1) return cast_to(grad, self.dtype());
  const Tensor x = cast_to(self, result.dtype());
  if (x.is_meta() || !all(x).item<bool>())
    return cast_to(cumprod_backward_with_zeros(grad, x, result, dim), self.dtype());
  return cast_to(div(reversed_cumsum(mul(grad, conj(result)), dim), conj(x)), self.dtype());
}

Tensor cumulative_extremum_backward(const Tensor& grad, const Tensor& indices, IntArray sizes, std::int64_t dim) {
  if (!grad.defined()) return {};
  if (sizes.empty() || grad.numel() == 0) return grad;
  return scatter_add(zeros(sizes, grad.options()), dim, indices, grad);
}

Tensor logcumsumexp_backward(const Tensor& grad, const Tensor& self, const Tensor& result, std::int64_t dim) {
  if (self.dim() == 0 || self.numel() == 0) return grad;
  dim = wrap_dim(dim, self.dim(), "logcumsumexp");
  // exp(self) * (reversed sum of grad * exp(-result)), with both signs of grad kept in the logarithmic domain.
  if (self.is_complex() || grad.requires_grad()) return logcumsumexp_backward_linear(grad, self, result, dim);
  const double infinity = std::numeric_limits<double>::infinity();
  const auto log_sums = [&](const Tensor& part) {
    const Tensor logs = where(gt(part, Scalar(0.0)), sub(log(part), result), Scalar(-infinity));
    return exp(add(flip(logcumsumexp(flip(logs, {dim}), dim), {dim}), self));
  };
  return sub(log_sums(grad), log_sums(neg(grad)));
}

}  // namespace rushlight
