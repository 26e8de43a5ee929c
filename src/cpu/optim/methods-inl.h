// The arithmetic of each optimizer on vectors: gradient and states in, the new parameter out.
//
// `Method<D, Step>` computes what is one number per step in its constructor. The order of operations and where they
// are fused is that of the loops in Python, so that both give the same bits.
#if defined(RL_OPTIM_METHODS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_OPTIM_METHODS_INL_H_
#undef RL_OPTIM_METHODS_INL_H_
#else
#define RL_OPTIM_METHODS_INL_H_
#endif

#include <cmath>

#include "hwy/highway.h"
#include "ops/kernels/optim.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::optim_steps {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The states of one parameter at one position.
template <class D, class T = hn::TFromD<D>>
struct States {
  D d;
  T* const* arrays;
  std::int64_t position;
  bool has(int which) const { return arrays[which] != nullptr; }
  hn::Vec<D> operator[](int which) const { return hn::LoadU(d, arrays[which] + position); }
  void set(int which, hn::Vec<D> value) const { hn::StoreU(value, d, arrays[which] + position); }
};

template <class D>
struct MethodBase {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  D d;
  V decay, shrink;
  bool maximize, decays, decoupled;
  MethodBase(D tag, const StepOptions& s)
      : d(tag),
        decay(number(s.weight_decay)),
        shrink(number(1 - s.lr * s.weight_decay)),
        maximize(s.maximize),
        decays(s.weight_decay != 0),
        decoupled(s.decoupled) {}
  V number(double value) const { return hn::Set(d, static_cast<T>(value)); }
  // The direction and the decay, which every method begins with.
  void begin(V& p, V& g) const {
    if (maximize) g = hn::Neg(g);
    if (!decays) return;
    if (decoupled)
      p = hn::Mul(p, shrink);
    else
      g = hn::MulAdd(p, decay, g);
  }
  static V add_quotient(V p, V factor, V a, V b) { return hn::Add(p, hn::Div(hn::Mul(factor, a), b)); }
};

// m + weight (g - m), from the nearer end.
template <class D>
struct FirstMoment {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  V weight, other;
  bool near;
  FirstMoment(D d, double w)
      : weight(hn::Set(d, static_cast<T>(w))),
        other(hn::Sub(hn::Set(d, T(1)), weight)),
        near(std::abs(static_cast<T>(w)) < T(0.5)) {}
  V operator()(V m, V g) const {
    const V gap = hn::Sub(g, m);
    return near ? hn::MulAdd(weight, gap, m) : hn::NegMulAdd(gap, other, g);
  }
};
// beta v + (1 - beta) g^2
template <class D>
struct SecondMoment {
  using V = hn::Vec<D>;
  V beta, rest;
  SecondMoment(D d, double b)
      : beta(hn::Set(d, static_cast<hn::TFromD<D>>(b))), rest(hn::Set(d, static_cast<hn::TFromD<D>>(1 - b))) {}
  V operator()(V v, V g) const { return hn::MulAdd(hn::Mul(rest, g), g, hn::Mul(v, beta)); }
};
template <class V>
V maximum(V a, V b) {  // a NaN in either is the result
  return hn::IfThenElse(hn::IsNaN(a), a, hn::Max(a, b));
}

template <class D, class Step>
struct Method;

template <class D>
struct Method<D, SgdStep> : MethodBase<D> {
  using typename MethodBase<D>::V;
  V factor, momentum, rest;
  bool nesterov;
  Method(D tag, const SgdStep& s)
      : MethodBase<D>(tag, s),
        factor(this->number(-s.lr)),
        momentum(this->number(s.momentum)),
        rest(this->number(1 - s.dampening)),
        nesterov(s.nesterov) {}
  V operator()(V p, V g, const States<D>& state) const {
    if (state.has(0)) {
      const V b = hn::MulAdd(g, rest, hn::Mul(state[0], momentum));
      state.set(0, b);
      g = nesterov ? hn::MulAdd(b, momentum, g) : b;
    }
    return hn::MulAdd(g, factor, p);
  }
};

template <class D>
struct Method<D, AdamStep> : MethodBase<D> {
  using typename MethodBase<D>::V;
  FirstMoment<D> first;
  SecondMoment<D> second;
  V eps, root, size;
  Method(D tag, const AdamStep& s)
      : MethodBase<D>(tag, s),
        first(tag, 1 - s.beta1),
        second(tag, s.beta2),
        eps(this->number(s.eps)),
        root(this->number(std::pow(1 - std::pow(s.beta2, s.step), 0.5))),
        size(this->number(-(s.lr / (1 - std::pow(s.beta1, s.step))))) {}
  V operator()(V p, V g, const States<D>& state) const {
    const V m = first(state[0], g);
    state.set(0, m);
    V v = second(state[1], g);
    state.set(1, v);
    if (state.has(2)) {
      v = maximum(state[2], v);
      state.set(2, v);
    }
    return this->add_quotient(p, size, m, hn::Add(hn::Div(hn::Sqrt(v), root), eps));
  }
};

template <class D>
struct Method<D, AdamaxStep> : MethodBase<D> {
  using typename MethodBase<D>::V;
  FirstMoment<D> first;
  V beta2, eps, size;
  Method(D tag, const AdamaxStep& s)
      : MethodBase<D>(tag, s),
        first(tag, 1 - s.beta1),
        beta2(this->number(s.beta2)),
        eps(this->number(s.eps)),
        size(this->number(-(s.lr / (1 - std::pow(s.beta1, s.step))))) {}
  V operator()(V p, V g, const States<D>& state) const {
    const V m = first(state[0], g);
    state.set(0, m);
    const V largest = maximum(hn::Mul(state[1], beta2), hn::Add(hn::Abs(g), eps));
    state.set(1, largest);
    return this->add_quotient(p, size, m, largest);
  }
};

template <class D>
struct Method<D, NadamStep> : MethodBase<D> {
  using typename MethodBase<D>::V;
  FirstMoment<D> first;
  SecondMoment<D> second;
  V eps, correction, gradient_size, moment_size;
  Method(D tag, const NadamStep& s)
      : MethodBase<D>(tag, s),
        first(tag, 1 - s.beta1),
        second(tag, s.beta2),
        eps(this->number(s.eps)),
        correction(this->number(1 - std::pow(s.beta2, s.step))),
        gradient_size(this->number(-s.lr * (1.0 - s.momentum) / (1.0 - s.product))),
        moment_size(this->number((-s.lr * s.next_momentum) / (1.0 - s.product * s.next_momentum))) {}
  V operator()(V p, V g, const States<D>& state) const {
    const V m = first(state[0], g), v = second(state[1], g);
    state.set(0, m);
    state.set(1, v);
    const V root = hn::Add(hn::Sqrt(hn::Div(v, correction)), eps);
    return this->add_quotient(this->add_quotient(p, gradient_size, g, root), moment_size, m, root);
  }
};

template <class D>
struct Method<D, RadamStep> : MethodBase<D> {
  using typename MethodBase<D>::V;
  FirstMoment<D> first;
  SecondMoment<D> second;
  V eps, lr, correction, root_correction, rectification;
  bool rectified = false;
  Method(D tag, const RadamStep& s)
      : MethodBase<D>(tag, s),
        first(tag, 1 - s.beta1),
        second(tag, s.beta2),
        eps(this->number(s.eps)),
        lr(this->number(s.lr)),
        correction(this->number(1 - std::pow(s.beta1, s.step))),
        root_correction(hn::Zero(tag)),
        rectification(hn::Zero(tag)) {
    const double power = std::pow(s.beta2, s.step), correction2 = 1 - power;
    // Length of the approximated simple moving average, in the limit of many steps and now.
    const double limit = 2 / (1 - s.beta2) - 1, now = limit - 2 * s.step * power / correction2;
    rectified = now > 5.0;
    if (!rectified) return;
    root_correction = this->number(std::pow(correction2, 0.5));
    rectification = this->number(std::pow((now - 4) * (now - 2) * limit / ((limit - 4) * (limit - 2) * now), 0.5));
  }
  V operator()(V p, V g, const States<D>& state) const {
    const V m = first(state[0], g), v = second(state[1], g);
    state.set(0, m);
    state.set(1, v);
    const V change = hn::Mul(hn::Div(m, correction), lr);
    if (!rectified) return hn::Sub(p, change);
    const V adaptive = hn::Div(root_correction, hn::Add(hn::Sqrt(v), eps));
    return hn::Sub(p, hn::Mul(hn::Mul(change, adaptive), rectification));
  }
};

template <class D>
struct Method<D, AdadeltaStep> : MethodBase<D> {
  using typename MethodBase<D>::V;
  SecondMoment<D> mean;
  V eps, factor;
  Method(D tag, const AdadeltaStep& s)
      : MethodBase<D>(tag, s), mean(tag, s.rho), eps(this->number(s.eps)), factor(this->number(-s.lr)) {}
  V operator()(V p, V g, const States<D>& state) const {
    const V square = mean(state[0], g);
    state.set(0, square);
    const V before = state[1];
    const V change = hn::Mul(hn::Div(hn::Sqrt(hn::Add(before, eps)), hn::Sqrt(hn::Add(square, eps))), g);
    state.set(1, mean(before, change));
    return hn::MulAdd(change, factor, p);
  }
};

template <class D>
struct Method<D, AdagradStep> : MethodBase<D> {
  using typename MethodBase<D>::V;
  V eps, factor;
  Method(D tag, const AdagradStep& s) : MethodBase<D>(tag, s), eps(this->number(s.eps)), factor(this->number(-s.lr)) {}
  V operator()(V p, V g, const States<D>& state) const {
    const V sum = hn::MulAdd(g, g, state[0]);
    state.set(0, sum);
    return this->add_quotient(p, factor, g, hn::Add(hn::Sqrt(sum), eps));
  }
};

template <class D>
struct Method<D, RmspropStep> : MethodBase<D> {
  using typename MethodBase<D>::V;
  SecondMoment<D> square;
  FirstMoment<D> mean;
  V eps, momentum, factor;
  Method(D tag, const RmspropStep& s)
      : MethodBase<D>(tag, s),
        square(tag, s.alpha),
        mean(tag, 1 - s.alpha),
        eps(this->number(s.eps)),
        momentum(this->number(s.momentum)),
        factor(this->number(-s.lr)) {}
  V operator()(V p, V g, const States<D>& state) const {
    V v = square(state[0], g);
    state.set(0, v);
    if (state.has(1)) {
      const V m = mean(state[1], g);
      state.set(1, m);
      v = hn::NegMulAdd(m, m, v);
    }
    const V root = hn::Add(hn::Sqrt(v), eps);
    if (!state.has(2)) return this->add_quotient(p, factor, g, root);
    const V buffer = hn::Add(hn::Mul(state[2], momentum), hn::Div(g, root));
    state.set(2, buffer);
    return hn::MulAdd(buffer, factor, p);
  }
};

template <class D>
struct Method<D, RpropStep> : MethodBase<D> {
  using typename MethodBase<D>::V;
  V minus, plus, smallest, largest;
  Method(D tag, const RpropStep& s)
      : MethodBase<D>(tag, s),
        minus(this->number(s.eta_minus)),
        plus(this->number(s.eta_plus)),
        smallest(this->number(s.smallest)),
        largest(this->number(s.largest)) {}
  V operator()(V p, V g, const States<D>& state) const {
    const V zero = hn::Zero(this->d), one = this->number(1);
    const V agreement = hn::Mul(g, state[0]);
    const auto turned = hn::Lt(agreement, zero);
    const V factor = hn::IfThenElse(turned, minus, hn::IfThenElse(hn::Gt(agreement, zero), plus, one));
    const V size = hn::Min(hn::Max(hn::Mul(state[1], factor), smallest), largest);
    state.set(1, size);
    g = hn::IfThenZeroElse(turned, g);  // a step after a turn starts afresh
    state.set(0, g);
    const V sign = hn::Sub(hn::IfThenElseZero(hn::Gt(g, zero), one), hn::IfThenElseZero(hn::Lt(g, zero), one));
    return hn::NegMulAdd(sign, size, p);
  }
};

template <class D>
struct Method<D, AsgdStep> : MethodBase<D> {
  using typename MethodBase<D>::V;
  V shrink, factor, mu;
  bool averages;
  Method(D tag, const AsgdStep& s)
      : MethodBase<D>(tag, s),
        shrink(this->number(1 - s.lambda * s.lr)),
        factor(this->number(-s.lr)),
        mu(this->number(s.mu)),
        averages(s.mu != 1) {}
  V operator()(V p, V g, const States<D>& state) const {
    p = hn::MulAdd(g, factor, hn::Mul(p, shrink));
    const V average = averages ? hn::Add(state[0], hn::Mul(hn::Sub(p, state[0]), mu)) : p;
    state.set(0, average);
    return p;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::optim_steps
HWY_AFTER_NAMESPACE();

#endif  // RL_OPTIM_METHODS_INL_H_
