// Numbers of two words in vectors: sums, products and quotients whose rounding errors are kept. Included once per
// target. Algorithms by Dekker (1971) and Knuth (TAOCP 2, 4.2.2). Without FMA an exact product splits its factors.
#if defined(RL_PAIR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_PAIR_INL_H_
#undef RL_PAIR_INL_H_
#else
#define RL_PAIR_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "cpu/pointwise/coefficients.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::pointwise {
namespace HWY_NAMESPACE {
// Own namespace: argument-dependent lookup would also find hwy's Exp, Log and Tanh.
namespace vm {
namespace hn = hwy::HWY_NAMESPACE;

template <class D>
using CoefficientsOf = Coefficients<hn::TFromD<D>>;
template <class D>
inline constexpr bool kIsSingle = sizeof(hn::TFromD<D>) == 4;

// A constant of the lane type.
template <class D>
HWY_INLINE hn::Vec<D> Number(D d, double x) {
  return hn::Set(d, static_cast<hn::TFromD<D>>(x));
}

// c[0] + x * (c[1] + x * (...)): Horner, since independent vectors hide the latency.
template <class D, class V, size_t N>
HWY_INLINE V Poly(D d, V x, const hn::TFromD<D> (&c)[N]) {
  V r = hn::Set(d, c[N - 1]);
  for (size_t i = N - 1; i-- > 0;)
    r = hn::MulAdd(r, x, hn::Set(d, c[i]));
  return r;
}

// c[1] + x * (c[2] + ...).
template <class D, class V, size_t N>
HWY_INLINE V PolyOfRest(D d, V x, const hn::TFromD<D> (&c)[N]) {
  V r = hn::Set(d, c[N - 1]);
  for (size_t i = N - 1; i-- > 1;)
    r = hn::MulAdd(r, x, hn::Set(d, c[i]));
  return r;
}

// The value is hi + lo. Products and quotients are right where lo is below a few units in the last place of hi, as
// `Normal` makes it; sums leave a larger one.
template <class V>
struct Pair {
  V hi, lo;
};

template <class V>
HWY_INLINE V Rounded(Pair<V> a) {
  return hn::Add(a.hi, a.lo);
}
template <class M, class V>
HWY_INLINE Pair<V> Choose(M m, Pair<V> yes, Pair<V> no) {
  return {hn::IfThenElse(m, yes.hi, no.hi), hn::IfThenElse(m, yes.lo, no.lo)};
}
// a + b in two words, for |a| >= |b| or a = 0.
template <class V>
HWY_INLINE Pair<V> FastSum(V a, V b) {
  const V s = hn::Add(a, b);
  return {s, hn::Sub(b, hn::Sub(s, a))};
}
template <class V>
HWY_INLINE Pair<V> Normal(Pair<V> a) {
  return FastSum(a.hi, a.lo);
}
template <class V>
HWY_INLINE Pair<V> Sum(V a, V b) {
  const V s = hn::Add(a, b), part = hn::Sub(s, a);
  return {s, hn::Add(hn::Sub(a, hn::Sub(s, part)), hn::Sub(b, part))};
}
// Sums that keep a low word beside the error of the high words.
template <class V>
HWY_INLINE Pair<V> FastSum(V a, Pair<V> b) {
  const Pair<V> s = FastSum(a, b.hi);
  return {s.hi, hn::Add(s.lo, b.lo)};
}
template <class V>
HWY_INLINE Pair<V> Sum(V a, Pair<V> b) {
  const Pair<V> s = Sum(a, b.hi);
  return {s.hi, hn::Add(s.lo, b.lo)};
}
template <class V>
HWY_INLINE Pair<V> Sum(Pair<V> a, Pair<V> b) {
  const Pair<V> s = Sum(a.hi, b.hi);
  return {s.hi, hn::Add(s.lo, hn::Add(a.lo, b.lo))};
}

#if !HWY_NATIVE_FMA
template <class D, class V>
HWY_INLINE V UpperHalf(D d, V x) {  // 12 or 26 of 24 or 53 bits
  const hn::RebindToUnsigned<D> du;
  using Bits = hn::TFromD<decltype(du)>;
  constexpr Bits kMask = static_cast<Bits>(~((Bits{1} << (kIsSingle<D> ? 12 : 27)) - 1));
  return hn::BitCast(d, hn::And(hn::BitCast(du, x), hn::Set(du, kMask)));
}
#endif
template <class D, class V>
HWY_INLINE Pair<V> Product(D d, V a, V b) {
  const V p = hn::Mul(a, b);
#if HWY_NATIVE_FMA
  (void)d;
  return {p, hn::MulSub(a, b, p)};
#else
  const V ah = UpperHalf(d, a), al = hn::Sub(a, ah), bh = UpperHalf(d, b), bl = hn::Sub(b, bh);
  const V cross = hn::Add(hn::Add(hn::Sub(hn::Mul(ah, bh), p), hn::Mul(ah, bl)), hn::Mul(al, bh));
  return {p, hn::Add(cross, hn::Mul(al, bl))};
#endif
}
template <class D, class V>
HWY_INLINE Pair<V> Product(D d, Pair<V> a, Pair<V> b) {
  const Pair<V> p = Product(d, a.hi, b.hi);
  return {p.hi, hn::Add(p.lo, hn::MulAdd(a.hi, b.lo, hn::Mul(a.lo, b.hi)))};
}
// c - a * b for products close to c, so that the result needs no rounding.
template <class D, class V>
HWY_INLINE V Remainder(D d, V a, V b, V c) {
#if HWY_NATIVE_FMA
  (void)d;
  return hn::NegMulAdd(a, b, c);
#else
  const Pair<V> p = Product(d, a, b);
  return hn::Sub(hn::Sub(c, p.hi), p.lo);
#endif
}
// c + a * b, for |c| >= |a b| or c = 0.
template <class D, class V>
HWY_INLINE Pair<V> SumWithProduct(D d, V c, V a, V b) {
#if HWY_NATIVE_FMA
  (void)d;
  const V s = hn::MulAdd(a, b, c);
  return {s, hn::MulAdd(a, b, hn::Sub(c, s))};
#else
  return FastSum(c, Product(d, a, b));
#endif
}
template <class D, class V>
HWY_INLINE Pair<V> Quotient(D d, Pair<V> a, Pair<V> b) {
  const V inverse = hn::Div(Number(d, 1), b.hi);
  const V q = hn::Mul(a.hi, inverse);
  const V rest = hn::NegMulAdd(q, b.lo, hn::Add(Remainder(d, q, b.hi, a.hi), a.lo));
  return {q, hn::Mul(rest, inverse)};
}
template <class D, class V>
HWY_INLINE Pair<V> Root(D d, Pair<V> a) {  // of a positive number, or of zero
  const V s = hn::Sqrt(a.hi);
  const V half_inverse = hn::Div(Number(d, 0.5), hn::Max(s, Number(d, 1e-30)));
  return {s, hn::Mul(hn::Add(Remainder(d, s, s, a.hi), a.lo), half_inverse)};
}

// 1.5 * 2^23 or 2^52: adding it rounds to an integer, which the sum's low bits hold.
template <class D>
inline constexpr double kMagic = kIsSingle<D> ? 12582912.0 : 6755399441055744.0;
template <class D>
inline constexpr int kFractionBits = kIsSingle<D> ? 23 : 52;

// 2^n for integral n from -126 to 127, or from -1022 to 1023.
template <class D, class V>
HWY_INLINE V PowerOfTwo(D d, V n) {
  const hn::RebindToUnsigned<D> du;
  constexpr double kBias = kIsSingle<D> ? 127 : 1023;
  return hn::BitCast(d, hn::ShiftLeft<kFractionBits<D>>(hn::BitCast(du, hn::Add(n, Number(d, kMagic<D> + kBias)))));
}
// 2^-n for integral n, beyond 100 any number that is lost beside 1.
template <class D, class V>
HWY_INLINE V InversePower(D d, V n) {
#if HWY_TARGET <= HWY_AVX3
  if constexpr (kIsSingle<D> && hn::MaxLanes(D()) == 16) return V{_mm512_scalef_ps(Number(d, 1).raw, hn::Neg(n).raw)};
#endif
  return PowerOfTwo(d, hn::Neg(hn::Min(n, Number(d, 100))));
}
// x * 2^n for integral n where 2^(n/2) is a number, rounded once also where the result is subnormal.
template <class D, class V>
HWY_INLINE V Scale(D d, V x, V n) {
#if HWY_TARGET <= HWY_AVX3
  if constexpr (hn::MaxLanes(D()) * sizeof(hn::TFromD<D>) == 64) {
    if constexpr (kIsSingle<D>)
      return V{_mm512_scalef_ps(x.raw, n.raw)};
    else
      return V{_mm512_scalef_pd(x.raw, n.raw)};
  }
#endif
  const V half = hn::Round(hn::Mul(n, Number(d, 0.5)));
  return hn::Mul(hn::Mul(x, PowerOfTwo(d, half)), PowerOfTwo(d, hn::Sub(n, half)));
}

}  // namespace vm
}  // namespace HWY_NAMESPACE
}  // namespace rushlight::pointwise
HWY_AFTER_NAMESPACE();
#endif
