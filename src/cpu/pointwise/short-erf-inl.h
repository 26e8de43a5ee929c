// erf of float32 in few instructions, for gelu: within 2 ULP, 1.2 with the table. Included once per target.
#if defined(RL_SHORT_ERF_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_SHORT_ERF_INL_H_
#undef RL_SHORT_ERF_INL_H_
#else
#define RL_SHORT_ERF_INL_H_
#endif

#include "cpu/pointwise/exp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::pointwise {
namespace HWY_NAMESPACE {
namespace vm {

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
HWY_INLINE V ShortErf(D d, V x) {
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
  const V e = ShortExp(d, hn::Neg(hn::MulAdd(a, Poly(d, a, kLarge), a)), n);
  const V large = hn::CopySign(hn::NegMulAdd(PowerOfTwo(d, n), e, hn::Set(d, 1.0f)), x);
  return hn::IfThenElse(hn::Ge(a, hn::Set(d, 0.93f)), large, small);
}

}  // namespace vm
}  // namespace HWY_NAMESPACE
}  // namespace rushlight::pointwise
HWY_AFTER_NAMESPACE();
#endif
