// Generated from catalogue/ by codegen/generate.py; do not edit.
#pragma once
#include <limits>

#include "rushlight/tensor.h"

namespace rushlight {

// Replaces negative elements by zero.
Tensor relu(const Tensor& self);
const Tensor& relu_(const Tensor& self);
// Limits each element to the range from 0 to 6.
Tensor relu6(const Tensor& self);
const Tensor& relu6_(const Tensor& self);
// Multiplies negative elements by a learned slope per channel.
Tensor prelu(const Tensor& self, const Tensor& weight);
// Gaussian error linear unit, exact or by 'tanh'.
Tensor gelu(const Tensor& self, std::string_view approximate = "none");
const Tensor& gelu_(const Tensor& self, std::string_view approximate = "none");
const Tensor& gelu_out(const Tensor& out, const Tensor& self, std::string_view approximate = "none");
// Zero inside [-lambd, lambd], the element outside.
Tensor hardshrink(const Tensor& self, const Scalar& lambd = 0.5);
const Tensor& hardshrink_out(const Tensor& out, const Tensor& self, const Scalar& lambd = 0.5);
// Scaled exponential linear unit.
Tensor selu(const Tensor& self);
const Tensor& selu_(const Tensor& self);
// Continuously differentiable exponential linear unit.
Tensor celu(const Tensor& self, const Scalar& alpha = 1.0);
const Tensor& celu_(const Tensor& self, const Scalar& alpha = 1.0);
// x sigmoid(x).
Tensor silu(const Tensor& self);
const Tensor& silu_(const Tensor& self);
const Tensor& silu_out(const Tensor& out, const Tensor& self);
// x tanh(softplus(x)).
Tensor mish(const Tensor& self);
const Tensor& mish_(const Tensor& self);
const Tensor& mish_out(const Tensor& out, const Tensor& self);
// x / (1 + |x|), of a real number.
Tensor softsign(const Tensor& self);
// 1 / (1 + exp(-x)).
Tensor sigmoid(const Tensor& self);
const Tensor& sigmoid_(const Tensor& self);
const Tensor& sigmoid_out(const Tensor& out, const Tensor& self);
// Inverse of `sigmoid`; `eps` keeps elements away from 0 and 1.
Tensor logit(const Tensor& self, std::optional<double> eps = {});
const Tensor& logit_(const Tensor& self, std::optional<double> eps = {});
const Tensor& logit_out(const Tensor& out, const Tensor& self, std::optional<double> eps = {});
// Replaces elements not above `threshold` by `value`.
Tensor threshold(const Tensor& self, const Scalar& threshold, const Scalar& value);
const Tensor& threshold_(const Tensor& self, const Scalar& threshold, const Scalar& value);
const Tensor& threshold_out(const Tensor& out, const Tensor& self, const Scalar& threshold, const Scalar& value);
// Exponential linear unit.
Tensor elu(const Tensor& self, const Scalar& alpha = 1, const Scalar& scale = 1, const Scalar& input_scale = 1);
const Tensor& elu_(const Tensor& self, const Scalar& alpha = 1, const Scalar& scale = 1, const Scalar& input_scale = 1);
const Tensor& elu_out(const Tensor& out, const Tensor& self, const Scalar& alpha = 1, const Scalar& scale = 1, const Scalar& input_scale = 1);
// First half along `dim`, gated by the sigmoid of the second.
Tensor glu(const Tensor& self, std::int64_t dim = -1);
const Tensor& glu_out(const Tensor& out, const Tensor& self, std::int64_t dim = -1);
// Piecewise linear sigmoid.
Tensor hardsigmoid(const Tensor& self);
const Tensor& hardsigmoid_(const Tensor& self);
const Tensor& hardsigmoid_out(const Tensor& out, const Tensor& self);
// Limits each element to the range from `min_val` to `max_val`.
Tensor hardtanh(const Tensor& self, const Scalar& min_val = -1, const Scalar& max_val = 1);
const Tensor& hardtanh_(const Tensor& self, const Scalar& min_val = -1, const Scalar& max_val = 1);
const Tensor& hardtanh_out(const Tensor& out, const Tensor& self, const Scalar& min_val = -1, const Scalar& max_val = 1);
// x relu6(x + 3) / 6.
Tensor hardswish(const Tensor& self);
const Tensor& hardswish_(const Tensor& self);
const Tensor& hardswish_out(const Tensor& out, const Tensor& self);
// Multiplies negative elements by `negative_slope`.
Tensor leaky_relu(const Tensor& self, const Scalar& negative_slope = 0.01);
const Tensor& leaky_relu_(const Tensor& self, const Scalar& negative_slope = 0.01);
const Tensor& leaky_relu_out(const Tensor& out, const Tensor& self, const Scalar& negative_slope = 0.01);
// Logarithm of the sigmoid.
Tensor log_sigmoid(const Tensor& self);
const Tensor& log_sigmoid_out(const Tensor& out, const Tensor& self);
// log(1 + exp(beta x)) / beta; linear above `threshold`.
Tensor softplus(const Tensor& self, const Scalar& beta = 1, const Scalar& threshold = 20);
const Tensor& softplus_out(const Tensor& out, const Tensor& self, const Scalar& beta = 1, const Scalar& threshold = 20);
// Shrinks towards zero by `lambd`.
Tensor softshrink(const Tensor& self, const Scalar& lambd = 0.5);
const Tensor& softshrink_out(const Tensor& out, const Tensor& self, const Scalar& lambd = 0.5);
// Multiplies negative elements by those of `weight`.
Tensor _prelu_kernel(const Tensor& self, const Tensor& weight);
// The gradient of `_prelu_kernel` for its input.
Tensor _prelu_backward(const Tensor& grad_output, const Tensor& self, const Tensor& weight);
// The gradient of `threshold`.
Tensor threshold_backward(const Tensor& grad_output, const Tensor& self, const Scalar& threshold);
// The gradient of `gelu`.
Tensor gelu_backward(const Tensor& grad_output, const Tensor& self, std::string_view approximate = "none");
// The gradient of `hardshrink`.
Tensor hardshrink_backward(const Tensor& grad_out, const Tensor& self, const Scalar& lambd);
// The gradient of `softshrink`.
Tensor softshrink_backward(const Tensor& grad_output, const Tensor& self, const Scalar& lambd);
// The gradient of `silu`.
Tensor silu_backward(const Tensor& grad_output, const Tensor& self);
// The gradient of `mish`.
Tensor mish_backward(const Tensor& grad_output, const Tensor& self);
// The gradient of `sigmoid`, from its output.
Tensor sigmoid_backward(const Tensor& grad_output, const Tensor& output);
// The gradient of `logit`.
Tensor logit_backward(const Tensor& grad_output, const Tensor& self, std::optional<double> eps = {});
// The gradient of `elu`, from its input or its result.
Tensor elu_backward(const Tensor& grad_output, const Scalar& alpha, const Scalar& scale, const Scalar& input_scale, bool is_result, const Tensor& self_or_result);
// The gradient of `hardsigmoid`.
Tensor hardsigmoid_backward(const Tensor& grad_output, const Tensor& self);
// The gradient of `hardtanh`.
Tensor hardtanh_backward(const Tensor& grad_output, const Tensor& self, const Scalar& min_val, const Scalar& max_val);
// The gradient of `hardswish`.
Tensor hardswish_backward(const Tensor& grad_output, const Tensor& self);
// The gradient of `leaky_relu`.
Tensor leaky_relu_backward(const Tensor& grad_output, const Tensor& self, const Scalar& negative_slope, bool self_is_result);
// The gradient of `log_sigmoid`.
Tensor log_sigmoid_backward(const Tensor& grad_output, const Tensor& self);
// The gradient of `softplus`.
Tensor softplus_backward(const Tensor& grad_output, const Tensor& self, const Scalar& beta, const Scalar& threshold);
// Multiplies gradients by `inv_scale`; `found_inf` becomes 1 where one of them is not finite.
void _amp_foreach_non_finite_check_and_unscale_(TensorList self, const Tensor& found_inf, const Tensor& inv_scale);
// Shrinks a scale where `found_inf` is not zero; grows it after `growth_interval` calls without.
const Tensor& _amp_update_scale_(const Tensor& self, const Tensor& growth_tracker, const Tensor& found_inf, double scale_growth_factor, double scale_backoff_factor, std::int64_t growth_interval);
// Throws where the one element is zero.
void _assert_async(const Tensor& self);
// Throws `assert_msg` where the one element is zero.
void _assert_async(const Tensor& self, std::string_view assert_msg);
// Throws `assert_msg` where a number is zero.
void _assert_scalar(const Scalar& self, std::string_view assert_msg);
// Throws where a number lies outside of a range.
void sym_constrain_range(const Scalar& size, std::optional<std::int64_t> min = {}, std::optional<std::int64_t> max = {});
// Throws where a number, as the size of a tensor, lies outside of a range.
void sym_constrain_range_for_size(const Scalar& size, std::optional<std::int64_t> min = {}, std::optional<std::int64_t> max = {});
// Convolution, or its transpose, over the dimensions after batch and channels.
Tensor convolution(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, IntArray stride, IntArray padding, IntArray dilation, bool transposed, IntArray output_padding, std::int64_t groups);
// Convolution in one dimension.
Tensor conv1d(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias = {}, IntArray stride = IntArray{1}, IntArray padding = IntArray{0}, IntArray dilation = IntArray{1}, std::int64_t groups = 1);
// Convolution in two dimensions.
Tensor conv2d(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias = {}, IntArray stride = IntArray{1}, IntArray padding = IntArray{0}, IntArray dilation = IntArray{1}, std::int64_t groups = 1);
// Convolution in three dimensions.
Tensor conv3d(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias = {}, IntArray stride = IntArray{1}, IntArray padding = IntArray{0}, IntArray dilation = IntArray{1}, std::int64_t groups = 1);
// Convolution with padding "valid" (none) or "same" (as many outputs as inputs).
Tensor conv1d(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias = {}, IntArray stride = IntArray{1}, std::string_view padding = "valid", IntArray dilation = IntArray{1}, std::int64_t groups = 1);
// Convolution with padding "valid" (none) or "same" (as many outputs as inputs).
Tensor conv2d(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias = {}, IntArray stride = IntArray{1}, std::string_view padding = "valid", IntArray dilation = IntArray{1}, std::int64_t groups = 1);
// Convolution with padding "valid" (none) or "same" (as many outputs as inputs).
Tensor conv3d(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias = {}, IntArray stride = IntArray{1}, std::string_view padding = "valid", IntArray dilation = IntArray{1}, std::int64_t groups = 1);
// One-dimensional convolution of (time, batch, channels).
Tensor conv_tbc(const Tensor& self, const Tensor& weight, const Tensor& bias, std::int64_t pad = 0);
// Transposed convolution in one dimension.
Tensor conv_transpose1d(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias = {}, IntArray stride = IntArray{1}, IntArray padding = IntArray{0}, IntArray output_padding = IntArray{0}, std::int64_t groups = 1, IntArray dilation = IntArray{1});
// Transposed convolution in two dimensions.
Tensor conv_transpose2d(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias = {}, IntArray stride = IntArray{1}, IntArray padding = IntArray{0}, IntArray output_padding = IntArray{0}, std::int64_t groups = 1, IntArray dilation = IntArray{1});
// Transposed convolution in three dimensions.
Tensor conv_transpose3d(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias = {}, IntArray stride = IntArray{1}, IntArray padding = IntArray{0}, IntArray output_padding = IntArray{0}, std::int64_t groups = 1, IntArray dilation = IntArray{1});
// softmax(query @ key.mT * scale + mask) @ value, without the score matrix where it can.
Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value, const std::optional<Tensor>& attn_mask = {}, double dropout_p = 0.0, bool is_causal = false, std::optional<double> scale = {}, bool enable_gqa = false);
// Gradients of input, weight and bias of a convolution, where `output_mask` asks for them.
std::tuple<Tensor, Tensor, Tensor> convolution_backward(const Tensor& grad_output, const Tensor& input, const Tensor& weight, OptionalIntArray bias_sizes, IntArray stride, IntArray padding, IntArray dilation, bool transposed, IntArray output_padding, std::int64_t groups, std::span<const bool> output_mask);
// Attention without the score matrix, float32; also the log-sum-exp of each query's scores.
std::tuple<Tensor, Tensor> _scaled_dot_product_flash_attention_for_cpu(const Tensor& query, const Tensor& key, const Tensor& value, double dropout_p = 0.0, bool is_causal = false, const std::optional<Tensor>& attn_mask = {}, std::optional<double> scale = {});
// Attention by products and softmax; also the probabilities.
std::tuple<Tensor, Tensor> _scaled_dot_product_attention_math(const Tensor& query, const Tensor& key, const Tensor& value, const std::optional<Tensor>& attn_mask = {}, double dropout_p = 0.0, bool is_causal = false, const std::optional<Tensor>& dropout_mask = {}, std::optional<double> scale = {}, bool enable_gqa = false);
// The tensor in another dtype; itself where nothing changes, unless `copy`.
Tensor to(const Tensor& self, Dtype dtype, bool non_blocking = false, bool copy = false, std::optional<MemoryFormat> memory_format = {});
// The tensor on another device and in another dtype; itself where nothing changes, unless `copy`.
Tensor to(const Tensor& self, Device device, Dtype dtype, bool non_blocking = false, bool copy = false, std::optional<MemoryFormat> memory_format = {});
// The tensor with the dtype and device of `other`; itself where nothing changes, unless `copy`.
Tensor to(const Tensor& self, const Tensor& other, bool non_blocking = false, bool copy = false, std::optional<MemoryFormat> memory_format = {});
// The tensor with the given options; itself where nothing changes, unless `copy`.
Tensor to(const Tensor& self, const TensorOptions& options = {}, bool non_blocking = false, bool copy = false, std::optional<MemoryFormat> memory_format = {});
// The tensor as uint8.
Tensor _cast_Byte(const Tensor& self, bool non_blocking = false);
// The tensor as int8.
Tensor _cast_Char(const Tensor& self, bool non_blocking = false);
// The tensor as float64.
Tensor _cast_Double(const Tensor& self, bool non_blocking = false);
// The tensor as float32.
Tensor _cast_Float(const Tensor& self, bool non_blocking = false);
// The tensor as float16.
Tensor _cast_Half(const Tensor& self, bool non_blocking = false);
// The tensor as int32.
Tensor _cast_Int(const Tensor& self, bool non_blocking = false);
// The tensor as int64.
Tensor _cast_Long(const Tensor& self, bool non_blocking = false);
// The tensor as int16.
Tensor _cast_Short(const Tensor& self, bool non_blocking = false);
// Numbers from 0 up to `end`, without it.
Tensor arange(const Scalar& end, const TensorOptions& options = {});
const Tensor& arange_out(const Tensor& out, const Scalar& end, const TensorOptions& options = {});
// Numbers from `start` up to `end`, without it.
Tensor arange(const Scalar& start, const Scalar& end, const TensorOptions& options = {});
const Tensor& arange_out(const Tensor& out, const Scalar& start, const Scalar& end, const TensorOptions& options = {});
// Numbers from `start` towards `end` in steps of `step`, without `end`.
Tensor arange(const Scalar& start, const Scalar& end, const Scalar& step = 1, const TensorOptions& options = {});
const Tensor& arange_out(const Tensor& out, const Scalar& start, const Scalar& end, const Scalar& step = 1, const TensorOptions& options = {});
// A triangular window.
Tensor bartlett_window(std::int64_t window_length, const TensorOptions& options = {});
// A triangular window.
Tensor bartlett_window(std::int64_t window_length, bool periodic, const TensorOptions& options = {});
// A Blackman window.
Tensor blackman_window(std::int64_t window_length, const TensorOptions& options = {});
// A Blackman window.
Tensor blackman_window(std::int64_t window_length, bool periodic, const TensorOptions& options = {});
// A tensor whose elements are not set.
Tensor empty(IntArray size, const TensorOptions& options = {}, std::optional<MemoryFormat> memory_format = {});
const Tensor& empty_out(const Tensor& out, IntArray size, const TensorOptions& options = {}, std::optional<MemoryFormat> memory_format = {});
// A tensor whose elements are not set, with its dimensions in the given order of memory.
Tensor empty_permuted(IntArray size, IntArray physical_layout, const TensorOptions& options = {});
// A tensor whose elements are not set, with the dtype and device of `self`.
Tensor new_empty(const Tensor& self, IntArray size, const TensorOptions& options = {});
// A tensor with the given strides whose elements are not set, with the dtype and device of `self`.
Tensor new_empty_strided(const Tensor& self, IntArray size, IntArray stride, const TensorOptions& options = {});
// A tensor filled with one value, with the dtype and device of `self`.
Tensor new_full(const Tensor& self, IntArray size, const Scalar& fill_value, const TensorOptions& options = {});
// A tensor of zeros, with the dtype and device of `self`.
Tensor new_zeros(const Tensor& self, IntArray size, const TensorOptions& options = {});
// A tensor of ones, with the dtype and device of `self`.
Tensor new_ones(const Tensor& self, IntArray size, const TensorOptions& options = {});
// A tensor of the shape of `self` whose elements are not set.
Tensor empty_like(const Tensor& self, const TensorOptions& options = {}, std::optional<MemoryFormat> memory_format = {});
// A tensor with the given strides whose elements are not set.
Tensor empty_strided(IntArray size, IntArray stride, const TensorOptions& options = {});
// The identity matrix.
Tensor eye(std::int64_t n, const TensorOptions& options = {});
const Tensor& eye_out(const Tensor& out, std::int64_t n, const TensorOptions& options = {});
// Ones on the diagonal of a matrix of zeros.
Tensor eye(std::int64_t n, std::int64_t m, const TensorOptions& options = {});
const Tensor& eye_out(const Tensor& out, std::int64_t n, std::int64_t m, const TensorOptions& options = {});
// A tensor filled with one value; its dtype follows the value.
Tensor full(IntArray size, const Scalar& fill_value, const TensorOptions& options = {});
const Tensor& full_out(const Tensor& out, IntArray size, const Scalar& fill_value, const TensorOptions& options = {});
// A tensor of the shape of `self` filled with one value.
Tensor full_like(const Tensor& self, const Scalar& fill_value, const TensorOptions& options = {}, std::optional<MemoryFormat> memory_format = {});
// A Hann window.
Tensor hann_window(std::int64_t window_length, const TensorOptions& options = {});
// A Hann window.
Tensor hann_window(std::int64_t window_length, bool periodic, const TensorOptions& options = {});
// A Hamming window.
Tensor hamming_window(std::int64_t window_length, const TensorOptions& options = {});
// A Hamming window.
Tensor hamming_window(std::int64_t window_length, bool periodic, const TensorOptions& options = {});
// A Hamming window.
Tensor hamming_window(std::int64_t window_length, bool periodic, double alpha, const TensorOptions& options = {});
// A Hamming window.
Tensor hamming_window(std::int64_t window_length, bool periodic, double alpha, double beta, const TensorOptions& options = {});
// A Kaiser window.
Tensor kaiser_window(std::int64_t window_length, const TensorOptions& options = {});
// A Kaiser window.
Tensor kaiser_window(std::int64_t window_length, bool periodic, const TensorOptions& options = {});
// A Kaiser window.
Tensor kaiser_window(std::int64_t window_length, bool periodic, double beta, const TensorOptions& options = {});
// `steps` numbers at equal distances from `start` to `end`, both included.
Tensor linspace(const Scalar& start, const Scalar& end, std::int64_t steps, const TensorOptions& options = {});
const Tensor& linspace_out(const Tensor& out, const Scalar& start, const Scalar& end, std::int64_t steps, const TensorOptions& options = {});
// `steps` numbers at equal distances from `start` to `end`, both included.
Tensor linspace(const Tensor& start, const Tensor& end, std::int64_t steps, const TensorOptions& options = {});
const Tensor& linspace_out(const Tensor& out, const Tensor& start, const Tensor& end, std::int64_t steps, const TensorOptions& options = {});
// `steps` numbers at equal distances from `start` to `end`, both included.
Tensor linspace(const Tensor& start, const Scalar& end, std::int64_t steps, const TensorOptions& options = {});
const Tensor& linspace_out(const Tensor& out, const Tensor& start, const Scalar& end, std::int64_t steps, const TensorOptions& options = {});
// `steps` numbers at equal distances from `start` to `end`, both included.
Tensor linspace(const Scalar& start, const Tensor& end, std::int64_t steps, const TensorOptions& options = {});
const Tensor& linspace_out(const Tensor& out, const Scalar& start, const Tensor& end, std::int64_t steps, const TensorOptions& options = {});
// Powers of `base` with exponents at equal distances from `start` to `end`.
Tensor logspace(const Scalar& start, const Scalar& end, std::int64_t steps, double base = 10.0, const TensorOptions& options = {});
const Tensor& logspace_out(const Tensor& out, const Scalar& start, const Scalar& end, std::int64_t steps, double base = 10.0, const TensorOptions& options = {});
// Powers of `base` with exponents at equal distances from `start` to `end`.
Tensor logspace(const Tensor& start, const Tensor& end, std::int64_t steps, double base = 10.0, const TensorOptions& options = {});
const Tensor& logspace_out(const Tensor& out, const Tensor& start, const Tensor& end, std::int64_t steps, double base = 10.0, const TensorOptions& options = {});
// Powers of `base` with exponents at equal distances from `start` to `end`.
Tensor logspace(const Tensor& start, const Scalar& end, std::int64_t steps, double base = 10.0, const TensorOptions& options = {});
const Tensor& logspace_out(const Tensor& out, const Tensor& start, const Scalar& end, std::int64_t steps, double base = 10.0, const TensorOptions& options = {});
// Powers of `base` with exponents at equal distances from `start` to `end`.
Tensor logspace(const Scalar& start, const Tensor& end, std::int64_t steps, double base = 10.0, const TensorOptions& options = {});
const Tensor& logspace_out(const Tensor& out, const Scalar& start, const Tensor& end, std::int64_t steps, double base = 10.0, const TensorOptions& options = {});
// A tensor of ones.
Tensor ones(IntArray size, const TensorOptions& options = {});
const Tensor& ones_out(const Tensor& out, IntArray size, const TensorOptions& options = {});
// Ones in the shape of `self`.
Tensor ones_like(const Tensor& self, const TensorOptions& options = {}, std::optional<MemoryFormat> memory_format = {});
// A tensor without dimensions that holds one number.
Tensor scalar_tensor(const Scalar& s, const TensorOptions& options = {});
// Numbers from `start` to `end`, which is included where a step meets it.
Tensor range(const Scalar& start, const Scalar& end, const Scalar& step = 1, const TensorOptions& options = {});
const Tensor& range_out(const Tensor& out, const Scalar& start, const Scalar& end, const Scalar& step = 1, const TensorOptions& options = {});
// Numbers from `start` to `end`, which is included.
Tensor range(const Scalar& start, const Scalar& end, const TensorOptions& options = {});
const Tensor& range_out(const Tensor& out, const Scalar& start, const Scalar& end, const TensorOptions& options = {});
// The Vandermonde matrix of a vector: its powers as columns.
Tensor vander(const Tensor& x, std::optional<std::int64_t> N = {}, bool increasing = false);
// A tensor of zeros.
Tensor zeros(IntArray size, const TensorOptions& options = {});
const Tensor& zeros_out(const Tensor& out, IntArray size, const TensorOptions& options = {});
// Zeros in the shape of `self`.
Tensor zeros_like(const Tensor& self, const TensorOptions& options = {}, std::optional<MemoryFormat> memory_format = {});
// Row and column indices of a lower triangle.
Tensor tril_indices(std::int64_t row, std::int64_t col, std::int64_t offset = 0, const TensorOptions& options = TensorOptions(Dtype::kInt64));
// Row and column indices of an upper triangle.
Tensor triu_indices(std::int64_t row, std::int64_t col, std::int64_t offset = 0, const TensorOptions& options = TensorOptions(Dtype::kInt64));
// The transforms of overlapping windows of a signal.
Tensor stft(const Tensor& self, std::int64_t n_fft, std::optional<std::int64_t> hop_length = {}, std::optional<std::int64_t> win_length = {}, const std::optional<Tensor>& window = {}, bool normalized = false, std::optional<bool> onesided = {}, std::optional<bool> return_complex = {}, std::optional<bool> align_to_window = {});
// The transforms of overlapping windows of a signal.
Tensor stft(const Tensor& self, std::int64_t n_fft, std::optional<std::int64_t> hop_length = {}, std::optional<std::int64_t> win_length = {}, const std::optional<Tensor>& window = {}, bool center = true, std::string_view pad_mode = "reflect", bool normalized = false, std::optional<bool> onesided = {}, std::optional<bool> return_complex = {}, std::optional<bool> align_to_window = {});
// The signal of a short-time transform, by overlapping and adding.
Tensor istft(const Tensor& self, std::int64_t n_fft, std::optional<std::int64_t> hop_length = {}, std::optional<std::int64_t> win_length = {}, const std::optional<Tensor>& window = {}, bool center = true, bool normalized = false, std::optional<bool> onesided = {}, std::optional<std::int64_t> length = {}, bool return_complex = false);
// The discrete Fourier transform along one dimension.
Tensor fft_fft(const Tensor& self, std::optional<std::int64_t> n = {}, std::int64_t dim = -1, std::optional<std::string_view> norm = {});
const Tensor& fft_fft_out(const Tensor& out, const Tensor& self, std::optional<std::int64_t> n = {}, std::int64_t dim = -1, std::optional<std::string_view> norm = {});
// The inverse discrete Fourier transform along one dimension.
Tensor fft_ifft(const Tensor& self, std::optional<std::int64_t> n = {}, std::int64_t dim = -1, std::optional<std::string_view> norm = {});
const Tensor& fft_ifft_out(const Tensor& out, const Tensor& self, std::optional<std::int64_t> n = {}, std::int64_t dim = -1, std::optional<std::string_view> norm = {});
// The first half of the transform of a real signal.
Tensor fft_rfft(const Tensor& self, std::optional<std::int64_t> n = {}, std::int64_t dim = -1, std::optional<std::string_view> norm = {});
const Tensor& fft_rfft_out(const Tensor& out, const Tensor& self, std::optional<std::int64_t> n = {}, std::int64_t dim = -1, std::optional<std::string_view> norm = {});
// The real signal of the first half of its spectrum.
Tensor fft_irfft(const Tensor& self, std::optional<std::int64_t> n = {}, std::int64_t dim = -1, std::optional<std::string_view> norm = {});
const Tensor& fft_irfft_out(const Tensor& out, const Tensor& self, std::optional<std::int64_t> n = {}, std::int64_t dim = -1, std::optional<std::string_view> norm = {});
// The real spectrum of a signal with Hermitian symmetry, from its first half.
Tensor fft_hfft(const Tensor& self, std::optional<std::int64_t> n = {}, std::int64_t dim = -1, std::optional<std::string_view> norm = {});
const Tensor& fft_hfft_out(const Tensor& out, const Tensor& self, std::optional<std::int64_t> n = {}, std::int64_t dim = -1, std::optional<std::string_view> norm = {});
// The inverse of `hfft`.
Tensor fft_ihfft(const Tensor& self, std::optional<std::int64_t> n = {}, std::int64_t dim = -1, std::optional<std::string_view> norm = {});
const Tensor& fft_ihfft_out(const Tensor& out, const Tensor& self, std::optional<std::int64_t> n = {}, std::int64_t dim = -1, std::optional<std::string_view> norm = {});
// The transform over two dimensions.
Tensor fft_fft2(const Tensor& self, OptionalIntArray s = {}, IntArray dim = IntArray{-2,-1}, std::optional<std::string_view> norm = {});
const Tensor& fft_fft2_out(const Tensor& out, const Tensor& self, OptionalIntArray s = {}, IntArray dim = IntArray{-2,-1}, std::optional<std::string_view> norm = {});
// The inverse transform over two dimensions.
Tensor fft_ifft2(const Tensor& self, OptionalIntArray s = {}, IntArray dim = IntArray{-2,-1}, std::optional<std::string_view> norm = {});
const Tensor& fft_ifft2_out(const Tensor& out, const Tensor& self, OptionalIntArray s = {}, IntArray dim = IntArray{-2,-1}, std::optional<std::string_view> norm = {});
// The first half of the transform of real signals over two dimensions.
Tensor fft_rfft2(const Tensor& self, OptionalIntArray s = {}, IntArray dim = IntArray{-2,-1}, std::optional<std::string_view> norm = {});
const Tensor& fft_rfft2_out(const Tensor& out, const Tensor& self, OptionalIntArray s = {}, IntArray dim = IntArray{-2,-1}, std::optional<std::string_view> norm = {});
// The inverse of `rfft2`.
Tensor fft_irfft2(const Tensor& self, OptionalIntArray s = {}, IntArray dim = IntArray{-2,-1}, std::optional<std::string_view> norm = {});
const Tensor& fft_irfft2_out(const Tensor& out, const Tensor& self, OptionalIntArray s = {}, IntArray dim = IntArray{-2,-1}, std::optional<std::string_view> norm = {});
// `hfft` over two dimensions.
Tensor fft_hfft2(const Tensor& self, OptionalIntArray s = {}, IntArray dim = IntArray{-2,-1}, std::optional<std::string_view> norm = {});
const Tensor& fft_hfft2_out(const Tensor& out, const Tensor& self, OptionalIntArray s = {}, IntArray dim = IntArray{-2,-1}, std::optional<std::string_view> norm = {});
// The inverse of `hfft2`.
Tensor fft_ihfft2(const Tensor& self, OptionalIntArray s = {}, IntArray dim = IntArray{-2,-1}, std::optional<std::string_view> norm = {});
const Tensor& fft_ihfft2_out(const Tensor& out, const Tensor& self, OptionalIntArray s = {}, IntArray dim = IntArray{-2,-1}, std::optional<std::string_view> norm = {});
// The transform over several dimensions.
Tensor fft_fftn(const Tensor& self, OptionalIntArray s = {}, OptionalIntArray dim = {}, std::optional<std::string_view> norm = {});
const Tensor& fft_fftn_out(const Tensor& out, const Tensor& self, OptionalIntArray s = {}, OptionalIntArray dim = {}, std::optional<std::string_view> norm = {});
// The inverse transform over several dimensions.
Tensor fft_ifftn(const Tensor& self, OptionalIntArray s = {}, OptionalIntArray dim = {}, std::optional<std::string_view> norm = {});
const Tensor& fft_ifftn_out(const Tensor& out, const Tensor& self, OptionalIntArray s = {}, OptionalIntArray dim = {}, std::optional<std::string_view> norm = {});
// The first half of the transform of real signals over several dimensions.
Tensor fft_rfftn(const Tensor& self, OptionalIntArray s = {}, OptionalIntArray dim = {}, std::optional<std::string_view> norm = {});
const Tensor& fft_rfftn_out(const Tensor& out, const Tensor& self, OptionalIntArray s = {}, OptionalIntArray dim = {}, std::optional<std::string_view> norm = {});
// The inverse of `rfftn`.
Tensor fft_irfftn(const Tensor& self, OptionalIntArray s = {}, OptionalIntArray dim = {}, std::optional<std::string_view> norm = {});
const Tensor& fft_irfftn_out(const Tensor& out, const Tensor& self, OptionalIntArray s = {}, OptionalIntArray dim = {}, std::optional<std::string_view> norm = {});
// `hfft` over several dimensions.
Tensor fft_hfftn(const Tensor& self, OptionalIntArray s = {}, OptionalIntArray dim = {}, std::optional<std::string_view> norm = {});
const Tensor& fft_hfftn_out(const Tensor& out, const Tensor& self, OptionalIntArray s = {}, OptionalIntArray dim = {}, std::optional<std::string_view> norm = {});
// The inverse of `hfftn`.
Tensor fft_ihfftn(const Tensor& self, OptionalIntArray s = {}, OptionalIntArray dim = {}, std::optional<std::string_view> norm = {});
const Tensor& fft_ihfftn_out(const Tensor& out, const Tensor& self, OptionalIntArray s = {}, OptionalIntArray dim = {}, std::optional<std::string_view> norm = {});
// The frequencies of the terms of a transform of `n` samples `d` apart.
Tensor fft_fftfreq(std::int64_t n, double d = 1.0, const TensorOptions& options = {});
const Tensor& fft_fftfreq_out(const Tensor& out, std::int64_t n, double d = 1.0, const TensorOptions& options = {});
// The frequencies of the terms of a real transform of `n` samples `d` apart.
Tensor fft_rfftfreq(std::int64_t n, double d = 1.0, const TensorOptions& options = {});
const Tensor& fft_rfftfreq_out(const Tensor& out, std::int64_t n, double d = 1.0, const TensorOptions& options = {});
// Moves the zero frequency to the middle.
Tensor fft_fftshift(const Tensor& self, OptionalIntArray dim = {});
// Undoes `fftshift`.
Tensor fft_ifftshift(const Tensor& self, OptionalIntArray dim = {});
// The complex transform over `dim`; normalization 0 none, 1 by the root of the number of elements, 2 by the number.
Tensor _fft_c2c(const Tensor& self, IntArray dim, std::int64_t normalization, bool forward);
// The complex transform of a real tensor over `dim`, whole or its first half in the last one.
Tensor _fft_r2c(const Tensor& self, IntArray dim, std::int64_t normalization, bool onesided);
// The real backward transform over `dim` of the first half of a Hermitian spectrum.
Tensor _fft_c2r(const Tensor& self, IntArray dim, std::int64_t normalization, std::int64_t last_dim_size);
// The elements that broadcast index tensors name; a missing index takes its whole dimension.
Tensor index(const Tensor& self, OptionalTensorList indices);
const Tensor& index_out(const Tensor& out, const Tensor& self, OptionalTensorList indices);
// Writes `values` where index tensors say, or adds them.
Tensor index_put(const Tensor& self, OptionalTensorList indices, const Tensor& values, bool accumulate = false);
const Tensor& index_put_(const Tensor& self, OptionalTensorList indices, const Tensor& values, bool accumulate = false);
// The slices of `dim` that the vector `index` names.
Tensor index_select(const Tensor& self, std::int64_t dim, const Tensor& index);
const Tensor& index_select_out(const Tensor& out, const Tensor& self, std::int64_t dim, const Tensor& index);
// Writes the slices of `source` over those of `dim` that `index` names.
Tensor index_copy(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source);
const Tensor& index_copy_(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source);
const Tensor& index_copy_out(const Tensor& out, const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source);
// Adds the slices of `source`, scaled by `alpha`, to those of `dim` that `index` names.
Tensor index_add(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha = 1);
const Tensor& index_add_(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha = 1);
const Tensor& index_add_out(const Tensor& out, const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha = 1);
// Reduces the slices of `source` into those of `dim` that `index` names, by prod, mean, amax or amin.
Tensor index_reduce(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source, std::string_view reduce, bool include_self = true);
const Tensor& index_reduce_(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source, std::string_view reduce, bool include_self = true);
const Tensor& index_reduce_out(const Tensor& out, const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source, std::string_view reduce, bool include_self = true);
// Fills the slices of `dim` that `index` names with one value.
Tensor index_fill(const Tensor& self, std::int64_t dim, const Tensor& index, const Scalar& value);
const Tensor& index_fill_(const Tensor& self, std::int64_t dim, const Tensor& index, const Scalar& value);
// Fills the slices of `dim` that `index` names with one value.
Tensor index_fill(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& value);
const Tensor& index_fill_(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& value);
// Picks along `dim`, for each element of `index`, the element of that position.
Tensor gather(const Tensor& self, std::int64_t dim, const Tensor& index, bool sparse_grad = false);
const Tensor& gather_out(const Tensor& out, const Tensor& self, std::int64_t dim, const Tensor& index, bool sparse_grad = false);
// Writes each element of `src` along `dim` to the position that `index` says.
Tensor scatter(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src);
const Tensor& scatter_(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src);
const Tensor& scatter_out(const Tensor& out, const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src);
// Writes one value along `dim` to the positions that `index` says.
Tensor scatter(const Tensor& self, std::int64_t dim, const Tensor& index, const Scalar& value);
const Tensor& scatter_(const Tensor& self, std::int64_t dim, const Tensor& index, const Scalar& value);
const Tensor& scatter_out(const Tensor& out, const Tensor& self, std::int64_t dim, const Tensor& index, const Scalar& value);
// Adds or multiplies each element of `src` along `dim` into the position that `index` says.
Tensor scatter(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce);
const Tensor& scatter_(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce);
const Tensor& scatter_out(const Tensor& out, const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce);
// Adds one value to, or multiplies it into, the positions along `dim` that `index` says.
Tensor scatter(const Tensor& self, std::int64_t dim, const Tensor& index, const Scalar& value, std::string_view reduce);
const Tensor& scatter_(const Tensor& self, std::int64_t dim, const Tensor& index, const Scalar& value, std::string_view reduce);
const Tensor& scatter_out(const Tensor& out, const Tensor& self, std::int64_t dim, const Tensor& index, const Scalar& value, std::string_view reduce);
// Adds each element of `src` along `dim` to the position that `index` says.
Tensor scatter_add(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src);
const Tensor& scatter_add_(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src);
const Tensor& scatter_add_out(const Tensor& out, const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src);
// Reduces each element of `src` along `dim` into the position that `index` says, by sum, prod, mean, amax or amin.
Tensor scatter_reduce(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce, bool include_self = true);
const Tensor& scatter_reduce_(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce, bool include_self = true);
const Tensor& scatter_reduce_out(const Tensor& out, const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce, bool include_self = true);
// The elements at positions of the flattened tensor.
Tensor take(const Tensor& self, const Tensor& index);
const Tensor& take_out(const Tensor& out, const Tensor& self, const Tensor& index);
// Writes, or adds, `source` at positions of the flattened tensor.
Tensor put(const Tensor& self, const Tensor& index, const Tensor& source, bool accumulate = false);
const Tensor& put_(const Tensor& self, const Tensor& index, const Tensor& source, bool accumulate = false);
// Like `gather`, with `self` and `indices` broadcast to each other; without `dim` on flattened tensors.
Tensor take_along_dim(const Tensor& self, const Tensor& indices, std::optional<std::int64_t> dim = {});
const Tensor& take_along_dim_out(const Tensor& out, const Tensor& self, const Tensor& indices, std::optional<std::int64_t> dim = {});
// The elements where `mask` is true, as a vector.
Tensor masked_select(const Tensor& self, const Tensor& mask);
const Tensor& masked_select_out(const Tensor& out, const Tensor& self, const Tensor& mask);
// Writes elements of `source`, in order, where `mask` is true; `self` broadcasts to `mask`.
Tensor masked_scatter(const Tensor& self, const Tensor& mask, const Tensor& source);
// Writes elements of `source`, in order, where `mask` is true.
const Tensor& masked_scatter_(const Tensor& self, const Tensor& mask, const Tensor& source);
// The coordinates of all elements that are not zero, one row each.
Tensor nonzero(const Tensor& self);
const Tensor& nonzero_out(const Tensor& out, const Tensor& self);
// The coordinates of the first `size` elements that are not zero, filled up with `fill_value`.
Tensor nonzero_static(const Tensor& self, std::int64_t size, std::int64_t fill_value = -1);
const Tensor& nonzero_static_out(const Tensor& out, const Tensor& self, std::int64_t size, std::int64_t fill_value = -1);
// The coordinates of all elements that are not zero, one vector for each dimension.
std::vector<Tensor> nonzero_numpy(const Tensor& self);
// The coordinates of all elements that are not zero, one row each.
Tensor argwhere(const Tensor& self);
// Indexing by integers alone.
Tensor _unsafe_index(const Tensor& self, OptionalTensorList indices);
// Writing by integers alone.
Tensor _unsafe_index_put(const Tensor& self, OptionalTensorList indices, const Tensor& values, bool accumulate = false);
// Indexing where `mask` is true, `fill` elsewhere; indices out of range are taken to the nearest in it.
Tensor _unsafe_masked_index(const Tensor& self, const Tensor& mask, OptionalTensorList indices, const Scalar& fill);
// Adds `values` where `mask` is true; indices out of range are taken to the nearest in it.
Tensor _unsafe_masked_index_put_accumulate(const Tensor& self, const Tensor& mask, OptionalTensorList indices, const Tensor& values);
// The diagonals of matrices, a view.
Tensor linalg_diagonal(const Tensor& A, std::int64_t offset = 0, std::int64_t dim1 = -2, std::int64_t dim2 = -1);
// An integer power of square matrices.
Tensor matrix_power(const Tensor& self, std::int64_t n);
const Tensor& matrix_power_out(const Tensor& out, const Tensor& self, std::int64_t n);
// The exponential of square matrices.
Tensor matrix_exp(const Tensor& self);
// The Moore-Penrose inverse.
Tensor pinverse(const Tensor& self, double rcond = 1e-15);
// The root of the sum of squares over dimensions.
Tensor frobenius_norm(const Tensor& self, IntArray dim, bool keepdim = false);
const Tensor& frobenius_norm_out(const Tensor& out, const Tensor& self, IntArray dim, bool keepdim = false);
// The sum of singular values.
Tensor nuclear_norm(const Tensor& self, bool keepdim = false);
const Tensor& nuclear_norm_out(const Tensor& out, const Tensor& self, bool keepdim = false);
// The sum of singular values.
Tensor nuclear_norm(const Tensor& self, IntArray dim, bool keepdim = false);
const Tensor& nuclear_norm_out(const Tensor& out, const Tensor& self, IntArray dim, bool keepdim = false);
// The sum of the diagonal of a matrix.
Tensor trace(const Tensor& self);
// Solves A X = B for triangular A.
std::tuple<Tensor, Tensor> triangular_solve(const Tensor& self, const Tensor& A, bool upper = true, bool transpose = false, bool unitriangular = false);
std::tuple<Tensor, Tensor> triangular_solve_out(const Tensor& out0, const Tensor& out1, const Tensor& self, const Tensor& A, bool upper = true, bool transpose = false, bool unitriangular = false);
// Solves A X = B or X A = B for triangular A.
Tensor linalg_solve_triangular(const Tensor& self, const Tensor& B, bool upper, bool left = true, bool unitriangular = false);
const Tensor& linalg_solve_triangular_out(const Tensor& out, const Tensor& self, const Tensor& B, bool upper, bool left = true, bool unitriangular = false);
// Rows of powers 0 to N-1 of each element.
Tensor linalg_vander(const Tensor& x, std::optional<std::int64_t> N = {});
// Singular value decomposition with V instead of V^H.
std::tuple<Tensor, Tensor, Tensor> svd(const Tensor& self, bool some = true, bool compute_uv = true);
std::tuple<Tensor, Tensor, Tensor> svd_out(const Tensor& out0, const Tensor& out1, const Tensor& out2, const Tensor& self, bool some = true, bool compute_uv = true);
// The Cholesky factor of positive-definite matrices.
Tensor cholesky(const Tensor& self, bool upper = false);
const Tensor& cholesky_out(const Tensor& out, const Tensor& self, bool upper = false);
// Solves A X = B from the Cholesky factor of A.
Tensor cholesky_solve(const Tensor& self, const Tensor& input2, bool upper = false);
const Tensor& cholesky_solve_out(const Tensor& out, const Tensor& self, const Tensor& input2, bool upper = false);
// The inverse of a matrix from its Cholesky factor.
Tensor cholesky_inverse(const Tensor& self, bool upper = false);
const Tensor& cholesky_inverse_out(const Tensor& out, const Tensor& self, bool upper = false);
// QR decomposition.
std::tuple<Tensor, Tensor> qr(const Tensor& self, bool some = true);
std::tuple<Tensor, Tensor> qr_out(const Tensor& out0, const Tensor& out1, const Tensor& self, bool some = true);
// QR decomposition as reflectors and their factors.
std::tuple<Tensor, Tensor> geqrf(const Tensor& self);
std::tuple<Tensor, Tensor> geqrf_out(const Tensor& out0, const Tensor& out1, const Tensor& self);
// The first columns of a product of reflectors.
Tensor orgqr(const Tensor& self, const Tensor& input2);
const Tensor& orgqr_out(const Tensor& out, const Tensor& self, const Tensor& input2);
// Multiplies by the orthogonal matrix of a QR decomposition.
Tensor ormqr(const Tensor& self, const Tensor& input2, const Tensor& input3, bool left = true, bool transpose = false);
const Tensor& ormqr_out(const Tensor& out, const Tensor& self, const Tensor& input2, const Tensor& input3, bool left = true, bool transpose = false);
// Solves A X = B from the LU decomposition of A.
Tensor lu_solve(const Tensor& self, const Tensor& LU_data, const Tensor& LU_pivots);
const Tensor& lu_solve_out(const Tensor& out, const Tensor& self, const Tensor& LU_data, const Tensor& LU_pivots);
// P, L and U of a packed LU decomposition.
std::tuple<Tensor, Tensor, Tensor> lu_unpack(const Tensor& LU_data, const Tensor& LU_pivots, bool unpack_data = true, bool unpack_pivots = true);
std::tuple<Tensor, Tensor, Tensor> lu_unpack_out(const Tensor& out0, const Tensor& out1, const Tensor& out2, const Tensor& LU_data, const Tensor& LU_pivots, bool unpack_data = true, bool unpack_pivots = true);
// The Cholesky factor and where the factorisation stopped.
std::tuple<Tensor, Tensor> linalg_cholesky_ex(const Tensor& self, bool upper = false, bool check_errors = false);
std::tuple<Tensor, Tensor> linalg_cholesky_ex_out(const Tensor& out0, const Tensor& out1, const Tensor& self, bool upper = false, bool check_errors = false);
// The Cholesky factor; raises for matrices that are not positive-definite.
Tensor linalg_cholesky(const Tensor& self, bool upper = false);
const Tensor& linalg_cholesky_out(const Tensor& out, const Tensor& self, bool upper = false);
// Packed LU decomposition and pivots; raises for singular matrices.
std::tuple<Tensor, Tensor> linalg_lu_factor(const Tensor& A, bool pivot = true);
std::tuple<Tensor, Tensor> linalg_lu_factor_out(const Tensor& out0, const Tensor& out1, const Tensor& A, bool pivot = true);
// Packed LU decomposition, pivots and where it stopped.
std::tuple<Tensor, Tensor, Tensor> linalg_lu_factor_ex(const Tensor& A, bool pivot = true, bool check_errors = false);
std::tuple<Tensor, Tensor, Tensor> linalg_lu_factor_ex_out(const Tensor& out0, const Tensor& out1, const Tensor& out2, const Tensor& A, bool pivot = true, bool check_errors = false);
// P, L and U of the LU decomposition.
std::tuple<Tensor, Tensor, Tensor> linalg_lu(const Tensor& A, bool pivot = true);
std::tuple<Tensor, Tensor, Tensor> linalg_lu_out(const Tensor& out0, const Tensor& out1, const Tensor& out2, const Tensor& A, bool pivot = true);
// Solves A X = B or X A = B from the LU decomposition of A.
Tensor linalg_lu_solve(const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left = true, bool adjoint = false);
const Tensor& linalg_lu_solve_out(const Tensor& out, const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left = true, bool adjoint = false);
// The determinant with the LU decomposition behind it.
std::tuple<Tensor, Tensor, Tensor> _linalg_det(const Tensor& A);
// The determinant of square matrices.
Tensor linalg_det(const Tensor& A);
const Tensor& linalg_det_out(const Tensor& out, const Tensor& A);
// The determinant of square matrices.
Tensor det(const Tensor& self);
// Packed LDL decomposition, pivots and where it stopped.
std::tuple<Tensor, Tensor, Tensor> linalg_ldl_factor_ex(const Tensor& self, bool hermitian = false, bool check_errors = false);
std::tuple<Tensor, Tensor, Tensor> linalg_ldl_factor_ex_out(const Tensor& out0, const Tensor& out1, const Tensor& out2, const Tensor& self, bool hermitian = false, bool check_errors = false);
// Packed LDL decomposition of symmetric or Hermitian matrices.
std::tuple<Tensor, Tensor> linalg_ldl_factor(const Tensor& self, bool hermitian = false);
std::tuple<Tensor, Tensor> linalg_ldl_factor_out(const Tensor& out0, const Tensor& out1, const Tensor& self, bool hermitian = false);
// Solves A X = B from the LDL decomposition of A.
Tensor linalg_ldl_solve(const Tensor& LD, const Tensor& pivots, const Tensor& B, bool hermitian = false);
const Tensor& linalg_ldl_solve_out(const Tensor& out, const Tensor& LD, const Tensor& pivots, const Tensor& B, bool hermitian = false);
// The least squares solution of A X = B.
std::tuple<Tensor, Tensor, Tensor, Tensor> linalg_lstsq(const Tensor& self, const Tensor& b, std::optional<double> rcond = {}, std::optional<std::string_view> driver = {});
std::tuple<Tensor, Tensor, Tensor, Tensor> linalg_lstsq_out(const Tensor& out0, const Tensor& out1, const Tensor& out2, const Tensor& out3, const Tensor& self, const Tensor& b, std::optional<double> rcond = {}, std::optional<std::string_view> driver = {});
// The exponential of square matrices.
Tensor linalg_matrix_exp(const Tensor& self);
// Sign and logarithm of the determinant with the LU decomposition behind them.
std::tuple<Tensor, Tensor, Tensor, Tensor> _linalg_slogdet(const Tensor& A);
// Sign and logarithm of the absolute value of the determinant.
std::tuple<Tensor, Tensor> linalg_slogdet(const Tensor& A);
std::tuple<Tensor, Tensor> linalg_slogdet_out(const Tensor& out0, const Tensor& out1, const Tensor& A);
// Sign and logarithm of the absolute value of the determinant.
std::tuple<Tensor, Tensor> slogdet(const Tensor& self);
std::tuple<Tensor, Tensor> slogdet_out(const Tensor& out0, const Tensor& out1, const Tensor& self);
// The logarithm of the determinant; nan where it is negative.
Tensor logdet(const Tensor& self);
// Eigenvalues and eigenvectors of square matrices, complex.
std::tuple<Tensor, Tensor> linalg_eig(const Tensor& self);
std::tuple<Tensor, Tensor> linalg_eig_out(const Tensor& out0, const Tensor& out1, const Tensor& self);
// Eigenvalues without derivative.
Tensor _linalg_eigvals(const Tensor& self);
// Eigenvalues of square matrices, complex.
Tensor linalg_eigvals(const Tensor& self);
const Tensor& linalg_eigvals_out(const Tensor& out, const Tensor& self);
// Eigenvalues and, on request, eigenvectors of Hermitian matrices.
std::tuple<Tensor, Tensor> _linalg_eigh(const Tensor& A, std::string_view UPLO = "L", bool compute_v = true);
// Eigenvalues in ascending order and eigenvectors of Hermitian matrices.
std::tuple<Tensor, Tensor> linalg_eigh(const Tensor& self, std::string_view UPLO = "L");
std::tuple<Tensor, Tensor> linalg_eigh_out(const Tensor& out0, const Tensor& out1, const Tensor& self, std::string_view UPLO = "L");
// Eigenvalues of Hermitian matrices in ascending order.
Tensor linalg_eigvalsh(const Tensor& self, std::string_view UPLO = "L");
const Tensor& linalg_eigvalsh_out(const Tensor& out, const Tensor& self, std::string_view UPLO = "L");
// The first columns of a product of reflectors.
Tensor linalg_householder_product(const Tensor& input, const Tensor& tau);
const Tensor& linalg_householder_product_out(const Tensor& out, const Tensor& input, const Tensor& tau);
// The inverse and where the factorisation failed.
std::tuple<Tensor, Tensor> linalg_inv_ex(const Tensor& A, bool check_errors = false);
std::tuple<Tensor, Tensor> linalg_inv_ex_out(const Tensor& out0, const Tensor& out1, const Tensor& A, bool check_errors = false);
// The inverse; raises for singular matrices.
Tensor linalg_inv(const Tensor& A);
const Tensor& linalg_inv_out(const Tensor& out, const Tensor& A);
// The inverse; raises for singular matrices.
Tensor inverse(const Tensor& self);
const Tensor& inverse_out(const Tensor& out, const Tensor& self);
// A vector or matrix norm.
Tensor linalg_norm(const Tensor& self, const std::optional<Scalar>& ord = {}, OptionalIntArray dim = {}, bool keepdim = false, std::optional<Dtype> dtype = {});
const Tensor& linalg_norm_out(const Tensor& out, const Tensor& self, const std::optional<Scalar>& ord = {}, OptionalIntArray dim = {}, bool keepdim = false, std::optional<Dtype> dtype = {});
// A vector or matrix norm.
Tensor linalg_norm(const Tensor& self, std::string_view ord, OptionalIntArray dim = {}, bool keepdim = false, std::optional<Dtype> dtype = {});
const Tensor& linalg_norm_out(const Tensor& out, const Tensor& self, std::string_view ord, OptionalIntArray dim = {}, bool keepdim = false, std::optional<Dtype> dtype = {});
// A norm of matrices.
Tensor linalg_matrix_norm(const Tensor& self, const Scalar& ord, IntArray dim = IntArray{-2,-1}, bool keepdim = false, std::optional<Dtype> dtype = {});
const Tensor& linalg_matrix_norm_out(const Tensor& out, const Tensor& self, const Scalar& ord, IntArray dim = IntArray{-2,-1}, bool keepdim = false, std::optional<Dtype> dtype = {});
// A norm of matrices.
Tensor linalg_matrix_norm(const Tensor& self, std::string_view ord = "fro", IntArray dim = IntArray{-2,-1}, bool keepdim = false, std::optional<Dtype> dtype = {});
const Tensor& linalg_matrix_norm_out(const Tensor& out, const Tensor& self, std::string_view ord = "fro", IntArray dim = IntArray{-2,-1}, bool keepdim = false, std::optional<Dtype> dtype = {});
// Singular value decomposition, on request without vectors.
std::tuple<Tensor, Tensor, Tensor> _linalg_svd(const Tensor& A, bool full_matrices = false, bool compute_uv = true, std::optional<std::string_view> driver = {});
// Singular value decomposition U S V^H.
std::tuple<Tensor, Tensor, Tensor> linalg_svd(const Tensor& A, bool full_matrices = true, std::optional<std::string_view> driver = {});
std::tuple<Tensor, Tensor, Tensor> linalg_svd_out(const Tensor& out0, const Tensor& out1, const Tensor& out2, const Tensor& A, bool full_matrices = true, std::optional<std::string_view> driver = {});
// Singular values in descending order.
Tensor linalg_svdvals(const Tensor& A, std::optional<std::string_view> driver = {});
const Tensor& linalg_svdvals_out(const Tensor& out, const Tensor& A, std::optional<std::string_view> driver = {});
// The condition number for a norm.
Tensor linalg_cond(const Tensor& self, const std::optional<Scalar>& p = {});
const Tensor& linalg_cond_out(const Tensor& out, const Tensor& self, const std::optional<Scalar>& p = {});
// The condition number for a norm.
Tensor linalg_cond(const Tensor& self, std::string_view p);
const Tensor& linalg_cond_out(const Tensor& out, const Tensor& self, std::string_view p);
// Solves A X = B for equal batches, with the LU decomposition behind it.
std::tuple<Tensor, Tensor, Tensor, Tensor> _linalg_solve_ex(const Tensor& A, const Tensor& B, bool left = true, bool check_errors = false);
// Solves A X = B or X A = B, and tells where it failed.
std::tuple<Tensor, Tensor> linalg_solve_ex(const Tensor& A, const Tensor& B, bool left = true, bool check_errors = false);
std::tuple<Tensor, Tensor> linalg_solve_ex_out(const Tensor& out0, const Tensor& out1, const Tensor& A, const Tensor& B, bool left = true, bool check_errors = false);
// Solves A X = B or X A = B; raises for singular matrices.
Tensor linalg_solve(const Tensor& A, const Tensor& B, bool left = true);
const Tensor& linalg_solve_out(const Tensor& out, const Tensor& A, const Tensor& B, bool left = true);
// The inverse of a tensor as a map between groups of dimensions.
Tensor linalg_tensorinv(const Tensor& self, std::int64_t ind = 2);
const Tensor& linalg_tensorinv_out(const Tensor& out, const Tensor& self, std::int64_t ind = 2);
// Solves tensordot(A, X) = B.
Tensor linalg_tensorsolve(const Tensor& self, const Tensor& other, OptionalIntArray dims = {});
const Tensor& linalg_tensorsolve_out(const Tensor& out, const Tensor& self, const Tensor& other, OptionalIntArray dims = {});
// QR decomposition.
std::tuple<Tensor, Tensor> linalg_qr(const Tensor& A, std::string_view mode = "reduced");
std::tuple<Tensor, Tensor> linalg_qr_out(const Tensor& out0, const Tensor& out1, const Tensor& A, std::string_view mode = "reduced");
// An integer power of square matrices.
Tensor linalg_matrix_power(const Tensor& self, std::int64_t n);
const Tensor& linalg_matrix_power_out(const Tensor& out, const Tensor& self, std::int64_t n);
// How many singular values exceed a tolerance.
Tensor linalg_matrix_rank(const Tensor& input, const std::optional<Tensor>& atol = {}, const std::optional<Tensor>& rtol = {}, bool hermitian = false);
const Tensor& linalg_matrix_rank_out(const Tensor& out, const Tensor& input, const std::optional<Tensor>& atol = {}, const std::optional<Tensor>& rtol = {}, bool hermitian = false);
// How many singular values exceed a tolerance.
Tensor linalg_matrix_rank(const Tensor& self, std::optional<double> atol = {}, std::optional<double> rtol = {}, bool hermitian = false);
const Tensor& linalg_matrix_rank_out(const Tensor& out, const Tensor& self, std::optional<double> atol = {}, std::optional<double> rtol = {}, bool hermitian = false);
// How many singular values exceed a tolerance.
Tensor linalg_matrix_rank(const Tensor& self, double tol, bool hermitian = false);
const Tensor& linalg_matrix_rank_out(const Tensor& out, const Tensor& self, double tol, bool hermitian = false);
// How many singular values exceed a tolerance.
Tensor linalg_matrix_rank(const Tensor& input, const Tensor& tol, bool hermitian = false);
const Tensor& linalg_matrix_rank_out(const Tensor& out, const Tensor& input, const Tensor& tol, bool hermitian = false);
// The Moore-Penrose inverse.
Tensor linalg_pinv(const Tensor& self, const std::optional<Tensor>& atol = {}, const std::optional<Tensor>& rtol = {}, bool hermitian = false);
const Tensor& linalg_pinv_out(const Tensor& out, const Tensor& self, const std::optional<Tensor>& atol = {}, const std::optional<Tensor>& rtol = {}, bool hermitian = false);
// The Moore-Penrose inverse.
Tensor linalg_pinv(const Tensor& self, std::optional<double> atol = {}, std::optional<double> rtol = {}, bool hermitian = false);
const Tensor& linalg_pinv_out(const Tensor& out, const Tensor& self, std::optional<double> atol = {}, std::optional<double> rtol = {}, bool hermitian = false);
// The Moore-Penrose inverse.
Tensor linalg_pinv(const Tensor& self, double rcond, bool hermitian = false);
const Tensor& linalg_pinv_out(const Tensor& out, const Tensor& self, double rcond, bool hermitian = false);
// The Moore-Penrose inverse.
Tensor linalg_pinv(const Tensor& self, const Tensor& rcond, bool hermitian = false);
const Tensor& linalg_pinv_out(const Tensor& out, const Tensor& self, const Tensor& rcond, bool hermitian = false);
// The first columns of a product of reflectors, without derivative.
Tensor _householder_product(const Tensor& input, const Tensor& tau);
// The least squares solution for equal batches, without derivative.
std::tuple<Tensor, Tensor, Tensor, Tensor> _linalg_lstsq(const Tensor& self, const Tensor& b, double rcond, std::string_view driver);
// Cross-entropy between probabilities and targets.
Tensor binary_cross_entropy(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight = {}, std::int64_t reduction = 1);
const Tensor& binary_cross_entropy_out(const Tensor& out, const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight = {}, std::int64_t reduction = 1);
// Cross-entropy between the sigmoid of `self` and targets.
Tensor binary_cross_entropy_with_logits(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight = {}, const std::optional<Tensor>& pos_weight = {}, std::int64_t reduction = 1);
// Kullback-Leibler divergence; `self` holds logarithms.
Tensor kl_div(const Tensor& self, const Tensor& target, std::int64_t reduction = 1, bool log_target = false);
// Loss of pairs that should be ranked by the sign of `target`.
Tensor margin_ranking_loss(const Tensor& input1, const Tensor& input2, const Tensor& target, double margin = 0.0, std::int64_t reduction = 1);
// Negative log-likelihood of a Poisson distribution.
Tensor poisson_nll_loss(const Tensor& input, const Tensor& target, bool log_input, bool full, double eps, std::int64_t reduction);
// Distance to a positive example against the distance to a negative one.
Tensor triplet_margin_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative, double margin = 1.0, double p = 2, double eps = 1e-06, bool swap = false, std::int64_t reduction = 1);
// Squared differences.
Tensor mse_loss(const Tensor& self, const Tensor& target, std::int64_t reduction = 1);
const Tensor& mse_loss_out(const Tensor& out, const Tensor& self, const Tensor& target, std::int64_t reduction = 1);
// Absolute differences.
Tensor l1_loss(const Tensor& self, const Tensor& target, std::int64_t reduction = 1);
// Squared below `beta`, absolute above.
Tensor smooth_l1_loss(const Tensor& self, const Tensor& target, std::int64_t reduction = 1, double beta = 1.0);
const Tensor& smooth_l1_loss_out(const Tensor& out, const Tensor& self, const Tensor& target, std::int64_t reduction = 1, double beta = 1.0);
// Squared below `delta`, `delta` times absolute above.
Tensor huber_loss(const Tensor& self, const Tensor& target, std::int64_t reduction = 1, double delta = 1.0);
const Tensor& huber_loss_out(const Tensor& out, const Tensor& self, const Tensor& target, std::int64_t reduction = 1, double delta = 1.0);
// Logistic loss of targets -1 and 1.
Tensor soft_margin_loss(const Tensor& self, const Tensor& target, std::int64_t reduction = 1);
const Tensor& soft_margin_loss_out(const Tensor& out, const Tensor& self, const Tensor& target, std::int64_t reduction = 1);
// Distances for targets 1, what lacks to `margin` for targets -1.
Tensor hinge_embedding_loss(const Tensor& self, const Tensor& target, double margin = 1.0, std::int64_t reduction = 1);
// One minus the cosine for targets 1, the cosine above `margin` for targets -1.
Tensor cosine_embedding_loss(const Tensor& input1, const Tensor& input2, const Tensor& target, double margin = 0.0, std::int64_t reduction = 1);
// Elements of the smooth absolute loss.
Tensor _smooth_l1(const Tensor& self, const Tensor& target, double beta);
// Elements of the Huber loss.
Tensor _huber(const Tensor& self, const Tensor& target, double delta);
// Squares of differences.
Tensor _squared_difference(const Tensor& self, const Tensor& target);
// Elements of the cross-entropy of probabilities.
Tensor _binary_cross_entropy(const Tensor& self, const Tensor& target);
// Normalises each channel over batch and positions, with running statistics in evaluation.
Tensor batch_norm(const Tensor& input, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias, const std::optional<Tensor>& running_mean, const std::optional<Tensor>& running_var, bool training, double momentum, double eps, bool cudnn_enabled);
// Connectionist temporal classification loss of unaligned label sequences.
Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, IntArray input_lengths, IntArray target_lengths, std::int64_t blank = 0, std::int64_t reduction = 1, bool zero_infinity = false);
// Connectionist temporal classification loss of unaligned label sequences.
Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths, const Tensor& target_lengths, std::int64_t blank = 0, std::int64_t reduction = 1, bool zero_infinity = false);
// Negative log likelihood of each label sequence, with the forward variables.
std::tuple<Tensor, Tensor> _ctc_loss(const Tensor& log_probs, const Tensor& targets, IntArray input_lengths, IntArray target_lengths, std::int64_t blank = 0, bool zero_infinity = false);
// Negative log likelihood of each label sequence, with the forward variables.
std::tuple<Tensor, Tensor> _ctc_loss(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths, const Tensor& target_lengths, std::int64_t blank = 0, bool zero_infinity = false);
// Normalises each group of channels of each batch element.
Tensor group_norm(const Tensor& input, std::int64_t num_groups, const std::optional<Tensor>& weight = {}, const std::optional<Tensor>& bias = {}, double eps = 1e-05, bool cudnn_enabled = true);
// Group normalisation of [N, C, HxW] with the mean and reciprocal deviation of each group.
std::tuple<Tensor, Tensor, Tensor> native_group_norm(const Tensor& input, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias, std::int64_t N, std::int64_t C, std::int64_t HxW, std::int64_t group, double eps);
// Normalises each channel of each batch element.
Tensor instance_norm(const Tensor& input, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias, const std::optional<Tensor>& running_mean, const std::optional<Tensor>& running_var, bool use_input_stats, double momentum, double eps, bool cudnn_enabled);
// Normalises over the last dimensions, `normalized_shape`.
Tensor layer_norm(const Tensor& input, IntArray normalized_shape, const std::optional<Tensor>& weight = {}, const std::optional<Tensor>& bias = {}, double eps = 1e-05, bool cudnn_enable = true);
// Layer normalisation with the mean and reciprocal deviation of each row.
std::tuple<Tensor, Tensor, Tensor> native_layer_norm(const Tensor& input, IntArray normalized_shape, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias, double eps);
// Divides by the root mean square over the last dimensions, `normalized_shape`.
Tensor rms_norm(const Tensor& input, IntArray normalized_shape, const std::optional<Tensor>& weight = {}, std::optional<double> eps = {});
// Logarithm of softmax along `dim`, computed without overflow.
Tensor log_softmax(const Tensor& self, std::int64_t dim, std::optional<Dtype> dtype = {});
const Tensor& log_softmax_out(const Tensor& out, const Tensor& self, std::int64_t dim, std::optional<Dtype> dtype = {});
// Logarithm of softmax along `dim`; `half_to_float` gives a float32 result for float16.
Tensor _log_softmax(const Tensor& self, std::int64_t dim, bool half_to_float);
const Tensor& _log_softmax_out(const Tensor& out, const Tensor& self, std::int64_t dim, bool half_to_float);
// Batch normalisation with the mean and reciprocal deviation of each channel.
std::tuple<Tensor, Tensor, Tensor> native_batch_norm(const Tensor& input, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias, const std::optional<Tensor>& running_mean, const std::optional<Tensor>& running_var, bool training, double momentum, double eps);
std::tuple<Tensor, Tensor, Tensor> native_batch_norm_out(const Tensor& out0, const Tensor& out1, const Tensor& out2, const Tensor& input, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias, const std::optional<Tensor>& running_mean, const std::optional<Tensor>& running_var, bool training, double momentum, double eps);
// Vector norm of order `p` of `x1 - x2 + eps` over the last dimension.
Tensor pairwise_distance(const Tensor& x1, const Tensor& x2, double p = 2, double eps = 1e-06, bool keepdim = false);
// Distances of order `p` between all rows of `x1` and all rows of `x2`.
Tensor cdist(const Tensor& x1, const Tensor& x2, double p = 2, std::optional<std::int64_t> compute_mode = {});
// Euclidean distances between all rows of two matrices, by a matrix product.
Tensor _euclidean_dist(const Tensor& x1, const Tensor& x2);
// Distances of order `p` between all rows of two matrices, unchecked.
Tensor _cdist_forward(const Tensor& x1, const Tensor& x2, double p, std::optional<std::int64_t> compute_mode);
// Distances of order `p` between all pairs of rows.
Tensor pdist(const Tensor& self, double p = 2);
// Cosine of the angle between vectors along `dim`.
Tensor cosine_similarity(const Tensor& x1, const Tensor& x2, std::int64_t dim = 1, double eps = 1e-08);
// Rescales `self` along `dim` so that its elements are positive and sum to 1.
Tensor softmax(const Tensor& self, std::int64_t dim, std::optional<Dtype> dtype = {});
const Tensor& softmax_out(const Tensor& out, const Tensor& self, std::int64_t dim, std::optional<Dtype> dtype = {});
// Softmax along `dim`; `half_to_float` gives a float32 result for float16.
Tensor _softmax(const Tensor& self, std::int64_t dim, bool half_to_float);
const Tensor& _softmax_out(const Tensor& out, const Tensor& self, std::int64_t dim, bool half_to_float);
// Vector norm over every dimension but `dim`.
Tensor norm_except_dim(const Tensor& v, std::int64_t pow = 2, std::int64_t dim = 0);
// Rescales `v` so that its norms over every dimension but `dim` are `g`.
Tensor _weight_norm(const Tensor& v, const Tensor& g, std::int64_t dim = 0);
// Cross-entropy of logits against class indices or probabilities.
Tensor cross_entropy_loss(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight = {}, std::int64_t reduction = 1, std::int64_t ignore_index = -100, double label_smoothing = 0.0);
// Margin loss of one class against all others.
Tensor multi_margin_loss(const Tensor& self, const Tensor& target, const Scalar& p = 1, const Scalar& margin = 1, const std::optional<Tensor>& weight = {}, std::int64_t reduction = 1);
const Tensor& multi_margin_loss_out(const Tensor& out, const Tensor& self, const Tensor& target, const Scalar& p = 1, const Scalar& margin = 1, const std::optional<Tensor>& weight = {}, std::int64_t reduction = 1);
// Margin loss of several classes against all others.
Tensor multilabel_margin_loss(const Tensor& self, const Tensor& target, std::int64_t reduction = 1);
const Tensor& multilabel_margin_loss_out(const Tensor& out, const Tensor& self, const Tensor& target, std::int64_t reduction = 1);
// Margin loss of several classes, with which classes are targets.
std::tuple<Tensor, Tensor> multilabel_margin_loss_forward(const Tensor& self, const Tensor& target, std::int64_t reduction);
std::tuple<Tensor, Tensor> multilabel_margin_loss_forward_out(const Tensor& out0, const Tensor& out1, const Tensor& self, const Tensor& target, std::int64_t reduction);
// Negative log likelihood of class indices for an input of any number of dimensions.
Tensor nll_loss_nd(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight = {}, std::int64_t reduction = 1, std::int64_t ignore_index = -100);
// Negative log likelihood of class indices.
Tensor nll_loss(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight = {}, std::int64_t reduction = 1, std::int64_t ignore_index = -100);
const Tensor& nll_loss_out(const Tensor& out, const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight = {}, std::int64_t reduction = 1, std::int64_t ignore_index = -100);
// Negative log likelihood of class indices, with the total weight of the targets.
std::tuple<Tensor, Tensor> nll_loss_forward(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight, std::int64_t reduction, std::int64_t ignore_index);
std::tuple<Tensor, Tensor> nll_loss_forward_out(const Tensor& out0, const Tensor& out1, const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight, std::int64_t reduction, std::int64_t ignore_index);
// Negative log likelihood of class indices at positions of images.
Tensor nll_loss2d(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight = {}, std::int64_t reduction = 1, std::int64_t ignore_index = -100);
const Tensor& nll_loss2d_out(const Tensor& out, const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight = {}, std::int64_t reduction = 1, std::int64_t ignore_index = -100);
// Negative log likelihood of class indices at positions of images, with the total weight.
std::tuple<Tensor, Tensor> nll_loss2d_forward(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight, std::int64_t reduction, std::int64_t ignore_index);
std::tuple<Tensor, Tensor> nll_loss2d_forward_out(const Tensor& out0, const Tensor& out1, const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight, std::int64_t reduction, std::int64_t ignore_index);
// Gradient of softmax with the result `output`.
Tensor _softmax_backward_data(const Tensor& grad_output, const Tensor& output, std::int64_t dim, Dtype input_dtype);
// Gradient of log_softmax with the result `output`.
Tensor _log_softmax_backward_data(const Tensor& grad_output, const Tensor& output, std::int64_t dim, Dtype input_dtype);
// RMS normalisation with the reciprocal root mean square of each row.
std::tuple<Tensor, Tensor> _fused_rms_norm(const Tensor& input, IntArray normalized_shape, const std::optional<Tensor>& weight, std::optional<double> eps);
// Cross-entropy of rows of logits, with the total weight and the logarithmic sums of the rows.
std::tuple<Tensor, Tensor, Tensor> _cross_entropy(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight, std::int64_t reduction, std::int64_t ignore_index);
// Gradient of the negative log likelihood with respect to its input.
Tensor nll_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight, std::int64_t reduction, std::int64_t ignore_index, const Tensor& total_weight);
// Gradient of the negative log likelihood with respect to its input.
Tensor nll_loss2d_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight, std::int64_t reduction, std::int64_t ignore_index, const Tensor& total_weight);
// See `softmax`.
Tensor special_softmax(const Tensor& self, std::int64_t dim, std::optional<Dtype> dtype = {});
// See `log_softmax`.
Tensor special_log_softmax(const Tensor& self, std::int64_t dim, std::optional<Dtype> dtype = {});
// Softmax along `dim` that is zero where all elements are minus infinity.
Tensor _safe_softmax(const Tensor& self, std::int64_t dim, std::optional<Dtype> dtype = {});
// Softmax along `dim` over the elements where `mask` is false.
Tensor _masked_softmax(const Tensor& self, const Tensor& mask, std::optional<std::int64_t> dim = {}, std::optional<std::int64_t> mask_type = {});
// Rescales `v` so that its norms over every dimension but the first or last are `g`; with the norms it had.
std::tuple<Tensor, Tensor> _weight_norm_interface(const Tensor& v, const Tensor& g, std::int64_t dim = 0);
// Absolute value; the magnitude of complex elements.
Tensor abs(const Tensor& self);
const Tensor& abs_(const Tensor& self);
const Tensor& abs_out(const Tensor& out, const Tensor& self);
// Another name of `abs`.
Tensor absolute(const Tensor& self);
const Tensor& absolute_(const Tensor& self);
const Tensor& absolute_out(const Tensor& out, const Tensor& self);
// Adds `other`, scaled by `alpha`, to `self`.
Tensor add(const Tensor& self, const Tensor& other, const Scalar& alpha = 1);
const Tensor& add_(const Tensor& self, const Tensor& other, const Scalar& alpha = 1);
const Tensor& add_out(const Tensor& out, const Tensor& self, const Tensor& other, const Scalar& alpha = 1);
// Adds `other`, scaled by `alpha`, to `self`.
Tensor add(const Tensor& self, const Scalar& other, const Scalar& alpha = 1);
const Tensor& add_(const Tensor& self, const Scalar& other, const Scalar& alpha = 1);
const Tensor& add_out(const Tensor& out, const Tensor& self, const Scalar& other, const Scalar& alpha = 1);
// Magnitude of `self` with the sign of `other`.
Tensor copysign(const Tensor& self, const Tensor& other);
const Tensor& copysign_(const Tensor& self, const Tensor& other);
const Tensor& copysign_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Magnitude of `self` with the sign of `other`.
Tensor copysign(const Tensor& self, const Scalar& other);
const Tensor& copysign_(const Tensor& self, const Scalar& other);
const Tensor& copysign_out(const Tensor& out, const Tensor& self, const Scalar& other);
// Divides `self` by `other`; integers become the default float.
Tensor div(const Tensor& self, const Tensor& other);
const Tensor& div_(const Tensor& self, const Tensor& other);
const Tensor& div_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Divides `self` by `other`; integers become the default float.
Tensor div(const Tensor& self, const Scalar& other);
const Tensor& div_(const Tensor& self, const Scalar& other);
const Tensor& div_out(const Tensor& out, const Tensor& self, const Scalar& other);
// Divides and rounds: `None`, 'trunc' towards zero, or 'floor' downwards.
Tensor div(const Tensor& self, const Tensor& other, std::optional<std::string_view> rounding_mode);
const Tensor& div_(const Tensor& self, const Tensor& other, std::optional<std::string_view> rounding_mode);
const Tensor& div_out(const Tensor& out, const Tensor& self, const Tensor& other, std::optional<std::string_view> rounding_mode);
// Divides and rounds: `None`, 'trunc' towards zero, or 'floor' downwards.
Tensor div(const Tensor& self, const Scalar& other, std::optional<std::string_view> rounding_mode);
const Tensor& div_(const Tensor& self, const Scalar& other, std::optional<std::string_view> rounding_mode);
const Tensor& div_out(const Tensor& out, const Tensor& self, const Scalar& other, std::optional<std::string_view> rounding_mode);
// Another name of `div`.
Tensor divide(const Tensor& self, const Tensor& other);
const Tensor& divide_(const Tensor& self, const Tensor& other);
const Tensor& divide_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Another name of `div`.
Tensor divide(const Tensor& self, const Tensor& other, std::optional<std::string_view> rounding_mode);
const Tensor& divide_(const Tensor& self, const Tensor& other, std::optional<std::string_view> rounding_mode);
const Tensor& divide_out(const Tensor& out, const Tensor& self, const Tensor& other, std::optional<std::string_view> rounding_mode);
// Another name of `div`.
Tensor divide(const Tensor& self, const Scalar& other);
const Tensor& divide_(const Tensor& self, const Scalar& other);
const Tensor& divide_out(const Tensor& out, const Tensor& self, const Scalar& other);
// Another name of `div`.
Tensor divide(const Tensor& self, const Scalar& other, std::optional<std::string_view> rounding_mode);
const Tensor& divide_(const Tensor& self, const Scalar& other, std::optional<std::string_view> rounding_mode);
const Tensor& divide_out(const Tensor& out, const Tensor& self, const Scalar& other, std::optional<std::string_view> rounding_mode);
// Another name of `div`.
Tensor true_divide(const Tensor& self, const Tensor& other);
const Tensor& true_divide_(const Tensor& self, const Tensor& other);
const Tensor& true_divide_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Another name of `div`.
Tensor true_divide(const Tensor& self, const Scalar& other);
const Tensor& true_divide_(const Tensor& self, const Scalar& other);
const Tensor& true_divide_out(const Tensor& out, const Tensor& self, const Scalar& other);
// Quotient rounded down.
Tensor floor_divide(const Tensor& self, const Tensor& other);
const Tensor& floor_divide_(const Tensor& self, const Tensor& other);
const Tensor& floor_divide_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Quotient rounded down.
Tensor floor_divide(const Tensor& self, const Scalar& other);
const Tensor& floor_divide_(const Tensor& self, const Scalar& other);
const Tensor& floor_divide_out(const Tensor& out, const Tensor& self, const Scalar& other);
// Multiplies `self` by `other`.
Tensor mul(const Tensor& self, const Tensor& other);
const Tensor& mul_(const Tensor& self, const Tensor& other);
const Tensor& mul_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Multiplies `self` by `other`.
Tensor mul(const Tensor& self, const Scalar& other);
const Tensor& mul_(const Tensor& self, const Scalar& other);
const Tensor& mul_out(const Tensor& out, const Tensor& self, const Scalar& other);
// Another name of `mul`.
Tensor multiply(const Tensor& self, const Tensor& other);
const Tensor& multiply_(const Tensor& self, const Tensor& other);
const Tensor& multiply_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Another name of `mul`.
Tensor multiply(const Tensor& self, const Scalar& other);
const Tensor& multiply_(const Tensor& self, const Scalar& other);
const Tensor& multiply_out(const Tensor& out, const Tensor& self, const Scalar& other);
// One divided by each element.
Tensor reciprocal(const Tensor& self);
const Tensor& reciprocal_(const Tensor& self);
const Tensor& reciprocal_out(const Tensor& out, const Tensor& self);
// Negates each element.
Tensor neg(const Tensor& self);
const Tensor& neg_(const Tensor& self);
const Tensor& neg_out(const Tensor& out, const Tensor& self);
// Another name of `neg`.
Tensor negative(const Tensor& self);
const Tensor& negative_(const Tensor& self);
const Tensor& negative_out(const Tensor& out, const Tensor& self);
// Subtracts `other`, scaled by `alpha`, from `self`.
Tensor sub(const Tensor& self, const Tensor& other, const Scalar& alpha = 1);
const Tensor& sub_(const Tensor& self, const Tensor& other, const Scalar& alpha = 1);
const Tensor& sub_out(const Tensor& out, const Tensor& self, const Tensor& other, const Scalar& alpha = 1);
// Subtracts `other`, scaled by `alpha`, from `self`.
Tensor sub(const Tensor& self, const Scalar& other, const Scalar& alpha = 1);
const Tensor& sub_(const Tensor& self, const Scalar& other, const Scalar& alpha = 1);
const Tensor& sub_out(const Tensor& out, const Tensor& self, const Scalar& other, const Scalar& alpha = 1);
// Another name of `sub`.
Tensor subtract(const Tensor& self, const Tensor& other, const Scalar& alpha = 1);
const Tensor& subtract_(const Tensor& self, const Tensor& other, const Scalar& alpha = 1);
const Tensor& subtract_out(const Tensor& out, const Tensor& self, const Tensor& other, const Scalar& alpha = 1);
// Another name of `sub`.
Tensor subtract(const Tensor& self, const Scalar& other, const Scalar& alpha = 1);
const Tensor& subtract_(const Tensor& self, const Scalar& other, const Scalar& alpha = 1);
const Tensor& subtract_out(const Tensor& out, const Tensor& self, const Scalar& other, const Scalar& alpha = 1);
// Subtracts `self`, scaled by `alpha`, from `other`.
Tensor rsub(const Tensor& self, const Tensor& other, const Scalar& alpha = 1);
// Subtracts `self`, scaled by `alpha`, from `other`.
Tensor rsub(const Tensor& self, const Scalar& other, const Scalar& alpha = 1);
// Adds `value` times the product of two tensors.
Tensor addcmul(const Tensor& self, const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1);
const Tensor& addcmul_(const Tensor& self, const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1);
const Tensor& addcmul_out(const Tensor& out, const Tensor& self, const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1);
// Adds `value` times the quotient of two tensors.
Tensor addcdiv(const Tensor& self, const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1);
const Tensor& addcdiv_(const Tensor& self, const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1);
const Tensor& addcdiv_out(const Tensor& out, const Tensor& self, const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1);
// -1, 0 or 1 by the sign of each element.
Tensor sign(const Tensor& self);
const Tensor& sign_(const Tensor& self);
const Tensor& sign_out(const Tensor& out, const Tensor& self);
// Moves from `self` towards `end` by `weight`.
Tensor lerp(const Tensor& self, const Tensor& end, const Tensor& weight);
const Tensor& lerp_(const Tensor& self, const Tensor& end, const Tensor& weight);
const Tensor& lerp_out(const Tensor& out, const Tensor& self, const Tensor& end, const Tensor& weight);
// Moves from `self` towards `end` by the number `weight`.
Tensor lerp(const Tensor& self, const Tensor& end, const Scalar& weight);
const Tensor& lerp_(const Tensor& self, const Tensor& end, const Scalar& weight);
const Tensor& lerp_out(const Tensor& out, const Tensor& self, const Tensor& end, const Scalar& weight);
// Inverts the bits of integers; negates bool.
Tensor bitwise_not(const Tensor& self);
const Tensor& bitwise_not_(const Tensor& self);
const Tensor& bitwise_not_out(const Tensor& out, const Tensor& self);
// Greatest common divisor.
Tensor gcd(const Tensor& self, const Tensor& other);
const Tensor& gcd_(const Tensor& self, const Tensor& other);
const Tensor& gcd_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Least common multiple.
Tensor lcm(const Tensor& self, const Tensor& other);
const Tensor& lcm_(const Tensor& self, const Tensor& other);
const Tensor& lcm_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Bits that are set in both.
Tensor bitwise_and(const Scalar& self, const Tensor& other);
const Tensor& bitwise_and_out(const Tensor& out, const Scalar& self, const Tensor& other);
// Bits that are set in both.
Tensor bitwise_and(const Tensor& self, const Tensor& other);
const Tensor& bitwise_and_(const Tensor& self, const Tensor& other);
const Tensor& bitwise_and_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Bits that are set in both.
Tensor bitwise_and(const Tensor& self, const Scalar& other);
const Tensor& bitwise_and_(const Tensor& self, const Scalar& other);
const Tensor& bitwise_and_out(const Tensor& out, const Tensor& self, const Scalar& other);
// Bits that are set in either.
Tensor bitwise_or(const Scalar& self, const Tensor& other);
const Tensor& bitwise_or_out(const Tensor& out, const Scalar& self, const Tensor& other);
// Bits that are set in either.
Tensor bitwise_or(const Tensor& self, const Tensor& other);
const Tensor& bitwise_or_(const Tensor& self, const Tensor& other);
const Tensor& bitwise_or_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Bits that are set in either.
Tensor bitwise_or(const Tensor& self, const Scalar& other);
const Tensor& bitwise_or_(const Tensor& self, const Scalar& other);
const Tensor& bitwise_or_out(const Tensor& out, const Tensor& self, const Scalar& other);
// Bits that are set in one of both.
Tensor bitwise_xor(const Scalar& self, const Tensor& other);
const Tensor& bitwise_xor_out(const Tensor& out, const Scalar& self, const Tensor& other);
// Bits that are set in one of both.
Tensor bitwise_xor(const Tensor& self, const Tensor& other);
const Tensor& bitwise_xor_(const Tensor& self, const Tensor& other);
const Tensor& bitwise_xor_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Bits that are set in one of both.
Tensor bitwise_xor(const Tensor& self, const Scalar& other);
const Tensor& bitwise_xor_(const Tensor& self, const Scalar& other);
const Tensor& bitwise_xor_out(const Tensor& out, const Tensor& self, const Scalar& other);
// Shifts bits to the left.
Tensor bitwise_left_shift(const Tensor& self, const Tensor& other);
const Tensor& bitwise_left_shift_(const Tensor& self, const Tensor& other);
const Tensor& bitwise_left_shift_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Shifts bits to the left.
Tensor bitwise_left_shift(const Tensor& self, const Scalar& other);
const Tensor& bitwise_left_shift_(const Tensor& self, const Scalar& other);
const Tensor& bitwise_left_shift_out(const Tensor& out, const Tensor& self, const Scalar& other);
// Shifts bits to the left.
Tensor bitwise_left_shift(const Scalar& self, const Tensor& other);
const Tensor& bitwise_left_shift_out(const Tensor& out, const Scalar& self, const Tensor& other);
// Shifts bits to the right, keeping the sign.
Tensor bitwise_right_shift(const Tensor& self, const Tensor& other);
const Tensor& bitwise_right_shift_(const Tensor& self, const Tensor& other);
const Tensor& bitwise_right_shift_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Shifts bits to the right, keeping the sign.
Tensor bitwise_right_shift(const Tensor& self, const Scalar& other);
const Tensor& bitwise_right_shift_(const Tensor& self, const Scalar& other);
const Tensor& bitwise_right_shift_out(const Tensor& out, const Tensor& self, const Scalar& other);
// Shifts bits to the right, keeping the sign.
Tensor bitwise_right_shift(const Scalar& self, const Tensor& other);
const Tensor& bitwise_right_shift_out(const Tensor& out, const Scalar& self, const Tensor& other);
// Whether all elements of both tensors are close in the sense of `isclose`.
bool allclose(const Tensor& self, const Tensor& other, double rtol = 1e-05, double atol = 1e-08, bool equal_nan = false);
// True where an element is zero.
Tensor logical_not(const Tensor& self);
const Tensor& logical_not_(const Tensor& self);
const Tensor& logical_not_out(const Tensor& out, const Tensor& self);
// True where exactly one element is nonzero.
Tensor logical_xor(const Tensor& self, const Tensor& other);
const Tensor& logical_xor_(const Tensor& self, const Tensor& other);
const Tensor& logical_xor_out(const Tensor& out, const Tensor& self, const Tensor& other);
// True where both elements are nonzero.
Tensor logical_and(const Tensor& self, const Tensor& other);
const Tensor& logical_and_(const Tensor& self, const Tensor& other);
const Tensor& logical_and_out(const Tensor& out, const Tensor& self, const Tensor& other);
// True where at least one element is nonzero.
Tensor logical_or(const Tensor& self, const Tensor& other);
const Tensor& logical_or_(const Tensor& self, const Tensor& other);
const Tensor& logical_or_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Limits each element to the range from `min` to `max`, tensors that broadcast with `self`.
Tensor clamp(const Tensor& self, const std::optional<Tensor>& min = {}, const std::optional<Tensor>& max = {});
const Tensor& clamp_(const Tensor& self, const std::optional<Tensor>& min = {}, const std::optional<Tensor>& max = {});
const Tensor& clamp_out(const Tensor& out, const Tensor& self, const std::optional<Tensor>& min = {}, const std::optional<Tensor>& max = {});
// Limits each element to the range from `min` to `max`.
Tensor clamp(const Tensor& self, const std::optional<Scalar>& min = {}, const std::optional<Scalar>& max = {});
const Tensor& clamp_(const Tensor& self, const std::optional<Scalar>& min = {}, const std::optional<Scalar>& max = {});
const Tensor& clamp_out(const Tensor& out, const Tensor& self, const std::optional<Scalar>& min = {}, const std::optional<Scalar>& max = {});
// Limits each element from above by the element of `max`.
Tensor clamp_max(const Tensor& self, const Tensor& max);
const Tensor& clamp_max_(const Tensor& self, const Tensor& max);
const Tensor& clamp_max_out(const Tensor& out, const Tensor& self, const Tensor& max);
// Limits each element from above.
Tensor clamp_max(const Tensor& self, const Scalar& max);
const Tensor& clamp_max_(const Tensor& self, const Scalar& max);
const Tensor& clamp_max_out(const Tensor& out, const Tensor& self, const Scalar& max);
// Limits each element from below by the element of `min`.
Tensor clamp_min(const Tensor& self, const Tensor& min);
const Tensor& clamp_min_(const Tensor& self, const Tensor& min);
const Tensor& clamp_min_out(const Tensor& out, const Tensor& self, const Tensor& min);
// Limits each element from below.
Tensor clamp_min(const Tensor& self, const Scalar& min);
const Tensor& clamp_min_(const Tensor& self, const Scalar& min);
const Tensor& clamp_min_out(const Tensor& out, const Tensor& self, const Scalar& min);
// Another name of `clamp`.
Tensor clip(const Tensor& self, const std::optional<Tensor>& min = {}, const std::optional<Tensor>& max = {});
const Tensor& clip_(const Tensor& self, const std::optional<Tensor>& min = {}, const std::optional<Tensor>& max = {});
const Tensor& clip_out(const Tensor& out, const Tensor& self, const std::optional<Tensor>& min = {}, const std::optional<Tensor>& max = {});
// Another name of `clamp`.
Tensor clip(const Tensor& self, const std::optional<Scalar>& min = {}, const std::optional<Scalar>& max = {});
const Tensor& clip_(const Tensor& self, const std::optional<Scalar>& min = {}, const std::optional<Scalar>& max = {});
const Tensor& clip_out(const Tensor& out, const Tensor& self, const std::optional<Scalar>& min = {}, const std::optional<Scalar>& max = {});
// True where |self - other| <= atol + rtol |other|.
Tensor isclose(const Tensor& self, const Tensor& other, double rtol = 1e-05, double atol = 1e-08, bool equal_nan = false);
// True where an element is not a number.
Tensor isnan(const Tensor& self);
// True where the imaginary part is zero.
Tensor isreal(const Tensor& self);
// 0 below zero, 1 above, `values` at zero.
Tensor heaviside(const Tensor& self, const Tensor& values);
const Tensor& heaviside_(const Tensor& self, const Tensor& values);
const Tensor& heaviside_out(const Tensor& out, const Tensor& self, const Tensor& values);
// True where elements differ.
Tensor ne(const Tensor& self, const Tensor& other);
const Tensor& ne_(const Tensor& self, const Tensor& other);
const Tensor& ne_out(const Tensor& out, const Tensor& self, const Tensor& other);
// True where elements differ.
Tensor ne(const Tensor& self, const Scalar& other);
const Tensor& ne_(const Tensor& self, const Scalar& other);
const Tensor& ne_out(const Tensor& out, const Tensor& self, const Scalar& other);
// Another name of `ne`.
Tensor not_equal(const Tensor& self, const Scalar& other);
const Tensor& not_equal_(const Tensor& self, const Scalar& other);
const Tensor& not_equal_out(const Tensor& out, const Tensor& self, const Scalar& other);
// Another name of `ne`.
Tensor not_equal(const Tensor& self, const Tensor& other);
const Tensor& not_equal_(const Tensor& self, const Tensor& other);
const Tensor& not_equal_out(const Tensor& out, const Tensor& self, const Tensor& other);
// True where elements are equal.
Tensor eq(const Tensor& self, const Tensor& other);
const Tensor& eq_(const Tensor& self, const Tensor& other);
const Tensor& eq_out(const Tensor& out, const Tensor& self, const Tensor& other);
// True where elements are equal.
Tensor eq(const Tensor& self, const Scalar& other);
const Tensor& eq_(const Tensor& self, const Scalar& other);
const Tensor& eq_out(const Tensor& out, const Tensor& self, const Scalar& other);
// True where self >= other.
Tensor ge(const Tensor& self, const Tensor& other);
const Tensor& ge_(const Tensor& self, const Tensor& other);
const Tensor& ge_out(const Tensor& out, const Tensor& self, const Tensor& other);
// True where self >= other.
Tensor ge(const Tensor& self, const Scalar& other);
const Tensor& ge_(const Tensor& self, const Scalar& other);
const Tensor& ge_out(const Tensor& out, const Tensor& self, const Scalar& other);
// Another name of `ge`.
Tensor greater_equal(const Tensor& self, const Scalar& other);
const Tensor& greater_equal_(const Tensor& self, const Scalar& other);
const Tensor& greater_equal_out(const Tensor& out, const Tensor& self, const Scalar& other);
// Another name of `ge`.
Tensor greater_equal(const Tensor& self, const Tensor& other);
const Tensor& greater_equal_(const Tensor& self, const Tensor& other);
const Tensor& greater_equal_out(const Tensor& out, const Tensor& self, const Tensor& other);
// True where self <= other.
Tensor le(const Tensor& self, const Tensor& other);
const Tensor& le_(const Tensor& self, const Tensor& other);
const Tensor& le_out(const Tensor& out, const Tensor& self, const Tensor& other);
// True where self <= other.
Tensor le(const Tensor& self, const Scalar& other);
const Tensor& le_(const Tensor& self, const Scalar& other);
const Tensor& le_out(const Tensor& out, const Tensor& self, const Scalar& other);
// Another name of `le`.
Tensor less_equal(const Tensor& self, const Scalar& other);
const Tensor& less_equal_(const Tensor& self, const Scalar& other);
const Tensor& less_equal_out(const Tensor& out, const Tensor& self, const Scalar& other);
// Another name of `le`.
Tensor less_equal(const Tensor& self, const Tensor& other);
const Tensor& less_equal_(const Tensor& self, const Tensor& other);
const Tensor& less_equal_out(const Tensor& out, const Tensor& self, const Tensor& other);
// True where self > other.
Tensor gt(const Tensor& self, const Tensor& other);
const Tensor& gt_(const Tensor& self, const Tensor& other);
const Tensor& gt_out(const Tensor& out, const Tensor& self, const Tensor& other);
// True where self > other.
Tensor gt(const Tensor& self, const Scalar& other);
const Tensor& gt_(const Tensor& self, const Scalar& other);
const Tensor& gt_out(const Tensor& out, const Tensor& self, const Scalar& other);
// Another name of `gt`.
Tensor greater(const Tensor& self, const Scalar& other);
const Tensor& greater_(const Tensor& self, const Scalar& other);
const Tensor& greater_out(const Tensor& out, const Tensor& self, const Scalar& other);
// Another name of `gt`.
Tensor greater(const Tensor& self, const Tensor& other);
const Tensor& greater_(const Tensor& self, const Tensor& other);
const Tensor& greater_out(const Tensor& out, const Tensor& self, const Tensor& other);
// True where self < other.
Tensor lt(const Tensor& self, const Tensor& other);
const Tensor& lt_(const Tensor& self, const Tensor& other);
const Tensor& lt_out(const Tensor& out, const Tensor& self, const Tensor& other);
// True where self < other.
Tensor lt(const Tensor& self, const Scalar& other);
const Tensor& lt_(const Tensor& self, const Scalar& other);
const Tensor& lt_out(const Tensor& out, const Tensor& self, const Scalar& other);
// Another name of `lt`.
Tensor less(const Tensor& self, const Scalar& other);
const Tensor& less_(const Tensor& self, const Scalar& other);
const Tensor& less_out(const Tensor& out, const Tensor& self, const Scalar& other);
// Another name of `lt`.
Tensor less(const Tensor& self, const Tensor& other);
const Tensor& less_(const Tensor& self, const Tensor& other);
const Tensor& less_out(const Tensor& out, const Tensor& self, const Tensor& other);
// True where the sign bit is set, which -0.0 has too.
Tensor signbit(const Tensor& self);
const Tensor& signbit_out(const Tensor& out, const Tensor& self);
// Smaller element, ignoring NaN.
Tensor fmin(const Tensor& self, const Tensor& other);
const Tensor& fmin_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Larger element, ignoring NaN.
Tensor fmax(const Tensor& self, const Tensor& other);
const Tensor& fmax_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Larger element; NaN wins.
Tensor maximum(const Tensor& self, const Tensor& other);
const Tensor& maximum_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Smaller element; NaN wins.
Tensor minimum(const Tensor& self, const Tensor& other);
const Tensor& minimum_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Whether both tensors have the same shape and elements.
bool equal(const Tensor& self, const Tensor& other);
// True where an element is neither infinite nor NaN.
Tensor isfinite(const Tensor& self);
// True where an element is infinite.
Tensor isinf(const Tensor& self);
// True where an element is positive infinity.
Tensor isposinf(const Tensor& self);
const Tensor& isposinf_out(const Tensor& out, const Tensor& self);
// True where an element is negative infinity.
Tensor isneginf(const Tensor& self);
const Tensor& isneginf_out(const Tensor& out, const Tensor& self);
// Argument of complex elements in radians; 0 or pi for real ones.
Tensor angle(const Tensor& self);
const Tensor& angle_out(const Tensor& out, const Tensor& self);
// Sign of real elements, unit vector of complex ones.
Tensor sgn(const Tensor& self);
const Tensor& sgn_(const Tensor& self);
const Tensor& sgn_out(const Tensor& out, const Tensor& self);
// Complex conjugate in new memory.
Tensor conj_physical(const Tensor& self);
const Tensor& conj_physical_(const Tensor& self);
const Tensor& conj_physical_out(const Tensor& out, const Tensor& self);
// Complex tensor of two real ones.
Tensor complex(const Tensor& real, const Tensor& imag);
const Tensor& complex_out(const Tensor& out, const Tensor& real, const Tensor& imag);
// Complex tensor of lengths and angles.
Tensor polar(const Tensor& abs, const Tensor& angle);
const Tensor& polar_out(const Tensor& out, const Tensor& abs, const Tensor& angle);
// Exponential of each element.
Tensor exp(const Tensor& self);
const Tensor& exp_(const Tensor& self);
const Tensor& exp_out(const Tensor& out, const Tensor& self);
// Two to the power of each element.
Tensor exp2(const Tensor& self);
const Tensor& exp2_(const Tensor& self);
const Tensor& exp2_out(const Tensor& out, const Tensor& self);
// Exponential minus one, accurate near zero.
Tensor expm1(const Tensor& self);
const Tensor& expm1_(const Tensor& self);
const Tensor& expm1_out(const Tensor& out, const Tensor& self);
// Multiplies `self` by two to the power of `other`.
Tensor ldexp(const Tensor& self, const Tensor& other);
const Tensor& ldexp_(const Tensor& self, const Tensor& other);
const Tensor& ldexp_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Natural logarithm.
Tensor log(const Tensor& self);
const Tensor& log_(const Tensor& self);
const Tensor& log_out(const Tensor& out, const Tensor& self);
// Logarithm to base 10.
Tensor log10(const Tensor& self);
const Tensor& log10_(const Tensor& self);
const Tensor& log10_out(const Tensor& out, const Tensor& self);
// Logarithm of one plus each element, accurate near zero.
Tensor log1p(const Tensor& self);
const Tensor& log1p_(const Tensor& self);
const Tensor& log1p_out(const Tensor& out, const Tensor& self);
// Logarithm to base 2.
Tensor log2(const Tensor& self);
const Tensor& log2_(const Tensor& self);
const Tensor& log2_out(const Tensor& out, const Tensor& self);
// Logarithm of the sum of exponentials.
Tensor logaddexp(const Tensor& self, const Tensor& other);
const Tensor& logaddexp_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Logarithm to base 2 of the sum of powers of two.
Tensor logaddexp2(const Tensor& self, const Tensor& other);
const Tensor& logaddexp2_out(const Tensor& out, const Tensor& self, const Tensor& other);
// One divided by the square root.
Tensor rsqrt(const Tensor& self);
const Tensor& rsqrt_(const Tensor& self);
const Tensor& rsqrt_out(const Tensor& out, const Tensor& self);
// Square root.
Tensor sqrt(const Tensor& self);
const Tensor& sqrt_(const Tensor& self);
const Tensor& sqrt_out(const Tensor& out, const Tensor& self);
// Square of each element.
Tensor square(const Tensor& self);
const Tensor& square_(const Tensor& self);
const Tensor& square_out(const Tensor& out, const Tensor& self);
// Splits into a mantissa of [0.5, 1) and a power of two.
std::tuple<Tensor, Tensor> frexp(const Tensor& self);
std::tuple<Tensor, Tensor> frexp_out(const Tensor& out0, const Tensor& out1, const Tensor& self);
// Elements of `self` to the power of those of `exponent`.
Tensor pow(const Tensor& self, const Tensor& exponent);
const Tensor& pow_(const Tensor& self, const Tensor& exponent);
const Tensor& pow_out(const Tensor& out, const Tensor& self, const Tensor& exponent);
// A number to the power of each exponent.
Tensor pow(const Scalar& self, const Tensor& exponent);
const Tensor& pow_out(const Tensor& out, const Scalar& self, const Tensor& exponent);
// Elements of `self` to the power of a number.
Tensor pow(const Tensor& self, const Scalar& exponent);
const Tensor& pow_(const Tensor& self, const Scalar& exponent);
const Tensor& pow_out(const Tensor& out, const Tensor& self, const Scalar& exponent);
// Power in float64 or complex128.
Tensor float_power(const Tensor& self, const Tensor& exponent);
const Tensor& float_power_(const Tensor& self, const Tensor& exponent);
const Tensor& float_power_out(const Tensor& out, const Tensor& self, const Tensor& exponent);
// Power in float64 or complex128.
Tensor float_power(const Scalar& self, const Tensor& exponent);
const Tensor& float_power_out(const Tensor& out, const Scalar& self, const Tensor& exponent);
// Power in float64 or complex128.
Tensor float_power(const Tensor& self, const Scalar& exponent);
const Tensor& float_power_(const Tensor& self, const Scalar& exponent);
const Tensor& float_power_out(const Tensor& out, const Tensor& self, const Scalar& exponent);
// Smallest integer not below each element.
Tensor ceil(const Tensor& self);
const Tensor& ceil_(const Tensor& self);
const Tensor& ceil_out(const Tensor& out, const Tensor& self);
// Largest integer not above each element.
Tensor floor(const Tensor& self);
const Tensor& floor_(const Tensor& self);
const Tensor& floor_out(const Tensor& out, const Tensor& self);
// Fractional part, with the element's sign.
Tensor frac(const Tensor& self);
const Tensor& frac_(const Tensor& self);
const Tensor& frac_out(const Tensor& out, const Tensor& self);
// Nearest integer, ties to even.
Tensor round(const Tensor& self);
const Tensor& round_(const Tensor& self);
const Tensor& round_out(const Tensor& out, const Tensor& self);
// Rounds to `decimals` places after the point.
Tensor round(const Tensor& self, std::int64_t decimals);
const Tensor& round_(const Tensor& self, std::int64_t decimals);
const Tensor& round_out(const Tensor& out, const Tensor& self, std::int64_t decimals);
// Drops the fractional part.
Tensor trunc(const Tensor& self);
const Tensor& trunc_(const Tensor& self);
const Tensor& trunc_out(const Tensor& out, const Tensor& self);
// Another name of `trunc`.
Tensor fix(const Tensor& self);
const Tensor& fix_(const Tensor& self);
const Tensor& fix_out(const Tensor& out, const Tensor& self);
// Remainder with the sign of `self`.
Tensor fmod(const Tensor& self, const Tensor& other);
const Tensor& fmod_(const Tensor& self, const Tensor& other);
const Tensor& fmod_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Remainder with the sign of `self`.
Tensor fmod(const Tensor& self, const Scalar& other);
const Tensor& fmod_(const Tensor& self, const Scalar& other);
const Tensor& fmod_out(const Tensor& out, const Tensor& self, const Scalar& other);
// The next number after `self` in the direction of `other`.
Tensor nextafter(const Tensor& self, const Tensor& other);
const Tensor& nextafter_(const Tensor& self, const Tensor& other);
const Tensor& nextafter_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Remainder with the sign of `other`, as Python's %.
Tensor remainder(const Tensor& self, const Tensor& other);
const Tensor& remainder_(const Tensor& self, const Tensor& other);
const Tensor& remainder_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Remainder with the sign of `other`, as Python's %.
Tensor remainder(const Tensor& self, const Scalar& other);
const Tensor& remainder_(const Tensor& self, const Scalar& other);
const Tensor& remainder_out(const Tensor& out, const Tensor& self, const Scalar& other);
// Remainder with the sign of `other`, as Python's %.
Tensor remainder(const Scalar& self, const Tensor& other);
const Tensor& remainder_out(const Tensor& out, const Scalar& self, const Tensor& other);
// Replaces NaN by `nan` and infinities by `posinf` and `neginf`.
Tensor nan_to_num(const Tensor& self, std::optional<double> nan = {}, std::optional<double> posinf = {}, std::optional<double> neginf = {});
const Tensor& nan_to_num_(const Tensor& self, std::optional<double> nan = {}, std::optional<double> posinf = {}, std::optional<double> neginf = {});
const Tensor& nan_to_num_out(const Tensor& out, const Tensor& self, std::optional<double> nan = {}, std::optional<double> posinf = {}, std::optional<double> neginf = {});
// Inverse cosine.
Tensor acos(const Tensor& self);
const Tensor& acos_(const Tensor& self);
const Tensor& acos_out(const Tensor& out, const Tensor& self);
// Another name of `acos`.
Tensor arccos(const Tensor& self);
const Tensor& arccos_(const Tensor& self);
const Tensor& arccos_out(const Tensor& out, const Tensor& self);
// Inverse hyperbolic cosine.
Tensor acosh(const Tensor& self);
const Tensor& acosh_(const Tensor& self);
const Tensor& acosh_out(const Tensor& out, const Tensor& self);
// Another name of `acosh`.
Tensor arccosh(const Tensor& self);
const Tensor& arccosh_(const Tensor& self);
const Tensor& arccosh_out(const Tensor& out, const Tensor& self);
// Inverse hyperbolic sine.
Tensor asinh(const Tensor& self);
const Tensor& asinh_(const Tensor& self);
const Tensor& asinh_out(const Tensor& out, const Tensor& self);
// Another name of `asinh`.
Tensor arcsinh(const Tensor& self);
const Tensor& arcsinh_(const Tensor& self);
const Tensor& arcsinh_out(const Tensor& out, const Tensor& self);
// Inverse hyperbolic tangent.
Tensor atanh(const Tensor& self);
const Tensor& atanh_(const Tensor& self);
const Tensor& atanh_out(const Tensor& out, const Tensor& self);
// Another name of `atanh`.
Tensor arctanh(const Tensor& self);
const Tensor& arctanh_(const Tensor& self);
const Tensor& arctanh_out(const Tensor& out, const Tensor& self);
// Inverse sine.
Tensor asin(const Tensor& self);
const Tensor& asin_(const Tensor& self);
const Tensor& asin_out(const Tensor& out, const Tensor& self);
// Another name of `asin`.
Tensor arcsin(const Tensor& self);
const Tensor& arcsin_(const Tensor& self);
const Tensor& arcsin_out(const Tensor& out, const Tensor& self);
// Inverse tangent.
Tensor atan(const Tensor& self);
const Tensor& atan_(const Tensor& self);
const Tensor& atan_out(const Tensor& out, const Tensor& self);
// Another name of `atan`.
Tensor arctan(const Tensor& self);
const Tensor& arctan_(const Tensor& self);
const Tensor& arctan_out(const Tensor& out, const Tensor& self);
// Cosine of angles in radians.
Tensor cos(const Tensor& self);
const Tensor& cos_(const Tensor& self);
const Tensor& cos_out(const Tensor& out, const Tensor& self);
// Hyperbolic cosine.
Tensor cosh(const Tensor& self);
const Tensor& cosh_(const Tensor& self);
const Tensor& cosh_out(const Tensor& out, const Tensor& self);
// Radians to degrees.
Tensor rad2deg(const Tensor& self);
const Tensor& rad2deg_(const Tensor& self);
const Tensor& rad2deg_out(const Tensor& out, const Tensor& self);
// Degrees to radians.
Tensor deg2rad(const Tensor& self);
const Tensor& deg2rad_(const Tensor& self);
const Tensor& deg2rad_out(const Tensor& out, const Tensor& self);
// Sine of angles in radians.
Tensor sin(const Tensor& self);
const Tensor& sin_(const Tensor& self);
const Tensor& sin_out(const Tensor& out, const Tensor& self);
// Hyperbolic sine.
Tensor sinh(const Tensor& self);
const Tensor& sinh_(const Tensor& self);
const Tensor& sinh_out(const Tensor& out, const Tensor& self);
// Tangent of angles in radians.
Tensor tan(const Tensor& self);
const Tensor& tan_(const Tensor& self);
const Tensor& tan_out(const Tensor& out, const Tensor& self);
// Hyperbolic tangent.
Tensor tanh(const Tensor& self);
const Tensor& tanh_(const Tensor& self);
const Tensor& tanh_out(const Tensor& out, const Tensor& self);
// Angle of the point (other, self), from -pi to pi.
Tensor atan2(const Tensor& self, const Tensor& other);
const Tensor& atan2_(const Tensor& self, const Tensor& other);
const Tensor& atan2_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Another name of `atan2`.
Tensor arctan2(const Tensor& self, const Tensor& other);
const Tensor& arctan2_(const Tensor& self, const Tensor& other);
const Tensor& arctan2_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Length of the hypotenuse of a right triangle.
Tensor hypot(const Tensor& self, const Tensor& other);
const Tensor& hypot_(const Tensor& self, const Tensor& other);
const Tensor& hypot_out(const Tensor& out, const Tensor& self, const Tensor& other);
// The gradient of `tanh`, from its output.
Tensor tanh_backward(const Tensor& grad_output, const Tensor& output);
// Copies `other` into `self`, with broadcasting and conversion.
Tensor copy(const Tensor& self, const Tensor& other, bool non_blocking = false);
const Tensor& copy_(const Tensor& self, const Tensor& other, bool non_blocking = false);
// Fills the main diagonal with a number.
const Tensor& fill_diagonal_(const Tensor& self, const Scalar& fill_value, bool wrap = false);
// Every element becomes the 0-dim `value`.
Tensor fill(const Tensor& self, const Tensor& value);
const Tensor& fill_(const Tensor& self, const Tensor& value);
// Every element becomes `value`.
Tensor fill(const Tensor& self, const Scalar& value);
const Tensor& fill_(const Tensor& self, const Scalar& value);
// Sums over broadcast dimensions down to `size`.
Tensor sum_to_size(const Tensor& self, IntArray size);
// Elements of `self` where `condition` is true, of `other` elsewhere.
Tensor where(const Tensor& condition, const Tensor& self, const Tensor& other);
const Tensor& where_out(const Tensor& out, const Tensor& condition, const Tensor& self, const Tensor& other);
// The number `self` where `condition` is true, elements of `other` elsewhere.
Tensor where(const Tensor& condition, const Scalar& self, const Tensor& other);
const Tensor& where_out(const Tensor& out, const Tensor& condition, const Scalar& self, const Tensor& other);
// Elements of `self` where `condition` is true, the number `other` elsewhere.
Tensor where(const Tensor& condition, const Tensor& self, const Scalar& other);
const Tensor& where_out(const Tensor& out, const Tensor& condition, const Tensor& self, const Scalar& other);
// One of two numbers, by `condition`.
Tensor where(const Tensor& condition, const Scalar& self, const Scalar& other);
const Tensor& where_out(const Tensor& out, const Tensor& condition, const Scalar& self, const Scalar& other);
// Indices of nonzero elements, one tensor per dimension.
std::vector<Tensor> where(const Tensor& condition);
// Fills with zeros.
const Tensor& zero_(const Tensor& self);
// A copy of `self` with the 0-dim `value` where `mask` is true.
Tensor masked_fill(const Tensor& self, const Tensor& mask, const Tensor& value);
const Tensor& masked_fill_(const Tensor& self, const Tensor& mask, const Tensor& value);
// A copy of `self` with `value` where `mask` is true.
Tensor masked_fill(const Tensor& self, const Tensor& mask, const Scalar& value);
const Tensor& masked_fill_(const Tensor& self, const Tensor& mask, const Scalar& value);
// Mean of each window in one dimension.
Tensor avg_pool1d(const Tensor& self, IntArray kernel_size, IntArray stride = IntArray{}, IntArray padding = IntArray{0}, bool ceil_mode = false, bool count_include_pad = true);
// Means of windows that share the input evenly, in one dimension.
Tensor adaptive_avg_pool1d(const Tensor& self, IntArray output_size);
// Maxima, and their positions, of windows that share the input evenly, in one dimension.
std::tuple<Tensor, Tensor> adaptive_max_pool1d(const Tensor& self, IntArray output_size);
// Positions for grid_sampler of affine maps.
Tensor affine_grid_generator(const Tensor& theta, IntArray size, bool align_corners);
// Puts a border of `value` around the last dims; negative sizes crop.
Tensor constant_pad_nd(const Tensor& self, IntArray pad, const Scalar& value = 0);
// Rows of `weight` by index.
Tensor embedding(const Tensor& weight, const Tensor& indices, std::int64_t padding_idx = -1, bool scale_grad_by_freq = false, bool sparse = false);
// Scales the rows that indices name so that their norms are at most `max_norm`.
const Tensor& embedding_renorm_(const Tensor& self, const Tensor& indices, double max_norm, double norm_type);
// Sum, mean or maximum of the rows of each bag of indices.
std::tuple<Tensor, Tensor, Tensor, Tensor> embedding_bag(const Tensor& weight, const Tensor& indices, const Tensor& offsets, bool scale_grad_by_freq = false, std::int64_t mode = 0, bool sparse = false, const std::optional<Tensor>& per_sample_weights = {}, bool include_last_offset = false);
// embedding_bag without the rows of `padding_idx`.
std::tuple<Tensor, Tensor, Tensor, Tensor> embedding_bag(const Tensor& weight, const Tensor& indices, const Tensor& offsets, bool scale_grad_by_freq, std::int64_t mode, bool sparse, const std::optional<Tensor>& per_sample_weights, bool include_last_offset, std::optional<std::int64_t> padding_idx);
// Largest element of each window in one dimension.
Tensor max_pool1d(const Tensor& self, IntArray kernel_size, IntArray stride = IntArray{}, IntArray padding = IntArray{0}, IntArray dilation = IntArray{1}, bool ceil_mode = false);
// Largest element of each window in two dimensions.
Tensor max_pool2d(const Tensor& self, IntArray kernel_size, IntArray stride = IntArray{}, IntArray padding = IntArray{0}, IntArray dilation = IntArray{1}, bool ceil_mode = false);
// Largest element of each window in three dimensions.
Tensor max_pool3d(const Tensor& self, IntArray kernel_size, IntArray stride = IntArray{}, IntArray padding = IntArray{0}, IntArray dilation = IntArray{1}, bool ceil_mode = false);
// Moves groups of channels into blocks of pixels.
Tensor pixel_shuffle(const Tensor& self, std::int64_t upscale_factor);
// Moves blocks of pixels into channels.
Tensor pixel_unshuffle(const Tensor& self, std::int64_t downscale_factor);
// Deals the channels of groups out in turn.
Tensor channel_shuffle(const Tensor& self, std::int64_t groups);
// The same as channel_shuffle.
Tensor native_channel_shuffle(const Tensor& self, std::int64_t groups);
// A row of zeros with a one at the class, for each class index.
Tensor one_hot(const Tensor& self, std::int64_t num_classes = -1);
// Means of windows that share the input evenly, in two dimensions.
Tensor adaptive_avg_pool2d(const Tensor& self, IntArray output_size);
const Tensor& adaptive_avg_pool2d_out(const Tensor& out, const Tensor& self, IntArray output_size);
// Means of windows that share the input evenly, in three dimensions.
Tensor adaptive_avg_pool3d(const Tensor& self, IntArray output_size);
const Tensor& adaptive_avg_pool3d_out(const Tensor& out, const Tensor& self, IntArray output_size);
// Maxima, and their positions, of windows that share the input evenly, in two dimensions.
std::tuple<Tensor, Tensor> adaptive_max_pool2d(const Tensor& self, IntArray output_size);
std::tuple<Tensor, Tensor> adaptive_max_pool2d_out(const Tensor& out0, const Tensor& out1, const Tensor& self, IntArray output_size);
// Maxima, and their positions, of windows that share the input evenly, in three dimensions.
std::tuple<Tensor, Tensor> adaptive_max_pool3d(const Tensor& self, IntArray output_size);
std::tuple<Tensor, Tensor> adaptive_max_pool3d_out(const Tensor& out0, const Tensor& out1, const Tensor& self, IntArray output_size);
// Mean of each window in two dimensions.
Tensor avg_pool2d(const Tensor& self, IntArray kernel_size, IntArray stride = IntArray{}, IntArray padding = IntArray{0}, bool ceil_mode = false, bool count_include_pad = true, std::optional<std::int64_t> divisor_override = {});
const Tensor& avg_pool2d_out(const Tensor& out, const Tensor& self, IntArray kernel_size, IntArray stride = IntArray{}, IntArray padding = IntArray{0}, bool ceil_mode = false, bool count_include_pad = true, std::optional<std::int64_t> divisor_override = {});
// Mean of each window in three dimensions.
Tensor avg_pool3d(const Tensor& self, IntArray kernel_size, IntArray stride = IntArray{}, IntArray padding = IntArray{0}, bool ceil_mode = false, bool count_include_pad = true, std::optional<std::int64_t> divisor_override = {});
const Tensor& avg_pool3d_out(const Tensor& out, const Tensor& self, IntArray kernel_size, IntArray stride = IntArray{}, IntArray padding = IntArray{0}, bool ceil_mode = false, bool count_include_pad = true, std::optional<std::int64_t> divisor_override = {});
// Maxima of windows placed at random, in two dimensions.
std::tuple<Tensor, Tensor> fractional_max_pool2d(const Tensor& self, IntArray kernel_size, IntArray output_size, const Tensor& random_samples);
std::tuple<Tensor, Tensor> fractional_max_pool2d_out(const Tensor& out0, const Tensor& out1, const Tensor& self, IntArray kernel_size, IntArray output_size, const Tensor& random_samples);
// Maxima of windows placed at random, in three dimensions.
std::tuple<Tensor, Tensor> fractional_max_pool3d(const Tensor& self, IntArray kernel_size, IntArray output_size, const Tensor& random_samples);
std::tuple<Tensor, Tensor> fractional_max_pool3d_out(const Tensor& out0, const Tensor& out1, const Tensor& self, IntArray kernel_size, IntArray output_size, const Tensor& random_samples);
// Largest element of each window and its position, in two dimensions.
std::tuple<Tensor, Tensor> max_pool2d_with_indices(const Tensor& self, IntArray kernel_size, IntArray stride = IntArray{}, IntArray padding = IntArray{0}, IntArray dilation = IntArray{1}, bool ceil_mode = false);
std::tuple<Tensor, Tensor> max_pool2d_with_indices_out(const Tensor& out0, const Tensor& out1, const Tensor& self, IntArray kernel_size, IntArray stride = IntArray{}, IntArray padding = IntArray{0}, IntArray dilation = IntArray{1}, bool ceil_mode = false);
// Largest element of each window and its position, in three dimensions.
std::tuple<Tensor, Tensor> max_pool3d_with_indices(const Tensor& self, IntArray kernel_size, IntArray stride = IntArray{}, IntArray padding = IntArray{0}, IntArray dilation = IntArray{1}, bool ceil_mode = false);
std::tuple<Tensor, Tensor> max_pool3d_with_indices_out(const Tensor& out0, const Tensor& out1, const Tensor& self, IntArray kernel_size, IntArray stride = IntArray{}, IntArray padding = IntArray{0}, IntArray dilation = IntArray{1}, bool ceil_mode = false);
// Puts values back where the maxima of a pooling were, in two dimensions; zeros elsewhere.
Tensor max_unpool2d(const Tensor& self, const Tensor& indices, IntArray output_size);
const Tensor& max_unpool2d_out(const Tensor& out, const Tensor& self, const Tensor& indices, IntArray output_size);
// Puts values back where the maxima of a pooling were, in three dimensions; zeros elsewhere.
Tensor max_unpool3d(const Tensor& self, const Tensor& indices, IntArray output_size, IntArray stride, IntArray padding);
const Tensor& max_unpool3d_out(const Tensor& out, const Tensor& self, const Tensor& indices, IntArray output_size, IntArray stride, IntArray padding);
// Mirrors the elements at the ends of the last 1 dims.
Tensor reflection_pad1d(const Tensor& self, IntArray padding);
const Tensor& reflection_pad1d_out(const Tensor& out, const Tensor& self, IntArray padding);
// Mirrors the elements at the ends of the last 2 dims.
Tensor reflection_pad2d(const Tensor& self, IntArray padding);
const Tensor& reflection_pad2d_out(const Tensor& out, const Tensor& self, IntArray padding);
// Mirrors the elements at the ends of the last 3 dims.
Tensor reflection_pad3d(const Tensor& self, IntArray padding);
const Tensor& reflection_pad3d_out(const Tensor& out, const Tensor& self, IntArray padding);
// Repeats the elements at the ends of the last 1 dims.
Tensor replication_pad1d(const Tensor& self, IntArray padding);
const Tensor& replication_pad1d_out(const Tensor& out, const Tensor& self, IntArray padding);
// Repeats the elements at the ends of the last 2 dims.
Tensor replication_pad2d(const Tensor& self, IntArray padding);
const Tensor& replication_pad2d_out(const Tensor& out, const Tensor& self, IntArray padding);
// Repeats the elements at the ends of the last 3 dims.
Tensor replication_pad3d(const Tensor& self, IntArray padding);
const Tensor& replication_pad3d_out(const Tensor& out, const Tensor& self, IntArray padding);
// Puts a border around the last dims: constant, reflect, replicate or circular.
Tensor pad(const Tensor& self, IntArray pad, std::string_view mode = "constant", std::optional<double> value = {});
// Adds columns up to where their windows were.
Tensor col2im(const Tensor& self, IntArray output_size, IntArray kernel_size, IntArray dilation, IntArray padding, IntArray stride);
const Tensor& col2im_out(const Tensor& out, const Tensor& self, IntArray output_size, IntArray kernel_size, IntArray dilation, IntArray padding, IntArray stride);
// Sliding windows as columns.
Tensor im2col(const Tensor& self, IntArray kernel_size, IntArray dilation, IntArray padding, IntArray stride);
const Tensor& im2col_out(const Tensor& out, const Tensor& self, IntArray kernel_size, IntArray dilation, IntArray padding, IntArray stride);
// Largest element of each window and its position, in one dimension.
std::tuple<Tensor, Tensor> max_pool1d_with_indices(const Tensor& self, IntArray kernel_size, IntArray stride = IntArray{}, IntArray padding = IntArray{0}, IntArray dilation = IntArray{1}, bool ceil_mode = false);
// Gradient of max_pool2d_with_indices.
Tensor max_pool2d_with_indices_backward(const Tensor& grad_output, const Tensor& self, IntArray kernel_size, IntArray stride, IntArray padding, IntArray dilation, bool ceil_mode, const Tensor& indices);
// Gradient of adaptive_max_pool2d.
Tensor adaptive_max_pool2d_backward(const Tensor& grad_output, const Tensor& self, const Tensor& indices);
// Gradient of avg_pool2d.
Tensor avg_pool2d_backward(const Tensor& grad_output, const Tensor& self, IntArray kernel_size, IntArray stride, IntArray padding, bool ceil_mode, bool count_include_pad, std::optional<std::int64_t> divisor_override);
// adaptive_avg_pool2d with windows of any size.
Tensor _adaptive_avg_pool2d(const Tensor& self, IntArray output_size);
// Gradient of _adaptive_avg_pool2d.
Tensor _adaptive_avg_pool2d_backward(const Tensor& grad_output, const Tensor& self);
// Gradient of max_pool3d_with_indices.
Tensor max_pool3d_with_indices_backward(const Tensor& grad_output, const Tensor& self, IntArray kernel_size, IntArray stride, IntArray padding, IntArray dilation, bool ceil_mode, const Tensor& indices);
// Gradient of adaptive_max_pool3d.
Tensor adaptive_max_pool3d_backward(const Tensor& grad_output, const Tensor& self, const Tensor& indices);
// Gradient of avg_pool3d.
Tensor avg_pool3d_backward(const Tensor& grad_output, const Tensor& self, IntArray kernel_size, IntArray stride, IntArray padding, bool ceil_mode, bool count_include_pad, std::optional<std::int64_t> divisor_override);
// adaptive_avg_pool3d with windows of any size.
Tensor _adaptive_avg_pool3d(const Tensor& self, IntArray output_size);
// Gradient of _adaptive_avg_pool3d.
Tensor _adaptive_avg_pool3d_backward(const Tensor& grad_output, const Tensor& self);
// Nearest elements of the last 1 dims, to a size or by factors.
Tensor upsample_nearest1d(const Tensor& input, OptionalIntArray output_size, std::optional<std::span<const double>> scale_factors);
// Nearest elements of the last 1 dims.
Tensor upsample_nearest1d(const Tensor& self, IntArray output_size, std::optional<double> scales = {});
const Tensor& upsample_nearest1d_out(const Tensor& out, const Tensor& self, IntArray output_size, std::optional<double> scales = {});
// Gradient of upsample_nearest1d.
Tensor upsample_nearest1d_backward(const Tensor& grad_output, IntArray output_size, IntArray input_size, std::optional<double> scales = {});
// Nearest elements of the last 2 dims, to a size or by factors.
Tensor upsample_nearest2d(const Tensor& input, OptionalIntArray output_size, std::optional<std::span<const double>> scale_factors);
// Nearest elements of the last 2 dims.
Tensor upsample_nearest2d(const Tensor& self, IntArray output_size, std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
const Tensor& upsample_nearest2d_out(const Tensor& out, const Tensor& self, IntArray output_size, std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
// Gradient of upsample_nearest2d.
Tensor upsample_nearest2d_backward(const Tensor& grad_output, IntArray output_size, IntArray input_size, std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
// Nearest elements of the last 3 dims, to a size or by factors.
Tensor upsample_nearest3d(const Tensor& input, OptionalIntArray output_size, std::optional<std::span<const double>> scale_factors);
// Nearest elements of the last 3 dims.
Tensor upsample_nearest3d(const Tensor& self, IntArray output_size, std::optional<double> scales_d = {}, std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
const Tensor& upsample_nearest3d_out(const Tensor& out, const Tensor& self, IntArray output_size, std::optional<double> scales_d = {}, std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
// Gradient of upsample_nearest3d.
Tensor upsample_nearest3d_backward(const Tensor& grad_output, IntArray output_size, IntArray input_size, std::optional<double> scales_d = {}, std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
// Elements nearest to the centres of the last 1 dims, to a size or by factors.
Tensor _upsample_nearest_exact1d(const Tensor& input, OptionalIntArray output_size, std::optional<std::span<const double>> scale_factors);
// Elements nearest to the centres of the last 1 dims.
Tensor _upsample_nearest_exact1d(const Tensor& self, IntArray output_size, std::optional<double> scales = {});
const Tensor& _upsample_nearest_exact1d_out(const Tensor& out, const Tensor& self, IntArray output_size, std::optional<double> scales = {});
// Gradient of _upsample_nearest_exact1d.
Tensor _upsample_nearest_exact1d_backward(const Tensor& grad_output, IntArray output_size, IntArray input_size, std::optional<double> scales = {});
// Elements nearest to the centres of the last 2 dims, to a size or by factors.
Tensor _upsample_nearest_exact2d(const Tensor& input, OptionalIntArray output_size, std::optional<std::span<const double>> scale_factors);
// Elements nearest to the centres of the last 2 dims.
Tensor _upsample_nearest_exact2d(const Tensor& self, IntArray output_size, std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
const Tensor& _upsample_nearest_exact2d_out(const Tensor& out, const Tensor& self, IntArray output_size, std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
// Gradient of _upsample_nearest_exact2d.
Tensor _upsample_nearest_exact2d_backward(const Tensor& grad_output, IntArray output_size, IntArray input_size, std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
// Elements nearest to the centres of the last 3 dims, to a size or by factors.
Tensor _upsample_nearest_exact3d(const Tensor& input, OptionalIntArray output_size, std::optional<std::span<const double>> scale_factors);
// Elements nearest to the centres of the last 3 dims.
Tensor _upsample_nearest_exact3d(const Tensor& self, IntArray output_size, std::optional<double> scales_d = {}, std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
const Tensor& _upsample_nearest_exact3d_out(const Tensor& out, const Tensor& self, IntArray output_size, std::optional<double> scales_d = {}, std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
// Gradient of _upsample_nearest_exact3d.
Tensor _upsample_nearest_exact3d_backward(const Tensor& grad_output, IntArray output_size, IntArray input_size, std::optional<double> scales_d = {}, std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
// Linear interpolation of the last 1 dims, to a size or by factors.
Tensor upsample_linear1d(const Tensor& input, OptionalIntArray output_size, bool align_corners, std::optional<std::span<const double>> scale_factors);
// Linear interpolation of the last 1 dims.
Tensor upsample_linear1d(const Tensor& self, IntArray output_size, bool align_corners, std::optional<double> scales = {});
const Tensor& upsample_linear1d_out(const Tensor& out, const Tensor& self, IntArray output_size, bool align_corners, std::optional<double> scales = {});
// Gradient of upsample_linear1d.
Tensor upsample_linear1d_backward(const Tensor& grad_output, IntArray output_size, IntArray input_size, bool align_corners, std::optional<double> scales = {});
// Linear interpolation of the last 2 dims, to a size or by factors.
Tensor upsample_bilinear2d(const Tensor& input, OptionalIntArray output_size, bool align_corners, std::optional<std::span<const double>> scale_factors);
// Linear interpolation of the last 2 dims.
Tensor upsample_bilinear2d(const Tensor& self, IntArray output_size, bool align_corners, std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
const Tensor& upsample_bilinear2d_out(const Tensor& out, const Tensor& self, IntArray output_size, bool align_corners, std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
// Gradient of upsample_bilinear2d.
Tensor upsample_bilinear2d_backward(const Tensor& grad_output, IntArray output_size, IntArray input_size, bool align_corners, std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
// Linear interpolation of the last 3 dims, to a size or by factors.
Tensor upsample_trilinear3d(const Tensor& input, OptionalIntArray output_size, bool align_corners, std::optional<std::span<const double>> scale_factors);
// Linear interpolation of the last 3 dims.
Tensor upsample_trilinear3d(const Tensor& self, IntArray output_size, bool align_corners, std::optional<double> scales_d = {}, std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
const Tensor& upsample_trilinear3d_out(const Tensor& out, const Tensor& self, IntArray output_size, bool align_corners, std::optional<double> scales_d = {}, std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
// Gradient of upsample_trilinear3d.
Tensor upsample_trilinear3d_backward(const Tensor& grad_output, IntArray output_size, IntArray input_size, bool align_corners, std::optional<double> scales_d = {}, std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
// Cubic interpolation of the last 2 dims, to a size or by factors.
Tensor upsample_bicubic2d(const Tensor& input, OptionalIntArray output_size, bool align_corners, std::optional<std::span<const double>> scale_factors);
// Cubic interpolation of the last 2 dims.
Tensor upsample_bicubic2d(const Tensor& self, IntArray output_size, bool align_corners, std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
const Tensor& upsample_bicubic2d_out(const Tensor& out, const Tensor& self, IntArray output_size, bool align_corners, std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
// Gradient of upsample_bicubic2d.
Tensor upsample_bicubic2d_backward(const Tensor& grad_output, IntArray output_size, IntArray input_size, bool align_corners, std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
// Antialiased linear resampling of the last 2 dims, to a size or by factors.
Tensor _upsample_bilinear2d_aa(const Tensor& input, OptionalIntArray output_size, bool align_corners, std::optional<std::span<const double>> scale_factors);
// Antialiased linear resampling of the last 2 dims.
Tensor _upsample_bilinear2d_aa(const Tensor& self, IntArray output_size, bool align_corners, std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
const Tensor& _upsample_bilinear2d_aa_out(const Tensor& out, const Tensor& self, IntArray output_size, bool align_corners, std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
// Gradient of _upsample_bilinear2d_aa.
Tensor _upsample_bilinear2d_aa_backward(const Tensor& grad_output, IntArray output_size, IntArray input_size, bool align_corners, std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
// Antialiased cubic resampling of the last 2 dims, to a size or by factors.
Tensor _upsample_bicubic2d_aa(const Tensor& input, OptionalIntArray output_size, bool align_corners, std::optional<std::span<const double>> scale_factors);
// Antialiased cubic resampling of the last 2 dims.
Tensor _upsample_bicubic2d_aa(const Tensor& self, IntArray output_size, bool align_corners, std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
const Tensor& _upsample_bicubic2d_aa_out(const Tensor& out, const Tensor& self, IntArray output_size, bool align_corners, std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
// Gradient of _upsample_bicubic2d_aa.
Tensor _upsample_bicubic2d_aa_backward(const Tensor& grad_output, IntArray output_size, IntArray input_size, bool align_corners, std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
// Antialiased Lanczos resampling of the last 2 dims, to a size or by factors.
Tensor _upsample_lanczos2d_aa(const Tensor& input, OptionalIntArray output_size, bool align_corners, std::optional<std::span<const double>> scale_factors);
// Antialiased Lanczos resampling of the last 2 dims.
Tensor _upsample_lanczos2d_aa(const Tensor& self, IntArray output_size, bool align_corners, std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
const Tensor& _upsample_lanczos2d_aa_out(const Tensor& out, const Tensor& self, IntArray output_size, bool align_corners, std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
// Gradient of _upsample_lanczos2d_aa.
Tensor _upsample_lanczos2d_aa_backward(const Tensor& grad_output, IntArray output_size, IntArray input_size, bool align_corners, std::optional<double> scales_h = {}, std::optional<double> scales_w = {});
// Continues the last dims periodically.
Tensor _pad_circular(const Tensor& self, IntArray pad);
// Gradient of the table of an embedding.
Tensor embedding_dense_backward(const Tensor& grad_output, const Tensor& indices, std::int64_t num_weights, std::int64_t padding_idx, bool scale_grad_by_freq);
// Elements of `input` at the positions of `grid`, from -1 to 1, by bilinear, nearest or bicubic interpolation.
Tensor grid_sampler(const Tensor& input, const Tensor& grid, std::int64_t interpolation_mode, std::int64_t padding_mode, bool align_corners);
// grid_sampler of images.
Tensor grid_sampler_2d(const Tensor& input, const Tensor& grid, std::int64_t interpolation_mode, std::int64_t padding_mode, bool align_corners);
// grid_sampler of volumes.
Tensor grid_sampler_3d(const Tensor& input, const Tensor& grid, std::int64_t interpolation_mode, std::int64_t padding_mode, bool align_corners);
// Gradient of reflection_pad1d.
Tensor reflection_pad1d_backward(const Tensor& grad_output, const Tensor& self, IntArray padding);
// Gradient of reflection_pad2d.
Tensor reflection_pad2d_backward(const Tensor& grad_output, const Tensor& self, IntArray padding);
// Gradient of reflection_pad3d.
Tensor reflection_pad3d_backward(const Tensor& grad_output, const Tensor& self, IntArray padding);
// Gradient of replication_pad1d.
Tensor replication_pad1d_backward(const Tensor& grad_output, const Tensor& self, IntArray padding);
// Gradient of replication_pad2d.
Tensor replication_pad2d_backward(const Tensor& grad_output, const Tensor& self, IntArray padding);
// Gradient of replication_pad3d.
Tensor replication_pad3d_backward(const Tensor& grad_output, const Tensor& self, IntArray padding);
// beta * self + alpha * (mat @ vec).
Tensor addmv(const Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar& beta = 1, const Scalar& alpha = 1);
const Tensor& addmv_(const Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar& beta = 1, const Scalar& alpha = 1);
const Tensor& addmv_out(const Tensor& out, const Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar& beta = 1, const Scalar& alpha = 1);
// beta * self + alpha * outer(vec1, vec2).
Tensor addr(const Tensor& self, const Tensor& vec1, const Tensor& vec2, const Scalar& beta = 1, const Scalar& alpha = 1);
const Tensor& addr_(const Tensor& self, const Tensor& vec1, const Tensor& vec2, const Scalar& beta = 1, const Scalar& alpha = 1);
const Tensor& addr_out(const Tensor& out, const Tensor& self, const Tensor& vec1, const Tensor& vec2, const Scalar& beta = 1, const Scalar& alpha = 1);
// beta * self + alpha * bmm(batch1, batch2).
Tensor baddbmm(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1, const Scalar& alpha = 1);
const Tensor& baddbmm_(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1, const Scalar& alpha = 1);
const Tensor& baddbmm_out(const Tensor& out, const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1, const Scalar& alpha = 1);
// x1 A x2 + b for each output feature.
Tensor bilinear(const Tensor& input1, const Tensor& input2, const Tensor& weight, const std::optional<Tensor>& bias = {});
// Matrix product for each matrix of a batch.
Tensor bmm(const Tensor& self, const Tensor& mat2);
const Tensor& bmm_out(const Tensor& out, const Tensor& self, const Tensor& mat2);
// Product of several matrices in the cheapest order.
Tensor chain_matmul(TensorList matrices);
const Tensor& chain_matmul_out(const Tensor& out, TensorList matrices);
// Dot product of two vectors.
Tensor dot(const Tensor& self, const Tensor& tensor);
const Tensor& dot_out(const Tensor& out, const Tensor& self, const Tensor& tensor);
// Dot product of the conjugate of one vector with another.
Tensor vdot(const Tensor& self, const Tensor& other);
const Tensor& vdot_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Sums products of operands' elements as an equation of subscripts says.
Tensor einsum(std::string_view equation, TensorList tensors, OptionalIntArray path = {});
// Kronecker product.
Tensor kron(const Tensor& self, const Tensor& other);
const Tensor& kron_out(const Tensor& out, const Tensor& self, const Tensor& other);
// input @ weight.T + bias.
Tensor linear(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias = {});
const Tensor& linear_out(const Tensor& out, const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias = {});
// Matrix product with broadcast batches; vectors are rows on the left and columns on the right.
Tensor matmul(const Tensor& self, const Tensor& other);
const Tensor& matmul_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Product of two matrices.
Tensor mm(const Tensor& self, const Tensor& mat2);
const Tensor& mm_out(const Tensor& out, const Tensor& self, const Tensor& mat2);
// Product of a matrix and a vector.
Tensor mv(const Tensor& self, const Tensor& vec);
const Tensor& mv_out(const Tensor& out, const Tensor& self, const Tensor& vec);
// Sums products over pairs of dimensions.
Tensor tensordot(const Tensor& self, const Tensor& other, IntArray dims_self, IntArray dims_other);
const Tensor& tensordot_out(const Tensor& out, const Tensor& self, const Tensor& other, IntArray dims_self, IntArray dims_other);
// Sum of products of three broadcast operands over `sumdim`.
Tensor _trilinear(const Tensor& i1, const Tensor& i2, const Tensor& i3, IntArray expand1, IntArray expand2, IntArray expand3, IntArray sumdim, std::int64_t unroll_dim = 1);
// beta * self + alpha * (mat1 @ mat2).
Tensor addmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta = 1, const Scalar& alpha = 1);
const Tensor& addmm_(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta = 1, const Scalar& alpha = 1);
const Tensor& addmm_out(const Tensor& out, const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta = 1, const Scalar& alpha = 1);
// beta * self + alpha times the sum of the products of the batch.
Tensor addbmm(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1, const Scalar& alpha = 1);
const Tensor& addbmm_(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1, const Scalar& alpha = 1);
const Tensor& addbmm_out(const Tensor& out, const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1, const Scalar& alpha = 1);
// Cross product along a dimension of three elements, by default the first one.
Tensor cross(const Tensor& self, const Tensor& other, std::optional<std::int64_t> dim = {});
const Tensor& cross_out(const Tensor& out, const Tensor& self, const Tensor& other, std::optional<std::int64_t> dim = {});
// Cross product of three-element vectors along `dim`.
Tensor linalg_cross(const Tensor& self, const Tensor& other, std::int64_t dim = -1);
const Tensor& linalg_cross_out(const Tensor& out, const Tensor& self, const Tensor& other, std::int64_t dim = -1);
// The same as matmul.
Tensor linalg_matmul(const Tensor& self, const Tensor& other);
const Tensor& linalg_matmul_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Sum of conj(x) * y along `dim`.
Tensor linalg_vecdot(const Tensor& x, const Tensor& y, std::int64_t dim = -1);
const Tensor& linalg_vecdot_out(const Tensor& out, const Tensor& x, const Tensor& y, std::int64_t dim = -1);
// Sums products over the last dimensions.
Tensor inner(const Tensor& self, const Tensor& other);
const Tensor& inner_out(const Tensor& out, const Tensor& self, const Tensor& other);
// All products of the elements of two vectors.
Tensor outer(const Tensor& self, const Tensor& vec2);
const Tensor& outer_out(const Tensor& out, const Tensor& self, const Tensor& vec2);
// The same as outer.
Tensor ger(const Tensor& self, const Tensor& vec2);
const Tensor& ger_out(const Tensor& out, const Tensor& self, const Tensor& vec2);
// Product of several matrices in the cheapest order; the outer ones may be vectors.
Tensor linalg_multi_dot(TensorList tensors);
const Tensor& linalg_multi_dot_out(const Tensor& out, TensorList tensors);
// self @ mat2.T
Tensor _mm_nt(const Tensor& self, const Tensor& mat2);
// self + mat1 @ mat2.T
Tensor _addmm_nt(const Tensor& self, const Tensor& mat1, const Tensor& mat2);
// `relu` or `gelu` of beta * self + alpha * mat1 @ mat2.
Tensor _addmm_activation(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta = 1, const Scalar& alpha = 1, bool use_gelu = false);
const Tensor& _addmm_activation_out(const Tensor& out, const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta = 1, const Scalar& alpha = 1, bool use_gelu = false);
// (scale_a * self) @ (scale_b * mat2) + bias of float8 matrices, in float32 and rounded once.
Tensor _scaled_mm(const Tensor& self, const Tensor& mat2, const Tensor& scale_a, const Tensor& scale_b, const std::optional<Tensor>& bias = {}, const std::optional<Tensor>& scale_result = {}, std::optional<Dtype> out_dtype = {}, bool use_fast_accum = false);
const Tensor& _scaled_mm_out(const Tensor& out, const Tensor& self, const Tensor& mat2, const Tensor& scale_a, const Tensor& scale_b, const std::optional<Tensor>& bias = {}, const std::optional<Tensor>& scale_result = {}, std::optional<Dtype> out_dtype = {}, bool use_fast_accum = false);
// Product of matrices of bytes in int32.
Tensor _int_mm(const Tensor& self, const Tensor& mat2);
const Tensor& _int_mm_out(const Tensor& out, const Tensor& self, const Tensor& mat2);
// Rounds to the numbers that a quantized format of one scale and zero point has.
Tensor fake_quantize_per_tensor_affine(const Tensor& self, double scale, std::int64_t zero_point, std::int64_t quant_min, std::int64_t quant_max);
// The same, with scale and zero point in tensors.
Tensor fake_quantize_per_tensor_affine(const Tensor& self, const Tensor& scale, const Tensor& zero_point, std::int64_t quant_min, std::int64_t quant_max);
// Rounds to the numbers that a quantized format has, with a scale and a zero point for each index of `axis`.
Tensor fake_quantize_per_channel_affine(const Tensor& self, const Tensor& scale, const Tensor& zero_point, std::int64_t axis, std::int64_t quant_min, std::int64_t quant_max);
// Rounds to a quantized format; also which numbers lie in its range.
std::tuple<Tensor, Tensor> fake_quantize_per_tensor_affine_cachemask(const Tensor& self, double scale, std::int64_t zero_point, std::int64_t quant_min, std::int64_t quant_max);
// The same, with scale, zero point and whether to round in tensors.
std::tuple<Tensor, Tensor> _fake_quantize_per_tensor_affine_cachemask_tensor_qparams(const Tensor& self, const Tensor& scale, const Tensor& zero_point, const Tensor& fake_quant_enabled, std::int64_t quant_min, std::int64_t quant_max);
// Rounds each channel to its quantized format; also which numbers lie in its range.
std::tuple<Tensor, Tensor> fake_quantize_per_channel_affine_cachemask(const Tensor& self, const Tensor& scale, const Tensor& zero_point, std::int64_t axis, std::int64_t quant_min, std::int64_t quant_max);
// Rounds to a quantized format whose scale and zero point are learned.
Tensor _fake_quantize_learnable_per_tensor_affine(const Tensor& self, const Tensor& scale, const Tensor& zero_point, std::int64_t quant_min, std::int64_t quant_max, double grad_factor = 1.0);
// Rounds to a quantized format whose scales and zero points, one for each index of `axis`, are learned.
Tensor _fake_quantize_learnable_per_channel_affine(const Tensor& self, const Tensor& scale, const Tensor& zero_point, std::int64_t axis, std::int64_t quant_min, std::int64_t quant_max, double grad_factor = 1.0);
// Moves running extrema towards those of `self`, chooses scale and zero point by them, in place, and rounds.
Tensor fused_moving_avg_obs_fake_quant(const Tensor& self, const Tensor& observer_on, const Tensor& fake_quant_on, const Tensor& running_min, const Tensor& running_max, const Tensor& scale, const Tensor& zero_point, double averaging_const, std::int64_t quant_min, std::int64_t quant_max, std::int64_t ch_axis, bool per_row_fake_quant = false, bool symmetric_quant = false);
// The same; also which numbers lie in the range of the format.
std::tuple<Tensor, Tensor> _fused_moving_avg_obs_fq_helper(const Tensor& self, const Tensor& observer_on, const Tensor& fake_quant_on, const Tensor& running_min, const Tensor& running_max, const Tensor& scale, const Tensor& zero_point, double averaging_const, std::int64_t quant_min, std::int64_t quant_max, std::int64_t ch_axis, bool per_row_fake_quant = false, bool symmetric_quant = false);
// Zeroes elements with probability `p` and scales the rest; returns the result and the mask of kept elements.
std::tuple<Tensor, Tensor> native_dropout(const Tensor& input, double p, std::optional<bool> train);
std::tuple<Tensor, Tensor> native_dropout_out(const Tensor& out0, const Tensor& out1, const Tensor& input, double p, std::optional<bool> train);
// In training, zeroes elements with probability `p` and scales the rest by 1 / (1 - p).
Tensor dropout(const Tensor& input, double p, bool train);
const Tensor& dropout_(const Tensor& input, double p, bool train);
const Tensor& dropout_out(const Tensor& out, const Tensor& input, double p, bool train);
// Dropout of whole channels: one draw for each sample and channel.
Tensor feature_dropout(const Tensor& input, double p, bool train);
const Tensor& feature_dropout_(const Tensor& input, double p, bool train);
const Tensor& feature_dropout_out(const Tensor& out, const Tensor& input, double p, bool train);
// Dropout that keeps mean and variance of SELU activations.
Tensor alpha_dropout(const Tensor& input, double p, bool train);
const Tensor& alpha_dropout_(const Tensor& input, double p, bool train);
const Tensor& alpha_dropout_out(const Tensor& out, const Tensor& input, double p, bool train);
// Alpha dropout of whole channels.
Tensor feature_alpha_dropout(const Tensor& input, double p, bool train);
const Tensor& feature_alpha_dropout_(const Tensor& input, double p, bool train);
const Tensor& feature_alpha_dropout_out(const Tensor& out, const Tensor& input, double p, bool train);
// Draws 0 or 1, with the elements of `self` as probabilities of 1.
Tensor bernoulli(const Tensor& self, const std::optional<Generator>& generator = {});
const Tensor& bernoulli_out(const Tensor& out, const Tensor& self, const std::optional<Generator>& generator = {});
// Fills with 0 or 1, drawn with the probabilities `p` of 1.
const Tensor& bernoulli_(const Tensor& self, const Tensor& p, const std::optional<Generator>& generator = {});
// Fills with 1 with probability `p` and 0 otherwise.
const Tensor& bernoulli_(const Tensor& self, double p = 0.5, const std::optional<Generator>& generator = {});
// Draws 1 with probability `p` and 0 otherwise, in the shape of `self`.
Tensor bernoulli(const Tensor& self, double p, const std::optional<Generator>& generator = {});
// Uniform numbers of [0, 1).
Tensor rand(IntArray size, const TensorOptions& options = {});
const Tensor& rand_out(const Tensor& out, IntArray size, const TensorOptions& options = {});
// Uniform numbers of [0, 1) from a given generator.
Tensor rand(IntArray size, const std::optional<Generator>& generator, const TensorOptions& options = {});
const Tensor& rand_out(const Tensor& out, IntArray size, const std::optional<Generator>& generator, const TensorOptions& options = {});
// Uniform numbers of [0, 1) in the shape of `self`.
Tensor rand_like(const Tensor& self, const TensorOptions& options = {}, std::optional<MemoryFormat> memory_format = {});
// Uniform numbers of [0, 1) in the shape of `self`, from a given generator.
Tensor rand_like(const Tensor& self, const std::optional<Generator>& generator, const TensorOptions& options = {}, std::optional<MemoryFormat> memory_format = {});
// Uniform integers of 0 to high - 1.
Tensor randint(std::int64_t high, IntArray size, const TensorOptions& options = TensorOptions(Dtype::kInt64));
const Tensor& randint_out(const Tensor& out, std::int64_t high, IntArray size, const TensorOptions& options = TensorOptions(Dtype::kInt64));
// Uniform integers of 0 to high - 1 from a given generator.
Tensor randint(std::int64_t high, IntArray size, const std::optional<Generator>& generator, const TensorOptions& options = TensorOptions(Dtype::kInt64));
const Tensor& randint_out(const Tensor& out, std::int64_t high, IntArray size, const std::optional<Generator>& generator, const TensorOptions& options = TensorOptions(Dtype::kInt64));
// Uniform integers of low to high - 1.
Tensor randint(std::int64_t low, std::int64_t high, IntArray size, const TensorOptions& options = TensorOptions(Dtype::kInt64));
const Tensor& randint_out(const Tensor& out, std::int64_t low, std::int64_t high, IntArray size, const TensorOptions& options = TensorOptions(Dtype::kInt64));
// Uniform integers of low to high - 1 from a given generator.
Tensor randint(std::int64_t low, std::int64_t high, IntArray size, const std::optional<Generator>& generator, const TensorOptions& options = TensorOptions(Dtype::kInt64));
const Tensor& randint_out(const Tensor& out, std::int64_t low, std::int64_t high, IntArray size, const std::optional<Generator>& generator, const TensorOptions& options = TensorOptions(Dtype::kInt64));
// Uniform integers of 0 to high - 1 in the shape of `self`.
Tensor randint_like(const Tensor& self, std::int64_t high, const TensorOptions& options = {}, std::optional<MemoryFormat> memory_format = {});
// Uniform integers of 0 to high - 1 in the shape of `self`, from a given generator.
Tensor randint_like(const Tensor& self, std::int64_t high, const std::optional<Generator>& generator, const TensorOptions& options = {}, std::optional<MemoryFormat> memory_format = {});
// Uniform integers of 0 to high - 1 in the shape of `self`; `high` is a tensor of one element.
Tensor randint_like(const Tensor& self, const Tensor& high, const TensorOptions& options = {}, std::optional<MemoryFormat> memory_format = {});
// Uniform integers below a one-element tensor `high`, from a given generator.
Tensor randint_like(const Tensor& self, const Tensor& high, const std::optional<Generator>& generator, const TensorOptions& options = {}, std::optional<MemoryFormat> memory_format = {});
// Uniform integers of low to high - 1 in the shape of `self`.
Tensor randint_like(const Tensor& self, std::int64_t low, std::int64_t high, const TensorOptions& options = {}, std::optional<MemoryFormat> memory_format = {});
// Uniform integers of low to high - 1 in the shape of `self`, from a given generator.
Tensor randint_like(const Tensor& self, std::int64_t low, std::int64_t high, const std::optional<Generator>& generator, const TensorOptions& options = {}, std::optional<MemoryFormat> memory_format = {});
// Standard normal numbers.
Tensor randn(IntArray size, const TensorOptions& options = {});
const Tensor& randn_out(const Tensor& out, IntArray size, const TensorOptions& options = {});
// Standard normal numbers from a given generator.
Tensor randn(IntArray size, const std::optional<Generator>& generator, const TensorOptions& options = {});
const Tensor& randn_out(const Tensor& out, IntArray size, const std::optional<Generator>& generator, const TensorOptions& options = {});
// Standard normal numbers in the shape of `self`.
Tensor randn_like(const Tensor& self, const TensorOptions& options = {}, std::optional<MemoryFormat> memory_format = {});
// Standard normal numbers in the shape of `self`, from a given generator.
Tensor randn_like(const Tensor& self, const std::optional<Generator>& generator, const TensorOptions& options = {}, std::optional<MemoryFormat> memory_format = {});
// A random permutation of 0 to n - 1.
Tensor randperm(std::int64_t n, const TensorOptions& options = TensorOptions(Dtype::kInt64));
const Tensor& randperm_out(const Tensor& out, std::int64_t n, const TensorOptions& options = TensorOptions(Dtype::kInt64));
// A random permutation of 0 to n - 1 from a given generator.
Tensor randperm(std::int64_t n, const std::optional<Generator>& generator, const TensorOptions& options = TensorOptions(Dtype::kInt64));
const Tensor& randperm_out(const Tensor& out, std::int64_t n, const std::optional<Generator>& generator, const TensorOptions& options = TensorOptions(Dtype::kInt64));
// Leaky ReLU whose slope is drawn from [lower, upper) for each element in training.
Tensor rrelu(const Tensor& self, const Scalar& lower = 0.125, const Scalar& upper = 0.3333333333333333, bool training = false, const std::optional<Generator>& generator = {});
const Tensor& rrelu_(const Tensor& self, const Scalar& lower = 0.125, const Scalar& upper = 0.3333333333333333, bool training = false, const std::optional<Generator>& generator = {});
// Gamma samples of shape parameter `self` and scale 1.
Tensor _standard_gamma(const Tensor& self, const std::optional<Generator>& generator = {});
// Dirichlet samples with concentrations `self` along the last dim.
Tensor _sample_dirichlet(const Tensor& self, const std::optional<Generator>& generator = {});
// Poisson samples with the elements of `self` as rates.
Tensor poisson(const Tensor& self, const std::optional<Generator>& generator = {});
// Numbers of successes in `count` trials of success probability `prob`.
Tensor binomial(const Tensor& count, const Tensor& prob, const std::optional<Generator>& generator = {});
// Fills with uniform integers of from to to - 1, or up to the largest value of the dtype.
const Tensor& random_(const Tensor& self, std::int64_t from, std::optional<std::int64_t> to, const std::optional<Generator>& generator = {});
// Fills with uniform integers of 0 to to - 1.
const Tensor& random_(const Tensor& self, std::int64_t to, const std::optional<Generator>& generator = {});
// Fills with uniform integers over the range of the dtype.
const Tensor& random_(const Tensor& self, const std::optional<Generator>& generator = {});
// Fills with uniform numbers of [from, to).
const Tensor& uniform_(const Tensor& self, double from = 0, double to = 1, const std::optional<Generator>& generator = {});
// Fills with Cauchy numbers.
const Tensor& cauchy_(const Tensor& self, double median = 0, double sigma = 1, const std::optional<Generator>& generator = {});
// Fills with numbers whose logarithm is normal.
const Tensor& log_normal_(const Tensor& self, double mean = 1, double std = 2, const std::optional<Generator>& generator = {});
// Fills with exponential numbers of rate `lambd`.
const Tensor& exponential_(const Tensor& self, double lambd = 1, const std::optional<Generator>& generator = {});
// Fills with the number of trials up to the first success of probability `p`.
const Tensor& geometric_(const Tensor& self, double p, const std::optional<Generator>& generator = {});
// Draws `num_samples` indices along the last dim, with the elements of `self` as weights.
Tensor multinomial(const Tensor& self, std::int64_t num_samples, bool replacement = false, const std::optional<Generator>& generator = {});
const Tensor& multinomial_out(const Tensor& out, const Tensor& self, std::int64_t num_samples, bool replacement = false, const std::optional<Generator>& generator = {});
// Fills with normal numbers.
const Tensor& normal_(const Tensor& self, double mean = 0, double std = 1, const std::optional<Generator>& generator = {});
// Normal numbers with a mean for each element.
Tensor normal(const Tensor& mean, double std = 1, const std::optional<Generator>& generator = {});
const Tensor& normal_out(const Tensor& out, const Tensor& mean, double std = 1, const std::optional<Generator>& generator = {});
// Normal numbers with a standard deviation for each element.
Tensor normal(double mean, const Tensor& std, const std::optional<Generator>& generator = {});
const Tensor& normal_out(const Tensor& out, double mean, const Tensor& std, const std::optional<Generator>& generator = {});
// Normal numbers with a mean and a standard deviation for each element.
Tensor normal(const Tensor& mean, const Tensor& std, const std::optional<Generator>& generator = {});
const Tensor& normal_out(const Tensor& out, const Tensor& mean, const Tensor& std, const std::optional<Generator>& generator = {});
// Normal numbers of one mean and standard deviation.
Tensor normal(double mean, double std, IntArray size, const std::optional<Generator>& generator = {}, const TensorOptions& options = {});
const Tensor& normal_out(const Tensor& out, double mean, double std, IntArray size, const std::optional<Generator>& generator = {}, const TensorOptions& options = {});
// Gradient of native_dropout.
Tensor native_dropout_backward(const Tensor& grad_output, const Tensor& mask, double scale);
// Leaky ReLU with random slopes, which are written to `noise`.
Tensor rrelu_with_noise(const Tensor& self, const Tensor& noise, const Scalar& lower = 0.125, const Scalar& upper = 0.3333333333333333, bool training = false, const std::optional<Generator>& generator = {});
const Tensor& rrelu_with_noise_(const Tensor& self, const Tensor& noise, const Scalar& lower = 0.125, const Scalar& upper = 0.3333333333333333, bool training = false, const std::optional<Generator>& generator = {});
const Tensor& rrelu_with_noise_out(const Tensor& out, const Tensor& self, const Tensor& noise, const Scalar& lower = 0.125, const Scalar& upper = 0.3333333333333333, bool training = false, const std::optional<Generator>& generator = {});
// Gradient of rrelu_with_noise.
Tensor rrelu_with_noise_backward(const Tensor& grad_output, const Tensor& self, const Tensor& noise, const Scalar& lower, const Scalar& upper, bool training, bool self_is_result);
// Derivative of gamma samples by their shape parameter.
Tensor _standard_gamma_grad(const Tensor& self, const Tensor& output);
// Derivative of Dirichlet samples by their concentrations.
Tensor _dirichlet_grad(const Tensor& x, const Tensor& alpha, const Tensor& total);
// Whether every element along `dim` is true.
Tensor all(const Tensor& self, std::int64_t dim, bool keepdim = false);
const Tensor& all_out(const Tensor& out, const Tensor& self, std::int64_t dim, bool keepdim = false);
// Whether every element over `dim` is true.
Tensor all(const Tensor& self, OptionalIntArray dim, bool keepdim = false);
const Tensor& all_out(const Tensor& out, const Tensor& self, OptionalIntArray dim, bool keepdim = false);
// Whether some element along `dim` is true.
Tensor any(const Tensor& self, std::int64_t dim, bool keepdim = false);
const Tensor& any_out(const Tensor& out, const Tensor& self, std::int64_t dim, bool keepdim = false);
// Whether some element over `dim` is true.
Tensor any(const Tensor& self, OptionalIntArray dim, bool keepdim = false);
const Tensor& any_out(const Tensor& out, const Tensor& self, OptionalIntArray dim, bool keepdim = false);
// Position of the first largest element along `dim`, or in the flattened tensor.
Tensor argmax(const Tensor& self, std::optional<std::int64_t> dim = {}, bool keepdim = false);
const Tensor& argmax_out(const Tensor& out, const Tensor& self, std::optional<std::int64_t> dim = {}, bool keepdim = false);
// Position of the first smallest element along `dim`, or in the flattened tensor.
Tensor argmin(const Tensor& self, std::optional<std::int64_t> dim = {}, bool keepdim = false);
const Tensor& argmin_out(const Tensor& out, const Tensor& self, std::optional<std::int64_t> dim = {}, bool keepdim = false);
// Number of elements over `dim` that are not zero.
Tensor count_nonzero(const Tensor& self, IntArray dim);
// Number of elements that are not zero.
Tensor count_nonzero(const Tensor& self, std::optional<std::int64_t> dim = {});
// Covariance matrix of the variables in the rows of `self`.
Tensor cov(const Tensor& self, std::int64_t correction = 1, const std::optional<Tensor>& fweights = {}, const std::optional<Tensor>& aweights = {});
// Matrix of Pearson correlation coefficients of the variables in the rows of `self`.
Tensor corrcoef(const Tensor& self);
// Logarithm of the sum of exponentials over `dim`, without overflow.
Tensor logsumexp(const Tensor& self, IntArray dim, bool keepdim = false);
const Tensor& logsumexp_out(const Tensor& out, const Tensor& self, IntArray dim, bool keepdim = false);
// Smallest and largest element, along `dim` or of all.
std::tuple<Tensor, Tensor> aminmax(const Tensor& self, std::optional<std::int64_t> dim = {}, bool keepdim = false);
std::tuple<Tensor, Tensor> aminmax_out(const Tensor& out0, const Tensor& out1, const Tensor& self, std::optional<std::int64_t> dim = {}, bool keepdim = false);
// The larger of two elements, NaN where either is NaN.
Tensor max(const Tensor& self, const Tensor& other);
const Tensor& max_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Largest elements along `dim` and their positions.
std::tuple<Tensor, Tensor> max(const Tensor& self, std::int64_t dim, bool keepdim = false);
std::tuple<Tensor, Tensor> max_out(const Tensor& out0, const Tensor& out1, const Tensor& self, std::int64_t dim, bool keepdim = false);
// Largest elements over `dim`; equal ones share the gradient.
Tensor amax(const Tensor& self, IntArray dim = IntArray{}, bool keepdim = false);
const Tensor& amax_out(const Tensor& out, const Tensor& self, IntArray dim = IntArray{}, bool keepdim = false);
// Average of all elements.
Tensor mean(const Tensor& self, std::optional<Dtype> dtype = {});
const Tensor& mean_out(const Tensor& out, const Tensor& self, std::optional<Dtype> dtype = {});
// Average over `dim`.
Tensor mean(const Tensor& self, OptionalIntArray dim, bool keepdim = false, std::optional<Dtype> dtype = {});
const Tensor& mean_out(const Tensor& out, const Tensor& self, OptionalIntArray dim, bool keepdim = false, std::optional<Dtype> dtype = {});
// Average over `dim` of the elements that are not NaN.
Tensor nanmean(const Tensor& self, OptionalIntArray dim = {}, bool keepdim = false, std::optional<Dtype> dtype = {});
const Tensor& nanmean_out(const Tensor& out, const Tensor& self, OptionalIntArray dim = {}, bool keepdim = false, std::optional<Dtype> dtype = {});
// The smaller of two elements, NaN where either is NaN.
Tensor min(const Tensor& self, const Tensor& other);
const Tensor& min_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Smallest elements along `dim` and their positions.
std::tuple<Tensor, Tensor> min(const Tensor& self, std::int64_t dim, bool keepdim = false);
std::tuple<Tensor, Tensor> min_out(const Tensor& out0, const Tensor& out1, const Tensor& self, std::int64_t dim, bool keepdim = false);
// Smallest elements over `dim`; equal ones share the gradient.
Tensor amin(const Tensor& self, IntArray dim = IntArray{}, bool keepdim = false);
const Tensor& amin_out(const Tensor& out, const Tensor& self, IntArray dim = IntArray{}, bool keepdim = false);
// Sum of all elements.
Tensor sum(const Tensor& self, std::optional<Dtype> dtype = {});
// Sum over `dim`.
Tensor sum(const Tensor& self, OptionalIntArray dim, bool keepdim = false, std::optional<Dtype> dtype = {});
const Tensor& sum_out(const Tensor& out, const Tensor& self, OptionalIntArray dim, bool keepdim = false, std::optional<Dtype> dtype = {});
// Sum over `dim` with NaN counted as zero.
Tensor nansum(const Tensor& self, OptionalIntArray dim = {}, bool keepdim = false, std::optional<Dtype> dtype = {});
const Tensor& nansum_out(const Tensor& out, const Tensor& self, OptionalIntArray dim = {}, bool keepdim = false, std::optional<Dtype> dtype = {});
// Standard deviation of all elements.
Tensor std(const Tensor& self, bool unbiased = true);
// Standard deviation over `dim`.
Tensor std(const Tensor& self, OptionalIntArray dim, bool unbiased = true, bool keepdim = false);
const Tensor& std_out(const Tensor& out, const Tensor& self, OptionalIntArray dim, bool unbiased = true, bool keepdim = false);
// Standard deviation over `dim`, the square root of the squared deviations over their count less `correction`.
Tensor std(const Tensor& self, OptionalIntArray dim = {}, const std::optional<Scalar>& correction = {}, bool keepdim = false);
const Tensor& std_out(const Tensor& out, const Tensor& self, OptionalIntArray dim = {}, const std::optional<Scalar>& correction = {}, bool keepdim = false);
// Standard deviation and average of all elements.
std::tuple<Tensor, Tensor> std_mean(const Tensor& self, bool unbiased = true);
// Standard deviation and average over `dim`.
std::tuple<Tensor, Tensor> std_mean(const Tensor& self, OptionalIntArray dim, bool unbiased = true, bool keepdim = false);
// Standard deviation with `correction` and average over `dim`.
std::tuple<Tensor, Tensor> std_mean(const Tensor& self, OptionalIntArray dim = {}, const std::optional<Scalar>& correction = {}, bool keepdim = false);
// Product of all elements.
Tensor prod(const Tensor& self, std::optional<Dtype> dtype = {});
// Product along `dim`.
Tensor prod(const Tensor& self, std::int64_t dim, bool keepdim = false, std::optional<Dtype> dtype = {});
const Tensor& prod_out(const Tensor& out, const Tensor& self, std::int64_t dim, bool keepdim = false, std::optional<Dtype> dtype = {});
// Variance of all elements.
Tensor var(const Tensor& self, bool unbiased = true);
// Variance over `dim`.
Tensor var(const Tensor& self, OptionalIntArray dim, bool unbiased = true, bool keepdim = false);
const Tensor& var_out(const Tensor& out, const Tensor& self, OptionalIntArray dim, bool unbiased = true, bool keepdim = false);
// Variance over `dim`, the squared deviations over their count less `correction`.
Tensor var(const Tensor& self, OptionalIntArray dim = {}, const std::optional<Scalar>& correction = {}, bool keepdim = false);
const Tensor& var_out(const Tensor& out, const Tensor& self, OptionalIntArray dim = {}, const std::optional<Scalar>& correction = {}, bool keepdim = false);
// Variance and average of all elements.
std::tuple<Tensor, Tensor> var_mean(const Tensor& self, bool unbiased = true);
// Variance and average over `dim`.
std::tuple<Tensor, Tensor> var_mean(const Tensor& self, OptionalIntArray dim, bool unbiased = true, bool keepdim = false);
// Variance with `correction` and average over `dim`.
std::tuple<Tensor, Tensor> var_mean(const Tensor& self, OptionalIntArray dim = {}, const std::optional<Scalar>& correction = {}, bool keepdim = false);
// Vector norm of all elements.
Tensor native_norm(const Tensor& self, const Scalar& p = 2);
// Vector norm over `dim`.
Tensor native_norm(const Tensor& self, const std::optional<Scalar>& p, IntArray dim, bool keepdim, std::optional<Dtype> dtype);
// Vector norm of all elements, computed in `dtype`.
Tensor norm(const Tensor& self, const std::optional<Scalar>& p, Dtype dtype);
// Vector norm of order `p` of all elements.
Tensor norm(const Tensor& self, const Scalar& p = 2);
const Tensor& norm_out(const Tensor& out, const Tensor& self, const Scalar& p = 2);
// Vector norm over `dim`, computed in `dtype`.
Tensor norm(const Tensor& self, const std::optional<Scalar>& p, IntArray dim, bool keepdim, Dtype dtype);
const Tensor& norm_out(const Tensor& out, const Tensor& self, const std::optional<Scalar>& p, IntArray dim, bool keepdim, Dtype dtype);
// Vector norm of order `p` over `dim`.
Tensor norm(const Tensor& self, const std::optional<Scalar>& p, IntArray dim, bool keepdim = false);
const Tensor& norm_out(const Tensor& out, const Tensor& self, const std::optional<Scalar>& p, IntArray dim, bool keepdim = false);
// Vector norm of order `p` of `self - other`.
Tensor dist(const Tensor& self, const Tensor& other, const Scalar& p = 2);
// Smallest element.
Tensor min(const Tensor& self);
const Tensor& min_out(const Tensor& out, const Tensor& self);
// Largest element.
Tensor max(const Tensor& self);
const Tensor& max_out(const Tensor& out, const Tensor& self);
// Whether every element is true.
Tensor all(const Tensor& self);
const Tensor& all_out(const Tensor& out, const Tensor& self);
// Whether some element is true.
Tensor any(const Tensor& self);
const Tensor& any_out(const Tensor& out, const Tensor& self);
// Shrinks the slices along `dim` whose norm of order `p` exceeds `maxnorm` to that norm.
Tensor renorm(const Tensor& self, const Scalar& p, std::int64_t dim, const Scalar& maxnorm);
const Tensor& renorm_(const Tensor& self, const Scalar& p, std::int64_t dim, const Scalar& maxnorm);
const Tensor& renorm_out(const Tensor& out, const Tensor& self, const Scalar& p, std::int64_t dim, const Scalar& maxnorm);
// Variance over `dim` of real elements.
Tensor _var(const Tensor& self, OptionalIntArray dim, double correction, bool keepdim);
// Variance and average over `dim` of real elements.
std::tuple<Tensor, Tensor> _var_mean(const Tensor& self, OptionalIntArray dim, double correction, bool keepdim);
// Standard deviation over `dim` of real elements.
Tensor _std(const Tensor& self, OptionalIntArray dim, double correction, bool keepdim);
// Standard deviation and average over `dim` of real elements.
std::tuple<Tensor, Tensor> _std_mean(const Tensor& self, OptionalIntArray dim, double correction, bool keepdim);
// Vector norm of order `ord` over `dim`.
Tensor linalg_vector_norm(const Tensor& self, const Scalar& ord = 2, OptionalIntArray dim = {}, bool keepdim = false, std::optional<Dtype> dtype = {});
const Tensor& linalg_vector_norm_out(const Tensor& out, const Tensor& self, const Scalar& ord = 2, OptionalIntArray dim = {}, bool keepdim = false, std::optional<Dtype> dtype = {});
// Sum, mean, prod, max or min of runs of `axis`, given by their lengths or by the offsets between them.
Tensor segment_reduce(const Tensor& data, std::string_view reduce, const std::optional<Tensor>& lengths = {}, const std::optional<Tensor>& indices = {}, const std::optional<Tensor>& offsets = {}, std::int64_t axis = 0, bool unsafe = false, const std::optional<Scalar>& initial = {});
// Exclusive or, over `dim`, of the bits of all elements as float64 or int64; uint64.
Tensor hash_tensor(const Tensor& self, IntArray dim = IntArray{}, bool keepdim = false, std::int64_t mode = 0);
const Tensor& hash_tensor_out(const Tensor& out, const Tensor& self, IntArray dim = IntArray{}, bool keepdim = false, std::int64_t mode = 0);
// Whether every element of a bool tensor is true.
Tensor _is_all_true(const Tensor& self);
// Whether some element of a bool tensor is true.
Tensor _is_any_true(const Tensor& self);
// Smallest and largest element.
std::tuple<Tensor, Tensor> _aminmax(const Tensor& self);
// Smallest and largest elements along `dim`.
std::tuple<Tensor, Tensor> _aminmax(const Tensor& self, std::int64_t dim, bool keepdim = false);
// Long short-term memory over padded sequences.
std::tuple<Tensor, Tensor, Tensor> lstm(const Tensor& input, TensorList hx, TensorList params, bool has_biases, std::int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first);
// Long short-term memory over packed sequences.
std::tuple<Tensor, Tensor, Tensor> lstm(const Tensor& data, const Tensor& batch_sizes, TensorList hx, TensorList params, bool has_biases, std::int64_t num_layers, double dropout, bool train, bool bidirectional);
// Gated recurrent units over padded sequences.
std::tuple<Tensor, Tensor> gru(const Tensor& input, const Tensor& hx, TensorList params, bool has_biases, std::int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first);
// Gated recurrent units over packed sequences.
std::tuple<Tensor, Tensor> gru(const Tensor& data, const Tensor& batch_sizes, const Tensor& hx, TensorList params, bool has_biases, std::int64_t num_layers, double dropout, bool train, bool bidirectional);
// Recurrent layers with tanh over padded sequences.
std::tuple<Tensor, Tensor> rnn_tanh(const Tensor& input, const Tensor& hx, TensorList params, bool has_biases, std::int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first);
// Recurrent layers with tanh over packed sequences.
std::tuple<Tensor, Tensor> rnn_tanh(const Tensor& data, const Tensor& batch_sizes, const Tensor& hx, TensorList params, bool has_biases, std::int64_t num_layers, double dropout, bool train, bool bidirectional);
// Recurrent layers with ReLU over padded sequences.
std::tuple<Tensor, Tensor> rnn_relu(const Tensor& input, const Tensor& hx, TensorList params, bool has_biases, std::int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first);
// Recurrent layers with ReLU over packed sequences.
std::tuple<Tensor, Tensor> rnn_relu(const Tensor& data, const Tensor& batch_sizes, const Tensor& hx, TensorList params, bool has_biases, std::int64_t num_layers, double dropout, bool train, bool bidirectional);
// Long short-term memory: one step.
std::tuple<Tensor, Tensor> lstm_cell(const Tensor& input, TensorList hx, const Tensor& w_ih, const Tensor& w_hh, const std::optional<Tensor>& b_ih = {}, const std::optional<Tensor>& b_hh = {});
// Gated recurrent units: one step.
Tensor gru_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh, const std::optional<Tensor>& b_ih = {}, const std::optional<Tensor>& b_hh = {});
// Recurrent layers with tanh: one step.
Tensor rnn_tanh_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh, const std::optional<Tensor>& b_ih = {}, const std::optional<Tensor>& b_hh = {});
// Recurrent layers with ReLU: one step.
Tensor rnn_relu_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh, const std::optional<Tensor>& b_ih = {}, const std::optional<Tensor>& b_hh = {});
// The elements of padded sequences step by step, and the number of sequences at each step.
std::tuple<Tensor, Tensor> _pack_padded_sequence(const Tensor& input, const Tensor& lengths, bool batch_first);
// Padded sequences, and their lengths, from packed ones.
std::tuple<Tensor, Tensor> _pad_packed_sequence(const Tensor& data, const Tensor& batch_sizes, bool batch_first, const Scalar& padding_value, std::int64_t total_length);
// Stacks sequences of different lengths with padding.
Tensor pad_sequence(TensorList sequences, bool batch_first = false, double padding_value = 0.0, std::string_view padding_side = "right");
// One direction of a recurrent layer over the rows of all steps, with what its derivative needs.
std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor, Tensor> _rnn_layer(const Tensor& input, const Tensor& hx, const std::optional<Tensor>& cx, const Tensor& w_ih, const Tensor& w_hh, const std::optional<Tensor>& b_ih, const std::optional<Tensor>& b_hh, const std::optional<Tensor>& w_hr, IntArray batch_sizes, std::int64_t cell, bool reverse, std::int64_t form);
// Running maximum along `dim` and where it was found.
std::tuple<Tensor, Tensor> cummax(const Tensor& self, std::int64_t dim);
std::tuple<Tensor, Tensor> cummax_out(const Tensor& out0, const Tensor& out1, const Tensor& self, std::int64_t dim);
// Running minimum along `dim` and where it was found.
std::tuple<Tensor, Tensor> cummin(const Tensor& self, std::int64_t dim);
std::tuple<Tensor, Tensor> cummin_out(const Tensor& out0, const Tensor& out1, const Tensor& self, std::int64_t dim);
// Running product along `dim`.
Tensor cumprod(const Tensor& self, std::int64_t dim, std::optional<Dtype> dtype = {});
const Tensor& cumprod_(const Tensor& self, std::int64_t dim, std::optional<Dtype> dtype = {});
const Tensor& cumprod_out(const Tensor& out, const Tensor& self, std::int64_t dim, std::optional<Dtype> dtype = {});
// Running sum along `dim`.
Tensor cumsum(const Tensor& self, std::int64_t dim, std::optional<Dtype> dtype = {});
const Tensor& cumsum_(const Tensor& self, std::int64_t dim, std::optional<Dtype> dtype = {});
const Tensor& cumsum_out(const Tensor& out, const Tensor& self, std::int64_t dim, std::optional<Dtype> dtype = {});
// Running integral of `y` over the points `x` along `dim` by the trapezoid rule.
Tensor cumulative_trapezoid(const Tensor& y, const Tensor& x, std::int64_t dim = -1);
// Running integral of `y` over points `dx` apart along `dim` by the trapezoid rule.
Tensor cumulative_trapezoid(const Tensor& y, const Scalar& dx = 1, std::int64_t dim = -1);
// Differences of neighbours along `dim`, taken `n` times.
Tensor diff(const Tensor& self, std::int64_t n = 1, std::int64_t dim = -1, const std::optional<Tensor>& prepend = {}, const std::optional<Tensor>& append = {});
const Tensor& diff_out(const Tensor& out, const Tensor& self, std::int64_t n = 1, std::int64_t dim = -1, const std::optional<Tensor>& prepend = {}, const std::optional<Tensor>& append = {});
// Derivatives along dimensions by finite differences of samples with even steps.
std::vector<Tensor> gradient(const Tensor& self, const std::optional<Scalar>& spacing = {}, std::optional<std::int64_t> dim = {}, std::int64_t edge_order = 1);
// Derivatives along dimensions by finite differences of samples with even steps.
std::vector<Tensor> gradient(const Tensor& self, const Scalar& spacing, IntArray dim, std::int64_t edge_order = 1);
// Derivatives along dimensions by finite differences of samples with steps of one.
std::vector<Tensor> gradient(const Tensor& self, IntArray dim, std::int64_t edge_order = 1);
// Derivatives along dimensions by finite differences of samples with a step for each dimension.
std::vector<Tensor> gradient(const Tensor& self, std::span<const Scalar> spacing, std::optional<std::int64_t> dim = {}, std::int64_t edge_order = 1);
// Derivatives along dimensions by finite differences of samples with a step for each dimension.
std::vector<Tensor> gradient(const Tensor& self, std::span<const Scalar> spacing, IntArray dim, std::int64_t edge_order = 1);
// Derivatives along dimensions by finite differences of samples with given points.
std::vector<Tensor> gradient(const Tensor& self, TensorList spacing, std::optional<std::int64_t> dim = {}, std::int64_t edge_order = 1);
// Derivatives along dimensions by finite differences of samples with given points.
std::vector<Tensor> gradient(const Tensor& self, TensorList spacing, IntArray dim, std::int64_t edge_order = 1);
// Logarithm of the running sum of exponentials along `dim`.
Tensor logcumsumexp(const Tensor& self, std::int64_t dim);
const Tensor& logcumsumexp_out(const Tensor& out, const Tensor& self, std::int64_t dim);
// Integral of `y` over the points `x` along `dim` by the trapezoid rule.
Tensor trapezoid(const Tensor& y, const Tensor& x, std::int64_t dim = -1);
// Integral of `y` over points `dx` apart along `dim` by the trapezoid rule.
Tensor trapezoid(const Tensor& y, const Scalar& dx = 1, std::int64_t dim = -1);
// Integral of `y` over the points `x` along `dim` by the trapezoid rule.
Tensor trapz(const Tensor& y, const Tensor& x, std::int64_t dim = -1);
// Integral of `y` over points `dx` apart along `dim` by the trapezoid rule.
Tensor trapz(const Tensor& y, double dx = 1, std::int64_t dim = -1);
// The same memory as a real tensor with a last dimension of two.
Tensor view_as_real(const Tensor& self);
// The same memory as a complex tensor; the last dimension of two becomes one number.
Tensor view_as_complex(const Tensor& self);
// The real part; a real tensor is returned as it is.
Tensor real(const Tensor& self);
// The imaginary part of a complex tensor.
Tensor imag(const Tensor& self);
// The complex conjugate; a real tensor is returned as it is.
Tensor conj(const Tensor& self);
// The tensor itself, since conjugation is done at once.
Tensor resolve_conj(const Tensor& self);
// The tensor itself, since negation is done at once.
Tensor resolve_neg(const Tensor& self);
// The same memory with the given sizes, strides and offset.
Tensor as_strided(const Tensor& self, IntArray size, IntArray stride, std::optional<std::int64_t> storage_offset = {});
const Tensor& as_strided_(const Tensor& self, IntArray size, IntArray stride, std::optional<std::int64_t> storage_offset = {});
// At least one dimension.
Tensor atleast_1d(const Tensor& self);
// At least one dimension for each tensor.
std::vector<Tensor> atleast_1d(TensorList tensors);
// At least two dimensions.
Tensor atleast_2d(const Tensor& self);
// At least two dimensions for each tensor.
std::vector<Tensor> atleast_2d(TensorList tensors);
// At least three dimensions.
Tensor atleast_3d(const Tensor& self);
// At least three dimensions for each tensor.
std::vector<Tensor> atleast_3d(TensorList tensors);
// Expands all tensors to their common shape.
std::vector<Tensor> broadcast_tensors(TensorList tensors);
// Expands to `size`.
Tensor broadcast_to(const Tensor& self, IntArray size);
// Joins tensors along an existing dimension.
Tensor cat(TensorList tensors, std::int64_t dim = 0);
const Tensor& cat_out(const Tensor& out, TensorList tensors, std::int64_t dim = 0);
// Joins tensors along an existing dimension.
Tensor concat(TensorList tensors, std::int64_t dim = 0);
const Tensor& concat_out(const Tensor& out, TensorList tensors, std::int64_t dim = 0);
// Joins tensors along an existing dimension.
Tensor concatenate(TensorList tensors, std::int64_t dim = 0);
const Tensor& concatenate_out(const Tensor& out, TensorList tensors, std::int64_t dim = 0);
// A matrix with the given matrices along its diagonal.
Tensor block_diag(TensorList tensors);
// Views of `chunks` parts of equal size; the last may be smaller.
std::vector<Tensor> chunk(const Tensor& self, std::int64_t chunks, std::int64_t dim = 0);
// Parts of equal size along a dimension; the last may be smaller.
std::vector<Tensor> unsafe_chunk(const Tensor& self, std::int64_t chunks, std::int64_t dim = 0);
// Views of `sections` parts whose sizes differ by one at most.
std::vector<Tensor> tensor_split(const Tensor& self, std::int64_t sections, std::int64_t dim = 0);
// Views of the parts between the given indices.
std::vector<Tensor> tensor_split(const Tensor& self, IntArray indices, std::int64_t dim = 0);
// Views of parts, given by a number of them or by their boundaries.
std::vector<Tensor> tensor_split(const Tensor& self, const Tensor& tensor_indices_or_sections, std::int64_t dim = 0);
// The tensor itself when its elements lie in the order of the format, else a copy.
Tensor contiguous(const Tensor& self, MemoryFormat memory_format = MemoryFormat::kContiguous);
// Matrices with the last dimension of `self` on their diagonals.
Tensor diag_embed(const Tensor& self, std::int64_t offset = 0, std::int64_t dim1 = -2, std::int64_t dim2 = -1);
// A matrix with the elements of `self` on a diagonal.
Tensor diagflat(const Tensor& self, std::int64_t offset = 0);
// A view of a diagonal, as the last dimension.
Tensor diagonal(const Tensor& self, std::int64_t offset = 0, std::int64_t dim1 = 0, std::int64_t dim2 = 1);
// Stacks tensors row by row.
Tensor row_stack(TensorList tensors);
const Tensor& row_stack_out(const Tensor& out, TensorList tensors);
// Changes the shape, growing the memory where needed; new elements are not set.
const Tensor& resize_(const Tensor& self, IntArray size, std::optional<MemoryFormat> memory_format = {});
// Repeats dimensions of size one without copying.
Tensor expand(const Tensor& self, IntArray size, bool implicit = false);
// Expands to the shape of `other`.
Tensor expand_as(const Tensor& self, const Tensor& other);
// Makes one dimension of the dimensions from `start_dim` to `end_dim`.
Tensor flatten(const Tensor& self, std::int64_t start_dim = 0, std::int64_t end_dim = -1);
// Splits a dimension into several.
Tensor unflatten(const Tensor& self, std::int64_t dim, IntArray sizes);
// A copy of a part of a dimension.
Tensor narrow_copy(const Tensor& self, std::int64_t dim, std::int64_t start, std::int64_t length);
const Tensor& narrow_copy_out(const Tensor& out, const Tensor& self, std::int64_t dim, std::int64_t start, std::int64_t length);
// A view of `length` elements of a dimension.
Tensor narrow(const Tensor& self, std::int64_t dim, std::int64_t start, std::int64_t length);
// A view of `length` elements of a dimension, from an index held by a tensor.
Tensor narrow(const Tensor& self, std::int64_t dim, const Tensor& start, std::int64_t length);
// The dimensions in another order.
Tensor permute(const Tensor& self, IntArray dims);
// Moves dimensions to other places.
Tensor movedim(const Tensor& self, IntArray source, IntArray destination);
// Moves a dimension to another place.
Tensor movedim(const Tensor& self, std::int64_t source, std::int64_t destination);
// Moves dimensions to other places.
Tensor moveaxis(const Tensor& self, IntArray source, IntArray destination);
// Moves a dimension to another place.
Tensor moveaxis(const Tensor& self, std::int64_t source, std::int64_t destination);
// The conjugate transpose of a matrix.
Tensor matrix_H(const Tensor& self);
// Swaps the last two dimensions.
Tensor mT(const Tensor& self);
// Swaps the last two dimensions and conjugates.
Tensor mH(const Tensor& self);
// Swaps the last two dimensions and conjugates.
Tensor adjoint(const Tensor& self);
// One dimension, in row-major order.
Tensor ravel(const Tensor& self);
// Copies of the tensor side by side along each dimension.
Tensor repeat(const Tensor& self, IntArray repeats);
// Each index as often as `repeats` says.
Tensor repeat_interleave(const Tensor& repeats, std::optional<std::int64_t> output_size = {});
// Each slice of a dimension as often as `repeats` says.
Tensor repeat_interleave(const Tensor& self, const Tensor& repeats, std::optional<std::int64_t> dim = {}, std::optional<std::int64_t> output_size = {});
// Each slice of a dimension `repeats` times.
Tensor repeat_interleave(const Tensor& self, std::int64_t repeats, std::optional<std::int64_t> dim = {}, std::optional<std::int64_t> output_size = {});
// The same elements under another shape: a view where the strides allow it, else a copy.
Tensor reshape(const Tensor& self, IntArray shape);
// The same memory with the given sizes and strides.
Tensor _reshape_alias(const Tensor& self, IntArray size, IntArray stride);
// The same elements under the shape of `other`.
Tensor reshape_as(const Tensor& self, const Tensor& other);
// The slice at `index` of `dim`, without that dimension.
Tensor select(const Tensor& self, std::int64_t dim, std::int64_t index);
// Every `step`-th element of `dim` from `start` to `end`.
Tensor slice(const Tensor& self, std::int64_t dim = 0, std::optional<std::int64_t> start = {}, std::optional<std::int64_t> end = {}, std::int64_t step = 1);
// A copy of `self` with `src` in a slice.
Tensor slice_scatter(const Tensor& self, const Tensor& src, std::int64_t dim = 0, std::optional<std::int64_t> start = {}, std::optional<std::int64_t> end = {}, std::int64_t step = 1);
const Tensor& slice_scatter_out(const Tensor& out, const Tensor& self, const Tensor& src, std::int64_t dim = 0, std::optional<std::int64_t> start = {}, std::optional<std::int64_t> end = {}, std::int64_t step = 1);
// A copy of `self` with `src` at an index of a dimension.
Tensor select_scatter(const Tensor& self, const Tensor& src, std::int64_t dim, std::int64_t index);
const Tensor& select_scatter_out(const Tensor& out, const Tensor& self, const Tensor& src, std::int64_t dim, std::int64_t index);
// A copy of `self` with `src` on a diagonal.
Tensor diagonal_scatter(const Tensor& self, const Tensor& src, std::int64_t offset = 0, std::int64_t dim1 = 0, std::int64_t dim2 = 1);
const Tensor& diagonal_scatter_out(const Tensor& out, const Tensor& self, const Tensor& src, std::int64_t offset = 0, std::int64_t dim1 = 0, std::int64_t dim2 = 1);
// A copy of `self` with `src` in a strided part.
Tensor as_strided_scatter(const Tensor& self, const Tensor& src, IntArray size, IntArray stride, std::optional<std::int64_t> storage_offset = {});
const Tensor& as_strided_scatter_out(const Tensor& out, const Tensor& self, const Tensor& src, IntArray size, IntArray stride, std::optional<std::int64_t> storage_offset = {});
// Parts of `split_size` along a dimension.
std::vector<Tensor> unsafe_split(const Tensor& self, std::int64_t split_size, std::int64_t dim = 0);
// Views of parts of `split_size`; the last may be smaller.
std::vector<Tensor> split(const Tensor& self, std::int64_t split_size, std::int64_t dim = 0);
// Views of parts of the given sizes.
std::vector<Tensor> split(const Tensor& self, IntArray split_size, std::int64_t dim = 0);
// Parts of the given sizes along a dimension.
std::vector<Tensor> unsafe_split_with_sizes(const Tensor& self, IntArray split_sizes, std::int64_t dim = 0);
// Views of parts of the given sizes.
std::vector<Tensor> split_with_sizes(const Tensor& self, IntArray split_sizes, std::int64_t dim = 0);
// Splits into columns.
std::vector<Tensor> hsplit(const Tensor& self, std::int64_t sections);
// Splits into columns at the given indices.
std::vector<Tensor> hsplit(const Tensor& self, IntArray indices);
// Splits into rows.
std::vector<Tensor> vsplit(const Tensor& self, std::int64_t sections);
// Splits into rows at the given indices.
std::vector<Tensor> vsplit(const Tensor& self, IntArray indices);
// Splits along the third dimension.
std::vector<Tensor> dsplit(const Tensor& self, std::int64_t sections);
// Splits along the third dimension at the given indices.
std::vector<Tensor> dsplit(const Tensor& self, IntArray indices);
// Drops all dimensions of size one.
Tensor squeeze(const Tensor& self);
const Tensor& squeeze_(const Tensor& self);
// Drops a dimension where its size is one.
Tensor squeeze(const Tensor& self, std::int64_t dim);
const Tensor& squeeze_(const Tensor& self, std::int64_t dim);
// Drops those of the given dimensions whose size is one.
Tensor squeeze(const Tensor& self, IntArray dim);
const Tensor& squeeze_(const Tensor& self, IntArray dim);
// Joins tensors of one shape along a new dimension.
Tensor stack(TensorList tensors, std::int64_t dim = 0);
const Tensor& stack_out(const Tensor& out, TensorList tensors, std::int64_t dim = 0);
// Joins tensors of one shape along a new dimension.
Tensor _stack(TensorList tensors, std::int64_t dim = 0);
const Tensor& _stack_out(const Tensor& out, TensorList tensors, std::int64_t dim = 0);
// Joins tensors column by column.
Tensor hstack(TensorList tensors);
const Tensor& hstack_out(const Tensor& out, TensorList tensors);
// Joins tensors row by row.
Tensor vstack(TensorList tensors);
const Tensor& vstack_out(const Tensor& out, TensorList tensors);
// Joins tensors along the third dimension.
Tensor dstack(TensorList tensors);
const Tensor& dstack_out(const Tensor& out, TensorList tensors);
// Swaps the two dimensions of a matrix.
Tensor t(const Tensor& self);
const Tensor& t_(const Tensor& self);
// Copies of the tensor side by side; missing leading entries of `dims` are one.
Tensor tile(const Tensor& self, IntArray dims);
// Swaps two dimensions.
Tensor transpose(const Tensor& self, std::int64_t dim0, std::int64_t dim1);
const Tensor& transpose_(const Tensor& self, std::int64_t dim0, std::int64_t dim1);
// Reverses the order of elements along dimensions.
Tensor flip(const Tensor& self, IntArray dims);
// Reverses the order of columns.
Tensor fliplr(const Tensor& self);
// Reverses the order of rows.
Tensor flipud(const Tensor& self);
// Moves elements along dimensions; those that leave at one end come back at the other.
Tensor roll(const Tensor& self, IntArray shifts, IntArray dims = IntArray{});
// Rotates a plane by 90 degrees, `k` times.
Tensor rot90(const Tensor& self, std::int64_t k = 1, IntArray dims = IntArray{0,1});
// Converts to the dtype of `other`.
Tensor type_as(const Tensor& self, const Tensor& other);
// The same elements under another shape, of a tensor that nobody else holds.
Tensor _unsafe_view(const Tensor& self, IntArray size);
// A new dimension of size one.
Tensor unsqueeze(const Tensor& self, std::int64_t dim);
const Tensor& unsqueeze_(const Tensor& self, std::int64_t dim);
// The same elements under the shape of `other`.
Tensor view_as(const Tensor& self, const Tensor& other);
// A copy.
Tensor clone(const Tensor& self, std::optional<MemoryFormat> memory_format = {});
// The tensor itself; bool is refused.
Tensor positive(const Tensor& self);
// Changes the shape to that of `the_template`.
const Tensor& resize_as_(const Tensor& self, const Tensor& the_template, std::optional<MemoryFormat> memory_format = {});
// Views of the slices of a dimension.
std::vector<Tensor> unbind(const Tensor& self, std::int64_t dim = 0);
// A copy with another dtype, device or memory format.
Tensor _to_copy(const Tensor& self, const TensorOptions& options = {}, bool non_blocking = false, std::optional<MemoryFormat> memory_format = {});
// Grids of coordinates from vectors.
std::vector<Tensor> meshgrid(TensorList tensors);
// Grids of coordinates from vectors, with matrix (`ij`) or picture (`xy`) indexing.
std::vector<Tensor> meshgrid(TensorList tensors, std::string_view indexing);
// All combinations of one element of each vector.
Tensor cartesian_prod(TensorList tensors);
// All combinations of `r` elements of a vector.
Tensor combinations(const Tensor& self, std::int64_t r = 2, bool with_replacement = false);
// The same elements under another shape.
Tensor view(const Tensor& self, IntArray size);
// The same bytes read as another dtype.
Tensor view(const Tensor& self, Dtype dtype);
// The diagonal of a matrix, or a matrix with a vector on its diagonal.
Tensor diag(const Tensor& self, std::int64_t diagonal = 0);
const Tensor& diag_out(const Tensor& out, const Tensor& self, std::int64_t diagonal = 0);
// The upper triangle; the rest is zero.
Tensor triu(const Tensor& self, std::int64_t diagonal = 0);
const Tensor& triu_(const Tensor& self, std::int64_t diagonal = 0);
const Tensor& triu_out(const Tensor& out, const Tensor& self, std::int64_t diagonal = 0);
// The lower triangle; the rest is zero.
Tensor tril(const Tensor& self, std::int64_t diagonal = 0);
const Tensor& tril_(const Tensor& self, std::int64_t diagonal = 0);
const Tensor& tril_out(const Tensor& out, const Tensor& self, std::int64_t diagonal = 0);
// Swaps two dimensions.
Tensor swapaxes(const Tensor& self, std::int64_t axis0, std::int64_t axis1);
const Tensor& swapaxes_(const Tensor& self, std::int64_t axis0, std::int64_t axis1);
// Swaps two dimensions.
Tensor swapdims(const Tensor& self, std::int64_t dim0, std::int64_t dim1);
const Tensor& swapdims_(const Tensor& self, std::int64_t dim0, std::int64_t dim1);
// Views of windows of a dimension, as a new last dimension.
Tensor unfold(const Tensor& self, std::int64_t dimension, std::int64_t size, std::int64_t step);
// A new tensor over the same memory.
Tensor alias(const Tensor& self);
// Joins vectors as columns.
Tensor column_stack(TensorList tensors);
const Tensor& column_stack_out(const Tensor& out, TensorList tensors);
// The result of `view_as_real`, copied.
Tensor view_as_real_copy(const Tensor& self);
const Tensor& view_as_real_copy_out(const Tensor& out, const Tensor& self);
// The result of `view_as_complex`, copied.
Tensor view_as_complex_copy(const Tensor& self);
const Tensor& view_as_complex_copy_out(const Tensor& out, const Tensor& self);
// The result of `as_strided`, copied.
Tensor as_strided_copy(const Tensor& self, IntArray size, IntArray stride, std::optional<std::int64_t> storage_offset = {});
const Tensor& as_strided_copy_out(const Tensor& out, const Tensor& self, IntArray size, IntArray stride, std::optional<std::int64_t> storage_offset = {});
// The result of `diagonal`, copied.
Tensor diagonal_copy(const Tensor& self, std::int64_t offset = 0, std::int64_t dim1 = 0, std::int64_t dim2 = 1);
const Tensor& diagonal_copy_out(const Tensor& out, const Tensor& self, std::int64_t offset = 0, std::int64_t dim1 = 0, std::int64_t dim2 = 1);
// The result of `expand`, copied.
Tensor expand_copy(const Tensor& self, IntArray size, bool implicit = false);
const Tensor& expand_copy_out(const Tensor& out, const Tensor& self, IntArray size, bool implicit = false);
// The result of `permute`, copied.
Tensor permute_copy(const Tensor& self, IntArray dims);
const Tensor& permute_copy_out(const Tensor& out, const Tensor& self, IntArray dims);
// The result of `select`, copied.
Tensor select_copy(const Tensor& self, std::int64_t dim, std::int64_t index);
const Tensor& select_copy_out(const Tensor& out, const Tensor& self, std::int64_t dim, std::int64_t index);
// The result of `slice`, copied.
Tensor slice_copy(const Tensor& self, std::int64_t dim = 0, std::optional<std::int64_t> start = {}, std::optional<std::int64_t> end = {}, std::int64_t step = 1);
const Tensor& slice_copy_out(const Tensor& out, const Tensor& self, std::int64_t dim = 0, std::optional<std::int64_t> start = {}, std::optional<std::int64_t> end = {}, std::int64_t step = 1);
// The result of `split`, copied.
std::vector<Tensor> split_copy(const Tensor& self, std::int64_t split_size, std::int64_t dim = 0);
void split_copy_out(TensorList out, const Tensor& self, std::int64_t split_size, std::int64_t dim = 0);
// The result of `split_with_sizes`, copied.
std::vector<Tensor> split_with_sizes_copy(const Tensor& self, IntArray split_sizes, std::int64_t dim = 0);
void split_with_sizes_copy_out(TensorList out, const Tensor& self, IntArray split_sizes, std::int64_t dim = 0);
// The result of `squeeze`, copied.
Tensor squeeze_copy(const Tensor& self);
const Tensor& squeeze_copy_out(const Tensor& out, const Tensor& self);
// The result of `squeeze`, copied.
Tensor squeeze_copy(const Tensor& self, std::int64_t dim);
const Tensor& squeeze_copy_out(const Tensor& out, const Tensor& self, std::int64_t dim);
// The result of `squeeze`, copied.
Tensor squeeze_copy(const Tensor& self, IntArray dim);
const Tensor& squeeze_copy_out(const Tensor& out, const Tensor& self, IntArray dim);
// The result of `t`, copied.
Tensor t_copy(const Tensor& self);
const Tensor& t_copy_out(const Tensor& out, const Tensor& self);
// The result of `transpose`, copied.
Tensor transpose_copy(const Tensor& self, std::int64_t dim0, std::int64_t dim1);
const Tensor& transpose_copy_out(const Tensor& out, const Tensor& self, std::int64_t dim0, std::int64_t dim1);
// The result of `unsqueeze`, copied.
Tensor unsqueeze_copy(const Tensor& self, std::int64_t dim);
const Tensor& unsqueeze_copy_out(const Tensor& out, const Tensor& self, std::int64_t dim);
// The result of `unbind`, copied.
std::vector<Tensor> unbind_copy(const Tensor& self, std::int64_t dim = 0);
void unbind_copy_out(TensorList out, const Tensor& self, std::int64_t dim = 0);
// The result of `view`, copied.
Tensor view_copy(const Tensor& self, IntArray size);
const Tensor& view_copy_out(const Tensor& out, const Tensor& self, IntArray size);
// The result of `view`, copied.
Tensor view_copy(const Tensor& self, Dtype dtype);
const Tensor& view_copy_out(const Tensor& out, const Tensor& self, Dtype dtype);
// The result of `unfold`, copied.
Tensor unfold_copy(const Tensor& self, std::int64_t dimension, std::int64_t size, std::int64_t step);
const Tensor& unfold_copy_out(const Tensor& out, const Tensor& self, std::int64_t dimension, std::int64_t size, std::int64_t step);
// The result of `alias`, copied.
Tensor alias_copy(const Tensor& self);
const Tensor& alias_copy_out(const Tensor& out, const Tensor& self);
// Zeros with `grad_output` at `index` of `dim`.
Tensor select_backward(const Tensor& grad_output, IntArray input_sizes, std::int64_t dim, std::int64_t index);
// Zeros with `grad_output` in a slice of `dim`.
Tensor slice_backward(const Tensor& grad_output, IntArray input_sizes, std::int64_t dim, std::optional<std::int64_t> start, std::optional<std::int64_t> end, std::int64_t step);
// Zeros with `grad_output` on a diagonal.
Tensor diagonal_backward(const Tensor& grad_output, IntArray input_sizes, std::int64_t offset, std::int64_t dim1, std::int64_t dim2);
// The sum of windows put back in their places.
Tensor unfold_backward(const Tensor& grad_in, IntArray input_sizes, std::int64_t dim, std::int64_t size, std::int64_t step);
// The sum over all elements of a strided view, put back in their places.
Tensor as_strided_backward(const Tensor& grad_output, IntArray input_sizes, IntArray input_strides, std::int64_t input_offset, IntArray size, IntArray stride, std::optional<std::int64_t> storage_offset);
// What `as_strided` reads from a tensor with the given geometry, as a copy.
Tensor as_strided_forward(const Tensor& self, IntArray input_sizes, IntArray input_strides, std::int64_t input_offset, IntArray size, IntArray stride, std::optional<std::int64_t> storage_offset);
// The result of `detach`, copied.
Tensor detach_copy(const Tensor& self);
const Tensor& detach_copy_out(const Tensor& out, const Tensor& self);
// The tensor of the shape of `src` in the memory of its slice `self`.
Tensor slice_inverse(const Tensor& self, const Tensor& src, std::int64_t dim = 0, std::optional<std::int64_t> start = {}, std::optional<std::int64_t> end = {}, std::int64_t step = 1);
// The complex conjugate of a complex tensor.
Tensor _conj(const Tensor& self);
// The complex conjugate, copied.
Tensor _conj_physical(const Tensor& self);
// The complex conjugate of a complex tensor, copied.
Tensor _conj_copy(const Tensor& self);
const Tensor& _conj_copy_out(const Tensor& out, const Tensor& self);
// The negative of a tensor.
Tensor _neg_view(const Tensor& self);
// The negative of a tensor, copied.
Tensor _neg_view_copy(const Tensor& self);
const Tensor& _neg_view_copy_out(const Tensor& out, const Tensor& self);
// A copy, made at once.
Tensor _lazy_clone(const Tensor& self);
// Whether two tensors have the same shape.
bool is_same_size(const Tensor& self, const Tensor& other);
// The shape as a vector of int64.
Tensor _shape_as_tensor(const Tensor& self);
// `reshape` to the elements of an int64 vector.
Tensor _reshape_from_tensor(const Tensor& self, const Tensor& shape);
// The positions along `dim`.
Tensor _dim_arange(const Tensor& like, std::int64_t dim);
// How often each non-negative integer occurs, or the sum of `weights` of its occurrences.
Tensor bincount(const Tensor& self, const std::optional<Tensor>& weights = {}, std::int64_t minlength = 0);
// Whether each element is among `test_elements`.
Tensor isin(const Tensor& elements, const Tensor& test_elements, bool assume_unique = false, bool invert = false);
const Tensor& isin_out(const Tensor& out, const Tensor& elements, const Tensor& test_elements, bool assume_unique = false, bool invert = false);
// Whether each element equals a number.
Tensor isin(const Tensor& elements, const Scalar& test_element, bool assume_unique = false, bool invert = false);
const Tensor& isin_out(const Tensor& out, const Tensor& elements, const Scalar& test_element, bool assume_unique = false, bool invert = false);
// Whether a number is among `test_elements`.
Tensor isin(const Scalar& element, const Tensor& test_elements, bool assume_unique = false, bool invert = false);
const Tensor& isin_out(const Tensor& out, const Scalar& element, const Tensor& test_elements, bool assume_unique = false, bool invert = false);
// The `k`-th smallest element along `dim` and its position.
std::tuple<Tensor, Tensor> kthvalue(const Tensor& self, std::int64_t k, std::int64_t dim = -1, bool keepdim = false);
std::tuple<Tensor, Tensor> kthvalue_out(const Tensor& out0, const Tensor& out1, const Tensor& self, std::int64_t k, std::int64_t dim = -1, bool keepdim = false);
// Lower median of all elements, NaN where there is one.
Tensor median(const Tensor& self);
// Lower median along `dim` and its position, NaN where there is one.
std::tuple<Tensor, Tensor> median(const Tensor& self, std::int64_t dim, bool keepdim = false);
std::tuple<Tensor, Tensor> median_out(const Tensor& out0, const Tensor& out1, const Tensor& self, std::int64_t dim, bool keepdim = false);
// Lower median of the elements that are not NaN.
Tensor nanmedian(const Tensor& self);
// Lower median along `dim` of the elements that are not NaN, and its position.
std::tuple<Tensor, Tensor> nanmedian(const Tensor& self, std::int64_t dim, bool keepdim = false);
std::tuple<Tensor, Tensor> nanmedian_out(const Tensor& out0, const Tensor& out1, const Tensor& self, std::int64_t dim, bool keepdim = false);
// Most frequent element along `dim` and its last position.
std::tuple<Tensor, Tensor> mode(const Tensor& self, std::int64_t dim = -1, bool keepdim = false);
std::tuple<Tensor, Tensor> mode_out(const Tensor& out0, const Tensor& out1, const Tensor& self, std::int64_t dim = -1, bool keepdim = false);
// Distinct slices along `dim` in lexicographic order, where each slice went, and how often each occurs.
std::tuple<Tensor, Tensor, Tensor> unique_dim(const Tensor& self, std::int64_t dim, bool sorted = true, bool return_inverse = false, bool return_counts = false);
// Elements or slices with repeats of the one before left out.
std::tuple<Tensor, Tensor, Tensor> unique_consecutive(const Tensor& self, bool return_inverse = false, bool return_counts = false, std::optional<std::int64_t> dim = {});
// Slices along `dim` with repeats of the one before left out.
std::tuple<Tensor, Tensor, Tensor> unique_dim_consecutive(const Tensor& self, std::int64_t dim, bool return_inverse = false, bool return_counts = false);
// Distinct elements in ascending order, where each element went, and how often each occurs.
std::tuple<Tensor, Tensor, Tensor> _unique2(const Tensor& self, bool sorted = true, bool return_inverse = false, bool return_counts = false);
// How many elements fall into each of `bins` equal intervals from `min` to `max`.
Tensor histc(const Tensor& self, std::int64_t bins = 100, const Scalar& min = 0, const Scalar& max = 0);
const Tensor& histc_out(const Tensor& out, const Tensor& self, std::int64_t bins = 100, const Scalar& min = 0, const Scalar& max = 0);
// Counts between the edges `bins`, with the edges.
std::tuple<Tensor, Tensor> histogram(const Tensor& self, const Tensor& bins, const std::optional<Tensor>& weight = {}, bool density = false);
std::tuple<Tensor, Tensor> histogram_out(const Tensor& out0, const Tensor& out1, const Tensor& self, const Tensor& bins, const std::optional<Tensor>& weight = {}, bool density = false);
// Counts in `bins` equal intervals, with their edges.
std::tuple<Tensor, Tensor> histogram(const Tensor& self, std::int64_t bins = 100, std::optional<std::span<const double>> range = {}, const std::optional<Tensor>& weight = {}, bool density = false);
std::tuple<Tensor, Tensor> histogram_out(const Tensor& out0, const Tensor& out1, const Tensor& self, std::int64_t bins = 100, std::optional<std::span<const double>> range = {}, const std::optional<Tensor>& weight = {}, bool density = false);
// Counts of points in a grid with `bins` equal intervals per dimension, with the edges.
std::tuple<Tensor, std::vector<Tensor>> histogramdd(const Tensor& self, IntArray bins, std::optional<std::span<const double>> range = {}, const std::optional<Tensor>& weight = {}, bool density = false);
// Counts of points in a grid with `bins` equal intervals in each dimension, with the edges.
std::tuple<Tensor, std::vector<Tensor>> histogramdd(const Tensor& self, std::int64_t bins, std::optional<std::span<const double>> range = {}, const std::optional<Tensor>& weight = {}, bool density = false);
// Counts of points in a grid with the edges `bins`, with the edges.
std::tuple<Tensor, std::vector<Tensor>> histogramdd(const Tensor& self, TensorList bins, std::optional<std::span<const double>> range = {}, const std::optional<Tensor>& weight = {}, bool density = false);
// Values below which the shares `q` of the elements along `dim` lie; NaN where there is a NaN.
Tensor quantile(const Tensor& self, const Tensor& q, std::optional<std::int64_t> dim = {}, bool keepdim = false, std::string_view interpolation = "linear");
const Tensor& quantile_out(const Tensor& out, const Tensor& self, const Tensor& q, std::optional<std::int64_t> dim = {}, bool keepdim = false, std::string_view interpolation = "linear");
// Value below which the share `q` of the elements along `dim` lies; NaN where there is a NaN.
Tensor quantile(const Tensor& self, double q, std::optional<std::int64_t> dim = {}, bool keepdim = false, std::string_view interpolation = "linear");
const Tensor& quantile_out(const Tensor& out, const Tensor& self, double q, std::optional<std::int64_t> dim = {}, bool keepdim = false, std::string_view interpolation = "linear");
// Values below which the shares `q` of the elements along `dim` that are not NaN lie.
Tensor nanquantile(const Tensor& self, const Tensor& q, std::optional<std::int64_t> dim = {}, bool keepdim = false, std::string_view interpolation = "linear");
const Tensor& nanquantile_out(const Tensor& out, const Tensor& self, const Tensor& q, std::optional<std::int64_t> dim = {}, bool keepdim = false, std::string_view interpolation = "linear");
// Value below which the share `q` of the elements along `dim` that are not NaN lies.
Tensor nanquantile(const Tensor& self, double q, std::optional<std::int64_t> dim = {}, bool keepdim = false, std::string_view interpolation = "linear");
const Tensor& nanquantile_out(const Tensor& out, const Tensor& self, double q, std::optional<std::int64_t> dim = {}, bool keepdim = false, std::string_view interpolation = "linear");
// Sorts along `dim`; equal elements keep their order, NaN sorts last.
std::tuple<Tensor, Tensor> sort(const Tensor& self, std::int64_t dim = -1, bool descending = false);
std::tuple<Tensor, Tensor> sort_out(const Tensor& out0, const Tensor& out1, const Tensor& self, std::int64_t dim = -1, bool descending = false);
// Sorts along `dim`; equal elements keep their order, NaN sorts last.
std::tuple<Tensor, Tensor> sort(const Tensor& self, std::optional<bool> stable, std::int64_t dim = -1, bool descending = false);
std::tuple<Tensor, Tensor> sort_out(const Tensor& out0, const Tensor& out1, const Tensor& self, std::optional<bool> stable, std::int64_t dim = -1, bool descending = false);
// Sorts along the first dimension.
Tensor msort(const Tensor& self);
const Tensor& msort_out(const Tensor& out, const Tensor& self);
// Positions that sort along `dim`.
Tensor argsort(const Tensor& self, std::int64_t dim = -1, bool descending = false);
// Positions that sort along `dim`.
Tensor argsort(const Tensor& self, bool stable, std::int64_t dim = -1, bool descending = false);
const Tensor& argsort_out(const Tensor& out, const Tensor& self, bool stable, std::int64_t dim = -1, bool descending = false);
// The `k` largest or smallest elements along `dim`, in order, and their positions.
std::tuple<Tensor, Tensor> topk(const Tensor& self, std::int64_t k, std::int64_t dim = -1, bool largest = true, bool sorted = true);
std::tuple<Tensor, Tensor> topk_out(const Tensor& out0, const Tensor& out1, const Tensor& self, std::int64_t k, std::int64_t dim = -1, bool largest = true, bool sorted = true);
// Number of `boundaries` below each element.
Tensor bucketize(const Tensor& self, const Tensor& boundaries, bool out_int32 = false, bool right = false);
const Tensor& bucketize_out(const Tensor& out, const Tensor& self, const Tensor& boundaries, bool out_int32 = false, bool right = false);
// Number of `boundaries` below a number.
Tensor bucketize(const Scalar& self, const Tensor& boundaries, bool out_int32 = false, bool right = false);
const Tensor& bucketize_out(const Tensor& out, const Scalar& self, const Tensor& boundaries, bool out_int32 = false, bool right = false);
// Positions at which the elements of `self` keep `sorted_sequence` sorted.
Tensor searchsorted(const Tensor& sorted_sequence, const Tensor& self, bool out_int32 = false, bool right = false, std::optional<std::string_view> side = {}, const std::optional<Tensor>& sorter = {});
const Tensor& searchsorted_out(const Tensor& out, const Tensor& sorted_sequence, const Tensor& self, bool out_int32 = false, bool right = false, std::optional<std::string_view> side = {}, const std::optional<Tensor>& sorter = {});
// Position at which a number keeps `sorted_sequence` sorted.
Tensor searchsorted(const Tensor& sorted_sequence, const Scalar& self, bool out_int32 = false, bool right = false, std::optional<std::string_view> side = {}, const std::optional<Tensor>& sorter = {});
const Tensor& searchsorted_out(const Tensor& out, const Tensor& sorted_sequence, const Scalar& self, bool out_int32 = false, bool right = false, std::optional<std::string_view> side = {}, const std::optional<Tensor>& sorter = {});
// Counts of points in a grid whose edges lie end to end in `edges`.
Tensor _histogram_counts(const Tensor& self, const Tensor& edges, IntArray bins, bool uniform, const std::optional<Tensor>& weight);
// Evenly spaced edges of each dimension of points, end to end.
Tensor _histogram_edges(const Tensor& self, IntArray bins, std::optional<std::span<const double>> range);
// Distinct elements in ascending order, and where each element went.
std::tuple<Tensor, Tensor> _unique(const Tensor& self, bool sorted = true, bool return_inverse = false);
// The edges of a grid with `bins` equal intervals per dimension.
std::vector<Tensor> _histogramdd_bin_edges(const Tensor& self, IntArray bins, std::optional<std::span<const double>> range = {}, const std::optional<Tensor>& weight = {}, bool density = false);
// Counts of points in a grid with `bins` equal intervals per dimension.
Tensor _histogramdd_from_bin_cts(const Tensor& self, IntArray bins, std::optional<std::span<const double>> range = {}, const std::optional<Tensor>& weight = {}, bool density = false);
// Counts of points in a grid with the edges `bins`.
Tensor _histogramdd_from_bin_tensors(const Tensor& self, TensorList bins, const std::optional<Tensor>& weight = {}, bool density = false);
// Error function.
Tensor erf(const Tensor& self);
const Tensor& erf_(const Tensor& self);
const Tensor& erf_out(const Tensor& out, const Tensor& self);
// Complementary error function.
Tensor erfc(const Tensor& self);
const Tensor& erfc_(const Tensor& self);
const Tensor& erfc_out(const Tensor& out, const Tensor& self);
// self log(other), 0 where `self` is 0.
Tensor xlogy(const Tensor& self, const Tensor& other);
const Tensor& xlogy_(const Tensor& self, const Tensor& other);
const Tensor& xlogy_out(const Tensor& out, const Tensor& self, const Tensor& other);
// self log(other), 0 where `self` is 0.
Tensor xlogy(const Tensor& self, const Scalar& other);
const Tensor& xlogy_(const Tensor& self, const Scalar& other);
const Tensor& xlogy_out(const Tensor& out, const Tensor& self, const Scalar& other);
// self log(other), 0 where `self` is 0.
Tensor xlogy(const Scalar& self, const Tensor& other);
const Tensor& xlogy_out(const Tensor& out, const Scalar& self, const Tensor& other);
// Logarithm of the multivariate gamma function of dimension `p`.
Tensor mvlgamma(const Tensor& self, std::int64_t p);
const Tensor& mvlgamma_(const Tensor& self, std::int64_t p);
const Tensor& mvlgamma_out(const Tensor& out, const Tensor& self, std::int64_t p);
// sin(pi x) / (pi x), 1 at 0.
Tensor sinc(const Tensor& self);
const Tensor& sinc_(const Tensor& self);
const Tensor& sinc_out(const Tensor& out, const Tensor& self);
// Logarithm of the absolute value of the gamma function.
Tensor lgamma(const Tensor& self);
const Tensor& lgamma_(const Tensor& self);
const Tensor& lgamma_out(const Tensor& out, const Tensor& self);
// Logarithmic derivative of the gamma function.
Tensor digamma(const Tensor& self);
const Tensor& digamma_(const Tensor& self);
const Tensor& digamma_out(const Tensor& out, const Tensor& self);
// Derivative of order `n` of `digamma`.
Tensor polygamma(std::int64_t n, const Tensor& self);
const Tensor& polygamma_(std::int64_t n, const Tensor& self);
const Tensor& polygamma_out(const Tensor& out, std::int64_t n, const Tensor& self);
// Inverse of `erf`.
Tensor erfinv(const Tensor& self);
const Tensor& erfinv_(const Tensor& self);
const Tensor& erfinv_out(const Tensor& out, const Tensor& self);
// Modified Bessel function of order 0.
Tensor i0(const Tensor& self);
const Tensor& i0_(const Tensor& self);
const Tensor& i0_out(const Tensor& out, const Tensor& self);
// Regularised lower incomplete gamma function.
Tensor igamma(const Tensor& self, const Tensor& other);
const Tensor& igamma_(const Tensor& self, const Tensor& other);
const Tensor& igamma_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Regularised upper incomplete gamma function.
Tensor igammac(const Tensor& self, const Tensor& other);
const Tensor& igammac_(const Tensor& self, const Tensor& other);
const Tensor& igammac_out(const Tensor& out, const Tensor& self, const Tensor& other);
// -x log(x), 0 at 0.
Tensor special_entr(const Tensor& self);
const Tensor& special_entr_out(const Tensor& out, const Tensor& self);
// Quantile function of the standard normal distribution.
Tensor special_ndtri(const Tensor& self);
const Tensor& special_ndtri_out(const Tensor& out, const Tensor& self);
// Logarithm of the standard normal distribution function.
Tensor special_log_ndtr(const Tensor& self);
const Tensor& special_log_ndtr_out(const Tensor& out, const Tensor& self);
// See `expm1`.
Tensor special_expm1(const Tensor& self);
const Tensor& special_expm1_out(const Tensor& out, const Tensor& self);
// See `exp2`.
Tensor special_exp2(const Tensor& self);
const Tensor& special_exp2_out(const Tensor& out, const Tensor& self);
// See `digamma`.
Tensor special_psi(const Tensor& self);
const Tensor& special_psi_out(const Tensor& out, const Tensor& self);
// See `digamma`.
Tensor special_digamma(const Tensor& self);
const Tensor& special_digamma_out(const Tensor& out, const Tensor& self);
// See `lgamma`.
Tensor special_gammaln(const Tensor& self);
const Tensor& special_gammaln_out(const Tensor& out, const Tensor& self);
// See `erf`.
Tensor special_erf(const Tensor& self);
const Tensor& special_erf_out(const Tensor& out, const Tensor& self);
// See `erfc`.
Tensor special_erfc(const Tensor& self);
const Tensor& special_erfc_out(const Tensor& out, const Tensor& self);
// exp(x^2) erfc(x).
Tensor special_erfcx(const Tensor& self);
const Tensor& special_erfcx_out(const Tensor& out, const Tensor& self);
// See `erfinv`.
Tensor special_erfinv(const Tensor& self);
const Tensor& special_erfinv_out(const Tensor& out, const Tensor& self);
// Standard normal distribution function.
Tensor special_ndtr(const Tensor& self);
const Tensor& special_ndtr_out(const Tensor& out, const Tensor& self);
// self log1p(other), 0 where `self` is 0.
Tensor special_xlog1py(const Tensor& self, const Tensor& other);
const Tensor& special_xlog1py_out(const Tensor& out, const Tensor& self, const Tensor& other);
// self log1p(other), 0 where `self` is 0.
Tensor special_xlog1py(const Tensor& self, const Scalar& other);
const Tensor& special_xlog1py_out(const Tensor& out, const Tensor& self, const Scalar& other);
// self log1p(other), 0 where `self` is 0.
Tensor special_xlog1py(const Scalar& self, const Tensor& other);
const Tensor& special_xlog1py_out(const Tensor& out, const Scalar& self, const Tensor& other);
// See `xlogy`.
Tensor special_xlogy(const Tensor& self, const Tensor& other);
const Tensor& special_xlogy_out(const Tensor& out, const Tensor& self, const Tensor& other);
// See `xlogy`.
Tensor special_xlogy(const Scalar& self, const Tensor& other);
const Tensor& special_xlogy_out(const Tensor& out, const Scalar& self, const Tensor& other);
// Hurwitz zeta function.
Tensor special_zeta(const Tensor& self, const Tensor& other);
const Tensor& special_zeta_out(const Tensor& out, const Tensor& self, const Tensor& other);
// Hurwitz zeta function.
Tensor special_zeta(const Tensor& self, const Scalar& other);
const Tensor& special_zeta_out(const Tensor& out, const Tensor& self, const Scalar& other);
// Hurwitz zeta function.
Tensor special_zeta(const Scalar& self, const Tensor& other);
const Tensor& special_zeta_out(const Tensor& out, const Scalar& self, const Tensor& other);
// See `i0`.
Tensor special_i0(const Tensor& self);
const Tensor& special_i0_out(const Tensor& out, const Tensor& self);
// exp(-|x|) i0(x).
Tensor special_i0e(const Tensor& self);
const Tensor& special_i0e_out(const Tensor& out, const Tensor& self);
// Modified Bessel function of order 1.
Tensor special_i1(const Tensor& self);
const Tensor& special_i1_out(const Tensor& out, const Tensor& self);
// exp(-|x|) i1(x).
Tensor special_i1e(const Tensor& self);
const Tensor& special_i1e_out(const Tensor& out, const Tensor& self);
// See `logit`.
Tensor special_logit(const Tensor& self, std::optional<double> eps = {});
const Tensor& special_logit_out(const Tensor& out, const Tensor& self, std::optional<double> eps = {});
// See `polygamma`.
Tensor special_polygamma(std::int64_t n, const Tensor& self);
const Tensor& special_polygamma_out(const Tensor& out, std::int64_t n, const Tensor& self);
// See `logsumexp`.
Tensor special_logsumexp(const Tensor& self, IntArray dim, bool keepdim = false);
const Tensor& special_logsumexp_out(const Tensor& out, const Tensor& self, IntArray dim, bool keepdim = false);
// See `sigmoid`.
Tensor special_expit(const Tensor& self);
const Tensor& special_expit_out(const Tensor& out, const Tensor& self);
// See `sinc`.
Tensor special_sinc(const Tensor& self);
const Tensor& special_sinc_out(const Tensor& out, const Tensor& self);
// See `round`.
Tensor special_round(const Tensor& self, std::int64_t decimals = 0);
const Tensor& special_round_out(const Tensor& out, const Tensor& self, std::int64_t decimals = 0);
// See `log1p`.
Tensor special_log1p(const Tensor& self);
const Tensor& special_log1p_out(const Tensor& out, const Tensor& self);
// See `igamma`.
Tensor special_gammainc(const Tensor& self, const Tensor& other);
const Tensor& special_gammainc_out(const Tensor& out, const Tensor& self, const Tensor& other);
// See `igammac`.
Tensor special_gammaincc(const Tensor& self, const Tensor& other);
const Tensor& special_gammaincc_out(const Tensor& out, const Tensor& self, const Tensor& other);
// See `mvlgamma`.
Tensor special_multigammaln(const Tensor& self, std::int64_t p);
const Tensor& special_multigammaln_out(const Tensor& out, const Tensor& self, std::int64_t p);
// Airy function Ai.
Tensor special_airy_ai(const Tensor& x);
const Tensor& special_airy_ai_out(const Tensor& out, const Tensor& x);
// Bessel function of the first kind of order 0.
Tensor special_bessel_j0(const Tensor& self);
const Tensor& special_bessel_j0_out(const Tensor& out, const Tensor& self);
// Bessel function of the first kind of order 1.
Tensor special_bessel_j1(const Tensor& self);
const Tensor& special_bessel_j1_out(const Tensor& out, const Tensor& self);
// Bessel function of the second kind of order 0.
Tensor special_bessel_y0(const Tensor& self);
const Tensor& special_bessel_y0_out(const Tensor& out, const Tensor& self);
// Bessel function of the second kind of order 1.
Tensor special_bessel_y1(const Tensor& self);
const Tensor& special_bessel_y1_out(const Tensor& out, const Tensor& self);
// Chebyshev polynomial of the first kind.
Tensor special_chebyshev_polynomial_t(const Tensor& x, const Tensor& n);
const Tensor& special_chebyshev_polynomial_t_out(const Tensor& out, const Tensor& x, const Tensor& n);
// Chebyshev polynomial of the first kind.
Tensor special_chebyshev_polynomial_t(const Scalar& x, const Tensor& n);
const Tensor& special_chebyshev_polynomial_t_out(const Tensor& out, const Scalar& x, const Tensor& n);
// Chebyshev polynomial of the first kind.
Tensor special_chebyshev_polynomial_t(const Tensor& x, const Scalar& n);
const Tensor& special_chebyshev_polynomial_t_out(const Tensor& out, const Tensor& x, const Scalar& n);
// Chebyshev polynomial of the second kind.
Tensor special_chebyshev_polynomial_u(const Tensor& x, const Tensor& n);
const Tensor& special_chebyshev_polynomial_u_out(const Tensor& out, const Tensor& x, const Tensor& n);
// Chebyshev polynomial of the second kind.
Tensor special_chebyshev_polynomial_u(const Scalar& x, const Tensor& n);
const Tensor& special_chebyshev_polynomial_u_out(const Tensor& out, const Scalar& x, const Tensor& n);
// Chebyshev polynomial of the second kind.
Tensor special_chebyshev_polynomial_u(const Tensor& x, const Scalar& n);
const Tensor& special_chebyshev_polynomial_u_out(const Tensor& out, const Tensor& x, const Scalar& n);
// Chebyshev polynomial of the third kind.
Tensor special_chebyshev_polynomial_v(const Tensor& x, const Tensor& n);
const Tensor& special_chebyshev_polynomial_v_out(const Tensor& out, const Tensor& x, const Tensor& n);
// Chebyshev polynomial of the third kind.
Tensor special_chebyshev_polynomial_v(const Scalar& x, const Tensor& n);
const Tensor& special_chebyshev_polynomial_v_out(const Tensor& out, const Scalar& x, const Tensor& n);
// Chebyshev polynomial of the third kind.
Tensor special_chebyshev_polynomial_v(const Tensor& x, const Scalar& n);
const Tensor& special_chebyshev_polynomial_v_out(const Tensor& out, const Tensor& x, const Scalar& n);
// Chebyshev polynomial of the fourth kind.
Tensor special_chebyshev_polynomial_w(const Tensor& x, const Tensor& n);
const Tensor& special_chebyshev_polynomial_w_out(const Tensor& out, const Tensor& x, const Tensor& n);
// Chebyshev polynomial of the fourth kind.
Tensor special_chebyshev_polynomial_w(const Scalar& x, const Tensor& n);
const Tensor& special_chebyshev_polynomial_w_out(const Tensor& out, const Scalar& x, const Tensor& n);
// Chebyshev polynomial of the fourth kind.
Tensor special_chebyshev_polynomial_w(const Tensor& x, const Scalar& n);
const Tensor& special_chebyshev_polynomial_w_out(const Tensor& out, const Tensor& x, const Scalar& n);
// Physicist's Hermite polynomial.
Tensor special_hermite_polynomial_h(const Tensor& x, const Tensor& n);
const Tensor& special_hermite_polynomial_h_out(const Tensor& out, const Tensor& x, const Tensor& n);
// Physicist's Hermite polynomial.
Tensor special_hermite_polynomial_h(const Scalar& x, const Tensor& n);
const Tensor& special_hermite_polynomial_h_out(const Tensor& out, const Scalar& x, const Tensor& n);
// Physicist's Hermite polynomial.
Tensor special_hermite_polynomial_h(const Tensor& x, const Scalar& n);
const Tensor& special_hermite_polynomial_h_out(const Tensor& out, const Tensor& x, const Scalar& n);
// Probabilist's Hermite polynomial.
Tensor special_hermite_polynomial_he(const Tensor& x, const Tensor& n);
const Tensor& special_hermite_polynomial_he_out(const Tensor& out, const Tensor& x, const Tensor& n);
// Probabilist's Hermite polynomial.
Tensor special_hermite_polynomial_he(const Scalar& x, const Tensor& n);
const Tensor& special_hermite_polynomial_he_out(const Tensor& out, const Scalar& x, const Tensor& n);
// Probabilist's Hermite polynomial.
Tensor special_hermite_polynomial_he(const Tensor& x, const Scalar& n);
const Tensor& special_hermite_polynomial_he_out(const Tensor& out, const Tensor& x, const Scalar& n);
// Laguerre polynomial.
Tensor special_laguerre_polynomial_l(const Tensor& x, const Tensor& n);
const Tensor& special_laguerre_polynomial_l_out(const Tensor& out, const Tensor& x, const Tensor& n);
// Laguerre polynomial.
Tensor special_laguerre_polynomial_l(const Scalar& x, const Tensor& n);
const Tensor& special_laguerre_polynomial_l_out(const Tensor& out, const Scalar& x, const Tensor& n);
// Laguerre polynomial.
Tensor special_laguerre_polynomial_l(const Tensor& x, const Scalar& n);
const Tensor& special_laguerre_polynomial_l_out(const Tensor& out, const Tensor& x, const Scalar& n);
// Legendre polynomial.
Tensor special_legendre_polynomial_p(const Tensor& x, const Tensor& n);
const Tensor& special_legendre_polynomial_p_out(const Tensor& out, const Tensor& x, const Tensor& n);
// Legendre polynomial.
Tensor special_legendre_polynomial_p(const Scalar& x, const Tensor& n);
const Tensor& special_legendre_polynomial_p_out(const Tensor& out, const Scalar& x, const Tensor& n);
// Legendre polynomial.
Tensor special_legendre_polynomial_p(const Tensor& x, const Scalar& n);
const Tensor& special_legendre_polynomial_p_out(const Tensor& out, const Tensor& x, const Scalar& n);
// Modified Bessel function of the first kind of order 0.
Tensor special_modified_bessel_i0(const Tensor& self);
const Tensor& special_modified_bessel_i0_out(const Tensor& out, const Tensor& self);
// Modified Bessel function of the first kind of order 1.
Tensor special_modified_bessel_i1(const Tensor& self);
const Tensor& special_modified_bessel_i1_out(const Tensor& out, const Tensor& self);
// Modified Bessel function of the second kind of order 0.
Tensor special_modified_bessel_k0(const Tensor& self);
const Tensor& special_modified_bessel_k0_out(const Tensor& out, const Tensor& self);
// Modified Bessel function of the second kind of order 1.
Tensor special_modified_bessel_k1(const Tensor& self);
const Tensor& special_modified_bessel_k1_out(const Tensor& out, const Tensor& self);
// exp(x) times the modified Bessel function of the second kind of order 0.
Tensor special_scaled_modified_bessel_k0(const Tensor& x);
const Tensor& special_scaled_modified_bessel_k0_out(const Tensor& out, const Tensor& x);
// exp(x) times the modified Bessel function of the second kind of order 1.
Tensor special_scaled_modified_bessel_k1(const Tensor& x);
const Tensor& special_scaled_modified_bessel_k1_out(const Tensor& out, const Tensor& x);
// Chebyshev polynomial of the first kind on [0, 1].
Tensor special_shifted_chebyshev_polynomial_t(const Tensor& x, const Tensor& n);
const Tensor& special_shifted_chebyshev_polynomial_t_out(const Tensor& out, const Tensor& x, const Tensor& n);
// Chebyshev polynomial of the first kind on [0, 1].
Tensor special_shifted_chebyshev_polynomial_t(const Scalar& x, const Tensor& n);
const Tensor& special_shifted_chebyshev_polynomial_t_out(const Tensor& out, const Scalar& x, const Tensor& n);
// Chebyshev polynomial of the first kind on [0, 1].
Tensor special_shifted_chebyshev_polynomial_t(const Tensor& x, const Scalar& n);
const Tensor& special_shifted_chebyshev_polynomial_t_out(const Tensor& out, const Tensor& x, const Scalar& n);
// Chebyshev polynomial of the second kind on [0, 1].
Tensor special_shifted_chebyshev_polynomial_u(const Tensor& x, const Tensor& n);
const Tensor& special_shifted_chebyshev_polynomial_u_out(const Tensor& out, const Tensor& x, const Tensor& n);
// Chebyshev polynomial of the second kind on [0, 1].
Tensor special_shifted_chebyshev_polynomial_u(const Scalar& x, const Tensor& n);
const Tensor& special_shifted_chebyshev_polynomial_u_out(const Tensor& out, const Scalar& x, const Tensor& n);
// Chebyshev polynomial of the second kind on [0, 1].
Tensor special_shifted_chebyshev_polynomial_u(const Tensor& x, const Scalar& n);
const Tensor& special_shifted_chebyshev_polynomial_u_out(const Tensor& out, const Tensor& x, const Scalar& n);
// Chebyshev polynomial of the third kind on [0, 1].
Tensor special_shifted_chebyshev_polynomial_v(const Tensor& x, const Tensor& n);
const Tensor& special_shifted_chebyshev_polynomial_v_out(const Tensor& out, const Tensor& x, const Tensor& n);
// Chebyshev polynomial of the third kind on [0, 1].
Tensor special_shifted_chebyshev_polynomial_v(const Scalar& x, const Tensor& n);
const Tensor& special_shifted_chebyshev_polynomial_v_out(const Tensor& out, const Scalar& x, const Tensor& n);
// Chebyshev polynomial of the third kind on [0, 1].
Tensor special_shifted_chebyshev_polynomial_v(const Tensor& x, const Scalar& n);
const Tensor& special_shifted_chebyshev_polynomial_v_out(const Tensor& out, const Tensor& x, const Scalar& n);
// Chebyshev polynomial of the fourth kind on [0, 1].
Tensor special_shifted_chebyshev_polynomial_w(const Tensor& x, const Tensor& n);
const Tensor& special_shifted_chebyshev_polynomial_w_out(const Tensor& out, const Tensor& x, const Tensor& n);
// Chebyshev polynomial of the fourth kind on [0, 1].
Tensor special_shifted_chebyshev_polynomial_w(const Scalar& x, const Tensor& n);
const Tensor& special_shifted_chebyshev_polynomial_w_out(const Tensor& out, const Scalar& x, const Tensor& n);
// Chebyshev polynomial of the fourth kind on [0, 1].
Tensor special_shifted_chebyshev_polynomial_w(const Tensor& x, const Scalar& n);
const Tensor& special_shifted_chebyshev_polynomial_w_out(const Tensor& out, const Tensor& x, const Scalar& n);
// Spherical Bessel function of the first kind of order 0.
Tensor special_spherical_bessel_j0(const Tensor& x);
const Tensor& special_spherical_bessel_j0_out(const Tensor& out, const Tensor& x);
// See `xlogy`.
Tensor special_xlogy(const Tensor& self, const Scalar& other);
const Tensor& special_xlogy_out(const Tensor& out, const Tensor& self, const Scalar& other);

inline Tensor Tensor::relu() const { return rushlight::relu(*this); }
inline const Tensor& Tensor::relu_() const { return rushlight::relu_(*this); }
inline Tensor Tensor::prelu(const Tensor& weight) const { return rushlight::prelu(*this, weight); }
inline Tensor Tensor::hardshrink(const Scalar& lambd) const { return rushlight::hardshrink(*this, lambd); }
inline Tensor Tensor::sigmoid() const { return rushlight::sigmoid(*this); }
inline const Tensor& Tensor::sigmoid_() const { return rushlight::sigmoid_(*this); }
inline Tensor Tensor::logit(std::optional<double> eps) const { return rushlight::logit(*this, eps); }
inline const Tensor& Tensor::logit_(std::optional<double> eps) const { return rushlight::logit_(*this, eps); }
inline Tensor Tensor::to(Dtype dtype, bool non_blocking, bool copy, std::optional<MemoryFormat> memory_format) const { return rushlight::to(*this, dtype, non_blocking, copy, memory_format); }
inline Tensor Tensor::to(Device device, Dtype dtype, bool non_blocking, bool copy, std::optional<MemoryFormat> memory_format) const { return rushlight::to(*this, device, dtype, non_blocking, copy, memory_format); }
inline Tensor Tensor::to(const Tensor& other, bool non_blocking, bool copy, std::optional<MemoryFormat> memory_format) const { return rushlight::to(*this, other, non_blocking, copy, memory_format); }
inline Tensor Tensor::to(const TensorOptions& options, bool non_blocking, bool copy, std::optional<MemoryFormat> memory_format) const { return rushlight::to(*this, options, non_blocking, copy, memory_format); }
inline Tensor Tensor::new_empty(IntArray size, const TensorOptions& options) const { return rushlight::new_empty(*this, size, options); }
inline Tensor Tensor::new_empty_strided(IntArray size, IntArray stride, const TensorOptions& options) const { return rushlight::new_empty_strided(*this, size, stride, options); }
inline Tensor Tensor::new_full(IntArray size, const Scalar& fill_value, const TensorOptions& options) const { return rushlight::new_full(*this, size, fill_value, options); }
inline Tensor Tensor::new_zeros(IntArray size, const TensorOptions& options) const { return rushlight::new_zeros(*this, size, options); }
inline Tensor Tensor::new_ones(IntArray size, const TensorOptions& options) const { return rushlight::new_ones(*this, size, options); }
inline Tensor Tensor::stft(std::int64_t n_fft, std::optional<std::int64_t> hop_length, std::optional<std::int64_t> win_length, const std::optional<Tensor>& window, bool normalized, std::optional<bool> onesided, std::optional<bool> return_complex, std::optional<bool> align_to_window) const { return rushlight::stft(*this, n_fft, hop_length, win_length, window, normalized, onesided, return_complex, align_to_window); }
inline Tensor Tensor::stft(std::int64_t n_fft, std::optional<std::int64_t> hop_length, std::optional<std::int64_t> win_length, const std::optional<Tensor>& window, bool center, std::string_view pad_mode, bool normalized, std::optional<bool> onesided, std::optional<bool> return_complex, std::optional<bool> align_to_window) const { return rushlight::stft(*this, n_fft, hop_length, win_length, window, center, pad_mode, normalized, onesided, return_complex, align_to_window); }
inline Tensor Tensor::istft(std::int64_t n_fft, std::optional<std::int64_t> hop_length, std::optional<std::int64_t> win_length, const std::optional<Tensor>& window, bool center, bool normalized, std::optional<bool> onesided, std::optional<std::int64_t> length, bool return_complex) const { return rushlight::istft(*this, n_fft, hop_length, win_length, window, center, normalized, onesided, length, return_complex); }
inline Tensor Tensor::index(OptionalTensorList indices) const { return rushlight::index(*this, indices); }
inline Tensor Tensor::index_put(OptionalTensorList indices, const Tensor& values, bool accumulate) const { return rushlight::index_put(*this, indices, values, accumulate); }
inline const Tensor& Tensor::index_put_(OptionalTensorList indices, const Tensor& values, bool accumulate) const { return rushlight::index_put_(*this, indices, values, accumulate); }
inline Tensor Tensor::index_select(std::int64_t dim, const Tensor& index) const { return rushlight::index_select(*this, dim, index); }
inline Tensor Tensor::index_copy(std::int64_t dim, const Tensor& index, const Tensor& source) const { return rushlight::index_copy(*this, dim, index, source); }
inline const Tensor& Tensor::index_copy_(std::int64_t dim, const Tensor& index, const Tensor& source) const { return rushlight::index_copy_(*this, dim, index, source); }
inline Tensor Tensor::index_add(std::int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha) const { return rushlight::index_add(*this, dim, index, source, alpha); }
inline const Tensor& Tensor::index_add_(std::int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha) const { return rushlight::index_add_(*this, dim, index, source, alpha); }
inline Tensor Tensor::index_reduce(std::int64_t dim, const Tensor& index, const Tensor& source, std::string_view reduce, bool include_self) const { return rushlight::index_reduce(*this, dim, index, source, reduce, include_self); }
inline const Tensor& Tensor::index_reduce_(std::int64_t dim, const Tensor& index, const Tensor& source, std::string_view reduce, bool include_self) const { return rushlight::index_reduce_(*this, dim, index, source, reduce, include_self); }
inline Tensor Tensor::index_fill(std::int64_t dim, const Tensor& index, const Scalar& value) const { return rushlight::index_fill(*this, dim, index, value); }
inline const Tensor& Tensor::index_fill_(std::int64_t dim, const Tensor& index, const Scalar& value) const { return rushlight::index_fill_(*this, dim, index, value); }
inline Tensor Tensor::index_fill(std::int64_t dim, const Tensor& index, const Tensor& value) const { return rushlight::index_fill(*this, dim, index, value); }
inline const Tensor& Tensor::index_fill_(std::int64_t dim, const Tensor& index, const Tensor& value) const { return rushlight::index_fill_(*this, dim, index, value); }
inline Tensor Tensor::gather(std::int64_t dim, const Tensor& index, bool sparse_grad) const { return rushlight::gather(*this, dim, index, sparse_grad); }
inline Tensor Tensor::scatter(std::int64_t dim, const Tensor& index, const Tensor& src) const { return rushlight::scatter(*this, dim, index, src); }
inline const Tensor& Tensor::scatter_(std::int64_t dim, const Tensor& index, const Tensor& src) const { return rushlight::scatter_(*this, dim, index, src); }
inline Tensor Tensor::scatter(std::int64_t dim, const Tensor& index, const Scalar& value) const { return rushlight::scatter(*this, dim, index, value); }
inline const Tensor& Tensor::scatter_(std::int64_t dim, const Tensor& index, const Scalar& value) const { return rushlight::scatter_(*this, dim, index, value); }
inline Tensor Tensor::scatter(std::int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce) const { return rushlight::scatter(*this, dim, index, src, reduce); }
inline const Tensor& Tensor::scatter_(std::int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce) const { return rushlight::scatter_(*this, dim, index, src, reduce); }
inline Tensor Tensor::scatter(std::int64_t dim, const Tensor& index, const Scalar& value, std::string_view reduce) const { return rushlight::scatter(*this, dim, index, value, reduce); }
inline const Tensor& Tensor::scatter_(std::int64_t dim, const Tensor& index, const Scalar& value, std::string_view reduce) const { return rushlight::scatter_(*this, dim, index, value, reduce); }
inline Tensor Tensor::scatter_add(std::int64_t dim, const Tensor& index, const Tensor& src) const { return rushlight::scatter_add(*this, dim, index, src); }
inline const Tensor& Tensor::scatter_add_(std::int64_t dim, const Tensor& index, const Tensor& src) const { return rushlight::scatter_add_(*this, dim, index, src); }
inline Tensor Tensor::scatter_reduce(std::int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce, bool include_self) const { return rushlight::scatter_reduce(*this, dim, index, src, reduce, include_self); }
inline const Tensor& Tensor::scatter_reduce_(std::int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce, bool include_self) const { return rushlight::scatter_reduce_(*this, dim, index, src, reduce, include_self); }
inline Tensor Tensor::take(const Tensor& index) const { return rushlight::take(*this, index); }
inline Tensor Tensor::put(const Tensor& index, const Tensor& source, bool accumulate) const { return rushlight::put(*this, index, source, accumulate); }
inline const Tensor& Tensor::put_(const Tensor& index, const Tensor& source, bool accumulate) const { return rushlight::put_(*this, index, source, accumulate); }
inline Tensor Tensor::take_along_dim(const Tensor& indices, std::optional<std::int64_t> dim) const { return rushlight::take_along_dim(*this, indices, dim); }
inline Tensor Tensor::masked_select(const Tensor& mask) const { return rushlight::masked_select(*this, mask); }
inline Tensor Tensor::masked_scatter(const Tensor& mask, const Tensor& source) const { return rushlight::masked_scatter(*this, mask, source); }
inline const Tensor& Tensor::masked_scatter_(const Tensor& mask, const Tensor& source) const { return rushlight::masked_scatter_(*this, mask, source); }
inline Tensor Tensor::nonzero() const { return rushlight::nonzero(*this); }
inline Tensor Tensor::nonzero_static(std::int64_t size, std::int64_t fill_value) const { return rushlight::nonzero_static(*this, size, fill_value); }
inline std::vector<Tensor> Tensor::nonzero_numpy() const { return rushlight::nonzero_numpy(*this); }
inline Tensor Tensor::argwhere() const { return rushlight::argwhere(*this); }
inline Tensor Tensor::matrix_power(std::int64_t n) const { return rushlight::matrix_power(*this, n); }
inline Tensor Tensor::matrix_exp() const { return rushlight::matrix_exp(*this); }
inline Tensor Tensor::pinverse(double rcond) const { return rushlight::pinverse(*this, rcond); }
inline Tensor Tensor::trace() const { return rushlight::trace(*this); }
inline std::tuple<Tensor, Tensor> Tensor::triangular_solve(const Tensor& A, bool upper, bool transpose, bool unitriangular) const { return rushlight::triangular_solve(*this, A, upper, transpose, unitriangular); }
inline std::tuple<Tensor, Tensor, Tensor> Tensor::svd(bool some, bool compute_uv) const { return rushlight::svd(*this, some, compute_uv); }
inline Tensor Tensor::cholesky(bool upper) const { return rushlight::cholesky(*this, upper); }
inline Tensor Tensor::cholesky_solve(const Tensor& input2, bool upper) const { return rushlight::cholesky_solve(*this, input2, upper); }
inline Tensor Tensor::cholesky_inverse(bool upper) const { return rushlight::cholesky_inverse(*this, upper); }
inline std::tuple<Tensor, Tensor> Tensor::qr(bool some) const { return rushlight::qr(*this, some); }
inline std::tuple<Tensor, Tensor> Tensor::geqrf() const { return rushlight::geqrf(*this); }
inline Tensor Tensor::orgqr(const Tensor& input2) const { return rushlight::orgqr(*this, input2); }
inline Tensor Tensor::ormqr(const Tensor& input2, const Tensor& input3, bool left, bool transpose) const { return rushlight::ormqr(*this, input2, input3, left, transpose); }
inline Tensor Tensor::lu_solve(const Tensor& LU_data, const Tensor& LU_pivots) const { return rushlight::lu_solve(*this, LU_data, LU_pivots); }
inline Tensor Tensor::det() const { return rushlight::det(*this); }
inline std::tuple<Tensor, Tensor> Tensor::slogdet() const { return rushlight::slogdet(*this); }
inline Tensor Tensor::logdet() const { return rushlight::logdet(*this); }
inline Tensor Tensor::inverse() const { return rushlight::inverse(*this); }
inline Tensor Tensor::log_softmax(std::int64_t dim, std::optional<Dtype> dtype) const { return rushlight::log_softmax(*this, dim, dtype); }
inline Tensor Tensor::softmax(std::int64_t dim, std::optional<Dtype> dtype) const { return rushlight::softmax(*this, dim, dtype); }
inline Tensor Tensor::abs() const { return rushlight::abs(*this); }
inline const Tensor& Tensor::abs_() const { return rushlight::abs_(*this); }
inline Tensor Tensor::absolute() const { return rushlight::absolute(*this); }
inline const Tensor& Tensor::absolute_() const { return rushlight::absolute_(*this); }
inline Tensor Tensor::add(const Tensor& other, const Scalar& alpha) const { return rushlight::add(*this, other, alpha); }
inline const Tensor& Tensor::add_(const Tensor& other, const Scalar& alpha) const { return rushlight::add_(*this, other, alpha); }
inline Tensor Tensor::add(const Scalar& other, const Scalar& alpha) const { return rushlight::add(*this, other, alpha); }
inline const Tensor& Tensor::add_(const Scalar& other, const Scalar& alpha) const { return rushlight::add_(*this, other, alpha); }
inline Tensor Tensor::copysign(const Tensor& other) const { return rushlight::copysign(*this, other); }
inline const Tensor& Tensor::copysign_(const Tensor& other) const { return rushlight::copysign_(*this, other); }
inline Tensor Tensor::copysign(const Scalar& other) const { return rushlight::copysign(*this, other); }
inline const Tensor& Tensor::copysign_(const Scalar& other) const { return rushlight::copysign_(*this, other); }
inline Tensor Tensor::div(const Tensor& other) const { return rushlight::div(*this, other); }
inline const Tensor& Tensor::div_(const Tensor& other) const { return rushlight::div_(*this, other); }
inline Tensor Tensor::div(const Scalar& other) const { return rushlight::div(*this, other); }
inline const Tensor& Tensor::div_(const Scalar& other) const { return rushlight::div_(*this, other); }
inline Tensor Tensor::div(const Tensor& other, std::optional<std::string_view> rounding_mode) const { return rushlight::div(*this, other, rounding_mode); }
inline const Tensor& Tensor::div_(const Tensor& other, std::optional<std::string_view> rounding_mode) const { return rushlight::div_(*this, other, rounding_mode); }
inline Tensor Tensor::div(const Scalar& other, std::optional<std::string_view> rounding_mode) const { return rushlight::div(*this, other, rounding_mode); }
inline const Tensor& Tensor::div_(const Scalar& other, std::optional<std::string_view> rounding_mode) const { return rushlight::div_(*this, other, rounding_mode); }
inline Tensor Tensor::divide(const Tensor& other) const { return rushlight::divide(*this, other); }
inline const Tensor& Tensor::divide_(const Tensor& other) const { return rushlight::divide_(*this, other); }
inline Tensor Tensor::divide(const Tensor& other, std::optional<std::string_view> rounding_mode) const { return rushlight::divide(*this, other, rounding_mode); }
inline const Tensor& Tensor::divide_(const Tensor& other, std::optional<std::string_view> rounding_mode) const { return rushlight::divide_(*this, other, rounding_mode); }
inline Tensor Tensor::divide(const Scalar& other) const { return rushlight::divide(*this, other); }
inline const Tensor& Tensor::divide_(const Scalar& other) const { return rushlight::divide_(*this, other); }
inline Tensor Tensor::divide(const Scalar& other, std::optional<std::string_view> rounding_mode) const { return rushlight::divide(*this, other, rounding_mode); }
inline const Tensor& Tensor::divide_(const Scalar& other, std::optional<std::string_view> rounding_mode) const { return rushlight::divide_(*this, other, rounding_mode); }
inline Tensor Tensor::true_divide(const Tensor& other) const { return rushlight::true_divide(*this, other); }
inline const Tensor& Tensor::true_divide_(const Tensor& other) const { return rushlight::true_divide_(*this, other); }
inline Tensor Tensor::true_divide(const Scalar& other) const { return rushlight::true_divide(*this, other); }
inline const Tensor& Tensor::true_divide_(const Scalar& other) const { return rushlight::true_divide_(*this, other); }
inline Tensor Tensor::floor_divide(const Tensor& other) const { return rushlight::floor_divide(*this, other); }
inline const Tensor& Tensor::floor_divide_(const Tensor& other) const { return rushlight::floor_divide_(*this, other); }
inline Tensor Tensor::floor_divide(const Scalar& other) const { return rushlight::floor_divide(*this, other); }
inline const Tensor& Tensor::floor_divide_(const Scalar& other) const { return rushlight::floor_divide_(*this, other); }
inline Tensor Tensor::mul(const Tensor& other) const { return rushlight::mul(*this, other); }
inline const Tensor& Tensor::mul_(const Tensor& other) const { return rushlight::mul_(*this, other); }
inline Tensor Tensor::mul(const Scalar& other) const { return rushlight::mul(*this, other); }
inline const Tensor& Tensor::mul_(const Scalar& other) const { return rushlight::mul_(*this, other); }
inline Tensor Tensor::multiply(const Tensor& other) const { return rushlight::multiply(*this, other); }
inline const Tensor& Tensor::multiply_(const Tensor& other) const { return rushlight::multiply_(*this, other); }
inline Tensor Tensor::multiply(const Scalar& other) const { return rushlight::multiply(*this, other); }
inline const Tensor& Tensor::multiply_(const Scalar& other) const { return rushlight::multiply_(*this, other); }
inline Tensor Tensor::reciprocal() const { return rushlight::reciprocal(*this); }
inline const Tensor& Tensor::reciprocal_() const { return rushlight::reciprocal_(*this); }
inline Tensor Tensor::neg() const { return rushlight::neg(*this); }
inline const Tensor& Tensor::neg_() const { return rushlight::neg_(*this); }
inline Tensor Tensor::negative() const { return rushlight::negative(*this); }
inline const Tensor& Tensor::negative_() const { return rushlight::negative_(*this); }
inline Tensor Tensor::sub(const Tensor& other, const Scalar& alpha) const { return rushlight::sub(*this, other, alpha); }
inline const Tensor& Tensor::sub_(const Tensor& other, const Scalar& alpha) const { return rushlight::sub_(*this, other, alpha); }
inline Tensor Tensor::sub(const Scalar& other, const Scalar& alpha) const { return rushlight::sub(*this, other, alpha); }
inline const Tensor& Tensor::sub_(const Scalar& other, const Scalar& alpha) const { return rushlight::sub_(*this, other, alpha); }
inline Tensor Tensor::subtract(const Tensor& other, const Scalar& alpha) const { return rushlight::subtract(*this, other, alpha); }
inline const Tensor& Tensor::subtract_(const Tensor& other, const Scalar& alpha) const { return rushlight::subtract_(*this, other, alpha); }
inline Tensor Tensor::subtract(const Scalar& other, const Scalar& alpha) const { return rushlight::subtract(*this, other, alpha); }
inline const Tensor& Tensor::subtract_(const Scalar& other, const Scalar& alpha) const { return rushlight::subtract_(*this, other, alpha); }
inline Tensor Tensor::addcmul(const Tensor& tensor1, const Tensor& tensor2, const Scalar& value) const { return rushlight::addcmul(*this, tensor1, tensor2, value); }
inline const Tensor& Tensor::addcmul_(const Tensor& tensor1, const Tensor& tensor2, const Scalar& value) const { return rushlight::addcmul_(*this, tensor1, tensor2, value); }
inline Tensor Tensor::addcdiv(const Tensor& tensor1, const Tensor& tensor2, const Scalar& value) const { return rushlight::addcdiv(*this, tensor1, tensor2, value); }
inline const Tensor& Tensor::addcdiv_(const Tensor& tensor1, const Tensor& tensor2, const Scalar& value) const { return rushlight::addcdiv_(*this, tensor1, tensor2, value); }
inline Tensor Tensor::sign() const { return rushlight::sign(*this); }
inline const Tensor& Tensor::sign_() const { return rushlight::sign_(*this); }
inline Tensor Tensor::lerp(const Tensor& end, const Tensor& weight) const { return rushlight::lerp(*this, end, weight); }
inline const Tensor& Tensor::lerp_(const Tensor& end, const Tensor& weight) const { return rushlight::lerp_(*this, end, weight); }
inline Tensor Tensor::lerp(const Tensor& end, const Scalar& weight) const { return rushlight::lerp(*this, end, weight); }
inline const Tensor& Tensor::lerp_(const Tensor& end, const Scalar& weight) const { return rushlight::lerp_(*this, end, weight); }
inline Tensor Tensor::bitwise_not() const { return rushlight::bitwise_not(*this); }
inline const Tensor& Tensor::bitwise_not_() const { return rushlight::bitwise_not_(*this); }
inline Tensor Tensor::gcd(const Tensor& other) const { return rushlight::gcd(*this, other); }
inline const Tensor& Tensor::gcd_(const Tensor& other) const { return rushlight::gcd_(*this, other); }
inline Tensor Tensor::lcm(const Tensor& other) const { return rushlight::lcm(*this, other); }
inline const Tensor& Tensor::lcm_(const Tensor& other) const { return rushlight::lcm_(*this, other); }
inline Tensor Tensor::bitwise_and(const Tensor& other) const { return rushlight::bitwise_and(*this, other); }
inline const Tensor& Tensor::bitwise_and_(const Tensor& other) const { return rushlight::bitwise_and_(*this, other); }
inline Tensor Tensor::bitwise_and(const Scalar& other) const { return rushlight::bitwise_and(*this, other); }
inline const Tensor& Tensor::bitwise_and_(const Scalar& other) const { return rushlight::bitwise_and_(*this, other); }
inline Tensor Tensor::bitwise_or(const Tensor& other) const { return rushlight::bitwise_or(*this, other); }
inline const Tensor& Tensor::bitwise_or_(const Tensor& other) const { return rushlight::bitwise_or_(*this, other); }
inline Tensor Tensor::bitwise_or(const Scalar& other) const { return rushlight::bitwise_or(*this, other); }
inline const Tensor& Tensor::bitwise_or_(const Scalar& other) const { return rushlight::bitwise_or_(*this, other); }
inline Tensor Tensor::bitwise_xor(const Tensor& other) const { return rushlight::bitwise_xor(*this, other); }
inline const Tensor& Tensor::bitwise_xor_(const Tensor& other) const { return rushlight::bitwise_xor_(*this, other); }
inline Tensor Tensor::bitwise_xor(const Scalar& other) const { return rushlight::bitwise_xor(*this, other); }
inline const Tensor& Tensor::bitwise_xor_(const Scalar& other) const { return rushlight::bitwise_xor_(*this, other); }
inline Tensor Tensor::bitwise_left_shift(const Tensor& other) const { return rushlight::bitwise_left_shift(*this, other); }
inline const Tensor& Tensor::bitwise_left_shift_(const Tensor& other) const { return rushlight::bitwise_left_shift_(*this, other); }
inline Tensor Tensor::bitwise_left_shift(const Scalar& other) const { return rushlight::bitwise_left_shift(*this, other); }
inline const Tensor& Tensor::bitwise_left_shift_(const Scalar& other) const { return rushlight::bitwise_left_shift_(*this, other); }
inline Tensor Tensor::bitwise_right_shift(const Tensor& other) const { return rushlight::bitwise_right_shift(*this, other); }
inline const Tensor& Tensor::bitwise_right_shift_(const Tensor& other) const { return rushlight::bitwise_right_shift_(*this, other); }
inline Tensor Tensor::bitwise_right_shift(const Scalar& other) const { return rushlight::bitwise_right_shift(*this, other); }
inline const Tensor& Tensor::bitwise_right_shift_(const Scalar& other) const { return rushlight::bitwise_right_shift_(*this, other); }
inline bool Tensor::allclose(const Tensor& other, double rtol, double atol, bool equal_nan) const { return rushlight::allclose(*this, other, rtol, atol, equal_nan); }
inline Tensor Tensor::logical_not() const { return rushlight::logical_not(*this); }
inline const Tensor& Tensor::logical_not_() const { return rushlight::logical_not_(*this); }
inline Tensor Tensor::logical_xor(const Tensor& other) const { return rushlight::logical_xor(*this, other); }
inline const Tensor& Tensor::logical_xor_(const Tensor& other) const { return rushlight::logical_xor_(*this, other); }
inline Tensor Tensor::logical_and(const Tensor& other) const { return rushlight::logical_and(*this, other); }
inline const Tensor& Tensor::logical_and_(const Tensor& other) const { return rushlight::logical_and_(*this, other); }
inline Tensor Tensor::logical_or(const Tensor& other) const { return rushlight::logical_or(*this, other); }
inline const Tensor& Tensor::logical_or_(const Tensor& other) const { return rushlight::logical_or_(*this, other); }
inline Tensor Tensor::clamp(const std::optional<Tensor>& min, const std::optional<Tensor>& max) const { return rushlight::clamp(*this, min, max); }
inline const Tensor& Tensor::clamp_(const std::optional<Tensor>& min, const std::optional<Tensor>& max) const { return rushlight::clamp_(*this, min, max); }
inline Tensor Tensor::clamp(const std::optional<Scalar>& min, const std::optional<Scalar>& max) const { return rushlight::clamp(*this, min, max); }
inline const Tensor& Tensor::clamp_(const std::optional<Scalar>& min, const std::optional<Scalar>& max) const { return rushlight::clamp_(*this, min, max); }
inline Tensor Tensor::clamp_max(const Tensor& max) const { return rushlight::clamp_max(*this, max); }
inline const Tensor& Tensor::clamp_max_(const Tensor& max) const { return rushlight::clamp_max_(*this, max); }
inline Tensor Tensor::clamp_max(const Scalar& max) const { return rushlight::clamp_max(*this, max); }
inline const Tensor& Tensor::clamp_max_(const Scalar& max) const { return rushlight::clamp_max_(*this, max); }
inline Tensor Tensor::clamp_min(const Tensor& min) const { return rushlight::clamp_min(*this, min); }
inline const Tensor& Tensor::clamp_min_(const Tensor& min) const { return rushlight::clamp_min_(*this, min); }
inline Tensor Tensor::clamp_min(const Scalar& min) const { return rushlight::clamp_min(*this, min); }
inline const Tensor& Tensor::clamp_min_(const Scalar& min) const { return rushlight::clamp_min_(*this, min); }
inline Tensor Tensor::clip(const std::optional<Tensor>& min, const std::optional<Tensor>& max) const { return rushlight::clip(*this, min, max); }
inline const Tensor& Tensor::clip_(const std::optional<Tensor>& min, const std::optional<Tensor>& max) const { return rushlight::clip_(*this, min, max); }
inline Tensor Tensor::clip(const std::optional<Scalar>& min, const std::optional<Scalar>& max) const { return rushlight::clip(*this, min, max); }
inline const Tensor& Tensor::clip_(const std::optional<Scalar>& min, const std::optional<Scalar>& max) const { return rushlight::clip_(*this, min, max); }
inline Tensor Tensor::isclose(const Tensor& other, double rtol, double atol, bool equal_nan) const { return rushlight::isclose(*this, other, rtol, atol, equal_nan); }
inline Tensor Tensor::isnan() const { return rushlight::isnan(*this); }
inline Tensor Tensor::isreal() const { return rushlight::isreal(*this); }
inline Tensor Tensor::heaviside(const Tensor& values) const { return rushlight::heaviside(*this, values); }
inline const Tensor& Tensor::heaviside_(const Tensor& values) const { return rushlight::heaviside_(*this, values); }
inline Tensor Tensor::ne(const Tensor& other) const { return rushlight::ne(*this, other); }
inline const Tensor& Tensor::ne_(const Tensor& other) const { return rushlight::ne_(*this, other); }
inline Tensor Tensor::ne(const Scalar& other) const { return rushlight::ne(*this, other); }
inline const Tensor& Tensor::ne_(const Scalar& other) const { return rushlight::ne_(*this, other); }
inline Tensor Tensor::not_equal(const Scalar& other) const { return rushlight::not_equal(*this, other); }
inline const Tensor& Tensor::not_equal_(const Scalar& other) const { return rushlight::not_equal_(*this, other); }
inline Tensor Tensor::not_equal(const Tensor& other) const { return rushlight::not_equal(*this, other); }
inline const Tensor& Tensor::not_equal_(const Tensor& other) const { return rushlight::not_equal_(*this, other); }
inline Tensor Tensor::eq(const Tensor& other) const { return rushlight::eq(*this, other); }
inline const Tensor& Tensor::eq_(const Tensor& other) const { return rushlight::eq_(*this, other); }
inline Tensor Tensor::eq(const Scalar& other) const { return rushlight::eq(*this, other); }
inline const Tensor& Tensor::eq_(const Scalar& other) const { return rushlight::eq_(*this, other); }
inline Tensor Tensor::ge(const Tensor& other) const { return rushlight::ge(*this, other); }
inline const Tensor& Tensor::ge_(const Tensor& other) const { return rushlight::ge_(*this, other); }
inline Tensor Tensor::ge(const Scalar& other) const { return rushlight::ge(*this, other); }
inline const Tensor& Tensor::ge_(const Scalar& other) const { return rushlight::ge_(*this, other); }
inline Tensor Tensor::greater_equal(const Scalar& other) const { return rushlight::greater_equal(*this, other); }
inline const Tensor& Tensor::greater_equal_(const Scalar& other) const { return rushlight::greater_equal_(*this, other); }
inline Tensor Tensor::greater_equal(const Tensor& other) const { return rushlight::greater_equal(*this, other); }
inline const Tensor& Tensor::greater_equal_(const Tensor& other) const { return rushlight::greater_equal_(*this, other); }
inline Tensor Tensor::le(const Tensor& other) const { return rushlight::le(*this, other); }
inline const Tensor& Tensor::le_(const Tensor& other) const { return rushlight::le_(*this, other); }
inline Tensor Tensor::le(const Scalar& other) const { return rushlight::le(*this, other); }
inline const Tensor& Tensor::le_(const Scalar& other) const { return rushlight::le_(*this, other); }
inline Tensor Tensor::less_equal(const Scalar& other) const { return rushlight::less_equal(*this, other); }
inline const Tensor& Tensor::less_equal_(const Scalar& other) const { return rushlight::less_equal_(*this, other); }
inline Tensor Tensor::less_equal(const Tensor& other) const { return rushlight::less_equal(*this, other); }
inline const Tensor& Tensor::less_equal_(const Tensor& other) const { return rushlight::less_equal_(*this, other); }
inline Tensor Tensor::gt(const Tensor& other) const { return rushlight::gt(*this, other); }
inline const Tensor& Tensor::gt_(const Tensor& other) const { return rushlight::gt_(*this, other); }
inline Tensor Tensor::gt(const Scalar& other) const { return rushlight::gt(*this, other); }
inline const Tensor& Tensor::gt_(const Scalar& other) const { return rushlight::gt_(*this, other); }
inline Tensor Tensor::greater(const Scalar& other) const { return rushlight::greater(*this, other); }
inline const Tensor& Tensor::greater_(const Scalar& other) const { return rushlight::greater_(*this, other); }
inline Tensor Tensor::greater(const Tensor& other) const { return rushlight::greater(*this, other); }
inline const Tensor& Tensor::greater_(const Tensor& other) const { return rushlight::greater_(*this, other); }
inline Tensor Tensor::lt(const Tensor& other) const { return rushlight::lt(*this, other); }
inline const Tensor& Tensor::lt_(const Tensor& other) const { return rushlight::lt_(*this, other); }
inline Tensor Tensor::lt(const Scalar& other) const { return rushlight::lt(*this, other); }
inline const Tensor& Tensor::lt_(const Scalar& other) const { return rushlight::lt_(*this, other); }
inline Tensor Tensor::less(const Scalar& other) const { return rushlight::less(*this, other); }
inline const Tensor& Tensor::less_(const Scalar& other) const { return rushlight::less_(*this, other); }
inline Tensor Tensor::less(const Tensor& other) const { return rushlight::less(*this, other); }
inline const Tensor& Tensor::less_(const Tensor& other) const { return rushlight::less_(*this, other); }
inline Tensor Tensor::signbit() const { return rushlight::signbit(*this); }
inline Tensor Tensor::fmin(const Tensor& other) const { return rushlight::fmin(*this, other); }
inline Tensor Tensor::fmax(const Tensor& other) const { return rushlight::fmax(*this, other); }
inline Tensor Tensor::maximum(const Tensor& other) const { return rushlight::maximum(*this, other); }
inline Tensor Tensor::minimum(const Tensor& other) const { return rushlight::minimum(*this, other); }
inline bool Tensor::equal(const Tensor& other) const { return rushlight::equal(*this, other); }
inline Tensor Tensor::isfinite() const { return rushlight::isfinite(*this); }
inline Tensor Tensor::isinf() const { return rushlight::isinf(*this); }
inline Tensor Tensor::isposinf() const { return rushlight::isposinf(*this); }
inline Tensor Tensor::isneginf() const { return rushlight::isneginf(*this); }
inline Tensor Tensor::angle() const { return rushlight::angle(*this); }
inline Tensor Tensor::sgn() const { return rushlight::sgn(*this); }
inline const Tensor& Tensor::sgn_() const { return rushlight::sgn_(*this); }
inline Tensor Tensor::conj_physical() const { return rushlight::conj_physical(*this); }
inline const Tensor& Tensor::conj_physical_() const { return rushlight::conj_physical_(*this); }
inline Tensor Tensor::exp() const { return rushlight::exp(*this); }
inline const Tensor& Tensor::exp_() const { return rushlight::exp_(*this); }
inline Tensor Tensor::exp2() const { return rushlight::exp2(*this); }
inline const Tensor& Tensor::exp2_() const { return rushlight::exp2_(*this); }
inline Tensor Tensor::expm1() const { return rushlight::expm1(*this); }
inline const Tensor& Tensor::expm1_() const { return rushlight::expm1_(*this); }
inline Tensor Tensor::ldexp(const Tensor& other) const { return rushlight::ldexp(*this, other); }
inline const Tensor& Tensor::ldexp_(const Tensor& other) const { return rushlight::ldexp_(*this, other); }
inline Tensor Tensor::log() const { return rushlight::log(*this); }
inline const Tensor& Tensor::log_() const { return rushlight::log_(*this); }
inline Tensor Tensor::log10() const { return rushlight::log10(*this); }
inline const Tensor& Tensor::log10_() const { return rushlight::log10_(*this); }
inline Tensor Tensor::log1p() const { return rushlight::log1p(*this); }
inline const Tensor& Tensor::log1p_() const { return rushlight::log1p_(*this); }
inline Tensor Tensor::log2() const { return rushlight::log2(*this); }
inline const Tensor& Tensor::log2_() const { return rushlight::log2_(*this); }
inline Tensor Tensor::logaddexp(const Tensor& other) const { return rushlight::logaddexp(*this, other); }
inline Tensor Tensor::logaddexp2(const Tensor& other) const { return rushlight::logaddexp2(*this, other); }
inline Tensor Tensor::rsqrt() const { return rushlight::rsqrt(*this); }
inline const Tensor& Tensor::rsqrt_() const { return rushlight::rsqrt_(*this); }
inline Tensor Tensor::sqrt() const { return rushlight::sqrt(*this); }
inline const Tensor& Tensor::sqrt_() const { return rushlight::sqrt_(*this); }
inline Tensor Tensor::square() const { return rushlight::square(*this); }
inline const Tensor& Tensor::square_() const { return rushlight::square_(*this); }
inline std::tuple<Tensor, Tensor> Tensor::frexp() const { return rushlight::frexp(*this); }
inline Tensor Tensor::pow(const Tensor& exponent) const { return rushlight::pow(*this, exponent); }
inline const Tensor& Tensor::pow_(const Tensor& exponent) const { return rushlight::pow_(*this, exponent); }
inline Tensor Tensor::pow(const Scalar& exponent) const { return rushlight::pow(*this, exponent); }
inline const Tensor& Tensor::pow_(const Scalar& exponent) const { return rushlight::pow_(*this, exponent); }
inline Tensor Tensor::float_power(const Tensor& exponent) const { return rushlight::float_power(*this, exponent); }
inline const Tensor& Tensor::float_power_(const Tensor& exponent) const { return rushlight::float_power_(*this, exponent); }
inline Tensor Tensor::float_power(const Scalar& exponent) const { return rushlight::float_power(*this, exponent); }
inline const Tensor& Tensor::float_power_(const Scalar& exponent) const { return rushlight::float_power_(*this, exponent); }
inline Tensor Tensor::ceil() const { return rushlight::ceil(*this); }
inline const Tensor& Tensor::ceil_() const { return rushlight::ceil_(*this); }
inline Tensor Tensor::floor() const { return rushlight::floor(*this); }
inline const Tensor& Tensor::floor_() const { return rushlight::floor_(*this); }
inline Tensor Tensor::frac() const { return rushlight::frac(*this); }
inline const Tensor& Tensor::frac_() const { return rushlight::frac_(*this); }
inline Tensor Tensor::round() const { return rushlight::round(*this); }
inline const Tensor& Tensor::round_() const { return rushlight::round_(*this); }
inline Tensor Tensor::round(std::int64_t decimals) const { return rushlight::round(*this, decimals); }
inline const Tensor& Tensor::round_(std::int64_t decimals) const { return rushlight::round_(*this, decimals); }
inline Tensor Tensor::trunc() const { return rushlight::trunc(*this); }
inline const Tensor& Tensor::trunc_() const { return rushlight::trunc_(*this); }
inline Tensor Tensor::fix() const { return rushlight::fix(*this); }
inline const Tensor& Tensor::fix_() const { return rushlight::fix_(*this); }
inline Tensor Tensor::fmod(const Tensor& other) const { return rushlight::fmod(*this, other); }
inline const Tensor& Tensor::fmod_(const Tensor& other) const { return rushlight::fmod_(*this, other); }
inline Tensor Tensor::fmod(const Scalar& other) const { return rushlight::fmod(*this, other); }
inline const Tensor& Tensor::fmod_(const Scalar& other) const { return rushlight::fmod_(*this, other); }
inline Tensor Tensor::nextafter(const Tensor& other) const { return rushlight::nextafter(*this, other); }
inline const Tensor& Tensor::nextafter_(const Tensor& other) const { return rushlight::nextafter_(*this, other); }
inline Tensor Tensor::remainder(const Tensor& other) const { return rushlight::remainder(*this, other); }
inline const Tensor& Tensor::remainder_(const Tensor& other) const { return rushlight::remainder_(*this, other); }
inline Tensor Tensor::remainder(const Scalar& other) const { return rushlight::remainder(*this, other); }
inline const Tensor& Tensor::remainder_(const Scalar& other) const { return rushlight::remainder_(*this, other); }
inline Tensor Tensor::nan_to_num(std::optional<double> nan, std::optional<double> posinf, std::optional<double> neginf) const { return rushlight::nan_to_num(*this, nan, posinf, neginf); }
inline const Tensor& Tensor::nan_to_num_(std::optional<double> nan, std::optional<double> posinf, std::optional<double> neginf) const { return rushlight::nan_to_num_(*this, nan, posinf, neginf); }
inline Tensor Tensor::acos() const { return rushlight::acos(*this); }
inline const Tensor& Tensor::acos_() const { return rushlight::acos_(*this); }
inline Tensor Tensor::arccos() const { return rushlight::arccos(*this); }
inline const Tensor& Tensor::arccos_() const { return rushlight::arccos_(*this); }
inline Tensor Tensor::acosh() const { return rushlight::acosh(*this); }
inline const Tensor& Tensor::acosh_() const { return rushlight::acosh_(*this); }
inline Tensor Tensor::arccosh() const { return rushlight::arccosh(*this); }
inline const Tensor& Tensor::arccosh_() const { return rushlight::arccosh_(*this); }
inline Tensor Tensor::asinh() const { return rushlight::asinh(*this); }
inline const Tensor& Tensor::asinh_() const { return rushlight::asinh_(*this); }
inline Tensor Tensor::arcsinh() const { return rushlight::arcsinh(*this); }
inline const Tensor& Tensor::arcsinh_() const { return rushlight::arcsinh_(*this); }
inline Tensor Tensor::atanh() const { return rushlight::atanh(*this); }
inline const Tensor& Tensor::atanh_() const { return rushlight::atanh_(*this); }
inline Tensor Tensor::arctanh() const { return rushlight::arctanh(*this); }
inline const Tensor& Tensor::arctanh_() const { return rushlight::arctanh_(*this); }
inline Tensor Tensor::asin() const { return rushlight::asin(*this); }
inline const Tensor& Tensor::asin_() const { return rushlight::asin_(*this); }
inline Tensor Tensor::arcsin() const { return rushlight::arcsin(*this); }
inline const Tensor& Tensor::arcsin_() const { return rushlight::arcsin_(*this); }
inline Tensor Tensor::atan() const { return rushlight::atan(*this); }
inline const Tensor& Tensor::atan_() const { return rushlight::atan_(*this); }
inline Tensor Tensor::arctan() const { return rushlight::arctan(*this); }
inline const Tensor& Tensor::arctan_() const { return rushlight::arctan_(*this); }
inline Tensor Tensor::cos() const { return rushlight::cos(*this); }
inline const Tensor& Tensor::cos_() const { return rushlight::cos_(*this); }
inline Tensor Tensor::cosh() const { return rushlight::cosh(*this); }
inline const Tensor& Tensor::cosh_() const { return rushlight::cosh_(*this); }
inline Tensor Tensor::rad2deg() const { return rushlight::rad2deg(*this); }
inline const Tensor& Tensor::rad2deg_() const { return rushlight::rad2deg_(*this); }
inline Tensor Tensor::deg2rad() const { return rushlight::deg2rad(*this); }
inline const Tensor& Tensor::deg2rad_() const { return rushlight::deg2rad_(*this); }
inline Tensor Tensor::sin() const { return rushlight::sin(*this); }
inline const Tensor& Tensor::sin_() const { return rushlight::sin_(*this); }
inline Tensor Tensor::sinh() const { return rushlight::sinh(*this); }
inline const Tensor& Tensor::sinh_() const { return rushlight::sinh_(*this); }
inline Tensor Tensor::tan() const { return rushlight::tan(*this); }
inline const Tensor& Tensor::tan_() const { return rushlight::tan_(*this); }
inline Tensor Tensor::tanh() const { return rushlight::tanh(*this); }
inline const Tensor& Tensor::tanh_() const { return rushlight::tanh_(*this); }
inline Tensor Tensor::atan2(const Tensor& other) const { return rushlight::atan2(*this, other); }
inline const Tensor& Tensor::atan2_(const Tensor& other) const { return rushlight::atan2_(*this, other); }
inline Tensor Tensor::arctan2(const Tensor& other) const { return rushlight::arctan2(*this, other); }
inline const Tensor& Tensor::arctan2_(const Tensor& other) const { return rushlight::arctan2_(*this, other); }
inline Tensor Tensor::hypot(const Tensor& other) const { return rushlight::hypot(*this, other); }
inline const Tensor& Tensor::hypot_(const Tensor& other) const { return rushlight::hypot_(*this, other); }
inline Tensor Tensor::copy(const Tensor& other, bool non_blocking) const { return rushlight::copy(*this, other, non_blocking); }
inline const Tensor& Tensor::copy_(const Tensor& other, bool non_blocking) const { return rushlight::copy_(*this, other, non_blocking); }
inline const Tensor& Tensor::fill_diagonal_(const Scalar& fill_value, bool wrap) const { return rushlight::fill_diagonal_(*this, fill_value, wrap); }
inline Tensor Tensor::fill(const Tensor& value) const { return rushlight::fill(*this, value); }
inline const Tensor& Tensor::fill_(const Tensor& value) const { return rushlight::fill_(*this, value); }
inline Tensor Tensor::fill(const Scalar& value) const { return rushlight::fill(*this, value); }
inline const Tensor& Tensor::fill_(const Scalar& value) const { return rushlight::fill_(*this, value); }
inline Tensor Tensor::sum_to_size(IntArray size) const { return rushlight::sum_to_size(*this, size); }
inline const Tensor& Tensor::zero_() const { return rushlight::zero_(*this); }
inline Tensor Tensor::masked_fill(const Tensor& mask, const Tensor& value) const { return rushlight::masked_fill(*this, mask, value); }
inline const Tensor& Tensor::masked_fill_(const Tensor& mask, const Tensor& value) const { return rushlight::masked_fill_(*this, mask, value); }
inline Tensor Tensor::masked_fill(const Tensor& mask, const Scalar& value) const { return rushlight::masked_fill(*this, mask, value); }
inline const Tensor& Tensor::masked_fill_(const Tensor& mask, const Scalar& value) const { return rushlight::masked_fill_(*this, mask, value); }
inline Tensor Tensor::addmv(const Tensor& mat, const Tensor& vec, const Scalar& beta, const Scalar& alpha) const { return rushlight::addmv(*this, mat, vec, beta, alpha); }
inline const Tensor& Tensor::addmv_(const Tensor& mat, const Tensor& vec, const Scalar& beta, const Scalar& alpha) const { return rushlight::addmv_(*this, mat, vec, beta, alpha); }
inline Tensor Tensor::addr(const Tensor& vec1, const Tensor& vec2, const Scalar& beta, const Scalar& alpha) const { return rushlight::addr(*this, vec1, vec2, beta, alpha); }
inline const Tensor& Tensor::addr_(const Tensor& vec1, const Tensor& vec2, const Scalar& beta, const Scalar& alpha) const { return rushlight::addr_(*this, vec1, vec2, beta, alpha); }
inline Tensor Tensor::baddbmm(const Tensor& batch1, const Tensor& batch2, const Scalar& beta, const Scalar& alpha) const { return rushlight::baddbmm(*this, batch1, batch2, beta, alpha); }
inline const Tensor& Tensor::baddbmm_(const Tensor& batch1, const Tensor& batch2, const Scalar& beta, const Scalar& alpha) const { return rushlight::baddbmm_(*this, batch1, batch2, beta, alpha); }
inline Tensor Tensor::bmm(const Tensor& mat2) const { return rushlight::bmm(*this, mat2); }
inline Tensor Tensor::dot(const Tensor& tensor) const { return rushlight::dot(*this, tensor); }
inline Tensor Tensor::vdot(const Tensor& other) const { return rushlight::vdot(*this, other); }
inline Tensor Tensor::kron(const Tensor& other) const { return rushlight::kron(*this, other); }
inline Tensor Tensor::matmul(const Tensor& other) const { return rushlight::matmul(*this, other); }
inline Tensor Tensor::mm(const Tensor& mat2) const { return rushlight::mm(*this, mat2); }
inline Tensor Tensor::mv(const Tensor& vec) const { return rushlight::mv(*this, vec); }
inline Tensor Tensor::addmm(const Tensor& mat1, const Tensor& mat2, const Scalar& beta, const Scalar& alpha) const { return rushlight::addmm(*this, mat1, mat2, beta, alpha); }
inline const Tensor& Tensor::addmm_(const Tensor& mat1, const Tensor& mat2, const Scalar& beta, const Scalar& alpha) const { return rushlight::addmm_(*this, mat1, mat2, beta, alpha); }
inline Tensor Tensor::addbmm(const Tensor& batch1, const Tensor& batch2, const Scalar& beta, const Scalar& alpha) const { return rushlight::addbmm(*this, batch1, batch2, beta, alpha); }
inline const Tensor& Tensor::addbmm_(const Tensor& batch1, const Tensor& batch2, const Scalar& beta, const Scalar& alpha) const { return rushlight::addbmm_(*this, batch1, batch2, beta, alpha); }
inline Tensor Tensor::cross(const Tensor& other, std::optional<std::int64_t> dim) const { return rushlight::cross(*this, other, dim); }
inline Tensor Tensor::inner(const Tensor& other) const { return rushlight::inner(*this, other); }
inline Tensor Tensor::outer(const Tensor& vec2) const { return rushlight::outer(*this, vec2); }
inline Tensor Tensor::ger(const Tensor& vec2) const { return rushlight::ger(*this, vec2); }
inline Tensor Tensor::_addmm_activation(const Tensor& mat1, const Tensor& mat2, const Scalar& beta, const Scalar& alpha, bool use_gelu) const { return rushlight::_addmm_activation(*this, mat1, mat2, beta, alpha, use_gelu); }
inline Tensor Tensor::bernoulli(const std::optional<Generator>& generator) const { return rushlight::bernoulli(*this, generator); }
inline const Tensor& Tensor::bernoulli_(const Tensor& p, const std::optional<Generator>& generator) const { return rushlight::bernoulli_(*this, p, generator); }
inline const Tensor& Tensor::bernoulli_(double p, const std::optional<Generator>& generator) const { return rushlight::bernoulli_(*this, p, generator); }
inline Tensor Tensor::bernoulli(double p, const std::optional<Generator>& generator) const { return rushlight::bernoulli(*this, p, generator); }
inline const Tensor& Tensor::random_(std::int64_t from, std::optional<std::int64_t> to, const std::optional<Generator>& generator) const { return rushlight::random_(*this, from, to, generator); }
inline const Tensor& Tensor::random_(std::int64_t to, const std::optional<Generator>& generator) const { return rushlight::random_(*this, to, generator); }
inline const Tensor& Tensor::random_(const std::optional<Generator>& generator) const { return rushlight::random_(*this, generator); }
inline const Tensor& Tensor::uniform_(double from, double to, const std::optional<Generator>& generator) const { return rushlight::uniform_(*this, from, to, generator); }
inline const Tensor& Tensor::cauchy_(double median, double sigma, const std::optional<Generator>& generator) const { return rushlight::cauchy_(*this, median, sigma, generator); }
inline const Tensor& Tensor::log_normal_(double mean, double std, const std::optional<Generator>& generator) const { return rushlight::log_normal_(*this, mean, std, generator); }
inline const Tensor& Tensor::exponential_(double lambd, const std::optional<Generator>& generator) const { return rushlight::exponential_(*this, lambd, generator); }
inline const Tensor& Tensor::geometric_(double p, const std::optional<Generator>& generator) const { return rushlight::geometric_(*this, p, generator); }
inline Tensor Tensor::multinomial(std::int64_t num_samples, bool replacement, const std::optional<Generator>& generator) const { return rushlight::multinomial(*this, num_samples, replacement, generator); }
inline const Tensor& Tensor::normal_(double mean, double std, const std::optional<Generator>& generator) const { return rushlight::normal_(*this, mean, std, generator); }
inline Tensor Tensor::all(std::int64_t dim, bool keepdim) const { return rushlight::all(*this, dim, keepdim); }
inline Tensor Tensor::all(OptionalIntArray dim, bool keepdim) const { return rushlight::all(*this, dim, keepdim); }
inline Tensor Tensor::any(std::int64_t dim, bool keepdim) const { return rushlight::any(*this, dim, keepdim); }
inline Tensor Tensor::any(OptionalIntArray dim, bool keepdim) const { return rushlight::any(*this, dim, keepdim); }
inline Tensor Tensor::argmax(std::optional<std::int64_t> dim, bool keepdim) const { return rushlight::argmax(*this, dim, keepdim); }
inline Tensor Tensor::argmin(std::optional<std::int64_t> dim, bool keepdim) const { return rushlight::argmin(*this, dim, keepdim); }
inline Tensor Tensor::count_nonzero(IntArray dim) const { return rushlight::count_nonzero(*this, dim); }
inline Tensor Tensor::count_nonzero(std::optional<std::int64_t> dim) const { return rushlight::count_nonzero(*this, dim); }
inline Tensor Tensor::cov(std::int64_t correction, const std::optional<Tensor>& fweights, const std::optional<Tensor>& aweights) const { return rushlight::cov(*this, correction, fweights, aweights); }
inline Tensor Tensor::corrcoef() const { return rushlight::corrcoef(*this); }
inline Tensor Tensor::logsumexp(IntArray dim, bool keepdim) const { return rushlight::logsumexp(*this, dim, keepdim); }
inline std::tuple<Tensor, Tensor> Tensor::aminmax(std::optional<std::int64_t> dim, bool keepdim) const { return rushlight::aminmax(*this, dim, keepdim); }
inline Tensor Tensor::max(const Tensor& other) const { return rushlight::max(*this, other); }
inline std::tuple<Tensor, Tensor> Tensor::max(std::int64_t dim, bool keepdim) const { return rushlight::max(*this, dim, keepdim); }
inline Tensor Tensor::amax(IntArray dim, bool keepdim) const { return rushlight::amax(*this, dim, keepdim); }
inline Tensor Tensor::mean(std::optional<Dtype> dtype) const { return rushlight::mean(*this, dtype); }
inline Tensor Tensor::mean(OptionalIntArray dim, bool keepdim, std::optional<Dtype> dtype) const { return rushlight::mean(*this, dim, keepdim, dtype); }
inline Tensor Tensor::nanmean(OptionalIntArray dim, bool keepdim, std::optional<Dtype> dtype) const { return rushlight::nanmean(*this, dim, keepdim, dtype); }
inline Tensor Tensor::min(const Tensor& other) const { return rushlight::min(*this, other); }
inline std::tuple<Tensor, Tensor> Tensor::min(std::int64_t dim, bool keepdim) const { return rushlight::min(*this, dim, keepdim); }
inline Tensor Tensor::amin(IntArray dim, bool keepdim) const { return rushlight::amin(*this, dim, keepdim); }
inline Tensor Tensor::sum(std::optional<Dtype> dtype) const { return rushlight::sum(*this, dtype); }
inline Tensor Tensor::sum(OptionalIntArray dim, bool keepdim, std::optional<Dtype> dtype) const { return rushlight::sum(*this, dim, keepdim, dtype); }
inline Tensor Tensor::nansum(OptionalIntArray dim, bool keepdim, std::optional<Dtype> dtype) const { return rushlight::nansum(*this, dim, keepdim, dtype); }
inline Tensor Tensor::std(bool unbiased) const { return rushlight::std(*this, unbiased); }
inline Tensor Tensor::std(OptionalIntArray dim, bool unbiased, bool keepdim) const { return rushlight::std(*this, dim, unbiased, keepdim); }
inline Tensor Tensor::std(OptionalIntArray dim, const std::optional<Scalar>& correction, bool keepdim) const { return rushlight::std(*this, dim, correction, keepdim); }
inline Tensor Tensor::prod(std::optional<Dtype> dtype) const { return rushlight::prod(*this, dtype); }
inline Tensor Tensor::prod(std::int64_t dim, bool keepdim, std::optional<Dtype> dtype) const { return rushlight::prod(*this, dim, keepdim, dtype); }
inline Tensor Tensor::var(bool unbiased) const { return rushlight::var(*this, unbiased); }
inline Tensor Tensor::var(OptionalIntArray dim, bool unbiased, bool keepdim) const { return rushlight::var(*this, dim, unbiased, keepdim); }
inline Tensor Tensor::var(OptionalIntArray dim, const std::optional<Scalar>& correction, bool keepdim) const { return rushlight::var(*this, dim, correction, keepdim); }
inline Tensor Tensor::norm(const std::optional<Scalar>& p, Dtype dtype) const { return rushlight::norm(*this, p, dtype); }
inline Tensor Tensor::norm(const Scalar& p) const { return rushlight::norm(*this, p); }
inline Tensor Tensor::norm(const std::optional<Scalar>& p, IntArray dim, bool keepdim, Dtype dtype) const { return rushlight::norm(*this, p, dim, keepdim, dtype); }
inline Tensor Tensor::norm(const std::optional<Scalar>& p, IntArray dim, bool keepdim) const { return rushlight::norm(*this, p, dim, keepdim); }
inline Tensor Tensor::dist(const Tensor& other, const Scalar& p) const { return rushlight::dist(*this, other, p); }
inline Tensor Tensor::min() const { return rushlight::min(*this); }
inline Tensor Tensor::max() const { return rushlight::max(*this); }
inline Tensor Tensor::all() const { return rushlight::all(*this); }
inline Tensor Tensor::any() const { return rushlight::any(*this); }
inline Tensor Tensor::renorm(const Scalar& p, std::int64_t dim, const Scalar& maxnorm) const { return rushlight::renorm(*this, p, dim, maxnorm); }
inline const Tensor& Tensor::renorm_(const Scalar& p, std::int64_t dim, const Scalar& maxnorm) const { return rushlight::renorm_(*this, p, dim, maxnorm); }
inline Tensor Tensor::hash_tensor(IntArray dim, bool keepdim, std::int64_t mode) const { return rushlight::hash_tensor(*this, dim, keepdim, mode); }
inline Tensor Tensor::_is_all_true() const { return rushlight::_is_all_true(*this); }
inline Tensor Tensor::_is_any_true() const { return rushlight::_is_any_true(*this); }
inline std::tuple<Tensor, Tensor> Tensor::cummax(std::int64_t dim) const { return rushlight::cummax(*this, dim); }
inline std::tuple<Tensor, Tensor> Tensor::cummin(std::int64_t dim) const { return rushlight::cummin(*this, dim); }
inline Tensor Tensor::cumprod(std::int64_t dim, std::optional<Dtype> dtype) const { return rushlight::cumprod(*this, dim, dtype); }
inline const Tensor& Tensor::cumprod_(std::int64_t dim, std::optional<Dtype> dtype) const { return rushlight::cumprod_(*this, dim, dtype); }
inline Tensor Tensor::cumsum(std::int64_t dim, std::optional<Dtype> dtype) const { return rushlight::cumsum(*this, dim, dtype); }
inline const Tensor& Tensor::cumsum_(std::int64_t dim, std::optional<Dtype> dtype) const { return rushlight::cumsum_(*this, dim, dtype); }
inline Tensor Tensor::diff(std::int64_t n, std::int64_t dim, const std::optional<Tensor>& prepend, const std::optional<Tensor>& append) const { return rushlight::diff(*this, n, dim, prepend, append); }
inline Tensor Tensor::logcumsumexp(std::int64_t dim) const { return rushlight::logcumsumexp(*this, dim); }
inline Tensor Tensor::conj() const { return rushlight::conj(*this); }
inline Tensor Tensor::resolve_conj() const { return rushlight::resolve_conj(*this); }
inline Tensor Tensor::resolve_neg() const { return rushlight::resolve_neg(*this); }
inline Tensor Tensor::as_strided(IntArray size, IntArray stride, std::optional<std::int64_t> storage_offset) const { return rushlight::as_strided(*this, size, stride, storage_offset); }
inline const Tensor& Tensor::as_strided_(IntArray size, IntArray stride, std::optional<std::int64_t> storage_offset) const { return rushlight::as_strided_(*this, size, stride, storage_offset); }
inline Tensor Tensor::broadcast_to(IntArray size) const { return rushlight::broadcast_to(*this, size); }
inline std::vector<Tensor> Tensor::chunk(std::int64_t chunks, std::int64_t dim) const { return rushlight::chunk(*this, chunks, dim); }
inline std::vector<Tensor> Tensor::unsafe_chunk(std::int64_t chunks, std::int64_t dim) const { return rushlight::unsafe_chunk(*this, chunks, dim); }
inline std::vector<Tensor> Tensor::tensor_split(std::int64_t sections, std::int64_t dim) const { return rushlight::tensor_split(*this, sections, dim); }
inline std::vector<Tensor> Tensor::tensor_split(IntArray indices, std::int64_t dim) const { return rushlight::tensor_split(*this, indices, dim); }
inline std::vector<Tensor> Tensor::tensor_split(const Tensor& tensor_indices_or_sections, std::int64_t dim) const { return rushlight::tensor_split(*this, tensor_indices_or_sections, dim); }
inline Tensor Tensor::contiguous(MemoryFormat memory_format) const { return rushlight::contiguous(*this, memory_format); }
inline Tensor Tensor::diag_embed(std::int64_t offset, std::int64_t dim1, std::int64_t dim2) const { return rushlight::diag_embed(*this, offset, dim1, dim2); }
inline Tensor Tensor::diagflat(std::int64_t offset) const { return rushlight::diagflat(*this, offset); }
inline Tensor Tensor::diagonal(std::int64_t offset, std::int64_t dim1, std::int64_t dim2) const { return rushlight::diagonal(*this, offset, dim1, dim2); }
inline const Tensor& Tensor::resize_(IntArray size, std::optional<MemoryFormat> memory_format) const { return rushlight::resize_(*this, size, memory_format); }
inline Tensor Tensor::expand(IntArray size, bool implicit) const { return rushlight::expand(*this, size, implicit); }
inline Tensor Tensor::expand_as(const Tensor& other) const { return rushlight::expand_as(*this, other); }
inline Tensor Tensor::flatten(std::int64_t start_dim, std::int64_t end_dim) const { return rushlight::flatten(*this, start_dim, end_dim); }
inline Tensor Tensor::unflatten(std::int64_t dim, IntArray sizes) const { return rushlight::unflatten(*this, dim, sizes); }
inline Tensor Tensor::narrow_copy(std::int64_t dim, std::int64_t start, std::int64_t length) const { return rushlight::narrow_copy(*this, dim, start, length); }
inline Tensor Tensor::narrow(std::int64_t dim, std::int64_t start, std::int64_t length) const { return rushlight::narrow(*this, dim, start, length); }
inline Tensor Tensor::narrow(std::int64_t dim, const Tensor& start, std::int64_t length) const { return rushlight::narrow(*this, dim, start, length); }
inline Tensor Tensor::permute(IntArray dims) const { return rushlight::permute(*this, dims); }
inline Tensor Tensor::movedim(IntArray source, IntArray destination) const { return rushlight::movedim(*this, source, destination); }
inline Tensor Tensor::movedim(std::int64_t source, std::int64_t destination) const { return rushlight::movedim(*this, source, destination); }
inline Tensor Tensor::moveaxis(IntArray source, IntArray destination) const { return rushlight::moveaxis(*this, source, destination); }
inline Tensor Tensor::moveaxis(std::int64_t source, std::int64_t destination) const { return rushlight::moveaxis(*this, source, destination); }
inline Tensor Tensor::adjoint() const { return rushlight::adjoint(*this); }
inline Tensor Tensor::ravel() const { return rushlight::ravel(*this); }
inline Tensor Tensor::repeat(IntArray repeats) const { return rushlight::repeat(*this, repeats); }
inline Tensor Tensor::repeat_interleave(const Tensor& repeats, std::optional<std::int64_t> dim, std::optional<std::int64_t> output_size) const { return rushlight::repeat_interleave(*this, repeats, dim, output_size); }
inline Tensor Tensor::repeat_interleave(std::int64_t repeats, std::optional<std::int64_t> dim, std::optional<std::int64_t> output_size) const { return rushlight::repeat_interleave(*this, repeats, dim, output_size); }
inline Tensor Tensor::reshape(IntArray shape) const { return rushlight::reshape(*this, shape); }
inline Tensor Tensor::_reshape_alias(IntArray size, IntArray stride) const { return rushlight::_reshape_alias(*this, size, stride); }
inline Tensor Tensor::reshape_as(const Tensor& other) const { return rushlight::reshape_as(*this, other); }
inline Tensor Tensor::select(std::int64_t dim, std::int64_t index) const { return rushlight::select(*this, dim, index); }
inline Tensor Tensor::slice(std::int64_t dim, std::optional<std::int64_t> start, std::optional<std::int64_t> end, std::int64_t step) const { return rushlight::slice(*this, dim, start, end, step); }
inline Tensor Tensor::slice_scatter(const Tensor& src, std::int64_t dim, std::optional<std::int64_t> start, std::optional<std::int64_t> end, std::int64_t step) const { return rushlight::slice_scatter(*this, src, dim, start, end, step); }
inline Tensor Tensor::select_scatter(const Tensor& src, std::int64_t dim, std::int64_t index) const { return rushlight::select_scatter(*this, src, dim, index); }
inline Tensor Tensor::diagonal_scatter(const Tensor& src, std::int64_t offset, std::int64_t dim1, std::int64_t dim2) const { return rushlight::diagonal_scatter(*this, src, offset, dim1, dim2); }
inline Tensor Tensor::as_strided_scatter(const Tensor& src, IntArray size, IntArray stride, std::optional<std::int64_t> storage_offset) const { return rushlight::as_strided_scatter(*this, src, size, stride, storage_offset); }
inline std::vector<Tensor> Tensor::unsafe_split(std::int64_t split_size, std::int64_t dim) const { return rushlight::unsafe_split(*this, split_size, dim); }
inline std::vector<Tensor> Tensor::split(std::int64_t split_size, std::int64_t dim) const { return rushlight::split(*this, split_size, dim); }
inline std::vector<Tensor> Tensor::split(IntArray split_size, std::int64_t dim) const { return rushlight::split(*this, split_size, dim); }
inline std::vector<Tensor> Tensor::unsafe_split_with_sizes(IntArray split_sizes, std::int64_t dim) const { return rushlight::unsafe_split_with_sizes(*this, split_sizes, dim); }
inline std::vector<Tensor> Tensor::split_with_sizes(IntArray split_sizes, std::int64_t dim) const { return rushlight::split_with_sizes(*this, split_sizes, dim); }
inline std::vector<Tensor> Tensor::hsplit(std::int64_t sections) const { return rushlight::hsplit(*this, sections); }
inline std::vector<Tensor> Tensor::hsplit(IntArray indices) const { return rushlight::hsplit(*this, indices); }
inline std::vector<Tensor> Tensor::vsplit(std::int64_t sections) const { return rushlight::vsplit(*this, sections); }
inline std::vector<Tensor> Tensor::vsplit(IntArray indices) const { return rushlight::vsplit(*this, indices); }
inline std::vector<Tensor> Tensor::dsplit(std::int64_t sections) const { return rushlight::dsplit(*this, sections); }
inline std::vector<Tensor> Tensor::dsplit(IntArray indices) const { return rushlight::dsplit(*this, indices); }
inline Tensor Tensor::squeeze() const { return rushlight::squeeze(*this); }
inline const Tensor& Tensor::squeeze_() const { return rushlight::squeeze_(*this); }
inline Tensor Tensor::squeeze(std::int64_t dim) const { return rushlight::squeeze(*this, dim); }
inline const Tensor& Tensor::squeeze_(std::int64_t dim) const { return rushlight::squeeze_(*this, dim); }
inline Tensor Tensor::squeeze(IntArray dim) const { return rushlight::squeeze(*this, dim); }
inline const Tensor& Tensor::squeeze_(IntArray dim) const { return rushlight::squeeze_(*this, dim); }
inline Tensor Tensor::t() const { return rushlight::t(*this); }
inline const Tensor& Tensor::t_() const { return rushlight::t_(*this); }
inline Tensor Tensor::tile(IntArray dims) const { return rushlight::tile(*this, dims); }
inline Tensor Tensor::transpose(std::int64_t dim0, std::int64_t dim1) const { return rushlight::transpose(*this, dim0, dim1); }
inline const Tensor& Tensor::transpose_(std::int64_t dim0, std::int64_t dim1) const { return rushlight::transpose_(*this, dim0, dim1); }
inline Tensor Tensor::flip(IntArray dims) const { return rushlight::flip(*this, dims); }
inline Tensor Tensor::fliplr() const { return rushlight::fliplr(*this); }
inline Tensor Tensor::flipud() const { return rushlight::flipud(*this); }
inline Tensor Tensor::roll(IntArray shifts, IntArray dims) const { return rushlight::roll(*this, shifts, dims); }
inline Tensor Tensor::rot90(std::int64_t k, IntArray dims) const { return rushlight::rot90(*this, k, dims); }
inline Tensor Tensor::type_as(const Tensor& other) const { return rushlight::type_as(*this, other); }
inline Tensor Tensor::unsqueeze(std::int64_t dim) const { return rushlight::unsqueeze(*this, dim); }
inline const Tensor& Tensor::unsqueeze_(std::int64_t dim) const { return rushlight::unsqueeze_(*this, dim); }
inline Tensor Tensor::view_as(const Tensor& other) const { return rushlight::view_as(*this, other); }
inline Tensor Tensor::clone(std::optional<MemoryFormat> memory_format) const { return rushlight::clone(*this, memory_format); }
inline Tensor Tensor::positive() const { return rushlight::positive(*this); }
inline const Tensor& Tensor::resize_as_(const Tensor& the_template, std::optional<MemoryFormat> memory_format) const { return rushlight::resize_as_(*this, the_template, memory_format); }
inline std::vector<Tensor> Tensor::unbind(std::int64_t dim) const { return rushlight::unbind(*this, dim); }
inline Tensor Tensor::view(IntArray size) const { return rushlight::view(*this, size); }
inline Tensor Tensor::view(Dtype dtype) const { return rushlight::view(*this, dtype); }
inline Tensor Tensor::diag(std::int64_t diagonal) const { return rushlight::diag(*this, diagonal); }
inline Tensor Tensor::triu(std::int64_t diagonal) const { return rushlight::triu(*this, diagonal); }
inline const Tensor& Tensor::triu_(std::int64_t diagonal) const { return rushlight::triu_(*this, diagonal); }
inline Tensor Tensor::tril(std::int64_t diagonal) const { return rushlight::tril(*this, diagonal); }
inline const Tensor& Tensor::tril_(std::int64_t diagonal) const { return rushlight::tril_(*this, diagonal); }
inline Tensor Tensor::swapaxes(std::int64_t axis0, std::int64_t axis1) const { return rushlight::swapaxes(*this, axis0, axis1); }
inline const Tensor& Tensor::swapaxes_(std::int64_t axis0, std::int64_t axis1) const { return rushlight::swapaxes_(*this, axis0, axis1); }
inline Tensor Tensor::swapdims(std::int64_t dim0, std::int64_t dim1) const { return rushlight::swapdims(*this, dim0, dim1); }
inline const Tensor& Tensor::swapdims_(std::int64_t dim0, std::int64_t dim1) const { return rushlight::swapdims_(*this, dim0, dim1); }
inline Tensor Tensor::unfold(std::int64_t dimension, std::int64_t size, std::int64_t step) const { return rushlight::unfold(*this, dimension, size, step); }
inline Tensor Tensor::alias() const { return rushlight::alias(*this); }
inline Tensor Tensor::slice_inverse(const Tensor& src, std::int64_t dim, std::optional<std::int64_t> start, std::optional<std::int64_t> end, std::int64_t step) const { return rushlight::slice_inverse(*this, src, dim, start, end, step); }
inline Tensor Tensor::_conj() const { return rushlight::_conj(*this); }
inline Tensor Tensor::_conj_physical() const { return rushlight::_conj_physical(*this); }
inline Tensor Tensor::_neg_view() const { return rushlight::_neg_view(*this); }
inline Tensor Tensor::_lazy_clone() const { return rushlight::_lazy_clone(*this); }
inline bool Tensor::is_same_size(const Tensor& other) const { return rushlight::is_same_size(*this, other); }
inline Tensor Tensor::bincount(const std::optional<Tensor>& weights, std::int64_t minlength) const { return rushlight::bincount(*this, weights, minlength); }
inline std::tuple<Tensor, Tensor> Tensor::kthvalue(std::int64_t k, std::int64_t dim, bool keepdim) const { return rushlight::kthvalue(*this, k, dim, keepdim); }
inline Tensor Tensor::median() const { return rushlight::median(*this); }
inline std::tuple<Tensor, Tensor> Tensor::median(std::int64_t dim, bool keepdim) const { return rushlight::median(*this, dim, keepdim); }
inline Tensor Tensor::nanmedian() const { return rushlight::nanmedian(*this); }
inline std::tuple<Tensor, Tensor> Tensor::nanmedian(std::int64_t dim, bool keepdim) const { return rushlight::nanmedian(*this, dim, keepdim); }
inline std::tuple<Tensor, Tensor> Tensor::mode(std::int64_t dim, bool keepdim) const { return rushlight::mode(*this, dim, keepdim); }
inline Tensor Tensor::histc(std::int64_t bins, const Scalar& min, const Scalar& max) const { return rushlight::histc(*this, bins, min, max); }
inline std::tuple<Tensor, Tensor> Tensor::histogram(const Tensor& bins, const std::optional<Tensor>& weight, bool density) const { return rushlight::histogram(*this, bins, weight, density); }
inline std::tuple<Tensor, Tensor> Tensor::histogram(std::int64_t bins, std::optional<std::span<const double>> range, const std::optional<Tensor>& weight, bool density) const { return rushlight::histogram(*this, bins, range, weight, density); }
inline Tensor Tensor::quantile(const Tensor& q, std::optional<std::int64_t> dim, bool keepdim, std::string_view interpolation) const { return rushlight::quantile(*this, q, dim, keepdim, interpolation); }
inline Tensor Tensor::quantile(double q, std::optional<std::int64_t> dim, bool keepdim, std::string_view interpolation) const { return rushlight::quantile(*this, q, dim, keepdim, interpolation); }
inline Tensor Tensor::nanquantile(const Tensor& q, std::optional<std::int64_t> dim, bool keepdim, std::string_view interpolation) const { return rushlight::nanquantile(*this, q, dim, keepdim, interpolation); }
inline Tensor Tensor::nanquantile(double q, std::optional<std::int64_t> dim, bool keepdim, std::string_view interpolation) const { return rushlight::nanquantile(*this, q, dim, keepdim, interpolation); }
inline std::tuple<Tensor, Tensor> Tensor::sort(std::int64_t dim, bool descending) const { return rushlight::sort(*this, dim, descending); }
inline std::tuple<Tensor, Tensor> Tensor::sort(std::optional<bool> stable, std::int64_t dim, bool descending) const { return rushlight::sort(*this, stable, dim, descending); }
inline Tensor Tensor::msort() const { return rushlight::msort(*this); }
inline Tensor Tensor::argsort(std::int64_t dim, bool descending) const { return rushlight::argsort(*this, dim, descending); }
inline Tensor Tensor::argsort(bool stable, std::int64_t dim, bool descending) const { return rushlight::argsort(*this, stable, dim, descending); }
inline std::tuple<Tensor, Tensor> Tensor::topk(std::int64_t k, std::int64_t dim, bool largest, bool sorted) const { return rushlight::topk(*this, k, dim, largest, sorted); }
inline Tensor Tensor::erf() const { return rushlight::erf(*this); }
inline const Tensor& Tensor::erf_() const { return rushlight::erf_(*this); }
inline Tensor Tensor::erfc() const { return rushlight::erfc(*this); }
inline const Tensor& Tensor::erfc_() const { return rushlight::erfc_(*this); }
inline Tensor Tensor::xlogy(const Tensor& other) const { return rushlight::xlogy(*this, other); }
inline const Tensor& Tensor::xlogy_(const Tensor& other) const { return rushlight::xlogy_(*this, other); }
inline Tensor Tensor::xlogy(const Scalar& other) const { return rushlight::xlogy(*this, other); }
inline const Tensor& Tensor::xlogy_(const Scalar& other) const { return rushlight::xlogy_(*this, other); }
inline Tensor Tensor::mvlgamma(std::int64_t p) const { return rushlight::mvlgamma(*this, p); }
inline const Tensor& Tensor::mvlgamma_(std::int64_t p) const { return rushlight::mvlgamma_(*this, p); }
inline Tensor Tensor::sinc() const { return rushlight::sinc(*this); }
inline const Tensor& Tensor::sinc_() const { return rushlight::sinc_(*this); }
inline Tensor Tensor::lgamma() const { return rushlight::lgamma(*this); }
inline const Tensor& Tensor::lgamma_() const { return rushlight::lgamma_(*this); }
inline Tensor Tensor::digamma() const { return rushlight::digamma(*this); }
inline const Tensor& Tensor::digamma_() const { return rushlight::digamma_(*this); }
inline Tensor Tensor::erfinv() const { return rushlight::erfinv(*this); }
inline const Tensor& Tensor::erfinv_() const { return rushlight::erfinv_(*this); }
inline Tensor Tensor::i0() const { return rushlight::i0(*this); }
inline const Tensor& Tensor::i0_() const { return rushlight::i0_(*this); }
inline Tensor Tensor::igamma(const Tensor& other) const { return rushlight::igamma(*this, other); }
inline const Tensor& Tensor::igamma_(const Tensor& other) const { return rushlight::igamma_(*this, other); }
inline Tensor Tensor::igammac(const Tensor& other) const { return rushlight::igammac(*this, other); }
inline const Tensor& Tensor::igammac_(const Tensor& other) const { return rushlight::igammac_(*this, other); }

}  // namespace rushlight

#include "rushlight/operators.h"
