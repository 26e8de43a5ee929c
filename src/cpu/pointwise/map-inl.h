// The one loop behind every vector kernel, and how files name their kernels. Included once per target.
#if defined(RL_MAP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_MAP_INL_H_
#undef RL_MAP_INL_H_
#else
#define RL_MAP_INL_H_
#endif

// A kernel file lists its operators once, as RL_LIST(X) with a row X(name, rule, vector finder, plain finder, complex
// finder, scaled form) each; RL_FIND makes the finder of every target and RL_DEFINE, after HWY_ONCE, the descriptor.
#undef RL_FIND
#undef RL_DEFINE
#define RL_FIND(name, rule, find, plain, complex, scaled) \
  TileFn find_##name(Dtype type) { return find(type); }
#define RL_DEFINE(name, rule, find, plain, complex, scaled) \
  constinit const Pointwise name{#name, TypeRule::rule, RL_SIMD_TABLE(find_##name), plain, complex, scaled};

#include <cstring>
#include <utility>

#include "cpu/simd/half-inl.h"
#include "hwy/highway.h"
#include "ops/kernels/pointwise.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::pointwise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace half = simd::HWY_NAMESPACE;
using Index = std::int64_t;

// A bool tile holds 0 or 1 in bytes; in registers a bool is a mask of the compute type.
template <class D>
HWY_INLINE void store_bool(D d, hn::Mask<D> m, std::uint8_t* p) {
#if HWY_TARGET <= HWY_AVX3
  constexpr size_t kLanes = hn::MaxLanes(D());
  if constexpr (kLanes == 16) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm_maskz_set1_epi8(m.raw, 1));
    return;
  } else if constexpr (kLanes == 8) {
    _mm_storel_epi64(reinterpret_cast<__m128i*>(p), _mm_maskz_set1_epi8(m.raw, 1));
    return;
  }
#endif
  const hn::RebindToSigned<D> di;
  const auto ones = hn::And(hn::BitCast(di, hn::VecFromMask(d, m)), hn::Set(di, 1));
  using T = hn::TFromD<D>;
  if constexpr (sizeof(T) == 1) {
    hn::StoreU(hn::BitCast(hn::Repartition<std::uint8_t, D>(), ones), hn::Repartition<std::uint8_t, D>(), p);
  } else if constexpr (sizeof(T) == 2 || sizeof(T) == 4) {
    hn::StoreU(hn::DemoteTo(hn::Rebind<std::uint8_t, D>(), ones), hn::Rebind<std::uint8_t, D>(), p);
  } else {  // DemoteTo from int64 to int8 does not exist
    HWY_ALIGN hn::TFromD<decltype(di)> lanes[hn::MaxLanes(D())];
    hn::Store(ones, di, lanes);
    for (size_t i = 0; i < hn::MaxLanes(D()); ++i)
      p[i] = static_cast<std::uint8_t>(lanes[i]);
  }
}

template <class D>
HWY_INLINE hn::Mask<D> load_bool(D d, const std::uint8_t* p) {
  using T = hn::TFromD<D>;
#if HWY_TARGET <= HWY_AVX3
  if constexpr (hn::MaxLanes(D()) == 16) {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    return hn::Mask<D>{_mm_test_epi8_mask(v, v)};
  } else if constexpr (hn::MaxLanes(D()) == 8) {
    const __m128i v = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p));
    return hn::Mask<D>{static_cast<__mmask8>(_mm_test_epi8_mask(v, v))};
  } else
#endif
      if constexpr (sizeof(T) == 2 || sizeof(T) == 4) {
    const hn::RebindToSigned<D> di;
    const auto v = hn::PromoteTo(di, hn::LoadU(hn::Rebind<std::uint8_t, D>(), p));
    return hn::RebindMask(d, hn::Ne(v, hn::Zero(di)));
  } else if constexpr (sizeof(T) == 1) {
    return hn::Ne(hn::LoadU(d, reinterpret_cast<const T*>(p)), hn::Zero(d));
  } else {
    HWY_ALIGN T lanes[hn::MaxLanes(D())];
    for (size_t i = 0; i < hn::MaxLanes(D()); ++i)
      lanes[i] = static_cast<T>(p[i]);
    return hn::Ne(hn::Load(d, lanes), hn::Zero(d));
  }
}

// How an operator reads and writes one lane type: T in memory is a vector, Bool is a mask, half types are float32.
struct Bool {};
template <class D, class X>
struct Lane;
template <class D>
struct Lane<D, hn::TFromD<D>> {
  using Mem = hn::TFromD<D>;
  static HWY_INLINE hn::Vec<D> load(D d, const Mem* p) { return hn::LoadU(d, p); }
  static HWY_INLINE void store(D d, hn::Vec<D> v, Mem* p) { hn::StoreU(v, d, p); }
  static HWY_INLINE void stream(D d, hn::Vec<D> v, Mem* p) { hn::Stream(v, d, p); }
};
template <class D, class X>
struct HalfLane {
  using Mem = X;
  static HWY_INLINE hn::Vec<D> load(D d, const Mem* p) { return half::load_half(d, p); }
  static HWY_INLINE void store(D d, hn::Vec<D> v, Mem* p) { half::store_half(d, v, p); }
  static HWY_INLINE void stream(D d, hn::Vec<D> v, Mem* p) { half::store_half(d, v, p); }
};
template <class D>
struct Lane<D, Half> : HalfLane<D, Half> {};
template <class D>
struct Lane<D, BFloat16> : HalfLane<D, BFloat16> {};
template <class D>
struct Lane<D, Bool> {
  using Mem = std::uint8_t;
  static HWY_INLINE hn::Mask<D> load(D d, const Mem* p) { return load_bool(d, p); }
  static HWY_INLINE void store(D d, hn::Mask<D> m, Mem* p) { store_bool(d, m, p); }
  static HWY_INLINE void stream(D d, hn::Mask<D> m, Mem* p) { store_bool(d, m, p); }
};

// A functor derives from one of these. kUnroll: vectors per loop round, 4 for cheap bodies; kParams: trailing
// arguments that are numbers of the call; kStreams: large results are stored past the caches.
struct Cheap {
  static constexpr Index kUnroll = 4;
  static constexpr int kParams = 0;
  static constexpr bool kStreams = true;
};
struct Long {  // two vectors a round hide the latency and keep the code small
  static constexpr Index kUnroll = 2;
  static constexpr int kParams = 0;
  static constexpr bool kStreams = false;
};
template <class Base, int kCount>
struct With : Base {
  static constexpr int kParams = kCount;
};

// out = F(in..., params...) for a tile: blocks, then single vectors, then a copied partial one. Every element goes
// through the same instructions, so results do not depend on its position.
template <class F, class T, class Out, class... In>
struct Map {
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  static constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(D()));
  static constexpr Index kBlock = F::kUnroll * kLanes;
  static constexpr size_t kIn = sizeof...(In);
  using OutLane = Lane<D, Out>;
  using Mem = typename OutLane::Mem;

  // V holds no array in g++ for class types with vector members, so numbers stay a struct of four.
  struct Numbers {
    V v0, v1, v2, v3;
  };
  static HWY_INLINE Numbers numbers(const void* params) {
    const D d;
    const T* p = static_cast<const T*>(params);
    const auto at = [&](int i) HWY_ATTR { return i < F::kParams ? hn::Set(d, p[i]) : hn::Zero(d); };
    return {at(0), at(1), at(2), at(3)};
  }

  template <class... L>  // always inline: a call per vector would load every constant anew
  static HWY_INLINE auto call(const Numbers& n, L... lanes) {
    const D d;
    if constexpr (F::kParams == 0)
      return F::apply(d, lanes...);
    else if constexpr (F::kParams == 1)
      return F::apply(d, lanes..., n.v0);
    else if constexpr (F::kParams == 2)
      return F::apply(d, lanes..., n.v0, n.v1);
    else if constexpr (F::kParams == 3)
      return F::apply(d, lanes..., n.v0, n.v1, n.v2);
    else
      return F::apply(d, lanes..., n.v0, n.v1, n.v2, n.v3);
  }
  template <class X>
  static HWY_INLINE auto at(const char* p, Index offset) {
    return reinterpret_cast<const typename Lane<D, X>::Mem*>(p) + offset;
  }
  template <size_t... K>
  static HWY_INLINE auto value(const char* const* p, Index offset, const Numbers& n, std::index_sequence<K...>) {
    return call(n, Lane<D, In>::load(D(), at<In>(p[K], offset))...);
  }
  template <bool kOdd, class X>
  static HWY_INLINE V part(const char* p, Index offset) {
    if constexpr (std::is_same_v<X, BFloat16>)
      return half::load_pairs<kOdd>(D(), at<X>(p, offset));
    else
      return hn::LoadU(D(), at<X>(p, offset));  // float32 beside a result of bfloat16 does not move
  }
  template <size_t... K>
  static HWY_INLINE auto pairs(const char* const* p, Index offset, const Numbers& n, std::index_sequence<K...>) {
    return half::join_pairs(D(), call(n, part<false, In>(p[K], offset)...), call(n, part<true, In>(p[K], offset)...));
  }

  template <bool kStream, size_t... K>
  static HWY_INLINE void block(const char* const* p, char* out, const Numbers& numbers, std::index_sequence<K...> ks) {
    if constexpr (std::is_same_v<Out, BFloat16>) {
      const hn::Repartition<std::uint16_t, D> dh;
      auto* to = reinterpret_cast<std::uint16_t*>(out);
      HWY_UNROLL(2)
      for (Index i = 0; i < kBlock; i += 2 * kLanes)
        kStream ? hn::Stream(pairs(p, i, numbers, ks), dh, to + i) : hn::StoreU(pairs(p, i, numbers, ks), dh, to + i);
    } else {
      const D d;
      Mem* to = reinterpret_cast<Mem*>(out);
      HWY_UNROLL(4)
      for (Index i = 0; i < kBlock; i += kLanes)
        kStream ? OutLane::stream(d, value(p, i, numbers, ks), to + i)
                : OutLane::store(d, value(p, i, numbers, ks), to + i);
    }
  }
  template <bool kStream, size_t... K>
  static HWY_INLINE void blocks(const char** p, const std::uint8_t* moves, char*& out, Index& n, const Numbers& numbers,
                                std::index_sequence<K...> ks) {
    constexpr Index size[kIn] = {static_cast<Index>(sizeof(typename Lane<D, In>::Mem))...};
    const Index step[kIn] = {(moves[K] ? kBlock * size[K] : 0)...};
    do {
      block<kStream>(p, out, numbers, ks);
      ((p[K] += step[K]), ...);
      out += kBlock * static_cast<Index>(sizeof(Mem));
      n -= kBlock;
    } while (n >= kBlock);
  }

  template <size_t... K>
  static HWY_INLINE void row(const TileArgs& t, Index r, const Numbers& params, std::index_sequence<K...> ks) {
    const D d;
    const char* p[kIn] = {(static_cast<const char*>(t.in[K]) + r * t.in_row[K])...};
    constexpr Index size[kIn] = {static_cast<Index>(sizeof(typename Lane<D, In>::Mem))...};
    constexpr Index out_size = sizeof(Mem);
    char* out = static_cast<char*>(t.out) + r * t.out_row;
    Index n = t.n;
    if (n >= kBlock) {
      if constexpr (F::kStreams && !std::is_same_v<Out, Bool>) {
        if (t.stream && reinterpret_cast<std::uintptr_t>(out) % 64 == 0)
          blocks<true>(p, t.moves, out, n, params, ks);
        else
          blocks<false>(p, t.moves, out, n, params, ks);
      } else {
        blocks<false>(p, t.moves, out, n, params, ks);
      }
    }
    const Index step[kIn] = {(t.moves[K] ? kLanes * size[K] : 0)...};
    for (alignas(64) char in_part[kIn][64], out_part[64]; n > 0; n -= kLanes) {  // one copy of the code for both
      const bool whole = n >= kLanes;
      if (!whole)
        ((std::memset(in_part[K], 0, 64), std::memcpy(in_part[K], p[K], static_cast<size_t>(n * size[K])),
          p[K] = in_part[K]),
         ...);
      OutLane::store(d, value(p, 0, params, ks), reinterpret_cast<Mem*>(whole ? out : out_part));
      if (!whole) std::memcpy(out, out_part, static_cast<size_t>(n * out_size));
      ((p[K] += step[K]), ...);
      out += kLanes * out_size;
    }
  }

  static void run(const TileArgs& t) {
    const Numbers params = numbers(t.params);
    Index r = 0;
    do
      row(t, r, params, std::index_sequence_for<In...>());
    while (++r < t.rows);
  }
};

// --- kernels by number of operands and by types ----------------------------------------------------------

template <class F, class T>
struct Unary {
  static constexpr TileFn kRun = Map<F, T, T, T>::run;
};
template <class F, class T>
struct Binary {
  static constexpr TileFn kRun = Map<F, T, T, T, T>::run;
};
template <class F, class T>
struct Ternary {
  static constexpr TileFn kRun = Map<F, T, T, T, T, T>::run;
};
template <class F, class T>
struct Test {
  static constexpr TileFn kRun = Map<F, T, Bool, T>::run;
};
template <class F, class T>
struct Compare {
  static constexpr TileFn kRun = Map<F, T, Bool, T, T>::run;
};
template <class F, class T>
struct Select {
  static constexpr TileFn kRun = Map<F, T, T, Bool, T, T>::run;
};

// Kernels of float16 and bfloat16, for operators where converting whole tiles would cost more than the work. Inputs
// that do not move are float32.
template <class F, class X>
struct HalfUnary {
  static void run(const TileArgs& t) { t.moves[0] ? Map<F, float, X, X>::run(t) : Map<F, float, X, float>::run(t); }
};
template <class F, class X>
struct HalfBinary {
  static void run(const TileArgs& t) {
    if (t.moves[0])
      t.moves[1] ? Map<F, float, X, X, X>::run(t) : Map<F, float, X, X, float>::run(t);
    else
      t.moves[1] ? Map<F, float, X, float, X>::run(t) : Map<F, float, X, float, float>::run(t);
  }
};
template <template <class, class> class HalfForm, class F>
TileFn halves(Dtype type) {
  return type == Dtype::kFloat16    ? HalfForm<F, Half>::run
         : type == Dtype::kBFloat16 ? HalfForm<F, BFloat16>::run
                                    : nullptr;
}
// The half kernels beside those that `kOthers` finds.
template <TileFn (*kOthers)(Dtype), class F>
TileFn unary_halves(Dtype type) {
  const TileFn found = halves<HalfUnary, F>(type);
  return found ? found : kOthers(type);
}
template <TileFn (*kOthers)(Dtype), class F>
TileFn binary_halves(Dtype type) {
  const TileFn found = halves<HalfBinary, F>(type);
  return found ? found : kOthers(type);
}

template <template <class, class> class Form, class F>
TileFn floats(Dtype type) {
  switch (type) {
    case Dtype::kFloat32:
      return Form<F, float>::kRun;
    case Dtype::kFloat64:
      return Form<F, double>::kRun;
    default:
      return nullptr;
  }
}
template <template <class, class> class Form, class F>
TileFn integers(Dtype type) {
  switch (type) {
    case Dtype::kUInt8:
      return Form<F, std::uint8_t>::kRun;
    case Dtype::kInt8:
      return Form<F, std::int8_t>::kRun;
    case Dtype::kInt16:
      return Form<F, std::int16_t>::kRun;
    case Dtype::kInt32:
      return Form<F, std::int32_t>::kRun;
    case Dtype::kInt64:
      return Form<F, std::int64_t>::kRun;
    case Dtype::kUInt64:
      return Form<F, std::uint64_t>::kRun;
    default:
      return nullptr;
  }
}
template <template <class, class> class Form, class F>
TileFn numerals(Dtype type) {
  const TileFn found = floats<Form, F>(type);
  return found ? found : integers<Form, F>(type);
}
// With bool as bytes of 0 and 1.
template <template <class, class> class Form, class F, class OfBool = F>
TileFn everything(Dtype type) {
  return type == Dtype::kBool ? Form<OfBool, std::uint8_t>::kRun : numerals<Form, F>(type);
}

template <class D>
inline constexpr bool kFloats = hwy::IsFloat<hn::TFromD<D>>();
template <class D>
inline constexpr bool kSingle = sizeof(hn::TFromD<D>) == 4;
// A constant of the lane type.
template <class D>
HWY_INLINE hn::Vec<D> constant(D d, double x) {
  return hn::Set(d, static_cast<hn::TFromD<D>>(x));
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::pointwise
HWY_AFTER_NAMESPACE();
#endif
