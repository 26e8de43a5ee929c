// Vector mathematics for float32: exp, exp2, log, tanh, erf, sigmoid. Included once per target.
// Every function is right for all inputs incl. infinities, NaN and subnormals. Maximum errors in ULP, measured against
// float64 over all inputs and kept by tests/cpp/pointwise_math_test.cpp: exp 1.01, exp2 1.1, log 0.83, tanh 2.6,
// erf 2.0 (1.2 without the table), sigmoid 2.3. Polynomials are weighted minimax fits with float coefficients.
#if defined(RL_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_MATH_INL_H_
#undef RL_MATH_INL_H_
#else
#define RL_MATH_INL_H_
#endif

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::pointwise {
namespace HWY_NAMESPACE {
// Own namespace: argument-dependent lookup would also find hwy's Exp, Log and Tanh.
namespace vm {
namespace hn = hwy::HWY_NAMESPACE;

// c[0] + x * (c[1] + x * (...)): Horner, since independent vectors hide the latency.
template <class D, class V, size_t N>
HWY_INLINE V Poly(D d, V x, const float (&c)[N]) {
  V r = hn::Set(d, c[N - 1]);
  for (size_t i = N - 1; i-- > 0;)
    r = hn::MulAdd(r, x, hn::Set(d, c[i]));
  return r;
}

// x * 2^n for integral n in [-300, 300], rounded once also where the result is subnormal.
template <class D, class V>
HWY_INLINE V Scale(D d, V x, V n) {
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

// x = n * ln2 + r with |r| <= ln2/2; returns e^r - 1. The high part of ln2 has 9 bits, so n * hi is
// exact without FMA, too.
template <class D, class V>
HWY_INLINE V ReducedExpm1(D d, V x, V& n) {
  static constexpr float kExp[] = {0.49999994f, 0.166665211f, 0.0416682586f, 0.00836866815f, 0.00138213055f};
  n = hn::Round(hn::Mul(x, hn::Set(d, 1.44269504f)));
  V r = hn::NegMulAdd(n, hn::Set(d, 0.693359375f), x);
  r = hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4f), r);
  return hn::MulAdd(hn::Mul(r, r), Poly(d, r, kExp), r);
}

// Min and Max return their second operand for NaN, so a NaN in x survives the clamp.
template <class D, class V>
HWY_INLINE V Exp(D d, V x) {
  x = hn::Max(hn::Set(d, -105.0f), hn::Min(hn::Set(d, 90.0f), x));
  V n;
  const V t = ReducedExpm1(d, x, n);
  return Scale(d, hn::Add(hn::Set(d, 1.0f), t), n);
}

// 2^x: the same polynomial after an exact reduction.
template <class D, class V>
HWY_INLINE V Exp2(D d, V x) {
  static constexpr float kExp[] = {0.49999994f, 0.166665211f, 0.0416682586f, 0.00836866815f, 0.00138213055f};
  x = hn::Max(hn::Set(d, -151.0f), hn::Min(hn::Set(d, 129.0f), x));
  const V n = hn::Round(x), f = hn::Sub(x, n);
  const V r = hn::Mul(f, hn::Set(d, 0.693147182f));
  const V low = hn::Mul(f, hn::Set(d, -1.90465421e-9f));
  const V t = hn::Add(hn::MulAdd(hn::Mul(r, r), Poly(d, r, kExp), r), low);
  return Scale(d, hn::Add(hn::Set(d, 1.0f), t), n);
}

// x = 2^e * m with m in [0.75, 1.5); log1p(f) = f - f^2/2 + f^3 P(f). Both parts
// of ln2 are positive, so that e = -infinity (x = 0) does not meet +infinity.
template <class D, class V>
HWY_INLINE V Log(D d, V x) {
  static constexpr float kLog[] = {0.333333403f,  -0.250001639f, 0.199995786f,   -0.166553155f, 0.142768025f,
                                   -0.127284274f, 0.116970226f,  -0.0910637379f, 0.0376038291f};
  V m, e;
#if HWY_TARGET <= HWY_AVX3
  if constexpr (hn::MaxLanes(D()) == 16) {
    // These two treat 0, infinity, NaN, negative and subnormal values as log needs them.
    m = V{_mm512_getmant_ps(x.raw, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_nan)};
    e = V{_mm512_sub_ps(_mm512_getexp_ps(x.raw), _mm512_getexp_ps(m.raw))};
  } else
#endif
  {
    const hn::RebindToSigned<D> di;
    const auto tiny = hn::Lt(x, hn::Set(d, 1.17549435e-38f));
    const auto scaled = hn::IfThenElse(tiny, hn::Mul(x, hn::Set(d, 8388608.0f)), x);
    const auto bits = hn::Sub(hn::BitCast(di, scaled), hn::Set(di, 0x3f400000));
    const auto k = hn::ShiftRight<23>(bits);
    m = hn::BitCast(d, hn::Add(hn::And(bits, hn::Set(di, 0x7fffff)), hn::Set(di, 0x3f400000)));
    e = hn::Sub(hn::ConvertTo(d, k), hn::IfThenElseZero(tiny, hn::Set(d, 23.0f)));
  }
  const V f = hn::Sub(m, hn::Set(d, 1.0f));
  const V f2 = hn::Mul(f, f);
  V y = hn::Mul(hn::Mul(f2, f), Poly(d, f, kLog));
  y = hn::MulAdd(e, hn::Set(d, 3.19461833e-5f), y);
  y = hn::NegMulAdd(hn::Set(d, 0.5f), f2, y);
  V r = hn::MulAdd(e, hn::Set(d, 0.693115234f), hn::Add(f, y));
#if HWY_TARGET <= HWY_AVX3
  if constexpr (hn::MaxLanes(D()) == 16) return r;
#endif
  const V inf = hn::Inf(d);
  r = hn::IfThenElse(hn::Eq(x, hn::Zero(d)), hn::Neg(inf), r);
  r = hn::IfThenElse(hn::Eq(x, inf), inf, r);
  return hn::IfThenElse(hn::Not(hn::Ge(x, hn::Zero(d))), hn::NaN(d), r);
}

// With E = e^(2|x|) - 1: tanh|x| = E / (E + 2), which keeps full precision near 0.
template <class D, class V>
HWY_INLINE V Tanh(D d, V x) {
  const V y = hn::Abs(x);
  const V z = hn::Min(hn::Set(d, 19.0f), hn::Add(y, y));
  V n;
  const V t = ReducedExpm1(d, z, n);
  const hn::RebindToSigned<D> di;
  const auto k = hn::Add(hn::ConvertTo(di, n), hn::Set(di, 127));
  const V s = hn::BitCast(d, hn::ShiftLeft<23>(k));
  const V e = hn::MulAdd(s, t, hn::Sub(s, hn::Set(d, 1.0f)));
  return hn::CopySign(hn::Div(e, hn::Add(e, hn::Set(d, 2.0f))), x);
}

// With e = exp(-|x|) nothing overflows and small results keep full precision.
template <class D, class V>
HWY_INLINE V Sigmoid(D d, V x) {
  V n;
  const V z = hn::Max(hn::Set(d, -105.0f), hn::Neg(hn::Abs(x)));
  const V t = ReducedExpm1(d, z, n);
  const V one = hn::Set(d, 1.0f);
  const V e = Scale(d, hn::Add(one, t), n);
  const V num = hn::IfThenElse(hn::Lt(x, hn::Zero(d)), e, one);
  return hn::Div(num, hn::Add(one, e));
}

#if HWY_TARGET <= HWY_AVX3
// erf(a) / a as 16 polynomials of degree 6 over quarters of [0, 4); a table is one register.
template <class D, class V>
HWY_INLINE V ErfTable(D d, V x) {
  alignas(64) static constexpr float kTable[7][16] = {
      {1.12252964f, 1.07764509f, 0.997185412f, 0.896085784f, 0.789678428f, 0.689578235f, 0.60211922f, 0.529061364f,
       0.46933928f, 0.420722973f, 0.380874143f, 0.347809442f, 0.319996833f, 0.296295758f, 0.275861988f, 0.258064505f},
      {-0.0931549484f, -0.259446082f, -0.373897398f, -0.424389415f, -0.419026197f, -0.377613428f, -0.321013516f,
       -0.264274953f, -0.215058098f, -0.175459577f, -0.144657625f, -0.120876248f, -0.102378264f, -0.0877875575f,
       -0.0760992474f, -0.066597204f},
      {-0.365645661f, -0.288496579f, -0.165263697f, -0.0397285736f, 0.0541937691f, 0.104268173f, 0.117074521f,
       0.107400814f, 0.0888629908f, 0.0698712387f, 0.0539597916f, 0.041753684f, 0.0326962857f, 0.0259983764f,
       0.0209906799f, 0.0171860354f},
      {0.0553773096f, 0.142985375f, 0.175345151f, 0.151602193f, 0.0962307227f, 0.0390334684f, -0.00137410323f,
       -0.0213117716f, -0.0262710396f, -0.023638383f, -0.0186932068f, -0.0140004458f, -0.0103348155f, -0.00767578843f,
       -0.00578537658f, -0.00443425367f},
      {0.106628345f, 0.0629215759f, 0.00178151283f, -0.0448056576f, -0.0606719783f, -0.0505696318f, -0.0297506706f,
       -0.0111725745f, -4.2416331e-05f, 0.00442318716f, 0.00505864808f, 0.00421521626f, 0.00312872958f, 0.00223227148f,
       0.0015873689f, 0.00114279263f},
      {-0.0194478977f, -0.0462264983f, -0.0464780984f, -0.0255734343f, -0.000692908402f, 0.0143805368f, 0.0169167012f,
       0.0120618465f, 0.00592271197f, 0.00168102063f, -0.000305524503f, -0.000864291404f, -0.000815235538f,
       -0.000613173274f, -0.000427539857f, -0.000293256025f},
      {-0.0244796712f, -0.00952635869f, 0.00849372122f, 0.0173065854f, 0.0142740305f, 0.00557635417f, -0.00154408124f,
       -0.00421907441f, -0.0036254999f, -0.00201262776f, -0.000739917737f, -9.76864974e-05f, 0.000114961636f,
       0.000137803676f, 0.000106885816f, 7.33202781e-05f},
  };
  const V a = hn::Min(hn::Set(d, 3.9999997f), hn::Abs(x));  // the second operand keeps a NaN
  const V f = hn::Floor(hn::Mul(a, hn::Set(d, 4.0f)));
  const auto index = hn::IndicesFromVec(d, hn::ConvertTo(hn::RebindToSigned<D>(), f));
  const V t = hn::Sub(hn::NegMulAdd(f, hn::Set(d, 0.25f), a), hn::Set(d, 0.125f));
  V r = hn::TableLookupLanes(hn::Load(d, kTable[6]), index);
  for (int k = 5; k >= 0; --k)
    r = hn::MulAdd(r, t, hn::TableLookupLanes(hn::Load(d, kTable[k]), index));
  const V y = hn::IfThenElse(hn::Ge(a, hn::Set(d, 3.92f)), hn::Set(d, 1.0f), hn::Mul(r, a));  // rounds to 1 from there
  return hn::CopySign(hn::Min(hn::Set(d, 1.0f), y), x);
}
#endif

// Without a 16-lane table lookup: |x| < 0.93: x + x P(x^2). Above: 1 - exp(-t (1 + Q(t))); from 4 on it is 1.
template <class D, class V>
HWY_INLINE V Erf(D d, V x) {
#if HWY_TARGET <= HWY_AVX3
  if constexpr (hn::MaxLanes(D()) == 16) return ErfTable(d, x);
#endif
  static constexpr float kSmall[] = {0.128379151f,   -0.376124859f, 0.11281693f,
                                     -0.0267614815f, 0.004985095f,  -0.000594786718f};
  static constexpr float kLarge[] = {0.12864849f,   0.635151327f,     0.106236845f,   -0.0237620194f,
                                     0.0036424296f, -0.000322794018f, 1.12300122e-05f};
  const V a = hn::Min(hn::Set(d, 4.0f), hn::Abs(x));
  const V small = hn::MulAdd(x, Poly(d, hn::Mul(x, x), kSmall), x);
  V n;
  const V u = hn::Neg(hn::MulAdd(a, Poly(d, a, kLarge), a));
  const V t = ReducedExpm1(d, u, n);
  const V one = hn::Set(d, 1.0f);
  const hn::RebindToSigned<D> di;
  const auto k = hn::Add(hn::ConvertTo(di, n), hn::Set(di, 127));
  const V s = hn::BitCast(d, hn::ShiftLeft<23>(k));
  const V large = hn::CopySign(hn::NegMulAdd(s, hn::Add(one, t), one), x);
  return hn::IfThenElse(hn::Ge(a, hn::Set(d, 0.93f)), large, small);
}

}  // namespace vm
}  // namespace HWY_NAMESPACE
}  // namespace rushlight::pointwise
HWY_AFTER_NAMESPACE();
#endif
