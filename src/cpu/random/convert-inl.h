// Narrow element types and the conversions PyTorch applies on storing a random value.
#if defined(RL_CPU_RANDOM_CONVERT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_CPU_RANDOM_CONVERT_INL_H_
#undef RL_CPU_RANDOM_CONVERT_INL_H_
#else
#define RL_CPU_RANDOM_CONVERT_INL_H_
#endif

#include <cmath>
#include <cstring>
#include <type_traits>

#include "cpu/random/distributions.h"
#include "cpu/simd/half-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::random {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct F16 {
  std::uint16_t bits;
};
struct BF16 {
  std::uint16_t bits;
};

template <class T>
constexpr bool kHalf = std::is_same_v<T, F16> || std::is_same_v<T, BF16>;
template <class T>
constexpr int kDigits = std::is_same_v<T, F16>     ? 11
                        : std::is_same_v<T, BF16>  ? 8
                        : std::is_same_v<T, float> ? 24
                                                   : 53;
template <class T>
constexpr bool kFloating = kHalf<T> || std::is_floating_point_v<T>;

template <class To, class From>
HWY_INLINE To bits_of(From x) {
  static_assert(sizeof(To) == sizeof(From));
  To y;
  std::memcpy(&y, &x, sizeof(y));
  return y;
}

HWY_INLINE float to_float(BF16 x) { return bits_of<float>(static_cast<std::uint32_t>(x.bits) << 16); }
HWY_INLINE float to_float(F16 x) {
  const std::uint32_t sign = static_cast<std::uint32_t>(x.bits & 0x8000) << 16, rest = x.bits & 0x7fffu;
  // Rescaling through a multiplication also places subnormals; infinity and NaN keep their
  // exponent.
  const float value = bits_of<float>(rest << 13) * 0x1p112f;
  const std::uint32_t bits = rest >= 0x7c00 ? rest << 13 | 0x7f800000u : bits_of<std::uint32_t>(value);
  return bits_of<float>(bits | sign);
}
HWY_INLINE float to_float(float x) { return x; }

// To nearest, ties to even.
template <class T>
HWY_INLINE T from_float(float x) {
  if constexpr (std::is_same_v<T, BF16>) {
    const std::uint32_t bits = bits_of<std::uint32_t>(x);
    const std::uint32_t rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
    return BF16{static_cast<std::uint16_t>(x != x ? 0x7fc0 : rounded)};
  } else if constexpr (std::is_same_v<T, F16>) {
    const std::uint32_t bits = bits_of<std::uint32_t>(x), sign = bits >> 16 & 0x8000, rest = bits & 0x7fffffff;
    std::uint32_t half;
    if (rest >= 0x47800000) {  // 65536 and more, infinity, NaN
      half = rest > 0x7f800000 ? 0x7e00 : 0x7c00;
    } else if (rest < 0x38800000) {  // subnormal: the adder rounds
      half = bits_of<std::uint32_t>(bits_of<float>(rest) + 0.5f) - 0x3f000000;
    } else {
      half = (rest + 0xfff + (rest >> 13 & 1) - 0x38000000) >> 13;
    }
    return F16{static_cast<std::uint16_t>(half | sign)};
  } else {
    return static_cast<T>(x);
  }
}

// Half types go through float32, as c10's do.
template <class T>
HWY_INLINE T from_double(double x) {
  if constexpr (kHalf<T>)
    return from_float<T>(static_cast<float>(x));
  else
    return static_cast<T>(x);
}
template <class T>
HWY_INLINE T from_integer(std::int64_t x) {
  if constexpr (kHalf<T>)
    return from_float<T>(static_cast<float>(x));
  else
    return static_cast<T>(x);
}

template <class T>
HWY_INLINE void narrow(const float* HWY_RESTRICT in, T* HWY_RESTRICT out, std::size_t n) {
  std::size_t i = 0;
  if constexpr (kHalf<T>) {
    using Stored = std::conditional_t<std::is_same_v<T, F16>, Half, BFloat16>;
    const hn::ScalableTag<float> d;
    for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d))
      simd::HWY_NAMESPACE::store_half(d, hn::LoadU(d, in + i), reinterpret_cast<Stored*>(out + i));
  }
  for (; i < n; ++i)
    out[i] = from_float<T>(in[i]);
}

// Replaces elements that equal `last` (-0 equals 0) by `first`.
template <class T>
HWY_INLINE void replace(T* HWY_RESTRICT values, std::size_t n, T last, T first) {
  const std::uint16_t zero = (last.bits & 0x7fff) == 0 ? 0x7fff : 0xffff, wanted = last.bits & zero;
  std::size_t i = 0;
  const hn::ScalableTag<std::uint16_t> d;
  auto* bits = reinterpret_cast<std::uint16_t*>(values);
  for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
    const auto x = hn::LoadU(d, bits + i);
    const auto found = hn::Eq(hn::And(x, hn::Set(d, zero)), hn::Set(d, wanted));
    hn::StoreU(hn::IfThenElse(found, hn::Set(d, first.bits), x), d, bits + i);
  }
  for (; i < n; ++i)
    if ((values[i].bits & zero) == wanted) values[i] = first;
}

// Calls f with a value of the C++ type that stands for `type`.
template <class F>
HWY_INLINE bool for_floating(Dtype type, F f) {
  switch (type) {
    case Dtype::kFloat32:
      f(float());
      return true;
    case Dtype::kFloat64:
      f(double());
      return true;
    case Dtype::kFloat16:
      f(F16());
      return true;
    case Dtype::kBFloat16:
      f(BF16());
      return true;
    default:
      return false;
  }
}
template <class F>
HWY_INLINE bool for_all(Dtype type, F f) {
  switch (type) {
    case Dtype::kUInt8:
      f(std::uint8_t());
      return true;
    case Dtype::kInt8:
      f(std::int8_t());
      return true;
    case Dtype::kInt16:
      f(std::int16_t());
      return true;
    case Dtype::kInt32:
      f(std::int32_t());
      return true;
    case Dtype::kInt64:
      f(std::int64_t());
      return true;
    case Dtype::kUInt16:
      f(std::uint16_t());
      return true;
    case Dtype::kUInt32:
      f(std::uint32_t());
      return true;
    case Dtype::kUInt64:
      f(std::uint64_t());
      return true;
    case Dtype::kBool:
      f(bool());
      return true;
    default:
      return for_floating(type, f);
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace rushlight::random
HWY_AFTER_NAMESPACE();
#endif
