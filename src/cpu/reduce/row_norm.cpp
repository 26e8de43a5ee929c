// Layer and RMS normalisation of rows and their derivatives.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/reduce/row_norm.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include <cmath>
#include <memory>
#include <vector>

#include "cpu/reduce/row-inl.h"
#include "ops/kernels/norm.h"

#ifndef RL_ROW_NORM_TABLE
#define RL_ROW_NORM_TABLE
namespace rushlight::cpu {
struct RowNormArguments {
  const void *x, *w, *b, *g;  // b, g: where the function needs them
  void *y, *mean, *rstd;      // y: result or gradient of x
  Index n;
  double eps;
  Write write;
};
// Functions for one dtype and kind; dw and db are this task's partial rows.
struct RowNormFunctions {
  void (*forward)(const RowNormArguments& args, Index r0, Index r1);
  void (*backward)(const RowNormArguments& args, void* dw, void* db, Index r0, Index r1);
};
}  // namespace rushlight::cpu
#endif

HWY_BEFORE_NAMESPACE();
namespace rushlight::cpu {
namespace HWY_NAMESPACE {
namespace {

template <class A, bool kCentered>
struct Norm {
  using V = hn::Vec<Tag<A>>;

  static void forward(const RowNormArguments& args, Index r0, Index r1) {
    const Tag<A> d;
    const Index n = args.n;
    const A *x = static_cast<const A*>(args.x), *w = static_cast<const A*>(args.w), *b = static_cast<const A*>(args.b);
    const A by = A{1} / static_cast<A>(n);
    const auto first_of = [&](Index r) HWY_ATTR {
      if constexpr (kCentered)
        return row_sum<A>(x + r * n, n, [](auto v) HWY_ATTR { return v; }) * by;
      else
        return row_sum<A>(x + r * n, n, [](auto v) HWY_ATTR { return hn::Mul(v, v); }) * by;
    };
    A next = first_of(r0);
    for (Index r = r0; r < r1; ++r) {
      const A* p = x + r * n;
      A mean = 0, square = next;
      if constexpr (kCentered) mean = next;
      if (r + 1 < r1) next = first_of(r + 1);  // hides the latency of the fold
      const V m = hn::Set(d, mean);
      if constexpr (kCentered) {
        square = row_sum<A>(p, n,
                            [m](auto v) HWY_ATTR {
                              const V e = hn::Sub(v, m);
                              return hn::Mul(e, e);
                            }) *
                 by;
        static_cast<A*>(args.mean)[r] = mean;
      }
      const A rstd = A{1} / std::sqrt(square + static_cast<A>(args.eps));
      static_cast<A*>(args.rstd)[r] = rstd;
      const V s = hn::Set(d, rstd);
      map_row<A>(
          n, static_cast<A*>(args.y) + r * n,
          [=](Index i, auto load) HWY_ATTR {
            if constexpr (kCentered)
              return hn::MulAdd(hn::Mul(hn::Sub(load(p + i), m), s), load(w + i), load(b + i));
            else
              return hn::Mul(hn::Mul(load(p + i), s), load(w + i));
          },
          args.write);
    }
  }

  // With h = (x - mean) * rstd and a = g * w: dx = rstd * (a - mean(a) - h * mean(a * h)), dw = sum g * h,
  // db = sum g. Without centring mean(a) is left out.
  static void backward(const RowNormArguments& args, void* dw_row, void* db_row, Index r0, Index r1) {
    const Tag<A> d;
    constexpr Index kL = kLanes<A>;
    const Index n = args.n;
    const A *g = static_cast<const A*>(args.g), *x = static_cast<const A*>(args.x), *w = static_cast<const A*>(args.w);
    A *dw = static_cast<A*>(dw_row), *db = static_cast<A*>(db_row);
    std::fill_n(dw, n, A{0});
    if (kCentered) std::fill_n(db, n, A{0});
    const A by = A{1} / static_cast<A>(n);
    for (Index r = r0; r < r1; ++r) {
      const A *gr = g + r * n, *xr = x + r * n;
      const V m = hn::Set(d, kCentered ? static_cast<const A*>(args.mean)[r] : A{0}),
              s = hn::Set(d, static_cast<const A*>(args.rstd)[r]);
      A sa, sah;
      row_sums(gr, xr, n, &sah, &sa, [=](Index i, V gv, V xv, V& p, V& q) HWY_ATTR {
        const V wv = i + kL <= n ? hn::LoadU(d, w + i) : load_part(d, w + i, n - i);
        const V a = hn::Mul(gv, wv);
        p = hn::MulAdd(a, hn::Mul(hn::Sub(xv, m), s), p);
        if (kCentered) q = hn::Add(q, a);
      });
      const V ma = hn::Set(d, kCentered ? sa * by : A{0}), mah = hn::Set(d, sah * by);
      A* dx = static_cast<A*>(args.y) + r * n;
      Index i = 0;
      const auto step = [&](auto load, auto store, auto store_dx) HWY_ATTR {
        const V gv = load(gr + i), h = hn::Mul(hn::Sub(load(xr + i), m), s);
        V a = hn::Mul(gv, load(w + i));
        if (kCentered) a = hn::Sub(a, ma);
        store_dx(hn::Mul(hn::NegMulAdd(h, mah, a), s), dx + i);
        store(hn::MulAdd(gv, h, load(dw + i)), dw + i);
        if (kCentered) store(hn::Add(gv, load(db + i)), db + i);
      };
      const auto load = [d](const A* p) HWY_ATTR { return hn::LoadU(d, p); };
      const auto store = [d](V v, A* p) HWY_ATTR { hn::StoreU(v, d, p); };
      const auto stream = [d](V v, A* p) HWY_ATTR { hn::Stream(v, d, p); };
      if (args.write == Write::kStream && reinterpret_cast<std::uintptr_t>(dx) % sizeof(V) == 0)
        for (; i + kL <= n; i += kL)
          step(load, store, stream);
      for (; i + kL <= n; i += kL)
        step(load, store, store);
      const Index rest = n - i;
      const auto store_rest = [d, rest](V v, A* p) HWY_ATTR { store_part(v, d, p, rest); };
      if (rest) step([d, rest](const A* p) HWY_ATTR { return load_part(d, p, rest); }, store_rest, store_rest);
    }
  }
};

template <class A>
const RowNormFunctions* of_kind(RowNorm kind) {
  static constexpr RowNormFunctions kLayer = {Norm<A, true>::forward, Norm<A, true>::backward},
                                    kRms = {Norm<A, false>::forward, Norm<A, false>::backward};
  return kind == RowNorm::kLayer ? &kLayer : &kRms;
}

}  // namespace

const RowNormFunctions* row_norm_functions(RowNorm kind, Dtype dtype) {
  return dtype == Dtype::kFloat64 ? of_kind<double>(kind) : of_kind<float>(kind);
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::cpu {
namespace {

static constexpr simd::Table<const RowNormFunctions*(RowNorm, Dtype)> kRowNorm = RL_SIMD_TABLE(row_norm_functions);

// Stands in for a weight or bias that was not given.
class Constant {
 public:
  Constant(const TensorBase& given, Dtype dtype, Index n, double value) {
    if (given.defined()) {
      data_ = given.data();
    } else if (dtype == Dtype::kFloat64) {
      doubles_.assign(static_cast<std::size_t>(n), value);
      data_ = doubles_.data();
    } else {
      floats_.assign(static_cast<std::size_t>(n), static_cast<float>(value));
      data_ = floats_.data();
    }
  }
  const void* get() const { return data_; }

 private:
  std::vector<float> floats_;
  std::vector<double> doubles_;
  const void* data_;
};

void row_norm(RowNorm kind, const TensorBase& out, const TensorBase& mean, const TensorBase& rstd, const TensorBase& in,
              const TensorBase& weight, const TensorBase& bias, std::int64_t n, double eps) {
  if (n == 0 || in.numel() == 0) return;
  const Index rows = in.numel() / n;
  const Constant w(weight, in.dtype(), n, 1), b(bias, in.dtype(), n, 0);
  const RowNormArguments args{in.data(),
                              w.get(),
                              b.get(),
                              nullptr,
                              out.mutable_data(),
                              mean.defined() ? mean.mutable_data() : nullptr,
                              rstd.mutable_data(),
                              n,
                              eps,
                              write_of(in.numel() * static_cast<Index>(in.itemsize()))};
  const auto forward = kRowNorm(kind, in.dtype())->forward;
  for_rows(rows, n, [&](Index r0, Index r1) { forward(args, r0, r1); });
}

void row_norm_backward(RowNorm kind, const TensorBase& grad_in, const TensorBase& grad_weight,
                       const TensorBase& grad_bias, const TensorBase& grad, const TensorBase& in,
                       const TensorBase& weight, const TensorBase& mean, const TensorBase& rstd, std::int64_t n) {
  const Index item = static_cast<Index>(in.itemsize());
  const auto clear = [&](const TensorBase& t) {
    if (t.defined()) std::memset(t.mutable_data(), 0, static_cast<std::size_t>(t.numel() * item));
  };
  if (n == 0 || in.numel() == 0) return clear(grad_weight), clear(grad_bias);
  // Weight gradients: partial rows of tasks cut by shape, at most 64 of them, then summed by the reduction engine.
  const Index rows = in.numel() / n, per = std::max(rows_per_task(n), (rows + 63) / 64), tasks = (rows + per - 1) / per;
  const Constant w(weight, in.dtype(), n, 1);
  const RowNormArguments args{in.data(),
                              w.get(),
                              nullptr,
                              grad.data(),
                              grad_in.mutable_data(),
                              mean.defined() ? mean.mutable_data() : nullptr,
                              rstd.mutable_data(),
                              n,
                              0,
                              write_of(in.numel() * item)};
  const auto backward = kRowNorm(kind, in.dtype())->backward;
  std::unique_ptr<char[]> parts(new char[static_cast<std::size_t>(2 * tasks * n * item)]);
  char* second = parts.get() + tasks * n * item;
  parallel_for(tasks, [&](Index t) {
    backward(args, parts.get() + t * n * item, second + t * n * item, t * per, std::min(rows, (t + 1) * per));
  });
  const auto join = [&](const char* from, const TensorBase& to) {
    if (!to.defined()) return;
    const Index sizes[] = {tasks, n}, strides[] = {n, 1}, one = 1;
    reduce(Reduction::kSum, {from, in.dtype(), 2, sizes, strides}, 1, {to.data(), in.dtype(), 1, &n, &one}, nullptr, 0);
  };
  join(parts.get(), grad_weight);
  join(second, grad_bias);
}

}  // namespace
}  // namespace rushlight::cpu

namespace rushlight {
const Kernel<void(RowNorm, const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&,
                  const TensorBase&, const TensorBase&, std::int64_t, double)>
    row_norm_kernel(cpu::row_norm);
const Kernel<void(RowNorm, const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&,
                  const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&, std::int64_t)>
    row_norm_backward_kernel(cpu::row_norm_backward);
}  // namespace rushlight
#endif
