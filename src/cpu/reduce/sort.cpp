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

// Columns are sorted side by side and written row by row.
template <class T>
void sort_columns(const TensorBase& values, const TensorBase& indices, const TensorBase& in, const SortLines& at,
                  bool descending) {
  T* v = values.mutable_data<T>();
  Index* index = indices.mutable_data<Index>();
  struct Sorted {  // of one thread
    Buffer<T> values;
    Buffer<std::uint32_t> places;
    explicit Sorted(Index n) : values(n * kSortColumns), places(n * kSortColumns) {}
  };
  const Index per_outer = (at.inner + kSortColumns - 1) / kSortColumns;
  parallel_ranges(at.outer * per_outer, std::max<Index>(1, kTaskElements / 8 / (at.size * kSortColumns)),
                  [&](Index t0, Index t1) {
                    const Sorted sorted(at.size);
                    const Buffer<WordOf<T>> words(2 * at.size);
                    const Buffer<T> columns(at.size * kSortColumns);
                    for (Index t = t0; t < t1; ++t) {
                      const Index c0 = t % per_outer * kSortColumns, w = std::min(kSortColumns, at.inner - c0);
                      const Index base = t / per_outer * at.size * at.inner + c0;
                      const T* from = in.data<T>() + base;
                      for (Index r = 0; r < at.size; ++r)
                        for (Index c = 0; c < w; ++c)
                          columns[c * at.size + r] = from[r * at.inner + c];
                      for (Index c = 0; c < w; ++c)
                        order_line(columns.get() + c * at.size, at.size, descending, words.get(),
                                   [&](Index i, std::uint32_t place, T value) {
                                     sorted.values[i * kSortColumns + c] = value;
                                     sorted.places[i * kSortColumns + c] = place;
                                   });
                      for (Index r = 0; r < at.size; ++r)
                        for (Index c = 0; c < w; ++c) {
                          v[base + r * at.inner + c] = sorted.values[r * kSortColumns + c];
                          index[base + r * at.inner + c] = sorted.places[r * kSortColumns + c];
                        }
                    }
                  });
}

void sort(const TensorBase& values, const TensorBase& indices, const TensorBase& in, std::int64_t dim,
          SortOrder order) {
  if (in.numel() == 0) return;
  const SortLines at(in, dim);
  const bool descending = order == SortOrder::kDescending;
  visit_ordered(in.dtype(), [&](auto zero) {
    using T = decltype(zero);
    if (at.inner > 1) return sort_columns<T>(values, indices, in, at, descending);
    T* v = values.mutable_data<T>();
    Index* index = indices.mutable_data<Index>();
    for_lines(in.data<T>(), at, [&](const T* line, WordOf<T>* words, Index outer, Index) {
      const Index base = outer * at.size;
      order_line(line, at.size, descending, words, [v, index, base](Index i, std::uint32_t place, T value) {
        v[base + i] = value;
        index[base + i] = place;
      });
    });
  });
}

// Collects the k best elements of a line, unordered. Only elements better than the k-th best so far are collected;
// most are passed over.
template <class T>
void collect_best(const T* line, Index n, Index k, bool descending, WordOf<T>* words) {
  using Key = KeyOf<T>;
  const Key flip = descending ? static_cast<Key>(~Key{0}) : Key{0};
  const Index room = std::min(n, std::max<Index>(4 * k, 64));
  Key threshold = 0;
  T bound{};
  bool full = false, bounded = false;
  if constexpr (std::is_floating_point_v<T>) {
    bounded = k <= kMostBounded;
    if (bounded) bound = bound_of_best(line, std::min<Index>(n, 4096), k, descending);
  }
  Index m = 0;
  for (Index i = 0; i < n; ++i) {
    if constexpr (std::is_floating_point_v<T>) {
      if ((full || bounded) && (i = next_better(line, i, n, bound, descending, !full)) == n) break;
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
}

// How many of the words that `narrow` leaves, and how many of all elements lie below them.
struct Narrowed {
  Index count, below;
};
enum class Keep : std::uint8_t { kBucket, kUpToBucket };

// Leaves those elements whose bucket, one of 256 to 2048 of equal width between the least and the greatest key, is that
// of rank k: or also those of lower buckets.
template <class T>
Narrowed narrow(const T* line, Index n, Index k, bool descending, Keep keep, WordOf<T>* words) {
  using Key = KeyOf<T>;
  const Key flip = descending ? static_cast<Key>(~Key{0}) : Key{0};
  // Keys lie in the second half of the words' memory.
  Key* keys = reinterpret_cast<Key*>(words + n);
  Key low, high;
  make_keys(line, n, flip, keys, &low, &high);
  const int bits = n < 512 ? 8 : n < 4096 ? 10 : 11;
  const int shift = std::max(0, static_cast<int>(std::bit_width(static_cast<Key>(high - low))) - bits);
  std::uint32_t counts[2048];
  std::fill_n(counts, Index{1} << bits, 0u);
  for (Index i = 0; i < n; ++i)
    ++counts[static_cast<Key>(keys[i] - low) >> shift];
  Index below = 0;
  Key bucket = 0;
  const auto eight = [&] {
    Index sum = 0;
    for (Key b = bucket; b < bucket + 8; ++b)
      sum += counts[b];
    return sum;
  };
  for (Index sum = eight(); below + sum <= k; sum = eight())
    below += sum, bucket += 8;
  while (below + counts[bucket] <= k)
    below += counts[bucket++];
  Index m = 0;
  const auto gather = [&](auto takes) {
    for (Index i = 0; i < n; ++i) {
      words[m] = make_word(keys[i], i);
      m += takes(static_cast<Key>(keys[i] - low) >> shift);
    }
  };
  if (keep == Keep::kUpToBucket) {
    gather([bucket](Key b) { return b <= bucket; });
    return {m, 0};
  }
  gather([bucket](Key b) { return b == bucket; });
  return {m, below};
}

// Puts the k best elements of a line in order. Returns where their words are.
template <class T>
const WordOf<T>* best_of_line(const T* line, Index n, Index k, bool descending, WordOf<T>* words) {
  if (std::is_floating_point_v<T> && k * 16 <= n) {
    collect_best(line, n, k, descending, words);
    if (k <= kMostRanked) return sort_words(words, words + n, k);
    std::sort(words, words + k);
    return words;
  }
  const Index m = narrow(line, n, k - 1, descending, Keep::kUpToBucket, words).count;
  if (m > k) {  // the k least, still by position, as sort_words wants them
    WordOf<T>* copy = words + n;
    std::copy_n(words, m, copy);
    std::nth_element(copy, copy + k - 1, copy + m);
    const WordOf<T> last = copy[k - 1];
    std::remove_if(words, words + m, [&](const WordOf<T>& word) { return last < word; });
  }
  return sort_words(words, words + n, k);
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
      const Index base = outer * k * at.inner + column;
      if (k * 2 > at.size || (sizeof(KeyOf<T>) == 8 && k > kMostWide))
        return order_line(line, at.size, descending, words, [&](Index i, std::uint32_t place, T value) {
          if (i >= k) return;
          v[base + i * at.inner] = value;
          index[base + i * at.inner] = place;
        });
      const WordOf<T>* best = best_of_line(line, at.size, k, descending, words);
      for (Index i = 0; i < k; ++i) {
        v[base + i * at.inner] = line[position_of(best[i])];
        index[base + i * at.inner] = position_of(best[i]);
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

// The longest run of equal elements, the least value first; its last position.
template <class T>
Index most_frequent(const T* line, Index n, WordOf<T>* words) {
  Index best = 0, longest = 0, start = 0;
  std::uint32_t last = 0;
  KeyOf<T> held{};
  const auto close = [&](Index end) {
    if (end - start > longest) longest = end - start, best = last;
    start = end;
  };
  order_line(line, n, false, words, [&](Index i, std::uint32_t place, T) {
    const auto key = sort_key(line[place]);
    if (i > 0 && (key != held || is_nan(line[place]))) close(i);
    held = key;
    last = place;
  });
  close(n);
  return best;
}

// Position of the selected element of a line.
template <class T>
Index selected(Select what, const T* line, Index n, WordOf<T>* words, Index k) {
  if (what == Select::kMode) return most_frequent(line, n, words);
  if (what != Select::kKth) {
    Index count = 0;
    for (Index i = 0; i < n; ++i)
      count += is_nan(line[i]);
    if (count == n || (count > 0 && what == Select::kMedian))
      return std::find_if(line, line + n, [](T x) { return is_nan(x); }) - line;
    k = (n - count - 1) / 2;  // NaN sorts last
  }
  const Narrowed left = narrow(line, n, k, false, Keep::kBucket, words);
  k -= left.below;
  std::nth_element(words, words + k, words + left.count);
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
