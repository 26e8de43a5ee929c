// Products with sparse matrices: dense results, sparse results, and products at given indices.
#include "ops/kernels/sparse.h"
#include "ops/sparse.h"
#include "rushlight/sparse.h"

namespace rushlight {
namespace {

using Sizes = std::vector<std::int64_t>;

void check_product(const Tensor& a, const Tensor& b, const char* op) {
  check(a.dim() == 2 && b.dim() == 2, op, ": Expected two matrices, got tensors of ", a.dim(), "D and ", b.dim(), "D");
  check(a.sizes()[1] == b.sizes()[0], op, ": mat1 and mat2 shapes cannot be multiplied (", a.sizes()[0], "x",
        a.sizes()[1], " and ", b.sizes()[0], "x", b.sizes()[1], ")");
  check(a.dtype() == b.dtype(), op, ": expected mat1 and mat2 to have the same dtype, but got: ", name(a.dtype()),
        " != ", name(b.dtype()));
  check<NotImplementedError>(!is_stored_only(a.dtype()), "\"", op, "\" not implemented for sparse matrices of '",
                             scalar_type_name(a.dtype()), "'");
}

Tensor sparse_dense(const Rows& rows, const Tensor& dense) {
  const Tensor out = empty_tensor({rows.pointers.numel() - 1, dense.sizes()[1]}, dense.dtype());
  sparse_dense_kernel(out.device(), out, rows.pointers, rows.columns, rows.values, dense.contiguous());
  return out;
}

// (sparse^T dense^T)^T, so that rows of the result are still written once.
Tensor dense_sparse(const Tensor& dense, const Tensor& sparse, const char* op) {
  const Tensor turned = sparse.detach().transpose(0, 1);
  return sparse_dense(rows_of(turned, op), dense.detach().t()).t().contiguous();
}

Tensor sparse_sparse(const Tensor& self, const Tensor& other, const char* op) {
  const Rows a = rows_of(self, op), b = rows_of(other, op);
  const std::int64_t width = other.sizes()[1];
  const Tensor counts = empty_tensor({self.sizes()[0]}, kInt64);
  const SparseRows left{a.pointers, a.columns, a.values}, right{b.pointers, b.columns, b.values};
  sparse_product_counts_kernel(counts.device(), counts, left, right, width);
  const Tensor pointers = zeros({counts.numel() + 1}, kInt64);
  pointers.narrow(0, 1, counts.numel()).copy_(counts.cumsum(0));
  const std::int64_t count = pointers.select(0, -1).item<std::int64_t>();
  const Tensor columns = empty_tensor({count}, kInt64), values = empty_tensor({count}, self.dtype());
  sparse_product_kernel(values.device(), {pointers, columns, values}, left, right, width);
  const Sizes sizes{self.sizes()[0], width};
  const Tensor result = make_compressed(Layout::kSparseCsr, pointers, columns, values, sizes);
  if (is_compressed(self)) return result;
  return make_coo(coo_indices(result), values, sizes, true);
}

Tensor product(const Tensor& self, const Tensor& other, const char* op) {
  check_product(self, other, op);
  const NoGradGuard no_grad;
  if (!is_sparse(self) && !is_sparse(other)) return self.mm(other);
  if (is_sparse(self) && is_sparse(other)) return sparse_sparse(self, other, op);
  return is_sparse(self) ? sparse_dense(rows_of(self, op), other) : dense_sparse(self, other, op);
}

Tensor scaled(const Tensor& tensor, const Scalar& factor) { return factor.is_one() ? tensor : tensor.mul(factor); }

Tensor plus_product(const Tensor& self, const Tensor& made, const Scalar& beta, const Scalar& alpha, const char* op) {
  const Tensor product = scaled(made, alpha);
  const bool none = !beta.is_complex() && beta.to_double() == 0;
  if (is_sparse(made)) {
    check(is_sparse(self), op, ": a sparse product cannot be added to a dense matrix");
    return none ? product : scaled(self, beta).add(product);
  }
  check(!is_sparse(self), op, ": Expected a dense matrix to add the product to, got ", self);
  if (none) return product;
  const Sizes sizes = made.sizes().vec();
  return scaled(self.expand(sizes), beta).add(product);
}

void need_no_grad(const char* op, std::initializer_list<const Tensor*> tensors) {
  if (thread.modes & kGradOff) return;
  for (const Tensor* each : tensors)
    check(!each->requires_grad(), "derivative for aten::", op, " is not implemented; use torch.sparse.mm");
}

}  // namespace

namespace ops {

Tensor sparse_mm(const Tensor& self, const Tensor& mat2) { return product(self, mat2, "mm"); }
Tensor sparse_mm_nt(const Tensor& self, const Tensor& mat2) {
  const NoGradGuard no_grad;
  return product(self, mat2.t(), "linear");
}
Tensor sparse_mv(const Tensor& self, const Tensor& vec) {
  check(vec.dim() == 1 && self.dim() == 2 && !is_sparse(vec), "mv: vector + matrix @ vector expected, got ", self,
        " and ", vec);
  const NoGradGuard no_grad;
  return alias(product(self, vec.unsqueeze(1), "mv"), IntArray{self.sizes()[0]}, nullptr, 0);
}
Tensor sparse_addmv(const Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar& beta, const Scalar& alpha) {
  const NoGradGuard no_grad;
  return plus_product(self, sparse_mv(mat, vec), beta, alpha, "addmv");
}
Tensor sparse_addmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta,
                    const Scalar& alpha) {
  const NoGradGuard no_grad;
  return plus_product(self, product(mat1, mat2, "addmm"), beta, alpha, "addmm");
}
Tensor _sparse_addmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta,
                     const Scalar& alpha) {
  const NoGradGuard no_grad;
  return rushlight::addmm(self, mat1, mat2, beta, alpha);
}
Tensor _sparse_sparse_matmul(const Tensor& self, const Tensor& other) {
  throw NotImplementedError(str("_sparse_sparse_matmul: both operands must be sparse, got ", self, " and ", other));
}
Tensor sparse_addmm_nt(const Tensor& self, const Tensor& mat1, const Tensor& mat2) {
  const NoGradGuard no_grad;
  return plus_product(self, product(mat1, mat2.t(), "linear"), Scalar(1), Scalar(1), "linear");
}

// One block-diagonal matrix of all the batches.
Tensor sparse_bmm(const Tensor& self, const Tensor& mat2) {
  check(is_coo(self) && !is_sparse(mat2), "bmm_sparse: Tensor 'self' must be sparse_coo and 'mat2' dense, got ", self,
        " and ", mat2);
  check(self.dim() == 3 && dense_dim(self) == 0 && mat2.dim() == 3, "bmm_sparse: Tensor 'self' and 'mat2' must have ",
        "3 dims, but got ", self.dim(), " and ", mat2.dim());
  const std::int64_t batch = self.sizes()[0], m = self.sizes()[1], k = self.sizes()[2], n = mat2.sizes()[2];
  check(mat2.sizes()[0] == batch && mat2.sizes()[1] == k, "bmm_sparse: 'self.size(0)' and 'mat2.size(0)' must match ",
        "and 'self.size(2)' and 'mat2.size(1)' must match, got shapes ", self.sizes(), " and ", mat2.sizes());
  const NoGradGuard no_grad;
  const SparseParts& parts = sparse_parts(self);
  check_indices(parts.indices, self.sizes(), "bmm");
  const Tensor which = parts.indices.select(0, 0);
  const Tensor places[] = {parts.indices.select(0, 1).add(which.mul(Scalar(m))),
                           parts.indices.select(0, 2).add(which.mul(Scalar(k)))};
  const Tensor matrix = make_coo(stack({places, 2}, 0), parts.values, {batch * m, batch * k}, parts.coalesced);
  return alias(product(matrix, mat2.reshape({batch * k, n}), "bmm"), {batch, m, n}, nullptr, 0);
}

Tensor sparse_sampled_addmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta,
                            const Scalar& alpha) {
  constexpr const char* op = "sampled_addmm";
  check(self.layout() == Layout::kSparseCsr, op, ": Expected self to have sparse csr layout, but got ",
        layout_title(self.layout()));
  check(!is_sparse(mat1) && !is_sparse(mat2), op, ": Expected mat1 and mat2 to be dense");
  check_product(mat1, mat2, op);
  check(self.dtype() == mat1.dtype(), op, ": Expected mat1 and self to have the same dtype, but got ",
        name(mat1.dtype()), " and ", name(self.dtype()));
  check(mat1.sizes()[0] == self.sizes()[0] && mat2.sizes()[1] == self.sizes()[1], op,
        ": self.shape and the shape of the product must match, got ", self.sizes(), " and ",
        IntArray{mat1.sizes()[0], mat2.sizes()[1]});
  const NoGradGuard no_grad;
  const Tensor indices = coo_indices(self);
  const Tensor values = empty_tensor({nnz_of(self)}, self.dtype());
  sampled_product_kernel(values.device(), values, indices.select(0, 0), indices.select(0, 1).contiguous(),
                         mat1.contiguous(), mat2.t().contiguous());
  return with_values(self, scaled(values, alpha).add(scaled(sparse_parts(self).values, beta)));
}

}  // namespace ops

Tensor _sparse_mm(const Tensor& sparse, const Tensor& dense) {
  if (is_sparse(sparse) && is_coo(sparse) && is_coo(dense)) return _sparse_sparse_matmul(sparse, dense);
  if (is_sparse(sparse) && is_sparse(dense)) return mm(sparse, dense);
  check(is_sparse(sparse) || is_sparse(dense), "sparse.mm: one of the operands must be sparse, got ", sparse, " and ",
        dense);
  const Tensor none = zeros({}, TensorOptions(dense.dtype()));
  check_product(sparse, dense, "sparse.mm");
  return _sparse_addmm(none.expand({sparse.size(0), dense.size(1)}), sparse, dense, Scalar(0), Scalar(1));
}

// Scaled rows of `dense`, reduced by row of the sparse matrix.
Tensor _sparse_mm(const Tensor& sparse, const Tensor& dense, std::string_view reduce) {
  if (reduce == "sum") return _sparse_mm(sparse, dense);
  check(sparse.layout() == Layout::kSparseCsr && !is_sparse(dense),
        "sparse.mm(reduce): expected a sparse_csr and a dense operand, got ", sparse, " and ", dense);
  check(reduce == "mean" || reduce == "amax" || reduce == "amin", "sparse.mm: reduce argument must be either sum, ",
        "mean, amax or amin, got ", reduce);
  check_product(sparse, dense, "sparse.mm");
  const Tensor indices = coo_indices(sparse);
  const Tensor terms = dense.index_select(0, indices.select(0, 1)).mul(values(sparse).unsqueeze(1));
  const Tensor start = zeros({sparse.size(0), dense.size(1)}, terms.options());
  return start.index_reduce(0, indices.select(0, 0), terms, reduce, false);
}

Tensor spmm(const Tensor& self, const Tensor& mat2) { return mm(self, mat2); }

Tensor sspaddmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta, const Scalar& alpha) {
  need_no_grad("sspaddmm", {&self, &mat1, &mat2});
  check(is_coo(self) && is_coo(mat1) && !is_sparse(mat2),
        "sspaddmm: expected sparse_coo 'self' and 'mat1' and a dense 'mat2', got layouts ", layout_title(self.layout()),
        ", ", layout_title(mat1.layout()), " and ", layout_title(mat2.layout()));
  const Tensor left = scaled(self, beta), right = scaled(to_sparse(mm(mat1, mat2)), alpha);
  check(left.sizes() == right.sizes(), "sspaddmm: expected 'self' of shape ", right.sizes(), ", got ", left.sizes());
  const Tensor places[] = {_indices(left), _indices(right)}, numbers[] = {_values(left), _values(right)};
  return sparse_coo_tensor(cat({places, 2}, 1), cat({numbers, 2}, 0), left.sizes());
}
Tensor smm(const Tensor& self, const Tensor& mat2) {
  need_no_grad("sspaddmm", {&self, &mat2});
  check_product(self, mat2, "smm");
  return sspaddmm(sparse_coo_tensor({self.size(0), mat2.size(1)}, TensorOptions(self.dtype())), self, mat2, Scalar(0),
                  Scalar(1));
}

// Rows without an element of `mat1` are left out.
Tensor hspmm(const Tensor& mat1, const Tensor& mat2) {
  need_no_grad("hspmm", {&mat1, &mat2});
  check(is_coo(mat1) && !is_sparse(mat2), "hspmm: expected a sparse_coo 'mat1' and a dense 'mat2', got ", mat1, " and ",
        mat2);
  const Tensor dense = mm(mat1, mat2);
  const Tensor rows = std::get<0>(_unique2(_indices(mat1).select(0, 0)));
  return sparse_coo_tensor(rows.unsqueeze(0), dense.index_select(0, rows), dense.sizes(), {}, true);
}

}  // namespace rushlight
