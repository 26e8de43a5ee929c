// Operators on shapes that are made of views and copies.
#include <algorithm>
#include <numeric>

#include "autograd/shown_name.h"
#include "ops/composed.h"
#include "ops/view_shape.h"
#include "rushlight/ops.h"
#include "rushlight/warning.h"

namespace rushlight {
namespace {

std::size_t axis(const Tensor& self, std::int64_t dim, const char* op) {
  return static_cast<std::size_t>(wrap_dim(dim, self.dim(), op));
}

std::vector<Tensor> each(TensorList tensors, Tensor (*one)(const Tensor&)) {
  std::vector<Tensor> results;
  for (const Tensor& tensor : tensors)
    results.push_back(one(tensor));
  return results;
}

// A copy whose node is called after that of the view.
Tensor copied(const Tensor& view) {
  const Tensor copy = clone(view, MemoryFormat::kContiguous);
  if (const std::string_view name = shown_name(copy); !name.empty())
    show_as(copy, std::string(shown_name(view)) + "_copy");
  return copy;
}
std::vector<Tensor> copies(const std::vector<Tensor>& views) {
  std::vector<Tensor> results;
  for (const Tensor& view : views)
    results.push_back(copied(view));
  return results;
}

void check_same_dtype(TensorList tensors, const char* op) {
  for (const Tensor& tensor : tensors)
    check(tensor.dtype() == tensors[0].dtype(), op, " expects all tensors to have the same dtype");
}

}  // namespace

// --- reshape -------------------------------------------------------------------------------------------

Tensor reshape(const Tensor& self, IntArray shape) {
  const ShortShape sizes = inferred_shape(shape, self.numel());
  if (self.is_contiguous()) return view(self, sizes);
  if (!strides_for(self, sizes)) return _unsafe_view(clone(self, MemoryFormat::kContiguous), sizes);
  const ShownAs shown("ReshapeAliasBackward0");
  return shown(view(self, sizes));
}
Tensor reshape_as(const Tensor& self, const Tensor& other) { return reshape(self, other.sizes()); }
Tensor view_as(const Tensor& self, const Tensor& other) { return view(self, other.sizes()); }
Tensor _reshape_alias(const Tensor& self, IntArray size, IntArray stride) {
  return as_strided(self, size, stride, self.storage_offset());
}
Tensor ravel(const Tensor& self) { return reshape(contiguous(self), {-1}); }

Tensor flatten(const Tensor& self, std::int64_t start_dim, std::int64_t end_dim) {
  const std::size_t first = axis(self, start_dim, "flatten"), last = axis(self, end_dim, "flatten");
  check(first <= last, "flatten() has invalid args: start_dim cannot come after end_dim");
  if (self.dim() == 0) return reshape(self, {1});
  if (first == last) return self;
  ShortShape shape;
  std::int64_t joined = 1;
  for (std::size_t i = 0; i < static_cast<std::size_t>(self.dim()); ++i) {
    if (i < first || i > last)
      shape.push(self.sizes()[i]);
    else
      joined *= self.sizes()[i];
    if (i == last) shape.push(joined);
  }
  return reshape(self, shape);
}

Tensor unflatten(const Tensor& self, std::int64_t dim, IntArray sizes) {
  check(!sizes.empty(), "unflatten: sizes must be non-empty");
  const std::size_t at = axis(self, dim, "unflatten");
  const std::int64_t extent = self.dim() ? self.sizes()[at] : 1;
  std::int64_t known = 1;
  bool inferred = false;
  for (const std::int64_t size : sizes) {
    if (size == -1)
      inferred = true;
    else
      known *= size;
  }
  check(inferred ? known > 0 && extent % known == 0 : known == extent, "unflatten: Provided sizes ", sizes,
        " don't multiply up to the size of dim ", dim, " (", extent, ") in the input tensor");
  const ShortShape parts = inferred_shape(sizes, extent);
  ShortShape shape;
  for (std::size_t i = 0; i < static_cast<std::size_t>(self.dim()); ++i) {
    if (i != at)
      shape.push(self.sizes()[i]);
    else
      for (const std::int64_t size : parts.view())
        shape.push(size);
  }
  return view(self, shape);
}

Tensor contiguous(const Tensor& self, MemoryFormat memory_format) {
  check(memory_format != MemoryFormat::kPreserve, "preserve memory format is unsupported by the contiguous operator");
  check(!(self.word() & kSparse), "contiguous: unsupported memory format option Contiguous: Sparse CSR tensors do not ",
        "have is_contiguous, nor have others; call .to_dense() or .coalesce()");
  return self.is_contiguous(memory_format) ? self : clone(self, memory_format);
}

// --- order of dimensions -----------------------------------------------------------------------------

Tensor swapaxes(const Tensor& self, std::int64_t axis0, std::int64_t axis1) { return transpose(self, axis0, axis1); }
Tensor swapdims(const Tensor& self, std::int64_t dim0, std::int64_t dim1) { return transpose(self, dim0, dim1); }

namespace {
// The last two dimensions swapped; a number is its own transpose, with a warning.
Tensor matrix_transpose(const Tensor& self, const char* name, const char* instead) {
  if (self.dim() == 0) {
    warn(str(name, " is deprecated on 0-D tensors. ", instead));
    return self;
  }
  check(self.dim() >= 2, name[0] == 'T' ? "t" : "", name + (name[0] == 'T'),
        " is only supported on matrices or batches of matrices. Got ", self.dim(), "-D tensor.");
  return transpose(self, -2, -1);
}
constexpr const char* kIdentity = "This function is the identity in these cases.";
constexpr const char* kConjugate = "Consider using x.conj().";
}  // namespace
Tensor mT(const Tensor& self) { return matrix_transpose(self, "Tensor.mT", kIdentity); }
Tensor mH(const Tensor& self) { return conj(matrix_transpose(self, "Tensor.mH", kConjugate)); }
Tensor Tensor::mT() const { return rushlight::mT(*this); }
Tensor Tensor::mH() const { return rushlight::mH(*this); }
Tensor adjoint(const Tensor& self) { return conj(matrix_transpose(self, "Tensor.adjoint()", kConjugate)); }
Tensor matrix_H(const Tensor& self) {
  check(self.dim() == 2 || self.dim() == 0, "tensor.H is only supported on matrices (2-D tensors). Got ", self.dim(),
        "-D tensor.", self.dim() > 2 ? " For batches of matrices, consider using tensor.mH" : "");
  return conj(matrix_transpose(self, "Tensor.H", kConjugate));
}

Tensor movedim(const Tensor& self, IntArray source, IntArray destination) {
  check(source.size() == destination.size(), "movedim: Invalid source or destination dims: source (", source,
        " dims) should contain the same number of dims as destination (", destination, " dims)");
  const auto rank = static_cast<std::size_t>(self.dim());
  std::vector<std::int64_t> order(rank, -1);
  DimSet from, to;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const std::size_t a = axis(self, source[i], "movedim"), b = axis(self, destination[i], "movedim");
    check(!from[a], "movedim: repeated dim in `source` (", source, ")");
    check(!to[b], "movedim: repeated dim in `destination` (", destination, ")");
    from[a] = to[b] = true;
    if (b < rank) order[b] = static_cast<std::int64_t>(a);
  }
  if (self.dim() == 0) return alias(self);
  std::size_t next = 0;
  for (std::int64_t& slot : order) {
    if (slot >= 0) continue;
    while (from[next])
      ++next;
    slot = static_cast<std::int64_t>(next++);
  }
  return permute(self, order);
}
Tensor movedim(const Tensor& self, std::int64_t source, std::int64_t destination) {
  return movedim(self, IntArray{source}, IntArray{destination});
}
Tensor moveaxis(const Tensor& self, IntArray source, IntArray destination) {
  return movedim(self, source, destination);
}
Tensor moveaxis(const Tensor& self, std::int64_t source, std::int64_t destination) {
  return movedim(self, source, destination);
}

// --- parts -------------------------------------------------------------------------------------------------

Tensor narrow(const Tensor& self, std::int64_t dim, std::int64_t start, std::int64_t length) {
  check(self.dim() > 0, "narrow() cannot be applied to a 0-dim tensor.");
  check(length >= 0, "narrow(): length must be non-negative.");
  const std::int64_t extent = self.sizes()[axis(self, dim, "narrow")];
  check<IndexError>(start >= -extent && start <= extent, "start out of range (expected to be in range of [", -extent,
                    ", ", extent, "], but got ", start, ")");
  const std::int64_t from = start < 0 ? start + extent : start;
  check(from <= extent - length, "start (", from, ") + length (", length, ") exceeds dimension size (", extent, ").");
  return slice(self, dim, from, from + length, 1);
}
Tensor narrow(const Tensor& self, std::int64_t dim, const Tensor& start, std::int64_t length) {
  check(start.dim() == 0 && is_integral(start.dtype(), false), "start must be an 0-dim integral Tensor.");
  return narrow(self, dim, start.item<std::int64_t>(), length);
}
Tensor narrow_copy(const Tensor& self, std::int64_t dim, std::int64_t start, std::int64_t length) {
  const ShownAs shown("NarrowCopyBackward0");
  const std::int64_t rank = std::max<std::int64_t>(self.dim(), 1);
  check(dim < rank, "narrow_copy: Dimension out of range: Expected dim < ", rank, ", but got ", dim);
  check<IndexError>(dim >= -rank, "narrow_copy: Dimension out of range (expected to be in range of [", -self.dim(),
                    ", ", self.dim() - 1, "], but got ", dim, ")");
  return shown(clone(narrow(self, dim, start, length), MemoryFormat::kContiguous));
}

std::vector<Tensor> split(const Tensor& self, IntArray split_size, std::int64_t dim) {
  return split_with_sizes(self, split_size, dim);
}
std::vector<Tensor> unsafe_split(const Tensor& self, std::int64_t split_size, std::int64_t dim) {
  std::vector<Tensor> parts = split(self, split_size, dim);
  if (!parts.empty()) show_as(parts[0], "UnsafeSplitBackward0");
  return parts;
}
std::vector<Tensor> unsafe_split_with_sizes(const Tensor& self, IntArray split_sizes, std::int64_t dim) {
  return split_with_sizes(self, split_sizes, dim);
}

std::vector<Tensor> chunk(const Tensor& self, std::int64_t chunks, std::int64_t dim) {
  check(self.dim() > 0, "chunk expects at least a 1-dimensional tensor");
  check(chunks > 0, "chunk expects `chunks` to be greater than 0, got: ", chunks);
  const std::int64_t extent = self.sizes()[axis(self, dim, "chunk")];
  const std::int64_t length = (extent + chunks - 1) / chunks;
  if (length > 0) return split(self, length, dim);
  return split_with_sizes(self, std::vector<std::int64_t>(static_cast<std::size_t>(chunks), 0), dim);
}

std::vector<Tensor> unsafe_chunk(const Tensor& self, std::int64_t chunks, std::int64_t dim) {
  return chunk(self, chunks, dim);
}

std::vector<Tensor> tensor_split(const Tensor& self, std::int64_t sections, std::int64_t dim) {
  check(self.dim() > 0, "tensor_split expected at least a 1-dimensional tensor, but got a tensor with ", self.dim(),
        " dims");
  check(sections > 0, "number of sections must be larger than 0, got ", sections);
  const std::int64_t extent = self.sizes()[axis(self, dim, "tensor_split")];
  std::vector<Tensor> parts;
  std::int64_t start = 0;
  for (std::int64_t i = 0; i < sections; ++i) {
    const std::int64_t length = extent / sections + (i < extent % sections);
    parts.push_back(slice(self, dim, start, start + length, 1));
    start += length;
  }
  return parts;
}
std::vector<Tensor> tensor_split(const Tensor& self, IntArray indices, std::int64_t dim) {
  check(self.dim() > 0, "tensor_split expected at least a 1-dimensional tensor, but got a tensor with ", self.dim(),
        " dims");
  const std::int64_t extent = self.sizes()[axis(self, dim, "tensor_split")];
  std::vector<Tensor> parts;
  std::int64_t start = 0;
  for (const std::int64_t end : indices) {
    parts.push_back(slice(self, dim, start, end, 1));
    start = end;
  }
  parts.push_back(slice(self, dim, start, extent, 1));
  return parts;
}
std::vector<Tensor> tensor_split(const Tensor& self, const Tensor& tensor_indices_or_sections, std::int64_t dim) {
  const Tensor& given = tensor_indices_or_sections;
  check(self.dim() > 0, "tensor_split expected at least a 1-dimensional tensor, but got a tensor with ", self.dim(),
        " dims");
  check(given.dtype() == Dtype::kInt64,
        "tensor_split expected tensor_indices_or_sections to have dtype of long, but got ",
        scalar_type_name(given.dtype()));
  check(given.dim() <= 1,
        "tensor_split expected tensor_indices_or_sections to be a zero-dimensional or one-dimensional tensor, but got "
        "a tensor with ",
        given.dim(), " dims");
  check(!given.is_meta(), "tensor_split: tensor_indices_or_sections is a meta tensor, which has no values; give ints");
  if (given.dim() == 0) return tensor_split(self, given.item<std::int64_t>(), dim);
  const Tensor dense = given.is_contiguous() ? given : clone(given, MemoryFormat::kContiguous);
  need_memory(dense, "tensor_split");
  const std::int64_t* values = dense.data<std::int64_t>();
  return tensor_split(self, std::vector<std::int64_t>(values, values + dense.numel()), dim);
}

namespace {
template <class Split>
std::vector<Tensor> split_along(const Tensor& self, const Split& how, std::int64_t rank, std::int64_t dim,
                                const char* op) {
  check(self.dim() >= rank, "torch.", op, " requires a tensor with at least ", rank, " dimension", rank > 1 ? "s" : "",
        ", but got a tensor with ", self.dim(), " dimensions!");
  if constexpr (std::is_same_v<Split, std::int64_t>)
    check(how != 0 && self.size(dim) % how == 0, "torch.", op, " attempted to split along dimension ", dim,
          ", but the size of the dimension ", self.size(dim), " is not divisible by the split_size ", how, "!");
  return tensor_split(self, how, dim);
}
}  // namespace
std::vector<Tensor> hsplit(const Tensor& self, std::int64_t sections) {
  return split_along(self, sections, 1, self.dim() == 1 ? 0 : 1, "hsplit");
}
std::vector<Tensor> hsplit(const Tensor& self, IntArray indices) {
  return split_along(self, indices, 1, self.dim() == 1 ? 0 : 1, "hsplit");
}
std::vector<Tensor> vsplit(const Tensor& self, std::int64_t sections) {
  return split_along(self, sections, 2, 0, "vsplit");
}
std::vector<Tensor> vsplit(const Tensor& self, IntArray indices) { return split_along(self, indices, 2, 0, "vsplit"); }
std::vector<Tensor> dsplit(const Tensor& self, std::int64_t sections) {
  return split_along(self, sections, 3, 2, "dsplit");
}
std::vector<Tensor> dsplit(const Tensor& self, IntArray indices) { return split_along(self, indices, 3, 2, "dsplit"); }

// --- more dimensions -------------------------------------------------------------------------------------

Tensor expand_as(const Tensor& self, const Tensor& other) { return expand(self, other.sizes()); }
Tensor broadcast_to(const Tensor& self, IntArray size) { return expand(self, size); }

std::vector<Tensor> broadcast_tensors(TensorList tensors) {
  std::vector<std::int64_t> shape;
  for (const Tensor& tensor : tensors) {
    const auto rank = static_cast<std::size_t>(tensor.dim());
    if (rank > shape.size()) shape.insert(shape.begin(), rank - shape.size(), 1);
    for (std::size_t i = 0; i < rank; ++i) {
      std::int64_t& have = shape[shape.size() - rank + i];
      const std::int64_t size = tensor.sizes()[i];
      check(have == size || have == 1 || size == 1, "broadcast_tensors: The size of tensor a (", have,
            ") must match the size of tensor b (", size, ") at non-singleton dimension ", shape.size() - rank + i);
      if (have == 1) have = size;
    }
  }
  std::vector<Tensor> results;
  for (const Tensor& tensor : tensors)
    results.push_back(tensor.sizes() == IntArray(shape) ? tensor : expand(tensor, shape));
  return results;
}

Tensor atleast_1d(const Tensor& self) { return self.dim() ? self : reshape(self, {1}); }
Tensor atleast_2d(const Tensor& self) {
  return self.dim() >= 2 ? self : self.dim() == 1 ? unsqueeze(self, 0) : reshape(self, {1, 1});
}
Tensor atleast_3d(const Tensor& self) {
  switch (self.dim()) {
    case 0:
      return reshape(self, {1, 1, 1});
    case 1:
      return unsqueeze(unsqueeze(self, 0), -1);
    case 2:
      return unsqueeze(self, -1);
    default:
      return self;
  }
}
std::vector<Tensor> atleast_1d(TensorList tensors) {
  return each(tensors, [](const Tensor& tensor) { return atleast_1d(tensor); });
}
std::vector<Tensor> atleast_2d(TensorList tensors) {
  return each(tensors, [](const Tensor& tensor) { return atleast_2d(tensor); });
}
std::vector<Tensor> atleast_3d(TensorList tensors) {
  return each(tensors, [](const Tensor& tensor) { return atleast_3d(tensor); });
}

std::vector<Tensor> meshgrid(TensorList tensors) { return meshgrid(tensors, "ij"); }
std::vector<Tensor> meshgrid(TensorList tensors, std::string_view indexing) {
  check(!tensors.empty(), "meshgrid expects a non-empty TensorList");
  check(indexing == "ij" || indexing == "xy",
        "meshgrid: indexing must be one of \"xy\" or \"ij\", but received: ", indexing);
  check_same_dtype(tensors, "meshgrid");
  const bool swap = indexing == "xy" && tensors.size() >= 2;
  std::vector<Tensor> vectors = tensors.vec();
  if (swap) std::swap(vectors[0], vectors[1]);
  std::vector<std::int64_t> shape;
  for (const Tensor& vector : vectors) {
    check(vector.dim() <= 1, "torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: ", vector);
    shape.push_back(vector.numel());
  }
  std::vector<Tensor> grids;
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    std::vector<std::int64_t> one(vectors.size(), 1);
    one[i] = -1;
    grids.push_back(expand(view(vectors[i], one), shape));
  }
  if (swap) std::swap(grids[0], grids[1]);
  return grids;
}

Tensor cartesian_prod(TensorList tensors) {
  for (const Tensor& tensor : tensors)
    check(tensor.dim() == 1, "Expect a 1D vector, but got shape ", tensor.sizes());
  check(!tensors.empty(), "cartesian_prod: expected a non-empty list of Tensors");
  if (tensors.size() == 1) return tensors[0];
  std::vector<Tensor> flat;
  for (const Tensor& grid : meshgrid(tensors))
    flat.push_back(flatten(grid));
  return stack(flat, 1);
}

// Ways to choose `r` of `count` things; -1 when there are more than 63 bits can say.
static std::int64_t number_of_choices(std::int64_t count, std::int64_t r, bool with_replacement) {
  if (count == 0 || (!with_replacement && r > count)) return 0;
  std::int64_t from = count;
  if (with_replacement && __builtin_add_overflow(count - 1, r, &from)) return -1;
  const std::int64_t least = std::min(r, from - r);
  unsigned __int128 ways = 1;  // doubles at least until it ends or overflows
  for (std::int64_t i = 1; i <= least; ++i) {
    ways = ways * static_cast<unsigned __int128>(from - least + i) / static_cast<unsigned __int128>(i);
    if (ways > INT64_MAX) return -1;
  }
  return static_cast<std::int64_t>(ways);
}

Tensor combinations(const Tensor& self, std::int64_t r, bool with_replacement) {
  check(self.dim() == 1, "Expect a 1D vector, but got shape ", self.sizes());
  check(r >= 0, "Expect a non-negative number, but got ", r);
  if (r == 0) return empty({0}, self.options());
  const std::int64_t count = self.numel();
  const std::int64_t rows = number_of_choices(count, r, with_replacement);
  std::int64_t size = 0;
  check(rows >= 0 && !__builtin_mul_overflow(rows, r, &size) && size < std::int64_t{1} << 59,
        "combinations: Storage size calculation overflowed for ", r, " of ", count, " elements");
  Tensor index = empty_tensor({size}, Dtype::kInt64);
  auto* to = index.mutable_data<std::int64_t>();
  std::vector<std::int64_t> at(rows ? static_cast<std::size_t>(r) : 0);
  for (std::size_t i = 0; i < at.size(); ++i)
    at[i] = with_replacement ? 0 : static_cast<std::int64_t>(i);
  const auto limit = [&](std::size_t i) {
    return with_replacement ? count - 1 : count - r + static_cast<std::int64_t>(i);
  };
  for (std::int64_t row = 0; row < rows; ++row) {
    to = std::copy(at.begin(), at.end(), to);
    std::size_t i = at.size();
    while (i > 0 && at[i - 1] == limit(i - 1))
      --i;
    if (i > 0) ++at[i - 1];
    for (; i > 0 && i < at.size(); ++i)
      at[i] = with_replacement ? at[i - 1] : at[i - 1] + 1;
  }
  return reshape(index_select(self, 0, index), {rows, r});
}

// --- repetition ------------------------------------------------------------------------------------------

Tensor tile(const Tensor& self, IntArray dims) {
  std::vector<std::int64_t> repeats = dims.vec();
  if (repeats.size() < static_cast<std::size_t>(self.dim()))
    repeats.insert(repeats.begin(), static_cast<std::size_t>(self.dim()) - repeats.size(), 1);
  return repeat(self, repeats);
}

Tensor repeat_interleave(const Tensor& self, std::int64_t repeats, std::optional<std::int64_t> dim,
                         std::optional<std::int64_t> output_size) {
  check(repeats >= 0, "Repeats must be non-negative");
  const Tensor source = dim ? self : flatten(self);
  const auto at = static_cast<std::int64_t>(axis(source, dim.value_or(0), "repeat_interleave"));
  check(!output_size || *output_size == repeats * source.size(at), "repeat_interleave: Invalid output_size, expected ",
        repeats * source.size(at), " but got ", output_size.value_or(0));
  const Tensor wide = unsqueeze(source, at + 1);
  std::vector<std::int64_t> shape = wide.sizes().vec();
  shape[static_cast<std::size_t>(at + 1)] = repeats;
  return flatten(clone(expand(wide, shape), MemoryFormat::kContiguous), at, at + 1);
}

Tensor repeat_interleave(const Tensor& self, const Tensor& repeats, std::optional<std::int64_t> dim,
                         std::optional<std::int64_t> output_size) {
  const Tensor source = dim ? self : flatten(self);
  const auto at = static_cast<std::int64_t>(axis(source, dim.value_or(0), "repeat_interleave"));
  if (repeats.dim() == 0 || (repeats.dim() == 1 && repeats.numel() == 1))
    return index_select(source, at, repeat_interleave(expand(reshape(repeats, {1}), {source.size(at)}), output_size));
  check(repeats.dim() == 1, "repeats must be 0-dim or 1-dim tensor");
  check(repeats.numel() == source.size(at),
        "repeats must have the same size as input along dim, but got repeats.size(0) = ", repeats.numel(),
        " and input.size(", at, ") = ", source.size(at));
  return index_select(source, at, repeat_interleave(repeats, output_size));
}

// --- rotation, diagonals ---------------------------------------------------------------------------------

Tensor fliplr(const Tensor& self) {
  check(self.dim() >= 2, "Input must be >= 2-d.");
  return flip(self, {1});
}
Tensor flipud(const Tensor& self) {
  check(self.dim() >= 1, "Input must be >= 1-d.");
  return flip(self, {0});
}

Tensor rot90(const Tensor& self, std::int64_t k, IntArray dims) {
  const ShownAs shown("Rot90Backward0");
  check(dims.size() == 2, "expected total rotation dims == 2, but got dims = ", dims.size());
  check(self.dim() >= 2, "expected total dims >= 2, but got total dims = ", self.dim());
  const std::int64_t a = dims[0], b = dims[1];
  check(a != b && std::abs(a - b) != self.dim(), "expected rotation dims to be different, but got dim0 = ", a,
        " and dim1 = ", b);
  check(a < self.dim() && a >= -self.dim(), "Rotation dim0 out of range, dim0 = ", a);
  check(b < self.dim() && b >= -self.dim(), "Rotation dim1 out of range, dim1 = ", b);
  switch ((k % 4 + 4) % 4) {
    case 1:
      return shown(transpose(flip(self, {b}), a, b));
    case 2:
      return shown(flip(self, {a, b}));
    case 3:
      return shown(transpose(flip(self, {a}), a, b));
    default:
      return shown(clone(self, MemoryFormat::kContiguous));
  }
}

Tensor diag(const Tensor& self, std::int64_t diagonal) {
  check(self.dim() == 1 || self.dim() == 2, "diag(): Supports 1D or 2D tensors. Got ", self.dim(), "D");
  return self.dim() == 1 ? diag_embed(self, diagonal) : copied(rushlight::diagonal(self, diagonal));
}
Tensor diagflat(const Tensor& self, std::int64_t offset) { return diag_embed(flatten(self), offset); }

// --- joins ---------------------------------------------------------------------------------------------------

Tensor concat(TensorList tensors, std::int64_t dim) { return cat(tensors, dim); }
Tensor concatenate(TensorList tensors, std::int64_t dim) { return cat(tensors, dim); }
Tensor _stack(TensorList tensors, std::int64_t dim) { return stack(tensors, dim); }
Tensor hstack(TensorList tensors) {
  check(!tensors.empty(), "hstack expects a non-empty TensorList");
  const std::vector<Tensor> parts = atleast_1d(tensors);
  return cat(parts, parts[0].dim() == 1 ? 0 : 1);
}
Tensor vstack(TensorList tensors) {
  check(!tensors.empty(), "vstack expects a non-empty TensorList");
  return cat(atleast_2d(tensors), 0);
}
Tensor row_stack(TensorList tensors) { return vstack(tensors); }
Tensor dstack(TensorList tensors) {
  check(!tensors.empty(), "dstack expects a non-empty TensorList");
  return cat(atleast_3d(tensors), 2);
}
Tensor column_stack(TensorList tensors) {
  check(!tensors.empty(), "column_stack expects a non-empty TensorList");
  std::vector<Tensor> columns;
  for (const Tensor& tensor : tensors)
    columns.push_back(tensor.dim() <= 1 ? reshape(tensor, {tensor.numel(), 1}) : tensor);
  return hstack(columns);
}

// --- parts of complex numbers ----------------------------------------------------------------------------

Tensor real(const Tensor& self) { return self.is_complex() ? select(view_as_real(self), -1, 0) : self; }
Tensor imag(const Tensor& self) {
  check(self.is_complex(), "imag is not implemented for tensors with non-complex dtypes.");
  return select(view_as_real(self), -1, 1);
}
Tensor conj(const Tensor& self) { return self.is_complex() ? conj_physical(self) : self; }
Tensor resolve_conj(const Tensor& self) { return self; }
Tensor resolve_neg(const Tensor& self) { return self; }
Tensor positive(const Tensor& self) {
  check(self.dtype() != Dtype::kBool, "The `+` operator, on a bool tensor is not supported.");
  return self;
}
Tensor type_as(const Tensor& self, const Tensor& other) { return to(self, other.options()); }

// --- copies of views -------------------------------------------------------------------------------------

Tensor view_as_real_copy(const Tensor& self) { return copied(view_as_real(self)); }
Tensor view_as_complex_copy(const Tensor& self) { return copied(view_as_complex(self)); }
Tensor as_strided_copy(const Tensor& self, IntArray size, IntArray stride, std::optional<std::int64_t> storage_offset) {
  return copied(as_strided(self, size, stride, storage_offset));
}
Tensor diagonal_copy(const Tensor& self, std::int64_t offset, std::int64_t dim1, std::int64_t dim2) {
  return copied(diagonal(self, offset, dim1, dim2));
}
Tensor expand_copy(const Tensor& self, IntArray size, bool) { return copied(expand(self, size)); }
Tensor permute_copy(const Tensor& self, IntArray dims) { return copied(permute(self, dims)); }
Tensor select_copy(const Tensor& self, std::int64_t dim, std::int64_t index) {
  return copied(select(self, dim, index));
}
Tensor slice_copy(const Tensor& self, std::int64_t dim, std::optional<std::int64_t> start,
                  std::optional<std::int64_t> end, std::int64_t step) {
  return copied(slice(self, dim, start, end, step));
}
std::vector<Tensor> split_copy(const Tensor& self, std::int64_t split_size, std::int64_t dim) {
  return copies(split(self, split_size, dim));
}
std::vector<Tensor> split_with_sizes_copy(const Tensor& self, IntArray split_sizes, std::int64_t dim) {
  return copies(split_with_sizes(self, split_sizes, dim));
}
Tensor squeeze_copy(const Tensor& self) { return copied(squeeze(self)); }
Tensor squeeze_copy(const Tensor& self, std::int64_t dim) { return copied(squeeze(self, dim)); }
Tensor squeeze_copy(const Tensor& self, IntArray dim) { return copied(squeeze(self, dim)); }
Tensor t_copy(const Tensor& self) { return copied(t(self)); }
Tensor transpose_copy(const Tensor& self, std::int64_t dim0, std::int64_t dim1) {
  return copied(transpose(self, dim0, dim1));
}
Tensor unsqueeze_copy(const Tensor& self, std::int64_t dim) { return copied(unsqueeze(self, dim)); }
std::vector<Tensor> unbind_copy(const Tensor& self, std::int64_t dim) { return copies(unbind(self, dim)); }
Tensor view_copy(const Tensor& self, IntArray size) { return copied(view(self, size)); }
Tensor view_copy(const Tensor& self, Dtype dtype) { return copied(view(self, dtype)); }
Tensor unfold_copy(const Tensor& self, std::int64_t dimension, std::int64_t size, std::int64_t step) {
  return copied(unfold(self, dimension, size, step));
}
Tensor alias_copy(const Tensor& self) { return copied(alias(self)); }
Tensor detach_copy(const Tensor& self) { return copied(self.detach()); }
// Conjugation and negation are done at once, so that what PyTorch shows by a flag is a copy here.
Tensor _conj(const Tensor& self) {
  check(self.is_complex(), "_conj: Expected a complex tensor, but got ", self);
  return conj_physical(self);
}
Tensor _conj_physical(const Tensor& self) { return conj_physical(self); }
Tensor _conj_copy(const Tensor& self) { return _conj(self); }
Tensor _neg_view(const Tensor& self) { return neg(self); }
Tensor _neg_view_copy(const Tensor& self) { return neg(self); }
Tensor _lazy_clone(const Tensor& self) { return clone(self); }

namespace ops {
Tensor as_strided(const Tensor&, IntArray, IntArray, std::optional<std::int64_t>);  // view.cpp

Tensor slice_inverse(const Tensor& self, const Tensor& src, std::int64_t, std::optional<std::int64_t>,
                     std::optional<std::int64_t>, std::int64_t) {
  return ops::as_strided(self, src.sizes(), src.strides(), src.storage_offset());
}
}  // namespace ops

}  // namespace rushlight
