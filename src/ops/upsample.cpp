// Resampling of images: nearest, linear, cubic and antialiased, along each spatial dim in turn.
#include <algorithm>
#include <cmath>

#include "ops/kernels/upsample.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace {

using Sizes = std::vector<std::int64_t>;
using Scale = std::optional<double>;

enum class Filter { kNearest, kNearestExact, kLinear, kCubic, kLinearSmooth, kCubicSmooth, kLanczosSmooth };

double cubic_inner(double x, double a) { return ((a + 2) * x - (a + 3)) * x * x + 1; }
double cubic_outer(double x, double a) { return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a; }
double sinc(double x) { return x == 0 ? 1 : std::sin(3.14159265358979323846 * x) / (3.14159265358979323846 * x); }

double smooth_weight(Filter filter, double x) {
  x = std::fabs(x);
  if (filter == Filter::kLinearSmooth) return x < 1 ? 1 - x : 0;
  if (filter == Filter::kLanczosSmooth) return x < 3 ? sinc(x) * sinc(x / 3) : 0;
  return x < 1 ? cubic_inner(x, -0.5) : x < 2 ? cubic_outer(x, -0.5) : 0;
}

// Input elements for each output element, as the reference computes them, in the precision T of the
// data.
template <class T>
struct Axis {
  std::int64_t in, out;
  T step;  // input elements for each output element

  Axis(std::int64_t in_, std::int64_t out_, bool align_corners, Scale scale) : in(in_), out(out_) {
    if (align_corners)
      step = out > 1 ? static_cast<T>(in - 1) / static_cast<T>(out - 1) : T(0);
    else
      step = scale && *scale > 0 ? static_cast<T>(1 / *scale) : static_cast<T>(in) / static_cast<T>(out);
  }
  T source(std::int64_t i, bool align_corners, bool cubic) const {
    if (align_corners) return step * static_cast<T>(i);
    const T at = step * (static_cast<T>(i) + T(0.5)) - T(0.5);
    return cubic ? at : std::max(at, T(0));
  }
};

template <class T>
Taps smooth_table(const Axis<T>& axis, Filter filter) {
  const double reach = filter == Filter::kLinearSmooth ? 1 : filter == Filter::kCubicSmooth ? 2 : 3;
  const double step = static_cast<double>(axis.step), support = step >= 1 ? reach * step : reach;
  const double shrink = step >= 1 ? 1 / step : 1;
  Taps table;
  table.taps = 2 * static_cast<std::int64_t>(std::ceil(support)) + 1;
  for (std::int64_t i = 0; i < axis.out; ++i) {
    const double center = step * (static_cast<double>(i) + 0.5);
    const auto first = std::max<std::int64_t>(static_cast<std::int64_t>(center - support + 0.5), 0);
    const auto last = std::min<std::int64_t>(static_cast<std::int64_t>(center + support + 0.5), axis.in);
    const std::size_t start = table.weight.size();
    double total = 0;
    for (std::int64_t t = 0; t < table.taps; ++t) {
      const std::int64_t at = first + t;
      const double w = at < last ? smooth_weight(filter, (static_cast<double>(at) - center + 0.5) * shrink) : 0;
      table.index.push_back(std::min(at, axis.in - 1));
      table.weight.push_back(w);
      total += w;
    }
    for (std::size_t t = start; t < table.weight.size(); ++t)
      table.weight[t] /= total;
  }
  return table;
}

template <class T>
Taps table_of(const Axis<T>& axis, Filter filter, bool align_corners) {
  Taps table;
  if (filter >= Filter::kLinearSmooth) return smooth_table(axis, filter);
  for (std::int64_t i = 0; i < axis.out; ++i) {
    if (filter <= Filter::kNearestExact) {
      // The exact one rounds the center of the pixel, in PyTorch's steps: one operation, then float32.
      const T center = std::fma(static_cast<T>(i) + T(0.5), axis.step, T(-0.5));
      const T at = filter == Filter::kNearest ? static_cast<T>(i) * axis.step
                                              : static_cast<T>(static_cast<float>(std::max(center, T(0))) + 0.5f);
      table.index.push_back(std::min(static_cast<std::int64_t>(std::floor(at)), axis.in - 1));
      continue;
    }
    const T source = axis.source(i, align_corners, filter == Filter::kCubic);
    if (filter == Filter::kLinear) {
      table.taps = 2;
      const auto low = std::min(static_cast<std::int64_t>(source), axis.in - 1);
      const T rest = std::clamp(source - static_cast<T>(low), T(0), T(1));
      table.index.insert(table.index.end(), {low, std::min(low + 1, axis.in - 1)});
      table.weight.insert(table.weight.end(), {static_cast<double>(T(1) - rest), static_cast<double>(rest)});
      continue;
    }
    table.taps = 4;
    const T low = std::floor(source);
    const double t = static_cast<double>(source - low);
    for (std::int64_t k = -1; k <= 2; ++k)
      table.index.push_back(std::clamp<std::int64_t>(static_cast<std::int64_t>(low) + k, 0, axis.in - 1));
    table.weight.insert(table.weight.end(), {cubic_outer(t + 1, -0.75), cubic_inner(t, -0.75),
                                             cubic_inner(1 - t, -0.75), cubic_outer(2 - t, -0.75)});
  }
  return table;
}

// Byte images use weights of 15 bits and a sign, as PyTorch's do: sums in float32 are then exact.
void quantize(Taps& table) {
  double most = 0;
  for (const double w : table.weight)
    most = std::max(most, w);
  int bits = 0;
  while (bits < 22 && static_cast<int>(0.5 + most * (1 << (bits + 1))) < (1 << 15))
    ++bits;
  for (double& w : table.weight)
    w = std::trunc(w * (1 << bits) + (w < 0 ? -0.5 : 0.5)) / (1 << bits);
}

// Lines and volumes, not planes, of 16-bit numbers use weights of that precision, as PyTorch's do:
// the second weight of a pair is rounded, then one less that.
template <class T>
void round_pairs(Taps& table) {
  const auto rounded = [](double w) {
    return static_cast<double>(static_cast<float>(static_cast<T>(static_cast<float>(w))));
  };
  for (std::size_t i = 0; i < table.weight.size(); i += 2) {
    table.weight[i + 1] = rounded(table.weight[i + 1]);
    table.weight[i] = rounded(1 - table.weight[i + 1]);
  }
}

struct Call {
  Filter filter;
  std::int64_t dims;
  bool align_corners;
  Scale scales[3];
  const char* op;

  Taps table(std::int64_t in, std::int64_t out, std::int64_t dim, Dtype type) const {
    const Scale scale = scales[dim];
    if (type == Dtype::kFloat64) return table_of(Axis<double>(in, out, align_corners, scale), filter, align_corners);
    if (type == Dtype::kUInt8 && filter > Filter::kNearestExact) {
      Taps table = table_of(Axis<double>(in, out, align_corners, scale), filter, align_corners);
      quantize(table);
      return table;
    }
    Taps table = table_of(Axis<float>(in, out, align_corners, scale), filter, align_corners);
    if (filter == Filter::kLinear && dims != 2) {
      if (type == Dtype::kBFloat16) round_pairs<BFloat16>(table);
      if (type == Dtype::kFloat16) round_pairs<Half>(table);
    }
    return table;
  }
};

void check_sizes(IntArray input, IntArray output, const Call& call) {
  check(static_cast<std::int64_t>(output.size()) == call.dims, call.op, ": It is expected output_size equals to ",
        call.dims, ", but got size ", output.size());
  check(static_cast<std::int64_t>(input.size()) == call.dims + 2, call.op, ": It is expected input_size equals to ",
        call.dims + 2, ", but got size ", input.size());
  for (std::int64_t d = 0; d < call.dims; ++d)
    check(input[static_cast<std::size_t>(d + 2)] > 0 && output[static_cast<std::size_t>(d)] > 0, call.op,
          ": Input and output sizes should be greater than 0, but got input ", input, " output ", output);
  check(input[1] != 0, call.op, ": Non-empty ", call.dims + 2, "D data tensor expected but got a tensor with sizes ",
        input);
}

void check_dtype(const Tensor& t, const Call& call) {
  check<NotImplementedError>(t.is_floating_point() || t.dtype() == Dtype::kUInt8, "\"", call.op,
                             "\" not implemented for '", scalar_type_name(t.dtype()), "'");
}

// The order of memory of a call: channels-last images and volumes are resampled as they are, channels being one more
// dim after those resampled.
struct Order {
  bool last = false;
  MemoryFormat format = MemoryFormat::kContiguous;

  explicit Order(const Tensor& t) {
    if (t.is_contiguous() || t.dim() < 4) return;
    const MemoryFormat other = t.dim() == 4 ? MemoryFormat::kChannelsLast : MemoryFormat::kChannelsLast3d;
    last = t.is_contiguous(other);
    if (last) format = other;
  }
  Tensor make(IntArray sizes, const Tensor& like) const { return empty(sizes, like.options(), format); }
  // Contiguous, with spatial dim d at dim(d).
  Tensor dense(const Tensor& t) const {
    if (!last) return t;
    return t.dim() == 4 ? t.permute({0, 2, 3, 1}) : t.permute({0, 2, 3, 4, 1});
  }
  std::int64_t dim(std::int64_t d) const { return last ? d + 1 : d + 2; }
};

Tensor resampled(const Tensor& self, IntArray output_size, const Call& call) {
  check_sizes(self.sizes(), output_size, call);
  check_dtype(self, call);
  const NoGradGuard no_grad;
  const bool copies = call.filter <= Filter::kNearestExact, bytes = self.dtype() == Dtype::kUInt8;
  // Intermediate results stay in float32.
  const bool widened = is_reduced_float(self.dtype()) || (bytes && !copies);
  const Order order(self);
  Tensor result = (widened ? self.to(Dtype::kFloat32) : self).contiguous(order.format);
  for (std::int64_t d = call.dims - 1; d >= 0; --d) {
    const std::int64_t in = result.size(d + 2), out = output_size[static_cast<std::size_t>(d)];
    if (in == out && !copies && call.filter != Filter::kCubicSmooth && call.filter != Filter::kLanczosSmooth &&
        !call.scales[d])
      continue;
    Sizes sizes = result.sizes().vec();
    sizes[static_cast<std::size_t>(d + 2)] = out;
    const Tensor next = order.make(sizes, result);
    if (next.numel())
      resample_kernel(next.device(), order.dense(result), order.dense(next), order.dim(d),
                      call.table(in, out, d, self.dtype()));
    result = next;
    if (bytes && !copies)  // rounded after every dim
      result = next.add(Scalar(0.5)).floor().clamp(Scalar(0), Scalar(255)).contiguous(order.format);
  }
  if (widened) result = result.to(self.dtype()).contiguous(order.format);
  return result.is_same(self) ? self.clone() : result;
}

Tensor resampled_back(const Tensor& grad_output, IntArray output_size, IntArray input_size, const Call& call) {
  check_sizes(input_size, output_size, call);
  check_dtype(grad_output, call);
  const NoGradGuard no_grad;
  const bool widened = is_reduced_float(grad_output.dtype());
  const Order order(grad_output);
  Tensor result = (widened ? grad_output.to(Dtype::kFloat32) : grad_output).contiguous(order.format);
  for (std::int64_t d = 0; d < call.dims; ++d) {
    const std::int64_t in = input_size[static_cast<std::size_t>(d + 2)], out = result.size(d + 2);
    Sizes sizes = result.sizes().vec();
    sizes[static_cast<std::size_t>(d + 2)] = in;
    const Tensor next = order.make(sizes, result);
    if (next.numel())
      resample_backward_kernel(next.device(), order.dense(result), order.dense(next), order.dim(d),
                               call.table(in, out, d, grad_output.dtype()));
    result = next;
  }
  return widened ? result.to(grad_output.dtype()).contiguous(order.format) : result;
}

// The output size of a call that gives either a size or factors.
Sizes chosen_size(const Tensor& input, OptionalIntArray output_size, std::optional<std::span<const double>> factors,
                  std::int64_t dims) {
  check(output_size.has_value() != factors.has_value(),
        "interpolate: Must specify exactly one of output_size and scale_factors");
  if (output_size) {
    check(static_cast<std::int64_t>(output_size->size()) == dims, "interpolate: It is expected output_size equals to ",
          dims, ", but got size ", output_size->size());
    return output_size->vec();
  }
  check(static_cast<std::int64_t>(factors->size()) == dims && input.dim() == dims + 2,
        "interpolate: It is expected scale_factors equals to ", dims, ", but got size ", factors->size());
  Sizes sizes;
  for (std::int64_t d = 0; d < dims; ++d)
    sizes.push_back(
        static_cast<std::int64_t>(static_cast<double>(input.size(d + 2)) * (*factors)[static_cast<std::size_t>(d)]));
  return sizes;
}
Scale factor(std::optional<std::span<const double>> factors, std::size_t d) {
  return factors && d < factors->size() ? Scale((*factors)[d]) : std::nullopt;
}

}  // namespace

namespace ops {

Tensor upsample_nearest1d(const Tensor& self, IntArray output_size, std::optional<double> scales) {
  return resampled(self, output_size, {Filter::kNearest, 1, false, {scales}, "upsample_nearest1d"});
}

Tensor upsample_nearest1d_backward(const Tensor& grad_output, IntArray output_size, IntArray input_size,
                                   std::optional<double> scales) {
  return resampled_back(grad_output, output_size, input_size,
                        {Filter::kNearest, 1, false, {scales}, "upsample_nearest1d"});
}

Tensor upsample_nearest2d(const Tensor& self, IntArray output_size, std::optional<double> scales_h,
                          std::optional<double> scales_w) {
  return resampled(self, output_size, {Filter::kNearest, 2, false, {scales_h, scales_w}, "upsample_nearest2d"});
}

Tensor upsample_nearest2d_backward(const Tensor& grad_output, IntArray output_size, IntArray input_size,
                                   std::optional<double> scales_h, std::optional<double> scales_w) {
  return resampled_back(grad_output, output_size, input_size,
                        {Filter::kNearest, 2, false, {scales_h, scales_w}, "upsample_nearest2d"});
}

Tensor upsample_nearest3d(const Tensor& self, IntArray output_size, std::optional<double> scales_d,
                          std::optional<double> scales_h, std::optional<double> scales_w) {
  return resampled(self, output_size,
                   {Filter::kNearest, 3, false, {scales_d, scales_h, scales_w}, "upsample_nearest3d"});
}

Tensor upsample_nearest3d_backward(const Tensor& grad_output, IntArray output_size, IntArray input_size,
                                   std::optional<double> scales_d, std::optional<double> scales_h,
                                   std::optional<double> scales_w) {
  return resampled_back(grad_output, output_size, input_size,
                        {Filter::kNearest, 3, false, {scales_d, scales_h, scales_w}, "upsample_nearest3d"});
}

Tensor _upsample_nearest_exact1d(const Tensor& self, IntArray output_size, std::optional<double> scales) {
  return resampled(self, output_size, {Filter::kNearestExact, 1, false, {scales}, "_upsample_nearest_exact1d"});
}

Tensor _upsample_nearest_exact1d_backward(const Tensor& grad_output, IntArray output_size, IntArray input_size,
                                          std::optional<double> scales) {
  return resampled_back(grad_output, output_size, input_size,
                        {Filter::kNearestExact, 1, false, {scales}, "_upsample_nearest_exact1d"});
}

Tensor _upsample_nearest_exact2d(const Tensor& self, IntArray output_size, std::optional<double> scales_h,
                                 std::optional<double> scales_w) {
  return resampled(self, output_size,
                   {Filter::kNearestExact, 2, false, {scales_h, scales_w}, "_upsample_nearest_exact2d"});
}

Tensor _upsample_nearest_exact2d_backward(const Tensor& grad_output, IntArray output_size, IntArray input_size,
                                          std::optional<double> scales_h, std::optional<double> scales_w) {
  return resampled_back(grad_output, output_size, input_size,
                        {Filter::kNearestExact, 2, false, {scales_h, scales_w}, "_upsample_nearest_exact2d"});
}

Tensor _upsample_nearest_exact3d(const Tensor& self, IntArray output_size, std::optional<double> scales_d,
                                 std::optional<double> scales_h, std::optional<double> scales_w) {
  return resampled(self, output_size,
                   {Filter::kNearestExact, 3, false, {scales_d, scales_h, scales_w}, "_upsample_nearest_exact3d"});
}

Tensor _upsample_nearest_exact3d_backward(const Tensor& grad_output, IntArray output_size, IntArray input_size,
                                          std::optional<double> scales_d, std::optional<double> scales_h,
                                          std::optional<double> scales_w) {
  return resampled_back(grad_output, output_size, input_size,
                        {Filter::kNearestExact, 3, false, {scales_d, scales_h, scales_w}, "_upsample_nearest_exact3d"});
}

Tensor upsample_linear1d(const Tensor& self, IntArray output_size, bool align_corners, std::optional<double> scales) {
  return resampled(self, output_size, {Filter::kLinear, 1, align_corners, {scales}, "upsample_linear1d"});
}

Tensor upsample_linear1d_backward(const Tensor& grad_output, IntArray output_size, IntArray input_size,
                                  bool align_corners, std::optional<double> scales) {
  return resampled_back(grad_output, output_size, input_size,
                        {Filter::kLinear, 1, align_corners, {scales}, "upsample_linear1d"});
}

Tensor upsample_bilinear2d(const Tensor& self, IntArray output_size, bool align_corners, std::optional<double> scales_h,
                           std::optional<double> scales_w) {
  return resampled(self, output_size, {Filter::kLinear, 2, align_corners, {scales_h, scales_w}, "upsample_bilinear2d"});
}

Tensor upsample_bilinear2d_backward(const Tensor& grad_output, IntArray output_size, IntArray input_size,
                                    bool align_corners, std::optional<double> scales_h,
                                    std::optional<double> scales_w) {
  return resampled_back(grad_output, output_size, input_size,
                        {Filter::kLinear, 2, align_corners, {scales_h, scales_w}, "upsample_bilinear2d"});
}

Tensor upsample_trilinear3d(const Tensor& self, IntArray output_size, bool align_corners,
                            std::optional<double> scales_d, std::optional<double> scales_h,
                            std::optional<double> scales_w) {
  return resampled(self, output_size,
                   {Filter::kLinear, 3, align_corners, {scales_d, scales_h, scales_w}, "upsample_trilinear3d"});
}

Tensor upsample_trilinear3d_backward(const Tensor& grad_output, IntArray output_size, IntArray input_size,
                                     bool align_corners, std::optional<double> scales_d, std::optional<double> scales_h,
                                     std::optional<double> scales_w) {
  return resampled_back(grad_output, output_size, input_size,
                        {Filter::kLinear, 3, align_corners, {scales_d, scales_h, scales_w}, "upsample_trilinear3d"});
}

Tensor upsample_bicubic2d(const Tensor& self, IntArray output_size, bool align_corners, std::optional<double> scales_h,
                          std::optional<double> scales_w) {
  return resampled(self, output_size, {Filter::kCubic, 2, align_corners, {scales_h, scales_w}, "upsample_bicubic2d"});
}

Tensor upsample_bicubic2d_backward(const Tensor& grad_output, IntArray output_size, IntArray input_size,
                                   bool align_corners, std::optional<double> scales_h, std::optional<double> scales_w) {
  return resampled_back(grad_output, output_size, input_size,
                        {Filter::kCubic, 2, align_corners, {scales_h, scales_w}, "upsample_bicubic2d"});
}

Tensor _upsample_bilinear2d_aa(const Tensor& self, IntArray output_size, bool align_corners,
                               std::optional<double> scales_h, std::optional<double> scales_w) {
  return resampled(self, output_size,
                   {Filter::kLinearSmooth, 2, align_corners, {scales_h, scales_w}, "_upsample_bilinear2d_aa"});
}

Tensor _upsample_bilinear2d_aa_backward(const Tensor& grad_output, IntArray output_size, IntArray input_size,
                                        bool align_corners, std::optional<double> scales_h,
                                        std::optional<double> scales_w) {
  return resampled_back(grad_output, output_size, input_size,
                        {Filter::kLinearSmooth, 2, align_corners, {scales_h, scales_w}, "_upsample_bilinear2d_aa"});
}

Tensor _upsample_bicubic2d_aa(const Tensor& self, IntArray output_size, bool align_corners,
                              std::optional<double> scales_h, std::optional<double> scales_w) {
  return resampled(self, output_size,
                   {Filter::kCubicSmooth, 2, align_corners, {scales_h, scales_w}, "_upsample_bicubic2d_aa"});
}

Tensor _upsample_bicubic2d_aa_backward(const Tensor& grad_output, IntArray output_size, IntArray input_size,
                                       bool align_corners, std::optional<double> scales_h,
                                       std::optional<double> scales_w) {
  return resampled_back(grad_output, output_size, input_size,
                        {Filter::kCubicSmooth, 2, align_corners, {scales_h, scales_w}, "_upsample_bicubic2d_aa"});
}

Tensor _upsample_lanczos2d_aa(const Tensor& self, IntArray output_size, bool align_corners,
                              std::optional<double> scales_h, std::optional<double> scales_w) {
  return resampled(self, output_size,
                   {Filter::kLanczosSmooth, 2, align_corners, {scales_h, scales_w}, "_upsample_lanczos2d_aa"});
}

Tensor _upsample_lanczos2d_aa_backward(const Tensor& grad_output, IntArray output_size, IntArray input_size,
                                       bool align_corners, std::optional<double> scales_h,
                                       std::optional<double> scales_w) {
  return resampled_back(grad_output, output_size, input_size,
                        {Filter::kLanczosSmooth, 2, align_corners, {scales_h, scales_w}, "_upsample_lanczos2d_aa"});
}

}  // namespace ops

Tensor upsample_nearest1d(const Tensor& input, OptionalIntArray output_size,
                          std::optional<std::span<const double>> scale_factors) {
  return upsample_nearest1d(input, IntArray(chosen_size(input, output_size, scale_factors, 1)),
                            factor(scale_factors, 0));
}

Tensor upsample_nearest2d(const Tensor& input, OptionalIntArray output_size,
                          std::optional<std::span<const double>> scale_factors) {
  return upsample_nearest2d(input, IntArray(chosen_size(input, output_size, scale_factors, 2)),
                            factor(scale_factors, 0), factor(scale_factors, 1));
}

Tensor upsample_nearest3d(const Tensor& input, OptionalIntArray output_size,
                          std::optional<std::span<const double>> scale_factors) {
  return upsample_nearest3d(input, IntArray(chosen_size(input, output_size, scale_factors, 3)),
                            factor(scale_factors, 0), factor(scale_factors, 1), factor(scale_factors, 2));
}

Tensor _upsample_nearest_exact1d(const Tensor& input, OptionalIntArray output_size,
                                 std::optional<std::span<const double>> scale_factors) {
  return _upsample_nearest_exact1d(input, IntArray(chosen_size(input, output_size, scale_factors, 1)),
                                   factor(scale_factors, 0));
}

Tensor _upsample_nearest_exact2d(const Tensor& input, OptionalIntArray output_size,
                                 std::optional<std::span<const double>> scale_factors) {
  return _upsample_nearest_exact2d(input, IntArray(chosen_size(input, output_size, scale_factors, 2)),
                                   factor(scale_factors, 0), factor(scale_factors, 1));
}

Tensor _upsample_nearest_exact3d(const Tensor& input, OptionalIntArray output_size,
                                 std::optional<std::span<const double>> scale_factors) {
  return _upsample_nearest_exact3d(input, IntArray(chosen_size(input, output_size, scale_factors, 3)),
                                   factor(scale_factors, 0), factor(scale_factors, 1), factor(scale_factors, 2));
}

Tensor upsample_linear1d(const Tensor& input, OptionalIntArray output_size, bool align_corners,
                         std::optional<std::span<const double>> scale_factors) {
  return upsample_linear1d(input, IntArray(chosen_size(input, output_size, scale_factors, 1)), align_corners,
                           factor(scale_factors, 0));
}

Tensor upsample_bilinear2d(const Tensor& input, OptionalIntArray output_size, bool align_corners,
                           std::optional<std::span<const double>> scale_factors) {
  return upsample_bilinear2d(input, IntArray(chosen_size(input, output_size, scale_factors, 2)), align_corners,
                             factor(scale_factors, 0), factor(scale_factors, 1));
}

Tensor upsample_trilinear3d(const Tensor& input, OptionalIntArray output_size, bool align_corners,
                            std::optional<std::span<const double>> scale_factors) {
  return upsample_trilinear3d(input, IntArray(chosen_size(input, output_size, scale_factors, 3)), align_corners,
                              factor(scale_factors, 0), factor(scale_factors, 1), factor(scale_factors, 2));
}

Tensor upsample_bicubic2d(const Tensor& input, OptionalIntArray output_size, bool align_corners,
                          std::optional<std::span<const double>> scale_factors) {
  return upsample_bicubic2d(input, IntArray(chosen_size(input, output_size, scale_factors, 2)), align_corners,
                            factor(scale_factors, 0), factor(scale_factors, 1));
}

Tensor _upsample_bilinear2d_aa(const Tensor& input, OptionalIntArray output_size, bool align_corners,
                               std::optional<std::span<const double>> scale_factors) {
  return _upsample_bilinear2d_aa(input, IntArray(chosen_size(input, output_size, scale_factors, 2)), align_corners,
                                 factor(scale_factors, 0), factor(scale_factors, 1));
}

Tensor _upsample_bicubic2d_aa(const Tensor& input, OptionalIntArray output_size, bool align_corners,
                              std::optional<std::span<const double>> scale_factors) {
  return _upsample_bicubic2d_aa(input, IntArray(chosen_size(input, output_size, scale_factors, 2)), align_corners,
                                factor(scale_factors, 0), factor(scale_factors, 1));
}

Tensor _upsample_lanczos2d_aa(const Tensor& input, OptionalIntArray output_size, bool align_corners,
                              std::optional<std::span<const double>> scale_factors) {
  return _upsample_lanczos2d_aa(input, IntArray(chosen_size(input, output_size, scale_factors, 2)), align_corners,
                                factor(scale_factors, 0), factor(scale_factors, 1));
}

}  // namespace rushlight
