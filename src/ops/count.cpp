// Distinct elements, search in sorted sequences, histograms.
#include <cmath>

#include "ops/kernels/index.h"
#include "ops/kernels/sort.h"
#include "ops/reduce_shape.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace ops {
namespace {

using Triple = std::tuple<Tensor, Tensor, Tensor>;

Tensor empty_indices(const Tensor& self, IntArray sizes) { return empty_tensor(sizes, Dtype::kInt64, self.device()); }

void check_values(const Tensor& self, const char* op) {
  check<NotImplementedError>(!self.is_meta(), op, ": the number of results depends on the data, which a meta tensor ",
                             "does not have");
}

// Groups of equal rows of the contiguous matrix `rows`, in `order` (undefined: only neighbours are compared).
struct Groups {
  Tensor inverse, counts, first;
  std::int64_t count = 0;
};
Groups group(const Tensor& rows, const Tensor& order) {
  const std::int64_t n = rows.size(0);
  Groups groups{empty_indices(rows, {n}), empty_indices(rows, {n}), empty_indices(rows, {n})};
  group_rows_kernel(rows.device(), groups.inverse, groups.counts, groups.first, order, rows, groups.count);
  const auto shorten = [&](const Tensor& t) { return contiguous_copy(alias(t, {groups.count}, nullptr, 0)); };
  groups.counts = shorten(groups.counts);
  groups.first = shorten(groups.first);
  return groups;
}

// Copies the rows `first` of `rows` with `sizes` for one row.
Tensor take_rows(const Tensor& rows, const Groups& groups, IntArray row_sizes) {
  std::vector<std::int64_t> sizes = row_sizes.vec();
  sizes.insert(sizes.begin(), groups.count);
  const Tensor result = empty_tensor(sizes, rows.dtype(), rows.device());
  const std::size_t bytes =
      rows.size(0) > 0 ? static_cast<std::size_t>(rows.numel() / rows.size(0)) * rows.itemsize() : 0;
  for (std::int64_t i = 0; i < groups.count; ++i)
    std::memcpy(result.mutable_data<char>() + static_cast<std::size_t>(i) * bytes,
                rows.data<char>() + static_cast<std::size_t>(groups.first.data<std::int64_t>()[i]) * bytes, bytes);
  return result;
}

// Distinct elements of integers within a narrow range, by a table; nothing where the range is wide.
std::optional<Triple> unique_integers(const Tensor& self, bool return_inverse) {
  const std::int64_t n = self.numel();
  if (!is_integral(self.dtype(), false) || n < 256) return std::nullopt;
  const auto [least, greatest] = rushlight::aminmax(self, std::nullopt, false);
  const auto low = least.item<std::int64_t>();
  const auto spread = static_cast<std::uint64_t>(greatest.item<std::int64_t>()) - static_cast<std::uint64_t>(low);
  if (spread >= static_cast<std::uint64_t>(2 * n)) return std::nullopt;
  const auto range = static_cast<std::int64_t>(spread) + 1, most = std::min(n, range);
  const Tensor values = empty_tensor({most}, self.dtype(), self.device()), counts = empty_indices(self, {most});
  const Tensor inverse = return_inverse ? empty_indices(self, self.sizes()) : Tensor();
  std::int64_t groups = 0;
  group_integers_kernel(self.device(), values, inverse, counts, self, low, range, groups);
  const auto shorten = [&](const Tensor& t) { return contiguous_copy(alias(t, {groups}, nullptr, 0)); };
  return Triple{shorten(values), return_inverse ? inverse : empty_indices(self, {0}), shorten(counts)};
}

Triple unique_flat(const Tensor& self, bool consecutive, bool return_inverse, bool return_counts, const char* op) {
  check_values(self, op);
  const Tensor copy = contiguous_copy(self);
  if (!consecutive)
    if (auto found = unique_integers(copy, return_inverse)) {
      if (!return_counts) std::get<2>(*found) = empty_indices(self, {0});
      return *found;
    }
  const Tensor rows = alias(copy, {self.numel(), 1}, nullptr, 0);
  Tensor order;
  if (!consecutive) {
    order = empty_indices(self, {self.numel()});
    if (self.is_complex()) {
      order_rows_kernel(self.device(), order, rows);
    } else {
      const Tensor values = empty_tensor({self.numel()}, self.dtype(), self.device());
      sort_kernel(self.device(), values, order, alias(copy, {self.numel()}, nullptr, 0), 0, SortOrder::kAscending);
    }
  }
  const Groups groups = group(rows, order);
  const Tensor none = empty_indices(self, {0});
  Tensor inverse = none;
  if (return_inverse) inverse = alias(groups.inverse, self.sizes(), nullptr, 0);
  return {take_rows(rows, groups, {}), inverse, return_counts ? groups.counts : none};
}

Triple unique_along(const Tensor& self, std::int64_t dim, bool consecutive, bool return_inverse, bool return_counts,
                    const char* op) {
  check_values(self, op);
  dim = wrap_dim(dim, self.dim(), op);
  const Tensor none = empty_indices(self, {0});
  if (self.dim() == 0) return unique_flat(self, consecutive, return_inverse, return_counts, op);
  if (self.numel() == 0) {
    std::int64_t zeros = 0;
    for (const std::int64_t size : self.sizes())
      zeros += size == 0;
    check(self.size(dim) == 0 && zeros == 1, op,
          ": There are 0 sized dimensions, and they aren't selected, so unique cannot be applied");
    return {empty_tensor(self.sizes(), self.dtype()), none, none};
  }
  // `dim` to the front.
  std::vector<std::int64_t> sizes = self.sizes().vec(), strides = self.strides().vec();
  const auto to_front = [dim](std::vector<std::int64_t>& list) {
    std::rotate(list.begin(), list.begin() + dim, list.begin() + dim + 1);
  };
  to_front(sizes), to_front(strides);
  const Tensor rows = contiguous_copy(alias(self, sizes, strides.data(), 0));
  Tensor order;
  if (!consecutive) {
    order = empty_indices(self, {sizes[0]});
    order_rows_kernel(self.device(), order, rows);
  }
  const Groups groups = group(rows, order);
  const Tensor taken = take_rows(rows, groups, IntArray(std::span(sizes).subspan(1)));
  std::vector<std::int64_t> back_sizes = taken.sizes().vec(), back_strides = taken.strides().vec();
  const auto to_back = [dim](std::vector<std::int64_t>& list) {
    std::rotate(list.begin(), list.begin() + 1, list.begin() + dim + 1);
  };
  to_back(back_sizes), to_back(back_strides);
  const Tensor result = contiguous_copy(alias(taken, back_sizes, back_strides.data(), 0));
  return {result, return_inverse ? groups.inverse : none, return_counts ? groups.counts : none};
}

}  // namespace

// The result is sorted whether asked for or not.
Triple _unique2(const Tensor& self, bool, bool return_inverse, bool return_counts) {
  return unique_flat(self, false, return_inverse, return_counts, "unique");
}
Triple unique_dim(const Tensor& self, std::int64_t dim, bool, bool return_inverse, bool return_counts) {
  return unique_along(self, dim, false, return_inverse, return_counts, "unique_dim");
}
Triple unique_consecutive(const Tensor& self, bool return_inverse, bool return_counts,
                          std::optional<std::int64_t> dim) {
  if (!dim || (self.dim() == 1 && wrap_dim(*dim, 1, "unique_consecutive") == 0))
    return unique_flat(self, true, return_inverse, return_counts, "unique_consecutive");
  return unique_along(self, *dim, true, return_inverse, return_counts, "unique_consecutive");
}
Triple unique_dim_consecutive(const Tensor& self, std::int64_t dim, bool return_inverse, bool return_counts) {
  return unique_along(self, dim, true, return_inverse, return_counts, "unique_dim_consecutive");
}

Tensor searchsorted(const Tensor& sorted_sequence, const Tensor& self, bool out_int32, bool right,
                    std::optional<std::string_view> side, const std::optional<Tensor>& sorter) {
  const char* op = "torch.searchsorted(): ";
  if (side) {
    check(*side == "left" || *side == "right", op, "side can only be 'left' or 'right' but got ", *side);
    check(*side == "right" || !right, op,
          "side and right can't be set to opposites, got side of left while right was True");
    right = *side == "right";
  }
  check(!sorted_sequence.is_complex() && !self.is_complex(), op, "complex numbers have no order");
  const std::int64_t rank = sorted_sequence.dim();
  check(self.dim() > 0 || rank <= 1 || self.numel() != 1, op,
        "input value can be a scalar only when boundaries tensor dimension is 1, but we got boundaries tensor dim(",
        rank, ") and input value's dim(0) numel(1)");
  check(rank != 0, op, "boundaries tensor should have positive dimension, but got 0 dimension");
  if (rank != 1) {
    bool match = rank == self.dim();
    for (std::int64_t i = 0; match && i + 1 < rank; ++i)
      match = sorted_sequence.size(i) == self.size(i);
    check(match, op,
          "boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor and input "
          "value tensor must match, but we got boundaries tensor ",
          sorted_sequence.sizes(), " and input value tensor ", self.sizes());
  }
  Tensor order;
  if (sorter) {
    check(sorter->sizes() == sorted_sequence.sizes(), op,
          "boundary and sorter must have the same size, but got boundary tensor ", sorted_sequence.sizes(),
          " and got sorter tensor ", sorter->sizes());
    check(sorter->dtype() == Dtype::kInt64, op, "sorter must be a tensor of long dtype but got dtype ",
          scalar_type_name(sorter->dtype()));
    order = contiguous_copy(*sorter);
    const std::int64_t n = sorted_sequence.size(-1);
    for (std::int64_t i = 0; i < order.numel() && !order.is_meta(); ++i)
      check<IndexError>(order.data<std::int64_t>()[i] >= 0 && order.data<std::int64_t>()[i] < n, op,
                        "sorter index out of range");
  }
  const Dtype common = promote(sorted_sequence.dtype(), self.dtype());
  const Tensor edges = contiguous_as(sorted_sequence, common), values = contiguous_as(self, common);
  const Tensor out = empty_tensor(self.sizes(), out_int32 ? Dtype::kInt32 : Dtype::kInt64, self.device());
  searchsorted_kernel(self.device(), out, edges, values, order, right);
  return out;
}

Tensor bincount(const Tensor& self, const std::optional<Tensor>& weights, std::int64_t minlength) {
  check_values(self, "bincount");
  check<NotImplementedError>(is_integral(self.dtype(), false), "\"bincount_cpu\" not implemented for '",
                             scalar_type_name(self.dtype()), "'");
  check(minlength >= 0, "bincount: minlength should be >= 0, but got ", minlength);
  check(self.dim() == 1 || self.numel() == 0,
        "bincount: bincount only supports 1-d non-negative integral inputs., but got ", self);
  check(!weights || (weights->dim() == 1 && weights->numel() == self.numel()),
        "bincount: weights should be 1-d and have the same length as input");
  const Tensor values = contiguous_as(self, Dtype::kInt64);
  std::uint64_t greatest = 0;
  greatest_index_kernel(values.device(), values, &greatest);
  check(static_cast<std::int64_t>(greatest) >= 0,
        "bincount: bincount only supports 1-d non-negative integral inputs., but got the value ",
        static_cast<std::int64_t>(greatest));
  const std::int64_t size = std::max(minlength, values.numel() ? static_cast<std::int64_t>(greatest) + 1 : 0);
  Dtype dtype = Dtype::kInt64;
  Tensor weight;
  if (weights) {
    dtype = weights->dtype() == Dtype::kFloat32 ? Dtype::kFloat32 : Dtype::kFloat64;
    weight = contiguous_as(*weights, dtype);
  }
  const Tensor out = empty_tensor({size}, dtype);
  std::memset(out.mutable_data(), 0, static_cast<std::size_t>(size) * out.itemsize());
  bincount_kernel(self.device(), out, values, weight);
  return out;
}

namespace {

struct Range {
  double low, high;
};
// The given range, or that of the data where both ends are equal.
Range outer_range(const Tensor& self, double low, double high, const char* op, double widen) {
  if (low == high && self.numel() > 0 && !self.is_meta()) {
    const DimMask all = all_dims(self.dim());
    const auto end = [&](Reduction which) {
      return Tensor(reduce(which, self, all, false, self.dtype())).item().to_double();
    };
    low = end(Reduction::kMin), high = end(Reduction::kMax);
  }
  check(std::isfinite(low) && std::isfinite(high), op, ": range of [", low, ", ", high, "] is not finite");
  if (low == high) low -= widen, high += widen;
  check(low <= high, op, ": max must be larger than min, but got ", low, " and ", high);
  return {low, high};
}

void fill_edges(const Tensor& edges, std::int64_t offset, std::int64_t bins, Range range) {
  visit(edges.dtype(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_floating_point_v<T>) {
      T* e = edges.mutable_data<T>() + offset;
      const T low = static_cast<T>(range.low), high = static_cast<T>(range.high);
      const T step = (high - low) / static_cast<T>(bins);
      // From both ends, as linspace.
      for (std::int64_t i = 0; i <= bins; ++i)
        e[i] = i < (bins + 1) / 2 ? low + step * static_cast<T>(i) : high - step * static_cast<T>(bins - i);
    }
  });
}

}  // namespace

// The edges, or their range, come from values.
static void check_has_values(const Tensor& points, const char* op) {
  check<NotImplementedError>(!points.is_meta(), op,
                             ": not implemented for meta tensors, which have no values to count");
}

Tensor histc(const Tensor& self, std::int64_t bins, const Scalar& min, const Scalar& max) {
  check<NotImplementedError>(is_floating(self.dtype()), "\"histogram_cpu\" not implemented for '",
                             scalar_type_name(self.dtype()), "'");
  check_has_values(self, "torch.histc");
  check(bins > 0, "torch.histogram(): bins must be > 0, but got ", bins, " for dimension 0");
  const Dtype compute = is_reduced_float(self.dtype()) ? Dtype::kFloat32 : self.dtype();
  const Tensor points = contiguous_as(self, compute);
  check(min.to_double() <= max.to_double(), "torch.histc: max must be larger than min");
  Range range{0, 1};
  if (self.numel() > 0 || min.to_double() != max.to_double())
    range = outer_range(points, min.to_double(), max.to_double(), "torch.histc", 1);
  const Tensor edges = empty_tensor({bins + 1}, compute), out = empty_tensor({bins}, compute, self.device());
  fill_edges(edges, 0, bins, range);
  histogram_kernel(self.device(), out, points, {}, {&edges, &bins, 1, true});
  return converted(out, self.dtype());
}

// Counts of `self` [.., d] in a grid of edges; hist has the sizes of the bins.
Tensor _histogram_counts(const Tensor& self, const Tensor& edges, IntArray bins, bool uniform,
                         const std::optional<Tensor>& weight) {
  check_has_values(self, "torch.histogramdd");
  check<NotImplementedError>(self.dtype() == Dtype::kFloat32 || self.dtype() == Dtype::kFloat64,
                             "\"histogramdd\" not implemented for '", scalar_type_name(self.dtype()), "'");
  if (weight)
    check(weight->dtype() == self.dtype(),
          "torch.histogramdd: if weight tensor is provided, input tensor and weight tensor should have the same dtype, "
          "but got ",
          self, " and ", *weight);
  const Tensor out = empty_tensor(bins, self.dtype(), self.device());
  const Tensor points = contiguous_copy(self), table = contiguous_as(edges, self.dtype());
  Tensor weights;
  if (weight) weights = contiguous_copy(*weight);
  histogram_kernel(self.device(), out, points, weights,
                   {&table, bins.data(), static_cast<std::int64_t>(bins.size()), uniform});
  return out;
}

// Evenly spaced edges of each dimension of `self` [.., d], end to end.
Tensor _histogram_edges(const Tensor& self, IntArray bins, std::optional<std::span<const double>> range) {
  const char* op = "torch.histogramdd";
  check_has_values(self, op);
  check<NotImplementedError>(self.dtype() == Dtype::kFloat32 || self.dtype() == Dtype::kFloat64,
                             "\"histogramdd\" not implemented for '", scalar_type_name(self.dtype()), "'");
  const auto d = static_cast<std::int64_t>(bins.size());
  check(!range || static_cast<std::int64_t>(range->size()) == 2 * d, op, ": for a ", d,
        "-dimensional histogram range should have ", 2 * d, " elements, but got ", range ? range->size() : 0);
  std::int64_t total = 0;
  for (const std::int64_t count : bins) {
    check(count > 0, "torch.histogram(): bins must be > 0, but got ", count, " for dimension ", 0);
    total += count + 1;
  }
  const Tensor edges = empty_tensor({total}, self.dtype());
  const Tensor copy = contiguous_copy(self);
  const std::int64_t n = d > 0 ? self.numel() / d : 0;
  std::int64_t offset = 0;
  for (std::int64_t i = 0; i < d; ++i) {
    Range ends{0, 1};
    if (range) {
      ends = {(*range)[static_cast<std::size_t>(2 * i)], (*range)[static_cast<std::size_t>(2 * i + 1)]};
      check(ends.low <= ends.high, op, ": max must be larger than min");
      if (ends.low == ends.high) ends = {ends.low - 0.5, ends.high + 0.5};
      check(std::isfinite(ends.low) && std::isfinite(ends.high), op, ": dimension ", i, "'s range [", ends.low, ", ",
            ends.high, "] is not finite");
    } else if (n > 0) {
      const std::int64_t stride = d;
      ends = outer_range(alias(copy, {n}, &stride, i), 0, 0, op, 0.5);
    }
    const std::int64_t count = bins[static_cast<std::size_t>(i)];
    fill_edges(edges, offset, count, ends);
    offset += count + 1;
  }
  return edges;
}

}  // namespace ops

Tensor searchsorted(const Tensor& sorted_sequence, const Scalar& self, bool out_int32, bool right,
                    std::optional<std::string_view> side, const std::optional<Tensor>& sorter) {
  const Dtype dtype = self.is_integral() ? Dtype::kInt64 : default_dtype();
  const bool keeps = !self.is_floating() || is_floating(sorted_sequence.dtype());
  const Tensor value =
      full({}, self, TensorOptions(keeps ? sorted_sequence.dtype() : dtype).device(sorted_sequence.device()));
  return searchsorted(sorted_sequence, value, out_int32, right, side, sorter);
}
Tensor bucketize(const Tensor& self, const Tensor& boundaries, bool out_int32, bool right) {
  check(boundaries.dim() == 1, "bucketize: boundaries tensor must be 1 dimension, but got dim(", boundaries.dim(), ")");
  return searchsorted(boundaries, self, out_int32, right, {}, {});
}
Tensor bucketize(const Scalar& self, const Tensor& boundaries, bool out_int32, bool right) {
  check(boundaries.dim() == 1, "bucketize: boundaries tensor must be 1 dimension, but got dim(", boundaries.dim(), ")");
  return searchsorted(boundaries, self, out_int32, right, {}, {});
}

namespace {

void check_member_dtype(Dtype dtype) {
  check(dtype != Dtype::kBool && !is_complex(dtype),
        "Unsupported input type encountered for isin(): ", scalar_type_name(dtype));
}

}  // namespace

Tensor isin(const Tensor& elements, const Tensor& test_elements, bool, bool invert) {
  check_member_dtype(elements.dtype());
  check_member_dtype(test_elements.dtype());
  Tensor found;
  if (test_elements.numel() == 0) {
    found = zeros(elements.sizes(), TensorOptions(Dtype::kBool).device(elements.device()));
  } else {
    // The element at the place where one would go is the only one that can be equal.
    const Tensor sorted = std::get<0>(sort(reshape(test_elements, {-1}), 0, false));
    const Tensor place = clamp_max(searchsorted(sorted, elements, false, false, {}, {}), Scalar(sorted.numel() - 1));
    found = eq(reshape(index_select(sorted, 0, reshape(place, {-1})), elements.sizes()), elements);
  }
  return invert ? logical_not(found) : found;
}
Tensor isin(const Tensor& elements, const Scalar& test_element, bool, bool invert) {
  check_member_dtype(elements.dtype());
  return invert ? ne(elements, test_element) : eq(elements, test_element);
}
Tensor isin(const Scalar& element, const Tensor& test_elements, bool, bool invert) {
  check_member_dtype(test_elements.dtype());
  const Tensor found = any(eq(test_elements, element));
  return invert ? logical_not(found) : found;
}

namespace {

using Histogram = std::tuple<Tensor, std::vector<Tensor>>;

Tensor as_points(const Tensor& self) { return reshape(self, {-1, 1}); }

// Divides by the total and the volume of each cell.
Tensor densities(const Tensor& counts, const std::vector<Tensor>& edges) {
  Tensor result = div(counts, sum(counts));
  for (std::size_t d = 0; d < edges.size(); ++d) {
    std::vector<std::int64_t> shape(edges.size(), 1);
    shape[d] = edges[d].size(0) - 1;
    result = div(result, reshape(diff(edges[d]), shape));
  }
  return result;
}

void check_weight(const Tensor& self, const std::optional<Tensor>& weight) {
  if (!weight) return;
  const IntArray outer(std::span(self.sizes()).first(static_cast<std::size_t>(self.dim() - 1)));
  check(weight->sizes() == outer,
        "torch.histogramdd: if weight tensor is provided it should have the same shape as the input tensor excluding "
        "its innermost dimension, but got input with shape ",
        self.sizes(), " and weight with shape ", weight->sizes());
}

// `edges` as one tensor each; `uniform` where they are evenly spaced.
Histogram histogram_grid(const Tensor& self, std::vector<Tensor> edges, bool uniform,
                         const std::optional<Tensor>& weight, bool density) {
  check(self.dim() >= 2, "torch.histogramdd: input tensor should have at least 2 dimensions, but got ", self.dim());
  check(static_cast<std::int64_t>(edges.size()) == self.size(-1),
        "histogramdd: The size of bins must be equal to the innermost dimension of the input.");
  check_weight(self, weight);
  std::vector<std::int64_t> bins;
  for (const Tensor& edge : edges) {
    check(edge.dim() == 1 && edge.numel() > 0, "torch.histogramdd: bins tensor should have one dimension, but got ",
          edge.dim(), " dimensions in the bins tensor");
    check(edge.dtype() == self.dtype(),
          "torch.histogramdd: input tensor and bins tensors should have the same dtype, but got input with dtype ",
          scalar_type_name(self.dtype()), " and bins with dtype ", scalar_type_name(edge.dtype()));
    bins.push_back(edge.size(0) - 1);
  }
  Tensor counts = _histogram_counts(self, cat(edges, 0), bins, uniform, weight);
  if (density) counts = densities(counts, edges);
  return {std::move(counts), std::move(edges)};
}

std::vector<Tensor> even_edges(const Tensor& self, IntArray bins, const std::optional<std::span<const double>>& range) {
  check(static_cast<std::int64_t>(bins.size()) == self.size(-1),
        "histogramdd: The size of bins must be equal to the innermost dimension of the input.");
  const Tensor all = _histogram_edges(self, bins, range);
  std::vector<Tensor> edges;
  std::int64_t offset = 0;
  for (const std::int64_t count : bins) {
    edges.push_back(clone(narrow(all, 0, offset, count + 1)));
    offset += count + 1;
  }
  return edges;
}

}  // namespace

std::tuple<Tensor, Tensor> histogram(const Tensor& self, const Tensor& bins, const std::optional<Tensor>& weight,
                                     bool density) {
  std::optional<Tensor> flat;
  if (weight) flat = reshape(*weight, {-1});
  auto [counts, edges] = histogram_grid(as_points(self), {bins}, false, flat, density);
  return {counts, edges[0]};
}
std::tuple<Tensor, Tensor> histogram(const Tensor& self, std::int64_t bins,
                                     std::optional<std::span<const double>> range, const std::optional<Tensor>& weight,
                                     bool density) {
  std::optional<Tensor> flat;
  if (weight) flat = reshape(*weight, {-1});
  const Tensor points = as_points(self);
  auto [counts, edges] = histogram_grid(points, even_edges(points, {bins}, range), true, flat, density);
  return {counts, edges[0]};
}
Histogram histogramdd(const Tensor& self, IntArray bins, std::optional<std::span<const double>> range,
                      const std::optional<Tensor>& weight, bool density) {
  check(self.dim() >= 2, "torch.histogramdd: input tensor should have at least 2 dimensions, but got ", self.dim());
  return histogram_grid(self, even_edges(self, bins, range), true, weight, density);
}
Histogram histogramdd(const Tensor& self, std::int64_t bins, std::optional<std::span<const double>> range,
                      const std::optional<Tensor>& weight, bool density) {
  check(self.dim() >= 2, "torch.histogramdd: input tensor should have at least 2 dimensions, but got ", self.dim());
  const std::vector<std::int64_t> each(static_cast<std::size_t>(self.size(-1)), bins);
  return histogramdd(self, IntArray(each), range, weight, density);
}
Histogram histogramdd(const Tensor& self, TensorList bins, std::optional<std::span<const double>>,
                      const std::optional<Tensor>& weight, bool density) {
  return histogram_grid(self, {bins.begin(), bins.end()}, false, weight, density);
}

std::vector<Tensor> _histogramdd_bin_edges(const Tensor& self, IntArray bins,
                                           std::optional<std::span<const double>> range, const std::optional<Tensor>&,
                                           bool) {
  check(self.dim() >= 2, "torch.histogramdd: input tensor should have at least 2 dimensions, but got ", self.dim());
  return even_edges(self, bins, range);
}
Tensor _histogramdd_from_bin_cts(const Tensor& self, IntArray bins, std::optional<std::span<const double>> range,
                                 const std::optional<Tensor>& weight, bool density) {
  return std::get<0>(histogramdd(self, bins, range, weight, density));
}
Tensor _histogramdd_from_bin_tensors(const Tensor& self, TensorList bins, const std::optional<Tensor>& weight,
                                     bool density) {
  return std::get<0>(histogram_grid(self, {bins.begin(), bins.end()}, false, weight, density));
}

std::tuple<Tensor, Tensor> _unique(const Tensor& self, bool sorted, bool return_inverse) {
  auto [values, inverse, counts] = _unique2(self, sorted, return_inverse, false);
  return {std::move(values), std::move(inverse)};
}

}  // namespace rushlight
