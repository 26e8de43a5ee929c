// The float32 logarithm and sine/cosine behind normal_: Cephes polynomials, evaluated in the order
// and with the fused multiply-adds that give PyTorch's bits.
#if defined(RL_CPU_RANDOM_CEPHES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_CPU_RANDOM_CEPHES_INL_H_
#undef RL_CPU_RANDOM_CEPHES_INL_H_
#else
#define RL_CPU_RANDOM_CEPHES_INL_H_
#endif

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::random {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// a * b + c rounded once, on targets without FMA by way of double: the product is exact there, and
// rounding the sum to odd makes the second rounding right.
#if HWY_TARGET <= HWY_AVX2
template <class D, class V>
HWY_INLINE V fma(D, V a, V b, V c) {
  return hn::MulAdd(a, b, c);
}
#else
template <class D, class V>
HWY_INLINE V fma(D d, V a, V b, V c) {
  const hn::Half<D> dh;
  const hn::RebindToSigned<hn::Repartition<double, D>> di;
  const hn::Repartition<double, D> dd;
  const auto one = hn::Set(di, 1);
  const auto half = [&](auto x, auto y, auto z) HWY_ATTR {
    const auto p = hn::Mul(hn::PromoteTo(dd, x), hn::PromoteTo(dd, y)), q = hn::PromoteTo(dd, z);
    const auto s = hn::Add(p, q), t = hn::Sub(s, p);
    const auto error = hn::Add(hn::Sub(p, hn::Sub(s, t)), hn::Sub(q, t));
    const auto bits = hn::BitCast(di, s);
    // Toward the error: one ulp away from zero if the signs agree, else towards it.
    const auto apart = hn::BroadcastSignBit(hn::Xor(bits, hn::BitCast(di, error)));
    const auto odd = hn::Add(bits, hn::Or(apart, one));
    const auto even = hn::Eq(hn::And(bits, one), hn::Zero(di));
    const auto inexact = hn::MaskFromVec(hn::BitCast(di, hn::VecFromMask(dd, hn::Ne(error, hn::Zero(dd)))));
    return hn::DemoteTo(dh, hn::BitCast(dd, hn::IfThenElse(hn::And(even, inexact), odd, bits)));
  };
  return hn::Combine(d, half(hn::UpperHalf(dh, a), hn::UpperHalf(dh, b), hn::UpperHalf(dh, c)),
                     half(hn::LowerHalf(dh, a), hn::LowerHalf(dh, b), hn::LowerHalf(dh, c)));
}
#endif

// Natural logarithm of normal x > 0.
template <class D, class V>
HWY_INLINE V cephes_log(D d, V x) {
  const hn::RebindToSigned<D> di;
  const V one = hn::Set(d, 1.0f), half = hn::Set(d, 0.5f);
  const auto bits = hn::BitCast(di, x);
  const auto exponent = hn::Sub(hn::ShiftRight<23>(bits), hn::Set(di, 0x7e));
  x = hn::Or(hn::BitCast(d, hn::And(bits, hn::Set(di, 0x7fffff))), half);  // [0.5, 1)
  const auto low = hn::Lt(x, hn::Set(d, 0.707106781186547524f));
  const V e = hn::Sub(hn::ConvertTo(d, exponent), hn::IfThenElseZero(low, one));
  x = hn::Add(hn::Sub(x, one), hn::IfThenElseZero(low, x));
  const V z = hn::Mul(x, x);
  static constexpr float kP[] = {-1.1514610310E-1f, 1.1676998740E-1f, -1.2420140846E-1f, 1.4249322787E-1f,
                                 -1.6668057665E-1f, 2.0000714765E-1f, -2.4999993993E-1f, 3.3333331174E-1f};
  V y = hn::Set(d, 7.0376836292E-2f);
  for (float p : kP)
    y = fma(d, y, x, hn::Set(d, p));
  y = hn::Mul(y, x);
  y = fma(d, y, z, hn::Mul(e, hn::Set(d, -2.12194440e-4f)));
  y = hn::Sub(y, hn::Mul(z, half));  // z / 2 is exact, so this is the fused form, too
  return fma(d, e, hn::Set(d, 0.693359375f), hn::Add(x, y));
}

// Sine and cosine of x in [0, 8192).
template <class D, class V>
HWY_INLINE void cephes_sin_cos(D d, V x, V& sine, V& cosine) {
  const hn::RebindToSigned<D> di;
  const auto one = hn::Set(di, 1), two = hn::Set(di, 2), four = hn::Set(di, 4);
  auto octant = hn::ConvertTo(di, hn::Mul(x, hn::Set(d, 1.27323954473516f)));
  octant = hn::AndNot(one, hn::Add(octant, one));
  const V y = hn::ConvertTo(d, octant);
  const auto swap = hn::RebindMask(d, hn::Eq(hn::And(octant, two), two));
  const V sine_sign = hn::BitCast(d, hn::ShiftLeft<29>(hn::And(octant, four)));
  const V cosine_sign = hn::BitCast(d, hn::ShiftLeft<29>(hn::AndNot(hn::Sub(octant, two), four)));
  x = fma(d, y, hn::Set(d, -0.78515625f), x);
  x = fma(d, y, hn::Set(d, -2.4187564849853515625e-4f), x);
  x = fma(d, y, hn::Set(d, -3.77489497744594108e-8f), x);
  const V z = hn::Mul(x, x);
  V c = hn::Set(d, 2.443315711809948E-005f);
  c = fma(d, c, z, hn::Set(d, -1.388731625493765E-003f));
  c = fma(d, c, z, hn::Set(d, 4.166664568298827E-002f));
  c = fma(d, hn::Mul(c, z), z, hn::Neg(hn::Mul(z, hn::Set(d, 0.5f))));
  c = hn::Add(c, hn::Set(d, 1.0f));
  V s = hn::Set(d, -1.9515295891E-4f);
  s = fma(d, s, z, hn::Set(d, 8.3321608736E-3f));
  s = fma(d, s, z, hn::Set(d, -1.6666654611E-1f));
  s = fma(d, hn::Mul(s, z), x, x);
  sine = hn::Xor(hn::IfThenElse(swap, c, s), sine_sign);
  cosine = hn::Xor(hn::IfThenElse(swap, s, c), cosine_sign);
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::random
HWY_AFTER_NAMESPACE();
#endif
