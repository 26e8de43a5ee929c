// Borders: constant, reflected, replicated and circular.
#include <algorithm>

#include "autograd/shown_name.h"
#include "autograd/formulas_pool.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace {

using Sizes = std::vector<std::int64_t>;

enum class Border { kReflect, kReplicate };

// Which element of a line of `size` each of the padded elements is.
Tensor source_of(std::int64_t size, std::int64_t before, std::int64_t after, Border border) {
  const std::int64_t count = size + before + after;
  const Tensor index = empty_tensor({std::max<std::int64_t>(count, 0)}, Dtype::kInt64);
  auto* const at = index.mutable_data<std::int64_t>();
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t from = i - before;
    if (border == Border::kReflect) {
      if (from < 0) from = -from;
      if (from >= size) from = 2 * (size - 1) - from;
    }
    at[i] = std::clamp<std::int64_t>(from, 0, size - 1);
  }
  return index;
}

void check_border(const Tensor& self, IntArray padding, std::int64_t dims, Border border) {
  const char* op = border == Border::kReflect ? "reflection_pad" : "replication_pad";
  check(static_cast<std::int64_t>(padding.size()) == 2 * dims, op, dims, "d: padding size is expected to be ", 2 * dims,
        ", but got: ", padding.size());
  const bool rank_fits = self.dim() == dims + 1 || self.dim() == dims + 2;
  bool filled = rank_fits;
  for (std::int64_t i = self.dim() == dims + 2 ? 1 : 0; rank_fits && i < self.dim(); ++i)
    filled = filled && self.size(i) > 0;
  check(filled, op, dims, "d: Expected ", dims + 1, "D or ", dims + 2,
        "D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, "
        "but got: ",
        self.sizes());
  std::int64_t longest = 0;  // cropping may leave some dimensions without elements, but not all
  for (std::int64_t i = 0; i < dims; ++i) {
    const std::int64_t dim = self.dim() - 1 - i, size = self.size(dim);
    const std::int64_t before = padding[static_cast<std::size_t>(2 * i)],
                       after = padding[static_cast<std::size_t>(2 * i + 1)];
    if (border == Border::kReflect)
      check(before < size && after < size, op, dims, "d: Argument #", 4 + 2 * i,
            ": Padding size should be less than the corresponding input dimension, but got: "
            "padding (",
            before, ", ", after, ") at dimension ", dim, " of input ", self.sizes());
    longest = std::max(longest, size + before + after);
    check(size + before + after >= 0 && (longest > 0 || i + 1 < dims), op, dims, "d: input (", self.sizes(),
          ") is too small. Calculated output size: ", size + before + after, " at dimension ", dim);
  }
}

Tensor bordered(const Tensor& self, IntArray padding, std::int64_t dims, Border border) {
  check_border(self, padding, dims, border);
  check<NotImplementedError>(self.dtype() != Dtype::kBool || border == Border::kReplicate,
                             "\"reflection_pad\" not implemented for 'Bool'");
  const NoGradGuard no_grad;
  Tensor result = self;
  for (std::int64_t i = 0; i < dims; ++i) {
    const std::int64_t dim = self.dim() - 1 - i;
    const Tensor from = source_of(self.size(dim), padding[static_cast<std::size_t>(2 * i)],
                                  padding[static_cast<std::size_t>(2 * i + 1)], border);
    result = result.index_select(dim, from.to(self.device()));
  }
  return result.is_same(self) ? self.clone() : result;
}

Tensor gathered_back(const Tensor& grad, IntArray sizes, IntArray padding, std::int64_t dims, Border border) {
  Tensor result = grad;
  const auto rank = static_cast<std::int64_t>(sizes.size());
  for (std::int64_t i = 0; i < dims; ++i) {
    const std::int64_t dim = rank - 1 - i;
    Sizes shape = result.sizes().vec();
    shape[static_cast<std::size_t>(dim)] = sizes[static_cast<std::size_t>(dim)];
    const Tensor from = source_of(sizes[static_cast<std::size_t>(dim)], padding[static_cast<std::size_t>(2 * i)],
                                  padding[static_cast<std::size_t>(2 * i + 1)], border);
    result = zeros(shape, result.options()).index_add(dim, from.to(grad.device()), result);
  }
  return result;
}

// The overlap of input and result along each dim, as (start in the input, start in the result,
// length).
struct Overlap {
  std::int64_t in, out, length;
};
Overlap overlap(std::int64_t size, std::int64_t before, std::int64_t after) {
  const std::int64_t in = std::max<std::int64_t>(-before, 0);
  return {in, std::max<std::int64_t>(before, 0), size - in - std::max<std::int64_t>(-after, 0)};
}

Tensor circular(const Tensor& self, IntArray pad) {
  const auto dims = static_cast<std::int64_t>(pad.size()) / 2;
  check(self.dim() >= dims, "_pad_circular: Invalid padding size, expected ", 2 * (self.dim() - 2), " but got ",
        pad.size());
  Tensor result = self;
  for (std::int64_t i = 0; i < dims; ++i) {
    const std::int64_t dim = self.dim() - 1 - i, size = self.size(dim);
    const std::int64_t before = pad[static_cast<std::size_t>(2 * i)], after = pad[static_cast<std::size_t>(2 * i + 1)];
    check(before <= size && after <= size, "pad: Padding value causes wrapping around more than once.");
    check(size + before + after >= 0, "pad: Negative padding value is resulting in an empty dimension");
    // Negative sizes crop first; what remains is continued.
    const Overlap kept = overlap(size, before, after);
    const Tensor middle = kept.length == size ? result : result.narrow(dim, kept.in, kept.length);
    check(before <= kept.length && after <= kept.length, "pad: Padding value causes wrapping around more than once.");
    std::vector<Tensor> parts;
    if (before > 0) parts.push_back(middle.narrow(dim, kept.length - before, before));
    parts.push_back(middle);
    if (after > 0) parts.push_back(middle.narrow(dim, 0, after));
    result = parts.size() == 1 ? middle : cat(parts, dim);
  }
  const ShownAs shown("CopySlices");
  if (result.is_same(self)) return shown(self.clone());
  show_as(result, "CopySlices");
  return result;
}

}  // namespace

Tensor constant_pad_backward(const Tensor& grad, IntArray pad) {
  Sizes negated;
  for (const std::int64_t p : pad)
    negated.push_back(-p);
  return constant_pad_nd(grad, negated, Scalar(0));
}

namespace ops {

Tensor constant_pad_nd(const Tensor& self, IntArray pad, const Scalar& value) {
  const auto dims = static_cast<std::int64_t>(pad.size()) / 2;
  check(pad.size() % 2 == 0, "constant_pad_nd: Length of pad must be even but instead it equals ", pad.size());
  check(dims <= self.dim(),
        "constant_pad_nd: Length of pad should be no more than twice the number of dimensions of the "
        "input. Pad length is ",
        pad.size(), "while the input has ", self.dim(), "dimensions.");
  const NoGradGuard no_grad;
  Sizes sizes = self.sizes().vec();
  std::vector<Overlap> parts;
  bool bordered = false;
  for (std::int64_t i = 0; i < dims; ++i) {
    const auto at = static_cast<std::size_t>(self.dim() - 1 - i);
    const std::int64_t before = pad[static_cast<std::size_t>(2 * i)], after = pad[static_cast<std::size_t>(2 * i + 1)];
    parts.push_back(overlap(sizes[at], before, after));
    check(parts.back().length >= 0, "constant_pad_nd: narrow(): length must be non-negative.");
    sizes[at] += before + after;
    check(sizes[at] >= 0, "constant_pad_nd: The input size ", self.sizes(), ", plus negative padding ", before, " and ",
          after, " resulted in a negative output size, which is invalid.");
    bordered = bordered || before > 0 || after > 0;
  }
  Tensor result = empty_tensor(sizes, self.dtype(), self.device());
  if (!self.is_contiguous())
    for (const MemoryFormat format : {MemoryFormat::kChannelsLast, MemoryFormat::kChannelsLast3d})
      if (self.dim() == (format == MemoryFormat::kChannelsLast ? 4 : 5) && self.is_contiguous(format))
        result = result.contiguous(format);
  if (bordered) result.fill_(value);
  Tensor from = self, to = result;
  for (std::int64_t i = 0; i < dims; ++i) {
    const Overlap& part = parts[static_cast<std::size_t>(i)];
    from = from.narrow(self.dim() - 1 - i, part.in, part.length);
    to = to.narrow(self.dim() - 1 - i, part.out, part.length);
  }
  copy_(to, from);
  return result;
}

Tensor reflection_pad1d(const Tensor& self, IntArray padding) { return bordered(self, padding, 1, Border::kReflect); }
Tensor reflection_pad2d(const Tensor& self, IntArray padding) { return bordered(self, padding, 2, Border::kReflect); }
Tensor reflection_pad3d(const Tensor& self, IntArray padding) { return bordered(self, padding, 3, Border::kReflect); }
Tensor replication_pad1d(const Tensor& self, IntArray padding) {
  return bordered(self, padding, 1, Border::kReplicate);
}
Tensor replication_pad2d(const Tensor& self, IntArray padding) {
  return bordered(self, padding, 2, Border::kReplicate);
}
Tensor replication_pad3d(const Tensor& self, IntArray padding) {
  return bordered(self, padding, 3, Border::kReplicate);
}

#define RL_BORDER_BACKWARD(function, dims, border)                                   \
  Tensor function(const Tensor& grad_output, const Tensor& self, IntArray padding) { \
    const NoGradGuard no_grad;                                                       \
    return gathered_back(grad_output, self.sizes(), padding, dims, border);          \
  }
RL_BORDER_BACKWARD(reflection_pad1d_backward, 1, Border::kReflect)
RL_BORDER_BACKWARD(reflection_pad2d_backward, 2, Border::kReflect)
RL_BORDER_BACKWARD(reflection_pad3d_backward, 3, Border::kReflect)
RL_BORDER_BACKWARD(replication_pad1d_backward, 1, Border::kReplicate)
RL_BORDER_BACKWARD(replication_pad2d_backward, 2, Border::kReplicate)
RL_BORDER_BACKWARD(replication_pad3d_backward, 3, Border::kReplicate)
#undef RL_BORDER_BACKWARD

}  // namespace ops

Tensor _pad_circular(const Tensor& self, IntArray pad) { return circular(self, pad); }

Tensor pad(const Tensor& self, IntArray pad, std::string_view mode, std::optional<double> value) {
  check(pad.size() % 2 == 0, "pad: Padding length must be divisible by 2, got ", pad.size());
  check(static_cast<std::int64_t>(pad.size()) <= 2 * self.dim(),
        "pad: Padding length should be less than or equal to "
        "two times the input dimension but got padding length ",
        pad.size(), " and input of dimension ", self.dim());
  if (mode == "constant") return constant_pad_nd(self, pad, value ? Scalar(*value) : Scalar(0));
  check(!value || *value == 0, "Padding mode \"", mode, "\" doesn't take in value argument");
  const std::int64_t size = static_cast<std::int64_t>(pad.size()), rank = self.dim();
  const bool fits = (size == 2 && (rank == 2 || rank == 3)) || (size == 4 && (rank == 3 || rank == 4)) ||
                    (size == 6 && (rank == 4 || rank == 5));
  check<NotImplementedError>(fits, "Padding size ", size, " is not supported for ", rank, "D input tensor.");
  if (mode == "circular") return _pad_circular(self, pad);
  if (mode == "reflect") {
    if (size == 2) return reflection_pad1d(self, pad);
    return size == 4 ? reflection_pad2d(self, pad) : reflection_pad3d(self, pad);
  }
  check<NotImplementedError>(mode == "replicate", "Unrecognised padding mode ", mode);
  if (size == 2) return replication_pad1d(self, pad);
  return size == 4 ? replication_pad2d(self, pad) : replication_pad3d(self, pad);
}

}  // namespace rushlight
