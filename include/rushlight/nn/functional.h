// nn::functional: the functions behind the layers, by libtorch's names.
#pragma once
#include "rushlight/nn/layers.h"

namespace rushlight::nn::functional {

inline Tensor relu(const Tensor& input) { return input.relu(); }
inline Tensor sigmoid(const Tensor& input) { return input.sigmoid(); }
inline Tensor tanh(const Tensor& input) { return input.tanh(); }
inline Tensor gelu(const Tensor& input) { return rushlight::gelu(input); }
inline Tensor silu(const Tensor& input) { return rushlight::silu(input); }
inline Tensor softmax(const Tensor& input, std::int64_t dim) { return input.softmax(dim); }
inline Tensor log_softmax(const Tensor& input, std::int64_t dim) { return input.log_softmax(dim); }
inline Tensor linear(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias = {}) {
  return rushlight::linear(input, weight, bias);
}

class DropoutFuncOptions {
  RL_OPTION(double, p) = 0.5;
  RL_OPTION(bool, training) = true;
};
inline Tensor dropout(const Tensor& input, const DropoutFuncOptions& options = {}) {
  return rushlight::dropout(input, options.p(), options.training());
}
using MaxPool2dFuncOptions = Pool2dOptions;
using AvgPool2dFuncOptions = Pool2dOptions;
inline Tensor max_pool2d(const Tensor& input, const MaxPool2dFuncOptions& options) { return MaxPool2dImpl(options).forward(input); }
inline Tensor avg_pool2d(const Tensor& input, const AvgPool2dFuncOptions& options) { return AvgPool2dImpl(options).forward(input); }

inline Tensor cross_entropy(const Tensor& input, const Tensor& target) { return cross_entropy_loss(input, target); }
inline Tensor nll_loss(const Tensor& input, const Tensor& target) { return nll_loss_nd(input, target); }
inline Tensor mse_loss(const Tensor& input, const Tensor& target) { return rushlight::mse_loss(input, target); }
inline Tensor l1_loss(const Tensor& input, const Tensor& target) { return rushlight::l1_loss(input, target); }
inline Tensor binary_cross_entropy(const Tensor& input, const Tensor& target) { return rushlight::binary_cross_entropy(input, target); }
inline Tensor binary_cross_entropy_with_logits(const Tensor& input, const Tensor& target) {
  return rushlight::binary_cross_entropy_with_logits(input, target);
}

}  // namespace rushlight::nn::functional
