// Trigonometric and hyperbolic functions and their inverses.
#include "cpu/pointwise/scalar-inl.h"
#include "cpu/pointwise/scalar.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/pointwise/trigonometric.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include "cpu/pointwise/functions-inl.h"

#undef RL_LIST
#define RL_LIST(X)                                                                                       \
  X(sin, kFloating, (floats<Unary, Sin>), nullptr, complex_numbers::sin, nullptr)                        \
  X(cos, kFloating, (floats<Unary, Cos>), nullptr, complex_numbers::cos, nullptr)                        \
  X(tan, kFloating, (floats<Unary, Tan>), nullptr, complex_numbers::tan, nullptr)                        \
  X(asin, kFloating, (floats<Unary, Asin>), nullptr, complex_numbers::asin, nullptr)                     \
  X(acos, kFloating, (floats<Unary, Acos>), nullptr, complex_numbers::acos, nullptr)                     \
  X(atan, kFloating, (floats<Unary, Atan>), nullptr, complex_numbers::atan, nullptr)                     \
  X(sinh, kFloating, (floats<Unary, Sinh>), nullptr, complex_numbers::sinh, nullptr)                     \
  X(cosh, kFloating, (floats<Unary, Cosh>), nullptr, complex_numbers::cosh, nullptr)                     \
  X(tanh, kFloating, (unary_halves<floats<Unary, Tanh>, Tanh>), nullptr, complex_numbers::tanh, nullptr) \
  X(asinh, kFloating, (floats<Unary, Asinh>), nullptr, complex_numbers::asinh, nullptr)                  \
  X(acosh, kFloating, (floats<Unary, Acosh>), nullptr, complex_numbers::acosh, nullptr)                  \
  X(atanh, kFloating, (floats<Unary, Atanh>), nullptr, complex_numbers::atanh, nullptr)                  \
  X(atan2, kFloating, single_atan2, real2<Atan2>, nullptr, nullptr)                                      \
  X(sinc, kFloating, no_vectors, real1<Sinc>, complex_numbers::sinc, nullptr)

#ifndef RL_TRIGONOMETRIC_PLAIN
#define RL_TRIGONOMETRIC_PLAIN
namespace rushlight::pointwise {
namespace {
struct Atan2 {
  template <class T>
  T operator()(T a, T b) {
    return std::atan2(a, b);
  }
};
struct Sinc {  // sin(pi x) / (pi x)
  template <class T>
  T operator()(T a) {
    const T x = a * static_cast<T>(M_PI);
    return a == 0 ? T(1) : std::sin(x) / x;
  }
};
}  // namespace
}  // namespace rushlight::pointwise
#endif

HWY_BEFORE_NAMESPACE();
namespace rushlight::pointwise {
namespace HWY_NAMESPACE {
namespace {

#define RL_FUNCTION(Name, from)           \
  struct Name : Long {                    \
    template <class D, class V>           \
    static HWY_INLINE V apply(D d, V x) { \
      return from::Name(d, x);            \
    }                                     \
  }
RL_FUNCTION(Sin, fn);
RL_FUNCTION(Cos, fn);
RL_FUNCTION(Tan, fn);
RL_FUNCTION(Asin, vm);
RL_FUNCTION(Acos, vm);
RL_FUNCTION(Atan, vm);
RL_FUNCTION(Sinh, vm);
RL_FUNCTION(Cosh, vm);
RL_FUNCTION(Tanh, vm);
RL_FUNCTION(Asinh, vm);
RL_FUNCTION(Acosh, vm);
RL_FUNCTION(Atanh, vm);
struct Atan2Single : Long {
  template <class D, class V>
  static HWY_INLINE V apply(D d, V a, V b) {
    const V y = hn::Abs(a), x = hn::Abs(b), limit = constant(d, 1e30);
    const auto good = hn::And(hn::And(hn::Le(x, limit), hn::Le(y, limit)), hn::Ge(hn::Max(x, y), constant(d, 1e-20)));
    return fn::checked_pairs(d, a, b, vm::Atan2(d, a, b), good, [](float v, float u) {
      return static_cast<float>(std::atan2(static_cast<double>(v), static_cast<double>(u)));
    });
  }
};
TileFn single_atan2(Dtype type) { return type == Dtype::kFloat32 ? Binary<Atan2Single, float>::kRun : nullptr; }
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
