// Optimizer steps: a parameter, its gradient and its states pass through registers once.
#include "ops/kernels/optim.h"
#include "rushlight/parallel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/optim/steps.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include "cpu/optim/methods-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::optim_steps {
namespace HWY_NAMESPACE {
using Index = std::int64_t;

// Elements from `i` on in whole vectors of `d`; returns where it stopped.
template <class Step, class D, class T = hn::TFromD<D>>
Index run_vectors(D d, T* param, const T* grad, T* const* states, Index i, Index n, const Step& s) {
  const Method<D, Step> method(d, s);
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  for (; i + lanes <= n; i += lanes) {
    auto p = hn::LoadU(d, param + i), g = hn::LoadU(d, grad + i);
    method.begin(p, g);
    hn::StoreU(method(p, g, {d, states, i}), d, param + i);
  }
  return i;
}
template <class Step, class T>
void run(T* param, const T* grad, T* const* states, Index n, const Step& s) {
  const Index done = run_vectors(hn::ScalableTag<T>(), param, grad, states, 0, n, s);
  if (done < n) run_vectors(hn::CappedTag<T, 1>(), param, grad, states, done, n, s);
}
template <class Step>
void run_float(float* param, const float* grad, float* const* states, Index n, const Step& s) {
  run(param, grad, states, n, s);
}
template <class Step>
void run_double(double* param, const double* grad, double* const* states, Index n, const Step& s) {
  run(param, grad, states, n, s);
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::optim_steps
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight {
namespace optim_steps {
namespace {
using Index = std::int64_t;

template <class T, class Step>
using Run = void(T*, const T*, T* const*, Index, const Step&);
template <class Step>
constexpr simd::Table<Run<float, Step>> kFloat = RL_SIMD_TABLE(run_float<Step>);
template <class Step>
constexpr simd::Table<Run<double, Step>> kDouble = RL_SIMD_TABLE(run_double<Step>);

constexpr Index kGrain = 1 << 15;
constexpr std::size_t kMostStates = 3;

template <class T, class Step>
void in_ranges(const simd::Table<Run<T, Step>>& run, const TensorBase& param, const TensorBase& grad,
               std::span<const TensorBase* const> state, const Step& step) {
  T* const p = param.mutable_data<T>();
  const T* const g = grad.data<T>();
  T* starts[kMostStates] = {};
  for (std::size_t k = 0; k < state.size(); ++k)
    if (state[k]) starts[k] = state[k]->mutable_data<T>();
  parallel_ranges(param.numel(), kGrain, [&](Index begin, Index end) {
    T* states[kMostStates];
    for (std::size_t k = 0; k < kMostStates; ++k)
      states[k] = starts[k] ? starts[k] + begin : nullptr;
    run(p + begin, g + begin, states, end - begin, step);
  });
}
template <class Step>
void step_on_cpu(const TensorBase& param, const TensorBase& grad, std::span<const TensorBase* const> state,
                 const Step& step) {
  if (param.dtype() == Dtype::kFloat32)
    in_ranges(kFloat<Step>, param, grad, state, step);
  else
    in_ranges(kDouble<Step>, param, grad, state, step);
}

}  // namespace
}  // namespace optim_steps

constinit const StepKernel<SgdStep> sgd_kernel{optim_steps::step_on_cpu<SgdStep>};
constinit const StepKernel<AdamStep> adam_kernel{optim_steps::step_on_cpu<AdamStep>};
constinit const StepKernel<AdamaxStep> adamax_kernel{optim_steps::step_on_cpu<AdamaxStep>};
constinit const StepKernel<NadamStep> nadam_kernel{optim_steps::step_on_cpu<NadamStep>};
constinit const StepKernel<RadamStep> radam_kernel{optim_steps::step_on_cpu<RadamStep>};
constinit const StepKernel<AdadeltaStep> adadelta_kernel{optim_steps::step_on_cpu<AdadeltaStep>};
constinit const StepKernel<AdagradStep> adagrad_kernel{optim_steps::step_on_cpu<AdagradStep>};
constinit const StepKernel<RmspropStep> rmsprop_kernel{optim_steps::step_on_cpu<RmspropStep>};
constinit const StepKernel<RpropStep> rprop_kernel{optim_steps::step_on_cpu<RpropStep>};
constinit const StepKernel<AsgdStep> asgd_kernel{optim_steps::step_on_cpu<AsgdStep>};

}  // namespace rushlight
#endif  // HWY_ONCE
