// The product of two sparse matrices, row by row: a dense accumulator per task takes the scaled rows of the second.
#include <algorithm>
#include <vector>

#include "ops/kernels/sparse.h"
#include "rushlight/parallel.h"

namespace rushlight {
namespace {

using Index = std::int64_t;

constexpr Index kRowsOfTask = 256;

struct Pattern {
  const Index *pointers, *columns;
  explicit Pattern(const SparseRows& m) : pointers(m.pointers.data<Index>()), columns(m.columns.data<Index>()) {}
};

// Calls visit(column) for each different column of row `r` of the product; `seen` holds the latest row of a column.
template <class Visit>
void columns_of(const Pattern& a, const Pattern& b, Index r, std::vector<Index>& seen, const Visit& visit) {
  for (Index k = a.pointers[r]; k < a.pointers[r + 1]; ++k)
    for (Index j = b.pointers[a.columns[k]]; j < b.pointers[a.columns[k] + 1]; ++j) {
      const Index column = b.columns[j];
      if (seen[static_cast<std::size_t>(column)] == r) continue;
      seen[static_cast<std::size_t>(column)] = r;
      visit(column);
    }
}

void counts_on_cpu(const TensorBase& counts, const SparseRows& left, const SparseRows& right, Index width) {
  const Pattern a(left), b(right);
  Index* to = counts.mutable_data<Index>();
  parallel_ranges(counts.numel(), kRowsOfTask, [&](Index begin, Index end) {
    std::vector<Index> seen(static_cast<std::size_t>(width), -1);
    for (Index r = begin; r < end; ++r) {
      Index count = 0;
      columns_of(a, b, r, seen, [&](Index) { ++count; });
      to[r] = count;
    }
  });
}

template <class T>
using Wide = std::conditional_t<std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>, float, T>;

template <class T>
void fill(const SparseRows& out, const SparseRows& left, const SparseRows& right, Index width) {
  using W = Wide<T>;
  const Pattern a(left), b(right);
  const Index* start = out.pointers.data<Index>();
  Index* columns = out.columns.mutable_data<Index>();
  T* values = out.values.mutable_data<T>();
  const T *x = left.values.data<T>(), *y = right.values.data<T>();
  parallel_ranges(out.pointers.numel() - 1, kRowsOfTask, [&](Index begin, Index end) {
    std::vector<Index> seen(static_cast<std::size_t>(width), -1);
    // Bool has no vector of plain elements; bytes do.
    using Cell = std::conditional_t<std::is_same_v<W, bool>, unsigned char, W>;
    std::vector<Cell> sum(static_cast<std::size_t>(width));
    for (Index r = begin; r < end; ++r) {
      Index at = start[r];
      columns_of(a, b, r, seen, [&](Index column) { columns[at++] = column; });
      std::sort(columns + start[r], columns + at);
      for (Index k = start[r]; k < at; ++k)
        sum[static_cast<std::size_t>(columns[k])] = Cell{};
      for (Index k = a.pointers[r]; k < a.pointers[r + 1]; ++k)
        for (Index j = b.pointers[a.columns[k]]; j < b.pointers[a.columns[k] + 1]; ++j) {
          Cell& cell = sum[static_cast<std::size_t>(b.columns[j])];
          cell = static_cast<Cell>(cell + static_cast<W>(x[k]) * static_cast<W>(y[j]));
        }
      for (Index k = start[r]; k < at; ++k)
        values[k] = static_cast<T>(static_cast<W>(sum[static_cast<std::size_t>(columns[k])]));
    }
  });
}

void product_on_cpu(const SparseRows& out, const SparseRows& left, const SparseRows& right, Index width) {
  visit(out.values.dtype(), [&](auto zero) { fill<decltype(zero)>(out, left, right, width); });
}

}  // namespace

constinit const Kernel<void(const TensorBase&, const SparseRows&, const SparseRows&, Index)>
    sparse_product_counts_kernel{counts_on_cpu};
constinit const Kernel<void(const SparseRows&, const SparseRows&, const SparseRows&, Index)> sparse_product_kernel{
    product_on_cpu};

}  // namespace rushlight
