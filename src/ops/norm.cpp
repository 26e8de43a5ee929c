// Layer, RMS, group, batch and instance normalisation; local response and weight normalisation.
#include "autograd/shown_name.h"
#include "ops/kernels/norm.h"

#include <limits>

#include "ops/norm_inputs.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace {

// Prints as `[*, 2, 3]`.
struct TrailingShape {
  IntArray sizes;
};
std::string to_text(TrailingShape shape) { return str("[*, ", shape.sizes).erase(4, 1); }

}  // namespace

namespace ops {

std::int64_t normalized_count(const Tensor& input, IntArray normalized_shape, const std::optional<Tensor>& weight,
                              const std::optional<Tensor>& bias, const char* op) {
  check(!normalized_shape.empty(), op, ": Expected normalized_shape to be at least 1-dimensional, i.e., containing at ",
        "least one element, but got normalized_shape = ", normalized_shape);
  const auto check_affine = [&](const std::optional<Tensor>& t, const char* which) {
    check(!t || t->sizes() == normalized_shape, op, ": Expected ", which,
          " to be of same shape as normalized_shape, but got ", which, " of shape ", t ? t->sizes() : IntArray{},
          " and normalized_shape = ", normalized_shape);
  };
  check_affine(weight, "weight");
  check_affine(bias, "bias");
  const std::size_t k = normalized_shape.size(), rank = static_cast<std::size_t>(input.dim());
  check(rank >= k && IntArray(std::span(input.sizes()).subspan(rank - k)) == normalized_shape, op,
        ": Given normalized_shape=", normalized_shape, ", expected input with shape ", TrailingShape{normalized_shape},
        ", but got input of size", input.sizes());
  std::int64_t count = 1;
  for (const std::int64_t size : normalized_shape)
    count *= size;
  return count;
}

Dtype norm_dtype(Dtype dtype) { return is_reduced_float(dtype) ? Dtype::kFloat32 : dtype; }

Tensor norm_operand(const Tensor& tensor, Dtype dtype) {
  return tensor.defined() ? contiguous_as(tensor, dtype) : tensor;
}
Tensor norm_operand(const std::optional<Tensor>& tensor, Dtype dtype) {
  return tensor && tensor->defined() ? contiguous_as(*tensor, dtype) : Tensor();
}

namespace {

void check_floating(const Tensor& input, const char* kernel) {
  check<NotImplementedError>(is_floating(input.dtype()), "\"", kernel, "\" not implemented for '",
                             scalar_type_name(input.dtype()), "'");
}

// Statistics come in float32 where parameters do.
Dtype statistics_dtype(const Tensor& input, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias) {
  if (weight && weight->defined()) return weight->dtype();
  return bias && bias->defined() ? bias->dtype() : input.dtype();
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> native_layer_norm(const Tensor& input, IntArray normalized_shape,
                                                     const std::optional<Tensor>& weight,
                                                     const std::optional<Tensor>& bias, double eps) {
  const std::int64_t n = normalized_count(input, normalized_shape, weight, bias, "layer_norm");
  check_floating(input, "LayerNormKernelImpl");
  const Dtype dtype = norm_dtype(input.dtype());
  std::vector<std::int64_t> outer = input.sizes().vec();
  for (std::size_t i = outer.size() - normalized_shape.size(); i < outer.size(); ++i)
    outer[i] = 1;
  const Device device = input.device();
  const Tensor out = empty_tensor(input.sizes(), dtype, device), mean = empty_tensor(outer, dtype, device),
               rstd = empty_tensor(outer, dtype, device);
  row_norm_kernel(device, RowNorm::kLayer, out, mean, rstd, contiguous_as(input, dtype), norm_operand(weight, dtype),
                  norm_operand(bias, dtype), n, eps);
  const Dtype statistics = statistics_dtype(input, weight, bias);
  return {converted(out, input.dtype()), converted(mean, statistics), converted(rstd, statistics)};
}

std::tuple<Tensor, Tensor> _fused_rms_norm(const Tensor& input, IntArray normalized_shape,
                                           const std::optional<Tensor>& weight, std::optional<double> eps) {
  const std::int64_t n = normalized_count(input, normalized_shape, weight, {}, "rms_norm");
  check_floating(input, "rms_norm");
  const Dtype dtype = norm_dtype(input.dtype());
  std::vector<std::int64_t> outer = input.sizes().vec();
  for (std::size_t i = outer.size() - normalized_shape.size(); i < outer.size(); ++i)
    outer[i] = 1;
  const Device device = input.device();
  const Tensor out = empty_tensor(input.sizes(), dtype, device), rstd = empty_tensor(outer, dtype, device);
  row_norm_kernel(device, RowNorm::kRms, out, {}, rstd, contiguous_as(input, dtype), norm_operand(weight, dtype), {}, n,
                  rms_epsilon(input.dtype(), eps));
  return {converted(out, input.dtype()), rstd};
}

double rms_epsilon(Dtype dtype, std::optional<double> eps) {
  if (eps) return *eps;
  return to_real(dtype) == Dtype::kFloat64 ? std::numeric_limits<double>::epsilon()
                                           : static_cast<double>(std::numeric_limits<float>::epsilon());
}

std::tuple<Tensor, Tensor, Tensor> native_group_norm(const Tensor& input, const std::optional<Tensor>& weight,
                                                     const std::optional<Tensor>& bias, std::int64_t N, std::int64_t C,
                                                     std::int64_t HxW, std::int64_t group, double eps) {
  check_floating(input, "GroupNormKernelImpl");
  check(group > 0 && C % group == 0,
        "group_norm: Expected number of channels in input to be divisible by num_groups, but got input of shape ",
        input.sizes(), " and num_groups=", group);
  const auto check_affine = [&](const std::optional<Tensor>& t, const char* which) {
    check(!t || !t->defined() || (t->dim() == 1 && t->numel() == C), "group_norm: Expected ", which,
          " to be a vector of size equal to the number of channels in input, but got ", which, " of shape ",
          t ? t->sizes() : IntArray{}, " and input of shape ", input.sizes());
  };
  check_affine(weight, "weight");
  check_affine(bias, "bias");
  const Dtype dtype = norm_dtype(input.dtype());
  const Device device = input.device();
  const Tensor out = empty_tensor(input.sizes(), dtype, device), mean = empty_tensor({N, group}, dtype, device),
               rstd = empty_tensor({N, group}, dtype, device);
  group_norm_kernel(device, out, mean, rstd, contiguous_as(input, dtype), norm_operand(weight, dtype),
                    norm_operand(bias, dtype), {N, C, HxW}, group, eps);
  const Dtype statistics = statistics_dtype(input, weight, bias);
  return {converted(out, input.dtype()), converted(mean, statistics), converted(rstd, statistics)};
}

ChannelShape channel_shape(const Tensor& input) {
  ChannelShape shape{input.dim() > 0 ? input.size(0) : 1, input.dim() > 1 ? input.size(1) : 0, 1};
  for (std::int64_t i = 2; i < input.dim(); ++i)
    shape.inner *= input.size(i);
  return shape;
}

std::tuple<Tensor, Tensor, Tensor> native_batch_norm(const Tensor& input, const std::optional<Tensor>& weight,
                                                     const std::optional<Tensor>& bias,
                                                     const std::optional<Tensor>& running_mean,
                                                     const std::optional<Tensor>& running_var, bool training,
                                                     double momentum, double eps) {
  check_floating(input, "batch_norm");
  check(input.dim() >= 2 || input.numel() == 0, "batch_norm: expected an input of at least 2 dimensions, but got ",
        input);
  const ChannelShape shape = channel_shape(input);
  const auto check_channels = [&](const std::optional<Tensor>& t, const char* which) {
    check(!t || !t->defined() || t->numel() == shape.channels, "batch_norm: ", which, " should contain ",
          shape.channels, " elements not ", t ? t->numel() : 0);
  };
  check_channels(weight, "weight"), check_channels(bias, "bias");
  check_channels(running_mean, "running_mean"), check_channels(running_var, "running_var");
  check(training || (running_mean && running_mean->defined()),
        "batch_norm: running_mean must be defined in evaluation mode");
  check(training || (running_var && running_var->defined()),
        "batch_norm: running_var must be defined in evaluation mode");
  const Dtype dtype = norm_dtype(input.dtype());
  const Device device = input.device();
  const Tensor in = contiguous_as(input, dtype), out = empty_tensor(input.sizes(), dtype, device);
  Tensor mean, rstd;
  if (training) {
    mean = empty_tensor({shape.channels}, dtype, device);
    const Tensor var = empty_tensor({shape.channels}, dtype, device);
    if (in.numel() > 0)
      channel_moments_kernel(device, mean, var, in, shape);
    else if (!in.is_meta())
      mean = contiguous_as(zeros({shape.channels}, TensorOptions(dtype)), dtype);
    rstd = empty_tensor({shape.channels}, dtype, device);
    if (!in.is_meta() && in.numel() > 0)
      update_statistics(mean, var, rstd, running_mean, running_var, shape, momentum, eps);
    else if (!in.is_meta())
      rstd = contiguous_as(ones({shape.channels}, TensorOptions(dtype)), dtype);
  } else {
    mean = contiguous_as(*running_mean, dtype);
    rstd = empty_tensor({shape.channels}, dtype, device);
    if (!in.is_meta()) reciprocal_deviation(contiguous_as(*running_var, dtype), rstd, eps);
  }
  channel_norm_kernel(device, out, in, norm_operand(weight, dtype), norm_operand(bias, dtype), mean, rstd, shape);
  const Dtype statistics = statistics_dtype(input, weight, bias);
  if (!training) {
    const Tensor none = empty_tensor({0}, statistics, device);
    return {converted(out, input.dtype()), none, none};
  }
  return {converted(out, input.dtype()), converted(mean, statistics), converted(rstd, statistics)};
}

// One element per channel: what is done with them is no work.
void reciprocal_deviation(const Tensor& var, const Tensor& rstd, double eps) {
  visit(var.dtype(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_floating_point_v<T>)
      for (std::int64_t i = 0; i < var.numel(); ++i)
        rstd.mutable_data<T>()[i] = static_cast<T>(1 / std::sqrt(static_cast<double>(var.data<T>()[i]) + eps));
  });
}

void update_statistics(const Tensor& mean, const Tensor& var, const Tensor& rstd,
                       const std::optional<Tensor>& running_mean, const std::optional<Tensor>& running_var,
                       const ChannelShape& shape, double momentum, double eps) {
  reciprocal_deviation(var, rstd, eps);
  const double n = static_cast<double>(shape.batch * shape.inner);
  const auto update = [&](const std::optional<Tensor>& running, const Tensor& now, double scale) {
    if (!running || !running->defined()) return;
    const Tensor next = add(mul(running->detach(), Scalar(1 - momentum)), mul(now, Scalar(momentum * scale)));
    const NoGradGuard no_grad;
    copy_(running->variable_data(), next);  // uncounted: two passes in training share one backward
  };
  update(running_mean, mean, 1);
  update(running_var, var, n / (n - 1));
}

}  // namespace ops

Tensor layer_norm(const Tensor& input, IntArray normalized_shape, const std::optional<Tensor>& weight,
                  const std::optional<Tensor>& bias, double eps, bool) {
  return std::get<0>(native_layer_norm(input, normalized_shape, weight, bias, eps));
}

Tensor rms_norm(const Tensor& input, IntArray normalized_shape, const std::optional<Tensor>& weight,
                std::optional<double> eps) {
  const ShownAs shown(weight ? "MulBackward0" : "FusedRmsNormBackward0");
  if (!input.is_complex()) return shown(std::get<0>(_fused_rms_norm(input, normalized_shape, weight, eps)));
  ops::normalized_count(input, normalized_shape, weight, {}, "rms_norm");
  std::vector<std::int64_t> dims;
  for (std::size_t i = 1; i <= normalized_shape.size(); ++i)
    dims.push_back(-static_cast<std::int64_t>(i));
  const Tensor square = mean(mul(input, input), OptionalIntArray(dims), true);
  const Tensor result = mul(input, rsqrt(add(square, Scalar(ops::rms_epsilon(input.dtype(), eps)))));
  return weight ? mul(result, *weight) : result;
}

Tensor group_norm(const Tensor& input, std::int64_t num_groups, const std::optional<Tensor>& weight,
                  const std::optional<Tensor>& bias, double eps, bool) {
  check<IndexError>(input.dim() >= 2,
                    "group_norm: Dimension out of range, expected an input of at least 2 dimensions, ", "but got ",
                    input);
  check(num_groups > 0, "group_norm: Expected num groups to be greater than 0, got ", num_groups);
  const ChannelShape shape = ops::channel_shape(input);
  check(shape.channels % num_groups == 0,
        "group_norm: Expected number of channels in input to be divisible by num_groups, but got input of shape ",
        input.sizes(), " and num_groups=", num_groups);
  return std::get<0>(native_group_norm(input, weight, bias, shape.batch, shape.channels, shape.inner, num_groups, eps));
}

Tensor batch_norm(const Tensor& input, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
                  const std::optional<Tensor>& running_mean, const std::optional<Tensor>& running_var, bool training,
                  double momentum, double eps, bool) {
  return std::get<0>(native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps));
}

Tensor instance_norm(const Tensor& input, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
                     const std::optional<Tensor>& running_mean, const std::optional<Tensor>& running_var,
                     bool use_input_stats, double momentum, double eps, bool cudnn_enabled) {
  check(use_input_stats || (running_mean && running_var),
        "instance_norm: Expected running_mean and running_var to be defined when use_input_stats is false");
  check(input.dim() >= 2, "instance_norm: expected an input of at least 2 dimensions, but got ", input);
  // Each channel of each batch element is a channel of one large batch element.
  const std::int64_t b = input.size(0), c = input.size(1);
  std::vector<std::int64_t> shape = input.sizes().vec();
  shape[1] = b * c;
  shape[0] = 1;
  const auto repeated = [&](const std::optional<Tensor>& t) { return t ? std::optional(repeat(*t, {b})) : t; };
  const std::optional<Tensor> mean = repeated(running_mean), var = repeated(running_var);
  const Tensor out = batch_norm(reshape(input, shape), repeated(weight), repeated(bias), mean, var, use_input_stats,
                                momentum, eps, cudnn_enabled);
  const auto average = [&](const std::optional<Tensor>& running, const std::optional<Tensor>& all) {
    if (!running || !use_input_stats) return;
    const NoGradGuard no_grad;
    copy_(*running, rushlight::mean(view(*all, {b, c}), OptionalIntArray{0}, false));
  };
  average(running_mean, mean);
  average(running_var, var);
  return view(out, input.sizes());
}

Tensor norm_except_dim(const Tensor& v, std::int64_t pow, std::int64_t dim) {
  if (dim == -1) return norm(v, Scalar(pow));
  dim = wrap_dim(dim, v.dim(), "norm_except_dim");
  std::vector<std::int64_t> others;
  for (std::int64_t i = 0; i < v.dim(); ++i)
    if (i != dim) others.push_back(i);
  if (others.empty()) return abs(v);
  return norm(v, std::optional<Scalar>(Scalar(pow)), IntArray(others), true);
}
Tensor _weight_norm(const Tensor& v, const Tensor& g, std::int64_t dim) {
  return mul(v, div(g, norm_except_dim(v, 2, dim)));
}
std::tuple<Tensor, Tensor> _weight_norm_interface(const Tensor& v, const Tensor& g, std::int64_t dim) {
  check(dim == 0 || dim == v.dim() - 1, "_weight_norm_interface: fused kernels can only be applied for first or last ",
        "dim, but got dim ", dim, " for ", v);
  const Dtype wide = carrier(v.dtype());
  const Tensor norms = norm_except_dim(to(v, wide), 2, dim);
  const Tensor scaled = mul(v, div(view(to(g, wide), norms.sizes()), norms));
  return {to(scaled, v.dtype()), view(norms.detach(), g.sizes())};
}

}  // namespace rushlight
