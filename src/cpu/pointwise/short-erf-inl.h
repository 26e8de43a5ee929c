// erf of float32 in few instructions, for gelu: within 2 ULP, 0.8 with a table. Included once per target.
#if defined(RL_SHORT_ERF_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_SHORT_ERF_INL_H_
#undef RL_SHORT_ERF_INL_H_
#else
#define RL_SHORT_ERF_INL_H_
#endif

#include "cpu/pointwise/exp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::pointwise {
namespace HWY_NAMESPACE {
namespace vm {

// Without a table: |x| < 0.93: x + x P(x^2). Above: 1 - exp(-t (1 + Q(t))); from 4 on it is 1.
template <class D, class V>
HWY_INLINE V ShortErf(D d, V x) {
  if constexpr (kHasTables<D>) return ErfByTable(d, x);
  static constexpr float kSmall[] = {0.128379151f,   -0.376124859f, 0.11281693f,
                                     -0.0267614815f, 0.004985095f,  -0.000594786718f};
  static constexpr float kLarge[] = {0.12864849f,   0.635151327f,     0.106236845f,   -0.0237620194f,
                                     0.0036424296f, -0.000322794018f, 1.12300122e-05f};
  const V a = hn::Min(hn::Set(d, 4.0f), hn::Abs(x));
  const V small = hn::MulAdd(x, Poly(d, hn::Mul(x, x), kSmall), x);
  V n;
  const V e = ShortExp(d, hn::Neg(hn::MulAdd(a, Poly(d, a, kLarge), a)), n);
  const V large = hn::CopySign(hn::NegMulAdd(PowerOfTwo(d, n), e, hn::Set(d, 1.0f)), x);
  return hn::IfThenElse(hn::Ge(a, hn::Set(d, 0.93f)), large, small);
}

}  // namespace vm
}  // namespace HWY_NAMESPACE
}  // namespace rushlight::pointwise
HWY_AFTER_NAMESPACE();
#endif
