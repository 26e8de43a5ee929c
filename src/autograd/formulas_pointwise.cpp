#include "autograd/formulas_pointwise.h"

#include <cmath>

#include "rushlight/ops.h"

namespace rushlight {

Tensor scaled(const Tensor& gradient, const Scalar& factor) { return factor.is_one() ? gradient : gradient * factor; }

Tensor acosh_backward(const Tensor& grad, const Tensor& self) {
  if (!self.is_complex()) return grad * rsqrt(self * self - 1);
  return grad / (sqrt(self - 1) * sqrt(self + 1)).conj();  // on the branch of the function itself
}

Tensor angle_backward(const Tensor& grad, const Tensor& self) {
  if (!self.is_complex()) return zeros_like(grad);
  // d arg(z) = Im(dz / z); as a gradient: i z / |z|^2.
  const Tensor turned = self * Scalar(std::complex<double>(0, 1)) / square(abs(self));
  return where(eq(self, 0), 0, grad * turned);
}

Tensor sgn_backward(const Tensor& grad, const Tensor& self, const Tensor& result) {
  if (!self.is_complex()) return zeros_like(grad);
  const Tensor length = abs(self), part = grad / length;
  return masked_fill(part - rushlight::real(part * result.conj()) * result, eq(length, 0), 0);
}

Tensor copysign_backward(const Tensor& grad, const Tensor& self, const Tensor& result) {
  return grad * masked_fill(result / self, eq(self, 0), 0);
}

Tensor clamp_backward(const Tensor& grad, const Tensor& self, const std::optional<Scalar>& min,
                      const std::optional<Scalar>& max) {
  if (min && max) return where(logical_and(self >= *min, self <= *max), grad, 0);
  return where(min ? self >= *min : self <= *max, grad, 0);
}
Tensor clamp_backward(const Tensor& grad, const Tensor& self, const std::optional<Tensor>& min,
                      const std::optional<Tensor>& max) {
  if (min && max) return where(logical_and(self >= *min, self <= *max), grad, 0);
  return where(min ? self >= *min : self <= *max, grad, 0);
}
Tensor clamp_backward_min(const Tensor& grad, const Tensor& self, const std::optional<Tensor>& min,
                          const std::optional<Tensor>& max) {
  return where(max ? logical_and(*min < *max, self < *min) : self < *min, grad, 0);
}
Tensor clamp_backward_max(const Tensor& grad, const Tensor& self, const std::optional<Tensor>& min,
                          const std::optional<Tensor>& max) {
  return where(min ? logical_or(self > *max, *max < *min) : self > *max, grad, 0);
}

Tensor larger_backward(const Tensor& grad, const Tensor& self, const Tensor& other) {
  return masked_fill(where(eq(self, other), grad / 2, grad), self < other, 0);
}
Tensor smaller_backward(const Tensor& grad, const Tensor& self, const Tensor& other) {
  return masked_fill(where(eq(self, other), grad / 2, grad), self > other, 0);
}

Tensor div_backward(const Tensor& grad, const Tensor& other, const std::optional<std::string>& rounding_mode) {
  return rounding_mode ? zeros_like(grad) : grad / other.conj();
}
Tensor div_backward(const Tensor& grad, const Scalar& other, const std::optional<std::string>& rounding_mode) {
  return rounding_mode ? zeros_like(grad) : grad / other.conj();
}
Tensor div_backward_other(const Tensor& grad, const Tensor& self, const Tensor& other,
                          const std::optional<std::string>& rounding_mode) {
  return rounding_mode ? zeros_like(grad) : -grad * ((self / other) / other).conj();
}

Tensor pow_backward(const Tensor& grad, const Tensor& self, const Scalar& exponent) {
  if (exponent.is_zero()) return zeros_like(grad);
  const Scalar less = exponent.is_complex()    ? Scalar(exponent.to<std::complex<double>>() - 1.0)
                      : exponent.is_floating() ? Scalar(exponent.to_double() - 1)
                                               : Scalar(exponent.to_int() - 1);
  return grad * (pow(self, less) * exponent).conj();
}
Tensor pow_backward(const Tensor& grad, const Tensor& self, const Tensor& exponent) {
  return grad * where(eq(exponent, 0), 0, exponent * pow(self, exponent - 1)).conj();
}
Tensor pow_backward_exponent(const Tensor& grad, const Tensor& self, const Tensor& exponent, const Tensor& result) {
  // x^y log x tends to 0 with x where y >= 0; the logarithm of 1 keeps second derivatives finite there.
  const Tensor none = logical_and(eq(self, 0), (exponent.is_complex() ? rushlight::real(exponent) : exponent) >= 0);
  return grad * (result * log(where(none, 1, self))).conj();
}
Tensor pow_backward_exponent(const Tensor& grad, const Scalar& self, const Tensor& exponent, const Tensor& result) {
  const bool turns = result.is_complex() || self.is_complex();
  const Scalar base_log =
      turns ? Scalar(std::log(self.to<std::complex<double>>())) : Scalar(std::log(self.to_double()));
  if (!self.is_zero()) return grad * (result * base_log).conj();
  const Tensor none = (exponent.is_complex() ? rushlight::real(exponent) : exponent) >= 0;
  return grad * where(none, 0, Scalar(-INFINITY));
}

Tensor sigmoid_slope(const Tensor& self) {
  const Tensor s = sigmoid(self);
  return s * (1 - s);
}
Tensor silu_second(const Tensor& self) {
  const Tensor s = sigmoid(self), slope = s * (1 - s);
  return slope * (2 + self * (1 - s * 2));
}
Tensor mish_second(const Tensor& self) {
  const Tensor s = sigmoid(self), t = tanh(softplus(self)), u = 1 - t * t;
  return u * s * 2 + self * u * s * (1 - s - t * s * 2);
}
Tensor gelu_second(const Tensor& self, std::string_view approximate) {
  if (approximate != "tanh") {
    const Tensor density = exp(self * self * -0.5) * 0.3989422804014327;
    return density * (2 - self * self);
  }
  // x s(u) with s the sigmoid of u = a x + b x^3: 2 s' u' + x (s'' u'^2 + s' u'').
  const double a = 1.5957691216057308, b = 0.071354816282;
  const Tensor x2 = self * self, s = sigmoid(self * (x2 * b + a));
  const Tensor u1 = x2 * (3 * b) + a, u2 = self * (6 * b), slope = s * (1 - s), bend = slope * (1 - s * 2);
  return slope * u1 * 2 + self * (bend * u1 * u1 + slope * u2);
}
Tensor elu_second(const Tensor& grad, const Scalar& alpha, const Scalar& scale, const Scalar& input_scale,
                  bool is_result, const Tensor& self_or_result) {
  const double inner = input_scale.to_double(), outer = alpha.to_double() * scale.to_double();
  const Tensor value = is_result ? grad * inner : grad * exp(self_or_result * inner) * (inner * inner * outer);
  return where(self_or_result < 0, value, 0);
}
Tensor logit_second(const Tensor& grad, const Tensor& self, std::optional<double> eps) {
  const Tensor rest = self * (1 - self);
  const Tensor value = grad * (self * 2 - 1) / (rest * rest);
  const double low = eps.value_or(0.0), high = 1 - low;
  return where(logical_and(self >= low, self <= high), value, eps ? 0.0 : static_cast<double>(NAN));
}

Tensor smooth_l1_backward(const Tensor& grad, const Tensor& self, const Tensor& target, double beta) {
  const Tensor gap = self - target;
  if (beta == 0) return grad * sign(gap);
  return grad * clamp(gap / beta, Scalar(-1.0), Scalar(1.0));
}
Tensor huber_backward(const Tensor& grad, const Tensor& self, const Tensor& target, double delta) {
  const Tensor gap = self - target;
  return grad * clamp(gap, Scalar(-delta), Scalar(delta));
}

Tensor xlogy_slope(const Tensor& self, const Tensor& other) {
  const Tensor edge = other.is_complex() ? eq(other, 0) : other <= 0;
  return masked_fill(log(other), logical_and(eq(self, 0), edge), 0);
}
Tensor xlogy_slope(const Tensor& self, const Scalar& other) {
  const Scalar value =
      other.is_complex() ? Scalar(std::log(other.to<std::complex<double>>())) : Scalar(std::log(other.to_double()));
  const Tensor all = full_like(self, value);
  return !other.is_complex() && other.to_double() > 0 ? all : masked_fill(all, eq(self, 0), 0);
}
Tensor xlog1py_slope(const Tensor& self, const Tensor& other) {
  return masked_fill(log1p(other), logical_and(eq(self, 0), other <= -1), 0);
}
Tensor xlog1py_slope(const Tensor& self, const Scalar& other) {
  const double value = other.to_double();
  const Tensor all = full_like(self, Scalar(std::log1p(value)));
  return value > -1 ? all : masked_fill(all, eq(self, 0), 0);
}

Tensor atan2_backward(const Tensor& grad, const Tensor& numerator, const Tensor& self, const Tensor& other) {
  const Tensor square = self * self + other * other;
  return where(eq(square, 0), 0, grad * (numerator / square));
}
Tensor sinc_backward(const Tensor& grad, const Tensor& self) {
  const Tensor x = self * M_PI, square_pi = self * self * M_PI;
  return grad * where(eq(square_pi, 0), 0, (x * cos(x) - sin(x)) / square_pi).conj();
}
Tensor i1_backward(const Tensor& grad, const Tensor& self, const Tensor& result) {
  const Tensor zero = eq(self, 0), safe = where(zero, 1, self);
  return grad * where(zero, 0.5, i0(safe) - result / safe);
}
Tensor i1e_backward(const Tensor& grad, const Tensor& self, const Tensor& result) {
  const Tensor zero = eq(self, 0), safe = where(zero, 1, self);
  return grad * where(zero, 0.5, special_i0e(safe) - result * (sgn(safe) + reciprocal(safe)));
}

}  // namespace rushlight
