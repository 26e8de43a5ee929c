// Infix operators of tensors and numbers: x + y, 2 * x, -x, x < 0, mask & other. Included by ops.h.
#pragma once

namespace rushlight {

#define RL_BINARY(symbol, function)                                                          \
  inline Tensor operator symbol(const Tensor& a, const Tensor& b) { return function(a, b); } \
  inline Tensor operator symbol(const Tensor& a, const Scalar& b) { return function(a, b); }
RL_BINARY(+, add)
RL_BINARY(-, sub)
RL_BINARY(*, mul)
RL_BINARY(/, div)
RL_BINARY(%, remainder)
RL_BINARY(==, eq)
RL_BINARY(!=, ne)
RL_BINARY(<, lt)
RL_BINARY(<=, le)
RL_BINARY(>, gt)
RL_BINARY(>=, ge)
RL_BINARY(&, bitwise_and)
RL_BINARY(|, bitwise_or)
RL_BINARY(^, bitwise_xor)
RL_BINARY(<<, bitwise_left_shift)
RL_BINARY(>>, bitwise_right_shift)
#undef RL_BINARY

inline Tensor operator+(const Scalar& a, const Tensor& b) { return add(b, a); }
inline Tensor operator-(const Scalar& a, const Tensor& b) { return add(neg(b), a); }
inline Tensor operator*(const Scalar& a, const Tensor& b) { return mul(b, a); }
inline Tensor operator/(const Scalar& a, const Tensor& b) { return mul(reciprocal(b), a); }
inline Tensor operator-(const Tensor& a) { return neg(a); }
inline Tensor operator~(const Tensor& a) { return bitwise_not(a); }
inline Tensor operator!(const Tensor& a) { return logical_not(a); }
inline const Tensor& operator+=(const Tensor& a, const Tensor& b) { return a.add_(b); }
inline const Tensor& operator+=(const Tensor& a, const Scalar& b) { return a.add_(b); }
inline const Tensor& operator-=(const Tensor& a, const Tensor& b) { return a.sub_(b); }
inline const Tensor& operator-=(const Tensor& a, const Scalar& b) { return a.sub_(b); }
inline const Tensor& operator*=(const Tensor& a, const Tensor& b) { return a.mul_(b); }
inline const Tensor& operator*=(const Tensor& a, const Scalar& b) { return a.mul_(b); }
inline const Tensor& operator/=(const Tensor& a, const Tensor& b) { return a.div_(b); }
inline const Tensor& operator/=(const Tensor& a, const Scalar& b) { return a.div_(b); }

}  // namespace rushlight
