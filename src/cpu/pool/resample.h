// Resampling of (outer, size, inner) float32 and float64 arrays along their middle dim, in vectors.
#pragma once
#include <cstdint>
#include <vector>

#include "ops/kernels/upsample.h"

namespace rushlight::pool {

struct Lines {
  std::int64_t outer, in, out, inner;
};

// The table of taps with weights in the precision of the data; no weights: copies.
template <class T>
struct WeightedTaps {
  std::int64_t taps;
  const std::int64_t* index;
  std::vector<T> weight;
  explicit WeightedTaps(const Taps& t)
      : taps(t.taps), index(t.index.data()), weight(t.weight.begin(), t.weight.end()) {}
};

template <class T>
void resample(const Lines& l, const T* in, T* out, const WeightedTaps<T>& table);
// The transpose; overwrites grad_in.
template <class T>
void resample_backward(const Lines& l, const T* grad_out, T* grad_in, const WeightedTaps<T>& table);

}  // namespace rushlight::pool
