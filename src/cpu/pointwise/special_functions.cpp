#include "cpu/pointwise/special_functions.h"

#include <algorithm>
#include <cmath>
#include <limits>

// Domain errors become NaN, overflow infinity; long double would cost four times as much.
#define BOOST_MATH_DOMAIN_ERROR_POLICY ignore_error
#define BOOST_MATH_POLE_ERROR_POLICY ignore_error
#define BOOST_MATH_OVERFLOW_ERROR_POLICY ignore_error
#define BOOST_MATH_EVALUATION_ERROR_POLICY ignore_error
#define BOOST_MATH_PROMOTE_DOUBLE_POLICY false
#include <boost/math/special_functions/airy.hpp>
#include <boost/math/special_functions/bessel.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/polygamma.hpp>

namespace rushlight::pointwise::special {
namespace {
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
}  // namespace

double erfc(double x) { return std::erfc(x); }

double erfinv(double x) {
  if (std::abs(x) == 1) return std::copysign(kInfinity, x);
  if (!(std::abs(x) < 1)) return kNan;
  return boost::math::erf_inv(x);
}

double erfcx(double x) {
  if (std::isnan(x)) return x;
  if (x < -26.7) return kInfinity;
  if (x < 2) return std::exp(x * x) * std::erfc(x);
  if (x > 1e8) return 0.5641895835477563 / x;
  // The continued fraction x + (1/2)/(x + 1/(x + (3/2)/(x + ...))), from its tail.
  const int terms = 20 + static_cast<int>(240 / (x * x));
  double tail = x;
  for (int k = terms; k > 0; --k)
    tail = x + 0.5 * k / tail;
  return 0.5641895835477563 / tail;
}

double lgamma(double x) {
  int sign;
  return ::lgamma_r(x, &sign);
}

double digamma(double x) {
  if (x == 0) return std::copysign(kInfinity, -x);
  if (std::isinf(x)) return x > 0 ? x : kNan;
  if (std::isnan(x) || (x < 0 && x == std::trunc(x))) return kNan;
  return boost::math::digamma(x);
}

double polygamma(int order, double x) {
  // By the zeta function, which poles follow as well.
  const double factorial = std::exp(lgamma(order + 1.0));
  return (order % 2 ? 1.0 : -1.0) * factorial * zeta(order + 1.0, x);
}

double trigamma(double x, double sine) {
  if (x == 0) return kInfinity;
  double sum = 0, sign = 1;
  if (x < 0.5) {
    sum = -(M_PI * M_PI) / (sine * sine);
    sign = -1;
    x = 1 - x;
  }
  double shifted = 0;
  for (; x < 15; x += 1)
    shifted += 1 / (x * x);
  const double r = 1 / (x * x);
  const double series =
      (1 + 1 / (2 * x) + r * (1.0 / 6 - r * (1.0 / 30 - r * (1.0 / 42 - r * (1.0 / 30 - r * (5.0 / 66)))))) / x;
  sum += shifted + series;
  return sign > 0 ? sum : -sum;
}

double igamma(double a, double x) {
  if (std::isnan(a) || std::isnan(x) || x < 0 || a < 0) return kNan;
  if (a == 0) return x > 0 ? 1 : kNan;
  if (x == 0) return 0;
  if (std::isinf(a)) return std::isinf(x) ? kNan : 0;
  if (std::isinf(x)) return 1;
  return boost::math::gamma_p(a, x);
}
double igammac(double a, double x) {
  if (std::isnan(a) || std::isnan(x) || x < 0 || a < 0) return kNan;
  if (a == 0) return x > 0 ? 0 : kNan;
  if (x == 0) return 1;
  if (std::isinf(a)) return std::isinf(x) ? kNan : 1;
  if (std::isinf(x)) return 0;
  return boost::math::gamma_q(a, x);
}

// Hurwitz zeta by Euler and Maclaurin: nine terms, the integral, then Bernoulli corrections.
double zeta(double x, double q) {
  if (x == 1) return kInfinity;
  if (std::isnan(x) || std::isnan(q) || x < 1) return kNan;
  if (q <= 0) {
    if (q == std::floor(q)) return kInfinity;
    if (x != std::floor(x)) return kNan;  // a power of a negative number
  }
  double sum = std::pow(q, -x), a = q, term = 0;
  for (int i = 0; i < 9 || a <= 9; ++i) {
    a += 1;
    term = std::pow(a, -x);
    sum += term;
    if (std::abs(term) < std::abs(sum) * std::numeric_limits<double>::epsilon() / 2 && a > 0) return sum;
  }
  sum += term * a / (x - 1) - term / 2;
  // B(2k) / (2k)!
  static constexpr double kBernoulli[] = {1.0 / 12,          -1.0 / 720,
                                          1.0 / 30240,       -1.0 / 1209600,
                                          1.0 / 47900160,    -691.0 / 1307674368000,
                                          1.0 / 74724249600, -3617.0 / 10670622842880000};
  double factor = x;
  double power = term / a;
  for (int k = 0; k < 8; ++k) {
    const double part = kBernoulli[k] * factor * power;
    sum += part;
    if (std::abs(part) < std::abs(sum) * std::numeric_limits<double>::epsilon()) break;
    factor *= (x + 2 * k + 1) * (x + 2 * k + 2);
    power /= a * a;
  }
  return sum;
}

// exp(-x) I(x) by its asymptotic series from 30 on: the terms shrink until 60 of them.
static double bessel_i_tail(double order, double x) {
  const double mu = 4 * order * order;
  double term = 1, sum = 1;
  for (int k = 1; k < 60; ++k) {
    term *= -(mu - (2 * k - 1) * (2 * k - 1)) / (k * 8 * x);
    sum += term;
    if (std::abs(term) < 1e-17 * std::abs(sum)) break;
  }
  return sum / std::sqrt(2 * M_PI * x);
}
double i0e(double x) {
  x = std::abs(x);
  if (std::isinf(x)) return 0;
  return x > 30 ? bessel_i_tail(0, x) : std::exp(-x) * boost::math::cyl_bessel_i(0, x);
}
double i1e(double x) {
  const double a = std::abs(x);
  if (std::isinf(a)) return 0;
  return std::copysign(a > 30 ? bessel_i_tail(1, a) : std::exp(-a) * boost::math::cyl_bessel_i(1, a), x);
}
double i0(double x) {
  if (std::isnan(x)) return x;
  const double a = std::abs(x);
  if (a <= 30) return boost::math::cyl_bessel_i(0, a);
  const double half = std::exp(a / 2);  // twice, so that the largest results do not overflow on the way
  return half * i0e(a) * half;
}
double i1(double x) {
  if (std::isnan(x)) return x;
  const double a = std::abs(x);
  if (a <= 30) return std::copysign(boost::math::cyl_bessel_i(1, a), x);
  const double half = std::exp(a / 2);
  return std::copysign(half * i1e(a) * half, x);
}

static double bessel_k(int order, double x, bool scaled) {
  if (std::isnan(x) || x < 0) return kNan;
  if (x == 0) return kInfinity;
  if (x <= 30) return boost::math::cyl_bessel_k(order, x) * (scaled ? std::exp(x) : 1);
  if (std::isinf(x)) return 0;
  const double mu = 4.0 * order * order;
  double term = 1, sum = 1;
  for (int k = 1; k < 60; ++k) {
    term *= (mu - (2 * k - 1) * (2 * k - 1)) / (k * 8 * x);
    sum += term;
    if (std::abs(term) < 1e-17 * std::abs(sum)) break;
  }
  return std::sqrt(M_PI / (2 * x)) * sum * (scaled ? 1 : std::exp(-x));
}
double k0(double x) { return bessel_k(0, x, false); }
double k1(double x) { return bessel_k(1, x, false); }
double k0e(double x) { return bessel_k(0, x, true); }
double k1e(double x) { return bessel_k(1, x, true); }

double ndtri(double p) {
  if (p == 0) return -kInfinity;
  if (p == 1) return kInfinity;
  if (!(p > 0 && p < 1)) return kNan;
  return -M_SQRT2 * boost::math::erfc_inv(2 * p);
}
double log_ndtr(double x) {
  const double t = x * M_SQRT1_2;
  return x < -1 ? std::log(erfcx(-t) / 2) - t * t : std::log1p(-std::erfc(t) / 2);
}
double entr(double x) { return std::isnan(x) ? x : x > 0 ? -x * std::log(x) : x == 0 ? 0 : -kInfinity; }
double xlogy(double x, double y) { return std::isnan(y) ? y : x == 0 ? 0 : x * std::log(y); }
double xlog1py(double x, double y) { return std::isnan(y) ? y : x == 0 ? 0 : x * std::log1p(y); }

// PyTorch has no limits at infinity here, but NaN.
double bessel_j0(double x) { return std::isinf(x) ? kNan : ::j0(x); }
double bessel_j1(double x) { return std::isinf(x) ? kNan : ::j1(x); }
double bessel_y0(double x) { return std::isinf(x) ? kNan : x == 0 ? -kInfinity : x < 0 ? kNan : ::y0(x); }
double bessel_y1(double x) { return std::isinf(x) ? kNan : x == 0 ? -kInfinity : x < 0 ? kNan : ::y1(x); }
double spherical_bessel_j0(double x) {
  if (std::isinf(x)) return 0;
  if (std::abs(x) < 0.5) {
    const double z = x * x;
    return 1 - z / 6 * (1 - z / 20 * (1 - z / 42 * (1 - z / 72 * (1 - z / 110 * (1 - z / 156)))));
  }
  return std::sin(x) / x;
}
double airy_ai(double x) {
  if (std::isnan(x)) return x;
  if (std::isinf(x)) return kNan;
  // Ai(0) and Ai'(0) with the next two terms of the series; Boost leaves out the linear one here.
  if (std::abs(x) < 1e-3)
    return 0.3550280538878172 * (1 + x * x * x / 6) - 0.2588194037928068 * x * (1 + x * x * x / 12);
  return x > 103.892 ? 0 : boost::math::airy_ai(x);
}

}  // namespace rushlight::pointwise::special
