// Conv1d, Conv2d, Conv3d and ConvTranspose2d.
#pragma once
#include "rushlight/nn/module.h"
#include "rushlight/nn/options.h"

namespace rushlight::nn {

template <std::size_t D>
class ConvOptions {
 public:
  ConvOptions(std::int64_t in, std::int64_t out, ExpandingArray<D> kernel)
      : in_channels_(in), out_channels_(out), kernel_size_(kernel) {}
  RL_OPTION(std::int64_t, in_channels);
  RL_OPTION(std::int64_t, out_channels);
  RL_OPTION(ExpandingArray<D>, kernel_size);
  RL_OPTION(ExpandingArray<D>, stride) = 1;
  RL_OPTION(ExpandingArray<D>, padding) = 0;
  RL_OPTION(ExpandingArray<D>, output_padding) = 0;
  RL_OPTION(ExpandingArray<D>, dilation) = 1;
  RL_OPTION(std::int64_t, groups) = 1;
  RL_OPTION(bool, bias) = true;
};
using Conv1dOptions = ConvOptions<1>;
using Conv2dOptions = ConvOptions<2>;
using Conv3dOptions = ConvOptions<3>;
using ConvTranspose2dOptions = ConvOptions<2>;

// Weights and their default initialisation, for any number of spatial dimensions.
template <std::size_t D, bool kTransposed>
class ConvNdImpl : public Module {
 public:
  explicit ConvNdImpl(const ConvOptions<D>& settings);
  void reset_parameters();
  Tensor forward(const Tensor& input) const;
  void pretty_print(std::ostream& stream) const override;
  ConvOptions<D> options;
  Tensor weight, bias;
};

#define RL_CONV(Name, D, transposed)                                        \
  class Name##Impl : public ConvNdImpl<D, transposed> {                     \
   public:                                                                  \
    using ConvNdImpl<D, transposed>::ConvNdImpl;                            \
    Name##Impl(std::int64_t in, std::int64_t out, ExpandingArray<D> kernel) \
        : ConvNdImpl<D, transposed>(ConvOptions<D>(in, out, kernel)) {}     \
  };                                                                        \
  TORCH_MODULE(Name)
RL_CONV(Conv1d, 1, false);
RL_CONV(Conv2d, 2, false);
RL_CONV(Conv3d, 3, false);
RL_CONV(ConvTranspose2d, 2, true);
#undef RL_CONV

}  // namespace rushlight::nn
