// Arithmetic of sparse tensors: what the catalogue names for add, mul, div, pow, copies and like-factories.
#include "ops/composed.h"
#include "ops/kernels/copy.h"
#include "ops/kernels/sparse.h"
#include "ops/pointwise.h"
#include "ops/sparse.h"
#include "rushlight/sparse.h"

namespace rushlight {
namespace {

using Sizes = std::vector<std::int64_t>;

[[noreturn]] void unsupported(const Tensor& a, const Tensor& b, const char* op) {
  throw RuntimeError(str(op, ": unsupported tensor layout: ", layout_title(a.layout()), " and ",
                         layout_title(b.layout()), "; convert with .to_dense(), .to_sparse() or .to_sparse_csr()"));
}

Tensor typed(const Tensor& tensor, Dtype type) { return tensor.dtype() == type ? tensor : tensor.to(type); }

// Rows of `values` by place, zeros where the place is -1.
Tensor rows_or_zero(const Tensor& values, const Tensor& places) {
  const Tensor missing = places.lt(Scalar(0));
  if (values.sizes()[0] == 0) {
    Sizes shape = values.sizes().vec();
    shape[0] = places.numel();
    return zeros(shape, values.options());
  }
  Sizes column(values.sizes().size(), 1);
  column[0] = places.numel();
  return values.index_select(0, places.clamp_min(Scalar(0))).masked_fill(missing.view(column), Scalar(0));
}

// The union of two patterns in the order of a merge, as if both were sorted.
Tensor add_coo(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  check(self.sizes() == other.sizes(), "add: expected 'self' and 'other' to have same sizes, but self has size ",
        self.sizes(), " while other has size ", other.sizes(),
        " (FYI: ", "op2-sparse addition does not currently support broadcasting)");
  const std::size_t indexed = indexed_dims(self);
  check(indexed == indexed_dims(other), "add: expected 'self' and 'other' to have same number of sparse dimensions, ",
        "but self has ", indexed, " while other has ", indexed_dims(other));
  const NoGradGuard no_grad;
  const SparseParts &a = sparse_parts(self), &b = sparse_parts(other);
  const Dtype type = result_dtype({self, other});
  const IntArray sizes = self.sizes().subspan(0, indexed);
  const Tensor both_indices[] = {a.indices, b.indices};
  if (!a.values.is_contiguous() || !b.values.is_contiguous()) {
    const Tensor both_values[] = {typed(a.values, type), typed(b.values, type).mul(alpha)};
    return make_coo(cat({both_indices, 2}, 1), cat({both_values, 2}, 0), self.sizes(), false);
  }
  const Tensor x = flat_indices(a.indices, sizes, "add"), y = flat_indices(b.indices, sizes, "add");
  const Tensor which = empty_tensor({2, x.numel() + y.numel()}, kInt64);
  std::int64_t count;
  merge_kernel(which.device(), which, x, y, &count);
  const Tensor from_a = which.select(0, 0).narrow(0, 0, count), from_b = which.select(0, 1).narrow(0, 0, count);
  const Tensor scaled = alpha.is_one() ? typed(b.values, type) : typed(b.values, type).mul(alpha);
  const Tensor both = rows_or_zero(typed(a.values, type), from_a).add(rows_or_zero(scaled, from_b));
  const Tensor place = where(from_a.lt(Scalar(0)), from_b.add(Scalar(x.numel())), from_a);
  return make_coo(cat({both_indices, 2}, 1).index_select(1, place), both, self.sizes(), a.coalesced && b.coalesced);
}

// `dense`, contiguous and of the common dtype, takes the elements of `sparse`.
void add_rows(const Tensor& dense, const Tensor& sparse, const Scalar& alpha) {
  const std::size_t indexed = indexed_dims(sparse);
  const Tensor values = typed(sparse_parts(sparse).values, dense.dtype());
  const Tensor keys = flat_indices(coo_indices(sparse), dense.sizes().subspan(0, indexed), "add");
  if (keys.numel() == 0) return;
  Sizes shape = values.sizes().vec();
  shape[0] = 1;
  for (std::size_t d = 0; d < indexed; ++d)
    shape[0] *= dense.sizes()[d];
  const Tensor rows = alias(dense, shape, nullptr, 0);
  rows.index_add_(0, keys, values, alpha);
}

Tensor add_to_dense(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  check(self.sizes() == other.sizes(), "add: expected 'self' and 'other' to have same size, but self has size ",
        self.sizes(), " while other has size ", other.sizes(),
        " (FYI: ", "op2-sparse addition does not currently support broadcasting)");
  const NoGradGuard no_grad;
  const Tensor result = typed(self, result_dtype({self, other})).clone(MemoryFormat::kContiguous);
  add_rows(result, other, alpha);
  return result;
}

// The elements that both state.
Tensor mul_coo(const Tensor& self, const Tensor& other) {
  check(self.sizes() == other.sizes(), "mul: expected 'self' and 'other' to have same sizes, but ", self.sizes(),
        " != ", other.sizes());
  const NoGradGuard no_grad;
  // One that is not coalesced keeps its elements.
  const bool sorted = sparse_parts(self).coalesced, other_sorted = sparse_parts(other).coalesced;
  if (sorted != other_sorted) {
    const Tensor &kept = sorted ? other : self, &looked_up = sorted ? self : other;
    return with_values(kept, sparse_parts(kept).values.mul(taken(looked_up, sparse_parts(kept).indices)));
  }
  const Tensor left = coalesced(self), right = coalesced(other);
  const SparseParts &a = sparse_parts(left), &b = sparse_parts(right);
  const IntArray sizes = self.sizes().subspan(0, indexed_dims(self));
  check(sizes.size() == indexed_dims(other), "mul: expected the same number of sparse dimensions, but got ",
        sizes.size(), " and ", indexed_dims(other));
  const Tensor x = flat_indices(a.indices, sizes, "mul"), y = flat_indices(b.indices, sizes, "mul");
  const Tensor which = empty_tensor({2, x.numel() + y.numel()}, kInt64);
  std::int64_t count;
  merge_kernel(which.device(), which, x, y, &count);
  const Tensor pairs = which.narrow(1, 0, count);
  const Tensor both = pairs.ge(Scalar(0)).all(0).nonzero().view({-1});
  const Tensor from_a = pairs.select(0, 0).index_select(0, both), from_b = pairs.select(0, 1).index_select(0, both);
  const Dtype type = result_dtype({self, other});
  return make_coo(a.indices.index_select(1, from_a),
                  typed(a.values, type).index_select(0, from_a).mul(typed(b.values, type).index_select(0, from_b)),
                  self.sizes(), true);
}

// Each stated element times the dense one in its place.
Tensor mul_dense(const Tensor& sparse, const Tensor& dense) {
  const NoGradGuard no_grad;
  if (dense.dim() == 0) return with_values(sparse, sparse_parts(sparse).values.mul(dense));
  const std::vector<std::int64_t> shape = broadcast_shape(sparse.sizes(), dense.sizes(), "mul");
  check(sparse.sizes() == IntArray(shape), "mul: a dense operand of shape ", dense.sizes(),
        " would broadcast the sparse one of shape ", sparse.sizes());
  const Tensor whole = dense.expand(sparse.sizes());
  return with_values(sparse, sparse_parts(sparse).values.mul(taken(whole, coo_indices(sparse))));
}

// A CSR or CSC result of an operation on COO.
template <class Operation>
Tensor by_coo(const Tensor& self, const Tensor& other, const Operation& operation) {
  return as_layout(operation(as_coo(self), as_coo(other)), self.layout());
}

[[noreturn]] void refuse_sparse_plus_dense(const Tensor& self) {
  if (is_compressed(self)) throw RuntimeError(str("add: unsupported tensor layout: ", layout_title(self.layout())));
  throw RuntimeError("add(sparse, dense) is not supported. Use add(dense, sparse) instead.");
}

}  // namespace

namespace ops {

Tensor sparse_add(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  if (!is_sparse(self)) return add_to_dense(self, other, alpha);
  if (!is_sparse(other)) {
    if (is_compressed(self)) return add_to_dense(alpha.is_one() ? other : other.mul(alpha), self, Scalar(1));
    refuse_sparse_plus_dense(self);
  }
  if (self.layout() != other.layout()) unsupported(self, other, "add");
  if (is_coo(self)) return add_coo(self, other, alpha);
  return by_coo(self, other, [&](const Tensor& a, const Tensor& b) { return add_coo(a, b, alpha); });
}
Tensor sparse_add(const Tensor& self, const Scalar&, const Scalar&) { refuse_sparse_plus_dense(self); }

Tensor sparse_sub(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  return sparse_add(self, other, -alpha);
}
Tensor sparse_sub(const Tensor& self, const Scalar&, const Scalar&) { refuse_sparse_plus_dense(self); }

// A dense tensor takes the stated elements alone.
void sparse_add_(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  if (is_sparse(self) || !is_coo(other) || !self.is_contiguous() || self.sizes() != other.sizes() ||
      result_dtype({self, other}) != self.dtype())
    return store_composed(self, sparse_add(self, other, alpha), "add_");
  const NoGradGuard no_grad;
  add_rows(self, other, alpha);
}
void sparse_add_(const Tensor& self, const Scalar&, const Scalar&) { refuse_sparse_plus_dense(self); }
void sparse_sub_(const Tensor& self, const Tensor& other, const Scalar& alpha) { sparse_add_(self, other, -alpha); }
void sparse_sub_(const Tensor& self, const Scalar&, const Scalar&) { refuse_sparse_plus_dense(self); }

Tensor sparse_mul(const Tensor& self, const Tensor& other) {
  if (!is_sparse(other)) return mul_dense(self, other);
  if (!is_sparse(self)) return mul_dense(other, self);
  if (self.layout() != other.layout()) unsupported(self, other, "mul");
  if (is_coo(self)) return mul_coo(self, other);
  return by_coo(self, other, mul_coo);
}
Tensor sparse_mul(const Tensor& self, const Scalar& other) {
  return with_values(self, sparse_parts(self).values.mul(other));
}

Tensor sparse_div(const Tensor& self, const Tensor& other) {
  check(is_sparse(self) && !is_sparse(other) && other.dim() == 0,
        "Sparse division requires a scalar or zero-dim dense tensor divisor (got shape ", other.sizes(),
        " for divisor)");
  return with_values(self, sparse_parts(self).values.div(other));
}
Tensor sparse_div(const Tensor& self, const Scalar& other) {
  return with_values(self, sparse_parts(self).values.div(other));
}

Tensor sparse_neg(const Tensor& self) { return with_values(self, sparse_parts(self).values.neg()); }

// The gradient at the elements that it states.
Tensor sparse_threshold_backward(const Tensor& grad, const Tensor& self, const Scalar& threshold) {
  const NoGradGuard no_grad;
  if (!is_sparse(grad)) return threshold_backward(grad, to_dense(self), threshold);
  const Tensor at = taken(self, coo_indices(grad));
  return with_values(grad, threshold_backward(sparse_parts(grad).values, at, threshold));
}

Tensor sparse_pow(const Tensor& self, const Scalar& exponent) {
  check(exponent.is_complex() || exponent.to_double() != 0,
        "pow: cannot raise to zeroth power on sparse tensor; it would make the result tensor dense");
  return sparse_values(self, [&](const Tensor& values) { return values.pow(exponent); });
}

Tensor sparse_clone(const Tensor& self, std::optional<MemoryFormat> format) {
  check(!format || *format == MemoryFormat::kPreserve, "clone: unsupported memory format option ",
        "of a sparse tensor; leave memory_format out");
  const NoGradGuard no_grad;
  const SparseParts& parts = sparse_parts(self);
  const Tensor values = parts.values.clone();
  return is_coo(self) ? make_coo(parts.indices.clone(), values, self.sizes(), parts.coalesced)
                      : make_compressed(parts.layout, parts.indices.clone(), parts.plain.clone(), values, self.sizes());
}

Tensor sparse_to_copy(const Tensor& self, const TensorOptions& options, bool, std::optional<MemoryFormat> format) {
  const Device device = options.device_opt().value_or(Device());
  check<NotImplementedError>(device.is_cpu(), "to: sparse tensors exist on the CPU only, not on ", device);
  const Tensor copy = sparse_clone(self, format);
  const Dtype type = options.dtype_opt().value_or(self.dtype());
  return type == self.dtype() ? copy : with_values(copy, _to_copy(sparse_parts(copy).values, TensorOptions(type)));
}

void sparse_copy_(const Tensor& self, const Tensor& src, bool) {
  check(is_sparse(self) && is_sparse(src),
        "copy_() between dense and sparse Tensors is not implemented! Found self type = ", self,
        " and src type = ", src);
  check(self.sizes() == src.sizes(), "copy_: sizes of sparse tensors must be equal, got ", self.sizes(), " and ",
        src.sizes());
  if (self.is_same(src)) return;
  const NoGradGuard no_grad;
  store_sparse(self, sparse_clone(src, {}), "copy_");
}

void sparse_zero_(const Tensor& self) {
  const NoGradGuard no_grad;
  store_sparse(self,
               is_coo(self) ? empty_coo(self.sizes(), indexed_dims(self), self.dtype())
                            : empty_compressed(self.layout(), self.sizes(), self.dtype()),
               "zero_");
}
void sparse_fill_(const Tensor& self, const Scalar& value) {
  if (!is_compressed(self)) refuse_composed(self.word() | kSparse, "fill_");
  sparse_parts(self).values.fill_(value);
}

namespace {
Tensor empty_as(const Tensor& like, IntArray sizes, const TensorOptions& options) {
  const Dtype type = options.dtype_opt().value_or(like.dtype());
  const Layout layout = options.layout() == Layout::kStrided ? like.layout() : options.layout();
  if (layout != Layout::kSparse) return empty_compressed(layout, sizes, type);
  const bool same = is_coo(like) && sizes.size() == like.sizes().size();
  return empty_coo(sizes, same ? indexed_dims(like) : sizes.size(), type);
}
}  // namespace
Tensor sparse_empty(IntArray size, const TensorOptions& options) {
  return options.layout() == Layout::kSparse ? empty_coo(size, size.size(), options.dtype())
                                             : empty_compressed(options.layout(), size, options.dtype());
}
Tensor sparse_empty(IntArray size, const TensorOptions& options, std::optional<MemoryFormat>) {
  return sparse_empty(size, options);
}
Tensor sparse_zeros_like(const Tensor& self, const TensorOptions& options, std::optional<MemoryFormat>) {
  return empty_as(self, self.sizes(), options);
}
Tensor sparse_empty_like(const Tensor& self, const TensorOptions& options, std::optional<MemoryFormat> format) {
  if (!is_compressed(self)) return sparse_zeros_like(self, options, format);
  const NoGradGuard no_grad;
  return sparse_to_copy(self, options, false, {});
}
Tensor sparse_ones_like(const Tensor& self, const TensorOptions& options, std::optional<MemoryFormat> format) {
  if (!is_compressed(self)) refuse_composed(self.word() | kSparse, "fill_");
  const NoGradGuard no_grad;
  const Tensor result = sparse_empty_like(self, options, format);
  sparse_parts(result).values.fill_(Scalar(1));
  return result;
}
Tensor sparse_new_zeros(const Tensor& self, IntArray size, const TensorOptions& options) {
  return empty_as(self, size, options);
}

}  // namespace ops
}  // namespace rushlight
