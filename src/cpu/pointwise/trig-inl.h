// sin, cos, tan and their inverses in vectors of float32 and float64. Included once per target. Arguments of float64
// are reduced by pi/2 in three words; the leading terms are summed in two words, so that only the last rounding counts.
#if defined(RL_TRIG_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_TRIG_INL_H_
#undef RL_TRIG_INL_H_
#else
#define RL_TRIG_INL_H_
#endif

#include "cpu/pointwise/short-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::pointwise {
namespace HWY_NAMESPACE {
namespace vm {

// Sin, Cos and Tan are for |x| up to this.
template <class D>
inline constexpr double kTrigLimit = kIsSingle<D> ? 1e5 : 1e9;

// x = n pi/2 + r with |r| <= pi/4; `bits` holds n in its low bits.
template <class D, class V, class I>
HWY_INLINE Pair<V> ReduceByHalfPi(D d, V x, I& bits) {
  using C = CoefficientsOf<D>;
  const V magic = Number(d, kMagic<D>);
  const V shifted = hn::MulAdd(x, Number(d, 0.6366197723675814), magic), n = hn::Sub(shifted, magic);
  bits = hn::BitCast(hn::RebindToUnsigned<D>(), shifted);
  const V head = Remainder(d, n, hn::Set(d, C::kHalfPi[0]), x);
  const Pair<V> second = Product(d, n, hn::Set(d, C::kHalfPi[1]));
  const Pair<V> sum = Sum(head, hn::Neg(second.hi));
  return FastSum(sum.hi, hn::NegMulAdd(n, hn::Set(d, C::kHalfPi[2]), hn::Sub(sum.lo, second.lo)));
}
// Up to the term that would add a tenth of a unit in the last place, terms have two words.
template <class D, class V>
HWY_INLINE Pair<V> SinOfReduced(D d, Pair<V> r, Pair<V> z) {
  using C = CoefficientsOf<D>;
  const Pair<V> cube = Product(d, Pair<V>{r.hi, hn::Zero(d)}, z);
  const Pair<V> term = Product(d, cube, Pair<V>{hn::Set(d, C::kSin[0]), hn::Set(d, C::kSinLow[0])});
  const Pair<V> sum = FastSum(r.hi, term);
  const V turned = hn::NegMulAdd(hn::Mul(r.lo, z.hi), Number(d, 1.0 / 6), r.lo);
  return {sum.hi, hn::Add(sum.lo, hn::MulAdd(hn::Mul(cube.hi, z.hi), PolyOfRest(d, z.hi, C::kSin), turned))};
}
template <class D, class V>
HWY_INLINE Pair<V> CosOfReduced(D d, Pair<V> z) {
  using C = CoefficientsOf<D>;
  const V half = Number(d, -0.5);
  const Pair<V> sum = FastSum(Number(d, 1), Pair<V>{hn::Mul(z.hi, half), hn::Mul(z.lo, half)});
  const Pair<V> square = Product(d, z, z);
  const Pair<V> term = Product(d, square, Pair<V>{hn::Set(d, C::kCos[0]), hn::Set(d, C::kCosLow[0])});
  const Pair<V> more = FastSum(sum.hi, term);
  const V sixth = hn::Mul(hn::Mul(square.hi, z.hi), PolyOfRest(d, z.hi, C::kCos));
  return {more.hi, hn::Add(more.lo, hn::Add(sixth, sum.lo))};
}
template <class D, class V>
HWY_INLINE Pair<V> SquareOf(D d, Pair<V> r) {
  const Pair<V> z = Product(d, r.hi, r.hi);
  return {z.hi, hn::MulAdd(hn::Add(r.hi, r.hi), r.lo, z.lo)};
}

// sin x, or cos x = sin(x + pi/2), which is `quarters` = 1 further on.
template <class D, class V>
HWY_INLINE V SinOfQuarters(D d, V x, int quarters) {
  const hn::RebindToUnsigned<D> du;
  using Bits = hn::TFromD<decltype(du)>;
  hn::Vec<decltype(du)> bits;
  const Pair<V> r = ReduceByHalfPi(d, x, bits), z = SquareOf(d, r);
  bits = hn::Add(bits, hn::Set(du, static_cast<Bits>(quarters)));
  const auto odd = hn::RebindMask(d, hn::Ne(hn::And(bits, hn::Set(du, Bits{1})), hn::Zero(du)));
  const auto sign = hn::ShiftLeft<sizeof(Bits) * 8 - 2>(hn::And(bits, hn::Set(du, Bits{2})));
  const V y = Rounded(Choose(odd, CosOfReduced(d, z), SinOfReduced(d, r, z)));
  return hn::Xor(y, hn::BitCast(d, sign));
}
template <class D, class V>
HWY_INLINE V Sin(D d, V x) {
  V y;
  if constexpr (kIsSingle<D>)
    y = InDouble(d, ShortSin(), x);
  else
    y = SinOfQuarters(d, x, 0);
  return hn::IfThenElse(hn::Lt(hn::Abs(x), Number(d, 1e-12)), x, y);
}
template <class D, class V>
HWY_INLINE V Cos(D d, V x) {
  if constexpr (kIsSingle<D>)
    return InDouble(d, ShortCos(), x);
  else
    return SinOfQuarters(d, x, 1);
}
template <class D, class V>
HWY_INLINE V TanOfQuarters(D d, V x) {  // sin / cos, or -cos / sin
  const hn::RebindToUnsigned<D> du;
  using Bits = hn::TFromD<decltype(du)>;
  hn::Vec<decltype(du)> bits;
  const Pair<V> r = ReduceByHalfPi(d, x, bits), z = SquareOf(d, r);
  const Pair<V> sine = Normal(SinOfReduced(d, r, z)), cosine = Normal(CosOfReduced(d, z));
  const auto last = hn::And(bits, hn::Set(du, Bits{1}));
  const auto odd = hn::RebindMask(d, hn::Ne(last, hn::Zero(du)));
  const V y = Rounded(Quotient(d, Choose(odd, cosine, sine), Choose(odd, sine, cosine)));
  return hn::Xor(y, hn::BitCast(d, hn::ShiftLeft<sizeof(Bits) * 8 - 1>(last)));
}
template <class D, class V>
HWY_INLINE V Tan(D d, V x) {
  V y;
  if constexpr (kIsSingle<D>)
    y = InDouble(d, ShortTan(), x);
  else
    y = TanOfQuarters(d, x);
  return hn::IfThenElse(hn::Lt(hn::Abs(x), Number(d, 1e-12)), x, y);
}

// asin |x|, with h = |x| up to 1/2: h + h^3 P(h^2). Above: pi/2 - 2 asin(h) with h = sqrt((1 - |x|) / 2).
template <class D, class V>
HWY_INLINE Pair<V> HalfAngle(D d, V a, hn::Mask<D> far) {
  const V z = hn::IfThenElse(far, hn::Mul(hn::Sub(Number(d, 1), a), Number(d, 0.5)), hn::Mul(a, a));
  const Pair<V> root = Root(d, Pair<V>{z, hn::Zero(d)});
  const V h = hn::IfThenElse(far, root.hi, a);
  const V cubic = hn::Mul(hn::Mul(h, z), Poly(d, z, CoefficientsOf<D>::kAsin));
  return {h, hn::Add(hn::IfThenElseZero(far, root.lo), cubic)};
}
template <class D, class V>
HWY_INLINE V BasePlus(D d, V base, V base_low, V factor, Pair<V> h) {
  (void)d;
  const Pair<V> sum = FastSum(base, hn::Mul(factor, h.hi));
  return hn::Add(sum.hi, hn::Add(sum.lo, hn::MulAdd(factor, h.lo, base_low)));
}
// float32: base +- asin(a), or base +- 2 asin(h), with 2h = sqrt(2 - 2a) in two words.
template <class D, class V>
HWY_INLINE V ShortArc(D d, V a, hn::Mask<D> far, Pair<V> base, V sign) {
  const V w = hn::NegMulAdd(a, Number(d, 2), Number(d, 2)), root = hn::Sqrt(w);
  const V z = hn::IfThenElse(far, hn::Mul(w, Number(d, 0.25)), hn::Mul(a, a));
  // Of the low word a few digits are enough.
  const V inverse = hn::Mul(Number(d, 0.5), hn::ApproximateReciprocalSqrt(hn::Max(w, Number(d, 1e-30))));
  const V low = hn::IfThenElseZero(far, hn::Xor(hn::Mul(Remainder(d, root, root, w), inverse), sign));
  const V h = hn::Xor(hn::IfThenElse(far, root, a), sign);
  const Pair<V> sum = FastSum(base.hi, Pair<V>{h, hn::Add(low, base.lo)});
  return hn::Add(sum.hi, hn::MulAdd(hn::Mul(h, z), Poly(d, z, CoefficientsOf<D>::kAsin), sum.lo));
}
template <class D, class V>
HWY_INLINE V Asin(D d, V x) {
  using C = CoefficientsOf<D>;
  const V a = hn::Abs(x);
  const auto far = hn::Gt(a, Number(d, 0.5));
  const V base = hn::IfThenElseZero(far, hn::Set(d, C::kHalfPi[0]));
  const V low = hn::IfThenElseZero(far, hn::Set(d, C::kHalfPi[1]));
  if constexpr (kIsSingle<D>)
    return hn::CopySign(ShortArc(d, a, far, Pair<V>{base, low}, hn::IfThenElseZero(far, Number(d, -0.0))), x);
  const V factor = hn::IfThenElse(far, Number(d, -2), Number(d, 1));
  return hn::CopySign(BasePlus(d, base, low, factor, HalfAngle(d, a, far)), x);
}
template <class D, class V>
HWY_INLINE V Acos(D d, V x) {  // 2 asin(h) or pi - 2 asin(h), and pi/2 - asin(x) between
  using C = CoefficientsOf<D>;
  const V a = hn::Abs(x), minus = Number(d, -0.0);
  const auto far = hn::Gt(a, Number(d, 0.5));
  const V sign = hn::Xor(hn::And(x, minus), hn::IfThenZeroElse(far, minus));
  const V quarters = hn::IfThenElse(far, hn::IfThenElseZero(hn::Lt(x, hn::Zero(d)), Number(d, 2)), Number(d, 1));
  const V base = hn::Mul(quarters, hn::Set(d, C::kHalfPi[0])), low = hn::Mul(quarters, hn::Set(d, C::kHalfPi[1]));
  if constexpr (kIsSingle<D>) return ShortArc(d, a, far, Pair<V>{base, low}, sign);
  const V factor = hn::Xor(hn::IfThenElse(far, Number(d, 2), Number(d, 1)), sign);
  return BasePlus(d, base, low, factor, HalfAngle(d, a, far));
}

// The angle of the point (x, y) of the first quadrant: atan t, pi/4 + atan t or pi/2 + atan t for t = y / x,
// (y - x) / (y + x) and -x / y; so |t| <= tan(pi/8).
template <class D, class V>
HWY_INLINE Pair<V> Angle(D d, V y, V x) {
  using C = CoefficientsOf<D>;
  const V edge = Number(d, 0.41421356237309503), zero = hn::Zero(d);
  const auto low = hn::Lt(y, hn::Mul(edge, x)), high = hn::Gt(hn::Mul(edge, y), x);
  const Pair<V> less = Sum(y, hn::Neg(x)), more = Sum(y, x);
  const Pair<V> above = Choose(low, Pair<V>{y, zero}, Choose(high, Pair<V>{hn::Neg(x), zero}, less));
  const Pair<V> below = Choose(low, Pair<V>{x, zero}, Choose(high, Pair<V>{y, zero}, more));
  const Pair<V> t = Quotient(d, above, below);
  const V z = hn::Mul(t.hi, t.hi);
  const V rest = hn::MulAdd(hn::Mul(t.hi, z), Poly(d, z, C::kAtan), t.lo);
  const V eighths = hn::IfThenElse(low, zero, hn::IfThenElse(high, Number(d, 2), Number(d, 1)));
  const Pair<V> sum = FastSum(hn::Mul(eighths, hn::Set(d, C::kQuarterPi[0])), t.hi);
  return {sum.hi, hn::Add(sum.lo, hn::MulAdd(eighths, hn::Set(d, C::kQuarterPi[1]), rest))};
}
// float32: base + atan(t + t_low) for |t| <= 1; for the derivative 1 / (1 + t^2) a line is near enough.
template <class D, class V>
HWY_INLINE V ShortAngle(D d, Pair<V> base, V t, V t_low) {
  const Pair<V> z = Product(d, t, t), cube = Product(d, t, z.hi);
  const V low = hn::MulAdd(t_low, hn::NegMulAdd(z.hi, Number(d, 0.5), Number(d, 1)), base.lo);
  const Pair<V> sum = FastSum(base.hi, Pair<V>{t, low});
  const V p = Poly(d, z.hi, CoefficientsOf<D>::kShortAtan);
  return hn::Add(sum.hi, hn::MulAdd(cube.hi, p, hn::MulAdd(hn::MulAdd(t, z.lo, cube.lo), p, sum.lo)));
}
template <class D, class V>
HWY_INLINE V Atan(D d, V x) {
  using C = CoefficientsOf<D>;
  const V one = Number(d, 1);
  if constexpr (kIsSingle<D>) {  // beyond 1 it is pi/2 - atan(1/x); a NaN stays one in the second operands
    const V a = hn::Min(Number(d, 1e30), hn::Abs(x)), below = hn::Max(one, a);
    const auto far = hn::Gt(a, one);
    const V above = hn::Min(one, a), q = hn::Div(above, below);
    const V t = hn::Xor(q, hn::IfThenElseZero(far, Number(d, -0.0)));
    const V low = hn::Mul(t, Remainder(d, q, below, above));  // none where t is exact
    const Pair<V> base{hn::IfThenElseZero(far, hn::Set(d, C::kHalfPi[0])),
                       hn::IfThenElseZero(far, hn::Set(d, C::kHalfPi[1]))};
    return hn::CopySign(ShortAngle(d, base, t, low), x);
  } else {
    const V a = hn::Min(Number(d, 1e30), hn::Abs(x));
    return hn::CopySign(Rounded(Angle(d, a, one)), x);
  }
}
// For finite float32 operands, the larger one of moderate size.
template <class D, class V>
HWY_INLINE V Atan2(D d, V y, V x) {
  using C = CoefficientsOf<D>;
  const V a = hn::Abs(y), b = hn::Abs(x), above = hn::Min(a, b), below = hn::Max(a, b), zero = hn::Zero(d);
  const auto steep = hn::Gt(a, b);
  const V sign = hn::And(hn::Xor(x, hn::VecFromMask(d, steep)), Number(d, -0.0));
  const V t = hn::Div(above, below);
  const V rest = hn::Mul(Remainder(d, t, below, above), hn::ApproximateReciprocal(below));
  const V low = hn::IfThenElseZero(hn::Gt(above, Number(d, 1e-30)), rest);  // products of less would be subnormal
  const V quarters = hn::IfThenElse(steep, Number(d, 1), hn::IfThenElseZero(hn::Lt(x, zero), Number(d, 2)));
  const Pair<V> base{hn::Mul(quarters, hn::Set(d, C::kHalfPi[0])), hn::Mul(quarters, hn::Set(d, C::kHalfPi[1]))};
  return hn::CopySign(ShortAngle(d, base, hn::Xor(t, sign), hn::Xor(low, sign)), y);
}

}  // namespace vm
}  // namespace HWY_NAMESPACE
}  // namespace rushlight::pointwise
HWY_AFTER_NAMESPACE();
#endif
