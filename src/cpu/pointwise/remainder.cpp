// Exact remainders and distances: float32 in vectors of float64, float64 by the C library.
#include "cpu/pointwise/scalar-inl.h"
#include "cpu/pointwise/scalar.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/pointwise/remainder.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include "cpu/pointwise/functions-inl.h"

#undef RL_LIST
#define RL_LIST(X)                                                           \
  X(fmod, kPromote, (single<FmodSingle>), modulos, nullptr, nullptr)         \
  X(remainder, kPromote, (single<RemainderSingle>), remainders, nullptr, nullptr) \
  X(hypot, kPromote, (single<HypotSingle>), real2<Hypot>, nullptr, nullptr)

#ifndef RL_REMAINDER_PLAIN
#define RL_REMAINDER_PLAIN
namespace rushlight::pointwise {
namespace {
struct Fmod { template <class T> T operator()(T a, T b) { return std::fmod(a, b); } };
struct Remainder {  // takes the sign of the divisor
  template <class T> T operator()(T a, T b) {
    const T rest = std::fmod(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  }
};
struct Hypot { template <class T> T operator()(T a, T b) { return std::hypot(a, b); } };
TileFn modulos(Dtype type) { return is_integral(type) ? integer::fmod(type) : real2<Fmod>(type); }
TileFn remainders(Dtype type) { return is_integral(type) ? integer::remainder(type) : real2<Remainder>(type); }
}  // namespace
}  // namespace rushlight::pointwise
#endif

HWY_BEFORE_NAMESPACE();
namespace rushlight::pointwise {
namespace HWY_NAMESPACE {
namespace {

// Quotients below 2^23: their product with the divisor is exact in float64, and so is the difference.
template <class D, class V>
HWY_INLINE hn::Mask<D> divides(D d, V a, V b) {
  return hn::And(hn::Lt(hn::Abs(a), hn::Mul(hn::Abs(b), constant(d, 8388608.0))),
                 hn::And(fn::between(d, hn::Abs(b), 1e-30, 1e30), fn::between(d, a, -1e30, 1e30)));
}
template <class D, class V>
HWY_INLINE V rest_of(D d, V a, V b) {  // of the truncated quotient, which may be one too large by rounding
  const V quotient = hn::Trunc(hn::Div(a, b));
  const V rest = hn::Sub(a, hn::Mul(quotient, b));
  const V zero = hn::Zero(d), step = hn::CopySign(hn::Abs(b), a);
  const auto over = hn::Lt(hn::Mul(hn::CopySign(hn::Set(d, 1.0), a), rest), zero);
  return hn::CopySign(hn::IfThenElse(over, hn::Add(rest, step), rest), a);
}

struct FmodSingle : Long {
  template <class D, class V>
  static HWY_INLINE V apply(D d, V a, V b) {
    const auto rest = [](auto dd, auto x, auto y) HWY_ATTR { return rest_of(dd, x, y); };
    return fn::pairwise(d, a, b, divides(d, a, b), rest, [](float x, float y) { return Fmod()(x, y); });
  }
};
struct RemainderSingle : Long {
  template <class D, class V>
  static HWY_INLINE V apply(D d, V a, V b) {
    const auto rest = [](auto dd, auto x, auto y) HWY_ATTR {
      const auto r = rest_of(dd, x, y);
      const auto zero = hn::Zero(dd);
      return hn::IfThenElse(hn::Lt(hn::Mul(r, y), zero), hn::Add(r, y), r);
    };
    return fn::pairwise(d, a, b, divides(d, a, b), rest, [](float x, float y) { return Remainder()(x, y); });
  }
};
struct HypotSingle : Long {
  template <class D, class V>
  static HWY_INLINE V apply(D d, V a, V b) {
    const auto length = [](auto dd, auto x, auto y) HWY_ATTR {
      (void)dd;
      return hn::Sqrt(hn::MulAdd(x, x, hn::Mul(y, y)));
    };
    const auto good = hn::And(fn::between(d, a, -1e38, 1e38), fn::between(d, b, -1e38, 1e38));
    return fn::pairwise(d, a, b, good, length, [](float x, float y) { return Hypot()(x, y); });
  }
};
template <class F>
TileFn single(Dtype type) { return type == Dtype::kFloat32 ? Binary<F, float>::kRun : nullptr; }

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
