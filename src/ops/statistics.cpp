// Covariance and correlation.
#include "rushlight/ops.h"

namespace rushlight {

Tensor cov(const Tensor& self, std::int64_t correction, const std::optional<Tensor>& fweights,
           const std::optional<Tensor>& aweights) {
  check(self.dim() <= 2, "cov(): expected input to have two or fewer dimensions but got an input with ", self.dim(),
        " dimensions");
  check(self.dtype() != Dtype::kBool, "cov(): bool dtype is not supported for input");
  Tensor x = self.dim() < 2 ? view(self.is_contiguous() ? self : contiguous(self), {1, self.numel()}) : self;
  const std::int64_t count = x.size(1);
  Tensor weight;
  const auto check_weights = [&](const Tensor& w, const char* which) {
    check(w.dim() <= 1, "cov(): expected ", which, " to have one or fewer dimensions but got ", which, " with ",
          w.dim(), " dimensions");
    check(w.numel() == count, "cov(): expected ", which,
          " to have the same numel as there are observations in the input but got ", w.numel(), " != ", count);
    check(count == 0 || !any(lt(w, Scalar(0))).item<bool>(), "cov(): ", which, " cannot be negative");
  };
  if (fweights) {
    check(is_integral(fweights->dtype(), false),
          "cov(): expected fweights to have integral dtype but got fweights with ", scalar_type_name(fweights->dtype()),
          " dtype");
    check_weights(*fweights, "fweights");
    weight = *fweights;
  }
  if (aweights) {
    check(is_floating(aweights->dtype()),
          "cov(): expected aweights to have floating point dtype but got aweights with ",
          scalar_type_name(aweights->dtype()), " dtype");
    check_weights(*aweights, "aweights");
    weight = weight.defined() ? mul(weight, *aweights) : *aweights;
  }
  if (weight.defined()) weight = reshape(weight, {count});
  // Integers average in the default float.
  if (is_integral(x.dtype())) x = _to_copy(x, TensorOptions(default_dtype()));
  const Tensor total = weight.defined() ? sum(weight) : Tensor();
  check(!weight.defined() || total.item().to_double() != 0, "cov(): weights sum to zero, can't be normalized");
  const Tensor average = weight.defined() ? div(sum(mul(x, weight), OptionalIntArray{1}, true), total)
                                          : mean(x, OptionalIntArray{1}, true);
  Tensor normaliser;
  double plain = static_cast<double>(count - correction);
  if (weight.defined()) {
    const Tensor part = aweights && correction != 0
                            ? div(mul(sum(mul(weight, *aweights)), Scalar(correction)), total)
                            : full({}, Scalar(correction), TensorOptions(Dtype::kInt64).device(x.device()));
    normaliser = clamp_min(sub(total, part), Scalar(0));
  }
  x = sub(x, average);
  const Tensor weighted = weight.defined() ? mul(x, weight) : x;
  const Tensor product = matmul(x, conj(t(weighted)));
  const Tensor result = weight.defined() ? div(product, normaliser) : div(product, Scalar(plain > 0 ? plain : 0.0));
  return squeeze(result);
}

Tensor corrcoef(const Tensor& self) {
  check(self.dim() <= 2, "corrcoef(): expected input to have two or fewer dimensions but got an input with ",
        self.dim(), " dimensions");
  Tensor c = cov(self);
  if (c.dim() == 0) return div(c, c);
  const Tensor d = diag(c);
  const Tensor deviation = sqrt(c.is_complex() ? real(d) : d);
  c = div(div(c, unsqueeze(deviation, 1)), unsqueeze(deviation, 0));
  if (!c.is_complex()) return clamp(c, Scalar(-1.0), Scalar(1.0));
  return complex(clamp(real(c), Scalar(-1.0), Scalar(1.0)), clamp(imag(c), Scalar(-1.0), Scalar(1.0)));
}

}  // namespace rushlight
