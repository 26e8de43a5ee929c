// randperm and multinomial.
#include "cpu/random/permute.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <numeric>
#include <vector>

#include "cpu/random/distributions.h"
#include "cpu/reduce/sort.h"

namespace rushlight::random {
namespace {

template <class From, class T>
void convert(const From* in, T* out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
      out[i] = T(static_cast<float>(in[i]));
    else if constexpr (std::is_constructible_v<T, float> && !std::is_arithmetic_v<T>)
      out[i] = T(0);
    else
      out[i] = static_cast<T>(in[i]);
  }
}

// Swaps each element with one at or behind it. Positions are computed a block ahead, and the lines
// they fall on are requested early.
void shuffle(Words& w, std::uint32_t* p, std::size_t n) {
  constexpr std::size_t kBlock = 1248, kAhead = 32;
  std::iota(p, p + n, 0u);
  std::uint32_t far[kBlock + kAhead] = {};
  for (std::size_t i = 0; i + 1 < n;) {
    const std::size_t count = std::min(n - 1 - i, kBlock);
    remainders(w, far, count, static_cast<std::uint32_t>(n - i));
    for (std::size_t j = 0; j < count; ++j) {
      __builtin_prefetch(p + std::min(i + j + kAhead + far[j + kAhead], n - 1), 1);
      std::swap(p[i + j], p[i + j + far[j]]);
    }
    i += count;
  }
}

// Long permutations: grown from the inside out, with 64-bit draws.
void grow_shuffled(Words& w, std::int64_t* p, std::size_t n) {
  constexpr std::size_t kBlock = 312;
  std::uint32_t draws[2 * kBlock];
  std::size_t near[kBlock];
  for (std::size_t i = 0; i < n; i += kBlock) {
    const std::size_t count = std::min(n - i, kBlock);
    fill_words(w, draws, 2 * count);
    for (std::size_t j = 0; j < count; ++j) {
      near[j] = (static_cast<std::uint64_t>(draws[2 * j]) << 32 | draws[2 * j + 1]) % (i + j + 1);
      __builtin_prefetch(p + near[j], 1);
    }
    for (std::size_t j = 0; j < count; ++j) {
      p[i + j] = static_cast<std::int64_t>(i + j);
      std::swap(p[i + j], p[near[j]]);
    }
  }
}

}  // namespace

void rand_perm(GeneratorState& g, Dtype type, void* out, std::size_t n) {
  if (n >= 0xffffffffull / 20) {
    if (type == Dtype::kInt64) return grow_shuffled(g.words, static_cast<std::int64_t*>(out), n);
    std::vector<std::int64_t> wide(n);
    grow_shuffled(g.words, wide.data(), n);
    visit(type, [&](auto t) { convert(wide.data(), static_cast<decltype(t)*>(out), n); });
  } else if (type == Dtype::kInt32) {
    shuffle(g.words, static_cast<std::uint32_t*>(out), n);
  } else if (type == Dtype::kInt64) {
    // 32-bit numbers halve the traffic; they lie in the upper half and are widened in place.
    std::uint32_t* narrow = static_cast<std::uint32_t*>(out) + n;
    shuffle(g.words, narrow, n);
    constexpr std::size_t kBlock = 64;  // read whole before it is written: then vectors serve
    for (std::size_t i = 0; i < n; i += kBlock) {
      std::uint32_t block[kBlock] = {};
      std::int64_t wide[kBlock];
      const std::size_t m = std::min(kBlock, n - i);
      std::memcpy(block, narrow + i, m * sizeof(block[0]));
      for (std::size_t j = 0; j < kBlock; ++j)
        wide[j] = block[j];
      std::memcpy(static_cast<char*>(out) + 8 * i, wide, m * sizeof(wide[0]));
    }
  } else {
    std::vector<std::uint32_t> narrow(n);
    shuffle(g.words, narrow.data(), n);
    visit(type, [&](auto t) { convert(narrow.data(), static_cast<decltype(t)*>(out), n); });
  }
}

namespace {

// The same without moving all scores: those that reach a bound on the last of the best are sorted. Whether the order is
// settled: no two of the best are equal, and none is NaN.
template <class T>
bool best_by_bound(const T* score, std::size_t categories, std::size_t samples, std::int64_t* out) {
  constexpr std::size_t kFewest = 256, kRoom = 128;
  if (categories < kFewest || samples > static_cast<std::size_t>(cpu::kMostBounded)) return false;
  const auto n = static_cast<std::int64_t>(categories), k = static_cast<std::int64_t>(samples);
  const T bound = cpu::bound_of_best(score, n, k, true);
  std::pair<T, std::int64_t> found[kRoom];
  std::size_t count = 0;
  for (std::int64_t i = 0; (i = cpu::next_better(score, i, n, bound, true, true)) < n; ++i) {
    if (count == kRoom || std::isnan(score[i])) return false;
    found[count++] = {score[i], i};
  }
  std::sort(found, found + count, [](const auto& a, const auto& b) { return a.first > b.first; });
  for (std::size_t j = 0; j < samples; ++j) {
    if (j + 1 < count && found[j].first == found[j + 1].first) return false;
    out[j] = found[j].second;
  }
  return true;
}

// The largest scores first. Equal ones (zero probabilities, half types) come in the order that
// these algorithms of libstdc++ leave them in.
template <class T>
void best(const T* score, std::size_t categories, std::size_t samples, std::int64_t* out) {
  if (samples == 1) {
    *out = std::max_element(score, score + categories) - score;
    return;
  }
  if (best_by_bound(score, categories, samples, out)) return;
  using Entry = std::pair<T, std::int64_t>;
  std::vector<Entry> queue(categories);
  for (std::size_t c = 0; c < categories; ++c)
    queue[c] = {score[c], static_cast<std::int64_t>(c)};
  const auto more = [](const Entry& a, const Entry& b) {
    return (std::isnan(a.first) && !std::isnan(b.first)) || a.first > b.first;
  };
  const auto begin = queue.begin(), middle = begin + samples;
  if (samples * 64 <= categories) {
    std::partial_sort(begin, middle, queue.end(), more);
  } else {
    std::nth_element(begin, middle - 1, queue.end(), more);
    std::sort(begin, middle - 1, more);
  }
  for (std::size_t j = 0; j < samples; ++j)
    out[j] = queue[j].second;
}

// With replacement: the first running sum, in p's type (half types: float32), that is not below a
// double uniform.
template <class T>
void with_replacement(GeneratorState& g, const T* p, std::size_t categories, std::size_t samples, std::int64_t* out) {
  std::vector<T> cumulative(categories);
  T sum = 0;
  for (std::size_t c = 0; c < categories; ++c)
    cumulative[c] = sum += p[c];
  for (T& x : cumulative)
    x /= sum;
  cumulative.back() = 1;
  // Sixteen searches in lockstep, so that their cache misses overlap.
  constexpr std::size_t kBatch = 16;
  for (std::size_t j = 0; j < samples; j += kBatch) {
    const std::size_t batch = std::min(samples - j, kBatch);
    double u[kBatch] = {};
    const T* low[kBatch];
    for (const T*& x : low)
      x = cumulative.data();
    uniform(g, Dtype::kFloat64, u, batch, 0, 1);
    for (std::size_t length = categories; length > 1; length -= length / 2) {
      const std::size_t half = length / 2;
      for (std::size_t k = 0; k < kBatch; ++k)
        low[k] += low[k][half - 1] < u[k] ? half : 0;
    }
    for (std::size_t k = 0; k < batch; ++k)
      out[j + k] = low[k] - cumulative.data() + (*low[k] < u[k]);
  }
}

// Without replacement: the largest p / q with q exponential, all in p's type.
template <class T>
void without_replacement(GeneratorState& g, Dtype type, const T* p, std::size_t rows, std::size_t categories,
                         std::size_t samples, std::int64_t* out) {
  std::vector<T> score(rows * categories);
  if (type == Dtype::kFloat16 || type == Dtype::kBFloat16) {
    if constexpr (std::is_same_v<T, float>) {
      std::vector<std::uint16_t> narrow(score.size());
      exponential(g, type, narrow.data(), narrow.size(), 1.0);
      to_floats(type, narrow.data(), score.data(), score.size());
      for (std::size_t i = 0; i < score.size(); ++i)
        score[i] = p[i] / score[i];
      from_floats(type, score.data(), narrow.data(), score.size());
      to_floats(type, narrow.data(), score.data(), score.size());
    }
  } else {
    exponential(g, type, score.data(), score.size(), 1.0);
    for (std::size_t i = 0; i < score.size(); ++i)
      score[i] = p[i] / score[i];
  }
  for (std::size_t r = 0; r < rows; ++r)
    best(score.data() + r * categories, categories, samples, out + r * samples);
}

}  // namespace

void multinomial(GeneratorState& g, Dtype type, const void* p, std::size_t rows, std::size_t categories,
                 std::size_t samples, bool replacement, std::int64_t* out) {
  const auto run = [&](const auto* chance) {
    if (!replacement || samples == 1) {
      without_replacement(g, type, chance, rows, categories, samples, out);
    } else {
      for (std::size_t r = 0; r < rows; ++r) {
        with_replacement(g, chance + r * categories, categories, samples, out + r * samples);
      }
    }
  };
  if (type == Dtype::kFloat32) {
    run(static_cast<const float*>(p));
  } else if (type == Dtype::kFloat64) {
    run(static_cast<const double*>(p));
  } else {
    std::vector<float> wide(rows * categories);
    to_floats(type, p, wide.data(), wide.size());
    run(wide.data());
  }
}

}  // namespace rushlight::random
