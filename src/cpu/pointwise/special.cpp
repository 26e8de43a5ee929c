// Special functions as plain loops, by Boost.Math where it has them. float32 computes in float64, so that its results
// are correctly rounded but for rare cases (erfc, erfinv, lgamma, digamma: error_gamma.cpp); edges (poles, infinities,
// NaN) follow PyTorch.
#include <algorithm>
#include <cmath>
#include <limits>

#include "cpu/pointwise/scalar-inl.h"
#include "cpu/pointwise/scalar.h"
#include "cpu/pointwise/special_functions.h"

namespace rushlight::pointwise {
namespace {

constexpr Pointwise::ByLevel kNone{{nullptr, nullptr, nullptr}};

// One function of float64 for both float types.
template <double (*kFunction)(double)>
struct One {
  template <class T>
  T operator()(T x) {
    return static_cast<T>(kFunction(static_cast<double>(x)));
  }
};
template <double (*kFunction)(double, double)>
struct Two {
  template <class T>
  T operator()(T a, T b) {
    return static_cast<T>(kFunction(static_cast<double>(a), static_cast<double>(b)));
  }
};
struct Polygamma {  // the order is a number of the call
  template <class T>
  T operator()(T x, T order) {
    const double wide = static_cast<double>(x);
    if (order == 0) return static_cast<T>(special::digamma(wide));
    if (order == 1)
      return static_cast<T>(special::trigamma(wide, static_cast<double>(std::sin(static_cast<T>(M_PI) * x))));
    return static_cast<T>(special::polygamma(static_cast<int>(order), wide));
  }
};

}  // namespace

#define RL_UNARY(name, rule, function) \
  constinit const Pointwise name{#name, TypeRule::rule, kNone, real1<One<function>>};
#define RL_BINARY(name, rule, function) \
  constinit const Pointwise name{#name, TypeRule::rule, kNone, real2<Two<function>>};

RL_UNARY(erfcx, kFloating, special::erfcx)
RL_UNARY(i0, kFloating, special::i0)
RL_UNARY(i0e, kFloating, special::i0e)
RL_UNARY(i1, kFloating, special::i1)
RL_UNARY(i1e, kFloating, special::i1e)
RL_UNARY(ndtri, kFloating, special::ndtri)
RL_UNARY(log_ndtr, kFloating, special::log_ndtr)
RL_UNARY(entr, kFloating, special::entr)
RL_UNARY(bessel_j0, kFloating, special::bessel_j0)
RL_UNARY(bessel_j1, kFloating, special::bessel_j1)
RL_UNARY(bessel_y0, kFloating, special::bessel_y0)
RL_UNARY(bessel_y1, kFloating, special::bessel_y1)
RL_UNARY(modified_bessel_i0, kFloating, special::i0)
RL_UNARY(modified_bessel_i1, kFloating, special::i1)
RL_UNARY(modified_bessel_k0, kFloating, special::k0)
RL_UNARY(modified_bessel_k1, kFloating, special::k1)
RL_UNARY(scaled_modified_bessel_k0, kFloating, special::k0e)
RL_UNARY(scaled_modified_bessel_k1, kFloating, special::k1e)
RL_UNARY(spherical_bessel_j0, kFloating, special::spherical_bessel_j0)
RL_UNARY(airy_ai, kFloating, special::airy_ai)
RL_BINARY(igamma, kPromote, special::igamma)
RL_BINARY(igammac, kPromote, special::igammac)
RL_BINARY(zeta, kFloating, special::zeta)
RL_BINARY(xlog1py, kFloating, special::xlog1py)
constinit const Pointwise xlogy{"xlogy", TypeRule::kFloating, kNone, real2<Two<special::xlogy>>,
                                complex_numbers::xlogy};
constinit const Pointwise polygamma{"polygamma", TypeRule::kFloating, kNone, real1<Polygamma, 1>};

RL_BINARY(chebyshev_polynomial_t, kFloating, special::chebyshev_polynomial_t)
RL_BINARY(chebyshev_polynomial_u, kFloating, special::chebyshev_polynomial_u)
RL_BINARY(chebyshev_polynomial_v, kFloating, special::chebyshev_polynomial_v)
RL_BINARY(chebyshev_polynomial_w, kFloating, special::chebyshev_polynomial_w)
RL_BINARY(shifted_chebyshev_polynomial_t, kFloating, special::shifted_chebyshev_polynomial_t)
RL_BINARY(shifted_chebyshev_polynomial_u, kFloating, special::shifted_chebyshev_polynomial_u)
RL_BINARY(shifted_chebyshev_polynomial_v, kFloating, special::shifted_chebyshev_polynomial_v)
RL_BINARY(shifted_chebyshev_polynomial_w, kFloating, special::shifted_chebyshev_polynomial_w)
RL_BINARY(hermite_polynomial_h, kFloating, special::hermite_polynomial_h)
RL_BINARY(hermite_polynomial_he, kFloating, special::hermite_polynomial_he)
RL_BINARY(laguerre_polynomial_l, kFloating, special::laguerre_polynomial_l)
RL_BINARY(legendre_polynomial_p, kFloating, special::legendre_polynomial_p)

}  // namespace rushlight::pointwise
