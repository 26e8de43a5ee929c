// erfc, erfinv and lgamma: float32 in vectors, float64 by scalar functions. In float32
// erfinv and lgamma are within 4.5 ULP, erfc is within 6.
#include "cpu/pointwise/scalar-inl.h"
#include "cpu/pointwise/scalar.h"
#include "cpu/pointwise/special_functions.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/pointwise/error_gamma.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include "cpu/pointwise/functions-inl.h"

#undef RL_LIST
#define RL_LIST(X)                                                                                \
  X(erfc, kFloating, (only_single<Erfc>), real1<OfDouble<special::erfc>>, nullptr, nullptr)       \
  X(erfinv, kFloating, (only_single<Erfinv>), real1<OfDouble<special::erfinv>>, nullptr, nullptr) \
  X(lgamma, kFloating, (only_single<Lgamma>), real1<OfDouble<special::lgamma>>, nullptr, nullptr)

#ifndef RL_ERROR_GAMMA_PLAIN
#define RL_ERROR_GAMMA_PLAIN
namespace rushlight::pointwise {
namespace {
template <double (*kFunction)(double)>
struct OfDouble {
  template <class T>
  T operator()(T x) {
    return static_cast<T>(kFunction(static_cast<double>(x)));
  }
};
}  // namespace
}  // namespace rushlight::pointwise
#endif

HWY_BEFORE_NAMESPACE();
namespace rushlight::pointwise {
namespace HWY_NAMESPACE {
namespace {

// erfc(a) = exp(-a^2) Q(t) / (1 + 2a) with t = (a - 3) / (a + 3), for a from 0 to where the result vanishes. The
// square's rounding error is a factor of its own, since the exponential would magnify it; negative x are 2 - erfc(-x).
struct Erfc : Long {
  template <class D, class V>
  static HWY_INLINE V apply(D d, V x) {
    static constexpr float kQuotient[] = {1.25300813f,    -0.1356211f,     -0.0475661159f, 0.12964347f,
                                          -0.119218178f,  0.0683520064f,   -0.0240318775f, 0.00222551939f,
                                          0.00225451589f, -0.000153493864f};
    const V one = constant(d, 1), three = constant(d, 3);
    const V a = hn::Min(constant(d, 10.1), hn::Abs(x));  // the second operand keeps a NaN
    // The upper 12 bits of a: their square is exact.
    const hn::RebindToUnsigned<D> du;
    const V high = hn::BitCast(d, hn::And(hn::BitCast(du, a), hn::Set(du, 0xfffff000u))), low = hn::Sub(a, high);
    const V square = hn::Mul(a, a);
    const V error = hn::MulAdd(low, hn::Add(high, a), hn::MulSub(high, high, square));
    V n;
    const V t = vm::ReducedExpm1(d, hn::Neg(square), n);
    const V ratio = hn::Div(vm::Poly(d, hn::Div(hn::Sub(a, three), hn::Add(a, three)), kQuotient),
                            hn::MulAdd(a, constant(d, 2), one));
    const V power = hn::NegMulAdd(hn::Add(one, t), error, hn::Add(one, t));
    const V positive = vm::Scale(d, hn::Mul(power, ratio), n);
    return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Sub(constant(d, 2), positive), positive);
  }
};

// erfinv(x) / x is smooth in w = -log(1 - x^2), and towards 1 in its root.
struct Erfinv : Long {
  template <class D, class V>
  static HWY_INLINE V apply(D d, V x) {
    static constexpr float kInner[] = {1.50140941f,     0.24664028f,     -0.00417738687f, -0.0012527419f,
                                       0.000218344445f, -4.96335588e-6f, -3.46270554e-6f, 4.66172423e-7f,
                                       2.323271e-8f,    -8.79118378e-9f};
    static constexpr float kOuter[] = {3.05175686f,     1.00490117f,      0.00575459935f,
                                       -0.00405033259f, 0.00272404868f,   -0.00202121329f,
                                       0.00115549297f,  -0.000161046875f, -0.000121595847f};
    const V one = constant(d, 1);
    const V w = hn::Neg(vm::Log(d, hn::Mul(hn::Sub(one, x), hn::Add(one, x))));
    const auto inside = hn::Lt(w, constant(d, 5));
    V factor = vm::Poly(d, hn::Sub(w, constant(d, 2.5)), kInner);
    if (!hn::AllTrue(d, inside))
      factor = hn::IfThenElse(inside, factor, vm::Poly(d, hn::Sub(hn::Sqrt(w), constant(d, 3.21803399)), kOuter));
    return hn::IfThenElse(hn::Eq(hn::Abs(x), one), hn::CopySign(hn::Inf(d), x), hn::Mul(x, factor));
  }
};

// Below 3 by (x - 1)(x - 2) P(x), one step of the recurrence below 1, and Stirling's series above. Negative numbers,
// zeros and subnormal ones go to the C library.
struct Lgamma : Long {
  template <class D, class V>
  static HWY_INLINE V apply(D d, V x) {
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
    const auto good = hn::Ge(x, constant(d, fn::kTiniest<D>));
    return fn::checked(d, x, y, good, static_cast<float (*)(float)>([](float a) {
                         return static_cast<float>(special::lgamma(static_cast<double>(a)));
                       }));
  }
};

template <class F>
TileFn only_single(Dtype type) {
  return type == Dtype::kFloat32 ? Unary<F, float>::kRun : nullptr;
}

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
