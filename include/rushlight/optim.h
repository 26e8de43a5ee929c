// optim::SGD, Adam, AdamW, RMSprop with PyTorch's arithmetic, and step schedules.
#pragma once
#include "rushlight/nn/module.h"
#include "rushlight/nn/options.h"

namespace rushlight::optim {

// Keeps the parameters and, per parameter, the tensors of the method.
template <class Options>
class Optimizer {
 public:
  Optimizer(std::vector<Tensor> parameters, Options defaults) : parameters_(std::move(parameters)), options_(std::move(defaults)) {
    check<ValueError>(!parameters_.empty(), "optimizer got an empty parameter list");
    for (const Tensor& parameter : parameters_)
      check<ValueError>(parameter.is_leaf(), "can't optimize a non-leaf Tensor: ", parameter);
    state_.resize(parameters_.size());
  }
  virtual ~Optimizer() = default;
  void zero_grad(bool set_to_none = true) {
    for (Tensor& parameter : parameters_) {
      if (!parameter.grad().defined()) continue;
      if (set_to_none) parameter.set_grad({});
      else parameter.grad().detach().zero_();
    }
  }
  // One update of every parameter that has a gradient.
  void step() {
    const NoGradGuard guard;
    for (std::size_t i = 0; i < parameters_.size(); ++i)
      if (const Tensor gradient = parameters_[i].grad(); gradient.defined()) update(parameters_[i], gradient, state_[i]);
  }
  // Evaluates the closure, which computes gradients and returns the loss, then steps.
  Tensor step(const std::function<Tensor()>& closure) {
    const Tensor loss = closure();
    step();
    return loss;
  }
  Options& options() { return options_; }
  const std::vector<Tensor>& parameters() const { return parameters_; }

 protected:
  struct State {
    std::int64_t step = 0;
    Tensor first, second, third;
  };
  virtual void update(const Tensor& parameter, Tensor gradient, State& state) = 0;
  const Options& settings() const { return options_; }

 private:
  std::vector<Tensor> parameters_;
  Options options_;
  std::vector<State> state_;
};

class SGDOptions {
 public:
  SGDOptions(double rate) : lr_(rate) {}  // NOLINT(google-explicit-constructor)
  RL_OPTION(double, lr);
  RL_OPTION(double, momentum) = 0;
  RL_OPTION(double, dampening) = 0;
  RL_OPTION(double, weight_decay) = 0;
  RL_OPTION(bool, nesterov) = false;
};
class SGD : public Optimizer<SGDOptions> {
 public:
  SGD(std::vector<Tensor> parameters, SGDOptions defaults);

 private:
  void update(const Tensor& parameter, Tensor gradient, State& state) override;
};

// Source: Kingma and Ba, Adam, 2015; amsgrad: Reddi et al., 2018.
class AdamOptions {
 public:
  AdamOptions(double rate = 1e-3) : lr_(rate) {}  // NOLINT(google-explicit-constructor)
  using Betas = std::tuple<double, double>;
  RL_OPTION(double, lr);
  RL_OPTION(Betas, betas) = {0.9, 0.999};
  RL_OPTION(double, eps) = 1e-8;
  RL_OPTION(double, weight_decay) = 0;
  RL_OPTION(bool, amsgrad) = false;
};
class Adam : public Optimizer<AdamOptions> {
 public:
  explicit Adam(std::vector<Tensor> parameters, AdamOptions defaults = {});

 private:
  void update(const Tensor& parameter, Tensor gradient, State& state) override;
};

// Source: Loshchilov and Hutter, Decoupled Weight Decay Regularization, 2019.
class AdamWOptions {
 public:
  AdamWOptions(double rate = 1e-3) : lr_(rate) {}  // NOLINT(google-explicit-constructor)
  using Betas = std::tuple<double, double>;
  RL_OPTION(double, lr);
  RL_OPTION(Betas, betas) = {0.9, 0.999};
  RL_OPTION(double, eps) = 1e-8;
  RL_OPTION(double, weight_decay) = 1e-2;
  RL_OPTION(bool, amsgrad) = false;
};
class AdamW : public Optimizer<AdamWOptions> {
 public:
  explicit AdamW(std::vector<Tensor> parameters, AdamWOptions defaults = {});

 private:
  void update(const Tensor& parameter, Tensor gradient, State& state) override;
};

// Multiplies the rate by gamma every `step_size` calls of step().
template <class Method>
class StepLR {
 public:
  StepLR(Method& method, std::int64_t step_size, double gamma = 0.1) : method_(method), step_size_(step_size), gamma_(gamma) {}
  void step() {
    if (++steps_ % step_size_ == 0) method_.options().lr(method_.options().lr() * gamma_);
  }

 private:
  Method& method_;
  std::int64_t step_size_, steps_ = 0;
  double gamma_;
};

}  // namespace rushlight::optim

namespace rushlight::nn::utils {
// Scales gradients so that their common norm is at most `max_norm`; returns the norm before.
double clip_grad_norm_(const std::vector<Tensor>& parameters, double max_norm, double norm_type = 2);
void clip_grad_value_(const std::vector<Tensor>& parameters, double clip_value);
}  // namespace rushlight::nn::utils
