// Scans: down columns a vector of columns carries, along rows a prefix within the vector plus a carry.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/reduce/scan.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "cpu/reduce/load-inl.h"
#include "cpu/reduce/log_scan.h"
#include "cpu/reduce/rows.h"
#include "ops/kernels/scan.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::cpu {
namespace HWY_NAMESPACE {
namespace {

using DF = Tag<float>;
using VF = hn::Vec<DF>;
constexpr Index kL = kLanes<float>;
#if HWY_TARGET <= HWY_AVX3
alignas(64) constexpr std::int32_t kSevens[16] = {7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7};
#endif

// Inclusive prefix sums of one vector: two steps in blocks of four lanes, then one per doubling.
HWY_INLINE VF prefix(DF d, VF v) {
  v = hn::Add(v, hn::ShiftLeftLanes<1>(d, v));
  v = hn::Add(v, hn::ShiftLeftLanes<2>(d, v));
#if HWY_TARGET <= HWY_AVX2
  const VF last = hn::Broadcast<3>(v);
  v = hn::Add(v, hn::OddEvenBlocks(hn::SwapAdjacentBlocks(last), hn::Zero(d)));
#if HWY_TARGET <= HWY_AVX3
  const auto lane7 = hn::SetTableIndices(d, kSevens);
  v = hn::Add(v, hn::ConcatUpperLower(d, hn::TableLookupLanes(v, lane7), hn::Zero(d)));
#endif
#endif
  return v;
}

}  // namespace

void cumsum_rows(const float* x, float* y, Index r0, Index r1, Index n) {
  const DF d;
  const hn::ScalableTag<double> dd;
  const hn::Half<DF> dh;
  for (Index r = r0; r < r1; ++r) {
    const float* p = x + r * n;
    float* q = y + r * n;
    double carry = 0;
    for (Index i = 0; i < n; i += kL) {
      const Index rest = std::min(kL, n - i);
      const bool whole = rest == kL;
      const VF values = whole ? hn::LoadU(d, p + i) : load_part(d, p + i, rest);
      const VF v = prefix(d, values);
      // The float64 carry as the sum of two float32: within an ULP of float64 arithmetic, fewer steps.
      const float high = static_cast<float>(carry);
      const float low = static_cast<float>(carry - static_cast<double>(high));
      const VF out = hn::Add(hn::Set(d, high), hn::Add(v, hn::Set(d, std::isfinite(high) ? low : 0.0f)));
      if (whole)
        hn::StoreU(out, d, q + i);
      else
        store_part(out, d, q + i, rest);
      // Beside the prefix, not from it: its float32 roundings would add up along the row.
      carry += fold_lanes(
          AddOp(), dd,
          hn::Add(hn::PromoteTo(dd, hn::LowerHalf(dh, values)), hn::PromoteTo(dd, hn::UpperHalf(dh, values))));
    }
  }
}

// Columns [c0, c1): carries in float64, a strip of whole cache lines per row.
void cumsum_columns(const float* x, float* y, Index rows, Index n, Index c0, Index c1) {
  const hn::ScalableTag<double> dd;
  const hn::Rebind<float, decltype(dd)> dh;
  constexpr Index kH = kL / 2, kStrip = 1024;
  alignas(64) double carry[kStrip];
  for (Index s = c0; s < c1; s += kStrip) {
    const Index w = std::min(kStrip, c1 - s), whole = w / kH * kH;
    std::fill_n(carry, w, 0.0);
    for (Index r = 0; r < rows; ++r) {
      const float* p = x + r * n + s;
      float* q = y + r * n + s;
      Index c = 0;
      for (; c < whole; c += kH) {
        const auto sum = hn::Add(hn::LoadU(dd, carry + c), hn::PromoteTo(dd, hn::LoadU(dh, p + c)));
        hn::StoreU(sum, dd, carry + c);
        hn::StoreU(hn::DemoteTo(dh, sum), dh, q + c);
      }
      for (; c < w; ++c)
        q[c] = static_cast<float>(carry[c] += static_cast<double>(p[c]));
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::cpu {
namespace {

static constexpr simd::Table<void(const float*, float*, Index, Index, Index)> kCumsumRows = RL_SIMD_TABLE(cumsum_rows);
static constexpr simd::Table<void(const float*, float*, Index, Index, Index, Index)> kCumsumColumns =
    RL_SIMD_TABLE(cumsum_columns);

struct Lines {
  Index outer = 1, size = 1, inner = 1;
  Lines(const TensorBase& t, Index dim) {
    for (Index i = 0; i < t.dim(); ++i) {
      const Index extent = t.impl()->sizes()[i];
      (i < dim ? outer : i > dim ? inner : size) *= extent;
    }
  }
};

void cumsum_float(const float* x, float* y, const Lines& at) {
  if (at.inner == 1)
    return for_rows(at.outer, at.size, [&](Index r0, Index r1) { kCumsumRows(x, y, r0, r1, at.size); });
  const Index per = std::max<Index>(512, kTaskElements / at.size / 64 * 64), strips = (at.inner + per - 1) / per;
  parallel_for(at.outer * strips, [&](Index t) {
    const Index block = t / strips * at.size * at.inner, c = t % strips * per;
    kCumsumColumns(x + block, y + block, at.size, at.inner, c, std::min(at.inner, c + per));
  });
}

// What a scan of T carries.
template <class T>
struct CarryOf {
  using type = T;
};
template <>
struct CarryOf<float> {
  using type = double;
};
template <>
struct CarryOf<Half> {
  using type = float;
};
template <>
struct CarryOf<BFloat16> {
  using type = float;
};
template <>
struct CarryOf<ComplexFloat> {
  using type = ComplexDouble;
};

// Four rows step along together: one waits for its carry while the others work.
template <class T, class A, class Step>
void scan_rows(const T* x, T* y, Index rows, Index n, A start, const Step& step) {
  parallel_ranges(rows, std::max<Index>(4, rows_per_task(n)), [&](Index r0, Index r1) {
    Index r = r0;
    for (; r + 4 <= r1; r += 4) {
      A carry[4] = {start, start, start, start};
      for (Index i = 0; i < n; i += 32) {
        // Through a small block: rows a multiple of 4 KB apart would make loads wait for stores.
        const Index w = std::min<Index>(32, n - i);
        A block[4][32];
        for (int k = 0; k < 4; ++k)
          for (Index j = 0; j < w; ++j)
            block[k][j] = static_cast<A>(x[(r + k) * n + i + j]);
        for (Index j = 0; j < w; ++j)
          for (int k = 0; k < 4; ++k)
            block[k][j] = carry[k] = step(carry[k], block[k][j]);
        for (int k = 0; k < 4; ++k)
          for (Index j = 0; j < w; ++j)
            y[(r + k) * n + i + j] = static_cast<T>(block[k][j]);
      }
    }
    for (; r < r1; ++r) {
      A carry = start;
      for (Index i = r * n; i < (r + 1) * n; ++i)
        y[i] = static_cast<T>(carry = step(carry, static_cast<A>(x[i])));
    }
  });
}

// Carries of a strip of columns step down together.
template <class T, class A, class Step>
void scan_lines(const T* x, T* y, const Lines& at, A start, const Step& step) {
  if (at.inner == 1) return scan_rows(x, y, at.outer, at.size, start, step);
  const Index width = std::min<Index>(at.inner, 256), strips = (at.inner + width - 1) / width;
  parallel_ranges(at.outer * strips, 1, [&](Index t0, Index t1) {
    std::vector<A> carry(static_cast<std::size_t>(width));
    for (Index t = t0; t < t1; ++t) {
      const Index c0 = t % strips * width, w = std::min(width, at.inner - c0);
      Index offset = t / strips * at.size * at.inner + c0;
      std::fill(carry.begin(), carry.end(), start);
      for (Index r = 0; r < at.size; ++r, offset += at.inner)
        for (Index c = 0; c < w; ++c) {
          A& a = carry[static_cast<std::size_t>(c)];
          a = step(a, static_cast<A>(x[offset + c]));
          y[offset + c] = static_cast<T>(a);
        }
    }
  });
}

template <class A>
A add_step(A a, A b) {
  if constexpr (std::is_integral_v<A>)
    return static_cast<A>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  else
    return a + b;
}
template <class A>
A multiply_step(A a, A b) {
  if constexpr (std::is_integral_v<A>)
    return static_cast<A>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  else if constexpr (std::is_floating_point_v<A>)
    return a * b;
  else
    return A(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
}

// log(exp(a) + exp(b)); a is -infinity before the first element.
template <class A>
A log_add(A a, A b) {
  if constexpr (std::is_floating_point_v<A>) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? a : b;
    const A low = std::min(a, b), high = std::max(a, b);
    return low != high || std::isfinite(low) ? high + std::log1p(std::exp(low - high)) : a;
  } else {
    using Part = typename A::value_type;
    const auto nan = [](A v) { return std::isnan(v.real()) || std::isnan(v.imag()); };
    if (nan(a) || nan(b)) return {std::numeric_limits<Part>::quiet_NaN(), std::numeric_limits<Part>::quiet_NaN()};
    const bool swap = a.real() > b.real();
    const A low = swap ? b : a, high = swap ? a : b;
    if (std::isinf(low.real()) && low.real() < 0 && std::isinf(high.real()) && high.real() < 0) return a;
    if (std::isinf(low.real()) && low.real() < 0) return high;
    return high + std::log(A(1) + std::exp(low - high));
  }
}

void scan(Scan op, const TensorBase& out, const TensorBase& in, std::int64_t dim) {
  if (in.numel() == 0) return;
  const Lines at(in, dim);
  if (op == Scan::kSum && in.dtype() == Dtype::kFloat32)
    return cumsum_float(in.data<float>(), out.mutable_data<float>(), at);
  if (op == Scan::kLogSumExp && in.dtype() == Dtype::kFloat32 &&
      scan_log_sums(in.data<float>(), out.mutable_data<float>(), at.outer, at.size, at.inner))
    return;
  visit(in.dtype(), [&](auto zero) {
    using T = decltype(zero);
    using A = typename CarryOf<T>::type;
    const T* x = in.data<T>();
    T* y = out.mutable_data<T>();
    if constexpr (!std::is_same_v<T, bool>) {
      if (op == Scan::kSum) return scan_lines<T, A>(x, y, at, A(0), [](A a, A b) { return add_step(a, b); });
      if (op == Scan::kProd) return scan_lines<T, A>(x, y, at, A(1), [](A a, A b) { return multiply_step(a, b); });
      if constexpr (!std::is_integral_v<T>)
        scan_lines<T, A>(x, y, at, A(-std::numeric_limits<double>::infinity()), [](A a, A b) { return log_add(a, b); });
    }
  });
}

void scan_extremum(ScanExtremum op, const TensorBase& values, const TensorBase& indices, const TensorBase& in,
                   std::int64_t dim) {
  if (in.numel() == 0) return;
  const Lines at(in, dim);
  visit(in.dtype(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (!std::is_same_v<T, ComplexFloat> && !std::is_same_v<T, ComplexDouble>) {
      const T* x = in.data<T>();
      T* v = values.mutable_data<T>();
      Index* i = indices.mutable_data<Index>();
      const bool largest = op == ScanExtremum::kMax;
      const auto takes = [largest](T candidate, T held) {
        if constexpr (!std::is_integral_v<T>) {
          const auto c = static_cast<double>(candidate), h = static_cast<double>(held);
          return c != c || (h == h && (largest ? c >= h : c <= h));
        } else {
          return largest ? candidate >= held : candidate <= held;
        }
      };
      const Index per = at.inner == 1 ? rows_per_task(at.size) : 1;
      parallel_ranges(at.outer, per, [&](Index o0, Index o1) {
        for (Index o = o0; o < o1; ++o)
          for (Index r = 0; r < at.size; ++r)
            for (Index c = 0; c < at.inner; ++c) {
              const Index here = (o * at.size + r) * at.inner + c;
              const bool take = r == 0 || takes(x[here], v[here - at.inner]);
              v[here] = take ? x[here] : v[here - at.inner];
              i[here] = take ? r : i[here - at.inner];
            }
      });
    }
  });
}

}  // namespace
}  // namespace rushlight::cpu

namespace rushlight {
const Kernel<void(Scan, const TensorBase&, const TensorBase&, std::int64_t)> scan_kernel(cpu::scan);
const Kernel<void(ScanExtremum, const TensorBase&, const TensorBase&, const TensorBase&, std::int64_t)>
    scan_extremum_kernel(cpu::scan_extremum);
}  // namespace rushlight
#endif
