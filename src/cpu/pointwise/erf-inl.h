// erf, erfc and erfinv in vectors of float32 and float64, right for all inputs. Included once per target.
// Up to 1/2, erf is a polynomial; above, erfc(a) = e^(-a^2) q(t) / (1 + 2a) with t = (a - 3) / (a + 3) and the square
// in two words, since the exponential would magnify its rounding.
#if defined(RL_ERF_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_ERF_INL_H_
#undef RL_ERF_INL_H_
#else
#define RL_ERF_INL_H_
#endif

#include "cpu/pointwise/short-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::pointwise {
namespace HWY_NAMESPACE {
namespace vm {

template <class D, class V>
HWY_INLINE Pair<V> SmallErf(D d, V x) {
  using C = CoefficientsOf<D>;
  const V z = hn::Mul(x, x);
  const Pair<V> factor =
      FastSum(hn::Set(d, C::kErfSlope[0]), Pair<V>{hn::Mul(z, Poly(d, z, C::kErf)), hn::Set(d, C::kErfSlope[1])});
  const Pair<V> y = Product(d, x, factor.hi);
  return {y.hi, hn::MulAdd(x, factor.lo, y.lo)};
}
// The fast sums of 3 and of 1 keep their errors although a may be the larger one: sums less them have few enough bits.
// erfc(a) = 2^n times the result for a from 0.47 up; `power` is e^(-a^2) / 2^n.
template <class D, class V>
HWY_INLINE Pair<V> LargeErfc(D d, V a, V& n, V& power) {
  using C = CoefficientsOf<D>;
  const V one = Number(d, 1), three = Number(d, 3);
  const Pair<V> square = Product(d, a, a);
  Pair<V> e;
  if constexpr (kIsSingle<D>)
    e = Normal(ShortExpParts(d, hn::Neg(square.hi), hn::Neg(square.lo), n));
  else
    e = FastSum(one, Expm1OfReduced(d, hn::Neg(square.hi), hn::Neg(square.lo), n));
  power = Rounded(e);
  const Pair<V> t = Quotient(d, FastSum(hn::Neg(three), a), FastSum(three, a));
  constexpr hn::TFromD<D> kSlope[] = {C::kErfc[0], 2 * C::kErfc[1], 3 * C::kErfc[2], 4 * C::kErfc[3], 5 * C::kErfc[4]};
  const V low = hn::MulAdd(t.lo, Poly(d, t.hi, kSlope), hn::Set(d, C::kErfcCentre[1]));
  const Pair<V> q = FastSum(hn::Set(d, C::kErfcCentre[0]), Pair<V>{hn::Mul(t.hi, Poly(d, t.hi, C::kErfc)), low});
  return Product(d, e, Quotient(d, q, FastSum(one, hn::Add(a, a))));
}
template <class D>
inline constexpr double kErfcVanishes = kIsSingle<D> ? 10.1 : 27.3;

template <class D, class V>
HWY_INLINE V Erfc(D d, V x) {
  if constexpr (kHasTables<D>) return ErfcByTable(d, x);
  const V a = hn::Min(Number(d, kErfcVanishes<D>), hn::Abs(x));
  V n, power;
  const Pair<V> large = LargeErfc(d, a, n, power);
  const Pair<V> erf = SmallErf(d, a);
  const Pair<V> small = FastSum(Number(d, 1), Pair<V>{hn::Neg(erf.hi), hn::Neg(erf.lo)});
  const auto near = hn::Lt(a, Number(d, 0.5));
  const V high = hn::IfThenElse(near, small.hi, Scale(d, large.hi, n));
  const V low = hn::IfThenElse(near, small.lo, Scale(d, large.lo, n));
  const V other = Rounded(FastSum(Number(d, 2), Pair<V>{hn::Neg(high), hn::Neg(low)}));
  return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), other, hn::Add(high, low));
}
template <class D, class V>
HWY_INLINE V Erf(D d, V x) {
  const V a = hn::Min(Number(d, kIsSingle<D> ? 4.5 : 6.5), hn::Abs(x));
  V n, power;
  const Pair<V> large = LargeErfc(d, a, n, power);
  const V scale = PowerOfTwo(d, n);
  const Pair<V> rest =
      FastSum(Number(d, 1), Pair<V>{hn::Neg(hn::Mul(large.hi, scale)), hn::Neg(hn::Mul(large.lo, scale))});
  const Pair<V> small = SmallErf(d, a);
  const V y = Rounded(Choose(hn::Lt(a, Number(d, 0.5)), small, rest));
  // Products of the smallest numbers would lose their low words.
  const V tiny = hn::MulAdd(a, Number(d, 0.12837916709551256), a);
  return hn::CopySign(hn::IfThenElse(hn::Lt(a, Number(d, kIsSingle<D> ? 1e-30 : 1e-290)), tiny, y), x);
}

// A first guess y is a polynomial in w = -log(1 - x^2), or in its root. With u = (x - erf y) / erf'(y), from erfc in
// the tail, y + u + y u^2 is right up to the cube of the guess's error.
template <class D, class V>
HWY_INLINE V ErfinvWide(D d, V x) {
  using C = CoefficientsOf<D>;
  const V one = Number(d, 1), a = hn::Abs(x), rest = hn::Sub(one, a);
  const V w = hn::Neg(vm::Log(d, hn::Mul(rest, hn::Add(one, a))));
  const auto inside = hn::Lt(w, Number(d, 5));
  V factor = Poly(d, hn::Sub(w, Number(d, 2.5)), C::kErfinv);
  if (!hn::AllTrue(d, inside))
    factor = hn::IfThenElse(inside, factor, Poly(d, hn::Sub(hn::Sqrt(w), Number(d, 4)), C::kErfinvTail));
  const V y = hn::Mul(a, factor);
  V n, power;
  const Pair<V> large = LargeErfc(d, y, n, power), small = SmallErf(d, y);
  const V scale = PowerOfTwo(d, n);
  const V in_tail = hn::Add(hn::Sub(hn::Mul(large.hi, scale), rest), hn::Mul(large.lo, scale));
  const V missing = hn::IfThenElse(hn::Lt(a, Number(d, 0.5)), hn::Sub(hn::Sub(a, small.hi), small.lo), in_tail);
  const V u = hn::Div(hn::Mul(missing, Number(d, 0.886226925452758)), hn::Mul(power, scale));
  const V better = hn::Add(y, hn::MulAdd(hn::Mul(y, u), u, u));
  return hn::CopySign(better, x);
}
template <class D, class V>
HWY_INLINE V Erfinv(D d, V x) {
  if constexpr (kHasTables<D>) return ErfinvByTable(d, x);
  V y;
  if constexpr (kIsSingle<D>)
    y = InDouble(d, ShortErfinv(), x);
  else
    y = ErfinvWide(d, x);
  const V a = hn::Abs(x), one = Number(d, 1);
  const V limit = hn::IfThenElse(hn::Eq(a, one), hn::CopySign(hn::Inf(d), x), hn::NaN(d));
  return hn::IfThenElse(hn::Lt(a, one), y, limit);
}

}  // namespace vm
}  // namespace HWY_NAMESPACE
}  // namespace rushlight::pointwise
HWY_AFTER_NAMESPACE();
#endif
