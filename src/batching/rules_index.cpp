// Rules of indexing: with an index per sample, the samples are one more dimension that is indexed.
#include <numeric>

#include "batching/batching_call.h"
#include "rushlight/ops.h"
#include "tensor/dims.h"

namespace rushlight::batching {
namespace {

using Dims = std::vector<std::int64_t>;

// Indices of one sample, masks replaced by the places of their true elements, and where the indexed dimensions go.
struct Indices {
  std::vector<Item> list;
  std::int64_t rank = 0;   // of the indices broadcast together, for one sample
  std::int64_t first = 0;  // position of the indexed dimensions in a sample's result
  bool differ = false;     // between samples
};

Indices indices_of(Call& call, std::size_t argument) {
  Indices found;
  for (const Item& item : call.list(argument)) {
    const bool mask = item.defined() && (item.tensor.dtype() == kBool || item.tensor.dtype() == Dtype::kUInt8);
    if (!mask) {
      found.list.push_back(item);
      continue;
    }
    if (item.batched)
      need_samples("vmap: a mask per sample chooses elements, and may choose more in one than in another");
    const Tensor places = nonzero(item.tensor);
    if (item.rank() == 0) need_samples("vmap: indexing with a mask without dimensions");
    for (std::int64_t d = 0; d < item.rank(); ++d)
      found.list.push_back({places.select(1, d), false});
  }
  std::int64_t last = -1, number = 0, first = -1;
  for (std::size_t d = 0; d < found.list.size(); ++d) {
    const Item& item = found.list[d];
    if (!item.defined()) continue;
    if (first < 0) first = static_cast<std::int64_t>(d);
    last = static_cast<std::int64_t>(d);
    ++number;
    found.rank = std::max(found.rank, item.rank());
    found.differ |= item.batched;
  }
  found.first = number && last - first + 1 == number ? first : 0;
  return found;
}

// As the indices of a value: the batch of `self`, if there is one, is indexed by sample or taken whole.
std::vector<std::optional<Tensor>> for_values(Call& call, Indices& indices, bool self_batched) {
  std::vector<std::optional<Tensor>> list;
  if (self_batched) {
    if (indices.differ) {
      Dims shape(static_cast<std::size_t>(indices.rank) + 1, 1);
      shape[0] = call.batch();
      list.push_back(view(arange(Scalar(call.batch()), TensorOptions(kInt64)), shape));
    } else {
      list.emplace_back();
    }
  }
  for (Item& item : indices.list) {
    if (item.defined() && indices.differ) call.align(item, indices.rank);
    list.push_back(item.defined() ? std::optional<Tensor>(item.tensor) : std::nullopt);
  }
  return list;
}

// Moves `count` dimensions from `from` on to `to`.
Tensor moved(const Tensor& tensor, std::int64_t from, std::int64_t count, std::int64_t to) {
  if (from == to || count == 0) return tensor;
  Dims source, target;
  for (std::int64_t i = 0; i < count; ++i)
    source.push_back(from + i), target.push_back(to + i);
  return movedim(tensor, source, target);
}

}  // namespace

std::vector<Tensor> indexed(Call& call) {
  Item& self = call[0];
  Indices indices = indices_of(call, 1);
  if (static_cast<std::int64_t>(indices.list.size()) > self.rank()) return call.each_sample();
  const auto list = for_values(call, indices, self.batched);
  const Tensor found = index(self.tensor, list);
  if (!indices.differ) {
    // Indices that are apart put their dimensions in front of the batch, too.
    std::int64_t first = -1, last = -1, number = 0;
    for (std::size_t d = 0; d < list.size(); ++d)
      if (list[d]) {
        if (first < 0) first = static_cast<std::int64_t>(d);
        last = static_cast<std::int64_t>(d);
        ++number;
      }
    const bool apart = number && last - first + 1 != number;
    return {apart ? movedim(found, indices.rank, 0) : found};
  }
  if (!self.batched) return {movedim(found, indices.first, 0)};
  // With the samples indexed, [batch, index..., rest...] unless the first dimension of a sample was indexed, too.
  return {moved(found, 1, indices.rank, indices.first + 1)};
}

std::vector<Tensor> index_written(Call& call) {
  Item& self = call[0];
  Item& values = call[2];
  Indices indices = indices_of(call, 1);
  if (static_cast<std::int64_t>(indices.list.size()) > self.rank()) return call.each_sample();
  call.expand(self);
  indices.differ = true;  // the samples are indexed, so that there is one order of dimensions
  const auto list = for_values(call, indices, true);
  // The shape of a sample's values: dimensions before the index, the index, the dimensions behind.
  std::int64_t kept = self.rank();
  Dims index_sizes(static_cast<std::size_t>(indices.rank), 1), sizes;
  for (const Item& item : indices.list)
    if (item.defined()) {
      --kept;
      const IntArray own = item.tensor.sizes().subspan(item.batched);
      for (std::size_t i = 1; i <= own.size(); ++i)
        if (own[own.size() - i] != 1) index_sizes[index_sizes.size() - i] = own[own.size() - i];
    }
  for (std::size_t d = 0; d < static_cast<std::size_t>(self.rank()); ++d)
    if (d >= indices.list.size() || !indices.list[d].defined()) sizes.push_back(self.tensor.sizes()[d + 1]);
  sizes.insert(sizes.begin() + indices.first, index_sizes.begin(), index_sizes.end());
  if (values.rank() > static_cast<std::int64_t>(sizes.size())) return call.each_sample();
  sizes.insert(sizes.begin(), call.batch());
  call.align(values, static_cast<std::int64_t>(sizes.size()) - 1);
  const Tensor spread = moved(rushlight::expand(values.tensor, sizes), indices.first + 1, indices.rank, 1);
  const bool accumulate = call.parameter<bool>(0);
  if (call.in_place()) {
    index_put_(self.tensor, list, spread, accumulate);
    return {};
  }
  return {index_put(self.tensor, list, spread, accumulate)};
}

std::vector<Tensor> selected(Call& call) {
  Item &self = call[0], &index = call[1];
  if (self.rank() == 0 || index.rank() > 1) return call.each_sample();
  auto& dim = call.parameter<std::int64_t>(0);
  const std::int64_t at = wrap_dim(dim, self.rank(), "index_select");
  if (!index.batched) {
    dim = at + 1;
    return call.invoke();
  }
  call.align(index, 1);
  std::vector<std::optional<Tensor>> list;
  if (self.batched) list.emplace_back(view(arange(Scalar(call.batch()), TensorOptions(kInt64)), {call.batch(), 1}));
  list.emplace_back(index.tensor);
  const Tensor found = rushlight::index(movedim(self.tensor, at + self.batched, self.batched), list);
  return {movedim(found, 1, at + 1)};
}

// gather and scatter: every operand has the samples in front.
std::vector<Tensor> gathered(Call& call) {
  const std::int64_t rank = call[0].rank();
  for (const Item& item : call.items())
    if (item.rank() != rank) return call.each_sample();
  if (rank == 0) return call.each_sample();
  auto& dim = call.find(Role::kDim)->as<std::int64_t>();
  dim = wrap_dim(dim, rank, std::string(call.name()).c_str()) + 1;
  call.expand_all();
  return call.invoke();
}

// index_add and its kin, by an index that the samples share.
std::vector<Tensor> written_along(Call& call) {
  Item& self = call[0];
  if (self.rank() == 0 || call[1].batched) return call.each_sample();
  auto& dim = call.find(Role::kDim)->as<std::int64_t>();
  const std::int64_t at = wrap_dim(dim, self.rank(), std::string(call.name()).c_str());
  if (call.arguments() > 2 && (call[2].rank() != self.rank() || call.name().starts_with("index_fill")))
    return call.each_sample();
  call.expand(self);
  if (call.arguments() > 2) call.expand(call[2]);
  dim = at + 1;
  return call.invoke();
}

// Rows of a table that are written only where they are too long: not twice.
std::vector<Tensor> rows_renormed(Call&) { need_samples("vmap: embedding_renorm_ changes the rows of one table"); }

std::vector<Tensor> taken_at(Call& call) {
  if (call[0].batched) return call.each_sample();
  return call.invoke();
}

std::vector<Tensor> searched(Call& call) {
  Item &sorted = call[0], &values = call[1], &sorter = call[2];
  const bool sequence = sorted.batched || (sorter.defined() && sorter.batched);
  if (!sequence && sorted.rank() == 1) return call.invoke();  // any shape of values
  if (sorted.rank() != values.rank()) return call.each_sample();
  call.expand_all();
  return call.invoke();
}

// Rows of one table, or of the tables of all samples laid under each other.
std::vector<Tensor> embedding(Call& call) {
  Item &weight = call[0], &indices = call[1];
  if (!weight.batched) return call.invoke();
  const bool pads = call.parameter<std::int64_t>(0) >= 0, scales = call.parameter<bool>(1),
             sparse = call.parameter<bool>(2);
  if (weight.rank() != 2 || pads || scales || sparse) return call.each_sample();
  const std::int64_t rows = weight.tensor.sizes()[1];
  call.expand(indices);
  Dims shape(static_cast<std::size_t>(indices.tensor.dim()), 1);
  shape[0] = call.batch();
  // An index out of range must not reach into the table of another sample.
  if (indices.tensor.numel() && !indices.tensor.is_meta()) {
    const auto [least, greatest] = aminmax(innermost(indices.tensor));
    check<IndexError>(least.item<std::int64_t>() >= 0 && greatest.item<std::int64_t>() < rows,
                      "index out of range in self");
  }
  const Tensor starts = mul(view(arange(Scalar(call.batch()), TensorOptions(kInt64)), shape), Scalar(rows));
  weight.tensor = merge_batch(weight.tensor);
  indices.tensor = add(indices.tensor, starts);
  return call.invoke();
}

}  // namespace rushlight::batching
