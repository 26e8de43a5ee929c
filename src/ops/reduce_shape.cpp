// Which dimensions a reduction removes and what shape that leaves.
#include "ops/reduce_shape.h"

#include "ops/kernels/copy.h"

namespace rushlight::ops {

DimMask dims_mask(const OptionalIntArray& dims, std::int64_t rank, const char* op) {
  if (!dims || dims->empty()) return all_dims(rank);
  DimMask mask = 0;
  for (const std::int64_t dim : *dims) {
    const std::int64_t at = wrap_dim(dim, rank, op);
    check(!(mask >> at & 1), op, ": dim ", at, " appears multiple times in the list of dims");
    mask |= DimMask{1} << at;
  }
  return mask;
}

std::vector<std::int64_t> reduced_sizes(const Tensor& self, DimMask mask, bool keepdim) {
  std::vector<std::int64_t> sizes;
  sizes.reserve(static_cast<std::size_t>(self.dim()));
  for (std::int64_t i = 0; i < self.dim(); ++i) {
    if (!(mask >> i & 1))
      sizes.push_back(self.impl()->sizes()[i]);
    else if (keepdim)
      sizes.push_back(1);
  }
  return sizes;
}

std::int64_t reduced_count(const Tensor& self, DimMask mask) {
  std::int64_t count = 1;
  for (std::int64_t i = 0; i < self.dim(); ++i)
    if (mask >> i & 1) count *= self.impl()->sizes()[i];
  return count;
}

void check_nonempty(const Tensor& self, DimMask mask, const char* op) {
  for (std::int64_t i = 0; i < self.dim(); ++i)
    check<IndexError>(!(mask >> i & 1) || self.impl()->sizes()[i] != 0, op, "(): Expected reduction dim ", i,
                      " to have non-zero size.");
}

Tensor converted(const Tensor& self, Dtype dtype) { return self.dtype() == dtype ? self : contiguous_as(self, dtype); }

namespace {
// `self` in a dtype that has kernels for `op`. Formats of eight bits are only looked at for truth.
Tensor readable(Reduction op, const Tensor& self) {
  const Dtype type = self.dtype();
  if (!has_numbers(type)) refuse_arithmetic(type);
  if (carrier(type) == type || is_reduced_float(type)) return self;
  const bool truth = op == Reduction::kAny || op == Reduction::kAll || op == Reduction::kNonzero;
  if (is_float8(type) && !truth) refuse_arithmetic(type);
  return is_integral(type) && has_reduction(op, type) ? self : converted(self, carrier(type));
}
}  // namespace

Tensor reduce(Reduction op, const Tensor& given, DimMask mask, bool keepdim, Dtype result, double parameter) {
  if (result == Dtype::kComplex32)
    return converted(reduce(op, given, mask, keepdim, Dtype::kComplex64, parameter), result);
  const Tensor self = readable(op, given);
  std::int64_t sizes[kMaxDims];
  std::size_t kept = 0;
  for (std::int64_t i = 0; i < self.dim(); ++i)
    if (!(mask >> i & 1)) sizes[kept++] = self.impl()->sizes()[i];
  Tensor out = empty_tensor(IntArray(std::span(sizes, kept)), result, self.device());
  reduce_kernel(self.device(), op, out, {}, self, mask, parameter);
  if (keepdim) out.impl()->set_shape(reduced_sizes(self, mask, true), nullptr);
  return out;
}

std::tuple<Tensor, Tensor> reduce_both(Reduction op, const Tensor& given, DimMask mask, bool keepdim, Dtype first,
                                       Dtype second, double parameter) {
  const Tensor self = readable(op, given);
  const std::vector<std::int64_t> sizes = reduced_sizes(self, mask, false);
  Tensor out = empty_tensor(sizes, first, self.device()), other = empty_tensor(sizes, second, self.device());
  reduce_kernel(self.device(), op, out, other, self, mask, parameter);
  if (keepdim) {
    const std::vector<std::int64_t> kept = reduced_sizes(self, mask, true);
    out.impl()->set_shape(kept, nullptr);
    other.impl()->set_shape(kept, nullptr);
  }
  return {std::move(out), std::move(other)};
}

Lines lines_of(IntArray sizes, std::int64_t dim) {
  Lines lines;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (static_cast<std::int64_t>(i) < dim)
      lines.outer *= sizes[i];
    else if (static_cast<std::int64_t>(i) > dim)
      lines.inner *= sizes[i];
    else
      lines.size = sizes[i];
  }
  return lines;
}

}  // namespace rushlight::ops
