// Rules of operators that work along dimensions: reductions, scans, sorting, softmax, Fourier transforms.
#include <numeric>

#include "batching/batching_call.h"
#include "rushlight/ops.h"
#include "tensor/dims.h"

namespace rushlight::batching {
namespace {

std::string op_name(const Call& call) { return std::string(call.name()); }

// Every dim counted from the front, behind the batch.
std::vector<std::int64_t> shifted(const Call& call, const std::vector<std::int64_t>& dims, std::int64_t rank) {
  std::vector<std::int64_t> result;
  for (const std::int64_t dim : dims)
    result.push_back(wrap_dim(dim, rank, op_name(call).c_str()) + 1);
  return result;
}

void flatten_samples(Item& item, std::int64_t batch) {
  std::int64_t count = 1;
  for (std::int64_t i = 1; i < item.tensor.dim(); ++i)
    count *= item.tensor.sizes()[static_cast<std::size_t>(i)];
  item.tensor = reshape(item.tensor, {batch, count});
}

// Results with one dimension for a sample that has none of its own.
std::vector<Tensor> without_added(std::vector<Tensor> results) {
  for (Tensor& result : results)
    if (result.defined() && result.dim() == 2) result = squeeze(result, 1);
  return results;
}

}  // namespace

std::vector<Tensor> reduce(Call& call) {
  Item& self = call[0];
  const std::int64_t rank = self.rank();
  const Parameter* which = call.find(Role::kDim);
  const std::vector<std::int64_t> dims = call.dims_of(*which);
  if (!dims.empty() && rank > 0) {
    call.set_dims(*which, shifted(call, dims, rank));
    return call.invoke();
  }
  shifted(call, dims, rank);  // checks
  // `all` and `any` of an empty list keep every element.
  if (dims.empty() && which->type() == Parameter::Type::kOptionalInts && which->as<OptionalIntArray>() &&
      (call.name() == "all" || call.name() == "any"))
    return call.each_sample();
  const Parameter* keepdim = call.find(Role::kKeepdim);
  const bool keeps = keepdim && std::exchange(keepdim->as<bool>(), false);
  flatten_samples(self, call.batch());
  call.set_dims(*which, {1});
  std::vector<Tensor> results = call.invoke();
  if (keeps) {
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(rank) + 1, 1);
    sizes[0] = call.batch();
    for (Tensor& result : results)
      result = view(result, sizes);
  }
  return results;
}

// Over all elements of a sample, for operators whose dim belongs to another overload.
std::vector<Tensor> whole(Call& call) {
  Item& self = call[0];
  flatten_samples(self, call.batch());
  const Tensor& x = self.tensor;
  const std::string_view name = call.name();
  if (x.sizes()[1] == 0) return call.each_sample();
  if (name == "sum") return {sum(x, OptionalIntArray{1}, false, call.parameter<std::optional<Dtype>>(0))};
  if (name == "mean") return {mean(x, OptionalIntArray{1}, false, call.parameter<std::optional<Dtype>>(0))};
  if (name == "prod") return {prod(x, 1, false, call.parameter<std::optional<Dtype>>(0))};
  if (name == "max") return {amax(x, {1}, false)};
  if (name == "min") return {amin(x, {1}, false)};
  if (name == "all") return {all(x, 1, false)};
  if (name == "any") return {any(x, 1, false)};
  // The gradient of a median goes to all elements that equal it, that of a median along a dim to one.
  if (x.requires_grad() && !(thread.modes & kGradOff)) return call.each_sample();
  if (name == "median") return {std::get<0>(median(x, 1, false))};
  return {std::get<0>(nanmedian(x, 1, false))};
}

// Along dims of the first tensor, whose sizes the others share.
std::vector<Tensor> along(Call& call) {
  Item& self = call[0];
  const std::int64_t rank = self.rank();
  if (call.items().size() > 1) call.expand_all();
  bool everything = false;
  for (const Parameter& parameter : call.parameters())
    if (parameter.role() == Role::kDim) {
      const std::vector<std::int64_t> dims = call.dims_of(parameter);
      everything |= dims.empty();
      call.set_dims(parameter, shifted(call, dims, rank));
    }
  if (everything && call.name() == "roll") {  // of the elements in a row
    const std::vector<std::int64_t> sizes = self.tensor.sizes().vec();
    flatten_samples(self, call.batch());
    call.set_dims(*call.find(Role::kDim), {1});
    return {reshape(call.invoke()[0], sizes)};
  }
  if (rank > 0 || everything) return call.invoke();
  if (call.items().size() > 1 && call.name().ends_with("scatter")) return call.each_sample();
  for (Item& item : call.items())
    call.align(item, 1);
  return without_added(call.invoke());
}

std::vector<Tensor> cross(Call& call) {
  auto& dim = call.parameter<std::int64_t>(0);
  const std::int64_t rank = call.highest_rank();
  if (call[0].rank() != call[1].rank()) return call.each_sample();
  dim = wrap_dim(dim, rank, "linalg_cross") + 1;
  call.expand_all();
  return call.invoke();
}

// Matrices in the last two dimensions, each for itself.
std::vector<Tensor> matrices(Call& call) {
  if (call[0].rank() < 2) return call.each_sample();
  return call.invoke();
}

namespace {
// How many of the last dimensions of an operand belong to one system.
std::int64_t core_rank(std::string_view name, std::size_t argument) {
  const bool vector =
      (argument == 1 && (name == "linalg_lu_solve" || name == "linalg_ldl_solve" || name == "_householder_product"));
  return vector ? 1 : 2;
}
}  // namespace

// Systems of equations: operands of one system have matching dimensions in front of it.
std::vector<Tensor> matrix_pairs(Call& call) {
  if (call.name() == "_linalg_solve_ex" && call[0].rank() == 2 && call[1].rank() == 1) {
    call.expand_all();
    return call.invoke();  // a batch of vectors
  }
  std::int64_t most = 0;
  for (std::size_t i = 0; i < call.arguments(); ++i) {
    const std::int64_t front = call[i].rank() - core_rank(call.name(), i);
    if (front < 0) return call.each_sample();
    most = std::max(most, front);
  }
  if (call.name() == "_linalg_solve_ex" && call[0].rank() != call[1].rank()) return call.each_sample();
  call.expand_all();
  for (std::size_t i = 0; i < call.arguments(); ++i)
    call.align(call[i], most + core_rank(call.name(), i));
  return call.invoke();
}

}  // namespace rushlight::batching
