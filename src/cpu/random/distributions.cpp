// The distributions. Each takes draws in first-level-cache chunks and transforms them in vectors.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/random/distributions.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include "cpu/random/cephes-inl.h"
#include "cpu/random/convert-inl.h"
#include "cpu/random/double-inl.h"
#include "cpu/random/engine-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::random {
namespace HWY_NAMESPACE {

using DF = hn::ScalableTag<float>;
constexpr std::size_t kLanesF = hn::MaxLanes(DF());
constexpr std::size_t kLanesD = hn::MaxLanes(dm::D());

struct Draws {
  alignas(64) std::uint32_t words[kChunk];

  // 53 bits of the draw pairs j, j + 1, ...
  HWY_INLINE dm::VU mantissas(std::size_t j) const {
    const D32 d;
    const auto swapped = hn::Shuffle2301(hn::LoadU(d, words + 2 * j));
    return hn::And(hn::BitCast(dm::DU(), swapped), hn::Set(dm::DU(), (1ull << 53) - 1));
  }
  HWY_INLINE dm::V Doubles(std::size_t j) const { return hn::Mul(dm::from_integer(mantissas(j)), dm::C(0x1p-53)); }
  HWY_INLINE std::uint64_t pair(std::size_t j) const {
    return static_cast<std::uint64_t>(words[2 * j]) << 32 | words[2 * j + 1];
  }
  HWY_INLINE double real(std::size_t j) const { return static_cast<double>(pair(j) & ((1ull << 53) - 1)) * 0x1p-53; }
  // 24 bits of the draws i, i + 1, ...
  HWY_INLINE hn::Vec<DF> floats(std::size_t i) const {
    const hn::RebindToSigned<DF> di;
    const auto bits = hn::And(hn::BitCast(di, hn::LoadU(D32(), words + i)), hn::Set(di, 0xffffff));
    return hn::Mul(hn::ConvertTo(DF(), bits), hn::Set(DF(), 0x1p-24f));
  }
};

// f(draws, i, m) for chunks [i, i + m) of n elements of `kWords` draws each.
template <std::size_t kWords, class F>
HWY_INLINE void in_chunks(Words& w, std::size_t n, std::size_t unit, F f) {
  Draws draws;
  for (std::size_t i = 0; i < n;) {
    const std::size_t m = chunk(w, (n - i) * kWords, kWords * unit) / kWords;
    fill(w, draws.words, m * kWords);
    f(draws, i, m);
    i += m;
  }
}

// Stores the vectors f(0), f(N), ... as n elements.
template <class D, class F>
HWY_INLINE void store_all(D d, hn::TFromD<D>* HWY_RESTRICT out, std::size_t n, F f) {
  constexpr std::size_t kN = hn::MaxLanes(D());
  std::size_t i = 0;
  for (; i + kN <= n; i += kN)
    hn::StoreU(f(i), d, out + i);
  if (i < n) {
    alignas(64) hn::TFromD<D> last[kN];
    hn::Store(f(i), d, last);
    std::memcpy(out + i, last, (n - i) * sizeof(last[0]));
  }
}

// ------------------------------------------------------------------------------------------
// uniform

// x * (to - from) + from, rounded once; a result that rounds up to `to` becomes `from`.
void uniform_double(Words& w, double* out, std::size_t n, double from, double to) {
  const double span = to - from;
  const dm::D d;
  in_chunks<2>(w, n, 1, [&](const Draws& draws, std::size_t at, std::size_t m) HWY_ATTR {
    if (from == 0 || HWY_TARGET <= HWY_AVX2) {
      store_all(d, out + at, m, [&](std::size_t j) HWY_ATTR {
        const auto x = hn::MulAdd(draws.Doubles(j), dm::C(span), dm::C(from));
        return hn::IfThenElse(hn::Eq(x, dm::C(to)), dm::C(from), x);
      });
    } else {
      for (std::size_t j = 0; j < m; ++j) {
        const double x = std::fma(draws.real(j), span, from);
        out[at + j] = x == to ? from : x;
      }
    }
  });
}

template <class T>
void uniform_narrow(Words& w, T* out, std::size_t n, double from, double to) {
  const DF d;
  const float low = static_cast<float>(from), high = static_cast<float>(to), span = high - low;
  const auto vlow = hn::Set(d, low), vhigh = hn::Set(d, high), vspan = hn::Set(d, span);
  in_chunks<1>(w, n, 1, [&](const Draws& draws, std::size_t at, std::size_t m) HWY_ATTR {
    const auto value = [&](std::size_t i) HWY_ATTR { return fma(d, draws.floats(i), vspan, vlow); };
    if constexpr (std::is_same_v<T, float>) {
      if (low == 0 && high == 1) {
        store_all(d, out + at, m, [&](std::size_t i) HWY_ATTR { return draws.floats(i); });
      } else {
        store_all(d, out + at, m, [&](std::size_t i) HWY_ATTR {
          const auto x = value(i);
          return hn::IfThenElse(hn::Eq(x, vhigh), vlow, x);
        });
      }
    } else {
      alignas(64) float values[kChunk];
      for (std::size_t i = 0; i < m; i += kLanesF)
        hn::Store(value(i), d, values + i);
      narrow(values, out + at, m);
      replace(out + at, m, from_float<T>(high), from_float<T>(low));
    }
  });
}

void uniform(GeneratorState& g, Dtype type, void* out, std::size_t n, double from, double to) {
  for_floating(type, [&](auto t) HWY_ATTR {
    using T = decltype(t);
    if constexpr (std::is_same_v<T, double>)
      uniform_double(g.words, static_cast<T*>(out), n, from, to);
    else
      uniform_narrow(g.words, static_cast<T*>(out), n, from, to);
  });
}

// -------------------------------------------------------------------------------------------
// normal

// Box-Muller on blocks of 16 uniforms: the radius comes from the first eight, the angle from the
// others.
HWY_INLINE void normal_blocks(const Draws& draws, float* out, std::size_t n, float mean, float std) {
  const DF d;
  const auto one = hn::Set(d, 1.0f), vmean = hn::Set(d, mean), vstd = hn::Set(d, std);
  const auto pair = [&](auto a, auto b, auto& first, auto& second) HWY_ATTR {
    const auto radius = hn::Sqrt(hn::Mul(hn::Set(d, -2.0f), cephes_log(d, hn::Sub(one, a))));
    hn::Vec<DF> sine, cosine;
    cephes_sin_cos(d, hn::Mul(hn::Set(d, 6.28318530717958647692f), b), sine, cosine);
    first = fma(d, hn::Mul(radius, cosine), vstd, vmean);
    second = fma(d, hn::Mul(radius, sine), vstd, vmean);
  };
  hn::Vec<DF> first, second;
  std::size_t i = 0;
  if constexpr (kLanesF == 16) {  // two blocks at a time
    for (; i + 32 <= n; i += 32) {
      const auto a = draws.floats(i), b = draws.floats(i + 16);
      pair(hn::ConcatLowerLower(d, b, a), hn::ConcatUpperUpper(d, b, a), first, second);
      hn::StoreU(hn::ConcatLowerLower(d, second, first), d, out + i);
      hn::StoreU(hn::ConcatUpperUpper(d, second, first), d, out + i + 16);
    }
    if (i < n) {
      const auto a = draws.floats(i);
      pair(a, hn::ConcatUpperUpper(d, a, a), first, second);
      hn::StoreU(hn::ConcatLowerLower(d, second, first), d, out + i);
    }
  } else {
    for (; i < n; i += 16) {
      for (std::size_t j = i; j < i + 8; j += kLanesF) {
        pair(draws.floats(j), draws.floats(j + 8), first, second);
        hn::StoreU(first, d, out + j);
        hn::StoreU(second, d, out + j + 8);
      }
    }
  }
}

// Float64 results must be libm's, so they are computed by it.
HWY_INLINE void normal_blocks(const Draws& draws, double* out, std::size_t n, double mean, double std) {
  for (std::size_t i = 0; i < n; i += 16) {
    for (std::size_t j = i; j < i + 8; ++j) {
      const double radius = std::sqrt(-2 * std::log(1 - draws.real(j)));
      const double theta = 6.283185307179586476925286766559 * draws.real(j + 8);
      out[j] = std::fma(radius * std::cos(theta), std, mean);
      out[j + 8] = std::fma(radius * std::sin(theta), std, mean);
    }
  }
}

// The last n % 16 elements come with their predecessors from 16 new draws. float32 and float64 have
// drawn a uniform for every element before; half types for whole blocks only.
template <class T>
void normal_dense(Words& w, T* out, std::size_t n, double mean, double std) {
  using Wide = std::conditional_t<kHalf<T>, float, T>;
  constexpr std::size_t kWords = sizeof(Wide) / 4;
  const auto blocks = [&](const Draws& draws, T* to, std::size_t m) HWY_ATTR {
    const Wide wide_mean = static_cast<Wide>(mean), wide_std = static_cast<Wide>(std);
    if constexpr (kHalf<T>) {
      alignas(64) float values[kChunk];
      normal_blocks(draws, values, m, wide_mean, wide_std);
      narrow(values, to, m);
    } else {
      normal_blocks(draws, to, m, wide_mean, wide_std);
    }
  };
  const std::size_t rest = n % 16;
  in_chunks<kWords>(w, n - rest, 16,
                    [&](const Draws& draws, std::size_t at, std::size_t m) HWY_ATTR { blocks(draws, out + at, m); });
  if (rest != 0) {
    Draws draws;
    if constexpr (!kHalf<T>) fill(w, draws.words, rest * kWords);
    fill(w, draws.words, 16 * kWords);
    blocks(draws, out + n - 16, 16);
  }
}

// -------------------------------------------------------------- one at a time, computed in double

// True if adding anything within +-error leaves the float32 rounding of every lane alone.
HWY_INLINE bool is_decided(dm::V value, dm::V error) {
  const hn::Rebind<float, dm::D> df;
  const auto low = hn::DemoteTo(df, hn::Sub(value, error)), high = hn::DemoteTo(df, hn::Add(value, error));
  return hn::AllTrue(df, hn::Eq(low, high));
}

// m values, computed in double, as elements at, at + 1, ... of `out`.
HWY_NOINLINE void store_doubles(Dtype type, const double* HWY_RESTRICT values, void* out, std::size_t at,
                                std::size_t m) {
  for_all(type, [&](auto t) HWY_ATTR {
    using T = decltype(t);
    T* HWY_RESTRICT to = static_cast<T*>(out) + at;
    if constexpr (kHalf<T>) {
      alignas(64) float singles[kChunk];
      for (std::size_t j = 0; j < m; ++j)
        singles[j] = static_cast<float>(values[j]);
      narrow(singles, to, m);
    } else {
      for (std::size_t j = 0; j < m; ++j)
        to[j] = static_cast<T>(values[j]);
    }
  });
}

// A distribution F has scalar(u), libm's result, and vector(u, decided), the same up to a few ulp.
template <class F>
void from_uniforms(Words& w, Dtype type, void* out, std::size_t n, const F& f) {
  in_chunks<2>(w, n, 1, [&](const Draws& draws, std::size_t at, std::size_t m) HWY_ATTR {
    alignas(64) double values[kChunk / 2];
    for (std::size_t j = 0; j < m; j += kLanesD) {
      bool decided = false;
      if (type != Dtype::kFloat64 || F::kExactVector)
        hn::Store(f.vector(draws.Doubles(j), decided), dm::D(), values + j);
      if (HWY_UNLIKELY(!decided)) {
        for (std::size_t k = j; k < std::min(j + kLanesD, m); ++k)
          values[k] = f.scalar(draws.real(k));
      }
    }
    store_doubles(type, values, out, at, m);
  });
}

struct ExponentialOf {
  static constexpr bool kExactVector = false;
  double factor;
  HWY_INLINE double scalar(double u) const { return factor * std::log1p(-u); }
  HWY_INLINE dm::V vector(dm::V u, bool& decided) const {
    const auto value = hn::Mul(dm::C(factor), dm::log(hn::Sub(dm::C(1), u)));  // 1 - u is exact
    decided = is_decided(value, hn::Mul(hn::Abs(value), dm::C(0x1p-49)));
    return value;
  }
};

struct GeometricOf {
  static constexpr bool kExactVector = true;
  double log_q;
  HWY_INLINE double scalar(double u) const { return std::ceil(std::log(u) / log_q); }
  HWY_INLINE dm::V vector(dm::V u, bool& decided) const {
    const dm::D d;
    const auto trials = hn::Div(dm::log(u), dm::C(log_q));
    const auto distance = hn::Abs(hn::Sub(trials, hn::Round(trials)));
    const auto unsafe = hn::Or(hn::Le(distance, hn::Mul(trials, dm::C(0x1p-49))), hn::Eq(u, hn::Zero(d)));
    decided = hn::AllFalse(d, unsafe);
    return hn::Ceil(trials);
  }
};

struct CauchyOf {
  static constexpr bool kExactVector = false;
  double median, sigma;
  HWY_INLINE double scalar(double u) const {
    return std::fma(sigma, std::tan(3.14159265358979323846 * (u - 0.5)), median);
  }
  HWY_INLINE dm::V vector(dm::V u, bool& decided) const {
    const auto tangent = dm::tan(hn::Mul(dm::C(3.14159265358979323846), hn::Sub(u, dm::C(0.5))));
    const auto part = hn::Mul(dm::C(sigma), tangent), value = hn::Add(part, dm::C(median));
    decided = is_decided(value, hn::MulAdd(hn::Abs(part), dm::C(0x1p-48), hn::Mul(hn::Abs(value), dm::C(0x1p-50))));
    return value;
  }
};

// The same for functions of a standard normal value.
struct NormalOf {
  double mean, std;
  HWY_INLINE double scalar(double z) const { return std::fma(z, std, mean); }
  HWY_INLINE dm::V vector(dm::V z, bool& decided) const {
    const auto part = hn::Mul(z, dm::C(std)), value = hn::Add(part, dm::C(mean));
    decided = is_decided(value, hn::MulAdd(hn::Abs(part), dm::C(0x1p-48), hn::Mul(hn::Abs(value), dm::C(0x1p-50))));
    return value;
  }
};
struct LogNormalOf {
  NormalOf normal;
  HWY_INLINE double scalar(double z) const { return std::exp(normal.scalar(z)); }
  HWY_INLINE dm::V vector(dm::V z, bool& decided) const {
    const auto part = hn::Mul(z, dm::C(normal.std)), log = hn::Add(part, dm::C(normal.mean));
    const auto value = dm::exp(log);
    const auto relative = hn::MulAdd(hn::Add(hn::Abs(part), hn::Abs(log)), dm::C(0x1p-48), dm::C(0x1p-50));
    decided = hn::AllTrue(dm::D(), hn::Lt(hn::Abs(log), dm::C(700))) && is_decided(value, hn::Mul(value, relative));
    return value;
  }
};

// Box-Muller in double: two results per two uniforms, the second one kept in the generator.
struct Pair {
  double first, second;
  Pair(double u1, double u2) {
    const double radius = std::sqrt(-2.0 * std::log1p(-u2)), theta = 6.283185307179586476925286766559 * u1;
    first = radius * std::cos(theta);
    second = radius * std::sin(theta);
  }
};

template <class F>
void from_normals(GeneratorState& g, Dtype type, void* out, std::size_t n, const F& f) {
  std::size_t done = 0;
  if (n != 0 && g.cached_normal) {
    const double value = f.scalar(*g.cached_normal);
    store_doubles(type, &value, out, done++, 1);
    g.cached_normal.reset();
  }
  in_chunks<4>(g.words, (n - done) / 2, 1, [&](const Draws& draws, std::size_t at, std::size_t m) HWY_ATTR {
    const dm::D d;
    alignas(64) double values[kChunk / 2];
    for (std::size_t j = 0; j < m; j += kLanesD) {
      bool first = false, second = false;
      if (type != Dtype::kFloat64) {
        const auto a = draws.Doubles(2 * j), b = draws.Doubles(2 * j + kLanesD);
        const auto u1 = hn::ConcatEven(d, b, a), u2 = hn::ConcatOdd(d, b, a);
        const auto radius = hn::Sqrt(hn::Mul(dm::C(-2), dm::log(hn::Sub(dm::C(1), u2))));
        dm::V sine, cosine;
        dm::sin_cos(hn::Mul(dm::C(6.283185307179586476925286766559), u1), sine, cosine);
        const auto even = f.vector(hn::Mul(radius, cosine), first), odd = f.vector(hn::Mul(radius, sine), second);
        hn::StoreInterleaved2(even, odd, d, values + 2 * j);
      }
      if (HWY_UNLIKELY(!(first && second))) {
        for (std::size_t k = j; k < std::min(j + kLanesD, m); ++k) {
          const Pair pair(draws.real(2 * k), draws.real(2 * k + 1));
          values[2 * k] = f.scalar(pair.first);
          values[2 * k + 1] = f.scalar(pair.second);
        }
      }
    }
    store_doubles(type, values, out, done + 2 * at, 2 * m);
  });
  if ((n - done) % 2 != 0) {
    Draws draws;
    fill(g.words, draws.words, 4);
    const Pair pair(draws.real(0), draws.real(1));
    const double value = f.scalar(pair.first);
    store_doubles(type, &value, out, n - 1, 1);
    g.cached_normal = pair.second;
  }
}

void normal(GeneratorState& g, Dtype type, void* out, std::size_t n, double mean, double std, bool dense) {
  if (!is_floating(type)) return;
  if (!dense || n < 16) {
    from_normals(g, type, out, n, NormalOf{mean, std});
    return;
  }
  for_floating(type, [&](auto t) HWY_ATTR { normal_dense(g.words, static_cast<decltype(t)*>(out), n, mean, std); });
}
void log_normal(GeneratorState& g, Dtype type, void* out, std::size_t n, double mean, double std) {
  if (!is_floating(type)) return;
  from_normals(g, type, out, n, LogNormalOf{{mean, std}});
}
void exponential(GeneratorState& g, Dtype type, void* out, std::size_t n, double lambda) {
  if (!is_floating(type)) return;
  from_uniforms(g.words, type, out, n, ExponentialOf{-1.0 / lambda});
}
void cauchy(GeneratorState& g, Dtype type, void* out, std::size_t n, double median, double sigma) {
  if (!is_floating(type)) return;
  from_uniforms(g.words, type, out, n, CauchyOf{median, sigma});
}
void geometric(GeneratorState& g, Dtype type, void* out, std::size_t n, double p) {
  if (type == Dtype::kBool || is_complex(type)) return;
  from_uniforms(g.words, type, out, n, GeometricOf{std::log1p(-p)});
}

// -----------------------------------------------------------------------------------------
// integers

// Division of 32- and 64-bit numbers by an invariant: q = (t + ((x - t) >> s1)) >> s2, t = high(x *
// m).
template <class U, class UU>
struct Divider {
  U range, magic;
  int s1, s2;
  explicit Divider(U r) : range(r) {
    constexpr int kBits = 8 * sizeof(U);
    int log = 0;
    while (log < kBits && (static_cast<UU>(1) << log) < r)
      ++log;
    magic = static_cast<U>(((((static_cast<UU>(1) << log) - r) << kBits) / r) + 1);
    s1 = std::min(log, 1);
    s2 = std::max(log - 1, 0);
  }
  HWY_INLINE U remainder(U x) const {
    const U t = static_cast<U>((static_cast<UU>(x) * magic) >> (8 * sizeof(U)));
    return static_cast<U>(x - ((t + ((x - t) >> s1)) >> s2) * range);
  }
};
using Divider32 = Divider<std::uint32_t, std::uint64_t>;
using Divider64 = Divider<std::uint64_t, unsigned __int128>;

template <class Word>
HWY_NOINLINE void store_integers(Dtype type, const Word* HWY_RESTRICT values, std::int64_t base, void* out,
                                 std::size_t at, std::size_t m) {
  for_all(type, [&](auto t) HWY_ATTR {
    using T = decltype(t);
    T* HWY_RESTRICT to = static_cast<T*>(out) + at;
    for (std::size_t j = 0; j < m; ++j) {
      to[j] = from_integer<T>(
          static_cast<std::int64_t>(static_cast<std::uint64_t>(values[j]) + static_cast<std::uint64_t>(base)));
    }
  });
}

// base + draw % range, a range of 0 standing for 2^64.
void integers(Words& w, Dtype type, void* out, std::size_t n, bool wide, std::uint64_t range, std::int64_t base) {
  if (wide) {
    const bool mask = (range & (range - 1)) == 0;
    const Divider64 divide(mask ? 1 : range);
    in_chunks<2>(w, n, 1, [&](const Draws& draws, std::size_t at, std::size_t m) HWY_ATTR {
      std::uint64_t values[kChunk / 2];
      for (std::size_t j = 0; j < m; ++j) {
        const std::uint64_t x = draws.pair(j);
        values[j] = mask ? x & (range - 1) : divide.remainder(x);
      }
      store_integers(type, values, base, out, at, m);
    });
    return;
  }
  const D32 d;
  const std::uint32_t narrow = static_cast<std::uint32_t>(range);
  const bool mask = (narrow & (narrow - 1)) == 0;
  const Divider32 divide(mask ? 1 : narrow);
  in_chunks<1>(w, n, 1, [&](Draws& draws, std::size_t at, std::size_t m) HWY_ATTR {
    for (std::size_t i = 0; i < m; i += kLanes32) {
      const auto x = hn::Load(d, draws.words + i);
      V32 r;
      if (mask) {
        r = hn::And(x, hn::Set(d, narrow - 1));
      } else {
        const auto magic = hn::Set(d, divide.magic);
        const auto even = hn::MulEven(x, magic);
        const auto odd = hn::MulEven(hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(dm::DU(), x))), magic);
        const auto t = hn::OddEven(hn::BitCast(d, odd), hn::BitCast(d, hn::ShiftRight<32>(even)));
        const auto q = hn::ShiftRightSame(hn::Add(t, hn::ShiftRightSame(hn::Sub(x, t), divide.s1)), divide.s2);
        r = hn::Sub(x, hn::Mul(q, hn::Set(d, narrow)));
      }
      hn::Store(r, d, draws.words + i);
    }
    store_integers(type, draws.words, base, out, at, m);
  });
}

// The nearest bounds that stay inside after conversion to a floating type.
template <class T>
std::int64_t gap(std::int64_t x) {
  int log = 0;
  for (x = std::abs(x); x >>= 1;)
    ++log;
  return 1ll << (log - kDigits<T> + 1);
}
template <class T>
std::int64_t as_stored(std::int64_t x) {
  if constexpr (kHalf<T>)
    return static_cast<std::int64_t>(to_float(from_float<T>(static_cast<float>(x))));
  else
    return static_cast<std::int64_t>(static_cast<T>(x));
}
template <class T>
std::int64_t inner_from(std::int64_t from) {
  if constexpr (kFloating<T>) {
    const std::int64_t next = as_stored<T>(from + 1);
    if (next < from) return next + gap<T>(from + 1);
  }
  return from;
}
template <class T>
std::int64_t inner_to(std::int64_t to) {
  if constexpr (kFloating<T>) {
    const std::int64_t last = as_stored<T>(to - 1);
    if (last >= to) return last - gap<T>(to - 1);
  }
  return to;
}

constexpr std::uint64_t kWideFrom = 1ull << 28;  // ranges that take 64-bit draws, for every type

void random_range(GeneratorState& g, Dtype type, void* out, std::size_t n, std::int64_t from, std::int64_t to) {
  for_all(type, [&](auto t) HWY_ATTR {
    using T = decltype(t);
    const std::int64_t first = inner_from<T>(from);
    const std::uint64_t range = static_cast<std::uint64_t>(inner_to<T>(to)) - static_cast<std::uint64_t>(first);
    integers(g.words, type, out, n, range >= kWideFrom, range, first);
  });
}

template <class T>
constexpr std::uint64_t largest() {
  if constexpr (kFloating<T>)
    return 1ull << kDigits<T>;
  else if constexpr (sizeof(T) == 8)
    return (1ull << 63) - 1;
  else
    return static_cast<std::uint64_t>(std::numeric_limits<T>::max());
}

void random_from(GeneratorState& g, Dtype type, void* out, std::size_t n, std::int64_t from) {
  const bool full = from == std::numeric_limits<std::int64_t>::min();
  if (full && type != Dtype::kInt64 && (!is_floating(type) || type == Dtype::kFloat16)) return;
  for_all(type, [&](auto t) HWY_ATTR {
    using T = decltype(t);
    const std::int64_t first = full ? 0 : inner_from<T>(from);
    const std::uint64_t range = full ? 0 : largest<T>() - static_cast<std::uint64_t>(first) + 1;
    integers(g.words, type, out, n, full || range >= kWideFrom, range, first);
  });
}

void random_integers(GeneratorState& g, Dtype type, void* out, std::size_t n) {
  for_all(type, [&](auto t) HWY_ATTR {
    using T = decltype(t);
    constexpr bool kWide = sizeof(T) == 8;
    integers(g.words, type, out, n, kWide, largest<T>() + 1, 0);
  });
}

// ----------------------------------------------------------------------------------------
// bernoulli

// u < p for a double uniform u is k < ceil(p * 2^53) for its 53 bits k.
HWY_INLINE dm::VU successes(const Draws& draws, std::size_t j, dm::VU threshold) {
  const hn::RebindToSigned<dm::DU> di;
  const auto below = hn::Lt(hn::BitCast(di, draws.mantissas(j)), hn::BitCast(di, threshold));
  return hn::BitCast(dm::DU(), hn::VecFromMask(di, below));
}
HWY_INLINE dm::VU Threshold(double p) { return hn::Set(dm::DU(), static_cast<std::uint64_t>(std::ceil(p * 0x1p53))); }

// A type as a two-valued result sees it: its size and the bits of a success.
struct Flag {
  std::size_t size = 0;
  std::uint64_t one = 0;
};
HWY_INLINE Flag flag_of(Dtype type, double value = 1) {
  Flag flag;
  for_all(type, [&](auto t) HWY_ATTR {
    using T = decltype(t);
    const T one = from_double<T>(value);
    flag.size = sizeof(T);
    std::memcpy(&flag.one, &one, sizeof(T));
  });
  return flag;
}

template <class U>
HWY_INLINE void store_flags(const std::uint32_t* HWY_RESTRICT flags, void* out, std::size_t at, std::size_t m) {
  U* HWY_RESTRICT to = static_cast<U*>(out) + at;
  for (std::size_t j = 0; j < m; ++j)
    to[j] = static_cast<U>(flags[j]);
}

// Stores 1 where the masks hits(j), for the 64-bit lanes j, j + 1, ..., are set, and 0 elsewhere.
template <class F>
HWY_INLINE void store_hits(const Flag& flag, void* out, std::size_t at, std::size_t m, F hits) {
  const D32 d;
  const auto one = hn::Set(d, static_cast<std::uint32_t>(flag.one));
  const auto flags = [&](std::size_t j) HWY_ATTR {
    return hn::And(one, hn::ConcatEven(d, hn::BitCast(d, hits(j + kLanesD)), hn::BitCast(d, hits(j))));
  };
  if (flag.size == 8) {
    const auto one64 = hn::Set(dm::DU(), flag.one);
    store_all(dm::DU(), static_cast<std::uint64_t*>(out) + at, m,
              [&](std::size_t j) HWY_ATTR { return hn::And(one64, hits(j)); });
  } else if (flag.size == 4) {
    store_all(d, static_cast<std::uint32_t*>(out) + at, m, flags);
  } else {
    alignas(64) std::uint32_t wide[kChunk];
    for (std::size_t j = 0; j < m; j += kLanes32)
      hn::Store(flags(j), d, wide + j);
    if (flag.size == 2)
      store_flags<std::uint16_t>(wide, out, at, m);
    else
      store_flags<std::uint8_t>(wide, out, at, m);
  }
}

void bernoulli(GeneratorState& g, Dtype type, void* out, std::size_t n, double p, double one) {
  const auto threshold = Threshold(p);
  const Flag flag = flag_of(type, one);
  if (flag.size == 0) return;
  in_chunks<2>(g.words, n, 1, [&](const Draws& draws, std::size_t at, std::size_t m) HWY_ATTR {
    store_hits(flag, out, at, m, [&](std::size_t j) HWY_ATTR { return successes(draws, j, threshold); });
  });
}

// A double p is compared with a double uniform, any other with a float32 one.
void bernoulli_tensor(GeneratorState& g, Dtype type, void* out, std::size_t n, Dtype p_type, const void* p) {
  const Flag flag = flag_of(type);
  if (flag.size == 0) return;
  for_floating(p_type, [&](auto q) HWY_ATTR {
    using P = decltype(q);
    using Wide = std::conditional_t<std::is_same_v<P, double>, double, float>;
    constexpr std::size_t kWords = sizeof(Wide) / 4;
    in_chunks<kWords>(g.words, n, 1, [&](const Draws& draws, std::size_t at, std::size_t m) HWY_ATTR {
      const P* HWY_RESTRICT chance = static_cast<const P*>(p) + at;
      const dm::D d;
      alignas(64) Wide wide[kChunk + 16];  // p, and room for whole vectors
      for (std::size_t j = 0; j < m; ++j) {
        if constexpr (kHalf<P>)
          wide[j] = to_float(chance[j]);
        else
          wide[j] = chance[j];
      }
      store_hits(flag, out, at, m, [&](std::size_t j) HWY_ATTR {
        dm::V u, limit;
        if constexpr (kWords == 2) {
          u = draws.Doubles(j);
          limit = hn::LoadU(d, wide + j);
        } else {
          const hn::Rebind<float, dm::D> df;
          const hn::Rebind<std::int32_t, dm::D> di;
          const auto words = hn::LoadU(hn::Rebind<std::uint32_t, dm::D>(), draws.words + j);
          const auto bits = hn::And(hn::BitCast(di, words), hn::Set(di, 0xffffff));
          u = hn::Mul(hn::PromoteTo(d, bits), dm::C(0x1p-24));
          limit = hn::PromoteTo(d, hn::LoadU(df, wide + j));
        }
        return hn::BitCast(dm::DU(), hn::VecFromMask(d, hn::Lt(u, limit)));
      });
    });
  });
}

void fill_words(Words& words, std::uint32_t* out, std::size_t n) { fill(words, out, n); }

bool to_floats(Dtype type, const void* in, float* out, std::size_t n) {
  if (type != Dtype::kFloat16 && type != Dtype::kBFloat16) return false;
  for (std::size_t i = 0; i < n; ++i) {
    out[i] =
        type == Dtype::kFloat16 ? to_float(static_cast<const F16*>(in)[i]) : to_float(static_cast<const BF16*>(in)[i]);
  }
  return true;
}
bool from_floats(Dtype type, const float* in, void* out, std::size_t n) {
  if (type == Dtype::kFloat16)
    narrow(in, static_cast<F16*>(out), n);
  else if (type == Dtype::kBFloat16)
    narrow(in, static_cast<BF16*>(out), n);
  else
    return false;
  return true;
}

// The quotient of a 32-bit and a smaller number, rounded to double, never reaches the next integer.
void remainders(Words& w, std::uint32_t* out, std::size_t count, std::uint32_t divisor) {
  const dm::D d;
  const hn::Rebind<std::uint32_t, dm::D> narrow;
  const hn::Rebind<std::int32_t, dm::D> signed_narrow;
  Draws draws;
  fill(w, draws.words, count);
  for (std::size_t i = 0; i < count; i += kLanesD) {
    const auto x = dm::from_small(hn::PromoteTo(dm::DU(), hn::LoadU(narrow, draws.words + i)));
    const auto by = hn::Sub(dm::C(divisor), hn::Iota(d, static_cast<double>(i)));
    const auto rest = hn::NegMulAdd(hn::Floor(hn::Div(x, by)), by, x);
    hn::StoreU(hn::BitCast(narrow, hn::DemoteTo(signed_narrow, rest)), narrow, out + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::random
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "cpu/random/permute.h"

namespace rushlight::random {

#define RL_FORWARD(Result, Name, Parameters, Arguments)                        \
  Result Name Parameters {                                                     \
    static constexpr simd::Table<decltype(Name)> kTable = RL_SIMD_TABLE(Name); \
    return kTable Arguments;                                                   \
  }
using State = GeneratorState;
RL_FORWARD(void, uniform, (State & g, Dtype t, void* o, std::size_t n, double a, double b), (g, t, o, n, a, b))
RL_FORWARD(void, normal, (State & g, Dtype t, void* o, std::size_t n, double a, double b, bool d),
           (g, t, o, n, a, b, d))
RL_FORWARD(void, random_range, (State & g, Dtype t, void* o, std::size_t n, std::int64_t a, std::int64_t b),
           (g, t, o, n, a, b))
RL_FORWARD(void, random_from, (State & g, Dtype t, void* o, std::size_t n, std::int64_t a), (g, t, o, n, a))
RL_FORWARD(void, random_integers, (State & g, Dtype t, void* o, std::size_t n), (g, t, o, n))
RL_FORWARD(void, bernoulli, (State & g, Dtype t, void* o, std::size_t n, double p, double one), (g, t, o, n, p, one))
RL_FORWARD(void, bernoulli_tensor, (State & g, Dtype t, void* o, std::size_t n, Dtype u, const void* p),
           (g, t, o, n, u, p))
RL_FORWARD(void, exponential, (State & g, Dtype t, void* o, std::size_t n, double l), (g, t, o, n, l))
RL_FORWARD(void, geometric, (State & g, Dtype t, void* o, std::size_t n, double p), (g, t, o, n, p))
RL_FORWARD(void, cauchy, (State & g, Dtype t, void* o, std::size_t n, double a, double b), (g, t, o, n, a, b))
RL_FORWARD(void, log_normal, (State & g, Dtype t, void* o, std::size_t n, double a, double b), (g, t, o, n, a, b))
RL_FORWARD(bool, to_floats, (Dtype t, const void* i, float* o, std::size_t n), (t, i, o, n))
RL_FORWARD(bool, from_floats, (Dtype t, const float* i, void* o, std::size_t n), (t, i, o, n))
RL_FORWARD(void, fill_words, (Words & w, std::uint32_t* o, std::size_t n), (w, o, n))
RL_FORWARD(void, remainders, (Words & w, std::uint32_t* o, std::size_t n, std::uint32_t d), (w, o, n, d))

std::uint32_t next32(GeneratorState& g) {
  std::uint32_t word;
  fill_words(g.words, &word, 1);
  return word;
}
std::uint64_t next64(GeneratorState& g) {
  std::uint32_t pair[2];
  fill_words(g.words, pair, 2);
  return static_cast<std::uint64_t>(pair[0]) << 32 | pair[1];
}
double next_double(GeneratorState& g) { return static_cast<double>(next64(g) & ((1ull << 53) - 1)) * 0x1p-53; }
double next_normal(GeneratorState& g) {
  double value;
  normal(g, Dtype::kFloat64, &value, 1, 0, 1, false);
  return value;
}

}  // namespace rushlight::random
#endif
