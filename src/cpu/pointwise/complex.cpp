// Plain loops for complex numbers. Products and quotients follow PyTorch: no recovery of infinities in products,
// quotients scaled by the larger part.
#include <algorithm>
#include <cmath>
#include <limits>

#include "cpu/pointwise/scalar-inl.h"
#include "cpu/pointwise/scalar.h"

namespace rushlight::pointwise {
namespace {

template <class C>
using Part = typename C::value_type;

template <class C>
C times(C a, C b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
template <class C>
C divide(C a, C b) {
  using T = Part<C>;
  const T c = b.real(), d = b.imag();
  const T size = std::max(std::abs(c), std::abs(d));
  if (size == 0) return {a.real() / std::abs(c), a.imag() / std::abs(c)};
  const T p = c / size, q = d / size, norm = p * c + q * d;
  return {(a.real() * p + a.imag() * q) / norm, (a.imag() * p - a.real() * q) / norm};
}
template <class C>
bool is_nan(C a) {
  return std::isnan(a.real()) || std::isnan(a.imag());
}
template <class C>
bool is_set(C a) {
  return a.real() != 0 || a.imag() != 0;
}
template <class C>
C log_of(C a) {
  return std::log(a);
}
template <class C>
C log1p_of(C z) {  // accurate near 0
  using T = Part<C>;
  const T x = z.real(), y = z.imag();
  if (std::abs(x) < T(0.5) && std::abs(y) < T(0.5)) return {std::log1p(x * (2 + x) + y * y) / 2, std::atan2(y, 1 + x)};
  return std::log(C(1 + x, y));
}
template <class C>
C expm1_of(C z) {
  using T = Part<C>;
  const T x = z.real(), y = z.imag();
  if (y == 0) return {std::expm1(x), y};
  if (!std::isfinite(x) || !std::isfinite(y)) return std::exp(z) - C(1);
  const T a = std::sin(y / 2), less = std::expm1(x), er = less + 1;
  if (std::isinf(er)) return {er * std::cos(y), er * std::sin(y)};
  return {less - 2 * a * a * er, er * std::sin(y)};
}
template <class C>
C pow_of(C a, C b) {
  using T = Part<C>;
  if (b.imag() == 0 && b.real() == 2) return times(a, a);
  if (!is_set(b)) return T(1);
  if (!is_set(a)) return b.imag() == 0 && b.real() > 0 ? C(0) : std::pow(a, b);
  return std::pow(a, b);
}

#define RL_ONE(Name, expression) \
  struct Name {                  \
    template <class C>           \
    C operator()(C a) {          \
      return expression;         \
    }                            \
  };
#define RL_TWO(Name, expression) \
  struct Name {                  \
    template <class C>           \
    C operator()(C a, C b) {     \
      return expression;         \
    }                            \
  };
#define RL_THREE(Name, expression) \
  struct Name {                    \
    template <class C>             \
    C operator()(C a, C b, C c) {  \
      return expression;           \
    }                              \
  };
#define RL_FOUR(Name, expression)      \
  struct Name {                        \
    template <class C>                 \
    C operator()(C a, C b, C c, C s) { \
      return expression;               \
    }                                  \
  };
RL_TWO(Add, a + b)
RL_THREE(AddScaled, a + times(b, c))
RL_TWO(Sub, a - b)
RL_THREE(SubScaled, a - times(b, c))
RL_TWO(ReverseSub, b - a)
RL_THREE(ReverseSubScaled, b - times(a, c))
RL_TWO(Mul, times(a, b))
RL_TWO(Div, divide(a, b))
RL_ONE(Neg, -a)
RL_ONE(Reciprocal, divide(C(1), a))
RL_ONE(Square, times(a, a))
RL_ONE(Sqrt, std::sqrt(a))
RL_ONE(Rsqrt, divide(C(1), std::sqrt(a)))
RL_ONE(Conj, std::conj(a))
RL_ONE(Sgn, is_set(a) ? a / std::abs(a) : C(0))
RL_THREE(Addcmul, a + times(b, c))
RL_FOUR(AddcmulScaled, a + times(times(s, b), c))
RL_THREE(Addcdiv, a + divide(b, c))
RL_FOUR(AddcdivScaled, a + divide(times(s, b), c))
RL_THREE(Lerp, std::abs(c) < Part<C>(0.5) ? a + times(c, b - a) : b - times(b - a, C(1) - c))
RL_ONE(Exp, std::exp(a))
RL_ONE(Exp2, std::exp(a* Part<C>(M_LN2)))
RL_ONE(Expm1, expm1_of(a))
RL_ONE(Log, log_of(a))
RL_ONE(Log2, log_of(a) / Part<C>(M_LN2))
RL_ONE(Log10, std::log10(a))
RL_ONE(Log1p, log1p_of(a))
RL_TWO(Pow, pow_of(a, b))
RL_ONE(Sin, std::sin(a))
RL_ONE(Cos, std::cos(a))
RL_ONE(Tan, std::tan(a))
RL_ONE(Asin, std::asin(a))
RL_ONE(Acos, std::acos(a))
RL_ONE(Atan, std::atan(a))
RL_ONE(Sinh, std::sinh(a))
RL_ONE(Cosh, std::cosh(a))
RL_ONE(Tanh, std::tanh(a))
RL_ONE(Asinh, std::asinh(a))
RL_ONE(Acosh, std::acosh(a))
RL_ONE(Atanh, std::atanh(a))
RL_ONE(Sinc, !is_set(a) ? C(1) : divide(std::sin(a * Part<C>(M_PI)), a* Part<C>(M_PI)))
RL_ONE(Sigmoid, divide(C(1), C(1) + std::exp(-a)))
RL_ONE(Silu, divide(a, C(1) + std::exp(-a)))
// Gradients carry the conjugate of the derivative.
RL_TWO(SigmoidBackward, times(a, std::conj(times(C(1) - b, b))))
RL_TWO(TanhBackward, times(a, std::conj(C(1) - times(b, b))))
struct SiluBackward {
  template <class C>
  C operator()(C grad, C x) {
    const C s = divide(C(1), C(1) + std::exp(-x));
    return times(grad, std::conj(times(s, C(1) + times(x, C(1) - s))));
  }
};
RL_TWO(SquaredDifference, times(a - b, a - b))
struct Xlogy {
  template <class C>
  C operator()(C a, C b) {
    return is_nan(b) ? b : !is_set(a) ? C(0) : times(a, log_of(b));
  }
};
struct LogAddExp {
  template <class C>
  C operator()(C a, C b) {
    if (is_nan(a) || is_nan(b))
      return {std::numeric_limits<Part<C>>::quiet_NaN(), std::numeric_limits<Part<C>>::quiet_NaN()};
    const bool first = a.real() < b.real();
    const C low = first ? a : b, high = first ? b : a;
    if (std::isinf(high.real()) && high.real() == low.real() && high.real() < 0) return high;
    if (std::isinf(high.real()) && high.real() == low.real()) return log_of(std::exp(low) + std::exp(high));
    return high + log1p_of(std::exp(low - high));
  }
};

// Real or bool results.
struct Abs {
  template <class C>
  Part<C> operator()(C a) {
    return std::abs(a);
  }
};
struct Arg {
  template <class C>
  Part<C> operator()(C a) {
    return is_nan(a) ? std::numeric_limits<Part<C>>::quiet_NaN() : std::arg(a);
  }
};
struct Eq {
  template <class C>
  bool operator()(C a, C b) {
    return a == b;
  }
};
struct Ne {
  template <class C>
  bool operator()(C a, C b) {
    return !(a == b);
  }
};
struct IsNan {
  template <class C>
  bool operator()(C a) {
    return is_nan(a);
  }
};
struct IsInf {
  template <class C>
  bool operator()(C a) {
    return std::isinf(a.real()) || std::isinf(a.imag());
  }
};
struct IsFinite {
  template <class C>
  bool operator()(C a) {
    return std::isfinite(a.real()) && std::isfinite(a.imag());
  }
};
struct LogicalAnd {
  template <class C>
  bool operator()(C a, C b) {
    return is_set(a) && is_set(b);
  }
};
struct LogicalOr {
  template <class C>
  bool operator()(C a, C b) {
    return is_set(a) || is_set(b);
  }
};
struct LogicalXor {
  template <class C>
  bool operator()(C a, C b) {
    return is_set(a) != is_set(b);
  }
};
struct LogicalNot {
  template <class C>
  bool operator()(C a) {
    return !is_set(a);
  }
};

template <class F>
TileFn to_real1(Dtype type) {
  return type == Dtype::kComplex64    ? scalar_loop<F, float, ComplexFloat, 0, ComplexFloat>
         : type == Dtype::kComplex128 ? scalar_loop<F, double, ComplexDouble, 0, ComplexDouble>
                                      : nullptr;
}
template <class F>
TileFn test1(Dtype type) {
  return type == Dtype::kComplex64    ? scalar_loop<F, bool, ComplexFloat, 0, ComplexFloat>
         : type == Dtype::kComplex128 ? scalar_loop<F, bool, ComplexDouble, 0, ComplexDouble>
                                      : nullptr;
}
template <class F>
TileFn test2(Dtype type) {
  return type == Dtype::kComplex64    ? scalar_loop<F, bool, ComplexFloat, 0, ComplexFloat, ComplexFloat>
         : type == Dtype::kComplex128 ? scalar_loop<F, bool, ComplexDouble, 0, ComplexDouble, ComplexDouble>
                                      : nullptr;
}
struct Choose {
  ComplexDouble operator()(bool m, ComplexDouble a, ComplexDouble b) { return m ? a : b; }
};

}  // namespace

namespace complex_numbers {
#define RL_FINDER(name, what) \
  TileFn name(Dtype type) { return what(type); }
RL_FINDER(add, complex2<Add>)
RL_FINDER(add_scaled, (complex2<AddScaled, 1>))
RL_FINDER(sub, complex2<Sub>)
RL_FINDER(sub_scaled, (complex2<SubScaled, 1>))
RL_FINDER(rsub, complex2<ReverseSub>)
RL_FINDER(rsub_scaled, (complex2<ReverseSubScaled, 1>))
RL_FINDER(mul, complex2<Mul>)
RL_FINDER(div, complex2<Div>)
RL_FINDER(neg, complex1<Neg>)
RL_FINDER(abs, to_real1<Abs>)
RL_FINDER(angle, to_real1<Arg>)
RL_FINDER(sgn, complex1<Sgn>)
RL_FINDER(reciprocal, complex1<Reciprocal>)
RL_FINDER(square, complex1<Square>)
RL_FINDER(sqrt, complex1<Sqrt>)
RL_FINDER(rsqrt, complex1<Rsqrt>)
RL_FINDER(conj, complex1<Conj>)
RL_FINDER(addcmul, complex3<Addcmul>)
RL_FINDER(addcmul_scaled, (complex3<AddcmulScaled, 1>))
RL_FINDER(addcdiv, complex3<Addcdiv>)
RL_FINDER(addcdiv_scaled, (complex3<AddcdivScaled, 1>))
RL_FINDER(lerp, (complex2<Lerp, 1>))
RL_FINDER(lerp_weight, complex3<Lerp>)
RL_FINDER(eq, test2<Eq>)
RL_FINDER(ne, test2<Ne>)
RL_FINDER(isnan, test1<IsNan>)
RL_FINDER(isinf, test1<IsInf>)
RL_FINDER(isfinite, test1<IsFinite>)
RL_FINDER(logical_and, test2<LogicalAnd>)
RL_FINDER(logical_or, test2<LogicalOr>)
RL_FINDER(logical_xor, test2<LogicalXor>)
RL_FINDER(logical_not, test1<LogicalNot>)
RL_FINDER(exp, complex1<Exp>)
RL_FINDER(exp2, complex1<Exp2>)
RL_FINDER(expm1, complex1<Expm1>)
RL_FINDER(log, complex1<Log>)
RL_FINDER(log2, complex1<Log2>)
RL_FINDER(log10, complex1<Log10>)
RL_FINDER(log1p, complex1<Log1p>)
RL_FINDER(logaddexp, complex2<LogAddExp>)
RL_FINDER(pow, complex2<Pow>)
RL_FINDER(sin, complex1<Sin>)
RL_FINDER(cos, complex1<Cos>)
RL_FINDER(tan, complex1<Tan>)
RL_FINDER(asin, complex1<Asin>)
RL_FINDER(acos, complex1<Acos>)
RL_FINDER(atan, complex1<Atan>)
RL_FINDER(sinh, complex1<Sinh>)
RL_FINDER(cosh, complex1<Cosh>)
RL_FINDER(tanh, complex1<Tanh>)
RL_FINDER(asinh, complex1<Asinh>)
RL_FINDER(acosh, complex1<Acosh>)
RL_FINDER(atanh, complex1<Atanh>)
RL_FINDER(sinc, complex1<Sinc>)
RL_FINDER(sigmoid, complex1<Sigmoid>)
RL_FINDER(silu, complex1<Silu>)
RL_FINDER(sigmoid_backward, complex2<SigmoidBackward>)
RL_FINDER(tanh_backward, complex2<TanhBackward>)
RL_FINDER(silu_backward, complex2<SiluBackward>)
RL_FINDER(mse, complex2<SquaredDifference>)
RL_FINDER(xlogy, complex2<Xlogy>)
TileFn where(Dtype type) {
  return type == Dtype::kComplex128
             ? scalar_loop<Choose, ComplexDouble, ComplexDouble, 0, bool, ComplexDouble, ComplexDouble>
             : nullptr;
}
}  // namespace complex_numbers

constexpr Pointwise::ByLevel kNone{{nullptr, nullptr, nullptr}};
struct Same {
  template <class T>
  T operator()(T a) {
    return a;
  }
};
static TileFn same(Dtype type) { return is_integral(type) ? integer::same(type) : real1<Same>(type); }
constinit const Pointwise conj_physical{"conj_physical", TypeRule::kPromote, kNone, same, complex_numbers::conj};

}  // namespace rushlight::pointwise
