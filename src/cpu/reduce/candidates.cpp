// Keys of lines, the search for candidates of topk, and the sort of few words.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/reduce/candidates.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include "cpu/reduce/load-inl.h"
#include "cpu/reduce/sort.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::cpu {
namespace HWY_NAMESPACE {
namespace {

template <class T>
Index search(const T* x, Index i, Index n, T bound, bool largest, bool or_equal) {
  const Tag<T> d;
  constexpr Index kL = kLanes<T>;
  const auto b = hn::Set(d, bound);
  const auto find = [&](auto worse) HWY_ATTR {
    // A NaN is not worse than anything.
    for (; i + 4 * kL <= n; i += 4 * kL) {
      const auto w0 = worse(hn::LoadU(d, x + i)), w1 = worse(hn::LoadU(d, x + i + kL)),
                 w2 = worse(hn::LoadU(d, x + i + 2 * kL)), w3 = worse(hn::LoadU(d, x + i + 3 * kL));
      if (hn::AllTrue(d, hn::And(hn::And(w0, w1), hn::And(w2, w3)))) continue;
      Index at = i;
      std::intptr_t first = hn::FindFirstTrue(d, hn::Not(w0));
      if (first < 0) at += kL, first = hn::FindFirstTrue(d, hn::Not(w1));
      if (first < 0) at += kL, first = hn::FindFirstTrue(d, hn::Not(w2));
      if (first < 0) at += kL, first = hn::FindFirstTrue(d, hn::Not(w3));
      return at + first;
    }
    for (; i < n; ++i)
      if (!(largest ? x[i] < bound : x[i] > bound) && (or_equal || x[i] != bound)) return i;
    return n;
  };
  if (or_equal && largest) return find([&](auto v) HWY_ATTR { return hn::Lt(v, b); });
  if (or_equal) return find([&](auto v) HWY_ATTR { return hn::Gt(v, b); });
  if (largest) return find([&](auto v) HWY_ATTR { return hn::Le(v, b); });
  return find([&](auto v) HWY_ATTR { return hn::Ge(v, b); });
}

// Keys as sort_key makes them, all flipped, and their range.
template <class T, class Key>
void keys_of(const T* x, Index n, Key flip, Key* keys, Key* low, Key* high) {
  const Tag<T> d;
  const hn::RebindToUnsigned<Tag<T>> du;
  const hn::RebindToSigned<Tag<T>> di;
  constexpr Index kL = kLanes<T>;
  constexpr int kShift = sizeof(T) * 8 - 1;
  const auto sign = hn::Set(du, Key{1} << kShift), flips = hn::Set(du, flip);
  const auto key = [&](auto v) HWY_ATTR {
    if constexpr (hwy::IsFloat<T>()) {
      const auto nan = hn::Set(du, sizeof(T) == 4 ? Key{0x7fc00000u} : static_cast<Key>(0x7ff8ull << 48));
      const auto bits = hn::BitCast(di, hn::IfThenElse(hn::IsNaN(v), hn::BitCast(d, nan), hn::Add(v, hn::Zero(d))));
      const auto negative = hn::BitCast(du, hn::ShiftRight<kShift>(bits));
      return hn::Xor(hn::Xor(hn::BitCast(du, bits), hn::Or(negative, sign)), flips);
    } else {
      return hn::Xor(hn::BitCast(du, v), hn::Xor(sign, flips));
    }
  };
  auto least = hn::Set(du, ~Key{0}), most = hn::Zero(du);
  Index i = 0;
  for (; i + kL <= n; i += kL) {
    const auto k = key(hn::LoadU(d, x + i));
    hn::StoreU(k, du, keys + i);
    least = hn::Min(least, k);
    most = hn::Max(most, k);
  }
  if (const Index rest = n - i; rest > 0) {
    alignas(64) Key last[kL];
    hn::Store(key(load_part(d, x + i, rest)), du, last);
    std::memcpy(keys + i, last, static_cast<std::size_t>(rest) * sizeof(Key));
    for (Index k = 0; k < rest; ++k) {
      least = hn::Min(least, hn::Set(du, last[k]));
      most = hn::Max(most, hn::Set(du, last[k]));
    }
  }
  *low = hn::GetLane(hn::MinOfLanes(du, least));
  *high = hn::GetLane(hn::MaxOfLanes(du, most));
}

// The best of each of the lanes of one virtual register; then the k-th best of those that differ. Elements that are
// equal count once: the bound may be lower than needed, never higher. The first operand of Max and Min is dropped
// where it is NaN.
template <class T>
T bound_of(const T* x, Index n, Index k, bool largest) {
  const Tag<T> d;
  constexpr Index kL = kLanes<T>;
  constexpr int kU = kVectors<T>;
  const auto find = [&](T worst, auto better) HWY_ATTR {
    const auto none = hn::Set(d, worst);
    hn::Vec<Tag<T>> best[kU];
#pragma GCC unroll 16
    for (int u = 0; u < kU; ++u)
      best[u] = none;
    for (Index i = 0; i + kU * kL <= n; i += kU * kL) {
#pragma GCC unroll 16
      for (int u = 0; u < kU; ++u)
        best[u] = better(hn::LoadU(d, x + i + u * kL), best[u]);
    }
    T bound = worst;
    for (Index rank = 0; rank < k; ++rank) {
      auto top = best[0];
#pragma GCC unroll 16
      for (int u = 1; u < kU; ++u)
        top = better(best[u], top);
      bound = largest ? hn::GetLane(hn::MaxOfLanes(d, top)) : hn::GetLane(hn::MinOfLanes(d, top));
      const auto found = hn::Set(d, bound);
#pragma GCC unroll 16
      for (int u = 0; u < kU; ++u)
        best[u] = hn::IfThenElse(hn::Eq(best[u], found), none, best[u]);
    }
    return bound;
  };
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  if (largest) return find(-kInfinity, [](auto v, auto held) HWY_ATTR { return hn::Max(v, held); });
  return find(kInfinity, [](auto v, auto held) HWY_ATTR { return hn::Min(v, held); });
}

// Ranks of kU vectors of words at once: each word is compared with all.
template <int kU>
void rank_some(const std::uint64_t* words, Index n, Index first, std::uint64_t* sorted) {
  const Tag<std::uint64_t> d;
  constexpr Index kL = kLanes<std::uint64_t>;
  hn::Vec<Tag<std::uint64_t>> own[kU], rank[kU];
#pragma GCC unroll 8
  for (int u = 0; u < kU; ++u)
    own[u] = hn::LoadU(d, words + first + u * kL), rank[u] = hn::Zero(d);
  const auto one = hn::Set(d, 1);
  for (Index i = 0; i < n; ++i) {
    const auto other = hn::Set(d, words[i]);
#pragma GCC unroll 8
    for (int u = 0; u < kU; ++u)
      rank[u] = hn::Add(rank[u], hn::IfThenElseZero(hn::Lt(other, own[u]), one));
  }
  alignas(64) std::uint64_t ranks[kU * kL];
#pragma GCC unroll 8
  for (int u = 0; u < kU; ++u)
    hn::Store(rank[u], d, ranks + u * kL);
  for (Index i = 0; i < HWY_MIN(kU * kL, n - first); ++i)
    sorted[ranks[i]] = words[first + i];
}

}  // namespace

Index next_better_float(const float* x, Index i, Index n, float bound, bool largest, bool or_equal) {
  return search(x, i, n, bound, largest, or_equal);
}
Index next_better_double(const double* x, Index i, Index n, double bound, bool largest, bool or_equal) {
  return search(x, i, n, bound, largest, or_equal);
}
float bound_of_floats(const float* x, Index n, Index k, bool largest) { return bound_of(x, n, k, largest); }
double bound_of_doubles(const double* x, Index n, Index k, bool largest) { return bound_of(x, n, k, largest); }

constexpr auto keys_of_floats = keys_of<float, std::uint32_t>;
constexpr auto keys_of_doubles = keys_of<double, std::uint64_t>;
constexpr auto keys_of_int32 = keys_of<std::int32_t, std::uint32_t>;
constexpr auto keys_of_int64 = keys_of<std::int64_t, std::uint64_t>;

// The words are copied, so that whole vectors can be read.
void rank_all(const std::uint64_t* words, Index n, std::uint64_t* sorted) {
  constexpr Index kL = kLanes<std::uint64_t>;
  alignas(64) std::uint64_t padded[kMostRanked + 4 * kL];
  std::memcpy(padded, words, static_cast<std::size_t>(n) * sizeof(*words));
  std::memset(padded + n, 0, sizeof(padded) - static_cast<std::size_t>(n) * sizeof(*words));
  Index i = 0;
  for (; n - i > kL; i += 4 * kL)
    rank_some<4>(padded, n, i, sorted);
  for (; i < n; i += kL)
    rank_some<1>(padded, n, i, sorted);
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::cpu {
static constexpr simd::Table<Index(const float*, Index, Index, float, bool, bool)> kFloats =
    RL_SIMD_TABLE(next_better_float);
static constexpr simd::Table<Index(const double*, Index, Index, double, bool, bool)> kDoubles =
    RL_SIMD_TABLE(next_better_double);
static constexpr simd::Table<float(const float*, Index, Index, bool)> kBoundFloats = RL_SIMD_TABLE(bound_of_floats);
static constexpr simd::Table<double(const double*, Index, Index, bool)> kBoundDoubles = RL_SIMD_TABLE(bound_of_doubles);
static constexpr simd::Table<void(const std::uint64_t*, Index, std::uint64_t*)> kRank = RL_SIMD_TABLE(rank_all);

template <class T, class Key>
using KeysFn = void(const T*, Index, Key, Key*, Key*, Key*);
static constexpr simd::Table<KeysFn<float, std::uint32_t>> kKeysOfFloats = RL_SIMD_TABLE(keys_of_floats);
static constexpr simd::Table<KeysFn<double, std::uint64_t>> kKeysOfDoubles = RL_SIMD_TABLE(keys_of_doubles);
static constexpr simd::Table<KeysFn<std::int32_t, std::uint32_t>> kKeysOfInt32 = RL_SIMD_TABLE(keys_of_int32);
static constexpr simd::Table<KeysFn<std::int64_t, std::uint64_t>> kKeysOfInt64 = RL_SIMD_TABLE(keys_of_int64);

void make_keys(const float* x, Index n, std::uint32_t flip, std::uint32_t* keys, std::uint32_t* low,
               std::uint32_t* high) {
  kKeysOfFloats(x, n, flip, keys, low, high);
}
void make_keys(const double* x, Index n, std::uint64_t flip, std::uint64_t* keys, std::uint64_t* low,
               std::uint64_t* high) {
  kKeysOfDoubles(x, n, flip, keys, low, high);
}
void make_keys(const std::int32_t* x, Index n, std::uint32_t flip, std::uint32_t* keys, std::uint32_t* low,
               std::uint32_t* high) {
  kKeysOfInt32(x, n, flip, keys, low, high);
}
void make_keys(const std::int64_t* x, Index n, std::uint64_t flip, std::uint64_t* keys, std::uint64_t* low,
               std::uint64_t* high) {
  kKeysOfInt64(x, n, flip, keys, low, high);
}
Index next_better(const float* x, Index i, Index n, float bound, bool largest, bool or_equal) {
  return kFloats(x, i, n, bound, largest, or_equal);
}
Index next_better(const double* x, Index i, Index n, double bound, bool largest, bool or_equal) {
  return kDoubles(x, i, n, bound, largest, or_equal);
}
float bound_of_best(const float* x, Index n, Index k, bool largest) { return kBoundFloats(x, n, k, largest); }
double bound_of_best(const double* x, Index n, Index k, bool largest) { return kBoundDoubles(x, n, k, largest); }
void rank_words(const std::uint64_t* words, Index n, std::uint64_t* sorted) { kRank(words, n, sorted); }
}  // namespace rushlight::cpu
#endif
