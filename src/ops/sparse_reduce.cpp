// Reductions of sparse tensors: sums, norms, softmax over what is stated.
#include "ops/sparse.h"
#include "rushlight/sparse.h"
#include "tensor/dims.h"

namespace rushlight {
namespace {

using Sizes = std::vector<std::int64_t>;

// Elements that differ in `dim` alone form a pool; the pool of each element.
struct Pools {
  Tensor of;
  std::int64_t count;
};
Pools pools_of(const Tensor& sorted, std::size_t dim) {
  const SparseParts& parts = sparse_parts(sorted);
  const IntArray sizes = sorted.sizes().subspan(0, indexed_dims(sorted));
  const Tensor indices = parts.indices.clone();
  indices.select(0, static_cast<std::int64_t>(dim)).zero_();
  const auto [keys, inverse, counts] = _unique2(flat_indices(indices, sizes, "sparse.softmax"), true, true);
  return {inverse, keys.numel()};
}

Tensor pool_sums(const Tensor& values, const Pools& pools) {
  Sizes sizes = values.sizes().vec();
  sizes[0] = pools.count;
  return zeros(sizes, values.options()).index_add(0, pools.of, values);
}

template <class OnDense, class OnPools>
Tensor softmax_of(const Tensor& self, std::int64_t dim, const OnDense& on_dense, const OnPools& on_pools) {
  need_coo(self, "sparse.softmax");
  const NoGradGuard no_grad;
  const Tensor sorted = coalesced(self);
  const auto at = static_cast<std::size_t>(wrap_dim(dim, self.dim(), "sparse.softmax"));
  const Tensor& values = sparse_parts(sorted).values;
  check(values.is_floating_point(), "softmax: expected a floating point tensor, got ", self);
  if (at >= indexed_dims(self))
    return with_values(sorted, on_dense(values, static_cast<std::int64_t>(at - indexed_dims(self)) + 1));
  const Pools pools = pools_of(sorted, at);
  Sizes sizes = values.sizes().vec();
  sizes[0] = pools.count;
  const Tensor most = zeros(sizes, values.options()).index_reduce(0, pools.of, values, "amax", false);
  return with_values(sorted, on_pools(values, most, pools));
}

}  // namespace

namespace ops {

Tensor sparse_sum(const Tensor& self, std::optional<Dtype> dtype) {
  const NoGradGuard no_grad;
  return sparse_parts(self).values.sum(dtype);
}

Tensor sparse_sum_dims(const Tensor& self, IntArray dim) {
  need_coo(self, "sparse_sum");
  const NoGradGuard no_grad;
  const Tensor sorted = coalesced(self);
  const SparseParts& parts = sparse_parts(sorted);
  const std::size_t indexed = indexed_dims(self), rank = self.sizes().size();
  std::vector<bool> summed(rank, dim.empty());
  for (const std::int64_t each : dim) {
    const auto at = static_cast<std::size_t>(wrap_dim(each, self.dim(), "sum"));
    check(!summed[at], "sum: dim ", each, " appears multiple times in the list of dims");
    summed[at] = true;
  }
  Sizes inner, sizes;
  std::vector<Tensor> rows;
  for (std::size_t d = 0; d < rank; ++d) {
    if (d >= indexed && summed[d]) inner.push_back(static_cast<std::int64_t>(d - indexed) + 1);
    if (summed[d]) continue;
    sizes.push_back(self.sizes()[d]);
    if (d < indexed) rows.push_back(parts.indices.select(0, static_cast<std::int64_t>(d)));
  }
  Tensor values = parts.values;
  if (!inner.empty()) values = values.sum(inner, false, values.dtype());
  if (rows.empty()) return alias(values.sum(IntArray{0}, false, values.dtype()), sizes, nullptr, 0);
  if (rows.size() == indexed) return make_coo(parts.indices, values, sizes, true);
  return coalesced(make_coo(stack(rows, 0), values, sizes, false));
}

Tensor sparse_sum(const Tensor& self, OptionalIntArray dim, bool keepdim, std::optional<Dtype> dtype) {
  const NoGradGuard no_grad;
  check(!is_compressed(self) || keepdim, "reduction operations on CSR tensors with keepdim=False is unsupported");
  const IntArray dims = dim ? IntArray(*dim) : IntArray{};
  const Tensor typed = dtype && *dtype != self.dtype() ? self.to(*dtype) : self;
  Tensor result = sparse_sum_dims(as_coo(typed), dims);
  if (!keepdim) return result;
  std::vector<bool> summed(self.sizes().size(), dims.empty());
  for (const std::int64_t each : dims)
    summed[static_cast<std::size_t>(wrap_dim(each, self.dim(), "sum"))] = true;
  for (std::size_t d = 0; d < summed.size(); ++d)
    if (summed[d]) result = result.unsqueeze(static_cast<std::int64_t>(d));
  if (!is_compressed(self)) return result.word() & kSparse ? result : alias(result, result.sizes(), nullptr, 0);
  return as_layout(is_sparse(result) ? result : to_sparse(result), self.layout());
}

Tensor sparse_norm(const Tensor& self, const Scalar& ord, OptionalIntArray dim, bool keepdim,
                   std::optional<Dtype> dtype) {
  check(is_coo(self),
        "norm: Could not run 'aten::norm' on a compressed sparse tensor; convert with .to_sparse() first");
  check(!dim || dim->empty(), "norm_sparse currently only supports full reductions, so 'dim' must be empty");
  check(!keepdim, "norm_sparse currently does not support keepdim=True");
  const NoGradGuard no_grad;
  return linalg_vector_norm(sparse_parts(coalesced(self)).values, ord, OptionalIntArray{}, false, dtype);
}

Tensor _sparse_sum(const Tensor& self, IntArray) {
  throw NotImplementedError(str("_sparse_sum: expected a sparse tensor, got ", self, "; use sum"));
}

Tensor sparse_any(const Tensor& self) {
  const NoGradGuard no_grad;
  return sparse_parts(self).values.any();
}

Tensor _sparse_softmax_of(const Tensor& self, std::int64_t dim) {
  return softmax_of(
      self, dim, [](const Tensor& values, std::int64_t at) { return values.softmax(at); },
      [](const Tensor& values, const Tensor& most, const Pools& pools) {
        const Tensor powers = values.sub(most.index_select(0, pools.of)).exp();
        return powers.div(pool_sums(powers, pools).index_select(0, pools.of));
      });
}
Tensor _sparse_log_softmax_of(const Tensor& self, std::int64_t dim) {
  return softmax_of(
      self, dim, [](const Tensor& values, std::int64_t at) { return values.log_softmax(at); },
      [](const Tensor& values, const Tensor& most, const Pools& pools) {
        const Tensor shifted = values.to(kFloat64).sub(most.to(kFloat64).index_select(0, pools.of));
        const Tensor sums = pool_sums(shifted.exp(), pools).log();
        return shifted.sub(sums.index_select(0, pools.of)).to(values.dtype());
      });
}

}  // namespace ops

Tensor _sparse_sum(const Tensor& self) { return values(coalesce(self)).sum(); }
Tensor _sparse_sum(const Tensor& self, Dtype dtype) { return values(coalesce(self)).sum(dtype); }
Tensor _sparse_sum(const Tensor& self, IntArray dim, Dtype dtype) { return _sparse_sum(self.to(dtype), dim); }
Tensor _sparse_softmax(const Tensor& self, std::int64_t dim, std::optional<Dtype> dtype) {
  return _sparse_softmax_of(dtype ? self.to(*dtype) : self, dim);
}
Tensor _sparse_log_softmax(const Tensor& self, std::int64_t dim, std::optional<Dtype> dtype) {
  return _sparse_log_softmax_of(dtype ? self.to(*dtype) : self, dim);
}

// Gradients of softmax along `dim`, from its result y: y (g - sum of y g) and g - exp(y) sum of g.
Tensor sparse_softmax_gradient(const Tensor& grad, const Tensor& result, std::int64_t dim, bool log) {
  const auto at = static_cast<std::size_t>(wrap_dim(dim, result.dim(), "sparse.softmax"));
  const Tensor g = _sparse_take(grad, sparse_parts(result).indices), y = _sparse_values(result);
  const auto summed = [&](const Tensor& values) {
    if (at >= indexed_dims(result))
      return values.sum(IntArray{static_cast<std::int64_t>(at - indexed_dims(result)) + 1}, true);
    const Pools pools = pools_of(result, at);
    return pool_sums(values, pools).index_select(0, pools.of);
  };
  const Tensor values = log ? g.sub(y.exp().mul(summed(g))) : y.mul(g.sub(summed(y.mul(g))));
  return _sparse_coo_tensor_unsafe(sparse_parts(result).indices, values, result.sizes(), true);
}

}  // namespace rushlight
