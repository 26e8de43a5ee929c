// Views and joins of sparse tensors; their results are tensors of their own, which share values where they can.
#include <algorithm>

#include "ops/sparse.h"
#include "rushlight/sparse.h"
#include "tensor/dims.h"

namespace rushlight::ops {
namespace {

using Sizes = std::vector<std::int64_t>;

std::size_t wrapped(const Tensor& self, std::int64_t dim, const char* op) {
  return static_cast<std::size_t>(wrap_dim(dim, self.dim(), op));
}

// Rows and columns of a compressed matrix change roles.
Tensor turned(const Tensor& self) {
  const SparseParts& parts = sparse_parts(self);
  const Sizes sizes{self.sizes()[1], self.sizes()[0]};
  return make_compressed(parts.layout == Layout::kSparseCsr ? Layout::kSparseCsc : Layout::kSparseCsr, parts.indices,
                         parts.plain, parts.values, sizes);
}

Tensor tensor_of(const Sizes& numbers) {
  const Tensor result = empty_tensor({static_cast<std::int64_t>(numbers.size())}, kInt64);
  std::copy(numbers.begin(), numbers.end(), result.mutable_data<std::int64_t>());
  return result;
}

}  // namespace

Tensor sparse_permute(const Tensor& self, IntArray dims) {
  check(dims.size() == self.sizes().size(), "permute(sparse_coo): number of dimensions in the tensor input does not ",
        "match the length of the desired ordering of dimensions i.e. input.dim() = ", self.dim(),
        " is not equal to len(dims) = ", dims.size());
  const NoGradGuard no_grad;
  const std::size_t rank = dims.size(), indexed = indexed_dims(self);
  Sizes order(rank), sizes(rank);
  std::vector<bool> seen(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    const std::size_t from = wrapped(self, dims[i], "permute");
    check(!seen[from], "permute(): duplicate dims are not allowed.");
    check((from < indexed) == (i < indexed),
          "permute: cannot move a dimension with indices among dense ones, got dims ", dims, " for ", indexed,
          " sparse dimensions");
    seen[from] = true;
    order[i] = static_cast<std::int64_t>(from);
    sizes[i] = self.sizes()[from];
  }
  bool same = true;
  for (std::size_t i = 0; i < indexed; ++i)
    same &= order[i] == static_cast<std::int64_t>(i);
  if (is_compressed(self)) return same ? with_values(self, sparse_parts(self).values) : turned(self);
  const SparseParts& parts = sparse_parts(self);
  Sizes inner{0};
  for (std::size_t i = indexed; i < rank; ++i)
    inner.push_back(order[i] - static_cast<std::int64_t>(indexed) + 1);
  const Sizes outer(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(indexed));
  const Tensor indices = same || indexed == 0 ? parts.indices : parts.indices.index_select(0, tensor_of(outer));
  return make_coo(indices, parts.values.permute(inner), sizes, parts.coalesced && same);
}

Tensor sparse_transpose(const Tensor& self, std::int64_t dim0, std::int64_t dim1) {
  Sizes dims(self.sizes().size());
  for (std::size_t i = 0; i < dims.size(); ++i)
    dims[i] = static_cast<std::int64_t>(i);
  if (!dims.empty()) std::swap(dims[wrapped(self, dim0, "transpose")], dims[wrapped(self, dim1, "transpose")]);
  return sparse_permute(self, dims);
}
Tensor sparse_t(const Tensor& self) {
  check(self.dim() <= 2, "t() expects a tensor with <= 2 sparse and 0 dense dimensions, but got ", sparse_dim(self),
        " sparse and ", dense_dim(self), " dense dimensions");
  return self.dim() < 2 ? with_values(self, sparse_parts(self).values) : sparse_transpose(self, 0, 1);
}

Tensor sparse_unsqueeze(const Tensor& self, std::int64_t dim) {
  check(is_coo(self), "unsqueeze: Sparse CSR tensors do not have strides; convert with .to_sparse() first");
  const NoGradGuard no_grad;
  const auto at = static_cast<std::size_t>(wrap_dim(dim, self.dim() + 1, "unsqueeze"));
  const SparseParts& parts = sparse_parts(self);
  const std::size_t indexed = indexed_dims(self);
  Sizes sizes = self.sizes().vec();
  sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(at), 1);
  if (at > indexed)
    return make_coo(parts.indices, parts.values.unsqueeze(static_cast<std::int64_t>(at - indexed) + 1), sizes,
                    parts.coalesced);
  const auto row = static_cast<std::int64_t>(at);
  const Tensor lists[] = {parts.indices.narrow(0, 0, row), zeros({1, nnz_of(self)}, TensorOptions(kInt64)),
                          parts.indices.narrow(0, row, static_cast<std::int64_t>(indexed) - row)};
  return make_coo(cat({lists, 3}, 0), parts.values, sizes, parts.coalesced);
}

Tensor sparse_select(const Tensor& whole, std::int64_t dim, std::int64_t index) {
  const NoGradGuard no_grad;
  const Tensor self = as_coo(whole);
  check<IndexError>(self.dim() > 0, "select() cannot be applied to a 0-dim tensor.");
  const std::size_t at = wrapped(self, dim, "select"), indexed = indexed_dims(self);
  const std::int64_t size = self.sizes()[at];
  check<IndexError>(index >= -size && index < size, "select(): index ", index, " out of range for tensor of size ",
                    self.sizes(), " at dimension ", dim);
  const std::int64_t place = index < 0 ? index + size : index;
  const SparseParts& parts = sparse_parts(self);
  Sizes sizes = self.sizes().vec();
  sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(at));
  if (at >= indexed)
    return make_coo(parts.indices, parts.values.select(static_cast<std::int64_t>(at - indexed) + 1, place).clone(),
                    sizes, parts.coalesced);
  const auto row = static_cast<std::int64_t>(at);
  const Tensor found = parts.indices.select(0, row).eq(Scalar(place)).nonzero().view({-1});
  const Tensor values = parts.values.index_select(0, found);
  if (indexed == 1) return alias(values.sum(IntArray{0}, false, values.dtype()), sizes, nullptr, 0);
  const Tensor lists[] = {
      parts.indices.narrow(0, 0, row),
      parts.indices.narrow(0, row + 1, static_cast<std::int64_t>(indexed) - row - 1),
  };
  return make_coo(cat({lists, 2}, 0).index_select(1, found), values, sizes, parts.coalesced);
}

std::vector<Tensor> sparse_unbind(const Tensor& self, std::int64_t dim) {
  check<IndexError>(self.dim() > 0, "Dimension specified as ", dim, " but tensor has no dimensions");
  const std::size_t at = wrapped(self, dim, "unbind");
  std::vector<Tensor> parts;
  for (std::int64_t i = 0; i < self.sizes()[at]; ++i)
    parts.push_back(sparse_select(self, dim, i));
  return parts;
}

// Elements of the places that `index` names, place by place in its order.
Tensor sparse_index_select(const Tensor& self, std::int64_t dim, const Tensor& index) {
  if (!is_coo(self)) refuse_composed(self.word() | kSparse, "index_select");
  check<IndexError>(index.dim() == 1 && (index.dtype() == kInt64 || index.dtype() == kInt32),
                    "index_select() argument index must be 1-D long-tensor.");
  const NoGradGuard no_grad;
  const std::size_t at = wrapped(self, dim, "index_select"), indexed = indexed_dims(self);
  const SparseParts& parts = sparse_parts(self);
  Sizes sizes = self.sizes().vec();
  sizes[at] = index.numel();
  const Tensor wanted = index.to(kInt64).contiguous();
  check_indices(wanted.view({1, wanted.numel()}), IntArray{self.sizes()[at]}, "index_select");
  if (at >= indexed)
    return make_coo(parts.indices, parts.values.index_select(static_cast<std::int64_t>(at - indexed) + 1, wanted),
                    sizes, parts.coalesced);
  check_indices(parts.indices, self.sizes().subspan(0, indexed), "index_select");
  // Elements grouped by their place in `dim`, then for each wanted place the whole group.
  const auto row = static_cast<std::int64_t>(at);
  const Tensor places = parts.indices.select(0, row).contiguous();
  const Tensor order = segments_of(places, self.sizes()[at]).order, starts = pointers_of(places, self.sizes()[at]);
  const Tensor first = starts.index_select(0, wanted),
               counts = starts.index_select(0, wanted.add(Scalar(1))).sub(first);
  const Tensor target = repeat_interleave(counts);
  const Tensor before = counts.cumsum(0).sub(counts);
  const Tensor within = arange(target.numel(), TensorOptions(kInt64)).sub(before.index_select(0, target));
  const Tensor from = order.index_select(0, first.index_select(0, target).add(within));
  const Tensor indices = parts.indices.index_select(1, from);
  indices.select(0, row).copy_(target);
  const Tensor result = make_coo(indices, parts.values.index_select(0, from), sizes, parts.coalesced && at == 0);
  return parts.coalesced ? coalesced(result) : result;
}

Tensor sparse_cat(TensorList tensors, std::int64_t dim) {
  const NoGradGuard no_grad;
  const Tensor& first = tensors[0];
  for (const Tensor& each : tensors) {
    check(is_coo(each), "cat: Concatenating sparse tensors, but a tensor of layout ", layout_title(each.layout()),
          " was found");
    check(each.dim() == first.dim() && indexed_dims(each) == indexed_dims(first),
          "All tensors must have the same shape: ", first.sizes(), " (except in the concatenating dimension), and the ",
          "same number of sparse dimensions, but found ", each.sizes());
  }
  const std::size_t at = wrapped(first, dim, "cat"), indexed = indexed_dims(first);
  check(at < indexed, "cat: joining sparse tensors along a dense dimension is not supported, got dim ", dim);
  Sizes sizes = first.sizes().vec();
  sizes[at] = 0;
  std::vector<Tensor> indices, values;
  for (const Tensor& each : tensors) {
    for (std::size_t d = 0; d < sizes.size(); ++d)
      check(d == at || each.sizes()[d] == sizes[d], "All tensors must have the same shape: ", first.sizes(),
            " (except in the concatenating dimension), but found shape: ", each.sizes());
    const Tensor moved = sparse_parts(each).indices.clone();
    moved.select(0, static_cast<std::int64_t>(at)).add_(Scalar(sizes[at]));
    indices.push_back(moved);
    values.push_back(sparse_parts(each).values);
    sizes[at] += each.sizes()[at];
  }
  bool sorted = at == 0;
  for (const Tensor& each : tensors)
    sorted &= sparse_parts(each).coalesced;
  return make_coo(cat(indices, 1), cat(values, 0), sizes, sorted);
}

Tensor sparse_stack(TensorList tensors, std::int64_t dim) {
  check(!tensors.empty(), "stack expects a non-empty TensorList");
  std::vector<Tensor> wider;
  for (const Tensor& each : tensors) {
    check(each.sizes() == tensors[0].sizes(), "stack expects each tensor to be equal size, but got ",
          tensors[0].sizes(), " and ", each.sizes());
    check(is_coo(each), "stack: expected sparse_coo tensors, got layout ", layout_title(each.layout()));
    wider.push_back(sparse_unsqueeze(each, dim < 0 ? dim + tensors[0].dim() + 1 : dim));
  }
  return sparse_cat(wider, dim < 0 ? dim + tensors[0].dim() + 1 : dim);
}

Tensor sparse_expand(const Tensor& self, IntArray, bool) {
  throw RuntimeError(str("expand is unsupported for ", layout_title(self.layout()), " tensors"));
}

}  // namespace rushlight::ops
