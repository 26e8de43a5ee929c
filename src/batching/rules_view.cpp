// Rules of views and of what their derivatives call.
#include "batching/batching_call.h"
#include "rushlight/ops.h"
#include "tensor/dims.h"

namespace rushlight::batching {
namespace {

void shift_dims(Call& call, std::int64_t rank, Role role) {
  for (const Parameter& parameter : call.parameters())
    if (parameter.role() == role) {
      std::vector<std::int64_t> dims = call.dims_of(parameter);
      for (std::int64_t& dim : dims)
        dim = wrap_dim(dim, rank, std::string(call.name()).c_str()) + 1;
      call.set_dims(parameter, std::move(dims));
    }
}
std::vector<std::int64_t> behind(std::int64_t batch, std::vector<std::int64_t> sizes) {
  sizes.insert(sizes.begin(), batch);
  return sizes;
}

}  // namespace

std::vector<Tensor> viewed(Call& call) {
  const std::int64_t rank = call[0].rank();
  if (rank == 0) {
    if (call.name().starts_with("squeeze") || call.name() == "transpose") {
      shift_dims(call, 0, Role::kDim);
      return {alias(call[0].tensor)};
    }
    return call.each_sample();
  }
  shift_dims(call, rank, Role::kDim);
  return call.invoke();
}

std::vector<Tensor> inserted(Call& call) {
  if (call.name() == "diag_embed" && call[0].rank() == 0) return call.each_sample();
  shift_dims(call, call[0].rank() + 1, Role::kNewDim);
  return call.invoke();
}

std::vector<Tensor> permuted(Call& call) {
  const Parameter& dims = call.parameters()[0];
  const std::int64_t rank = call[0].rank();
  std::vector<std::int64_t> order = call.dims_of(dims);
  check(static_cast<std::int64_t>(order.size()) == rank,
        "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired "
        "ordering of dimensions i.e. input.dim() = ",
        rank, " is not equal to len(dims) = ", order.size());
  for (std::int64_t& dim : order)
    dim = wrap_dim(dim, rank, "permute") + 1;
  call.set(dims, behind(0, std::move(order)));
  return call.invoke();
}

std::vector<Tensor> transposed(Call& call) {
  const std::int64_t rank = call[0].rank();
  check(rank <= 2, "t() expects a tensor with <= 2 dimensions, but self is ", rank, "D");
  return {rank == 2 ? transpose(call[0].tensor, 1, 2) : alias(call[0].tensor)};
}

std::vector<Tensor> squeezed(Call& call) {
  std::vector<std::int64_t> dims;
  const IntArray sizes = call[0].tensor.sizes();
  for (std::size_t i = 1; i < sizes.size(); ++i)
    if (sizes[i] == 1) dims.push_back(static_cast<std::int64_t>(i));
  return {dims.empty() ? alias(call[0].tensor) : squeeze(call[0].tensor, dims)};
}

std::vector<Tensor> sized(Call& call) {
  const Parameter& size = *call.find(Role::kSizes);
  call.set(size, behind(call.batch(), call.dims_of(size)));
  return call.invoke();
}

// The list may be longer than the tensor has dimensions.
std::vector<Tensor> expanded(Call& call) {
  const Parameter& size = *call.find(Role::kSizes);
  std::vector<std::int64_t> sizes = call.dims_of(size);
  if (static_cast<std::int64_t>(sizes.size()) < call[0].rank()) return call.each_sample();  // says what is wrong
  call.align(call[0], static_cast<std::int64_t>(sizes.size()));
  call.set(size, behind(call.name() == "repeat" ? 1 : call.batch(), std::move(sizes)));
  return call.invoke();
}

// Offsets count from the first element of a sample.
std::vector<Tensor> strided(Call& call) {
  const Tensor& value = call[0].tensor;
  std::vector<std::int64_t> sizes = behind(call.batch(), call.parameter<IntArray>(0).vec());
  std::vector<std::int64_t> strides = behind(value.strides()[0], call.parameter<IntArray>(1).vec());
  return {as_strided(value, sizes, strides, call.parameter<std::optional<std::int64_t>>(2))};
}

// The first argument is the gradient; dims count in `input_sizes`.
std::vector<Tensor> view_gradient(Call& call) {
  const Parameter& size = *call.find(Role::kSizes);
  std::vector<std::int64_t> sizes = call.dims_of(size);
  if (sizes.empty()) return call.each_sample();
  shift_dims(call, static_cast<std::int64_t>(sizes.size()), Role::kDim);
  call.set(size, behind(call.batch(), std::move(sizes)));
  return call.invoke();
}

std::vector<Tensor> stack(Call& call) {
  call.expand_all();
  auto& dim = call.parameter<std::int64_t>(0);
  dim = wrap_dim(dim, call[0].rank() + 1, "stack") + 1;
  return call.invoke();
}

std::vector<Tensor> cat(Call& call) {
  std::int64_t rank = 0;
  bool empty_lists = false;
  for (const Item& item : call.items()) {
    rank = std::max(rank, item.rank());
    empty_lists |= item.rank() == 1 && item.tensor.sizes().back() == 0;
  }
  if (empty_lists || rank == 0) return call.each_sample();  // a list without elements fits everywhere
  call.expand_all();
  auto& dim = call.parameter<std::int64_t>(0);
  dim = wrap_dim(dim, rank, "cat") + 1;
  return call.invoke();
}

}  // namespace rushlight::batching
