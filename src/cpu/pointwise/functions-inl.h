// Vector mathematics for kernels: the functions in namespace vm, and the C library's where rare lanes leave their
// range. Included once per target.
#if defined(RL_FUNCTIONS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_FUNCTIONS_INL_H_
#undef RL_FUNCTIONS_INL_H_
#else
#define RL_FUNCTIONS_INL_H_
#endif

#include <cmath>

#include "cpu/pointwise/erf-inl.h"
#include "cpu/pointwise/map-inl.h"
#include "cpu/pointwise/short-erf-inl.h"
#include "cpu/pointwise/trig-inl.h"

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

// Beyond the limit of vectors, and for infinities and NaN, the C library's.
#define RL_LIMITED(Name, std_name)                                                                                    \
  template <class D, class V>                                                                                         \
  HWY_INLINE V Name(D d, V x) {                                                                                       \
    using T = hn::TFromD<D>;                                                                                          \
    const auto near = hn::Le(hn::Abs(x), constant(d, vm::kTrigLimit<D>));                                             \
    return checked(d, x, vm::Name(d, x), near,                                                                        \
                   static_cast<T (*)(T)>([](T a) { return static_cast<T>(std::std_name(static_cast<double>(a))); })); \
  }
RL_LIMITED(Sin, sin)
RL_LIMITED(Cos, cos)
RL_LIMITED(Tan, tan)
#undef RL_LIMITED

// Pairs of float32 operands outside `good` once more, one by one.
template <class D, class V>
HWY_NOINLINE V patch_pairs(D d, V a, V b, V y, hn::Mask<D> good, float (*function)(float, float)) {
  HWY_ALIGN float in[hn::MaxLanes(D())], other[hn::MaxLanes(D())], out[hn::MaxLanes(D())], ok[hn::MaxLanes(D())];
  hn::Store(a, d, in);
  hn::Store(b, d, other);
  hn::Store(y, d, out);
  hn::Store(hn::IfThenElseZero(good, hn::Set(d, 1.0f)), d, ok);
  for (size_t i = 0; i < hn::MaxLanes(D()); ++i)
    if (ok[i] == 0) out[i] = function(in[i], other[i]);
  return hn::Load(d, out);
}
template <class D, class V>
HWY_INLINE V checked_pairs(D d, V a, V b, V y, hn::Mask<D> good, float (*function)(float, float)) {
  return HWY_LIKELY(hn::AllTrue(d, good)) ? y : patch_pairs(d, a, b, y, good, function);
}
// A function of two float32 operands that is computed in float64.
template <class D, class V, class F>
HWY_INLINE V pairwise(D d, V a, V b, hn::Mask<D> good, F in_double, float (*function)(float, float)) {
  return checked_pairs(d, a, b, vm::InDouble(d, in_double, a, b), good, function);
}

// For gelu.
template <class D, class V>
HWY_INLINE V ShortErf(D d, V x) {
  if constexpr (kSingle<D>)
    return vm::ShortErf(d, x);
  else
    return vm::Erf(d, x);
}

}  // namespace fn
}  // namespace HWY_NAMESPACE
}  // namespace rushlight::pointwise
HWY_AFTER_NAMESPACE();
#endif
