#include "ops/scalar_range.h"

#include <cmath>
#include <limits>
#include <type_traits>

#include "rushlight/options.h"

namespace rushlight {

void check_fits(const Scalar& value, Dtype type) {
  if (type == Dtype::kBool || is_complex(type)) return;
  const auto fail = [&] { throw RuntimeError(str("value cannot be converted to type ", type, " without overflow")); };
  if (value.is_complex() && value.to<std::complex<double>>().imag() != 0) fail();
  visit_numbers(type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      if (value.type() == Dtype::kUInt64) {
        if (value.to<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<T>::max())) fail();
      } else if (std::is_same_v<T, std::uint64_t> && value.is_integral()) {
        return;  // negative numbers wrap around
      } else if (value.is_integral()) {
        const std::int64_t x = value.to_int();
        // Unsigned types take negative numbers that wrap around, as -1 for the largest.
        const std::int64_t low = std::is_signed_v<T> ? std::numeric_limits<T>::min()
                                                     : -static_cast<std::int64_t>(std::numeric_limits<T>::max());
        if (x < low || x > static_cast<std::int64_t>(std::numeric_limits<T>::max())) fail();
      } else {
        using Limits = std::numeric_limits<T>;
        const double x = value.to_double(), past = std::ldexp(1.0, Limits::digits);  // 2^63 - 1 is no double
        if (!(x >= static_cast<double>(Limits::min()) && x <= static_cast<double>(Limits::max()) && x < past)) fail();
      }
    } else if constexpr (std::is_same_v<T, float>) {
      const double x = value.to_double();
      if (std::isfinite(x) && std::abs(x) > static_cast<double>(std::numeric_limits<float>::max())) fail();
    } else if constexpr (std::is_same_v<T, Half>) {
      const double x = value.to_double();
      if (std::isfinite(x) && std::abs(x) > 65504.0) fail();
    }
  });
}

}  // namespace rushlight
