// Kernels of resampling along one dimension.
#pragma once
#include <vector>

#include "ops/kernel.h"

namespace rushlight {

// Output i is the sum over t < taps of weight[i * taps + t] * input[index[i * taps + t]]; weights
// of 0 are allowed. A table without weights copies (taps 1).
struct Taps {
  std::int64_t taps = 1;
  std::vector<std::int64_t> index;
  std::vector<double> weight;
};

// Both contiguous, as (outer, size, inner).
extern const Kernel<void(const TensorBase& in, const TensorBase& out, std::int64_t dim, const Taps& table)>
    resample_kernel;
// The transpose: in += weight * out.
extern const Kernel<void(const TensorBase& grad_out, const TensorBase& grad_in, std::int64_t dim, const Taps& table)>
    resample_backward_kernel;

}  // namespace rushlight
