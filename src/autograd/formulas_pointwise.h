// Derivatives of pointwise operators, on public operators: each can be differentiated again.
#pragma once
#include "rushlight/tensor.h"

namespace rushlight {

// `gradient * factor` without the product where the factor is one.
Tensor scaled(const Tensor& gradient, const Scalar& factor);

Tensor acosh_backward(const Tensor& grad, const Tensor& self);
Tensor angle_backward(const Tensor& grad, const Tensor& self);
Tensor sgn_backward(const Tensor& grad, const Tensor& self, const Tensor& result);
Tensor copysign_backward(const Tensor& grad, const Tensor& self, const Tensor& result);

Tensor clamp_backward(const Tensor& grad, const Tensor& self, const std::optional<Scalar>& min,
                      const std::optional<Scalar>& max);
Tensor clamp_backward(const Tensor& grad, const Tensor& self, const std::optional<Tensor>& min,
                      const std::optional<Tensor>& max);
Tensor clamp_backward_min(const Tensor& grad, const Tensor& self, const std::optional<Tensor>& min,
                          const std::optional<Tensor>& max);
Tensor clamp_backward_max(const Tensor& grad, const Tensor& self, const std::optional<Tensor>& min,
                          const std::optional<Tensor>& max);
// The part of `self` in maximum(self, other) and in minimum; ties share the gradient.
Tensor larger_backward(const Tensor& grad, const Tensor& self, const Tensor& other);
Tensor smaller_backward(const Tensor& grad, const Tensor& self, const Tensor& other);

Tensor div_backward(const Tensor& grad, const Tensor& other, const std::optional<std::string>& rounding_mode);
Tensor div_backward(const Tensor& grad, const Scalar& other, const std::optional<std::string>& rounding_mode);
Tensor div_backward_other(const Tensor& grad, const Tensor& self, const Tensor& other,
                          const std::optional<std::string>& rounding_mode);

Tensor pow_backward(const Tensor& grad, const Tensor& self, const Scalar& exponent);
Tensor pow_backward(const Tensor& grad, const Tensor& self, const Tensor& exponent);
Tensor pow_backward_exponent(const Tensor& grad, const Tensor& self, const Tensor& exponent, const Tensor& result);
Tensor pow_backward_exponent(const Tensor& grad, const Scalar& self, const Tensor& exponent, const Tensor& result);

// Derivatives of derivatives: f'' at `self`, without the gradients.
Tensor sigmoid_slope(const Tensor& self);
Tensor silu_second(const Tensor& self);
Tensor mish_second(const Tensor& self);
Tensor gelu_second(const Tensor& self, std::string_view approximate);
Tensor elu_second(const Tensor& grad, const Scalar& alpha, const Scalar& scale, const Scalar& input_scale,
                  bool is_result, const Tensor& self_or_result);
Tensor logit_second(const Tensor& grad, const Tensor& self, std::optional<double> eps);

Tensor smooth_l1_backward(const Tensor& grad, const Tensor& self, const Tensor& target, double beta);
Tensor huber_backward(const Tensor& grad, const Tensor& self, const Tensor& target, double delta);

Tensor xlogy_slope(const Tensor& self, const Tensor& other);
Tensor xlogy_slope(const Tensor& self, const Scalar& other);
Tensor xlog1py_slope(const Tensor& self, const Tensor& other);
Tensor xlog1py_slope(const Tensor& self, const Scalar& other);
// grad * numerator / (self^2 + other^2), 0 at the origin, where the angle has no slope.
Tensor atan2_backward(const Tensor& grad, const Tensor& numerator, const Tensor& self, const Tensor& other);
Tensor sinc_backward(const Tensor& grad, const Tensor& self);
Tensor i1_backward(const Tensor& grad, const Tensor& self, const Tensor& result);
Tensor i1e_backward(const Tensor& grad, const Tensor& self, const Tensor& result);

}  // namespace rushlight
