// Numbers as the dtypes hold them that kernels compute with in a wider one.
#pragma once
#include "rushlight/scalar.h"

namespace rushlight {

// `number` as `type` holds it, a half type or an unsigned integer of 16 or 32 bits; itself for other dtypes.
inline Scalar rounded_to(const Scalar& number, Dtype type) {
  if (type == Dtype::kFloat16) return Scalar(static_cast<double>(static_cast<float>(number.to<Half>())));
  if (type == Dtype::kBFloat16) return Scalar(static_cast<double>(static_cast<float>(number.to<BFloat16>())));
  if (type == Dtype::kUInt16) return Scalar(static_cast<std::int64_t>(number.to<std::uint16_t>()));
  if (type == Dtype::kUInt32) return Scalar(static_cast<std::int64_t>(number.to<std::uint32_t>()));
  return number;
}

}  // namespace rushlight
