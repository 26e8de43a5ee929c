// Kernels of running sums, products, extrema and logarithmic sums along one dimension.
#pragma once
#include "ops/kernel.h"

namespace rushlight {

enum class Scan : std::uint8_t { kSum, kProd, kLogSumExp };
enum class ScanExtremum : std::uint8_t { kMax, kMin };

// Contiguous tensors of one dtype. Sums of float32 carry in float64, half types in float32.
extern const Kernel<void(Scan op, const TensorBase& out, const TensorBase& in, std::int64_t dim)> scan_kernel;
// Running extrema and the positions they come from: the last of equal ones; NaN wins.
extern const Kernel<void(ScanExtremum op, const TensorBase& values, const TensorBase& indices, const TensorBase& in,
                         std::int64_t dim)>
    scan_extremum_kernel;

}  // namespace rushlight
