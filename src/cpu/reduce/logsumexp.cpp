// Kernels of logsumexp: planes max, sum of exp(x - max).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/reduce/logsumexp.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cpu/reduce/exp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::cpu {
namespace HWY_NAMESPACE {
namespace {

constexpr Index kGroup = 8;
constexpr float kLog2E = 1.44269504f;

// T in memory is float or a half type.
template <class T>
struct LogSumExp {
  // An infinite maximum is not subtracted: inf - inf would be NaN.
  static float shift(float max) { return std::isinf(max) ? 0.0f : max; }
  template <class V>
  static HWY_INLINE V shift_vector(V max) {
    return hn::IfThenElseZero(hn::Lt(hn::Abs(max), hn::Inf(Tag<float>())), max);
  }

  static void inner(const void* x, Index n, Index stride, Index c0, Index c1, Index width, Index, void* states,
                    double) {
    float *max = static_cast<float*>(states), *sum = max + width;
    const T* p = static_cast<const T*>(x);
    const auto run_max = [&](Index c) HWY_ATTR {
      return fold_run<MaxOp, float>(p + (c - c0) * stride, n, MaxOp::identity<float>(),
                                    [](auto v) HWY_ATTR { return v; });
    };
    float next = run_max(c0);
    for (Index c = c0; c < c1; ++c) {
      max[c] = next;
      if (c + 1 < c1) next = run_max(c + 1);
      sum[c] = sum_exp<float>(p + (c - c0) * stride, n, shift(max[c]));
    }
  }

  static void outer(const void* x, Index stride, Index rows, Index cols, Index, void* states, double) {
    const T* p = static_cast<const T*>(x);
    float *max = static_cast<float*>(states), *sum = max + cols;
    for (Index c = 0; c < cols; ++c)
      max[c] = MaxOp::identity<float>(), sum[c] = 0;
    Index r = 0;
    for (; r + kGroup <= rows; r += kGroup, p += kGroup * stride)
      group<kGroup>(p, stride, cols, max, sum);
    for (; r < rows; ++r, p += stride)
      group<1>(p, stride, cols, max, sum);
  }

  template <Index kRows>
  static void group(const T* p, Index stride, Index cols, float* max, float* sum) {
    const Tag<float> d;
    constexpr Index kL = kLanes<float>;
    const auto log2e = hn::Set(d, kLog2E);
    const auto update = [&](auto x, auto load, auto store, Index c) HWY_ATTR {
      hn::Vec<Tag<float>> v[kRows];  // read once: eight rows 4 KB apart share one set of the L1 cache
#pragma GCC unroll 8
      for (Index i = 0; i < kRows; ++i)
        v[i] = x(i);
      const auto old = load(max + c);
      auto m = MaxOp::combine(d, old, v[0]);
#pragma GCC unroll 8
      for (Index i = 1; i < kRows; ++i)
        m = MaxOp::combine(d, m, v[i]);
      const auto by = shift_vector(m);
      hn::Vec<Tag<float>> e[2];
      e[0] = hn::Mul(load(sum + c), exp2_for_sums(d, hn::Mul(hn::Sub(old, by), log2e)));
      e[1] = hn::Zero(d);
#pragma GCC unroll 8
      for (Index i = 0; i < kRows; ++i)
        e[i % 2] = hn::Add(e[i % 2], exp2_for_sums(d, hn::Mul(hn::Sub(v[i], by), log2e)));
      store(m, max + c);
      store(hn::Add(e[0], e[1]), sum + c);
    };
    Index c = 0;
    for (; c + kL <= cols; c += kL)
      update([&](Index i) HWY_ATTR { return load_as(d, p + c + i * stride); },
             [&](const float* q) HWY_ATTR { return hn::LoadU(d, q); },
             [&](auto v, float* q) HWY_ATTR { hn::StoreU(v, d, q); }, c);
    const Index rest = cols - c;
    if (rest)
      update([&](Index i) HWY_ATTR { return load_part(d, p + c + i * stride, rest); },
             [&](const float* q) HWY_ATTR { return load_part(d, q, rest); },
             [&](auto v, float* q) HWY_ATTR { store_part(v, d, q, rest); }, c);
  }

  static void merge(void* a, const void* b, Index cols) {
    float *max = static_cast<float*>(a), *sum = max + cols;
    const float *max2 = static_cast<const float*>(b), *sum2 = max2 + cols;
    for (Index c = 0; c < cols; ++c) {
      const float m1 = max[c], m2 = max2[c], m = std::isnan(m1) || m1 > m2 ? m1 : m2;
      // A maximum of -infinity counts nothing: its sum is 0.
      const auto weight = [m](float v) { return v == m ? 1.0f : std::exp(v - shift(m)); };
      sum[c] = sum[c] * weight(m1) + sum2[c] * weight(m2);
      max[c] = m;
    }
  }

  static void finish(const void* states, Index cols, Index, double, const Source&, const Sink& sink) {
    const float* s = static_cast<const float*>(states);
    for (Index c = 0; c < cols; ++c) {
      const float value = s[c] == std::numeric_limits<float>::infinity() ? s[c] : shift(s[c]) + std::log(s[cols + c]);
      store_results(&value, 1,
                    static_cast<char*>(sink.out) + c * sink.stride * static_cast<Index>(item_size(sink.out_dtype)), 1,
                    sink.out_dtype);
    }
  }
  static constexpr ReduceKernel kernel() { return {2 * sizeof(float), 2, inner, outer, merge, finish}; }
};

// float64 by the library's exp: max first, then sums in four parts.
struct LogSumExpDouble {
  static double shift(double max) { return std::isinf(max) ? 0.0 : max; }
  static double larger(double a, double b) { return std::isnan(a) || a > b ? a : b; }

  static void inner(const void* x, Index n, Index stride, Index c0, Index c1, Index width, Index, void* states,
                    double) {
    double *max = static_cast<double*>(states), *sum = max + width;
    for (Index c = c0; c < c1; ++c) {
      const double* p = static_cast<const double*>(x) + (c - c0) * stride;
      max[c] = fold_run<MaxOp, double>(p, n, MaxOp::identity<double>(), [](auto v) HWY_ATTR { return v; });
      const double by = shift(max[c]);
      double part[4] = {};
      for (Index i = 0; i < n; ++i)
        part[i & 3] += std::exp(p[i] - by);
      sum[c] = (part[0] + part[1]) + (part[2] + part[3]);
    }
  }
  static void outer(const void* x, Index stride, Index rows, Index cols, Index, void* states, double) {
    double *max = static_cast<double*>(states), *sum = max + cols;
    for (Index c = 0; c < cols; ++c)
      max[c] = MaxOp::identity<double>(), sum[c] = 0;
    const double* p = static_cast<const double*>(x);
    for (Index r = 0; r < rows; ++r)
      for (Index c = 0; c < cols; ++c)
        max[c] = larger(max[c], p[r * stride + c]);
    for (Index r = 0; r < rows; ++r)
      for (Index c = 0; c < cols; ++c)
        sum[c] += std::exp(p[r * stride + c] - shift(max[c]));
  }
  static void merge(void* a, const void* b, Index cols) {
    double *max = static_cast<double*>(a), *sum = max + cols;
    const double *max2 = static_cast<const double*>(b), *sum2 = max2 + cols;
    for (Index c = 0; c < cols; ++c) {
      const double m = larger(max[c], max2[c]);
      const auto weight = [m](double v) { return v == m ? 1.0 : std::exp(v - shift(m)); };
      sum[c] = sum[c] * weight(max[c]) + sum2[c] * weight(max2[c]);
      max[c] = m;
    }
  }
  static void finish(const void* states, Index cols, Index, double, const Source&, const Sink& sink) {
    const double* s = static_cast<const double*>(states);
    for (Index c = 0; c < cols; ++c)
      static_cast<double*>(sink.out)[c * sink.stride] =
          s[c] == std::numeric_limits<double>::infinity() ? s[c] : shift(s[c]) + std::log(s[cols + c]);
  }
  static constexpr ReduceKernel kernel() { return {2 * sizeof(double), 2, inner, outer, merge, finish}; }
};

}  // namespace

const ReduceKernel* logsumexp_kernels(Dtype dtype) {
  static constexpr ReduceKernel kF32 = LogSumExp<float>::kernel(), kF16 = LogSumExp<Half>::kernel(),
                                kBF16 = LogSumExp<BFloat16>::kernel(), kF64 = LogSumExpDouble::kernel();
  switch (dtype) {
    case Dtype::kFloat32:
      return &kF32;
    case Dtype::kFloat64:
      return &kF64;
    case Dtype::kFloat16:
      return &kF16;
    case Dtype::kBFloat16:
      return &kBF16;
    default:
      return nullptr;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::cpu {
static constexpr simd::Table<const ReduceKernel*(Dtype)> kLogSumExp = RL_SIMD_TABLE(logsumexp_kernels);
const ReduceKernel* find_logsumexp(Reduction, Dtype dtype) { return kLogSumExp(dtype); }
}  // namespace rushlight::cpu
#endif
