// Functions of float32 that are computed in float64 lanes, where two words of float32 would take as many instructions:
// erfinv, sin, cos and tan. Included once per target. Errors are below 0.51 ULP, of tan 0.55.
#if defined(RL_SHORT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_SHORT_INL_H_
#undef RL_SHORT_INL_H_
#else
#define RL_SHORT_INL_H_
#endif

#include "cpu/pointwise/log-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::pointwise {
namespace HWY_NAMESPACE {
namespace vm {

// f on the halves of float32 vectors as float64.
template <class D, class F, class... V>
HWY_INLINE hn::Vec<D> InDouble(D d, F f, V... x) {
  const hn::Half<D> dh;
  const hn::Rebind<double, decltype(dh)> dd;
  return hn::Combine(d, hn::DemoteTo(dh, f(dd, hn::PromoteTo(dd, hn::UpperHalf(dh, x))...)),
                     hn::DemoteTo(dh, f(dd, hn::PromoteTo(dd, hn::LowerHalf(dh, x))...)));
}
// Coefficients of float32 serve in float64 lanes, too.
template <class D, class V, size_t N>
HWY_INLINE V ShortPoly(D d, V x, const float (&c)[N]) {
  V r = Number(d, static_cast<double>(c[N - 1]));
  for (size_t i = N - 1; i-- > 0;)
    r = hn::MulAdd(r, x, Number(d, static_cast<double>(c[i])));
  return r;
}

// x - (n + shift) pi with the sign bit of (-1)^n; 1/2 is the shift of a cosine. |x| up to 1e5.
template <class D, class V>
HWY_INLINE V ReduceByPi(D d, V x, double shift, hn::Vec<hn::RebindToUnsigned<D>>& sign) {
  const V magic = Number(d, kMagic<D>);
  const V shifted = hn::Add(hn::MulAdd(x, Number(d, M_1_PI), Number(d, -shift)), magic);
  const V n = hn::Add(hn::Sub(shifted, magic), Number(d, shift));
  sign = hn::ShiftLeft<63>(hn::BitCast(hn::RebindToUnsigned<D>(), shifted));
  const V head = Remainder(d, n, Number(d, M_PI), x);
  return hn::NegMulAdd(n, Number(d, 1.2246467991473532e-16), head);
}
template <class D, class V>
HWY_INLINE V ShortSinOf(D d, V r, hn::Vec<hn::RebindToUnsigned<D>> sign) {
  const V z = hn::Mul(r, r);
  const V y = hn::MulAdd(hn::Mul(r, z), Poly(d, z, Coefficients<double>::kShortSin), r);
  return hn::Xor(y, hn::BitCast(d, sign));
}
struct ShortSin {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    hn::Vec<hn::RebindToUnsigned<D>> sign;
    const V r = ReduceByPi(d, x, 0, sign);
    return ShortSinOf(d, r, sign);
  }
};
struct ShortCos {  // cos((n + 1/2) pi + r) = -(-1)^n sin r
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    hn::Vec<hn::RebindToUnsigned<D>> sign;
    const V r = ReduceByPi(d, x, 0.5, sign);
    return ShortSinOf(d, hn::Neg(r), sign);
  }
};
struct ShortTan {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const hn::RebindToUnsigned<D> du;
    const V magic = Number(d, kMagic<D>);
    const V shifted = hn::MulAdd(x, Number(d, M_2_PI), magic), n = hn::Sub(shifted, magic);
    const V head = Remainder(d, n, Number(d, M_PI_2), x);
    const V r = hn::NegMulAdd(n, Number(d, 6.123233995736766e-17), head), z = hn::Mul(r, r);
    const V sine = hn::MulAdd(hn::Mul(r, z), ShortPoly(d, z, Coefficients<float>::kSin), r);
    const V cosine = hn::MulAdd(hn::Mul(z, z), ShortPoly(d, z, Coefficients<float>::kCos),
                                hn::NegMulAdd(z, Number(d, 0.5), Number(d, 1)));
    const auto odd = hn::MaskFromVec(hn::BitCast(d, hn::ShiftLeft<63>(hn::BitCast(du, shifted))));
    return hn::Div(hn::IfThenElse(odd, hn::Neg(cosine), sine), hn::IfThenElse(odd, sine, cosine));
  }
};

// log of a positive float32, which is normal in float64.
template <class D, class V>
HWY_INLINE V ShortLog(D d, V x) {
  V e;
  const V m = SplitExponent(d, x, e), one = Number(d, 1);
  const V s = hn::Div(hn::Sub(m, one), hn::Add(m, one)), w = hn::Mul(s, s);
  const V y = hn::MulAdd(hn::Mul(s, w), ShortPoly(d, w, Coefficients<float>::kLog), hn::Add(s, s));
  return hn::MulAdd(e, Number(d, M_LN2), y);
}
struct ShortErfinv {  // erfinv(x) / x is smooth in w = -log(1 - x^2), and towards 1 in its root
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    using C = Coefficients<double>;
    const V w = hn::Neg(ShortLog(d, hn::NegMulAdd(x, x, Number(d, 1))));
    const auto inside = hn::Lt(w, Number(d, 5));
    V factor = Poly(d, hn::Sub(w, Number(d, 2.5)), C::kShortErfinv);
    if (HWY_UNLIKELY(!hn::AllTrue(d, inside))) {
      const V root = hn::Sub(hn::Sqrt(w), Number(d, 3));
      factor = hn::IfThenElse(inside, factor, Poly(d, root, C::kShortErfinvTail));
    }
    return hn::Mul(x, factor);
  }
};

}  // namespace vm
}  // namespace HWY_NAMESPACE
}  // namespace rushlight::pointwise
HWY_AFTER_NAMESPACE();
#endif
