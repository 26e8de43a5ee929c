// What generated entry functions and nodes include: modes, records, saved values, formula vocabulary.
#pragma once
#include <tuple>
#include <type_traits>

#include "autograd/interpose.h"
#include "autograd/node.h"
#include "autograd/saved.h"

namespace rushlight {

[[noreturn]] void no_grad_for_out(const char* name);

// Moves gradients of a list of inputs, or of a tuple of inputs, to the outputs of a node.
inline void spread(std::vector<Tensor> gradients, Tensor* out) { std::move(gradients.begin(), gradients.end(), out); }
template <class... Tensors>
void spread(std::tuple<Tensors...> gradients, Tensor* out) {
  std::apply([&](auto&... gradient) { ((*out++ = std::move(gradient)), ...); }, gradients);
}

}  // namespace rushlight
