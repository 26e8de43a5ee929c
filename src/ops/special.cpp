// Special functions with parameters of their own, and those that are other names or composites.
#include <cmath>

#include "autograd/shown_name.h"
#include "ops/pointwise.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace ops {

Tensor polygamma(std::int64_t n, const Tensor& self, const Tensor* out) {
  check(n >= 0, "polygamma(n, x) does not support negative n.");
  return pointwise::apply(pointwise::polygamma, {self}, {Scalar(n)}, out);
}

}  // namespace ops

Tensor mvlgamma(const Tensor& self, std::int64_t p) {
  const ShownAs shown("MvlgammaBackward0");
  check(p >= 1, "mvlgamma: p has to be greater than or equal to 1, got ", p);
  check(self.dtype() != Dtype::kBool && !self.is_complex(),
        "mvlgamma: The input tensor may not be a boolean or complex tensor.");
  // log of pi^(p (p - 1) / 4) prod_j gamma(x - j / 2)
  const Tensor x = is_integral(self.dtype()) ? self.to(default_dtype()) : self;
  Tensor total = lgamma(x);
  for (std::int64_t j = 1; j < p; ++j)
    total = total + lgamma(x - static_cast<double>(j) / 2);
  return shown(p > 1 ? total + static_cast<double>(p * (p - 1)) / 4 * std::log(M_PI) : total);
}

Tensor special_ndtr(const Tensor& self) {
  const ShownAs shown("MulBackward1");
  // erfc keeps the relative precision of the lower tail; its argument, rounded to a half type, would not.
  if (is_reduced_float(self.dtype())) return shown(special_ndtr(self.to(Dtype::kFloat32)).to(self.dtype()));
  return shown(erfc(self * -M_SQRT1_2) * 0.5);
}

Tensor special_expm1(const Tensor& self) { return expm1(self); }
Tensor special_exp2(const Tensor& self) { return exp2(self); }
Tensor special_psi(const Tensor& self) { return digamma(self); }
Tensor special_digamma(const Tensor& self) { return digamma(self); }
Tensor special_gammaln(const Tensor& self) { return lgamma(self); }
Tensor special_erf(const Tensor& self) { return erf(self); }
Tensor special_erfc(const Tensor& self) { return erfc(self); }
Tensor special_erfinv(const Tensor& self) { return erfinv(self); }
Tensor special_xlogy(const Tensor& self, const Tensor& other) { return xlogy(self, other); }
Tensor special_xlogy(const Scalar& self, const Tensor& other) { return xlogy(self, other); }
Tensor special_xlogy(const Tensor& self, const Scalar& other) { return xlogy(self, other); }
Tensor special_i0(const Tensor& self) { return i0(self); }
Tensor special_logit(const Tensor& self, std::optional<double> eps) { return logit(self, eps); }
Tensor special_polygamma(std::int64_t n, const Tensor& self) { return polygamma(n, self); }
Tensor special_logsumexp(const Tensor& self, IntArray dim, bool keepdim) { return logsumexp(self, dim, keepdim); }
Tensor special_expit(const Tensor& self) { return sigmoid(self); }
Tensor special_sinc(const Tensor& self) { return sinc(self); }
Tensor special_round(const Tensor& self, std::int64_t decimals) { return round(self, decimals); }
Tensor special_log1p(const Tensor& self) { return log1p(self); }
Tensor special_gammainc(const Tensor& self, const Tensor& other) { return igamma(self, other); }
Tensor special_gammaincc(const Tensor& self, const Tensor& other) { return igammac(self, other); }
Tensor special_multigammaln(const Tensor& self, std::int64_t p) { return mvlgamma(self, p); }

}  // namespace rushlight
