// Float64 functions for the one-at-a-time distributions with float32 and narrower results: within
// 2 ulp, so that all but one in about 10^7 results round to float32 as libm's do; the caller
// recognises the rest and asks libm. Coefficients are those of fdlibm.
#if defined(RL_CPU_RANDOM_DOUBLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_CPU_RANDOM_DOUBLE_INL_H_
#undef RL_CPU_RANDOM_DOUBLE_INL_H_
#else
#define RL_CPU_RANDOM_DOUBLE_INL_H_
#endif

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::random {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace dm {

using D = hn::ScalableTag<double>;
using DU = hn::ScalableTag<std::uint64_t>;
using V = hn::Vec<D>;
using VU = hn::Vec<DU>;

HWY_INLINE V C(double x) { return hn::Set(D(), x); }

// Exact for integers below 2^52.
HWY_INLINE V from_small(VU x) {
  return hn::Sub(hn::BitCast(D(), hn::Or(x, hn::Set(DU(), 0x4330000000000000))), C(0x1p52));
}
// Exact for integers below 2^53.
HWY_INLINE V from_integer(VU x) {
  const DU d;
  const VU low = hn::Or(hn::And(x, hn::Set(d, 0xffffffff)), hn::Set(d, 0x4330000000000000));
  const VU high = hn::Or(hn::ShiftRight<32>(x), hn::Set(d, 0x4530000000000000));
  return hn::Add(hn::Sub(hn::BitCast(D(), high), C(0x1p84 + 0x1p52)), hn::BitCast(D(), low));
}

// log(x) for normal x > 0.
HWY_INLINE V log(V x) {
  const DU d;
  const VU bits = hn::BitCast(d, x);
  const VU biased = hn::ShiftRight<52>(hn::Add(bits, hn::Set(d, 0x3ff0000000000000 - 0x3fe6a09e667f3bcd)));
  const V k = hn::Sub(from_small(biased), C(1023));
  const V z = hn::BitCast(D(), hn::Add(hn::Sub(bits, hn::ShiftLeft<52>(biased)), hn::Set(d, 0x3ff0000000000000)));
  const V f = hn::Sub(z, C(1)), s = hn::Div(f, hn::Add(f, C(2)));
  const V z2 = hn::Mul(s, s), w = hn::Mul(z2, z2);
  const V even = hn::Mul(w, hn::MulAdd(w, hn::MulAdd(w, C(1.531383769920937332e-01), C(2.222219843214978396e-01)),
                                       C(3.999999999940941908e-01)));
  V odd = hn::MulAdd(w, C(1.479819860511658591e-01), C(1.818357216161805012e-01));
  odd = hn::MulAdd(w, odd, C(2.857142874366239149e-01));
  odd = hn::Mul(z2, hn::MulAdd(w, odd, C(6.666666666666735130e-01)));
  const V half_square = hn::Mul(hn::Mul(f, f), C(0.5));
  const V tail = hn::MulAdd(s, hn::Add(half_square, hn::Add(even, odd)), hn::Mul(k, C(1.90821492927058770002e-10)));
  return hn::Sub(hn::Mul(k, C(6.93147180369123816490e-01)), hn::Sub(hn::Sub(half_square, tail), f));
}

// e^x for |x| < 700.
HWY_INLINE V exp(V x) {
  const V shift = C(0x1.8p52);
  const V biased = hn::Add(hn::Mul(x, C(1.44269504088896338700)), shift), k = hn::Sub(biased, shift);
  const V hi = hn::NegMulAdd(k, C(6.93147180369123816490e-01), x), lo = hn::Mul(k, C(1.90821492927058770002e-10));
  const V r = hn::Sub(hi, lo), t = hn::Mul(r, r);
  V p = hn::MulAdd(t, C(4.13813679705723846039e-08), C(-1.65339022054652515390e-06));
  p = hn::MulAdd(t, p, C(6.61375632143793436117e-05));
  p = hn::MulAdd(t, p, C(-2.77777777770155933842e-03));
  p = hn::MulAdd(t, p, C(1.66666666666666019037e-01));
  const V c = hn::NegMulAdd(t, p, r);
  const V y = hn::Sub(C(1), hn::Sub(hn::Sub(lo, hn::Div(hn::Mul(r, c), hn::Sub(C(2), c))), hi));
  return hn::BitCast(D(), hn::Add(hn::BitCast(DU(), y), hn::ShiftLeft<52>(hn::BitCast(DU(), biased))));
}

// sin and cos of x + y, |x| <= pi/4, y a tail of x.
HWY_INLINE void kernel_sin_cos(V x, V y, V& sine, V& cosine) {
  const V z = hn::Mul(x, x), w = hn::Mul(z, z), v = hn::Mul(z, x);
  const V high = hn::Mul(hn::Mul(z, w), hn::MulAdd(z, C(1.58969099521155010221e-10), C(-2.50507602534068634195e-08)));
  const V r = hn::Add(high, hn::MulAdd(z, hn::MulAdd(z, C(2.75573137070700676789e-06), C(-1.98412698298579493134e-04)),
                                       C(8.33333333332248946124e-03)));
  const V inner = hn::Sub(hn::Mul(z, hn::Sub(hn::Mul(C(0.5), y), hn::Mul(v, r))), y);
  sine = hn::Sub(x, hn::Sub(inner, hn::Mul(v, C(-1.66666666666666324348e-01))));
  const V low = hn::Mul(z, hn::MulAdd(z, hn::MulAdd(z, C(2.48015872894767294178e-05), C(-1.38888888888741095749e-03)),
                                      C(4.16666666666666019037e-02)));
  V top = hn::MulAdd(z, C(-1.13596475577881948265e-11), C(2.08757232129817482790e-09));
  top = hn::Mul(hn::Mul(w, w), hn::MulAdd(z, top, C(-2.75573143513906633035e-07)));
  const V half = hn::Mul(C(0.5), z), base = hn::Sub(C(1), half);
  const V fix = hn::Sub(hn::Mul(z, hn::Add(low, top)), hn::Mul(x, y));
  cosine = hn::Add(base, hn::Add(hn::Sub(hn::Sub(C(1), base), half), fix));
}

// sin and cos for |x| < 8.
HWY_INLINE void sin_cos(V x, V& sine, V& cosine) {
  const DU d;
  const V shift = C(0x1.8p52);
  const V biased = hn::Add(hn::Mul(x, C(0.63661977236758134308)), shift), k = hn::Sub(biased, shift);
  // pi/2 in three parts; k times the first two is exact.
  const V a = hn::NegMulAdd(k, C(1.57079632673412561417e+00), x);
  const V product = hn::Mul(k, C(6.07710050630396597660e-11));
  const V b = hn::Sub(a, product), lost = hn::Sub(hn::Sub(a, b), product);
  const V w = hn::Sub(hn::Mul(k, C(2.02226624879595063154e-21)), lost);
  const V r = hn::Sub(b, w), tail = hn::Sub(hn::Sub(b, r), w);
  V s, c;
  kernel_sin_cos(r, tail, s, c);
  const VU quadrant = hn::BitCast(d, biased);
  const auto swap = hn::RebindMask(D(), hn::TestBit(quadrant, hn::Set(d, 1)));
  const V sign = hn::BitCast(D(), hn::ShiftLeft<63>(hn::ShiftRight<1>(quadrant)));
  const V cosine_sign = hn::BitCast(D(), hn::ShiftLeft<63>(hn::ShiftRight<1>(hn::Add(quadrant, hn::Set(d, 1)))));
  sine = hn::Xor(hn::IfThenElse(swap, c, s), sign);
  cosine = hn::Xor(hn::IfThenElse(swap, s, c), cosine_sign);
}

// tan(x) for |x| <= pi/2 rounded to double.
HWY_INLINE V tan(V x) {
  V s, c;
  sin_cos(x, s, c);
  return hn::Div(s, c);
}

}  // namespace dm
}  // namespace HWY_NAMESPACE
}  // namespace rushlight::random
HWY_AFTER_NAMESPACE();
#endif
