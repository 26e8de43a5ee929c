// Products of a sparse matrix with a dense one: vectors along the dense columns, an output row stays in registers.
#include <algorithm>
#include <vector>

#include "ops/kernels/sparse.h"
#include "rushlight/parallel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/sparse/product.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::sparse_product {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using Index = std::int64_t;

// Columns [from, from + Vectors * lanes) of one output row.
template <int Vectors, class D, class T = hn::TFromD<D>>
HWY_INLINE void block(D d, T* out, const Index* columns, const T* values, Index count, const T* dense, Index width) {
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  using V = hn::Vec<D>;
  V sum[Vectors];
  for (int v = 0; v < Vectors; ++v)
    sum[v] = hn::Zero(d);
  for (Index k = 0; k < count; ++k) {
    const V value = hn::Set(d, values[k]);
    const T* row = dense + columns[k] * width;
    for (int v = 0; v < Vectors; ++v)
      sum[v] = hn::MulAdd(value, hn::LoadU(d, row + v * lanes), sum[v]);
  }
  for (int v = 0; v < Vectors; ++v)
    hn::StoreU(sum[v], d, out + v * lanes);
}

template <class T>
void row_product(T* out, const Index* columns, const T* values, Index count, const T* dense, Index width) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  Index j = 0;
  for (; j + 4 * lanes <= width; j += 4 * lanes)
    block<4>(d, out + j, columns, values, count, dense + j, width);
  for (; j + lanes <= width; j += lanes)
    block<1>(d, out + j, columns, values, count, dense + j, width);
  for (; j < width; ++j)
    block<1>(hn::CappedTag<T, 1>(), out + j, columns, values, count, dense + j, width);
}

template <class T>
T dot(const T* a, const T* b, Index n) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  auto sum = hn::Zero(d);
  Index i = 0;
  for (; i + lanes <= n; i += lanes)
    sum = hn::MulAdd(hn::LoadU(d, a + i), hn::LoadU(d, b + i), sum);
  T total = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; i < n; ++i)
    total += a[i] * b[i];
  return total;
}

void row_float(float* o, const Index* c, const float* v, Index n, const float* x, Index w) {
  row_product(o, c, v, n, x, w);
}
void row_double(double* o, const Index* c, const double* v, Index n, const double* x, Index w) {
  row_product(o, c, v, n, x, w);
}
float dot_float(const float* a, const float* b, Index n) { return dot(a, b, n); }
double dot_double(const double* a, const double* b, Index n) { return dot(a, b, n); }

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::sparse_product
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight {
namespace sparse_product {

using Index = std::int64_t;

template <class T>
using Row = void(T*, const Index*, const T*, Index, const T*, Index);
template <class T>
using Dot = T(const T*, const T*, Index);
constexpr simd::Table<Row<float>> kRowFloat = RL_SIMD_TABLE(row_float);
constexpr simd::Table<Row<double>> kRowDouble = RL_SIMD_TABLE(row_double);
constexpr simd::Table<Dot<float>> kDotFloat = RL_SIMD_TABLE(dot_float);
constexpr simd::Table<Dot<double>> kDotDouble = RL_SIMD_TABLE(dot_double);

// Sums in float for the half types, in the dtype itself otherwise.
template <class T>
using Wide = std::conditional_t<std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>, float, T>;

template <class T>
void row_plain(T* out, const Index* columns, const T* values, Index count, const T* dense, Index width) {
  using W = Wide<T>;
  for (Index j = 0; j < width; ++j) {
    W sum{};
    for (Index k = 0; k < count; ++k)
      sum = static_cast<W>(sum + static_cast<W>(values[k]) * static_cast<W>(dense[columns[k] * width + j]));
    out[j] = static_cast<T>(sum);
  }
}
template <class T>
T dot_plain(const T* a, const T* b, Index n) {
  using W = Wide<T>;
  W sum{};
  for (Index i = 0; i < n; ++i)
    sum = static_cast<W>(sum + static_cast<W>(a[i]) * static_cast<W>(b[i]));
  return static_cast<T>(sum);
}

template <class T>
Row<T>* row_function() {
  if constexpr (std::is_same_v<T, float>)
    return kRowFloat.best();
  else if constexpr (std::is_same_v<T, double>)
    return kRowDouble.best();
  else
    return row_plain<T>;
}
template <class T>
Dot<T>* dot_function() {
  if constexpr (std::is_same_v<T, float>)
    return kDotFloat.best();
  else if constexpr (std::is_same_v<T, double>)
    return kDotDouble.best();
  else
    return dot_plain<T>;
}

constexpr Index kWork = 1 << 16;  // multiplications of a task

// Rows where tasks begin, so that each has about the same number of elements.
std::vector<Index> cut_rows(const Index* pointers, Index rows, Index width) {
  std::vector<Index> cuts{0};
  Index work = 0;
  for (Index r = 0; r < rows; ++r) {
    work += (pointers[r + 1] - pointers[r] + 1) * width;
    if (work >= kWork) cuts.push_back(r + 1), work = 0;
  }
  if (cuts.back() != rows) cuts.push_back(rows);
  return cuts;
}

void sparse_dense_on_cpu(const TensorBase& out, const TensorBase& pointers, const TensorBase& columns,
                         const TensorBase& values, const TensorBase& dense) {
  const Index rows = out.sizes()[0], width = out.sizes()[1];
  if (rows == 0 || width == 0) return;
  const Index *start = pointers.data<Index>(), *column = columns.data<Index>();
  const std::vector<Index> cuts = cut_rows(start, rows, width);
  visit(out.dtype(), [&](auto zero) {
    using T = decltype(zero);
    Row<T>* const row = row_function<T>();
    T* const to = out.mutable_data<T>();
    const T *value = values.data<T>(), *from = dense.data<T>();
    parallel_for(static_cast<Index>(cuts.size()) - 1, [&](Index task) {
      const auto t = static_cast<std::size_t>(task);
      for (Index r = cuts[t]; r < cuts[t + 1]; ++r)
        row(to + r * width, column + start[r], value + start[r], start[r + 1] - start[r], from, width);
    });
  });
}

void sampled_on_cpu(const TensorBase& out, const TensorBase& rows, const TensorBase& columns, const TensorBase& a,
                    const TensorBase& b) {
  const Index width = a.sizes()[1], grain = std::max<Index>(1, kWork / std::max<Index>(width, 1));
  const Index *row = rows.data<Index>(), *column = columns.data<Index>();
  visit(out.dtype(), [&](auto zero) {
    using T = decltype(zero);
    Dot<T>* const dot = dot_function<T>();
    T* const to = out.mutable_data<T>();
    const T *x = a.data<T>(), *y = b.data<T>();
    parallel_ranges(out.numel(), grain, [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k)
        to[k] = dot(x + row[k] * width, y + column[k] * width, width);
    });
  });
}

}  // namespace sparse_product

constinit const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&,
                            const TensorBase&)>
    sparse_dense_kernel{sparse_product::sparse_dense_on_cpu};
constinit const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&,
                            const TensorBase&)>
    sampled_product_kernel{sparse_product::sampled_on_cpu};

}  // namespace rushlight
#endif
