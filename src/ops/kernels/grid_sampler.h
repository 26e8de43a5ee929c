// Kernels of grid_sampler: elements of images and volumes at arbitrary positions, and both gradients.
#pragma once
#include "ops/kernel.h"

namespace rushlight {

enum class Interpolation : std::int64_t { kLinear, kNearest, kCubic };
enum class GridPadding : std::int64_t { kZeros, kBorder, kReflection };

struct GridSampling {
  Interpolation interpolation;
  GridPadding padding;
  bool align_corners;
};

// input (batch, channels, sizes...), grid (batch, points..., dims) and output (batch, channels, points...): contiguous,
// not empty, float32 or float64, with less than 2^31 elements in a plane. Cubic interpolation has two dims.
extern const Kernel<void(const GridSampling& how, const TensorBase& input, const TensorBase& grid,
                         const TensorBase& output)>
    grid_sampler_kernel;
// Either gradient may be undefined; the others are overwritten.
extern const Kernel<void(const GridSampling& how, const TensorBase& grad_output, const TensorBase& input,
                         const TensorBase& grid, const TensorBase& grad_input, const TensorBase& grad_grid)>
    grid_sampler_backward_kernel;

}  // namespace rushlight
