// Loads and stores that convert between memory of type T and vectors of the accumulator type. Once per target.
// Not called Load and Store: argument lookup would prefer hwy::Load, which wants alignment.
#if defined(RL_REDUCE_LOAD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_REDUCE_LOAD_INL_H_
#undef RL_REDUCE_LOAD_INL_H_
#else
#define RL_REDUCE_LOAD_INL_H_
#endif

#include <cstring>
#include <limits>
#include <type_traits>

#include "cpu/reduce/reduce.h"
#include "cpu/simd/half-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class A>
using Tag = hn::ScalableTag<A>;
template <class A>
constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(Tag<A>()));

template <class D, class T>
HWY_INLINE hn::Vec<D> load_as(D d, const T* p) {
  using A = hn::TFromD<D>;
  if constexpr (std::is_same_v<T, A>) {
    return hn::LoadU(d, p);
  } else if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return simd::HWY_NAMESPACE::load_half(d, p);
  } else if constexpr (std::is_same_v<T, std::int32_t>) {
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<std::int32_t, D>(), p));
  } else {  // 8- and 16-bit integers
    const hn::Rebind<std::int32_t, D> di;
    return hn::PromoteTo(d, hn::PromoteTo(di, hn::LoadU(hn::Rebind<T, D>(), p)));
  }
}

// The first n (1 .. lanes - 1) elements; the other lanes are 0.
template <class D, class T>
HWY_INLINE hn::Vec<D> load_part(D d, const T* p, Index n) {
  using A = hn::TFromD<D>;
#if HWY_TARGET <= HWY_AVX2  // before AVX2, MaskedLoad touches the whole vector
  if constexpr (std::is_same_v<T, A> && sizeof(T) >= 4)
    return hn::MaskedLoad(hn::FirstN(d, static_cast<std::size_t>(n)), d, p);
#endif
  alignas(64) T few[kLanes<A>] = {};
  std::memcpy(static_cast<void*>(few), p, static_cast<std::size_t>(n) * sizeof(T));
  return load_as(d, few);
}

template <class D, class T>
HWY_INLINE void store_as(hn::Vec<D> v, D d, T* p) {
  if constexpr (std::is_same_v<T, hn::TFromD<D>>) {
    hn::StoreU(v, d, p);
  } else {
    simd::HWY_NAMESPACE::store_half(d, v, p);
  }
}

template <class D, class T>
HWY_INLINE void store_part(hn::Vec<D> v, D d, T* p, Index n) {
  using A = hn::TFromD<D>;
#if HWY_TARGET <= HWY_AVX2
  if constexpr (std::is_same_v<T, A> && sizeof(T) >= 4) {
    hn::BlendedStore(v, hn::FirstN(d, static_cast<std::size_t>(n)), d, p);
    return;
  }
#endif
  alignas(64) T few[kLanes<A>];
  store_as(v, d, few);
  std::memcpy(static_cast<void*>(p), few, static_cast<std::size_t>(n) * sizeof(T));
}

// Folds the lanes in halves, so that the order does not depend on the vector size.
template <class Op, class D>
HWY_INLINE hn::TFromD<D> fold_lanes(Op, D d, hn::Vec<D> v) {
  using A = hn::TFromD<D>;
  if constexpr (hn::MaxLanes(D()) * sizeof(A) > 16) {
    const hn::Half<D> dh;
    return fold_lanes(Op(), dh, Op::combine(dh, hn::LowerHalf(dh, v), hn::UpperHalf(dh, v)));
  } else if constexpr (sizeof(A) == 4) {
    const hn::Repartition<std::uint8_t, D> db;
    v = Op::combine(d, v, hn::BitCast(d, hn::ShiftRightBytes<8>(db, hn::BitCast(db, v))));
    v = Op::combine(d, v, hn::BitCast(d, hn::ShiftRightBytes<4>(db, hn::BitCast(db, v))));
    return hn::GetLane(v);
  } else {
    constexpr std::size_t n = 16 / sizeof(A);
    alignas(16) A a[n];
    hn::Store(v, d, a);
    const hn::CappedTag<A, 1> d1;
    for (std::size_t w = n / 2; w > 0; w /= 2)
      for (std::size_t i = 0; i < w; ++i)
        a[i] = hn::GetLane(Op::combine(d1, hn::Set(d1, a[i]), hn::Set(d1, a[i + w])));
    return a[0];
  }
}

struct AddOp {
  template <class D, class V>
  static HWY_INLINE V combine(D, V a, V b) {
    return hn::Add(a, b);
  }
};
// A NaN in either operand is the result; Highway's Max returns its second operand for NaN.
struct MaxOp {
  template <class D, class V>
  static HWY_INLINE V combine(D, V a, V b) {
    if constexpr (hwy::IsFloat<hn::TFromD<D>>())
      return hn::IfThenElse(hn::IsNaN(a), a, hn::Max(a, b));
    else
      return hn::Max(a, b);
  }
  template <class A>
  static constexpr A identity() {
    if constexpr (std::is_floating_point_v<A>)
      return -std::numeric_limits<A>::infinity();
    else
      return std::numeric_limits<A>::lowest();
  }
};
struct MinOp {
  template <class D, class V>
  static HWY_INLINE V combine(D, V a, V b) {
    if constexpr (hwy::IsFloat<hn::TFromD<D>>())
      return hn::IfThenElse(hn::IsNaN(a), a, hn::Min(a, b));
    else
      return hn::Min(a, b);
  }
  template <class A>
  static constexpr A identity() {
    if constexpr (std::is_floating_point_v<A>)
      return std::numeric_limits<A>::infinity();
    else
      return std::numeric_limits<A>::max();
  }
};

// One virtual register of 256 bytes: 4, 8 or 16 vectors, the same lanes for every target.
template <class A>
constexpr int kVectors = static_cast<int>(256 / static_cast<Index>(sizeof(A)) / kLanes<A>);

// Calls full(u, x) for u-th vectors of the run, x of type Vec<Tag<A>>; partial ones as part(u, x, mask).
template <class A, class T, class Full, class Part>
HWY_INLINE void for_vectors(const T* p, Index n, const Full& full, const Part& part) {
  const Tag<A> d;
  constexpr Index kL = kLanes<A>;
  constexpr int kU = kVectors<A>;
  Index i = 0;
  for (; i + kU * kL <= n; i += kU * kL) {
#pragma GCC unroll 16
    for (int u = 0; u < kU; ++u)
      full(u, load_as(d, p + i + u * kL));
  }
#pragma GCC unroll 16
  for (int u = 0; u < kU; ++u) {
    if (i + kL <= n) {
      full(u, load_as(d, p + i));
      i += kL;
    } else if (i < n) {
      part(u, load_part(d, p + i, n - i), hn::FirstN(d, static_cast<std::size_t>(n - i)));
      i = n;
    }
  }
}

// All vectors of one virtual register folded to a scalar.
template <class Op, class A>
HWY_INLINE A fold(hn::Vec<Tag<A>>* acc) {
  const Tag<A> d;
#pragma GCC unroll 16
  for (int w = kVectors<A> / 2; w > 0; w /= 2) {
#pragma GCC unroll 16
    for (int u = 0; u < w; ++u)
      acc[u] = Op::combine(d, acc[u], acc[u + w]);
  }
  return fold_lanes(Op(), d, acc[0]);
}

// Combines map(x) over a run.
template <class Op, class A, class T, class Map>
HWY_INLINE A fold_run(const T* p, Index n, A identity, const Map& map) {
  const Tag<A> d;
  hn::Vec<Tag<A>> acc[kVectors<A>];
#pragma GCC unroll 16
  for (int u = 0; u < kVectors<A>; ++u)
    acc[u] = hn::Set(d, identity);
  for_vectors<A>(
      p, n, [&](int u, auto x) HWY_ATTR { acc[u] = Op::combine(d, acc[u], map(x)); },
      [&](int u, auto x, auto m) HWY_ATTR { acc[u] = hn::IfThenElse(m, Op::combine(d, acc[u], map(x)), acc[u]); });
  return fold<Op, A>(acc);
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::cpu
HWY_AFTER_NAMESPACE();
#endif
