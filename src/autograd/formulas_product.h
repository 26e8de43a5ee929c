// Derivatives of products, on public operators: each can be differentiated again.
#pragma once
#include <tuple>

#include "rushlight/tensor.h"

namespace rushlight {

// grad times the conjugate of a factor of the forward formula
Tensor scaled_gradient(const Tensor& grad, const Scalar& factor);
// The gradient of `self` in beta * self + ..., where self was expanded.
Tensor added_backward(const Tensor& grad, IntArray sizes, const Scalar& beta);
// In place of a formula: PyTorch has none either.
[[noreturn]] inline std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor> no_product_derivative(const char* op) {
  throw RuntimeError(str("derivative for aten::", op, " is not implemented"));
}

}  // namespace rushlight
