// Losses that are reduced in the pass that computes them, for their operators and their derivatives.
#pragma once
#include "ops/kernels/pair_loss.h"
#include "rushlight/tensor.h"

namespace rushlight::ops {

// Whether the kernels of pair_loss.h serve: two dense tensors of one shape and float dtype, and a reduction.
bool fits_one_pass(const Tensor& self, const Tensor& target, std::int64_t reduction);

// `reduction`: 1 mean, 2 sum. Neither is recorded.
Tensor one_pass(PairLoss kind, const Tensor& self, const Tensor& target, std::int64_t reduction, double parameter);
Tensor one_pass_gradient(PairLoss kind, const Tensor& grad, const Tensor& self, const Tensor& target,
                         std::int64_t reduction, double parameter);

}  // namespace rushlight::ops
