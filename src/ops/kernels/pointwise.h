// Pointwise operators as data: one descriptor each. To add one: a functor and a row in a file of
// src/cpu/pointwise, its declaration here, and a block in the catalogue.
#pragma once
#include <atomic>

#include "rushlight/tensor_base.h"

namespace rushlight {

inline constexpr int kMaxInputs = 4;
inline constexpr int kMaxParams = 4;
// Results bypass the caches where they and their operands have this size: more than the last level keeps for one core.
inline constexpr std::int64_t kStreamBytes = std::int64_t{24} << 20;

// One kernel call: `rows` rows of n elements; input k is in[k][0..n) or, where moves[k] is 0, one block of equal
// values. `out` may be one of the inputs exactly, never overlap one partly.
struct TileArgs {
  const void* in[kMaxInputs];
  std::uint8_t moves[kMaxInputs];
  bool stream = false;  // store past the caches where the kernel can and `out` is aligned
  void* out;
  std::int64_t n;
  std::int64_t rows = 1;
  std::int64_t in_row[kMaxInputs] = {};  // bytes from a row to the next
  std::int64_t out_row = 0;
  const void* params;     // numbers of the compute type
  bool* fault = nullptr;  // set where an integer is divided by zero
};
using TileFn = void (*)(const TileArgs&);
// A kernel of rows from one of a single row.
template <void (*kRow)(const TileArgs&)>
void by_rows(const TileArgs& t) {
  if (t.rows == 1) return kRow(t);
  TileArgs row = t;
  for (std::int64_t r = 0; r < t.rows; ++r) {
    kRow(row);
    for (int k = 0; k < kMaxInputs; ++k)
      if (t.in_row[k]) row.in[k] = static_cast<const char*>(row.in[k]) + t.in_row[k];
    row.out = static_cast<char*>(row.out) + t.out_row;
  }
}

// What kernels compute in, given the common dtype of the inputs, and what comes out.
enum class TypeRule : std::uint8_t {
  kPromote,       // the common dtype
  kFloating,      // the common dtype; integers and bool become the default float
  kTest,          // the common dtype in, bool out
  kReal,          // the common dtype in; out the real dtype of a complex one
  kFloatingReal,  // kFloating, then kReal: angle
  kComplex,       // two reals in, their complex dtype out
  kWhere,         // the first input is a bool, the others have the common dtype
};

struct Pointwise {
  // The kernel for a compute type, by instruction set; null where there is none.
  using Find = TileFn (*)(Dtype);

  struct ByLevel {
    Find functions[3];
  };

  const char* name;
  TypeRule rule;
  ByLevel vector;                                           // vector kernels; what they lack, plain loops have:
  Find plain = nullptr;                                     // real types
  Find complex = nullptr;                                   // complex types
  const Pointwise* scaled = nullptr;                        // the form with a factor: add's `alpha`, addcmul's `value`
  mutable std::atomic<TileFn> cache[kComputedDtypes] = {};  // filled on first use

  // float16 and bfloat16 compute in float32. Few operators have kernels that read and write them: those take inputs
  // that do not move, and the numbers of the call, as float32. For the others their tiles are converted.
  TileFn kernel(Dtype type) const {  // of a dtype that is computed with
    const TileFn known = cache[static_cast<int>(type)].load(std::memory_order_relaxed);
    return known ? known : resolve(type);
  }
  TileFn resolve(Dtype type) const;
};

// An operand is a tensor or a number; a number never becomes a tensor.
struct Operand {
  const TensorBase* tensor = nullptr;
  const Scalar* number = nullptr;
  Operand() = default;
  Operand(const TensorBase& value) : tensor(&value) {}
  Operand(const Scalar& value) : number(&value) {}
};

// Runs the operator on `out`: any shapes that broadcast to out's, any strides and dtypes. Inputs are converted to
// `compute`, the result from `result` to out's dtype; `params` point to numbers of the compute type.
void run_pointwise(const Pointwise& op, Dtype compute, Dtype result, const TensorBase& out, const Operand* inputs,
                   int count, const void* params);

namespace pointwise {
extern const Pointwise
    // arithmetic
    add,
    add_scaled, sub, sub_scaled, rsub, rsub_scaled, mul, div, div_floor, div_trunc, remainder, fmod, neg, abs, sign,
    sgn, reciprocal, square, cube, sqrt, rsqrt, maximum, minimum, fmax, fmin, clamp, clamp_tensor, clamp_min, clamp_max,
    addcmul, addcmul_scaled, addcdiv, addcdiv_scaled, lerp, lerp_weight, copysign, nextafter, hypot, heaviside, gcd,
    lcm, ceil, floor, round, round_decimals, trunc, frac, signbit, nan_to_num, where, conj_physical, complex, polar,
    angle,
    // comparisons, logic, bits
    eq, ne, lt, le, gt, ge, isnan, isinf, isfinite, isposinf, isneginf, isclose, logical_and, logical_or, logical_xor,
    logical_not, bitwise_and, bitwise_or, bitwise_xor, bitwise_not, bitwise_left_shift, bitwise_right_shift,
    // exponentials, logarithms, powers
    exp, exp2, expm1, log, log2, log10, log1p, logaddexp, logaddexp2, pow, xlogy, xlog1py, entr,
    // trigonometric and hyperbolic
    sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh, asinh, acosh, atanh, sinc,
    // activations and their derivatives
    relu, threshold, threshold_backward, hardtanh_backward, hardswish, hardswish_backward, hardsigmoid,
    hardsigmoid_backward, elu, elu_backward, elu_backward_result, leaky_relu, leaky_relu_backward, gelu, gelu_tanh,
    gelu_backward, gelu_tanh_backward, sigmoid, sigmoid_backward, tanh_backward, silu, silu_backward, softsign, mish,
    mish_backward, softplus, softplus_backward, softshrink, hardshrink, shrink_backward, log_sigmoid,
    log_sigmoid_backward, logit, logit_eps, logit_backward, prelu, prelu_backward,
    // losses
    mse, smooth_l1, huber, binary_cross_entropy,
    // special functions
    erf, erfc, erfinv, erfcx, lgamma, digamma, polygamma, igamma, igammac, zeta, i0, i0e, i1, i1e, ndtri, log_ndtr,
    bessel_j0, bessel_j1, bessel_y0, bessel_y1, modified_bessel_i0, modified_bessel_i1, modified_bessel_k0,
    modified_bessel_k1, scaled_modified_bessel_k0, scaled_modified_bessel_k1, spherical_bessel_j0, airy_ai,
    chebyshev_polynomial_t, chebyshev_polynomial_u, chebyshev_polynomial_v, chebyshev_polynomial_w,
    shifted_chebyshev_polynomial_t, shifted_chebyshev_polynomial_u, shifted_chebyshev_polynomial_v,
    shifted_chebyshev_polynomial_w, hermite_polynomial_h, hermite_polynomial_he, laguerre_polynomial_l,
    legendre_polynomial_p;
}  // namespace pointwise
}  // namespace rushlight
