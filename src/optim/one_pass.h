// Steps of whole parameters by a kernel, for both faces: where they may be taken, and the step.
#pragma once
#include <array>

#include "ops/kernels/optim.h"
#include "rushlight/tensor.h"

namespace rushlight::optim {

// The tensors that a method keeps for a parameter, in the order of its step; null where it does not keep one.
using Kept = std::array<const Tensor*, 3>;

// Whether nothing has to be told of a change to the memory of a tensor that a method keeps.
bool is_plain(const Tensor& kept);

// Whether kernels take these tensors: dense, of one shape and one of their two dtypes, apart in memory, not seen by
// anything that would have to be told. Otherwise a step goes operation by operation.
bool fits_one_pass(const Tensor& param, const Tensor& grad, const Kept& kept);

template <class Step>
void one_pass(const StepKernel<Step>& kernel, const Step& step, const Tensor& param, const Tensor& grad,
              const Kept& kept) {
  const TensorBase* const state[] = {kept[0], kept[1], kept[2]};
  kernel(param.device(), param, grad, state, step);
  param.bump_version("add_");
  for (const Tensor* tensor : kept)
    if (tensor) tensor->bump_version("add_");
}

}  // namespace rushlight::optim
