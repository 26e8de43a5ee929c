// Indexing as graphs of compiled programs spell it: by integers alone, with a mask instead of a branch.
#include "rushlight/ops.h"

namespace rushlight {
namespace {

using Indices = std::vector<std::optional<Tensor>>;

void need_integers(OptionalTensorList indices, const char* op) {
  for (const auto& index : indices)
    check(!index || !index->defined() || index->dtype() == kInt64 || index->dtype() == kInt32, op,
          " found unexpected index type ", index ? scalar_type_name(index->dtype()) : "");
}

Indices clamped(const Tensor& self, OptionalTensorList indices, const char* op) {
  need_integers(indices, op);
  Indices result;
  for (const auto& index : indices) {
    const auto dim = static_cast<std::int64_t>(result.size());
    if (!index || !index->defined()) {
      result.emplace_back();
      continue;
    }
    const std::int64_t size = self.size(dim);
    result.push_back(clamp(*index, Scalar(-size), Scalar(size - 1)));
  }
  return result;
}

}  // namespace

Tensor _unsafe_index(const Tensor& self, OptionalTensorList indices) {
  need_integers(indices, "_unsafe_index");
  return index(self, indices);
}
Tensor _unsafe_index_put(const Tensor& self, OptionalTensorList indices, const Tensor& values, bool accumulate) {
  return index_put(self, indices, values, accumulate);
}
Tensor _unsafe_masked_index(const Tensor& self, const Tensor& mask, OptionalTensorList indices, const Scalar& fill) {
  return masked_fill(index(self, clamped(self, indices, "_unsafe_masked_index")), logical_not(mask), fill);
}
Tensor _unsafe_masked_index_put_accumulate(const Tensor& self, const Tensor& mask, OptionalTensorList indices,
                                           const Tensor& values) {
  const Indices inside = clamped(self, indices, "_unsafe_masked_index_put_accumulate");
  return index_put(self, inside, masked_fill(values, logical_not(mask), Scalar(0)), true);
}

}  // namespace rushlight
