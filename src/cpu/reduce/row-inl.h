// Passes over one row, for kernels that read a row again from L1. Once per target.
#if defined(RL_REDUCE_ROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_REDUCE_ROW_INL_H_
#undef RL_REDUCE_ROW_INL_H_
#else
#define RL_REDUCE_ROW_INL_H_
#endif

#include "cpu/reduce/load-inl.h"
#include "cpu/reduce/rows.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::cpu {
namespace HWY_NAMESPACE {

// out[i] = f(i, load): f gets vectors of its operands through `load`, whole or partial.
template <class A, class T, class F>
HWY_INLINE void map_row(Index n, T* out, const F& f, Write write = Write::kCached) {
  const Tag<A> d;
  constexpr Index kL = kLanes<A>;
  const auto full = [d](const auto* p) HWY_ATTR { return load_as(d, p); };
  Index i = 0;
  if constexpr (std::is_same_v<T, A>) {
    if (write == Write::kStream && reinterpret_cast<std::uintptr_t>(out) % (sizeof(A) * kL) == 0)
      for (; i + kL <= n; i += kL)
        hn::Stream(f(i, full), d, out + i);
  }
  for (; i + 4 * kL <= n; i += 4 * kL) {
    const auto a = f(i, full), b = f(i + kL, full), c = f(i + 2 * kL, full), e = f(i + 3 * kL, full);
    store_as(a, d, out + i), store_as(b, d, out + i + kL);
    store_as(c, d, out + i + 2 * kL), store_as(e, d, out + i + 3 * kL);
  }
  for (; i + kL <= n; i += kL)
    store_as(f(i, full), d, out + i);
  const Index rest = n - i;
  if (rest) store_part(f(i, [d, rest](const auto* p) HWY_ATTR { return load_part(d, p, rest); }), d, out + i, rest);
}

template <class A, class T>
HWY_INLINE A row_max(const T* p, Index n) {
  return fold_run<MaxOp, A>(p, n, MaxOp::identity<A>(), [](auto v) HWY_ATTR { return v; });
}
template <class A, class T, class F>
HWY_INLINE A row_sum(const T* p, Index n, const F& map) {
  return fold_run<AddOp, A>(p, n, A{0}, map);
}

// Sums of two functions of two rows in one pass: f(i, p, q, sum0, sum1).
template <class A, class T, class F>
HWY_INLINE void row_sums(const T* p, const T* q, Index n, A* s0, A* s1, const F& f) {
  const Tag<A> d;
  constexpr Index kL = kLanes<A>;
  constexpr int kU = static_cast<int>(256 / sizeof(A) / kL);  // as many lanes on every target
  hn::Vec<Tag<A>> a[kU], b[kU];
#pragma GCC unroll 16
  for (int u = 0; u < kU; ++u)
    a[u] = b[u] = hn::Zero(d);
  Index i = 0;
  for (; i + kU * kL <= n; i += kU * kL) {
#pragma GCC unroll 16
    for (int u = 0; u < kU; ++u)
      f(i + u * kL, load_as(d, p + i + u * kL), load_as(d, q + i + u * kL), a[u], b[u]);
  }
#pragma GCC unroll 16
  for (int u = 0; u < kU; ++u) {
    if (i + kL <= n) {
      f(i, load_as(d, p + i), load_as(d, q + i), a[u], b[u]);
      i += kL;
    } else if (i < n) {
      f(i, load_part(d, p + i, n - i), load_part(d, q + i, n - i), a[u], b[u]);  // zeros add 0
      i = n;
    }
  }
  *s0 = fold<AddOp, A>(a);
  *s1 = fold<AddOp, A>(b);
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::cpu
HWY_AFTER_NAMESPACE();
#endif
