// segment_reduce: sums, means, products and extrema of runs of one dimension.
#include "ops/segment.h"

#include <limits>

#include "ops/kernels/segment.h"
#include "ops/reduce_shape.h"
#include "rushlight/ops.h"

namespace rushlight {

Tensor segment_bounds(const std::optional<Tensor>& lengths, const std::optional<Tensor>& offsets) {
  const NoGradGuard no_grad;
  if (offsets) return offsets->to(kInt64);
  const Tensor ends = cumsum(lengths->to(kInt64), -1);
  std::vector<std::int64_t> one = ends.sizes().vec();
  one.back() = 1;
  return cat(std::vector<Tensor>{zeros(one, ends.options()), ends}, -1);
}

namespace ops {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity(), kNaN = std::numeric_limits<double>::quiet_NaN();

struct Method {
  SegmentReduction op;
  SegmentStart start;
};
Method method_of(std::string_view reduce) {
  if (reduce == "sum") return {SegmentReduction::kSum, {0, 0}};
  if (reduce == "mean") return {SegmentReduction::kMean, {0, kNaN}};
  if (reduce == "prod") return {SegmentReduction::kProd, {1, 1}};
  if (reduce == "max" || reduce == "amax") return {SegmentReduction::kMax, {-kInfinity, -kInfinity}};
  check(reduce == "min" || reduce == "amin", "reduce argument must be either sum, prod, mean, amax or amin, got ",
        reduce);
  return {SegmentReduction::kMin, {kInfinity, kInfinity}};
}

void check_segments(const Tensor& data, const Tensor& given, const char* what, std::int64_t axis) {
  check(axis == given.dim() - 1, "segment_reduce(): Expected axis to be the last dimension of ", what, " but got ",
        axis, ".");
  check<NotImplementedError>(given.dtype() == kInt64 || given.dtype() == kInt32, "\"_segment_reduce_", what,
                             "_cpu_kernel1\" not implemented for '", scalar_type_name(given.dtype()), "'");
  const auto before = static_cast<std::size_t>(axis);
  const IntArray own = given.sizes().subspan(0, before), wanted = data.sizes().subspan(0, before);
  check(own == wanted, "segment_reduce(): ", what, " of shape ", given.sizes(), " for data of shape ", data.sizes(),
        ": the dimensions before axis ", axis, " must be the same");
}

// Whatever `unsafe` promises: the kernel reads between the bounds.
void check_bounds(const Tensor& bounds, std::int64_t size) {
  const std::int64_t *at = bounds.data<std::int64_t>(), width = bounds.size(-1);
  for (std::int64_t i = 0; i < bounds.numel(); ++i)
    check(0 <= at[i] && at[i] <= size && (i % width == 0 || at[i - 1] <= at[i]), "segment_reduce(): Expected ",
          "segment_length >= 0 and segments within the ", size, " elements of the axis, but one ends at ", at[i]);
}

}  // namespace

Tensor segment_reduce(const Tensor& data, std::string_view reduce, const std::optional<Tensor>& lengths,
                      const std::optional<Tensor>& indices, const std::optional<Tensor>& offsets, std::int64_t axis,
                      bool unsafe, const std::optional<Scalar>& initial) {
  axis = wrap_dim(axis, data.dim(), "segment_reduce");
  check(!indices, "segment_reduce(): indices based reduction is not supported yet.");
  check(lengths || offsets, "segment_reduce(): Either lengths or offsets must be defined.");
  Method method = method_of(reduce);
  if (initial) method.start.value = method.start.empty = initial->to_double();
  check<NotImplementedError>(is_floating(data.dtype()), "\"_segment_reduce_cpu\" not implemented for '",
                             scalar_type_name(data.dtype()), "'");
  check_segments(data, offsets ? *offsets : *lengths, offsets ? "offsets" : "lengths", axis);
  const Tensor bounds = segment_bounds(lengths, offsets).contiguous();
  check(bounds.size(-1) > 0, "segment_reduce(): offsets must have one element more than there are segments, got none");
  const std::int64_t size = data.size(axis);
  const bool known = !bounds.is_meta() && !data.is_meta();
  if (known && !offsets && !unsafe) {
    check(lengths->numel() == 0 || lengths->min().item<std::int64_t>() >= 0, "lengths contains negative value!");
    check(bounds.select(-1, -1).eq(size).all().item<bool>(), "segment_reduce(): Expected all rows of lengths along ",
          "axis to sum to data.size(lengths.dim()-1) when !unsafe.");
  }
  if (known) check_bounds(bounds, size);
  std::vector<std::int64_t> sizes = data.sizes().vec();
  sizes[static_cast<std::size_t>(axis)] = bounds.size(-1) - 1;
  const Tensor out = empty_tensor(sizes, data.dtype(), data.device());
  if (out.numel() == 0 || !known) return out;
  segment_reduce_kernel(data.device(), method.op, out, contiguous_copy(data), bounds, method.start, axis);
  return out;
}

}  // namespace ops
}  // namespace rushlight
