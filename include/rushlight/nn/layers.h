// Dropout, pooling and normalisation.
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
using Dropout2dOptions = DropoutOptions;
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

template <std::size_t D>
class MaxPoolOptions {
 public:
  MaxPoolOptions(ExpandingArray<D> kernel)
      : kernel_size_(kernel), stride_(kernel) {}  // NOLINT(google-explicit-constructor)
  RL_OPTION(ExpandingArray<D>, kernel_size);
  RL_OPTION(ExpandingArray<D>, stride);
  RL_OPTION(ExpandingArray<D>, padding) = 0;
  RL_OPTION(ExpandingArray<D>, dilation) = 1;
  RL_OPTION(bool, ceil_mode) = false;
};
template <std::size_t D>
class AvgPoolOptions {
 public:
  AvgPoolOptions(ExpandingArray<D> kernel)
      : kernel_size_(kernel), stride_(kernel) {}  // NOLINT(google-explicit-constructor)
  RL_OPTION(ExpandingArray<D>, kernel_size);
  RL_OPTION(ExpandingArray<D>, stride);
  RL_OPTION(ExpandingArray<D>, padding) = 0;
  RL_OPTION(bool, ceil_mode) = false;
  RL_OPTION(bool, count_include_pad) = true;
};
template <std::size_t D>
class MaxPoolImpl : public Module {
 public:
  explicit MaxPoolImpl(const MaxPoolOptions<D>& settings) : options(settings) {}
  Tensor forward(const Tensor& input) const;
  void pretty_print(std::ostream& stream) const override;
  MaxPoolOptions<D> options;
};
template <std::size_t D>
class AvgPoolImpl : public Module {
 public:
  explicit AvgPoolImpl(const AvgPoolOptions<D>& settings) : options(settings) {}
  Tensor forward(const Tensor& input) const;
  void pretty_print(std::ostream& stream) const override;
  AvgPoolOptions<D> options;
};
template <std::size_t D>
class AdaptiveAvgPoolImpl : public Module {
 public:
  explicit AdaptiveAvgPoolImpl(ExpandingArray<D> size) : output_size(size) {}
  Tensor forward(const Tensor& input) const;
  void pretty_print(std::ostream& stream) const override;
  ExpandingArray<D> output_size;
};
#define RL_POOL(Kind, D)                                                     \
  using Kind##D##dOptions = Kind##Options<D>;                                \
  class Kind##D##dImpl : public Kind##Impl<D> {                              \
   public:                                                                   \
    using Kind##Impl<D>::Kind##Impl;                                         \
    explicit Kind##D##dImpl(ExpandingArray<D> size) : Kind##Impl<D>(size) {} \
  };                                                                         \
  TORCH_MODULE(Kind##D##d)
template <std::size_t D>
using AdaptiveAvgPoolOptions = ExpandingArray<D>;
RL_POOL(MaxPool, 1);
RL_POOL(MaxPool, 2);
RL_POOL(MaxPool, 3);
RL_POOL(AvgPool, 1);
RL_POOL(AvgPool, 2);
RL_POOL(AvgPool, 3);
RL_POOL(AdaptiveAvgPool, 1);
RL_POOL(AdaptiveAvgPool, 2);
#undef RL_POOL

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
// Channels (dimension 1) to mean 0 and variance 1 over all other dimensions, of the batch or, in eval, of running
// means.
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
using BatchNorm1dOptions = BatchNormOptions;
using BatchNorm2dOptions = BatchNormOptions;
using BatchNorm3dOptions = BatchNormOptions;
#define RL_BATCH_NORM(Name, spatial)                                                            \
  class Name##Impl : public BatchNormImpl {                                                     \
   public:                                                                                      \
    explicit Name##Impl(const BatchNormOptions& settings) : BatchNormImpl(settings, spatial) {} \
  };                                                                                            \
  TORCH_MODULE(Name)
RL_BATCH_NORM(BatchNorm1d, 1);
RL_BATCH_NORM(BatchNorm2d, 2);
RL_BATCH_NORM(BatchNorm3d, 3);
#undef RL_BATCH_NORM

class LayerNormOptions {
 public:
  LayerNormOptions(std::vector<std::int64_t> shape)
      : normalized_shape_(std::move(shape)) {}  // NOLINT(google-explicit-constructor)
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

class GroupNormOptions {
 public:
  GroupNormOptions(std::int64_t groups, std::int64_t channels) : num_groups_(groups), num_channels_(channels) {}
  RL_OPTION(std::int64_t, num_groups);
  RL_OPTION(std::int64_t, num_channels);
  RL_OPTION(double, eps) = 1e-5;
  RL_OPTION(bool, affine) = true;
};
class GroupNormImpl : public Module {
 public:
  GroupNormImpl(std::int64_t groups, std::int64_t channels) : GroupNormImpl(GroupNormOptions(groups, channels)) {}
  explicit GroupNormImpl(const GroupNormOptions& settings);
  Tensor forward(const Tensor& input) const;
  void pretty_print(std::ostream& stream) const override;
  GroupNormOptions options;
  Tensor weight, bias;
};
TORCH_MODULE(GroupNorm);

}  // namespace rushlight::nn
