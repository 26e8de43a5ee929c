// What derivative formulas of shape operators use besides operators.
#pragma once
#include "autograd/saved.h"

namespace rushlight {

std::vector<std::int64_t> inverse_permutation(IntArray dims);
std::vector<std::int64_t> negated(IntArray values);
// The sizes of the parts that split(split_size) makes.
std::vector<std::int64_t> part_sizes(IntArray sizes, std::int64_t split_size, std::int64_t dim);
// Gradients of a split tensor; parts that were not used are undefined and count as zero.
Tensor split_backward(const std::vector<Tensor>& grads, IntArray sizes, IntArray parts, std::int64_t dim);
Tensor unbind_backward(const std::vector<Tensor>& grads, IntArray sizes, std::int64_t dim);
std::vector<Tensor> cat_backward(const Tensor& grad, const ShapeList& shapes, std::int64_t dim);
std::vector<Tensor> block_diag_backward(const Tensor& grad, const ShapeList& shapes);
Tensor repeat_backward(const Tensor& grad, IntArray sizes, IntArray repeats);

}  // namespace rushlight
