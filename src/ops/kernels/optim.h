// Kernels of optimizers: one whole step of a parameter in one pass over memory.
#pragma once
#include "ops/kernel.h"

namespace rushlight {

struct SgdStep {
  double lr, weight_decay, momentum, dampening;
  bool nesterov, maximize;
};
struct AdamStep {
  double lr, beta1, beta2, weight_decay, eps;
  bool maximize, decoupled;
  double step;  // counts from 1
};

// Tensors are contiguous, apart from each other, of one shape and of dtype float32 or float64. Each element goes
// through the operations of the loops in Python's optimizers, rounded as often. `buffer` is null without momentum.
extern const Kernel<void(const TensorBase& param, const TensorBase& grad, const TensorBase* buffer,
                         const SgdStep& step)>
    sgd_kernel;
extern const Kernel<void(const TensorBase& param, const TensorBase& grad, const TensorBase& first,
                         const TensorBase& second, const AdamStep& step)>
    adam_kernel;

}  // namespace rushlight
