// The parts of sparse tensors: making them, checking them, writing them over.
#include "ops/sparse.h"

#include "ops/kernels/sparse.h"
#include "rushlight/sparse.h"
#include "tensor/dims.h"

namespace rushlight {

Layout Tensor::layout() const { return impl_->word & kSparse ? sparse_parts(*this).layout : Layout::kStrided; }

const char* layout_title(Layout layout) {
  switch (layout) {
    case Layout::kSparse:
      return "Sparse";
    case Layout::kSparseCsr:
      return "SparseCsr";
    case Layout::kSparseCsc:
      return "SparseCsc";
    default:
      return "Strided";
  }
}

void need_coo(const Tensor& self, const char* op) {
  check(is_coo(self), op, " expected sparse coordinate tensor layout but got ", layout_title(self.layout()));
}

Tensor make_coo(const Tensor& indices, const Tensor& values, IntArray sizes, bool coalesced) {
  auto* parts = new SparseParts;
  parts->indices = indices.detach();
  parts->values = values.detach();
  parts->coalesced = coalesced;
  return make_composed(parts, sizes, static_cast<Word>(values.dtype()) | kSparse);
}

Tensor make_compressed(Layout layout, const Tensor& pointers, const Tensor& plain, const Tensor& values,
                       IntArray sizes) {
  auto* parts = new SparseParts;
  parts->layout = layout;
  parts->indices = pointers.detach();
  parts->plain = plain.detach();
  parts->values = values.detach();
  return make_composed(parts, sizes, static_cast<Word>(values.dtype()) | kSparse | kCompressed);
}

Tensor empty_coo(IntArray sizes, std::size_t indexed, Dtype dtype) {
  std::vector<std::int64_t> shape{0};
  shape.insert(shape.end(), sizes.begin() + static_cast<std::ptrdiff_t>(indexed), sizes.end());
  return make_coo(empty_tensor({static_cast<std::int64_t>(indexed), 0}, kInt64), empty_tensor(shape, dtype), sizes,
                  true);
}

Tensor empty_compressed(Layout layout, IntArray sizes, Dtype dtype) {
  check(sizes.size() == 2, "empty: Only batched sparse compressed (non-block) tensors are supported, but got size ",
        sizes);
  const std::int64_t lines = sizes[layout == Layout::kSparseCsr ? 0 : 1];
  return make_compressed(layout, zeros({lines + 1}, kInt64), empty_tensor(IntArray{0}, kInt64),
                         empty_tensor(IntArray{0}, dtype), sizes);
}

Tensor with_values(const Tensor& like, const Tensor& values) {
  const SparseParts& parts = sparse_parts(like);
  return is_coo(like) ? make_coo(parts.indices, values, like.sizes(), parts.coalesced)
                      : make_compressed(parts.layout, parts.indices, parts.plain, values, like.sizes());
}

void store_sparse(const Tensor& self, const Tensor& value, const char* name) {
  check(is_sparse(value) && self.layout() == value.layout(), name, ": the result has layout ",
        layout_title(value.layout()), " and cannot be written into a tensor of layout ", layout_title(self.layout()));
  if (self.is_same(value)) return;
  const NoGradGuard no_grad;
  SparseParts& to = sparse_parts(self);
  const SparseParts& from = sparse_parts(value);
  const auto same = [](const Tensor& a, const Tensor& b) {
    return a.defined() == b.defined() && (!a.defined() || (a.data() == b.data() && a.sizes() == b.sizes()));
  };
  if (self.sizes() == value.sizes() && same(to.indices, from.indices) && same(to.plain, from.plain) &&
      to.values.sizes() == from.values.sizes()) {
    copy_(to.values, from.values);
    return;
  }
  const Dtype type = self.dtype();
  to.indices = from.indices;
  to.plain = from.plain;
  to.values = from.values.dtype() == type ? from.values : _to_copy(from.values, TensorOptions(type));
  to.coalesced = from.coalesced;
  self.impl()->set_shape(ShortShape(value.sizes()), nullptr);
  self.impl()->word &= ~kContiguous;
}

Tensor sparse_values(const Tensor& self, const std::function<Tensor(const Tensor&)>& function) {
  const NoGradGuard no_grad;
  if (!is_coo(self)) return with_values(self, function(sparse_parts(self).values));
  const Tensor sorted = coalesced(self);
  return with_values(sorted, function(sparse_parts(sorted).values));
}

void check_indices(const Tensor& indices, IntArray sizes, const char* op) {
  if (indices.numel() == 0) return;
  const Tensor dense = indices.contiguous();
  std::vector<std::int64_t> least(sizes.size()), greatest(sizes.size());
  index_range_kernel(dense.device(), dense, least.data(), greatest.data());
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    check(least[d] >= 0, op, ": found negative index ", least[d], " for dim ", d);
    check(greatest[d] < sizes[d], op, ": size is inconsistent with indices: for dim ", d, ", size is ", sizes[d],
          " but found index ", greatest[d]);
  }
}

void check_compressed(const Tensor& self, const char* op) {
  const SparseParts& parts = sparse_parts(self);
  const bool by_row = parts.layout == Layout::kSparseCsr;
  const std::int64_t lines = self.sizes()[by_row ? 0 : 1], other = self.sizes()[by_row ? 1 : 0];
  const Tensor pointers = parts.indices.to(kInt64).contiguous();
  const std::int64_t* at = pointers.data<std::int64_t>();
  const std::int64_t nnz = parts.plain.numel();
  check(pointers.numel() == lines + 1, op, ": compressed_indices must have ", lines + 1, " elements, got ",
        pointers.numel());
  check(at[0] == 0, op, ": expected compressed_indices[..., 0] == 0, got ", at[0]);
  check(at[lines] == nnz, op, ": expected compressed_indices[..., -1] == nnz, got ", at[lines], " for ", nnz,
        " elements");
  for (std::int64_t i = 0; i < lines; ++i)
    check(at[i] <= at[i + 1] && at[i + 1] - at[i] <= other, op,
          ": expected 0 <= compressed_indices[..., 1:] - compressed_indices[..., :-1] <= plain_dim, got ", at[i],
          " before ", at[i + 1]);
  check_indices(parts.plain.to(kInt64).view({1, nnz}), IntArray{other}, op);
}

}  // namespace rushlight
