#include "batching/gradient.h"

#include "rushlight/ops.h"

namespace rushlight::batching {

bool any_batched(TensorList tensors) {
  for (const Tensor& tensor : tensors)
    if (tensor.word() & kBatched) return true;
  return false;
}

Values::Values(TensorList given_outputs, TensorList given_inputs, TensorList given_gradients, bool accumulates)
    : outputs(given_outputs.vec()), inputs(given_inputs.vec()), gradients(given_gradients.vec()) {
  check(gradients.empty() || gradients.size() == outputs.size(), "got ", outputs.size(), " tensors and ",
        gradients.size(), " gradients");
  gradients.resize(outputs.size());
  while (any_batched(outputs) || any_batched(inputs)) {
    std::size_t highest = 0;
    for (const auto* list : {&outputs, &inputs})
      for (const Tensor& tensor : *list)
        if (tensor.word() & kBatched) highest = std::max(highest, index_of(serial_of(tensor)));
    take(Level(levels()[highest]), accumulates);
  }
}

void Values::take(const Level& level, bool accumulates) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    Tensor &output = outputs[i], &gradient = gradients[i];
    if (!depends_on(output, level)) {
      if (gradient.defined() && depends_on(gradient, level))
        need_samples("vmap: a backward pass from outputs of which only some differ between samples");
      continue;
    }
    if (!gradient.defined()) {
      check(output.numel() == 1, "grad can be implicitly created only for scalar outputs");
      check(!output.is_complex(), "grad can be implicitly created only for real scalar outputs but got torch.",
            output.dtype());
      gradient = ones_like(output);
    }
    output = batch_of(output, level);
    gradient = batch_of(gradient, level);
  }
  Taken taken{level.serial, {}};
  for (Tensor& input : inputs) {
    const bool differs = depends_on(input, level);
    taken.of_input.push_back(differs);
    if (differs)
      input = batch_of(input, level);
    else if (!accumulates)
      need_samples("vmap: the gradient of a tensor that all samples share is asked for, for each sample");
  }
  taken_.push_back(std::move(taken));
}

std::vector<Tensor> Values::samples(std::vector<Tensor> found) const {
  for (auto taken = taken_.rbegin(); taken != taken_.rend(); ++taken)
    for (std::size_t i = 0; i < found.size(); ++i)
      if (found[i].defined() && taken->of_input[i]) found[i] = sample_of(found[i], levels()[index_of(taken->serial)]);
  return found;
}

}  // namespace rushlight::batching
