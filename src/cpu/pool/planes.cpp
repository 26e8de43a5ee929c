// Sliding windows over float32 planes in vectors of output columns.
#include "cpu/pool/planes.h"

#include "cpu/simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/pool/planes.cpp"
#include "hwy/foreach_target.h"

#include "cpu/conv/split_row-inl.h"
#include "hwy/highway.h"

#include <algorithm>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace rushlight::pool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using gemm::HWY_NAMESPACE::Join;
using gemm::HWY_NAMESPACE::Split;
using gemm::HWY_NAMESPACE::SplitRow;
using gemm::HWY_NAMESPACE::StorePart;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(D()));

SplitRow RowOf(const Sliding& s) { return {s.shape.in[2], s.shape.padding[2], s.shape.stride[2], s.phase_w, s.row_w}; }

// Rows as they are read: a window that slides by one inside the row needs no copy, since its last vector moves back.
struct Rows {
  const float* data;
  Index step;
};
HWY_INLINE bool InPlace(const Sliding& s) {
  return s.shape.stride[2] == 1 && s.shape.padding[2] == 0 && s.shape.out[2] >= kLanes;
}
Rows SplitPlane(const Sliding& s, const float* in, float border, float* scratch) {
  if (InPlace(s)) return {in, s.shape.in[2]};
  const SplitRow row = RowOf(s);
  for (Index r = 0; r < s.shape.in[0] * s.shape.in[1]; ++r)
    Split(row, in + r * row.width, border, scratch + r * row.row_w);
  return {scratch, row.row_w};
}

// f(row of the plane) for the rows of a window.
template <class F>
HWY_INLINE void ForRows(const Sliding& s, Index z, Index y, F f) {
  const auto &zs = s.depth[static_cast<std::size_t>(z)], &ys = s.rows[static_cast<std::size_t>(y)];
  for (Index iz = zs.from; iz < zs.to; iz += zs.step)
    for (Index iy = ys.from; iy < ys.to; iy += ys.step)
      f(iz * s.shape.in[1] + iy);
}

// f(output row, first column, columns) for vectors of output columns.
template <class F>
HWY_INLINE void ForVectors(const Sliding& s, bool in_place, F f) {
  const Index columns = s.shape.out[2];
  for (Index z = 0; z < s.shape.out[0]; ++z)
    for (Index y = 0; y < s.shape.out[1]; ++y)
      for (Index x = 0; x < columns; x += kLanes)
        if (in_place)
          f(z, y, std::min(x, columns - kLanes), kLanes);
        else
          f(z, y, x, std::min(kLanes, columns - x));
}
HWY_INLINE void StoreColumns(V v, Index count, float* to) {
  const D d;
  if (count == kLanes) return hn::StoreU(v, d, to);
  StorePart(d, v, hn::FirstN(d, static_cast<std::size_t>(count)), count, to);
}

// kTaps: the taps along x, or 0 for any number.
template <int kTaps>
void MaxValues(const Sliding& s, float* out, const Rows& rows) {
  const D d;
  const Index taps = kTaps ? kTaps : s.shape.kernel[2];
  const Index* tap = s.taps.data();
  ForVectors(s, InPlace(s), [&](Index z, Index y, Index x, Index count) HWY_ATTR {
    V best = hn::Set(d, -std::numeric_limits<float>::infinity());
    auto number = hn::Eq(best, best);
    ForRows(s, z, y, [&](Index row) HWY_ATTR {
      const float* from = rows.data + row * rows.step + x;
      _Pragma("GCC unroll 4") for (Index t = 0; t < taps; ++t) {
        const V v = hn::LoadU(d, from + tap[t]);
        number = hn::And(number, hn::Eq(v, v));
        best = hn::Max(best, v);
      }
    });
    best = hn::IfThenElse(number, best, hn::Set(d, std::numeric_limits<float>::quiet_NaN()));
    StoreColumns(best, count, out + (z * s.shape.out[1] + y) * s.shape.out[2] + x);
  });
}

HWY_INLINE void StorePositions(hn::Vec<hn::RebindToSigned<D>> at, Index count, Index* to) {
  const hn::RebindToSigned<D> di;
  const hn::Half<decltype(di)> dh;
  const hn::RepartitionToWide<decltype(di)> dw;
  if (count == kLanes) {
    hn::StoreU(hn::PromoteTo(dw, hn::LowerHalf(dh, at)), dw, to);
    hn::StoreU(hn::PromoteTo(dw, hn::UpperHalf(dh, at)), dw, to + kLanes / 2);
    return;
  }
  HWY_ALIGN std::int32_t lanes[kLanes];
  hn::Store(at, di, lanes);
  for (Index i = 0; i < count; ++i)
    to[i] = lanes[i];
}

// The first of equal maxima; the last NaN wins over everything.
template <int kTaps>
void MaxPositions(const Sliding& s, float* out, Index* where, const Rows& rows) {
  const D d;
  const hn::RebindToSigned<D> di;
  const Index taps = kTaps ? kTaps : s.shape.kernel[2];
  const Index* tap = s.taps.data();
  const auto columns = hn::Mul(hn::Iota(di, 0), hn::Set(di, static_cast<std::int32_t>(s.shape.stride[2])));
  ForVectors(s, InPlace(s), [&](Index z, Index y, Index x, Index count) HWY_ATTR {
    const Index top =
        s.depth[static_cast<std::size_t>(z)].from * s.shape.in[1] + s.rows[static_cast<std::size_t>(y)].from;
    V best = hn::Set(d, -std::numeric_limits<float>::infinity());
    auto at = hn::Add(hn::LoadU(di, s.first.data() + x), hn::Set(di, static_cast<std::int32_t>(top * s.shape.in[2])));
    ForRows(s, z, y, [&](Index row) HWY_ATTR {
      const float* from = rows.data + row * rows.step + x;
      const Index start = row * s.shape.in[2] + x * s.shape.stride[2] - s.shape.padding[2];
      for (Index t = 0; t < taps; ++t) {
        const V v = hn::LoadU(d, from + tap[t]);
        const auto better = hn::Or(hn::Gt(v, best), hn::IsNaN(v));
        const auto here = hn::Add(columns, hn::Set(di, static_cast<std::int32_t>(start + t * s.shape.dilation[2])));
        best = hn::IfThenElse(better, v, best);
        at = hn::IfThenElse(hn::RebindMask(di, better), here, at);
      }
    });
    const Index o = (z * s.shape.out[1] + y) * s.shape.out[2] + x;
    StoreColumns(best, count, out + o);
    StorePositions(at, count, where + o);
  });
}

void Max(const Sliding& s, const float* in, float* out, Index* where, float* scratch) {
  const Rows rows = SplitPlane(s, in, -std::numeric_limits<float>::infinity(), scratch);
  const Index taps = s.shape.kernel[2];
  if (where)
    taps == 2   ? MaxPositions<2>(s, out, where, rows)
    : taps == 3 ? MaxPositions<3>(s, out, where, rows)
                : MaxPositions<0>(s, out, where, rows);
  else
    taps == 2 ? MaxValues<2>(s, out, rows) : taps == 3 ? MaxValues<3>(s, out, rows) : MaxValues<0>(s, out, rows);
}

HWY_INLINE V DivisorOf(const Sliding& s, const Divisors& by, Index z, Index y, Index x) {
  const D d;
  const float slice = by.slices[static_cast<std::size_t>(z * s.shape.out[1] + y)];
  return hn::Mul(hn::Set(d, slice), hn::LoadU(d, by.columns.data() + x));
}

void Average(const Sliding& s, const Divisors& by, const float* in, float* out, float* scratch) {
  const D d;
  const Rows rows = SplitPlane(s, in, 0, scratch);
  const Index taps = s.shape.kernel[2];
  const Index* tap = s.taps.data();
  ForVectors(s, InPlace(s), [&](Index z, Index y, Index x, Index count) HWY_ATTR {
    V sum = hn::Zero(d);
    bool any = false;
    ForRows(s, z, y, [&](Index row) HWY_ATTR {
      const float* from = rows.data + row * rows.step + x;
      for (Index t = 0; t < taps; ++t)
        sum = hn::Add(sum, hn::LoadU(d, from + tap[t]));
      any = true;
    });
    // Windows in the border alone are 0, whatever they are divided by.
    const V mean = any ? hn::Div(sum, DivisorOf(s, by, z, y, x)) : hn::Zero(d);
    StoreColumns(mean, count, out + (z * s.shape.out[1] + y) * s.shape.out[2] + x);
  });
}

void Spread(const Sliding& s, const Divisors& by, const float* grad_out, float* grad_in, float* scratch) {
  const D d;
  const SplitRow row = RowOf(s);
  const Index rows = s.shape.in[0] * s.shape.in[1];
  gemm::HWY_NAMESPACE::Fill(scratch, s.scratch() - kLanes, 0.0f);
  ForVectors(s, false, [&](Index z, Index y, Index x, Index count) HWY_ATTR {
    const float* from = grad_out + (z * s.shape.out[1] + y) * s.shape.out[2] + x;
    const auto mask = hn::FirstN(d, static_cast<std::size_t>(count));
    const V gradient = gemm::HWY_NAMESPACE::LoadPart(d, mask, count, from);
    const V share = hn::IfThenElseZero(mask, hn::Div(gradient, DivisorOf(s, by, z, y, x)));
    ForRows(s, z, y, [&](Index r) HWY_ATTR {
      for (Index t = s.shape.kernel[2]; t-- > 0;) {  // windows from left to right
        float* to = scratch + r * s.row_w + x + s.taps[static_cast<std::size_t>(t)];
        hn::StoreU(hn::Add(hn::LoadU(d, to), share), d, to);
      }
    });
  });
  for (Index r = 0; r < rows; ++r)
    Join(row, scratch + r * s.row_w, grad_in + r * row.width);
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::pool
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::pool {
namespace {

constexpr Index kMostLanes = 16;
Index whole_vectors(Index n) { return (n + kMostLanes - 1) / kMostLanes * kMostLanes; }

std::vector<Sliding::Range> windows(const PoolShape& s, int d) {
  std::vector<Sliding::Range> result;
  for (Index i = 0; i < s.out[d]; ++i) {
    Index from = i * s.stride[d] - s.padding[d];
    const Index to = std::min(from + (s.kernel[d] - 1) * s.dilation[d] + 1, s.in[d]);
    if (from < 0) from += (-from + s.dilation[d] - 1) / s.dilation[d] * s.dilation[d];
    result.push_back({from, to, s.dilation[d]});
  }
  return result;
}

}  // namespace

Sliding::Sliding(const PoolShape& s) : shape(s), depth(windows(s, 0)), rows(windows(s, 1)) {
  const Index reach = (s.kernel[2] - 1) * s.dilation[2] / s.stride[2];
  // A phase holds the row and its border, and whole vectors of output columns can be read under every tap.
  phase_w = std::max((s.in[2] + 2 * s.padding[2] + s.stride[2] - 1) / s.stride[2], whole_vectors(s.out[2]) + reach);
  row_w = phase_w * s.stride[2];
  for (Index t = 0; t < s.kernel[2]; ++t)
    taps.push_back(t * s.dilation[2] % s.stride[2] * phase_w + t * s.dilation[2] / s.stride[2]);
  for (const Range& r : windows(s, 2))
    first.push_back(static_cast<std::int32_t>(r.from));
  first.resize(static_cast<std::size_t>(whole_vectors(s.out[2])));
}
Index Sliding::scratch() const { return shape.in[0] * shape.in[1] * row_w + 2 * kMostLanes; }

void max_plane(const Sliding& s, const float* in, float* out, Index* where, float* scratch) {
  static constexpr simd::Table<decltype(HWY_NAMESPACE::Max)> kTable = RL_SIMD_TABLE(Max);
  kTable(s, in, out, where, scratch);
}
void average_plane(const Sliding& s, const Divisors& by, const float* in, float* out, float* scratch) {
  static constexpr simd::Table<decltype(HWY_NAMESPACE::Average)> kTable = RL_SIMD_TABLE(Average);
  kTable(s, by, in, out, scratch);
}
void spread_plane(const Sliding& s, const Divisors& by, const float* grad_out, float* grad_in, float* scratch) {
  static constexpr simd::Table<decltype(HWY_NAMESPACE::Spread)> kTable = RL_SIMD_TABLE(Spread);
  kTable(s, by, grad_out, grad_in, scratch);
}

}  // namespace rushlight::pool
#endif
