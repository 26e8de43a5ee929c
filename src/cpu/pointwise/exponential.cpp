// Exponentials, logarithms, powers and the error function.
#include "cpu/pointwise/scalar-inl.h"
#include "cpu/pointwise/scalar.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/pointwise/exponential.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include "cpu/pointwise/functions-inl.h"

#undef RL_LIST
#define RL_LIST(X)                                                                                   \
  X(exp, kFloating, (unary_halves<floats<Unary, Exp>, Exp>), nullptr, complex_numbers::exp, nullptr) \
  X(exp2, kFloating, (floats<Unary, Exp2>), nullptr, complex_numbers::exp2, nullptr)                 \
  X(expm1, kFloating, (floats<Unary, Expm1>), nullptr, complex_numbers::expm1, nullptr)              \
  X(log, kFloating, (floats<Unary, Log>), nullptr, complex_numbers::log, nullptr)                    \
  X(log2, kFloating, (floats<Unary, Log2>), nullptr, complex_numbers::log2, nullptr)                 \
  X(log10, kFloating, (floats<Unary, Log10>), nullptr, complex_numbers::log10, nullptr)              \
  X(log1p, kFloating, (floats<Unary, Log1p>), nullptr, complex_numbers::log1p, nullptr)              \
  X(logaddexp, kPromote, (floats<Binary, LogAddExp>), nullptr, complex_numbers::logaddexp, nullptr)  \
  X(logaddexp2, kPromote, no_vectors, real2<LogAddExp2>, nullptr, nullptr)                           \
  X(pow, kPromote, single_pow, wide_pow, complex_numbers::pow, nullptr)                              \
  X(erf, kFloating, (floats<Unary, Erf>), nullptr, nullptr, nullptr)

#ifndef RL_EXPONENTIAL_PLAIN
#define RL_EXPONENTIAL_PLAIN
namespace rushlight::pointwise {
namespace {
struct WidePow {
  template <class T>
  T operator()(T a, T b) {
    return std::pow(a, b);
  }
};
struct LogAddExp2 {
  template <class T>
  T operator()(T a, T b) {
    if (std::isinf(a) && a == b) return a;
    const T high = std::max(a, b);
    return std::isnan(a) || std::isnan(b) ? a + b
                                          : high + std::log1p(std::exp2(-std::abs(a - b))) / static_cast<T>(M_LN2);
  }
};
TileFn wide_pow(Dtype type) { return type == Dtype::kFloat64 ? kScalar2<WidePow, double> : integer::pow(type); }
}  // namespace
}  // namespace rushlight::pointwise
#endif

HWY_BEFORE_NAMESPACE();
namespace rushlight::pointwise {
namespace HWY_NAMESPACE {
namespace {

#define RL_FUNCTION(Name)                 \
  struct Name : Long {                    \
    template <class D, class V>           \
    static HWY_INLINE V apply(D d, V x) { \
      return vm::Name(d, x);              \
    }                                     \
  }
RL_FUNCTION(Exp);
RL_FUNCTION(Exp2);
RL_FUNCTION(Expm1);
RL_FUNCTION(Log);
RL_FUNCTION(Log2);
RL_FUNCTION(Log10);
RL_FUNCTION(Log1p);
struct Erf : Long {
  template <class D, class V>
  static HWY_INLINE V apply(D d, V x) {
    return fn::ShortErf(d, x);
  }
};
struct LogAddExp : Long {
  template <class D, class V>
  static HWY_INLINE V apply(D d, V a, V b) {
    const V gap = hn::Neg(hn::Abs(hn::Sub(a, b)));
    const V high = hn::IfThenElse(hn::IsNaN(a), a, hn::Max(a, b));
    const V sum = hn::Add(high, vm::Log1p(d, vm::Exp(d, gap)));
    return hn::IfThenElse(hn::And(hn::Eq(a, b), hn::Eq(hn::Abs(a), hn::Inf(d))), a, sum);
  }
};

// b log2(2^e m) in float64 with m in [0.75, 1.5): with s = (m - 1) / (m + 1), log2 m = s P(s^2), a minimax fit;
// relative error 2e-11.
template <class D, class V>
HWY_INLINE V log2_times(D d, V m, V e, V b) {
  static constexpr double kLog[] = {2.8853900818356952, 0.9617966220342032, 0.5770923075348522, 0.4112078509740687,
                                    0.3483733002579681};
  const V one = hn::Set(d, 1.0), s = hn::Div(hn::Sub(m, one), hn::Add(m, one));
  return hn::Mul(b, hn::MulAdd(s, vm::Poly(d, hn::Mul(s, s), kLog), e));
}
// float32 powers as 2^(b log2 a), within 0.75 ULP: what is raised has its integer and its fraction from float64.
struct PowSingle : Long {
  template <class D, class V>
  static HWY_INLINE V apply(D d, V a, V b) {
    V e;
    const V m = vm::SplitSingle(d, a, e);
    const hn::Half<D> dh;
    const hn::Rebind<double, decltype(dh)> dd;
    const auto wide = [&](auto part) HWY_ATTR { return hn::PromoteTo(dd, part); };
    const auto low = log2_times(dd, wide(hn::LowerHalf(dh, m)), wide(hn::LowerHalf(dh, e)), wide(hn::LowerHalf(dh, b)));
    const auto high =
        log2_times(dd, wide(hn::UpperHalf(dh, m)), wide(hn::UpperHalf(dh, e)), wide(hn::UpperHalf(dh, b)));
    const auto low_n = hn::Round(low), high_n = hn::Round(high);
    const auto joined = [&](auto x, auto y)
                            HWY_ATTR { return hn::Combine(d, hn::DemoteTo(dh, y), hn::DemoteTo(dh, x)); };
    const V f = joined(hn::Sub(low, low_n), hn::Sub(high, high_n)), n = joined(low_n, high_n);
    // 1 + f ln2 and its error take one rounding each, as in Exp2.
    using C = vm::CoefficientsOf<D>;
    const V one = constant(d, 1), sum = hn::MulAdd(f, hn::Set(d, C::kExp2[0]), one);
    const V error = vm::Remainder(d, f, hn::Set(d, -C::kExp2[0]), hn::Sub(one, sum));
    const V rest = hn::MulAdd(f, vm::PolyOfRest(d, f, C::kExp2), hn::Set(d, C::kExp2Low[0]));
    const V power = hn::Add(sum, hn::MulAdd(f, rest, error));
    const auto good = hn::And(fn::between(d, a, 1e-45, 3.40282346e38), hn::Le(hn::Abs(b), constant(d, 1e30)));
    return fn::checked_pairs(d, a, b, vm::Scale(d, power, vm::Clamp(d, n, -200, 200)), good,
                             [](float x, float y) { return std::pow(x, y); });
  }
};
TileFn single_pow(Dtype type) { return type == Dtype::kFloat32 ? Binary<PowSingle, float>::kRun : nullptr; }
TileFn no_vectors(Dtype) { return nullptr; }

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
