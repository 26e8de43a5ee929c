// exp, exp2, expm1, sinh, cosh, tanh and sigmoid in vectors of float32 and float64, right for all inputs incl.
// infinities, NaN, signed zeros and subnormals. Included once per target. x = n ln2 + r with |r| <= ln2/2 in two words;
// the leading terms of e^r are summed in two words, so that only the last rounding counts.
#if defined(RL_EXP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_EXP_INL_H_
#undef RL_EXP_INL_H_
#else
#define RL_EXP_INL_H_
#endif

#include "cpu/pointwise/short-exp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::pointwise {
namespace HWY_NAMESPACE {
namespace vm {

// x + x_low = n ln2 + r; the head of ln2 is short, so its product with n is exact.
template <class D, class V>
HWY_INLINE Pair<V> ReduceByLn2(D d, V x, V x_low, V& n) {
  using C = CoefficientsOf<D>;
  const V magic = Number(d, kMagic<D>);
  n = hn::Sub(hn::MulAdd(x, Number(d, 1.4426950408889634), magic), magic);
  const V head = hn::NegMulAdd(n, hn::Set(d, C::kLn2[0]), x);
  const V tail = hn::NegMulAdd(n, hn::Set(d, C::kLn2[1]), x_low);
  return FastSum(head, tail);
}

// e^r - 1, for float32 with one rounding of the quadratic term, which is a twelfth of a unit in the last place; in
// float64 that term has two words.
template <class D, class V>
HWY_INLINE Pair<V> ReducedExpm1(D d, Pair<V> r) {
  const V turned = hn::MulAdd(r.hi, r.lo, r.lo);
  if constexpr (kIsSingle<D>) {
    const V p = hn::MulAdd(Poly(d, r.hi, CoefficientsOf<D>::kExp), r.hi, Number(d, 0.5));
    return FastSum(r.hi, hn::MulAdd(hn::Mul(r.hi, r.hi), p, turned));
  } else {
    const V half = hn::Mul(r.hi, Number(d, 0.5));
    const Pair<V> square = Product(d, r.hi, half);
    const V cube = hn::Mul(square.hi, hn::Add(r.hi, r.hi));
    const V rest = hn::MulAdd(cube, Poly(d, r.hi, CoefficientsOf<D>::kExp), turned);
    const Pair<V> sum = FastSum(r.hi, square.hi);
    return {sum.hi, hn::Add(sum.lo, hn::Add(square.lo, rest))};
  }
}

// e^(x + x_low) = 2^n (1 + the result), for arguments whose n fits.
template <class D, class V>
HWY_INLINE Pair<V> Expm1OfReduced(D d, V x, V x_low, V& n) {
  return ReducedExpm1(d, ReduceByLn2(d, x, x_low, n));
}
// e^x in two words for x <= 0.
template <class D, class V>
HWY_INLINE Pair<V> ExpOfNegative(D d, V x) {
  V n;
  const Pair<V> m = Expm1OfReduced(d, hn::Max(Number(d, -746), x), hn::Zero(d), n);
  const Pair<V> e = Normal(FastSum(Number(d, 1), m));
  return {Scale(d, e.hi, n), Scale(d, e.lo, n)};
}
template <class D, class V>
HWY_INLINE V Exp(D d, V x) {
  V n;
  if constexpr (kIsSingle<D>) {
    const V e = ShortExp(d, Clamp(d, x, -105, 90), n);
    return Scale(d, e, n);
  } else {
    const Pair<V> m = Expm1OfReduced(d, Clamp(d, x, -746, 710), hn::Zero(d), n);
    return Scale(d, Rounded(FastSum(Number(d, 1), m)), n);
  }
}

// 2^x: x - n is exact. For float32, 1 + (x - n) ln2 and its error take one rounding each.
template <class D, class V>
HWY_INLINE V Exp2(D d, V x) {
  using C = CoefficientsOf<D>;
  x = kIsSingle<D> ? Clamp(d, x, -151, 129) : Clamp(d, x, -1076, 1025);
  const V one = Number(d, 1), n = hn::Round(x), f = hn::Sub(x, n);
  if constexpr (kIsSingle<D>) {
    const Pair<V> sum = SumWithProduct(d, one, f, hn::Set(d, C::kExp2[0]));
    const V low = hn::MulAdd(f, PolyOfRest(d, f, C::kExp2), hn::Set(d, C::kExp2Low[0]));
    return Scale(d, hn::Add(sum.hi, hn::MulAdd(f, low, sum.lo)), n);
  } else {
    const Pair<V> r = Product(d, Pair<V>{f, hn::Zero(d)}, Pair<V>{Number(d, M_LN2), Number(d, 2.3190468138462996e-17)});
    return Scale(d, Rounded(FastSum(one, ReducedExpm1(d, r))), n);
  }
}

// 2^n ((1 - 2^-n) + (e^r - 1)).
template <class D, class V>
HWY_INLINE V Expm1(D d, V x) {
  if constexpr (kIsSingle<D>) {
    return ShortExpm1(d, x);
  } else {
    V n;
    const Pair<V> m = Expm1OfReduced(d, Clamp(d, x, -42, 710), hn::Zero(d), n);
    const Pair<V> less = Sum(Number(d, 1), hn::Neg(InversePower(d, n))), sum = FastSum(less.hi, m);
    return hn::CopySign(Scale(d, hn::Add(sum.hi, hn::Add(sum.lo, less.lo)), n), x);
  }
}

template <class D, class V>
HWY_INLINE V Expm1OfNegative(D d, V x) {  // for x <= 0
  if constexpr (kIsSingle<D>)
    return ShortExpm1OfNegative(d, x);
  else
    return Expm1(d, x);
}

// cosh r and sinh r with |r| <= ln2/2 as two words each; |x| = n ln2 + r.
template <class D, class V>
HWY_INLINE void HyperbolicParts(D d, V x, V& n, Pair<V>& even, Pair<V>& odd) {
  using C = CoefficientsOf<D>;
  const Pair<V> r = ReduceByLn2(d, x, hn::Zero(d), n);
  const Pair<V> square = Product(d, r.hi, hn::Mul(r.hi, Number(d, 0.5)));
  const V z = hn::Add(square.hi, square.hi);
  const V fourth = hn::MulAdd(hn::Mul(z, z), Poly(d, z, C::kCosh), hn::MulAdd(r.hi, r.lo, square.lo));
  even = FastSum(Number(d, 1), Pair<V>{square.hi, fourth});
  odd = {r.hi, hn::MulAdd(hn::Mul(r.hi, z), Poly(d, z, C::kSinh), hn::MulAdd(square.hi, r.lo, r.lo))};
}
// With q = 4^-n: sinh x = 2^(n-1) ((1 - q) cosh r + (1 + q) sinh r); products with q are exact.
template <class D, class V>
HWY_INLINE V Sinh(D d, V x) {
  if constexpr (kIsSingle<D>) {
    return ShortSinh(d, x);
  } else {
    V n;
    Pair<V> even, odd;
    HyperbolicParts(d, hn::Min(Number(d, 712), hn::Abs(x)), n, even, odd);
    const V one = Number(d, 1), q = InversePower(d, hn::Add(n, n));
    const Pair<V> c = FastSum(even.hi, hn::Neg(hn::Mul(q, even.hi))), s = FastSum(odd.hi, hn::Mul(q, odd.hi));
    const Pair<V> sum = FastSum(c.hi, Pair<V>{s.hi, hn::Add(c.lo, s.lo)});
    const V low = hn::MulAdd(hn::Sub(one, q), even.lo, hn::Mul(hn::Add(one, q), odd.lo));
    return hn::CopySign(Scale(d, hn::Add(sum.hi, hn::Add(sum.lo, low)), hn::Sub(n, one)), x);
  }
}
template <class D, class V>
HWY_INLINE V Cosh(D d, V x) {
  const V a = hn::Min(Number(d, kIsSingle<D> ? 91 : 712), hn::Abs(x)), one = Number(d, 1);
  V n;
  if constexpr (kIsSingle<D>) {  // (e^a / 2) + (1/4) / (e^a / 2)
    const V e = ShortExp(d, a, n), half = Scale(d, e, hn::Sub(n, one));
    return hn::Add(half, hn::Div(Number(d, 0.25), half));
  } else {
    Pair<V> even, odd;
    HyperbolicParts(d, a, n, even, odd);
    const V q = InversePower(d, hn::Add(n, n));
    const Pair<V> c = FastSum(even.hi, hn::Mul(q, even.hi)), s = FastSum(odd.hi, hn::Neg(hn::Mul(q, odd.hi)));
    const Pair<V> sum = FastSum(c.hi, Pair<V>{s.hi, hn::Add(c.lo, s.lo)});
    const V low = hn::MulAdd(hn::Add(one, q), even.lo, hn::Mul(hn::Sub(one, q), odd.lo));
    return Scale(d, hn::Add(sum.hi, hn::Add(sum.lo, low)), hn::Sub(n, one));
  }
}

// With q = 2^-n and m = e^r - 1 for 2|x|: tanh|x| = ((1 - q) + m) / ((1 + q) + m).
template <class D, class V>
HWY_INLINE V Tanh(D d, V x) {
  if constexpr (kHasTables<D>) return TanhByTable(d, x);
  const V a = hn::Min(Number(d, kIsSingle<D> ? 20 : 44), hn::Add(hn::Abs(x), hn::Abs(x)));
  const V one = Number(d, 1);
  V n;
  Pair<V> m = Expm1OfReduced(d, a, hn::Zero(d), n);
  if constexpr (!kIsSingle<D>) m = Normal(m);
  const V q = PowerOfTwo(d, hn::Neg(n));
  const Pair<V> less = FastSum(one, hn::Neg(q)), more = FastSum(one, q);
  const Pair<V> above = FastSum(less.hi, m), below = FastSum(more.hi, m);
  const V y = Rounded(
      Quotient(d, Pair<V>{above.hi, hn::Add(above.lo, less.lo)}, Pair<V>{below.hi, hn::Add(below.lo, more.lo)}));
  return hn::CopySign(y, x);
}

// x / (1 + e^-x) for x = 1 or the argument itself. e^-x overflows below -88: there the quotient is x e^x.
template <class D, class V>
HWY_INLINE V ShortOver(D d, V above, V x, V power, V n) {
  const V y = hn::Div(above, hn::Add(Number(d, 1), Scale(d, power, n)));
  const auto far = hn::Lt(x, Number(d, -88));
  if (HWY_LIKELY(hn::AllFalse(d, far))) return y;
  return hn::IfThenElse(far, hn::Mul(above, vm::Exp(d, x)), y);
}
template <class D, class V>
HWY_INLINE V WideOver(D d, V above, V x) {  // float64, with e = exp(-|x|)
  const V one = Number(d, 1), zero = hn::Zero(d);
  const auto negative = hn::Lt(x, zero);
  const Pair<V> e = ExpOfNegative(d, hn::Neg(hn::Abs(x)));
  const Pair<V> product = Product(d, Pair<V>{above, zero}, e);
  const Pair<V> part{hn::IfThenElse(negative, product.hi, above), hn::IfThenElseZero(negative, product.lo)};
  return Rounded(Quotient(d, part, FastSum(one, e)));
}
template <class D, class V>
HWY_INLINE V Sigmoid(D d, V x) {
  const V one = Number(d, 1);
  if constexpr (kIsSingle<D>) {
    V n;
    const V power = QuickExp(d, Clamp(d, hn::Neg(x), -105, 88), n);
    return ShortOver(d, one, x, power, n);
  } else {
    return WideOver(d, one, x);
  }
}
template <class D, class V>
HWY_INLINE V Silu(D d, V x) {
  if constexpr (kIsSingle<D>) {
    V n;
    const V power = ShortExp(d, Clamp(d, hn::Neg(x), -105, 88), n);
    return ShortOver(d, x, x, power, n);
  } else {
    const auto itself = hn::Or(hn::Gt(x, Number(d, 1000)), hn::Eq(x, hn::Zero(d)));
    return hn::IfThenElse(itself, x, WideOver(d, x, x));
  }
}

// x tanh(log(1 + e^x)): with y = e^x the tangent is (y^2 + 2y) / (y^2 + 2y + 2); with y = e^-|x| it is
// (1 + 2y) / (1 + 2y + 2y^2) for x > 0.
template <class D, class V>
HWY_INLINE V Mish(D d, V x) {
  const V two = Number(d, 2);
  if constexpr (kIsSingle<D>) {
    const Pair<V> y = ShortExpPair(d, Clamp(d, x, -105, 20));  // from 10 on the tangent is 1
    const V above = hn::Add(hn::Add(y.hi, y.hi), hn::MulAdd(y.hi, y.hi, hn::Add(y.lo, y.lo)));
    return hn::Mul(x, hn::Div(above, hn::Add(above, two)));
  } else {
    const V one = Number(d, 1), zero = hn::Zero(d);
    const Pair<V> y = ExpOfNegative(d, hn::Neg(hn::Abs(x)));
    const auto positive = hn::Gt(x, zero);
    const V twice = hn::Add(y.hi, y.hi), twice_low = hn::Add(y.lo, y.lo);
    const Pair<V> square = Product(d, y, y);
    const Pair<V> least = Choose(positive, Pair<V>{twice, zero}, square);
    const Pair<V> above =
        Normal(Sum(hn::IfThenElse(positive, one, twice), Pair<V>{least.hi, hn::Add(least.lo, twice_low)}));
    const Pair<V> more =
        Choose(positive, Pair<V>{hn::Add(square.hi, square.hi), hn::Add(square.lo, square.lo)}, Pair<V>{two, zero});
    const Pair<V> tangent = Quotient(d, above, Normal(Sum(above, more)));
    const auto itself = hn::Or(hn::Gt(x, Number(d, 100)), hn::Eq(x, zero));
    return hn::IfThenElse(itself, x, Rounded(Product(d, Pair<V>{x, zero}, tangent)));
  }
}

}  // namespace vm
}  // namespace HWY_NAMESPACE
}  // namespace rushlight::pointwise
HWY_AFTER_NAMESPACE();
#endif
