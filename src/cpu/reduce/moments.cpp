// Kernels of var, std and their means: planes mean, m2, count. Two passes over a run that stays in L1, or groups of
// eight rows in registers; parts join by the formula of Chan, Golub and LeVeque (1983).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/reduce/moments.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include <cmath>
#include <limits>

#include "cpu/reduce/load-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::cpu {
namespace HWY_NAMESPACE {
namespace {

constexpr Index kGroup = 8;

// T in memory, A accumulates.
template <class T, class A>
struct Moments {
  static void inner(const void* x, Index n, Index stride, Index c0, Index c1, Index width, Index, void* states,
                    double) {
    const Tag<A> d;
    const T* p = static_cast<const T*>(x);
    A *mean = static_cast<A*>(states), *m2 = mean + width, *count = m2 + width;
    const auto run_mean = [&](Index c) HWY_ATTR {
      return fold_run<AddOp, A>(p + (c - c0) * stride, n, A{0}, [](auto v) HWY_ATTR { return v; }) / static_cast<A>(n);
    };
    A next = run_mean(c0);
    for (Index c = c0; c < c1; ++c) {
      const A now = next;
      if (c + 1 < c1) next = run_mean(c + 1);  // hides the latency of the fold
      const auto m = hn::Set(d, now);
      mean[c] = now;
      m2[c] = fold_run<AddOp, A>(p + (c - c0) * stride, n, A{0}, [m](auto v) HWY_ATTR {
        const auto e = hn::Sub(v, m);
        return hn::Mul(e, e);
      });
      count[c] = static_cast<A>(n);
    }
  }

  static void outer(const void* x, Index stride, Index rows, Index cols, Index, void* states, double) {
    const T* p = static_cast<const T*>(x);
    A *mean = static_cast<A*>(states), *m2 = mean + cols, *count = m2 + cols;
    for (Index c = 0; c < cols; ++c)
      mean[c] = m2[c] = A{0}, count[c] = static_cast<A>(rows);
    Index r = 0;
    for (; r + kGroup <= rows; r += kGroup, p += kGroup * stride)
      group<kGroup>(p, stride, r, cols, mean, m2);
    for (; r < rows; ++r, p += stride)
      group<1>(p, stride, r, cols, mean, m2);
  }

  template <Index kRows>
  static void group(const T* p, Index stride, Index before, Index cols, A* mean, A* m2) {
    const Tag<A> d;
    constexpr Index kL = kLanes<A>;
    const A weight = static_cast<A>(kRows) / static_cast<A>(before + kRows);
    const auto w = hn::Set(d, weight), w2 = hn::Set(d, weight * static_cast<A>(before));
    const auto update = [&](auto x, auto load, auto store, Index c) HWY_ATTR {
      hn::Vec<Tag<A>> m, q;
      if constexpr (kRows == 8) {
        const auto x0 = x(0), x1 = x(1), x2 = x(2), x3 = x(3), x4 = x(4), x5 = x(5), x6 = x(6), x7 = x(7);
        const auto sum = hn::Add(hn::Add(hn::Add(x0, x1), hn::Add(x2, x3)), hn::Add(hn::Add(x4, x5), hn::Add(x6, x7)));
        m = hn::Mul(sum, hn::Set(d, A{0.125}));
        const auto e0 = hn::Sub(x0, m), e1 = hn::Sub(x1, m), e2 = hn::Sub(x2, m), e3 = hn::Sub(x3, m);
        const auto e4 = hn::Sub(x4, m), e5 = hn::Sub(x5, m), e6 = hn::Sub(x6, m), e7 = hn::Sub(x7, m);
        const auto a = hn::MulAdd(e1, e1, hn::Mul(e0, e0)), b = hn::MulAdd(e3, e3, hn::Mul(e2, e2));
        const auto f = hn::MulAdd(e5, e5, hn::Mul(e4, e4)), g = hn::MulAdd(e7, e7, hn::Mul(e6, e6));
        q = hn::Add(hn::Add(a, b), hn::Add(f, g));
      } else {
        m = x(0);
        q = hn::Zero(d);
      }
      const auto old = load(mean + c);
      const auto delta = hn::Sub(m, old);
      store(hn::MulAdd(delta, w, old), mean + c);
      store(hn::Add(load(m2 + c), hn::MulAdd(hn::Mul(delta, delta), w2, q)), m2 + c);
    };
    Index c = 0;
    for (; c + kL <= cols; c += kL)
      update([&](Index k) HWY_ATTR { return load_as(d, p + c + k * stride); },
             [&](const A* q) HWY_ATTR { return hn::LoadU(d, q); }, [&](auto v, A* q) HWY_ATTR { hn::StoreU(v, d, q); },
             c);
    const Index rest = cols - c;
    if (rest)
      update([&](Index k) HWY_ATTR { return load_part(d, p + c + k * stride, rest); },
             [&](const A* q) HWY_ATTR { return load_part(d, q, rest); },
             [&](auto v, A* q) HWY_ATTR { store_part(v, d, q, rest); }, c);
  }

  static void merge(void* a, const void* b, Index cols) {
    A* s = static_cast<A*>(a);
    const A* o = static_cast<const A*>(b);
    for (Index c = 0; c < cols; ++c) {
      const A na = s[2 * cols + c], nb = o[2 * cols + c], n = na + nb, delta = o[c] - s[c];
      if (nb == 0) continue;
      s[c] += delta * (nb / n);
      s[cols + c] += o[cols + c] + delta * delta * (na * (nb / n));
      s[2 * cols + c] = n;
    }
  }

  template <bool kRoot>
  static void finish(const void* states, Index cols, Index n, double correction, const Source&, const Sink& sink) {
    const A *mean = static_cast<const A*>(states), *m2 = mean + cols;
    const double left = static_cast<double>(n) - correction;
    constexpr A kNaN = std::numeric_limits<A>::quiet_NaN();
    const A by = static_cast<A>(left > 0 ? left : 0);
    for (Index c = 0; c < cols; ++c) {
      const A var = m2[c] / by, result = kRoot ? std::sqrt(var) : var, centre = n > 0 ? mean[c] : kNaN;
      store_results(&result, 1,
                    static_cast<char*>(sink.out) + c * sink.stride * static_cast<Index>(item_size(sink.out_dtype)), 1,
                    sink.out_dtype);
      if (sink.second)
        store_results(
            &centre, 1,
            static_cast<char*>(sink.second) + c * sink.second_stride * static_cast<Index>(item_size(sink.second_dtype)),
            1, sink.second_dtype);
    }
  }
};

template <class T, class A>
const ReduceKernel* moments(bool root) {
  using M = Moments<T, A>;
  static constexpr ReduceKernel kVar = {3 * sizeof(A), 3, M::inner, M::outer, M::merge, M::template finish<false>},
                                kStd = {3 * sizeof(A), 3, M::inner, M::outer, M::merge, M::template finish<true>};
  return root ? &kStd : &kVar;
}

}  // namespace

const ReduceKernel* moment_kernels(Reduction op, Dtype dtype) {
  const bool root = op == Reduction::kStd || op == Reduction::kStdMean;
  switch (dtype) {
    case Dtype::kFloat32:
      return moments<float, float>(root);
    case Dtype::kFloat64:
      return moments<double, double>(root);
    case Dtype::kFloat16:
      return moments<Half, float>(root);
    case Dtype::kBFloat16:
      return moments<BFloat16, float>(root);
    default:
      return nullptr;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::cpu {
static constexpr simd::Table<const ReduceKernel*(Reduction, Dtype)> kMoments = RL_SIMD_TABLE(moment_kernels);
const ReduceKernel* find_moments(Reduction op, Dtype dtype) { return kMoments(op, dtype); }
}  // namespace rushlight::cpu
#endif
