// Views: each computes sizes, strides and an offset, and moves nothing.
#include <algorithm>

#include "ops/view_shape.h"
#include "rushlight/tensor.h"

namespace rushlight {

ShortShape inferred_shape(IntArray shape, std::int64_t numel) {
  ShortShape result(shape);
  std::int64_t known = 1;
  int missing = -1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == -1) {
      check(missing < 0, "only one dimension can be inferred");
      missing = static_cast<int>(i);
    } else {
      check(shape[i] >= 0, "invalid shape dimension ", shape[i]);
      known *= shape[i];
    }
  }
  if (missing >= 0 && known > 0 && numel % known == 0) {
    result[static_cast<std::size_t>(missing)] = numel / known;
    return result;
  }
  check(missing >= 0 || known == numel, "shape '", shape, "' is invalid for input of size ", numel);
  if (missing >= 0) {
    check(known != 0 || numel != 0, "cannot reshape tensor of 0 elements into shape ", shape,
          " because the unspecified dimension size -1 can be any value and is ambiguous");
    throw RuntimeError(str("shape '", shape, "' is invalid for input of size ", numel));
  }
  return result;
}

std::optional<ShortShape> strides_for(const TensorBase& self, IntArray shape) {
  ShortShape strides;
  strides.count = shape.size();
  if (self.is_contiguous()) {
    if (self.numel() == 0 && self.sizes() == shape) return ShortShape(self.strides());
    std::int64_t expected = 1;
    for (std::size_t i = shape.size(); i-- > 0; expected *= std::max<std::int64_t>(shape[i], 1))
      strides[i] = expected;
    return strides;
  }
  // Each run of dimensions that is contiguous in itself must be cut by the new shape.
  auto at = static_cast<std::int64_t>(shape.size()) - 1;
  const std::int64_t *sizes = self.impl()->sizes(), *from = self.impl()->strides();
  std::int64_t base = self.dim() ? from[self.dim() - 1] : 1, run = 1, covered = 1;
  for (std::int64_t dim = self.dim() - 1; dim >= 0; --dim) {
    run *= sizes[dim];
    if (dim > 0 && (sizes[dim - 1] == 1 || from[dim - 1] == run * base)) continue;
    while (at >= 0 && (covered < run || shape[static_cast<std::size_t>(at)] == 1)) {
      strides[static_cast<std::size_t>(at)] = covered * base;
      covered *= shape[static_cast<std::size_t>(at)];
      --at;
    }
    if (covered != run) return std::nullopt;
    if (dim > 0) {
      base = from[dim - 1];
      run = covered = 1;
    }
  }
  return at < 0 ? std::optional<ShortShape>(strides) : std::nullopt;
}

std::pair<ShortShape, ShortShape> expanded(const TensorBase& self, IntArray size) {
  const auto rank = static_cast<std::int64_t>(size.size());
  check(rank >= self.dim(), "expand: the number of sizes provided (", rank,
        ") must be greater or equal to the number of dimensions in the tensor (", self.dim(), ")");
  ShortShape sizes(size), strides;
  strides.count = size.size();
  std::int64_t below = 1;  // the stride that a new dimension gets: it only matters where its size is one
  for (std::int64_t i = rank - 1; i >= 0; --i) {
    const auto at = static_cast<std::size_t>(i);
    const std::int64_t dim = i - (rank - self.dim());
    const std::int64_t have = dim >= 0 ? self.impl()->sizes()[dim] : 1;
    std::int64_t stride = dim >= 0 ? self.impl()->strides()[dim] : below;
    std::int64_t want = size[at];
    if (want == -1) {
      check(dim >= 0,
            "expand: The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension ", i);
      want = have;
    }
    check(want >= 0, "expand: invalid shape dimension ", want);
    if (have != want) {
      check(have == 1, "expand: The expanded size of the tensor (", want, ") must match the existing size (", have,
            ") at non-singleton dimension ", i, ".  Target sizes: ", size, ".  Tensor sizes: ", self.sizes());
      stride = 0;
    }
    sizes[at] = want;
    strides[at] = stride;
    below = want * stride;
  }
  return {sizes, strides};
}

std::pair<std::int64_t, std::int64_t> slice_bounds(std::optional<std::int64_t> start, std::optional<std::int64_t> end,
                                                   std::int64_t size) {
  std::int64_t from = start.value_or(0), to = end.value_or(size);
  if (from < 0) from += size;
  if (to < 0) to += size;
  from = std::clamp(from, std::int64_t{0}, size);
  return {from, std::clamp(to, from, size)};
}

namespace ops {

Tensor view(const Tensor& self, IntArray size) {
  const ShortShape shape = inferred_shape(size, self.numel());
  const auto strides = strides_for(self, shape);
  check(strides.has_value(),
        "view size is not compatible with input tensor's size and stride (at least one dimension spans "
        "across two contiguous subspaces). Use .reshape(...) instead.");
  return rushlight::alias(self, shape, strides->size, 0);
}
Tensor _unsafe_view(const Tensor& self, IntArray size) { return view(self, size); }

Tensor alias(const Tensor& self) { return rushlight::alias(self, self.sizes(), self.impl()->strides(), 0); }

Tensor as_strided(const Tensor& self, IntArray size, IntArray stride, std::optional<std::int64_t> storage_offset) {
  check(size.size() == stride.size(), "as_strided: mismatch in length of strides and shape: ", stride, " and ", size);
  for (const std::int64_t step : stride)
    check(step >= 0, "as_strided: Negative strides are not supported at the moment, got strides: ", stride);
  const std::int64_t offset = storage_offset.value_or(self.storage_offset());
  check(offset >= 0, "as_strided: Tensor: invalid storage offset ", offset);
  checked_numel(size, "as_strided");
  const std::size_t span = span_bytes(size, stride, self.itemsize(), "as_strided");
  const std::size_t reach = span ? span + static_cast<std::size_t>(offset) * self.itemsize() : 0;
  check(reach <= self.impl()->storage->bytes, "setStorage: sizes ", size, ", strides ", stride, ", storage offset ",
        offset, ", and itemsize ", self.itemsize(), " requiring a storage size of ", reach,
        " are out of bounds for storage of size ", self.impl()->storage->bytes);
  return rushlight::alias(self, size, stride.data(), offset - self.storage_offset());
}

Tensor t(const Tensor& self) {
  check(self.dim() <= 2, "t() expects a tensor with <= 2 dimensions, but self is ", self.dim(), "D");
  if (self.dim() < 2) return alias(self);
  const std::int64_t *sizes = self.impl()->sizes(), *strides = self.impl()->strides();
  const std::int64_t swapped[] = {sizes[1], sizes[0]}, steps[] = {strides[1], strides[0]};
  return rushlight::alias(self, {swapped, 2}, steps, 0);
}

Tensor transpose(const Tensor& self, std::int64_t dim0, std::int64_t dim1) {
  const auto a = static_cast<std::size_t>(wrap_dim(dim0, self.dim(), "transpose"));
  const auto b = static_cast<std::size_t>(wrap_dim(dim1, self.dim(), "transpose"));
  ShortShape sizes(self.sizes()), strides(self.strides());
  if (a != b) {
    std::swap(sizes[a], sizes[b]);
    std::swap(strides[a], strides[b]);
  }
  return rushlight::alias(self, sizes, strides.size, 0);
}

Tensor permute(const Tensor& self, IntArray dims) {
  check(static_cast<std::int64_t>(dims.size()) == self.dim(),
        "permute: number of dimensions in the tensor input does not match the length of the "
        "desired ordering of dimensions i.e. input.dim() = ",
        self.dim(), " is not equal to len(dims) = ", dims.size());
  ShortShape sizes, strides;
  DimSet seen;
  for (const std::int64_t dim : dims) {
    const auto at = static_cast<std::size_t>(wrap_dim(dim, self.dim(), "permute"));
    check(!seen[at], "permute(): duplicate dims are not allowed.");
    seen[at] = true;
    sizes.push(self.sizes()[at]);
    strides.push(self.strides()[at]);
  }
  return rushlight::alias(self, sizes, strides.size, 0);
}

Tensor select(const Tensor& self, std::int64_t dim, std::int64_t index) {
  check<IndexError>(self.dim() > 0, "select() cannot be applied to a 0-dim tensor.");
  const auto at = static_cast<std::size_t>(wrap_dim(dim, self.dim(), "select"));
  const std::int64_t size = self.sizes()[at], where = index < 0 ? index + size : index;
  check<IndexError>(where >= 0 && where < size, "select(): index ", index, " out of range for tensor of size ",
                    self.sizes(), " at dimension ", at);
  ShortShape sizes(self.sizes()), strides(self.strides());
  const std::int64_t step = strides[at];
  sizes.erase(at);
  strides.erase(at);
  return rushlight::alias(self, sizes, strides.size, where * step);
}

Tensor slice(const Tensor& self, std::int64_t dim, std::optional<std::int64_t> start, std::optional<std::int64_t> end,
             std::int64_t step) {
  check(self.dim() > 0, "slice() cannot be applied to a 0-dim tensor.");
  check(step > 0, "slice step must be positive");
  const auto at = static_cast<std::size_t>(wrap_dim(dim, self.dim(), "slice"));
  ShortShape sizes(self.sizes()), strides(self.strides());
  const auto [from, to] = slice_bounds(start, end, sizes[at]);
  const std::int64_t offset = from * strides[at];
  sizes[at] = (to - from + step - 1) / step;
  strides[at] *= step;
  return rushlight::alias(self, sizes, strides.size, offset);
}

Tensor expand(const Tensor& self, IntArray size, bool) {
  const auto [sizes, strides] = expanded(self, size);
  return rushlight::alias(self, sizes, strides.size, 0);
}

namespace {
Tensor squeezed(const Tensor& self, const DimSet& dims) {
  ShortShape sizes, strides;
  for (std::size_t i = 0; i < static_cast<std::size_t>(self.dim()); ++i)
    if (!dims[i] || self.sizes()[i] != 1) {
      sizes.push(self.sizes()[i]);
      strides.push(self.strides()[i]);
    }
  return rushlight::alias(self, sizes, strides.size, 0);
}
}  // namespace

Tensor squeeze(const Tensor& self) { return squeezed(self, DimSet().set()); }
Tensor squeeze(const Tensor& self, std::int64_t dim) {
  DimSet set;
  set[static_cast<std::size_t>(wrap_dim(dim, self.dim(), "squeeze"))] = true;
  return squeezed(self, set);
}
Tensor squeeze(const Tensor& self, IntArray dim) {
  return squeezed(self, dim.empty() ? DimSet() : dim_set(dim, self.dim(), "squeeze"));
}

Tensor unsqueeze(const Tensor& self, std::int64_t dim) {
  const auto at = static_cast<std::size_t>(wrap_dim(dim, self.dim() + 1, "unsqueeze"));
  ShortShape sizes(self.sizes()), strides(self.strides());
  const std::int64_t step = at < sizes.count ? sizes[at] * strides[at] : 1;
  sizes.insert(at, 1);
  strides.insert(at, step);
  return rushlight::alias(self, sizes, strides.size, 0);
}

Tensor diagonal(const Tensor& self, std::int64_t offset, std::int64_t dim1, std::int64_t dim2) {
  const auto a = static_cast<std::size_t>(wrap_dim(dim1, self.dim(), "diagonal"));
  const auto b = static_cast<std::size_t>(wrap_dim(dim2, self.dim(), "diagonal"));
  check(a != b, "diagonal dimensions cannot be identical ", dim1, ", ", dim2);
  ShortShape sizes(self.sizes()), strides(self.strides());
  const std::int64_t rows = sizes[a], columns = sizes[b];
  const std::int64_t length =
      std::max<std::int64_t>(offset >= 0 ? std::min(rows, columns - offset) : std::min(rows + offset, columns), 0);
  const std::int64_t start = length == 0 ? 0 : offset >= 0 ? offset * strides[b] : -offset * strides[a];
  const std::int64_t step = strides[a] + strides[b];
  for (const std::size_t gone : {std::max(a, b), std::min(a, b)}) {
    sizes.erase(gone);
    strides.erase(gone);
  }
  sizes.push(length);
  strides.push(step);
  return rushlight::alias(self, sizes, strides.size, start);
}

Tensor unfold(const Tensor& self, std::int64_t dimension, std::int64_t size, std::int64_t step) {
  const auto at = static_cast<std::size_t>(wrap_dim(dimension, self.dim(), "unfold"));
  const std::int64_t extent = self.dim() ? self.sizes()[at] : 1, stride = self.dim() ? self.strides()[at] : 1;
  check(size >= 0, "unfold: size is ", size, " but must be >= 0");
  check(size <= extent, "maximum size for tensor at dimension ", at, " is ", extent, " but size is ", size);
  check(step > 0, "step is ", step, " but must be > 0");
  ShortShape sizes(self.sizes()), strides(self.strides());
  if (self.dim()) {
    sizes[at] = (extent - size) / step + 1;
    strides[at] = step * stride;
  }
  sizes.push(size);
  strides.push(stride);
  return rushlight::alias(self, sizes, strides.size, 0);
}

// --- views of another dtype --------------------------------------------------------------------------

namespace {
Tensor retyped(const Tensor& self, Dtype dtype, IntArray sizes, const std::int64_t* strides) {
  Tensor result = rushlight::alias(self, self.sizes(), self.impl()->strides(), 0);
  result.impl()->word = (result.impl()->word & ~kDtypeMask) | static_cast<Word>(dtype);
  result.impl()->set_shape(sizes, strides);
  return result;
}
}  // namespace

Tensor view_as_real(const Tensor& self) {
  check(self.is_complex(), "view_as_real is only supported for complex tensors, got ", self.dtype());
  ShortShape sizes(self.sizes()), strides(self.strides());
  for (std::size_t i = 0; i < strides.count; ++i)
    strides[i] *= 2;
  sizes.push(2);
  strides.push(1);
  return retyped(self, to_real(self.dtype()), sizes, strides.size);
}

Tensor view_as_complex(const Tensor& self) {
  const Dtype type = self.dtype();
  check(type == Dtype::kFloat16 || type == Dtype::kFloat32 || type == Dtype::kFloat64,
        "view_as_complex is only supported for floating point tensors, but got a tensor of scalar type: ",
        scalar_type_name(type));
  check(self.dim() > 0, "Input tensor must have one or more dimensions");
  ShortShape sizes(self.sizes()), strides(self.strides());
  const std::size_t last = sizes.count - 1;
  check(sizes[last] == 2, "Tensor must have a last dimension of size 2");
  check(strides[last] == 1, "Tensor must have a last dimension with stride 1");
  sizes.erase(last);
  strides.erase(last);
  for (std::size_t i = 0; i < strides.count; ++i) {
    check(strides[i] % 2 == 0 || sizes[i] == 1, "Tensor must have a stride divisible by 2 for all but last dimension");
    strides[i] /= 2;
  }
  check(self.storage_offset() % 2 == 0, "Tensor must have a storage_offset divisible by 2");
  return retyped(self, to_complex(self.dtype()), sizes, strides.size);
}

Tensor view(const Tensor& self, Dtype dtype) {
  if (self.dtype() == dtype) return alias(self);
  const auto from = static_cast<std::int64_t>(self.itemsize()), to = static_cast<std::int64_t>(item_size(dtype));
  ShortShape sizes(self.sizes()), strides(self.strides());
  if (from == to) return retyped(self, dtype, sizes, strides.size);
  check(self.dim() > 0, "self.dim() cannot be 0 to view ", self.dtype(), " as ", dtype, " (different element sizes)");
  const std::size_t last = sizes.count - 1;
  check(strides[last] == 1, "self.stride(-1) must be 1 to view ", self.dtype(), " as ", dtype,
        " (different element sizes), but got ", strides[last]);
  if (from > to) {
    const std::int64_t ratio = from / to;
    for (std::size_t i = 0; i < last; ++i)
      strides[i] *= ratio;
    sizes[last] *= ratio;
    return retyped(self, dtype, sizes, strides.size);
  }
  const std::int64_t ratio = to / from;
  check(sizes[last] % ratio == 0, "self.size(-1) must be divisible by ", ratio, " to view ", self.dtype(), " as ",
        dtype, " (different element sizes), but got ", sizes[last]);
  check(self.storage_offset() % ratio == 0, "self.storage_offset() must be divisible by ", ratio, " to view ",
        self.dtype(), " as ", dtype, " (different element sizes), but got ", self.storage_offset());
  for (std::size_t i = 0; i < last; ++i) {
    check(strides[i] % ratio == 0, "self.stride(", i, ") must be divisible by ", ratio, " to view ", self.dtype(),
          " as ", dtype, " (different element sizes), but got ", strides[i]);
    strides[i] /= ratio;
  }
  sizes[last] /= ratio;
  return retyped(self, dtype, sizes, strides.size);
}

// --- several views -----------------------------------------------------------------------------------

std::vector<Tensor> unbind(const Tensor& self, std::int64_t dim) {
  check<IndexError>(self.dim() > 0, "unbind: Dimension specified as ", dim, " but tensor has no dimensions");
  const auto at = static_cast<std::size_t>(wrap_dim(dim, self.dim(), "unbind"));
  ShortShape sizes(self.sizes()), strides(self.strides());
  const std::int64_t count = sizes[at], step = strides[at];
  sizes.erase(at);
  strides.erase(at);
  std::vector<Tensor> views;
  views.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i)
    views.push_back(rushlight::alias(self, sizes, strides.size, i * step));
  return views;
}

namespace {
std::vector<Tensor> parts(const Tensor& self, std::size_t at, IntArray lengths) {
  ShortShape sizes(self.sizes());
  std::vector<Tensor> views;
  views.reserve(lengths.size());
  std::int64_t start = 0;
  for (const std::int64_t length : lengths) {
    sizes[at] = length;
    views.push_back(rushlight::alias(self, sizes, self.impl()->strides(), start * self.strides()[at]));
    start += length;
  }
  return views;
}
}  // namespace

std::vector<Tensor> split(const Tensor& self, std::int64_t split_size, std::int64_t dim) {
  check(self.dim() > 0, "split expects at least a 1-dimensional tensor");
  check(split_size >= 0, "split expects split_size be non-negative, but got split_size=", split_size);
  const auto at = static_cast<std::size_t>(wrap_dim(dim, self.dim(), "split"));
  const std::int64_t extent = self.sizes()[at];
  check(split_size > 0 || extent == 0, "split_size can only be 0 if dimension size is 0, but got dimension size of ",
        extent);
  std::vector<std::int64_t> lengths;
  for (std::int64_t start = 0; start < extent; start += split_size)
    lengths.push_back(std::min(split_size, extent - start));
  if (extent == 0) lengths.push_back(0);
  return parts(self, at, lengths);
}

std::vector<Tensor> split_with_sizes(const Tensor& self, IntArray split_sizes, std::int64_t dim) {
  check(self.dim() > 0, "split expects at least a 1-dimensional tensor");
  const auto at = static_cast<std::size_t>(wrap_dim(dim, self.dim(), "split_with_sizes"));
  std::int64_t total = 0;
  for (const std::int64_t length : split_sizes) {
    check(length >= 0,
          "split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes=", split_sizes);
    total += length;
  }
  check(total == self.sizes()[at], "split_with_sizes expects split_sizes to sum exactly to ", self.sizes()[at],
        " (input tensor's size at dimension ", dim, "), but got split_sizes=", split_sizes);
  return parts(self, at, split_sizes);
}

}  // namespace ops
}  // namespace rushlight
