// Kernels that join tensors, cut triangles and fill sequences.
#pragma once
#include <span>

#include "ops/kernel.h"

namespace rushlight {

// One of several tensors that are joined: `bytes` of it at a time.
struct JoinPart {
  const void* from;
  std::int64_t bytes;
};
// Fills `out` with one run of each part in turn, `rounds` times.
extern const Kernel<void(const TensorBase& out, std::span<const JoinPart> parts, std::int64_t rounds)> join_kernel;

// The part of the matrices of `in` below (or above) a diagonal, the rest zero; both contiguous.
extern const Kernel<void(const TensorBase& out, const TensorBase& in, std::int64_t diagonal, bool upper)>
    triangle_kernel;

// out[i] = start + i * step, in the precision of out's dtype (integers exactly).
extern const Kernel<void(const TensorBase& out, const Scalar& start, const Scalar& step)> arange_kernel;
// `out` from `start` to `end` in equal steps; both ends are met exactly.
extern const Kernel<void(const TensorBase& out, const Scalar& start, const Scalar& end)> linspace_kernel;
// The same for exponents of `base`.
extern const Kernel<void(const TensorBase& out, const Scalar& start, const Scalar& end, double base)> logspace_kernel;

// out[repeats[0] + ... + repeats[i-1] + k] = i, of int32 or int64.
extern const Kernel<void(const TensorBase& out, const TensorBase& repeats)> repeat_interleave_kernel;

}  // namespace rushlight
