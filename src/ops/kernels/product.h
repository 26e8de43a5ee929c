// Kernels of matrix products.
#pragma once
#include "ops/kernel.h"

namespace rushlight {

// out = alpha * a @ b + beta * self. All of rank 2, (m, k) x (k, n), or of rank 3 with a leading
// batch; any strides for `a` and `b`; `out` is contiguous; `self` has the sizes of `out`, perhaps
// expanded, or is undefined. beta 0 does not read `self`. The dtype is that of all four.
extern const Kernel<void(const TensorBase& out, const TensorBase& a, const TensorBase& b, const TensorBase& self,
                         const Scalar& beta, const Scalar& alpha)>
    product_kernel;

}  // namespace rushlight
