// The methods: by a kernel in one pass where the tensors allow it, else operation by operation as PyTorch's loops.
#include "rushlight/optim.h"
#include "optim/one_pass.h"
#include "rushlight/autograd.h"

#include <cmath>

namespace rushlight::optim {
namespace {

// Whether a kernel did the step.
template <class Step>
bool took_one_pass(const StepKernel<Step>& kernel, const Step& step, const Tensor& parameter, const Tensor& gradient,
                   const Kept& kept) {
  if (!fits_one_pass(parameter, gradient, kept)) return false;
  one_pass(kernel, step, parameter, gradient, kept);
  return true;
}
const Tensor* if_kept(bool keeps, const Tensor& tensor) { return keeps ? &tensor : nullptr; }

}  // namespace

Optimizer::Optimizer(const std::vector<OptimizerParamGroup>& groups, std::unique_ptr<OptimizerOptions> defaults)
    : defaults_(std::move(defaults)) {
  for (const OptimizerParamGroup& group : groups)
    add_param_group(group);
  check<ValueError>(!parameters().empty(), "optimizer got an empty parameter list");
}

void Optimizer::add_param_group(OptimizerParamGroup group) {
  for (const Tensor& parameter : group.params()) {
    check<ValueError>(parameter.is_leaf(), "can't optimize a non-leaf Tensor: ", parameter);
    const bool fresh = state_.emplace(parameter.impl(), State()).second;
    check<ValueError>(fresh, "some parameters appear in more than one parameter group: ", parameter);
  }
  if (!group.has_options()) group.set_options(defaults_->clone());
  groups_.push_back(std::move(group));
}

void Optimizer::zero_grad(bool set_to_none) {
  for (const Tensor& parameter : parameters()) {
    if (!parameter.grad().defined()) continue;
    if (set_to_none)
      parameter.set_grad({});
    else
      parameter.grad().detach().zero_();
  }
}

Tensor Optimizer::step(const LossClosure& closure) {
  Tensor loss;
  if (closure) {
    const AutoGradMode on(true);
    loss = closure();
  }
  const NoGradGuard guard;
  for (const OptimizerParamGroup& group : groups_)
    for (const Tensor& parameter : group.params())
      if (const Tensor gradient = parameter.grad(); gradient.defined())
        update(parameter, gradient, state_[parameter.impl()], group.options());
  return loss;
}

std::vector<Tensor> Optimizer::parameters() const {
  std::vector<Tensor> all;
  for (const OptimizerParamGroup& group : groups_)
    all.insert(all.end(), group.params().begin(), group.params().end());
  return all;
}

OrderedDict<Tensor> Optimizer::state_dict() const {
  OrderedDict<Tensor> all;
  const std::vector<Tensor> order = parameters();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const State& state = state_.at(order[i].impl());
    const std::string prefix = std::to_string(i) + ".";
    all.insert(prefix + "step", full({}, state.step, TensorOptions(kInt64)));
    if (state.first.defined()) all.insert(prefix + "first", state.first);
    if (state.second.defined()) all.insert(prefix + "second", state.second);
    if (state.third.defined()) all.insert(prefix + "third", state.third);
  }
  for (std::size_t i = 0; i < groups_.size(); ++i)
    all.insert("group" + std::to_string(i) + ".lr", full({}, groups_[i].options().get_lr(), TensorOptions(kDouble)));
  return all;
}

void Optimizer::load_state_dict(const OrderedDict<Tensor>& all) {
  const std::vector<Tensor> order = parameters();
  std::unordered_map<const TensorImpl*, State> fresh;
  const auto read = [&](const std::string& key, const Tensor& parameter) {
    const Tensor* found = all.find(key);
    if (!found) return Tensor();
    check(found->sizes() == parameter.sizes(), "optimizer: size mismatch for ", key, ": the file has ",
          to_text(found->sizes()), ", the parameter ", to_text(parameter.sizes()));
    return found->clone();
  };
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::string prefix = std::to_string(i) + ".";
    State& state = fresh[order[i].impl()];
    state.step = all[prefix + "step"].item().to_int();
    state.first = read(prefix + "first", order[i]);
    state.second = read(prefix + "second", order[i]);
    state.third = read(prefix + "third", order[i]);
  }
  check(!all.contains(std::to_string(order.size()) + ".step"),
        "optimizer: the file has more parameters than the optimizer's ", order.size());
  for (std::size_t i = 0; i < groups_.size(); ++i)
    groups_[i].options().set_lr(all["group" + std::to_string(i) + ".lr"].item().to_double());
  state_ = std::move(fresh);
}

SGD::SGD(const std::vector<OptimizerParamGroup>& groups, SGDOptions defaults) : Optimizer(groups, defaults.clone()) {
  check<ValueError>(defaults.lr() >= 0, "SGD: Invalid learning rate: ", defaults.lr());
  check<ValueError>(!defaults.nesterov() || (defaults.momentum() > 0 && defaults.dampening() == 0),
                    "SGD: Nesterov momentum requires a momentum and zero dampening");
}

void SGD::update(const Tensor& parameter, Tensor gradient, State& state, const OptimizerOptions& settings) {
  const auto& options = static_cast<const SGDOptions&>(settings);
  const SgdStep step{
      {options.lr(), options.weight_decay()}, options.momentum(), options.dampening(), options.nesterov()};
  const bool has_buffer = state.first.defined();
  if (has_buffer == (options.momentum() != 0) &&
      took_one_pass(sgd_kernel, step, parameter, gradient, {if_kept(has_buffer, state.first)}))
    return;
  if (options.weight_decay() != 0) gradient = gradient.add(parameter, options.weight_decay());
  if (options.momentum() != 0) {
    if (!state.first.defined())
      state.first = gradient.clone();
    else
      state.first.mul_(options.momentum()).add_(gradient, 1 - options.dampening());
    gradient = options.nesterov() ? gradient.add(state.first, options.momentum()) : state.first;
  }
  parameter.add_(gradient, -options.lr());
}

namespace {

// A step of Adam and AdamW; decoupled decay is AdamW's.
template <class Options, class State>
void adam_step(const Tensor& parameter, Tensor gradient, State& state, const Options& options, bool decoupled) {
  const auto [beta1, beta2] = options.betas();
  if (!state.first.defined()) {
    state.first = zeros_like(parameter);
    state.second = zeros_like(parameter);
    if (options.amsgrad()) state.third = zeros_like(parameter);
  }
  const auto step = static_cast<double>(++state.step);
  const Kept kept = {&state.first, &state.second, if_kept(options.amsgrad(), state.third)};
  if (took_one_pass(adam_kernel,
                    {{options.lr(), options.weight_decay(), false, decoupled, step}, beta1, beta2, options.eps()},
                    parameter, gradient, kept))
    return;
  if (options.weight_decay() != 0 && decoupled) parameter.mul_(1 - options.lr() * options.weight_decay());
  if (options.weight_decay() != 0 && !decoupled) gradient = gradient.add(parameter, options.weight_decay());
  state.first.lerp_(gradient, 1 - beta1);
  state.second.mul_(beta2).addcmul_(gradient, gradient, 1 - beta2);
  const double correction1 = 1 - std::pow(beta1, step), correction2 = std::sqrt(1 - std::pow(beta2, step));
  Tensor denominator = state.second;
  if (options.amsgrad()) {
    state.third = maximum(state.third, state.second);
    denominator = state.third;
  }
  parameter.addcdiv_(state.first, (denominator.sqrt() / correction2).add_(options.eps()),
                     -(options.lr() / correction1));
}

template <class Options>
void check_adam(const Options& options) {
  const auto [beta1, beta2] = options.betas();
  check<ValueError>(options.lr() >= 0, "Adam: Invalid learning rate: ", options.lr());
  check<ValueError>(beta1 >= 0 && beta1 < 1 && beta2 >= 0 && beta2 < 1, "Adam: Invalid beta parameters: ", beta1, ", ",
                    beta2);
}

}  // namespace

Adam::Adam(const std::vector<OptimizerParamGroup>& groups, AdamOptions defaults) : Optimizer(groups, defaults.clone()) {
  check_adam(defaults);
}
void Adam::update(const Tensor& parameter, Tensor gradient, State& state, const OptimizerOptions& settings) {
  adam_step(parameter, std::move(gradient), state, static_cast<const AdamOptions&>(settings), false);
}

AdamW::AdamW(const std::vector<OptimizerParamGroup>& groups, AdamWOptions defaults)
    : Optimizer(groups, defaults.clone()) {
  check_adam(defaults);
}
void AdamW::update(const Tensor& parameter, Tensor gradient, State& state, const OptimizerOptions& settings) {
  adam_step(parameter, std::move(gradient), state, static_cast<const AdamWOptions&>(settings), true);
}

RMSprop::RMSprop(const std::vector<OptimizerParamGroup>& groups, RMSpropOptions defaults)
    : Optimizer(groups, defaults.clone()) {
  check<ValueError>(defaults.lr() >= 0, "RMSprop: Invalid learning rate: ", defaults.lr());
}
void RMSprop::update(const Tensor& parameter, Tensor gradient, State& state, const OptimizerOptions& settings) {
  const auto& options = static_cast<const RMSpropOptions&>(settings);
  if (!state.first.defined()) {
    state.first = zeros_like(parameter);
    if (options.momentum() > 0) state.second = zeros_like(parameter);
    if (options.centered()) state.third = zeros_like(parameter);
  }
  const RmspropStep step{{options.lr(), options.weight_decay()}, options.alpha(), options.eps(), options.momentum()};
  const Kept kept = {&state.first, if_kept(options.centered(), state.third),
                     if_kept(options.momentum() > 0, state.second)};
  if (took_one_pass(rmsprop_kernel, step, parameter, gradient, kept)) return;
  if (options.weight_decay() != 0) gradient = gradient.add(parameter, options.weight_decay());
  state.first.mul_(options.alpha()).addcmul_(gradient, gradient, 1 - options.alpha());
  Tensor average = state.first;
  if (options.centered()) {
    state.third.lerp_(gradient, 1 - options.alpha());
    average = average.addcmul(state.third, state.third, -1);
  }
  average = average.sqrt().add_(options.eps());
  if (options.momentum() > 0) {
    state.second.mul_(options.momentum()).addcdiv_(gradient, average);
    parameter.add_(state.second, -options.lr());
  } else {
    parameter.addcdiv_(gradient, average, -options.lr());
  }
}

Adagrad::Adagrad(const std::vector<OptimizerParamGroup>& groups, AdagradOptions defaults)
    : Optimizer(groups, defaults.clone()) {
  check<ValueError>(defaults.lr() >= 0, "Adagrad: Invalid learning rate: ", defaults.lr());
}
void Adagrad::update(const Tensor& parameter, Tensor gradient, State& state, const OptimizerOptions& settings) {
  const auto& options = static_cast<const AdagradOptions&>(settings);
  if (!state.first.defined()) state.first = full_like(parameter, options.initial_accumulator_value());
  const double rate = options.lr() / (1 + static_cast<double>(state.step++) * options.lr_decay());
  if (took_one_pass(adagrad_kernel, {{rate, options.weight_decay()}, options.eps()}, parameter, gradient,
                    {&state.first}))
    return;
  if (options.weight_decay() != 0) gradient = gradient.add(parameter, options.weight_decay());
  state.first.addcmul_(gradient, gradient, 1);
  parameter.addcdiv_(gradient, state.first.sqrt().add_(options.eps()), -rate);
}

void LRScheduler::step() {
  const std::vector<double> rates = get_lrs();
  for (std::size_t i = 0; i < rates.size(); ++i)
    optimizer_.param_groups()[i].options().set_lr(rates[i]);
  ++step_count_;
}
std::vector<double> LRScheduler::get_current_lrs() const {
  std::vector<double> rates;
  for (const OptimizerParamGroup& group : optimizer_.param_groups())
    rates.push_back(group.options().get_lr());
  return rates;
}
std::vector<double> StepLR::get_lrs() {
  std::vector<double> rates = get_current_lrs();
  if (step_count_ > 0 && step_count_ % step_size_ == 0)
    for (double& rate : rates)
      rate *= gamma_;
  return rates;
}

void ReduceLROnPlateauScheduler::step(double metric) {
  const double margin = mode_ == min ? 1 - threshold_ : 1 + threshold_;
  const bool better = !best_ || (mode_ == min ? metric < *best_ * margin : metric > *best_ * margin);
  bad_ = better ? 0 : bad_ + 1;
  if (better) best_ = metric;
  if (bad_ <= patience_) return;
  bad_ = 0;
  for (const OptimizerParamGroup& group : optimizer_.param_groups())
    group.options().set_lr(group.options().get_lr() * factor_);
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
