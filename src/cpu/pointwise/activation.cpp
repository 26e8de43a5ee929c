// Activation functions.
#include "cpu/pointwise/scalar.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/pointwise/activation.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include "cpu/pointwise/functions-inl.h"

#undef RL_LIST
#define RL_LIST(X)                                                                                                   \
  X(relu, kPromote, relus, nullptr, nullptr, nullptr)                                                                \
  X(threshold, kPromote, (numerals<Unary, Threshold>), nullptr, nullptr, nullptr)                                    \
  X(hardswish, kPromote, (floats<Unary, Hardswish>), nullptr, nullptr, nullptr)                                      \
  X(hardsigmoid, kPromote, (floats<Unary, Hardsigmoid>), nullptr, nullptr, nullptr)                                  \
  X(elu, kPromote, (floats<Unary, Elu>), nullptr, nullptr, nullptr)                                                  \
  X(leaky_relu, kPromote, (unary_halves<floats<Unary, LeakyRelu>, LeakyRelu>), nullptr, nullptr, nullptr)            \
  X(prelu, kPromote, (floats<Binary, Prelu>), nullptr, nullptr, nullptr)                                             \
  X(gelu, kPromote, (unary_halves<floats<Unary, Gelu>, GeluOfHalf>), nullptr, nullptr, nullptr)                      \
  X(gelu_tanh, kPromote, (floats<Unary, GeluTanh>), nullptr, nullptr, nullptr)                                       \
  X(sigmoid, kFloating, (unary_halves<floats<Unary, Sigmoid>, Sigmoid>), nullptr, complex_numbers::sigmoid, nullptr) \
  X(silu, kPromote, (unary_halves<floats<Unary, Silu>, Silu>), nullptr, complex_numbers::silu, nullptr)              \
  X(mish, kPromote, (floats<Unary, Mish>), nullptr, nullptr, nullptr)                                                \
  X(softplus, kPromote, (floats<Unary, Softplus>), nullptr, nullptr, nullptr)                                        \
  X(softshrink, kPromote, (floats<Unary, Softshrink>), nullptr, nullptr, nullptr)                                    \
  X(hardshrink, kPromote, (floats<Unary, Hardshrink>), nullptr, nullptr, nullptr)                                    \
  X(log_sigmoid, kPromote, (floats<Unary, LogSigmoid>), nullptr, nullptr, nullptr)                                   \
  X(logit, kFloating, (floats<Unary, Logit>), nullptr, nullptr, nullptr)                                             \
  X(logit_eps, kFloating, (floats<Unary, LogitEps>), nullptr, nullptr, nullptr)

HWY_BEFORE_NAMESPACE();
namespace rushlight::pointwise {
namespace HWY_NAMESPACE {
namespace {

#define RL_BODY(...)          \
  template <class D, class V> \
  static HWY_INLINE V apply(D d, __VA_ARGS__)
// Max returns its second operand for NaN, so a NaN stays one.
struct Relu : Cheap {
  RL_BODY(V x) { return hn::Max(hn::Zero(d), x); }
};
// On the bits of a half type whose negative infinity is kNegInf: 0 for those from -0 (exclusive) to there, which are
// the least integers once 1 is taken from them.
template <std::int16_t kNegInf>
struct ReluOfBits : Cheap {
  RL_BODY(V x) {
    const auto negative = hn::Lt(hn::Sub(x, hn::Set(d, 1)), hn::Set(d, kNegInf));
    return hn::IfThenElse(negative, hn::Zero(d), x);
  }
};
template <class X, std::int16_t kNegInf>
void relu_of_half(const TileArgs& t) {
  t.moves[0] ? Unary<ReluOfBits<kNegInf>, std::int16_t>::kRun(t) : HalfUnary<Relu, X>::run(t);
}
TileFn relus(Dtype type) {
  return type == Dtype::kFloat16    ? relu_of_half<Half, static_cast<std::int16_t>(0xfc00)>
         : type == Dtype::kBFloat16 ? relu_of_half<BFloat16, static_cast<std::int16_t>(0xff80)>
                                    : numerals<Unary, Relu>(type);
}
struct Threshold : With<Cheap, 2> {
  RL_BODY(V x, V threshold, V value) {
    (void)d;
    if constexpr (kFloats<D>)
      return hn::IfThenElse(hn::Le(x, threshold), value, x);
    else
      return hn::IfThenElse(hn::Gt(x, threshold), x, value);
  }
};
template <class D, class V>
HWY_INLINE V clamp6(D d, V x) {  // min(max(x + 3, 0), 6) / 6
  const V y = hn::Min(constant(d, 6), hn::Max(hn::Zero(d), hn::Add(x, constant(d, 3))));
  return hn::Mul(y, constant(d, 1.0 / 6));
}
struct Hardsigmoid : Cheap {
  RL_BODY(V x) { return clamp6(d, x); }
};
struct Hardswish : Cheap {
  RL_BODY(V x) { return hn::Mul(x, clamp6(d, x)); }
};
struct Elu : With<Long, 3> {
  RL_BODY(V x, V alpha, V scale, V input_scale) {
    const V power = vm::Expm1OfNegative(d, hn::Min(hn::Zero(d), hn::Mul(x, input_scale)));
    const V low = hn::Mul(hn::Mul(alpha, scale), power);
    return hn::IfThenElse(hn::Le(x, hn::Zero(d)), low, hn::Mul(x, scale));
  }
};
struct LeakyRelu : With<Cheap, 1> {
  RL_BODY(V x, V slope) { return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), x, hn::Mul(x, slope)); }
};
struct Prelu : Cheap {
  RL_BODY(V x, V w) { return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), x, hn::Mul(x, w)); }
};
struct Gelu : Long {
  RL_BODY(V x) {
    const V h = hn::Mul(x, constant(d, 0.5));
    if constexpr (!kSingle<D>) return hn::Mul(h, vm::Erfc(d, hn::Mul(x, constant(d, -M_SQRT1_2))));
    return hn::MulAdd(h, fn::ShortErf(d, hn::Mul(x, constant(d, M_SQRT1_2))), h);
  }
};
// For half types: x Phi(x) with Phi(-a) = e^(-a^2/2) u P(u), u = 1 / (1 + a/4), which keeps its digits in the tail.
struct GeluOfHalf : Long {
  template <class D, class V>
  static HWY_INLINE V inverse(D d, V x) {  // to 14 bits; the approximation alone has 11 below AVX-512
    const V y = hn::ApproximateReciprocal(x);
    return HWY_TARGET <= HWY_AVX3 ? y : hn::Mul(y, hn::NegMulAdd(x, y, constant(d, 2)));
  }
  RL_BODY(V x) {
    using C = vm::CoefficientsOf<D>;
    const V one = constant(d, 1), magic = constant(d, vm::kMagic<D>);
    const V a = hn::Min(constant(d, 15), hn::Abs(x));  // there the tail is 0
    const V square = hn::Mul(hn::Mul(a, a), constant(d, -0.5));
    const V n = hn::Sub(hn::MulAdd(square, constant(d, M_LOG2E), magic), magic);
    const V r = hn::NegMulAdd(n, constant(d, M_LN2), square);
    const V power = hn::Add(one, hn::MulAdd(hn::Mul(r, r), vm::Poly(d, r, C::kExpOfHalf), r));
    const V u = inverse(d, hn::MulAdd(a, constant(d, 0.25), one));
    const V tail = hn::Mul(vm::Scale(d, power, n), hn::Mul(u, vm::Poly(d, u, C::kGeluTail)));
    return hn::Mul(x, hn::IfThenElse(hn::Lt(x, hn::Zero(d)), tail, hn::Sub(one, tail)));
  }
};
struct GeluTanh : Long {  // x/2 (1 + tanh u) = x sigmoid(2u), u = sqrt(2/pi) (x + 0.044715 x^3)
  RL_BODY(V x) {
    const V u =
        hn::Mul(x, hn::MulAdd(hn::Mul(x, x), constant(d, 0.07135481627260025), constant(d, 1.5957691216057308)));
    return hn::Mul(x, vm::Sigmoid(d, u));
  }
};
struct Sigmoid : Long {
  RL_BODY(V x) { return vm::Sigmoid(d, x); }
};
struct Silu : Long {
  RL_BODY(V x) { return vm::Silu(d, x); }
};
struct Mish : Long {
  RL_BODY(V x) { return vm::Mish(d, x); }
};
struct Softplus : With<Long, 2> {
  RL_BODY(V x, V beta, V threshold) {
    const V z = hn::Mul(x, beta), y = vm::LogOnePlusExp(d, z);
    // For float32 the inverse, which leaves the loop.
    const V scaled = kSingle<D> ? hn::Mul(y, hn::Div(constant(d, 1), beta)) : hn::Div(y, beta);
    return hn::IfThenElse(hn::Gt(z, threshold), x, scaled);
  }
};
struct Softshrink : With<Cheap, 1> {
  RL_BODY(V x, V lambda) {
    const V low = hn::IfThenElse(hn::Lt(x, hn::Neg(lambda)), hn::Add(x, lambda), hn::Mul(x, hn::Zero(d)));
    return hn::IfThenElse(hn::Gt(x, lambda), hn::Sub(x, lambda), low);
  }
};
struct Hardshrink : With<Cheap, 1> {
  RL_BODY(V x, V lambda) {
    return hn::IfThenElse(hn::And(hn::Ge(x, hn::Neg(lambda)), hn::Le(x, lambda)), hn::Zero(d), x);
  }
};
struct LogSigmoid : Long {
  RL_BODY(V x) { return hn::Sub(hn::Zero(d), vm::LogOnePlusExp(d, hn::Neg(x))); }
};
struct Logit : Long {
  RL_BODY(V x) { return vm::Log(d, hn::Div(x, hn::Sub(constant(d, 1), x))); }
};
struct LogitEps : With<Long, 1> {
  RL_BODY(V x, V eps) {
    const V high = hn::Sub(constant(d, 1), eps);
    return Logit::apply(d, hn::IfThenElse(hn::Lt(x, eps), eps, hn::IfThenElse(hn::Gt(x, high), high, x)));
  }
};
#undef RL_BODY

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
