// Numbers rounded to half types, as numbers.
#pragma once
#include "rushlight/scalar.h"

namespace rushlight {

// `number` as the half type `type` holds it; itself for other dtypes.
inline Scalar rounded_to(const Scalar& number, Dtype type) {
  if (type == Dtype::kFloat16) return Scalar(static_cast<double>(static_cast<float>(number.to<Half>())));
  if (type == Dtype::kBFloat16) return Scalar(static_cast<double>(static_cast<float>(number.to<BFloat16>())));
  return number;
}

}  // namespace rushlight
