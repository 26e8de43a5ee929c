// Kernels of reductions over any set of dimensions.
#pragma once
#include "ops/kernel.h"

namespace rushlight {

enum class Reduction : std::uint8_t {
  kSum,
  kNanSum,
  kMean,
  kProd,
  kMax,
  kMin,
  kNorm1,
  kNorm2,
  kNormP,    // parameter: the order
  kNonzero,  // how many elements are not zero
  kVar,      // parameter: the correction
  kStd,
  kVarMean,  // second: the mean
  kStdMean,
  kLogSumExp,
  kArgMax,
  kArgMin,
  kMaxWithIndex,  // second: the index
  kMinWithIndex,
  kAny,
  kAll,
  kXor,  // of the bits of int64
};

// Whether there is a kernel for elements of `dtype`; if not, the operator converts first.
bool has_reduction(Reduction op, Dtype dtype);

// Reduces the dimensions whose bits are set in `dims`. `out` and `second` have the kept dimensions only; `second`
// may be undefined where the reduction has one result.
extern const Kernel<void(Reduction op, const TensorBase& out, const TensorBase& second, const TensorBase& self,
                         std::uint64_t dims, double parameter)>
    reduce_kernel;

}  // namespace rushlight
