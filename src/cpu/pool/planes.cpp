// Sliding windows over float32 planes in vectors of output columns.
#include "cpu/pool/planes.h"

#include "cpu/simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/pool/planes.cpp"
#include "hwy/foreach_target.h"

#include "cpu/conv/split_row-inl.h"
#include "cpu/pool/store-inl.h"
#include "hwy/highway.h"

#include <algorithm>
#include <cstring>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace rushlight::pool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
#define RL_UNROLL _Pragma("GCC unroll 4")
using gemm::HWY_NAMESPACE::join;
using gemm::HWY_NAMESPACE::load_part;
using gemm::HWY_NAMESPACE::split;
using gemm::HWY_NAMESPACE::SplitRow;
SplitRow row_of(const Sliding& s) { return {s.shape.in[2], s.shape.padding[2], s.shape.stride[2], s.phase_w, s.row_w}; }

// Rows as they are read: a window that slides by one inside the row needs no copy, since its last vector moves back.
struct Rows {
  const float* data;
  Index step;
};
HWY_INLINE bool reads_in_place(const Sliding& s) {
  return s.shape.stride[2] == 1 && s.shape.padding[2] == 0 && s.shape.out[2] >= kLanes;
}
Rows split_plane(const Sliding& s, const float* in, float border, float* scratch) {
  if (reads_in_place(s)) return {in, s.shape.in[2]};
  const SplitRow row = row_of(s);
  for (Index r = 0; r < s.shape.in[0] * s.shape.in[1]; ++r)
    split(row, in + r * row.width, border, scratch + r * row.row_w);
  return {scratch, row.row_w};
}

// The rows of one row of windows, as numbers and, for the first ones, as pointers.
class WindowRows {
 public:
  HWY_INLINE WindowRows(const Sliding& s, const Rows& rows, Index slice)
      : numbers_(s.window_rows.data() + s.window_starts[static_cast<std::size_t>(slice)]),
        rows_(rows),
        count(s.window_starts[static_cast<std::size_t>(slice) + 1] - s.window_starts[static_cast<std::size_t>(slice)]) {
    for (Index i = 0; i < std::min(count, kFew); ++i)
      few_[i] = rows.data + numbers_[i] * rows.step;
  }
  HWY_INLINE const float* operator[](Index i) const {
    return i < kFew ? few_[i] : rows_.data + numbers_[i] * rows_.step;
  }
  HWY_INLINE Index number(Index i) const { return numbers_[i]; }

 private:
  static constexpr Index kFew = 9;
  const Index* numbers_;
  Rows rows_;
  const float* few_[kFew];

 public:
  const Index count;
};

// The taps along x; up to three of them, kTaps, are unrolled and in registers.
template <int kTaps>
struct ColumnTaps {
  Index offset[kTaps ? kTaps : 1];
  const Index* all;
  Index count;
  HWY_INLINE explicit ColumnTaps(const Sliding& s) : all(s.taps.data()), count(s.shape.kernel[2]) {
    RL_UNROLL for (int t = 0; t < kTaps; ++t) offset[t] = all[t];
  }
  // f(tap, where it starts)
  template <class F>
  HWY_INLINE void for_each(F f) const {
    if constexpr (kTaps > 0) {
      RL_UNROLL for (int t = 0; t < kTaps; ++t) f(t, offset[t]);
    } else {
      for (Index t = 0; t < count; ++t)
        f(t, all[t]);
    }
  }
};

// f(first column, columns) for vectors of output columns.
template <class F>
HWY_INLINE void for_vectors(Index columns, bool in_place, F f) {
  for (Index x = 0; x < columns; x += kLanes)
    if (in_place)
      f(std::min(x, columns - kLanes), kLanes);
    else
      f(x, std::min(kLanes, columns - x));
}
// kTaps: the taps along x, or 0 for any number.
template <int kTaps>
void max_values(const Sliding& s, float* out, const Rows& rows) {
  const D d;
  const ColumnTaps<kTaps> taps(s);
  const Index columns = s.shape.out[2], slices = s.shape.out[0] * s.shape.out[1];
  const bool in_place = reads_in_place(s);
  for (Index slice = 0; slice < slices; ++slice, out += columns) {
    const WindowRows window(s, rows, slice);
    for_vectors(columns, in_place, [&](Index x, Index count) HWY_ATTR {
      V best = hn::Set(d, -std::numeric_limits<float>::infinity());
      auto number = hn::Eq(best, best);
      for (Index r = 0; r < window.count; ++r) {
        const float* from = window[r] + x;
        taps.for_each([&](Index, Index tap) HWY_ATTR {
          const V v = hn::LoadU(d, from + tap);
          number = hn::And(number, hn::Eq(v, v));
          best = hn::Max(best, v);
        });
      }
      best = hn::IfThenElse(number, best, hn::Set(d, std::numeric_limits<float>::quiet_NaN()));
      store_columns(best, count, out + x);
    });
  }
}

// The first of equal maxima; the last NaN wins over everything.
template <int kTaps>
void max_positions(const Sliding& s, float* out, Index* where, const Rows& rows) {
  const D d;
  const hn::RebindToSigned<D> di;
  const ColumnTaps<kTaps> taps(s);
  const Index columns = s.shape.out[2], slices = s.shape.out[0] * s.shape.out[1], width = s.shape.in[2];
  const Index stride = s.shape.stride[2], pad = s.shape.padding[2], dilation = s.shape.dilation[2];
  const bool in_place = reads_in_place(s);
  const auto set = [&](Index i) HWY_ATTR { return hn::Set(di, static_cast<std::int32_t>(i)); };
  const auto lanes = hn::Mul(hn::Iota(di, 0), set(stride));
  for (Index slice = 0; slice < slices; ++slice, out += columns, where += columns) {
    const WindowRows window(s, rows, slice);
    const Index z = slice / s.shape.out[1], y = slice % s.shape.out[1];
    const Index top =
        s.depth[static_cast<std::size_t>(z)].from * s.shape.in[1] + s.rows[static_cast<std::size_t>(y)].from;
    for_vectors(columns, in_place, [&](Index x, Index count) HWY_ATTR {
      V best = hn::Set(d, -std::numeric_limits<float>::infinity());
      auto at = hn::Add(hn::LoadU(di, s.first.data() + x), set(top * width));
      for (Index r = 0; r < window.count; ++r) {
        const float* from = window[r] + x;
        const Index start = window.number(r) * width + x * stride - pad;
        taps.for_each([&](Index t, Index tap) HWY_ATTR {
          const V v = hn::LoadU(d, from + tap);
          const auto better = hn::Or(hn::Gt(v, best), hn::IsNaN(v));
          best = hn::IfThenElse(better, v, best);
          at = hn::IfThenElse(hn::RebindMask(di, better), hn::Add(lanes, set(start + t * dilation)), at);
        });
      }
      store_columns(best, count, out + x);
      store_positions(at, count, where + x);
    });
  }
}

void max_planes(const Sliding& s, const float* in, float* out, Index* where, float* scratch) {
  const Rows rows = split_plane(s, in, -std::numeric_limits<float>::infinity(), scratch);
  const Index taps = s.shape.kernel[2];
  if (where)
    taps == 2   ? max_positions<2>(s, out, where, rows)
    : taps == 3 ? max_positions<3>(s, out, where, rows)
                : max_positions<0>(s, out, where, rows);
  else
    taps == 2 ? max_values<2>(s, out, rows) : taps == 3 ? max_values<3>(s, out, rows) : max_values<0>(s, out, rows);
}

template <int kTaps>
void means(const Sliding& s, const Divisors& by, float* out, const Rows& rows) {
  const D d;
  const ColumnTaps<kTaps> taps(s);
  const Index columns = s.shape.out[2], slices = s.shape.out[0] * s.shape.out[1];
  const float* const divisors = by.columns.data();
  const bool in_place = reads_in_place(s);
  for (Index slice = 0; slice < slices; ++slice, out += columns) {
    const WindowRows window(s, rows, slice);
    // Windows in the border alone are 0, whatever they are divided by.
    const V factor = hn::Set(d, window.count ? by.slices[static_cast<std::size_t>(slice)] : 1.0f);
    for_vectors(columns, in_place, [&](Index x, Index count) HWY_ATTR {
      V sum = hn::Zero(d);
      for (Index r = 0; r < window.count; ++r) {
        const float* from = window[r] + x;
        taps.for_each([&](Index, Index tap) HWY_ATTR { sum = hn::Add(sum, hn::LoadU(d, from + tap)); });
      }
      store_columns(hn::Div(sum, hn::Mul(factor, hn::LoadU(d, divisors + x))), count, out + x);
    });
  }
}
void average(const Sliding& s, const Divisors& by, const float* in, float* out, float* scratch) {
  const Rows rows = split_plane(s, in, 0, scratch);
  const Index taps = s.shape.kernel[2];
  taps == 2 ? means<2>(s, by, out, rows) : taps == 3 ? means<3>(s, by, out, rows) : means<0>(s, by, out, rows);
}

// Windows side by side: every share goes to one rectangle, whose rows are the same.
bool side_by_side(const PoolShape& s) {
  for (int k = 0; k < 3; ++k)
    if (s.stride[k] != s.kernel[k] || s.padding[k] != 0 || s.dilation[k] != 1 || s.out[k] * s.kernel[k] > s.in[k])
      return false;
  return true;
}
void spread_rectangles(const Sliding& s, const Divisors& by, const float* grad_out, float* grad_in, float* scratch) {
  const Index columns = s.shape.out[2], width = s.shape.in[2], taps = s.shape.kernel[2];
  const Index slices = s.shape.out[0] * s.shape.out[1];
  if (slices * s.shape.kernel[0] * s.shape.kernel[1] < s.shape.in[0] * s.shape.in[1])
    std::memset(grad_in, 0, static_cast<std::size_t>(s.shape.in[0] * s.shape.in[1] * width) * sizeof(float));
  std::memset(scratch + columns * taps, 0, static_cast<std::size_t>(width - columns * taps) * sizeof(float));
  for (Index slice = 0; slice < slices; ++slice, grad_out += columns) {
    const float factor = by.slices[static_cast<std::size_t>(slice)];
    float* to = scratch;
    for (Index x = 0; x < columns; ++x) {
      const float share = grad_out[x] / (factor * by.columns[static_cast<std::size_t>(x)]);
      for (Index t = 0; t < taps; ++t)
        *to++ = share;
    }
    const WindowRows window(s, {grad_in, width}, slice);
    for (Index r = 0; r < window.count; ++r)
      std::memcpy(grad_in + window.number(r) * width, scratch, static_cast<std::size_t>(width) * sizeof(float));
  }
}

void spread(const Sliding& s, const Divisors& by, const float* grad_out, float* grad_in, float* scratch) {
  if (s.shape.kernel[2] > 2 && side_by_side(s.shape)) return spread_rectangles(s, by, grad_out, grad_in, scratch);
  const D d;
  const SplitRow row = row_of(s);
  const Index columns = s.shape.out[2], slices = s.shape.out[0] * s.shape.out[1], taps = s.shape.kernel[2];
  const Rows rows{scratch, s.row_w};
  const float* const divisors = by.columns.data();
  gemm::HWY_NAMESPACE::fill(scratch, s.scratch() - kLanes, 0.0f);
  for (Index slice = 0; slice < slices; ++slice, grad_out += columns) {
    const WindowRows window(s, rows, slice);
    const V factor = hn::Set(d, window.count ? by.slices[static_cast<std::size_t>(slice)] : 1.0f);
    for_vectors(columns, false, [&](Index x, Index count) HWY_ATTR {
      const auto mask = hn::FirstN(d, static_cast<std::size_t>(count));
      const V gradient = load_part(d, mask, count, grad_out + x);
      const V share = hn::IfThenElseZero(mask, hn::Div(gradient, hn::Mul(factor, hn::LoadU(d, divisors + x))));
      for (Index r = 0; r < window.count; ++r) {
        float* const line = scratch + window.number(r) * s.row_w + x;
        for (Index t = taps; t-- > 0;) {  // windows from left to right
          float* to = line + s.taps[static_cast<std::size_t>(t)];
          hn::StoreU(hn::Add(hn::LoadU(d, to), share), d, to);
        }
      }
    });
  }
  for (Index r = 0; r < s.shape.in[0] * s.shape.in[1]; ++r)
    join(row, scratch + r * s.row_w, grad_in + r * row.width);
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

Sliding::Sliding(const PoolShape& s) : shape(s), depth(windows(s, 0)), rows(windows(s, 1)), columns(windows(s, 2)) {
  const Index reach = (s.kernel[2] - 1) * s.dilation[2] / s.stride[2];
  // A phase holds the row and its border, and whole vectors of output columns can be read under every tap.
  phase_w = std::max((s.in[2] + 2 * s.padding[2] + s.stride[2] - 1) / s.stride[2], whole_vectors(s.out[2]) + reach);
  row_w = phase_w * s.stride[2];
  for (Index t = 0; t < s.kernel[2]; ++t)
    taps.push_back(t * s.dilation[2] % s.stride[2] * phase_w + t * s.dilation[2] / s.stride[2]);
  window_starts.push_back(0);
  for (const Range& z : depth)
    for (const Range& y : rows) {
      for (Index iz = z.from; iz < z.to; iz += z.step)
        for (Index iy = y.from; iy < y.to; iy += y.step)
          window_rows.push_back(iz * s.in[1] + iy);
      window_starts.push_back(static_cast<Index>(window_rows.size()));
    }
  for (const Range& r : columns)
    first.push_back(static_cast<std::int32_t>(r.from));
  first.resize(static_cast<std::size_t>(whole_vectors(s.out[2])));
}
Index Sliding::scratch() const { return shape.in[0] * shape.in[1] * row_w + 2 * kMostLanes; }

void max_plane(const Sliding& s, const float* in, float* out, Index* where, float* scratch) {
  static constexpr simd::Table<decltype(HWY_NAMESPACE::max_planes)> kTable = RL_SIMD_TABLE(max_planes);
  kTable(s, in, out, where, scratch);
}
void average_plane(const Sliding& s, const Divisors& by, const float* in, float* out, float* scratch) {
  static constexpr simd::Table<decltype(HWY_NAMESPACE::average)> kTable = RL_SIMD_TABLE(average);
  kTable(s, by, in, out, scratch);
}
void spread_plane(const Sliding& s, const Divisors& by, const float* grad_out, float* grad_in, float* scratch) {
  static constexpr simd::Table<decltype(HWY_NAMESPACE::spread)> kTable = RL_SIMD_TABLE(spread);
  kTable(s, by, grad_out, grad_in, scratch);
}

}  // namespace rushlight::pool
#endif
