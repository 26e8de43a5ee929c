// Vector norms and what is made of them: norm, dist, renorm.
#include <cmath>
#include <limits>

#include "autograd/shown_name.h"
#include "ops/pointwise.h"
#include "ops/reduce_shape.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace ops {

Tensor linalg_vector_norm(const Tensor& self, const Scalar& ord, OptionalIntArray dim, bool keepdim,
                          std::optional<Dtype> dtype) {
  check(is_floating(self.dtype()) || self.is_complex(),
        "linalg.vector_norm: Expected a floating point or complex tensor as input. Got ",
        scalar_type_name(self.dtype()));
  check(!ord.is_complex(), "linalg.vector_norm: Expected a non-complex scalar as the order of norm.");
  if (dtype) {
    check(is_floating(*dtype) || is_complex(*dtype),
          "linalg.vector_norm: dtype should be floating point or complex. Got ", scalar_type_name(*dtype));
    check(is_complex(*dtype) == self.is_complex(), "linalg.vector_norm: dtype should be ",
          self.is_complex() ? "complex" : "real", " for ", self.is_complex() ? "complex" : "real", " inputs, but got ",
          scalar_type_name(*dtype));
    check(promote(self.dtype(), *dtype) == *dtype, "linalg.vector_norm: the dtype of the input (",
          scalar_type_name(self.dtype()), ") should be convertible without narrowing to the specified dtype (",
          scalar_type_name(*dtype), ")");
  }
  const double p = ord.to_double();
  const DimMask mask = dims_mask(dim, self.dim(), "linalg.vector_norm");
  if ((p < 0 || std::isinf(p)) && self.numel() == 0) {
    check(dim && !dim->empty(), "linalg.vector_norm cannot compute the ", p,
          " norm on an empty tensor because the operation does not have an identity");
    for (std::int64_t i = 0; i < self.dim(); ++i)
      check(!(mask >> i & 1) || self.sizes()[static_cast<std::size_t>(i)] != 0,
            "linalg.vector_norm cannot compute the ", p, " norm on the dimension ", i,
            " because this dimension is empty and the operation does not have an identity");
  }
  Tensor x = converted(self, dtype ? *dtype : self.dtype());
  if (x.is_complex() || std::isinf(p)) x = pointwise::unary(pointwise::abs, x);
  const auto run = [&](Reduction op) { return reduce(op, x, mask, keepdim, x.dtype(), p); };
  if (p == std::numeric_limits<double>::infinity()) return run(Reduction::kMax);
  if (std::isinf(p)) return run(Reduction::kMin);
  if (p == 0) return run(Reduction::kNonzero);
  if (p == 1) return run(Reduction::kNorm1);
  return run(p == 2 ? Reduction::kNorm2 : Reduction::kNormP);
}

}  // namespace ops

namespace {

Scalar order_of(const std::optional<Scalar>& p) { return p ? *p : Scalar(2.0); }

}  // namespace

Tensor norm(const Tensor& self, const std::optional<Scalar>& p, Dtype dtype) {
  return linalg_vector_norm(self, order_of(p), OptionalIntArray{}, false, dtype);
}
Tensor norm(const Tensor& self, const Scalar& p) { return linalg_vector_norm(self, p, OptionalIntArray{}, false, {}); }
Tensor norm(const Tensor& self, const std::optional<Scalar>& p, IntArray dim, bool keepdim, Dtype dtype) {
  return linalg_vector_norm(self, order_of(p), OptionalIntArray(dim), keepdim, dtype);
}
Tensor norm(const Tensor& self, const std::optional<Scalar>& p, IntArray dim, bool keepdim) {
  return linalg_vector_norm(self, order_of(p), OptionalIntArray(dim), keepdim, {});
}
Tensor native_norm(const Tensor& self, const Scalar& p) { return norm(self, p); }
Tensor native_norm(const Tensor& self, const std::optional<Scalar>& p, IntArray dim, bool keepdim,
                   std::optional<Dtype> dtype) {
  return linalg_vector_norm(self, order_of(p), OptionalIntArray(dim), keepdim, dtype);
}

Tensor dist(const Tensor& self, const Tensor& other, const Scalar& p) {
  const ShownAs shown("DistBackward0");
  return shown(norm(sub(self, other), p));
}

Tensor renorm(const Tensor& self, const Scalar& p, std::int64_t dim, const Scalar& maxnorm) {
  const ShownAs shown("RenormBackward0");
  check(!p.is_complex() && p.to_double() > 0, "renorm: non-positive-norm not supported");
  check(maxnorm.to_double() >= 0, "renorm: expected maxnorm to be >= 0 but got ", maxnorm.to_double());
  check(self.dim() > 1, "renorm: input needs at least 2 dimensions, got ", self.dim(), " dimensions");
  dim = wrap_dim(dim, self.dim(), "renorm");
  std::vector<std::int64_t> others;
  for (std::int64_t i = 0; i < self.dim(); ++i)
    if (i != dim) others.push_back(i);
  // Half types measure in float32.
  const std::optional<Dtype> wide = is_reduced_float(self.dtype()) ? std::optional(Dtype::kFloat32) : std::nullopt;
  const Tensor length = linalg_vector_norm(self, p, OptionalIntArray(others), true, wide);
  const Tensor factor = where(gt(length, maxnorm), mul(reciprocal(add(length, Scalar(1e-7))), maxnorm), Scalar(1.0));
  return shown(mul(self, wide ? _to_copy(factor, TensorOptions(self.dtype())) : factor));
}

}  // namespace rushlight
