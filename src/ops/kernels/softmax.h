// Kernels of softmax and log_softmax along one dimension.
#pragma once
#include "ops/kernel.h"

namespace rushlight {

enum class SoftmaxKind : std::uint8_t { kSoftmax, kLogSoftmax };

// Tensors are contiguous and of one floating dtype. Half types only along the last dimension, and only forward:
// the operator converts to float32 elsewhere.
extern const Kernel<void(SoftmaxKind kind, const TensorBase& out, const TensorBase& in, std::int64_t dim)>
    softmax_kernel;
extern const Kernel<void(SoftmaxKind kind, const TensorBase& out, const TensorBase& grad, const TensorBase& result,
                         std::int64_t dim)>
    softmax_backward_kernel;

}  // namespace rushlight
