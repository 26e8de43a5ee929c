// Finders of plain-loop kernels, named after their operators: `integer` (integers and bool) and `complex` numbers.
#pragma once
#include "ops/kernels/pointwise.h"

namespace rushlight::pointwise {

namespace integer {
TileFn add_scaled(Dtype), sub_scaled(Dtype), rsub_scaled(Dtype), mul(Dtype), div_floor(Dtype), div_trunc(Dtype),
    remainder(Dtype), fmod(Dtype), sign(Dtype), pow(Dtype), gcd(Dtype), lcm(Dtype), left_shift(Dtype),
    right_shift(Dtype), addcmul(Dtype), addcmul_scaled(Dtype), same(Dtype), yes(Dtype), no(Dtype), square(Dtype),
    abs(Dtype), neg(Dtype);
}  // namespace integer

namespace complex_numbers {
TileFn add(Dtype), add_scaled(Dtype), sub(Dtype), sub_scaled(Dtype), rsub(Dtype), rsub_scaled(Dtype), mul(Dtype),
    div(Dtype), neg(Dtype), abs(Dtype), sgn(Dtype), reciprocal(Dtype), square(Dtype), sqrt(Dtype), rsqrt(Dtype),
    addcmul(Dtype), addcmul_scaled(Dtype), addcdiv(Dtype), addcdiv_scaled(Dtype), lerp(Dtype), lerp_weight(Dtype),
    conj(Dtype), angle(Dtype), eq(Dtype), ne(Dtype), isnan(Dtype), isinf(Dtype), isfinite(Dtype), logical_and(Dtype),
    logical_or(Dtype), logical_xor(Dtype), logical_not(Dtype), where(Dtype), exp(Dtype), exp2(Dtype), expm1(Dtype),
    log(Dtype), log2(Dtype), log10(Dtype), log1p(Dtype), logaddexp(Dtype), pow(Dtype), sin(Dtype), cos(Dtype),
    tan(Dtype), asin(Dtype), acos(Dtype), atan(Dtype), sinh(Dtype), cosh(Dtype), tanh(Dtype), asinh(Dtype),
    acosh(Dtype), atanh(Dtype), sinc(Dtype), sigmoid(Dtype), sigmoid_backward(Dtype), tanh_backward(Dtype), silu(Dtype),
    silu_backward(Dtype), xlogy(Dtype), mse(Dtype);
}

}  // namespace rushlight::pointwise
