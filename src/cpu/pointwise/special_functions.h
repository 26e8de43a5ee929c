// Special functions of float64. NaN in, NaN out; poles and infinities as stated at each.
#pragma once

namespace rushlight::pointwise::special {

double erfc(double x);
double erfinv(double x);                 // +-1: +-infinity, beyond: NaN
double erfcx(double x);                  // exp(x^2) erfc(x)
double lgamma(double x);                 // poles: infinity
double digamma(double x);                // 0: infinity with the other sign, negative integers: NaN
double polygamma(int order, double x);   // order >= 2
double trigamma(double x, double sine);  // `sine` is sin(pi x) as the caller's type rounds it
double igamma(double a, double x);
double igammac(double a, double x);
double zeta(double x, double q);
double i0(double x);
double i0e(double x);
double i1(double x);
double i1e(double x);
double k0(double x);  // 0: infinity, negative: NaN
double k0e(double x);
double k1(double x);
double k1e(double x);
double ndtri(double p);
double log_ndtr(double x);
double entr(double x);
double xlogy(double x, double y);
double xlog1py(double x, double y);
double bessel_j0(double x);
double bessel_j1(double x);
double bessel_y0(double x);
double bessel_y1(double x);
double spherical_bessel_j0(double x);
double airy_ai(double x);

// Polynomials of degree n, which is truncated to an integer; a negative degree gives 0.
double chebyshev_polynomial_t(double x, double n);
double chebyshev_polynomial_u(double x, double n);
double chebyshev_polynomial_v(double x, double n);
double chebyshev_polynomial_w(double x, double n);
double shifted_chebyshev_polynomial_t(double x, double n);
double shifted_chebyshev_polynomial_u(double x, double n);
double shifted_chebyshev_polynomial_v(double x, double n);
double shifted_chebyshev_polynomial_w(double x, double n);
double hermite_polynomial_h(double x, double n);
double hermite_polynomial_he(double x, double n);
double laguerre_polynomial_l(double x, double n);
double legendre_polynomial_p(double x, double n);

}  // namespace rushlight::pointwise::special
