// softmax and log_softmax.
#include "ops/kernels/softmax.h"

#include <limits>

#include "ops/reduce_shape.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace ops {
namespace {

Tensor run(SoftmaxKind kind, const Tensor& self, std::int64_t dim, bool half_to_float, const char* op) {
  dim = wrap_dim(dim, self.dim(), op);
  check(!half_to_float || self.dtype() == Dtype::kFloat16, op, ": conversion is supported for Half type only, but got ",
        self);
  check<NotImplementedError>(is_floating(self.dtype()), "\"", op, "_lastdim_kernel_impl\" not implemented for '",
                             scalar_type_name(self.dtype()), "'");
  const Dtype result = half_to_float ? Dtype::kFloat32 : self.dtype();
  const bool last = self.dim() <= 1 || dim == self.dim() - 1;
  const Dtype compute = is_reduced_float(self.dtype()) && (half_to_float || !last) ? Dtype::kFloat32 : self.dtype();
  const Tensor in = contiguous_as(self, compute);
  const Tensor out = empty_tensor(self.sizes(), compute, self.device());
  softmax_kernel(self.device(), kind, out, in, dim);
  return converted(out, result);
}

Tensor run_backward(SoftmaxKind kind, const Tensor& grad, const Tensor& output, std::int64_t dim, Dtype input_dtype) {
  dim = wrap_dim(dim, output.dim(), "softmax");
  check(grad.sizes() == output.sizes(), "softmax: a gradient of shape ", grad.sizes(), " for a result of shape ",
        output.sizes());
  const Dtype compute = is_reduced_float(output.dtype()) ? Dtype::kFloat32 : output.dtype();
  const Tensor g = contiguous_as(grad, compute), y = contiguous_as(output, compute);
  const Tensor out = empty_tensor(output.sizes(), compute, output.device());
  softmax_backward_kernel(output.device(), kind, out, g, y, dim);
  return converted(out, input_dtype);
}

}  // namespace

Tensor _softmax(const Tensor& self, std::int64_t dim, bool half_to_float) {
  return run(SoftmaxKind::kSoftmax, self, dim, half_to_float, "softmax");
}
Tensor _log_softmax(const Tensor& self, std::int64_t dim, bool half_to_float) {
  return run(SoftmaxKind::kLogSoftmax, self, dim, half_to_float, "log_softmax");
}
Tensor _softmax_backward_data(const Tensor& grad_output, const Tensor& output, std::int64_t dim, Dtype input_dtype) {
  return run_backward(SoftmaxKind::kSoftmax, grad_output, output, dim, input_dtype);
}
Tensor _log_softmax_backward_data(const Tensor& grad_output, const Tensor& output, std::int64_t dim,
                                  Dtype input_dtype) {
  return run_backward(SoftmaxKind::kLogSoftmax, grad_output, output, dim, input_dtype);
}

Tensor _safe_softmax(const Tensor& self, std::int64_t dim, std::optional<Dtype> dtype) {
  const Tensor x = converted(self.detach(), dtype.value_or(self.dtype()));
  const Tensor shares = run(SoftmaxKind::kSoftmax, x, dim, false, "softmax");
  return where(all(isneginf(x), dim, true), Scalar(0.0), shares);
}

}  // namespace ops

Tensor softmax(const Tensor& self, std::int64_t dim, std::optional<Dtype> dtype) {
  if (dtype && *dtype != self.dtype()) return _softmax(_to_copy(self, TensorOptions(*dtype)), dim, false);
  return _softmax(self, dim, false);
}
Tensor log_softmax(const Tensor& self, std::int64_t dim, std::optional<Dtype> dtype) {
  if (dtype && *dtype != self.dtype()) return _log_softmax(_to_copy(self, TensorOptions(*dtype)), dim, false);
  return _log_softmax(self, dim, false);
}

Tensor special_softmax(const Tensor& self, std::int64_t dim, std::optional<Dtype> dtype) {
  return softmax(self, dim, dtype);
}
Tensor special_log_softmax(const Tensor& self, std::int64_t dim, std::optional<Dtype> dtype) {
  return log_softmax(self, dim, dtype);
}

namespace {

// `mask` against `x`: 0, a mask of [L, L] for attention; 1, of [B, L] for padding; 2, of the shape of `x`.
Tensor mask_for(const Tensor& mask, const Tensor& x, std::optional<std::int64_t> type) {
  if (mask.dim() != 2 || x.dim() != 4) type = 2;
  check(type.has_value(), "Mask Type should be defined");
  check(0 <= *type && *type <= 2, "Mask Type should be 0 (src_mask), 1 (src_key_padding_mask), or 2 (default_mask)");
  if (*type == 2) {
    check(mask.sizes() == x.sizes(), "For mask_type == 2 mask shape should match input shape");
    return mask;
  }
  const std::int64_t rows = *type == 0 ? x.size(2) : x.size(0);
  check(mask.size(0) == rows && mask.size(1) == x.size(2), "For mask_type == ", *type, " mask shape should be (",
        *type == 0 ? "L" : "B", ", L)");
  return *type == 0 ? mask : view(mask, {mask.size(0), 1, 1, mask.size(1)});
}

}  // namespace

Tensor _masked_softmax(const Tensor& self, const Tensor& mask, std::optional<std::int64_t> dim,
                       std::optional<std::int64_t> mask_type) {
  check(mask.dtype() == Dtype::kBool, "Mask should be a boolean tensor");
  check<NotImplementedError>(is_floating(self.dtype()), "\"masked_softmax\" not implemented for '",
                             scalar_type_name(self.dtype()), "'");
  const Scalar none(-std::numeric_limits<double>::infinity());
  return _softmax(masked_fill(self, mask_for(mask, self, mask_type), none), dim.value_or(self.dim() - 1), false);
}

}  // namespace rushlight
