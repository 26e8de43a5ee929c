// Numbers as dtypes hold them that kernels compute in a wider one for.
#pragma once
#include "rushlight/scalar.h"

namespace rushlight {

// `number` rounded to a half type, or modulo the range of uint16 or uint32; itself for other dtypes.
inline Scalar rounded_to(const Scalar& number, Dtype type) {
  switch (type) {
    case Dtype::kFloat16:
      return Scalar(number.to<Half>());
    case Dtype::kBFloat16:
      return Scalar(number.to<BFloat16>());
    case Dtype::kUInt16:
      return Scalar(static_cast<std::uint16_t>(number.to_int()));
    case Dtype::kUInt32:
      return Scalar(static_cast<std::uint32_t>(number.to_int()));
    default:
      return number;
  }
}

}  // namespace rushlight
