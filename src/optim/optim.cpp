// The methods, operation by operation as PyTorch's single-tensor loops.
#include "rushlight/optim.h"

#include <cmath>

namespace rushlight::optim {

SGD::SGD(std::vector<Tensor> parameters, SGDOptions defaults) : Optimizer(std::move(parameters), defaults) {
  check<ValueError>(defaults.lr() >= 0, "SGD: Invalid learning rate: ", defaults.lr());
  check<ValueError>(!defaults.nesterov() || (defaults.momentum() > 0 && defaults.dampening() == 0),
                    "SGD: Nesterov momentum requires a momentum and zero dampening");
}

void SGD::update(const Tensor& parameter, Tensor gradient, State& state) {
  const SGDOptions& options = settings();
  if (options.weight_decay() != 0) gradient = gradient.add(parameter, options.weight_decay());
  if (options.momentum() != 0) {
    if (!state.first.defined()) state.first = gradient.clone();
    else state.first.mul_(options.momentum()).add_(gradient, 1 - options.dampening());
    gradient = options.nesterov() ? gradient.add(state.first, options.momentum()) : state.first;
  }
  parameter.add_(gradient, -options.lr());
}

namespace {

// Moments, bias correction and the step of Adam and AdamW.
template <class Options, class State>
void adam_step(const Tensor& parameter, const Tensor& gradient, State& state, const Options& options) {
  const auto [beta1, beta2] = options.betas();
  if (!state.first.defined()) {
    state.first = zeros_like(parameter);
    state.second = zeros_like(parameter);
    if (options.amsgrad()) state.third = zeros_like(parameter);
  }
  const auto step = static_cast<double>(++state.step);
  state.first.lerp_(gradient, 1 - beta1);
  state.second.mul_(beta2).addcmul_(gradient, gradient, 1 - beta2);
  const double correction1 = 1 - std::pow(beta1, step), correction2 = std::sqrt(1 - std::pow(beta2, step));
  Tensor denominator = state.second;
  if (options.amsgrad()) {
    state.third = maximum(state.third, state.second);
    denominator = state.third;
  }
  parameter.addcdiv_(state.first, (denominator.sqrt() / correction2).add_(options.eps()), -(options.lr() / correction1));
}

template <class Options>
void check_adam(const Options& options) {
  const auto [beta1, beta2] = options.betas();
  check<ValueError>(options.lr() >= 0, "Adam: Invalid learning rate: ", options.lr());
  check<ValueError>(beta1 >= 0 && beta1 < 1 && beta2 >= 0 && beta2 < 1, "Adam: Invalid beta parameters: ", beta1, ", ", beta2);
}

}  // namespace

Adam::Adam(std::vector<Tensor> parameters, AdamOptions defaults) : Optimizer(std::move(parameters), defaults) { check_adam(defaults); }
void Adam::update(const Tensor& parameter, Tensor gradient, State& state) {
  if (settings().weight_decay() != 0) gradient = gradient.add(parameter, settings().weight_decay());
  adam_step(parameter, gradient, state, settings());
}

AdamW::AdamW(std::vector<Tensor> parameters, AdamWOptions defaults) : Optimizer(std::move(parameters), defaults) { check_adam(defaults); }
void AdamW::update(const Tensor& parameter, Tensor gradient, State& state) {
  parameter.mul_(1 - settings().lr() * settings().weight_decay());
  adam_step(parameter, gradient, state, settings());
}

}  // namespace rushlight::optim

namespace rushlight::nn::utils {

double clip_grad_norm_(const std::vector<Tensor>& parameters, double max_norm, double norm_type) {
  const NoGradGuard guard;
  std::vector<Tensor> norms;
  for (const Tensor& parameter : parameters)
    if (parameter.grad().defined()) norms.push_back(linalg_vector_norm(parameter.grad(), norm_type));
  if (norms.empty()) return 0;
  const Tensor total = linalg_vector_norm(stack(norms), norm_type);
  const Tensor factor = (max_norm / (total + 1e-6)).clamp_max(1.0);
  for (const Tensor& parameter : parameters)
    if (parameter.grad().defined()) parameter.grad().mul_(factor);
  return total.item().to_double();
}

void clip_grad_value_(const std::vector<Tensor>& parameters, double clip_value) {
  const NoGradGuard guard;
  for (const Tensor& parameter : parameters)
    if (parameter.grad().defined()) parameter.grad().clamp_(Scalar(-clip_value), Scalar(clip_value));
}

}  // namespace rushlight::nn::utils
