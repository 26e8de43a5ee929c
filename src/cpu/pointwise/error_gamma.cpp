// erfc, erfinv, lgamma and digamma.
#include "cpu/pointwise/scalar-inl.h"
#include "cpu/pointwise/scalar.h"
#include "cpu/pointwise/special_functions.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/pointwise/error_gamma.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include "cpu/pointwise/digamma-inl.h"
#include "cpu/pointwise/functions-inl.h"
#include "cpu/pointwise/lgamma-inl.h"

#undef RL_LIST
#define RL_LIST(X)                                                         \
  X(erfc, kFloating, (floats<Unary, Erfc>), nullptr, nullptr, nullptr)     \
  X(erfinv, kFloating, (floats<Unary, Erfinv>), nullptr, nullptr, nullptr) \
  X(lgamma, kFloating, (floats<Unary, Lgamma>), nullptr, nullptr, nullptr) \
  X(digamma, kFloating, single_digamma, wide_digamma, nullptr, nullptr)

#ifndef RL_ERROR_GAMMA_PLAIN
#define RL_ERROR_GAMMA_PLAIN
namespace rushlight::pointwise {
namespace {
struct WideDigamma {
  double operator()(double x) { return special::digamma(x); }
};
TileFn wide_digamma(Dtype type) { return type == Dtype::kFloat64 ? kScalar1<WideDigamma, double> : nullptr; }
}  // namespace
}  // namespace rushlight::pointwise
#endif

HWY_BEFORE_NAMESPACE();
namespace rushlight::pointwise {
namespace HWY_NAMESPACE {
namespace {

struct Erfc : Long {
  template <class D, class V>
  static HWY_INLINE V apply(D d, V x) {
    return vm::Erfc(d, x);
  }
};
struct Erfinv : Long {
  template <class D, class V>
  static HWY_INLINE V apply(D d, V x) {
    return vm::Erfinv(d, x);
  }
};

// float32, within 4.5 ULP. Below 3 by (x - 1)(x - 2) P(x), one step of the recurrence below 1, and Stirling's series
// above. Negative numbers, zeros and subnormal ones go to the C library.
template <class D, class V>
HWY_INLINE V short_lgamma(D d, V x) {
  static constexpr float kNear[] = {0.422784328f,    -0.10031727f,    0.0329656266f,   -0.0123849753f,
                                    0.0049915472f,   -0.00210205838f, 0.000944334606f, -0.000425581238f,
                                    0.000130588975f, -5.24075076e-5f, 7.81930212e-5f,  -3.87391265e-5f};
  static constexpr float kSeries[] = {0.0833333333f, -0.00277777778f, 0.000793650794f, -0.000595238095f};
  const V one = constant(d, 1), two = constant(d, 2);
  const auto below = hn::Lt(x, one), near = hn::Lt(x, constant(d, 3));
  const V from_one = hn::Sub(x, one), from_two = hn::Sub(x, two), log = vm::Log(d, x);
  // In x, or in x + 1 below 1, with two subtracted.
  const V p = vm::Poly(d, hn::IfThenElse(below, from_one, from_two), kNear);
  V y = hn::Mul(from_one, hn::Mul(hn::IfThenElse(below, x, from_two), p));
  y = hn::Add(y, hn::IfThenElseZero(below, hn::Neg(log)));  // a zero is positive
  if (!hn::AllTrue(d, near)) {
    const V r = hn::Div(one, x);
    const V tail = hn::MulAdd(r, vm::Poly(d, hn::Mul(r, r), kSeries), constant(d, 0.418938533));
    const V far = hn::MulAdd(hn::Sub(x, constant(d, 0.5)), hn::Sub(log, one), tail);
    y = hn::IfThenElse(near, y, far);
  }
  return y;
}
struct Lgamma : Long {
  template <class D, class V>
  static HWY_INLINE V apply(D d, V x) {
    using T = hn::TFromD<D>;
    const auto scalar = [](T a) { return static_cast<T>(special::lgamma(static_cast<double>(a))); };
    if constexpr (kSingle<D>) {
      const auto good = hn::Ge(x, constant(d, fn::kTiniest<D>));
      return fn::checked(d, x, short_lgamma(d, x), good, static_cast<T (*)(T)>(scalar));
    } else {
      const auto good = fn::between(d, x, 2.5, 1e305);
      const V inside = hn::IfThenElse(good, x, constant(d, 8));
      return fn::checked(d, x, vm::LgammaWide(d, inside), good, static_cast<T (*)(T)>(scalar));
    }
  }
};

struct Digamma : Long {
  template <class D, class V>
  static HWY_INLINE V apply(D d, V x) {
    return vm::Digamma(d, x);
  }
};
TileFn single_digamma(Dtype type) { return type == Dtype::kFloat32 ? Unary<Digamma, float>::kRun : nullptr; }

RL_LIST(RL_FIND)

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace rushlight::pointwise
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::pointwise {
RL_LIST(RL_DEFINE)
}  // namespace rushlight::pointwise
#endif
