// log Gamma of float64 in vectors. Included once per target. From 8 on it is Stirling's series, in two words; below, x
// is raised to 8 by steps of 1 whose product's logarithm is subtracted.
#if defined(RL_LGAMMA_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_LGAMMA_INL_H_
#undef RL_LGAMMA_INL_H_
#else
#define RL_LGAMMA_INL_H_
#endif

#include "cpu/pointwise/log-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::pointwise {
namespace HWY_NAMESPACE {
namespace vm {

// For x from 2.5 to 1e305: nearer to the zeros at 1 and 2, the difference would lose its digits.
template <class D, class V>
HWY_INLINE V LgammaWide(D d, V x) {
  // B(2k) / (2k (2k - 1)).
  static constexpr double kSeries[] = {1.0 / 12,         -1.0 / 360,        1.0 / 1260, -1.0 / 1680,
                                       1.0 / 1188,       -691.0 / 360360,   1.0 / 156,  -3617.0 / 122400,
                                       43867.0 / 244188, -174611.0 / 125400};
  const V one = Number(d, 1), eight = Number(d, 8), zero = hn::Zero(d);
  Pair<V> y{x, zero}, product{one, zero};
  for (auto low = hn::Lt(y.hi, eight); !hn::AllFalse(d, low); low = hn::Lt(y.hi, eight)) {
    product = Choose(low, Normal(Product(d, product, y)), product);
    y = Choose(low, Sum(one, y), y);
  }
  const Pair<V> log = Normal(LogOfPair(d, Pair<V>{y.hi, zero}, zero));
  const Pair<V> less = Normal(Pair<V>{hn::Sub(log.hi, one), log.lo});
  // (y - 1/2) (log y - 1) + log(2 pi) / 2 - 1/2 + series, and log y times what y.hi lacks.
  const Pair<V> main = Product(d, Pair<V>{hn::Sub(y.hi, Number(d, 0.5)), zero}, less);
  const V r = hn::Div(one, y.hi);
  const V tail = hn::MulAdd(r, Poly(d, hn::Mul(r, r), kSeries), hn::Mul(log.hi, y.lo));
  const Pair<V> half{Number(d, 0.4189385332046727), Number(d, 1.6728209650585413e-17)};
  const Pair<V> stirling = Sum(half.hi, Pair<V>{main.hi, hn::Add(main.lo, hn::Add(half.lo, tail))});
  const Pair<V> steps = LogOfPair(d, product, zero);
  return Rounded(Sum(stirling, Pair<V>{hn::Neg(steps.hi), hn::Neg(steps.lo)}));
}

}  // namespace vm
}  // namespace HWY_NAMESPACE
}  // namespace rushlight::pointwise
HWY_AFTER_NAMESPACE();
#endif
