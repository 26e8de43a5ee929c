// Backward passes from and to batched tensors.
#pragma once
#include "batching/batched.h"

namespace rushlight::batching {

// A backward pass on the values behind batched outputs and inputs: samples are independent, so that the gradients of
// all come out of one pass. Levels that only the gradients given know flow through the graph as batched tensors.
class Values {
 public:
  // `accumulates`: gradients go to leaves, where those of all samples add up. Otherwise an input that samples share has
  // one gradient per sample, which a pass over all cannot tell apart: NeedsSamples.
  Values(TensorList outputs, TensorList inputs, TensorList gradients, bool accumulates);
  std::vector<Tensor> outputs, inputs, gradients;
  // Gradients of the inputs, batched as those are.
  std::vector<Tensor> samples(std::vector<Tensor> found) const;

 private:
  struct Taken {
    std::uint64_t serial;
    std::vector<bool> of_input;
  };
  void take(const Level& level, bool accumulates);
  std::vector<Taken> taken_;
};

bool any_batched(TensorList tensors);

}  // namespace rushlight::batching
