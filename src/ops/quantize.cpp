// Fake quantization: numbers rounded to what a quantized format has, in floating point, with gradients straight
// through where the format's range allows (Jacob et al., "Quantization and Training of Neural Networks for Efficient
// Integer-Arithmetic-Only Inference", 2018; learned scales: Esser et al., "Learned Step Size Quantization", 2020).
#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/kernels/quantize.h"
#include "rushlight/autograd.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace {

using Pair = std::tuple<Tensor, Tensor>;

void check_range(std::int64_t quant_min, std::int64_t quant_max, const char* op) {
  check(quant_min <= quant_max, op, ": `quant_min` should be less than or equal to `quant_max`, got ", quant_min,
        " and ", quant_max);
}

void check_constant(const Tensor& scale, const char* op) {
  check(!GradMode::is_enabled() || !scale.requires_grad(), "The function '", op,
        "' is not differentiable with respect to argument 'scale'. This input cannot have requires_grad True.");
}

Tensor as_float(const Tensor& t) { return t.to(Dtype::kFloat32).contiguous(); }
Tensor one_number(double value, const Tensor& like) {
  return full({1}, Scalar(value), TensorOptions(Dtype::kFloat32, like.device()));
}

// `scale` and `zero_point`: float32, an element for each channel.
Pair round_to(const Tensor& self, const Tensor& scale, const Tensor& zero_point, const Grid& grid, const char* kernel) {
  check<NotImplementedError>(is_floating(self.dtype()) && !is_stored_only(self.dtype()), "\"", kernel,
                             "\" not implemented for '", scalar_type_name(self.dtype()), "'");
  const Tensor in = self.contiguous();
  const Tensor out = empty_tensor(self.sizes(), self.dtype(), self.device()),
               mask = empty_tensor(self.sizes(), Dtype::kBool, self.device());
  fake_quantize_kernel(self.device(), out, mask, in, scale, zero_point, grid);
  return {self.is_contiguous() ? out : empty_like(self).copy_(out), mask};
}

Pair round_tensor(const Tensor& self, double scale, std::int64_t zero_point, std::int64_t quant_min,
                  std::int64_t quant_max) {
  const NoGradGuard no_grad;
  const Grid grid{std::max<std::int64_t>(self.numel(), 1), quant_min, quant_max};
  return round_to(self, one_number(scale, self), one_number(static_cast<double>(zero_point), self), grid,
                  "fake_quantize_tensor_cachemask_kernel_type_handling");
}

void check_channels(const Tensor& self, const Tensor& scale, const Tensor& zero_point, std::int64_t axis,
                    const char* op) {
  check(scale.dim() == 1, op, ": scale should be a 1-D tensor, got ", scale);
  check(zero_point.dim() == 1, op, ": zero point should be a 1-D tensor, got ", zero_point);
  check(scale.numel() == zero_point.numel(), op, ": scale and zero-point need to have the same dimensions, got ",
        scale.sizes(), " and ", zero_point.sizes());
  check<IndexError>(axis >= -self.dim() && axis < self.dim(), op,
                    ": Dimension out of range (expected to be in range of [", -self.dim(), ", ", self.dim() - 1,
                    "], but got ", axis, ")");
  check(axis >= 0, op, ": `axis` must be between 0 and number of dimensions of input, got ", axis);
  check(scale.numel() == self.size(axis), op,
        ": dimensions of scale and zero-point are not consistent with input tensor: ", scale.numel(),
        " scales for dimension ", axis, " of ", self.sizes());
}

Pair round_channels(const Tensor& self, const Tensor& scale, const Tensor& zero_point, std::int64_t axis,
                    std::int64_t quant_min, std::int64_t quant_max, const char* op) {
  const NoGradGuard no_grad;
  check_channels(self, scale, zero_point, axis, op);
  Grid grid{1, quant_min, quant_max};
  for (std::int64_t i = axis + 1; i < self.dim(); ++i)
    grid.inner *= self.size(i);
  if (is_floating(zero_point.dtype())) grid.rounding = Grid::Rounding::kShifted;
  return round_to(self, as_float(scale), as_float(zero_point), grid,
                  "fake_quantize_channel_cachemask_cpu_type_handling");
}

struct Parameters {
  float scale, zero_point;
};
// The finest grid of [low, high] that spans [min, max] and has 0; a symmetric one has 0 in its middle.
Parameters choose(double min, double max, std::int64_t low, std::int64_t high, bool symmetric) {
  constexpr float kSmallest = 6.1e-5F;  // scales below are not normal numbers of float16
  const double steps = static_cast<double>(high - low);
  symmetric = symmetric && min < 0 && max > 0;
  if (symmetric) {
    const std::int64_t half = (high - low) / 2;
    const double below = static_cast<double>(half + 1), above = static_cast<double>(half);
    const double widest = std::max(-min / below, max / above);
    min = static_cast<float>(-widest * below);
    max = static_cast<float>(widest * above);
  }
  min = std::min(min, 0.0);
  max = std::max(max, 0.0);
  double scale = (max - min) / steps;
  if (static_cast<float>(scale) == 0 || std::isinf(1.0F / static_cast<float>(scale))) scale = 0.1;
  if (scale < kSmallest) {
    const float stretch = kSmallest / static_cast<float>(scale);
    scale = kSmallest;
    min = static_cast<float>(min * stretch);
    max = static_cast<float>(max * stretch);
  }
  if (symmetric) return {static_cast<float>(scale), std::nearbyint(static_cast<float>(low + high) / 2)};
  scale = static_cast<float>(scale);  // as it is kept
  // The bound whose position is known more exactly fixes the zero point.
  const double from_min = static_cast<double>(low) - min / scale, from_max = static_cast<double>(high) - max / scale;
  const bool by_min =
      std::abs(static_cast<double>(low)) - min / scale < std::abs(static_cast<double>(high)) + max / scale;
  const double zero = std::clamp(by_min ? from_min : from_max, static_cast<double>(low), static_cast<double>(high));
  return {static_cast<float>(scale), static_cast<float>(std::nearbyint(zero))};
}

void choose_parameters(const Tensor& running_min, const Tensor& running_max, const Tensor& scale,
                       const Tensor& zero_point, std::int64_t low, std::int64_t high, bool symmetric) {
  const Tensor min = as_float(running_min), max = as_float(running_max);
  const Tensor chosen = empty_tensor({2, min.numel()}, Dtype::kFloat32, min.device());
  for (std::int64_t i = 0; i < min.numel(); ++i) {
    const Parameters at = choose(min.data<float>()[i], max.data<float>()[i], low, high, symmetric);
    chosen.mutable_data<float>()[i] = at.scale;
    chosen.mutable_data<float>()[min.numel() + i] = at.zero_point;
  }
  if (scale.numel() != min.numel()) scale.resize_({min.numel()});
  if (zero_point.numel() != min.numel()) zero_point.resize_({min.numel()});
  scale.copy_(chosen.select(0, 0).view(scale.sizes()));
  zero_point.copy_(chosen.select(0, 1).view(zero_point.sizes()));
}

// running += share * (observed - running); the first observation replaces infinity.
void move_towards(const Tensor& running, const Tensor& observed, double share) {
  const Tensor seen = observed.view(running.sizes());
  running.copy_(where(running.isinf(), seen, running.add(seen.sub(running).mul(Scalar(share)))));
}

void observe(const Tensor& self, const Tensor& running_min, const Tensor& running_max, double share, bool per_row) {
  const Tensor rows = per_row ? self.reshape({self.size(0), -1}) : self.reshape({-1});
  const std::optional<std::int64_t> dim = per_row ? std::optional<std::int64_t>(1) : std::nullopt;
  const auto [min, max] = aminmax(rows, dim);
  if (per_row && running_min.numel() == 0) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    running_min.resize_({self.size(0)}).fill_(Scalar(kInfinity));
    running_max.resize_({self.size(0)}).fill_(Scalar(-kInfinity));
  }
  move_towards(running_min, min, share);
  move_towards(running_max, max, share);
}

bool is_on(const Tensor& flag) { return flag.item().to_int() != 0; }

}  // namespace

namespace ops {

Pair fake_quantize_per_tensor_affine_cachemask(const Tensor& self, double scale, std::int64_t zero_point,
                                               std::int64_t quant_min, std::int64_t quant_max) {
  check_range(quant_min, quant_max, "fake_quantize_per_tensor_affine");
  check(zero_point >= quant_min && zero_point <= quant_max,
        "fake_quantize_per_tensor_affine: `zero_point` must be between `quant_min` and `quant_max`, got ", zero_point,
        " and [", quant_min, ", ", quant_max, "]");
  return round_tensor(self, scale, zero_point, quant_min, quant_max);
}

Pair _fake_quantize_per_tensor_affine_cachemask_tensor_qparams(const Tensor& self, const Tensor& scale,
                                                               const Tensor& zero_point,
                                                               const Tensor& fake_quant_enabled, std::int64_t quant_min,
                                                               std::int64_t quant_max) {
  check_range(quant_min, quant_max, "fake_quantize_per_tensor_affine");
  if (!is_on(fake_quant_enabled)) {
    const NoGradGuard no_grad;
    return {self.clone(), ones_like(self, TensorOptions(Dtype::kBool))};
  }
  return round_tensor(self, scale.item().to_double(), zero_point.item().to_int(), quant_min, quant_max);
}

Pair fake_quantize_per_channel_affine_cachemask(const Tensor& self, const Tensor& scale, const Tensor& zero_point,
                                                std::int64_t axis, std::int64_t quant_min, std::int64_t quant_max) {
  constexpr const char* kName = "fake_quantize_per_channel_affine";
  check(scale.dtype() == Dtype::kFloat32 || scale.dtype() == Dtype::kBFloat16, kName,
        ": Scale must be Float or BFloat16, found ", scalar_type_name(scale.dtype()));
  const Dtype type = zero_point.dtype();
  check(type == Dtype::kInt32 || type == Dtype::kFloat32 || type == Dtype::kFloat16, kName,
        ": Zero-point must be Int32, Float or Half, found ", scalar_type_name(type));
  check_channels(self, scale, zero_point, axis, kName);
  check_range(quant_min, quant_max, kName);
  const bool known = type == Dtype::kInt32 && zero_point.numel() > 0 && !zero_point.is_meta();
  check(!known || (min(zero_point).item().to_int() >= quant_min && max(zero_point).item().to_int() <= quant_max), kName,
        ": `zero_point` must be between `quant_min` and `quant_max`, [", quant_min, ", ", quant_max, "]");
  return round_channels(self, scale, zero_point, axis, quant_min, quant_max, kName);
}

Tensor _fake_quantize_learnable_per_tensor_affine(const Tensor& self, const Tensor& scale, const Tensor& zero_point,
                                                  std::int64_t quant_min, std::int64_t quant_max, double) {
  check_range(quant_min, quant_max, "_fake_quantize_learnable_per_tensor_affine");
  const double zero = std::nearbyint(zero_point.item().to_double());
  const double bounded = std::clamp(zero, static_cast<double>(quant_min), static_cast<double>(quant_max));
  return std::get<0>(
      round_tensor(self, scale.item().to_double(), static_cast<std::int64_t>(bounded), quant_min, quant_max));
}

Tensor _fake_quantize_learnable_per_channel_affine(const Tensor& self, const Tensor& scale, const Tensor& zero_point,
                                                   std::int64_t axis, std::int64_t quant_min, std::int64_t quant_max,
                                                   double) {
  constexpr const char* kName = "_fake_quantize_learnable_per_channel_affine";
  check_range(quant_min, quant_max, kName);
  const NoGradGuard no_grad;
  const Tensor zero = zero_point.round().clamp(Scalar(quant_min), Scalar(quant_max)).to(Dtype::kInt32);
  return std::get<0>(round_channels(self, scale, zero, axis, quant_min, quant_max, kName));
}

Pair _fused_moving_avg_obs_fq_helper(const Tensor& self, const Tensor& observer_on, const Tensor& fake_quant_on,
                                     const Tensor& running_min, const Tensor& running_max, const Tensor& scale,
                                     const Tensor& zero_point, double averaging_const, std::int64_t quant_min,
                                     std::int64_t quant_max, std::int64_t ch_axis, bool per_row_fake_quant,
                                     bool symmetric_quant) {
  constexpr const char* kName = "fused_moving_avg_obs_fake_quant";
  check(self.dtype() == Dtype::kFloat32, kName, ": expected scalar type Float but found ",
        scalar_type_name(self.dtype()));
  check(!per_row_fake_quant || ch_axis == 0, "Per-channel FakeQuant in ", kName,
        " is only supported on axis == 0, got ", ch_axis);
  check_range(quant_min, quant_max, kName);
  const NoGradGuard no_grad;
  if (is_on(observer_on) && self.numel() > 0)
    observe(self, running_min, running_max, averaging_const, per_row_fake_quant);
  if (!is_on(fake_quant_on)) return {self.clone(), ones_like(self, TensorOptions(Dtype::kBool))};
  choose_parameters(running_min, running_max, scale, zero_point, quant_min, quant_max, symmetric_quant);
  if (!per_row_fake_quant)
    return round_tensor(self, scale.item().to_double(), zero_point.item().to_int(), quant_min, quant_max);
  return round_channels(self, scale, zero_point, ch_axis, quant_min, quant_max, kName);
}

}  // namespace ops

Tensor fake_quantize_per_tensor_affine(const Tensor& self, double scale, std::int64_t zero_point,
                                       std::int64_t quant_min, std::int64_t quant_max) {
  return std::get<0>(fake_quantize_per_tensor_affine_cachemask(self, scale, zero_point, quant_min, quant_max));
}

Tensor fake_quantize_per_tensor_affine(const Tensor& self, const Tensor& scale, const Tensor& zero_point,
                                       std::int64_t quant_min, std::int64_t quant_max) {
  check_constant(scale, "_fake_quantize_per_tensor_affine_cachemask_tensor_qparams");
  const Tensor on = ones({1}, TensorOptions(Dtype::kInt64));
  return std::get<0>(
      _fake_quantize_per_tensor_affine_cachemask_tensor_qparams(self, scale, zero_point, on, quant_min, quant_max));
}

Tensor fake_quantize_per_channel_affine(const Tensor& self, const Tensor& scale, const Tensor& zero_point,
                                        std::int64_t axis, std::int64_t quant_min, std::int64_t quant_max) {
  check_constant(scale, "fake_quantize_per_channel_affine_cachemask");
  return std::get<0>(fake_quantize_per_channel_affine_cachemask(self, scale, zero_point, axis, quant_min, quant_max));
}

Tensor fused_moving_avg_obs_fake_quant(const Tensor& self, const Tensor& observer_on, const Tensor& fake_quant_on,
                                       const Tensor& running_min, const Tensor& running_max, const Tensor& scale,
                                       const Tensor& zero_point, double averaging_const, std::int64_t quant_min,
                                       std::int64_t quant_max, std::int64_t ch_axis, bool per_row_fake_quant,
                                       bool symmetric_quant) {
  return std::get<0>(_fused_moving_avg_obs_fq_helper(self, observer_on, fake_quant_on, running_min, running_max, scale,
                                                     zero_point, averaging_const, quant_min, quant_max, ch_axis,
                                                     per_row_fake_quant, symmetric_quant));
}

}  // namespace rushlight
