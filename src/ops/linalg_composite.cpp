// Linear algebra written in other operators: solvers for every shape, powers, norms, ranks, old names.
#include <algorithm>
#include <cmath>
#include <limits>

#include "autograd/shown_name.h"
#include "ops/composed.h"
#include "ops/linalg_matrices.h"
#include "tensor/dims.h"

namespace rushlight {

using namespace linalg_matrices;

namespace {

bool records(Word word) { return needs_grad(word) || (word & (kTangent | kBatched)); }

void check_success(const Tensor& info, const char* op, const std::function<std::string(int)>& text) {
  check_infos(info, op, text);
}

}  // namespace

// --- factorisations that raise ------------------------------------------------------------------------

Tensor uncast_linalg_cholesky(const Tensor& self, bool upper) {
  auto [l, info] = linalg_cholesky_ex(self, upper, false);
  check_success(info, "linalg.cholesky", [](int i) {
    return str(
        "The factorization could not be completed because the input is not positive-definite (the leading minor of "
        "order ",
        i, " is not positive-definite).");
  });
  return l;
}
Tensor uncast_cholesky(const Tensor& self, bool upper) {
  const ShownAs shown("CholeskyBackward0");
  if (self.numel() == 0 && (self.dim() < 2 || self.size(-1) != self.size(-2))) return shown(self.clone());
  check_square(self, "cholesky", "A");
  return shown(linalg_cholesky(self, upper));
}

std::tuple<Tensor, Tensor> linalg_lu_factor(const Tensor& A, bool pivot) {
  auto [lu, pivots, info] = linalg_lu_factor_ex(A, pivot, false);
  check_success(info, "torch.linalg.lu_factor", [](int i) {
    return str("U[", i, ",", i, "] is zero and using it on lu_solve would result in a division by zero.");
  });
  return {lu, pivots};
}

std::tuple<Tensor, Tensor, Tensor> lu_unpack(const Tensor& LU_data, const Tensor& LU_pivots, bool unpack_data,
                                             bool unpack_pivots) {
  check(LU_pivots.dtype() == kInt32 || !unpack_pivots,
        "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype. Note: this function is "
        "intended to be used with the output produced by torch.linalg.lu_factor");
  const std::int64_t m = LU_data.size(-2), n = LU_data.size(-1), k = std::min(m, n);
  Tensor p = empty({0}, LU_data.options()), l = p, u = p;
  if (unpack_data) {
    Tensor unit = zeros({m, k}, LU_data.options());
    unit.diagonal(0, -2, -1).fill_(1);
    l = LU_data.narrow(-1, 0, k).tril(-1) + unit;
    u = LU_data.narrow(-2, 0, k).triu();
    show_as(l, "LuUnpackBackward0");
    show_as(u, "LuUnpackBackward0");
  }
  if (unpack_pivots) {
    const NoGradGuard guard;
    std::vector<std::int64_t> sizes = batch_of(LU_data).vec();
    std::int64_t count = 1;
    for (const std::int64_t size : sizes)
      count *= size;
    const Tensor flat = LU_pivots.reshape({count, k});
    sizes.push_back(m);
    sizes.push_back(m);
    p = zeros({count, m, m}, LU_data.options());
    if (!p.is_meta()) {
      std::vector<std::int64_t> order(static_cast<std::size_t>(m));
      const Tensor dense = flat.contiguous();
      need_memory(dense, "lu_unpack");
      for (std::int64_t b = 0; b < count; ++b) {
        for (std::int64_t i = 0; i < m; ++i)
          order[static_cast<std::size_t>(i)] = i;
        for (std::int64_t i = 0; i < k; ++i) {
          const std::int64_t with = dense.data<int>()[b * k + i] - 1;
          check(with >= 0 && with < m, "lu_unpack: pivots passed must be between 1 and ", m, ", got ", with + 1);
          std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(with)]);
        }
        visit(p.dtype(), [&](auto zero) {
          using T = decltype(zero);
          for (std::int64_t i = 0; i < m; ++i)
            p.mutable_data<T>()[(b * m + order[static_cast<std::size_t>(i)]) * m + i] = Scalar(1).to<T>();
        });
      }
    }
    p = p.reshape(sizes);
  }
  return {p, l, u};
}

std::tuple<Tensor, Tensor, Tensor> linalg_lu(const Tensor& A, bool pivot) {
  auto [lu, pivots, info] = linalg_lu_factor_ex(A, pivot, false);
  auto [p, l, u] = lu_unpack(lu, pivots, true, true);
  show_as(l, "LinalgLuBackward0");
  show_as(u, "LinalgLuBackward0");
  return {p, l, u};
}
Tensor uncast_lu_solve(const Tensor& self, const Tensor& LU_data, const Tensor& LU_pivots) {
  return linalg_lu_solve(LU_data, LU_pivots, self, true, false);
}

Tensor uncast_linalg_inv(const Tensor& A) {
  auto [inverse, info] = linalg_inv_ex(A, false);
  check_success(info, "linalg.inv", [](int i) {
    return str("The diagonal element ", i,
               " is zero, the inversion could not be completed because the input matrix is singular.");
  });
  return inverse;
}
Tensor uncast_inverse(const Tensor& self) { return linalg_inv(self); }

std::tuple<Tensor, Tensor> linalg_ldl_factor(const Tensor& self, bool hermitian) {
  auto [ld, pivots, info] = linalg_ldl_factor_ex(self, hermitian, false);
  check_success(info, "torch.linalg.ldl_factor_ex", [](int i) {
    return str("D[", i, ",", i, "] is zero and using it on ldl_solve would result in a division by zero.");
  });
  return {ld, pivots};
}

Tensor linalg_det(const Tensor& A) { return std::get<0>(_linalg_det(A)); }
Tensor det(const Tensor& self) { return linalg_det(self); }
std::tuple<Tensor, Tensor> linalg_slogdet(const Tensor& A) {
  auto [sign, logabs, lu, pivots] = _linalg_slogdet(A);
  return {sign, logabs};
}
std::tuple<Tensor, Tensor> slogdet(const Tensor& self) { return linalg_slogdet(self); }
Tensor logdet(const Tensor& self) {
  auto [sign, logabs] = linalg_slogdet(self);
  if (self.is_complex()) return sign.log() + logabs;
  return where(sign.eq(-1), std::numeric_limits<double>::quiet_NaN(), logabs);
}

std::tuple<Tensor, Tensor, Tensor> uncast_linalg_svd(const Tensor& A, bool full_matrices,
                                                     std::optional<std::string_view> driver) {
  return _linalg_svd(A, full_matrices, true, driver);
}
Tensor uncast_linalg_svdvals(const Tensor& A, std::optional<std::string_view> driver) {
  return std::get<1>(_linalg_svd(A, false, records(A.word() | thread.modes), driver));
}
std::tuple<Tensor, Tensor, Tensor> uncast_svd(const Tensor& self, bool some, bool compute_uv) {
  check(self.dim() >= 2, "linalg.svd: input should have at least 2 dimensions, but has ", self.dim(),
        " dimensions instead");
  if (!compute_uv) {
    const Tensor s = linalg_svdvals(self);
    std::vector<std::int64_t> u = batch_of(self).vec(), v = u;
    u.insert(u.end(), {self.size(-2), self.size(-2)});
    v.insert(v.end(), {self.size(-1), self.size(-1)});
    return {zeros(u, self.options()), s, zeros(v, self.options())};
  }
  auto [u, s, vh] = linalg_svd(self, !some);
  return {u, s, vh.mH()};
}

std::tuple<Tensor, Tensor> uncast_linalg_eigh(const Tensor& self, std::string_view UPLO) {
  return _linalg_eigh(self, UPLO, true);
}
Tensor uncast_linalg_eigvalsh(const Tensor& self, std::string_view UPLO) {
  return std::get<0>(_linalg_eigh(self, UPLO, records(self.word() | thread.modes)));
}
Tensor uncast_linalg_eigvals(const Tensor& self) {
  if (records(self.word() | thread.modes)) return std::get<0>(linalg_eig(self));
  return _linalg_eigvals(self);
}

std::tuple<Tensor, Tensor> uncast_qr(const Tensor& self, bool some) {
  return linalg_qr(self, some ? "reduced" : "complete");
}

// --- products of reflectors -----------------------------------------------------------------------------

namespace {

// The i-th Householder vector: zeros, one, then the entries below the diagonal.
Tensor reflector(const Tensor& a, std::int64_t i) {
  const std::int64_t m = a.size(-2);
  Tensor unit = zeros({m}, a.options());
  unit[i].fill_(1);
  Tensor below = zeros({m}, a.options());
  if (i + 1 < m) below.narrow(0, i + 1, m - i - 1).fill_(1);
  return (a.select(-1, i) * below + unit).unsqueeze(-1);
}

// H_first ... applied to c from the left: c - tau v (v^H c).
Tensor reflect(const Tensor& c, const Tensor& v, const Tensor& tau) {
  return c - tau.unsqueeze(-1).unsqueeze(-1) * matmul(v, matmul(v.mH(), c));
}

// Q c or Q^H c, for Q = H_1 H_2 ... H_k.
Tensor apply_reflectors(const Tensor& a, const Tensor& tau, Tensor c, bool adjoint) {
  const std::int64_t k = tau.size(-1);
  if (k == 0) {  // nothing to apply; the result depends on the matrix still
    const Tensor none = a.narrow(-1, 0, 0);
    return c - matmul(none, matmul(none.mH(), c));
  }
  for (std::int64_t step = 0; step < k; ++step) {
    const std::int64_t i = adjoint ? step : k - 1 - step;
    const Tensor factor = tau.select(-1, i);
    c = reflect(c, reflector(a, i), adjoint ? factor.conj_physical() : factor);
  }
  return c;
}

}  // namespace

Tensor uncast_linalg_householder_product(const Tensor& input, const Tensor& tau) {
  const ShownAs shown("LinalgHouseholderProductBackward0");
  const char* op = "torch.linalg.householder_product";
  check(input.dim() >= 2, op, ": input must have at least 2 dimensions.");
  check(input.size(-2) >= input.size(-1), op, ": input.shape[-2] must be greater than or equal to input.shape[-1]");
  check(input.size(-1) >= tau.size(-1), op, ": input.shape[-1] must be greater than or equal to tau.shape[-1]");
  check(input.dim() - tau.dim() == 1, op,
        ": Expected tau to have one dimension less than input, but got tau.ndim equal to ", tau.dim(),
        " and input.ndim is equal to ", input.dim());
  check(IntArray(tau.sizes().first(tau.sizes().size() - 1)) == batch_of(input), op,
        ": Expected batch dimensions of tau to be equal to input.shape[:-2], but got ", tau.sizes());
  check(tau.dtype() == input.dtype(), op, ": tau dtype ", tau.dtype(), " does not match input dtype ", input.dtype());
  if (!records(input.word() | tau.word() | thread.modes)) return shown(_householder_product(input, tau));
  std::vector<std::int64_t> sizes = input.sizes().vec();
  Tensor unit = zeros(sizes, input.options());
  unit.diagonal(0, -2, -1).fill_(1);
  return shown(apply_reflectors(input, tau, unit, false));
}
Tensor uncast_orgqr(const Tensor& self, const Tensor& input2) { return linalg_householder_product(self, input2); }

Tensor uncast_ormqr(const Tensor& self, const Tensor& input2, const Tensor& input3, bool left, bool transpose) {
  const ShownAs shown("OrmqrBackward0");
  const char* op = "torch.ormqr";
  check(self.dim() >= 2, op, ": input must have at least 2 dimensions.");
  check(input3.dim() >= 2, op, ": other must have at least 2 dimensions.");
  const std::int64_t side = input3.size(left ? -2 : -1);
  check(side >= input2.size(-1), op, ": other.shape[", left ? -2 : -1,
        "] must be greater than or equal to tau.shape[-1]");
  check(side == self.size(-2), op, ": other.shape[", left ? -2 : -1, "] must be equal to input.shape[-2]");
  check(self.size(-1) >= input2.size(-1), op, ": tau.shape[-1] must be less than or equal to input.shape[-1]");
  check(self.dim() - input2.dim() == 1, op,
        ": Expected tau to have one dimension less than input, but got tau.ndim equal to ", input2.dim(),
        " and input.ndim is equal to ", self.dim());
  check(self.dim() == input3.dim(), op,
        ": Expected other to have the same number of dimensions as input, but got other.ndim equal to ", input3.dim(),
        " and input.ndim is equal to ", self.dim());
  check(batch_of(self) == batch_of(input3), op,
        ": Expected batch dimensions of other to be equal to input.shape[:-2], but got ", input3.sizes());
  check(self.dtype() == input2.dtype() && self.dtype() == input3.dtype(), op,
        ": Expected input, tau and other to have the same dtype");
  if (left) return shown(apply_reflectors(self, input2, input3, transpose));
  return shown(apply_reflectors(self, input2, input3.mH(), !transpose).mH());
}

// --- solvers ------------------------------------------------------------------------------------------------

std::tuple<Tensor, Tensor> linalg_solve_ex(const Tensor& A, const Tensor& B, bool left, bool check_errors) {
  const char* op = "linalg.solve";
  check_type(A, op);
  check_square(A, op, "A");
  check(A.dtype() == B.dtype(), op, ": Expected A and B to have the same dtype, but found A of type ", A.dtype(),
        " and B of type ", B.dtype(), " instead");
  const bool vector =
      B.dim() == 1 || (A.dim() - 1 == B.dim() && B.sizes() == IntArray(A.sizes().first(A.sizes().size() - 1)));
  check(left || !vector, op,
        ": Vector broadcasting of the left hand side is not supported for left=False. In this case linalg.solve is "
        "equivalent to B / A.squeeze(-1)");
  const Tensor sides = vector ? B.unsqueeze(-1) : B;
  check(sides.dim() >= 2 && A.size(-1) == sides.size(left ? -2 : -1), op,
        ": Incompatible shapes of A and B for the equation ", left ? "AX = B" : "XA = B", " (", A.size(-2), "x",
        A.size(-1), " and ", sides.dim() >= 2 ? sides.size(-2) : 0, "x", sides.dim() >= 1 ? sides.size(-1) : 0, ")");
  std::vector<std::int64_t> batch = broadcast_batches(batch_of(A), batch_of(sides)), a_sizes = batch, b_sizes = batch;
  for (const std::int64_t d : {-2, -1}) {
    a_sizes.push_back(A.size(d));
    b_sizes.push_back(sides.size(d));
  }
  auto [x, lu, pivots, info] = _linalg_solve_ex(A.expand(a_sizes), sides.expand(b_sizes), left, check_errors);
  const ShownAs shown("LinalgSolveExBackward0");
  return {vector ? shown(x.squeeze(-1)) : x, info};
}
Tensor uncast_linalg_solve(const Tensor& A, const Tensor& B, bool left) {
  auto [x, info] = linalg_solve_ex(A, B, left, false);
  check_success(info, "torch.linalg.solve",
                [](int) { return std::string("The solver failed because the input matrix is singular."); });
  return x;
}

std::tuple<Tensor, Tensor> uncast_triangular_solve(const Tensor& self, const Tensor& A, bool upper, bool transpose,
                                                   bool unitriangular) {
  check(self.dim() >= 2 && A.dim() >= 2,
        "torch.triangular_solve: Expected b and A to have at least 2 dimensions, but they have ", self.dim(), " and ",
        A.dim(), " dimensions");
  const Tensor matrix = transpose ? A.mT() : A;
  const ShownAs shown("TriangularSolveBackward0");
  return {shown(linalg_solve_triangular(matrix, self, upper != transpose, true, unitriangular)), shown(A.clone())};
}

std::tuple<Tensor, Tensor, Tensor, Tensor> uncast_linalg_lstsq(const Tensor& self, const Tensor& b,
                                                               std::optional<double> rcond,
                                                               std::optional<std::string_view> driver) {
  const char* op = "torch.linalg.lstsq";
  check(self.dim() >= 2, op, ": input must have at least 2 dimensions.");
  check(b.dim() >= 1, op, ": other must have at least 1 dimension.");
  check(self.dtype() == b.dtype(), op, ": Expected input and other to have the same dtype, but got input's dtype ",
        self.dtype(), " and other's dtype ", b.dtype());
  const std::int64_t gap = self.dim() - b.dim();
  check(gap == 0 || gap == 1, op,
        ": input.dim() must be greater or equal to other.dim() and (input.dim() - other.dim()) <= 1");
  const bool vector = gap == 1;
  check(vector ? self.size(-2) == b.size(-1) : self.size(-2) == b.size(-2), op,
        ": input.size(-2) should match other.size(", vector ? -1 : -2, ")");
  const std::string_view method = driver.value_or("gelsy");
  check(method == "gels" || method == "gelsy" || method == "gelsd" || method == "gelss", op,
        ": parameter `driver` should be one of (gels, gelsy, gelsd, gelss)");
  const Tensor sides = vector ? b.unsqueeze(-1) : b;
  const double eps = to_real(self.dtype()) == kFloat32 ? std::numeric_limits<float>::epsilon()
                                                       : std::numeric_limits<double>::epsilon();
  const double condition = rcond.value_or(eps * static_cast<double>(std::max(self.size(-1), self.size(-2))));
  std::vector<std::int64_t> batch = broadcast_batches(batch_of(self), batch_of(sides)), a_sizes = batch,
                            b_sizes = batch;
  for (const std::int64_t d : {-2, -1}) {
    a_sizes.push_back(self.size(d));
    b_sizes.push_back(sides.size(d));
  }
  const Tensor a = self.expand(a_sizes), rhs = sides.expand(b_sizes);
  auto [x, residuals, rank, values] = _linalg_lstsq(a.detach(), rhs.detach(), condition, method);
  if (records(self.word() | b.word() | thread.modes)) {  // differentiable where the rank is full
    x = matmul(linalg_pinv(a, std::optional<Tensor>(), std::optional<Tensor>(), false), rhs);
    if (residuals.numel())
      residuals = (matmul(a, x) - rhs).abs().square().sum(IntArray{-2});
    else
      residuals = x.narrow(-1, 0, 0).reshape({0}).abs();  // a part of the graph, too
  }
  if (vector) x = x.squeeze(-1);
  show_as(x, "LinalgLstsqBackward0");
  show_as(residuals, "LinalgLstsqBackward0");
  return {x, residuals, rank, values};
}

Tensor uncast_linalg_tensorinv(const Tensor& self, std::int64_t ind) {
  check(ind > 0, "Expected a strictly positive integer for 'ind', but got ", ind);
  std::vector<std::int64_t> front(self.sizes().begin(), self.sizes().begin() + std::min(ind, self.dim())),
      back(self.sizes().begin() + std::min(ind, self.dim()), self.sizes().end());
  std::int64_t rows = 1, columns = 1;
  for (const std::int64_t size : front)
    rows *= size;
  for (const std::int64_t size : back)
    columns *= size;
  check(rows == columns,
        "Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got ", columns,
        " != ", rows);
  std::vector<std::int64_t> shape = back;
  shape.insert(shape.end(), front.begin(), front.end());
  auto [inverse, info] = linalg_inv_ex(self.reshape({rows, columns}), false);
  check_success(info, "inv", [](int i) {
    return str("the diagonal element ", i,
               " is zero, the inversion could not be completed because the input matrix is singular.");
  });
  return inverse.reshape(shape);
}

Tensor uncast_linalg_tensorsolve(const Tensor& self, const Tensor& other, OptionalIntArray dims) {
  Tensor a = self;
  if (dims) {
    std::vector<std::int64_t> targets;
    const auto count = static_cast<std::int64_t>(dims->size());
    for (std::int64_t i = 0; i < count; ++i)
      targets.push_back(self.dim() - count + i);
    a = self.movedim(*dims, targets);
  }
  std::vector<std::int64_t> result(a.sizes().begin() + other.dim(), a.sizes().end());
  std::int64_t rows = other.numel(), columns = 1;
  for (const std::int64_t size : result)
    columns *= size;
  check(rows == columns,
        "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == prod(self.shape[:other.ndim]), but "
        "got ",
        columns, " != ", rows);
  return linalg_solve(a.reshape({columns, columns}), other.reshape({-1})).reshape(result);
}

// --- inverses of any matrix ---------------------------------------------------------------------------------

Tensor linalg_pinv(const Tensor& self, std::optional<double> atol, std::optional<double> rtol, bool hermitian) {
  const auto number = [&](std::optional<double> value) {
    return value ? std::optional<Tensor>(full({}, *value, TensorOptions(to_real(self.dtype()), self.device())))
                 : std::nullopt;
  };
  return linalg_pinv(self, number(atol), number(rtol), hermitian);
}
Tensor linalg_pinv(const Tensor& self, double rcond, bool hermitian) {
  return linalg_pinv(self, std::optional<double>(0.0), std::optional<double>(rcond), hermitian);
}
Tensor linalg_pinv(const Tensor& self, const Tensor& rcond, bool hermitian) {
  return linalg_pinv(self, std::optional<Tensor>(zeros({}, TensorOptions(to_real(self.dtype()), self.device()))),
                     std::optional<Tensor>(rcond), hermitian);
}
Tensor uncast_pinverse(const Tensor& self, double rcond) { return linalg_pinv(self, rcond, false); }

namespace {
Tensor rank_above(const Tensor& self, const std::optional<Tensor>& atol, const std::optional<Tensor>& rtol,
                  bool hermitian) {
  check_matrices(self, "linalg.matrix_rank", "input");
  const NoGradGuard guard;
  const TensorOptions type(to_real(self.dtype()), self.device());
  const Tensor values = hermitian ? linalg_eigvalsh(self).abs() : linalg_svdvals(self);
  if (self.numel() == 0) return zeros(batch_of(self), TensorOptions(kInt64, self.device()));
  const double eps = to_real(self.dtype()) == kFloat32 ? std::numeric_limits<float>::epsilon()
                                                       : std::numeric_limits<double>::epsilon();
  const Tensor absolute = atol ? atol->to(type) : zeros({}, type);
  Tensor relative =
      rtol ? rtol->to(type) : full({}, static_cast<double>(std::max(self.size(-1), self.size(-2))) * eps, type);
  if (atol && !rtol) relative = where(absolute > 0, zeros({}, type), relative);
  const Tensor limit = maximum(absolute, relative * values.amax(IntArray{-1})).unsqueeze(-1);
  return (values > limit).sum(IntArray{-1});
}
}  // namespace

Tensor uncast_linalg_matrix_rank(const Tensor& input, const std::optional<Tensor>& atol,
                                 const std::optional<Tensor>& rtol, bool hermitian) {
  return rank_above(input, atol, rtol, hermitian);
}
Tensor uncast_linalg_matrix_rank(const Tensor& self, std::optional<double> atol, std::optional<double> rtol,
                                 bool hermitian) {
  const auto number = [&](std::optional<double> value) {
    return value ? std::optional<Tensor>(full({}, *value, TensorOptions(to_real(self.dtype()), self.device())))
                 : std::nullopt;
  };
  return rank_above(self, number(atol), number(rtol), hermitian);
}
Tensor uncast_linalg_matrix_rank(const Tensor& self, double tol, bool hermitian) {
  return linalg_matrix_rank(self, std::optional<double>(tol), std::optional<double>(0.0), hermitian);
}
Tensor uncast_linalg_matrix_rank(const Tensor& input, const Tensor& tol, bool hermitian) {
  return rank_above(input, tol, zeros({}, TensorOptions(to_real(input.dtype()), input.device())), hermitian);
}

// --- powers and exponentials ------------------------------------------------------------------------------------

Tensor linalg_matrix_power(const Tensor& self, std::int64_t n) {
  check_square(self, "linalg.matrix_power", "A");
  if (n == 0) {
    Tensor unit = zeros(self.sizes(), self.options());
    unit.diagonal(0, -2, -1).fill_(1);
    return self.clone().copy_(unit);  // a constant, but a part of the graph
  }
  if (n < 0) return linalg_matrix_power(linalg_inv(self), -n);
  Tensor power = self, result;
  for (; n; n >>= 1) {
    if (n & 1) result = result.defined() ? matmul(result, power) : power;
    if (n > 1) power = matmul(power, power);
  }
  return result.is_same(self) ? self.clone() : result;
}
Tensor matrix_power(const Tensor& self, std::int64_t n) { return linalg_matrix_power(self, n); }

// Scaling and squaring around a Taylor polynomial of degree 18, whose remainder is below double precision for norms up
// to 1. Source: Higham, Functions of Matrices, 2008, chapter 10; the polynomial is summed by Horner's rule.
Tensor uncast_linalg_matrix_exp(const Tensor& self) {
  const ShownAs shown("LinalgMatrixExpBackward0");
  if (is_reduced_float(self.dtype())) return shown(linalg_matrix_exp(self.to(kFloat32)).to(self.dtype()));
  check_type(self, "linalg.matrix_exp");
  check_square(self, "linalg.matrix_exp", "A");
  if (self.numel() == 0) return shown(self.clone());
  int squarings = 0;
  if (!self.is_meta()) {
    const NoGradGuard guard;
    const double norm = self.detach().abs().sum(IntArray{-2}).amax().item().to_double();
    if (std::isfinite(norm) && norm > 1) squarings = static_cast<int>(std::ceil(std::log2(norm)));
  }
  const Tensor scaled = squarings ? self * std::ldexp(1.0, -squarings) : self;
  Tensor unit = zeros({self.size(-1), self.size(-1)}, self.options());
  unit.diagonal(0, -2, -1).fill_(1);
  constexpr int kDegree = 18;
  Tensor sum = unit + scaled * (1.0 / kDegree);
  for (int i = kDegree - 1; i > 0; --i)
    sum = unit + matmul(scaled, sum) * (1.0 / i);
  for (int i = 0; i < squarings; ++i)
    sum = matmul(sum, sum);
  return shown(sum);
}
Tensor uncast_matrix_exp(const Tensor& self) { return linalg_matrix_exp(self); }

Tensor linalg_vander(const Tensor& x, std::optional<std::int64_t> N) {
  check(x.dtype() != kBool, "linalg.vander: Expected an integral, floating or complex tensor, but got ", x.dtype());
  if (x.dim() == 0) return linalg_vander(x.unsqueeze(0), N);
  const std::int64_t n = N.value_or(x.size(-1));
  check(n > 1, "linalg.vander: N must be greater than 1, but got ", n);
  const Dtype type = is_integral(x.dtype()) ? promote(kInt64, x.dtype()) : x.dtype();
  std::vector<std::int64_t> sizes = x.sizes().vec();
  sizes.push_back(n - 1);
  std::vector<std::int64_t> first = x.sizes().vec();
  first.push_back(1);
  const Tensor powers = cumprod(x.to(type).unsqueeze(-1).expand(sizes), -1);
  return cat({ones(first, TensorOptions(type, x.device())), powers}, -1);
}

Tensor linalg_diagonal(const Tensor& A, std::int64_t offset, std::int64_t dim1, std::int64_t dim2) {
  return A.diagonal(offset, dim1, dim2);
}

Tensor uncast_trace(const Tensor& self) {
  const ShownAs shown("TraceBackward0");
  check(self.dim() == 2, "trace: expected a matrix, but got tensor with dim ", self.dim());
  return shown(self.diagonal().sum());
}

// --- norms --------------------------------------------------------------------------------------------------------

namespace {

Tensor typed(const Tensor& self, std::optional<Dtype> dtype) { return dtype ? self.to(*dtype) : self; }

// The two dimensions of a matrix norm moved to the end.
struct MatrixDims {
  std::int64_t first, second;
};
MatrixDims matrix_dims(const Tensor& self, IntArray dim, const char* op) {
  check(dim.size() == 2, op, ": dim must be a 2-tuple. Got ", dim);
  check(self.dim() >= 2, op, ": The input tensor A must have at least 2 dimensions.");
  const std::int64_t first = wrap_dim(dim[0], self.dim(), op), second = wrap_dim(dim[1], self.dim(), op);
  check(first != second, op, ": dims must be different. Got (", dim[0], ", ", dim[1], ")");
  return {first, second};
}
Tensor keep_both(Tensor result, const MatrixDims& dims, bool keepdim) {
  if (!keepdim) return result;
  return result.unsqueeze(std::min(dims.first, dims.second)).unsqueeze(std::max(dims.first, dims.second));
}

Tensor singular_values(const Tensor& self, const MatrixDims& dims) {
  return linalg_svdvals(self.movedim({dims.first, dims.second}, {-2, -1}));
}

}  // namespace

Tensor linalg_matrix_norm(const Tensor& self, const Scalar& ord, IntArray dim, bool keepdim,
                          std::optional<Dtype> dtype) {
  const char* op = "linalg.matrix_norm";
  const Tensor a = typed(self, dtype);
  check_real_or_complex(a, op);
  const MatrixDims dims = matrix_dims(a, dim, op);
  const double p = ord.to_double();
  const auto extreme = [&](const Tensor& values, std::int64_t along, bool keep) {  // the largest of none is zero
    if (p < 0) return values.amin(IntArray{along}, keep);
    return values.size(along) ? values.amax(IntArray{along}, keep) : values.sum(IntArray{along}, keep);
  };
  if (std::abs(p) == 2) {
    check_type(a, op);
    return keep_both(extreme(singular_values(a, dims), -1, false), dims, keepdim);
  }
  check(std::abs(p) == 1 || std::isinf(p), op, ": Order ", p, " not supported.");
  std::int64_t summed = std::isinf(p) ? dims.second : dims.first, kept = std::isinf(p) ? dims.first : dims.second;
  const Tensor sums = linalg_vector_norm(a, 1, IntArray{summed}, keepdim);
  if (!keepdim && kept > summed) --kept;
  return extreme(sums, kept, keepdim);
}

Tensor linalg_matrix_norm(const Tensor& self, std::string_view ord, IntArray dim, bool keepdim,
                          std::optional<Dtype> dtype) {
  const char* op = "linalg.matrix_norm";
  const Tensor a = typed(self, dtype);
  check_real_or_complex(a, op);
  const MatrixDims dims = matrix_dims(a, dim, op);
  if (ord == "fro") return linalg_vector_norm(a, 2, IntArray{dims.first, dims.second}, keepdim);
  check(ord == "nuc", op, ": Order ", ord, " not supported.");
  check_type(a, op);
  return keep_both(singular_values(a, dims).sum(IntArray{-1}), dims, keepdim);
}

Tensor linalg_norm(const Tensor& self, const std::optional<Scalar>& ord, OptionalIntArray dim, bool keepdim,
                   std::optional<Dtype> dtype) {
  if (dim)
    check(dim->size() == 1 || dim->size() == 2, "linalg.norm: If dim is specified, it must be of length 1 or 2. Got ",
          *dim);
  else if (ord)
    check(self.dim() == 1 || self.dim() == 2,
          "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got ", self.dim(), "D.");
  if (ord && ((dim && dim->size() == 2) || (!dim && self.dim() == 2))) {
    std::vector<std::int64_t> dims = dim ? dim->vec() : std::vector<std::int64_t>{0, 1};
    return linalg_matrix_norm(self, *ord, dims, keepdim, dtype);
  }
  return linalg_vector_norm(self, ord.value_or(Scalar(2)), dim, keepdim, dtype);
}
Tensor linalg_norm(const Tensor& self, std::string_view ord, OptionalIntArray dim, bool keepdim,
                   std::optional<Dtype> dtype) {
  if (dim)
    check(dim->size() == 1 || dim->size() == 2, "linalg.norm: If dim is specified, it must be of length 1 or 2. Got ",
          *dim);
  else
    check(self.dim() == 1 || self.dim() == 2,
          "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got ", self.dim(), "D.");
  const std::vector<std::int64_t> dims = dim ? dim->vec() : std::vector<std::int64_t>{0, 1};
  return linalg_matrix_norm(self, ord, dims, keepdim, dtype);
}

Tensor frobenius_norm(const Tensor& self, IntArray dim, bool keepdim) {
  check(dim.size() <= 2, "Expected at most 2 dimensions, but got ", dim.size(), " dimensions instead.");
  return linalg_vector_norm(self, 2, dim.empty() ? OptionalIntArray() : OptionalIntArray(dim), keepdim);
}
Tensor nuclear_norm(const Tensor& self, bool keepdim) {
  check(self.dim() == 2, "Expected a tensor with 2 dimensions, but got a tensor with ", self.dim(),
        " dimension(s) instead.");
  return linalg_matrix_norm(self, std::string_view("nuc"), {0, 1}, keepdim);
}
Tensor nuclear_norm(const Tensor& self, IntArray dim, bool keepdim) {
  return linalg_matrix_norm(self, std::string_view("nuc"), dim, keepdim);
}

Tensor uncast_linalg_cond(const Tensor& self, const std::optional<Scalar>& p) {
  check_matrices(self, "linalg.cond", "A");
  const double order = p ? p->to_double() : 2;
  if (std::abs(order) == 2) {
    const Tensor values = linalg_svdvals(self);
    if (self.numel() == 0) return zeros(batch_of(self), TensorOptions(to_real(self.dtype()), self.device()));
    const Tensor high = values.select(-1, 0), low = values.select(-1, -1);
    return order < 0 ? low / high : high / low;
  }
  check_square(self, "linalg.cond", "A");
  if (self.numel() == 0) return zeros(batch_of(self), TensorOptions(to_real(self.dtype()), self.device()));
  auto [inverse, info] = linalg_inv_ex(self, false);
  const Tensor product = linalg_matrix_norm(self, *p) * linalg_matrix_norm(inverse, *p);
  return where(info > 0, std::numeric_limits<double>::infinity(), product);
}
Tensor uncast_linalg_cond(const Tensor& self, std::string_view p) {
  check_square(self, "linalg.cond", "A");
  check(p == "fro" || p == "nuc", "linalg.cond got an invalid norm type: ", p);
  if (self.numel() == 0) return zeros(batch_of(self), TensorOptions(to_real(self.dtype()), self.device()));
  if (p == "nuc") return linalg_matrix_norm(self, p) * linalg_matrix_norm(linalg_inv(self), p);
  auto [inverse, info] = linalg_inv_ex(self, false);
  return where(info > 0, std::numeric_limits<double>::infinity(),
               linalg_matrix_norm(self, p) * linalg_matrix_norm(inverse, p));
}

}  // namespace rushlight
