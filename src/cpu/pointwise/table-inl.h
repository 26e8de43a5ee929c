// exp, tanh, erf, erfc and erfinv of float32 by tables of polynomials, which take half the instructions where a
// register or two hold a row: with AVX-512. Included once per target. A result is f(c) + t P(t) for a centre c where
// f(c) is nearly a float32, so that only the last rounding and that of a small product count. After Tang (1991),
// "Table-lookup algorithms for elementary functions and their error analysis".
#if defined(RL_TABLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_TABLE_INL_H_
#undef RL_TABLE_INL_H_
#else
#define RL_TABLE_INL_H_
#endif

#include <cmath>

#include "cpu/pointwise/pair-inl.h"
#include "cpu/pointwise/tables.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::pointwise {
namespace HWY_NAMESPACE {
namespace vm {

template <class D>
inline constexpr bool kHasTables = HWY_TARGET <= HWY_AVX3 && kIsSingle<D> && hn::MaxLanes(D()) == 16;

#if HWY_TARGET <= HWY_AVX3
// A row's entries by the lowest bits of the index.
template <class V>
HWY_INLINE V LookUp(__m512i index, const float (&row)[16]) {
  return V{_mm512_permutexvar_ps(index, _mm512_load_ps(row))};
}
template <class V>
HWY_INLINE V LookUp(__m512i index, const float (&row)[32]) {
  return V{_mm512_permutex2var_ps(_mm512_load_ps(row), index, _mm512_load_ps(row + 16))};
}
// The polynomial whose coefficients are the rows from the third on, or from `kFirst` on.
template <size_t kFirst = 2, class V, size_t kRows, size_t kColumns>
HWY_INLINE V LookUpPoly(__m512i index, V t, const float (&table)[kRows][kColumns]) {
  V r = LookUp<V>(index, table[kRows - 1]);
  for (size_t k = kRows - 1; k-- > kFirst;)
    r = hn::MulAdd(r, t, LookUp<V>(index, table[k]));
  return r;
}

// e^(x + x_low) = 2^floor(n) (hi + hi lo), where hi is 2^(n - floor(n)) and n a multiple of 1/16; |lo| <= 0.022.
template <class D, class V>
HWY_INLINE Pair<V> ExpByTable(D d, V x, V x_low, V& n) {
  using C = CoefficientsOf<D>;
  const V magic = Number(d, kMagic<D>), u = hn::MulAdd(x, Number(d, 16 * M_LOG2E), magic), k = hn::Sub(u, magic);
  const __m512i index = _mm512_castps_si512(u.raw);
  const V head = hn::NegMulAdd(k, hn::Set(d, C::kLn2Over16[0]), x);
  const V r = hn::Add(head, hn::NegMulAdd(k, hn::Set(d, C::kLn2Over16[1]), x_low));
  const V rest = hn::MulAdd(hn::Mul(r, r), Poly(d, r, C::kTableExp), LookUp<V>(index, kExpTable[1]));
  n = hn::Mul(k, Number(d, 1.0 / 16));
  return {LookUp<V>(index, kExpTable[0]), hn::Add(r, rest)};
}

// The lowest bits say in which quarter of its power of two a number from 1/2 to 8 is.
template <class V>
HWY_INLINE __m512i QuarterOf(V u) {
  return _mm512_srli_epi32(_mm512_castps_si512(u.raw), 21);
}

// An odd function of x, whose absolute value is a; `first` are the lanes in the piece that begins at zero.
template <class D, class V, size_t kRows>
HWY_INLINE V OddByTable(D, V x, V a, __m512i index, hn::Mask<D> first, const float (&table)[kRows][16]) {
  const V t = hn::Sub(a, LookUp<V>(index, table[0]));
  const V base = hn::IfThenElse(first, a, LookUp<V>(index, table[1]));
  return hn::CopySign(hn::MulAdd(LookUpPoly(index, t, table), t, base), x);
}
template <class D, class V>
HWY_INLINE V ErfByTable(D d, V x) {                  // within 0.75 ULP
  const V a = hn::Min(Number(d, 3.99), hn::Abs(x));  // the second operand keeps a NaN
  const __m512i index = _mm512_cvttps_epi32(hn::Mul(a, Number(d, 4)).raw);
  return OddByTable(d, x, a, index, hn::Lt(a, Number(d, 0.25)), kErfTable);
}
template <class D, class V>
HWY_INLINE V TanhByTable(D d, V x) {  // within 0.52 ULP: f(c) + t f'(c) has two words
  const V a = hn::Min(Number(d, 9.3), hn::Abs(x)), u = hn::MulAdd(a, hn::Set(d, kTanhScale), Number(d, 0.5));
  const __m512i index = QuarterOf(u);
  const V t = hn::Sub(a, LookUp<V>(index, kTanhTable[0])), slope = LookUp<V>(index, kTanhTable[2]);
  const V base = hn::IfThenElse(hn::Lt(u, Number(d, 0.625)), a, LookUp<V>(index, kTanhTable[1]));
  const V line = hn::MulAdd(slope, t, base), low = hn::MulAdd(slope, t, hn::Sub(base, line));
  const V rest = hn::MulAdd(hn::Mul(LookUpPoly<3>(index, t, kTanhTable), t), t, low);
  return hn::CopySign(hn::Add(line, rest), x);
}
// The derivative of gelu for |x| < 4, within 2^-23.
template <class D, class V>
HWY_INLINE V GeluSlopeByTable(D d, V x) {
  const V a = hn::Abs(x), half = Number(d, 0.5), u = hn::MulAdd(a, hn::Set(d, kGeluScale), half);
  return hn::Add(half, OddByTable(d, x, a, QuarterOf(u), hn::Lt(u, Number(d, 0.625)), kGeluTable));
}

// e^(-a^2) times a function from the table, both in two words. Within 0.9 ULP.
template <class D, class V>
HWY_INLINE V ErfcByTable(D d, V x) {
  const V a = hn::Min(Number(d, 10.1), hn::Abs(x)), u = hn::MulAdd(a, hn::Set(d, kErfcScale), Number(d, 0.5));
  const __m512i index = QuarterOf(u);
  const V t = hn::Sub(a, LookUp<V>(index, kErfcTable[0])), base = LookUp<V>(index, kErfcTable[1]);
  const V rest = hn::Mul(LookUpPoly(index, t, kErfcTable), t), sum = hn::Add(base, rest);
  const Pair<V> square = Product(d, a, a);
  V n;
  const Pair<V> e = ExpByTable(d, hn::Neg(square.hi), hn::Neg(square.lo), n), product = Product(d, e.hi, base);
  const V low = hn::MulAdd(e.hi, hn::MulAdd(e.lo, sum, rest), product.lo);
  const V y = Scale(d, hn::Add(product.hi, low), n);
  return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Sub(Number(d, 2), y), y);
}

// A piece for every exponent of 1 - |x|; that of zero has an infinity. The mantissa of a negative number is a NaN.
// Within 0.75 ULP.
template <class D, class V>
HWY_INLINE V ErfinvByTable(D d, V x) {
  const V a = hn::Abs(x), rest = hn::Sub(Number(d, 1), a);
  const __m512i index = _mm512_srli_epi32(_mm512_castps_si512(rest.raw), 23);
  const V mantissa{_mm512_getmant_ps(rest.raw, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_nan)};
  const auto central = hn::Ge(rest, Number(d, 0.5));
  const V t = hn::IfThenElse(central, a, hn::Sub(mantissa, LookUp<V>(index, kErfinvTable[0])));
  const V base = hn::IfThenElse(central, a, LookUp<V>(index, kErfinvTable[1]));
  const V r = LookUpPoly(index, hn::IfThenElse(central, hn::Mul(a, a), t), kErfinvTable);
  return hn::CopySign(hn::MulAdd(r, t, base), x);
}
#endif

}  // namespace vm
}  // namespace HWY_NAMESPACE
}  // namespace rushlight::pointwise
HWY_AFTER_NAMESPACE();
#endif
