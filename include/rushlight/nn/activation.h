// Activations.
#pragma once
#include "rushlight/nn/module.h"
#include "rushlight/nn/options.h"

namespace rushlight::nn {

// Functions that can work in place: options hold `inplace` alone.
#define RL_ACTIVATION(Name, function)                                                                              \
  class Name##Options {                                                                                            \
   public:                                                                                                         \
    Name##Options(bool on = false) : inplace_(on) {} /* NOLINT(google-explicit-constructor) */                     \
    RL_OPTION(bool, inplace);                                                                                      \
  };                                                                                                               \
  class Name##Impl : public Module {                                                                               \
   public:                                                                                                         \
    explicit Name##Impl(const Name##Options& settings = {}) : options(settings) {}                                 \
    Tensor forward(const Tensor& input) const { return options.inplace() ? function##_(input) : function(input); } \
    void pretty_print(std::ostream& stream) const override {                                                       \
      stream << "torch::nn::" #Name << (options.inplace() ? "(inplace=true)" : "()");                              \
    }                                                                                                              \
    Name##Options options;                                                                                         \
  };                                                                                                               \
  TORCH_MODULE(Name)
RL_ACTIVATION(ReLU, relu);
RL_ACTIVATION(ReLU6, relu6);
RL_ACTIVATION(SELU, selu);
#undef RL_ACTIVATION

#define RL_ACTIVATION(Name, expression)                                                            \
  class Name##Impl : public Module {                                                               \
   public:                                                                                         \
    Tensor forward(const Tensor& input) const { return expression; }                               \
    void pretty_print(std::ostream& stream) const override { stream << "torch::nn::" #Name "()"; } \
  };                                                                                               \
  TORCH_MODULE(Name)
RL_ACTIVATION(Sigmoid, input.sigmoid());
RL_ACTIVATION(Tanh, input.tanh());
RL_ACTIVATION(SiLU, silu(input));
RL_ACTIVATION(Mish, mish(input));
RL_ACTIVATION(LogSigmoid, log_sigmoid(input));
RL_ACTIVATION(Softsign, input / (input.abs() + 1));
RL_ACTIVATION(Tanhshrink, input - input.tanh());
#undef RL_ACTIVATION

class GELUOptions {
  RL_OPTION(std::string, approximate) = "none";
};
class GELUImpl : public Module {
 public:
  explicit GELUImpl(GELUOptions settings = {}) : options(std::move(settings)) {}
  Tensor forward(const Tensor& input) const { return gelu(input, options.approximate()); }
  void pretty_print(std::ostream& stream) const override;
  GELUOptions options;
};
TORCH_MODULE(GELU);

class LeakyReLUOptions {
  RL_OPTION(double, negative_slope) = 0.01;
  RL_OPTION(bool, inplace) = false;
};
class LeakyReLUImpl : public Module {
 public:
  explicit LeakyReLUImpl(const LeakyReLUOptions& settings = {}) : options(settings) {}
  explicit LeakyReLUImpl(double slope) : options(LeakyReLUOptions().negative_slope(slope)) {}
  Tensor forward(const Tensor& input) const {
    return options.inplace() ? leaky_relu_(input, options.negative_slope())
                             : leaky_relu(input, options.negative_slope());
  }
  void pretty_print(std::ostream& stream) const override;
  LeakyReLUOptions options;
};
TORCH_MODULE(LeakyReLU);

class ELUOptions {
  RL_OPTION(double, alpha) = 1;
  RL_OPTION(bool, inplace) = false;
};
class ELUImpl : public Module {
 public:
  explicit ELUImpl(const ELUOptions& settings = {}) : options(settings) {}
  Tensor forward(const Tensor& input) const {
    return options.inplace() ? elu_(input, options.alpha()) : elu(input, options.alpha());
  }
  void pretty_print(std::ostream& stream) const override;
  ELUOptions options;
};
TORCH_MODULE(ELU);

class SoftplusOptions {
  RL_OPTION(double, beta) = 1;
  RL_OPTION(double, threshold) = 20;
};
class SoftplusImpl : public Module {
 public:
  explicit SoftplusImpl(const SoftplusOptions& settings = {}) : options(settings) {}
  Tensor forward(const Tensor& input) const { return softplus(input, options.beta(), options.threshold()); }
  void pretty_print(std::ostream& stream) const override;
  SoftplusOptions options;
};
TORCH_MODULE(Softplus);

class SoftmaxOptions {
 public:
  SoftmaxOptions(std::int64_t along) : dim_(along) {}  // NOLINT(google-explicit-constructor)
  RL_OPTION(std::int64_t, dim);
};
using LogSoftmaxOptions = SoftmaxOptions;
class SoftmaxImpl : public Module {
 public:
  explicit SoftmaxImpl(const SoftmaxOptions& settings) : options(settings) {}
  Tensor forward(const Tensor& input) const { return input.softmax(options.dim()); }
  void pretty_print(std::ostream& stream) const override;
  SoftmaxOptions options;
};
TORCH_MODULE(Softmax);
class LogSoftmaxImpl : public Module {
 public:
  explicit LogSoftmaxImpl(const LogSoftmaxOptions& settings) : options(settings) {}
  Tensor forward(const Tensor& input) const { return input.log_softmax(options.dim()); }
  void pretty_print(std::ostream& stream) const override;
  LogSoftmaxOptions options;
};
TORCH_MODULE(LogSoftmax);

}  // namespace rushlight::nn
