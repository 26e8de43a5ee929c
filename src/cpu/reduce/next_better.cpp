// The search for candidates of topk.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/reduce/next_better.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include "cpu/reduce/load-inl.h"
#include "cpu/reduce/sort.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::cpu {
namespace HWY_NAMESPACE {
namespace {

template <class T>
Index search(const T* x, Index i, Index n, T bound, bool largest) {
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
      if (!(largest ? x[i] <= bound : x[i] >= bound)) return i;
    return n;
  };
  if (largest) return find([&](auto v) HWY_ATTR { return hn::Le(v, b); });
  return find([&](auto v) HWY_ATTR { return hn::Ge(v, b); });
}

}  // namespace

Index next_better_float(const float* x, Index i, Index n, float bound, bool largest) {
  return search(x, i, n, bound, largest);
}
Index next_better_double(const double* x, Index i, Index n, double bound, bool largest) {
  return search(x, i, n, bound, largest);
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::cpu {
static constexpr simd::Table<Index(const float*, Index, Index, float, bool)> kFloats = RL_SIMD_TABLE(next_better_float);
static constexpr simd::Table<Index(const double*, Index, Index, double, bool)> kDoubles =
    RL_SIMD_TABLE(next_better_double);
Index next_better(const float* x, Index i, Index n, float bound, bool largest) {
  return kFloats(x, i, n, bound, largest);
}
Index next_better(const double* x, Index i, Index n, double bound, bool largest) {
  return kDoubles(x, i, n, bound, largest);
}
}  // namespace rushlight::cpu
#endif
