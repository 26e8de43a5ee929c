// Sorting and selection: sort, topk, median, kthvalue, mode, quantiles.
#include <cmath>

#include "autograd/shown_name.h"
#include "ops/kernels/sort.h"
#include "ops/reduce_shape.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace ops {
namespace {

using Pair = std::tuple<Tensor, Tensor>;

Pair empty_pair(const Tensor& self, IntArray sizes) {
  return {empty_tensor(sizes, self.dtype(), self.device()), empty_tensor(sizes, Dtype::kInt64, self.device())};
}

void check_ordered(const Tensor& self, const char* kernel, bool bools = true) {
  check<NotImplementedError>(!self.is_complex() && (bools || self.dtype() != Dtype::kBool), "\"", kernel,
                             "\" not implemented for '", scalar_type_name(self.dtype()), "'");
}

// One element of each line along `dim`.
Pair select_along(Select what, const Tensor& self, std::int64_t dim, std::int64_t k, bool keepdim, const char* op) {
  dim = wrap_dim(dim, self.dim(), op);
  const DimMask mask = DimMask{1} << dim;
  check_nonempty(self, mask, op);
  Pair result = empty_pair(self, reduced_sizes(self, mask, keepdim));
  select_kernel(self.device(), what, std::get<0>(result), std::get<1>(result), contiguous_copy(self), dim, k);
  return result;
}

Tensor select_of_all(Select what, const Tensor& self) {
  check_ordered(self, "median_cpu", false);
  if (self.numel() == 0) {
    const Tensor nothing = empty_tensor({}, self.dtype(), self.device());
    return div(zeros_like(nothing), Scalar(0.0));
  }
  const Tensor copy = contiguous_copy(self);
  const Tensor flat = alias(copy, {copy.numel()}, nullptr, 0);
  return std::get<0>(select_along(what, flat, 0, 0, false, "median"));
}

}  // namespace

Pair sort(const Tensor& self, std::optional<bool>, std::int64_t dim, bool descending) {
  dim = wrap_dim(dim, self.dim(), "sort");
  check(!self.is_complex(), "sort: Sort does not support complex dtypes on CPU");
  Pair result = empty_pair(self, self.sizes());
  sort_kernel(self.device(), std::get<0>(result), std::get<1>(result), contiguous_copy(self), dim,
              descending ? SortOrder::kDescending : SortOrder::kAscending);
  return result;
}
Pair sort(const Tensor& self, std::int64_t dim, bool descending) { return ops::sort(self, {}, dim, descending); }

Pair topk(const Tensor& self, std::int64_t k, std::int64_t dim, bool largest, bool) {
  dim = wrap_dim(dim, self.dim(), "topk");
  const std::int64_t size = self.dim() > 0 ? self.size(dim) : 1;
  check(k >= 0 && k <= size, "topk: selected index k out of range, got k = ", k, " for a dimension of size ", size);
  check(!self.is_complex(), "topk: topk does not support complex dtypes on CPU");
  check(self.dtype() != Dtype::kBool, "topk: topk does not support bool dtypes on CPU");
  std::vector<std::int64_t> sizes = self.sizes().vec();
  if (!sizes.empty()) sizes[static_cast<std::size_t>(dim)] = k;
  Pair result = empty_pair(self, sizes);
  topk_kernel(self.device(), std::get<0>(result), std::get<1>(result), contiguous_copy(self), dim, k,
              largest ? SortOrder::kDescending : SortOrder::kAscending);
  return result;
}

Pair kthvalue(const Tensor& self, std::int64_t k, std::int64_t dim, bool keepdim) {
  check_ordered(self, "kthvalue_cpu", false);
  dim = wrap_dim(dim, self.dim(), "kthvalue");
  check_nonempty(self, DimMask{1} << dim, "kthvalue");
  const std::int64_t size = self.dim() > 0 ? self.size(dim) : 1;
  check(k >= 1 && k <= size, "kthvalue(): selected number k out of range for dimension ", dim, ", got k = ", k,
        " for size ", size);
  return select_along(Select::kKth, self, dim, k - 1, keepdim, "kthvalue");
}

Pair mode(const Tensor& self, std::int64_t dim, bool keepdim) {
  check_ordered(self, "mode_cpu");
  return select_along(Select::kMode, self, dim, 0, keepdim, "mode");
}

Tensor median(const Tensor& self) { return select_of_all(Select::kMedian, self); }
Tensor nanmedian(const Tensor& self) { return select_of_all(Select::kNanMedian, self); }
Pair median(const Tensor& self, std::int64_t dim, bool keepdim) {
  check_ordered(self, "median_cpu", false);
  return select_along(Select::kMedian, self, dim, 0, keepdim, "median");
}
Pair nanmedian(const Tensor& self, std::int64_t dim, bool keepdim) {
  check_ordered(self, "median_cpu", false);
  return select_along(Select::kNanMedian, self, dim, 0, keepdim, "nanmedian");
}

}  // namespace ops

Tensor msort(const Tensor& self) { return std::get<0>(sort(self, 0, false)); }
Tensor argsort(const Tensor& self, std::int64_t dim, bool descending) {
  return std::get<1>(sort(self, dim, descending));
}
Tensor argsort(const Tensor& self, bool stable, std::int64_t dim, bool descending) {
  return std::get<1>(sort(self, std::optional<bool>(stable), dim, descending));
}

namespace {

enum class NanRule { kPropagate, kIgnore };

Tensor quantile_of(const Tensor& self, const Tensor& q, std::optional<std::int64_t> dim, bool keepdim,
                   std::string_view interpolation, NanRule rule) {
  check(self.dtype() == Dtype::kFloat32 || self.dtype() == Dtype::kFloat64,
        "quantile() input tensor must be either float or double dtype, but got ", self);
  check(self.numel() > 0, "quantile() input tensor must be non-empty");
  check(q.dim() <= 1, "quantile() q must be a scalar or 1D tensor");
  check(q.dtype() == self.dtype(), "quantile() q tensor must be same dtype as the input tensor");
  check(interpolation == "linear" || interpolation == "lower" || interpolation == "higher" ||
            interpolation == "midpoint" || interpolation == "nearest",
        "quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but got ", interpolation);
  if (!q.is_meta())
    check(logical_and(ge(q, Scalar(0)), le(q, Scalar(1))).all().item<bool>(),
          "quantile() q values must be in the range [0, 1]");
  std::vector<std::int64_t> shape;
  const std::int64_t along = dim ? wrap_dim(*dim, self.dim(), "quantile") : 0;
  if (dim) {
    shape = ops::reduced_sizes(self, ops::DimMask{1} << along, keepdim);
  } else if (keepdim) {
    shape.assign(static_cast<std::size_t>(self.dim()), 1);
  }
  // Lines to the back, sorted.
  const bool whole = !dim || self.dim() == 0;
  Tensor lines = whole ? reshape(self, {-1}) : movedim(self, along, -1);
  lines = std::get<0>(sort(lines, -1, false));
  const std::int64_t n = lines.size(-1);
  // Ranks of the quantiles in each line; NaN sorts last and either is left out or makes the line NaN.
  Tensor ranks;
  Tensor has_nan;
  if (rule == NanRule::kIgnore) {
    const Tensor count = sum(logical_not(isnan(lines)), OptionalIntArray{-1}, true);
    ranks = mul(q.dim() == 0 ? unsqueeze(q, 0) : q,
                clamp_min(sub(_to_copy(count, TensorOptions(q.dtype())), Scalar(1.0)), Scalar(0.0)));
  } else {
    std::vector<std::int64_t> one(static_cast<std::size_t>(lines.dim()), 1);
    one.back() = std::max<std::int64_t>(q.numel(), 1);
    if (q.numel() == 0) one.back() = 0;
    ranks = reshape(mul(q, Scalar(static_cast<double>(n - 1))), one);
    std::vector<std::int64_t> wide = lines.sizes().vec();
    wide.back() = one.back();
    ranks = expand(ranks, wide);
    has_nan = isnan(narrow(lines, -1, n - 1, 1));
    ranks = where(has_nan, Scalar(static_cast<double>(n - 1)), ranks);
  }
  if (interpolation == "lower") ranks = floor(ranks);
  if (interpolation == "higher") ranks = ceil(ranks);
  if (interpolation == "nearest") ranks = round(ranks);
  const Tensor below = _to_copy(ranks, TensorOptions(Dtype::kInt64));
  Tensor values = gather(lines, -1, below);
  if (interpolation == "linear" || interpolation == "midpoint") {
    const Tensor weight = interpolation == "midpoint" ? full_like(ranks, Scalar(0.5)) : sub(ranks, below);
    const Tensor above = gather(lines, -1, _to_copy(ceil(ranks), TensorOptions(Dtype::kInt64)));
    values = lerp(values, above, weight);
  }
  // The dimension of q goes first; the shape of the reduction follows.
  const ShownAs shown("SqueezeBackward4");
  if (!whole) {
    values = movedim(values, -1, 0);
    if (keepdim) values = unsqueeze(values, along + 1);
    return shown(q.dim() == 0 ? squeeze(values, 0) : values);
  }
  if (q.dim() == 0) return shown(reshape(values, shape));
  std::vector<std::int64_t> sizes = {q.numel()};
  sizes.insert(sizes.end(), shape.begin(), shape.end());
  return shown(reshape(values, sizes));
}

Tensor quantile_number(const Tensor& self, double q, std::optional<std::int64_t> dim, bool keepdim,
                       std::string_view interpolation, NanRule rule) {
  check(q >= 0 && q <= 1, "quantile() q must be in the range [0, 1] but got ", q);
  return quantile_of(self, full({}, Scalar(q), self.options()), dim, keepdim, interpolation, rule);
}

}  // namespace

Tensor uncast_quantile(const Tensor& self, const Tensor& q, std::optional<std::int64_t> dim, bool keepdim,
                       std::string_view interpolation) {
  return quantile_of(self, q, dim, keepdim, interpolation, NanRule::kPropagate);
}
Tensor uncast_quantile(const Tensor& self, double q, std::optional<std::int64_t> dim, bool keepdim,
                       std::string_view interpolation) {
  return quantile_number(self, q, dim, keepdim, interpolation, NanRule::kPropagate);
}
Tensor uncast_nanquantile(const Tensor& self, const Tensor& q, std::optional<std::int64_t> dim, bool keepdim,
                          std::string_view interpolation) {
  return quantile_of(self, q, dim, keepdim, interpolation, NanRule::kIgnore);
}
Tensor uncast_nanquantile(const Tensor& self, double q, std::optional<std::int64_t> dim, bool keepdim,
                          std::string_view interpolation) {
  return quantile_number(self, q, dim, keepdim, interpolation, NanRule::kIgnore);
}

}  // namespace rushlight
