// Operators that copy elements to other places: joins, repetition, reversal, triangles, parts of a copy.
#include <algorithm>

#include "ops/kernels/copy.h"
#include "ops/kernels/shape.h"
#include "ops/output.h"
#include "ops/view_shape.h"
#include "rushlight/ops.h"
#include "tensor/memory_format.h"

namespace rushlight::ops {

// Views of src/ops/view.cpp, without records.
Tensor view(const Tensor& self, IntArray size);
Tensor select(const Tensor& self, std::int64_t dim, std::int64_t index);
Tensor slice(const Tensor& self, std::int64_t dim, std::optional<std::int64_t> start, std::optional<std::int64_t> end,
             std::int64_t step);
Tensor unsqueeze(const Tensor& self, std::int64_t dim);
Tensor diagonal(const Tensor& self, std::int64_t offset, std::int64_t dim1, std::int64_t dim2);
Tensor unfold(const Tensor& self, std::int64_t dimension, std::int64_t size, std::int64_t step);
Tensor as_strided(const Tensor& self, IntArray size, IntArray stride, std::optional<std::int64_t> storage_offset);

namespace {

Tensor copy_of(const Tensor& self, std::optional<MemoryFormat> format, Dtype dtype, Device device) {
  Tensor result = empty_strided_tensor(self.sizes(), result_strides(self, format), dtype, device);
  if (!device.is_meta()) {
    check<NotImplementedError>(!self.is_meta(), "Cannot copy out of meta tensor; no data!");
    copy_kernel(device, result, self);
  }
  return result;
}

Tensor zeros_for(IntArray sizes, const Tensor& like) {
  Tensor result = empty_tensor(sizes, like.dtype(), like.device());
  if (!like.is_meta())
    std::memset(result.mutable_data(), 0, static_cast<std::size_t>(result.numel()) * result.itemsize());
  return result;
}

Tensor dense(const Tensor& self) {
  return self.is_contiguous() ? self : copy_of(self, MemoryFormat::kContiguous, self.dtype(), self.device());
}

// `whole` with `part` written to a view of it.
Tensor with_part(Tensor whole, const Tensor& view, const Tensor& part, const char* op) {
  check(view.sizes() == part.sizes(), op,
        ": expected src to have a size equal to the slice of self. src size = ", part.sizes(),
        ", slice size = ", view.sizes());
  copy_kernel(whole.device(), view, part);
  return whole;
}

}  // namespace

// --- copies ----------------------------------------------------------------------------------------------

Tensor clone(const Tensor& self, std::optional<MemoryFormat> memory_format) {
  if (self.is_contiguous() && (!memory_format || *memory_format <= MemoryFormat::kPreserve) && !self.is_meta())
      [[likely]] {
    // A contiguous tensor may have any stride where its size is 1; preserving keeps it, and contiguous is anew.
    Tensor result = memory_format == MemoryFormat::kContiguous ? empty_tensor(self.sizes(), self.dtype(), self.device())
                                                               : empty_like_contiguous(*self.impl(), self.dtype());
    copy_kernel(self.device(), result, self);
    return result;
  }
  return copy_of(self, memory_format, self.dtype(), self.device());
}

Tensor _to_copy(const Tensor& self, const TensorOptions& options, bool, std::optional<MemoryFormat> memory_format) {
  return copy_of(self, memory_format, options.dtype_opt().value_or(self.dtype()),
                 options.device_opt().value_or(self.device()));
}

// --- joins -----------------------------------------------------------------------------------------------

namespace {

// Joins contiguous tensors of the result's dtype, `rounds` runs of each.
Tensor joined(Tensor result, TensorList tensors, std::int64_t rounds) {
  if (result.is_meta() || result.numel() == 0) return result;
  constexpr std::size_t kFew = 16;
  JoinPart few[kFew];
  std::vector<JoinPart> many;
  JoinPart* parts = few;
  if (tensors.size() > kFew) {
    many.resize(tensors.size());
    parts = many.data();
  }
  const auto item = static_cast<std::int64_t>(result.itemsize());
  for (std::size_t i = 0; i < tensors.size(); ++i)
    parts[i] = {tensors[i].data(), tensors[i].numel() * item / rounds};
  join_kernel(result.device(), result, {parts, tensors.size()}, rounds);
  return result;
}

std::int64_t product(IntArray sizes, std::size_t count) {
  std::int64_t result = 1;
  for (std::size_t i = 0; i < count; ++i)
    result *= sizes[i];
  return result;
}

bool skipped_by_cat(const Tensor& tensor) { return tensor.dim() == 1 && tensor.numel() == 0; }  // as it always was

// The sizes of a concatenation; throws where tensors do not fit.
ShortShape joined_shape(TensorList tensors, const Tensor& first, std::size_t at) {
  ShortShape shape(first.sizes());
  shape[at] = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& tensor = tensors[i];
    if (skipped_by_cat(tensor)) continue;
    check(tensor.dim() == first.dim(), "Tensors must have same number of dimensions: got ", first.dim(), " and ",
          tensor.dim());
    for (std::size_t d = 0; d < shape.count; ++d)
      check(d == at || tensor.sizes()[d] == shape[d], "Sizes of tensors must match except in dimension ", at,
            ". Expected size ", shape[d], " but got size ", tensor.sizes()[d], " for tensor number ", i,
            " in the list.");
    shape[at] += tensor.sizes()[at];
  }
  return shape;
}

// Channels-last where all tensors are, else contiguous.
MemoryFormat joined_format(TensorList tensors) {
  const MemoryFormat format = suggested_format(tensors[0]);
  for (const Tensor& tensor : tensors)
    if (suggested_format(tensor) != format) return MemoryFormat::kContiguous;
  return format;
}

}  // namespace

Tensor cat(TensorList tensors, std::int64_t dim) {
  check<ValueError>(!tensors.empty(), "torch.cat(): expected a non-empty list of Tensors");
  const Tensor* first = nullptr;
  Dtype type = tensors[0].dtype();
  bool runs = true;  // contiguous, and of one dtype
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    check(tensors[i].dim() > 0, "zero-dimensional tensor (at position ", i, ") cannot be concatenated");
    check(tensors[i].device().type == tensors[0].device().type,
          "cat: Expected all tensors to be on the same device, but found at least two devices, ", tensors[0].device(),
          " and ", tensors[i].device());
    runs &= tensors[i].is_contiguous() && tensors[i].dtype() == tensors[0].dtype();
    if (tensors[i].dtype() != type) type = promote(type, tensors[i].dtype());
    if (!first && !skipped_by_cat(tensors[i])) first = &tensors[i];
  }
  if (!first) {
    wrap_dim(dim, 1, "cat");
    return empty_tensor({0}, type, tensors[0].device());
  }
  const auto at = static_cast<std::size_t>(wrap_dim(dim, first->dim(), "cat"));
  const ShortShape shape = joined_shape(tensors, *first, at);
  if (runs)
    return joined(empty_tensor(shape, type, first->device()), tensors, std::max<std::int64_t>(product(shape, at), 1));
  const MemoryFormat format = joined_format(tensors);
  Tensor result = empty_strided_tensor(shape, format_strides(shape, format), type, first->device());
  if (result.is_meta() || result.numel() == 0) return result;
  std::int64_t offset = 0;
  for (const Tensor& tensor : tensors) {
    if (tensor.numel() == 0) continue;
    copy_kernel(result.device(),
                rushlight::alias(result, tensor.sizes(), result.impl()->strides(), offset * result.strides()[at]),
                tensor);
    offset += tensor.sizes()[at];
  }
  return result;
}

Tensor stack(TensorList tensors, std::int64_t dim) {
  check(!tensors.empty(), "stack expects a non-empty TensorList");
  const std::int64_t at = wrap_dim(dim, tensors[0].dim() + 1, "stack");
  bool runs = true;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    check(tensors[i].sizes() == tensors[0].sizes(), "stack expects each tensor to be equal size, but got ",
          tensors[0].sizes(), " at entry 0 and ", tensors[i].sizes(), " at entry ", i);
    runs &= tensors[i].is_contiguous() && tensors[i].dtype() == tensors[0].dtype() &&
            tensors[i].device().type == tensors[0].device().type;
  }
  if (runs) {
    ShortShape shape(tensors[0].sizes());
    shape.insert(static_cast<std::size_t>(at), static_cast<std::int64_t>(tensors.size()));
    return joined(empty_tensor(shape, tensors[0].dtype(), tensors[0].device()), tensors,
                  std::max<std::int64_t>(product(tensors[0].sizes(), static_cast<std::size_t>(at)), 1));
  }
  std::vector<Tensor> parts;
  parts.reserve(tensors.size());
  for (const Tensor& tensor : tensors)
    parts.push_back(ops::unsqueeze(tensor, at));
  return ops::cat(parts, at);
}

Tensor block_diag(TensorList tensors) {
  std::int64_t rows = 0, columns = 0;
  Dtype type = tensors.empty() ? default_dtype() : tensors[0].dtype();
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& tensor = tensors[i];
    check(tensor.dim() <= 2, "torch.block_diag: Input tensors must have 2 or fewer dimensions. Input ", i, " has ",
          tensor.dim(), " dimensions");
    type = promote(type, tensor.dtype());
    rows += tensor.dim() == 2 ? tensor.sizes()[0] : 1;
    columns += tensor.dim() == 0 ? 1 : tensor.sizes()[tensor.sizes().size() - 1];
  }
  if (tensors.empty()) return empty_tensor({1, 0}, type);
  Tensor result = empty_tensor({rows, columns}, type, tensors[0].device());
  fill_kernel(result.device(), result, 0);
  std::int64_t row = 0, column = 0;
  for (const Tensor& tensor : tensors) {
    const std::int64_t height = tensor.dim() == 2 ? tensor.sizes()[0] : 1;
    const std::int64_t width = tensor.dim() == 0 ? 1 : tensor.sizes()[tensor.sizes().size() - 1];
    const std::int64_t sizes[] = {height, width},
                       from[] = {tensor.dim() == 2 ? tensor.strides()[0] : 0,
                                 tensor.dim() ? tensor.strides()[tensor.sizes().size() - 1] : 0};
    copy_kernel(result.device(), rushlight::alias(result, {sizes, 2}, result.impl()->strides(), row * columns + column),
                rushlight::alias(tensor, {sizes, 2}, from, 0));
    row += height;
    column += width;
  }
  return result;
}

// --- repetition, reversal --------------------------------------------------------------------------------

Tensor repeat(const Tensor& self, IntArray repeats) {
  check(static_cast<std::int64_t>(repeats.size()) >= self.dim(),
        "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor");
  const std::size_t extra = repeats.size() - static_cast<std::size_t>(self.dim());
  ShortShape shape, wide, from;
  for (std::size_t i = 0; i < repeats.size(); ++i) {
    check(repeats[i] >= 0, "Trying to create tensor with negative dimension ", repeats[i], ": ", repeats);
    const std::int64_t size = i < extra ? 1 : self.sizes()[i - extra];
    shape.push(size * repeats[i]);
    if (repeats[i] != 1) {
      wide.push(repeats[i]);
      from.push(0);
    }
    wide.push(size);
    from.push(i < extra ? 0 : self.strides()[i - extra]);
  }
  Tensor result = empty_tensor(shape, self.dtype(), self.device());
  if (result.numel())
    copy_kernel(self.device(), rushlight::alias(result, wide, nullptr, 0), rushlight::alias(self, wide, from.size, 0));
  return result;
}

Tensor repeat_interleave(const Tensor& repeats, std::optional<std::int64_t> output_size) {
  check(repeats.dim() == 1, "repeat_interleave only accept 1D vector as repeat");
  check(repeats.dtype() == Dtype::kInt64 || repeats.dtype() == Dtype::kInt32, "repeats has to be Long or Int tensor");
  check<NotImplementedError>(!repeats.is_meta() || output_size,
                             "repeat_interleave: give output_size for tensors on meta");
  std::int64_t total = output_size.value_or(0);
  const Tensor counts = dense(repeats);
  if (!repeats.is_meta()) {
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < counts.numel(); ++i) {
      const std::int64_t count =
          counts.dtype() == Dtype::kInt64 ? counts.data<std::int64_t>()[i] : counts.data<std::int32_t>()[i];
      check(count >= 0, "repeats can not be negative");
      sum += count;
    }
    check(!output_size || sum == total, "allocated size does not match required size: output_size ", total,
          ", repeats sum to ", sum);
    total = sum;
  }
  Tensor result = empty_tensor({total}, repeats.dtype(), repeats.device());
  repeat_interleave_kernel(result.device(), result, counts);
  return result;
}

Tensor flip(const Tensor& self, IntArray dims) {
  const DimSet set = dims.empty() ? DimSet() : dim_set(dims, self.dim(), "flip");
  ShortShape strides(self.strides());
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < strides.count; ++i)
    if (set[i] && self.sizes()[i] > 0) {
      offset += (self.sizes()[i] - 1) * strides[i];
      strides[i] = -strides[i];
    }
  Tensor result = empty_like_tensor(self, self.dtype());
  if (self.numel()) copy_kernel(self.device(), result, rushlight::alias(self, self.sizes(), strides.size, offset));
  return result;
}

Tensor roll(const Tensor& self, IntArray shifts, IntArray dims) {
  check(!shifts.empty(), "`shifts` required");
  if (dims.empty() && shifts.size() == 1)
    return ops::view(ops::roll(ops::view(dense(self), {-1}), shifts, {0}), self.sizes());
  check(shifts.size() == dims.size(), "shifts and dimensions must align. shifts: ", shifts.size(),
        ", dims:", dims.size());
  check<IndexError>(self.dim() > 0, "roll: Dimension specified as ", dims[0], " but tensor has no dimensions");
  if (self.numel() == 0) return ops::clone(self, std::nullopt);
  Tensor source = self;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const auto at = static_cast<std::size_t>(wrap_dim(dims[i], self.dim(), "roll"));
    Tensor result = empty_tensor(self.sizes(), self.dtype(), self.device());
    const std::int64_t extent = self.sizes()[at], shift = (shifts[i] % extent + extent) % extent,
                       dim = static_cast<std::int64_t>(at);
    if (shift)
      copy_kernel(self.device(), ops::slice(result, dim, 0, shift, 1),
                  ops::slice(source, dim, extent - shift, extent, 1));
    copy_kernel(self.device(), ops::slice(result, dim, shift, extent, 1),
                ops::slice(source, dim, 0, extent - shift, 1));
    source = std::move(result);
  }
  return source;
}

// --- triangles and diagonals -----------------------------------------------------------------------------

namespace {
Tensor triangle(const Tensor& self, std::int64_t diagonal, bool upper, const char* op) {
  check(self.dim() >= 2, op, ": input tensor must have at least 2 dimensions");
  Tensor result = empty_tensor(self.sizes(), self.dtype(), self.device());
  if (result.numel()) triangle_kernel(self.device(), result, dense(self), diagonal, upper);
  return result;
}
}  // namespace
Tensor tril(const Tensor& self, std::int64_t diagonal) { return triangle(self, diagonal, false, "tril"); }
Tensor triu(const Tensor& self, std::int64_t diagonal) { return triangle(self, diagonal, true, "triu"); }

Tensor diag_embed(const Tensor& self, std::int64_t offset, std::int64_t dim1, std::int64_t dim2) {
  check(self.dim() > 0, "diag_embed: the input must have at least 1 dimension");
  const std::int64_t rank = self.dim() + 1, a = wrap_dim(dim1, rank, "diag_embed"),
                     b = wrap_dim(dim2, rank, "diag_embed");
  check(a != b, "diagonal dimensions cannot be identical ", dim1, ", ", dim2);
  const std::int64_t extent = self.size(-1) + std::abs(offset);
  ShortShape shape(self.sizes());
  shape.erase(shape.count - 1);
  shape.insert(static_cast<std::size_t>(std::min(a, b)), extent);
  shape.insert(static_cast<std::size_t>(std::max(a, b)), extent);
  Tensor result = zeros_for(shape, self);
  if (self.numel()) copy_kernel(self.device(), ops::diagonal(result, offset, a, b), self);
  return result;
}

// --- parts of a copy, and their gradients ----------------------------------------------------------------

Tensor slice_scatter(const Tensor& self, const Tensor& src, std::int64_t dim, std::optional<std::int64_t> start,
                     std::optional<std::int64_t> end, std::int64_t step) {
  const Tensor whole = ops::clone(self, std::nullopt);
  return with_part(whole, ops::slice(whole, dim, start, end, step), src, "slice_scatter");
}
Tensor select_scatter(const Tensor& self, const Tensor& src, std::int64_t dim, std::int64_t index) {
  const Tensor whole = ops::clone(self, std::nullopt);
  return with_part(whole, ops::select(whole, dim, index), src, "select_scatter");
}
Tensor diagonal_scatter(const Tensor& self, const Tensor& src, std::int64_t offset, std::int64_t dim1,
                        std::int64_t dim2) {
  const Tensor whole = ops::clone(self, std::nullopt);
  return with_part(whole, ops::diagonal(whole, offset, dim1, dim2), src, "diagonal_scatter");
}
Tensor as_strided_scatter(const Tensor& self, const Tensor& src, IntArray size, IntArray stride,
                          std::optional<std::int64_t> storage_offset) {
  const Tensor whole = ops::clone(self, MemoryFormat::kContiguous);
  return with_part(whole, ops::as_strided(whole, size, stride, storage_offset), src, "as_strided_scatter");
}

Tensor select_backward(const Tensor& grad_output, IntArray input_sizes, std::int64_t dim, std::int64_t index) {
  const Tensor whole = zeros_for(input_sizes, grad_output);
  return with_part(whole, ops::select(whole, dim, index), grad_output, "select_backward");
}
Tensor slice_backward(const Tensor& grad_output, IntArray input_sizes, std::int64_t dim,
                      std::optional<std::int64_t> start, std::optional<std::int64_t> end, std::int64_t step) {
  const Tensor whole = zeros_for(input_sizes, grad_output);
  return with_part(whole, ops::slice(whole, dim, start, end, step), grad_output, "slice_backward");
}
Tensor diagonal_backward(const Tensor& grad_output, IntArray input_sizes, std::int64_t offset, std::int64_t dim1,
                         std::int64_t dim2) {
  const Tensor whole = zeros_for(input_sizes, grad_output);
  return with_part(whole, ops::diagonal(whole, offset, dim1, dim2), grad_output, "diagonal_backward");
}

Tensor unfold_backward(const Tensor& grad_in, IntArray input_sizes, std::int64_t dim, std::int64_t size,
                       std::int64_t step) {
  const Tensor whole = zeros_for(input_sizes, grad_in);
  if (step >= size || whole.dim() == 0)
    return with_part(whole, ops::unfold(whole, dim, size, step), grad_in, "unfold_backward");
  const ModeScope plain(kGradOff);
  const std::int64_t at = wrap_dim(dim, whole.dim(), "unfold"), windows = grad_in.sizes()[static_cast<std::size_t>(at)];
  for (std::int64_t k = 0; k < size; ++k)  // one element of each window at a time: these do not overlap
    add_(ops::slice(whole, at, k, k + (windows - 1) * step + 1, step), ops::select(grad_in, -1, k));
  return whole;
}

namespace {

// A flat piece of memory that holds both a tensor of one geometry and a strided view of another.
struct Memory {
  std::int64_t low, bytes;
  Memory(IntArray sizes, IntArray strides, std::int64_t offset, IntArray view_sizes, IntArray view_strides,
         std::int64_t view_offset) {
    low = std::min(offset, view_offset);
    const auto end = [](IntArray s, IntArray t, std::int64_t from) {
      return from + static_cast<std::int64_t>(span_bytes(s, t, 1, "as_strided"));
    };
    bytes = std::max(end(sizes, strides, offset), end(view_sizes, view_strides, view_offset)) - low;
  }
};

bool overlaps(IntArray sizes, IntArray strides) {  // possibly: elements that share memory
  ShortShape order;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) return false;
    if (sizes[i] > 1) order.push(static_cast<std::int64_t>(i));
  }
  std::sort(order.size, order.size + order.count, [&](std::int64_t a, std::int64_t b) {
    return strides[static_cast<std::size_t>(a)] < strides[static_cast<std::size_t>(b)];
  });
  std::int64_t reach = 0;
  for (const std::int64_t dim : order.view()) {
    const auto at = static_cast<std::size_t>(dim);
    if (strides[at] <= reach) return true;
    reach += (sizes[at] - 1) * strides[at];
  }
  return false;
}

Tensor places(std::int64_t count, IntArray sizes, IntArray strides, std::int64_t offset, Device device) {
  const Tensor all = rushlight::arange(count, TensorOptions(kInt64, device));
  return rushlight::reshape(ops::as_strided(all, sizes, strides, offset), {-1});
}

}  // namespace

Tensor as_strided_backward(const Tensor& grad_output, IntArray input_sizes, IntArray input_strides,
                           std::int64_t input_offset, IntArray size, IntArray stride,
                           std::optional<std::int64_t> storage_offset) {
  const ModeScope plain(kGradOff);
  const std::int64_t view_offset = storage_offset.value_or(input_offset);
  const Memory memory(input_sizes, input_strides, input_offset, size, stride, view_offset);
  const Tensor flat = zeros_for({memory.bytes}, grad_output);
  if (grad_output.numel() && overlaps(size, stride))
    index_add_(flat, 0, places(memory.bytes, size, stride, view_offset - memory.low, flat.device()),
               rushlight::reshape(grad_output, {-1}));
  else
    copy_kernel(flat.device(), ops::as_strided(flat, size, stride, view_offset - memory.low), grad_output);
  if (overlaps(input_sizes, input_strides)) {  // each of the elements that share memory gets its part
    const Tensor count = zeros_for({memory.bytes}, grad_output),
                 where = places(memory.bytes, input_sizes, input_strides, input_offset - memory.low, flat.device());
    index_add_(count, 0, where, rushlight::ones({where.numel()}, grad_output.options()));
    div_(flat, rushlight::clamp_min(count, 1));
  }
  return ops::clone(ops::as_strided(flat, input_sizes, input_strides, input_offset - memory.low), std::nullopt);
}

Tensor as_strided_forward(const Tensor& self, IntArray input_sizes, IntArray input_strides, std::int64_t input_offset,
                          IntArray size, IntArray stride, std::optional<std::int64_t> storage_offset) {
  const std::int64_t view_offset = storage_offset.value_or(input_offset);
  const Memory memory(input_sizes, input_strides, input_offset, size, stride, view_offset);
  const Tensor flat = zeros_for({memory.bytes}, self);
  copy_kernel(flat.device(), ops::as_strided(flat, input_sizes, input_strides, input_offset - memory.low), self);
  return ops::clone(ops::as_strided(flat, size, stride, view_offset - memory.low), MemoryFormat::kContiguous);
}

// --- resizing --------------------------------------------------------------------------------------------

void resize_(const Tensor& self, IntArray size, std::optional<MemoryFormat> memory_format) {
  check(!self.requires_grad() || thread.modes & kGradOff, "cannot resize variables that require grad");
  checked_numel(size, "resize_");
  TensorImpl& impl = *self.impl();
  const MemoryFormat format = memory_format.value_or(MemoryFormat::kContiguous);
  check(format != MemoryFormat::kPreserve, "Unsupported memory format preserve_format for resize_");
  if (self.sizes() == size && !memory_format) return;
  const ShortShape sizes(size), strides = format_strides(size, format);
  const std::int64_t offset = self.storage_offset();
  const std::size_t span = span_bytes(sizes, strides, self.itemsize(), "resize_");
  const std::size_t needed = span ? span + static_cast<std::size_t>(offset) * self.itemsize() : 0;
  if (needed > impl.storage->bytes) impl.storage->resize(needed);
  if (!impl.storage->meta)
    impl.data = static_cast<char*>(impl.storage->data) + static_cast<std::size_t>(offset) * self.itemsize();
  impl.set_shape(sizes, strides.size);
}

void resize_as_(const Tensor& self, const Tensor& the_template, std::optional<MemoryFormat> memory_format) {
  if (memory_format == MemoryFormat::kPreserve) memory_format = suggested_format(the_template);
  ops::resize_(self, the_template.sizes(), memory_format);
}

}  // namespace rushlight::ops
