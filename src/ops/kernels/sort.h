// Kernels that order elements or count them: sort, selection, unique, searchsorted, histograms.
//
// NaN sorts above everything, -0 equals 0, equal elements keep their order. Elements are real.
#pragma once
#include "ops/kernel.h"

namespace rushlight {

enum class SortOrder : std::uint8_t { kAscending, kDescending };
enum class Select : std::uint8_t { kKth, kMedian, kNanMedian, kMode };

// Sorts lines along `dim`; contiguous tensors.
extern const Kernel<void(const TensorBase& values, const TensorBase& indices, const TensorBase& in, std::int64_t dim,
                         SortOrder order)>
    sort_kernel;
// The first k of each sorted line, for outputs with size k along `dim`.
extern const Kernel<void(const TensorBase& values, const TensorBase& indices, const TensorBase& in, std::int64_t dim,
                         std::int64_t k, SortOrder order)>
    topk_kernel;
// One element of each line and its position; outputs have size 1 along `dim`. k counts from 0.
extern const Kernel<void(Select what, const TensorBase& values, const TensorBase& indices, const TensorBase& in,
                         std::int64_t dim, std::int64_t k)>
    select_kernel;

// Puts the n rows of a contiguous matrix in lexicographic order: order[i] is the row at place i.
extern const Kernel<void(const TensorBase& order, const TensorBase& rows)> order_rows_kernel;
// Numbers the groups of equal neighbours among rows taken in `order` (none: as they are): inverse[row] = group,
// counts[group], first[group] = a row of it. All three have n elements. Each NaN is a group of its own.
extern const Kernel<void(const TensorBase& inverse, const TensorBase& counts, const TensorBase& first,
                         const TensorBase& order, const TensorBase& rows, std::int64_t& groups)>
    group_rows_kernel;

// The distinct values of an integer tensor, all from `low` to low + range - 1, in ascending order: values[group] and
// counts[group], both with room for min(n, range), and inverse[i], where defined, the group of element i.
extern const Kernel<void(const TensorBase& values, const TensorBase& inverse, const TensorBase& counts,
                         const TensorBase& in, std::int64_t low, std::int64_t range, std::int64_t& groups)>
    group_integers_kernel;

// out[i] = how many boundaries are below values[i] (or not above it, with `right`). `boundaries` has one row for
// all values, or one per row of `values`; `sorter`, where defined, gives the order of its rows.
extern const Kernel<void(const TensorBase& out, const TensorBase& boundaries, const TensorBase& values,
                         const TensorBase& sorter, bool right)>
    searchsorted_kernel;

// Counts rows of points [n, d] in a grid whose edges lie end to end in `edges` (sizes: bins[d] + 1 each). With
// `uniform` the edges are evenly spaced. `weight` may be undefined. Points outside are left out.
struct HistogramGrid {
  const TensorBase* edges;
  const std::int64_t* bins;
  std::int64_t dims;
  bool uniform;
};
extern const Kernel<void(const TensorBase& out, const TensorBase& points, const TensorBase& weight,
                         const HistogramGrid& grid)>
    histogram_kernel;
// out[value] += 1 or weight; values are int64, out is int64, float32 or float64 and zeroed.
extern const Kernel<void(const TensorBase& out, const TensorBase& values, const TensorBase& weight)> bincount_kernel;

}  // namespace rushlight
