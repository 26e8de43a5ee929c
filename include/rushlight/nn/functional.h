// nn::functional: the functions behind the layers, by libtorch's names and options. The losses are in loss.h.
#pragma once
#include "rushlight/nn/activation.h"
#include "rushlight/nn/layers.h"
#include "rushlight/nn/loss.h"

namespace rushlight::nn::functional {

using ReLUFuncOptions = ReLUOptions;
using LeakyReLUFuncOptions = LeakyReLUOptions;
using ELUFuncOptions = ELUOptions;
using GELUFuncOptions = GELUOptions;
using SoftmaxFuncOptions = SoftmaxOptions;
using LogSoftmaxFuncOptions = LogSoftmaxOptions;
inline Tensor relu(const Tensor& input, const ReLUFuncOptions& options = {}) {
  return ReLUImpl(options).forward(input);
}
inline Tensor leaky_relu(const Tensor& input, const LeakyReLUFuncOptions& options = {}) {
  return LeakyReLUImpl(options).forward(input);
}
inline Tensor elu(const Tensor& input, const ELUFuncOptions& options = {}) { return ELUImpl(options).forward(input); }
inline Tensor gelu(const Tensor& input, const GELUFuncOptions& options = {}) {
  return rushlight::gelu(input, options.approximate());
}
inline Tensor silu(const Tensor& input) { return rushlight::silu(input); }
inline Tensor mish(const Tensor& input) { return rushlight::mish(input); }
inline Tensor softplus(const Tensor& input) { return rushlight::softplus(input); }
inline Tensor logsigmoid(const Tensor& input) { return log_sigmoid(input); }
inline Tensor sigmoid(const Tensor& input) { return input.sigmoid(); }
inline Tensor tanh(const Tensor& input) { return input.tanh(); }
inline Tensor softmax(const Tensor& input, const SoftmaxFuncOptions& options) { return input.softmax(options.dim()); }
inline Tensor log_softmax(const Tensor& input, const LogSoftmaxFuncOptions& options) {
  return input.log_softmax(options.dim());
}

inline Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias = {}) {
  return rushlight::linear(input, weight, given(bias));
}
inline Tensor embedding(const Tensor& indices, const Tensor& weight) { return rushlight::embedding(weight, indices); }
inline Tensor one_hot(const Tensor& labels, std::int64_t num_classes = -1) {
  return rushlight::one_hot(labels, num_classes);
}

template <std::size_t D>
class ConvFuncOptions {
  RL_OPTION(Tensor, bias);
  RL_OPTION(ExpandingArray<D>, stride) = 1;
  RL_OPTION(ExpandingArray<D>, padding) = 0;
  RL_OPTION(ExpandingArray<D>, dilation) = 1;
  RL_OPTION(std::int64_t, groups) = 1;
};
#define RL_CONV(D)                                                                                            \
  using Conv##D##dFuncOptions = ConvFuncOptions<D>;                                                           \
  inline Tensor conv##D##d(const Tensor& input, const Tensor& weight, const Conv##D##dFuncOptions& o = {}) {  \
    return rushlight::conv##D##d(input, weight, given(o.bias()), IntArray(o.stride()), IntArray(o.padding()), \
                                 o.dilation(), o.groups());                                                   \
  }
RL_CONV(1)
RL_CONV(2)
RL_CONV(3)
#undef RL_CONV

using MaxPool1dFuncOptions = MaxPool1dOptions;
using MaxPool2dFuncOptions = MaxPool2dOptions;
using AvgPool2dFuncOptions = AvgPool2dOptions;
using AdaptiveAvgPool2dFuncOptions = AdaptiveAvgPool2dOptions;
inline Tensor max_pool1d(const Tensor& input, const MaxPool1dFuncOptions& options) {
  return MaxPool1dImpl(options).forward(input);
}
inline Tensor max_pool2d(const Tensor& input, const MaxPool2dFuncOptions& options) {
  return MaxPool2dImpl(options).forward(input);
}
inline Tensor avg_pool2d(const Tensor& input, const AvgPool2dFuncOptions& options) {
  return AvgPool2dImpl(options).forward(input);
}
inline Tensor adaptive_avg_pool2d(const Tensor& input, const AdaptiveAvgPool2dFuncOptions& size) {
  return rushlight::adaptive_avg_pool2d(input, size);
}

class DropoutFuncOptions {
  RL_OPTION(double, p) = 0.5;
  RL_OPTION(bool, training) = true;
  RL_OPTION(bool, inplace) = false;
};
using Dropout2dFuncOptions = DropoutFuncOptions;
inline Tensor dropout(const Tensor& input, const DropoutFuncOptions& o = {}) {
  return o.inplace() ? dropout_(input, o.p(), o.training()) : rushlight::dropout(input, o.p(), o.training());
}
inline Tensor dropout2d(const Tensor& input, const Dropout2dFuncOptions& o = {}) {
  return o.inplace() ? feature_dropout_(input, o.p(), o.training()) : feature_dropout(input, o.p(), o.training());
}

class LayerNormFuncOptions {
 public:
  LayerNormFuncOptions(std::vector<std::int64_t> shape)
      : normalized_shape_(std::move(shape)) {}  // NOLINT(google-explicit-constructor)
  RL_OPTION(std::vector<std::int64_t>, normalized_shape);
  RL_OPTION(Tensor, weight);
  RL_OPTION(Tensor, bias);
  RL_OPTION(double, eps) = 1e-5;
};
inline Tensor layer_norm(const Tensor& input, const LayerNormFuncOptions& o) {
  return rushlight::layer_norm(input, o.normalized_shape(), given(o.weight()), given(o.bias()), o.eps());
}

class NormalizeFuncOptions {
  RL_OPTION(double, p) = 2;
  RL_OPTION(std::int64_t, dim) = 1;
  RL_OPTION(double, eps) = 1e-12;
};
// x / max(|x|_p, eps) along a dimension.
inline Tensor normalize(const Tensor& input, const NormalizeFuncOptions& o = {}) {
  return input / input.norm(Scalar(o.p()), o.dim(), true).clamp_min(Scalar(o.eps())).expand_as(input);
}

class PadFuncOptions {
 public:
  PadFuncOptions(std::vector<std::int64_t> sides) : pad_(std::move(sides)) {}  // NOLINT(google-explicit-constructor)
  RL_OPTION(std::vector<std::int64_t>, pad);
  RL_OPTION(Choice, mode) = kConstant;
  RL_OPTION(double, value) = 0;
};
inline Tensor pad(const Tensor& input, const PadFuncOptions& o) {
  check<ValueError>(o.mode() >= kConstant && o.mode() <= kCircular,
                    "pad: mode must be kConstant, kReflect, kReplicate or kCircular");
  const char* names[] = {"constant", "reflect", "replicate", "circular"};
  const std::optional<double> value = o.mode() == kConstant ? std::optional<double>(o.value()) : std::nullopt;
  return rushlight::pad(input, o.pad(), names[static_cast<int>(o.mode()) - static_cast<int>(kConstant)], value);
}

class InterpolateFuncOptions {
  RL_OPTION(std::optional<std::vector<std::int64_t>>, size) = std::nullopt;
  RL_OPTION(std::optional<std::vector<double>>, scale_factor) = std::nullopt;
  RL_OPTION(Choice, mode) = kNearest;
  RL_OPTION(std::optional<bool>, align_corners) = std::nullopt;
};
// Resamples the trailing dimensions to `size`, or by `scale_factor`: kNearest, kLinear, kBilinear, kBicubic,
// kTrilinear.
Tensor interpolate(const Tensor& input, const InterpolateFuncOptions& options);

}  // namespace rushlight::nn::functional
