// Numbers as the elements of a tensor hold them, where kernels compute in a wider dtype.
#pragma once
#include "rushlight/scalar.h"

namespace rushlight {

// `number` as an element of `type`: rounded, or wrapped around. Itself where kernels take numbers as that dtype.
inline Scalar rounded_to(const Scalar& number, Dtype type) {
  if (carrier(type) == type) return number;
  Scalar stored;
  visit_numbers(type, [&](auto zero) { stored = Scalar(number.to<decltype(zero)>()); });
  return stored;
}

}  // namespace rushlight
