// float16 and bfloat16 in memory as vectors of float32 and back, rounded to nearest even. Included once per target.
#if defined(RL_HALF_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_HALF_INL_H_
#undef RL_HALF_INL_H_
#else
#define RL_HALF_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"
#include "rushlight/dtype.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET <= HWY_AVX2
template <class D>
HWY_INLINE hn::Vec<D> load_half(D d, const Half* p) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<hwy::float16_t, D>(), reinterpret_cast<const hwy::float16_t*>(p)));
}
template <class D>
HWY_INLINE void store_half(D, hn::Vec<D> v, Half* p) {
  const hn::Rebind<hwy::float16_t, D> dh;
  hn::StoreU(hn::DemoteTo(dh, v), dh, reinterpret_cast<hwy::float16_t*>(p));
}
#else
// Without instructions for it; Highway 1.0.3 rounds towards zero there and knows no infinities. The exponents differ by
// 112; float32 has them 13 bits higher.
template <class D>
HWY_INLINE hn::Vec<D> load_half(D d, const Half* p) {
  const hn::RebindToUnsigned<D> du;
  const auto bits =
      hn::PromoteTo(du, hn::LoadU(hn::Rebind<std::uint16_t, D>(), reinterpret_cast<const std::uint16_t*>(p)));
  const auto shift = hn::Set(du, 112u << 23), magnitude = hn::ShiftLeft<13>(hn::And(bits, hn::Set(du, 0x7fff)));
  const auto normal = hn::Add(magnitude, shift);
  const auto infinite = hn::Gt(magnitude, hn::Set(du, 0x0f7fffff)), small = hn::Lt(magnitude, hn::Set(du, 1u << 23));
  // A subnormal number is what the next exponent would make of it less that exponent's 1.
  const auto one = hn::Set(du, 113u << 23);
  const auto subnormal = hn::Sub(hn::BitCast(d, hn::Add(magnitude, one)), hn::BitCast(d, one));
  auto result = hn::IfThenElse(small, hn::BitCast(du, subnormal), normal);
  result = hn::IfThenElse(infinite, hn::Add(normal, shift), result);
  return hn::BitCast(d, hn::Or(result, hn::ShiftLeft<31>(hn::ShiftRight<15>(bits))));
}
template <class D>
HWY_INLINE void store_half(D d, hn::Vec<D> v, Half* p) {
  const hn::RebindToUnsigned<D> du;
  const auto bits = hn::BitCast(du, v), sign = hn::And(bits, hn::Set(du, 0x80000000)), magnitude = hn::Xor(bits, sign);
  const auto odd = hn::And(hn::ShiftRight<13>(magnitude), hn::Set(du, 1));
  const auto rounded = hn::Sub(hn::Add(magnitude, hn::Add(odd, hn::Set(du, 0xfff))), hn::Set(du, 112u << 23));
  // The least steps of 1/2 in float32 are those of subnormal numbers, 2^-24: the sum rounds.
  const auto half = hn::Set(d, 0.5f);
  const auto subnormal = hn::Sub(hn::BitCast(du, hn::Add(hn::BitCast(d, magnitude), half)), hn::BitCast(du, half));
  const auto small = hn::Lt(magnitude, hn::Set(du, 113u << 23)), large = hn::Gt(magnitude, hn::Set(du, 0x477fefff));
  auto result = hn::IfThenElse(small, subnormal, hn::ShiftRight<13>(rounded));
  result = hn::IfThenElse(large, hn::Set(du, 0x7c00), result);
  result = hn::IfThenElse(hn::Gt(magnitude, hn::Set(du, 0x7f800000)), hn::Set(du, 0x7e00), result);
  result = hn::Or(result, hn::ShiftRight<16>(sign));
  const hn::Rebind<std::uint16_t, D> dh;
  const hn::RebindToSigned<D> di;
  hn::StoreU(hn::DemoteTo(dh, hn::BitCast(di, result)), dh, reinterpret_cast<std::uint16_t*>(p));
}
#endif

template <class D>
HWY_INLINE hn::Vec<D> load_half(D d, const BFloat16* p) {
  const hn::RebindToUnsigned<D> du;
  const hn::Rebind<std::uint16_t, D> dh;
  const auto bits = hn::PromoteTo(du, hn::LoadU(dh, reinterpret_cast<const std::uint16_t*>(p)));
  return hn::BitCast(d, hn::ShiftLeft<16>(bits));
}
// The bits of v rounded in their upper halves; a NaN stays one. (Highway 1.0.3 truncates.)
template <class D>
HWY_INLINE auto bfloat16_bits(D, hn::Vec<D> v) {
  const hn::RebindToUnsigned<D> du;
  const auto bits = hn::BitCast(du, v);
  const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1));
  const auto rounded = hn::Add(bits, hn::Add(odd, hn::Set(du, 0x7fff)));
  return hn::IfThenElse(hn::RebindMask(du, hn::Eq(v, v)), rounded, hn::Set(du, 0x7fc00000));
}
template <class D>
HWY_INLINE void store_half(D d, hn::Vec<D> v, BFloat16* p) {
  const hn::RebindToSigned<D> di;
  const hn::Rebind<std::uint16_t, D> dh;
  const auto upper = hn::ShiftRight<16>(bfloat16_bits(d, v));
  hn::StoreU(hn::DemoteTo(dh, hn::BitCast(di, upper)), dh, reinterpret_cast<std::uint16_t*>(p));
}

// A vector of bfloat16 is two of float32, its even and its odd elements: no lane has to move.
template <bool kOdd, class D>
HWY_INLINE hn::Vec<D> load_pairs(D d, const BFloat16* p) {
  const hn::RebindToUnsigned<D> du;
  const hn::Repartition<std::uint16_t, D> dh;
  const auto bits = hn::BitCast(du, hn::LoadU(dh, reinterpret_cast<const std::uint16_t*>(p)));
  return hn::BitCast(d, kOdd ? hn::And(bits, hn::Set(du, 0xffff0000)) : hn::ShiftLeft<16>(bits));
}
template <class D>
HWY_INLINE auto join_pairs(D d, hn::Vec<D> even, hn::Vec<D> odd) {
  const hn::RebindToUnsigned<D> du;
  const auto upper = hn::And(bfloat16_bits(d, odd), hn::Set(du, 0xffff0000));
  return hn::BitCast(hn::Repartition<std::uint16_t, D>(), hn::Or(hn::ShiftRight<16>(bfloat16_bits(d, even)), upper));
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::simd
HWY_AFTER_NAMESPACE();
#endif
