// Convolutions: argument rules, the kernels of the three passes, and the derivatives of the
// backward pass.
#include <algorithm>
#include <array>

#include "autograd/formulas_conv.h"
#include "ops/element_name.h"
#include "ops/kernels/conv.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace {

using Sizes = std::vector<std::int64_t>;

std::string per_channel(const Sizes& sizes) {
  std::string text = "(";
  for (std::size_t i = 0; i < sizes.size(); ++i)
    text += (i ? " x " : "") + std::to_string(sizes[i]);
  return text + ")";
}

Sizes per_dim(IntArray given, std::int64_t dims, const char* what) {
  if (given.size() == 1) return Sizes(static_cast<std::size_t>(dims), given[0]);
  check(static_cast<std::int64_t>(given.size()) == dims, "expected ", what,
        " to be a single integer value or a list of ", dims, " values to match the convolution dimensions, but got ",
        what, "=", given);
  return given.vec();
}

// The arguments of a call, one value for each spatial dim.
struct Arguments {
  Sizes stride, padding, dilation, output_padding;
  bool transposed;
  std::int64_t groups, dims;

  Arguments(const Tensor& weight, IntArray stride_, IntArray padding_, IntArray dilation_, bool transposed_,
            IntArray output_padding_, std::int64_t groups_)
      : transposed(transposed_), groups(groups_), dims(weight.dim() - 2) {
    check(dims > 0 && dims <= 3, "convolution: weight should have at least three dimensions and at most five, got ",
          weight);
    stride = per_dim(stride_, dims, "stride");
    padding = per_dim(padding_, dims, "padding");
    dilation = per_dim(dilation_, dims, "dilation");
    output_padding = per_dim(output_padding_, dims, "output_padding");
    const auto any = [](const Sizes& list, std::int64_t least) {
      return std::any_of(list.begin(), list.end(), [least](std::int64_t x) { return x < least; });
    };
    check(!any(padding, 0), "convolution: negative padding is not supported, got padding=", IntArray(padding));
    check(!any(output_padding, 0), "convolution: negative output_padding is not supported, got ",
          IntArray(output_padding));
    check(!any(stride, 1), "convolution: non-positive stride is not supported, got stride=", IntArray(stride));
    check(!any(dilation, 1), "convolution: dilation should be greater than zero, but got ", IntArray(dilation));
    check(groups > 0, "convolution: non-positive groups is not supported, got ", groups);
  }
};

void check_operands(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, const Arguments& a) {
  check(input.dim() == weight.dim(), "Expected ", weight.dim(), "-dimensional input for ", weight.dim(),
        "-dimensional weight ", weight.sizes(), ", but got ", input.dim(), "-dimensional input of size ", input.sizes(),
        " instead");
  check(weight.size(0) >= a.groups, "Given groups=", a.groups, ", expected weight to be at least ", a.groups,
        " at dimension 0, but got weight of size ", weight.sizes(), " instead");
  check(weight.size(0) % a.groups == 0, "Given groups=", a.groups, ", expected weight to be divisible by ", a.groups,
        " at dimension 0, but got weight of size [", weight.sizes(), "] instead");
  const bool biased = bias && bias->defined();
  if (a.transposed) {
    check(input.size(1) == weight.size(0), "Given transposed=1, weight of size ", weight.sizes(), ", expected input",
          input.sizes(), " to have ", weight.size(0), " channels, but got ", input.size(1), " channels instead");
    const std::int64_t out = weight.size(1) * a.groups;
    check(!biased || (bias->dim() == 1 && bias->size(0) == out), "Given transposed=1, weight of size ", weight.sizes(),
          ", expected bias to be 1-dimensional with ", out, " elements, but got bias of size ",
          biased ? bias->sizes() : IntArray{}, " instead");
  } else {
    check(input.size(1) == weight.size(1) * a.groups, "Given groups=", a.groups, ", weight of size ", weight.sizes(),
          ", expected input", input.sizes(), " to have ", weight.size(1) * a.groups, " channels, but got ",
          input.size(1), " channels instead");
    check(!biased || (bias->dim() == 1 && bias->size(0) == weight.size(0)), "Given weight of size ", weight.sizes(),
          ", expected bias to be 1-dimensional with ", weight.size(0), " elements, but got bias of size ",
          biased ? bias->sizes() : IntArray{}, " instead");
  }
  check(input.is_complex() == weight.is_complex(), "Input type (", element_name(input.dtype()), ") and weight type (",
        element_name(weight.dtype()), ") should be the same");
  check(input.dtype() == weight.dtype(), "convolution: expected scalar type ", scalar_type_name(input.dtype()),
        " but found ", scalar_type_name(weight.dtype()));
  check(!biased || bias->dtype() == input.dtype(), "Input type (", element_name(input.dtype()), ") and bias type (",
        biased ? element_name(bias->dtype()) : "", ") should be the same");
  check<NotImplementedError>(input.dtype() != Dtype::kBool, "\"slow_conv2d_cpu\" not implemented for 'Bool'");
}

Sizes output_sizes(const Tensor& input, const Tensor& weight, const Arguments& a) {
  Sizes sizes{input.size(0), a.transposed ? weight.size(1) * a.groups : weight.size(0)};
  Sizes padded, kernel, in, out;
  bool fits = true, positive = true;
  for (std::int64_t i = 0; i < a.dims; ++i) {
    const auto d = static_cast<std::size_t>(i);
    const std::int64_t size = input.size(i + 2), reach = a.dilation[d] * (weight.size(i + 2) - 1) + 1;
    in.push_back(size);
    padded.push_back(size + 2 * a.padding[d]);
    kernel.push_back(reach);
    fits = fits && padded[d] >= reach;
    out.push_back(a.transposed ? (size - 1) * a.stride[d] - 2 * a.padding[d] + reach + a.output_padding[d]
                               : (padded[d] - reach) / a.stride[d] + 1);
    positive = positive && out[d] > 0;
    if (a.transposed)
      check(a.output_padding[d] < a.stride[d] || a.output_padding[d] < a.dilation[d],
            "convolution: output padding must be smaller than either stride or dilation, but got "
            "output_padding ",
            a.output_padding[d], ", stride ", a.stride[d], " and dilation ", a.dilation[d]);
  }
  if (!a.transposed)
    check(fits, "Calculated padded input size per channel: ", per_channel(padded),
          ". Kernel size: ", per_channel(kernel), ". Kernel size can't be greater than actual input size");
  else
    check(positive, "Given input size per channel: ", per_channel(in),
          ". Calculated output size per channel: ", per_channel(out), ". Output size is too small");
  sizes.insert(sizes.end(), out.begin(), out.end());
  return sizes;
}

// The convolution between `large` and `small`: a transposed one is the other way round.
ConvolutionShape shape_of(const Tensor& input, const Tensor& weight, IntArray output, const Arguments& a) {
  const IntArray large = a.transposed ? output : input.sizes(), small = a.transposed ? input.sizes() : output;
  ConvolutionShape s{};
  s.batch = input.size(0);
  s.in_channels = large[1];
  s.out_channels = small[1];
  s.groups = a.groups;
  for (int d = 0; d < 3; ++d) {
    const std::int64_t i = d - 3 + a.dims;
    const bool has = i >= 0;
    const auto at = static_cast<std::size_t>(has ? i : 0);
    s.in[d] = has ? large[at + 2] : 1;
    s.out[d] = has ? small[at + 2] : 1;
    s.kernel[d] = has ? weight.size(i + 2) : 1;
    s.stride[d] = has ? a.stride[at] : 1;
    s.padding[d] = has ? a.padding[at] : 0;
    s.dilation[d] = has ? a.dilation[at] : 1;
  }
  return s;
}

MemoryFormat last_format(const Tensor& t) {
  return t.dim() == 5 ? MemoryFormat::kChannelsLast3d : MemoryFormat::kChannelsLast;
}
bool is_last(const Tensor& t) { return t.dim() >= 4 && !t.is_contiguous() && t.is_contiguous(last_format(t)); }

// Whether a call runs on channels-last memory: where its input has that order and there is a kernel for the shape. With
// few channels the runs of a pixel are too short.
bool runs_last(const ConvolutionShape& s, const Tensor& input, const Arguments& a) {
  constexpr std::int64_t kFew = 8;
  if (a.transposed || !input.is_floating_point() || !is_last(input)) return false;
  return s.depthwise() || (s.groups == 1 && s.in_channels >= kFew && s.out_channels >= kFew);
}
Tensor last_weight(const ConvolutionShape& s, const Tensor& weight) {
  return s.depthwise() ? weight.contiguous() : weight.contiguous(last_format(weight));
}
Tensor empty_last(const ConvolutionShape& s, IntArray sizes, const Tensor& like, bool of_weight) {
  if (of_weight && s.depthwise()) return empty_tensor(sizes, like.dtype(), like.device());
  return empty(sizes, like.options(), last_format(like));
}

// Complex operands by their parts: f of real tensors is bilinear in both.
template <class F>
Tensor by_parts(const Tensor& a, const Tensor& b, const F& f) {
  const Tensor ar = real(a).contiguous(), ai = imag(a).contiguous(), br = real(b).contiguous(),
               bi = imag(b).contiguous();
  return complex(f(ar, br).sub(f(ai, bi)), f(ar, bi).add(f(ai, br)));
}

Tensor filled_zero(IntArray sizes, const Tensor& like) {
  const Tensor result = empty_tensor(sizes, like.dtype(), like.device());
  return result.zero_();
}

// bias for a transposed convolution, or where there is nothing to multiply
void add_bias(const Tensor& output, const std::optional<Tensor>& bias) {
  if (!bias || !bias->defined()) return;
  Sizes sizes(static_cast<std::size_t>(output.dim()), 1);
  sizes[1] = bias->size(0);
  output.add_(bias->reshape(sizes));
}

Tensor forward(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, const Arguments& a) {
  const Sizes sizes = output_sizes(input, weight, a);
  if (input.is_complex()) {
    const Tensor product =
        by_parts(input, weight, [&](const Tensor& x, const Tensor& w) { return forward(x, w, std::nullopt, a); });
    add_bias(product, bias);
    return product;
  }
  if (a.transposed && is_reduced_float(input.dtype()) && bias && bias->defined()) {  // one rounding, after the bias
    const auto wide = [](const Tensor& t) { return t.to(Dtype::kFloat32); };
    return forward(wide(input), wide(weight), wide(*bias), a).to(input.dtype());
  }
  ConvolutionShape s = shape_of(input, weight, sizes, a);
  s.channels_last = runs_last(s, input, a);
  const Tensor output =
      s.channels_last ? empty_last(s, sizes, input, false) : empty_tensor(sizes, input.dtype(), input.device());
  if (output.numel() == 0) return output;
  if (input.numel() == 0 || weight.numel() == 0) {
    output.zero_();
    add_bias(output, bias);
    return output;
  }
  if (s.channels_last) {
    const Tensor b = bias && bias->defined() ? bias->contiguous() : Tensor();
    convolution_kernel(input.device(), s, input, last_weight(s, weight), b, output);
    return output;
  }
  const Tensor x = input.contiguous(), w = weight.contiguous();
  if (a.transposed) {
    convolution_input_kernel(x.device(), s, w, x, output);
    add_bias(output, bias);
  } else {
    const Tensor b = bias && bias->defined() ? bias->contiguous() : Tensor();
    convolution_kernel(x.device(), s, x, w, b, output);
  }
  return output;
}

Tensor input_gradient(const Tensor& grad, const Tensor& input, const Tensor& weight, const Arguments& a) {
  if (input.is_complex())
    return by_parts(grad, weight.conj(),
                    [&](const Tensor& g, const Tensor& w) { return input_gradient(g, real(input), w, a); });
  if (input.numel() == 0 || grad.numel() == 0 || weight.numel() == 0) return filled_zero(input.sizes(), input);
  ConvolutionShape s = shape_of(input, weight, grad.sizes(), a);
  s.channels_last = runs_last(s, input, a) && (s.depthwise() || s.reversible());
  if (s.channels_last) {
    const Tensor result = empty_last(s, input.sizes(), input, false);
    convolution_input_kernel(grad.device(), s, last_weight(s, weight), grad.contiguous(last_format(grad)), result);
    return result;
  }
  const Tensor result = empty_tensor(input.sizes(), input.dtype(), input.device());
  const Tensor dy = grad.contiguous(), w = weight.contiguous();
  if (a.transposed)
    convolution_kernel(dy.device(), s, dy, w, Tensor(), result);
  else
    convolution_input_kernel(dy.device(), s, w, dy, result);
  return result;
}

Tensor weight_gradient(const Tensor& grad, const Tensor& input, const Tensor& weight, const Arguments& a) {
  if (input.is_complex())
    return by_parts(grad, input.conj(),
                    [&](const Tensor& g, const Tensor& x) { return weight_gradient(g, x, real(weight), a); });
  if (input.numel() == 0 || grad.numel() == 0 || weight.numel() == 0) return filled_zero(weight.sizes(), weight);
  ConvolutionShape s = shape_of(input, weight, grad.sizes(), a);
  s.channels_last = runs_last(s, input, a);
  if (s.channels_last) {
    const Tensor result = empty_last(s, weight.sizes(), weight, true);
    convolution_weight_kernel(grad.device(), s, input, grad.contiguous(last_format(grad)), result);
    return is_last(weight) ? result : result.contiguous();
  }
  const Tensor result = empty_tensor(weight.sizes(), weight.dtype(), weight.device());
  const Tensor dy = grad.contiguous(), x = input.contiguous();
  if (a.transposed)
    convolution_weight_kernel(dy.device(), s, dy, x, result);
  else
    convolution_weight_kernel(dy.device(), s, x, dy, result);
  return result;
}

// Where an operand is channels-last, so is the result.
Tensor in_format_of(const Tensor& result, const Tensor& input, const Tensor& weight) {
  return is_last(input) || is_last(weight) ? result.contiguous(last_format(result)) : result;
}

Sizes same_padding(const Tensor& weight, IntArray stride, IntArray dilation, Sizes& extra) {
  const std::int64_t dims = weight.dim() - 2;
  const Sizes strides = per_dim(stride, dims, "stride"), dilations = per_dim(dilation, dims, "dilation");
  Sizes padding;
  for (std::int64_t i = 0; i < dims; ++i) {
    const auto d = static_cast<std::size_t>(i);
    check(strides[d] == 1, "padding='same' is not supported for strided convolutions");
    const std::int64_t total = dilations[d] * (weight.size(i + 2) - 1);
    padding.push_back(total / 2);
    extra.push_back(total - 2 * (total / 2));
  }
  return padding;
}

// The batched form of a call with `dims` spatial dims.
struct Batched {
  Tensor input;
  bool was_batched;
  Batched(const Tensor& given, std::int64_t dims, const char* op) : input(given), was_batched(given.dim() == dims + 2) {
    check(given.dim() == dims + 2 || given.dim() == dims + 1, "Expected ", dims + 1, "D (unbatched) or ", dims + 2,
          "D (batched) input to ", op, ", but got input of size: ", given.sizes());
    if (!was_batched) input = given.unsqueeze(0);
  }
  Tensor undo(const Tensor& result) const { return was_batched ? result : result.squeeze(0); }
};

Tensor convolve(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, IntArray stride,
                IntArray padding, IntArray dilation, std::int64_t groups, std::int64_t dims, const char* op) {
  const Batched batched(input, dims, op);
  const std::int64_t zero = 0;
  return batched.undo(
      convolution(batched.input, weight, bias, stride, padding, dilation, false, IntArray(zero), groups));
}

Tensor convolve(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, IntArray stride,
                std::string_view padding, IntArray dilation, std::int64_t groups, std::int64_t dims, const char* op) {
  const std::int64_t zero = 0;
  if (padding == "valid") return convolve(input, weight, bias, stride, IntArray(zero), dilation, groups, dims, op);
  check(padding == "same", "Invalid padding string: '", padding, "'");
  Sizes extra;
  const Sizes both = same_padding(weight, stride, dilation, extra);
  const Batched batched(input, dims, op);
  Tensor padded = batched.input;
  if (std::any_of(extra.begin(), extra.end(), [](std::int64_t x) { return x != 0; })) {
    Sizes pads;  // from the last dim to the first: before, after
    for (std::size_t i = extra.size(); i-- > 0;)
      pads.insert(pads.end(), {0, extra[i]});
    padded = constant_pad_nd(padded, pads, Scalar(0));
  }
  return batched.undo(convolution(padded, weight, bias, stride, both, dilation, false, IntArray(zero), groups));
}

Tensor convolve_transposed(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias,
                           IntArray stride, IntArray padding, IntArray output_padding, std::int64_t groups,
                           IntArray dilation, std::int64_t dims, const char* op) {
  const Batched batched(input, dims, op);
  return batched.undo(
      convolution(batched.input, weight, bias, stride, padding, dilation, true, output_padding, groups));
}

}  // namespace

namespace ops {

Tensor convolution(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, IntArray stride,
                   IntArray padding, IntArray dilation, bool transposed, IntArray output_padding, std::int64_t groups) {
  const Arguments a(weight, stride, padding, dilation, transposed, output_padding, groups);
  check_operands(input, weight, bias, a);
  const NoGradGuard no_grad;
  return in_format_of(forward(input, weight, bias, a), input, weight);
}

std::tuple<Tensor, Tensor, Tensor> convolution_backward(const Tensor& grad_output, const Tensor& input,
                                                        const Tensor& weight, OptionalIntArray, IntArray stride,
                                                        IntArray padding, IntArray dilation, bool transposed,
                                                        IntArray output_padding, std::int64_t groups,
                                                        std::span<const bool> output_mask) {
  const Arguments a(weight, stride, padding, dilation, transposed, output_padding, groups);
  check(output_mask.size() == 3, "convolution_backward: output_mask needs 3 values, got ", output_mask.size());
  check_operands(input, weight, std::nullopt, a);
  const NoGradGuard no_grad;
  std::tuple<Tensor, Tensor, Tensor> result;
  if (output_mask[0]) std::get<0>(result) = in_format_of(input_gradient(grad_output, input, weight, a), input, weight);
  if (output_mask[1]) std::get<1>(result) = weight_gradient(grad_output, input, weight, a);
  if (output_mask[2]) {
    Sizes dims;
    for (std::int64_t d = 0; d < grad_output.dim(); ++d)
      if (d != 1) dims.push_back(d);
    std::get<2>(result) = grad_output.sum(dims);
  }
  return result;
}

}  // namespace ops

// What a change of each gradient does to grad_output, input and weight: convolutions again.
std::tuple<Tensor, Tensor, Tensor> convolution_double_backward(const Tensor& change_input, const Tensor& change_weight,
                                                               const Tensor& change_bias, const Tensor& grad_output,
                                                               const Tensor& input, const Tensor& weight,
                                                               IntArray stride, IntArray padding, IntArray dilation,
                                                               bool transposed, IntArray output_padding,
                                                               std::int64_t groups, const std::array<bool, 3>& mask) {
  std::tuple<Tensor, Tensor, Tensor> result;
  auto& [for_output, for_input, for_weight] = result;
  const auto add_to = [](Tensor& sum, const Tensor& term) { sum = sum.defined() ? sum.add(term) : term; };
  const auto backward = [&](const Tensor& x, const Tensor& w, bool of_input) {
    const bool wanted[3] = {of_input, !of_input, false};
    const auto gradients = convolution_backward(grad_output, x, w, std::nullopt, stride, padding, dilation, transposed,
                                                output_padding, groups, std::span<const bool>(wanted));
    return of_input ? std::get<0>(gradients) : std::get<1>(gradients);
  };
  const auto convolved = [&](const Tensor& x, const Tensor& w) {
    return convolution(x, w, std::nullopt, stride, padding, dilation, transposed, output_padding, groups);
  };
  if (mask[0]) {
    if (change_input.defined()) add_to(for_output, convolved(change_input, weight));
    if (change_weight.defined()) add_to(for_output, convolved(input, change_weight));
    if (change_bias.defined()) {
      Sizes sizes(static_cast<std::size_t>(grad_output.dim()), 1);
      sizes[1] = change_bias.size(0);
      add_to(for_output, change_bias.reshape(sizes).expand(grad_output.sizes()));
    }
  }
  if (mask[1] && change_weight.defined()) for_input = backward(input, change_weight, true);
  if (mask[2] && change_input.defined()) for_weight = backward(change_input, weight, false);
  return result;
}

Tensor uncast_conv1d(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, IntArray stride,
                     IntArray padding, IntArray dilation, std::int64_t groups) {
  return convolve(input, weight, bias, stride, padding, dilation, groups, 1, "conv1d");
}
Tensor uncast_conv2d(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, IntArray stride,
                     IntArray padding, IntArray dilation, std::int64_t groups) {
  return convolve(input, weight, bias, stride, padding, dilation, groups, 2, "conv2d");
}
Tensor uncast_conv3d(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, IntArray stride,
                     IntArray padding, IntArray dilation, std::int64_t groups) {
  return convolve(input, weight, bias, stride, padding, dilation, groups, 3, "conv3d");
}
Tensor uncast_conv1d(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, IntArray stride,
                     std::string_view padding, IntArray dilation, std::int64_t groups) {
  return convolve(input, weight, bias, stride, padding, dilation, groups, 1, "conv1d");
}
Tensor uncast_conv2d(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, IntArray stride,
                     std::string_view padding, IntArray dilation, std::int64_t groups) {
  return convolve(input, weight, bias, stride, padding, dilation, groups, 2, "conv2d");
}
Tensor uncast_conv3d(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, IntArray stride,
                     std::string_view padding, IntArray dilation, std::int64_t groups) {
  return convolve(input, weight, bias, stride, padding, dilation, groups, 3, "conv3d");
}

Tensor uncast_conv_transpose1d(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias,
                               IntArray stride, IntArray padding, IntArray output_padding, std::int64_t groups,
                               IntArray dilation) {
  return convolve_transposed(input, weight, bias, stride, padding, output_padding, groups, dilation, 1,
                             "conv_transpose1d");
}
Tensor uncast_conv_transpose2d(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias,
                               IntArray stride, IntArray padding, IntArray output_padding, std::int64_t groups,
                               IntArray dilation) {
  return convolve_transposed(input, weight, bias, stride, padding, output_padding, groups, dilation, 2,
                             "conv_transpose2d");
}
Tensor uncast_conv_transpose3d(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias,
                               IntArray stride, IntArray padding, IntArray output_padding, std::int64_t groups,
                               IntArray dilation) {
  return convolve_transposed(input, weight, bias, stride, padding, output_padding, groups, dilation, 3,
                             "conv_transpose3d");
}

// (time, batch, channels) input, (kernel, in, out) weight
Tensor uncast_conv_tbc(const Tensor& self, const Tensor& weight, const Tensor& bias, std::int64_t pad) {
  check(self.dim() == 3, "conv_tbc: Input must have 3 dims: time, batch, in_channel, got ", self);
  check(weight.dim() == 3, "conv_tbc: Weight tensor must have 3 dims: kernel_width, in_channels, out_channels, got ",
        weight);
  check(bias.dim() == 1, "conv_tbc: Bias must be 1-D, got ", bias);
  check(self.size(2) == weight.size(1), "conv_tbc: Input dim 2 (", self.size(2), ") must match weight dim 1 (",
        weight.size(1), ")");
  check(weight.size(2) == bias.size(0), "conv_tbc: Bias size (", bias.size(0), ") must equal dim 2 of weight (",
        weight.size(2), ")");
  return conv1d(self.permute({1, 2, 0}), weight.permute({2, 1, 0}), bias, IntArray{1}, IntArray{pad})
      .permute({2, 0, 1});
}

}  // namespace rushlight
