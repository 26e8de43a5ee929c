// Making sparse tensors of their parts, and asking for the parts.
#include <algorithm>

#include "ops/sparse.h"
#include "rushlight/sparse.h"

namespace rushlight {
namespace {

using Sizes = std::vector<std::int64_t>;

void need_dense(const Tensor& tensor, const char* what, const char* op) {
  check(!(tensor.word() & kComposed), op, ": expected ", what, " to be a strided tensor, got layout ",
        layout_title(tensor.layout()));
}

// The values in the dtype that is asked for; a single number stands for one value.
Tensor values_for(const Tensor& values, const TensorOptions& options) {
  const Tensor typed = options.dtype_opt() ? values.to(*options.dtype_opt()) : values;
  return typed.dim() ? typed : typed.unsqueeze(0);
}

Tensor finished(Tensor result, const TensorOptions& options) {
  if (options.requires_grad()) result.set_requires_grad(true);
  return result;
}

Sizes inferred_sizes(const Tensor& indices, const Tensor& values) {
  check(indices.dim() == 2, "indices must be sparse_dim x nnz, but got: ", indices.sizes());
  Sizes sizes;
  const auto dims = indices.size(0);
  if (indices.numel() == 0) {
    sizes.assign(static_cast<std::size_t>(dims), 0);
  } else {
    const Tensor least = std::get<0>(indices.min(1)), most = std::get<0>(indices.max(1));
    for (std::int64_t d = 0; d < dims; ++d) {
      check(least.select(0, d).item<std::int64_t>() >= 0, "found negative index ",
            least.select(0, d).item<std::int64_t>(), " for dim ", d);
      sizes.push_back(most.select(0, d).item<std::int64_t>() + 1);
    }
  }
  sizes.insert(sizes.end(), values.sizes().begin() + 1, values.sizes().end());
  return sizes;
}

Layout compressed_layout(Layout layout) {
  check(layout == Layout::kSparseCsr || layout == Layout::kSparseCsc,
        "sparse_compressed_tensor: expected layout torch.sparse_csr or torch.sparse_csc");
  return layout;
}

Sizes inferred_sizes(const Tensor& pointers, const Tensor& plain, const Tensor& values, Layout layout) {
  const std::int64_t lines = std::max<std::int64_t>(pointers.numel() - 1, 0);
  const std::int64_t others = plain.numel() ? plain.max().item<std::int64_t>() + 1 : 0;
  Sizes sizes = layout == Layout::kSparseCsr ? Sizes{lines, others} : Sizes{others, lines};
  sizes.insert(sizes.end(), values.sizes().begin() + 1, values.sizes().end());
  return sizes;
}

Tensor compressed(const Tensor& pointers, const Tensor& plain, const Tensor& values, std::optional<IntArray> size,
                  const TensorOptions& options, Layout layout) {
  compressed_layout(layout);
  const Tensor typed = values_for(values, options);
  const Sizes sizes = size ? size->vec() : inferred_sizes(pointers, plain, typed, layout);
  if (!options.requires_grad()) return _sparse_compressed_tensor_unsafe(pointers, plain, typed, sizes, layout);
  const NoGradGuard no_grad;
  return finished(_sparse_compressed_tensor_unsafe(pointers, plain, typed, sizes, layout), options);
}

}  // namespace

// --- COO ------------------------------------------------------------------------------------------

Tensor sparse_coo_tensor(IntArray size, const TensorOptions& options) {
  return finished(empty_coo(size, size.size(), options.dtype()), options);
}
Tensor sparse_coo_tensor(const Tensor& indices, const Tensor& values, IntArray size, const TensorOptions& options,
                         std::optional<bool> is_coalesced) {
  const Tensor typed = values_for(values, options);
  if (!options.requires_grad()) return _sparse_coo_tensor_unsafe(indices, typed, size, is_coalesced);
  const NoGradGuard no_grad;
  return finished(_sparse_coo_tensor_unsafe(indices, typed, size, is_coalesced), options);
}
Tensor sparse_coo_tensor(const Tensor& indices, const Tensor& values, const TensorOptions& options,
                         std::optional<bool> is_coalesced) {
  need_dense(indices, "indices", "sparse_coo_tensor");
  const Tensor typed = values_for(values, options);
  return sparse_coo_tensor(indices, typed, inferred_sizes(indices, typed), options, is_coalesced);
}

void _validate_sparse_coo_tensor_args(const Tensor& indices, const Tensor& values, IntArray size,
                                      std::optional<bool> is_coalesced) {
  constexpr const char* op = "sparse_coo_tensor";
  need_dense(indices, "indices", op);
  need_dense(values, "values", op);
  check(!is_complex(indices.dtype()) && !is_floating(indices.dtype()) && indices.dtype() != kBool,
        "sparse_coo_tensor: indices must be an integer tensor, but got ", name(indices.dtype()));
  check(indices.dim() == 2, "indices must be sparse_dim x nnz, but got: ", indices.sizes());
  check(values.dim() > 0, "sparse_coo_tensor: values must have at least one dimension");
  const auto indexed = static_cast<std::size_t>(indices.size(0));
  check(size.size() == indexed + static_cast<std::size_t>(values.dim()) - 1,
        "number of dimensions must be sparse_dim (", indexed, ") + dense_dim (", values.dim() - 1, "), but got ",
        size.size());
  for (const std::int64_t extent : size)
    check(extent >= 0, "sparse_coo_tensor: Trying to create tensor with negative dimension ", extent, ": ", size);
  check(indices.size(1) == values.size(0),
        "indices and values must have same nnz, but got nnz from indices: ", indices.size(1),
        ", nnz from values: ", values.size(0));
  const IntArray dense = size.subspan(indexed), have = values.sizes().subspan(1);
  check(
      dense == have, "values has incorrect size, expected ",
      [&] {
        Sizes wanted{values.size(0)};
        wanted.insert(wanted.end(), dense.begin(), dense.end());
        return to_text(IntArray(wanted));
      }(),
      ", got ", values.sizes());
  check_indices(indices.to(kInt64), size.subspan(0, indexed), op);
  if (!is_coalesced.value_or(false) || indices.size(1) < 2) return;
  check(segments_of(flat_indices(indices.to(kInt64), size.subspan(0, indexed), op), 1).trivial,
        "cannot set is_coalesced to true if indices correspond to uncoalesced COO tensor");
}

namespace ops {

Tensor _sparse_coo_tensor_unsafe(const Tensor& indices, const Tensor& values, IntArray size,
                                 std::optional<bool> is_coalesced) {
  const NoGradGuard no_grad;
  _validate_sparse_coo_tensor_args(indices, values, size, {});
  return make_coo(indices.to(kInt64), values, size, is_coalesced.value_or(false));
}

Tensor _sparse_compressed_tensor_unsafe(const Tensor& compressed_indices, const Tensor& plain_indices,
                                        const Tensor& values, IntArray size, std::optional<Layout> layout) {
  const NoGradGuard no_grad;
  _validate_sparse_compressed_tensor_args(compressed_indices, plain_indices, values, size, layout);
  return make_compressed(*layout, compressed_indices, plain_indices, values, size);
}

}  // namespace ops

// --- compressed -----------------------------------------------------------------------------------

void _validate_sparse_compressed_tensor_args(const Tensor& compressed_indices, const Tensor& plain_indices,
                                             const Tensor& values, IntArray size, std::optional<Layout> layout) {
  constexpr const char* op = "sparse_compressed_tensor";
  const Layout kind = compressed_layout(layout.value_or(Layout::kStrided));
  need_dense(compressed_indices, "compressed_indices", op);
  need_dense(plain_indices, "plain_indices", op);
  need_dense(values, "values", op);
  for (const Tensor& each : {compressed_indices, plain_indices})
    check(each.dtype() == kInt64 || each.dtype() == kInt32, op,
          ": compressed_indices and plain_indices dtype must be Int or Long, but got ", scalar_type_name(each.dtype()));
  check(compressed_indices.dtype() == plain_indices.dtype(), op,
        ": compressed_indices and plain_indices must have the same dtype, bot got ",
        scalar_type_name(compressed_indices.dtype()), " and ", scalar_type_name(plain_indices.dtype()),
        ", respectively");
  check<NotImplementedError>(
      compressed_indices.dim() == 1 && plain_indices.dim() == 1 && values.dim() == 1 && size.size() == 2, op,
      ": only matrices of numbers are supported: compressed_indices, plain_indices and "
      "values of one dimension, got shapes ",
      compressed_indices.sizes(), ", ", plain_indices.sizes(), " and ", values.sizes(), " for size ", size);
  check(plain_indices.numel() == values.numel(), op, ": number of specified elements must be equal, got ",
        plain_indices.numel(), " plain_indices and ", values.numel(), " values");
  for (const std::int64_t extent : size)
    check(extent >= 0, op, ": Trying to create tensor with negative dimension ", extent, ": ", size);
  check_compressed(make_compressed(kind, compressed_indices, plain_indices, values, size), op);
}

Tensor sparse_compressed_tensor(const Tensor& compressed_indices, const Tensor& plain_indices, const Tensor& values,
                                IntArray size, const TensorOptions& options) {
  return compressed(compressed_indices, plain_indices, values, size, options, options.layout());
}
Tensor sparse_compressed_tensor(const Tensor& compressed_indices, const Tensor& plain_indices, const Tensor& values,
                                const TensorOptions& options) {
  return compressed(compressed_indices, plain_indices, values, {}, options, options.layout());
}
Tensor sparse_csr_tensor(const Tensor& crow_indices, const Tensor& col_indices, const Tensor& values, IntArray size,
                         const TensorOptions& options) {
  return compressed(crow_indices, col_indices, values, size, options, Layout::kSparseCsr);
}
Tensor sparse_csr_tensor(const Tensor& crow_indices, const Tensor& col_indices, const Tensor& values,
                         const TensorOptions& options) {
  return compressed(crow_indices, col_indices, values, {}, options, Layout::kSparseCsr);
}
Tensor sparse_csc_tensor(const Tensor& ccol_indices, const Tensor& row_indices, const Tensor& values, IntArray size,
                         const TensorOptions& options) {
  return compressed(ccol_indices, row_indices, values, size, options, Layout::kSparseCsc);
}
Tensor sparse_csc_tensor(const Tensor& ccol_indices, const Tensor& row_indices, const Tensor& values,
                         const TensorOptions& options) {
  return compressed(ccol_indices, row_indices, values, {}, options, Layout::kSparseCsc);
}

Tensor _spdiags(const Tensor& diagonals, const Tensor& offsets, IntArray shape, std::optional<Layout> layout) {
  const Tensor lines = diagonals.dim() == 1 ? diagonals.unsqueeze(0) : diagonals;
  const Tensor steps = offsets.dim() == 0 ? offsets.unsqueeze(0) : offsets;
  check(lines.dim() == 2, "Diagonals must be vector or matrix");
  check(shape.size() == 2, "Output shape must be 2d");
  check(steps.dim() == 1, "Offsets must be scalar or vector");
  check(steps.size(0) == lines.size(0), "Number of diagonals (", lines.size(0),
        ") does not match the number of offsets (", steps.size(0), ")");
  check(steps.dtype() == kInt64, "Offset Tensor must have dtype Long but got ", scalar_type_name(steps.dtype()));
  check(std::get<0>(_unique2(steps)).size(0) == steps.size(0), "Offset tensor contains duplicate values");
  const Tensor columns = arange(lines.size(1), TensorOptions(kInt64)).unsqueeze(0).expand(lines.sizes());
  const Tensor rows = columns.sub(steps.unsqueeze(1));
  const Tensor inside = rows.ge(0).logical_and(rows.lt(shape[0])).logical_and(columns.lt(shape[1]));
  const Tensor places[] = {rows.masked_select(inside), columns.masked_select(inside)};
  const Tensor result = sparse_coo_tensor(stack({places, 2}, 0), lines.masked_select(inside), shape);
  return layout.value_or(Layout::kSparse) == Layout::kSparse ? result : to_sparse(result, layout);
}

// --- parts ----------------------------------------------------------------------------------------

std::int64_t sparse_dim(const Tensor& self) {
  return is_sparse(self) ? static_cast<std::int64_t>(indexed_dims(self)) : 0;
}
std::int64_t dense_dim(const Tensor& self) { return self.dim() - sparse_dim(self); }
std::int64_t _nnz(const Tensor& self) {
  check<NotImplementedError>(is_sparse(self), "Could not run 'aten::_nnz' with arguments from the 'CPU' backend: the ",
                             "tensor is not sparse");
  return nnz_of(self);
}
bool is_coalesced(const Tensor& self) {
  need_coo(self, "is_coalesced");
  return sparse_parts(self).coalesced;
}
const Tensor& _coalesced_(const Tensor& self, bool coalesced) {
  need_coo(self, "_coalesced_");
  sparse_parts(self).coalesced = coalesced;
  return self;
}

namespace {
void need_coo_backend(const Tensor& self, const char* op) {
  check<NotImplementedError>(is_coo(self), "Could not run 'aten::", op, "' with arguments from the '",
                             is_sparse(self) ? "SparseCsrCPU" : "CPU", "' backend: the tensor is not sparse_coo");
}
Tensor part_of_compressed(const Tensor& self, const char* op, Layout wanted, Tensor SparseParts::* which) {
  check(self.layout() == wanted, op, " expected sparse ", wanted == Layout::kSparseCsr ? "row" : "column",
        " compressed tensor layout but got ", layout_title(self.layout()));
  return (sparse_parts(self).*which).detach();
}
}  // namespace

Tensor _indices(const Tensor& self) {
  need_coo_backend(self, "_indices");
  return sparse_parts(self).indices.detach();
}
Tensor _values(const Tensor& self) {
  need_coo_backend(self, "_values");
  return sparse_parts(self).values.detach();
}
Tensor indices(const Tensor& self) {
  need_coo(self, "indices");
  check(is_coalesced(self), "Cannot get indices on an uncoalesced tensor, please call .coalesce() first");
  return sparse_parts(self).indices.detach();
}
Tensor values(const Tensor& self) {
  check(is_sparse(self), "values expected sparse tensor layout but got Strided");
  check(!is_coo(self) || is_coalesced(self),
        "Cannot get values on an uncoalesced tensor, please call .coalesce() first");
  return _sparse_values(self);
}
Tensor crow_indices(const Tensor& self) {
  return part_of_compressed(self, "crow_indices", Layout::kSparseCsr, &SparseParts::indices);
}
Tensor col_indices(const Tensor& self) {
  return part_of_compressed(self, "col_indices", Layout::kSparseCsr, &SparseParts::plain);
}
Tensor ccol_indices(const Tensor& self) {
  return part_of_compressed(self, "ccol_indices", Layout::kSparseCsc, &SparseParts::indices);
}
Tensor row_indices(const Tensor& self) {
  return part_of_compressed(self, "row_indices", Layout::kSparseCsc, &SparseParts::plain);
}

Tensor _indices_copy(const Tensor& self) { return _indices(self).clone(); }
Tensor _values_copy(const Tensor& self) { return _values(self).clone(); }
Tensor indices_copy(const Tensor& self) { return indices(self).clone(); }
Tensor values_copy(const Tensor& self) { return values(self).clone(); }
Tensor crow_indices_copy(const Tensor& self) { return crow_indices(self).clone(); }
Tensor col_indices_copy(const Tensor& self) { return col_indices(self).clone(); }
Tensor ccol_indices_copy(const Tensor& self) { return ccol_indices(self).clone(); }
Tensor row_indices_copy(const Tensor& self) { return row_indices(self).clone(); }

namespace ops {
Tensor _sparse_values(const Tensor& self) { return sparse_parts(self).values.detach(); }
}  // namespace ops

const Tensor& sparse_resize_(const Tensor& self, IntArray size, std::int64_t sparse_dim, std::int64_t dense_dim) {
  need_coo_backend(self, "sparse_resize_");
  check(sparse_dim >= 0 && dense_dim >= 0 && static_cast<std::size_t>(sparse_dim + dense_dim) == size.size(),
        "number of dimensions must be sparse_dim (", sparse_dim, ") + dense_dim (", dense_dim, "), but got ",
        size.size());
  const Sizes sizes = size.vec();
  const SparseParts& parts = sparse_parts(self);
  if (nnz_of(self) == 0) {
    store_sparse(self, empty_coo(sizes, static_cast<std::size_t>(sparse_dim), self.dtype()), "sparse_resize_");
  } else {
    check(sparse_dim == rushlight::sparse_dim(self) && dense_dim == rushlight::dense_dim(self),
          "changing the number of sparse or dense dimensions on a non-empty sparse tensor is not supported.");
    for (std::size_t d = 0; d < sizes.size(); ++d)
      check(sizes[d] >= self.sizes()[d], "shrinking the size of ",
            d < static_cast<std::size_t>(sparse_dim) ? "sparse" : "dense",
            " dimensions on a non-empty sparse tensor is not supported.");
    check(IntArray(IntArray(sizes).subspan(static_cast<std::size_t>(sparse_dim))) ==
              IntArray(parts.values.sizes().subspan(1)),
          "sparse_resize_: growing dense dimensions of a non-empty sparse tensor is not supported");
    store_sparse(self, make_coo(parts.indices, parts.values, sizes, parts.coalesced), "sparse_resize_");
  }
  self.bump_version("sparse_resize_");
  return self;
}

const Tensor& sparse_resize_and_clear_(const Tensor& self, IntArray size, std::int64_t sparse_dim,
                                       std::int64_t dense_dim) {
  need_coo_backend(self, "sparse_resize_and_clear_");
  check(sparse_dim >= 0 && dense_dim >= 0 && static_cast<std::size_t>(sparse_dim + dense_dim) == size.size(),
        "number of dimensions must be sparse_dim (", sparse_dim, ") + dense_dim (", dense_dim, "), but got ",
        size.size());
  store_sparse(self, empty_coo(size.vec(), static_cast<std::size_t>(sparse_dim), self.dtype()),
               "sparse_resize_and_clear_");
  self.bump_version("sparse_resize_and_clear_");
  return self;
}

const Tensor& resize_as_sparse_(const Tensor& self, const Tensor& the_template) {
  need_coo(the_template, "resize_as_sparse_");
  return sparse_resize_(self, the_template.sizes(), sparse_dim(the_template), dense_dim(the_template));
}

}  // namespace rushlight
