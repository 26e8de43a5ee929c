// Indexing operators: advanced indexing as a table of offsets, gather and scatter along a dimension, masks.
#include <algorithm>
#include <numeric>

#include "ops/contiguous.h"
#include "ops/kernels/copy.h"
#include "ops/kernels/index.h"
#include "ops/output.h"
#include "ops/scalar_range.h"
#include "rushlight/ops.h"
#include "tensor/dims.h"

namespace rushlight {
namespace {

using ops::contiguous_as;
using ops::contiguous_copy;

// A view of `tensor` broadcast to `sizes`, which must be possible.
Tensor broadcast(const Tensor& tensor, IntArray sizes, const char* op) {
  const std::size_t shift = sizes.size() - std::min(sizes.size(), tensor.sizes().size());
  std::vector<std::int64_t> strides(sizes.size(), 0);
  bool fits = tensor.sizes().size() <= sizes.size();
  for (std::size_t i = 0; fits && i < tensor.sizes().size(); ++i) {
    const bool same = tensor.sizes()[i] == sizes[i + shift];
    fits = same || tensor.sizes()[i] == 1;
    strides[i + shift] = same ? tensor.strides()[i] : 0;
  }
  check(fits, "shape mismatch: ", op, ": value tensor of shape ", tensor.sizes(),
        " cannot be broadcast to indexing result of shape ", sizes);
  return alias(tensor, sizes, strides.data(), 0);
}

// The number of true elements of a contiguous mask.
std::int64_t count_true(const Tensor& mask) {
  std::int64_t count = 0;
  count_true_kernel(mask.device(), mask, &count);
  return count;
}

// A mask of the shape of `self` chooses single elements.
bool is_whole_mask(const Tensor& self, const Tensor& index) {
  return index.defined() && index.dtype() == kBool && self.dim() > 0 && index.sizes() == self.sizes() &&
         !self.is_meta();
}

// --- advanced indexing ------------------------------------------------------------------------------

// Index tensors turned into offsets of blocks of `view`, the tensor without its indexed dimensions.
struct Table {
  Tensor view;
  std::int64_t before = 0;
  std::vector<std::int64_t> offsets;
  std::vector<std::int64_t> result_shape;
};

// Masks become the coordinates of their true elements, one index tensor per dimension of the mask.
std::vector<Tensor> expand_masks(const Tensor& self, OptionalTensorList indices) {
  std::vector<Tensor> expanded;
  for (const std::optional<Tensor>& index : indices) {
    if (!index || !index->defined()) {
      expanded.emplace_back();
      continue;
    }
    const Dtype type = index->dtype();
    if (type != Dtype::kBool && type != Dtype::kUInt8) {
      check<IndexError>(type == Dtype::kInt64 || type == Dtype::kInt32,
                        "tensors used as indices must be long, int, byte or bool tensors, not ", type);
      expanded.push_back(*index);
      continue;
    }
    const std::size_t at = expanded.size();
    for (std::size_t d = 0; d < index->sizes().size(); ++d) {
      const std::int64_t have = at + d < self.sizes().size() ? self.sizes()[at + d] : -1;
      check<IndexError>(have == index->sizes()[d], "The shape of the mask ", index->sizes(), " at index ", d,
                        " does not match the shape of the indexed tensor ", self.sizes(), " at index ", at + d);
    }
    const NoGradGuard guard;
    const Tensor places = nonzero(*index);
    for (std::int64_t d = 0; d < index->dim(); ++d)
      expanded.push_back(places.select(1, d));
    if (index->dim() == 0) expanded.push_back(places.sizes()[0] ? zeros({1}, kInt64) : zeros({0}, kInt64));
  }
  check<IndexError>(expanded.size() <= self.sizes().size(), "too many indices for tensor of dimension ", self.dim(),
                    " (got ", expanded.size(), ")");
  return expanded;
}

std::vector<std::int64_t> broadcast_index_shape(const std::vector<Tensor>& indices) {
  std::vector<std::int64_t> shape;
  for (const Tensor& index : indices) {
    if (!index.defined()) continue;
    const IntArray sizes = index.sizes();
    if (sizes.size() > shape.size()) shape.insert(shape.begin(), sizes.size() - shape.size(), 1);
    for (std::size_t i = 1; i <= sizes.size(); ++i) {
      std::int64_t& have = shape[shape.size() - i];
      const std::int64_t want = sizes[sizes.size() - i];
      if (have == want || want == 1) continue;
      if (have != 1) {
        std::string shapes;
        for (const Tensor& each : indices)
          if (each.defined()) shapes += (shapes.empty() ? "" : ", ") + to_text(each.sizes());
        throw IndexError("shape mismatch: indexing tensors could not be broadcast together with shapes " + shapes);
      }
      have = want;
    }
  }
  return shape;
}

Table make_table(const Tensor& self, OptionalTensorList given) {
  const std::vector<Tensor> indices = expand_masks(self, given);
  const std::vector<std::int64_t> shape = broadcast_index_shape(indices);
  Table table;
  table.offsets.assign(
      static_cast<std::size_t>(std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>())), 0);

  // Indexed dimensions side by side keep their place; otherwise their result comes first.
  std::vector<std::int64_t> kept_sizes, kept_strides;
  std::int64_t first = -1, last = -1, number = 0;
  for (std::size_t d = 0; d < indices.size(); ++d)
    if (indices[d].defined()) {
      if (first < 0) first = static_cast<std::int64_t>(d);
      last = static_cast<std::int64_t>(d);
      ++number;
    }
  table.before = number && last - first + 1 == number ? first : 0;

  for (std::size_t d = 0; d < self.sizes().size(); ++d) {
    const std::int64_t size = self.sizes()[d], stride = self.strides()[d];
    if (d >= indices.size() || !indices[d].defined()) {
      kept_sizes.push_back(size);
      kept_strides.push_back(stride);
      continue;
    }
    if (self.is_meta()) continue;
    const Tensor index = contiguous_as(broadcast(indices[d], shape, "index"), kInt64);
    const std::int64_t* values = index.data<std::int64_t>();
    for (std::size_t j = 0; j < table.offsets.size(); ++j) {
      const std::int64_t value = values[j];
      check<IndexError>(value >= -size && value < size, "index ", value, " is out of bounds for dimension ", d,
                        " with size ", size);
      table.offsets[j] += (value < 0 ? value + size : value) * stride;
    }
  }
  table.view = alias(self, kept_sizes, kept_strides.data(), 0);
  table.result_shape.assign(kept_sizes.begin(), kept_sizes.begin() + table.before);
  table.result_shape.insert(table.result_shape.end(), shape.begin(), shape.end());
  table.result_shape.insert(table.result_shape.end(), kept_sizes.begin() + table.before, kept_sizes.end());
  return table;
}

// --- along one dimension ---------------------------------------------------------------------------

// A one-dimensional index along `dim` as a table; a 0-dim `self` counts as one element.
Table table_along(const Tensor& self, std::int64_t dim, const Tensor& index, const char* op) {
  check<IndexError>(index.dim() <= 1, op, ": Index is supposed to be a vector, but got ", index.dim(),
                    " dimensions: ", index);
  check(index.dtype() == kInt64 || index.dtype() == kInt32, op, ": Expected dtype int32/int64 for index but got ",
        index);
  Table table;
  const bool scalar = self.dim() == 0;
  const std::int64_t size = scalar ? 1 : self.sizes()[static_cast<std::size_t>(dim)];
  const std::int64_t stride = scalar ? 0 : self.strides()[static_cast<std::size_t>(dim)];
  std::vector<std::int64_t> sizes = self.sizes().vec(), strides = self.strides().vec();
  table.result_shape = sizes;
  if (!scalar) {
    table.result_shape[static_cast<std::size_t>(dim)] = index.numel();
    sizes.erase(sizes.begin() + dim);
    strides.erase(strides.begin() + dim);
  }
  table.before = scalar ? 0 : dim;
  table.view = alias(self, sizes, strides.data(), 0);
  if (self.is_meta()) return table;
  const Tensor values = contiguous_as(index, kInt64);
  table.offsets.reserve(static_cast<std::size_t>(index.numel()));
  for (std::int64_t j = 0; j < index.numel(); ++j) {
    const std::int64_t value = values.data<std::int64_t>()[j];
    check<IndexError>(value >= 0 && value < size, op, ": index ", value, " is out of bounds for dimension ", dim,
                      " with size ", size, " (index out of range in self)");
    table.offsets.push_back(value * stride);
  }
  return table;
}

void check_source(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source, const char* op) {
  check(self.dtype() == source.dtype(), op, ": self and source expected to have the same dtype, but got (self) ", self,
        " and (source) ", source);
  std::vector<std::int64_t> wanted = self.sizes().vec(), have = source.sizes().vec();
  check(have.size() == wanted.size() || (have.empty() && index.numel() == 1), op, ": source of shape ", source.sizes(),
        " and self of shape ", self.sizes(), " must have the same number of dimensions");
  if (have.empty())
    return check(index.numel() == 1, op, ": Number of indices (", index.numel(),
                 ") should be equal to source.size(dim): (1)");
  check(have[static_cast<std::size_t>(dim)] == index.numel(), op, ": Number of indices (", index.numel(),
        ") should be equal to source.size(dim): (", have[static_cast<std::size_t>(dim)], "), for dim: ", dim);
  wanted.erase(wanted.begin() + dim);
  have.erase(have.begin() + dim);
  check(wanted == have, op,
        ": source/destination tensors must have the same slice shapes. Destination slice shape: ", IntArray(wanted),
        " at dimension ", dim, " and source slice shape: ", IntArray(have), " at dimension 0.");
}

// A copy where source and destination overlap in memory, else the source itself.
Tensor apart(const Tensor& source, const Tensor& self) {
  if (source.impl()->storage != self.impl()->storage) return source;
  Tensor copy = empty_tensor(source.sizes(), source.dtype(), source.device());
  copy_kernel(source.device(), copy, source);
  return copy;
}

void check_scatter(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor* src, const char* op) {
  if (index.numel() == 0) return;  // of any dtype then
  check(index.dtype() == kInt64 || index.dtype() == kInt32, op, "(): Expected dtype int32/int64 for index, but got ",
        index);
  const auto rank = [](const Tensor& t) { return std::max<std::int64_t>(t.dim(), 1); };
  check(rank(index) == rank(self), op, ": Index tensor must have the same number of dimensions as self tensor (", index,
        " against ", self, ")");
  check(!src || rank(index) == rank(*src), op, ": Index tensor must have the same number of dimensions as src tensor");
  for (std::int64_t d = 0; d < index.dim(); ++d) {
    const auto at = static_cast<std::size_t>(d);
    const std::int64_t size = index.sizes()[at];
    const bool fits = (d == dim || self.dim() == 0 || size <= self.sizes()[at]) &&
                      (!src || src->dim() == 0 || size <= src->sizes()[at]);
    if (fits) continue;
    check(false, op, ": Expected index ", index.sizes(), " to be no larger than self ", self.sizes(),
          " apart from dimension ", dim,
          src ? " and to be no larger size than src " + to_text(src->sizes()) : std::string());
  }
}

Tensor number_like(const Scalar& value, Dtype type, Device device, IntArray sizes) {
  check_fits(value, type);
  Tensor one = empty_tensor({}, type, device);
  fill_kernel(device, one, value);
  const std::vector<std::int64_t> strides(sizes.size(), 0);
  return alias(one, sizes, strides.data(), 0);
}

void scatter_into(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src, Combine combine,
                  const char* op) {
  dim = wrap_dim(dim, self.dim(), op);
  check(self.dtype() == src.dtype(), op, "(): Expected self.dtype to be equal to src.dtype (", self.dtype(),
        " against ", src.dtype(), ")");
  check_no_internal_overlap(self, op);
  check_scatter(self, dim, index, &src, op);
  if (index.numel() == 0) return;
  scatter_kernel(self.device(), self, dim, contiguous_as(index, kInt64), apart(src, self), combine);
}

Combine combine_of(std::string_view reduce, const char* op, bool old_names) {
  if (old_names) {
    if (reduce == "add") return Combine::kAdd;
    if (reduce == "multiply") return Combine::kMul;
    throw RuntimeError(str(op, ": reduce argument must be either add or multiply, not '", std::string(reduce), "'"));
  }
  if (reduce == "sum" || reduce == "mean") return Combine::kAdd;
  if (reduce == "prod") return Combine::kMul;
  if (reduce == "amax") return Combine::kMax;
  if (reduce == "amin") return Combine::kMin;
  throw RuntimeError(
      str(op, ": reduce argument must be either sum, prod, mean, amax or amin, not '", std::string(reduce), "'"));
}

// What an element that only sources contribute to starts from.
Scalar neutral(std::string_view reduce, Dtype type) {
  if (reduce == "prod") return std::int64_t{1};
  if (reduce == "sum" || reduce == "mean") return std::int64_t{0};
  const bool highest = reduce == "amin";
  if (is_floating(type))
    return highest ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
  return visit(type, [&](auto zero) -> Scalar {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>)
      return highest ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest();
    else
      return std::int64_t{0};
  });
}

}  // namespace

namespace ops {

Tensor masked_select(const Tensor& self, const Tensor& mask) {
  check(mask.dtype() == kBool || mask.dtype() == kUInt8, "masked_select: expected BoolTensor for mask, but got ", mask);
  check(!self.is_meta(), "masked_select: the result's size depends on data, which a meta tensor does not have");
  const NoGradGuard guard;
  const std::vector<Tensor> both = broadcast_tensors({mask, self});
  const Tensor chosen = contiguous_copy(both[0].dtype() == kBool ? both[0] : both[0].ne(0));
  Tensor result = empty_tensor({count_true(chosen)}, self.dtype(), self.device());
  if (result.numel()) masked_select_kernel(self.device(), result, contiguous_copy(both[1]), chosen);
  return result;
}

Tensor index(const Tensor& self, OptionalTensorList indices) {
  if (indices.size() == 1 && indices[0] && is_whole_mask(self, *indices[0]))
    return ops::masked_select(self, *indices[0]);
  const Table table = make_table(self, indices);
  Tensor result = empty_tensor(table.result_shape, self.dtype(), self.device());
  gather_blocks_kernel(self.device(), result, table.view, table.before, table.offsets);
  return result;
}

void index_put_(const Tensor& self, OptionalTensorList indices, const Tensor& values, bool accumulate) {
  check(self.dtype() == values.dtype(), "Index put requires the source and destination dtypes match, got ",
        scalar_type_name(self.dtype()), " for the destination and ", scalar_type_name(values.dtype()),
        " for the source.");
  if (is_expanded(self)) [[unlikely]]
    warn_of_expanded("index_put_", "tensor[indices] = tensor");
  if (accumulate && is_stored_only(self.dtype()) && has_numbers(self.dtype())) {  // sums are rounded once
    const Tensor wide = contiguous_as(self, carrier(self.dtype()));
    ops::index_put_(wide, indices, contiguous_as(values, wide.dtype()), true);
    return copy_kernel(self.device(), self, wide);
  }
  const Table table = make_table(self, indices);
  const Tensor source = apart(values, self);
  const Tensor spread = contiguous_copy(broadcast(source, table.result_shape, "index_put_"));
  scatter_blocks_kernel(self.device(), table.view, spread, table.before, table.offsets,
                        accumulate ? Combine::kAdd : Combine::kAssign);
}

Tensor index_select(const Tensor& self, std::int64_t dim, const Tensor& index) {
  dim = wrap_dim(dim, self.dim(), "index_select");
  const Table table = table_along(self, dim, index, "index_select()");
  Tensor result = empty_tensor(table.result_shape, self.dtype(), self.device());
  gather_blocks_kernel(self.device(), result, table.view, table.before, table.offsets);
  return result;
}

void index_copy_(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source) {
  dim = wrap_dim(dim, self.dim(), "index_copy_");
  check_no_internal_overlap(self, "index_copy_");
  const char* op = "index_copy_()";
  const bool scalar = self.dim() == 0 || source.dim() == 0;
  check<IndexError>(scalar || self.dim() == source.dim(), op,
                    ": When source and destination are not scalars, their dimensionality must match. "
                    "Source dimensionality (",
                    source.dim(), "), destination dimensionality (", self.dim(), ")");
  check<IndexError>(source.dim() || index.numel() == 1, op,
                    ": When source is scalar, index should have one element (got ", index.numel(), ")");
  check<IndexError>(scalar || source.size(dim) == index.numel(), op, ": Number of indices (", index.numel(),
                    ") should be equal to source.size(dim) (", scalar ? 1 : source.size(dim), ")");
  check_source(self, dim, index, source, "index_copy_()");
  const Table table = table_along(self, dim, index, "index_copy_()");
  scatter_blocks_kernel(self.device(), table.view, contiguous_copy(apart(source, self)), table.before, table.offsets,
                        Combine::kAssign);
}

void index_add_(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha) {
  dim = wrap_dim(dim, self.dim(), "index_add_");
  check_no_internal_overlap(self, "index_add_");
  check_source(self, dim, index, source, "index_add_()");
  const Table table = table_along(self, dim, index, "index_add_()");
  const NoGradGuard guard;
  const Tensor scaled = alpha.is_one() ? source : mul(source, alpha).to(self.dtype());
  scatter_blocks_kernel(self.device(), table.view, contiguous_copy(apart(scaled, self)), table.before, table.offsets,
                        Combine::kAdd);
}

void index_fill_(const Tensor& self, std::int64_t dim, const Tensor& index, const Scalar& value) {
  dim = wrap_dim(dim, self.dim(), "index_fill_");
  check(!value.is_complex() || self.is_complex(),
        "index_fill_(): Converting complex Scalar to non-complex type is not supported");
  if (is_expanded(self)) [[unlikely]]
    warn_of_expanded("index_fill_", "tensor[mask] = scalar");
  const Table table = table_along(self, dim, index, "index_fill_()");
  if (self.is_meta()) return;
  const Tensor source = number_like(value, self.dtype(), self.device(), table.result_shape);
  scatter_blocks_kernel(self.device(), table.view, contiguous_copy(source), table.before, table.offsets,
                        Combine::kAssign);
}

void index_fill_(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& value) {
  check(value.dim() == 0, "index_fill_ only supports a 0-dimensional value tensor, but got tensor with ", value.dim(),
        " dimension(s).");
  if (!self.is_meta()) ops::index_fill_(self, dim, index, value.item());
}

void index_reduce_(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source,
                   std::string_view reduce, bool include_self) {
  dim = wrap_dim(dim, self.dim(), "index_reduce_");
  check(reduce != "sum", "index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got sum.");
  const Combine combine = combine_of(reduce, "index_reduce_", false);
  check_no_internal_overlap(self, "index_reduce_");
  check_source(self, dim, index, source, "index_reduce_()");
  const NoGradGuard guard;
  if (!include_self) ops::index_fill_(self, dim, index, neutral(reduce, self.dtype()));
  const Table table = table_along(self, dim, index, "index_reduce_()");
  scatter_blocks_kernel(self.device(), table.view, contiguous_copy(apart(source, self)), table.before, table.offsets,
                        combine);
  if (reduce != "mean") return;
  const Tensor counts = include_self ? ones_like(self) : zeros_like(self);
  counts.index_add_(dim, index, ones_like(source));
  counts.masked_fill_(counts.eq(0), 1);
  if (is_integral(self.dtype()))
    self.div_(counts, "floor");
  else
    self.div_(counts);
}

Tensor gather(const Tensor& self, std::int64_t dim, const Tensor& index, bool) {
  dim = wrap_dim(dim, self.dim(), "gather");
  check_scatter(self, dim, index, nullptr, "gather");
  Tensor result = empty_tensor(index.sizes(), self.dtype(), self.device());
  if (index.numel()) gather_kernel(self.device(), result, self, dim, contiguous_as(index, kInt64));
  return result;
}

void scatter_(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src) {
  scatter_into(self, dim, index, src, Combine::kAssign, "scatter");
}
void scatter_(const Tensor& self, std::int64_t dim, const Tensor& index, const Scalar& value) {
  scatter_into(self, dim, index, number_like(value, self.dtype(), self.device(), index.sizes()), Combine::kAssign,
               "scatter");
}
void scatter_(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce) {
  scatter_into(self, dim, index, src, combine_of(reduce, "scatter", true), "scatter");
}
void scatter_(const Tensor& self, std::int64_t dim, const Tensor& index, const Scalar& value, std::string_view reduce) {
  const Tensor src = number_like(value, self.dtype(), self.device(), index.sizes());
  scatter_into(self, dim, index, src, combine_of(reduce, "scatter", true), "scatter");
}
void scatter_add_(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src) {
  scatter_into(self, dim, index, src, Combine::kAdd, "scatter_add");
}

void scatter_reduce_(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src,
                     std::string_view given, bool include_self) {
  const std::string_view reduce = given == "max" ? "amax" : given == "min" ? "amin" : given;
  const Combine combine = combine_of(reduce, "scatter_reduce", false);
  const NoGradGuard guard;
  if (!include_self) ops::scatter_(self, dim, index, neutral(reduce, self.dtype()));
  scatter_into(self, dim, index, src, combine, "scatter_reduce");
  if (reduce != "mean" || self.is_meta()) return;
  const Tensor counts = include_self ? ones_like(self) : zeros_like(self);
  counts.scatter_add_(dim, index, ones_like(src));
  counts.masked_fill_(counts.eq(0), 1);
  if (is_integral(self.dtype()))
    self.div_(counts, "floor");
  else
    self.div_(counts);
}

Tensor take(const Tensor& self, const Tensor& index) {
  check<IndexError>(index.dtype() == kInt64, "take(): Expected a long tensor for index, but got ", index);
  check<IndexError>(self.numel() != 0 || index.numel() == 0, "take(): tried to take from an empty tensor");
  const Tensor flat = contiguous_copy(self);
  const Tensor row = alias(flat, {flat.numel()}, nullptr, 0);
  std::vector<std::optional<Tensor>> indices{index};
  Tensor result = ops::index(row, indices);
  return result;
}

void put_(const Tensor& self, const Tensor& index, const Tensor& source, bool accumulate) {
  check<IndexError>(index.dtype() == kInt64, "put_(): Expected a long tensor for index, but got ", index);
  check(self.dtype() == source.dtype(),
        "put_(): self and source expected to have the same dtype, but got self.dtype = ", self.dtype(),
        " and source.dtype = ", source.dtype());
  check<IndexError>(index.numel() == source.numel(),
                    "put_(): Expected source and index to have the same number of elements, but got source.numel() = ",
                    source.numel(), ", index.numel() = ", index.numel());
  check<IndexError>(self.numel() != 0 || index.numel() == 0, "put_(): tried to put elements into an empty tensor");
  check_no_internal_overlap(self, "put_");
  const Tensor flat = contiguous_copy(self);
  const Tensor row = alias(flat, {flat.numel()}, nullptr, 0);
  const Tensor dense_index = contiguous_copy(index), dense_source = contiguous_copy(apart(source, self));
  std::vector<std::optional<Tensor>> indices{alias(dense_index, {index.numel()}, nullptr, 0)};
  ops::index_put_(row, indices, alias(dense_source, {source.numel()}, nullptr, 0), accumulate);
  if (flat.impl() != self.impl()) copy_kernel(self.device(), self, flat);
}

Tensor nonzero(const Tensor& self) {
  check(!self.is_meta(), "nonzero: the result's size depends on data, which a meta tensor does not have");
  const NoGradGuard guard;
  const Tensor mask = contiguous_copy(self.dtype() == kBool ? self : self.ne(0));
  const std::int64_t count = count_true(mask);
  Tensor result = empty_tensor({count, self.dim()}, kInt64, self.device());
  if (count) nonzero_kernel(self.device(), result, mask);
  return result;
}

Tensor nonzero_static(const Tensor& self, std::int64_t size, std::int64_t fill_value) {
  check(size >= 0, "nonzero_static: 'size' must be an non-negative integer, but got ", size);
  if (self.is_meta()) return empty_tensor({size, self.dim()}, kInt64, self.device());
  const NoGradGuard guard;
  const Tensor found = ops::nonzero(self);
  const std::int64_t rows = std::min(size, found.sizes()[0]);
  Tensor result = empty_tensor({size, self.dim()}, kInt64, self.device());
  fill_kernel(self.device(), result, fill_value);
  const Tensor top = alias(result, {rows, self.dim()}, result.strides().data(), 0);
  if (top.numel()) copy_kernel(self.device(), top, alias(found, {rows, self.dim()}, found.strides().data(), 0));
  return result;
}

void masked_scatter_(const Tensor& self, const Tensor& mask, const Tensor& source) {
  check(self.dtype() == source.dtype(), "masked_scatter_: expected self and source to have same dtypes but got ",
        scalar_type_name(self.dtype()), " and ", scalar_type_name(source.dtype()));
  check(mask.dtype() == kBool, "masked_scatter_ only supports boolean masks, but got mask with dtype ", mask.dtype());
  check_no_internal_overlap(self, "masked_scatter_");
  const NoGradGuard guard;
  if (self.is_meta()) return;
  const Tensor chosen = contiguous_copy(mask.expand(self.sizes()));
  const std::int64_t count = count_true(chosen);
  check(count <= source.numel(),
        "masked_scatter_: expected source to have at least as many elements as mask has true ones (", count,
        "), but it has ", source.numel());
  if (count) masked_scatter_kernel(self.device(), self, chosen, contiguous_copy(apart(source, self)));
}

}  // namespace ops

Tensor take_along_dim(const Tensor& self, const Tensor& indices, std::optional<std::int64_t> dim) {
  if (!dim) return self.reshape({-1}).gather(0, indices.reshape({-1}));
  check(self.dim() == indices.dim(),
        "torch.take_along_dim(): input and indices should have the same number of dimensions, but got ", self.dim(),
        " dimensions for input, and ", indices.dim(), " dimensions for indices");
  check(indices.dtype() == kInt64, "torch.take_along_dim(): dtype of indices should be Long but got ",
        scalar_type_name(indices.dtype()));
  const std::int64_t along = wrap_dim(*dim, self.dim(), "take_along_dim");
  const auto broadcast_but = [&](const Tensor& a, const Tensor& b) {
    std::vector<std::int64_t> sizes = a.sizes().vec();
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      if (static_cast<std::int64_t>(d) == along) continue;
      const std::int64_t other = b.sizes()[d];
      check(sizes[d] == other || sizes[d] == 1 || other == 1, "take_along_dim: The size of tensor a (", sizes[d],
            ") must match the size of tensor b (", other, ") at non-singleton dimension ", d);
      if (sizes[d] == 1) sizes[d] = other;
    }
    return sizes;
  };
  // Negative indices count from the end; most often there are none.
  const std::int64_t size = self.size(along);
  auto greatest = static_cast<std::uint64_t>(size);
  if (indices.is_contiguous() && !(indices.impl()->word & kComposed))
    greatest_index_kernel(indices.device(), indices, &greatest);
  const bool inside = size == 0 || greatest < static_cast<std::uint64_t>(size);
  const Tensor wrapped = inside ? indices : indices.remainder(size);
  return self.expand(broadcast_but(self, indices)).gather(along, wrapped.expand(broadcast_but(indices, self)));
}

Tensor masked_scatter(const Tensor& self, const Tensor& mask, const Tensor& source) {
  const std::vector<Tensor> both = broadcast_tensors({mask, self});
  return both[1].clone().masked_scatter_(both[0], source);
}

std::vector<Tensor> nonzero_numpy(const Tensor& self) {
  if (self.dim() == 0) return self.unsqueeze(0).nonzero().unbind(1);
  return self.nonzero().unbind(1);
}

std::vector<Tensor> where(const Tensor& condition) { return condition.nonzero_numpy(); }

Tensor argwhere(const Tensor& self) { return self.nonzero(); }

}  // namespace rushlight
