// Pooling of float32 rows in vectors.
#include "cpu/pool/planes.h"

#include "cpu/simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/pool/planes.cpp"
#include "hwy/foreach_target.h"

#include "hwy/highway.h"

#include <algorithm>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace rushlight::pool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using Index = std::int64_t;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(D()));

// f(element of column 0 of the window, vector of that tap for kLanes output columns) in the order
// of the window.
template <class F>
HWY_INLINE void ForTaps(const Row& r, Index column, F f) {
  const D d;
  for (Index y = r.y; y < r.y_end; y += r.y_step) {
    const Index start = y * r.width + r.first + column * r.stride;
    if (r.stride == 1) {
      for (Index t = 0; t < r.taps; ++t)
        f(start + t * r.tap_step, hn::LoadU(d, r.plane + start + t * r.tap_step));
      continue;
    }
    V even, odd;
    for (Index t = 0; t < r.taps; ++t) {  // neighbouring taps come from one load
      const Index at = start + t * r.tap_step;
      hn::LoadInterleaved2(d, r.plane + at, even, odd);
      f(at, even);
      if (r.tap_step == 1 && t + 1 < r.taps) {
        f(at + 1, odd);
        ++t;
      }
    }
  }
}

// The first output column that a vector must not start at: all it reads lies inside the plane.
HWY_INLINE Index LastStart(const Row& r) {
  const Index bottom = r.y + (r.y_end - 1 - r.y) / r.y_step * r.y_step;
  const Index reach = bottom * r.width + r.first + (r.taps - 1) * r.tap_step + kLanes * r.stride;
  const Index room = r.end - reach;
  return room < 0 ? r.from : std::min(r.to - kLanes, room / r.stride) + 1;
}

template <bool kWhere>
HWY_INLINE Index MaxRow(const Row& r, float* out, Index* where) {
  const D d;
  const hn::RebindToSigned<D> di;
  const hn::Half<decltype(di)> dh;
  const hn::RepartitionToWide<decltype(di)> dw;
  const Index stop = LastStart(r);
  Index i = r.from;
  const auto lanes = hn::Mul(hn::Iota(di, 0), hn::Set(di, static_cast<std::int32_t>(r.stride)));
  for (; i < stop; i += kLanes) {
    V best = hn::Set(d, -std::numeric_limits<float>::infinity());
    auto at = hn::Set(di, static_cast<std::int32_t>(r.y * r.width + r.first + i * r.stride));
    ForTaps(r, i, [&](Index element, V v) HWY_ATTR {
      const auto better = hn::Or(hn::Gt(v, best), hn::IsNaN(v));
      best = hn::IfThenElse(better, v, best);
      if constexpr (kWhere)
        at = hn::IfThenElse(hn::RebindMask(di, better), hn::Set(di, static_cast<std::int32_t>(element)), at);
    });
    hn::StoreU(best, d, out + i);
    if constexpr (kWhere) {
      at = hn::Add(at, lanes);
      hn::StoreU(hn::PromoteTo(dw, hn::LowerHalf(dh, at)), dw, where + i);
      hn::StoreU(hn::PromoteTo(dw, hn::UpperHalf(dh, at)), dw, where + i + kLanes / 2);
    }
  }
  return i;
}

Index MaxValues(const Row& r, float* out, Index* where) {
  return where ? MaxRow<true>(r, out, where) : MaxRow<false>(r, out, where);
}

Index Average(const Row& r, float divisor, float* out) {
  const D d;
  const Index stop = LastStart(r);
  const V by = hn::Set(d, divisor);
  Index i = r.from;
  for (; i < stop; i += kLanes) {
    V sum = hn::Zero(d);
    ForTaps(r, i, [&](Index, V v) HWY_ATTR { sum = hn::Add(sum, v); });
    hn::StoreU(hn::Div(sum, by), d, out + i);
  }
  return i;
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::pool
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::pool {

std::int64_t max_row(const Row& row, float* out, std::int64_t* where) {
  static constexpr simd::Table<decltype(HWY_NAMESPACE::MaxValues)> kTable = RL_SIMD_TABLE(MaxValues);
  return kTable(row, out, where);
}
std::int64_t average_row(const Row& row, float divisor, float* out) {
  static constexpr simd::Table<decltype(HWY_NAMESPACE::Average)> kTable = RL_SIMD_TABLE(Average);
  return kTable(row, divisor, out);
}

}  // namespace rushlight::pool
#endif
