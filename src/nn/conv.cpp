// Convolution layers.
#include "rushlight/nn/conv.h"

#include <cmath>
#include <ostream>

#include "rushlight/nn/init.h"

namespace rushlight::nn {
namespace {

template <std::size_t D>
bool all_equal(const ExpandingArray<D>& values, std::int64_t to) {
  for (const std::int64_t value : values)
    if (value != to) return false;
  return true;
}

template <std::size_t D>
std::string text(const ExpandingArray<D>& values) {
  return D == 1 ? std::to_string(values[0]) : to_text(IntArray(values));
}

}  // namespace

template <std::size_t D, bool kTransposed>
ConvNdImpl<D, kTransposed>::ConvNdImpl(const ConvOptions<D>& settings) : options(settings) {
  check(options.groups() > 0 && options.in_channels() % options.groups() == 0 &&
            options.out_channels() % options.groups() == 0,
        "Conv: in_channels (", options.in_channels(), ") and out_channels (", options.out_channels(),
        ") must be divisible by groups (", options.groups(), ")");
  const std::int64_t first = kTransposed ? options.in_channels() : options.out_channels();
  const std::int64_t second = (kTransposed ? options.out_channels() : options.in_channels()) / options.groups();
  std::vector<std::int64_t> sizes{first, second};
  sizes.insert(sizes.end(), options.kernel_size().begin(), options.kernel_size().end());
  weight = register_parameter("weight", rushlight::empty(IntArray(sizes)));
  bias = register_parameter("bias", options.bias() ? empty({options.out_channels()}) : Tensor());
  reset_parameters();
}

template <std::size_t D, bool kTransposed>
void ConvNdImpl<D, kTransposed>::reset_parameters() {
  init::kaiming_uniform_(weight, std::sqrt(5.0));
  if (!bias.defined()) return;
  const double bound = 1 / std::sqrt(static_cast<double>(std::get<0>(init::calculate_fan_in_and_fan_out(weight))));
  init::uniform_(bias, -bound, bound);
}

template <std::size_t D, bool kTransposed>
Tensor ConvNdImpl<D, kTransposed>::forward(const Tensor& input) const {
  const std::optional<Tensor> offset = bias.defined() ? std::optional<Tensor>(bias) : std::nullopt;
  return convolution(input, weight, offset, options.stride(), options.padding(), options.dilation(), kTransposed,
                     options.output_padding(), options.groups());
}

template <std::size_t D, bool kTransposed>
void ConvNdImpl<D, kTransposed>::pretty_print(std::ostream& stream) const {
  stream << "torch::nn::Conv" << (kTransposed ? "Transpose" : "") << D << "d(" << options.in_channels() << ", "
         << options.out_channels() << ", kernel_size=" << text(options.kernel_size())
         << ", stride=" << text(options.stride());
  if (!all_equal(options.padding(), 0)) stream << ", padding=" << text(options.padding());
  if (!all_equal(options.dilation(), 1)) stream << ", dilation=" << text(options.dilation());
  if (!all_equal(options.output_padding(), 0)) stream << ", output_padding=" << text(options.output_padding());
  if (options.groups() != 1) stream << ", groups=" << options.groups();
  if (!options.bias()) stream << ", bias=false";
  stream << ")";
}

template class ConvNdImpl<1, false>;
template class ConvNdImpl<2, false>;
template class ConvNdImpl<3, false>;
template class ConvNdImpl<2, true>;

}  // namespace rushlight::nn
