// Derivatives of activation functions and losses: the first operand is the gradient of the result.
#include "cpu/pointwise/scalar.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/pointwise/activation_backward.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include "cpu/pointwise/functions-inl.h"

#undef RL_LIST
#define RL_LIST(X)                                                                                                  \
  X(threshold_backward, kPromote, (binary_halves<numerals<Binary, ThresholdBackward>, ThresholdBackward>), nullptr, \
    nullptr, nullptr)                                                                                               \
  X(hardtanh_backward, kPromote, (floats<Binary, HardtanhBackward>), nullptr, nullptr, nullptr)                     \
  X(hardswish_backward, kPromote, (floats<Binary, HardswishBackward>), nullptr, nullptr, nullptr)                   \
  X(hardsigmoid_backward, kPromote, (floats<Binary, HardsigmoidBackward>), nullptr, nullptr, nullptr)               \
  X(elu_backward, kPromote, (floats<Binary, EluBackward>), nullptr, nullptr, nullptr)                               \
  X(elu_backward_result, kPromote, (floats<Binary, EluBackwardResult>), nullptr, nullptr, nullptr)                  \
  X(leaky_relu_backward, kPromote, (binary_halves<floats<Binary, LeakyReluBackward>, LeakyReluBackward>), nullptr,  \
    nullptr, nullptr)                                                                                               \
  X(prelu_backward, kPromote, (floats<Ternary, PreluBackward>), nullptr, nullptr, nullptr)                          \
  X(gelu_backward, kPromote, (floats<Binary, GeluBackward>), nullptr, nullptr, nullptr)                             \
  X(gelu_tanh_backward, kPromote, (floats<Binary, GeluTanhBackward>), nullptr, nullptr, nullptr)                    \
  X(sigmoid_backward, kPromote, (floats<Binary, SigmoidBackward>), nullptr, complex_numbers::sigmoid_backward,      \
    nullptr)                                                                                                        \
  X(tanh_backward, kPromote, (floats<Binary, TanhBackward>), nullptr, complex_numbers::tanh_backward, nullptr)      \
  X(silu_backward, kPromote, (floats<Binary, SiluBackward>), nullptr, complex_numbers::silu_backward, nullptr)      \
  X(mish_backward, kPromote, (floats<Binary, MishBackward>), nullptr, nullptr, nullptr)                             \
  X(softplus_backward, kPromote, (floats<Binary, SoftplusBackward>), nullptr, nullptr, nullptr)                     \
  X(shrink_backward, kPromote, (floats<Binary, ShrinkBackward>), nullptr, nullptr, nullptr)                         \
  X(log_sigmoid_backward, kPromote, (floats<Binary, LogSigmoidBackward>), nullptr, nullptr, nullptr)                \
  X(logit_backward, kPromote, (floats<Binary, LogitBackward>), nullptr, nullptr, nullptr)                           \
  X(smooth_l1, kPromote, (floats<Binary, SmoothL1>), nullptr, nullptr, nullptr)                                     \
  X(huber, kPromote, (floats<Binary, Huber>), nullptr, nullptr, nullptr)                                            \
  X(binary_cross_entropy, kPromote, (floats<Binary, CrossEntropy>), nullptr, nullptr, nullptr)

HWY_BEFORE_NAMESPACE();
namespace rushlight::pointwise {
namespace HWY_NAMESPACE {
namespace {

#define RL_BODY(...)          \
  template <class D, class V> \
  static HWY_INLINE V apply(D d, __VA_ARGS__)
struct ThresholdBackward : With<Cheap, 1> {
  RL_BODY(V grad, V x, V threshold) {
    (void)d;
    if constexpr (kFloats<D>)
      return hn::IfThenZeroElse(hn::Le(x, threshold), grad);
    else
      return hn::IfThenElseZero(hn::Gt(x, threshold), grad);
  }
};
struct HardtanhBackward : With<Cheap, 2> {
  RL_BODY(V grad, V x, V low, V high) {
    (void)d;
    return hn::IfThenZeroElse(hn::Or(hn::Le(x, low), hn::Ge(x, high)), grad);
  }
};
struct HardswishBackward : Cheap {
  RL_BODY(V grad, V x) {
    const V three = constant(d, 3);
    const V middle = hn::Mul(grad, hn::MulAdd(x, constant(d, 1.0 / 3), constant(d, 0.5)));
    return hn::IfThenZeroElse(hn::Le(x, hn::Neg(three)), hn::IfThenElse(hn::Lt(x, three), middle, grad));
  }
};
struct HardsigmoidBackward : Cheap {
  RL_BODY(V grad, V x) {
    const V three = constant(d, 3);
    return hn::IfThenElseZero(hn::And(hn::Gt(x, hn::Neg(three)), hn::Lt(x, three)),
                              hn::Mul(grad, constant(d, 1.0 / 6)));
  }
};
struct EluBackward : With<Long, 3> {
  RL_BODY(V grad, V x, V alpha, V scale, V input_scale) {
    const V factor = hn::Mul(hn::Mul(input_scale, alpha), scale);
    const V low = hn::Mul(factor, vm::Exp(d, hn::Min(hn::Zero(d), hn::Mul(x, input_scale))));
    return hn::Mul(grad, hn::IfThenElse(hn::Le(x, hn::Zero(d)), low, scale));
  }
};
struct EluBackwardResult : With<Cheap, 3> {
  RL_BODY(V grad, V y, V alpha, V scale, V input_scale) {
    const V low = hn::Mul(input_scale, hn::MulAdd(alpha, scale, y));
    return hn::Mul(grad, hn::IfThenElse(hn::Le(y, hn::Zero(d)), low, scale));
  }
};
struct LeakyReluBackward : With<Cheap, 1> {
  RL_BODY(V grad, V x, V slope) { return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), grad, hn::Mul(grad, slope)); }
};
struct PreluBackward : Cheap {
  RL_BODY(V grad, V x, V w) { return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), grad, hn::Mul(grad, w)); }
};
struct GeluBackward : Long {
  template <class D, class V>
  static HWY_INLINE V slope(D d, V x) {
    const V half = constant(d, 0.5);
    const V cdf = hn::MulAdd(half, fn::ShortErf(d, hn::Mul(x, constant(d, M_SQRT1_2))), half);
    const V pdf = hn::Mul(constant(d, 0.3989422804014327), vm::Exp(d, hn::Mul(hn::Mul(x, x), constant(d, -0.5))));
    return hn::MulAdd(x, pdf, cdf);
  }
  RL_BODY(V grad, V x) {
#if HWY_TARGET <= HWY_AVX3
    if constexpr (vm::kHasTables<D>) {
      const auto near = hn::Lt(hn::Abs(x), constant(d, 4));
      V y = vm::GeluSlopeByTable(d, x);
      if (HWY_UNLIKELY(!hn::AllTrue(d, near))) y = hn::IfThenElse(near, y, slope(d, x));
      return hn::Mul(grad, y);
    }
#endif
    return hn::Mul(grad, slope(d, x));
  }
};
struct GeluTanhBackward : Long {  // of x s with s = sigmoid(u): s + x s (1 - s) u'
  RL_BODY(V grad, V x) {
    const V x2 = hn::Mul(x, x), a = constant(d, 1.5957691216057308), b = constant(d, 0.071354816282);
    const V s = vm::Sigmoid(d, hn::Mul(x, hn::MulAdd(x2, b, a)));
    const V slope = hn::MulAdd(x2, hn::Mul(constant(d, 3), b), a);
    const V inner = hn::Mul(hn::Mul(s, hn::Sub(constant(d, 1), s)), hn::Mul(x, slope));
    return hn::Mul(grad, hn::Add(s, inner));
  }
};
struct SigmoidBackward : Cheap {
  RL_BODY(V grad, V y) { return hn::Mul(grad, hn::Mul(hn::Sub(constant(d, 1), y), y)); }
};
struct TanhBackward : Cheap {
  RL_BODY(V grad, V y) { return hn::Mul(grad, hn::NegMulAdd(y, y, constant(d, 1))); }
};
struct SiluBackward : Long {
  RL_BODY(V grad, V x) {
    const V one = constant(d, 1), s = vm::Sigmoid(d, x);
    return hn::Mul(grad, hn::Mul(s, hn::MulAdd(x, hn::Sub(one, s), one)));
  }
};
struct MishBackward : Long {
  RL_BODY(V grad, V x) {
    const V one = constant(d, 1), two = constant(d, 2);
    const V e = vm::Exp(d, hn::Min(constant(d, 20), x));
    const V n = hn::Mul(e, hn::Add(e, two));
    const V t = hn::Div(n, hn::Add(n, two));
    const V s = hn::Div(e, hn::Add(one, e));
    return hn::Mul(grad, hn::MulAdd(hn::Mul(x, s), hn::NegMulAdd(t, t, one), t));
  }
};
struct SoftplusBackward : With<Long, 2> {
  RL_BODY(V grad, V x, V beta, V threshold) {
    const V z = hn::Mul(x, beta);
    return hn::IfThenElse(hn::Gt(z, threshold), grad, hn::Mul(grad, vm::Sigmoid(d, z)));
  }
};
struct ShrinkBackward : With<Cheap, 1> {
  RL_BODY(V grad, V x, V lambda) {
    (void)d;
    return hn::IfThenZeroElse(hn::And(hn::Ge(x, hn::Neg(lambda)), hn::Le(x, lambda)), grad);
  }
};
struct LogSigmoidBackward : Long {
  RL_BODY(V grad, V x) { return hn::Mul(grad, vm::Sigmoid(d, hn::Neg(x))); }
};
struct LogitBackward : With<Cheap, 3> {  // inside [low, high] 1 / (x (1 - x)), outside `other`
  RL_BODY(V grad, V x, V low, V high, V other) {
    const V inside = hn::Div(grad, hn::Mul(x, hn::Sub(constant(d, 1), x)));
    return hn::IfThenElse(hn::Or(hn::Lt(x, low), hn::Gt(x, high)), other, inside);
  }
};
struct SmoothL1 : With<Cheap, 1> {
  RL_BODY(V a, V b, V beta) {
    const V half = constant(d, 0.5), z = hn::Abs(hn::Sub(a, b));
    return hn::IfThenElse(hn::Lt(z, beta), hn::Div(hn::Mul(half, hn::Mul(z, z)), beta), hn::NegMulAdd(half, beta, z));
  }
};
struct Huber : With<Cheap, 1> {
  RL_BODY(V a, V b, V delta) {
    const V half = constant(d, 0.5), z = hn::Abs(hn::Sub(a, b));
    return hn::IfThenElse(hn::Le(z, delta), hn::Mul(half, hn::Mul(z, z)),
                          hn::Mul(delta, hn::NegMulAdd(half, delta, z)));
  }
};
struct CrossEntropy : Long {  // logarithms are held at -100, so that 0 and 1 stay finite
  RL_BODY(V x, V target) {
    const V floor = constant(d, -100), one = constant(d, 1);
    const V of_zero = hn::Max(floor, vm::Log1p(d, hn::Neg(x))), of_one = hn::Max(floor, vm::Log(d, x));
    return hn::Sub(hn::Mul(hn::Sub(target, one), of_zero), hn::Mul(target, of_one));
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
