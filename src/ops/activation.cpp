// Activation functions with parameters of their own, and composite ones.
#include <cmath>

#include "autograd/shown_name.h"
#include "ops/stored_number.h"
#include "ops/pointwise.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace ops {

namespace pw = pointwise;

static bool uses_tanh(std::string_view approximate) {
  check(approximate == "none" || approximate == "tanh", "approximate argument must be either none or tanh.");
  return approximate == "tanh";
}
Tensor gelu(const Tensor& self, std::string_view approximate, const Tensor* out) {
  return pw::unary(uses_tanh(approximate) ? pw::gelu_tanh : pw::gelu, self, out);
}
Tensor gelu_backward(const Tensor& grad_output, const Tensor& self, std::string_view approximate, const Tensor* out) {
  return pw::binary(uses_tanh(approximate) ? pw::gelu_tanh_backward : pw::gelu_backward, grad_output, self, out);
}
// The limit is compared as a number of the dtype.
Tensor hardshrink(const Tensor& self, const Scalar& lambd, const Tensor* out) {
  return pw::apply(pw::hardshrink, {self}, {rounded_to(lambd, self.dtype())}, out);
}
Tensor softshrink(const Tensor& self, const Scalar& lambd, const Tensor* out) {
  check(lambd.to_double() >= 0, "lambda must be greater or equal to 0, but found to be ", lambd.to_double(), ".");
  return pw::apply(pw::softshrink, {self}, {lambd}, out);
}
Tensor hardshrink_backward(const Tensor& grad_out, const Tensor& self, const Scalar& lambd, const Tensor* out) {
  return pw::apply(pw::shrink_backward, {grad_out, self}, {rounded_to(lambd, self.dtype())}, out);
}
Tensor softshrink_backward(const Tensor& grad_output, const Tensor& self, const Scalar& lambd, const Tensor* out) {
  return pw::apply(pw::shrink_backward, {grad_output, self}, {lambd}, out);
}
Tensor logit(const Tensor& self, std::optional<double> eps, const Tensor* out) {
  return eps ? pw::apply(pw::logit_eps, {self}, {Scalar(*eps)}, out) : pw::unary(pw::logit, self, out);
}
Tensor logit_backward(const Tensor& grad_output, const Tensor& self, std::optional<double> eps, const Tensor* out) {
  const double low = eps.value_or(0.0);
  return pw::apply(pw::logit_backward, {grad_output, self},
                   {Scalar(low), Scalar(1 - low), Scalar(eps ? 0.0 : static_cast<double>(NAN))}, out);
}
Tensor threshold(const Tensor& self, const Scalar& threshold, const Scalar& value, const Tensor* out) {
  return pw::apply(pw::threshold, {self}, {threshold, value}, out);
}
Tensor threshold_backward(const Tensor& grad_output, const Tensor& self, const Scalar& threshold, const Tensor* out) {
  return pw::apply(pw::threshold_backward, {grad_output, self}, {threshold}, out);
}
Tensor elu(const Tensor& self, const Scalar& alpha, const Scalar& scale, const Scalar& input_scale, const Tensor* out) {
  return pw::apply(pw::elu, {self}, {alpha, scale, input_scale}, out);
}
Tensor elu_backward(const Tensor& grad_output, const Scalar& alpha, const Scalar& scale, const Scalar& input_scale,
                    bool is_result, const Tensor& self_or_result, const Tensor* out) {
  return pw::apply(is_result ? pw::elu_backward_result : pw::elu_backward, {grad_output, self_or_result},
                   {alpha, scale, input_scale}, out);
}
Tensor hardtanh(const Tensor& self, const Scalar& min_val, const Scalar& max_val, const Tensor* out) {
  check(self.dtype() != Dtype::kBool, "Bool inputs not supported for hardtanh");
  check(!is_unsigned(self.dtype()) || (min_val.to_double() >= 0 && max_val.to_double() >= 0),
        "cannot do hardtanh on an unsigned type with negative limits: got ", min_val.to_double(), " and ",
        max_val.to_double(), " for a tensor of ", self.dtype());
  return pw::apply(pw::clamp, {self}, {min_val, max_val}, out);
}
Tensor hardtanh_backward(const Tensor& grad_output, const Tensor& self, const Scalar& min_val, const Scalar& max_val,
                         const Tensor* out) {
  return pw::apply(pw::hardtanh_backward, {grad_output, self}, {min_val, max_val}, out);
}
Tensor leaky_relu(const Tensor& self, const Scalar& negative_slope, const Tensor* out) {
  return pw::apply(pw::leaky_relu, {self}, {negative_slope}, out);
}
Tensor leaky_relu_backward(const Tensor& grad_output, const Tensor& self, const Scalar& negative_slope, bool,
                           const Tensor* out) {
  return pw::apply(pw::leaky_relu_backward, {grad_output, self}, {negative_slope}, out);
}
Tensor softplus(const Tensor& self, const Scalar& beta, const Scalar& threshold, const Tensor* out) {
  return pw::apply(pw::softplus, {self}, {beta, threshold}, out);
}
Tensor softplus_backward(const Tensor& grad_output, const Tensor& self, const Scalar& beta, const Scalar& threshold,
                         const Tensor* out) {
  return pw::apply(pw::softplus_backward, {grad_output, self}, {beta, threshold}, out);
}

}  // namespace ops

Tensor relu6(const Tensor& self) { return hardtanh(self, 0, 6); }
Tensor selu(const Tensor& self) {
  return elu(self, 1.6732632423543772848170429916717, 1.0507009873554804934193349852946, 1);
}
Tensor celu(const Tensor& self, const Scalar& alpha) {
  const ShownAs shown("CeluBackward0");
  check(alpha.to_double() != 0, "celu: ZeroDivisionError: alpha cannot be 0 for CELU");
  return shown(elu(self, alpha, 1, 1.0 / alpha.to_double()));
}

Tensor uncast_prelu(const Tensor& self, const Tensor& weight) {
  check(self.dtype() == weight.dtype(), "prelu: Type promoting not supported. Got ", self.dtype(), " and ",
        weight.dtype());
  if (weight.numel() != 1) {
    check(self.dim() > 0, "prelu: Not allow zero-dim input tensor.");
    const std::int64_t channels = self.dim() > 1 ? self.size(1) : 1;
    check(channels == weight.numel(),
          "prelu: Mismatch of parameter numbers and input channel size. Found parameter numbers = ", weight.numel(),
          " and channel size = ", channels, ".");
  }
  check(weight.dim() <= 1, "prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = ", weight.dim());
  std::vector<std::int64_t> shape(static_cast<std::size_t>(self.dim()), 1);
  if (self.dim() > 1)
    shape[1] = weight.numel();
  else if (self.dim() == 1)
    shape[0] = weight.numel();
  return _prelu_kernel(self, view(weight, shape));
}

Tensor glu(const Tensor& self, std::int64_t dim) {
  const ShownAs shown("GluBackward0");
  check(self.dim() > 0, "glu does not support 0-dimensional tensors");
  const std::int64_t size = self.size(dim);
  check(size % 2 == 0, "Halving dimension must be even, but dimension ", dim, " is size ", size);
  return shown(mul(narrow(self, dim, 0, size / 2), sigmoid(narrow(self, dim, size / 2, size / 2))));
}

}  // namespace rushlight
