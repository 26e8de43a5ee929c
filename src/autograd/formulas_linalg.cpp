// Derivatives of factorisations.
#include "autograd/formulas_linalg.h"

#include <algorithm>

#include "ops/linalg_matrices.h"

namespace rushlight {
namespace {

// The strictly lower half, plus half the diagonal.
Tensor lower_half(const Tensor& x) { return x.tril() - diag_embed(x.diagonal(0, -2, -1)) * 0.5; }

Tensor identity_minus(const Tensor& projector) {
  Tensor unit = zeros({projector.size(-1), projector.size(-1)}, projector.options());
  unit.diagonal(0, -2, -1).fill_(1);
  return unit - projector;
}

// 1 / (v_j - v_i), zero on the diagonal.
Tensor gaps(const Tensor& values) {
  Tensor difference = values.unsqueeze(-2) - values.unsqueeze(-1);
  Tensor diagonal = zeros({values.size(-1), values.size(-1)}, TensorOptions(kBool, values.device()));
  diagonal.diagonal(0, -2, -1).fill_(true);
  return difference.masked_fill(diagonal, 1).reciprocal().masked_fill(diagonal, 0);
}

Tensor skew(const Tensor& x) { return x - x.mH(); }

}  // namespace

Tensor cholesky_backward(const Tensor& grad, const Tensor& factor, bool upper) {
  if (!grad.defined()) return {};
  const Tensor L = upper ? factor.mH() : factor, g = upper ? grad.mH() : grad;
  const Tensor half = lower_half(matmul(L.mH(), g));
  const Tensor middle = (half + half.mH()) * 0.5;
  const Tensor right = linalg_solve_triangular(L, middle, false, false);  // middle L^{-1}
  return linalg_solve_triangular(L.mH(), right, true, true);              // L^{-H} middle L^{-1}
}

Tensor lu_factor_backward(const Tensor& grad, const Tensor& LU, const Tensor& pivots) {
  if (!grad.defined()) return {};
  auto [P, L, U] = lu_unpack(LU, pivots, true, true);
  const std::int64_t m = LU.size(-2), n = LU.size(-1), k = std::min(m, n);
  const Tensor gL = grad.narrow(-1, 0, k).tril(-1), gU = grad.narrow(-2, 0, k).triu();
  const Tensor L1 = L.narrow(-2, 0, k), U1 = U.narrow(-1, 0, k);
  Tensor lower = matmul(L1.mH(), gL.narrow(-2, 0, k)), upper = matmul(gU.narrow(-1, 0, k), U1.mH());
  if (n > k) lower = lower - matmul(gU.narrow(-1, k, n - k), U.narrow(-1, k, n - k).mH());
  if (m > k) upper = upper - matmul(L.narrow(-2, k, m - k).mH(), gL.narrow(-2, k, m - k));
  const Tensor core = lower.tril(-1) + upper.triu();
  // L1^{-H} core U1^{-H}
  const Tensor left = linalg_solve_triangular(L1.mH(), core, true, true, true);
  Tensor gA = linalg_solve_triangular(U1.mH(), left, false, false);
  if (n > k) gA = cat({gA, linalg_solve_triangular(L1.mH(), gU.narrow(-1, k, n - k), true, true, true)}, -1);
  if (m > k) gA = cat({gA, linalg_solve_triangular(U1.mH(), gL.narrow(-2, k, m - k), false, false)}, -2);
  return matmul(P, gA);
}

std::tuple<Tensor, Tensor> lu_solve_backward(const Tensor& grad, const Tensor& X, const Tensor& LU,
                                             const Tensor& pivots, bool left, bool adjoint, IntArray lu_sizes,
                                             IntArray b_sizes) {
  const Tensor gB = linalg_lu_solve(LU, pivots, grad, left, !adjoint);
  auto [P, L, U] = lu_unpack(LU, pivots, true, true);
  // With A = P L U: the gradient of A (or of A^H), brought to L and U.
  Tensor gA = left ? -matmul(gB, X.mH()) : -matmul(X.mH(), gB);
  if (adjoint) gA = gA.mH();
  const Tensor turned = matmul(P.mT(), gA);
  const Tensor gL = matmul(turned, U.mH()).tril(-1), gU = matmul(L.mH(), turned).triu();
  return {(gL + gU).sum_to_size(lu_sizes), gB.sum_to_size(b_sizes)};
}

Tensor det_backward(const Tensor& grad, const Tensor& A, const Tensor& result) {
  if (!grad.defined()) return {};
  const Tensor outer = grad.unsqueeze(-1).unsqueeze(-1);
  const bool regular = A.is_meta() || A.numel() == 0 || result.detach().ne(0).all().item().to<bool>();
  if (regular) return outer * result.conj_physical().unsqueeze(-1).unsqueeze(-1) * std::get<0>(linalg_inv_ex(A)).mH();
  // Cofactors of a singular matrix from its singular values: products of all but one.
  auto [U, S, Vh] = linalg_svd(A, false);
  const std::int64_t n = A.size(-1);
  Tensor unit = zeros({n, n}, TensorOptions(kBool, A.device()));
  unit.diagonal(0, -2, -1).fill_(true);
  const Tensor others = S.unsqueeze(-2).masked_fill(unit, 1).prod(-1);
  const Tensor phase = (linalg_det(U) * linalg_det(Vh)).conj_physical().unsqueeze(-1).unsqueeze(-1);
  return outer * phase * matmul(U * others.unsqueeze(-2).to(U.dtype()), Vh);
}

Tensor slogdet_backward(const Tensor& grad_sign, const Tensor& grad_logabsdet, const Tensor& A, const Tensor& sign) {
  Tensor factor;
  if (grad_logabsdet.defined()) factor = grad_logabsdet.to(A.dtype());
  if (A.is_complex() && grad_sign.defined()) {
    const Tensor turn = imag(grad_sign * sign.conj_physical());  // how much the loss grows with the phase
    const Tensor part = complex(zeros_like(turn), turn);
    factor = factor.defined() ? factor + part : part;
  }
  if (!factor.defined()) return {};
  return factor.unsqueeze(-1).unsqueeze(-1) * std::get<0>(linalg_inv_ex(A)).mH();
}

std::tuple<Tensor, Tensor> solve_backward(const Tensor& grad, const Tensor& A, const Tensor& X, bool left) {
  if (!grad.defined()) return {};
  const Tensor gB = std::get<0>(linalg_solve_ex(A.mH(), grad, left));
  return {left ? -matmul(gB, X.mH()) : -matmul(X.mH(), gB), gB};
}

std::tuple<Tensor, Tensor> solve_triangular_backward(const Tensor& grad, const Tensor& A, const Tensor& X, bool upper,
                                                     bool left, bool unit, IntArray a_sizes, IntArray b_sizes) {
  const Tensor gB = linalg_solve_triangular(A.mH(), grad, !upper, left, unit);
  const Tensor full = left ? -matmul(gB, X.mH()) : -matmul(X.mH(), gB);
  const std::int64_t offset = unit ? 1 : 0;
  return {(upper ? full.triu(offset) : full.tril(-offset)).sum_to_size(a_sizes), gB.sum_to_size(b_sizes)};
}

std::tuple<Tensor, Tensor> cholesky_solve_backward(const Tensor& grad, const Tensor& X, const Tensor& factor,
                                                   bool upper, IntArray b_sizes, IntArray a_sizes) {
  const Tensor gB = cholesky_solve(grad, factor, upper);
  const Tensor outer = matmul(gB, X.mH());
  const Tensor both = -(outer + outer.mH());
  const Tensor gF = upper ? matmul(factor, both) : matmul(both, factor);
  return {gB.sum_to_size(b_sizes), gF.sum_to_size(a_sizes)};  // of the whole factor, not of its triangle alone
}

Tensor cholesky_inverse_backward(const Tensor& grad, const Tensor& factor, bool upper, const Tensor& inverse) {
  const Tensor both = matmul(inverse, matmul(grad + grad.mH(), inverse));
  return upper ? -matmul(factor, both).triu() : -matmul(both, factor).tril();
}

Tensor qr_backward(const Tensor& grad_Q, const Tensor& grad_R, const Tensor& Q, const Tensor& R,
                   std::string_view mode) {
  check(mode != "r",
        "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use linalg.qr(A, "
        "mode='reduced') if you are going to require gradients.");
  const std::int64_t m = Q.size(-2), n = R.size(-1);
  check(mode != "complete" || m <= n,
        "The QR decomposition is not differentiable when mode='complete' and nrows > ncols.");
  if (!grad_Q.defined() && !grad_R.defined()) return {};
  const std::int64_t k = Q.size(-1);
  Tensor gQ = grad_Q.defined() ? grad_Q : zeros_like(Q), gR = grad_R.defined() ? grad_R : zeros_like(R);
  Tensor gV;
  const Tensor U = R.narrow(-1, 0, k);
  if (n > k) {  // the columns beyond the square part: Y = Q V
    gV = gR.narrow(-1, k, n - k);
    const Tensor V = R.narrow(-1, k, n - k);
    gQ = gQ + matmul(matmul(Q, V), gV.mH());
    gR = gR.narrow(-1, 0, k);
  }
  const Tensor M = matmul(U, gR.mH()) - matmul(gQ.mH(), Q);
  const Tensor strict = M.tril(-1);
  Tensor diagonal = M.diagonal(0, -2, -1);
  if (M.is_complex()) diagonal = complex(real(diagonal), zeros_like(real(diagonal)));
  const Tensor symmetric = strict + strict.mH() + diag_embed(diagonal);
  const Tensor gX = linalg_solve_triangular(U.mH(), gQ + matmul(Q, symmetric), false, false);
  return n > k ? cat({gX, matmul(Q, gV)}, -1) : gX;
}

Tensor svd_backward(const Tensor& grad_U, const Tensor& grad_S, const Tensor& grad_Vh, const Tensor& full_U,
                    const Tensor& S, const Tensor& full_Vh) {
  check(full_U.dim() > 1 || full_U.numel() > 0,
        "svd_backward: Setting compute_uv to false in torch.svd doesn't compute singular matrices, and hence we cannot "
        "compute backward.");
  const std::int64_t k = S.size(-1), m = full_U.size(-2), n = full_Vh.size(-1);
  const Tensor U = full_U.narrow(-1, 0, k), V = full_Vh.narrow(-2, 0, k).mH();
  Tensor inner;
  if (grad_S.defined()) inner = diag_embed(grad_S).to(U.dtype());
  const auto add_inner = [&](const Tensor& part) { inner = inner.defined() ? inner + part : part; };
  const Tensor s = S.to(U.dtype()),
               inverse_gaps = grad_U.defined() || grad_Vh.defined() ? gaps(S.square()).to(U.dtype()) : Tensor();
  Tensor outside;
  if (grad_U.defined()) {
    const Tensor gU = grad_U.narrow(-1, 0, k), product = matmul(U.mH(), gU);
    add_inner(skew(product) * inverse_gaps * s.unsqueeze(-2));
    if (U.is_complex()) {
      const Tensor phase = imag(product.diagonal(0, -2, -1)) / S;
      add_inner(diag_embed(complex(zeros_like(phase), phase)));
    }
    if (m > k) {
      const Tensor scaled = gU / s.unsqueeze(-2);
      outside = matmul(scaled - matmul(U, matmul(U.mH(), scaled)), V.mH());
    }
  }
  if (grad_Vh.defined()) {
    const Tensor gV = grad_Vh.narrow(-2, 0, k).mH(), product = matmul(V.mH(), gV);
    add_inner(s.unsqueeze(-1) * skew(product) * inverse_gaps);
    if (n > k) {
      const Tensor scaled = (gV / s.unsqueeze(-2)).mH();
      const Tensor part = matmul(U, scaled - matmul(matmul(scaled, V), V.mH()));
      outside = outside.defined() ? outside + part : part;
    }
  }
  if (!inner.defined()) return {};
  const Tensor result = matmul(matmul(U, inner), V.mH());
  return outside.defined() ? result + outside : result;
}

Tensor eigh_backward(const Tensor& grad_values, const Tensor& grad_vectors, const Tensor& values, const Tensor& V) {
  check(V.dim() > 1 || V.numel() > 0, "eigh_backward: torch.linalg.eigvalsh needs the eigenvectors for its derivative");
  Tensor inner;
  if (grad_values.defined()) inner = diag_embed(grad_values).to(V.dtype());
  if (grad_vectors.defined()) {
    const Tensor part = matmul(V.mH(), grad_vectors) * gaps(values).to(V.dtype());
    inner = inner.defined() ? inner + part : part;
  }
  return inner.defined() ? matmul(matmul(V, inner), V.mH()) : Tensor();
}

Tensor eig_backward(const Tensor& grad_values, const Tensor& grad_vectors, const Tensor& values, const Tensor& V,
                    bool real_input) {
  Tensor inner;
  if (grad_values.defined()) inner = diag_embed(grad_values);
  if (grad_vectors.defined()) {
    const Tensor product = matmul(V.mH(), grad_vectors);
    const Tensor lengths = real(product.diagonal(0, -2, -1)).to(V.dtype()).unsqueeze(-2);
    const Tensor part = (product - matmul(V.mH(), V) * lengths) * gaps(values).conj_physical();
    inner = inner.defined() ? inner + part : part;
  }
  if (!inner.defined()) return {};
  const Tensor result = linalg_solve(V.mH(), matmul(inner, V.mH()));
  return real_input ? real(result) : result;
}

Tensor pinv_backward(const Tensor& grad, const Tensor& P, const Tensor& A) {
  const Tensor gh = grad.mH(), ph = P.mH();
  const Tensor left = identity_minus(matmul(A, P)), right = identity_minus(matmul(P, A));
  return matmul(left, matmul(gh, matmul(P, ph))) + matmul(matmul(ph, P), matmul(gh, right)) -
         matmul(ph, matmul(grad, ph));
}

}  // namespace rushlight
