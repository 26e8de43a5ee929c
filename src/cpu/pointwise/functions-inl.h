// Functions of both float types: own ones where math-inl.h has them, else Highway's inside their stated range and the
// C library's for the rare lanes outside. Bounds in ULP (Highway's statement): log1p, log10, asin, acos 2..4; log2 1.8;
// sin, cos, atan, asinh, acosh, atanh 3; expm1, sinh, tanh 4. Included once per target.
#if defined(RL_FUNCTIONS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_FUNCTIONS_INL_H_
#undef RL_FUNCTIONS_INL_H_
#else
#define RL_FUNCTIONS_INL_H_
#endif

#include <cmath>

#include "cpu/pointwise/map-inl.h"
#include "cpu/pointwise/math-inl.h"
#include "hwy/contrib/math/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::pointwise {
namespace HWY_NAMESPACE {
namespace fn {

// Lanes outside `good` once more, one by one. Which lanes these are depends on their values alone.
template <class D, class V, class T = hn::TFromD<D>>
HWY_NOINLINE V patch(D d, V x, V y, hn::Mask<D> good, T (*function)(T)) {
  HWY_ALIGN T in[hn::MaxLanes(D())], out[hn::MaxLanes(D())], ok[hn::MaxLanes(D())];
  hn::Store(x, d, in);
  hn::Store(y, d, out);
  hn::Store(hn::IfThenElseZero(good, hn::Set(d, T(1))), d, ok);
  for (size_t i = 0; i < hn::MaxLanes(D()); ++i)
    if (ok[i] == 0) out[i] = function(in[i]);
  return hn::Load(d, out);
}
template <class D, class V, class T = hn::TFromD<D>>
HWY_INLINE V checked(D d, V x, V y, hn::Mask<D> good, T (*function)(T)) {
  return HWY_LIKELY(hn::AllTrue(d, good)) ? y : patch(d, x, y, good, function);
}
template <class D, class V>
HWY_INLINE hn::Mask<D> between(D d, V x, double low, double high) {  // false for NaN
  return hn::And(hn::Ge(x, constant(d, low)), hn::Le(x, constant(d, high)));
}
template <class D>
constexpr double kTiniest = kSingle<D> ? 1.17549435e-38 : 2.2250738585072014e-308;
template <class D>
constexpr double kLargest = kSingle<D> ? 3.40282346e38 : 1.7976931348623157e308;

#define RL_CHECKED(Name, Highway, std_name, condition)                                                               \
  template <class D, class V>                                                                                        \
  HWY_INLINE V Name(D d, V x) {                                                                                      \
    using T = hn::TFromD<D>;                                                                                         \
    return checked(d, x, hn::Highway(d, x), condition, static_cast<T (*)(T)>([](T a) { return std::std_name(a); })); \
  }
// The same for functions with f(x) ~ x at 0, whose smallest arguments are their own results, the sign of zero included.
#define RL_ODD(Name, Highway, std_name, condition)                                                   \
  template <class D, class V>                                                                        \
  HWY_INLINE V Name(D d, V x) {                                                                      \
    using T = hn::TFromD<D>;                                                                         \
    const V y = hn::IfThenElse(hn::Lt(hn::Abs(x), constant(d, 1e-30)), x, hn::Highway(d, x));        \
    return checked(d, x, y, condition, static_cast<T (*)(T)>([](T a) { return std::std_name(a); })); \
  }
RL_CHECKED(ExpWide, Exp, exp, between(d, x, -700, 700))
RL_ODD(Expm1, Expm1, expm1, between(d, x, kSingle<D> ? -80 : -700, kSingle<D> ? 80 : 700))
RL_CHECKED(LogWide, Log, log, between(d, x, kTiniest<D>, kLargest<D>))
RL_CHECKED(Log10, Log10, log10, between(d, x, kTiniest<D>, kLargest<D>))
RL_ODD(Log1p, Log1p, log1p, between(d, x, -0.9, 1e30))
RL_ODD(Sin, Sin, sin, between(d, x, -30000, 30000))
RL_CHECKED(Asin, Asin, asin, between(d, x, -1, 1))
RL_CHECKED(Acos, Acos, acos, between(d, x, -1, 1))
RL_CHECKED(Atan, Atan, atan, between(d, x, -1e30, 1e30))
RL_ODD(Sinh, Sinh, sinh, between(d, x, -80, 80))
RL_ODD(TanhWide, Tanh, tanh, between(d, x, -700, 700))
RL_ODD(Asinh, Asinh, asinh, between(d, x, -1e15, 1e15))
RL_CHECKED(Acosh, Acosh, acosh, between(d, x, 1, 1e15))
RL_ODD(Atanh, Atanh, atanh, between(d, x, -0.9999, 0.9999))
#undef RL_CHECKED
#undef RL_ODD

template <class D, class V>
HWY_INLINE V Cos(D d, V x) {  // exactly 1 at 0
  using T = hn::TFromD<D>;
  const V y = hn::IfThenElse(hn::Lt(hn::Abs(x), constant(d, 1e-8)), constant(d, 1), hn::Cos(d, x));
  return checked(d, x, y, between(d, x, -30000, 30000), static_cast<T (*)(T)>([](T a) { return std::cos(a); }));
}

// x = m 2^e with m in [sqrt(1/2), sqrt(2)): exact for powers of two, whose m is 1.
template <class D, class V>
HWY_INLINE V Log2(D d, V x) {
  using T = hn::TFromD<D>;
  using Bits = hwy::MakeSigned<T>;
  const hn::RebindToSigned<D> di;
  constexpr int kMantissa = kSingle<D> ? 23 : 52;
  const auto lowest = hn::Set(di, static_cast<Bits>(kSingle<D> ? 0x3f3504f3 : 0x3fe6a09e667f3bcd));
  const auto bits = hn::Sub(hn::BitCast(di, x), lowest);
  const V e = hn::ConvertTo(d, hn::ShiftRight<kMantissa>(bits));
  const V m = hn::BitCast(d, hn::Add(hn::And(bits, hn::Set(di, (Bits{1} << kMantissa) - 1)), lowest));
  const V y = hn::MulAdd(hn::Log(d, m), constant(d, 1.4426950408889634), e);
  return checked(d, x, y, between(d, x, kTiniest<D>, kLargest<D>),
                 static_cast<T (*)(T)>([](T a) { return std::log2(a); }));
}

template <class D, class V>
HWY_INLINE V Tan(D d, V x) {
  using T = hn::TFromD<D>;
  const V y = hn::IfThenElse(hn::Lt(hn::Abs(x), constant(d, 1e-30)), x, hn::Div(hn::Sin(d, x), hn::Cos(d, x)));
  return checked(d, x, y, between(d, x, -30000, 30000), static_cast<T (*)(T)>([](T a) { return std::tan(a); }));
}

// A function of two float32 operands that is computed in float64; lanes outside `good` go to the C library.
template <class D, class V, class F>
HWY_INLINE V pairwise(D d, V a, V b, hn::Mask<D> good, F in_double, float (*function)(float, float)) {
  const hn::Half<D> dh;
  const hn::Rebind<double, decltype(dh)> dd;
  const auto half = [&](auto x, auto y) HWY_ATTR {
    return hn::DemoteTo(dh, in_double(dd, hn::PromoteTo(dd, x), hn::PromoteTo(dd, y)));
  };
  const V result = hn::Combine(d, half(hn::UpperHalf(dh, a), hn::UpperHalf(dh, b)),
                               half(hn::LowerHalf(dh, a), hn::LowerHalf(dh, b)));
  if (HWY_LIKELY(hn::AllTrue(d, good))) return result;
  HWY_ALIGN float x[hn::MaxLanes(D())], y[hn::MaxLanes(D())], z[hn::MaxLanes(D())], ok[hn::MaxLanes(D())];
  hn::Store(a, d, x);
  hn::Store(b, d, y);
  hn::Store(result, d, z);
  hn::Store(hn::IfThenElseZero(good, hn::Set(d, 1.0f)), d, ok);
  for (size_t i = 0; i < hn::MaxLanes(D()); ++i)
    if (ok[i] == 0) z[i] = function(x[i], y[i]);
  return hn::Load(d, z);
}

#define RL_EITHER(Name, Wide)   \
  template <class D, class V>   \
  HWY_INLINE V Name(D d, V x) { \
    if constexpr (kSingle<D>)   \
      return vm::Name(d, x);    \
    else                        \
      return Wide(d, x);        \
  }
RL_EITHER(Exp, ExpWide)
RL_EITHER(Log, LogWide)
RL_EITHER(Tanh, TanhWide)
#undef RL_EITHER

template <class D, class V>
HWY_INLINE V Cosh(D d, V x) {
  using T = hn::TFromD<D>;
  const V e = fn::Exp(d, hn::Abs(x));
  const V y = hn::Mul(constant(d, 0.5), hn::Add(e, hn::Div(constant(d, 1), e)));
  return checked(d, x, y, between(d, x, -80, 80), static_cast<T (*)(T)>([](T a) { return std::cosh(a); }));
}

// erf for float64 goes lane by lane: the C library's is within 1 ULP.
template <class D, class V>
HWY_INLINE V Erf(D d, V x) {
  if constexpr (kSingle<D>) {
    return vm::Erf(d, x);
  } else {
    return patch(d, x, x, hn::MaskFromVec(hn::Zero(d)),
                 static_cast<double (*)(double)>([](double a) { return std::erf(a); }));
  }
}

// With e = exp(-|x|) nothing overflows and small results keep full precision.
template <class D, class V>
HWY_INLINE V Sigmoid(D d, V x) {
  if constexpr (kSingle<D>) {
    return vm::Sigmoid(d, x);
  } else {
    const V one = constant(d, 1), e = fn::Exp(d, hn::Neg(hn::Abs(x)));
    return hn::Div(hn::IfThenElse(hn::Lt(x, hn::Zero(d)), e, one), hn::Add(one, e));
  }
}

// log(1 + exp(x)) without overflow: max(x, 0) + log1p(exp(-|x|)).
template <class D, class V>
HWY_INLINE V LogOnePlusExp(D d, V x) {
  const V e = fn::Exp(d, hn::Neg(hn::Abs(x)));
  return hn::Add(hn::Max(hn::Zero(d), x), fn::Log1p(d, e));
}

}  // namespace fn
}  // namespace HWY_NAMESPACE
}  // namespace rushlight::pointwise
HWY_AFTER_NAMESPACE();
#endif
