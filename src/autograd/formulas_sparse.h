// What derivative formulas of sparse operators use besides operators.
#pragma once
#include "autograd/formulas_product.h"
#include "autograd/saved.h"

namespace rushlight {

Tensor sparse_constructor_values_backward(const Tensor& grad, const Tensor& indices);
Tensor sparse_compressed_values_backward(const Tensor& grad, const Tensor& result);
// A gradient of values under the pattern of `self`.
Tensor values_backward(const Tensor& grad, const Tensor& self);
// The gradient at the elements that `self` states, or all of it.
Tensor to_dense_backward(const Tensor& grad, const Tensor& self, std::optional<bool> masked_grad);
// A sparse gradient in the layout of `self`.
Tensor to_sparse_backward(const Tensor& grad, const Tensor& self);
Tensor sparse_mask_backward(const Tensor& grad, const Tensor& self, const Tensor& mask);
Tensor sparse_take_backward(const Tensor& grad, const Tensor& self, const Tensor& indices);
// The gradient of the left matrix of a product at the elements that it states; dense for a dense one.
Tensor sparse_addmm_sparse_backward(const Tensor& grad, const Tensor& mat1, const Tensor& mat2, const Scalar& alpha);
Tensor sparse_mask_of(const Tensor& grad, const Tensor& like);
// A sparse gradient as it is, the elements of a dense one at the indices of `like`: forward mode hands in dense ones.
Tensor at_indices(const Tensor& grad, const Tensor& like);
Tensor sparse_sum_backward(const Tensor& grad, const Tensor& self, IntArray dim);
Tensor sparse_softmax_backward(const Tensor& grad, const Tensor& result, std::int64_t dim);
Tensor sparse_log_softmax_backward(const Tensor& grad, const Tensor& result, std::int64_t dim);

}  // namespace rushlight
