// exp, expm1 and sinh of float32 in few instructions, for all inputs. Included once per target. x = n ln2 + r with
// |r| <= ln2/2. The head of r is exact, so its sum with the leading term is kept in two words, and everything else is
// added to the error of that sum.
#if defined(RL_SHORT_EXP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_SHORT_EXP_INL_H_
#undef RL_SHORT_EXP_INL_H_
#else
#define RL_SHORT_EXP_INL_H_
#endif

#include "cpu/pointwise/table-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::pointwise {
namespace HWY_NAMESPACE {
namespace vm {

// Min and Max return their second operand for NaN, so a NaN in x survives the clamp.
template <class D, class V>
HWY_INLINE V Clamp(D d, V x, double low, double high) {
  return hn::Max(Number(d, low), hn::Min(Number(d, high), x));
}

template <class V>
struct Reduced {
  V n, head, tail, r;
};
// x + x_low = n ln2 + head + tail; r is their rounded sum.
template <class D, class V>
HWY_INLINE Reduced<V> ShortReduce(D d, V x, V x_low) {
  using C = CoefficientsOf<D>;
  const V magic = Number(d, kMagic<D>);
  const V n = hn::Sub(hn::MulAdd(x, Number(d, M_LOG2E), magic), magic);
  const V head = hn::NegMulAdd(n, hn::Set(d, C::kLn2[0]), x);
  const V tail = hn::NegMulAdd(n, hn::Set(d, C::kLn2[1]), x_low);
  return {n, head, tail, hn::Add(head, tail)};
}
// r^2/2 + r^3/6 + ... + x.
template <class D, class V>
HWY_INLINE V BeyondLinear(D d, V r, V x) {
  return hn::MulAdd(hn::Mul(r, r), Poly(d, r, CoefficientsOf<D>::kShortExp), x);
}

// e^(x + x_low) / 2^n without tables.
template <class D, class V>
HWY_INLINE Pair<V> ShortExpParts(D d, V x, V x_low, V& n) {
  const Reduced<V> k = ShortReduce(d, x, x_low);
  n = k.n;
  const Pair<V> sum = FastSum(Number(d, 1), k.head);
  return {sum.hi, hn::Add(BeyondLinear(d, k.r, k.tail), sum.lo)};
}
// e^x / 2^n within 0.65 ULP; with tables n has a fraction, which `Scale` drops.
template <class D, class V>
HWY_INLINE V ShortExp(D d, V x, V& n) {
  if constexpr (kHasTables<D>) {
    const Pair<V> e = ExpByTable(d, x, hn::Zero(d), n);
    return hn::MulAdd(e.hi, e.lo, e.hi);
  } else {
    return Rounded(ShortExpParts(d, x, hn::Zero(d), n));
  }
}
// The same within 0.9 ULP, without tables three instructions shorter.
template <class D, class V>
HWY_INLINE V QuickExp(D d, V x, V& n) {
  if constexpr (kHasTables<D>) {
    return ShortExp(d, x, n);
  } else {
    const Reduced<V> k = ShortReduce(d, x, hn::Zero(d));
    n = k.n;
    return hn::Add(Number(d, 1), BeyondLinear(d, k.r, k.r));
  }
}
// e^x in two words for x from -105 to 88.
template <class D, class V>
HWY_INLINE Pair<V> ShortExpPair(D d, V x) {
  V n;
  if constexpr (kHasTables<D>) {
    const Pair<V> e = ExpByTable(d, x, hn::Zero(d), n);
    const V power = Scale(d, e.hi, n);
    return SumWithProduct(d, power, power, e.lo);
  } else {
    const Pair<V> e = Normal(ShortExpParts(d, x, hn::Zero(d), n));
    return {Scale(d, e.hi, n), Scale(d, e.lo, n)};
  }
}

// 2^n ((1 - 2^-n) + (e^r - 1)), where r + r^2/2 has two words.
template <class D, class V>
HWY_INLINE V ShortExpm1(D d, V x) {
  const Reduced<V> k = ShortReduce(d, Clamp(d, x, -20, 90), hn::Zero(d));
  const Pair<V> less = FastSum(Number(d, 1), hn::Neg(InversePower(d, k.n))), line = FastSum(less.hi, k.head);
  const Pair<V> square = Product(d, k.r, hn::Mul(k.r, Number(d, 0.5))), sum = FastSum(line.hi, square);
  const V cube = hn::Mul(hn::Add(square.hi, square.hi), k.r);
  const V rest = hn::MulAdd(cube, PolyOfRest(d, k.r, CoefficientsOf<D>::kShortExp), hn::Add(k.tail, less.lo));
  return hn::CopySign(Scale(d, hn::Add(sum.hi, hn::Add(rest, hn::Add(line.lo, sum.lo))), k.n), x);
}
// For x <= 0 the power is a small number, and one word does. Within 1 ULP.
template <class D, class V>
HWY_INLINE V ShortExpm1OfNegative(D d, V x) {
  const Reduced<V> k = ShortReduce(d, hn::Max(Number(d, -20), x), hn::Zero(d));
  const V power = PowerOfTwo(d, k.n);
  return hn::CopySign(hn::MulAdd(power, BeyondLinear(d, k.r, k.r), hn::Sub(power, Number(d, 1))), x);
}

// With q = 4^-n: sinh x = 2^(n-1) ((1 - q) cosh r + (1 + q) sinh r). Within 1 ULP.
template <class D, class V>
HWY_INLINE V ShortSinh(D d, V x) {
  using C = CoefficientsOf<D>;
  const V one = Number(d, 1);
  const Reduced<V> k = ShortReduce(d, hn::Min(Number(d, 91), hn::Abs(x)), hn::Zero(d));
  const V q = InversePower(d, hn::Add(k.n, k.n)), less = hn::Sub(one, q), more = hn::Add(one, q);
  const V z = hn::Mul(k.r, k.r);
  const V odd = hn::MulAdd(hn::Mul(k.r, z), Poly(d, z, C::kSinh), k.tail);
  const V even = hn::Mul(z, hn::MulAdd(z, Poly(d, z, C::kCosh), Number(d, 0.5)));
  const Pair<V> sum = SumWithProduct(d, less, more, k.head);
  const V low = hn::MulAdd(less, even, hn::MulAdd(more, odd, sum.lo));
  return hn::CopySign(Scale(d, hn::Add(sum.hi, low), hn::Sub(k.n, one)), x);
}

}  // namespace vm
}  // namespace HWY_NAMESPACE
}  // namespace rushlight::pointwise
HWY_AFTER_NAMESPACE();
#endif
