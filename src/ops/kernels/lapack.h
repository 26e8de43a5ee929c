// Factorisations of batches of matrices.
//
// "Columns" are contiguous tensors [batch, n, m] that hold m x n matrices column by column, as LAPACK wants them.
// Pivots and infos are int32; infos[b] is LAPACK's: 0 success, > 0 where the algorithm stopped. All work is in place.
#pragma once
#include "ops/kernel.h"

namespace rushlight {

extern const Kernel<void(const TensorBase& a, const TensorBase& pivots, const TensorBase& infos)> lu_factor_kernel;
extern const Kernel<void(const TensorBase& lu, const TensorBase& pivots, const TensorBase& b, char trans)>
    lu_solve_kernel;
extern const Kernel<void(const TensorBase& a, bool upper, const TensorBase& infos)> cholesky_kernel;
extern const Kernel<void(const TensorBase& a, bool upper, const TensorBase& infos)> cholesky_inverse_kernel;
extern const Kernel<void(const TensorBase& a, const TensorBase& b, bool upper, const TensorBase& infos)>
    cholesky_solve_kernel;
// Solves op(A) X = B (left) or X op(A) = B for a triangular A; b becomes X.
extern const Kernel<void(const TensorBase& a, const TensorBase& b, bool left, bool upper, char trans, bool unit)>
    triangular_solve_kernel;
extern const Kernel<void(const TensorBase& a, const TensorBase& tau)> qr_factor_kernel;
extern const Kernel<void(const TensorBase& a, const TensorBase& tau)> qr_product_kernel;  // the first columns of Q
extern const Kernel<void(const TensorBase& a, const TensorBase& tau, const TensorBase& c, bool left, bool transpose)>
    qr_multiply_kernel;
// job: 'A' whole U and V^H, 'S' their first min(m, n) vectors, 'N' singular values only. `a` is destroyed.
extern const Kernel<void(const TensorBase& a, char job, const TensorBase& s, const TensorBase& u, const TensorBase& vh,
                         const TensorBase& infos)>
    svd_kernel;
extern const Kernel<void(const TensorBase& a, bool upper, bool vectors, const TensorBase& w, const TensorBase& infos)>
    eigh_kernel;
// w and vectors are complex; real matrices give conjugate pairs. `a` is destroyed.
extern const Kernel<void(const TensorBase& a, bool with_vectors, const TensorBase& w, const TensorBase& vectors,
                         const TensorBase& infos)>
    eig_kernel;
extern const Kernel<void(const TensorBase& a, bool hermitian, const TensorBase& pivots, const TensorBase& infos)>
    ldl_factor_kernel;
extern const Kernel<void(const TensorBase& a, bool hermitian, const TensorBase& pivots, const TensorBase& b)>
    ldl_solve_kernel;
// driver: 's' gelss, 'd' gelsd, 'y' gelsy, 'n' gels. b has max(m, n) rows; ranks int64.
extern const Kernel<void(const TensorBase& a, const TensorBase& b, double rcond, char driver, const TensorBase& ranks,
                         const TensorBase& s, const TensorBase& infos)>
    lstsq_kernel;

}  // namespace rushlight
