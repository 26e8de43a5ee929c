// Kernels of losses between an input and a target, summed in the pass that computes them.
#pragma once
#include "ops/kernel.h"

namespace rushlight {

// kSmoothL1's parameter is beta, above 0, kHuber's is delta; kLogits is the cross-entropy of sigmoid(input).
enum class PairLoss : std::uint8_t { kSquared, kSmoothL1, kHuber, kLogits };

// out = scale * the sum of all losses. Contiguous tensors of one shape, float32 or float64; out has one element.
extern const Kernel<void(PairLoss kind, const TensorBase& out, const TensorBase& input, const TensorBase& target,
                         double parameter, double scale)>
    pair_loss_kernel;

// out[i] = grad * scale * the derivative of the loss of element i by the input; grad has one element.
extern const Kernel<void(PairLoss kind, const TensorBase& out, const TensorBase& grad, const TensorBase& input,
                         const TensorBase& target, double parameter, double scale)>
    pair_loss_gradient_kernel;

}  // namespace rushlight
