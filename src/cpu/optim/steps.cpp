// Steps of SGD and Adam: a parameter, its gradient and its state pass through registers once.
#include <cmath>

#include "ops/kernels/optim.h"
#include "rushlight/parallel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/optim/steps.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::optim_steps {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using Index = std::int64_t;

// Elements from `i` on in whole vectors of `d`; returns where it stopped.
template <class D, class T = hn::TFromD<D>>
Index sgd_run(D d, T* param, const T* grad, T* buffer, Index i, Index n, const SgdStep& s) {
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  const auto factor = hn::Set(d, static_cast<T>(-s.lr)), decay = hn::Set(d, static_cast<T>(s.weight_decay));
  const auto momentum = hn::Set(d, static_cast<T>(s.momentum)), rest = hn::Set(d, static_cast<T>(1 - s.dampening));
  for (; i + lanes <= n; i += lanes) {
    const auto p = hn::LoadU(d, param + i);
    auto g = hn::LoadU(d, grad + i);
    if (s.maximize) g = hn::Neg(g);
    if (s.weight_decay != 0) g = hn::MulAdd(p, decay, g);
    if (buffer) {
      const auto b = hn::MulAdd(g, rest, hn::Mul(hn::LoadU(d, buffer + i), momentum));
      hn::StoreU(b, d, buffer + i);
      g = s.nesterov ? hn::MulAdd(b, momentum, g) : b;
    }
    hn::StoreU(hn::MulAdd(g, factor, p), d, param + i);
  }
  return i;
}
template <class T>
void sgd(T* param, const T* grad, T* buffer, Index n, const SgdStep& s) {
  const Index done = sgd_run(hn::ScalableTag<T>(), param, grad, buffer, 0, n, s);
  sgd_run(hn::CappedTag<T, 1>(), param, grad, buffer, done, n, s);
}

template <class D, class T = hn::TFromD<D>>
Index adam_run(D d, T* param, const T* grad, T* first, T* second, Index i, Index n, const AdamStep& s) {
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  const double correction1 = 1 - std::pow(s.beta1, s.step), correction2 = 1 - std::pow(s.beta2, s.step);
  const auto weight = hn::Set(d, static_cast<T>(1 - s.beta1)), other = hn::Sub(hn::Set(d, T(1)), weight);
  const bool near = std::abs(static_cast<T>(1 - s.beta1)) < T(0.5);  // lerp starts from the nearer end
  const auto beta2 = hn::Set(d, static_cast<T>(s.beta2)), rest = hn::Set(d, static_cast<T>(1 - s.beta2));
  const auto decay = hn::Set(d, static_cast<T>(s.weight_decay));
  const auto shrink = hn::Set(d, static_cast<T>(1 - s.lr * s.weight_decay)), eps = hn::Set(d, static_cast<T>(s.eps));
  const auto root = hn::Set(d, static_cast<T>(std::pow(correction2, 0.5)));
  const auto size = hn::Set(d, static_cast<T>(-(s.lr / correction1)));
  for (; i + lanes <= n; i += lanes) {
    auto p = hn::LoadU(d, param + i), g = hn::LoadU(d, grad + i);
    if (s.maximize) g = hn::Neg(g);
    if (s.weight_decay != 0) {
      if (s.decoupled)
        p = hn::Mul(p, shrink);
      else
        g = hn::MulAdd(p, decay, g);
    }
    auto m = hn::LoadU(d, first + i);
    const auto gap = hn::Sub(g, m);
    m = near ? hn::MulAdd(weight, gap, m) : hn::NegMulAdd(gap, other, g);
    hn::StoreU(m, d, first + i);
    const auto v = hn::MulAdd(hn::Mul(rest, g), g, hn::Mul(hn::LoadU(d, second + i), beta2));
    hn::StoreU(v, d, second + i);
    const auto denominator = hn::Add(hn::Div(hn::Sqrt(v), root), eps);
    hn::StoreU(hn::Add(p, hn::Div(hn::Mul(size, m), denominator)), d, param + i);
  }
  return i;
}
template <class T>
void adam(T* param, const T* grad, T* first, T* second, Index n, const AdamStep& s) {
  const Index done = adam_run(hn::ScalableTag<T>(), param, grad, first, second, 0, n, s);
  adam_run(hn::CappedTag<T, 1>(), param, grad, first, second, done, n, s);
}

void sgd_float(float* p, const float* g, float* b, Index n, const SgdStep& s) { sgd(p, g, b, n, s); }
void sgd_double(double* p, const double* g, double* b, Index n, const SgdStep& s) { sgd(p, g, b, n, s); }
void adam_float(float* p, const float* g, float* m, float* v, Index n, const AdamStep& s) { adam(p, g, m, v, n, s); }
void adam_double(double* p, const double* g, double* m, double* v, Index n, const AdamStep& s) {
  adam(p, g, m, v, n, s);
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::optim_steps
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight {
namespace optim_steps {
using Index = std::int64_t;

template <class T>
using Sgd = void(T*, const T*, T*, Index, const SgdStep&);
template <class T>
using Adam = void(T*, const T*, T*, T*, Index, const AdamStep&);
constexpr simd::Table<Sgd<float>> kSgdFloat = RL_SIMD_TABLE(sgd_float);
constexpr simd::Table<Sgd<double>> kSgdDouble = RL_SIMD_TABLE(sgd_double);
constexpr simd::Table<Adam<float>> kAdamFloat = RL_SIMD_TABLE(adam_float);
constexpr simd::Table<Adam<double>> kAdamDouble = RL_SIMD_TABLE(adam_double);

constexpr Index kGrain = 1 << 15;

template <class T>
void step_sgd(const simd::Table<Sgd<T>>& run, const TensorBase& param, const TensorBase& grad, const TensorBase* buffer,
              const SgdStep& s) {
  T* p = param.mutable_data<T>();
  const T* g = grad.data<T>();
  T* b = buffer ? buffer->mutable_data<T>() : nullptr;
  parallel_ranges(param.numel(), kGrain,
                  [&](Index begin, Index end) { run(p + begin, g + begin, b ? b + begin : nullptr, end - begin, s); });
}
void sgd_on_cpu(const TensorBase& param, const TensorBase& grad, const TensorBase* buffer, const SgdStep& s) {
  if (param.dtype() == Dtype::kFloat32)
    step_sgd(kSgdFloat, param, grad, buffer, s);
  else
    step_sgd(kSgdDouble, param, grad, buffer, s);
}

template <class T>
void step_adam(const simd::Table<Adam<T>>& run, const TensorBase& param, const TensorBase& grad,
               const TensorBase& first, const TensorBase& second, const AdamStep& s) {
  T* p = param.mutable_data<T>();
  const T* g = grad.data<T>();
  T* m = first.mutable_data<T>();
  T* v = second.mutable_data<T>();
  parallel_ranges(param.numel(), kGrain,
                  [&](Index begin, Index end) { run(p + begin, g + begin, m + begin, v + begin, end - begin, s); });
}
void adam_on_cpu(const TensorBase& param, const TensorBase& grad, const TensorBase& first, const TensorBase& second,
                 const AdamStep& s) {
  if (param.dtype() == Dtype::kFloat32)
    step_adam(kAdamFloat, param, grad, first, second, s);
  else
    step_adam(kAdamDouble, param, grad, first, second, s);
}

}  // namespace optim_steps

constinit const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase*, const SgdStep&)> sgd_kernel{
    optim_steps::sgd_on_cpu};
constinit const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&,
                            const AdamStep&)>
    adam_kernel{optim_steps::adam_on_cpu};

}  // namespace rushlight
#endif  // HWY_ONCE
