// Orders of sparse indices: flat positions, coalescing, compressed rows, and changes of layout.
#include <algorithm>

#include "ops/kernels/sparse.h"
#include "ops/sparse.h"
#include "rushlight/sparse.h"

namespace rushlight {
namespace {

using Sizes = std::vector<std::int64_t>;

Sizes flat_strides(IntArray sizes, std::int64_t& count, const char* op) {
  Sizes strides(sizes.size());
  count = 1;
  for (std::size_t d = sizes.size(); d-- > 0;) {
    strides[d] = count;
    check(!__builtin_mul_overflow(count, std::max<std::int64_t>(sizes[d], 1), &count), op, ": sizes ", sizes,
          " have more elements than 64-bit positions");
  }
  return strides;
}

IntArray leading(const Tensor& self) { return self.sizes().subspan(0, indexed_dims(self)); }

Tensor flat_of(const Tensor& indices, IntArray sizes, std::int64_t& count, const char* op) {
  check_indices(indices, sizes, op);
  const Tensor dense = indices.contiguous();
  const Tensor flat = empty_tensor({indices.sizes()[1]}, kInt64);
  flatten_indices_kernel(flat.device(), flat, dense, flat_strides(sizes, count, op));
  return flat;
}

}  // namespace

Tensor flat_indices(const Tensor& indices, IntArray sizes, const char* op) {
  std::int64_t count;
  return flat_of(indices, sizes, count, op);
}

Segments segments_of(const Tensor& keys, std::int64_t limit) {
  Segments result;
  result.order = empty_tensor({keys.numel()}, kInt64);
  order_kernel(keys.device(), result.order, keys, limit, &result.trivial);
  result.starts = empty_tensor({keys.numel() + 1}, kInt64);
  segments_kernel(keys.device(), result.starts, keys, result.order, &result.count);
  return result;
}

Tensor segment_sums(const Tensor& values, const Segments& segments) {
  Sizes sizes = values.sizes().vec();
  sizes[0] = segments.count;
  const Tensor sums = empty_tensor(sizes, values.dtype());
  segment_sum_kernel(sums.device(), sums, values.contiguous(), segments.order, segments.starts);
  return sums;
}

Tensor coalesced(const Tensor& self) {
  const SparseParts& parts = sparse_parts(self);
  if (parts.coalesced) return self;
  const NoGradGuard no_grad;
  if (nnz_of(self) < 2) {
    check_indices(parts.indices, leading(self), "coalesce");
    return make_coo(parts.indices, parts.values, self.sizes(), true);
  }
  std::int64_t limit;
  const Tensor keys = flat_of(parts.indices, leading(self), limit, "coalesce");
  const Segments segments = segments_of(keys, limit);
  if (segments.trivial) return make_coo(parts.indices.clone(), parts.values.clone(), self.sizes(), true);
  const Tensor first = segments.order.index_select(0, segments.starts.narrow(0, 0, segments.count));
  return make_coo(parts.indices.index_select(1, first), segment_sums(parts.values, segments), self.sizes(), true);
}

Tensor expanded(const Tensor& pointers, std::int64_t count) {
  const Tensor rows = empty_tensor({count}, kInt64);
  expand_pointers_kernel(rows.device(), rows, pointers.to(kInt64).contiguous());
  return rows;
}

Tensor pointers_of(const Tensor& rows, std::int64_t count) {
  const Tensor pointers = empty_tensor({count + 1}, kInt64);
  count_pointers_kernel(pointers.device(), pointers, rows.contiguous());
  return pointers;
}

Tensor coo_indices(const Tensor& self) {
  const SparseParts& parts = sparse_parts(self);
  if (is_coo(self)) return parts.indices;
  const NoGradGuard no_grad;
  check_compressed(self, "indices");
  const Tensor lines = expanded(parts.indices, nnz_of(self)), others = parts.plain.to(kInt64);
  const bool by_row = parts.layout == Layout::kSparseCsr;
  const Tensor both[] = {by_row ? lines : others, by_row ? others : lines};
  return stack({both, 2}, 0);
}

Rows rows_of(const Tensor& matrix, const char* op) {
  check(matrix.dim() == 2, op, ": Expected a sparse matrix, got ", matrix);
  const NoGradGuard no_grad;
  const SparseParts& parts = sparse_parts(matrix);
  check(parts.values.dim() == 1, op, ": matrices with dense dimensions are not supported, got ", matrix,
        " with values of shape ", parts.values.sizes());
  if (parts.layout == Layout::kSparseCsr) {
    check_compressed(matrix, op);
    return {parts.indices.to(kInt64).contiguous(), parts.plain.to(kInt64).contiguous(), parts.values.contiguous()};
  }
  const Tensor indices = coo_indices(matrix).contiguous();
  check_indices(indices, matrix.sizes(), op);
  const Tensor rows = indices.select(0, 0), columns = indices.select(0, 1);
  const Tensor pointers = pointers_of(rows, matrix.sizes()[0]);
  const Tensor order = empty_tensor({rows.numel()}, kInt64);
  bool each_once;
  if (parts.coalesced) return {pointers, columns.contiguous(), parts.values.contiguous()};
  order_kernel(order.device(), order, rows, matrix.sizes()[0], &each_once);
  return {pointers, columns.index_select(0, order), parts.values.index_select(0, order)};
}

Tensor as_coo(const Tensor& self) {
  if (is_coo(self)) return self;
  const NoGradGuard no_grad;
  const Tensor whole = make_coo(coo_indices(self), sparse_parts(self).values, self.sizes(), false);
  return coalesced(whole);
}

Tensor as_compressed(const Tensor& self, Layout layout) {
  if (self.layout() == layout) return self;
  const NoGradGuard no_grad;
  const Tensor sorted = coalesced(as_coo(self));
  check(sorted.dim() >= 2 && indexed_dims(sorted) == 2,
        "to_sparse_csr: Only tensors with two sparse dimensions can be compressed, got ", self);
  const SparseParts& parts = sparse_parts(sorted);
  const Tensor rows = parts.indices.select(0, 0), columns = parts.indices.select(0, 1);
  if (layout == Layout::kSparseCsr)
    return make_compressed(layout, pointers_of(rows, self.sizes()[0]), columns.clone(), parts.values, self.sizes());
  const Tensor order = empty_tensor({columns.numel()}, kInt64);
  bool each_once;
  order_kernel(order.device(), order, columns.contiguous(), self.sizes()[1], &each_once);
  return make_compressed(layout, pointers_of(columns, self.sizes()[1]), rows.index_select(0, order),
                         parts.values.index_select(0, order), self.sizes());
}

Tensor as_layout(const Tensor& self, Layout layout) {
  return layout == Layout::kSparse ? as_coo(self) : as_compressed(self, layout);
}

// Elements that a sparse tensor does not state are zero.
Tensor taken(const Tensor& self, const Tensor& indices) {
  const NoGradGuard no_grad;
  const IntArray sizes = self.sizes().subspan(0, static_cast<std::size_t>(indices.sizes()[0]));
  std::int64_t limit;
  const Tensor keys = flat_of(indices, sizes, limit, "sparse_mask");
  Sizes shape{indices.sizes()[1]};
  shape.insert(shape.end(), self.sizes().begin() + indices.sizes()[0], self.sizes().end());
  if (!is_sparse(self)) {
    Sizes lines = shape;
    lines[0] = 1;
    for (const std::int64_t size : sizes)
      lines[0] *= size;
    return self.reshape(lines).index_select(0, keys);
  }
  const Tensor sorted = coalesced(as_coo(self));
  check(indexed_dims(sorted) == sizes.size(), "sparse_mask: the mask has indices for ", sizes.size(),
        " dimensions, the tensor for ", indexed_dims(sorted));
  const SparseParts& parts = sparse_parts(sorted);
  if (nnz_of(sorted) == 0) return zeros(shape, parts.values.options());
  const Tensor own = flat_of(parts.indices, sizes, limit, "sparse_mask");
  const Tensor place = searchsorted(own, keys).clamp_max(Scalar(own.numel() - 1));
  const Tensor found = own.index_select(0, place).eq(keys);
  Sizes column(shape.size(), 1);
  column[0] = shape[0];
  return where(found.view(column), parts.values.index_select(0, place), zeros({}, parts.values.options()));
}

namespace {

void need_indices(const Tensor& indices, const char* op) {
  check<NotImplementedError>(indices.dtype() == kInt64 || indices.dtype() == kInt32, "\"", op,
                             "_cpu\" not implemented for '", scalar_type_name(indices.dtype()), "'");
}

}  // namespace

namespace ops {

Tensor _convert_indices_from_coo_to_csr(const Tensor& self, std::int64_t size, bool out_int32) {
  constexpr const char* op = "convert_indices_from_coo_to_csr";
  check(self.dim() <= 1, "Input is supposed to be a vector, but got ", self.dim(), " dimensional tensor.");
  need_indices(self, op);
  const Tensor rows = self.to(kInt64).reshape({1, -1});
  check_indices(rows, IntArray{size}, op);
  return pointers_of(rows, size).to(out_int32 ? kInt32 : kInt64);
}

Tensor _convert_indices_from_csr_to_coo(const Tensor& crow_indices, const Tensor& col_indices, bool out_int32,
                                        bool transpose) {
  constexpr const char* op = "convert_indices_from_csr_to_coo";
  need_indices(crow_indices, op);
  const std::int64_t rank = col_indices.dim();
  const auto batched = [&](const Tensor& t) { return IntArray(t.sizes().subspan(0, t.sizes().size() - 1)); };
  check(rank > 0 && crow_indices.dim() == rank && crow_indices.size(-1) > 0 &&
            batched(crow_indices) == batched(col_indices),
        op, ": crow_indices of shape ", crow_indices.sizes(), " do not fit col_indices of shape ", col_indices.sizes());
  const std::int64_t nnz = col_indices.size(-1);
  const Tensor pointers = crow_indices.to(kInt64).reshape({-1, crow_indices.size(-1)});
  const bool ascend = pointers.select(1, 0).eq(0).all().item<bool>() && diff(pointers).ge(0).all().item<bool>() &&
                      pointers.select(1, -1).eq(nnz).all().item<bool>();
  check(ascend, op, ": Expected crow_indices to ascend from 0 to ", nnz, ", the number of elements, but got ",
        crow_indices);
  std::vector<Tensor> lines;
  for (std::int64_t batch = 0; batch < pointers.size(0); ++batch)
    lines.push_back(expanded(pointers.select(0, batch), nnz));
  const Tensor rows = lines.empty() ? zeros({0}, kInt64) : cat(lines), columns = col_indices.to(kInt64).reshape({-1});
  const Tensor batches = nonzero(ones_like(col_indices)).t().narrow(0, 0, rank - 1);
  const Tensor both = stack(std::vector<Tensor>{transpose ? columns : rows, transpose ? rows : columns});
  return cat(std::vector<Tensor>{batches, both}).to(out_int32 ? kInt32 : kInt64);
}

}  // namespace ops
}  // namespace rushlight
