// Factorisations and solvers: shapes, checks and errors around LAPACK's kernels.
#include <algorithm>
#include <cmath>

#include "batching/batched.h"
#include "ops/kernels/lapack.h"
#include "ops/linalg_matrices.h"
#include "ops/pointwise.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace linalg_matrices {

void check_matrices(const Tensor& a, const char* op, const char* what) {
  check(a.dim() >= 2, op, ": The input tensor ", what, " must have at least 2 dimensions.");
}
void check_square(const Tensor& a, const char* op, const char* what) {
  check_matrices(a, op, what);
  check(a.size(-1) == a.size(-2), op, ": ", what, " must be batches of square matrices, but they are ", a.size(-2),
        " by ", a.size(-1), " matrices");
}
void check_real_or_complex(const Tensor& a, const char* op) {
  check(is_differentiable(a.dtype()), op, ": Expected a floating point or complex tensor as input. Got ",
        scalar_type_name(a.dtype()));
}
void check_type(const Tensor& a, const char* op) {
  check_real_or_complex(a, op);
  check(!is_reduced_float(a.dtype()), op, ": Low precision dtypes not supported. Got ", scalar_type_name(a.dtype()));
}

Tensor swapped(const Tensor& a) {
  std::vector<std::int64_t> sizes = a.sizes().vec(), strides = a.strides().vec();
  std::swap(sizes[sizes.size() - 1], sizes[sizes.size() - 2]);
  std::swap(strides[strides.size() - 1], strides[strides.size() - 2]);
  return alias(a, sizes, strides.data(), 0);
}
Tensor to_columns(const Tensor& a) {
  const NoGradGuard guard;
  const Tensor turned = swapped(a);
  Tensor copy = empty_tensor(turned.sizes(), a.dtype(), a.device());
  copy.copy_(turned);
  return copy;
}
Tensor empty_columns(IntArray batch, std::int64_t m, std::int64_t n, Dtype type, Device device) {
  std::vector<std::int64_t> sizes = batch.vec();
  sizes.push_back(n);
  sizes.push_back(m);
  return empty_tensor(sizes, type, device);
}
Tensor zeros_of(IntArray batch, std::int64_t last, Dtype type, Device device) {
  std::vector<std::int64_t> sizes = batch.vec();
  if (last >= 0) sizes.push_back(last);
  Tensor made = empty_tensor(sizes, type, device);
  const NoGradGuard guard;
  made.zero_();
  return made;
}
std::vector<std::int64_t> broadcast_batches(IntArray a, IntArray b) { return broadcast_shape(a, b, "linalg"); }
IntArray batch_of(const Tensor& a) { return a.sizes().first(a.sizes().size() - 2); }

void check_infos(const Tensor& given, const char* op, const std::function<std::string(int)>& text) {
  const Tensor infos = batching::is_batched(given) ? batching::innermost(given).contiguous() : given;
  if (infos.is_meta()) return;
  const int* values = infos.data<int>();
  for (std::int64_t b = 0; b < infos.numel(); ++b) {
    if (values[b] == 0) continue;
    const std::string place = infos.dim() ? str("(Batch element ", b, "): ") : std::string();
    check(values[b] > 0, op, ": ", place, "Argument ", -values[b],
          " has illegal value. Most certainly there is a bug in the implementation calling the backend library.");
    throw LinAlgError(str(op, ": ", place, text(values[b])));
  }
}

}  // namespace linalg_matrices

using namespace linalg_matrices;

namespace {

std::string singular_text(int info) {
  return str("The diagonal element ", info,
             " is zero, the inversion could not be completed because the input matrix is singular.");
}
std::string solver_text(int) { return "The solver failed because the input matrix is singular."; }
std::string leading_minor_text(int info) {
  return str(
      "The factorization could not be completed because the input is not positive-definite (the leading minor of "
      "order ",
      info, " is not positive-definite).");
}
std::string convergence_text(int info) {
  return str(
      "The algorithm failed to converge because the input matrix is ill-conditioned or has too many repeated "
      "eigenvalues (error code: ",
      info, ").");
}
std::string lu_text(int info) {
  return str("U[", info, ",", info, "] is zero and using it on lu_solve would result in a division by zero.");
}

void check_finite(const Tensor& a, const char* op) {
  if (a.is_meta()) return;
  const NoGradGuard guard;
  if (a.numel() && !a.isfinite().all().item().to<bool>())
    throw LinAlgError(
        str(op, ": The algorithm failed to converge because the input matrix contained non-finite values."));
}

}  // namespace

namespace ops {

std::tuple<Tensor, Tensor> linalg_cholesky_ex(const Tensor& self, bool upper, bool check_errors) {
  check_type(self, "linalg.cholesky");
  check_square(self, "linalg.cholesky", "A");
  const Tensor columns = to_columns(self);
  const Tensor info = zeros_of(batch_of(self), -1, kInt32, self.device());
  cholesky_kernel(self.device(), columns, upper, info);
  if (check_errors) check_infos(info, "linalg.cholesky_ex", leading_minor_text);
  return {swapped(columns), info};
}

std::tuple<Tensor, Tensor, Tensor> linalg_lu_factor_ex(const Tensor& A, bool pivot, bool check_errors) {
  check_type(A, "torch.lu_factor");
  check_matrices(A, "torch.lu_factor", "A");
  check(pivot, "linalg.lu_factor: LU without pivoting is not implemented on the CPU");
  const Tensor columns = to_columns(A);
  const Tensor pivots = zeros_of(batch_of(A), std::min(A.size(-1), A.size(-2)), kInt32, A.device());
  const Tensor info = zeros_of(batch_of(A), -1, kInt32, A.device());
  lu_factor_kernel(A.device(), columns, pivots, info);
  if (check_errors) check_infos(info, "torch.linalg.lu_factor_ex", lu_text);
  return {swapped(columns), pivots, info};
}

Tensor linalg_lu_solve(const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left, bool adjoint) {
  const char* op = "torch.linalg.lu_solve";
  check_type(LU, op);
  check_square(LU, op, "LU");
  check_matrices(B, op, "B");
  check(LU.dtype() == B.dtype(), op, ": Expected LU and B to have the same dtype, but found LU of type ", LU.dtype(),
        " and B of type ", B.dtype(), " instead");
  check(pivots.dtype() == kInt32, op, ": pivots should be a Tensor of scalar type torch.int32");
  check(LU.size(-1) == pivots.size(-1), op,
        ": Number of pivots per batch should be same as the dimension of the matrix");
  check(LU.size(-1) == B.size(left ? -2 : -1), op, ": Incompatible shapes of LU and B for the equation ",
        left ? "AX = B" : "XA = B", " (", LU.size(-2), "x", LU.size(-1), " and ", B.size(-2), "x", B.size(-1), ")");
  const NoGradGuard guard;
  // X A = B is A^T X^T = B^T, with the transpose for the adjoint and the reverse.
  const Tensor sides = left ? B : swapped(B);
  const auto batch = broadcast_batches(batch_of(LU), batch_of(sides));
  const auto whole = [&](const Tensor& t, std::int64_t kept) {
    std::vector<std::int64_t> sizes = batch;
    for (std::int64_t d = t.dim() - kept; d < t.dim(); ++d)
      sizes.push_back(t.size(d));
    return t.expand(sizes);
  };
  const Tensor columns = to_columns(whole(LU, 2)), piv = whole(pivots, 1).contiguous();
  Tensor solution = to_columns(whole(sides, 2));
  char trans = adjoint ? (LU.is_complex() ? 'C' : 'T') : 'N';
  if (!left) {
    if (!adjoint)
      trans = 'T';
    else if (!LU.is_complex())
      trans = 'N';
    else {  // X A^H = B: conj(A) X^T = B^T
      solution = solution.conj_physical();
      trans = 'N';
    }
  }
  if (solution.numel()) lu_solve_kernel(LU.device(), columns, piv, solution, trans);
  if (!left && adjoint && LU.is_complex()) solution = solution.conj_physical();
  return left ? swapped(solution) : solution;
}

namespace {
// Of the permutation that the row exchanges of an LU factorisation make.
Tensor sign_of(const Tensor& pivots) {
  const Tensor unmoved = arange(1, pivots.size(-1) + 1, TensorOptions(kInt32, pivots.device()));
  return (pivots != unmoved).sum(IntArray{-1}).remainder(2).mul(-2).add(1);
}
}  // namespace

std::tuple<Tensor, Tensor, Tensor> _linalg_det(const Tensor& A) {
  check_type(A, "linalg.det");
  check_square(A, "linalg.det", "A");
  const NoGradGuard guard;
  auto [lu, pivots, info] = ops::linalg_lu_factor_ex(A, true, false);
  return {lu.diagonal(0, -2, -1).prod(-1) * sign_of(pivots).to(A.dtype()), lu, pivots};
}

std::tuple<Tensor, Tensor, Tensor, Tensor> _linalg_slogdet(const Tensor& A) {
  check_type(A, "linalg.slogdet");
  check_square(A, "linalg.slogdet", "A");
  const NoGradGuard guard;
  auto [lu, pivots, info] = ops::linalg_lu_factor_ex(A, true, false);
  const Tensor diagonal = lu.diagonal(0, -2, -1);
  return {diagonal.sgn().prod(-1) * sign_of(pivots).to(A.dtype()), diagonal.abs().log().sum(IntArray{-1}), lu, pivots};
}

std::tuple<Tensor, Tensor> linalg_inv_ex(const Tensor& A, bool check_errors) {
  check_type(A, "linalg.inv");
  check_square(A, "linalg.inv", "A");
  const NoGradGuard guard;
  const Tensor columns = to_columns(A);
  const Tensor pivots = zeros_of(batch_of(A), A.size(-1), kInt32, A.device()),
               info = zeros_of(batch_of(A), -1, kInt32, A.device());
  lu_factor_kernel(A.device(), columns, pivots, info);
  if (check_errors) check_infos(info, "linalg.inv_ex", singular_text);
  const Tensor inverse =
      zeros_of(batch_of(columns), A.size(-1), A.dtype(), A.device()).unsqueeze(-1).expand(columns.sizes()).contiguous();
  inverse.diagonal(0, -2, -1).fill_(1);
  if (inverse.numel()) lu_solve_kernel(A.device(), columns, pivots, inverse, 'N');
  return {swapped(inverse), info};
}

std::tuple<Tensor, Tensor, Tensor, Tensor> _linalg_solve_ex(const Tensor& A, const Tensor& B, bool left,
                                                            bool check_errors) {
  const auto [lu, pivots, info] = ops::linalg_lu_factor_ex(A, true, false);
  if (check_errors) check_infos(info, "torch.linalg.solve", solver_text);
  return {ops::linalg_lu_solve(lu, pivots, B, left, false), lu, pivots, info};
}

Tensor linalg_solve_triangular(const Tensor& self, const Tensor& B, bool upper, bool left, bool unitriangular) {
  const char* op = "linalg.solve_triangular";
  check_type(self, op);
  check_square(self, op, "A");
  check_matrices(B, op, "B");
  check(self.dtype() == B.dtype(), op, ": Expected A and B to have the same dtype, but found A of type ", self.dtype(),
        " and B of type ", B.dtype(), " instead");
  check(self.size(-1) == B.size(left ? -2 : -1), op, ": Incompatible shapes of A and B for the equation ",
        left ? "AX = B" : "XA = B", " (", self.size(-2), "x", self.size(-1), " and ", B.size(-2), "x", B.size(-1), ")");
  const NoGradGuard guard;
  std::vector<std::int64_t> batch = broadcast_batches(batch_of(self), batch_of(B)), a_sizes = batch, b_sizes = batch;
  for (const std::int64_t d : {-2, -1}) {
    a_sizes.push_back(self.size(d));
    b_sizes.push_back(B.size(d));
  }
  const Tensor columns = to_columns(self.expand(a_sizes)), solution = to_columns(B.expand(b_sizes));
  if (solution.numel()) triangular_solve_kernel(self.device(), columns, solution, left, upper, 'N', unitriangular);
  return swapped(solution);
}

Tensor cholesky_solve(const Tensor& self, const Tensor& input2, bool upper) {
  const char* op = "cholesky_solve";
  check_type(self, op);
  check(self.dim() >= 2, "b should have at least 2 dimensions, but has ", self.dim(), " dimensions instead");
  check(input2.dim() >= 2, "u should have at least 2 dimensions, but has ", input2.dim(), " dimensions instead");
  check_square(input2, op, "A");
  check(self.dtype() == input2.dtype(), op, ": Expected b and A to have the same dtype, but found b of type ",
        self.dtype(), " and A of type ", input2.dtype(), " instead.");
  check(self.size(-2) == input2.size(-1), op, ": Incompatible matrix sizes for cholesky_solve: each A matrix is ",
        input2.size(-1), " by ", input2.size(-1), " but each b matrix is ", self.size(-2), " by ", self.size(-1));
  const NoGradGuard guard;
  std::vector<std::int64_t> batch = broadcast_batches(batch_of(self), batch_of(input2)), a_sizes = batch,
                            b_sizes = batch;
  for (const std::int64_t d : {-2, -1}) {
    a_sizes.push_back(input2.size(d));
    b_sizes.push_back(self.size(d));
  }
  const Tensor factor = to_columns(input2.expand(a_sizes)), solution = to_columns(self.expand(b_sizes));
  const Tensor info = zeros_of(batch, -1, kInt32, self.device());
  if (solution.numel()) cholesky_solve_kernel(self.device(), factor, solution, upper, info);
  return swapped(solution);
}

Tensor cholesky_inverse(const Tensor& self, bool upper) {
  check_type(self, "cholesky_inverse");
  check_square(self, "cholesky_inverse", "A");
  const Tensor columns = to_columns(self), info = zeros_of(batch_of(self), -1, kInt32, self.device());
  if (columns.numel()) cholesky_inverse_kernel(self.device(), columns, upper, info);
  check_infos(info, "cholesky_inverse", singular_text);
  return swapped(columns);
}

std::tuple<Tensor, Tensor> geqrf(const Tensor& self) {
  check_type(self, "torch.geqrf");
  check(self.dim() >= 2, "torch.geqrf: input must have at least 2 dimensions.");
  const Tensor columns = to_columns(self),
               tau = zeros_of(batch_of(self), std::min(self.size(-1), self.size(-2)), self.dtype(), self.device());
  if (columns.numel()) qr_factor_kernel(self.device(), columns, tau);
  return {swapped(columns), tau};
}

std::tuple<Tensor, Tensor> linalg_qr(const Tensor& A, std::string_view mode) {
  const char* op = "linalg.qr";
  check_type(A, op);
  check_matrices(A, op, "A");
  check(mode == "reduced" || mode == "complete" || mode == "r", "qr received unrecognized mode '", mode,
        "' but expected one of 'reduced' (default), 'r', or 'complete'");
  const NoGradGuard guard;
  const std::int64_t m = A.size(-2), n = A.size(-1), k = std::min(m, n), width = mode == "complete" ? m : k;
  const Tensor columns = to_columns(A), tau = zeros_of(batch_of(A), k, A.dtype(), A.device());
  if (columns.numel()) qr_factor_kernel(A.device(), columns, tau);
  const Tensor factored = swapped(columns);
  const Tensor r = factored.narrow(-2, 0, std::min(width, m)).triu().contiguous();
  if (mode == "r") return {empty_tensor({0}, A.dtype(), A.device()), r};
  const Tensor q = empty_columns(batch_of(A), m, width, A.dtype(), A.device());
  q.zero_();
  q.narrow(-2, 0, k).copy_(columns.narrow(-2, 0, k));
  if (k == 0)
    swapped(q).diagonal(0, -2, -1).fill_(1);
  else if (q.numel())
    qr_product_kernel(A.device(), q, tau);
  return {swapped(q), r};
}

std::tuple<Tensor, Tensor, Tensor> _linalg_svd(const Tensor& A, bool full_matrices, bool compute_uv,
                                               std::optional<std::string_view> driver) {
  const char* op = "linalg.svd";
  check_type(A, op);
  check_matrices(A, op, "A");
  check(!driver, op, ": keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER backend.");
  check_finite(A, op);
  const NoGradGuard guard;
  const std::int64_t m = A.size(-2), n = A.size(-1), k = std::min(m, n);
  const Tensor columns = to_columns(A), s = zeros_of(batch_of(A), k, to_real(A.dtype()), A.device()),
               info = zeros_of(batch_of(A), -1, kInt32, A.device());
  const Tensor u = compute_uv ? empty_columns(batch_of(A), m, full_matrices ? m : k, A.dtype(), A.device())
                              : empty_tensor({0}, A.dtype(), A.device());
  const Tensor vh = compute_uv ? empty_columns(batch_of(A), full_matrices ? n : k, n, A.dtype(), A.device())
                               : empty_tensor({0}, A.dtype(), A.device());
  if (k == 0) {
    if (compute_uv)
      for (const Tensor* unit : {&u, &vh}) {
        unit->zero_();
        unit->diagonal(0, -2, -1).fill_(1);
      }
  } else if (columns.numel()) {
    svd_kernel(A.device(), columns, !compute_uv ? 'N' : full_matrices ? 'A' : 'S', s, u, vh, info);
  }
  check_infos(info, op, convergence_text);
  return {compute_uv ? swapped(u) : u, s, compute_uv ? swapped(vh) : vh};
}

std::tuple<Tensor, Tensor> _linalg_eigh(const Tensor& A, std::string_view UPLO, bool compute_v) {
  const char* op = "linalg.eigh";
  check_type(A, op);
  check_square(A, op, "A");
  const char side = UPLO.size() == 1 ? static_cast<char>(UPLO[0] & ~0x20) : '?';
  check(side == 'U' || side == 'L', "Expected UPLO argument to be 'L' or 'U', but got ", UPLO);
  check_finite(A, op);
  const Tensor columns = to_columns(A), w = zeros_of(batch_of(A), A.size(-1), to_real(A.dtype()), A.device()),
               info = zeros_of(batch_of(A), -1, kInt32, A.device());
  if (columns.numel()) eigh_kernel(A.device(), columns, side == 'U', compute_v, w, info);
  check_infos(info, op, convergence_text);
  return {w, compute_v ? swapped(columns) : empty_tensor({0}, A.dtype(), A.device())};
}

std::tuple<Tensor, Tensor> linalg_eig(const Tensor& self) {
  const char* op = "linalg.eig";
  check_type(self, op);
  check_square(self, op, "A");
  check_finite(self, op);
  const Dtype type = to_complex(self.dtype());
  const Tensor columns = to_columns(self), w = zeros_of(batch_of(self), self.size(-1), type, self.device()),
               info = zeros_of(batch_of(self), -1, kInt32, self.device());
  const Tensor vectors = empty_columns(batch_of(self), self.size(-1), self.size(-1), type, self.device());
  if (columns.numel()) eig_kernel(self.device(), columns, true, w, vectors, info);
  check_infos(info, op, convergence_text);
  return {w, swapped(vectors)};
}

Tensor _linalg_eigvals(const Tensor& self) {
  const char* op = "linalg.eigvals";
  check_type(self, op);
  check_square(self, op, "A");
  check_finite(self, op);
  const Tensor columns = to_columns(self),
               w = zeros_of(batch_of(self), self.size(-1), to_complex(self.dtype()), self.device());
  const Tensor info = zeros_of(batch_of(self), -1, kInt32, self.device());
  if (columns.numel()) eig_kernel(self.device(), columns, false, w, w, info);
  check_infos(info, op, convergence_text);
  return w;
}

std::tuple<Tensor, Tensor, Tensor> linalg_ldl_factor_ex(const Tensor& self, bool hermitian, bool check_errors) {
  const char* op = "torch.linalg.ldl_factor_ex";
  check_type(self, op);
  check_square(self, op, "A");
  const NoGradGuard guard;
  const Tensor columns = to_columns(self), pivots = zeros_of(batch_of(self), self.size(-1), kInt32, self.device());
  const Tensor info = zeros_of(batch_of(self), -1, kInt32, self.device());
  if (columns.numel()) ldl_factor_kernel(self.device(), columns, hermitian, pivots, info);
  if (check_errors)
    check_infos(info, op, [](int i) {
      return str("D[", i, ",", i, "] is zero and using it on ldl_solve would result in a division by zero.");
    });
  return {swapped(columns).tril(), pivots, info};
}

Tensor linalg_ldl_solve(const Tensor& LD, const Tensor& pivots, const Tensor& B, bool hermitian) {
  const char* op = "torch.linalg.ldl_solve";
  check_type(LD, op);
  check_square(LD, op, "LD");
  check_matrices(B, op, "B");
  check(LD.dtype() == B.dtype(), op, ": LD dtype ", LD.dtype(), " does not match b dtype ", B.dtype());
  check(pivots.dtype() == kInt32, op, ": Expected pivots to be integers. Got ", pivots.dtype());
  check(LD.size(-1) == pivots.size(-1), op, ": Expected the pivots' shape to fit LD's");
  check(LD.size(-1) == B.size(-2), op, ": Incompatible matrix sizes: each A matrix is ", LD.size(-1), " by ",
        LD.size(-1), " but each B matrix is ", B.size(-2), " by ", B.size(-1));
  const NoGradGuard guard;
  std::vector<std::int64_t> batch = broadcast_batches(batch_of(LD), batch_of(B)), a_sizes = batch, b_sizes = batch,
                            p_sizes = batch;
  for (const std::int64_t d : {-2, -1}) {
    a_sizes.push_back(LD.size(d));
    b_sizes.push_back(B.size(d));
  }
  p_sizes.push_back(LD.size(-1));
  const Tensor columns = to_columns(LD.expand(a_sizes)), solution = to_columns(B.expand(b_sizes));
  if (solution.numel())
    ldl_solve_kernel(LD.device(), columns, hermitian, pivots.expand(p_sizes).contiguous(), solution);
  return swapped(solution);
}

Tensor _householder_product(const Tensor& input, const Tensor& tau) {
  check_type(input, "torch.linalg.householder_product");
  const Tensor columns = to_columns(input);
  if (tau.size(-1) == 0) {
    const NoGradGuard guard;
    columns.zero_();
    columns.diagonal(0, -2, -1).fill_(1);
  } else if (columns.numel()) {
    const NoGradGuard guard;
    qr_product_kernel(input.device(), columns, tau.contiguous());
  }
  return swapped(columns);
}

std::tuple<Tensor, Tensor, Tensor, Tensor> _linalg_lstsq(const Tensor& self, const Tensor& b, double rcond,
                                                         std::string_view driver) {
  check_type(self, "torch.linalg.lstsq");
  const NoGradGuard guard;
  const std::int64_t m = self.size(-2), n = self.size(-1), k = std::min(m, n), width = b.size(-1);
  const Tensor columns = to_columns(self),
               sides = empty_columns(batch_of(self), std::max(m, n), width, self.dtype(), self.device());
  sides.zero_();
  sides.narrow(-1, 0, m).copy_(swapped(b));
  const bool ranked = driver != "gels", valued = driver == "gelsd" || driver == "gelss";
  const Tensor rank =
      ranked ? zeros_of(batch_of(self), -1, kInt64, self.device()) : empty_tensor({0}, kInt64, self.device());
  const Tensor values = valued ? zeros_of(batch_of(self), k, to_real(self.dtype()), self.device())
                               : empty_tensor({0}, to_real(self.dtype()), self.device());
  const Tensor info = zeros_of(batch_of(self), -1, kInt32, self.device());
  const char kind = driver == "gels" ? 'n' : driver.back();
  if (columns.numel() && sides.numel()) lstsq_kernel(self.device(), columns, sides, rcond, kind, rank, values, info);
  check_infos(info, "torch.linalg.lstsq", [](int) {
    return std::string(
        "The least squares solution could not be computed because the input matrix does not have full rank.");
  });
  const Tensor solution = swapped(sides).narrow(-2, 0, n).contiguous();
  Tensor residuals = empty_tensor({0}, to_real(self.dtype()), self.device());
  const bool full_rank = !ranked || self.is_meta() || rank.eq(n).all().item().to<bool>();
  if (m > n && driver != "gelsy" && full_rank)
    residuals = swapped(sides).narrow(-2, n, m - n).abs().square().sum(IntArray{-2});
  return {solution, residuals, rank, values};
}

Tensor linalg_pinv(const Tensor& self, const std::optional<Tensor>& atol, const std::optional<Tensor>& rtol,
                   bool hermitian) {
  const char* op = "linalg.pinv";
  check_type(self, op);
  check_matrices(self, op, "A");
  if (hermitian) check_square(self, op, "A");
  const NoGradGuard guard;
  std::vector<std::int64_t> turned = self.sizes().vec();
  std::swap(turned[turned.size() - 1], turned[turned.size() - 2]);
  if (self.numel() == 0) return empty_tensor(turned, self.dtype(), self.device());
  const auto tolerances = [&](const Tensor& largest) {
    const TensorOptions type(to_real(self.dtype()), self.device());
    const double eps = to_real(self.dtype()) == kFloat32 ? std::numeric_limits<float>::epsilon()
                                                         : std::numeric_limits<double>::epsilon();
    const Tensor absolute = atol ? atol->to(type) : zeros({}, type);
    Tensor relative =
        rtol ? rtol->to(type) : full({}, static_cast<double>(std::max(self.size(-1), self.size(-2))) * eps, type);
    if (atol && !rtol) relative = where(absolute > 0, zeros({}, type), relative);
    return maximum(absolute.unsqueeze(-1), relative.unsqueeze(-1) * largest);
  };
  if (hermitian) {
    const auto [w, v] = ops::_linalg_eigh(self, "L", true);
    const Tensor size = w.abs(), limit = tolerances(size.amax(IntArray{-1}, true));
    const Tensor inverse = where(size > limit, w.reciprocal(), zeros({}, w.options()));
    return matmul(v * inverse.unsqueeze(-2).to(v.dtype()), v.mH());
  }
  const auto [u, s, vh] = ops::_linalg_svd(self, false, true, std::nullopt);
  const Tensor limit = tolerances(s.narrow(-1, 0, 1));
  const Tensor inverse = where(s > limit, s.reciprocal(), zeros({}, s.options()));
  return matmul(vh.mH() * inverse.unsqueeze(-2).to(u.dtype()), u.mH());
}

}  // namespace ops
}  // namespace rushlight
