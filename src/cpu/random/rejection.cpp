// Poisson, binomial, gamma and Dirichlet samples by rejection, one at a time in double, and the
// derivatives of gamma and Dirichlet samples by their parameters.
//
// Sources: W. Hoermann, The transformed rejection method for generating Poisson random variables
// (PTRS, 1993); W. Hoermann, The generation of binomial random variates (BTRS, 1993); G. Marsaglia
// and W. W. Tsang, A simple method for generating gamma variables (2000); D. E. Knuth,
// Seminumerical Algorithms, 3.4.1.
#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "cpu/random/distributions.h"
#include "ops/kernels/random.h"

namespace rushlight {
namespace {

using random::next_double;
using random::next_normal;

std::int64_t poisson_sample(GeneratorState& g, double rate) {
  if (!(rate > 0)) return 0;
  if (rate < 10) {  // products of uniforms until they fall below exp(-rate)
    const double limit = std::exp(-rate);
    double product = 1;
    for (std::int64_t events = 0;; ++events) {
      product *= next_double(g);
      if (product <= limit) return events;
    }
  }
  const double b = 0.931 + 2.53 * std::sqrt(rate), a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), squeeze = 0.9277 - 3.6224 / (b - 2);
  const double log_rate = std::log(rate);
  while (true) {
    const double u = next_double(g) - 0.5, v = next_double(g), us = 0.5 - std::fabs(u);
    const auto k = static_cast<std::int64_t>(std::floor((2 * a / us + b) * u + rate + 0.43));
    if (us >= 0.07 && v <= squeeze) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    const double count = static_cast<double>(k);
    if (std::log(v) + std::log(inverse_alpha) - std::log(a / (us * us) + b) <=
        -rate + count * log_rate - std::lgamma(count + 1))
      return k;
  }
}

// log(k!) minus Stirling's formula.
double stirling_rest(double k) {
  static constexpr double kSmall[] = {0.0810614667953272,  0.0413406959554092, 0.0276779256849983, 0.02079067210376509,
                                      0.0166446911898211,  0.0138761288230707, 0.0118967099458917, 0.0104112652619720,
                                      0.00925546218271273, 0.00833056343336287};
  if (k <= 9) return kSmall[static_cast<std::size_t>(k)];
  const double square = (k + 1) * (k + 1);
  return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1);
}

// Waiting times between successes until they exceed the number of trials.
double binomial_by_waiting(GeneratorState& g, double count, double p) {
  const double log_q = std::log1p(-p);
  double successes = 0;
  for (double trials = 0;; ++successes) {
    trials += std::ceil(std::log(next_double(g)) / log_q);
    if (trials > count) return successes;
  }
}

double binomial_by_rejection(GeneratorState& g, double count, double p) {
  const double deviation = std::sqrt(count * p * (1 - p)), b = 1.15 + 2.53 * deviation;
  const double a = -0.0873 + 0.0248 * b + 0.01 * p, c = count * p + 0.5, squeeze = 0.92 - 4.2 / b;
  const double odds = p / (1 - p), alpha = (2.83 + 5.1 / b) * deviation, mode = std::floor((count + 1) * p);
  while (true) {
    const double u = next_double(g) - 0.5;
    double v = next_double(g);
    const double us = 0.5 - std::fabs(u), k = std::floor((2 * a / us + b) * u + c);
    if (us >= 0.07 && v <= squeeze) return k;
    if (k < 0 || k > count) continue;
    v = std::log(v * alpha / (a / (us * us) + b));
    const double bound = (mode + 0.5) * std::log((mode + 1) / (odds * (count - mode + 1))) +
                         (count + 1) * std::log((count - mode + 1) / (count - k + 1)) +
                         (k + 0.5) * std::log(odds * (count - k + 1) / (k + 1)) + stirling_rest(mode) +
                         stirling_rest(count - mode) - stirling_rest(k) - stirling_rest(count - k);
    if (v <= bound) return k;
  }
}

double binomial_sample(GeneratorState& g, double count, double p) {
  if (!(count > 0) || p <= 0) return 0;
  if (p >= 1) return count;
  if (p != p) return p;
  const double rare = p <= 0.5 ? p : 1 - p;
  const double k = count * rare >= 10 ? binomial_by_rejection(g, count, rare) : binomial_by_waiting(g, count, rare);
  return p <= 0.5 ? k : count - k;
}

double gamma_sample(GeneratorState& g, double alpha) {
  double scale = 1;
  if (alpha < 1) {  // a sample of alpha + 1, times a power of a uniform
    if (alpha == 0) return 0;
    scale = std::pow(1 - next_double(g), 1 / alpha);
    alpha += 1;
  }
  // PyTorch takes the third in float32; its streams depend on it.
  const double d = alpha - static_cast<double>(1.0f / 3.0f), c = 1 / std::sqrt(9 * d);
  while (true) {
    double x, y;
    do {
      x = next_normal(g);
      y = 1 + c * x;
    } while (y <= 0);
    const double v = y * y * y, u = 1 - next_double(g), square = x * x;
    if (u < 1 - 0.0331 * square * square) return scale * d * v;
    if (std::log(u) < 0.5 * square + d * (1 - v + std::log(v))) return scale * d * v;
  }
}

// Central differences extrapolated once: about 1e-10 relative.
template <class F>
double derivative(const F& f, double at) {
  const double h = 1e-3 * at;
  const double wide = (f(at + h) - f(at - h)) / (2 * h), narrow = (f(at + h / 2) - f(at - h / 2)) / h;
  return narrow + (narrow - wide) / 3;
}

using Quiet =
    boost::math::policies::policy<boost::math::policies::domain_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::pole_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::evaluation_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::promote_double<false>>;

double gamma_slope(double alpha, double x) {
  if (!(alpha > 0) || !(x > 0) || !std::isfinite(x) || !std::isfinite(alpha)) return x == 0 ? 0 : alpha * x * 0;
  // A small sample of a small alpha: F ~ x^a / Gamma(a + 1), where differences of F would cancel.
  if (x < 1e-3) {
    const double digamma_step = derivative([](double a) { return std::lgamma(a + 1); }, alpha);
    return x / alpha * (digamma_step - std::log(x));
  }
  // The smaller tail keeps its digits.
  const bool upper = x > alpha;
  const auto tail = [&](double a) {
    return upper ? -boost::math::gamma_q(a, x, Quiet()) : boost::math::gamma_p(a, x, Quiet());
  };
  const double density = boost::math::gamma_p_derivative(alpha, x, Quiet());
  return density > 0 ? -derivative(tail, alpha) / density : std::sqrt(x / alpha);
}

double dirichlet_slope(double x, double alpha, double total) {
  const double beta = total - alpha;
  if (!(x > 0 && x < 1 && alpha > 0 && beta > 0)) return x * 0;
  const bool upper = x > alpha / total;
  const auto tail = [&](double a) {
    return upper ? -boost::math::ibetac(a, beta, x, Quiet()) : boost::math::ibeta(a, beta, x, Quiet());
  };
  const double density = boost::math::ibeta_derivative(alpha, beta, x, Quiet());
  return density > 0 ? -derivative(tail, alpha) / (density * (1 - x)) : 0;
}

template <class T>
double wide(T value) {
  if constexpr (std::is_same_v<T, double>)
    return value;
  else
    return static_cast<double>(static_cast<float>(value));
}
template <class T>
T narrow(double value) {
  if constexpr (std::is_same_v<T, double>)
    return value;
  else
    return T(static_cast<float>(value));
}

template <class Body>
void visit_floating(Dtype type, const Body& body) {
  switch (type) {
    case Dtype::kFloat16:
      return body(Half());
    case Dtype::kBFloat16:
      return body(BFloat16());
    case Dtype::kFloat32:
      return body(float());
    default:
      return body(double());
  }
}

// out[i] = f(a[i])
template <class F>
void map(const TensorBase& out, const TensorBase& a, const F& f) {
  visit_floating(out.dtype(), [&](auto t) {
    using T = decltype(t);
    T* const to = out.mutable_data<T>();
    const T* const from = a.data<T>();
    for (std::int64_t i = 0; i < out.numel(); ++i)
      to[i] = narrow<T>(f(wide(from[i])));
  });
}

template <class T>
double smallest_of() {
  if constexpr (std::is_same_v<T, double>)
    return std::numeric_limits<double>::min();
  else if constexpr (std::is_same_v<T, Half>)
    return 0x1p-14;
  else
    return static_cast<double>(std::numeric_limits<float>::min());
}

void poisson(const TensorBase& out, const TensorBase& rate, GeneratorState& g) {
  map(out, rate, [&](double r) { return static_cast<double>(poisson_sample(g, r)); });
}

void binomial(const TensorBase& out, const TensorBase& count, const TensorBase& prob, GeneratorState& g) {
  visit_floating(out.dtype(), [&](auto t) {
    using T = decltype(t);
    T* const to = out.mutable_data<T>();
    for (std::int64_t i = 0; i < out.numel(); ++i)
      to[i] = narrow<T>(binomial_sample(g, wide(count.data<T>()[i]), wide(prob.data<T>()[i])));
  });
}

void standard_gamma(const TensorBase& out, const TensorBase& alpha, GeneratorState& g) {
  visit_floating(out.dtype(), [&](auto t) {
    const double smallest = smallest_of<decltype(t)>();
    map(out, alpha, [&](double a) { return std::max(smallest, gamma_sample(g, a)); });
  });
}

void sample_dirichlet(const TensorBase& out, const TensorBase& alpha, GeneratorState& g) {
  if (out.numel() == 0) return;
  const std::int64_t categories = out.dim() == 0 ? 1 : out.size(-1);
  std::vector<double> row(static_cast<std::size_t>(categories));
  visit_floating(out.dtype(), [&](auto t) {
    using T = decltype(t);
    T* to = out.mutable_data<T>();
    const T* from = alpha.data<T>();
    constexpr double kBelowOne = std::is_same_v<T, double>     ? 1 - 0x1p-53
                                 : std::is_same_v<T, float>    ? 1 - 0x1p-24
                                 : std::is_same_v<T, BFloat16> ? 1 - 0x1p-8
                                                               : 1 - 0x1p-11;
    for (std::int64_t i = 0; i < out.numel(); i += categories, to += categories, from += categories) {
      double sum = 0;
      for (std::size_t j = 0; j < row.size(); ++j)
        sum += row[j] = gamma_sample(g, wide(from[j]));
      for (std::size_t j = 0; j < row.size(); ++j)
        to[j] = narrow<T>(std::min(std::max(row[j] / sum, smallest_of<T>()), kBelowOne));
    }
  });
}

void standard_gamma_grad(const TensorBase& out, const TensorBase& alpha, const TensorBase& sample) {
  visit_floating(out.dtype(), [&](auto t) {
    using T = decltype(t);
    T* const to = out.mutable_data<T>();
    for (std::int64_t i = 0; i < out.numel(); ++i)
      to[i] = narrow<T>(gamma_slope(wide(alpha.data<T>()[i]), wide(sample.data<T>()[i])));
  });
}

void dirichlet_grad(const TensorBase& out, const TensorBase& x, const TensorBase& alpha, const TensorBase& total) {
  visit_floating(out.dtype(), [&](auto t) {
    using T = decltype(t);
    T* const to = out.mutable_data<T>();
    for (std::int64_t i = 0; i < out.numel(); ++i) {
      const double a = wide(alpha.data<T>()[i]), all = wide(total.data<T>()[i]);
      to[i] = narrow<T>(dirichlet_slope(wide(x.data<T>()[i]), a, all));
    }
  });
}

}  // namespace

const Kernel<void(const TensorBase&, const TensorBase&, GeneratorState&)> poisson_kernel{poisson};
const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, GeneratorState&)> binomial_kernel{binomial};
const Kernel<void(const TensorBase&, const TensorBase&, GeneratorState&)> standard_gamma_kernel{standard_gamma};
const Kernel<void(const TensorBase&, const TensorBase&, GeneratorState&)> sample_dirichlet_kernel{sample_dirichlet};
const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&)> standard_gamma_grad_kernel{
    standard_gamma_grad};
const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&)> dirichlet_grad_kernel{
    dirichlet_grad};

}  // namespace rushlight
