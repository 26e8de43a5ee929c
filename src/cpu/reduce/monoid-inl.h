// Reductions that keep one value per result. Once per target.
//
// A monoid is a struct with
//   template <class A> static A identity();
//   static V map(D, V x, double parameter);     // element -> value
//   static V combine(D, V a, V b);
//   static A finish(A a, Index n, double parameter);
#if defined(RL_REDUCE_MONOID_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_REDUCE_MONOID_INL_H_
#undef RL_REDUCE_MONOID_INL_H_
#else
#define RL_REDUCE_MONOID_INL_H_
#endif

#include "cpu/reduce/load-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::cpu {
namespace HWY_NAMESPACE {

constexpr Index kShort = 16;  // runs up to this length take a lane each
constexpr Index kGroup = 8;   // rows added as a tree before they meet the accumulators

// Elements as they are: map and finish of most monoids.
struct Plain {
  template <class D, class V>
  static HWY_INLINE V map(D, V x, double) {
    return x;
  }
  template <class A>
  static A finish(A a, Index, double) {
    return a;
  }
};

// T in memory, A accumulates.
template <class Op, class T, class A>
struct Monoid {
  static void inner(const void* x, Index n, Index stride, Index c0, Index c1, Index, Index, void* states,
                    double parameter) {
    const T* p = static_cast<const T*>(x);
    A* s = static_cast<A*>(states);
    Index c = c0;
    if constexpr (std::is_same_v<T, A> && sizeof(T) >= 4) {
      if (n <= kShort) c = short_runs(p, n, stride, c0, c1, s, parameter);
    }
    for (; c < c1; ++c)
      s[c] = fold_run<Op, A>(p + (c - c0) * stride, n, Op::template identity<A>(),
                             [=](auto v) HWY_ATTR { return Op::map(Tag<A>(), v, parameter); });
  }

  // A lane per run: no fold within vectors.
  static Index short_runs(const T* p, Index n, Index stride, Index c0, Index c1, A* s, double parameter) {
    const Tag<A> d;
    using I = hwy::MakeSigned<A>;
    const hn::Rebind<I, Tag<A>> di;
    constexpr Index kL = kLanes<A>;
    if (stride > (Index{1} << 25)) return c0;  // byte offsets of a gather are 32 bits wide
    const auto at = hn::Mul(hn::Iota(di, 0), hn::Set(di, static_cast<I>(stride)));
    Index c = c0;
    for (; c + kL <= c1; c += kL, p += kL * stride) {
      auto acc =
          Op::combine(d, hn::Set(d, Op::template identity<A>()), Op::map(d, hn::GatherIndex(d, p, at), parameter));
      for (Index i = 1; i < n; ++i)
        acc = Op::combine(d, acc, Op::map(d, hn::GatherIndex(d, p + i, at), parameter));
      hn::StoreU(acc, d, s + c);
    }
    return c;
  }

  template <class Load>
  static HWY_INLINE auto eight(const T* p, Index s, double parameter, const Load& load) {
    const Tag<A> d;
    const auto get = [&](Index i) HWY_ATTR { return Op::map(d, load(p + i * s), parameter); };
    const auto a = Op::combine(d, get(0), get(1)), b = Op::combine(d, get(2), get(3));
    const auto c = Op::combine(d, get(4), get(5)), e = Op::combine(d, get(6), get(7));
    return Op::combine(d, Op::combine(d, a, b), Op::combine(d, c, e));
  }

  static void outer(const void* x, Index stride, Index rows, Index cols, Index, void* states, double parameter) {
    const Tag<A> d;
    constexpr Index kL = kLanes<A>;
    const T* p = static_cast<const T*>(x);
    A* acc = static_cast<A*>(states);
    const A identity = Op::template identity<A>();
    for (Index c = 0; c < cols; ++c)
      acc[c] = identity;
    const Index whole = cols / kL * kL, rest = cols - whole;
    const auto full = [d](const T* q) HWY_ATTR { return load_as(d, q); };
    const auto part = [d, rest](const T* q) HWY_ATTR { return load_part(d, q, rest); };
    Index r = 0;
    for (; r + kGroup <= rows; r += kGroup, p += kGroup * stride) {
      for (Index c = 0; c < whole; c += kL)
        hn::StoreU(Op::combine(d, hn::LoadU(d, acc + c), eight(p + c, stride, parameter, full)), d, acc + c);
      if (rest)
        store_part(Op::combine(d, load_part(d, acc + whole, rest), eight(p + whole, stride, parameter, part)), d,
                   acc + whole, rest);
    }
    for (; r < rows; ++r, p += stride) {
      for (Index c = 0; c < whole; c += kL)
        hn::StoreU(Op::combine(d, hn::LoadU(d, acc + c), Op::map(d, full(p + c), parameter)), d, acc + c);
      if (rest)
        store_part(Op::combine(d, load_part(d, acc + whole, rest), Op::map(d, part(p + whole), parameter)), d,
                   acc + whole, rest);
    }
  }

  static void merge(void* a, const void* b, Index cols) {
    A* to = static_cast<A*>(a);
    const A* from = static_cast<const A*>(b);
    const Tag<A> d;
    const hn::CappedTag<A, 1> d1;
    Index c = 0;
    for (; c + kLanes<A> <= cols; c += kLanes<A>)
      hn::StoreU(Op::combine(d, hn::LoadU(d, to + c), hn::LoadU(d, from + c)), d, to + c);
    for (; c < cols; ++c)
      to[c] = hn::GetLane(Op::combine(d1, hn::Set(d1, to[c]), hn::Set(d1, from[c])));
  }

  static void finish(const void* states, Index cols, Index n, double parameter, const Source&, const Sink& sink) {
    const A* s = static_cast<const A*>(states);
    A values[64];
    for (Index c = 0; c < cols; c += 64) {
      const Index m = HWY_MIN(Index{64}, cols - c);
      for (Index i = 0; i < m; ++i)
        values[i] = Op::finish(s[c + i], n, parameter);
      store_results(values, m,
                    static_cast<char*>(sink.out) + c * sink.stride * static_cast<Index>(item_size(sink.out_dtype)),
                    sink.stride, sink.out_dtype);
    }
  }

  static constexpr ReduceKernel kernel() { return {sizeof(A), 1, inner, outer, merge, finish}; }
};

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::cpu
HWY_AFTER_NAMESPACE();
#endif
