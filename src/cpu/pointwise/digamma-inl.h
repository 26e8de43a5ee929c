// digamma of float32 in vectors. Included once per target. Of |x| from 1 to 2 it is a polynomial about its root, below
// 1 one step of the recurrence from there, and above an asymptotic series; negative numbers follow by reflection.
#if defined(RL_DIGAMMA_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_DIGAMMA_INL_H_
#undef RL_DIGAMMA_INL_H_
#else
#define RL_DIGAMMA_INL_H_
#endif

#include "cpu/pointwise/log-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::pointwise {
namespace HWY_NAMESPACE {
namespace vm {

// digamma(x) for x >= 2.
template <class D, class V>
HWY_INLINE V DigammaTail(D d, V x, V inverse) {
  using C = CoefficientsOf<D>;
  V e;
  const V f = hn::Sub(SplitSingle(d, x, e), Number(d, 1));
  const V slope = hn::MulAdd(inverse, Poly(d, hn::Mul(inverse, inverse), C::kDigammaTail), Number(d, 0.5));
  const V y = LogOfSplit(d, f, e, hn::Neg(hn::Mul(inverse, slope)));
  return hn::IfThenElse(hn::Lt(x, hn::Inf(d)), y, x);
}
// digamma(-a) = digamma(a) + 1/a + pi cot(pi a), of `y`, the sum of the first two.
template <class D, class V>
HWY_NOINLINE V DigammaOfNegative(D d, V a, V y) {
  const V v = hn::Sub(a, hn::Round(a)), cotangent = hn::Mul(v, Poly(d, hn::Mul(v, v), CoefficientsOf<D>::kCotangent));
  const V result = hn::Add(hn::Div(Number(d, 1), v), hn::Add(cotangent, y));
  return hn::IfThenElse(hn::Eq(v, hn::Zero(d)), hn::NaN(d), result);
}
template <class D, class V>
HWY_INLINE V Digamma(D d, V x) {
  using C = CoefficientsOf<D>;
  const V a = hn::Abs(x), inverse = hn::Div(Number(d, 1), a);
  const auto below = hn::Lt(a, Number(d, 1)), near = hn::Lt(a, Number(d, 2));
  const V root = hn::Set(d, C::kDigammaRoot[0]), step = hn::IfThenElseZero(below, Number(d, 1));
  const V gap = hn::Sub(hn::Sub(a, hn::Sub(root, step)), hn::Set(d, C::kDigammaRoot[1]));
  // digamma(a), below 1 that of a + 1.
  V y = hn::Mul(gap, Poly(d, hn::Sub(a, hn::Sub(Number(d, 1.5), step)), C::kDigamma));
  if (!hn::AllTrue(d, near)) y = hn::IfThenElse(near, y, DigammaTail(d, a, inverse));
  const V positive = hn::Sub(y, hn::IfThenElseZero(below, hn::CopySign(inverse, x)));
  const auto negative = hn::Lt(x, hn::Zero(d));
  if (hn::AllFalse(d, negative)) return positive;
  return hn::IfThenElse(negative, DigammaOfNegative(d, a, hn::Add(y, hn::IfThenZeroElse(below, inverse))), positive);
}

}  // namespace vm
}  // namespace HWY_NAMESPACE
}  // namespace rushlight::pointwise
HWY_AFTER_NAMESPACE();
#endif
