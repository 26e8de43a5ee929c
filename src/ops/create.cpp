// Factories: empty, filled, numbered and windowed tensors.
#include <cmath>
#include <numbers>

#include "ops/kernels/copy.h"
#include "ops/kernels/shape.h"
#include "ops/scalar_range.h"
#include "rushlight/ops.h"
#include "tensor/memory_format.h"

namespace rushlight::ops {
namespace {

void check_strided(const TensorOptions& options, const char* op) {
  check<NotImplementedError>(options.layout() == Layout::kStrided, op, ": only the strided layout is supported");
}

Tensor filled(Tensor result, const Scalar& value) {
  if (result.is_meta() || result.numel() == 0) return result;
  if (value.is_zero())
    std::memset(result.impl()->storage->data, 0, result.impl()->storage->bytes);
  else
    fill_kernel(result.device(), result, value);
  return result;
}

// The same with a number of the caller, which must be one of the dtype; half types round it to infinity.
Tensor filled_with(Tensor result, const Scalar& value) {
  if (!result.is_meta() && !is_reduced_float(result.dtype())) check_fits(value, result.dtype());
  return filled(std::move(result), value);
}

Tensor unset(IntArray size, const TensorOptions& options, const char* op) {
  if (options.layout() != Layout::kStrided) [[unlikely]]
    check_strided(options, op);
  return empty_tensor(size, options.dtype(), options.device());
}

// The options of a tensor made after `self`.
TensorOptions like(const Tensor& self, const TensorOptions& options) {
  return options.dtype(options.dtype_opt().value_or(self.dtype())).device(options.device_opt().value_or(self.device()));
}

// PyTorch gives a number's category the default dtype of that category.
Dtype dtype_of_number(const Scalar& value) {
  return value.is_floating() ? default_dtype() : value.is_complex() ? default_complex_dtype() : value.type();
}

}  // namespace

// --- unset and filled --------------------------------------------------------------------------------------

Tensor empty(IntArray size, const TensorOptions& options, std::optional<MemoryFormat> memory_format) {
  const std::optional<MemoryFormat> format = memory_format ? memory_format : options.memory_format_opt();
  if (!format || *format == MemoryFormat::kContiguous) return unset(size, options, "empty");
  check(*format != MemoryFormat::kPreserve,
        "empty: memory format option preserve_format is only supported by operators with a tensor argument");
  check_strided(options, "empty");
  checked_numel(size, "empty");
  return empty_strided_tensor(size, format_strides(size, *format), options.dtype(), options.device());
}

Tensor empty_strided(IntArray size, IntArray stride, const TensorOptions& options) {
  check_strided(options, "empty_strided");
  return empty_strided_tensor(size, stride, options.dtype(), options.device());
}

Tensor empty_permuted(IntArray size, IntArray physical_layout, const TensorOptions& options) {
  check_strided(options, "empty_permuted");
  check(size.size() == physical_layout.size(),
        "Number of dimensions in size does not match the length of the physical_layout; i.e. len(size) = ", size.size(),
        " is not equal to len(physical_layout) = ", physical_layout.size());
  checked_numel(size, "empty_permuted");
  ShortShape strides(size);
  DimSet seen;
  std::int64_t expected = 1;
  for (std::size_t i = physical_layout.size(); i-- > 0;) {
    check(physical_layout[i] >= 0 && physical_layout[i] < static_cast<std::int64_t>(size.size()),
          "Dimension out of range (expected to be between 0 and ", size.size() - 1, ", but got ", physical_layout[i],
          " at index ", i, "). NB: negative dims not currently supported; file an issue if you want it.");
    const auto at = static_cast<std::size_t>(physical_layout[i]);
    check(!seen[at], "Duplicate dim not allowed");
    seen[at] = true;
    strides[at] = expected;
    expected *= std::max<std::int64_t>(size[at], 1);
  }
  return empty_strided_tensor(size, strides, options.dtype(), options.device());
}

Tensor empty_like(const Tensor& self, const TensorOptions& options, std::optional<MemoryFormat> memory_format) {
  check_strided(options, "empty_like");
  const std::optional<MemoryFormat> format = memory_format ? memory_format : options.memory_format_opt();
  const Dtype dtype = options.dtype_opt().value_or(self.dtype());
  const Device device = options.device_opt().value_or(self.device());
  if (self.is_contiguous() && (!format || *format <= MemoryFormat::kPreserve) && device.is_cpu())
    return empty_like_contiguous(*self.impl(), dtype);
  return empty_strided_tensor(self.sizes(), result_strides(self, format), dtype, device);
}

Tensor zeros(IntArray size, const TensorOptions& options) { return filled(unset(size, options, "zeros"), 0); }
Tensor ones(IntArray size, const TensorOptions& options) { return filled(unset(size, options, "ones"), 1); }
Tensor full(IntArray size, const Scalar& fill_value, const TensorOptions& options) {
  return filled_with(unset(size, options.dtype_opt() ? options : options.dtype(dtype_of_number(fill_value)), "full"),
                     fill_value);
}
Tensor scalar_tensor(const Scalar& s, const TensorOptions& options) {
  return filled_with(unset({}, options, "scalar_tensor"), s);
}

Tensor zeros_like(const Tensor& self, const TensorOptions& options, std::optional<MemoryFormat> memory_format) {
  return filled(ops::empty_like(self, options, memory_format), 0);
}
Tensor ones_like(const Tensor& self, const TensorOptions& options, std::optional<MemoryFormat> memory_format) {
  return filled(ops::empty_like(self, options, memory_format), 1);
}
Tensor full_like(const Tensor& self, const Scalar& fill_value, const TensorOptions& options,
                 std::optional<MemoryFormat> memory_format) {
  return filled_with(ops::empty_like(self, options, memory_format), fill_value);
}

Tensor new_empty(const Tensor& self, IntArray size, const TensorOptions& options) {
  return unset(size, like(self, options), "new_empty");
}
Tensor new_empty_strided(const Tensor& self, IntArray size, IntArray stride, const TensorOptions& options) {
  return ops::empty_strided(size, stride, like(self, options));
}
Tensor new_full(const Tensor& self, IntArray size, const Scalar& fill_value, const TensorOptions& options) {
  return ops::full(size, fill_value, like(self, options));
}
Tensor new_zeros(const Tensor& self, IntArray size, const TensorOptions& options) {
  return ops::zeros(size, like(self, options));
}
Tensor new_ones(const Tensor& self, IntArray size, const TensorOptions& options) {
  return ops::ones(size, like(self, options));
}

Tensor eye(std::int64_t n, std::int64_t m, const TensorOptions& options) {
  check(n >= 0, "n must be greater or equal to 0, got ", n);
  check(m >= 0, "m must be greater or equal to 0, got ", m);
  Tensor result = ops::zeros({n, m}, options);
  const std::int64_t length[] = {std::min(n, m)}, step[] = {m + 1};
  if (length[0]) fill_kernel(result.device(), rushlight::alias(result, {length, 1}, step, 0), 1);
  return result;
}
Tensor eye(std::int64_t n, const TensorOptions& options) { return ops::eye(n, n, options); }

// --- sequences -----------------------------------------------------------------------------------------------

namespace {

void check_range(const Scalar& start, const Scalar& end, const Scalar& step) {
  const double from = start.to_double(), to = end.to_double(), by = step.to_double();
  check(by != 0, "step must be nonzero");
  check(std::isfinite(from) && std::isfinite(to), "unsupported range: ", from, " -> ", to);
  check(by > 0 ? to >= from : to <= from, "upper bound and lower bound inconsistent with step sign");
}

std::int64_t checked_count(long double count) {
  check(count >= 0 && count < 4.6e18L, "arange: invalid size, possible overflow?");
  return static_cast<std::int64_t>(count);
}
// A number without its fraction; uint64 holds more than int64.
__int128 whole_of(const Scalar& number) {
  if (number.is_floating()) return static_cast<__int128>(number.to_double());
  return number.type() == Dtype::kUInt64 ? static_cast<__int128>(number.to<std::uint64_t>()) : number.to_int();
}
// How many steps fit, without `end` itself.
std::int64_t count_of_steps(__int128 start, __int128 end, __int128 step) {
  const __int128 span = end - start;
  return checked_count(static_cast<long double>((span + step + (step > 0 ? -1 : 1)) / step));
}
std::int64_t count_of_steps(const Scalar& start, const Scalar& end, const Scalar& step) {
  return checked_count(std::ceil((end.to_double() - start.to_double()) / step.to_double()));
}

TensorOptions sequence_options(const TensorOptions& options, std::initializer_list<Scalar> numbers) {
  if (options.dtype_opt()) return options;
  for (const Scalar& number : numbers)
    if (!number.is_integral()) return options.dtype(default_dtype());
  return options.dtype(Dtype::kInt64);
}

void refuse_bool(Dtype type, const char* op) {
  check<NotImplementedError>(type != Dtype::kBool, "\"", op, "_cpu\" not implemented for 'Bool'");
}

}  // namespace

Tensor arange(const Scalar& start, const Scalar& end, const Scalar& step, const TensorOptions& given) {
  const TensorOptions options = sequence_options(given, {start, end, step});
  check_range(start, end, step);
  refuse_bool(options.dtype(), "arange");
  check<NotImplementedError>(!is_complex(options.dtype()), "\"arange_cpu\" not implemented for '",
                             scalar_type_name(options.dtype()), "'");
  const bool whole = is_integral(options.dtype());
  check<ValueError>(!whole || step.to_int() != 0, "step must be nonzero");  // it is one once it is converted
  // Integers step by whole numbers; int64 is counted by them, too.
  const bool counted_whole =
      whole && (options.dtype() == Dtype::kInt64 || (start.is_integral() && end.is_integral() && step.is_integral()));
  const std::int64_t count =
      counted_whole ? count_of_steps(whole_of(start), whole_of(end), whole_of(step)) : count_of_steps(start, end, step);
  Tensor result = unset({count}, options, "arange");
  if (whole)
    arange_kernel(result.device(), result, static_cast<std::int64_t>(whole_of(start)), step.to_int());
  else
    arange_kernel(result.device(), result, start, step);
  return result;
}
Tensor arange(const Scalar& start, const Scalar& end, const TensorOptions& options) {
  return ops::arange(start, end, 1, options);
}
Tensor arange(const Scalar& end, const TensorOptions& options) { return ops::arange(0, end, 1, options); }

Tensor range(const Scalar& start, const Scalar& end, const Scalar& step, const TensorOptions& options) {
  check_range(start, end, step);
  const double count = std::floor((end.to_double() - start.to_double()) / step.to_double()) + 1;
  Tensor result = unset({static_cast<std::int64_t>(count)}, options, "range");
  refuse_bool(result.dtype(), "range");
  arange_kernel(result.device(), result, start, step);
  return result;
}
Tensor range(const Scalar& start, const Scalar& end, const TensorOptions& options) {
  return ops::range(start, end, 1, options);
}

namespace {
TensorOptions space_options(const TensorOptions& options, const Scalar& start, const Scalar& end, const char* op) {
  const bool complex = start.is_complex() || end.is_complex();
  if (!options.dtype_opt()) return options.dtype(complex ? default_complex_dtype() : default_dtype());
  check(!complex || is_complex(*options.dtype_opt()), "torch.", op, "(): inferred dtype ", to_complex(default_dtype()),
        " can't be safely cast to passed dtype ", *options.dtype_opt());
  return options;
}
Scalar end_of(const Tensor& end, const char* op, const char* which) {
  check(end.dim() == 0, op, " only supports 0-dimensional start and end tensors, but got ", which, " with ", end.dim(),
        " dimension(s).");
  return end.item();
}
void check_steps(std::int64_t steps) { check(steps >= 0, "number of steps must be non-negative"); }
}  // namespace

Tensor linspace(const Scalar& start, const Scalar& end, std::int64_t steps, const TensorOptions& options) {
  check_steps(steps);
  Tensor result = unset({steps}, space_options(options, start, end, "linspace"), "linspace");
  if (steps > 1) refuse_bool(result.dtype(), "linspace");
  if (is_integral(result.dtype()))
    for (const Scalar& bound : {start, end})
      check_fits(bound, result.dtype());
  if (steps) linspace_kernel(result.device(), result, start, end);
  return result;
}
Tensor linspace(const Tensor& start, const Tensor& end, std::int64_t steps, const TensorOptions& options) {
  return ops::linspace(end_of(start, "linspace", "start"), end_of(end, "linspace", "end"), steps, options);
}
Tensor linspace(const Tensor& start, const Scalar& end, std::int64_t steps, const TensorOptions& options) {
  return ops::linspace(end_of(start, "linspace", "start"), end, steps, options);
}
Tensor linspace(const Scalar& start, const Tensor& end, std::int64_t steps, const TensorOptions& options) {
  return ops::linspace(start, end_of(end, "linspace", "end"), steps, options);
}

Tensor logspace(const Scalar& start, const Scalar& end, std::int64_t steps, double base, const TensorOptions& options) {
  check_steps(steps);
  Tensor result = unset({steps}, space_options(options, start, end, "logspace"), "logspace");
  if (steps > 1) refuse_bool(result.dtype(), "logspace");
  if (steps) logspace_kernel(result.device(), result, start, end, base);
  return result;
}
Tensor logspace(const Tensor& start, const Tensor& end, std::int64_t steps, double base, const TensorOptions& options) {
  return ops::logspace(end_of(start, "logspace", "start"), end_of(end, "logspace", "end"), steps, base, options);
}
Tensor logspace(const Tensor& start, const Scalar& end, std::int64_t steps, double base, const TensorOptions& options) {
  return ops::logspace(end_of(start, "logspace", "start"), end, steps, base, options);
}
Tensor logspace(const Scalar& start, const Tensor& end, std::int64_t steps, double base, const TensorOptions& options) {
  return ops::logspace(start, end_of(end, "logspace", "end"), steps, base, options);
}

// --- triangles as indices --------------------------------------------------------------------------------

namespace {
Tensor triangle_indices(std::int64_t row, std::int64_t col, std::int64_t offset, bool upper,
                        const TensorOptions& options, const char* op) {
  check(row >= 0, "row must be non-negative, got", row);
  check(col >= 0, "col must be non-negative, got", col);
  check<NotImplementedError>(
      options.dtype() == Dtype::kInt64 || options.dtype() == Dtype::kInt32 || options.dtype() == Dtype::kInt16, "\"",
      op, "\" not implemented for '", scalar_type_name(options.dtype()), "'");
  const auto first = [&](std::int64_t i) {
    return upper ? std::clamp<std::int64_t>(i + offset, 0, col) : std::int64_t{0};
  };
  const auto last = [&](std::int64_t i) { return upper ? col : std::clamp<std::int64_t>(i + offset + 1, 0, col); };
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < row; ++i)
    count += last(i) - first(i);
  Tensor result = unset({2, count}, options, op);
  if (result.is_meta()) return result;
  visit(result.dtype(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::int32_t> ||
                  std::is_same_v<T, std::int16_t>) {
      T *rows = result.mutable_data<T>(), *columns = rows + count;
      for (std::int64_t i = 0; i < row; ++i)
        for (std::int64_t k = first(i); k < last(i); ++k) {
          *rows++ = static_cast<T>(i);
          *columns++ = static_cast<T>(k);
        }
    }
  });
  return result;
}
}  // namespace
Tensor tril_indices(std::int64_t row, std::int64_t col, std::int64_t offset, const TensorOptions& options) {
  return triangle_indices(row, col, offset, false, options, "tril_indices");
}
Tensor triu_indices(std::int64_t row, std::int64_t col, std::int64_t offset, const TensorOptions& options) {
  return triangle_indices(row, col, offset, true, options, "triu_indices");
}

// --- windows ---------------------------------------------------------------------------------------------

namespace {
// value(position, last position) at every place; a periodic window is one longer, without its last element.
template <class Value>
Tensor window(std::int64_t length, bool periodic, const TensorOptions& options, const char* op, const Value& value) {
  const Dtype type = options.dtype();
  check(is_floating(type), op, " expects floating point dtypes, got: torch.", type);
  check(length >= 0, op, " requires non-negative window_length, got window_length=", length);
  Tensor result = unset({length}, options, op);
  if (result.is_meta()) return result;
  const double last = static_cast<double>(periodic ? length : length - 1);
  visit(type, [&](auto zero) {
    using T = decltype(zero);
    T* to = result.mutable_data<T>();
    for (std::int64_t i = 0; i < length; ++i) {
      const double at = length == 1 ? 1.0 : value(static_cast<double>(i), last);
      if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
        to[i] = T(static_cast<float>(at));
      else if constexpr (std::is_floating_point_v<T>)
        to[i] = static_cast<T>(at);
    }
  });
  return result;
}

// The modified Bessel function of order zero, by its series.
double bessel_i0(double x) {
  double term = 1, sum = 1;
  for (int k = 1; term > sum * 1e-18; ++k) {
    term *= x * x / (4.0 * k * k);
    sum += term;
  }
  return sum;
}
constexpr double kTurn = 2 * std::numbers::pi;
}  // namespace

Tensor bartlett_window(std::int64_t window_length, bool periodic, const TensorOptions& options) {
  return window(window_length, periodic, options, "bartlett_window",
                [](double i, double n) { return 1 - std::abs(2 * i / n - 1); });
}
Tensor bartlett_window(std::int64_t window_length, const TensorOptions& options) {
  return ops::bartlett_window(window_length, true, options);
}
Tensor blackman_window(std::int64_t window_length, bool periodic, const TensorOptions& options) {
  return window(window_length, periodic, options, "blackman_window", [](double i, double n) {
    return 0.42 - 0.5 * std::cos(kTurn * i / n) + 0.08 * std::cos(2 * kTurn * i / n);
  });
}
Tensor blackman_window(std::int64_t window_length, const TensorOptions& options) {
  return ops::blackman_window(window_length, true, options);
}

Tensor hamming_window(std::int64_t window_length, bool periodic, double alpha, double beta,
                      const TensorOptions& options) {
  return window(window_length, periodic, options, "hamming_window",
                [=](double i, double n) { return alpha - beta * std::cos(kTurn * i / n); });
}
Tensor hamming_window(std::int64_t window_length, bool periodic, double alpha, const TensorOptions& options) {
  return ops::hamming_window(window_length, periodic, alpha, 0.46, options);
}
Tensor hamming_window(std::int64_t window_length, bool periodic, const TensorOptions& options) {
  return ops::hamming_window(window_length, periodic, 0.54, 0.46, options);
}
Tensor hamming_window(std::int64_t window_length, const TensorOptions& options) {
  return ops::hamming_window(window_length, true, 0.54, 0.46, options);
}

Tensor hann_window(std::int64_t window_length, bool periodic, const TensorOptions& options) {
  return window(window_length, periodic, options, "hann_window",
                [](double i, double n) { return 0.5 - 0.5 * std::cos(kTurn * i / n); });
}
Tensor hann_window(std::int64_t window_length, const TensorOptions& options) {
  return ops::hann_window(window_length, true, options);
}

Tensor kaiser_window(std::int64_t window_length, bool periodic, double beta, const TensorOptions& options) {
  return window(window_length, periodic, options, "kaiser_window", [=](double i, double n) {
    const double x = 2 * i / n - 1;
    return bessel_i0(beta * std::sqrt(std::max(1 - x * x, 0.0))) / bessel_i0(beta);
  });
}
Tensor kaiser_window(std::int64_t window_length, bool periodic, const TensorOptions& options) {
  return ops::kaiser_window(window_length, periodic, 12.0, options);
}
Tensor kaiser_window(std::int64_t window_length, const TensorOptions& options) {
  return ops::kaiser_window(window_length, true, 12.0, options);
}

}  // namespace rushlight::ops

namespace rushlight {

Tensor vander(const Tensor& x, std::optional<std::int64_t> N, bool increasing) {
  check(x.dim() == 1, "x must be a one-dimensional tensor.");
  const std::int64_t columns = N.value_or(x.numel());
  check(columns >= 0, "N must be non-negative.");
  const Dtype type = is_integral(x.dtype()) ? promote(Dtype::kInt64, x.dtype()) : x.dtype();
  const Tensor first = ones({x.numel(), std::min<std::int64_t>(columns, 1)}, TensorOptions(type, x.device()));
  if (columns <= 1) return first;
  const Tensor powers =
      cat({first, cumprod(expand(unsqueeze(to(x, TensorOptions(type)), 1), {x.numel(), columns - 1}), 1)}, 1);
  return increasing ? powers : flip(powers, {1});
}

}  // namespace rushlight
