// sort, topk and the selections median, kthvalue and mode.
#include "cpu/reduce/sort.h"

#include "ops/kernels/sort.h"

namespace rushlight::cpu {
namespace {

// Calls body with a zero of the element type; complex numbers have no order.
template <class Body>
void visit_ordered(Dtype dtype, const Body& body) {
  visit(dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (!std::is_same_v<T, ComplexFloat> && !std::is_same_v<T, ComplexDouble>) body(zero);
  });
}

void sort(const TensorBase& values, const TensorBase& indices, const TensorBase& in, std::int64_t dim,
          SortOrder order) {
  if (in.numel() == 0) return;
  const SortLines at(in, dim);
  visit_ordered(in.dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* v = values.mutable_data<T>();
    Index* index = indices.mutable_data<Index>();
    for_lines(in.data<T>(), at, [&](const T* line, WordOf<T>* words, std::uint32_t* places, Index outer, Index column) {
      order_line(line, at.size, order == SortOrder::kDescending, words, places);
      const Index base = outer * at.size * at.inner + column;
      for (Index i = 0; i < at.size; ++i) {
        v[base + i * at.inner] = line[places[i]];
        index[base + i * at.inner] = places[i];
      }
    });
  });
}

// Positions of the k best elements in order. Only elements better than the k-th best so far are collected; most are
// passed over.
template <class T>
void best_of_line(const T* line, Index n, Index k, bool descending, WordOf<T>* words, std::uint32_t* best) {
  using Key = KeyOf<T>;
  const Key flip = descending ? static_cast<Key>(~Key{0}) : Key{0};
  const Index room = std::min(n, std::max<Index>(2 * k, 64));
  Key threshold = 0;
  T bound{};
  bool full = false;
  Index m = 0;
  for (Index i = 0; i < n; ++i) {
    if constexpr (std::is_floating_point_v<T>) {
      if (full && (i = next_better(line, i, n, bound, descending)) == n) break;
    }
    const auto key = static_cast<Key>(sort_key(line[i]) ^ flip);
    if (full && key >= threshold) continue;
    words[m++] = make_word(key, i);
    if (m < room) continue;
    std::nth_element(words, words + k - 1, words + m);
    m = k;
    full = true;
    threshold = key_of(words[k - 1]);
    bound = line[position_of(words[k - 1])];
  }
  if (m > k) std::nth_element(words, words + k - 1, words + m);
  std::sort(words, words + k);
  for (Index i = 0; i < k; ++i)
    best[i] = position_of(words[i]);
}

void topk(const TensorBase& values, const TensorBase& indices, const TensorBase& in, std::int64_t dim, std::int64_t k,
          SortOrder order) {
  if (in.numel() == 0 || k == 0) return;
  const SortLines at(in, dim);
  visit_ordered(in.dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* v = values.mutable_data<T>();
    Index* index = indices.mutable_data<Index>();
    const bool descending = order == SortOrder::kDescending;
    for_lines(in.data<T>(), at, [&](const T* line, WordOf<T>* words, std::uint32_t* best, Index outer, Index column) {
      if (k * 16 > at.size)
        order_line(line, at.size, descending, words, best);  // most would be collected
      else
        best_of_line(line, at.size, k, descending, words, best);
      const Index base = outer * k * at.inner + column;
      for (Index i = 0; i < k; ++i) {
        v[base + i * at.inner] = line[best[i]];
        index[base + i * at.inner] = best[i];
      }
    });
  });
}

template <class T>
bool is_nan(T x) {
  if constexpr (std::is_integral_v<T>)
    return false;
  else
    return static_cast<double>(x) != static_cast<double>(x);
}

// Position of the selected element of a line.
template <class T>
Index selected(Select what, const T* line, Index n, WordOf<T>* words, std::uint32_t* order, Index k) {
  if (what == Select::kMode) {  // the longest run of equal elements, the least value first; its last position
    order_line(line, n, false, words, order);
    Index best = 0, longest = 0, start = 0;
    for (Index i = 1; i <= n; ++i) {
      if (i < n && sort_key(line[order[i]]) == sort_key(line[order[start]]) && !is_nan(line[order[i]])) continue;
      if (i - start > longest) longest = i - start, best = i - 1;
      start = i;
    }
    return order[best];
  }
  if (what != Select::kKth) {
    Index count = 0, first = -1;
    for (Index i = 0; i < n; ++i)
      if (is_nan(line[i])) ++count, first = first < 0 ? i : first;
    if (count == n || (count > 0 && what == Select::kMedian)) return first;
    k = (n - count - 1) / 2;  // NaN sorts last
  }
  for (Index i = 0; i < n; ++i)
    words[i] = make_word(sort_key(line[i]), i);
  std::nth_element(words, words + k, words + n);
  return position_of(words[k]);
}

void select(Select what, const TensorBase& values, const TensorBase& indices, const TensorBase& in, std::int64_t dim,
            std::int64_t k) {
  if (in.numel() == 0) return;
  const SortLines at(in, dim);
  visit_ordered(in.dtype(), [&](auto zero) {
    using T = decltype(zero);
    for_lines(in.data<T>(), at, [&](const T* line, WordOf<T>* words, std::uint32_t* order, Index outer, Index column) {
      const Index found = selected(what, line, at.size, words, order, k), to = outer * at.inner + column;
      values.mutable_data<T>()[to] = line[found];
      indices.mutable_data<Index>()[to] = found;
    });
  });
}

}  // namespace
}  // namespace rushlight::cpu

namespace rushlight {
const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, std::int64_t, SortOrder)> sort_kernel(
    cpu::sort);
const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, std::int64_t, std::int64_t, SortOrder)>
    topk_kernel(cpu::topk);
const Kernel<void(Select, const TensorBase&, const TensorBase&, const TensorBase&, std::int64_t, std::int64_t)>
    select_kernel(cpu::select);
}  // namespace rushlight
