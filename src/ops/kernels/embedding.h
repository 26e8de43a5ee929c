// Kernel of embedding.
#pragma once
#include "ops/kernel.h"

namespace rushlight {

// out[i] = weight[indices[i]] for rows of bytes: all contiguous, int64 indices in range.
extern const Kernel<void(const TensorBase& weight, const TensorBase& indices, const TensorBase& out)> embedding_kernel;

}  // namespace rushlight
