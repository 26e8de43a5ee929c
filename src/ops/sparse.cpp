// The parts of sparse tensors.
#include "ops/sparse.h"

#include "rushlight/ops.h"
#include "tensor/dims.h"

namespace rushlight {

Layout Tensor::layout() const { return impl_->word & kSparse ? sparse_parts(*this).layout : Layout::kStrided; }

Tensor coalesced(const Tensor& self) {
  check<NotImplementedError>(sparse_parts(self).coalesced, "coalesce: the indices are not sorted");
  return self;
}

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

Tensor with_values(const Tensor& like, const Tensor& values) {
  const SparseParts& parts = sparse_parts(like);
  return is_coo(like) ? make_coo(parts.indices, values, like.sizes(), parts.coalesced)
                      : make_compressed(parts.layout, parts.indices, parts.plain, values, like.sizes());
}

void store_sparse(const Tensor& self, const Tensor& value, const char* name) {
  check(is_sparse(value) && self.layout() == value.layout(), name, ": the result has layout ",
        layout_title(value.layout()), " and cannot be written into a tensor of layout ", layout_title(self.layout()));
  if (self.is_same(value)) return;
  const ModeScope plain(kGradOff);
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
  const ModeScope plain(kGradOff);
  if (!is_coo(self)) return with_values(self, function(sparse_parts(self).values));
  const Tensor sorted = coalesced(self);
  return with_values(sorted, function(sparse_parts(sorted).values));
}

}  // namespace rushlight
