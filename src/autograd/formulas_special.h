// Most formulas of this family stand with those of pointwise operators.
#pragma once
#include "autograd/formulas_pointwise.h"

namespace rushlight {

// In place of a formula: nobody has one.
[[noreturn]] inline Tensor no_derivative(const char* what) {
  throw NotImplementedError(str("the derivative for '", what, "' is not implemented."));
}

}  // namespace rushlight
