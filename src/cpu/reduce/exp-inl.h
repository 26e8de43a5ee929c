// Exponentials of float32 vectors as the kernels of this folder need them: exp, 2^t for sums, and sums of
// exp(x - shift) over a run. Once per target. Polynomials are weighted minimax fits with float coefficients.
#if defined(RL_REDUCE_EXP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_REDUCE_EXP_INL_H_
#undef RL_REDUCE_EXP_INL_H_
#else
#define RL_REDUCE_EXP_INL_H_
#endif

#include <cmath>

#include "cpu/reduce/load-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::cpu {
namespace HWY_NAMESPACE {

// Horner: independent vectors hide the latency.
template <class D, class V, std::size_t N>
HWY_INLINE V polynomial(D d, V x, const float (&c)[N]) {
  V r = hn::Set(d, c[N - 1]);
  for (std::size_t i = N - 1; i-- > 0;)
    r = hn::MulAdd(r, x, hn::Set(d, c[i]));
  return r;
}

// x * 2^n for integral n in [-300, 300], rounded once also where the result is subnormal.
template <class D, class V>
HWY_INLINE V scale_by_power(D d, V x, V n) {
#if HWY_TARGET <= HWY_AVX3
  if constexpr (hn::MaxLanes(D()) == 16) return V{_mm512_scalef_ps(x.raw, n.raw)};
#endif
  const hn::RebindToSigned<D> di;
  const auto k = hn::ConvertTo(di, n);
  const auto half = hn::ShiftRight<1>(k);
  const auto bias = hn::Set(di, 127);
  const auto a = hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(half, bias)));
  const auto b = hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(hn::Sub(k, half), bias)));
  return hn::Mul(hn::Mul(x, a), b);
}

// e^x below 1 ULP for every x; x = n ln2 + r, and the high part of ln2 has 9 bits, so n * hi is exact without FMA,
// too. Min and Max return their second operand for NaN, so a NaN in x survives the clamp.
template <class D, class V>
HWY_INLINE V exp_float(D d, V x) {
  static constexpr float kExp[] = {0.49999994f, 0.166665211f, 0.0416682586f, 0.00836866815f, 0.00138213055f};
  x = hn::Max(hn::Set(d, -105.0f), hn::Min(hn::Set(d, 90.0f), x));
  const V n = hn::Round(hn::Mul(x, hn::Set(d, 1.44269504f)));
  V r = hn::NegMulAdd(n, hn::Set(d, 0.693359375f), x);
  r = hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4f), r);
  const V t = hn::MulAdd(hn::Mul(r, r), polynomial(d, r, kExp), r);
  return scale_by_power(d, hn::Add(hn::Set(d, 1.0f), t), n);
}

// float64 asks the C library, lane by lane.
template <class D, class V>
HWY_INLINE V exp_vector(D d, V x) {
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    alignas(64) double lanes[hn::MaxLanes(D())];
    hn::Store(x, d, lanes);
    for (double& lane : lanes)
      lane = std::exp(lane);
    return hn::Load(d, lanes);
  } else {
    return exp_float(d, x);
  }
}

// 2^t for t <= 0, for sums of exp(x - max): degree 5, 0.9 ULP, beside |t| ULP / 2 from the rounding of t, which
// fades in a sum that contains 2^0. Exactly 0 below -150 (-126.5 without AVX-512); NaN stays NaN.
template <class D, class V>
HWY_INLINE V exp2_for_sums(D d, V t) {
  static constexpr float kExp2[] = {1.0f, 0.693147004f, 0.240222424f, 0.0555073358f, 0.00967151299f, 0.0013264725f};
#if HWY_TARGET <= HWY_AVX3
  if constexpr (hn::MaxLanes(D()) == 16) {
    t = hn::Max(hn::Set(d, -150.0f), t);
    const V n = hn::Round(t);
    return V{_mm512_scalef_ps(polynomial(d, hn::Sub(t, n), kExp2).raw, n.raw)};
  }
#endif
  const hn::RebindToUnsigned<D> du;
  const V round = hn::Set(d, 12582912.0f + 127.0f);  // 1.5 * 2^23 + the exponent bias
  t = hn::Max(hn::Set(d, -127.0f), t);
  const V z = hn::Add(t, round);
  const V r = hn::Sub(t, hn::Sub(z, round));
  return hn::Mul(polynomial(d, r, kExp2), hn::BitCast(d, hn::ShiftLeft<23>(hn::BitCast(du, z))));
}

template <class A, class T>
HWY_INLINE A sum_exp(const T* p, Index n, A shift) {
  const Tag<A> d;
  const auto m = hn::Set(d, shift);
  if constexpr (std::is_same_v<A, double>) {
    return fold_run<AddOp, A>(p, n, A{0}, [=](auto v) HWY_ATTR { return exp_vector(d, hn::Sub(v, m)); });
  } else {
    const auto log2e = hn::Set(d, 1.44269504f);
    return fold_run<AddOp, A>(p, n, A{0},
                              [=](auto v) HWY_ATTR { return exp2_for_sums(d, hn::Mul(hn::Sub(v, m), log2e)); });
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::cpu
HWY_AFTER_NAMESPACE();
#endif
