// What generated entry functions and nodes include: modes, records, saved values, formula vocabulary.
#pragma once
#include <array>
#include <tuple>
#include <type_traits>

#include "autograd/interpose.h"
#include "autograd/node.h"
#include "autograd/saved.h"
#include "rushlight/ops.h"

namespace rushlight {

[[noreturn]] void no_grad_for_out(const char* name);
// A dense copy without history, for operators that are written in place.
Tensor copy_for_inplace(const Tensor& self);
// `self.copy_(value)` in the name of an in-place operator: shape and dtype of the value must fit.
const Tensor& assign_(const Tensor& self, const Tensor& value, const char* name);
// `self` becomes a view of what it was (t_, squeeze_, ...): shape and history change, elements do not move.
const Tensor& become_(const Tensor& self, const Tensor& view, const char* name);
// `out=`: resizes `out`, checks that the dtype fits, copies.
const Tensor& write_out(const Tensor& out, const Tensor& value, const char* name);

// Moves gradients of a list of inputs, or of a tuple of inputs, to the outputs of a node.
inline void spread(std::vector<Tensor> gradients, Tensor* out) { std::move(gradients.begin(), gradients.end(), out); }
template <class... Tensors>
void spread(std::tuple<Tensors...> gradients, Tensor* out) {
  std::apply([&](auto&... gradient) { ((*out++ = std::move(gradient)), ...); }, gradients);
}

}  // namespace rushlight
