// The bits of 8-bit floating point formats: rounding into them without branches, and a table of what they mean.
// Encodings: OCP 8-bit Floating Point Specification (e4m3fn, e5m2), OCP Microscaling Formats (e8m0fnu), Noune et al.,
// "8-bit Numerical Formats for Deep Neural Networks", 2022 (fnuz).
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <limits>

#include "rushlight/dtype.h"

namespace rushlight::float8 {

struct Layout {
  int mantissa;            // bits after the leading one
  int bias;                // of the exponent
  std::uint32_t overflow;  // the first magnitude, as bits of a float, that is `above`
  std::uint8_t above;      // without sign
  std::uint8_t nan;
  bool one_zero;  // and the bits of -0 are NaN
};
template <Float8Format kFormat>
inline constexpr Layout kLayout{};
template <>
inline constexpr Layout kLayout<Float8Format::kE4M3FN>{3, 7, 0x43e80001, 0x7e, 0x7f, false};  // above 464
template <>
inline constexpr Layout kLayout<Float8Format::kE5M2>{2, 15, 0x47800000, 0x7c, 0x7f, false};  // 65536
template <>
inline constexpr Layout kLayout<Float8Format::kE4M3FNUZ>{3, 8, 0x43800000, 0x80, 0x80, true};  // 256
template <>
inline constexpr Layout kLayout<Float8Format::kE5M2FNUZ>{2, 16, 0x47800000, 0x80, 0x80, true};

template <Float8Format kFormat>
constexpr std::uint8_t encode(float value) {
  const std::uint32_t word = std::bit_cast<std::uint32_t>(value), magnitude = word & 0x7fffffffu;
  if constexpr (kFormat == Float8Format::kE8M0FNU) {  // the exponent alone, which ties round up but for the least
    const std::uint32_t exponent = magnitude >> 23, rest = magnitude & 0x7fffffu;
    const bool up = exponent > 0 ? rest >= 0x400000u : rest > 0x400000u;
    return static_cast<std::uint8_t>(exponent == 0xff ? 0xff : exponent + up);
  } else {
    constexpr Layout kOf = kLayout<kFormat>;
    constexpr int kShift = 23 - kOf.mantissa;
    // The value that, added, moves the last bit of a subnormal result to the last bit of a float; the addition rounds.
    constexpr auto kAlign = static_cast<std::uint32_t>(127 - kOf.bias + kShift + 1) << 23;
    constexpr std::uint32_t kLeastNormal = static_cast<std::uint32_t>(128 - kOf.bias) << 23;
    const std::uint32_t odd = magnitude >> kShift & 1u;
    const std::uint32_t normal = ((magnitude + ((1u << (kShift - 1)) - 1) + odd) >> kShift) -
                                 (static_cast<std::uint32_t>(127 - kOf.bias) << kOf.mantissa);
    const std::uint32_t small =
        std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + std::bit_cast<float>(kAlign)) - kAlign;
    std::uint32_t code = magnitude < kLeastNormal ? small : normal;
    code = magnitude >= kOf.overflow ? kOf.above : code;
    code = magnitude > 0x7f800000u ? kOf.nan : code;
    const std::uint32_t sign = word >> 24 & 0x80u;
    if constexpr (kOf.one_zero)
      return static_cast<std::uint8_t>(code == 0 ? 0 : code | sign);
    else
      return static_cast<std::uint8_t>(code | sign);
  }
}

template <Float8Format kFormat>
constexpr float decode(std::uint8_t bits) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();
  if constexpr (kFormat == Float8Format::kE8M0FNU) {
    if (bits == 0xff) return kNan;
    return std::bit_cast<float>(bits == 0 ? 0x400000u : static_cast<std::uint32_t>(bits) << 23);
  } else {
    constexpr Layout kOf = kLayout<kFormat>;
    const std::uint32_t magnitude = bits & 0x7fu, exponent = magnitude >> kOf.mantissa;
    const std::uint32_t fraction = magnitude & ((1u << kOf.mantissa) - 1);
    if (kOf.one_zero && bits == 0x80) return kNan;
    float value = 0;
    if (kFormat == Float8Format::kE4M3FN && magnitude == 0x7f) {
      value = kNan;
    } else if (kFormat == Float8Format::kE5M2 && exponent == 31) {
      value = fraction ? kNan : kInfinity;
    } else if (exponent == 0) {
      const auto unit = static_cast<std::uint32_t>(128 - kOf.bias - kOf.mantissa) << 23;
      value = static_cast<float>(fraction) * std::bit_cast<float>(unit);
    } else {
      value = std::bit_cast<float>((exponent + 127 - kOf.bias) << 23 | fraction << (23 - kOf.mantissa));
    }
    return bits & 0x80u ? -value : value;
  }
}

template <Float8Format kFormat>
inline constexpr std::array<float, 256> kDecoded = [] {
  std::array<float, 256> all{};
  for (std::uint32_t bits = 0; bits < 256; ++bits)
    all[bits] = decode<kFormat>(static_cast<std::uint8_t>(bits));
  return all;
}();

}  // namespace rushlight::float8
