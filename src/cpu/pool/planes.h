// Sliding windows over float32 planes in vectors: maxima with or without positions, sums, and the way back of sums.
#pragma once
#include <cstdint>
#include <vector>

#include "ops/kernels/pool.h"

namespace rushlight::pool {

using Index = std::int64_t;

// What is common to all planes of a call. Rows are copied with their border, split by column mod stride, so that the
// elements under one tap are contiguous.
struct Sliding {
  struct Range {
    Index from, to, step;  // from, from + step, ... below to
  };
  PoolShape shape;
  Index phase_w, row_w;
  std::vector<Index> taps;                        // where each tap along x starts in a row
  std::vector<Range> depth, rows, columns;        // windows along each dim, clipped to the input
  std::vector<Index> window_rows, window_starts;  // rows of the plane that each row of windows covers
  std::vector<std::int32_t> first;                // the first column inside, of each output column
  explicit Sliding(const PoolShape& s);
  Index scratch() const;  // floats that a call needs, for one plane
};
// Sums of windows are divided by slices[z * out[1] + y] * columns[x].
struct Divisors {
  std::vector<float> slices, columns;
};

// One plane each. `where` may be null; positions are elements of the plane.
void max_plane(const Sliding& s, const float* in, float* out, Index* where, float* scratch);
void average_plane(const Sliding& s, const Divisors& by, const float* in, float* out, float* scratch);
void spread_plane(const Sliding& s, const Divisors& by, const float* grad_out, float* grad_in, float* scratch);

// One channels-last image each: the same windows for every channel, without scratch.
void max_image(const Sliding& s, Index channels, const float* in, float* out, Index* where);
void average_image(const Sliding& s, const Divisors& by, Index channels, const float* in, float* out);

}  // namespace rushlight::pool
