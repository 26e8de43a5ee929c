// Generated from catalogue/ by codegen/generate.py; do not edit.
#pragma once
#include "rushlight/ops.h"

namespace rushlight::linalg {
inline Tensor diagonal(const Tensor& A, std::int64_t offset = 0, std::int64_t dim1 = -2, std::int64_t dim2 = -1) { return rushlight::linalg_diagonal(A, offset, dim1, dim2); }
inline Tensor solve_triangular(const Tensor& self, const Tensor& B, bool upper, bool left = true, bool unitriangular = false) { return rushlight::linalg_solve_triangular(self, B, upper, left, unitriangular); }
inline const Tensor& solve_triangular_out(const Tensor& out, const Tensor& self, const Tensor& B, bool upper, bool left = true, bool unitriangular = false) { return rushlight::linalg_solve_triangular_out(out, self, B, upper, left, unitriangular); }
inline Tensor vander(const Tensor& x, std::optional<std::int64_t> N = {}) { return rushlight::linalg_vander(x, N); }
inline std::tuple<Tensor, Tensor> cholesky_ex(const Tensor& self, bool upper = false, bool check_errors = false) { return rushlight::linalg_cholesky_ex(self, upper, check_errors); }
inline std::tuple<Tensor, Tensor> cholesky_ex_out(const Tensor& out0, const Tensor& out1, const Tensor& self, bool upper = false, bool check_errors = false) { return rushlight::linalg_cholesky_ex_out(out0, out1, self, upper, check_errors); }
inline Tensor cholesky(const Tensor& self, bool upper = false) { return rushlight::linalg_cholesky(self, upper); }
inline const Tensor& cholesky_out(const Tensor& out, const Tensor& self, bool upper = false) { return rushlight::linalg_cholesky_out(out, self, upper); }
inline std::tuple<Tensor, Tensor> lu_factor(const Tensor& A, bool pivot = true) { return rushlight::linalg_lu_factor(A, pivot); }
inline std::tuple<Tensor, Tensor> lu_factor_out(const Tensor& out0, const Tensor& out1, const Tensor& A, bool pivot = true) { return rushlight::linalg_lu_factor_out(out0, out1, A, pivot); }
inline std::tuple<Tensor, Tensor, Tensor> lu_factor_ex(const Tensor& A, bool pivot = true, bool check_errors = false) { return rushlight::linalg_lu_factor_ex(A, pivot, check_errors); }
inline std::tuple<Tensor, Tensor, Tensor> lu_factor_ex_out(const Tensor& out0, const Tensor& out1, const Tensor& out2, const Tensor& A, bool pivot = true, bool check_errors = false) { return rushlight::linalg_lu_factor_ex_out(out0, out1, out2, A, pivot, check_errors); }
inline std::tuple<Tensor, Tensor, Tensor> lu(const Tensor& A, bool pivot = true) { return rushlight::linalg_lu(A, pivot); }
inline std::tuple<Tensor, Tensor, Tensor> lu_out(const Tensor& out0, const Tensor& out1, const Tensor& out2, const Tensor& A, bool pivot = true) { return rushlight::linalg_lu_out(out0, out1, out2, A, pivot); }
inline Tensor lu_solve(const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left = true, bool adjoint = false) { return rushlight::linalg_lu_solve(LU, pivots, B, left, adjoint); }
inline const Tensor& lu_solve_out(const Tensor& out, const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left = true, bool adjoint = false) { return rushlight::linalg_lu_solve_out(out, LU, pivots, B, left, adjoint); }
inline Tensor det(const Tensor& A) { return rushlight::linalg_det(A); }
inline const Tensor& det_out(const Tensor& out, const Tensor& A) { return rushlight::linalg_det_out(out, A); }
inline std::tuple<Tensor, Tensor, Tensor> ldl_factor_ex(const Tensor& self, bool hermitian = false, bool check_errors = false) { return rushlight::linalg_ldl_factor_ex(self, hermitian, check_errors); }
inline std::tuple<Tensor, Tensor, Tensor> ldl_factor_ex_out(const Tensor& out0, const Tensor& out1, const Tensor& out2, const Tensor& self, bool hermitian = false, bool check_errors = false) { return rushlight::linalg_ldl_factor_ex_out(out0, out1, out2, self, hermitian, check_errors); }
inline std::tuple<Tensor, Tensor> ldl_factor(const Tensor& self, bool hermitian = false) { return rushlight::linalg_ldl_factor(self, hermitian); }
inline std::tuple<Tensor, Tensor> ldl_factor_out(const Tensor& out0, const Tensor& out1, const Tensor& self, bool hermitian = false) { return rushlight::linalg_ldl_factor_out(out0, out1, self, hermitian); }
inline Tensor ldl_solve(const Tensor& LD, const Tensor& pivots, const Tensor& B, bool hermitian = false) { return rushlight::linalg_ldl_solve(LD, pivots, B, hermitian); }
inline const Tensor& ldl_solve_out(const Tensor& out, const Tensor& LD, const Tensor& pivots, const Tensor& B, bool hermitian = false) { return rushlight::linalg_ldl_solve_out(out, LD, pivots, B, hermitian); }
inline std::tuple<Tensor, Tensor, Tensor, Tensor> lstsq(const Tensor& self, const Tensor& b, std::optional<double> rcond = {}, std::optional<std::string_view> driver = {}) { return rushlight::linalg_lstsq(self, b, rcond, driver); }
inline std::tuple<Tensor, Tensor, Tensor, Tensor> lstsq_out(const Tensor& out0, const Tensor& out1, const Tensor& out2, const Tensor& out3, const Tensor& self, const Tensor& b, std::optional<double> rcond = {}, std::optional<std::string_view> driver = {}) { return rushlight::linalg_lstsq_out(out0, out1, out2, out3, self, b, rcond, driver); }
inline Tensor matrix_exp(const Tensor& self) { return rushlight::linalg_matrix_exp(self); }
inline std::tuple<Tensor, Tensor> slogdet(const Tensor& A) { return rushlight::linalg_slogdet(A); }
inline std::tuple<Tensor, Tensor> slogdet_out(const Tensor& out0, const Tensor& out1, const Tensor& A) { return rushlight::linalg_slogdet_out(out0, out1, A); }
inline std::tuple<Tensor, Tensor> eig(const Tensor& self) { return rushlight::linalg_eig(self); }
inline std::tuple<Tensor, Tensor> eig_out(const Tensor& out0, const Tensor& out1, const Tensor& self) { return rushlight::linalg_eig_out(out0, out1, self); }
inline Tensor eigvals(const Tensor& self) { return rushlight::linalg_eigvals(self); }
inline const Tensor& eigvals_out(const Tensor& out, const Tensor& self) { return rushlight::linalg_eigvals_out(out, self); }
inline std::tuple<Tensor, Tensor> eigh(const Tensor& self, std::string_view UPLO = "L") { return rushlight::linalg_eigh(self, UPLO); }
inline std::tuple<Tensor, Tensor> eigh_out(const Tensor& out0, const Tensor& out1, const Tensor& self, std::string_view UPLO = "L") { return rushlight::linalg_eigh_out(out0, out1, self, UPLO); }
inline Tensor eigvalsh(const Tensor& self, std::string_view UPLO = "L") { return rushlight::linalg_eigvalsh(self, UPLO); }
inline const Tensor& eigvalsh_out(const Tensor& out, const Tensor& self, std::string_view UPLO = "L") { return rushlight::linalg_eigvalsh_out(out, self, UPLO); }
inline Tensor householder_product(const Tensor& input, const Tensor& tau) { return rushlight::linalg_householder_product(input, tau); }
inline const Tensor& householder_product_out(const Tensor& out, const Tensor& input, const Tensor& tau) { return rushlight::linalg_householder_product_out(out, input, tau); }
inline std::tuple<Tensor, Tensor> inv_ex(const Tensor& A, bool check_errors = false) { return rushlight::linalg_inv_ex(A, check_errors); }
inline std::tuple<Tensor, Tensor> inv_ex_out(const Tensor& out0, const Tensor& out1, const Tensor& A, bool check_errors = false) { return rushlight::linalg_inv_ex_out(out0, out1, A, check_errors); }
inline Tensor inv(const Tensor& A) { return rushlight::linalg_inv(A); }
inline const Tensor& inv_out(const Tensor& out, const Tensor& A) { return rushlight::linalg_inv_out(out, A); }
inline Tensor norm(const Tensor& self, const std::optional<Scalar>& ord = {}, OptionalIntArray dim = {}, bool keepdim = false, std::optional<Dtype> dtype = {}) { return rushlight::linalg_norm(self, ord, dim, keepdim, dtype); }
inline const Tensor& norm_out(const Tensor& out, const Tensor& self, const std::optional<Scalar>& ord = {}, OptionalIntArray dim = {}, bool keepdim = false, std::optional<Dtype> dtype = {}) { return rushlight::linalg_norm_out(out, self, ord, dim, keepdim, dtype); }
inline Tensor norm(const Tensor& self, std::string_view ord, OptionalIntArray dim = {}, bool keepdim = false, std::optional<Dtype> dtype = {}) { return rushlight::linalg_norm(self, ord, dim, keepdim, dtype); }
inline const Tensor& norm_out(const Tensor& out, const Tensor& self, std::string_view ord, OptionalIntArray dim = {}, bool keepdim = false, std::optional<Dtype> dtype = {}) { return rushlight::linalg_norm_out(out, self, ord, dim, keepdim, dtype); }
inline Tensor matrix_norm(const Tensor& self, const Scalar& ord, IntArray dim = IntArray{-2,-1}, bool keepdim = false, std::optional<Dtype> dtype = {}) { return rushlight::linalg_matrix_norm(self, ord, dim, keepdim, dtype); }
inline const Tensor& matrix_norm_out(const Tensor& out, const Tensor& self, const Scalar& ord, IntArray dim = IntArray{-2,-1}, bool keepdim = false, std::optional<Dtype> dtype = {}) { return rushlight::linalg_matrix_norm_out(out, self, ord, dim, keepdim, dtype); }
inline Tensor matrix_norm(const Tensor& self, std::string_view ord = "fro", IntArray dim = IntArray{-2,-1}, bool keepdim = false, std::optional<Dtype> dtype = {}) { return rushlight::linalg_matrix_norm(self, ord, dim, keepdim, dtype); }
inline const Tensor& matrix_norm_out(const Tensor& out, const Tensor& self, std::string_view ord = "fro", IntArray dim = IntArray{-2,-1}, bool keepdim = false, std::optional<Dtype> dtype = {}) { return rushlight::linalg_matrix_norm_out(out, self, ord, dim, keepdim, dtype); }
inline std::tuple<Tensor, Tensor, Tensor> svd(const Tensor& A, bool full_matrices = true, std::optional<std::string_view> driver = {}) { return rushlight::linalg_svd(A, full_matrices, driver); }
inline std::tuple<Tensor, Tensor, Tensor> svd_out(const Tensor& out0, const Tensor& out1, const Tensor& out2, const Tensor& A, bool full_matrices = true, std::optional<std::string_view> driver = {}) { return rushlight::linalg_svd_out(out0, out1, out2, A, full_matrices, driver); }
inline Tensor svdvals(const Tensor& A, std::optional<std::string_view> driver = {}) { return rushlight::linalg_svdvals(A, driver); }
inline const Tensor& svdvals_out(const Tensor& out, const Tensor& A, std::optional<std::string_view> driver = {}) { return rushlight::linalg_svdvals_out(out, A, driver); }
inline Tensor cond(const Tensor& self, const std::optional<Scalar>& p = {}) { return rushlight::linalg_cond(self, p); }
inline const Tensor& cond_out(const Tensor& out, const Tensor& self, const std::optional<Scalar>& p = {}) { return rushlight::linalg_cond_out(out, self, p); }
inline Tensor cond(const Tensor& self, std::string_view p) { return rushlight::linalg_cond(self, p); }
inline const Tensor& cond_out(const Tensor& out, const Tensor& self, std::string_view p) { return rushlight::linalg_cond_out(out, self, p); }
inline std::tuple<Tensor, Tensor> solve_ex(const Tensor& A, const Tensor& B, bool left = true, bool check_errors = false) { return rushlight::linalg_solve_ex(A, B, left, check_errors); }
inline std::tuple<Tensor, Tensor> solve_ex_out(const Tensor& out0, const Tensor& out1, const Tensor& A, const Tensor& B, bool left = true, bool check_errors = false) { return rushlight::linalg_solve_ex_out(out0, out1, A, B, left, check_errors); }
inline Tensor solve(const Tensor& A, const Tensor& B, bool left = true) { return rushlight::linalg_solve(A, B, left); }
inline const Tensor& solve_out(const Tensor& out, const Tensor& A, const Tensor& B, bool left = true) { return rushlight::linalg_solve_out(out, A, B, left); }
inline Tensor tensorinv(const Tensor& self, std::int64_t ind = 2) { return rushlight::linalg_tensorinv(self, ind); }
inline const Tensor& tensorinv_out(const Tensor& out, const Tensor& self, std::int64_t ind = 2) { return rushlight::linalg_tensorinv_out(out, self, ind); }
inline Tensor tensorsolve(const Tensor& self, const Tensor& other, OptionalIntArray dims = {}) { return rushlight::linalg_tensorsolve(self, other, dims); }
inline const Tensor& tensorsolve_out(const Tensor& out, const Tensor& self, const Tensor& other, OptionalIntArray dims = {}) { return rushlight::linalg_tensorsolve_out(out, self, other, dims); }
inline std::tuple<Tensor, Tensor> qr(const Tensor& A, std::string_view mode = "reduced") { return rushlight::linalg_qr(A, mode); }
inline std::tuple<Tensor, Tensor> qr_out(const Tensor& out0, const Tensor& out1, const Tensor& A, std::string_view mode = "reduced") { return rushlight::linalg_qr_out(out0, out1, A, mode); }
inline Tensor matrix_power(const Tensor& self, std::int64_t n) { return rushlight::linalg_matrix_power(self, n); }
inline const Tensor& matrix_power_out(const Tensor& out, const Tensor& self, std::int64_t n) { return rushlight::linalg_matrix_power_out(out, self, n); }
inline Tensor matrix_rank(const Tensor& input, const std::optional<Tensor>& atol = {}, const std::optional<Tensor>& rtol = {}, bool hermitian = false) { return rushlight::linalg_matrix_rank(input, atol, rtol, hermitian); }
inline const Tensor& matrix_rank_out(const Tensor& out, const Tensor& input, const std::optional<Tensor>& atol = {}, const std::optional<Tensor>& rtol = {}, bool hermitian = false) { return rushlight::linalg_matrix_rank_out(out, input, atol, rtol, hermitian); }
inline Tensor matrix_rank(const Tensor& self, std::optional<double> atol = {}, std::optional<double> rtol = {}, bool hermitian = false) { return rushlight::linalg_matrix_rank(self, atol, rtol, hermitian); }
inline const Tensor& matrix_rank_out(const Tensor& out, const Tensor& self, std::optional<double> atol = {}, std::optional<double> rtol = {}, bool hermitian = false) { return rushlight::linalg_matrix_rank_out(out, self, atol, rtol, hermitian); }
inline Tensor matrix_rank(const Tensor& self, double tol, bool hermitian = false) { return rushlight::linalg_matrix_rank(self, tol, hermitian); }
inline const Tensor& matrix_rank_out(const Tensor& out, const Tensor& self, double tol, bool hermitian = false) { return rushlight::linalg_matrix_rank_out(out, self, tol, hermitian); }
inline Tensor matrix_rank(const Tensor& input, const Tensor& tol, bool hermitian = false) { return rushlight::linalg_matrix_rank(input, tol, hermitian); }
inline const Tensor& matrix_rank_out(const Tensor& out, const Tensor& input, const Tensor& tol, bool hermitian = false) { return rushlight::linalg_matrix_rank_out(out, input, tol, hermitian); }
inline Tensor pinv(const Tensor& self, const std::optional<Tensor>& atol = {}, const std::optional<Tensor>& rtol = {}, bool hermitian = false) { return rushlight::linalg_pinv(self, atol, rtol, hermitian); }
inline const Tensor& pinv_out(const Tensor& out, const Tensor& self, const std::optional<Tensor>& atol = {}, const std::optional<Tensor>& rtol = {}, bool hermitian = false) { return rushlight::linalg_pinv_out(out, self, atol, rtol, hermitian); }
inline Tensor pinv(const Tensor& self, std::optional<double> atol = {}, std::optional<double> rtol = {}, bool hermitian = false) { return rushlight::linalg_pinv(self, atol, rtol, hermitian); }
inline const Tensor& pinv_out(const Tensor& out, const Tensor& self, std::optional<double> atol = {}, std::optional<double> rtol = {}, bool hermitian = false) { return rushlight::linalg_pinv_out(out, self, atol, rtol, hermitian); }
inline Tensor pinv(const Tensor& self, double rcond, bool hermitian = false) { return rushlight::linalg_pinv(self, rcond, hermitian); }
inline const Tensor& pinv_out(const Tensor& out, const Tensor& self, double rcond, bool hermitian = false) { return rushlight::linalg_pinv_out(out, self, rcond, hermitian); }
inline Tensor pinv(const Tensor& self, const Tensor& rcond, bool hermitian = false) { return rushlight::linalg_pinv(self, rcond, hermitian); }
inline const Tensor& pinv_out(const Tensor& out, const Tensor& self, const Tensor& rcond, bool hermitian = false) { return rushlight::linalg_pinv_out(out, self, rcond, hermitian); }
inline Tensor cross(const Tensor& self, const Tensor& other, std::int64_t dim = -1) { return rushlight::linalg_cross(self, other, dim); }
inline const Tensor& cross_out(const Tensor& out, const Tensor& self, const Tensor& other, std::int64_t dim = -1) { return rushlight::linalg_cross_out(out, self, other, dim); }
inline Tensor matmul(const Tensor& self, const Tensor& other) { return rushlight::linalg_matmul(self, other); }
inline const Tensor& matmul_out(const Tensor& out, const Tensor& self, const Tensor& other) { return rushlight::linalg_matmul_out(out, self, other); }
inline Tensor vecdot(const Tensor& x, const Tensor& y, std::int64_t dim = -1) { return rushlight::linalg_vecdot(x, y, dim); }
inline const Tensor& vecdot_out(const Tensor& out, const Tensor& x, const Tensor& y, std::int64_t dim = -1) { return rushlight::linalg_vecdot_out(out, x, y, dim); }
inline Tensor multi_dot(TensorList tensors) { return rushlight::linalg_multi_dot(tensors); }
inline const Tensor& multi_dot_out(const Tensor& out, TensorList tensors) { return rushlight::linalg_multi_dot_out(out, tensors); }
inline Tensor vector_norm(const Tensor& self, const Scalar& ord = 2, OptionalIntArray dim = {}, bool keepdim = false, std::optional<Dtype> dtype = {}) { return rushlight::linalg_vector_norm(self, ord, dim, keepdim, dtype); }
inline const Tensor& vector_norm_out(const Tensor& out, const Tensor& self, const Scalar& ord = 2, OptionalIntArray dim = {}, bool keepdim = false, std::optional<Dtype> dtype = {}) { return rushlight::linalg_vector_norm_out(out, self, ord, dim, keepdim, dtype); }
}  // namespace rushlight::linalg

namespace rushlight::fft {
inline Tensor fft(const Tensor& self, std::optional<std::int64_t> n = {}, std::int64_t dim = -1, std::optional<std::string_view> norm = {}) { return rushlight::fft_fft(self, n, dim, norm); }
inline const Tensor& fft_out(const Tensor& out, const Tensor& self, std::optional<std::int64_t> n = {}, std::int64_t dim = -1, std::optional<std::string_view> norm = {}) { return rushlight::fft_fft_out(out, self, n, dim, norm); }
inline Tensor ifft(const Tensor& self, std::optional<std::int64_t> n = {}, std::int64_t dim = -1, std::optional<std::string_view> norm = {}) { return rushlight::fft_ifft(self, n, dim, norm); }
inline const Tensor& ifft_out(const Tensor& out, const Tensor& self, std::optional<std::int64_t> n = {}, std::int64_t dim = -1, std::optional<std::string_view> norm = {}) { return rushlight::fft_ifft_out(out, self, n, dim, norm); }
inline Tensor rfft(const Tensor& self, std::optional<std::int64_t> n = {}, std::int64_t dim = -1, std::optional<std::string_view> norm = {}) { return rushlight::fft_rfft(self, n, dim, norm); }
inline const Tensor& rfft_out(const Tensor& out, const Tensor& self, std::optional<std::int64_t> n = {}, std::int64_t dim = -1, std::optional<std::string_view> norm = {}) { return rushlight::fft_rfft_out(out, self, n, dim, norm); }
inline Tensor irfft(const Tensor& self, std::optional<std::int64_t> n = {}, std::int64_t dim = -1, std::optional<std::string_view> norm = {}) { return rushlight::fft_irfft(self, n, dim, norm); }
inline const Tensor& irfft_out(const Tensor& out, const Tensor& self, std::optional<std::int64_t> n = {}, std::int64_t dim = -1, std::optional<std::string_view> norm = {}) { return rushlight::fft_irfft_out(out, self, n, dim, norm); }
inline Tensor hfft(const Tensor& self, std::optional<std::int64_t> n = {}, std::int64_t dim = -1, std::optional<std::string_view> norm = {}) { return rushlight::fft_hfft(self, n, dim, norm); }
inline const Tensor& hfft_out(const Tensor& out, const Tensor& self, std::optional<std::int64_t> n = {}, std::int64_t dim = -1, std::optional<std::string_view> norm = {}) { return rushlight::fft_hfft_out(out, self, n, dim, norm); }
inline Tensor ihfft(const Tensor& self, std::optional<std::int64_t> n = {}, std::int64_t dim = -1, std::optional<std::string_view> norm = {}) { return rushlight::fft_ihfft(self, n, dim, norm); }
inline const Tensor& ihfft_out(const Tensor& out, const Tensor& self, std::optional<std::int64_t> n = {}, std::int64_t dim = -1, std::optional<std::string_view> norm = {}) { return rushlight::fft_ihfft_out(out, self, n, dim, norm); }
inline Tensor fft2(const Tensor& self, OptionalIntArray s = {}, IntArray dim = IntArray{-2,-1}, std::optional<std::string_view> norm = {}) { return rushlight::fft_fft2(self, s, dim, norm); }
inline const Tensor& fft2_out(const Tensor& out, const Tensor& self, OptionalIntArray s = {}, IntArray dim = IntArray{-2,-1}, std::optional<std::string_view> norm = {}) { return rushlight::fft_fft2_out(out, self, s, dim, norm); }
inline Tensor ifft2(const Tensor& self, OptionalIntArray s = {}, IntArray dim = IntArray{-2,-1}, std::optional<std::string_view> norm = {}) { return rushlight::fft_ifft2(self, s, dim, norm); }
inline const Tensor& ifft2_out(const Tensor& out, const Tensor& self, OptionalIntArray s = {}, IntArray dim = IntArray{-2,-1}, std::optional<std::string_view> norm = {}) { return rushlight::fft_ifft2_out(out, self, s, dim, norm); }
inline Tensor rfft2(const Tensor& self, OptionalIntArray s = {}, IntArray dim = IntArray{-2,-1}, std::optional<std::string_view> norm = {}) { return rushlight::fft_rfft2(self, s, dim, norm); }
inline const Tensor& rfft2_out(const Tensor& out, const Tensor& self, OptionalIntArray s = {}, IntArray dim = IntArray{-2,-1}, std::optional<std::string_view> norm = {}) { return rushlight::fft_rfft2_out(out, self, s, dim, norm); }
inline Tensor irfft2(const Tensor& self, OptionalIntArray s = {}, IntArray dim = IntArray{-2,-1}, std::optional<std::string_view> norm = {}) { return rushlight::fft_irfft2(self, s, dim, norm); }
inline const Tensor& irfft2_out(const Tensor& out, const Tensor& self, OptionalIntArray s = {}, IntArray dim = IntArray{-2,-1}, std::optional<std::string_view> norm = {}) { return rushlight::fft_irfft2_out(out, self, s, dim, norm); }
inline Tensor hfft2(const Tensor& self, OptionalIntArray s = {}, IntArray dim = IntArray{-2,-1}, std::optional<std::string_view> norm = {}) { return rushlight::fft_hfft2(self, s, dim, norm); }
inline const Tensor& hfft2_out(const Tensor& out, const Tensor& self, OptionalIntArray s = {}, IntArray dim = IntArray{-2,-1}, std::optional<std::string_view> norm = {}) { return rushlight::fft_hfft2_out(out, self, s, dim, norm); }
inline Tensor ihfft2(const Tensor& self, OptionalIntArray s = {}, IntArray dim = IntArray{-2,-1}, std::optional<std::string_view> norm = {}) { return rushlight::fft_ihfft2(self, s, dim, norm); }
inline const Tensor& ihfft2_out(const Tensor& out, const Tensor& self, OptionalIntArray s = {}, IntArray dim = IntArray{-2,-1}, std::optional<std::string_view> norm = {}) { return rushlight::fft_ihfft2_out(out, self, s, dim, norm); }
inline Tensor fftn(const Tensor& self, OptionalIntArray s = {}, OptionalIntArray dim = {}, std::optional<std::string_view> norm = {}) { return rushlight::fft_fftn(self, s, dim, norm); }
inline const Tensor& fftn_out(const Tensor& out, const Tensor& self, OptionalIntArray s = {}, OptionalIntArray dim = {}, std::optional<std::string_view> norm = {}) { return rushlight::fft_fftn_out(out, self, s, dim, norm); }
inline Tensor ifftn(const Tensor& self, OptionalIntArray s = {}, OptionalIntArray dim = {}, std::optional<std::string_view> norm = {}) { return rushlight::fft_ifftn(self, s, dim, norm); }
inline const Tensor& ifftn_out(const Tensor& out, const Tensor& self, OptionalIntArray s = {}, OptionalIntArray dim = {}, std::optional<std::string_view> norm = {}) { return rushlight::fft_ifftn_out(out, self, s, dim, norm); }
inline Tensor rfftn(const Tensor& self, OptionalIntArray s = {}, OptionalIntArray dim = {}, std::optional<std::string_view> norm = {}) { return rushlight::fft_rfftn(self, s, dim, norm); }
inline const Tensor& rfftn_out(const Tensor& out, const Tensor& self, OptionalIntArray s = {}, OptionalIntArray dim = {}, std::optional<std::string_view> norm = {}) { return rushlight::fft_rfftn_out(out, self, s, dim, norm); }
inline Tensor irfftn(const Tensor& self, OptionalIntArray s = {}, OptionalIntArray dim = {}, std::optional<std::string_view> norm = {}) { return rushlight::fft_irfftn(self, s, dim, norm); }
inline const Tensor& irfftn_out(const Tensor& out, const Tensor& self, OptionalIntArray s = {}, OptionalIntArray dim = {}, std::optional<std::string_view> norm = {}) { return rushlight::fft_irfftn_out(out, self, s, dim, norm); }
inline Tensor hfftn(const Tensor& self, OptionalIntArray s = {}, OptionalIntArray dim = {}, std::optional<std::string_view> norm = {}) { return rushlight::fft_hfftn(self, s, dim, norm); }
inline const Tensor& hfftn_out(const Tensor& out, const Tensor& self, OptionalIntArray s = {}, OptionalIntArray dim = {}, std::optional<std::string_view> norm = {}) { return rushlight::fft_hfftn_out(out, self, s, dim, norm); }
inline Tensor ihfftn(const Tensor& self, OptionalIntArray s = {}, OptionalIntArray dim = {}, std::optional<std::string_view> norm = {}) { return rushlight::fft_ihfftn(self, s, dim, norm); }
inline const Tensor& ihfftn_out(const Tensor& out, const Tensor& self, OptionalIntArray s = {}, OptionalIntArray dim = {}, std::optional<std::string_view> norm = {}) { return rushlight::fft_ihfftn_out(out, self, s, dim, norm); }
inline Tensor fftfreq(std::int64_t n, double d = 1.0, const TensorOptions& options = {}) { return rushlight::fft_fftfreq(n, d, options); }
inline const Tensor& fftfreq_out(const Tensor& out, std::int64_t n, double d = 1.0, const TensorOptions& options = {}) { return rushlight::fft_fftfreq_out(out, n, d, options); }
inline Tensor rfftfreq(std::int64_t n, double d = 1.0, const TensorOptions& options = {}) { return rushlight::fft_rfftfreq(n, d, options); }
inline const Tensor& rfftfreq_out(const Tensor& out, std::int64_t n, double d = 1.0, const TensorOptions& options = {}) { return rushlight::fft_rfftfreq_out(out, n, d, options); }
inline Tensor fftshift(const Tensor& self, OptionalIntArray dim = {}) { return rushlight::fft_fftshift(self, dim); }
inline Tensor ifftshift(const Tensor& self, OptionalIntArray dim = {}) { return rushlight::fft_ifftshift(self, dim); }
}  // namespace rushlight::fft

namespace rushlight::special {
inline Tensor softmax(const Tensor& self, std::int64_t dim, std::optional<Dtype> dtype = {}) { return rushlight::special_softmax(self, dim, dtype); }
inline Tensor log_softmax(const Tensor& self, std::int64_t dim, std::optional<Dtype> dtype = {}) { return rushlight::special_log_softmax(self, dim, dtype); }
inline Tensor entr(const Tensor& self) { return rushlight::special_entr(self); }
inline const Tensor& entr_out(const Tensor& out, const Tensor& self) { return rushlight::special_entr_out(out, self); }
inline Tensor ndtri(const Tensor& self) { return rushlight::special_ndtri(self); }
inline const Tensor& ndtri_out(const Tensor& out, const Tensor& self) { return rushlight::special_ndtri_out(out, self); }
inline Tensor log_ndtr(const Tensor& self) { return rushlight::special_log_ndtr(self); }
inline const Tensor& log_ndtr_out(const Tensor& out, const Tensor& self) { return rushlight::special_log_ndtr_out(out, self); }
inline Tensor expm1(const Tensor& self) { return rushlight::special_expm1(self); }
inline const Tensor& expm1_out(const Tensor& out, const Tensor& self) { return rushlight::special_expm1_out(out, self); }
inline Tensor exp2(const Tensor& self) { return rushlight::special_exp2(self); }
inline const Tensor& exp2_out(const Tensor& out, const Tensor& self) { return rushlight::special_exp2_out(out, self); }
inline Tensor psi(const Tensor& self) { return rushlight::special_psi(self); }
inline const Tensor& psi_out(const Tensor& out, const Tensor& self) { return rushlight::special_psi_out(out, self); }
inline Tensor digamma(const Tensor& self) { return rushlight::special_digamma(self); }
inline const Tensor& digamma_out(const Tensor& out, const Tensor& self) { return rushlight::special_digamma_out(out, self); }
inline Tensor gammaln(const Tensor& self) { return rushlight::special_gammaln(self); }
inline const Tensor& gammaln_out(const Tensor& out, const Tensor& self) { return rushlight::special_gammaln_out(out, self); }
inline Tensor erf(const Tensor& self) { return rushlight::special_erf(self); }
inline const Tensor& erf_out(const Tensor& out, const Tensor& self) { return rushlight::special_erf_out(out, self); }
inline Tensor erfc(const Tensor& self) { return rushlight::special_erfc(self); }
inline const Tensor& erfc_out(const Tensor& out, const Tensor& self) { return rushlight::special_erfc_out(out, self); }
inline Tensor erfcx(const Tensor& self) { return rushlight::special_erfcx(self); }
inline const Tensor& erfcx_out(const Tensor& out, const Tensor& self) { return rushlight::special_erfcx_out(out, self); }
inline Tensor erfinv(const Tensor& self) { return rushlight::special_erfinv(self); }
inline const Tensor& erfinv_out(const Tensor& out, const Tensor& self) { return rushlight::special_erfinv_out(out, self); }
inline Tensor ndtr(const Tensor& self) { return rushlight::special_ndtr(self); }
inline const Tensor& ndtr_out(const Tensor& out, const Tensor& self) { return rushlight::special_ndtr_out(out, self); }
inline Tensor xlog1py(const Tensor& self, const Tensor& other) { return rushlight::special_xlog1py(self, other); }
inline const Tensor& xlog1py_out(const Tensor& out, const Tensor& self, const Tensor& other) { return rushlight::special_xlog1py_out(out, self, other); }
inline Tensor xlog1py(const Tensor& self, const Scalar& other) { return rushlight::special_xlog1py(self, other); }
inline const Tensor& xlog1py_out(const Tensor& out, const Tensor& self, const Scalar& other) { return rushlight::special_xlog1py_out(out, self, other); }
inline Tensor xlog1py(const Scalar& self, const Tensor& other) { return rushlight::special_xlog1py(self, other); }
inline const Tensor& xlog1py_out(const Tensor& out, const Scalar& self, const Tensor& other) { return rushlight::special_xlog1py_out(out, self, other); }
inline Tensor xlogy(const Tensor& self, const Tensor& other) { return rushlight::special_xlogy(self, other); }
inline const Tensor& xlogy_out(const Tensor& out, const Tensor& self, const Tensor& other) { return rushlight::special_xlogy_out(out, self, other); }
inline Tensor xlogy(const Scalar& self, const Tensor& other) { return rushlight::special_xlogy(self, other); }
inline const Tensor& xlogy_out(const Tensor& out, const Scalar& self, const Tensor& other) { return rushlight::special_xlogy_out(out, self, other); }
inline Tensor zeta(const Tensor& self, const Tensor& other) { return rushlight::special_zeta(self, other); }
inline const Tensor& zeta_out(const Tensor& out, const Tensor& self, const Tensor& other) { return rushlight::special_zeta_out(out, self, other); }
inline Tensor zeta(const Tensor& self, const Scalar& other) { return rushlight::special_zeta(self, other); }
inline const Tensor& zeta_out(const Tensor& out, const Tensor& self, const Scalar& other) { return rushlight::special_zeta_out(out, self, other); }
inline Tensor zeta(const Scalar& self, const Tensor& other) { return rushlight::special_zeta(self, other); }
inline const Tensor& zeta_out(const Tensor& out, const Scalar& self, const Tensor& other) { return rushlight::special_zeta_out(out, self, other); }
inline Tensor i0(const Tensor& self) { return rushlight::special_i0(self); }
inline const Tensor& i0_out(const Tensor& out, const Tensor& self) { return rushlight::special_i0_out(out, self); }
inline Tensor i0e(const Tensor& self) { return rushlight::special_i0e(self); }
inline const Tensor& i0e_out(const Tensor& out, const Tensor& self) { return rushlight::special_i0e_out(out, self); }
inline Tensor i1(const Tensor& self) { return rushlight::special_i1(self); }
inline const Tensor& i1_out(const Tensor& out, const Tensor& self) { return rushlight::special_i1_out(out, self); }
inline Tensor i1e(const Tensor& self) { return rushlight::special_i1e(self); }
inline const Tensor& i1e_out(const Tensor& out, const Tensor& self) { return rushlight::special_i1e_out(out, self); }
inline Tensor logit(const Tensor& self, std::optional<double> eps = {}) { return rushlight::special_logit(self, eps); }
inline const Tensor& logit_out(const Tensor& out, const Tensor& self, std::optional<double> eps = {}) { return rushlight::special_logit_out(out, self, eps); }
inline Tensor polygamma(std::int64_t n, const Tensor& self) { return rushlight::special_polygamma(n, self); }
inline const Tensor& polygamma_out(const Tensor& out, std::int64_t n, const Tensor& self) { return rushlight::special_polygamma_out(out, n, self); }
inline Tensor logsumexp(const Tensor& self, IntArray dim, bool keepdim = false) { return rushlight::special_logsumexp(self, dim, keepdim); }
inline const Tensor& logsumexp_out(const Tensor& out, const Tensor& self, IntArray dim, bool keepdim = false) { return rushlight::special_logsumexp_out(out, self, dim, keepdim); }
inline Tensor expit(const Tensor& self) { return rushlight::special_expit(self); }
inline const Tensor& expit_out(const Tensor& out, const Tensor& self) { return rushlight::special_expit_out(out, self); }
inline Tensor sinc(const Tensor& self) { return rushlight::special_sinc(self); }
inline const Tensor& sinc_out(const Tensor& out, const Tensor& self) { return rushlight::special_sinc_out(out, self); }
inline Tensor round(const Tensor& self, std::int64_t decimals = 0) { return rushlight::special_round(self, decimals); }
inline const Tensor& round_out(const Tensor& out, const Tensor& self, std::int64_t decimals = 0) { return rushlight::special_round_out(out, self, decimals); }
inline Tensor log1p(const Tensor& self) { return rushlight::special_log1p(self); }
inline const Tensor& log1p_out(const Tensor& out, const Tensor& self) { return rushlight::special_log1p_out(out, self); }
inline Tensor gammainc(const Tensor& self, const Tensor& other) { return rushlight::special_gammainc(self, other); }
inline const Tensor& gammainc_out(const Tensor& out, const Tensor& self, const Tensor& other) { return rushlight::special_gammainc_out(out, self, other); }
inline Tensor gammaincc(const Tensor& self, const Tensor& other) { return rushlight::special_gammaincc(self, other); }
inline const Tensor& gammaincc_out(const Tensor& out, const Tensor& self, const Tensor& other) { return rushlight::special_gammaincc_out(out, self, other); }
inline Tensor multigammaln(const Tensor& self, std::int64_t p) { return rushlight::special_multigammaln(self, p); }
inline const Tensor& multigammaln_out(const Tensor& out, const Tensor& self, std::int64_t p) { return rushlight::special_multigammaln_out(out, self, p); }
inline Tensor airy_ai(const Tensor& x) { return rushlight::special_airy_ai(x); }
inline const Tensor& airy_ai_out(const Tensor& out, const Tensor& x) { return rushlight::special_airy_ai_out(out, x); }
inline Tensor bessel_j0(const Tensor& self) { return rushlight::special_bessel_j0(self); }
inline const Tensor& bessel_j0_out(const Tensor& out, const Tensor& self) { return rushlight::special_bessel_j0_out(out, self); }
inline Tensor bessel_j1(const Tensor& self) { return rushlight::special_bessel_j1(self); }
inline const Tensor& bessel_j1_out(const Tensor& out, const Tensor& self) { return rushlight::special_bessel_j1_out(out, self); }
inline Tensor bessel_y0(const Tensor& self) { return rushlight::special_bessel_y0(self); }
inline const Tensor& bessel_y0_out(const Tensor& out, const Tensor& self) { return rushlight::special_bessel_y0_out(out, self); }
inline Tensor bessel_y1(const Tensor& self) { return rushlight::special_bessel_y1(self); }
inline const Tensor& bessel_y1_out(const Tensor& out, const Tensor& self) { return rushlight::special_bessel_y1_out(out, self); }
inline Tensor chebyshev_polynomial_t(const Tensor& x, const Tensor& n) { return rushlight::special_chebyshev_polynomial_t(x, n); }
inline const Tensor& chebyshev_polynomial_t_out(const Tensor& out, const Tensor& x, const Tensor& n) { return rushlight::special_chebyshev_polynomial_t_out(out, x, n); }
inline Tensor chebyshev_polynomial_t(const Scalar& x, const Tensor& n) { return rushlight::special_chebyshev_polynomial_t(x, n); }
inline const Tensor& chebyshev_polynomial_t_out(const Tensor& out, const Scalar& x, const Tensor& n) { return rushlight::special_chebyshev_polynomial_t_out(out, x, n); }
inline Tensor chebyshev_polynomial_t(const Tensor& x, const Scalar& n) { return rushlight::special_chebyshev_polynomial_t(x, n); }
inline const Tensor& chebyshev_polynomial_t_out(const Tensor& out, const Tensor& x, const Scalar& n) { return rushlight::special_chebyshev_polynomial_t_out(out, x, n); }
inline Tensor chebyshev_polynomial_u(const Tensor& x, const Tensor& n) { return rushlight::special_chebyshev_polynomial_u(x, n); }
inline const Tensor& chebyshev_polynomial_u_out(const Tensor& out, const Tensor& x, const Tensor& n) { return rushlight::special_chebyshev_polynomial_u_out(out, x, n); }
inline Tensor chebyshev_polynomial_u(const Scalar& x, const Tensor& n) { return rushlight::special_chebyshev_polynomial_u(x, n); }
inline const Tensor& chebyshev_polynomial_u_out(const Tensor& out, const Scalar& x, const Tensor& n) { return rushlight::special_chebyshev_polynomial_u_out(out, x, n); }
inline Tensor chebyshev_polynomial_u(const Tensor& x, const Scalar& n) { return rushlight::special_chebyshev_polynomial_u(x, n); }
inline const Tensor& chebyshev_polynomial_u_out(const Tensor& out, const Tensor& x, const Scalar& n) { return rushlight::special_chebyshev_polynomial_u_out(out, x, n); }
inline Tensor chebyshev_polynomial_v(const Tensor& x, const Tensor& n) { return rushlight::special_chebyshev_polynomial_v(x, n); }
inline const Tensor& chebyshev_polynomial_v_out(const Tensor& out, const Tensor& x, const Tensor& n) { return rushlight::special_chebyshev_polynomial_v_out(out, x, n); }
inline Tensor chebyshev_polynomial_v(const Scalar& x, const Tensor& n) { return rushlight::special_chebyshev_polynomial_v(x, n); }
inline const Tensor& chebyshev_polynomial_v_out(const Tensor& out, const Scalar& x, const Tensor& n) { return rushlight::special_chebyshev_polynomial_v_out(out, x, n); }
inline Tensor chebyshev_polynomial_v(const Tensor& x, const Scalar& n) { return rushlight::special_chebyshev_polynomial_v(x, n); }
inline const Tensor& chebyshev_polynomial_v_out(const Tensor& out, const Tensor& x, const Scalar& n) { return rushlight::special_chebyshev_polynomial_v_out(out, x, n); }
inline Tensor chebyshev_polynomial_w(const Tensor& x, const Tensor& n) { return rushlight::special_chebyshev_polynomial_w(x, n); }
inline const Tensor& chebyshev_polynomial_w_out(const Tensor& out, const Tensor& x, const Tensor& n) { return rushlight::special_chebyshev_polynomial_w_out(out, x, n); }
inline Tensor chebyshev_polynomial_w(const Scalar& x, const Tensor& n) { return rushlight::special_chebyshev_polynomial_w(x, n); }
inline const Tensor& chebyshev_polynomial_w_out(const Tensor& out, const Scalar& x, const Tensor& n) { return rushlight::special_chebyshev_polynomial_w_out(out, x, n); }
inline Tensor chebyshev_polynomial_w(const Tensor& x, const Scalar& n) { return rushlight::special_chebyshev_polynomial_w(x, n); }
inline const Tensor& chebyshev_polynomial_w_out(const Tensor& out, const Tensor& x, const Scalar& n) { return rushlight::special_chebyshev_polynomial_w_out(out, x, n); }
inline Tensor hermite_polynomial_h(const Tensor& x, const Tensor& n) { return rushlight::special_hermite_polynomial_h(x, n); }
inline const Tensor& hermite_polynomial_h_out(const Tensor& out, const Tensor& x, const Tensor& n) { return rushlight::special_hermite_polynomial_h_out(out, x, n); }
inline Tensor hermite_polynomial_h(const Scalar& x, const Tensor& n) { return rushlight::special_hermite_polynomial_h(x, n); }
inline const Tensor& hermite_polynomial_h_out(const Tensor& out, const Scalar& x, const Tensor& n) { return rushlight::special_hermite_polynomial_h_out(out, x, n); }
inline Tensor hermite_polynomial_h(const Tensor& x, const Scalar& n) { return rushlight::special_hermite_polynomial_h(x, n); }
inline const Tensor& hermite_polynomial_h_out(const Tensor& out, const Tensor& x, const Scalar& n) { return rushlight::special_hermite_polynomial_h_out(out, x, n); }
inline Tensor hermite_polynomial_he(const Tensor& x, const Tensor& n) { return rushlight::special_hermite_polynomial_he(x, n); }
inline const Tensor& hermite_polynomial_he_out(const Tensor& out, const Tensor& x, const Tensor& n) { return rushlight::special_hermite_polynomial_he_out(out, x, n); }
inline Tensor hermite_polynomial_he(const Scalar& x, const Tensor& n) { return rushlight::special_hermite_polynomial_he(x, n); }
inline const Tensor& hermite_polynomial_he_out(const Tensor& out, const Scalar& x, const Tensor& n) { return rushlight::special_hermite_polynomial_he_out(out, x, n); }
inline Tensor hermite_polynomial_he(const Tensor& x, const Scalar& n) { return rushlight::special_hermite_polynomial_he(x, n); }
inline const Tensor& hermite_polynomial_he_out(const Tensor& out, const Tensor& x, const Scalar& n) { return rushlight::special_hermite_polynomial_he_out(out, x, n); }
inline Tensor laguerre_polynomial_l(const Tensor& x, const Tensor& n) { return rushlight::special_laguerre_polynomial_l(x, n); }
inline const Tensor& laguerre_polynomial_l_out(const Tensor& out, const Tensor& x, const Tensor& n) { return rushlight::special_laguerre_polynomial_l_out(out, x, n); }
inline Tensor laguerre_polynomial_l(const Scalar& x, const Tensor& n) { return rushlight::special_laguerre_polynomial_l(x, n); }
inline const Tensor& laguerre_polynomial_l_out(const Tensor& out, const Scalar& x, const Tensor& n) { return rushlight::special_laguerre_polynomial_l_out(out, x, n); }
inline Tensor laguerre_polynomial_l(const Tensor& x, const Scalar& n) { return rushlight::special_laguerre_polynomial_l(x, n); }
inline const Tensor& laguerre_polynomial_l_out(const Tensor& out, const Tensor& x, const Scalar& n) { return rushlight::special_laguerre_polynomial_l_out(out, x, n); }
inline Tensor legendre_polynomial_p(const Tensor& x, const Tensor& n) { return rushlight::special_legendre_polynomial_p(x, n); }
inline const Tensor& legendre_polynomial_p_out(const Tensor& out, const Tensor& x, const Tensor& n) { return rushlight::special_legendre_polynomial_p_out(out, x, n); }
inline Tensor legendre_polynomial_p(const Scalar& x, const Tensor& n) { return rushlight::special_legendre_polynomial_p(x, n); }
inline const Tensor& legendre_polynomial_p_out(const Tensor& out, const Scalar& x, const Tensor& n) { return rushlight::special_legendre_polynomial_p_out(out, x, n); }
inline Tensor legendre_polynomial_p(const Tensor& x, const Scalar& n) { return rushlight::special_legendre_polynomial_p(x, n); }
inline const Tensor& legendre_polynomial_p_out(const Tensor& out, const Tensor& x, const Scalar& n) { return rushlight::special_legendre_polynomial_p_out(out, x, n); }
inline Tensor modified_bessel_i0(const Tensor& self) { return rushlight::special_modified_bessel_i0(self); }
inline const Tensor& modified_bessel_i0_out(const Tensor& out, const Tensor& self) { return rushlight::special_modified_bessel_i0_out(out, self); }
inline Tensor modified_bessel_i1(const Tensor& self) { return rushlight::special_modified_bessel_i1(self); }
inline const Tensor& modified_bessel_i1_out(const Tensor& out, const Tensor& self) { return rushlight::special_modified_bessel_i1_out(out, self); }
inline Tensor modified_bessel_k0(const Tensor& self) { return rushlight::special_modified_bessel_k0(self); }
inline const Tensor& modified_bessel_k0_out(const Tensor& out, const Tensor& self) { return rushlight::special_modified_bessel_k0_out(out, self); }
inline Tensor modified_bessel_k1(const Tensor& self) { return rushlight::special_modified_bessel_k1(self); }
inline const Tensor& modified_bessel_k1_out(const Tensor& out, const Tensor& self) { return rushlight::special_modified_bessel_k1_out(out, self); }
inline Tensor scaled_modified_bessel_k0(const Tensor& x) { return rushlight::special_scaled_modified_bessel_k0(x); }
inline const Tensor& scaled_modified_bessel_k0_out(const Tensor& out, const Tensor& x) { return rushlight::special_scaled_modified_bessel_k0_out(out, x); }
inline Tensor scaled_modified_bessel_k1(const Tensor& x) { return rushlight::special_scaled_modified_bessel_k1(x); }
inline const Tensor& scaled_modified_bessel_k1_out(const Tensor& out, const Tensor& x) { return rushlight::special_scaled_modified_bessel_k1_out(out, x); }
inline Tensor shifted_chebyshev_polynomial_t(const Tensor& x, const Tensor& n) { return rushlight::special_shifted_chebyshev_polynomial_t(x, n); }
inline const Tensor& shifted_chebyshev_polynomial_t_out(const Tensor& out, const Tensor& x, const Tensor& n) { return rushlight::special_shifted_chebyshev_polynomial_t_out(out, x, n); }
inline Tensor shifted_chebyshev_polynomial_t(const Scalar& x, const Tensor& n) { return rushlight::special_shifted_chebyshev_polynomial_t(x, n); }
inline const Tensor& shifted_chebyshev_polynomial_t_out(const Tensor& out, const Scalar& x, const Tensor& n) { return rushlight::special_shifted_chebyshev_polynomial_t_out(out, x, n); }
inline Tensor shifted_chebyshev_polynomial_t(const Tensor& x, const Scalar& n) { return rushlight::special_shifted_chebyshev_polynomial_t(x, n); }
inline const Tensor& shifted_chebyshev_polynomial_t_out(const Tensor& out, const Tensor& x, const Scalar& n) { return rushlight::special_shifted_chebyshev_polynomial_t_out(out, x, n); }
inline Tensor shifted_chebyshev_polynomial_u(const Tensor& x, const Tensor& n) { return rushlight::special_shifted_chebyshev_polynomial_u(x, n); }
inline const Tensor& shifted_chebyshev_polynomial_u_out(const Tensor& out, const Tensor& x, const Tensor& n) { return rushlight::special_shifted_chebyshev_polynomial_u_out(out, x, n); }
inline Tensor shifted_chebyshev_polynomial_u(const Scalar& x, const Tensor& n) { return rushlight::special_shifted_chebyshev_polynomial_u(x, n); }
inline const Tensor& shifted_chebyshev_polynomial_u_out(const Tensor& out, const Scalar& x, const Tensor& n) { return rushlight::special_shifted_chebyshev_polynomial_u_out(out, x, n); }
inline Tensor shifted_chebyshev_polynomial_u(const Tensor& x, const Scalar& n) { return rushlight::special_shifted_chebyshev_polynomial_u(x, n); }
inline const Tensor& shifted_chebyshev_polynomial_u_out(const Tensor& out, const Tensor& x, const Scalar& n) { return rushlight::special_shifted_chebyshev_polynomial_u_out(out, x, n); }
inline Tensor shifted_chebyshev_polynomial_v(const Tensor& x, const Tensor& n) { return rushlight::special_shifted_chebyshev_polynomial_v(x, n); }
inline const Tensor& shifted_chebyshev_polynomial_v_out(const Tensor& out, const Tensor& x, const Tensor& n) { return rushlight::special_shifted_chebyshev_polynomial_v_out(out, x, n); }
inline Tensor shifted_chebyshev_polynomial_v(const Scalar& x, const Tensor& n) { return rushlight::special_shifted_chebyshev_polynomial_v(x, n); }
inline const Tensor& shifted_chebyshev_polynomial_v_out(const Tensor& out, const Scalar& x, const Tensor& n) { return rushlight::special_shifted_chebyshev_polynomial_v_out(out, x, n); }
inline Tensor shifted_chebyshev_polynomial_v(const Tensor& x, const Scalar& n) { return rushlight::special_shifted_chebyshev_polynomial_v(x, n); }
inline const Tensor& shifted_chebyshev_polynomial_v_out(const Tensor& out, const Tensor& x, const Scalar& n) { return rushlight::special_shifted_chebyshev_polynomial_v_out(out, x, n); }
inline Tensor shifted_chebyshev_polynomial_w(const Tensor& x, const Tensor& n) { return rushlight::special_shifted_chebyshev_polynomial_w(x, n); }
inline const Tensor& shifted_chebyshev_polynomial_w_out(const Tensor& out, const Tensor& x, const Tensor& n) { return rushlight::special_shifted_chebyshev_polynomial_w_out(out, x, n); }
inline Tensor shifted_chebyshev_polynomial_w(const Scalar& x, const Tensor& n) { return rushlight::special_shifted_chebyshev_polynomial_w(x, n); }
inline const Tensor& shifted_chebyshev_polynomial_w_out(const Tensor& out, const Scalar& x, const Tensor& n) { return rushlight::special_shifted_chebyshev_polynomial_w_out(out, x, n); }
inline Tensor shifted_chebyshev_polynomial_w(const Tensor& x, const Scalar& n) { return rushlight::special_shifted_chebyshev_polynomial_w(x, n); }
inline const Tensor& shifted_chebyshev_polynomial_w_out(const Tensor& out, const Tensor& x, const Scalar& n) { return rushlight::special_shifted_chebyshev_polynomial_w_out(out, x, n); }
inline Tensor spherical_bessel_j0(const Tensor& x) { return rushlight::special_spherical_bessel_j0(x); }
inline const Tensor& spherical_bessel_j0_out(const Tensor& out, const Tensor& x) { return rushlight::special_spherical_bessel_j0_out(out, x); }
inline Tensor xlogy(const Tensor& self, const Scalar& other) { return rushlight::special_xlogy(self, other); }
inline const Tensor& xlogy_out(const Tensor& out, const Tensor& self, const Scalar& other) { return rushlight::special_xlogy_out(out, self, other); }
}  // namespace rushlight::special
