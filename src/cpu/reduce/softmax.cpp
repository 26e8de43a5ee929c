// softmax and log_softmax along rows or down columns, and their derivatives. A row, or a strip of columns that fits
// L2, is read from memory once.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/reduce/softmax.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include <cmath>
#include <memory>

#include "cpu/reduce/exp-inl.h"
#include "cpu/reduce/row-inl.h"
#include "ops/kernels/softmax.h"

#ifndef RL_SOFTMAX_TABLE
#define RL_SOFTMAX_TABLE
namespace rushlight::cpu {
// Functions for one dtype.
struct SoftmaxFunctions {
  void (*rows[2])(const void* x, void* y, Index r0, Index r1, Index n, Write write);
  void (*strip[2])(const void* x, void* y, Index n, Index cols, Index width);
  void (*rows_backward[2])(const void* g, const void* y, void* dx, Index r0, Index r1, Index n, Write write);
  void (*strip_backward[2])(const void* g, const void* y, void* dx, Index n, Index cols, Index width);
};
}  // namespace rushlight::cpu
#endif

HWY_BEFORE_NAMESPACE();
namespace rushlight::cpu {
namespace HWY_NAMESPACE {
namespace {

// exp(x - max) is stored into y while its sum is taken.
template <class A, class T>
HWY_INLINE A exp_row(const T* x, A* y, Index n, A max) {
  const Tag<A> d;
  constexpr Index kL = kLanes<A>;
  constexpr int kU = static_cast<int>(256 / sizeof(A) / kL);  // as many lanes on every target
  using V = hn::Vec<Tag<A>>;
  const V m = hn::Set(d, max);
  V sum[kU];
#pragma GCC unroll 16
  for (int u = 0; u < kU; ++u)
    sum[u] = hn::Zero(d);
  Index i = 0;
  for (; i + kU * kL <= n; i += kU * kL) {
#pragma GCC unroll 16
    for (int u = 0; u < kU; ++u) {
      const V e = exp_vector(d, hn::Sub(load_as(d, x + i + u * kL), m));
      hn::StoreU(e, d, y + i + u * kL);
      sum[u] = hn::Add(sum[u], e);
    }
  }
#pragma GCC unroll 16
  for (int u = 0; u < kU; ++u) {
    if (i + kL <= n) {
      const V e = exp_vector(d, hn::Sub(load_as(d, x + i), m));
      hn::StoreU(e, d, y + i);
      sum[u] = hn::Add(sum[u], e);
      i += kL;
    } else if (i < n) {
      const V e = exp_vector(d, hn::Sub(load_part(d, x + i, n - i), m));
      store_part(e, d, y + i, n - i);
      sum[u] = hn::Add(sum[u], hn::IfThenElseZero(hn::FirstN(d, static_cast<std::size_t>(n - i)), e));
      i = n;
    }
  }
  return fold<AddOp, A>(sum);
}

// T in memory, A computes.
template <class T, class A>
struct Softmax {
  using V = hn::Vec<Tag<A>>;

  static void rows(const void* x, void* y, Index r0, Index r1, Index n, Write) {
    const Tag<A> d;
    const T* from = static_cast<const T*>(x);
    T* to = static_cast<T*>(y);
    std::unique_ptr<A[]> wide;
    if constexpr (!std::is_same_v<T, A>) wide.reset(new A[static_cast<std::size_t>(n)]);
    A next = row_max<A>(from + r0 * n, n);
    for (Index r = r0; r < r1; ++r) {
      const A max = next;
      if (r + 1 < r1) next = row_max<A>(from + (r + 1) * n, n);  // hides the latency of the fold
      A* e;
      if constexpr (std::is_same_v<T, A>)
        e = to + r * n;
      else
        e = wide.get();
      const V scale = hn::Set(d, A{1} / exp_row(from + r * n, e, n, max));
      map_row<A>(n, to + r * n, [=](Index i, auto load) HWY_ATTR { return hn::Mul(load(e + i), scale); });
    }
  }

  static void log_rows(const void* x, void* y, Index r0, Index r1, Index n, Write write) {
    const Tag<A> d;
    const T* from = static_cast<const T*>(x);
    A next = row_max<A>(from + r0 * n, n);
    for (Index r = r0; r < r1; ++r) {
      const A max = next;
      if (r + 1 < r1) next = row_max<A>(from + (r + 1) * n, n);
      const T* p = from + r * n;
      const V m = hn::Set(d, max), log_sum = hn::Set(d, std::log(sum_exp<A>(p, n, max)));
      map_row<A>(
          n, static_cast<T*>(y) + r * n,
          [=](Index i, auto load) HWY_ATTR { return hn::Sub(hn::Sub(load(p + i), m), log_sum); }, write);
    }
  }

  // The columns of a strip, kU vectors at a time: maximum, exponentials and their sum, result.
  template <bool kLog>
  static void strip(const void* x, void* y, Index n, Index cols, Index width) {
    const A* from = static_cast<const A*>(x);
    A* to = static_cast<A*>(y);
    constexpr Index kL = kLanes<A>;
    Index c = 0;
    for (; c + 4 * kL <= width; c += 4 * kL)
      columns<kLog, 4>(from + c, to + c, n, cols, 4 * kL);
    for (; c < width; c += kL)
      columns<kLog, 1>(from + c, to + c, n, cols, HWY_MIN(kL, width - c));
  }

  template <bool kLog, int kU>
  static HWY_INLINE void columns(const A* x, A* y, Index n, Index cols, Index width) {
    const Tag<A> d;
    constexpr Index kL = kLanes<A>;
    const bool whole = width == kU * kL;
    const auto load = [&](const A* p, int u)
                          HWY_ATTR { return kU > 1 || whole ? hn::LoadU(d, p + u * kL) : load_part(d, p, width); };
    const auto store = [&](V v, A* p, int u) HWY_ATTR {
      if (kU > 1 || whole)
        hn::StoreU(v, d, p + u * kL);
      else
        store_part(v, d, p, width);
    };
    V m[kU], s[kU];
#pragma GCC unroll 4
    for (int u = 0; u < kU; ++u)
      m[u] = load(x, u), s[u] = hn::Zero(d);
    for (Index r = 1; r < n; ++r) {
#pragma GCC unroll 4
      for (int u = 0; u < kU; ++u)
        m[u] = MaxOp::combine(d, m[u], load(x + r * cols, u));
    }
    for (Index r = 0; r < n; ++r) {
#pragma GCC unroll 4
      for (int u = 0; u < kU; ++u) {
        const V e = exp_vector(d, hn::Sub(load(x + r * cols, u), m[u]));
        if constexpr (!kLog) store(e, y + r * cols, u);
        s[u] = hn::Add(s[u], e);
      }
    }
#pragma GCC unroll 4
    for (int u = 0; u < kU; ++u) {
      if constexpr (kLog) {
        alignas(64) A lanes[kL];
        hn::Store(s[u], d, lanes);
        for (A& lane : lanes)
          lane = std::log(lane);
        s[u] = hn::Load(d, lanes);
      } else {
        s[u] = hn::Div(hn::Set(d, A{1}), s[u]);
      }
    }
    for (Index r = 0; r < n; ++r) {
#pragma GCC unroll 4
      for (int u = 0; u < kU; ++u) {
        if constexpr (kLog)
          store(hn::Sub(hn::Sub(load(x + r * cols, u), m[u]), s[u]), y + r * cols, u);
        else
          store(hn::Mul(load(y + r * cols, u), s[u]), y + r * cols, u);
      }
    }
  }

  static void rows_backward(const void* g, const void* y, void* dx, Index r0, Index r1, Index n, Write write) {
    const Tag<A> d;
    for (Index r = r0; r < r1; ++r) {
      const A *gr = static_cast<const A*>(g) + r * n, *yr = static_cast<const A*>(y) + r * n;
      A dot, unused;
      row_sums(gr, yr, n, &dot, &unused, [](Index, V a, V b, V& s, V&) HWY_ATTR { s = hn::MulAdd(a, b, s); });
      const V s = hn::Set(d, dot);
      map_row<A>(
          n, static_cast<A*>(dx) + r * n,
          [=](Index i, auto load) HWY_ATTR { return hn::Mul(hn::Sub(load(gr + i), s), load(yr + i)); }, write);
    }
  }
  static void log_rows_backward(const void* g, const void* y, void* dx, Index r0, Index r1, Index n, Write write) {
    const Tag<A> d;
    for (Index r = r0; r < r1; ++r) {
      const A *gr = static_cast<const A*>(g) + r * n, *yr = static_cast<const A*>(y) + r * n;
      const V s = hn::Set(d, row_sum<A>(gr, n, [](auto v) HWY_ATTR { return v; }));
      map_row<A>(
          n, static_cast<A*>(dx) + r * n,
          [=](Index i, auto load) HWY_ATTR { return hn::NegMulAdd(exp_vector(d, load(yr + i)), s, load(gr + i)); },
          write);
    }
  }
  template <bool kLog>
  static void strip_backward(const void* g, const void* y, void* dx, Index n, Index cols, Index width) {
    const Tag<A> d;
    constexpr Index kL = kLanes<A>;
    for (Index c = 0; c < width; c += kL) {
      const Index w = HWY_MIN(kL, width - c);
      const auto load = [&](const void* p, Index r) HWY_ATTR {
        const A* q = static_cast<const A*>(p) + r * cols + c;
        return w == kL ? hn::LoadU(d, q) : load_part(d, q, w);
      };
      V s = hn::Zero(d);
      for (Index r = 0; r < n; ++r)
        s = kLog ? hn::Add(s, load(g, r)) : hn::MulAdd(load(g, r), load(y, r), s);
      for (Index r = 0; r < n; ++r) {
        const V v = kLog ? hn::NegMulAdd(exp_vector(d, load(y, r)), s, load(g, r))
                         : hn::Mul(hn::Sub(load(g, r), s), load(y, r));
        A* q = static_cast<A*>(dx) + r * cols + c;
        if (w == kL)
          hn::StoreU(v, d, q);
        else
          store_part(v, d, q, w);
      }
    }
  }
};

}  // namespace

const SoftmaxFunctions* softmax_functions(Dtype dtype) {
  using F = Softmax<float, float>;
  using D = Softmax<double, double>;
  using H = Softmax<Half, float>;
  using B = Softmax<BFloat16, float>;
  static constexpr SoftmaxFunctions kF32 = {{F::rows, F::log_rows},
                                            {F::strip<false>, F::strip<true>},
                                            {F::rows_backward, F::log_rows_backward},
                                            {F::strip_backward<false>, F::strip_backward<true>}},
                                    kF64 = {{D::rows, D::log_rows},
                                            {D::strip<false>, D::strip<true>},
                                            {D::rows_backward, D::log_rows_backward},
                                            {D::strip_backward<false>, D::strip_backward<true>}},
                                    kF16 = {{H::rows, H::log_rows}, {}, {}, {}},
                                    kBF16 = {{B::rows, B::log_rows}, {}, {}, {}};
  switch (dtype) {
    case Dtype::kFloat64:
      return &kF64;
    case Dtype::kFloat16:
      return &kF16;
    case Dtype::kBFloat16:
      return &kBF16;
    default:
      return &kF32;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::cpu {
namespace {

static constexpr simd::Table<const SoftmaxFunctions*(Dtype)> kSoftmax = RL_SIMD_TABLE(softmax_functions);

struct Lines {
  Index outer = 1, size = 1, inner = 1;
  Lines(const TensorBase& t, Index dim) {
    for (Index i = 0; i < t.dim(); ++i) {
      const Index extent = t.impl()->sizes()[i];
      (i < dim ? outer : i > dim ? inner : size) *= extent;
    }
  }
};

// strip(offset, width) for strips of columns of each outer block: in and out are at most 512 KB of L2.
template <class Body>
void for_strips(const Lines& at, const Body& strip) {
  const Index width = std::clamp<Index>(kTaskElements / at.size / 64 * 64, 64, 4096);
  const Index strips = (at.inner + width - 1) / width;
  parallel_for(at.outer * strips, [&](Index t) {
    const Index c = t % strips * width;
    strip(t / strips * at.size * at.inner + c, std::min(width, at.inner - c));
  });
}

void softmax(SoftmaxKind kind, const TensorBase& out, const TensorBase& in, std::int64_t dim) {
  if (in.numel() == 0) return;
  const Lines at(in, dim);
  const SoftmaxFunctions& f = *kSoftmax(in.dtype());
  const int which = static_cast<int>(kind);
  const Index item = static_cast<Index>(in.itemsize());
  if (at.inner == 1) {
    const Write write = write_of(in.numel() * item);
    for_rows(at.outer, at.size,
             [&](Index r0, Index r1) { f.rows[which](in.data(), out.mutable_data(), r0, r1, at.size, write); });
    return;
  }
  for_strips(at, [&](Index offset, Index width) {
    f.strip[which](in.data<char>() + offset * item, out.mutable_data<char>() + offset * item, at.size, at.inner, width);
  });
}

void softmax_backward(SoftmaxKind kind, const TensorBase& out, const TensorBase& grad, const TensorBase& result,
                      std::int64_t dim) {
  if (out.numel() == 0) return;
  const Lines at(result, dim);
  const SoftmaxFunctions& f = *kSoftmax(result.dtype());
  const int which = static_cast<int>(kind);
  const Index item = static_cast<Index>(result.itemsize());
  if (at.inner == 1) {
    const Write write = write_of(out.numel() * item);
    for_rows(at.outer, at.size, [&](Index r0, Index r1) {
      f.rows_backward[which](grad.data(), result.data(), out.mutable_data(), r0, r1, at.size, write);
    });
    return;
  }
  for_strips(at, [&](Index offset, Index width) {
    f.strip_backward[which](grad.data<char>() + offset * item, result.data<char>() + offset * item,
                            out.mutable_data<char>() + offset * item, at.size, at.inner, width);
  });
}

}  // namespace
}  // namespace rushlight::cpu

namespace rushlight {
const Kernel<void(SoftmaxKind, const TensorBase&, const TensorBase&, std::int64_t)> softmax_kernel(cpu::softmax);
const Kernel<void(SoftmaxKind, const TensorBase&, const TensorBase&, const TensorBase&, std::int64_t)>
    softmax_backward_kernel(cpu::softmax_backward);
}  // namespace rushlight
#endif
