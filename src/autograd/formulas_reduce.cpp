// Derivatives of reductions.
#include "autograd/formulas_reduce.h"

#include <cmath>
#include <limits>

#include "ops/reduce_shape.h"
#include "rushlight/ops.h"

namespace rushlight {

Tensor cast_to(const Tensor& tensor, Dtype dtype) {
  if (tensor.dtype() == dtype) return tensor;
  return _to_copy(tensor.is_complex() && !is_complex(dtype) ? real(tensor) : tensor, TensorOptions(dtype));
}

Tensor restore_dims(const Tensor& result, std::int64_t rank, const OptionalIntArray& dim, bool keepdim) {
  if (keepdim || rank == 0) return result;
  const ops::DimMask mask = ops::dims_mask(dim, rank, "sum");
  if (mask == ops::all_dims(rank)) return view(result, std::vector<std::int64_t>(static_cast<std::size_t>(rank), 1));
  Tensor restored = result;
  for (std::int64_t i = 0; i < rank; ++i)
    if (mask >> i & 1) restored = unsqueeze(restored, i);
  return restored;
}

Tensor expand_reduced(const Tensor& result, IntArray sizes, const OptionalIntArray& dim, bool keepdim) {
  return expand(restore_dims(result, static_cast<std::int64_t>(sizes.size()), dim, keepdim), sizes);
}

namespace {

std::int64_t count_of(IntArray sizes, const OptionalIntArray& dim) {
  const ops::DimMask mask = ops::dims_mask(dim, static_cast<std::int64_t>(sizes.size()), "mean");
  std::int64_t count = 1;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (mask >> i & 1) count *= sizes[i];
  return count;
}

// Product of all other elements along `dim`, right with zeros, too.
Tensor product_of_others(const Tensor& x, std::int64_t dim) {
  const std::int64_t n = x.size(dim);
  const Tensor one = ones_like(narrow(x, dim, 0, 1));
  const auto before = [&](const Tensor& y) {
    const std::vector<Tensor> parts = {one, narrow(y, dim, 0, n - 1)};
    return cumprod(cat(parts, dim), dim);
  };
  return mul(before(x), flip(before(flip(x, {dim})), {dim}));
}

bool has_zero(const Tensor& x) { return x.is_meta() || !all(x).item<bool>(); }

}  // namespace

Tensor sum_backward(const Tensor& grad, IntArray sizes, Dtype dtype, const OptionalIntArray& dim, bool keepdim) {
  return expand_reduced(cast_to(grad, dtype), sizes, dim, keepdim);
}

Tensor mean_backward(const Tensor& grad, IntArray sizes, Dtype dtype, const OptionalIntArray& dim, bool keepdim) {
  const Tensor share = div(grad, Scalar(static_cast<double>(count_of(sizes, dim))));
  return expand_reduced(cast_to(share, dtype), sizes, dim, keepdim);
}

Tensor nansum_backward(const Tensor& grad, const Tensor& self, const OptionalIntArray& dim, bool keepdim) {
  return where(isnan(self), Scalar(0.0), sum_backward(grad, self.sizes(), self.dtype(), dim, keepdim));
}

Tensor prod_backward(const Tensor& grad, const Tensor& self, const Tensor& result) {
  if (self.numel() == 0) return mul(self, cast_to(grad, self.dtype()));  // no elements, but a function of both
  const Tensor flat = reshape(cast_to(self, result.dtype()), {-1});
  return cast_to(reshape(prod_backward(grad, flat, result, 0, false), self.sizes()), self.dtype());
}

Tensor prod_backward(const Tensor& grad, const Tensor& self, const Tensor& result, std::int64_t dim, bool keepdim) {
  if (self.dim() == 0) return prod_backward(grad, self, result);
  if (self.numel() == 0)
    return mul(self, cast_to(restore_dims(grad, self.dim(), OptionalIntArray(dim), keepdim), self.dtype()));
  const Tensor x = cast_to(self, result.dtype());
  dim = wrap_dim(dim, self.dim(), "prod");
  const Tensor wide = restore_dims(grad, self.dim(), OptionalIntArray{dim}, keepdim);
  if (has_zero(x)) return cast_to(mul(wide, conj(product_of_others(x, dim))), self.dtype());
  const Tensor product = restore_dims(result, self.dim(), OptionalIntArray{dim}, keepdim);
  return cast_to(mul(wide, conj(div(product, x))), self.dtype());
}

Tensor amax_backward(const Tensor& grad, const Tensor& self, const Tensor& result, const OptionalIntArray& dim,
                     bool keepdim) {
  const Tensor hit = cast_to(eq(self, restore_dims(result, self.dim(), dim, keepdim)), self.dtype());
  const Tensor count = sum(hit, dim && !dim->empty() ? dim : OptionalIntArray{}, true);
  return mul(restore_dims(grad, self.dim(), dim, keepdim), div(hit, count));
}

Tensor max_all_backward(const Tensor& grad, const Tensor& self, const Tensor& result) {
  Tensor hit = eq(self, result);
  if (is_floating(self.dtype())) hit = logical_or(hit, logical_and(isnan(self), isnan(result)));
  hit = cast_to(hit, self.dtype());
  return mul(grad, div(hit, sum(hit)));
}

Tensor aminmax_backward(const Tensor& grad_min, const Tensor& grad_max, const Tensor& self, const Tensor& min,
                        const Tensor& max, std::optional<std::int64_t> dim, bool keepdim) {
  const std::int64_t one = dim.value_or(0);
  const OptionalIntArray list = dim ? OptionalIntArray(one) : OptionalIntArray{};
  Tensor result;
  if (grad_min.defined()) result = amax_backward(grad_min, self, min, list, keepdim);
  if (grad_max.defined()) {
    const Tensor other = amax_backward(grad_max, self, max, list, keepdim);
    result = result.defined() ? add(result, other) : other;
  }
  return result;
}

Tensor select_values_backward(const Tensor& grad, std::int64_t dim, const Tensor& indices, IntArray sizes,
                              bool keepdim) {
  if (!grad.defined()) return {};
  const auto rank = static_cast<std::int64_t>(sizes.size());
  if (rank == 0) return grad;
  const bool removed = !keepdim && grad.dim() < rank;
  const Tensor from = removed ? unsqueeze(grad, dim) : grad, at = removed ? unsqueeze(indices, dim) : indices;
  return scatter(zeros(sizes, grad.options()), dim, at, from);
}

Tensor logsumexp_backward(const Tensor& grad, const Tensor& self, const Tensor& result, IntArray dim, bool keepdim) {
  const OptionalIntArray dims(dim);
  const Tensor top = restore_dims(result, self.dim(), dims, keepdim);
  const double infinity = std::numeric_limits<double>::infinity();
  const Tensor x = is_integral(self.dtype()) ? cast_to(self, result.dtype()) : self;
  // exp(x - result) with rows that are all -infinity taken as zero.
  const Tensor share = exp(sub(x, where(eq(top, Scalar(-infinity)), Scalar(0.0), top)));
  return mul(restore_dims(grad, self.dim(), dims, keepdim), conj(share));
}

Tensor var_backward(const Tensor& grad, const Tensor& self, const OptionalIntArray& dim, double correction,
                    bool keepdim) {
  const double left = static_cast<double>(count_of(self.sizes(), dim)) - correction;
  const Tensor centred = sub(self, mean(self, dim, true));
  return mul(mul(restore_dims(grad, self.dim(), dim, keepdim), Scalar(2.0 / (left > 0 ? left : 0.0))), centred);
}

Tensor std_backward(const Tensor& grad, const Tensor& self, const Tensor& result, const OptionalIntArray& dim,
                    double correction, bool keepdim) {
  const Tensor share = div(grad, mul(result, Scalar(2.0)));
  return var_backward(where(eq(result, Scalar(0.0)), Scalar(0.0), share), self, dim, correction, keepdim);
}

namespace {

Tensor with_mean(Tensor gradient, const Tensor& grad_mean, const Tensor& self, const OptionalIntArray& dim,
                 bool keepdim) {
  if (!grad_mean.defined()) return gradient;
  const Tensor other = mean_backward(grad_mean, self.sizes(), self.dtype(), dim, keepdim);
  return gradient.defined() ? add(gradient, other) : other;
}

}  // namespace

Tensor var_mean_backward(const Tensor& grad_var, const Tensor& grad_mean, const Tensor& self,
                         const OptionalIntArray& dim, double correction, bool keepdim) {
  Tensor gradient;
  if (grad_var.defined()) gradient = var_backward(grad_var, self, dim, correction, keepdim);
  return with_mean(std::move(gradient), grad_mean, self, dim, keepdim);
}

Tensor std_mean_backward(const Tensor& grad_std, const Tensor& grad_mean, const Tensor& self, const Tensor& deviation,
                         const OptionalIntArray& dim, double correction, bool keepdim) {
  Tensor gradient;
  if (grad_std.defined()) gradient = std_backward(grad_std, self, deviation, dim, correction, keepdim);
  return with_mean(std::move(gradient), grad_mean, self, dim, keepdim);
}

Tensor vector_norm_backward(const Tensor& grad, const Tensor& self, const Tensor& result, const Scalar& ord,
                            const OptionalIntArray& dim, bool keepdim) {
  const double p = ord.to_double();
  const Dtype real_dtype = to_real(self.dtype());
  const Tensor g = cast_to(restore_dims(grad, self.dim(), dim, keepdim), real_dtype);
  const Tensor norm = cast_to(restore_dims(result, self.dim(), dim, keepdim), real_dtype);
  if (p == 0) return zeros_like(self);
  if (p == 1) return mul(sgn(self), g);
  const Tensor nothing = eq(norm, Scalar(0.0));
  if (p == 2) return mul(masked_fill(div(self, norm), nothing, Scalar(0.0)), g);
  if (std::isinf(p)) {
    const Tensor length = abs(self);
    const Tensor hit = cast_to(logical_or(eq(length, norm), logical_and(isnan(length), isnan(norm))), real_dtype);
    const Tensor count = sum(hit, dim && !dim->empty() ? dim : OptionalIntArray{}, true);
    return mul(sgn(self), mul(g, div(hit, count)));
  }
  // d|x|_p / dx = sgn(x) |x|^(p - 1) / |x|_p^(p - 1); zero where x or the norm is zero.
  const Tensor length = abs(self);
  const Tensor power =
      p < 2 ? where(eq(length, Scalar(0.0)), Scalar(0.0), pow(length, Scalar(p - 1))) : pow(length, Scalar(p - 1));
  const Tensor positive = where(nothing, Scalar(1.0), norm);  // zeros as divisors would make second derivatives nan
  const Tensor scale = where(nothing, Scalar(0.0), div(g, pow(positive, Scalar(p - 1))));
  return mul(mul(sgn(self), power), scale);
}

}  // namespace rushlight
