// Sampling of planes at the points of a grid.
#pragma once
#include <cstdint>

#include "ops/kernels/grid_sampler.h"

namespace rushlight::pool {

using Index = std::int64_t;

struct GridShape {
  Index batch, channels, points;
  Index in[3];  // depth 1 in two dims
  int dims;
  Interpolation interpolation;
  GridPadding padding;
  bool align_corners;
  Index area() const { return in[0] * in[1] * in[2]; }
};

// input (batch, channels, area), grid (batch, points, dims) with x first, output (batch, channels, points)
template <class T>
struct GridOperands {
  const T *input, *grid;
  T* output;
};
template <class T>
struct GridGradients {
  const T *grad_output, *input, *grid;
  T *grad_input, *grad_grid;  // null where not wanted
};

}  // namespace rushlight::pool
