// Conversions between layouts: to_dense, to_sparse in its forms, coalesce, sparse_mask.
#include "ops/sparse.h"
#include "rushlight/sparse.h"
#include "tensor/dims.h"

namespace rushlight {
namespace {

using Sizes = std::vector<std::int64_t>;

// The elements that are not zero; the first `indexed` dimensions get indices.
Tensor nonzero_coo(const Tensor& self, std::size_t indexed) {
  const NoGradGuard no_grad;
  Tensor there = self.ne(Scalar(0));
  if (indexed < there.sizes().size()) there = there.flatten(static_cast<std::int64_t>(indexed), -1).any(-1);
  const Tensor indices = there.nonzero().t().contiguous();
  return make_coo(indices, taken(self, indices), self.sizes(), true);
}

}  // namespace

Tensor coalesce(const Tensor& self) {
  need_coo(self, "coalesce");
  return sparse_parts(self).coalesced ? self : _coalesce(self);
}

Tensor to_dense(const Tensor& self, std::optional<Dtype> dtype, std::optional<bool> masked_grad) {
  if (!is_sparse(self)) return dtype ? self.to(*dtype) : self;
  return _to_dense(self, dtype, masked_grad);
}

Tensor to_sparse(const Tensor& self, std::int64_t sparse_dim) {
  if (is_compressed(self))
    check(sparse_dim == 2, "sparse_compressed_to_sparse: conversion from ", layout_title(self.layout()),
          " to Sparse with sparse_dim argument !=2 is not supported");
  if (is_coo(self)) {
    check(sparse_dim == rushlight::sparse_dim(self),
          "to_sparse: conversion from Sparse to Sparse with sparse_dim argument !=self.sparse_dim() is not supported");
    return self;
  }
  check(sparse_dim >= (self.dim() ? 1 : 0) && sparse_dim <= self.dim(), "sparse_dim must be in [0, ", self.dim(),
        "] and at least 1 for tensors with dimensions, got ", sparse_dim);
  return _to_sparse(self, sparse_dim);
}

Tensor to_sparse(const Tensor& self, std::optional<Layout> layout, OptionalIntArray blocksize,
                 std::optional<std::int64_t> dense_dim) {
  const Layout wanted = layout.value_or(Layout::kSparse);
  check<NotImplementedError>(!blocksize, "to_sparse: layouts of blocks are not supported");
  check(wanted != Layout::kStrided, "to_sparse: cannot convert to a strided layout; use to_dense");
  if (self.layout() == wanted) return self;
  if (wanted == Layout::kSparseCsr) return to_sparse_csr(self, dense_dim);
  if (wanted == Layout::kSparseCsc) return to_sparse_csc(self, dense_dim);
  if (dense_dim && *dense_dim && !is_sparse(self)) return to_sparse(self, self.dim() - *dense_dim);
  return _to_sparse(self);
}
Tensor to_sparse_coo(const Tensor& self) { return to_sparse(self); }
Tensor to_sparse_csr(const Tensor& self, std::optional<std::int64_t> dense_dim) {
  check<NotImplementedError>(!dense_dim || *dense_dim == 0, "to_sparse_csr: dense dimensions are not supported");
  return self.layout() == Layout::kSparseCsr ? self : _to_sparse_csr(self);
}
Tensor to_sparse_csc(const Tensor& self, std::optional<std::int64_t> dense_dim) {
  check<NotImplementedError>(!dense_dim || *dense_dim == 0, "to_sparse_csc: dense dimensions are not supported");
  return self.layout() == Layout::kSparseCsc ? self : _to_sparse_csc(self);
}

namespace ops {

Tensor _coalesce(const Tensor& self) { return coalesced(self); }

Tensor _to_dense(const Tensor& self, std::optional<Dtype> dtype, std::optional<bool>) {
  const NoGradGuard no_grad;
  const Tensor indices = coo_indices(self),
               keys = flat_indices(indices, self.sizes().subspan(0, indexed_dims(self)), "to_dense");
  Tensor values = sparse_parts(self).values;
  const bool truth = values.dtype() == kBool;
  if (truth) values = values.to(kUInt8);  // counts of true
  Sizes shape = values.sizes().vec();
  shape[0] = 1;
  for (std::size_t d = 0; d < indexed_dims(self); ++d)
    shape[0] *= self.sizes()[d];
  Tensor result = zeros(shape, values.options());
  if (keys.numel()) result.index_add_(0, keys, values);
  if (truth) result = result.ne(Scalar(0));
  result = result.view(self.sizes());
  // Not a view: the result gets a history of its own.
  return alias(dtype ? result.to(*dtype) : result, self.sizes(), nullptr, 0);
}

Tensor _to_sparse(const Tensor& self, std::int64_t sparse_dim) {
  return nonzero_coo(self, static_cast<std::size_t>(sparse_dim));
}
Tensor _to_sparse(const Tensor& self) {
  return is_sparse(self) ? as_coo(self) : nonzero_coo(self, self.sizes().size());
}
Tensor _to_sparse_csr(const Tensor& self) {
  check(self.dim() == 2, "to_sparse_csr: Only 2-dimensional tensors can be converted here, got ", self);
  return as_compressed(is_sparse(self) ? self : nonzero_coo(self, 2), Layout::kSparseCsr);
}
Tensor _to_sparse_csc(const Tensor& self) {
  check(self.dim() == 2, "to_sparse_csc: Only 2-dimensional tensors can be converted here, got ", self);
  return as_compressed(is_sparse(self) ? self : nonzero_coo(self, 2), Layout::kSparseCsc);
}

Tensor sparse_mask(const Tensor& self, const Tensor& mask) {
  check<NotImplementedError>(is_sparse(mask), "sparse_mask: expected mask to have a sparse layout, but got Strided");
  check(self.sizes() == mask.sizes(), "sparse_mask(): operands have incompatible sizes; self has size ", self.sizes(),
        " but mask has size ", mask.sizes());
  check(!is_sparse(self) || is_compressed(self) == is_compressed(mask),
        "sparse_mask_sparse_compressed expects mask to have sparse compressed layout, got ",
        layout_title(mask.layout()));
  return with_values(mask, taken(self, coo_indices(mask)));
}

Tensor _sparse_take(const Tensor& self, const Tensor& indices) { return taken(self, indices); }

}  // namespace ops
}  // namespace rushlight
