// optim::SGD, Adam, AdamW, RMSprop, Adagrad with PyTorch's arithmetic; schedules of the learning rate.
#pragma once
#include <unordered_map>

#include "rushlight/nn/module.h"
#include "rushlight/nn/options.h"

namespace rushlight::optim {

// What the parameters of one group are updated with.
class OptimizerOptions {
 public:
  virtual ~OptimizerOptions() = default;
  virtual std::unique_ptr<OptimizerOptions> clone() const = 0;
  virtual double get_lr() const = 0;
  virtual void set_lr(double lr) = 0;
};
template <class Options>
class OptimizerCloneableOptions : public OptimizerOptions {
 public:
  std::unique_ptr<OptimizerOptions> clone() const override {
    return std::make_unique<Options>(static_cast<const Options&>(*this));
  }
  double get_lr() const override { return static_cast<const Options&>(*this).lr(); }
  void set_lr(double lr) override { static_cast<Options&>(*this).lr(lr); }
};

// Parameters that share options; without options it gets the optimizer's.
class OptimizerParamGroup {
 public:
  OptimizerParamGroup(std::vector<Tensor> parameters,
                      std::unique_ptr<OptimizerOptions> options = nullptr)  // NOLINT(google-explicit-constructor)
      : params_(std::move(parameters)), options_(std::move(options)) {}
  OptimizerParamGroup(const OptimizerParamGroup& other)
      : params_(other.params_), options_(other.options_ ? other.options_->clone() : nullptr) {}
  OptimizerParamGroup& operator=(OptimizerParamGroup other) {
    params_.swap(other.params_);
    options_.swap(other.options_);
    return *this;
  }
  bool has_options() const { return options_ != nullptr; }
  OptimizerOptions& options() const { return *options_; }
  void set_options(std::unique_ptr<OptimizerOptions> options) { options_ = std::move(options); }
  std::vector<Tensor>& params() { return params_; }
  const std::vector<Tensor>& params() const { return params_; }

 private:
  std::vector<Tensor> params_;
  std::unique_ptr<OptimizerOptions> options_;
};

class Optimizer {
 public:
  using LossClosure = std::function<Tensor()>;
  Optimizer(const std::vector<OptimizerParamGroup>& groups, std::unique_ptr<OptimizerOptions> defaults);
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  void add_param_group(OptimizerParamGroup group);
  void zero_grad(bool set_to_none = true);
  // One update of every parameter that has a gradient, after the closure, which computes gradients and returns the
  // loss.
  Tensor step(const LossClosure& closure = nullptr);
  std::vector<OptimizerParamGroup>& param_groups() { return groups_; }
  const std::vector<OptimizerParamGroup>& param_groups() const { return groups_; }
  OptimizerOptions& defaults() { return *defaults_; }
  std::vector<Tensor> parameters() const;
  // Moments, step counts and rates, for save and load: `0.step`, `0.first`, ... by the position of the parameter.
  OrderedDict<Tensor> state_dict() const;
  // Throws RuntimeError when an entry is missing or has the shape of another parameter.
  void load_state_dict(const OrderedDict<Tensor>& state);

 protected:
  // The tensors that a method keeps per parameter.
  struct State {
    std::int64_t step = 0;
    Tensor first, second, third;
  };
  virtual void update(const Tensor& parameter, Tensor gradient, State& state, const OptimizerOptions& options) = 0;

 private:
  std::vector<OptimizerParamGroup> groups_;
  std::unique_ptr<OptimizerOptions> defaults_;
  std::unordered_map<const TensorImpl*, State> state_;
};

class SGDOptions : public OptimizerCloneableOptions<SGDOptions> {
 public:
  SGDOptions(double rate) : lr_(rate) {}  // NOLINT(google-explicit-constructor)
  RL_OPTION(double, lr);
  RL_OPTION(double, momentum) = 0;
  RL_OPTION(double, dampening) = 0;
  RL_OPTION(double, weight_decay) = 0;
  RL_OPTION(bool, nesterov) = false;
};

// Source: Kingma and Ba, Adam, 2015; amsgrad: Reddi et al., 2018.
class AdamOptions : public OptimizerCloneableOptions<AdamOptions> {
 public:
  AdamOptions(double rate = 1e-3) : lr_(rate) {}  // NOLINT(google-explicit-constructor)
  using Betas = std::tuple<double, double>;
  RL_OPTION(double, lr);
  RL_OPTION(Betas, betas) = { 0.9, 0.999 };
  RL_OPTION(double, eps) = 1e-8;
  RL_OPTION(double, weight_decay) = 0;
  RL_OPTION(bool, amsgrad) = false;
};

// Source: Loshchilov and Hutter, Decoupled Weight Decay Regularization, 2019.
class AdamWOptions : public OptimizerCloneableOptions<AdamWOptions> {
 public:
  AdamWOptions(double rate = 1e-3) : lr_(rate) {}  // NOLINT(google-explicit-constructor)
  using Betas = std::tuple<double, double>;
  RL_OPTION(double, lr);
  RL_OPTION(Betas, betas) = { 0.9, 0.999 };
  RL_OPTION(double, eps) = 1e-8;
  RL_OPTION(double, weight_decay) = 1e-2;
  RL_OPTION(bool, amsgrad) = false;
};

// Source: Hinton, lecture 6e of Neural Networks for Machine Learning, 2012; centered: Graves, 2013.
class RMSpropOptions : public OptimizerCloneableOptions<RMSpropOptions> {
 public:
  RMSpropOptions(double rate = 1e-2) : lr_(rate) {}  // NOLINT(google-explicit-constructor)
  RL_OPTION(double, lr);
  RL_OPTION(double, alpha) = 0.99;
  RL_OPTION(double, eps) = 1e-8;
  RL_OPTION(double, weight_decay) = 0;
  RL_OPTION(double, momentum) = 0;
  RL_OPTION(bool, centered) = false;
};

// Source: Duchi et al., Adaptive Subgradient Methods, 2011.
class AdagradOptions : public OptimizerCloneableOptions<AdagradOptions> {
 public:
  AdagradOptions(double rate = 1e-2) : lr_(rate) {}  // NOLINT(google-explicit-constructor)
  RL_OPTION(double, lr);
  RL_OPTION(double, lr_decay) = 0;
  RL_OPTION(double, weight_decay) = 0;
  RL_OPTION(double, initial_accumulator_value) = 0;
  RL_OPTION(double, eps) = 1e-10;
};

#define RL_OPTIMIZER(Name, ...)                                                                                      \
  class Name : public Optimizer {                                                                                    \
   public:                                                                                                           \
    Name(const std::vector<OptimizerParamGroup>& groups, Name##Options defaults __VA_ARGS__);                        \
    Name(std::vector<Tensor> parameters, Name##Options defaults __VA_ARGS__)                                         \
        : Name(std::vector<OptimizerParamGroup>{OptimizerParamGroup(std::move(parameters))}, std::move(defaults)) {} \
                                                                                                                     \
   private:                                                                                                          \
    void update(const Tensor& parameter, Tensor gradient, State& state, const OptimizerOptions& options) override;   \
  }
RL_OPTIMIZER(SGD);
RL_OPTIMIZER(Adam, = {});
RL_OPTIMIZER(AdamW, = {});
RL_OPTIMIZER(RMSprop, = {});
RL_OPTIMIZER(Adagrad, = {});
#undef RL_OPTIMIZER

// Sets the rates of all groups, one call of step() per epoch.
class LRScheduler {
 public:
  explicit LRScheduler(Optimizer& optimizer) : optimizer_(optimizer) {}
  virtual ~LRScheduler() = default;
  void step();

 protected:
  virtual std::vector<double> get_lrs() = 0;
  std::vector<double> get_current_lrs() const;
  std::int64_t step_count_ = 0;

 private:
  Optimizer& optimizer_;
};

// Multiplies the rates by gamma every `step_size` calls, first with the call after `step_size` ones, as in libtorch
// (Python's does one call earlier).
class StepLR : public LRScheduler {
 public:
  StepLR(Optimizer& optimizer, std::int64_t step_size, double gamma = 0.1)
      : LRScheduler(optimizer), step_size_(step_size), gamma_(gamma) {}

 private:
  std::vector<double> get_lrs() override;
  std::int64_t step_size_;
  double gamma_;
};

// Multiplies the rates by `factor` when a metric has not improved (by a relative `threshold`) for `patience` calls.
class ReduceLROnPlateauScheduler {
 public:
  enum SchedulerMode { min, max };
  explicit ReduceLROnPlateauScheduler(Optimizer& optimizer, SchedulerMode mode = min, double factor = 0.1,
                                      int patience = 10, double threshold = 1e-4)
      : optimizer_(optimizer), mode_(mode), factor_(factor), patience_(patience), threshold_(threshold) {}
  void step(double metric);

 private:
  Optimizer& optimizer_;
  SchedulerMode mode_;
  double factor_;
  int patience_;
  double threshold_;
  std::optional<double> best_;
  int bad_ = 0;
};

}  // namespace rushlight::optim

namespace rushlight::nn::utils {
// Scales gradients so that their common norm is at most `max_norm`; returns the norm before.
double clip_grad_norm_(const std::vector<Tensor>& parameters, double max_norm, double norm_type = 2);
void clip_grad_value_(const std::vector<Tensor>& parameters, double clip_value);
}  // namespace rushlight::nn::utils
