// Orders of sparse indices: ranges, flat positions, stable sorting, segments, merging, pointers of compressed rows.
#include <algorithm>
#include <bit>
#include <vector>

#include "ops/kernels/sparse.h"
#include "rushlight/parallel.h"

namespace rushlight {
namespace {

using Index = std::int64_t;

void index_range_on_cpu(const TensorBase& indices, Index* least, Index* greatest) {
  const Index dims = indices.sizes()[0], count = indices.sizes()[1];
  const Index* at = indices.data<Index>();
  for (Index d = 0; d < dims; ++d, at += count) {
    Index low = at[0], high = at[0];
    for (Index i = 1; i < count; ++i) {
      low = std::min(low, at[i]);
      high = std::max(high, at[i]);
    }
    least[d] = low;
    greatest[d] = high;
  }
}

void flatten_on_cpu(const TensorBase& flat, const TensorBase& indices, IntArray strides) {
  const Index count = flat.numel();
  const Index* at = indices.data<Index>();
  Index* to = flat.mutable_data<Index>();
  std::fill(to, to + count, Index{0});
  for (std::size_t d = 0; d < strides.size(); ++d, at += count)
    for (Index i = 0; i < count; ++i)
      to[i] += at[i] * strides[d];
}

// Digits of 11 bits from the lowest on; each pass is stable.
constexpr int kDigit = 11;
constexpr std::size_t kBuckets = std::size_t{1} << kDigit;

void order_on_cpu(const TensorBase& order, const TensorBase& keys, Index limit, bool* sorted) {
  const auto count = static_cast<std::size_t>(keys.numel());
  const Index* key = keys.data<Index>();
  Index* to = order.mutable_data<Index>();
  for (std::size_t i = 0; i < count; ++i)
    to[i] = static_cast<Index>(i);
  bool ascending = true, each_once = true;
  for (std::size_t i = 1; i < count; ++i) {
    ascending &= key[i - 1] <= key[i];
    each_once &= key[i - 1] < key[i];
  }
  *sorted = each_once;
  if (ascending) return;
  const auto bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<Index>(limit - 1, 1))));
  std::vector<Index> other(count);
  std::vector<std::size_t> starts(kBuckets);
  Index *from = to, *into = other.data();
  for (int shift = 0; shift < bits; shift += kDigit) {
    std::fill(starts.begin(), starts.end(), 0);
    const auto digit = [&](Index i) {
      return static_cast<std::size_t>(static_cast<std::uint64_t>(key[i]) >> shift) & (kBuckets - 1);
    };
    for (std::size_t i = 0; i < count; ++i)
      ++starts[digit(static_cast<Index>(i))];
    std::size_t sum = 0;
    for (std::size_t& start : starts)
      sum += std::exchange(start, sum);
    for (std::size_t i = 0; i < count; ++i)
      into[starts[digit(from[i])]++] = from[i];
    std::swap(from, into);
  }
  if (from != to) std::copy(from, from + count, to);
}

void segments_on_cpu(const TensorBase& starts, const TensorBase& keys, const TensorBase& order, Index* count) {
  const Index n = keys.numel();
  const Index *key = keys.data<Index>(), *at = order.data<Index>();
  Index *to = starts.mutable_data<Index>(), found = 0;
  for (Index i = 0; i < n; ++i)
    if (i == 0 || key[at[i]] != key[at[i - 1]]) to[found++] = i;
  to[found] = n;
  *count = found;
}

// Sums in float for the half types and as truth for bool.
template <class T>
struct Sum {
  using Type = T;
};
template <>
struct Sum<Half> {
  using Type = float;
};
template <>
struct Sum<BFloat16> {
  using Type = float;
};

template <class T>
void segment_sums(T* out, const T* values, const Index* order, const Index* starts, Index segments, Index width) {
  using S = typename Sum<T>::Type;
  parallel_ranges(segments, std::max<Index>(1, 16384 / std::max<Index>(width, 1)), [&](Index begin, Index end) {
    for (Index s = begin; s < end; ++s)
      for (Index j = 0; j < width; ++j) {
        S sum = static_cast<S>(values[order[starts[s]] * width + j]);
        for (Index k = starts[s] + 1; k < starts[s + 1]; ++k)
          sum = static_cast<S>(sum + static_cast<S>(values[order[k] * width + j]));
        out[s * width + j] = static_cast<T>(sum);
      }
  });
}

void segment_sum_on_cpu(const TensorBase& out, const TensorBase& values, const TensorBase& order,
                        const TensorBase& starts) {
  const Index segments = out.sizes()[0];
  if (segments == 0) return;
  const Index width = out.numel() / segments;
  visit(out.dtype(), [&](auto zero) {
    using T = decltype(zero);
    segment_sums(out.mutable_data<T>(), values.data<T>(), order.data<Index>(), starts.data<Index>(), segments, width);
  });
}

void merge_on_cpu(const TensorBase& which, const TensorBase& a, const TensorBase& b, Index* count) {
  const Index m = a.numel(), n = b.numel();
  const Index *x = a.data<Index>(), *y = b.data<Index>();
  Index *from_a = which.mutable_data<Index>(), *from_b = from_a + (m + n), i = 0, j = 0, k = 0;
  for (; i < m || j < n; ++k) {
    const bool take_a = j >= n || (i < m && x[i] <= y[j]), take_b = i >= m || (j < n && y[j] <= x[i]);
    from_a[k] = take_a ? i : -1;
    from_b[k] = take_b ? j : -1;
    i += take_a;
    j += take_b;
  }
  *count = k;
}

void count_pointers_on_cpu(const TensorBase& pointers, const TensorBase& rows) {
  Index* to = pointers.mutable_data<Index>();
  const Index count = pointers.numel();
  std::fill(to, to + count, Index{0});
  const Index* row = rows.data<Index>();
  for (Index k = 0; k < rows.numel(); ++k)
    ++to[row[k] + 1];
  for (Index r = 1; r < count; ++r)
    to[r] += to[r - 1];
}

void expand_pointers_on_cpu(const TensorBase& rows, const TensorBase& pointers) {
  const Index* from = pointers.data<Index>();
  Index* to = rows.mutable_data<Index>();
  for (Index r = 0; r + 1 < pointers.numel(); ++r)
    std::fill(to + from[r], to + from[r + 1], r);
}

}  // namespace

constinit const Kernel<void(const TensorBase&, Index*, Index*)> index_range_kernel(index_range_on_cpu);
constinit const Kernel<void(const TensorBase&, const TensorBase&, IntArray)> flatten_indices_kernel(flatten_on_cpu);
constinit const Kernel<void(const TensorBase&, const TensorBase&, Index, bool*)> order_kernel(order_on_cpu);
constinit const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, Index*)> segments_kernel(
    segments_on_cpu);
constinit const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&)>
    segment_sum_kernel(segment_sum_on_cpu);
constinit const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, Index*)> merge_kernel(
    merge_on_cpu);
constinit const Kernel<void(const TensorBase&, const TensorBase&)> count_pointers_kernel(count_pointers_on_cpu);
constinit const Kernel<void(const TensorBase&, const TensorBase&)> expand_pointers_kernel(expand_pointers_on_cpu);

}  // namespace rushlight
