// Exchanges between channels and pixels, sliding columns and back, and classes as rows of 0 and 1.
#include "autograd/shown_name.h"
#include "ops/kernels/pool.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace {

using Sizes = std::vector<std::int64_t>;

Sizes leading(const Tensor& t) {
  Sizes sizes = t.sizes().vec();
  sizes.resize(sizes.size() - 3);
  return sizes;
}
Sizes with(Sizes sizes, std::initializer_list<std::int64_t> more) {
  sizes.insert(sizes.end(), more);
  return sizes;
}
// Dims before the last three stay; `order` counts from the first of the others.
Sizes order_of(std::size_t lead, std::initializer_list<std::int64_t> order) {
  Sizes dims;
  for (std::size_t i = 0; i < lead; ++i)
    dims.push_back(static_cast<std::int64_t>(i));
  for (const std::int64_t d : order)
    dims.push_back(static_cast<std::int64_t>(lead) + d);
  return dims;
}

Sizes pair_of(IntArray given, const char* what) {
  check(given.size() == 2, "It is expected ", what, " equals to 2, but got size ", given.size());
  return given.vec();
}

void check_windows(const Sizes& kernel, const Sizes& dilation, const Sizes& padding, const Sizes& stride,
                   const char* op) {
  check(kernel[0] > 0 && kernel[1] > 0, op,
        ": kernel size should be greater than zero, but got kernel_height: ", kernel[0], " kernel_width: ", kernel[1]);
  check(dilation[0] > 0 && dilation[1] > 0, op,
        ": dilation should be greater than zero, but got dilation_height: ", dilation[0],
        " dilation_width: ", dilation[1]);
  check(padding[0] >= 0 && padding[1] >= 0, op, ": padding should be non-negative, but got pad_height: ", padding[0],
        " pad_width: ", padding[1]);
  check(stride[0] > 0 && stride[1] > 0, op, ": stride should be greater than zero, but got stride_height: ", stride[0],
        " stride_width: ", stride[1]);
}

PoolShape shape_of(std::int64_t planes, IntArray in, const Sizes& kernel, const Sizes& dilation, const Sizes& padding,
                   const Sizes& stride) {
  PoolShape s{};
  s.planes = planes;
  s.in[0] = s.out[0] = s.kernel[0] = s.stride[0] = s.dilation[0] = 1;
  for (std::size_t i = 0; i < 2; ++i) {
    s.in[i + 1] = in[i];
    s.kernel[i + 1] = kernel[i];
    s.stride[i + 1] = stride[i];
    s.padding[i + 1] = padding[i];
    s.dilation[i + 1] = dilation[i];
    const std::int64_t room = in[i] + 2 * padding[i] - dilation[i] * (kernel[i] - 1) - 1;
    s.out[i + 1] = room < 0 ? 0 : room / stride[i] + 1;
  }
  return s;
}

}  // namespace

Tensor pixel_shuffle(const Tensor& self, std::int64_t upscale_factor) {
  const ShownAs shown("PixelShuffleBackward0");
  const std::int64_t r = upscale_factor;
  check(self.dim() >= 3, "pixel_shuffle expects input to have at least 3 dimensions, but got input with ", self.dim(),
        " dimension(s)");
  check(r > 0, "pixel_shuffle expects a positive upscale_factor, but got ", r);
  const std::int64_t c = self.size(-3), h = self.size(-2), w = self.size(-1);
  check(c % (r * r) == 0,
        "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of "
        "upscale_factor, but input.size(-3)=",
        c, " is not divisible by ", r * r);
  const Sizes lead = leading(self);
  return shown(self.reshape(with(lead, {c / (r * r), r, r, h, w}))
                   .permute(order_of(lead.size(), {0, 3, 1, 4, 2}))
                   .reshape(with(lead, {c / (r * r), h * r, w * r})));
}

Tensor pixel_unshuffle(const Tensor& self, std::int64_t downscale_factor) {
  const ShownAs shown("PixelUnshuffleBackward0");
  const std::int64_t r = downscale_factor;
  check(self.dim() >= 3, "pixel_unshuffle expects input to have at least 3 dimensions, but got input with ", self.dim(),
        " dimension(s)");
  check(r > 0, "pixel_unshuffle expects a positive downscale_factor, but got ", r);
  const std::int64_t c = self.size(-3), h = self.size(-2), w = self.size(-1);
  check(h % r == 0, "pixel_unshuffle expects height to be divisible by downscale_factor, but input.size(-2)=", h,
        " is not divisible by ", r);
  check(w % r == 0, "pixel_unshuffle expects width to be divisible by downscale_factor, but input.size(-1)=", w,
        " is not divisible by ", r);
  const Sizes lead = leading(self);
  return shown(self.reshape(with(lead, {c, h / r, r, w / r, r}))
                   .permute(order_of(lead.size(), {0, 2, 4, 1, 3}))
                   .reshape(with(lead, {c * r * r, h / r, w / r})));
}

Tensor channel_shuffle(const Tensor& self, std::int64_t groups) {
  const ShownAs shown("ChannelShuffleBackward0");
  check(self.dim() > 2, "channel_shuffle expects input with > 2 dims, but got input with sizes ", self.sizes());
  check(groups > 0,
        "channel_shuffle: Number of groups to divide channels in must be positive. Value of groups:", groups);
  check(self.size(1) % groups == 0, "channel_shuffle: Number of channels must be divisible by groups. Got ",
        self.size(1), " channels and ", groups, " groups.");
  Sizes split = self.sizes().vec();
  split[1] /= groups;
  split.insert(split.begin() + 1, groups);
  return shown(self.reshape(split).transpose(1, 2).reshape(self.sizes()));
}
Tensor native_channel_shuffle(const Tensor& self, std::int64_t groups) { return channel_shuffle(self, groups); }

Tensor one_hot(const Tensor& self, std::int64_t num_classes) {
  check(self.dtype() == Dtype::kInt64, "one_hot is only applicable to index tensor of type LongTensor, got ", self);
  const bool known = self.numel() > 0 && !self.is_meta();
  check(num_classes > 0 || self.numel() > 0, "one_hot: Can not infer total number of classes from empty tensor.");
  if (known) {
    check(self.min().item<std::int64_t>() >= 0, "one_hot: Class values must be non-negative.");
    const std::int64_t most = self.max().item<std::int64_t>();
    if (num_classes == -1) num_classes = most + 1;
    check(most < num_classes, "one_hot: Class values must be smaller than num_classes.");
  }
  check(num_classes > 0, "one_hot: num_classes should be positive");
  const Tensor result = zeros(with(self.sizes().vec(), {num_classes}), TensorOptions(Dtype::kInt64, self.device()));
  if (self.numel()) result.scatter_(-1, self.unsqueeze(-1), Scalar(1));
  return result;
}

namespace ops {

Tensor im2col(const Tensor& self, IntArray kernel_size, IntArray dilation, IntArray padding, IntArray stride) {
  const Sizes k = pair_of(kernel_size, "kernel_size"), d = pair_of(dilation, "dilation");
  const Sizes p = pair_of(padding, "padding"), s = pair_of(stride, "stride");
  check_windows(k, d, p, s, "im2col");
  const std::int64_t rank = self.dim();
  check((rank == 3 && self.size(0) != 0 && self.size(1) != 0 && self.size(2) != 0) ||
            (rank == 4 && self.size(1) != 0 && self.size(2) != 0 && self.size(3) != 0),
        "im2col: Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other "
        "non-zero dimensions for "
        "input, but got: ",
        self.sizes());
  const std::int64_t batch = rank == 4 ? self.size(0) : 1, channels = self.size(-3);
  const PoolShape shape = shape_of(batch * channels, self.sizes().last(2), k, d, p, s);
  check(shape.out[1] > 0 && shape.out[2] > 0, "im2col: Given input with spatial size (", self.size(-2), ", ",
        self.size(-1), "), kernel_size=(", k[0], ", ", k[1], "), dilation=(", d[0], ", ", d[1], "), padding=(", p[0],
        ", ", p[1], "), calculated shape of the array of sliding blocks as (", shape.out[1], ", ", shape.out[2],
        "), but its components must be at least one.");
  check<NotImplementedError>(!is_integral(self.dtype(), false), "\"im2col_out_cpu\" not implemented for '",
                             scalar_type_name(self.dtype()), "'");
  const NoGradGuard no_grad;
  const std::int64_t columns = channels * k[0] * k[1], windows = shape.out[1] * shape.out[2];
  const Tensor result =
      empty_tensor(rank == 4 ? Sizes{batch, columns, windows} : Sizes{columns, windows}, self.dtype(), self.device());
  if (result.numel()) im2col_kernel(self.device(), shape, self.contiguous(), result);
  return result;
}

Tensor col2im(const Tensor& self, IntArray output_size, IntArray kernel_size, IntArray dilation, IntArray padding,
              IntArray stride) {
  const Sizes out = pair_of(output_size, "output_size"), k = pair_of(kernel_size, "kernel_size");
  const Sizes d = pair_of(dilation, "dilation"), p = pair_of(padding, "padding"), s = pair_of(stride, "stride");
  check_windows(k, d, p, s, "col2im");
  const std::int64_t rank = self.dim();
  check((rank == 2 && self.size(0) != 0 && self.size(1) != 0) || (rank == 3 && self.size(1) != 0 && self.size(2) != 0),
        "col2im: Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and "
        "non-zero dimensions for "
        "input, but got: ",
        self.sizes());
  const std::int64_t columns = self.size(-2), taps = k[0] * k[1];
  check(columns % taps == 0,
        "col2im: Expected size of input's dimension 1 to be divisible by the product of kernel_size, "
        "but got input.size(1)=",
        columns, " and kernel_size=(", k[0], ", ", k[1], ").");
  const std::int64_t batch = rank == 3 ? self.size(0) : 1, channels = columns / taps;
  const PoolShape shape = shape_of(batch * channels, out, k, d, p, s);
  check(self.size(-1) == shape.out[1] * shape.out[2] && shape.out[1] > 0 && shape.out[2] > 0,
        "col2im: Given output_size=(", out[0], ", ", out[1], "), kernel_size=(", k[0], ", ", k[1], "), dilation=(",
        d[0], ", ", d[1], "), padding=(", p[0], ", ", p[1], "), stride=(", s[0], ", ", s[1],
        "), expected size of input's dimension 2 to match the calculated number of sliding blocks ", shape.out[1],
        " * ", shape.out[2], " = ", shape.out[1] * shape.out[2], ", but got input.size(2)=", self.size(-1), ".");
  check<NotImplementedError>(!is_integral(self.dtype(), false), "\"col2im_out_cpu\" not implemented for '",
                             scalar_type_name(self.dtype()), "'");
  const NoGradGuard no_grad;
  const Tensor result =
      empty_tensor(rank == 3 ? Sizes{batch, channels, out[0], out[1]} : Sizes{channels, out[0], out[1]}, self.dtype(),
                   self.device());
  if (result.numel()) col2im_kernel(self.device(), shape, self.contiguous(), result);
  return result;
}

}  // namespace ops
}  // namespace rushlight
