// Kernels of optimizers: one whole step of a parameter in one pass over memory.
//
// To add a method: its step here, its arithmetic in src/cpu/optim/methods-inl.h, a kernel in src/cpu/optim/steps.cpp.
#pragma once
#include <span>

#include "ops/kernel.h"

namespace rushlight {

// What all methods have. Decoupled decay shrinks the parameter instead of adding to its gradient.
struct StepOptions {
  double lr = 0, weight_decay = 0;
  bool maximize = false, decoupled = false;
  double step = 1;  // counts from 1
};
struct SgdStep : StepOptions {  // keeps: momentum buffer or null
  double momentum = 0, dampening = 0;
  bool nesterov = false;
};
struct AdamStep : StepOptions {  // keeps: first moment, second moment, largest second moment or null (amsgrad)
  double beta1, beta2, eps;
};
struct AdamaxStep : StepOptions {  // keeps: first moment, infinity norm
  double beta1, beta2, eps;
};
struct NadamStep : StepOptions {  // keeps: first moment, second moment
  double beta1, beta2, eps;
  double momentum, next_momentum;  // of this step and the next
  double product;                  // of all momentums up to this step
};
struct RadamStep : StepOptions {  // keeps: first moment, second moment
  double beta1, beta2, eps;
};
struct AdadeltaStep : StepOptions {  // keeps: mean square of gradients, of changes
  double rho, eps;
};
struct AdagradStep : StepOptions {  // keeps: sum of squares; `lr` is the rate of this step
  double eps;
};
struct RmspropStep : StepOptions {  // keeps: mean square, mean or null (centered), momentum buffer or null
  double alpha, eps, momentum;
};
struct RpropStep : StepOptions {  // keeps: gradient before, step size
  double eta_minus, eta_plus, smallest, largest;
};
struct AsgdStep : StepOptions {  // keeps: average of the parameter; `lr` is the rate of this step
  double lambda, mu;             // decay; weight of this step in the average
};

// Tensors are contiguous, apart from each other, of one shape and of dtype float32 or float64. Each element goes
// through the operations of the loops in Python's optimizers, rounded as often. `state` is what the step keeps.
template <class Step>
using StepKernel = Kernel<void(const TensorBase& param, const TensorBase& grad,
                               std::span<const TensorBase* const> state, const Step& step)>;

extern const StepKernel<SgdStep> sgd_kernel;
extern const StepKernel<AdamStep> adam_kernel;
extern const StepKernel<AdamaxStep> adamax_kernel;
extern const StepKernel<NadamStep> nadam_kernel;
extern const StepKernel<RadamStep> radam_kernel;
extern const StepKernel<AdadeltaStep> adadelta_kernel;
extern const StepKernel<AdagradStep> adagrad_kernel;
extern const StepKernel<RmspropStep> rmsprop_kernel;
extern const StepKernel<RpropStep> rprop_kernel;
extern const StepKernel<AsgdStep> asgd_kernel;

}  // namespace rushlight
