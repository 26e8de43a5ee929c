// Dropout, pooling, activations with parameters, normalisation.
#include "rushlight/nn/layers.h"

#include <ostream>

namespace rushlight::nn {
namespace {

void check_probability(double p) { check(p >= 0 && p <= 1, "dropout probability has to be between 0 and 1, but got ", p); }

std::optional<Tensor> given(const Tensor& tensor) { return tensor.defined() ? std::optional<Tensor>(tensor) : std::nullopt; }

void print_pool(std::ostream& stream, const char* name, const Pool2dOptions& options) {
  stream << "torch::nn::" << name << "(kernel_size=" << to_text(IntArray(options.kernel_size())) << ", stride=" << to_text(IntArray(options.stride()))
         << ", padding=" << to_text(IntArray(options.padding()));
}

}  // namespace

DropoutImpl::DropoutImpl(const DropoutOptions& settings) : options(settings) { check_probability(options.p()); }
Tensor DropoutImpl::forward(const Tensor& input) const { return dropout(input, options.p(), is_training()); }
void DropoutImpl::pretty_print(std::ostream& stream) const {
  stream << std::boolalpha << "torch::nn::Dropout(p=" << options.p() << ", inplace=" << options.inplace() << ")";
}

Dropout2dImpl::Dropout2dImpl(const DropoutOptions& settings) : options(settings) { check_probability(options.p()); }
Tensor Dropout2dImpl::forward(const Tensor& input) const { return feature_dropout(input, options.p(), is_training()); }
void Dropout2dImpl::pretty_print(std::ostream& stream) const {
  stream << std::boolalpha << "torch::nn::Dropout2d(p=" << options.p() << ", inplace=" << options.inplace() << ")";
}

Tensor MaxPool2dImpl::forward(const Tensor& input) const {
  return max_pool2d(input, options.kernel_size(), options.stride(), options.padding(), 1, options.ceil_mode());
}
void MaxPool2dImpl::pretty_print(std::ostream& stream) const {
  print_pool(stream, "MaxPool2d", options);
  stream << std::boolalpha << ", dilation=[1, 1], ceil_mode=" << options.ceil_mode() << ")";
}

Tensor AvgPool2dImpl::forward(const Tensor& input) const {
  return avg_pool2d(input, options.kernel_size(), options.stride(), options.padding(), options.ceil_mode());
}
void AvgPool2dImpl::pretty_print(std::ostream& stream) const {
  print_pool(stream, "AvgPool2d", options);
  stream << ")";
}

void AdaptiveAvgPool2dImpl::pretty_print(std::ostream& stream) const {
  stream << "torch::nn::AdaptiveAvgPool2d(output_size=" << to_text(IntArray(output_size)) << ")";
}

void LeakyReLUImpl::pretty_print(std::ostream& stream) const { stream << "torch::nn::LeakyReLU(negative_slope=" << negative_slope << ")"; }
void SoftmaxImpl::pretty_print(std::ostream& stream) const { stream << "torch::nn::Softmax(dim=" << dim << ")"; }
void LogSoftmaxImpl::pretty_print(std::ostream& stream) const { stream << "torch::nn::LogSoftmax(dim=" << dim << ")"; }

BatchNormImpl::BatchNormImpl(const BatchNormOptions& settings, int spatial) : options(settings), spatial_(spatial) {
  const std::int64_t features = options.num_features();
  weight = register_parameter("weight", options.affine() ? ones({features}) : Tensor());
  bias = register_parameter("bias", options.affine() ? zeros({features}) : Tensor());
  const bool tracks = options.track_running_stats();
  running_mean = register_buffer("running_mean", tracks ? zeros({features}) : Tensor());
  running_var = register_buffer("running_var", tracks ? ones({features}) : Tensor());
  num_batches_tracked = register_buffer("num_batches_tracked", tracks ? zeros({}, kInt64) : Tensor());
}

Tensor BatchNormImpl::forward(const Tensor& input) {
  const bool fits = input.dim() == spatial_ + 2 || (spatial_ == 1 && input.dim() == 2);
  check(fits, "BatchNorm", spatial_, "d: expected ", spatial_ == 1 ? "2D or 3D" : spatial_ == 2 ? "4D" : "5D", " input (got ", input.dim(), "D input)");
  double factor = options.momentum().value_or(0.0);
  if (is_training() && num_batches_tracked.defined()) {
    const NoGradGuard guard;
    num_batches_tracked.add_(1);
    if (!options.momentum()) factor = 1.0 / num_batches_tracked.item().to_double();
  }
  const bool of_batch = is_training() || !running_mean.defined();
  return batch_norm(input, given(weight), given(bias), given(running_mean), given(running_var), of_batch, factor, options.eps(), false);
}

void BatchNormImpl::pretty_print(std::ostream& stream) const {
  stream << std::boolalpha << "torch::nn::BatchNorm" << spatial_ << "d(" << options.num_features() << ", eps=" << options.eps()
         << ", momentum=" << options.momentum().value_or(0) << ", affine=" << options.affine() << ", track_running_stats=" << options.track_running_stats() << ")";
}

LayerNormImpl::LayerNormImpl(const LayerNormOptions& settings) : options(settings) {
  const bool affine = options.elementwise_affine();
  weight = register_parameter("weight", affine ? ones(options.normalized_shape()) : Tensor());
  bias = register_parameter("bias", affine ? zeros(options.normalized_shape()) : Tensor());
}
Tensor LayerNormImpl::forward(const Tensor& input) const {
  return layer_norm(input, options.normalized_shape(), given(weight), given(bias), options.eps());
}
void LayerNormImpl::pretty_print(std::ostream& stream) const {
  stream << std::boolalpha << "torch::nn::LayerNorm(" << to_text(IntArray(options.normalized_shape())) << ", eps=" << options.eps()
         << ", elementwise_affine=" << options.elementwise_affine() << ")";
}

}  // namespace rushlight::nn
