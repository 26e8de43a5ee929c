// What entry functions of `kind: pointwise` blocks call.
//
// A block without `custom` becomes `pointwise::unary|binary|ternary(pointwise::<name>, <parameters>[, out])`: the form
// follows the number of leading Tensor and Scalar operands, and a last Scalar (alpha, value) scales. `out` null: the
// result is allocated; the in-place form passes `&self`. A block with `custom: true` has parameters of its own and
// becomes `ops::<name>(<parameters>, out)` with `const Tensor* out` last, written by hand in src/ops.
#pragma once
#include <initializer_list>

#include "ops/kernels/pointwise.h"
#include "rushlight/tensor.h"

namespace rushlight {

// The dtype that operands have in common, by PyTorch's rules: tensors with dimensions come first, then 0-dim tensors,
// then numbers; a lower rank counts only where its category is higher.
Dtype result_dtype(std::initializer_list<Operand> operands);
Dtype result_dtype(const Operand* operands, int count);

// The shape that operands broadcast to; throws with the two sizes that do not match.
std::vector<std::int64_t> broadcast_shape(IntArray a, IntArray b, const char* op);

namespace pointwise {

using Numbers = std::initializer_list<Scalar>;

Tensor unary(const Pointwise& op, const Tensor& a, const Tensor* out = nullptr);
Tensor binary(const Pointwise& op, const Tensor& a, const Tensor& b, const Tensor* out = nullptr);
Tensor binary(const Pointwise& op, const Tensor& a, const Scalar& b, const Tensor* out = nullptr);
Tensor binary(const Pointwise& op, const Scalar& a, const Tensor& b, const Tensor* out = nullptr);
Tensor binary(const Pointwise& op, const Tensor& a, const Tensor& b, const Scalar& alpha, const Tensor* out = nullptr);
Tensor binary(const Pointwise& op, const Tensor& a, const Scalar& b, const Scalar& alpha, const Tensor* out = nullptr);
Tensor ternary(const Pointwise& op, const Operand& a, const Operand& b, const Operand& c, const Tensor* out = nullptr);
Tensor ternary(const Pointwise& op, const Operand& a, const Operand& b, const Operand& c, const Scalar& value,
               const Tensor* out = nullptr);

// The general form: up to four operands, and numbers that are no operands and take no part in promotion.
Tensor apply(const Pointwise& op, std::initializer_list<Operand> operands, Numbers params = {},
             const Tensor* out = nullptr);

}  // namespace pointwise
}  // namespace rushlight
