// Vector kernels without transcendental functions. Adding one: a functor and a row of RL_LIST.
#include "cpu/pointwise/scalar.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/pointwise/arithmetic.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include "cpu/pointwise/map-inl.h"

#undef RL_LIST
#define RL_LIST(X)                                                                                                    \
  X(add, kPromote, (binary_halves<everything<Binary, Add, Or>, Add>), nullptr, complex_numbers::add, &add_scaled)     \
  X(add_scaled, kPromote, (binary_halves<floats<Binary, AddScaled>, AddScaled>), integer::add_scaled,                 \
    complex_numbers::add_scaled, nullptr)                                                                             \
  X(sub, kPromote, (binary_halves<numerals<Binary, Sub>, Sub>), nullptr, complex_numbers::sub, &sub_scaled)           \
  X(sub_scaled, kPromote, (binary_halves<floats<Binary, SubScaled>, SubScaled>), integer::sub_scaled,                 \
    complex_numbers::sub_scaled, nullptr)                                                                             \
  X(rsub, kPromote, (binary_halves<numerals<Binary, ReverseSub>, ReverseSub>), nullptr, complex_numbers::rsub,        \
    &rsub_scaled)                                                                                                     \
  X(rsub_scaled, kPromote, (binary_halves<floats<Binary, ReverseSubScaled>, ReverseSubScaled>), integer::rsub_scaled, \
    complex_numbers::rsub_scaled, nullptr)                                                                            \
  X(mul, kPromote, multiplies, integer::mul, complex_numbers::mul, nullptr)                                           \
  X(div, kFloating, (binary_halves<floats<Binary, Div>, Div>), nullptr, complex_numbers::div, nullptr)                \
  X(div_trunc, kPromote, (floats<Binary, DivTrunc>), integer::div_trunc, nullptr, nullptr)                            \
  X(neg, kPromote, (unary_halves<floats<Unary, Neg>, Neg>), integer::neg, complex_numbers::neg, nullptr)              \
  X(abs, kReal, (unary_halves<floats<Unary, Abs>, Abs>), integer::abs, complex_numbers::abs, nullptr)                 \
  X(sign, kPromote, (floats<Unary, Sign>), integer::sign, nullptr, nullptr)                                           \
  X(sgn, kPromote, (floats<Unary, Sign>), integer::sign, complex_numbers::sgn, nullptr)                               \
  X(reciprocal, kFloating, (floats<Unary, Reciprocal>), nullptr, complex_numbers::reciprocal, nullptr)                \
  X(square, kPromote, (unary_halves<floats<Unary, Square>, Square>), integer::square, complex_numbers::square,        \
    nullptr)                                                                                                          \
  X(cube, kPromote, (floats<Unary, Cube>), nullptr, nullptr, nullptr)                                                 \
  X(sqrt, kFloating, (unary_halves<floats<Unary, Sqrt>, Sqrt>), nullptr, complex_numbers::sqrt, nullptr)              \
  X(rsqrt, kFloating, (unary_halves<floats<Unary, Rsqrt>, Rsqrt>), nullptr, complex_numbers::rsqrt, nullptr)          \
  X(softsign, kFloating, (unary_halves<floats<Unary, Softsign>, Softsign>), nullptr, nullptr, nullptr)                \
  X(maximum, kPromote, (binary_halves<everything<Binary, Maximum>, Maximum>), nullptr, nullptr, nullptr)              \
  X(minimum, kPromote, (binary_halves<everything<Binary, Minimum>, Minimum>), nullptr, nullptr, nullptr)              \
  X(fmax, kPromote, (everything<Binary, Fmax>), nullptr, nullptr, nullptr)                                            \
  X(fmin, kPromote, (everything<Binary, Fmin>), nullptr, nullptr, nullptr)                                            \
  X(clamp, kPromote, (unary_halves<numerals<Unary, Clamp>, Clamp>), nullptr, nullptr, nullptr)                        \
  X(clamp_tensor, kPromote, (numerals<Ternary, ClampTensor>), nullptr, nullptr, nullptr)                              \
  X(clamp_min, kPromote, (binary_halves<everything<Binary, Maximum>, Maximum>), nullptr, nullptr, nullptr)            \
  X(clamp_max, kPromote, (binary_halves<everything<Binary, Minimum>, Minimum>), nullptr, nullptr, nullptr)            \
  X(addcmul, kPromote, (floats<Ternary, Addcmul>), integer::addcmul, complex_numbers::addcmul, &addcmul_scaled)       \
  X(addcmul_scaled, kPromote, (floats<Ternary, AddcmulScaled>), integer::addcmul_scaled,                              \
    complex_numbers::addcmul_scaled, nullptr)                                                                         \
  X(addcdiv, kPromote, (floats<Ternary, Addcdiv>), nullptr, complex_numbers::addcdiv, &addcdiv_scaled)                \
  X(addcdiv_scaled, kPromote, (floats<Ternary, AddcdivScaled>), nullptr, complex_numbers::addcdiv_scaled, nullptr)    \
  X(lerp, kPromote, (floats<Binary, LerpNumber>), nullptr, complex_numbers::lerp, nullptr)                            \
  X(lerp_weight, kPromote, (floats<Ternary, Lerp>), nullptr, complex_numbers::lerp_weight, nullptr)                   \
  X(copysign, kFloating, (floats<Binary, CopySign>), nullptr, nullptr, nullptr)                                       \
  X(heaviside, kPromote, (everything<Binary, Heaviside>), nullptr, nullptr, nullptr)                                  \
  X(ceil, kPromote, (floats<Unary, Ceil>), integer::same, nullptr, nullptr)                                           \
  X(floor, kPromote, (floats<Unary, Floor>), integer::same, nullptr, nullptr)                                         \
  X(round, kPromote, (floats<Unary, Round>), integer::same, nullptr, nullptr)                                         \
  X(trunc, kPromote, (floats<Unary, Trunc>), integer::same, nullptr, nullptr)                                         \
  X(frac, kPromote, (floats<Unary, Frac>), nullptr, nullptr, nullptr)                                                 \
  X(nan_to_num, kPromote, (floats<Unary, NanToNum>), integer::same, nullptr, nullptr)                                 \
  X(mse, kPromote, (floats<Binary, SquaredDifference>), nullptr, complex_numbers::mse, nullptr)

HWY_BEFORE_NAMESPACE();
namespace rushlight::pointwise {
namespace HWY_NAMESPACE {
namespace {

#define RL_BODY(...)          \
  template <class D, class V> \
  static HWY_INLINE V apply(D d, __VA_ARGS__)
struct Add : Cheap {
  RL_BODY(V a, V b) {
    (void)d;
    return hn::Add(a, b);
  }
};
struct Or : Cheap {
  RL_BODY(V a, V b) {
    (void)d;
    return hn::Or(a, b);
  }
};
struct AddScaled : With<Cheap, 1> {
  RL_BODY(V a, V b, V s) {
    (void)d;
    return hn::MulAdd(b, s, a);
  }
};
struct Sub : Cheap {
  RL_BODY(V a, V b) {
    (void)d;
    return hn::Sub(a, b);
  }
};
struct SubScaled : With<Cheap, 1> {
  RL_BODY(V a, V b, V s) {
    (void)d;
    return hn::NegMulAdd(b, s, a);
  }
};
struct ReverseSub : Cheap {
  RL_BODY(V a, V b) {
    (void)d;
    return hn::Sub(b, a);
  }
};
struct ReverseSubScaled : With<Cheap, 1> {
  RL_BODY(V a, V b, V s) {
    (void)d;
    return hn::NegMulAdd(a, s, b);
  }
};
struct Mul : Cheap {
  RL_BODY(V a, V b) {
    (void)d;
    return hn::Mul(a, b);
  }
};
struct And : Cheap {
  RL_BODY(V a, V b) {
    (void)d;
    return hn::And(a, b);
  }
};
struct Div : Cheap {
  RL_BODY(V a, V b) {
    (void)d;
    return hn::Div(a, b);
  }
};
struct DivTrunc : Cheap {
  RL_BODY(V a, V b) {
    (void)d;
    return hn::Trunc(hn::Div(a, b));
  }
};
struct Neg : Cheap {
  RL_BODY(V a) {
    (void)d;
    return hn::Neg(a);
  }
};
struct Abs : Cheap {
  RL_BODY(V a) {
    (void)d;
    return hn::Abs(a);
  }
};
struct Sign : Cheap {  // NaN and zeros give 0
  RL_BODY(V a) {
    const V zero = hn::Zero(d), one = constant(d, 1);
    return hn::Sub(hn::IfThenElseZero(hn::Gt(a, zero), one), hn::IfThenElseZero(hn::Lt(a, zero), one));
  }
};
struct Reciprocal : Cheap {
  RL_BODY(V a) { return hn::Div(constant(d, 1), a); }
};
struct Square : Cheap {
  RL_BODY(V a) {
    (void)d;
    return hn::Mul(a, a);
  }
};
struct Cube : Cheap {
  RL_BODY(V a) {
    (void)d;
    return hn::Mul(hn::Mul(a, a), a);
  }
};
struct Sqrt : Cheap {
  RL_BODY(V a) {
    (void)d;
    return hn::Sqrt(a);
  }
};
struct Rsqrt : Cheap {
  RL_BODY(V a) {
#if HWY_TARGET <= HWY_AVX3
    if constexpr (hn::MaxLanes(D()) ==
                  16) {  // 14 bits and a Newton step; only it fails where the root is 0 or infinite
      const V y = hn::ApproximateReciprocalSqrt(a), error = hn::NegMulAdd(hn::Mul(a, y), y, constant(d, 1));
      const V better = hn::MulAdd(hn::Mul(y, constant(d, 0.5)), error, y);
      return hn::IfThenElse(hn::IsNaN(error), y, better);
    }
#endif
    return hn::Div(constant(d, 1), hn::Sqrt(a));
  }
};
struct Softsign : Cheap {
  RL_BODY(V a) { return hn::Div(a, hn::Add(hn::Abs(a), constant(d, 1))); }
};
// x86 Max and Min return their second operand where either is NaN.
struct Maximum : Cheap {  // a NaN in either operand is the result
  RL_BODY(V a, V b) {
    (void)d;
    if constexpr (kFloats<D>)
      return hn::IfThenElse(hn::IsNaN(a), a, hn::Max(a, b));
    else
      return hn::Max(a, b);
  }
};
struct Minimum : Cheap {
  RL_BODY(V a, V b) {
    (void)d;
    if constexpr (kFloats<D>)
      return hn::IfThenElse(hn::IsNaN(a), a, hn::Min(a, b));
    else
      return hn::Min(a, b);
  }
};
struct Fmax : Cheap {  // a NaN only where both are
  RL_BODY(V a, V b) {
    (void)d;
    if constexpr (kFloats<D>)
      return hn::IfThenElse(hn::IsNaN(b), a, hn::Max(a, b));
    else
      return hn::Max(a, b);
  }
};
struct Fmin : Cheap {
  RL_BODY(V a, V b) {
    (void)d;
    if constexpr (kFloats<D>)
      return hn::IfThenElse(hn::IsNaN(b), a, hn::Min(a, b));
    else
      return hn::Min(a, b);
  }
};
struct Clamp : With<Cheap, 2> {
  RL_BODY(V a, V low, V high) {
    (void)d;
    return hn::Min(high, hn::Max(low, a));
  }
};
struct ClampTensor : Cheap {
  RL_BODY(V a, V low, V high) { return Minimum::apply(d, Maximum::apply(d, a, low), high); }
};
struct Addcmul : Cheap {
  RL_BODY(V a, V b, V c) {
    (void)d;
    return hn::MulAdd(b, c, a);
  }
};
struct AddcmulScaled : With<Cheap, 1> {
  RL_BODY(V a, V b, V c, V s) {
    (void)d;
    return hn::MulAdd(hn::Mul(s, b), c, a);
  }
};
struct Addcdiv : Cheap {
  RL_BODY(V a, V b, V c) {
    (void)d;
    return hn::Add(a, hn::Div(b, c));
  }
};
struct AddcdivScaled : With<Cheap, 1> {
  RL_BODY(V a, V b, V c, V s) {
    (void)d;
    return hn::Add(a, hn::Div(hn::Mul(s, b), c));
  }
};
struct Lerp : Cheap {  // from the nearer end, so that weight 1 gives `b` exactly
  RL_BODY(V a, V b, V w) {
    const V gap = hn::Sub(b, a);
    const V near_a = hn::MulAdd(w, gap, a), near_b = hn::NegMulAdd(gap, hn::Sub(constant(d, 1), w), b);
    return hn::IfThenElse(hn::Lt(hn::Abs(w), constant(d, 0.5)), near_a, near_b);
  }
};
struct LerpNumber : With<Cheap, 1> {
  RL_BODY(V a, V b, V w) { return Lerp::apply(d, a, b, w); }
};
struct CopySign : Cheap {
  RL_BODY(V a, V b) {
    (void)d;
    return hn::CopySign(a, b);
  }
};
struct Heaviside : Cheap {
  RL_BODY(V a, V values) {
    const V zero = hn::Zero(d), one = constant(d, 1);
    V r = hn::IfThenElseZero(hn::Gt(a, zero), one);
    if constexpr (kFloats<D>) r = hn::IfThenElse(hn::IsNaN(a), zero, r);
    return hn::IfThenElse(hn::Eq(a, zero), values, r);
  }
};
struct Ceil : Cheap {
  RL_BODY(V a) {
    (void)d;
    return hn::Ceil(a);
  }
};
struct Floor : Cheap {
  RL_BODY(V a) {
    (void)d;
    return hn::Floor(a);
  }
};
struct Round : Cheap {
  RL_BODY(V a) {
    (void)d;
    return hn::Round(a);
  }
};
struct Trunc : Cheap {
  RL_BODY(V a) {
    (void)d;
    return hn::Trunc(a);
  }
};
struct Frac : Cheap {
  RL_BODY(V a) {
    (void)d;
    return hn::Sub(a, hn::Trunc(a));
  }
};
struct NanToNum : With<Cheap, 3> {
  RL_BODY(V a, V nan, V positive, V negative) {
    const V inf = hn::Inf(d);
    V r = hn::IfThenElse(hn::IsNaN(a), nan, a);
    r = hn::IfThenElse(hn::Eq(a, inf), positive, r);
    return hn::IfThenElse(hn::Eq(a, hn::Neg(inf)), negative, r);
  }
};
struct SquaredDifference : Cheap {
  RL_BODY(V a, V b) {
    (void)d;
    const V gap = hn::Sub(a, b);
    return hn::Mul(gap, gap);
  }
};
#undef RL_BODY

// Vectors multiply no bytes.
TileFn multiplies(Dtype type) {
  switch (type) {
    case Dtype::kFloat16:
    case Dtype::kBFloat16:
      return halves<HalfBinary, Mul>(type);
    case Dtype::kBool:
      return Binary<And, std::uint8_t>::kRun;
    case Dtype::kInt16:
      return Binary<Mul, std::int16_t>::kRun;
    case Dtype::kInt32:
      return Binary<Mul, std::int32_t>::kRun;
    case Dtype::kInt64:
      return Binary<Mul, std::int64_t>::kRun;
    default:
      return floats<Binary, Mul>(type);
  }
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
