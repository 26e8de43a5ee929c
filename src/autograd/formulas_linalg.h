// Derivatives of factorisations, in differentiable operators.
//
// Source of the forms: Giles, Collected Matrix Derivative Results for Forward and Reverse Mode AD, 2008; complex cases
// by requiring that the loss does not depend on the free phases of vectors.
#pragma once
#include "rushlight/ops.h"

namespace rushlight {

Tensor cholesky_backward(const Tensor& grad, const Tensor& L, bool upper);
Tensor lu_factor_backward(const Tensor& grad, const Tensor& LU, const Tensor& pivots);
std::tuple<Tensor, Tensor> lu_solve_backward(const Tensor& grad, const Tensor& X, const Tensor& LU,
                                             const Tensor& pivots, bool left, bool adjoint, IntArray lu_sizes,
                                             IntArray b_sizes);
Tensor det_backward(const Tensor& grad, const Tensor& A, const Tensor& result);
Tensor slogdet_backward(const Tensor& grad_sign, const Tensor& grad_logabsdet, const Tensor& A, const Tensor& sign);
std::tuple<Tensor, Tensor> solve_backward(const Tensor& grad, const Tensor& A, const Tensor& X, bool left);
std::tuple<Tensor, Tensor> solve_triangular_backward(const Tensor& grad, const Tensor& A, const Tensor& X, bool upper,
                                                     bool left, bool unit, IntArray a_sizes, IntArray b_sizes);
std::tuple<Tensor, Tensor> cholesky_solve_backward(const Tensor& grad, const Tensor& X, const Tensor& factor,
                                                   bool upper, IntArray b_sizes, IntArray a_sizes);
Tensor cholesky_inverse_backward(const Tensor& grad, const Tensor& factor, bool upper, const Tensor& inverse);
Tensor qr_backward(const Tensor& grad_Q, const Tensor& grad_R, const Tensor& Q, const Tensor& R, std::string_view mode);
Tensor svd_backward(const Tensor& grad_U, const Tensor& grad_S, const Tensor& grad_Vh, const Tensor& U, const Tensor& S,
                    const Tensor& Vh);
Tensor eigh_backward(const Tensor& grad_values, const Tensor& grad_vectors, const Tensor& values,
                     const Tensor& vectors);
Tensor eig_backward(const Tensor& grad_values, const Tensor& grad_vectors, const Tensor& values, const Tensor& vectors,
                    bool real_input);
Tensor pinv_backward(const Tensor& grad, const Tensor& pinv, const Tensor& A);

}  // namespace rushlight
