// Grouping of equal rows, search in sorted rows, histograms.
#include <cmath>
#include <cstring>
#include <numeric>

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

// Whether a boundary lies at or above (above, where `strict`) a value; never where either is NaN.
template <class T>
bool reaches(const T& edge, const T& value, bool strict) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
    return reaches(static_cast<float>(edge), static_cast<float>(value), strict);
  else
    return strict ? edge > value : edge >= value;
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
      parallel_ranges(values.numel(), 4096, [&](Index i0, Index i1) {
        for (Index i = i0; i < i1; ++i) {
          const Index start = shared ? 0 : i / per_row * n;
          Index low = 0, high = n;
          if (!order && n > 0) {  // without branches: their outcomes are random
            Index length = n;
            const T* base = edges + start;
            while (length > 1) {
              const Index half = length / 2;
              base += reaches(base[half - 1], x[i], right) ? 0 : half;
              length -= half;
            }
            low = high = base - (edges + start) + !reaches(*base, x[i], right);
          }
          while (low < high) {
            const Index middle = low + (high - low) / 2;
            const T& edge = edges[start + (order ? order[start + middle] : middle)];
            if (reaches(edge, x[i], right))
              high = middle;
            else
              low = middle + 1;
          }
          if (out.dtype() == Dtype::kInt32)
            out.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(low);
          else
            out.mutable_data<Index>()[i] = low;
        }
      });
    }
  });
}

void histogram(const TensorBase& out, const TensorBase& points, const TensorBase& weight, const HistogramGrid& grid) {
  visit(points.dtype(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_floating_point_v<T>) {
      T* counts = out.mutable_data<T>();
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
const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&, bool)>
    searchsorted_kernel(cpu::searchsorted);
const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, const HistogramGrid&)> histogram_kernel(
    cpu::histogram);
const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&)> bincount_kernel(cpu::bincount);
}  // namespace rushlight
