// Logarithms and the inverse hyperbolic functions in vectors of float32 and float64, right for all inputs incl.
// infinities, NaN, signed zeros and subnormals. Included once per target. u = 2^e (1 + f) with 1 + f in [sqrt(1/2),
// sqrt(2)) and f in two words; log(1 + f) = 2 atanh(s) with s = f / (2 + f) in two words.
#if defined(RL_LOG_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_LOG_INL_H_
#undef RL_LOG_INL_H_
#else
#define RL_LOG_INL_H_
#endif

#include "cpu/pointwise/exp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::pointwise {
namespace HWY_NAMESPACE {
namespace vm {

// A positive normal number is 2^e m with m in [sqrt(1/2), sqrt(2)).
template <class D, class V>
HWY_INLINE V SplitExponent(D d, V x, V& e) {
  const hn::RebindToUnsigned<D> du;
  using Bits = hn::TFromD<decltype(du)>;
  constexpr int kBits = kFractionBits<D>;
  constexpr Bits kRoot = static_cast<Bits>(kIsSingle<D> ? 0x3f3504f3 : 0x3fe6a09e667f3bcd);
  constexpr Bits kOffset = Bits{kIsSingle<D> ? 128 : 1024} << kBits;  // keeps the difference positive
  constexpr Bits kInteger = kIsSingle<D> ? 0x4b000000 : static_cast<Bits>(0x4330000000000000);  // 2^23 or 2^52
  const auto bits = hn::Sub(hn::BitCast(du, x), hn::Set(du, kRoot));
  const auto biased = hn::ShiftRight<kBits>(hn::Add(bits, hn::Set(du, kOffset)));
  const V shift = Number(d, kIsSingle<D> ? 8388608.0 + 128 : 4503599627370496.0 + 1024);
  e = hn::Sub(hn::BitCast(d, hn::Or(biased, hn::Set(du, kInteger))), shift);
  const auto fraction = hn::And(bits, hn::Set(du, (Bits{1} << kBits) - 1));
  return hn::BitCast(d, hn::Add(fraction, hn::Set(du, kRoot)));
}

// log(1 + f) for |s| as above.
template <class D, class V>
HWY_INLINE Pair<V> LogOfFraction(D d, Pair<V> f) {
  const Pair<V> s = Quotient(d, f, FastSum(Number(d, 2), f));
  const V w = hn::Mul(s.hi, s.hi), two = hn::Add(s.hi, s.hi);
  const V rest = hn::Mul(hn::Mul(s.hi, w), Poly(d, w, CoefficientsOf<D>::kLog));
  return {two, hn::Add(hn::Add(s.lo, s.lo), rest)};
}
template <class D, class V>
HWY_INLINE Pair<V> AddExponent(D d, Pair<V> log, V e, const hn::TFromD<D> (&unit)[2]) {
  const V head = hn::Mul(e, hn::Set(d, unit[0]));
  const Pair<V> sum = FastSum(head, log);
  return {sum.hi, hn::MulAdd(e, hn::Set(d, unit[1]), sum.lo)};
}
// log u for a normal positive u of two words; `more` is added to the exponent.
template <class D, class V>
HWY_INLINE Pair<V> LogOfPair(D d, Pair<V> u, V more) {
  V e;
  const V m = SplitExponent(d, u.hi, e);
  // A low word counts only beside a high word of moderate size.
  const V low = hn::Mul(u.lo, PowerOfTwo(d, hn::Neg(hn::Min(e, Number(d, 120)))));
  const Pair<V> f = FastSum(hn::Sub(m, Number(d, 1)), low);
  return AddExponent(d, LogOfFraction(d, f), hn::Add(e, more), CoefficientsOf<D>::kLn2);
}
// log(1 + f), where also a small f keeps its precision: with e = 0 the difference gives back f.
template <class D, class V>
HWY_INLINE Pair<V> Log1pOfPair(D d, Pair<V> f) {
  const Pair<V> u = Sum(Number(d, 1), f);
  return LogOfPair(d, FastSum(u.hi, u.lo), hn::Zero(d));
}

// Numbers below the normal ones are scaled up first.
template <class D, class V>
HWY_INLINE V SplitAnyExponent(D d, V x, V& e) {
  const auto tiny = hn::Lt(x, Number(d, kIsSingle<D> ? 1.17549435e-38 : 2.2250738585072014e-308));
  const V scaled = hn::IfThenElse(tiny, hn::Mul(x, Number(d, 18014398509481984.0)), x);
  const V m = SplitExponent(d, scaled, e);
  e = hn::Sub(e, hn::IfThenElseZero(tiny, Number(d, 54)));
  return m;
}
// What every logarithm is at zero, infinity, below zero and for NaN; `y` elsewhere.
template <class D, class V>
HWY_INLINE V LogLimits(D d, V x, V y) {
  const V inf = hn::Inf(d);
  y = hn::IfThenElse(hn::Lt(x, inf), y, x);
  y = hn::IfThenElse(hn::Eq(x, hn::Zero(d)), hn::Neg(inf), y);
  return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::NaN(d), y);
}

// float32: x = 2^e m with m in [0.75, 1.5), of a number that may be subnormal.
template <class D, class V>
HWY_INLINE V SplitSingle(D d, V x, V& e) {
#if HWY_TARGET <= HWY_AVX3
  if constexpr (hn::MaxLanes(D()) == 16) {
    // These two treat 0, infinity, NaN, negative and subnormal values as log needs them.
    const V m{_mm512_getmant_ps(x.raw, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_nan)};
    e = V{_mm512_sub_ps(_mm512_getexp_ps(x.raw), _mm512_getexp_ps(m.raw))};
    return m;
  }
#endif
  const hn::RebindToSigned<D> di;
  const auto tiny = hn::Lt(x, Number(d, 1.17549435e-38));
  const auto scaled = hn::IfThenElse(tiny, hn::Mul(x, Number(d, 8388608.0)), x);
  const auto bits = hn::Sub(hn::BitCast(di, scaled), hn::Set(di, 0x3f400000));
  e = hn::Sub(hn::ConvertTo(d, hn::ShiftRight<23>(bits)), hn::IfThenElseZero(tiny, Number(d, 23)));
  return hn::BitCast(d, hn::Add(hn::And(bits, hn::Set(di, 0x7fffff)), hn::Set(di, 0x3f400000)));
}
// log1p(f) = f - f^2/2 + f^3 P(f). Both parts of ln2 are positive, so that e = -infinity (x = 0) does not meet
// +infinity. `more` is added as a relative part of x that its rounding lost.
template <class D, class V>
HWY_INLINE V LogOfSplit(D d, V f, V e, V more) {
  using C = CoefficientsOf<D>;
  const V square = hn::Mul(f, f);
  V y = hn::MulAdd(e, Number(d, 3.19461833e-5), more);
  y = hn::MulAdd(hn::Mul(square, f), Poly(d, f, C::kLogShort), y);
  y = hn::NegMulAdd(Number(d, 0.5), square, y);
  return hn::MulAdd(e, Number(d, 0.693115234), hn::Add(f, y));
}
template <class D, class V>
HWY_INLINE Pair<V> LogOfMantissa(D d, V x, V& e) {
  const V m = SplitAnyExponent(d, x, e);
  return LogOfFraction(d, Pair<V>{hn::Sub(m, Number(d, 1)), hn::Zero(d)});
}
// float32: the logarithm of 1 + f to a base that `slope`, two words of log e, and `rest` are for. f times the line q
// has two words and leaves little, above all where an exponent of -1 will cancel half of it.
template <class D, class V, size_t N>
HWY_INLINE Pair<V> ShortLogOf(D d, V f, const float (&slope)[2], const float (&rest)[N]) {
  const V c = hn::Set(d, slope[0]), bend = hn::Set(d, -0.390625f * slope[0]);
  const V q = hn::MulAdd(f, bend, c), q_low = hn::Add(hn::MulAdd(f, bend, hn::Sub(c, q)), hn::Set(d, slope[1]));
  const Pair<V> lead = Product(d, f, q);
  return {lead.hi, hn::MulAdd(hn::Mul(f, f), Poly(d, f, rest), hn::MulAdd(f, q_low, lead.lo))};
}
template <class D, class V>
HWY_INLINE V Log(D d, V x) {
  V e;
  if constexpr (kIsSingle<D>) {
    const V m = SplitSingle(d, x, e);
    const V y = LogOfSplit(d, hn::Sub(m, Number(d, 1)), e, hn::Zero(d));
#if HWY_TARGET <= HWY_AVX3
    if constexpr (hn::MaxLanes(D()) == 16) return y;
#endif
    return LogLimits(d, x, y);
  } else {
    const Pair<V> log = LogOfMantissa(d, x, e);
    return LogLimits(d, x, Rounded(AddExponent(d, log, e, CoefficientsOf<D>::kLn2)));
  }
}
template <class D, class V>
HWY_INLINE Pair<V> Times(D d, Pair<V> a, const hn::TFromD<D> (&c)[2]) {
  return Product(d, a, Pair<V>{hn::Set(d, c[0]), hn::Set(d, c[1])});
}
// With the limits only where a lane asks for them.
template <class D, class V>
HWY_INLINE V LogLimitsIfAny(D d, V x, V y) {
  const auto good = hn::And(hn::Gt(x, hn::Zero(d)), hn::Lt(x, hn::Inf(d)));
  return HWY_LIKELY(hn::AllTrue(d, good)) ? y : LogLimits(d, x, y);
}
template <class D, class V>
HWY_INLINE V Log2(D d, V x) {  // exact for powers of two
  using C = CoefficientsOf<D>;
  V e;
  Pair<V> log;
  if constexpr (kIsSingle<D>)
    log = ShortLogOf(d, hn::Sub(SplitSingle(d, x, e), Number(d, 1)), C::kLog2OfE, C::kShortLog2);
  else
    log = Times(d, LogOfMantissa(d, x, e), C::kLog2OfE);
  return LogLimitsIfAny(d, x, Rounded(FastSum(e, log)));
}
template <class D, class V>
HWY_INLINE V Log10(D d, V x) {
  using C = CoefficientsOf<D>;
  V e;
  Pair<V> log;
  if constexpr (kIsSingle<D>)
    log = ShortLogOf(d, hn::Sub(SplitSingle(d, x, e), Number(d, 1)), C::kLog10OfE, C::kShortLog10);
  else
    log = Times(d, LogOfMantissa(d, x, e), C::kLog10OfE);
  return LogLimitsIfAny(d, x, Rounded(AddExponent(d, log, e, C::kLog10Of2)));
}

// float32 with -1 < x < 1e38: q = 2^-e with 1 + x = 2^e (1 + f), and f = q x + (q - 1), which hardly needs a rounding.
template <class D, class V>
HWY_INLINE V SplitOnePlus(D d, V x, V& e, V& q) {
  const hn::RebindToSigned<D> di;
  const V one = Number(d, 1);
  const auto offset = hn::Sub(hn::BitCast(di, hn::Add(one, x)), hn::Set(di, 0x3f400000));  // from 0.75
  e = hn::ConvertTo(d, hn::ShiftRight<23>(offset));
  q = hn::BitCast(d, hn::Sub(hn::BitCast(di, one), hn::AndNot(hn::Set(di, 0x7fffff), offset)));
  return hn::MulAdd(x, q, hn::Sub(q, one));
}
template <class D, class V>
HWY_INLINE V Log1p(D d, V x) {
  const V u = hn::Add(Number(d, 1), x);
  if constexpr (kIsSingle<D>) {
    V e, q;
    const V y = hn::CopySign(LogOfSplit(d, SplitOnePlus(d, x, e, q), e, hn::Zero(d)), x);
    const auto good = hn::And(hn::Gt(x, Number(d, -1)), hn::Lt(x, Number(d, 1e38)));
    return HWY_LIKELY(hn::AllTrue(d, good)) ? y : hn::IfThenElse(good, y, Log(d, u));
  } else {
    const V y = Rounded(Log1pOfPair(d, Pair<V>{x, hn::Zero(d)}));
    return hn::IfThenElse(hn::Lt(hn::Abs(x), Number(d, 1e-20)), x, LogLimits(d, u, y));
  }
}
// log(1 + e^x) = max(x, 0) + log(1 + y) with y = e^-|x|; for float32 log(1 + y) = y ln2 + (y - y^2) P(y).
template <class D, class V>
HWY_INLINE V LogOnePlusExp(D d, V x) {
  const V negative = hn::Or(x, hn::SignBit(d)), high = hn::Max(hn::Zero(d), x);  // the second operand keeps a NaN
  if constexpr (kIsSingle<D>) {
    const Pair<V> y = ShortExpPair(d, hn::Max(Number(d, -105), negative));
    const V square_less = hn::NegMulAdd(y.hi, y.hi, y.hi), ln2 = Number(d, M_LN2);
    const V rest = hn::MulAdd(square_less, Poly(d, y.hi, CoefficientsOf<D>::kLogOnePlus), high);
    return hn::MulAdd(y.hi, ln2, hn::MulAdd(y.lo, ln2, rest));
  } else {
    const Pair<V> y = ExpOfNegative(d, negative);
    return hn::IfThenElse(hn::Gt(negative, Number(d, -1000)), Rounded(Sum(high, Log1pOfPair(d, y))), high);
  }
}

// a + a^2 / (1 + sqrt(1 + a^2)) is e^asinh(a) - 1; beyond `kFar` the argument of the logarithm is 2a.
template <class D>
inline constexpr double kFar = kIsSingle<D> ? 1e6 : 1e10;
template <class D, class V>
HWY_INLINE Pair<V> LogOfNearOrDouble(D d, V a, Pair<V> f) {
  const auto far = hn::Gt(a, Number(d, kFar<D>));
  const Pair<V> near = Sum(Number(d, 1), f);
  const Pair<V> u{hn::IfThenElse(far, a, near.hi), hn::IfThenZeroElse(far, near.lo)};
  return LogOfPair(d, FastSum(u.hi, u.lo), hn::IfThenElseZero(far, Number(d, 1)));
}
template <class D, class V>
HWY_INLINE V Asinh(D d, V x) {
  const V one = Number(d, 1), a = hn::Abs(x), b = hn::Min(Number(d, kFar<D>), a);
  const Pair<V> square = Product(d, b, b);
  const Pair<V> root = Root(d, Sum(one, square));
  const Pair<V> f = Sum(b, Quotient(d, square, FastSum(root.hi, Pair<V>{one, root.lo})));
  const V y = Rounded(LogOfNearOrDouble(d, a, f));
  return hn::CopySign(hn::IfThenElse(hn::Lt(a, hn::Inf(d)), hn::IfThenElse(hn::Lt(a, Number(d, 1e-15)), a, y), a), x);
}
// With t = x - 1: t + sqrt(2t + t^2) is e^acosh(x) - 1.
template <class D, class V>
HWY_INLINE V Acosh(D d, V x) {
  const V one = Number(d, 1);
  const V t = hn::Sub(hn::Min(Number(d, kFar<D>), x), one);
  const Pair<V> root = Root(d, Sum(hn::Add(t, t), Product(d, t, t)));
  const V y = Rounded(LogOfNearOrDouble(d, x, Sum(t, root)));
  return hn::IfThenElse(hn::Lt(x, one), hn::NaN(d), hn::IfThenElse(hn::Lt(x, hn::Inf(d)), y, x));
}
// (1 + x) / (1 - x) = 2^e m; with s = (m - 1) / (m + 1) = (1 + x - 2^e (1 - x)) / (1 + x + 2^e (1 - x)), which is x for
// e = 0, the result is atanh(s) + e ln2 / 2.
template <class D, class V>
HWY_INLINE V Atanh(D d, V x) {
  using C = CoefficientsOf<D>;
  const V one = Number(d, 1), a = hn::Min(Number(d, kIsSingle<D> ? 0.99999994 : 0.9999999999999999), hn::Abs(x));
  const Pair<V> more = FastSum(one, a), less = FastSum(one, hn::Neg(a));
  V e;
  SplitExponent(d, hn::Div(more.hi, less.hi), e);
  const V q = PowerOfTwo(d, e);
  const V high = hn::Mul(q, less.hi), low = hn::Mul(q, less.lo);
  const Pair<V> above = Sum(more.hi, hn::Neg(high)), below = Sum(more.hi, high);
  const Pair<V> above_all = FastSum(above.hi, hn::Add(above.lo, hn::Sub(more.lo, low)));
  const Pair<V> s = Quotient(d, above_all, Pair<V>{below.hi, hn::Add(below.lo, hn::Add(more.lo, low))});
  const V w = hn::Mul(s.hi, s.hi);
  const V rest = hn::Mul(hn::Mul(s.hi, w), hn::Mul(Number(d, 0.5), Poly(d, w, C::kLog)));
  const V half = hn::Mul(e, Number(d, 0.5));
  const V y = Rounded(AddExponent(d, Pair<V>{s.hi, hn::Add(s.lo, rest)}, half, C::kLn2));
  const V b = hn::Abs(x);
  const V limited = hn::IfThenElse(hn::Lt(b, one), y, hn::IfThenElse(hn::Eq(b, one), hn::Inf(d), hn::NaN(d)));
  return hn::CopySign(limited, x);
}

}  // namespace vm
}  // namespace HWY_NAMESPACE
}  // namespace rushlight::pointwise
HWY_AFTER_NAMESPACE();
#endif
