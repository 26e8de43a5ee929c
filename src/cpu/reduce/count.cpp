// Grouping of equal rows, search in sorted rows, histograms.
#include <cmath>
#include <cstring>
#include <numeric>

#include "cpu/gemm/buffer.h"
#include "cpu/reduce/cells.h"
#include "cpu/reduce/sort.h"
#include "ops/kernels/sort.h"

namespace rushlight::cpu {
namespace {

template <class T>
bool equal(const T& a, const T& b) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
    return static_cast<float>(a) == static_cast<float>(b);
  else
    return a == b;
}
template <class T>
bool less(const T& a, const T& b) {
  if constexpr (std::is_same_v<T, ComplexFloat> || std::is_same_v<T, ComplexDouble>)
    return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag();
  else
    return sort_key(a) < sort_key(b);
}

void order_rows(const TensorBase& order, const TensorBase& rows) {
  const Index n = rows.impl()->sizes()[0], m = n > 0 ? rows.numel() / n : 0;
  Index* to = order.mutable_data<Index>();
  std::iota(to, to + n, Index{0});
  visit(rows.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* x = rows.data<T>();
    std::stable_sort(to, to + n, [&](Index a, Index b) {
      return std::lexicographical_compare(x + a * m, x + a * m + m, x + b * m, x + b * m + m, less<T>);
    });
  });
}

void group_rows(const TensorBase& inverse, const TensorBase& counts, const TensorBase& first, const TensorBase& order,
                const TensorBase& rows, std::int64_t& groups) {
  const Index n = rows.impl()->sizes()[0], m = n > 0 ? rows.numel() / n : 0;
  Index *to = inverse.mutable_data<Index>(), *count = counts.mutable_data<Index>(), *row = first.mutable_data<Index>();
  const Index* at = order.defined() ? order.data<Index>() : nullptr;
  groups = 0;
  visit(rows.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* x = rows.data<T>();
    for (Index i = 0; i < n; ++i) {
      const Index here = at ? at[i] : i;
      const bool same = i > 0 && std::equal(x + here * m, x + here * m + m, x + (at ? at[i - 1] : i - 1) * m, equal<T>);
      if (!same) count[groups] = 0, row[groups++] = here;
      ++count[groups - 1];
      to[here] = groups - 1;
    }
  });
}

// A table of the values from `low` on: how often each occurs, then its number among those that occur.
void group_integers(const TensorBase& values, const TensorBase& inverse, const TensorBase& counts, const TensorBase& in,
                    std::int64_t low, std::int64_t range, std::int64_t& groups) {
  const Buffer<Index> table(range);
  std::fill_n(table.get(), range, Index{0});
  const Index n = in.numel();
  Index* count = counts.mutable_data<Index>();
  groups = 0;
  visit(in.dtype(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>) {
      const T* x = in.data<T>();
      T* distinct = values.mutable_data<T>();
      for (Index i = 0; i < n; ++i)
        ++table[static_cast<Index>(x[i]) - low];
      for (Index v = 0; v < range; ++v) {
        if (table[v] == 0) continue;
        count[groups] = table[v];
        distinct[groups] = static_cast<T>(low + v);
        table[v] = groups++;
      }
      if (!inverse.defined()) return;
      Index* to = inverse.mutable_data<Index>();
      for (Index i = 0; i < n; ++i)
        to[i] = table[static_cast<Index>(x[i]) - low];
    }
  });
}

// Whether a boundary lies at or above (above, where `strict`) a value; never where either is NaN.
template <class T>
bool reaches(const T& edge, const T& value, bool strict) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
    return reaches(static_cast<float>(edge), static_cast<float>(value), strict);
  else
    return strict ? edge > value : edge >= value;
}

// Several binary searches step along together: each waits for its own loads while the others work. Without branches,
// whose outcomes are random. n > 0.
constexpr Index kSearches = 8;
template <class T>
void search_together(const T* edges, Index n, const T* x, bool right, Index* places) {
  const auto run = [&](auto strict) {
    const T* base[kSearches];
    for (Index k = 0; k < kSearches; ++k)
      base[k] = edges;
    for (Index length = n; length > 1;) {
      const Index half = length / 2;
#pragma GCC unroll 8
      for (Index k = 0; k < kSearches; ++k)
        base[k] += reaches(base[k][half - 1], x[k], strict) ? 0 : half;
      length -= half;
    }
    for (Index k = 0; k < kSearches; ++k)
      places[k] = base[k] - edges + !reaches(*base[k], x[k], strict);
  };
  right ? run(std::true_type()) : run(std::false_type());
}

void searchsorted(const TensorBase& out, const TensorBase& boundaries, const TensorBase& values,
                  const TensorBase& sorter, bool right) {
  const Index n = boundaries.dim() > 0 ? boundaries.impl()->sizes()[boundaries.dim() - 1] : 1;
  const bool shared = boundaries.dim() <= 1;
  const Index per_row = values.dim() > 0 ? values.impl()->sizes()[values.dim() - 1] : 1;
  visit(values.dtype(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (!std::is_same_v<T, ComplexFloat> && !std::is_same_v<T, ComplexDouble>) {
      const T *edges = boundaries.data<T>(), *x = values.data<T>();
      const Index* order = sorter.defined() ? sorter.data<Index>() : nullptr;
      const auto store = [&](Index i, Index place) {
        if (out.dtype() == Dtype::kInt32)
          out.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(place);
        else
          out.mutable_data<Index>()[i] = place;
      };
      parallel_ranges(values.numel(), 4096, [&](Index i0, Index i1) {
        Index i = i0;
        if (!order && n > 0 && shared)
          for (; i + kSearches <= i1; i += kSearches) {
            Index places[kSearches];
            search_together(edges, n, x + i, right, places);
            for (Index k = 0; k < kSearches; ++k)
              store(i + k, places[k]);
          }
        for (; i < i1; ++i) {
          const Index start = shared ? 0 : i / per_row * n;
          Index low = 0, high = n;
          while (low < high) {
            const Index middle = low + (high - low) / 2;
            const T& edge = edges[start + (order ? order[start + middle] : middle)];
            if (reaches(edge, x[i], right))
              high = middle;
            else
              low = middle + 1;
          }
          store(i, low);
        }
      });
    }
  });
}

// Counts of numbers below `size`, four at a time in tables of their own: a counter that was just written would make the
// next one wait.
class Tally {
 public:
  explicit Tally(Index size) : size_(size), tables_(kTables * size) {
    std::fill_n(tables_.get(), kTables * size, Index{0});
  }
  template <class I>
  void count(const I* x, Index n) {
    Index i = 0;
    for (; i + kTables <= n; i += kTables)
      for (Index k = 0; k < kTables; ++k)
        ++tables_[k * size_ + static_cast<Index>(x[i + k])];
    for (; i < n; ++i)
      ++tables_[static_cast<Index>(x[i])];
  }
  Index operator[](Index at) const {
    return tables_[at] + tables_[size_ + at] + tables_[2 * size_ + at] + tables_[3 * size_ + at];
  }

 private:
  static constexpr Index kTables = 4;
  Index size_;
  Buffer<Index> tables_;
};

// Counts of points on one evenly spaced axis: cells of a block of points by vectors, then each counted.
template <class T>
void histogram_line(T* counts, const T* x, Index n, const T* e, Index bins) {
  constexpr Index kPoints = 512;
  Tally found(bins + 1);  // the last one for points outside
  for (Index i0 = 0; i0 < n; i0 += kPoints) {
    const Index m = std::min(kPoints, n - i0);
    std::int32_t cell[kPoints];
    find_cells(x + i0, m, e, bins, cell);
    found.count(cell, m);
  }
  for (Index b = 0; b < bins; ++b)
    counts[b] = static_cast<T>(found[b]);
}

void histogram(const TensorBase& out, const TensorBase& points, const TensorBase& weight, const HistogramGrid& grid) {
  visit(points.dtype(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_floating_point_v<T>) {
      T* counts = out.mutable_data<T>();
      if (grid.dims == 1 && grid.uniform && !weight.defined() && grid.bins[0] > 0 && grid.bins[0] < 1 << 24)
        return histogram_line(counts, points.data<T>(), points.numel(), grid.edges->data<T>(), grid.bins[0]);
      std::fill_n(counts, out.numel(), T(0));
      const T *x = points.data<T>(), *w = weight.defined() ? weight.data<T>() : nullptr, *edges = grid.edges->data<T>();
      const Index n = points.numel() / std::max<Index>(1, grid.dims);
      for (Index i = 0; i < n; ++i) {
        Index cell = 0;
        const T* e = edges;
        bool inside = true;
        for (Index d = 0; d < grid.dims && inside; ++d) {
          const Index bins = grid.bins[d];
          const T v = x[i * grid.dims + d], low = e[0], high = e[bins];
          inside = v >= low && v <= high;
          if (!inside) break;
          Index b;
          if (grid.uniform) {
            b = std::min(bins - 1, static_cast<Index>((v - low) * static_cast<T>(bins) / (high - low)));
            // Rounding may have missed by one.
            if (b > 0 && v < e[b]) --b;
            if (b + 1 < bins && v >= e[b + 1]) ++b;
          } else {
            b = std::min<Index>(bins - 1, std::upper_bound(e, e + bins + 1, v) - e - 1);
          }
          cell = cell * bins + b;
          e += bins + 1;
        }
        if (inside) counts[cell] += w ? w[i] : T(1);
      }
    }
  });
}

void bincount(const TensorBase& out, const TensorBase& values, const TensorBase& weight) {
  const Index n = values.numel(), *x = values.data<Index>();
  if (!weight.defined()) {
    Index* counts = out.mutable_data<Index>();
    const Index size = out.numel();
    if (size <= 4096 && n >= 4 * size) {
      Tally tally(size);
      tally.count(x, n);
      for (Index v = 0; v < size; ++v)
        counts[v] = tally[v];
      return;
    }
    for (Index i = 0; i < n; ++i)
      ++counts[x[i]];
    return;
  }
  const auto add = [&](auto* sums, const auto* weights) {
    for (Index i = 0; i < n; ++i)
      sums[x[i]] += weights[i];
  };
  if (out.dtype() == Dtype::kFloat32)
    add(out.mutable_data<float>(), weight.data<float>());
  else
    add(out.mutable_data<double>(), weight.data<double>());
}

}  // namespace
}  // namespace rushlight::cpu

namespace rushlight {
const Kernel<void(const TensorBase&, const TensorBase&)> order_rows_kernel(cpu::order_rows);
const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&,
                  std::int64_t&)>
    group_rows_kernel(cpu::group_rows);
const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&, std::int64_t,
                  std::int64_t, std::int64_t&)>
    group_integers_kernel(cpu::group_integers);
const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&, bool)>
    searchsorted_kernel(cpu::searchsorted);
const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, const HistogramGrid&)> histogram_kernel(
    cpu::histogram);
const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&)> bincount_kernel(cpu::bincount);
}  // namespace rushlight
