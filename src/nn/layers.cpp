// Dropout, pooling, normalisation.
#include "rushlight/nn/layers.h"
#include "rushlight/nn/loss.h"

#include <ostream>

namespace rushlight::nn {
namespace {

void check_probability(double p) {
  check(p >= 0 && p <= 1, "dropout probability has to be between 0 and 1, but got ", p);
}

template <std::size_t D>
std::string text(const ExpandingArray<D>& values) {
  return D == 1 ? std::to_string(values[0]) : to_text(IntArray(values));
}

}  // namespace

DropoutImpl::DropoutImpl(const DropoutOptions& settings) : options(settings) { check_probability(options.p()); }
Tensor DropoutImpl::forward(const Tensor& input) const {
  return options.inplace() ? dropout_(input, options.p(), is_training()) : dropout(input, options.p(), is_training());
}
void DropoutImpl::pretty_print(std::ostream& stream) const {
  stream << std::boolalpha << "torch::nn::Dropout(p=" << options.p() << ", inplace=" << options.inplace() << ")";
}

Dropout2dImpl::Dropout2dImpl(const DropoutOptions& settings) : options(settings) { check_probability(options.p()); }
Tensor Dropout2dImpl::forward(const Tensor& input) const {
  return options.inplace() ? feature_dropout_(input, options.p(), is_training())
                           : feature_dropout(input, options.p(), is_training());
}
void Dropout2dImpl::pretty_print(std::ostream& stream) const {
  stream << std::boolalpha << "torch::nn::Dropout2d(p=" << options.p() << ", inplace=" << options.inplace() << ")";
}

template <std::size_t D>
Tensor MaxPoolImpl<D>::forward(const Tensor& input) const {
  constexpr auto pool = D == 1 ? max_pool1d : D == 2 ? max_pool2d : max_pool3d;
  return pool(input, options.kernel_size(), options.stride(), options.padding(), options.dilation(),
              options.ceil_mode());
}
template <std::size_t D>
void MaxPoolImpl<D>::pretty_print(std::ostream& stream) const {
  stream << std::boolalpha << "torch::nn::MaxPool" << D << "d(kernel_size=" << text(options.kernel_size())
         << ", stride=" << text(options.stride()) << ", padding=" << text(options.padding())
         << ", dilation=" << text(options.dilation()) << ", ceil_mode=" << options.ceil_mode() << ")";
}

template <std::size_t D>
Tensor AvgPoolImpl<D>::forward(const Tensor& input) const {
  const auto& o = options;
  if constexpr (D == 1)
    return avg_pool1d(input, o.kernel_size(), o.stride(), o.padding(), o.ceil_mode(), o.count_include_pad());
  else if constexpr (D == 2)
    return avg_pool2d(input, o.kernel_size(), o.stride(), o.padding(), o.ceil_mode(), o.count_include_pad());
  else
    return avg_pool3d(input, o.kernel_size(), o.stride(), o.padding(), o.ceil_mode(), o.count_include_pad());
}
template <std::size_t D>
void AvgPoolImpl<D>::pretty_print(std::ostream& stream) const {
  stream << "torch::nn::AvgPool" << D << "d(kernel_size=" << text(options.kernel_size())
         << ", stride=" << text(options.stride()) << ", padding=" << text(options.padding()) << ")";
}

template <std::size_t D>
Tensor AdaptiveAvgPoolImpl<D>::forward(const Tensor& input) const {
  if constexpr (D == 1)
    return adaptive_avg_pool1d(input, output_size);
  else
    return adaptive_avg_pool2d(input, output_size);
}
template <std::size_t D>
void AdaptiveAvgPoolImpl<D>::pretty_print(std::ostream& stream) const {
  stream << "torch::nn::AdaptiveAvgPool" << D << "d(output_size=" << text(output_size) << ")";
}

template class MaxPoolImpl<1>;
template class MaxPoolImpl<2>;
template class MaxPoolImpl<3>;
template class AvgPoolImpl<1>;
template class AvgPoolImpl<2>;
template class AvgPoolImpl<3>;
template class AdaptiveAvgPoolImpl<1>;
template class AdaptiveAvgPoolImpl<2>;

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
  check(fits, "BatchNorm", spatial_, "d: expected ",
        spatial_ == 1   ? "2D or 3D"
        : spatial_ == 2 ? "4D"
                        : "5D",
        " input (got ", input.dim(), "D input)");
  double factor = options.momentum().value_or(0.0);
  if (is_training() && num_batches_tracked.defined()) {
    const NoGradGuard guard;
    num_batches_tracked.add_(1);
    if (!options.momentum()) factor = 1.0 / num_batches_tracked.item().to_double();
  }
  const bool of_batch = is_training() || !running_mean.defined();
  return batch_norm(input, given(weight), given(bias), given(running_mean), given(running_var), of_batch, factor,
                    options.eps(), false);
}

void BatchNormImpl::pretty_print(std::ostream& stream) const {
  stream << std::boolalpha << "torch::nn::BatchNorm" << spatial_ << "d(" << options.num_features()
         << ", eps=" << options.eps() << ", momentum=" << options.momentum().value_or(0)
         << ", affine=" << options.affine() << ", track_running_stats=" << options.track_running_stats() << ")";
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
  stream << std::boolalpha << "torch::nn::LayerNorm(" << to_text(IntArray(options.normalized_shape()))
         << ", eps=" << options.eps() << ", elementwise_affine=" << options.elementwise_affine() << ")";
}

GroupNormImpl::GroupNormImpl(const GroupNormOptions& settings) : options(settings) {
  weight = register_parameter("weight", options.affine() ? ones({options.num_channels()}) : Tensor());
  bias = register_parameter("bias", options.affine() ? zeros({options.num_channels()}) : Tensor());
}
Tensor GroupNormImpl::forward(const Tensor& input) const {
  return group_norm(input, options.num_groups(), given(weight), given(bias), options.eps());
}
void GroupNormImpl::pretty_print(std::ostream& stream) const {
  stream << std::boolalpha << "torch::nn::GroupNorm(" << options.num_groups() << ", " << options.num_channels()
         << ", eps=" << options.eps() << ", affine=" << options.affine() << ")";
}

}  // namespace rushlight::nn
