// Order-preserving keys and the sort of words made of them, shared by sorting and selection.
#pragma once
#include <algorithm>
#include <bit>
#include <type_traits>
#include <utility>

#include "cpu/gemm/buffer.h"
#include "cpu/reduce/rows.h"

namespace rushlight::cpu {

// What is turned in the key of an integer, which has 32 or 64 bits: the sign where there is one.
template <class T>
inline constexpr auto kTurned =
    std::conditional_t<(sizeof(T) < 8), std::uint32_t, std::uint64_t>{std::is_signed_v<T>} << (sizeof(T) < 8 ? 31 : 63);

// The unsigned order of the result is the order of elements; -0 equals 0, every NaN is the same and above infinity.
template <class T>
auto sort_key(T x) {
  if constexpr (std::is_same_v<T, float>) {
    const auto bits = x != x ? 0x7fc00000u : std::bit_cast<std::uint32_t>(x + 0.0f);
    return bits ^ (static_cast<std::uint32_t>(static_cast<std::int32_t>(bits) >> 31) | 0x80000000u);
  } else if constexpr (std::is_same_v<T, double>) {
    const auto bits = x != x ? 0x7ff8000000000000u : std::bit_cast<std::uint64_t>(x + 0.0);
    return bits ^ (static_cast<std::uint64_t>(static_cast<std::int64_t>(bits) >> 63) | 0x8000000000000000u);
  } else if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {  // 16 bits differ: two digits
    constexpr std::uint32_t kInfinity = std::is_same_v<T, Half> ? 0x7c00u : 0x7f80u;
    const std::uint32_t size = x.bits & 0x7fffu;
    if (size > kInfinity) return 0x8000u | (kInfinity + 1);
    return x.bits & 0x8000u ? 0x8000u - size : 0x8000u | size;
  } else {
    return static_cast<std::remove_const_t<decltype(kTurned<T>)>>(x) ^ kTurned<T>;
  }
}
template <class T>
using KeyOf = decltype(sort_key(T{}));

// An element to sort: its key above its position. All differ, so any sort of them is stable.
struct WideWord {
  std::uint64_t key;
  std::uint32_t at;
  friend bool operator<(const WideWord& a, const WideWord& b) { return a.key != b.key ? a.key < b.key : a.at < b.at; }
};
template <class T>
using WordOf = std::conditional_t<sizeof(KeyOf<T>) == 8, WideWord, std::uint64_t>;

inline std::uint64_t make_word(std::uint32_t key, Index at) {
  return static_cast<std::uint64_t>(key) << 32 | static_cast<std::uint32_t>(at);
}
inline WideWord make_word(std::uint64_t key, Index at) { return {key, static_cast<std::uint32_t>(at)}; }
inline std::uint32_t position_of(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
inline std::uint32_t position_of(const WideWord& word) { return word.at; }
inline std::uint32_t key_of(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }
inline std::uint64_t key_of(const WideWord& word) { return word.key; }

// Counts the digits of all passes at once.
template <int kPasses>
void count_digits(const std::uint64_t* words, Index n, int width, std::uint32_t* counts) {
  const std::uint32_t mask = (1u << width) - 1;
  std::fill_n(counts, kPasses << width, 0u);
  for (Index i = 0; i < n; ++i)
    for (int pass = 0; pass < kPasses; ++pass)
      ++counts[(static_cast<std::uint32_t>(pass) << width) + (key_of(words[i]) >> (pass * width) & mask)];
}

// Sorts by the low `bits` of the keys in digits of equal width, the lowest first; digits that do not differ are
// skipped. Returns whichever of a, b holds the result.
inline std::uint64_t* radix_sort(std::uint64_t* a, std::uint64_t* b, Index n, int bits) {
  constexpr int kWidest = 11, kMostPasses = 4;
  // To move a word takes as long as to sum four counts.
  const auto width_of = [bits](int passes) { return (bits + passes - 1) / passes; };
  const auto cost = [&](int passes) { return passes * (4 * n + (Index{1} << width_of(passes))); };
  int passes = std::max((bits + kWidest - 1) / kWidest, 1);
  while (passes < kMostPasses && cost(passes + 1) < cost(passes))
    ++passes;
  const int width = width_of(passes);
  std::uint32_t counts[3 << kWidest];
  constexpr decltype(&count_digits<1>) kCount[] = {count_digits<1>, count_digits<2>, count_digits<3>, count_digits<4>};
  kCount[passes - 1](a, n, width, counts);
  const std::uint32_t size = 1u << width;
  for (int pass = 0; pass < passes; ++pass) {
    std::uint32_t* count = counts + static_cast<std::uint32_t>(pass) * size;
    const auto digit = [&](std::uint64_t word) { return key_of(word) >> (pass * width) & (size - 1); };
    if (count[digit(a[0])] == n) continue;
    std::uint32_t sum = 0;
    for (std::uint32_t k = 0; k < size; ++k)
      sum += std::exchange(count[k], sum);
    for (Index i = 0; i < n; ++i)
      b[count[digit(a[i])]++] = a[i];
    std::swap(a, b);
  }
  return a;
}

// Sorts n words by counting, for each, those below it; to `sorted`.
void rank_words(const std::uint64_t* words, Index n, std::uint64_t* sorted);
inline constexpr Index kMostRanked = 128;

// Sorts n words by the low `bits` of their keys, those of equal keys by position already; `spare` has room for n more.
// Returns where the result is.
inline std::uint64_t* sort_words(std::uint64_t* words, std::uint64_t* spare, Index n, int bits = 32) {
  if (n > kMostRanked) return radix_sort(words, spare, n, bits);
  if (n > 12) {
    rank_words(words, n, spare);
    return spare;
  }
  std::sort(words, words + n);
  return words;
}
inline constexpr Index kMostWide = 2048;  // wide words are few
inline WideWord* sort_words(WideWord* words, WideWord*, Index n) {
  std::sort(words, words + n);
  return words;
}

// The element at `at` of a line, from its key where the key holds all of it: a line is long, and `at` anywhere in it.
template <class T>
T element(KeyOf<T> key, const T* line, std::uint32_t at) {
  using Key = KeyOf<T>;
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(key ^ kTurned<T>);
  } else if constexpr (std::is_floating_point_v<T>) {
    constexpr Key kSign = Key{1} << (sizeof(Key) * 8 - 1);
    const T value = std::bit_cast<T>(key & kSign ? key ^ kSign : ~key);
    return value == 0 || value != value ? line[at] : value;  // keys of zeros and of NaN stand for several elements
  } else {
    return line[at];
  }
}

// keys[i] = sort_key(x[i]) ^ flip, and the least and the greatest of them.
void make_keys(const float* x, Index n, std::uint32_t flip, std::uint32_t* keys, std::uint32_t* low,
               std::uint32_t* high);
void make_keys(const double* x, Index n, std::uint64_t flip, std::uint64_t* keys, std::uint64_t* low,
               std::uint64_t* high);
void make_keys(const std::int32_t* x, Index n, std::uint32_t flip, std::uint32_t* keys, std::uint32_t* low,
               std::uint32_t* high);
void make_keys(const std::int64_t* x, Index n, std::uint64_t flip, std::uint64_t* keys, std::uint64_t* low,
               std::uint64_t* high);
template <class T, class Key>
void make_keys(const T* x, Index n, Key flip, Key* keys, Key* low, Key* high) {
  Key least = ~Key{0}, most = 0;
  for (Index i = 0; i < n; ++i) {
    keys[i] = static_cast<Key>(sort_key(x[i]) ^ flip);
    least = std::min(least, keys[i]);
    most = std::max(most, keys[i]);
  }
  *low = least;
  *high = most;
}

// Calls emit(place, position, element) for each place of the sorted line. `words` has room for 2 n.
template <class T, class Emit>
void order_line(const T* line, Index n, bool descending, WordOf<T>* words, const Emit& emit) {
  using Key = KeyOf<T>;
  const auto flip = descending ? static_cast<Key>(~Key{0}) : Key{0};
  auto* at = reinterpret_cast<std::uint64_t*>(words);
  Key* keys = reinterpret_cast<Key*>(at + n);  // where the sort will put its words
  Key low, high;
  make_keys(line, n, flip, keys, &low, &high);
  // Words hold the leading 32 bits of what is above the least key.
  const int bits = static_cast<int>(std::bit_width(static_cast<Key>(high - low))), dropped = std::max(bits - 32, 0);
  for (Index i = 0; i < n; ++i)
    at[i] = make_word(static_cast<std::uint32_t>((keys[i] - low) >> dropped), i);
  auto* sorted = sort_words(at, at + n, n, bits - dropped);
  if (dropped == 0) {
    for (Index i = 0; i < n; ++i)
      emit(i, position_of(sorted[i]), element<T>((low + key_of(sorted[i])) ^ flip, line, position_of(sorted[i])));
    return;
  }
  // Few are equal in them.
  const auto before = [&](std::uint64_t a, std::uint64_t b) {
    const Key x = sort_key(line[position_of(a)]) ^ flip, y = sort_key(line[position_of(b)]) ^ flip;
    return x != y ? x < y : a < b;
  };
  for (Index i = 0; i < n;) {
    const Index first = i;
    while (++i < n && key_of(sorted[i]) == key_of(sorted[first])) {
    }
    if (i - first > 1) std::sort(sorted + first, sorted + i, before);
  }
  for (Index i = 0; i < n; ++i)
    emit(i, position_of(sorted[i]), line[position_of(sorted[i])]);
}

// The first position in [i, n) that may be better than `bound`: above it for the largest, below it for the smallest,
// or NaN; n if there is none. `or_equal` also finds elements equal to the bound.
Index next_better(const float* x, Index i, Index n, float bound, bool largest, bool or_equal);
Index next_better(const double* x, Index i, Index n, double bound, bool largest, bool or_equal);

// A bound that at least k elements of a line reach, or are NaN, from the best of its parts; k <= kMostBounded.
float bound_of_best(const float* x, Index n, Index k, bool largest);
double bound_of_best(const double* x, Index n, Index k, bool largest);
inline constexpr Index kMostBounded = 16;

// Lines along one dimension of a contiguous tensor.
struct SortLines {
  Index outer = 1, size = 1, inner = 1;
  SortLines(const TensorBase& t, Index dim) {
    for (Index i = 0; i < t.dim(); ++i) {
      const Index extent = t.impl()->sizes()[i];
      (i < dim ? outer : i > dim ? inner : size) *= extent;
    }
  }
};

// Columns are read together, so that cache lines are used whole.
inline constexpr Index kSortColumns = 16;

// body(line, words, outer, column) for each line; `words` has room for twice the line.
template <class T, class Body>
void for_lines(const T* x, const SortLines& at, const Body& body) {
  using W = WordOf<T>;
  const Index group = std::min<Index>(at.inner, kSortColumns), groups = (at.inner + group - 1) / group;
  const Index per = std::max<Index>(1, kTaskElements / 8 / std::max<Index>(1, at.size * group));
  parallel_ranges(at.outer * groups, per, [&](Index t0, Index t1) {
    const Buffer<W> words(2 * at.size);
    const Buffer<T> columns(group > 1 ? group * at.size : 0);
    for (Index t = t0; t < t1; ++t) {
      const Index outer = t / groups, c0 = t % groups * group, w = std::min(group, at.inner - c0);
      const T* from = x + outer * at.size * at.inner + c0;
      if (group > 1)
        for (Index r = 0; r < at.size; ++r)
          for (Index c = 0; c < w; ++c)
            columns[c * at.size + r] = from[r * at.inner + c];
      for (Index c = 0; c < w; ++c)
        body(group > 1 ? columns.get() + c * at.size : from, words.get(), outer, c0 + c);
    }
  });
}
}  // namespace rushlight::cpu
