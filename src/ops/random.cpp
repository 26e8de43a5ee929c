// Random operators: argument checks, result shapes and the composite forms of dropout.
#include "ops/kernels/random.h"

#include <cmath>
#include <cstdio>
#include <limits>

#include "ops/element_name.h"
#include "rushlight/detail/long_work.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace ops {
void bernoulli_(const Tensor& self, double p, const std::optional<Generator>& generator);
}
namespace {

using MaybeGenerator = std::optional<Generator>;

// The state of the generator of a call, locked while it draws.
class Source {
 public:
  explicit Source(const MaybeGenerator& generator)
      : generator_(generator_or_default(generator)), lock_(generator_.state().mutex) {}
  operator GeneratorState&() const { return generator_.state(); }

 private:
  Generator generator_;
  std::lock_guard<std::mutex> lock_;
  LockedSection section_;
};

void check_dtype(bool known, const char* kernel, Dtype type) {
  check<NotImplementedError>(known && (!is_stored_only(type) || type == Dtype::kComplex32), "\"", kernel,
                             "\" not implemented for '", scalar_type_name(type), "'");
}

// A number in an error text, which is written only where there is an error.
struct ShortNumber {
  double value;
};
ShortNumber number(double value) { return {value}; }
std::string to_text(const ShortNumber& number) {
  char text[32];
  std::snprintf(text, sizeof(text), "%g", number.value);
  return text;
}

double largest(Dtype type) {
  switch (type) {
    case Dtype::kFloat16:
      return 65504;
    case Dtype::kBFloat16:
      return 0x1.fep127;
    case Dtype::kFloat32:
      return static_cast<double>(std::numeric_limits<float>::max());
    default:
      return std::numeric_limits<double>::max();
  }
}

struct Limits {
  std::int64_t low, high;
};
Limits integer_limits(Dtype type) {
  switch (type) {
    case Dtype::kBool:
      return {0, 1};
    case Dtype::kUInt8:
      return {0, 255};
    case Dtype::kInt8:
      return {-128, 127};
    case Dtype::kInt16:
      return {-32768, 32767};
    case Dtype::kInt32:
      return {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()};
    case Dtype::kUInt16:
      return {0, 65535};
    case Dtype::kUInt32:
      return {0, std::numeric_limits<std::uint32_t>::max()};
    case Dtype::kUInt64:  // bounds are given as int64
      return {0, std::numeric_limits<std::int64_t>::max()};
    default:
      return {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
  }
}

void uniform_into(const Tensor& self, double from, double to, const MaybeGenerator& generator) {
  const Dtype type = to_real(self.dtype());
  check_dtype(is_floating(type), "check_uniform_bounds", type);
  const double most = largest(type);
  check(from >= -most && from <= most, "uniform_: from is out of bounds for ", element_name(type));
  check(to >= -most && to <= most, "uniform_: to is out of bounds for ", element_name(type));
  check(from <= to, "uniform_ expects to return a [from, to) range, but found from=", number(from),
        " > to=", number(to));
  check(to - from <= most, "uniform_ expects to-from <= std::numeric_limits<", scalar_type_name(type),
        ">::max(), but found to=", number(to), " and from=", number(from),
        " which result in to-from to exceed the limit");
  draw_kernel(self.device(), self, Source(generator), Distribution::kUniform, from, to);
}

void normal_into(const Tensor& self, double mean, double std, const MaybeGenerator& generator) {
  check(std >= 0.0, "normal expects std >= 0.0, but found std ", number(std));
  check_dtype(is_differentiable(self.dtype()), "normal_kernel_cpu", self.dtype());
  // Both parts of a complex number have the mean and half of the variance.
  if (self.is_complex()) std /= std::sqrt(2.0);
  draw_kernel(self.device(), self, Source(generator), Distribution::kNormal, mean, std);
}

void random_between(const Tensor& self, std::int64_t from, std::int64_t to, const MaybeGenerator& generator) {
  check(from < to, "random_ expects 'from' to be less than 'to', but got from=", from, " >= to=", to);
  const Dtype type = self.dtype();
  check_dtype(!is_stored_only(type) || is_complex(type), "check_random_bounds", type);
  check(!is_complex(type), "random_: check_random_bounds handles only integral, floating-point and boolean types, got ",
        scalar_type_name(type));
  if (is_integral(type)) {
    const Limits limits = integer_limits(type);
    check(from >= limits.low && from <= limits.high, "random_: from is out of bounds for ", element_name(type));
    check(to - 1 >= limits.low && to - 1 <= limits.high, "random_: to - 1 is out of bounds for ", element_name(type));
  }
  random_range_kernel(self.device(), self, Source(generator), from, to);
}

Tensor new_tensor(IntArray size, const TensorOptions& options) {
  return empty_tensor(size, options.dtype(), options.device());
}

Tensor like(const Tensor& self, const TensorOptions& options, std::optional<MemoryFormat> format) {
  const NoGradGuard no_grad;
  return empty_like(self, options, format);
}

void check_floating_input(const Tensor& self, const char* kernel) {
  check_dtype(self.is_floating_point(), kernel, self.dtype());
}

std::int64_t scalar_bound(const Tensor& high) {
  check(high.numel() == 1 && high.device().is_cpu(), "randint_like: high must be a scalar tensor and on CPU, got ",
        high);
  return high.item().to_int();
}

void check_probability(double p) {
  check(p >= 0 && p <= 1, "dropout probability has to be between 0 and 1, but got ", number(p));
}

// Draws zeros and ones over `noise`; inside vmap as it says.
void draw_bernoulli(const Tensor& noise, double p) {
  if (thread.modes & kBatching) [[unlikely]]
    rushlight::bernoulli_(noise, p);
  else
    ops::bernoulli_(noise, p, std::nullopt);
}

// bernoulli(1 - p) / (1 - p), in the strides of `shape`.
Tensor scaled_noise(const Tensor& shape, double p) {
  const NoGradGuard no_grad;
  Tensor noise = empty_like(shape);
  const Dtype type = noise.dtype();
  check(is_floating(type) || is_complex(type), "dropout: result type Float can't be cast to the desired output type ",
        scalar_type_name(type));
  check_dtype(is_floating(type), "bernoulli_scalar_cpu_", type);
  const double one = type == Dtype::kFloat64 ? 1 / (1 - p) : static_cast<double>(1.0f / static_cast<float>(1 - p));
  if (thread.modes & kBatching) [[unlikely]] {
    draw_bernoulli(noise, 1 - p);
    return noise.mul_(Scalar(one));
  }
  draw_kernel(noise.device(), noise, Source({}), Distribution::kBernoulli, 1 - p, one);
  return noise;
}

// One value for each sample and channel.
Tensor feature_shape(const Tensor& input) {
  check(input.dim() >= 2, "feature_dropout: Feature dropout requires at least 2 dimensions in the input, got ", input);
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(input.dim()), 1);
  sizes[0] = input.size(0);
  sizes[1] = input.size(1);
  return new_empty(input, sizes);
}

Tensor drop(const Tensor& input, double p, bool train, bool features) {
  check_probability(p);
  if (p == 0 || !train || input.numel() == 0) return input;
  if (p == 1) {
    const Tensor zero = empty_tensor({}, input.dtype(), input.device());
    return input.mul(zeros_like(zero));
  }
  return input.mul(scaled_noise(features ? feature_shape(input) : input, p));
}

// Keeps mean and variance of SELU outputs: what is dropped becomes the negative saturation value.
Tensor drop_alpha(const Tensor& input, double p, bool train, bool features) {
  check_probability(p);
  if (p == 0 || !train || input.numel() == 0) return input;
  if (p == 1) return input.mul(zeros_like(empty_tensor({}, input.dtype(), input.device())));
  constexpr double kAlpha = 1.7580993408473766;
  const double a = 1 / std::sqrt((kAlpha * kAlpha * p + 1) * (1 - p));
  Tensor noise, shift;
  {
    const NoGradGuard no_grad;
    noise = features ? feature_shape(input) : empty_like(input);
    draw_bernoulli(noise, 1 - p);
    shift = noise.sub(Scalar(1)).mul_(Scalar(kAlpha * a)).add_(Scalar(kAlpha * a * p));
    noise.mul_(Scalar(a));
  }
  return input.mul(noise).add(shift);
}

}  // namespace

namespace ops {

// --- in place
// -------------------------------------------------------------------------------------

void uniform_(const Tensor& self, double from, double to, const MaybeGenerator& generator) {
  uniform_into(self, from, to, generator);
}

void normal_(const Tensor& self, double mean, double std, const MaybeGenerator& generator) {
  normal_into(self, mean, std, generator);
}

void exponential_(const Tensor& self, double lambd, const MaybeGenerator& generator) {
  check(self.is_floating_point(),
        "exponential_: Exponential distribution is a continuous probability distribution. "
        "dtype must be a floating point but you specified ",
        scalar_type_name(self.dtype()));
  check(lambd > 0.0, "exponential_ expects lambda > 0.0, but found lambda=", number(lambd));
  draw_kernel(self.device(), self, Source(generator), Distribution::kExponential, lambd, 0);
}

void cauchy_(const Tensor& self, double median, double sigma, const MaybeGenerator& generator) {
  check(sigma > 0.0, "cauchy_ expects sigma > 0.0, but found sigma=", number(sigma));
  check(self.is_floating_point(),
        "cauchy_: Cauchy distribution is a continuous probability distribution. "
        "dtype must be a floating point but you specified ",
        name(self.dtype()));
  draw_kernel(self.device(), self, Source(generator), Distribution::kCauchy, median, sigma);
}

void log_normal_(const Tensor& self, double mean, double std, const MaybeGenerator& generator) {
  check(std > 0.0, "log_normal_ expects std > 0.0, but found std=", number(std));
  check_floating_input(self, "log_normal_cpu");
  draw_kernel(self.device(), self, Source(generator), Distribution::kLogNormal, mean, std);
}

void geometric_(const Tensor& self, double p, const MaybeGenerator& generator) {
  check(p > 0 && p < 1, "geometric_ expects p to be in (0, 1), but got p=", number(p));
  check_dtype(self.dtype() != Dtype::kBool && !self.is_complex(), "geometric_cpu", self.dtype());
  draw_kernel(self.device(), self, Source(generator), Distribution::kGeometric, p, 0);
}

void bernoulli_(const Tensor& self, double p, const MaybeGenerator& generator) {
  check(p >= 0 && p <= 1, "bernoulli_ expects p to be in [0, 1], but got p=", number(p));
  check_dtype(!self.is_complex(), "bernoulli_scalar_cpu_", self.dtype());
  draw_kernel(self.device(), self, Source(generator), Distribution::kBernoulli, p, 1);
}

void bernoulli_(const Tensor& self, const Tensor& p, const MaybeGenerator& generator) {
  check_dtype(!self.is_complex(), "bernoulli_tensor_cpu_self_", self.dtype());
  check_dtype(p.is_floating_point(), "bernoulli_tensor_cpu_p_", p.dtype());
  const NoGradGuard no_grad;
  bernoulli_kernel(self.device(), self, p.expand(self.sizes()), Source(generator));
}

void random_(const Tensor& self, std::int64_t from, std::optional<std::int64_t> to, const MaybeGenerator& generator) {
  if (to) return random_between(self, from, *to, generator);
  const Dtype type = self.dtype();
  if (from == std::numeric_limits<std::int64_t>::min()) {
    check_dtype(type == Dtype::kInt64 || (is_floating(type) && type != Dtype::kFloat16), "random_from_to_kernel_cpu",
                type);
  } else {
    check_dtype(!is_complex(type), "random_from_to", type);
    if (is_integral(type)) {
      const Limits limits = integer_limits(type);
      check(from >= limits.low && from <= limits.high, "random_: from is out of bounds for ", element_name(type));
    }
  }
  random_from_kernel(self.device(), self, Source(generator), from);
}

void random_(const Tensor& self, std::int64_t to, const MaybeGenerator& generator) {
  random_between(self, 0, to, generator);
}

void random_(const Tensor& self, const MaybeGenerator& generator) {
  check_dtype(!self.is_complex(), "random_kernel_cpu", self.dtype());
  random_kernel(self.device(), self, Source(generator));
}

// --- factories
// ------------------------------------------------------------------------------------

Tensor rand(IntArray size, const MaybeGenerator& generator, const TensorOptions& options) {
  const Tensor result = new_tensor(size, options);
  uniform_into(result, 0, 1, generator);
  return result;
}
Tensor rand(IntArray size, const TensorOptions& options) { return ops::rand(size, std::nullopt, options); }

Tensor randn(IntArray size, const MaybeGenerator& generator, const TensorOptions& options) {
  const Tensor result = new_tensor(size, options);
  normal_into(result, 0, 1, generator);
  return result;
}
Tensor randn(IntArray size, const TensorOptions& options) { return ops::randn(size, std::nullopt, options); }

Tensor normal(double mean, double std, IntArray size, const MaybeGenerator& generator, const TensorOptions& options) {
  const Tensor result = new_tensor(size, options);
  normal_into(result, mean, std, generator);
  return result;
}

Tensor randint(std::int64_t low, std::int64_t high, IntArray size, const MaybeGenerator& generator,
               const TensorOptions& options) {
  const Tensor result = new_tensor(size, options);
  random_between(result, low, high, generator);
  return result;
}
Tensor randint(std::int64_t low, std::int64_t high, IntArray size, const TensorOptions& options) {
  return ops::randint(low, high, size, std::nullopt, options);
}
Tensor randint(std::int64_t high, IntArray size, const MaybeGenerator& generator, const TensorOptions& options) {
  return ops::randint(0, high, size, generator, options);
}
Tensor randint(std::int64_t high, IntArray size, const TensorOptions& options) {
  return ops::randint(0, high, size, std::nullopt, options);
}

Tensor randperm(std::int64_t n, const MaybeGenerator& generator, const TensorOptions& options) {
  const Tensor result = new_tensor({n}, options);
  const Dtype type = result.dtype();
  check_dtype(type != Dtype::kBool && !is_complex(type), "randperm", type);
  if (is_floating(type) && type != Dtype::kFloat64) {
    const std::int64_t most = type == Dtype::kFloat32 ? (1 << 24) + 1 : type == Dtype::kFloat16 ? 2049 : 257;
    check(n <= most, "randperm: n cannot be greater than ", most, " for ", scalar_type_name(type), " type.");
  }
  if (is_integral(type))
    check(n <= integer_limits(type).high, "randperm: value cannot be converted to type ", name(type),
          "_t without overflow");
  randperm_kernel(result.device(), result, Source(generator));
  return result;
}
Tensor randperm(std::int64_t n, const TensorOptions& options) { return ops::randperm(n, std::nullopt, options); }

Tensor rand_like(const Tensor& self, const MaybeGenerator& generator, const TensorOptions& options,
                 std::optional<MemoryFormat> memory_format) {
  const Tensor result = like(self, options, memory_format);
  uniform_into(result, 0, 1, generator);
  return result;
}
Tensor rand_like(const Tensor& self, const TensorOptions& options, std::optional<MemoryFormat> memory_format) {
  return ops::rand_like(self, std::nullopt, options, memory_format);
}
Tensor randn_like(const Tensor& self, const MaybeGenerator& generator, const TensorOptions& options,
                  std::optional<MemoryFormat> memory_format) {
  const Tensor result = like(self, options, memory_format);
  normal_into(result, 0, 1, generator);
  return result;
}
Tensor randn_like(const Tensor& self, const TensorOptions& options, std::optional<MemoryFormat> memory_format) {
  return ops::randn_like(self, std::nullopt, options, memory_format);
}
Tensor randint_like(const Tensor& self, std::int64_t low, std::int64_t high, const MaybeGenerator& generator,
                    const TensorOptions& options, std::optional<MemoryFormat> memory_format) {
  const Tensor result = like(self, options, memory_format);
  random_between(result, low, high, generator);
  return result;
}
Tensor randint_like(const Tensor& self, std::int64_t low, std::int64_t high, const TensorOptions& options,
                    std::optional<MemoryFormat> memory_format) {
  return ops::randint_like(self, low, high, std::nullopt, options, memory_format);
}
Tensor randint_like(const Tensor& self, std::int64_t high, const MaybeGenerator& generator,
                    const TensorOptions& options, std::optional<MemoryFormat> memory_format) {
  return ops::randint_like(self, 0, high, generator, options, memory_format);
}
Tensor randint_like(const Tensor& self, std::int64_t high, const TensorOptions& options,
                    std::optional<MemoryFormat> memory_format) {
  return ops::randint_like(self, 0, high, std::nullopt, options, memory_format);
}
Tensor randint_like(const Tensor& self, const Tensor& high, const MaybeGenerator& generator,
                    const TensorOptions& options, std::optional<MemoryFormat> memory_format) {
  return ops::randint_like(self, 0, scalar_bound(high), generator, options, memory_format);
}
Tensor randint_like(const Tensor& self, const Tensor& high, const TensorOptions& options,
                    std::optional<MemoryFormat> memory_format) {
  return ops::randint_like(self, 0, scalar_bound(high), std::nullopt, options, memory_format);
}

// --- samples of distributions given by tensors
// -----------------------------------------------------

Tensor bernoulli(const Tensor& self, const MaybeGenerator& generator) {
  check_dtype(!self.is_complex(), "bernoulli_tensor_cpu_self_", self.dtype());
  check_dtype(self.is_floating_point(), "bernoulli_tensor_cpu_p_", self.dtype());
  const NoGradGuard no_grad;
  if (self.device().is_cpu() && self.numel() != 0)
    check(self.ge(Scalar(0)).logical_and(self.le(Scalar(1))).all().item<bool>(),
          "bernoulli: Expected p_in >= 0 && p_in <= 1 to be true, but got false.");
  const Tensor result = empty_tensor(self.sizes(), self.dtype(), self.device());
  bernoulli_kernel(result.device(), result, self, Source(generator));
  return result;
}

Tensor bernoulli(const Tensor& self, double p, const MaybeGenerator& generator) {
  const Tensor result = like(self, {}, std::nullopt);
  ops::bernoulli_(result, p, generator);
  return result;
}

Tensor multinomial(const Tensor& self, std::int64_t num_samples, bool replacement, const MaybeGenerator& generator) {
  check(self.dim() == 1 || self.dim() == 2, "multinomial: prob_dist must be 1 or 2 dim, got ", self);
  check(self.is_floating_point(),
        "multinomial only supports floating-point dtypes for input, got: ", scalar_type_name(self.dtype()));
  check(num_samples > 0, "multinomial: cannot sample n_sample <= 0 samples, got ", num_samples);
  check(replacement || num_samples <= self.size(-1),
        "multinomial: cannot sample n_sample > prob_dist.size(-1) samples "
        "without replacement, got ",
        num_samples, " for ", self.size(-1));
  check(self.size(-1) < (std::int64_t{1} << 24), "multinomial: number of categories cannot exceed 2^24");
  const NoGradGuard no_grad;
  const std::int64_t rows = self.dim() == 2 ? self.size(0) : 1;
  const Tensor weights = self.reshape({rows, self.size(-1)}).contiguous();
  const Tensor samples = empty_tensor({rows, num_samples}, Dtype::kInt64, self.device());
  if (samples.numel() != 0 && self.device().is_cpu()) {
    check(weights.isfinite().logical_and(weights.ge(Scalar(0))).all().item<bool>(),
          "multinomial: probability tensor contains either `inf`, `nan` or element < 0");
    check(weights.sum(IntArray{-1}).gt(Scalar(0)).all().item<bool>(),
          "multinomial: invalid multinomial distribution (sum of probabilities <= 0)");
    multinomial_kernel(samples.device(), samples, weights, Source(generator), replacement);
  }
  return self.dim() == 2 ? samples : samples.reshape({num_samples});
}

Tensor poisson(const Tensor& self, const MaybeGenerator& generator) {
  check_floating_input(self, "poisson_cpu");
  const NoGradGuard no_grad;
  if (self.device().is_cpu())
    check(self.ge(Scalar(0)).all().item<bool>(), "poisson: invalid Poisson rate, expected rate to be non-negative");
  const Tensor result = empty_tensor(self.sizes(), self.dtype(), self.device());
  poisson_kernel(result.device(), result, self.contiguous(), Source(generator));
  return result;
}

Tensor binomial(const Tensor& count, const Tensor& prob, const MaybeGenerator& generator) {
  check<ValueError>(count.is_floating_point(),
                    "binomial only supports floating-point dtypes for count, got: ", scalar_type_name(count.dtype()));
  check<ValueError>(prob.is_floating_point(),
                    "binomial only supports floating-point dtypes for prob, got: ", scalar_type_name(prob.dtype()));
  check(count.dtype() == prob.dtype(), "binomial: Found dtype ", scalar_type_name(prob.dtype()), " but expected ",
        scalar_type_name(count.dtype()));
  const NoGradGuard no_grad;
  const std::vector<Tensor> both = broadcast_tensors(std::vector<Tensor>{count, prob});
  const Tensor result = empty_tensor(both[0].sizes(), count.dtype(), count.device());
  binomial_kernel(result.device(), result, both[0].contiguous(), both[1].contiguous(), Source(generator));
  return result;
}

Tensor _standard_gamma(const Tensor& self, const MaybeGenerator& generator) {
  check_floating_input(self, "gamma_cpu");
  const NoGradGuard no_grad;
  const Tensor result = empty_tensor(self.sizes(), self.dtype(), self.device());
  standard_gamma_kernel(result.device(), result, self.contiguous(), Source(generator));
  return result;
}

Tensor _standard_gamma_grad(const Tensor& self, const Tensor& output) {
  check_floating_input(self, "_standard_gamma_grad_cpu");
  const NoGradGuard no_grad;
  const Tensor result = empty_tensor(self.sizes(), self.dtype(), self.device());
  standard_gamma_grad_kernel(result.device(), result, self.contiguous(), output.expand(self.sizes()).contiguous());
  return result;
}

Tensor _sample_dirichlet(const Tensor& self, const MaybeGenerator& generator) {
  check_floating_input(self, "dirichlet");
  const NoGradGuard no_grad;
  const Tensor result = empty_tensor(self.sizes(), self.dtype(), self.device());
  sample_dirichlet_kernel(result.device(), result, self.contiguous(), Source(generator));
  return result;
}

Tensor _dirichlet_grad(const Tensor& x, const Tensor& alpha, const Tensor& total) {
  check_floating_input(x, "_dirichlet_grad_cpu");
  const NoGradGuard no_grad;
  const Tensor result = empty_tensor(x.sizes(), x.dtype(), x.device());
  dirichlet_grad_kernel(result.device(), result, x.contiguous(), alpha.expand(x.sizes()).contiguous(),
                        total.expand(x.sizes()).contiguous());
  return result;
}

Tensor normal(const Tensor& mean, double std, const MaybeGenerator& generator) {
  const NoGradGuard no_grad;
  const Tensor result = empty_like(mean);
  normal_into(result, 0, std, generator);
  result.add_(mean);
  return result;
}
Tensor normal(double mean, const Tensor& std, const MaybeGenerator& generator) {
  check(!std.is_complex(), "normal expects standard deviation to be non-complex");
  const NoGradGuard no_grad;
  check(std.numel() == 0 || std.is_meta() || std.ge(Scalar(0)).all().item<bool>(),
        "normal expects all elements of std >= 0.0");
  const Tensor result = empty_like(std);
  normal_into(result, 0, 1, generator);
  result.mul_(std).add_(Scalar(mean));
  return result;
}
Tensor normal(const Tensor& mean, const Tensor& std, const MaybeGenerator& generator) {
  check(!std.is_complex(), "normal expects standard deviation to be non-complex");
  const NoGradGuard no_grad;
  check(std.numel() == 0 || std.is_meta() || std.ge(Scalar(0)).all().item<bool>(),
        "normal expects all elements of std >= 0.0");
  const std::vector<Tensor> both = broadcast_tensors(std::vector<Tensor>{mean, std});
  const Tensor result = empty_tensor(both[0].sizes(), mean.dtype(), mean.device());
  normal_into(result, 0, 1, generator);
  result.mul_(both[1]).add_(both[0]);
  return result;
}

// --- dropout and rrelu
// ----------------------------------------------------------------------------

std::tuple<Tensor, Tensor> native_dropout(const Tensor& input, double p, std::optional<bool> train) {
  const NoGradGuard no_grad;
  if (input.numel() == 0) return {input.clone(), empty_like(input, TensorOptions(input.dtype()))};
  if (train && !*train) return {input.clone(), ones_like(input, TensorOptions(Dtype::kBool))};
  check_probability(p);
  const double keep = 1 - p, scale = keep == 0 ? 0 : 1 / keep;
  check(input.is_floating_point() || input.is_complex(),
        "native_dropout: result type Float can't be cast to the "
        "desired output type ",
        scalar_type_name(input.dtype()));
  const Tensor mask = empty_like(input, TensorOptions(Dtype::kBool));
  ops::bernoulli_(mask, keep, std::nullopt);
  return {input.mul(mask).mul_(Scalar(scale)), mask};
}

Tensor rrelu_with_noise(const Tensor& self, const Tensor& noise, const Scalar& lower, const Scalar& upper,
                        bool training, const MaybeGenerator& generator) {
  const double low = lower.to_double(), high = upper.to_double();
  check(low <= high, "rrelu_with_noise: Lower bound should be less than or equal to the upper bound, got ", number(low),
        " and ", number(high));
  check_dtype(self.is_floating_point(), "rrelu_with_noise_out_cpu", self.dtype());
  const NoGradGuard no_grad;
  if (!training) return leaky_relu(self, Scalar((low + high) / 2));
  const Tensor input = self.contiguous(), result = empty_like(input), slopes = noise.contiguous();
  rrelu_kernel(self.device(), result, slopes, input, Source(generator), low, high);
  if (!slopes.is_same(noise)) rushlight::copy_(noise, slopes);
  return result;
}

Tensor rrelu_with_noise_backward(const Tensor& grad_output, const Tensor& self, const Tensor& noise,
                                 const Scalar& lower, const Scalar& upper, bool training, bool) {
  const double low = lower.to_double(), high = upper.to_double();
  const NoGradGuard no_grad;
  if (training && high - low > 1e-6) return grad_output.mul(noise);
  return where(self.gt(Scalar(0)), grad_output, grad_output.mul(Scalar((low + high) / 2)));
}

}  // namespace ops

Tensor dropout(const Tensor& input, double p, bool train) { return drop(input, p, train, false); }
Tensor feature_dropout(const Tensor& input, double p, bool train) { return drop(input, p, train, true); }
Tensor alpha_dropout(const Tensor& input, double p, bool train) { return drop_alpha(input, p, train, false); }
Tensor feature_alpha_dropout(const Tensor& input, double p, bool train) { return drop_alpha(input, p, train, true); }

Tensor native_dropout_backward(const Tensor& grad_output, const Tensor& mask, double scale) {
  return grad_output.mul(mask).mul(Scalar(scale));
}

Tensor rrelu(const Tensor& self, const Scalar& lower, const Scalar& upper, bool training,
             const MaybeGenerator& generator) {
  check(lower.to_double() <= upper.to_double(),
        "rrelu: Lower bound should be less than or equal to the upper bound, got ", number(lower.to_double()), " and ",
        number(upper.to_double()));
  return rrelu_with_noise(self, new_empty(self, self.sizes()), lower, upper, training, generator);
}

}  // namespace rushlight
