// Pooling: window rules, shapes and the kernels of every form.
#include <algorithm>
#include <string>

#include "autograd/shown_name.h"
#include "ops/kernels/pool.h"
#include "rushlight/forward_ad.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace {

using Sizes = std::vector<std::int64_t>;

const char* number_word(std::int64_t dims) { return dims == 1 ? "one int" : dims == 2 ? "two ints" : "three ints"; }

void check_number(const Tensor& self, const char* op) {
  check<NotImplementedError>(!self.is_complex() && self.dtype() != Dtype::kBool, "\"", op, "\" not implemented for '",
                             scalar_type_name(self.dtype()), "'");
}
void check_floating(const Tensor& self, const char* op) {
  check<NotImplementedError>(self.is_floating_point(), "\"", op, "\" not implemented for '",
                             scalar_type_name(self.dtype()), "'");
}

Sizes per_dim(IntArray given, std::int64_t dims, const char* op, const char* what) {
  if (given.size() == 1) return Sizes(static_cast<std::size_t>(dims), given[0]);
  check(static_cast<std::int64_t>(given.size()) == dims, op, ": ", what, " must either be a single int, or a tuple of ",
        number_word(dims));
  return given.vec();
}

// Prints as `2x3`.
struct By {
  IntArray sizes;
};
std::string to_text(By t) {
  std::string text;
  for (std::size_t i = 0; i < t.sizes.size(); ++i)
    text += (i ? "x" : "") + std::to_string(t.sizes[i]);
  return text;
}

std::int64_t divide_down(std::int64_t a, std::int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

// A pooling call with `dims` spatial dims; the result has the sizes `sizes`.
struct Pool {
  PoolShape shape{};
  Sizes sizes;
  std::int64_t dims;

  // Every dim but the batch is not empty.
  Pool(const Tensor& self, std::int64_t dims_, const char* op) : dims(dims_) {
    const std::int64_t rank = self.dim();
    check(rank == dims + 1 || rank == dims + 2, op, ": non-empty ", dims + 1, "D or ", dims + 2,
          "D (batch mode) tensor expected for input, got ", self);
    for (std::int64_t i = rank == dims + 2 ? 1 : 0; i < rank; ++i)
      check(self.size(i) > 0, op, ": Expected ", dims + 1, "D or ", dims + 2,
            "D (batch mode) tensor with optional 0 dim batch size for input, but got:", self.sizes());
    sizes = self.sizes().vec();
    sizes.resize(static_cast<std::size_t>(rank - dims));
    shape.planes = 1;
    for (const std::int64_t size : sizes)
      shape.planes *= size;
    for (int d = 0; d < 3; ++d) {
      const std::int64_t i = d - 3 + dims;
      shape.in[d] = i < 0 ? 1 : self.size(rank - dims + i);
      shape.out[d] = shape.kernel[d] = shape.stride[d] = shape.dilation[d] = 1;
      shape.padding[d] = 0;
    }
  }
  int place(std::int64_t dim) const { return static_cast<int>(3 - dims + dim); }

  void slide(IntArray kernel_, IntArray stride_, IntArray padding_, IntArray dilation_, bool ceil_mode,
             const char* op) {
    const Sizes kernel = per_dim(kernel_, dims, op, "kernel_size");
    const Sizes stride = stride_.empty() ? kernel : per_dim(stride_, dims, op, "stride");
    const Sizes padding = per_dim(padding_, dims, op, "padding"), dilation = per_dim(dilation_, dims, op, "dilation");
    Sizes in{sizes.back()}, out{sizes.back()};
    bool enough = true;
    for (std::int64_t i = 0; i < dims; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const int d = place(i);
      check(stride[at] != 0, op, ": stride should not be zero");
      check(kernel[at] > 0 && stride[at] > 0, op, ": kernel size and stride should be greater than zero, but got ",
            kernel[at], " and ", stride[at]);
      check(dilation[at] > 0, op, ": dilation should be greater than zero, but got dilation ", dilation[at]);
      check(padding[at] >= 0, op, ": pad must be non-negative, but got pad: ", padding[at]);
      check(padding[at] <= ((kernel[at] - 1) * dilation[at] + 1) / 2, op,
            ": pad should be at most half of effective kernel size, but got pad=", padding[at],
            ", kernel_size=", kernel[at], " and dilation=", dilation[at]);
      const std::int64_t room = shape.in[d] + 2 * padding[at] - dilation[at] * (kernel[at] - 1) - 1;
      std::int64_t count = divide_down(room + (ceil_mode ? stride[at] - 1 : 0), stride[at]) + 1;
      // The last window of ceil mode starts inside the input or the left border.
      if (ceil_mode && (count - 1) * stride[at] >= shape.in[d] + padding[at]) --count;
      shape.kernel[d] = kernel[at];
      shape.stride[d] = stride[at];
      shape.padding[d] = padding[at];
      shape.dilation[d] = dilation[at];
      shape.out[d] = count;
      in.push_back(shape.in[d]);
      out.push_back(count);
      enough = enough && count >= 1;
    }
    check(enough, op, ": Given input size: (", By{in}, "). Calculated output size: (", By{out},
          "). Output size is too small");
    finish();
  }
  void adapt(IntArray output, const char* op) {
    check(static_cast<std::int64_t>(output.size()) == dims, op, ": output_size must be ", dims);
    for (std::int64_t i = 0; i < dims; ++i) {
      check(output[static_cast<std::size_t>(i)] >= 0, op,
            ": elements of output_size must be greater than or equal to 0 but received ", output);
      shape.out[place(i)] = output[static_cast<std::size_t>(i)];
    }
    finish();
  }
  void finish() {
    for (std::int64_t i = 0; i < dims; ++i)
      sizes.push_back(shape.out[place(i)]);
  }
};

// Adaptive forms name the empty dimension.
void check_adaptive(const Tensor& self, std::int64_t dims, const char* op) {
  check(self.dim() == dims + 1 || self.dim() == dims + 2, op, "(): Expected ", dims + 1, "D or ", dims + 2,
        "D tensor, but got ", self.sizes());
  for (std::int64_t i = self.dim() == dims + 2 ? 1 : 0; i < self.dim(); ++i)
    check(self.size(i) > 0, op,
          "(): Expected input to have non-zero size for non-batch dimensions, but input has sizes ", self.sizes(),
          " with dimension ", i, " being empty");
}

// A result in the memory format of the input.
Tensor like_input(const Tensor& result, const Tensor& self) {
  if (self.is_contiguous()) return result;
  for (const MemoryFormat format : {MemoryFormat::kChannelsLast, MemoryFormat::kChannelsLast3d})
    if (self.dim() == (format == MemoryFormat::kChannelsLast ? 4 : 5) && self.is_contiguous(format))
      return result.contiguous(format);
  return result;
}

// Channels-last float32 images are pooled as they are.
bool in_images(const Tensor& self) {
  if (self.dtype() != Dtype::kFloat32 || self.is_contiguous() || self.numel() >= (std::int64_t{1} << 30)) return false;
  return (self.dim() == 4 && self.is_contiguous(MemoryFormat::kChannelsLast)) ||
         (self.dim() == 5 && self.is_contiguous(MemoryFormat::kChannelsLast3d));
}
Tensor new_image(const Pool& pool, const Tensor& self, Dtype type) {
  return empty(pool.sizes, TensorOptions(type).device(self.device()),
               self.dim() == 4 ? MemoryFormat::kChannelsLast : MemoryFormat::kChannelsLast3d);
}

Tensor new_result(const Pool& pool, const Tensor& self) {
  return empty_tensor(pool.sizes, self.dtype(), self.device());
}
Tensor new_indices(const Pool& pool, const Tensor& self) {
  return empty_tensor(pool.sizes, Dtype::kInt64, self.device());
}

std::tuple<Tensor, Tensor> max_pool(const Tensor& self, IntArray kernel_size, IntArray stride, IntArray padding,
                                    IntArray dilation, bool ceil_mode, std::int64_t dims, const char* op) {
  Pool pool(self, dims, op);
  pool.slide(kernel_size, stride, padding, dilation, ceil_mode, op);
  check_number(self, op);
  const NoGradGuard no_grad;
  if (self.dim() == dims + 2 && in_images(self)) {
    const Tensor result = new_image(pool, self, self.dtype()), indices = new_image(pool, self, Dtype::kInt64);
    pool.shape.channels = self.size(1);
    if (result.numel()) max_pool_kernel(self.device(), pool.shape, self, result, indices);
    return {result, indices};
  }
  const Tensor result = new_result(pool, self), indices = new_indices(pool, self);
  if (result.numel()) max_pool_kernel(self.device(), pool.shape, self.contiguous(), result, indices);
  return {like_input(result, self), like_input(indices, self)};
}

std::tuple<Tensor, Tensor> adaptive_max(const Tensor& self, IntArray output_size, std::int64_t dims, const char* op) {
  check_adaptive(self, dims, op);
  Pool pool(self, dims, op);
  pool.adapt(output_size, op);
  check_floating(self, op);
  const NoGradGuard no_grad;
  const Tensor result = new_result(pool, self), indices = new_indices(pool, self);
  if (result.numel()) adaptive_max_kernel(self.device(), pool.shape, self.contiguous(), result, indices);
  return {like_input(result, self), like_input(indices, self)};
}

std::int64_t planes_of(const Tensor& t, std::int64_t dims) {
  std::int64_t planes = 1;
  for (std::int64_t i = 0; i < t.dim() - dims; ++i)
    planes *= t.size(i);
  return planes;
}

// grad_output goes to the places of the maxima.
Tensor max_backward(const Tensor& grad_output, const Tensor& self, const Tensor& indices, std::int64_t dims) {
  check(grad_output.sizes() == indices.sizes(),
        "max_pool_backward: Expected shape of indices to be same as that of "
        "grad_output (",
        grad_output.sizes(), ") but got indices tensor with shape: ", indices.sizes());
  const NoGradGuard no_grad;
  const Tensor result = empty_tensor(self.sizes(), grad_output.dtype(), grad_output.device()).zero_();
  if (result.numel() && grad_output.numel())
    max_pool_backward_kernel(result.device(), grad_output.contiguous(), indices.contiguous(), result,
                             planes_of(self, dims));
  return like_input(result, self);
}

Tensor average(const Tensor& self, IntArray kernel_size, IntArray stride, IntArray padding, bool ceil_mode,
               bool count_include_pad, std::optional<std::int64_t> divisor, std::int64_t dims, const char* op) {
  check(!divisor || *divisor != 0, op, ": divisor must be not zero");
  Pool pool(self, dims, op);
  pool.slide(kernel_size, stride, padding, IntArray{1}, ceil_mode, op);
  check<NotImplementedError>(self.is_floating_point() || self.dtype() == Dtype::kInt64, "\"", op,
                             "\" not implemented for '", scalar_type_name(self.dtype()), "'");
  const NoGradGuard no_grad;
  if (self.dim() == dims + 2 && in_images(self)) {
    const Tensor result = new_image(pool, self, self.dtype());
    pool.shape.channels = self.size(1);
    if (result.numel())
      average_pool_kernel(self.device(), pool.shape, self, result, count_include_pad, divisor.value_or(0));
    return result;
  }
  const Tensor result = new_result(pool, self);
  if (result.numel())
    average_pool_kernel(self.device(), pool.shape, self.contiguous(), result, count_include_pad, divisor.value_or(0));
  return like_input(result, self);
}

Tensor average_backward(const Tensor& grad_output, const Tensor& self, IntArray kernel_size, IntArray stride,
                        IntArray padding, bool ceil_mode, bool count_include_pad, std::optional<std::int64_t> divisor,
                        std::int64_t dims, const char* op) {
  Pool pool(self, dims, op);
  pool.slide(kernel_size, stride, padding, IntArray{1}, ceil_mode, op);
  const NoGradGuard no_grad;
  const Tensor result = empty_tensor(self.sizes(), grad_output.dtype(), grad_output.device());
  if (result.numel())
    average_pool_backward_kernel(result.device(), pool.shape, grad_output.contiguous(), result, count_include_pad,
                                 divisor.value_or(0));
  return like_input(result, self);
}

Tensor adaptive_average(const Tensor& self, IntArray output_size, std::int64_t dims, const char* op) {
  check_adaptive(self, dims, op);
  Pool pool(self, dims, op);
  pool.adapt(output_size, op);
  check_floating(self, op);
  const NoGradGuard no_grad;
  const Tensor result = new_result(pool, self);
  if (result.numel()) adaptive_average_kernel(self.device(), pool.shape, self.contiguous(), result);
  return like_input(result, self);
}

Tensor adaptive_average_backward(const Tensor& grad_output, const Tensor& self, std::int64_t dims, const char* op) {
  Pool pool(self, dims, op);
  pool.adapt(grad_output.sizes().subspan(static_cast<std::size_t>(grad_output.dim() - dims)), op);
  const NoGradGuard no_grad;
  const Tensor result = empty_tensor(self.sizes(), grad_output.dtype(), grad_output.device());
  if (grad_output.numel() == 0)
    result.zero_();
  else if (result.numel())
    adaptive_average_backward_kernel(result.device(), pool.shape, grad_output.contiguous(), result);
  return like_input(result, self);
}

std::tuple<Tensor, Tensor> fractional(const Tensor& self, IntArray kernel_size, IntArray output_size,
                                      const Tensor& random_samples, std::int64_t dims, const char* op) {
  check(static_cast<std::int64_t>(kernel_size.size()) == dims, op,
        ": kernel_size must either be a single Int or tuple of Ints");
  check(static_cast<std::int64_t>(output_size.size()) == dims, op,
        ": output_size must either be a single Int or tuple of Ints");
  check(self.dim() == dims + 1 || self.dim() == dims + 2, op, "(): Expected ", dims + 1, "D or ", dims + 2,
        "D tensor, but got: ", self.sizes());
  check_adaptive(self, dims, op);
  check_floating(self, op);
  Pool pool(self, dims, op);
  pool.adapt(output_size, op);
  for (std::int64_t i = 0; i < dims; ++i) {
    const int d = pool.place(i);
    pool.shape.kernel[d] = kernel_size[static_cast<std::size_t>(i)];
    check(pool.shape.out[d] + pool.shape.kernel[d] - 1 <= pool.shape.in[d], op, "(): pool size ", pool.shape.kernel[d],
          " too large relative to input size ", pool.shape.in[d]);
  }
  check(self.dtype() == random_samples.dtype(), op, ": Expect _random_samples to have the same dtype as input, got ",
        random_samples);
  check(random_samples.dim() == 3, op, ": Expect _random_samples to have 3 dimensions, got ", random_samples.dim());
  const std::int64_t batch = self.dim() == dims + 2 ? self.size(0) : 1, channels = self.size(-dims - 1);
  check(random_samples.size(0) >= batch, op, ": Expect _random_samples.size(0) no less then input batch size.");
  check(random_samples.size(1) == channels, op, ": Expect _random_samples.size(1) equals to input channel size.");
  check(random_samples.size(2) == dims, op, ": Expect _random_samples.size(2) equals to ", dims, "; got ",
        random_samples.size(2), ".");
  const NoGradGuard no_grad;
  const Tensor result = new_result(pool, self), indices = new_indices(pool, self);
  if (result.numel())
    fractional_max_kernel(self.device(), pool.shape, self.contiguous(), random_samples.contiguous(), result, indices);
  return {result, indices};
}

Tensor unpool(const Tensor& self, const Tensor& indices, IntArray output_size, std::int64_t dims, const char* op) {
  check(indices.dtype() == Dtype::kInt64, op,
        ": elements in indices should be type int64 but got: ", scalar_type_name(indices.dtype()));
  check(static_cast<std::int64_t>(output_size.size()) == dims, op, ": There should be exactly ",
        dims == 2 ? "two elements (height, width)" : "three elements (depth, height, width)",
        " in output_size, but got ", output_size.size(), " elements.");
  check(self.dim() == dims + 1 || self.dim() == dims + 2, op, ": Input to max_unpooling should be a ", dims + 1,
        "d or ", dims + 2, "d Tensor, but got: ", self);
  check(self.sizes() == indices.sizes(), op, ": Expected shape of indices to be same as that of the input tensor (",
        self.sizes(), ") but got indices tensor with shape: ", indices.sizes());
  // Where several elements name one position the last wins; so does its tangent, which the
  // transposed gradient would add up.
  if (tangent_of(self).defined()) {
    const auto [primal, tangent] = forward_ad::unpack_dual(self);
    return forward_ad::make_dual(unpool(primal, indices, output_size, dims, op),
                                 unpool(tangent, indices, output_size, dims, op));
  }
  for (std::int64_t i = 1; i < self.dim(); ++i)
    check(self.size(i) > 0, op, "(): Expected input to have non-zero size for non-batch dimensions, but got ",
          self.sizes(), " with dimension ", i, " being empty.");
  Sizes sizes = self.sizes().vec();
  sizes.resize(static_cast<std::size_t>(self.dim() - dims));
  Sizes flat = sizes;
  std::int64_t volume = 1;
  for (const std::int64_t size : output_size)
    volume *= size;
  flat.push_back(volume);
  sizes.insert(sizes.end(), output_size.begin(), output_size.end());
  if (indices.numel() && !indices.is_meta()) {
    const NoGradGuard no_grad;
    const std::int64_t low = indices.min().item<std::int64_t>(), high = indices.max().item<std::int64_t>();
    check(low >= 0 && high < volume, op, ": Found an invalid max index: ", low < 0 ? low : high,
          " (output volumes are of size ", By{output_size}, ")");
  }
  return like_input(
      zeros(flat, self.options()).scatter(-1, indices.flatten(-dims, -1), self.flatten(-dims, -1)).view(sizes), self);
}

}  // namespace

namespace ops {

std::tuple<Tensor, Tensor> max_pool2d_with_indices(const Tensor& self, IntArray kernel_size, IntArray stride,
                                                   IntArray padding, IntArray dilation, bool ceil_mode) {
  return max_pool(self, kernel_size, stride, padding, dilation, ceil_mode, 2, "max_pool2d");
}
std::tuple<Tensor, Tensor> max_pool3d_with_indices(const Tensor& self, IntArray kernel_size, IntArray stride,
                                                   IntArray padding, IntArray dilation, bool ceil_mode) {
  return max_pool(self, kernel_size, stride, padding, dilation, ceil_mode, 3, "max_pool3d");
}
Tensor max_pool2d_with_indices_backward(const Tensor& grad_output, const Tensor& self, IntArray, IntArray, IntArray,
                                        IntArray, bool, const Tensor& indices) {
  return max_backward(grad_output, self, indices, 2);
}
Tensor max_pool3d_with_indices_backward(const Tensor& grad_output, const Tensor& self, IntArray, IntArray, IntArray,
                                        IntArray, bool, const Tensor& indices) {
  return max_backward(grad_output, self, indices, 3);
}
std::tuple<Tensor, Tensor> adaptive_max_pool2d(const Tensor& self, IntArray output_size) {
  return adaptive_max(self, output_size, 2, "adaptive_max_pool2d");
}
std::tuple<Tensor, Tensor> adaptive_max_pool3d(const Tensor& self, IntArray output_size) {
  return adaptive_max(self, output_size, 3, "adaptive_max_pool3d");
}
Tensor adaptive_max_pool2d_backward(const Tensor& grad_output, const Tensor& self, const Tensor& indices) {
  return max_backward(grad_output, self, indices, 2);
}
Tensor adaptive_max_pool3d_backward(const Tensor& grad_output, const Tensor& self, const Tensor& indices) {
  return max_backward(grad_output, self, indices, 3);
}
std::tuple<Tensor, Tensor> fractional_max_pool2d(const Tensor& self, IntArray kernel_size, IntArray output_size,
                                                 const Tensor& random_samples) {
  return fractional(self, kernel_size, output_size, random_samples, 2, "fractional_max_pool2d");
}
std::tuple<Tensor, Tensor> fractional_max_pool3d(const Tensor& self, IntArray kernel_size, IntArray output_size,
                                                 const Tensor& random_samples) {
  return fractional(self, kernel_size, output_size, random_samples, 3, "fractional_max_pool3d");
}

Tensor avg_pool2d(const Tensor& self, IntArray kernel_size, IntArray stride, IntArray padding, bool ceil_mode,
                  bool count_include_pad, std::optional<std::int64_t> divisor_override) {
  return average(self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override, 2, "avg_pool2d");
}
Tensor avg_pool3d(const Tensor& self, IntArray kernel_size, IntArray stride, IntArray padding, bool ceil_mode,
                  bool count_include_pad, std::optional<std::int64_t> divisor_override) {
  return average(self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override, 3, "avg_pool3d");
}
Tensor avg_pool2d_backward(const Tensor& grad_output, const Tensor& self, IntArray kernel_size, IntArray stride,
                           IntArray padding, bool ceil_mode, bool count_include_pad,
                           std::optional<std::int64_t> divisor_override) {
  return average_backward(grad_output, self, kernel_size, stride, padding, ceil_mode, count_include_pad,
                          divisor_override, 2, "avg_pool2d_backward");
}
Tensor avg_pool3d_backward(const Tensor& grad_output, const Tensor& self, IntArray kernel_size, IntArray stride,
                           IntArray padding, bool ceil_mode, bool count_include_pad,
                           std::optional<std::int64_t> divisor_override) {
  return average_backward(grad_output, self, kernel_size, stride, padding, ceil_mode, count_include_pad,
                          divisor_override, 3, "avg_pool3d_backward");
}
Tensor _adaptive_avg_pool2d(const Tensor& self, IntArray output_size) {
  return adaptive_average(self, output_size, 2, "adaptive_avg_pool2d");
}
Tensor _adaptive_avg_pool3d(const Tensor& self, IntArray output_size) {
  return adaptive_average(self, output_size, 3, "adaptive_avg_pool3d");
}
Tensor _adaptive_avg_pool2d_backward(const Tensor& grad_output, const Tensor& self) {
  return adaptive_average_backward(grad_output, self, 2, "adaptive_avg_pool2d_backward");
}
Tensor _adaptive_avg_pool3d_backward(const Tensor& grad_output, const Tensor& self) {
  return adaptive_average_backward(grad_output, self, 3, "adaptive_avg_pool3d_backward");
}

}  // namespace ops

namespace {

void check_1d(const Tensor& self, const char* op) {
  check(self.dim() == 2 || self.dim() == 3, "Expected 2 to 3 dimensions, but got ", self.dim(),
        "-dimensional tensor for argument #1 'self' (while checking arguments for ", op, ")");
}
Sizes one_and(IntArray list, std::int64_t first, const char* op, const char* what) {
  check(list.size() == 1, op, "() argument '", what, "' should contain one int (got ", list.size(), ")");
  return {first, list[0]};
}

}  // namespace

namespace {

// Without gradients the positions of maxima are not needed.
bool positions_unused(const Tensor& self) {
  const Word word = thread.modes | self.word();
  return !(word & (kInterposed | kComposed)) && !may_need_grad(word) && self.dtype() == Dtype::kFloat32 &&
         self.is_contiguous() && self.numel() < (std::int64_t{1} << 30);
}
Tensor max_values(const Tensor& self, IntArray kernel_size, IntArray stride, IntArray padding, IntArray dilation,
                  bool ceil_mode, std::int64_t dims, const char* op) {
  Pool pool(self, dims, op);
  pool.slide(kernel_size, stride, padding, dilation, ceil_mode, op);
  const Tensor result = new_result(pool, self);
  if (result.numel()) max_pool_kernel(self.device(), pool.shape, self, result, TensorBase());
  return result;
}

}  // namespace

std::tuple<Tensor, Tensor> max_pool1d_with_indices(const Tensor& self, IntArray kernel_size, IntArray stride,
                                                   IntArray padding, IntArray dilation, bool ceil_mode) {
  check_1d(self, "max_pool1d");
  const Sizes k = one_and(kernel_size, 1, "max_pool1d", "kernel_size");
  const Sizes s = stride.empty() ? k : one_and(stride, 1, "max_pool1d", "stride");
  const auto [values, indices] =
      max_pool2d_with_indices(self.unsqueeze(-2), k, s, one_and(padding, 0, "max_pool1d", "padding"),
                              one_and(dilation, 1, "max_pool1d", "dilation"), ceil_mode);
  return {values.squeeze(-2), indices.squeeze(-2)};
}

Tensor max_pool1d(const Tensor& self, IntArray kernel_size, IntArray stride, IntArray padding, IntArray dilation,
                  bool ceil_mode) {
  check(self.dim() == 2 || self.dim() == 3,
        "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch "
        "size for input, but got:",
        self.sizes());
  const auto one = [](IntArray list, std::int64_t otherwise) { return list.empty() ? otherwise : list[0]; };
  const std::int64_t k = one(kernel_size, 0), s = one(stride, k), p = one(padding, 0), d = one(dilation, 1);
  check(k > 0, "max_pool1d() kernel_size must be greater than zero, but got ", k);
  check(s > 0, "max_pool1d() stride must be greater than zero, but got ", s);
  check(p >= 0, "max_pool1d() padding must be non-negative, but got ", p);
  check(p <= k / 2, "max_pool1d() padding should be at most half of kernel size, but got padding=", p,
        " and kernel_size=", k);
  check(d > 0, "max_pool1d() dilation must be greater than zero, but got ", d);
  std::int64_t out = divide_down(self.size(-1) + 2 * p - d * (k - 1) - 1 + (ceil_mode ? s - 1 : 0), s) + 1;
  if (ceil_mode && (out - 1) * s >= self.size(-1) + p) --out;
  check(out > 0, "max_pool1d() Invalid computed output size: ", out);
  check<NotImplementedError>(self.is_floating_point(), "\"max_pool1d_impl\" not implemented for '",
                             scalar_type_name(self.dtype()), "'");
  if (!positions_unused(self))
    return std::get<0>(max_pool1d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode));
  return max_values(self.unsqueeze(-2), Sizes{1, k}, Sizes{1, s}, Sizes{0, p}, Sizes{1, d}, ceil_mode, 2, "max_pool1d")
      .squeeze(-2);
}
Tensor max_pool2d(const Tensor& self, IntArray kernel_size, IntArray stride, IntArray padding, IntArray dilation,
                  bool ceil_mode) {
  if (positions_unused(self))
    return max_values(self, kernel_size, stride, padding, dilation, ceil_mode, 2, "max_pool2d");
  return std::get<0>(max_pool2d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode));
}
Tensor uncast_max_pool3d(const Tensor& self, IntArray kernel_size, IntArray stride, IntArray padding, IntArray dilation,
                         bool ceil_mode) {
  if (positions_unused(self))
    return max_values(self, kernel_size, stride, padding, dilation, ceil_mode, 3, "max_pool3d");
  return std::get<0>(max_pool3d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode));
}

Tensor avg_pool1d(const Tensor& self, IntArray kernel_size, IntArray stride, IntArray padding, bool ceil_mode,
                  bool count_include_pad) {
  check_1d(self, "avg_pool1d");
  const Sizes k = one_and(kernel_size, 1, "avg_pool1d", "kernel_size");
  const Sizes s = stride.empty() ? k : one_and(stride, 1, "avg_pool1d", "stride");
  return avg_pool2d(self.unsqueeze(-2), k, s, one_and(padding, 0, "avg_pool1d", "padding"), ceil_mode,
                    count_include_pad)
      .squeeze(-2);
}
Tensor adaptive_avg_pool1d(const Tensor& self, IntArray output_size) {
  check_1d(self, "adaptive_avg_pool1d");
  return adaptive_avg_pool2d(self.unsqueeze(-2), one_and(output_size, 1, "adaptive_avg_pool1d", "output_size"))
      .squeeze(-2);
}
std::tuple<Tensor, Tensor> adaptive_max_pool1d(const Tensor& self, IntArray output_size) {
  check_1d(self, "adaptive_max_pool1d");
  const auto [values, indices] =
      adaptive_max_pool2d(self.unsqueeze(-2), one_and(output_size, 1, "adaptive_max_pool1d", "output_size"));
  return {values.squeeze(-2), indices.squeeze(-2)};
}
// A single window is a mean, which is much faster.
Tensor adaptive_avg_pool2d(const Tensor& self, IntArray output_size) {
  const bool one = output_size.size() == 2 && output_size[0] == 1 && output_size[1] == 1;
  if (one && self.is_floating_point() && (self.dim() == 3 || self.dim() == 4) && self.numel() > 0)
    return self.mean(IntArray{-1, -2}, true);
  return _adaptive_avg_pool2d(self, output_size);
}
Tensor uncast_adaptive_avg_pool3d(const Tensor& self, IntArray output_size) {
  const bool one = output_size.size() == 3 && output_size[0] == 1 && output_size[1] == 1 && output_size[2] == 1;
  if (one && self.is_floating_point() && (self.dim() == 4 || self.dim() == 5) && self.numel() > 0)
    return self.mean(IntArray{-1, -2, -3}, true);
  return _adaptive_avg_pool3d(self, output_size);
}

Tensor uncast_max_unpool2d(const Tensor& self, const Tensor& indices, IntArray output_size) {
  const ShownAs shown("MaxUnpool2DBackward0");
  return shown(unpool(self, indices, output_size, 2, "max_unpool2d"));
}
Tensor uncast_max_unpool3d(const Tensor& self, const Tensor& indices, IntArray output_size, IntArray stride,
                           IntArray padding) {
  const ShownAs shown("MaxUnpool3DBackward0");
  check(stride.size() == 3,
        "max_unpool3d: There should be exactly three elements (depth, height, width) in stride, but "
        "got: ",
        stride.size(), " elements.");
  check(padding.size() == 3,
        "max_unpool3d: There should be exactly three elements (depth, height, width) in padding, but "
        "got: ",
        padding.size(), " elements.");
  check(std::all_of(stride.begin(), stride.end(), [](std::int64_t s) { return s > 0; }),
        "max_unpool3d: strides should be greater than zero, but got stride: ", stride);
  return shown(unpool(self, indices, output_size, 3, "max_unpool3d"));
}

}  // namespace rushlight
