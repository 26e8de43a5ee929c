// Kernels of losses with class indices as targets.
#pragma once
#include "ops/kernel.h"

namespace rushlight {

// Input [batch, classes, inner], targets [batch, inner] in int64: losses = -weight[target] * input[target], and the
// weights; both 0 where the target is `ignore_index`. Throws IndexError for a target that is no class. Tensors are
// contiguous float32, or all float64; `weight` may be undefined.
extern const Kernel<void(const TensorBase& losses, const TensorBase& weights, const TensorBase& in,
                         const TensorBase& target, const TensorBase& weight, std::int64_t ignore_index)>
    nll_kernel;

// Rows of logits: losses = weight[target] * (lse - input[target]), where lse is the logarithm of the sum of
// exponentials of a row.
extern const Kernel<void(const TensorBase& losses, const TensorBase& weights, const TensorBase& lse,
                         const TensorBase& in, const TensorBase& target, const TensorBase& weight,
                         std::int64_t ignore_index)>
    cross_entropy_kernel;
// grad_in = coefficient[row] * (softmax(in) - onehot(target)).
extern const Kernel<void(const TensorBase& grad_in, const TensorBase& coefficient, const TensorBase& in,
                         const TensorBase& target, const TensorBase& lse, std::int64_t ignore_index)>
    cross_entropy_backward_kernel;

}  // namespace rushlight
