// Exponentials, logarithms, powers and the error function.
#include "cpu/pointwise/scalar-inl.h"
#include "cpu/pointwise/scalar.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/pointwise/exponential.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include "cpu/pointwise/functions-inl.h"

#undef RL_LIST
#define RL_LIST(X)                                                                                  \
  X(exp, kFloating, (floats<Unary, Exp>), nullptr, complex_numbers::exp, nullptr)                   \
  X(exp2, kFloating, (floats<Unary, Exp2>), nullptr, complex_numbers::exp2, nullptr)                \
  X(expm1, kFloating, (floats<Unary, Expm1>), nullptr, complex_numbers::expm1, nullptr)             \
  X(log, kFloating, (floats<Unary, Log>), nullptr, complex_numbers::log, nullptr)                   \
  X(log2, kFloating, (floats<Unary, Log2>), nullptr, complex_numbers::log2, nullptr)                \
  X(log10, kFloating, (floats<Unary, Log10>), nullptr, complex_numbers::log10, nullptr)             \
  X(log1p, kFloating, (floats<Unary, Log1p>), nullptr, complex_numbers::log1p, nullptr)             \
  X(logaddexp, kPromote, (floats<Binary, LogAddExp>), nullptr, complex_numbers::logaddexp, nullptr) \
  X(logaddexp2, kPromote, no_vectors, real2<LogAddExp2>, nullptr, nullptr)                          \
  X(pow, kPromote, single_pow, wide_pow, complex_numbers::pow, nullptr)                             \
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

template <class D, class V, size_t N>
HWY_INLINE V horner(D d, V x, const double (&c)[N]) {
  V r = hn::Set(d, c[N - 1]);
  for (size_t i = N - 1; i-- > 0;)
    r = hn::MulAdd(r, x, hn::Set(d, c[i]));
  return r;
}
// log2 of float64 numbers that are normal in float32: x = 2^e m with m in [0.75, 1.5), and with s = (m - 1) / (m + 1)
// log2 m = s P(s^2), a minimax fit; relative error 2e-11. Conversions of e go by way of the mantissa's bits.
template <class D, class V>
HWY_INLINE V short_log2(D d, V x) {
  static constexpr double kLog[] = {2.8853900818356952, 0.9617966220342032, 0.5770923075348522, 0.4112078509740687,
                                    0.3483733002579681};
  const hn::RebindToUnsigned<D> du;
  constexpr std::uint64_t kBase = 0x3fe8000000000000, kOffset = std::uint64_t{1024} << 52,
                          kMagic = std::uint64_t{0x433} << 52;
  const auto bits = hn::Sub(hn::BitCast(du, x), hn::Set(du, kBase));
  const auto m = hn::BitCast(d, hn::Add(hn::And(bits, hn::Set(du, (std::uint64_t{1} << 52) - 1)), hn::Set(du, kBase)));
  const auto biased = hn::ShiftRight<52>(hn::Add(bits, hn::Set(du, kOffset)));
  const V e = hn::Sub(hn::BitCast(d, hn::Or(biased, hn::Set(du, kMagic))), hn::Set(d, 4503599627370496.0 + 1024.0));
  const V one = hn::Set(d, 1.0);
  const V s = hn::Div(hn::Sub(m, one), hn::Add(m, one));
  return hn::MulAdd(s, horner(d, hn::Mul(s, s), kLog), e);
}
// 2^x for |x| <= 1000; relative error 2e-9.
template <class D, class V>
HWY_INLINE V short_exp2(D d, V x) {
  static constexpr double kExp[] = {1.0000000005541647,    0.6931472057371958,   0.24022646890645522,
                                    0.05550328777105325,   0.009618488956331182, 0.0013399931177239738,
                                    0.00015345812161311629};
  const hn::RebindToUnsigned<D> du;
  const V magic = hn::Set(d, 6755399441055744.0);  // 1.5 * 2^52: the sum's low bits are the integer
  const V shifted = hn::Add(x, magic);
  const V power = horner(d, hn::Sub(x, hn::Sub(shifted, magic)), kExp);
  return hn::BitCast(d, hn::Add(hn::BitCast(du, power), hn::ShiftLeft<52>(hn::BitCast(du, shifted))));
}
// float32 powers as 2^(b log2 a) in float64: correct to 0.6 ULP.
struct PowSingle : Long {
  template <class D, class V>
  static HWY_INLINE V apply(D d, V a, V b) {
    const auto power = [](auto dd, auto x, auto y) HWY_ATTR {
      const auto product = hn::Mul(y, short_log2(dd, x));
      return short_exp2(dd, hn::Min(hn::Set(dd, 300.0), hn::Max(hn::Set(dd, -300.0), product)));
    };
    const auto good = hn::And(fn::between(d, a, 1.17549435e-38, 3.40282346e38), fn::between(d, b, -1e30, 1e30));
    return fn::pairwise(d, a, b, good, power, [](float x, float y) { return std::pow(x, y); });
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
