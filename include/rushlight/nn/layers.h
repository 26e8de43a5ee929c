// Layers with little or no state: dropout, pooling, activations, losses; and the normalisations.
#pragma once
#include "rushlight/nn/module.h"
#include "rushlight/nn/options.h"

namespace rushlight::nn {

// --- dropout ------------------------------------------------------------------------------------------

class DropoutOptions {
 public:
  DropoutOptions(double probability = 0.5) : p_(probability) {}  // NOLINT(google-explicit-constructor)
  RL_OPTION(double, p);
  RL_OPTION(bool, inplace) = false;
};
class DropoutImpl : public Module {
 public:
  explicit DropoutImpl(const DropoutOptions& settings = {});
  Tensor forward(const Tensor& input) const;
  void pretty_print(std::ostream& stream) const override;
  DropoutOptions options;
};
TORCH_MODULE(Dropout);
// Whole channels at once.
class Dropout2dImpl : public Module {
 public:
  explicit Dropout2dImpl(const DropoutOptions& settings = {});
  Tensor forward(const Tensor& input) const;
  void pretty_print(std::ostream& stream) const override;
  DropoutOptions options;
};
TORCH_MODULE(Dropout2d);

// --- pooling ------------------------------------------------------------------------------------------

class Pool2dOptions {
 public:
  Pool2dOptions(ExpandingArray<2> kernel) : kernel_size_(kernel), stride_(kernel) {}  // NOLINT(google-explicit-constructor)
  Pool2dOptions(std::int64_t kernel) : Pool2dOptions(ExpandingArray<2>(kernel)) {}    // NOLINT(google-explicit-constructor)
  Pool2dOptions(std::initializer_list<std::int64_t> kernel) : Pool2dOptions(ExpandingArray<2>(kernel)) {}
  RL_OPTION(ExpandingArray<2>, kernel_size);
  RL_OPTION(ExpandingArray<2>, stride);
  RL_OPTION(ExpandingArray<2>, padding) = 0;
  RL_OPTION(bool, ceil_mode) = false;
};
using MaxPool2dOptions = Pool2dOptions;
using AvgPool2dOptions = Pool2dOptions;
class MaxPool2dImpl : public Module {
 public:
  explicit MaxPool2dImpl(const Pool2dOptions& settings) : options(settings) {}
  Tensor forward(const Tensor& input) const;
  void pretty_print(std::ostream& stream) const override;
  Pool2dOptions options;
};
TORCH_MODULE(MaxPool2d);
class AvgPool2dImpl : public Module {
 public:
  explicit AvgPool2dImpl(const Pool2dOptions& settings) : options(settings) {}
  Tensor forward(const Tensor& input) const;
  void pretty_print(std::ostream& stream) const override;
  Pool2dOptions options;
};
TORCH_MODULE(AvgPool2d);
class AdaptiveAvgPool2dImpl : public Module {
 public:
  explicit AdaptiveAvgPool2dImpl(ExpandingArray<2> size) : output_size(size) {}
  Tensor forward(const Tensor& input) const { return adaptive_avg_pool2d(input, output_size); }
  void pretty_print(std::ostream& stream) const override;
  ExpandingArray<2> output_size;
};
TORCH_MODULE(AdaptiveAvgPool2d);

// --- activations --------------------------------------------------------------------------------------

#define RL_ACTIVATION(Name, expression)                                  \
  class Name##Impl : public Module {                                     \
   public:                                                               \
    Name##Impl() : Module("torch::nn::" #Name "()") {}                   \
    Tensor forward(const Tensor& input) const { return expression; }     \
  };                                                                     \
  TORCH_MODULE(Name)
RL_ACTIVATION(ReLU, input.relu());
RL_ACTIVATION(Sigmoid, input.sigmoid());
RL_ACTIVATION(Tanh, input.tanh());
RL_ACTIVATION(GELU, gelu(input));
RL_ACTIVATION(SiLU, silu(input));
RL_ACTIVATION(Mish, mish(input));
RL_ACTIVATION(Softplus, softplus(input));
#undef RL_ACTIVATION

class LeakyReLUImpl : public Module {
 public:
  explicit LeakyReLUImpl(double slope = 0.01) : negative_slope(slope) {}
  Tensor forward(const Tensor& input) const { return leaky_relu(input, negative_slope); }
  void pretty_print(std::ostream& stream) const override;
  double negative_slope;
};
TORCH_MODULE(LeakyReLU);
class SoftmaxImpl : public Module {
 public:
  explicit SoftmaxImpl(std::int64_t along) : dim(along) {}
  Tensor forward(const Tensor& input) const { return input.softmax(dim); }
  void pretty_print(std::ostream& stream) const override;
  std::int64_t dim;
};
TORCH_MODULE(Softmax);
class LogSoftmaxImpl : public Module {
 public:
  explicit LogSoftmaxImpl(std::int64_t along) : dim(along) {}
  Tensor forward(const Tensor& input) const { return input.log_softmax(dim); }
  void pretty_print(std::ostream& stream) const override;
  std::int64_t dim;
};
TORCH_MODULE(LogSoftmax);

// --- normalisation ------------------------------------------------------------------------------------

class BatchNormOptions {
 public:
  BatchNormOptions(std::int64_t features) : num_features_(features) {}  // NOLINT(google-explicit-constructor)
  RL_OPTION(std::int64_t, num_features);
  RL_OPTION(double, eps) = 1e-5;
  RL_OPTION(std::optional<double>, momentum) = 0.1;
  RL_OPTION(bool, affine) = true;
  RL_OPTION(bool, track_running_stats) = true;
};
// Channels (dimension 1) to mean 0 and variance 1 over all other dimensions, of the batch or, in eval, of running means.
class BatchNormImpl : public Module {
 public:
  BatchNormImpl(const BatchNormOptions& settings, int spatial);
  Tensor forward(const Tensor& input);
  void pretty_print(std::ostream& stream) const override;
  BatchNormOptions options;
  Tensor weight, bias, running_mean, running_var, num_batches_tracked;

 private:
  int spatial_;  // 1, 2, 3: BatchNorm1d takes (N, C) and (N, C, L)
};
#define RL_BATCH_NORM(Name, spatial)                                             \
  class Name##Impl : public BatchNormImpl {                                      \
   public:                                                                       \
    explicit Name##Impl(const BatchNormOptions& settings) : BatchNormImpl(settings, spatial) {} \
  };                                                                             \
  TORCH_MODULE(Name)
RL_BATCH_NORM(BatchNorm1d, 1);
RL_BATCH_NORM(BatchNorm2d, 2);
RL_BATCH_NORM(BatchNorm3d, 3);
#undef RL_BATCH_NORM

class LayerNormOptions {
 public:
  LayerNormOptions(std::vector<std::int64_t> shape) : normalized_shape_(std::move(shape)) {}  // NOLINT(google-explicit-constructor)
  RL_OPTION(std::vector<std::int64_t>, normalized_shape);
  RL_OPTION(double, eps) = 1e-5;
  RL_OPTION(bool, elementwise_affine) = true;
};
class LayerNormImpl : public Module {
 public:
  explicit LayerNormImpl(std::vector<std::int64_t> shape) : LayerNormImpl(LayerNormOptions(std::move(shape))) {}
  explicit LayerNormImpl(const LayerNormOptions& settings);
  Tensor forward(const Tensor& input) const;
  void pretty_print(std::ostream& stream) const override;
  LayerNormOptions options;
  Tensor weight, bias;
};
TORCH_MODULE(LayerNorm);

// --- losses: the mean over all elements or samples ------------------------------------------------------

#define RL_LOSS(Name, expression)                                                          \
  class Name##Impl : public Module {                                                       \
   public:                                                                                 \
    Name##Impl() : Module("torch::nn::" #Name "()") {}                                     \
    Tensor forward(const Tensor& input, const Tensor& target) const { return expression; } \
  };                                                                                       \
  TORCH_MODULE(Name)
RL_LOSS(MSELoss, mse_loss(input, target));
RL_LOSS(L1Loss, l1_loss(input, target));
RL_LOSS(SmoothL1Loss, smooth_l1_loss(input, target));
RL_LOSS(HuberLoss, huber_loss(input, target));
RL_LOSS(CrossEntropyLoss, cross_entropy_loss(input, target));
RL_LOSS(NLLLoss, nll_loss_nd(input, target));
RL_LOSS(BCELoss, binary_cross_entropy(input, target));
RL_LOSS(BCEWithLogitsLoss, binary_cross_entropy_with_logits(input, target));
RL_LOSS(KLDivLoss, kl_div(input, target));
#undef RL_LOSS

}  // namespace rushlight::nn
