// Sampling at arbitrary positions: affine grids and grid_sampler. float32 and float64 have kernels; 16-bit numbers and
// derivatives of the derivatives are composed of public operators.
#include <cmath>

#include "autograd/formulas_pool.h"
#include "ops/composed.h"
#include "ops/kernels/grid_sampler.h"
#include "rushlight/autograd.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace {

using Sizes = std::vector<std::int64_t>;

// Positions mirrored between two borders, given as twice their coordinate.
Tensor reflected(const Tensor& x, std::int64_t twice_low, std::int64_t twice_high) {
  if (twice_low == twice_high) return zeros_like(x);
  const double low = static_cast<double>(twice_low) / 2, span = static_cast<double>(twice_high - twice_low) / 2;
  const Tensor distance = x.sub(Scalar(low)).abs(), extra = distance.fmod(Scalar(span));
  const Tensor odd = distance.detach().div(Scalar(span)).floor().fmod(Scalar(2)).ne(Scalar(0));
  return where(odd, extra.neg().add(Scalar(span)), extra).add(Scalar(low));
}

Tensor inside(const Tensor& x, std::int64_t size, GridPadding padding, bool align_corners) {
  Tensor at = x;
  if (padding == GridPadding::kReflection)
    at = align_corners ? reflected(at, 0, 2 * (size - 1)) : reflected(at, -1, 2 * size - 1);
  if (padding != GridPadding::kZeros) at = at.clamp(Scalar(0), Scalar(static_cast<double>(size - 1)));
  return at;
}

struct Sampler {
  Tensor flat;  // (batch, channels, elements)
  Sizes sizes;  // of the spatial dims
  GridPadding padding;
  bool align_corners;

  // Positions in elements along spatial dim d, from the grid's -1 ... 1.
  Tensor positions(const Tensor& grid, std::size_t d, bool apply_padding) const {
    const std::int64_t size = sizes[d];
    const Tensor g = grid.select(-1, static_cast<std::int64_t>(sizes.size() - 1 - d));
    const Tensor x = align_corners
                         ? g.add(Scalar(1)).mul(Scalar(static_cast<double>(size - 1) / 2))
                         : g.add(Scalar(1)).mul(Scalar(static_cast<double>(size))).sub(Scalar(1)).div(Scalar(2));
    return apply_padding ? inside(x, size, padding, align_corners) : x;
  }

  // Elements at whole positions, (batch, channels, points); 0 outside.
  Tensor at(const std::vector<Tensor>& whole) const {
    Tensor index, valid;
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      const std::int64_t size = sizes[d];
      const Tensor finite = whole[d].detach().nan_to_num(-1.0, -1.0, -1.0);
      const Tensor good = finite.ge(Scalar(0)).logical_and(finite.le(Scalar(static_cast<double>(size - 1))));
      const Tensor place = finite.clamp(Scalar(0), Scalar(static_cast<double>(size - 1))).to(Dtype::kInt64);
      index = d == 0 ? place : index.mul(Scalar(size)).add(place);
      valid = d == 0 ? good : valid.logical_and(good);
    }
    const std::int64_t batch = flat.size(0), channels = flat.size(1),
                       points = index.numel() / std::max<std::int64_t>(batch, 1);
    const Tensor values = flat.gather(2, index.reshape({batch, 1, points}).expand({batch, channels, points}));
    return values.masked_fill(valid.logical_not().reshape({batch, 1, points}), Scalar(0));
  }
};

Tensor weighted(const Tensor& values, const Tensor& weight) {
  return values.mul(weight.reshape({values.size(0), 1, values.size(2)}));
}

// Whole positions in a type that counts them one by one.
Tensor countable(const Tensor& whole) { return is_reduced_float(whole.dtype()) ? whole.to(Dtype::kFloat32) : whole; }

Tensor linear_samples(const Sampler& s, const Tensor& grid) {
  const std::size_t dims = s.sizes.size();
  std::vector<Tensor> low, rest, other;  // other: 1 - rest, exact for positions close to an element
  for (std::size_t d = 0; d < dims; ++d) {
    const Tensor x = s.positions(grid, d, true);
    low.push_back(x.detach().floor());
    rest.push_back(x.sub(low.back()));
    other.push_back(low.back().add(Scalar(1)).sub(x));
    low.back() = countable(low.back());
  }
  // Corners in the order of memory, weights from the last dim on: 16-bit sums round as PyTorch's.
  Tensor sum;
  for (std::size_t corner = 0; corner < (std::size_t{1} << dims); ++corner) {
    std::vector<Tensor> whole;
    Tensor weight;
    for (std::size_t d = 0; d < dims; ++d)
      whole.push_back((corner >> (dims - 1 - d)) & 1 ? low[d].add(Scalar(1)) : low[d]);
    for (std::size_t d = dims; d-- > 0;) {
      const Tensor& part = (corner >> (dims - 1 - d)) & 1 ? rest[d] : other[d];
      weight = weight.defined() ? weight.mul(part) : part;
    }
    const Tensor term = weighted(s.at(whole), weight);
    sum = corner == 0 ? term : sum.add(term);
  }
  return sum;
}

Tensor nearest_samples(const Sampler& s, const Tensor& grid) {
  std::vector<Tensor> whole;
  for (std::size_t d = 0; d < s.sizes.size(); ++d)
    whole.push_back(s.positions(grid, d, true).detach().round());
  const Tensor samples = s.at(whole);
  if (!grid.requires_grad()) return samples;
  // The grid's gradient is zero, not missing, and can be differentiated again: a product of zeros.
  const auto nothing = [](const Tensor& x) { return x.masked_fill(ones_like(x, Dtype::kBool), Scalar(0)); };
  const Tensor zero = nothing(grid.select(-1, 0)).reshape({samples.size(0), 1, samples.size(2)});
  return samples.add(nothing(samples).mul(zero));
}

// Weights of the four elements around a position whose rest is t.
std::vector<Tensor> cubic_weights(const Tensor& t) {
  constexpr double kA = -0.75;
  const auto outer = [](const Tensor& x) {
    return x.mul(Scalar(kA)).sub(Scalar(5 * kA)).mul(x).add(Scalar(8 * kA)).mul(x).sub(Scalar(4 * kA));
  };
  const auto inner = [](const Tensor& x) {
    return x.mul(Scalar(kA + 2)).sub(Scalar(kA + 3)).mul(x).mul(x).add(Scalar(1));
  };
  const Tensor other = t.neg().add(Scalar(1));
  return {outer(t.add(Scalar(1))), inner(t), inner(other), outer(other.add(Scalar(1)))};
}

Tensor cubic_samples(const Sampler& s, const Tensor& grid) {
  const Tensor y = s.positions(grid, 0, false), x = s.positions(grid, 1, false);
  const Tensor y0 = y.detach().floor(), x0 = x.detach().floor();
  const std::vector<Tensor> wy = cubic_weights(y.sub(y0)), wx = cubic_weights(x.sub(x0));
  const Tensor rows = countable(y0), columns = countable(x0);
  Tensor sum;
  for (std::size_t i = 0; i < 4; ++i) {
    const Tensor row = inside(rows.add(Scalar(static_cast<double>(i) - 1)), s.sizes[0], s.padding, s.align_corners);
    Tensor line;
    for (std::size_t j = 0; j < 4; ++j) {
      const Tensor column =
          inside(columns.add(Scalar(static_cast<double>(j) - 1)), s.sizes[1], s.padding, s.align_corners);
      const Tensor term = weighted(s.at({row, column}), wx[j]);
      line = j == 0 ? term : line.add(term);
    }
    const Tensor term = weighted(line, wy[i]);
    sum = i == 0 ? term : sum.add(term);
  }
  return sum;
}

void check_grid(const Tensor& input, const Tensor& grid, const GridSampling& how) {
  check(input.dim() >= 4 && input.dim() <= 5 && input.dim() == grid.dim(),
        "grid_sampler(): expected 4D or 5D input and grid with same number of dimensions, but got input with sizes ",
        input.sizes(), " and grid with sizes ", grid.sizes());
  check(input.size(0) == grid.size(0),
        "grid_sampler(): expected grid and input to have same batch size, but got input with "
        "sizes ",
        input.sizes(), " and grid with sizes ", grid.sizes());
  check(grid.size(-1) == input.dim() - 2, "grid_sampler(): expected grid to have size ", input.dim() - 2,
        " in last dimension, but got grid with sizes ", grid.sizes());
  for (std::int64_t d = 2; d < input.dim(); ++d)
    check(input.size(d) > 0,
          "grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes ", input.sizes(),
          " with dimension ", d, " being empty");
  check(input.dim() == 4 || how.interpolation != Interpolation::kCubic,
        "grid_sampler(): bicubic interpolation only supports 4D input");
  check<NotImplementedError>(input.is_floating_point(), "\"grid_sampler_2d_cpu_kernel_impl\" not implemented for '",
                             scalar_type_name(input.dtype()), "'");
  check(input.dtype() == grid.dtype(), "grid_sampler: expected scalar type ", scalar_type_name(input.dtype()),
        " but found ", scalar_type_name(grid.dtype()));
}

GridSampling sampling(std::int64_t interpolation_mode, std::int64_t padding_mode, bool align_corners) {
  return {static_cast<Interpolation>(interpolation_mode), static_cast<GridPadding>(padding_mode), align_corners};
}

Sizes sampled_sizes(const Tensor& input, const Tensor& grid) {
  Sizes sizes{input.size(0), input.size(1)};
  for (std::int64_t d = 1; d < grid.dim() - 1; ++d)
    sizes.push_back(grid.size(d));
  return sizes;
}

Tensor composed(const Tensor& input, const Tensor& grid, const GridSampling& how) {
  const Sampler s{input.flatten(2), Sizes(input.sizes().begin() + 2, input.sizes().end()), how.padding,
                  how.align_corners};
  const Tensor samples = how.interpolation == Interpolation::kLinear    ? linear_samples(s, grid)
                         : how.interpolation == Interpolation::kNearest ? nearest_samples(s, grid)
                                                                        : cubic_samples(s, grid);
  return samples.reshape(sampled_sizes(input, grid));
}

// The gradients as operators that can be differentiated again, where `recorded`.
std::tuple<Tensor, Tensor> composed_backward(const Tensor& grad, const Tensor& input, const Tensor& grid,
                                             const GridSampling& how, const std::array<bool, 2>& mask, bool recorded) {
  const AutoGradMode on(true);
  // Operands of their own, so that a grid made from the input adds nothing to the gradient of the input.
  const auto operand = [&](const Tensor& t, bool wanted) {
    if (recorded && t.requires_grad()) return t.view_as(t);
    return wanted ? t.detach().requires_grad_() : t.detach();
  };
  const Tensor image = operand(input, mask[0]), positions = operand(grid, mask[1]);
  const Tensor samples = composed(image, positions, how);
  std::vector<Tensor> wanted;
  if (mask[0]) wanted.push_back(image);
  if (mask[1]) wanted.push_back(positions);
  const std::vector<Tensor> found = autograd::grad({samples}, wanted, {grad}, std::nullopt, recorded, true);
  std::tuple<Tensor, Tensor> result;
  if (mask[0]) std::get<0>(result) = found.front();
  if (mask[1]) std::get<1>(result) = found.back();
  return result;
}

// Elements of a plane are counted in 32 bits.
bool has_kernel(const Tensor& input) {
  std::int64_t area = 1;
  for (std::int64_t d = 2; d < input.dim(); ++d)
    area *= input.size(d);
  return (input.dtype() == Dtype::kFloat32 || input.dtype() == Dtype::kFloat64) && area < (std::int64_t{1} << 31) - 1;
}

Tensor sampled(const Tensor& input, const Tensor& grid, const GridSampling& how) {
  check_grid(input, grid, how);
  const NoGradGuard no_grad;
  if (!has_kernel(input)) return composed(input, grid, how);
  const Tensor result = empty_tensor(sampled_sizes(input, grid), input.dtype(), input.device());
  if (result.numel()) grid_sampler_kernel(input.device(), how, input.contiguous(), grid.contiguous(), result);
  return result;
}

}  // namespace

std::tuple<Tensor, Tensor> grid_sampler_backward(const Tensor& grad, const Tensor& input, const Tensor& grid,
                                                 std::int64_t interpolation_mode, std::int64_t padding_mode,
                                                 bool align_corners, const std::array<bool, 2>& mask) {
  const GridSampling how = sampling(interpolation_mode, padding_mode, align_corners);
  const bool recorded = !(thread.modes & kGradOff);
  need_memory(grad, "grid_sampler_backward");
  if (recorded || !has_kernel(input)) return composed_backward(grad, input, grid, how, mask, recorded);
  const bool none = grad.numel() == 0;
  const auto gradient = [&](const Tensor& t, bool wanted) {
    if (!wanted) return Tensor();
    const Tensor result = empty_tensor(t.sizes(), t.dtype(), t.device());
    return none ? result.zero_() : result;
  };
  const Tensor of_input = gradient(input, mask[0]), of_grid = gradient(grid, mask[1]);
  if (!none)
    grid_sampler_backward_kernel(grad.device(), how, grad.contiguous(), input.contiguous(), grid.contiguous(), of_input,
                                 of_grid);
  return {of_input, of_grid};
}

Tensor uncast_grid_sampler(const Tensor& input, const Tensor& grid, std::int64_t interpolation_mode,
                           std::int64_t padding_mode, bool align_corners) {
  check_grid(input, grid, sampling(interpolation_mode, padding_mode, align_corners));
  return input.dim() == 4 ? grid_sampler_2d(input, grid, interpolation_mode, padding_mode, align_corners)
                          : grid_sampler_3d(input, grid, interpolation_mode, padding_mode, align_corners);
}

namespace ops {

Tensor grid_sampler_2d(const Tensor& input, const Tensor& grid, std::int64_t interpolation_mode,
                       std::int64_t padding_mode, bool align_corners) {
  check(input.dim() == 4, "grid_sampler_2d: expected 4D input, got ", input);
  return sampled(input, grid, sampling(interpolation_mode, padding_mode, align_corners));
}
Tensor grid_sampler_3d(const Tensor& input, const Tensor& grid, std::int64_t interpolation_mode,
                       std::int64_t padding_mode, bool align_corners) {
  check(input.dim() == 5, "grid_sampler_3d: expected 5D input, got ", input);
  return sampled(input, grid, sampling(interpolation_mode, padding_mode, align_corners));
}

}  // namespace ops

Tensor affine_grid_generator(const Tensor& theta, IntArray size, bool align_corners) {
  check(size.size() == 4 || size.size() == 5, "AffineGridGenerator needs 4d (spatial) or 5d (volumetric) inputs.");
  const auto dims = static_cast<std::int64_t>(size.size()) - 2;
  check(theta.dim() == 3 && theta.size(1) == dims && theta.size(2) == dims + 1, "affine_grid: Expected a batch of ",
        dims, "D affine matrices of shape Nx", dims, "x", dims + 1, " for size ", size, ". Got ", theta.sizes(), ".");
  Sizes spatial(size.begin() + 2, size.end());
  std::vector<Tensor> axes;  // x first
  std::int64_t points = 1;
  for (std::int64_t d = dims - 1; d >= 0; --d) {
    const std::int64_t n = spatial[static_cast<std::size_t>(d)];
    Tensor line = n <= 1 ? zeros({n}, theta.options()) : linspace(Scalar(-1), Scalar(1), n, theta.options());
    if (!align_corners && n > 1) line = line.mul(Scalar(static_cast<double>(n - 1) / static_cast<double>(n)));
    Sizes shape(static_cast<std::size_t>(dims), 1);
    shape[static_cast<std::size_t>(d)] = n;
    axes.push_back(line.view(shape).expand(spatial));
    points *= n;
  }
  axes.push_back(ones(spatial, theta.options()));
  const Tensor base = stack(axes, -1).view({1, points, dims + 1}).expand({theta.size(0), points, dims + 1});
  Sizes result{theta.size(0)};
  result.insert(result.end(), spatial.begin(), spatial.end());
  result.push_back(dims);
  return base.bmm(theta.transpose(1, 2)).view(result);
}

}  // namespace rushlight
