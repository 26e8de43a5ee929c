// Running logsumexp of floats: lines step along side by side, a lane each. The state is the greatest element so far
// and the sum of exponentials relative to it, so that a step takes one exponential and one logarithm.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/reduce/log_scan.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include <algorithm>

#include "cpu/pointwise/moves.h"
#include "cpu/pointwise/log-inl.h"
#include "cpu/reduce/load-inl.h"
#include "cpu/reduce/log_scan.h"
#include "rushlight/parallel.h"

#ifndef RL_LOG_SCAN_STATE
#define RL_LOG_SCAN_STATE
namespace rushlight::cpu {
// Of lines that step together.
constexpr Index kLogLines = 64;
struct LogScanState {
  alignas(64) float most[kLogLines];
  alignas(64) double sum[kLogLines];
};
}  // namespace rushlight::cpu
#endif

HWY_BEFORE_NAMESPACE();
namespace rushlight::cpu {
namespace HWY_NAMESPACE {
namespace {
namespace vm = pointwise::HWY_NAMESPACE::vm;

using DF = Tag<float>;
using VF = hn::Vec<DF>;
constexpr Index kL = kLanes<float>;

// One element of kL lines; returns the result.
HWY_INLINE VF step(LogScanState& state, Index at, VF x) {
  const DF d;
  const hn::Half<DF> dh;
  const hn::Rebind<double, hn::Half<DF>> dd;
  constexpr Index kH = kL / 2;
  const VF old = hn::Load(d, state.most + at), one = hn::Set(d, 1.0f);
  const VF most = MaxOp::combine(d, old, x);
  // Equal infinities have no difference.
  const VF gap = hn::IfThenZeroElse(hn::Eq(x, old), hn::Neg(hn::Abs(hn::Sub(x, old))));
  const VF less = vm::Exp(d, gap);
  const auto grows = hn::Gt(x, old);
  const VF keep = hn::IfThenElse(grows, less, one), add = hn::IfThenElse(grows, one, less);
  const auto half = [&](auto k, auto a, double* sum) HWY_ATTR {
    const auto s = hn::MulAdd(hn::Load(dd, sum), hn::PromoteTo(dd, k), hn::PromoteTo(dd, a));
    hn::Store(s, dd, sum);
    return hn::DemoteTo(dh, s);
  };
  const auto low = half(hn::LowerHalf(dh, keep), hn::LowerHalf(dh, add), state.sum + at);
  const auto high = half(hn::UpperHalf(dh, keep), hn::UpperHalf(dh, add), state.sum + at + kH);
  hn::Store(most, d, state.most + at);
  return hn::Add(most, vm::Log(d, hn::Combine(d, high, low)));
}

}  // namespace

// `rows` elements of `width` lines that lie side by side.
void log_scan_lines(const float* x, float* y, Index rows, Index x_stride, Index y_stride, Index width,
                    LogScanState& state) {
  const DF d;
  const Index whole = width / kL * kL, rest = width - whole;
  for (Index r = 0; r < rows; ++r, x += x_stride, y += y_stride) {
    for (Index c = 0; c < whole; c += kL)
      hn::StoreU(step(state, c, hn::LoadU(d, x + c)), d, y + c);
    if (rest) store_part(step(state, whole, load_part(d, x + whole, rest)), d, y + whole, rest);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::cpu {
namespace {

static constexpr simd::Table<void(const float*, float*, Index, Index, Index, Index, LogScanState&)> kLines =
    RL_SIMD_TABLE(log_scan_lines);

void start(LogScanState& state) {
  std::fill_n(state.most, kLogLines, -std::numeric_limits<float>::infinity());
  std::fill_n(state.sum, kLogLines, 0.0);
}

// Rows become columns a tile at a time.
void scan_rows(const float* x, float* y, Index rows, Index n) {
  constexpr Index kTile = 64, kItem = sizeof(float);
  const auto transpose = pointwise::moves().transpose[kItem];
  alignas(64) float tile[kTile * kLogLines];
  LogScanState state;
  start(state);
  for (Index i = 0; i < n; i += kTile) {
    const Index m = std::min(kTile, n - i);
    transpose(x + i, n * kItem, tile, kLogLines * kItem, m, rows);
    kLines(tile, tile, m, kLogLines, kLogLines, rows, state);
    transpose(tile, kLogLines * kItem, y + i, n * kItem, rows, m);
  }
}

}  // namespace

bool scan_log_sums(const float* x, float* y, Index outer, Index size, Index inner) {
  constexpr Index kFewest = 8;
  if (inner == 1) {
    if (outer < kFewest) return false;
    const Index groups = (outer + kLogLines - 1) / kLogLines;
    parallel_for(groups, [&](Index g) {
      const Index r0 = g * kLogLines;
      scan_rows(x + r0 * size, y + r0 * size, std::min(kLogLines, outer - r0), size);
    });
    return true;
  }
  if (inner < kFewest) return false;
  const Index strips = (inner + kLogLines - 1) / kLogLines;
  parallel_for(outer * strips, [&](Index t) {
    const Index c = t % strips * kLogLines, at = t / strips * size * inner + c;
    LogScanState state;
    start(state);
    kLines(x + at, y + at, size, inner, inner, std::min(kLogLines, inner - c), state);
  });
  return true;
}

}  // namespace rushlight::cpu
#endif
