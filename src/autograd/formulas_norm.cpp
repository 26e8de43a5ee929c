// Derivatives of softmax, normalisation and losses.
#include "autograd/formulas_norm.h"

#include "autograd/formulas_reduce.h"
#include "batching/batched.h"
#include "ops/kernels/class_loss.h"
#include "ops/norm_inputs.h"
#include "rushlight/ops.h"

namespace rushlight {

Tensor softmax_double_backward(const Tensor& grad, const Tensor& grad_output, const Tensor& output, std::int64_t dim) {
  const OptionalIntArray along(dim);
  const Tensor inner = sum(mul(grad_output, output), along, true), outer = sum(mul(grad, output), along, true);
  return sub(mul(grad, sub(grad_output, inner)), mul(grad_output, outer));
}

Tensor log_softmax_double_backward(const Tensor& grad, const Tensor& grad_output, const Tensor& output,
                                   std::int64_t dim) {
  return neg(mul(mul(grad, exp(output)), sum(grad_output, OptionalIntArray(dim), true)));
}

Tensor log_softmax_backward_transposed(const Tensor& grad, const Tensor& output, std::int64_t dim) {
  return sub(grad, sum(mul(grad, exp(output)), OptionalIntArray(dim), true));
}

namespace {

// Of y = h * weight with h = (x - mean) * rstd over `dims`: gradients of x and h itself. Everything is recorded.
struct Normalised {
  Tensor h, rstd;
};
enum class Centre : std::uint8_t { kMean, kNone };
Normalised normalise(const Tensor& x, IntArray dims, double eps, Centre centre) {
  const Tensor centred = centre == Centre::kMean ? sub(x, mean(x, OptionalIntArray(dims), true)) : x;
  const Tensor rstd = rsqrt(add(mean(mul(centred, centred), OptionalIntArray(dims), true), Scalar(eps)));
  return {mul(centred, rstd), rstd};
}
// `a` is the gradient of h.
Tensor normalised_backward(const Tensor& a, const Normalised& n, IntArray dims, Centre centre) {
  const OptionalIntArray over(dims);
  Tensor inner = sub(a, mul(n.h, mean(mul(a, n.h), over, true)));
  if (centre == Centre::kMean) inner = sub(inner, mean(a, over, true));
  return mul(inner, n.rstd);
}

std::vector<std::int64_t> dims_from(std::int64_t first, std::int64_t end) {
  std::vector<std::int64_t> dims;
  for (std::int64_t i = first; i < end; ++i)
    dims.push_back(i);
  return dims;
}
Tensor sum_leading(const Tensor& x, std::int64_t count) {
  return count == 0 ? x : sum(x, OptionalIntArray(dims_from(0, count)), false);
}

Tensor empty_if(bool wanted, IntArray sizes, Dtype dtype, Device device) {
  return wanted ? empty_tensor(sizes, dtype, device) : Tensor();
}
Tensor cast_if(const Tensor& tensor, Dtype dtype) { return tensor.defined() ? cast_to(tensor, dtype) : tensor; }
Dtype dtype_of_parameter(const std::optional<Tensor>& weight, Dtype input) {
  return weight && weight->defined() ? weight->dtype() : input;
}

// [1, C, 1, ...]
Tensor per_channel(const Tensor& t, std::int64_t rank) {
  std::vector<std::int64_t> shape(static_cast<std::size_t>(rank), 1);
  shape[1] = t.numel();
  return reshape(t, shape);
}
std::vector<std::int64_t> all_but_channels(std::int64_t rank) {
  std::vector<std::int64_t> dims = {0};
  for (std::int64_t i = 2; i < rank; ++i)
    dims.push_back(i);
  return dims;
}

}  // namespace

NormGradients layer_norm_backward(const Tensor& grad, const Tensor& input, IntArray normalized_shape,
                                  const std::optional<Tensor>& weight, const Tensor& mean, const Tensor& rstd,
                                  double eps, const std::array<bool, 3>& mask) {
  if (!grad.defined()) return {};
  const Dtype dtype = ops::norm_dtype(input.dtype()), parameter = dtype_of_parameter(weight, input.dtype());
  const std::int64_t outer = input.dim() - static_cast<std::int64_t>(normalized_shape.size());
  if (batching::needs_operators(grad)) {
    const Tensor g = cast_to(grad, dtype), x = cast_to(input, dtype);
    const std::vector<std::int64_t> dims = dims_from(outer, input.dim());
    const Normalised n = normalise(x, dims, eps, Centre::kMean);
    const Tensor a = weight ? mul(g, cast_to(*weight, dtype)) : g;
    NormGradients out;
    if (mask[0]) std::get<0>(out) = cast_to(normalised_backward(a, n, dims, Centre::kMean), input.dtype());
    if (mask[1]) std::get<1>(out) = cast_to(sum_leading(mul(g, n.h), outer), parameter);
    if (mask[2]) std::get<2>(out) = cast_to(sum_leading(g, outer), parameter);
    return out;
  }
  const std::int64_t count = ops::normalized_count(input, normalized_shape, weight, {}, "layer_norm");
  const Device device = input.device();
  const Tensor x = ops::contiguous_as(input, dtype), w = ops::norm_operand(weight, dtype);
  Tensor m = mean, s = rstd;
  if (m.dtype() != dtype) {  // statistics that were rounded to a half type are made again
    m = empty_tensor(mean.sizes(), dtype, device), s = empty_tensor(mean.sizes(), dtype, device);
    row_norm_kernel(device, RowNorm::kLayer, empty_tensor(input.sizes(), dtype, device), m, s, x, {}, {}, count, eps);
  }
  const Tensor dx = empty_tensor(input.sizes(), dtype, device);
  const Tensor dw = empty_if(mask[1], normalized_shape, dtype, device);
  const Tensor db = empty_if(mask[2], normalized_shape, dtype, device);
  row_norm_backward_kernel(device, RowNorm::kLayer, dx, dw, db, ops::contiguous_as(grad, dtype), x, w, m, s, count);
  return {cast_to(dx, input.dtype()), cast_if(dw, parameter), cast_if(db, parameter)};
}

std::tuple<Tensor, Tensor> rms_norm_backward(const Tensor& grad, const Tensor& input, IntArray normalized_shape,
                                             const std::optional<Tensor>& weight, const Tensor& rstd,
                                             std::optional<double> eps, const std::array<bool, 2>& mask) {
  if (!grad.defined()) return {};
  const Dtype dtype = ops::norm_dtype(input.dtype()), parameter = dtype_of_parameter(weight, input.dtype());
  const std::int64_t outer = input.dim() - static_cast<std::int64_t>(normalized_shape.size());
  if (batching::needs_operators(grad)) {
    const Tensor g = cast_to(grad, dtype), x = cast_to(input, dtype);
    const std::vector<std::int64_t> dims = dims_from(outer, input.dim());
    const Normalised n = normalise(x, dims, ops::rms_epsilon(input.dtype(), eps), Centre::kNone);
    const Tensor a = weight ? mul(g, cast_to(*weight, dtype)) : g;
    std::tuple<Tensor, Tensor> out;
    if (mask[0]) std::get<0>(out) = cast_to(normalised_backward(a, n, dims, Centre::kNone), input.dtype());
    if (mask[1]) std::get<1>(out) = cast_to(sum_leading(mul(g, n.h), outer), parameter);
    return out;
  }
  const std::int64_t count = ops::normalized_count(input, normalized_shape, weight, {}, "rms_norm");
  const Device device = input.device();
  const Tensor dx = empty_tensor(input.sizes(), dtype, device);
  const Tensor dw = empty_if(mask[1], normalized_shape, dtype, device);
  row_norm_backward_kernel(device, RowNorm::kRms, dx, dw, {}, ops::contiguous_as(grad, dtype),
                           ops::contiguous_as(input, dtype), ops::norm_operand(weight, dtype), {}, rstd, count);
  return {cast_to(dx, input.dtype()), cast_if(dw, parameter)};
}

NormGradients group_norm_backward(const Tensor& grad_result, const Tensor& grad_mean, const Tensor& grad_rstd,
                                  const Tensor& input, const std::optional<Tensor>& weight, std::int64_t group,
                                  double eps, const std::array<bool, 3>& mask) {
  if (!grad_result.defined() && !grad_mean.defined() && !grad_rstd.defined()) return {};
  const Tensor grad = grad_result.defined() ? grad_result : zeros_like(input);
  const bool of_statistics = grad_mean.defined() || grad_rstd.defined();
  const Dtype dtype = ops::norm_dtype(input.dtype()), parameter = dtype_of_parameter(weight, input.dtype());
  const std::vector<std::int64_t> others = all_but_channels(input.dim());
  const ChannelShape shape = ops::channel_shape(input);
  if (batching::needs_operators(grad) || of_statistics) {
    const Tensor g = cast_to(grad, dtype), x = cast_to(input, dtype);
    const std::vector<std::int64_t> grouped = {shape.batch, group, shape.channels / group * shape.inner};
    const Normalised n = normalise(reshape(x, grouped), {2}, eps, Centre::kMean);
    const Tensor a = weight ? mul(g, per_channel(cast_to(*weight, dtype), input.dim())) : g;
    NormGradients out;
    if (mask[0]) {
      Tensor dx = normalised_backward(reshape(a, grouped), n, {2}, Centre::kMean);
      const Scalar by(1.0 / static_cast<double>(std::max<std::int64_t>(grouped[2], 1)));
      if (grad_mean.defined()) dx = add(dx, mul(unsqueeze(cast_to(grad_mean, dtype), 2), by));
      if (grad_rstd.defined())
        dx = sub(dx, mul(mul(unsqueeze(cast_to(grad_rstd, dtype), 2), by), mul(mul(n.rstd, n.rstd), n.h)));
      std::get<0>(out) = cast_to(reshape(dx, input.sizes()), input.dtype());
    }
    const Tensor h = reshape(n.h, input.sizes());
    if (mask[1]) std::get<1>(out) = cast_to(sum(mul(g, h), OptionalIntArray(others), false), parameter);
    if (mask[2]) std::get<2>(out) = cast_to(sum(g, OptionalIntArray(others), false), parameter);
    return out;
  }
  const Device device = input.device();
  const Tensor x = ops::contiguous_as(input, dtype), dx = empty_tensor(input.sizes(), dtype, device);
  const Tensor mean = empty_tensor({shape.batch, group}, dtype, device),
               rstd = empty_tensor({shape.batch, group}, dtype, device);
  group_norm_kernel(device, dx, mean, rstd, x, {}, {}, shape, group, eps);
  const Tensor dw = empty_if(mask[1], {shape.channels}, dtype, device);
  const Tensor db = empty_if(mask[2], {shape.channels}, dtype, device);
  group_norm_backward_kernel(device, dx, dw, db, ops::contiguous_as(grad, dtype), x, ops::norm_operand(weight, dtype),
                             mean, rstd, shape, group);
  return {cast_to(dx, input.dtype()), cast_if(dw, parameter), cast_if(db, parameter)};
}

NormGradients batch_norm_backward(const Tensor& grad, const Tensor& input, const std::optional<Tensor>& weight,
                                  const std::optional<Tensor>& running_mean, const std::optional<Tensor>& running_var,
                                  const Tensor& mean, const Tensor& rstd, bool training, double eps,
                                  const std::array<bool, 3>& mask) {
  if (!grad.defined()) return {};
  if (input.dim() < 2)
    return {mul(grad, input), zeros({0}, grad.options()), zeros({0}, grad.options())};  // no elements
  const Dtype dtype = ops::norm_dtype(input.dtype()), parameter = dtype_of_parameter(weight, input.dtype());
  const std::vector<std::int64_t> others = all_but_channels(input.dim());
  const ChannelShape shape = ops::channel_shape(input);
  const std::int64_t rank = input.dim();
  if (batching::needs_operators(grad)) {
    const Tensor g = cast_to(grad, dtype), x = cast_to(input, dtype);
    const Tensor a = weight ? mul(g, per_channel(cast_to(*weight, dtype), rank)) : g;
    Normalised n;
    if (training) {
      n = normalise(x, others, eps, Centre::kMean);
    } else {
      n.rstd = per_channel(rsqrt(add(cast_to(*running_var, dtype), Scalar(eps))), rank);
      n.h = mul(sub(x, per_channel(cast_to(*running_mean, dtype), rank)), n.rstd);
    }
    NormGradients out;
    if (mask[0])
      std::get<0>(out) =
          cast_to(training ? normalised_backward(a, n, others, Centre::kMean) : mul(a, n.rstd), input.dtype());
    if (mask[1]) std::get<1>(out) = cast_to(sum(mul(g, n.h), OptionalIntArray(others), false), parameter);
    if (mask[2]) std::get<2>(out) = cast_to(sum(g, OptionalIntArray(others), false), parameter);
    return out;
  }
  const Device device = input.device();
  const Tensor x = ops::contiguous_as(input, dtype), dx = empty_tensor(input.sizes(), dtype, device);
  Tensor m = mean, s = rstd;
  if (!training) {
    m = ops::contiguous_as(*running_mean, dtype);
    s = empty_tensor({shape.channels}, dtype, device);
    if (!x.is_meta()) ops::reciprocal_deviation(ops::contiguous_as(*running_var, dtype), s, eps);
  } else if (m.dtype() != dtype) {
    m = empty_tensor({shape.channels}, dtype, device), s = empty_tensor({shape.channels}, dtype, device);
    const Tensor var = empty_tensor({shape.channels}, dtype, device);
    if (x.numel() > 0) channel_moments_kernel(device, m, var, x, shape);
    if (!x.is_meta()) ops::reciprocal_deviation(var, s, eps);
  }
  const Tensor dw = empty_if(mask[1], {shape.channels}, dtype, device);
  const Tensor db = empty_if(mask[2], {shape.channels}, dtype, device);
  channel_norm_backward_kernel(device, training ? Statistics::kOfBatch : Statistics::kGiven, dx, dw, db,
                               ops::contiguous_as(grad, dtype), x, ops::norm_operand(weight, dtype), m, s, shape);
  return {cast_to(dx, input.dtype()), cast_if(dw, parameter), cast_if(db, parameter)};
}

namespace {

// What the loss of each target is multiplied by; zero where it is ignored.
Tensor target_coefficients(const Tensor& grad, const Tensor& target, const Tensor& safe,
                           const std::optional<Tensor>& weight, std::int64_t reduction, std::int64_t ignore_index,
                           const Tensor& total_weight) {
  const Tensor share = reduction == 1 ? div(grad, total_weight) : grad;
  const Tensor counted = ne(target, Scalar(ignore_index));
  if (!weight) return where(counted, share, Scalar(0.0));
  const Tensor weights = reshape(index_select(*weight, 0, reshape(safe, {-1})), target.sizes());
  return where(counted, mul(weights, share), Scalar(0.0));
}

Tensor safe_target(const Tensor& target, std::int64_t ignore_index) {
  return _to_copy(where(eq(target, Scalar(ignore_index)), Scalar(0), target), TensorOptions(Dtype::kInt64));
}

}  // namespace

Tensor cross_entropy_backward(const Tensor& grad, const Tensor& self, const Tensor& target,
                              const std::optional<Tensor>& weight, std::int64_t reduction, std::int64_t ignore_index,
                              const Tensor& total_weight, const Tensor& lse) {
  if (!grad.defined()) return {};
  const Tensor safe = safe_target(target, ignore_index);
  const Tensor coefficients = target_coefficients(grad, target, safe, weight, reduction, ignore_index, total_weight);
  if (batching::needs_operators(grad)) {
    const Tensor column = unsqueeze(coefficients, 1);
    return sub(mul(softmax(self, 1), column),
               scatter(zeros(self.sizes(), self.options()), 1, unsqueeze(safe, 1), column));
  }
  const Dtype dtype = ops::norm_dtype(self.dtype());
  const Tensor out = empty_tensor(self.sizes(), dtype, self.device());
  cross_entropy_backward_kernel(self.device(), out, ops::contiguous_as(coefficients, dtype),
                                ops::contiguous_as(self, dtype), ops::contiguous_as(target, Dtype::kInt64), lse,
                                ignore_index);
  return cast_to(out, self.dtype());
}

}  // namespace rushlight
