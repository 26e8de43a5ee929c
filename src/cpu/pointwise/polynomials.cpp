// Orthogonal polynomials by their three-term recurrences; Chebyshev's by angles where |x| < 1 and n is large.
#include <cmath>
#include <limits>

#include "cpu/pointwise/special_functions.h"

namespace rushlight::pointwise::special {
namespace {

// p(0) = first, p(1) = second, p(k + 1) = step(k, p(k), p(k - 1)).
template <class Step>
double recurrence(double first, double second, double n, Step step) {
  const auto degree = static_cast<long long>(n);
  if (degree < 0) return 0;
  if (degree == 0) return first;
  double before = first, now = second;
  for (long long k = 1; k < degree && !std::isnan(now); ++k) {
    const double next = step(static_cast<double>(k), now, before);
    before = now;
    now = next;
  }
  return now;
}
double chebyshev(double second, double x, double n) {
  return recurrence(1, second, n, [x](double, double now, double before) { return 2 * x * now - before; });
}
bool odd(double n) { return static_cast<long long>(n) % 2 != 0; }
constexpr double kByAngle = 6;  // above this degree the cosine is more accurate than the recurrence

}  // namespace

double chebyshev_polynomial_t(double x, double degree_given) {
  const double n = std::trunc(degree_given);
  if (!(n >= 0)) return 0;
  if (std::abs(x) == 1) return x > 0 || !odd(n) ? 1 : -1;
  if (n > kByAngle && std::abs(x) < 1) return std::cos(std::trunc(n) * std::acos(x));
  return chebyshev(x, x, n);
}
double chebyshev_polynomial_u(double x, double degree_given) {
  const double n = std::trunc(degree_given);
  if (!(n >= 0)) return 0;
  const double degree = n;
  if (std::abs(x) == 1) return x > 0 || !odd(n) ? degree + 1 : -(degree + 1);
  if (n > 8 && std::abs(x) < 1) {
    const double angle = std::acos(x), sine = std::sin(angle);
    if (sine != 0) return std::sin((degree + 1) * angle) / sine;
    return (degree + 1) * std::cos((degree + 1) * angle) / x;
  }
  return chebyshev(2 * x, x, n);
}
double chebyshev_polynomial_v(double x, double degree_given) {
  const double n = std::trunc(degree_given);
  if (!(n >= 0)) return 0;
  const double degree = n;
  if (x == 1) return 1;
  if (x == -1) return odd(n) ? -(2 * degree + 1) : 2 * degree + 1;
  if (n > 8 && std::abs(x) < 1) {
    const double angle = std::acos(x);
    if (std::sin(angle / 2) != 1) return std::cos((degree + 0.5) * angle) / std::cos(angle / 2);
    return odd(n) ? -(2 * degree + 1) : 2 * degree + 1;
  }
  return chebyshev(2 * x - 1, x, n);
}
double chebyshev_polynomial_w(double x, double degree_given) {
  const double n = std::trunc(degree_given);
  if (!(n >= 0)) return 0;
  const double degree = n;
  if (x == 1) return 2 * degree + 1;
  if (x == -1) return odd(n) ? -1 : 1;
  if (n > 8 && std::abs(x) < 1) {
    const double angle = std::acos(x);
    if (std::cos(angle / 2) != 1) return std::sin((degree + 0.5) * angle) / std::sin(angle / 2);
    return x > 0 ? 2 * degree + 1 : odd(n) ? -1 : 1;
  }
  return chebyshev(2 * x + 1, x, n);
}
double shifted_chebyshev_polynomial_t(double x, double n) { return chebyshev_polynomial_t(2 * x - 1, n); }
double shifted_chebyshev_polynomial_u(double x, double n) { return chebyshev_polynomial_u(2 * x - 1, n); }
double shifted_chebyshev_polynomial_v(double x, double n) { return chebyshev_polynomial_v(2 * x - 1, n); }
double shifted_chebyshev_polynomial_w(double x, double n) { return chebyshev_polynomial_w(2 * x - 1, n); }

double hermite_polynomial_h(double x, double n) {
  return recurrence(1, 2 * x, n, [x](double k, double now, double before) { return 2 * x * now - 2 * k * before; });
}
double hermite_polynomial_he(double x, double n) {
  return recurrence(1, x, n, [x](double k, double now, double before) { return x * now - k * before; });
}
double laguerre_polynomial_l(double x, double degree_given) {
  const double n = std::trunc(degree_given);
  if (!(n >= 0)) return 0;
  if (x == 0) return 1;
  return recurrence(
      1, 1 - x, n, [x](double k, double now, double before) { return ((2 * k + 1 - x) * now - k * before) / (k + 1); });
}
double legendre_polynomial_p(double x, double degree_given) {
  const double n = std::trunc(degree_given);
  if (!(n >= 0)) return 0;
  if (std::abs(x) == 1) return x > 0 || !odd(n) ? 1 : -1;
  return recurrence(
      1, x, n, [x](double k, double now, double before) { return ((2 * k + 1) * x * now - k * before) / (k + 1); });
}

}  // namespace rushlight::pointwise::special
