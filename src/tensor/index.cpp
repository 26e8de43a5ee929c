// Indexing of the C++ face: basic indices are views, tensors among them go to the index operators.
#include <limits>

#include "rushlight/indexing.h"

namespace rushlight::indexing {
namespace {

// What is left to do after the views: the tensor and, per dimension, an index tensor or nothing.
struct Plan {
  Tensor view;
  std::vector<std::optional<Tensor>> tensors;
  bool advanced = false;
};

Plan plan(const Tensor& self, const TensorIndex* indices, std::size_t count) {
  std::int64_t consumed = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& index = indices[i];
    if (index.kind == TensorIndex::Kind::kInteger || index.kind == TensorIndex::Kind::kSlice) ++consumed;
    if (index.kind == TensorIndex::Kind::kTensor) consumed += index.tensor.dtype() == kBool ? index.tensor.dim() : 1;
  }
  check<IndexError>(consumed <= self.dim(), "too many indices for tensor of dimension ", self.dim());
  Plan result{self, {}, false};
  std::int64_t dim = 0;
  const auto keep = [&](std::int64_t dims) {
    dim += dims;
    result.tensors.resize(static_cast<std::size_t>(dim));
  };
  for (std::size_t i = 0; i < count; ++i) {
    const TensorIndex& index = indices[i];
    switch (index.kind) {
      case TensorIndex::Kind::kNone:
        result.view = result.view.unsqueeze(dim);
        keep(1);
        break;
      case TensorIndex::Kind::kEllipsis:
        keep(self.dim() - consumed);
        break;
      case TensorIndex::Kind::kInteger:
        result.view = result.view.select(dim, index.integer);
        break;
      case TensorIndex::Kind::kBoolean:
        result.view = result.view.unsqueeze(dim);
        keep(1);
        result.tensors.back() = index.integer ? zeros({1}, kInt64) : zeros({0}, kInt64);
        result.advanced = true;
        break;
      case TensorIndex::Kind::kSlice:
        result.view = result.view.slice(dim, index.slice.start, index.slice.stop, index.slice.step);
        keep(1);
        break;
      case TensorIndex::Kind::kTensor: {
        const std::int64_t dims = index.tensor.dtype() == kBool ? index.tensor.dim() : 1;
        // A mask of several dimensions stands in the first of its places; `index` spreads it.
        result.tensors.resize(static_cast<std::size_t>(dim));
        result.tensors.emplace_back(index.tensor);
        dim += 1;
        consumed += 1 - dims;
        result.advanced = true;
        break;
      }
    }
  }
  return result;
}

}  // namespace

Tensor get(const Tensor& self, const TensorIndex* indices, std::size_t count) {
  const Plan made = plan(self, indices, count);
  return made.advanced ? made.view.index(made.tensors) : made.view;
}

void set(const Tensor& self, const TensorIndex* indices, std::size_t count, const Tensor& value) {
  const Plan made = plan(self, indices, count);
  if (made.advanced)
    made.view.index_put_(made.tensors, value.to(self.dtype()));
  else
    made.view.copy_(value);
}

}  // namespace rushlight::indexing

namespace rushlight {

Tensor Tensor::index(std::initializer_list<indexing::TensorIndex> indices) const {
  return indexing::get(*this, indices.begin(), indices.size());
}
Tensor Tensor::index(const std::vector<indexing::TensorIndex>& indices) const {
  return indexing::get(*this, indices.data(), indices.size());
}
const Tensor& Tensor::index_put_(std::initializer_list<indexing::TensorIndex> indices, const Tensor& value) const {
  indexing::set(*this, indices.begin(), indices.size(), value);
  return *this;
}
const Tensor& Tensor::index_put_(std::initializer_list<indexing::TensorIndex> indices, const Scalar& value) const {
  indexing::set(*this, indices.begin(), indices.size(), full({}, value, options()));
  return *this;
}
const Tensor& Tensor::index_put_(const std::vector<indexing::TensorIndex>& indices, const Tensor& value) const {
  indexing::set(*this, indices.data(), indices.size(), value);
  return *this;
}
Tensor Tensor::operator[](std::int64_t index) const { return select(0, index); }
Tensor Tensor::operator[](const Tensor& index) const { return this->index({TensorIndex(index)}); }

void Tensor::operator=(const Tensor& value) && { copy_(value); }
void Tensor::operator=(Tensor&& value) && { copy_(value); }
void Tensor::operator=(const Scalar& value) && { fill_(value); }

void Tensor::check_accessor(Dtype type, std::size_t dims) const {
  check(dtype() == type, "accessor: expected scalar type ", scalar_type_name(type), " but found ",
        scalar_type_name(dtype()));
  check(static_cast<std::size_t>(dim()) == dims, "accessor: TensorAccessor expected ", dims, " dims but tensor has ",
        dim());
}

}  // namespace rushlight
