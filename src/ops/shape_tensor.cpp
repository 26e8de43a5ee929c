// Shapes compared, and shapes as tensors of int64.
#include "rushlight/ops.h"
#include "tensor/dims.h"

namespace rushlight {

bool is_same_size(const Tensor& self, const Tensor& other) { return self.sizes() == other.sizes(); }

Tensor _shape_as_tensor(const Tensor& self) {
  const Tensor shape = empty({self.dim()}, TensorOptions(kInt64));
  std::copy(self.sizes().begin(), self.sizes().end(), shape.mutable_data<std::int64_t>());
  return shape;
}

Tensor _reshape_from_tensor(const Tensor& self, const Tensor& shape) {
  check(shape.dim() == 1, "_reshape_from_tensor: Expected a vector of sizes, but got ", shape);
  check(shape.dtype() == kInt64, "expected scalar type Long but found ", scalar_type_name(shape.dtype()));
  std::vector<std::int64_t> sizes;
  for (std::int64_t i = 0; i < shape.numel(); ++i)
    sizes.push_back(select(shape, 0, i).item<std::int64_t>());
  return reshape(self, sizes);
}

Tensor _dim_arange(const Tensor& like, std::int64_t dim) {
  const std::int64_t size = like.size(wrap_dim(dim, like.dim(), "_dim_arange"));
  return arange(Scalar(size), TensorOptions(kInt64, like.device()));
}

}  // namespace rushlight
