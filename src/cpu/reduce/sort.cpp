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

template <class T>
void fill_words(const T* line, Index n, bool descending, WordOf<T>* words) {
  const auto flip = descending ? static_cast<KeyOf<T>>(~KeyOf<T>{0}) : KeyOf<T>{0};
  for (Index i = 0; i < n; ++i) words[i] = make_word(static_cast<KeyOf<T>>(sort_key(line[i]) ^ flip), i);
}

void sort(const TensorBase& values, const TensorBase& indices, const TensorBase& in, std::int64_t dim,
          SortOrder order) {
  if (in.numel() == 0) return;
  const SortLines at(in, dim);
  visit_ordered(in.dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* v = values.mutable_data<T>();
    Index* index = indices.mutable_data<Index>();
    for_lines(in.data<T>(), at, [&](const T* line, WordOf<T>* words, Index outer, Index column) {
      fill_words(line, at.size, order == SortOrder::kDescending, words);
      const WordOf<T>* sorted = sort_words(words, words + at.size, at.size);
      const Index base = outer * at.size * at.inner + column;
      for (Index i = 0; i < at.size; ++i) {
        v[base + i * at.inner] = line[position_of(sorted[i])];
        index[base + i * at.inner] = position_of(sorted[i]);
      }
    });
  });
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
    for_lines(in.data<T>(), at, [&](const T* line, WordOf<T>* words, Index outer, Index column) {
      const Index n = at.size, room = std::max<Index>(2 * k, 64);
      WordOf<T>* best = words;
      if (k * 16 > n) {  // most elements would be collected: sort
        fill_words(line, n, descending, words);
        best = sort_words(words, words + n, n);
      } else {
        // Only elements better than the k-th best so far are collected; most are passed over.
        const auto flip = descending ? static_cast<KeyOf<T>>(~KeyOf<T>{0}) : KeyOf<T>{0};
        auto threshold = static_cast<KeyOf<T>>(~KeyOf<T>{0});
        bool full = false;
        Index m = 0;
        for (Index i = 0; i < n; ++i) {
          const auto key = static_cast<KeyOf<T>>(sort_key(line[i]) ^ flip);
          if (full && key >= threshold) continue;
          words[m++] = make_word(key, i);
          if (m < std::min(room, n)) continue;
          std::nth_element(words, words + k - 1, words + m);
          m = k;
          full = true;
          threshold = key_of(words[k - 1]);
        }
        if (m > k) std::nth_element(words, words + k - 1, words + m);
        std::sort(words, words + k);
      }
      const Index base = outer * k * at.inner + column;
      for (Index i = 0; i < k; ++i) {
        v[base + i * at.inner] = line[position_of(best[i])];
        index[base + i * at.inner] = position_of(best[i]);
      }
    });
  });
}

template <class T>
bool is_nan(T x) {
  if constexpr (std::is_integral_v<T>) return false;
  else return static_cast<double>(x) != static_cast<double>(x);
}

// Position of the selected element of a line.
template <class T>
Index selected(Select what, const T* line, Index n, WordOf<T>* words, Index k) {
  fill_words(line, n, false, words);
  if (what == Select::kMode) {  // the longest run of equal elements, the least value first; its last position
    const WordOf<T>* sorted = sort_words(words, words + n, n);
    Index best = 0, longest = 0, start = 0;
    for (Index i = 1; i <= n; ++i) {
      if (i < n && key_of(sorted[i]) == key_of(sorted[start]) && !is_nan(line[position_of(sorted[i])])) continue;
      if (i - start > longest) longest = i - start, best = i - 1;
      start = i;
    }
    return position_of(sorted[best]);
  }
  if (what != Select::kKth) {
    Index count = 0, first = -1;
    for (Index i = 0; i < n; ++i)
      if (is_nan(line[i])) ++count, first = first < 0 ? i : first;
    if (count == n || (count > 0 && what == Select::kMedian)) return first;
    k = (n - count - 1) / 2;  // NaN sorts last
  }
  std::nth_element(words, words + k, words + n);
  return position_of(words[k]);
}

void select(Select what, const TensorBase& values, const TensorBase& indices, const TensorBase& in, std::int64_t dim,
            std::int64_t k) {
  if (in.numel() == 0) return;
  const SortLines at(in, dim);
  visit_ordered(in.dtype(), [&](auto zero) {
    using T = decltype(zero);
    for_lines(in.data<T>(), at, [&](const T* line, WordOf<T>* words, Index outer, Index column) {
      const Index found = selected(what, line, at.size, words, k), to = outer * at.inner + column;
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
