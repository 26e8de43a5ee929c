// Derivatives of sparse operators, in differentiable operators.
#include "autograd/formulas_sparse.h"

#include "batching/batched.h"
#include "ops/kernels/sparse.h"
#include "ops/sparse.h"
#include "rushlight/sparse.h"
#include "tensor/dims.h"

namespace rushlight {

Tensor sparse_softmax_gradient(const Tensor& grad, const Tensor& result, std::int64_t dim, bool log);

Tensor sparse_constructor_values_backward(const Tensor& grad, const Tensor& indices) {
  return _sparse_take(grad, indices.to(kInt64));
}
Tensor sparse_compressed_values_backward(const Tensor& grad, const Tensor& result) {
  return _sparse_take(grad, coo_indices(result));
}

Tensor values_backward(const Tensor& grad, const Tensor& self) {
  const SparseParts& parts = sparse_parts(self);
  if (is_coo(self)) return _sparse_coo_tensor_unsafe(parts.indices, grad, self.sizes(), parts.coalesced);
  return _sparse_compressed_tensor_unsafe(parts.indices, parts.plain, grad, self.sizes(), parts.layout);
}

Tensor to_dense_backward(const Tensor& grad, const Tensor& self, std::optional<bool> masked_grad) {
  const Tensor typed = grad.dtype() == self.dtype() ? grad : grad.to(self.dtype());
  if (masked_grad.value_or(true)) return sparse_mask(typed, is_coo(self) ? coalesced(self) : self);
  return is_coo(self) ? to_sparse(typed, sparse_dim(self)) : to_sparse(typed, self.layout());
}

Tensor to_sparse_backward(const Tensor& grad, const Tensor& self) {
  if (!is_sparse(self)) return to_dense(grad);
  return grad.layout() == self.layout() ? grad : to_sparse(grad, self.layout());
}

Tensor sparse_mask_backward(const Tensor& grad, const Tensor& self, const Tensor& mask) {
  return is_sparse(self) ? grad : to_dense(at_indices(grad, mask));
}
Tensor sparse_take_backward(const Tensor& grad, const Tensor& self, const Tensor& indices) {
  const Tensor sparse = _sparse_coo_tensor_unsafe(indices, grad, self.sizes());
  if (!is_sparse(self)) return to_dense(sparse);
  return is_coo(self) ? sparse : to_sparse(sparse, self.layout());
}

Tensor sparse_addmm_sparse_backward(const Tensor& grad, const Tensor& mat1, const Tensor& mat2, const Scalar& alpha) {
  if (!is_sparse(mat1)) return scaled_gradient(grad.mm(mat2.conj().t()), alpha);
  if (batching::needs_operators(grad) || is_sparse(mat2) || is_sparse(grad) || !is_coo(mat1))
    return scaled_gradient(sparse_mask_of(grad.mm(mat2.conj().t()), mat1), alpha);
  // Products at the stated elements alone.
  const Tensor like = coalesced(mat1);
  const SparseParts& parts = sparse_parts(like);
  const Tensor values = empty_tensor({nnz_of(like)}, grad.dtype());
  sampled_product_kernel(values.device(), values, parts.indices.select(0, 0).contiguous(),
                         parts.indices.select(0, 1).contiguous(), grad.contiguous(), mat2.conj().contiguous());
  return scaled_gradient(with_values(like, values), alpha);
}

Tensor sparse_mask_of(const Tensor& grad, const Tensor& like) {
  if (!is_sparse(like)) return to_dense(grad);
  if (is_coo(like)) return sparse_mask(is_sparse(grad) ? to_sparse(grad) : grad, coalesced(like));
  return sparse_mask(is_sparse(grad) ? to_sparse(grad, like.layout()) : grad, like);
}

Tensor at_indices(const Tensor& grad, const Tensor& like) {
  return is_sparse(grad) ? grad : sparse_mask_of(grad, like);
}

Tensor sparse_sum_backward(const Tensor& grad, const Tensor& self, IntArray dim) {
  const Tensor like = coalesced(self);
  const SparseParts& parts = sparse_parts(like);
  const std::size_t indexed = indexed_dims(like), rank = like.sizes().size();
  std::vector<bool> summed(rank, dim.empty());
  for (const std::int64_t each : dim)
    summed[static_cast<std::size_t>(wrap_dim(each, self.dim(), "sum"))] = true;
  std::vector<Tensor> rows;
  for (std::size_t d = 0; d < indexed; ++d)
    if (!summed[d]) rows.push_back(parts.indices.select(0, static_cast<std::int64_t>(d)));
  Tensor values = rows.empty() ? grad.unsqueeze(0) : _sparse_take(grad, stack(rows, 0));
  for (std::size_t d = indexed; d < rank; ++d)
    if (summed[d]) values = values.unsqueeze(static_cast<std::int64_t>(d - indexed) + 1);
  return _sparse_coo_tensor_unsafe(parts.indices, values.expand(parts.values.sizes()).contiguous(), self.sizes(), true);
}

Tensor sparse_softmax_backward(const Tensor& grad, const Tensor& result, std::int64_t dim) {
  return sparse_softmax_gradient(grad, result, dim, false);
}
Tensor sparse_log_softmax_backward(const Tensor& grad, const Tensor& result, std::int64_t dim) {
  return sparse_softmax_gradient(grad, result, dim, true);
}

}  // namespace rushlight
