// Compares derivatives with differences of function values.
#pragma once
#include "rushlight/autograd.h"

namespace rushlight::autograd {

struct GradcheckOptions {
  double eps = 1e-6;  // step of the central difference
  double atol = 1e-5;
  double rtol = 1e-3;
  bool forward_mode = false;  // compares Jacobian-vector products too
};
using Differentiable = std::function<variable_list(const variable_list&)>;

// Throws RuntimeError that names input, output and element where the gradient of `function` at `inputs` is wrong.
// Inputs that require a gradient must be float64 or complex128.
void gradcheck(const Differentiable& function, const variable_list& inputs, const GradcheckOptions& options = {});
// The same for second derivatives, with random gradients of the outputs where none are given.
void gradgradcheck(const Differentiable& function, const variable_list& inputs, variable_list grad_outputs = {},
                   const GradcheckOptions& options = {});

}  // namespace rushlight::autograd
