// Sliding windows over channels-last float32 images in vectors of channels.
#include "cpu/pool/planes.h"

#include "cpu/simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/pool/images.cpp"
#include "hwy/foreach_target.h"

#include "cpu/pool/store-inl.h"
#include "hwy/highway.h"

#include <algorithm>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace rushlight::pool {
namespace HWY_NAMESPACE {
using gemm::HWY_NAMESPACE::load_part;

// The elements of one window, in its order.
struct Window {
  const Index* rows;
  Index count, width;  // rows of the plane, and their length
  Sliding::Range columns;

  // f(element of the plane)
  template <class F>
  HWY_INLINE void for_each(F f) const {
    for (Index r = 0; r < count; ++r)
      for (Index x = columns.from; x < columns.to; x += columns.step)
        f(rows[r] * width + x);
  }
};

// f(window, first element of it, output element) for every window.
template <class F>
HWY_INLINE void for_windows(const Sliding& s, F f) {
  const Index slices = s.shape.out[0] * s.shape.out[1], width = s.shape.in[2];
  for (Index slice = 0; slice < slices; ++slice) {
    const auto at = static_cast<std::size_t>(slice);
    const Index start = s.window_starts[at], count = s.window_starts[at + 1] - start;
    const Index z = slice / s.shape.out[1], y = slice % s.shape.out[1];
    const Index top =
        s.depth[static_cast<std::size_t>(z)].from * s.shape.in[1] + s.rows[static_cast<std::size_t>(y)].from;
    for (Index x = 0; x < s.shape.out[2]; ++x) {
      const auto& columns = s.columns[static_cast<std::size_t>(x)];
      f(Window{s.window_rows.data() + start, count, width, columns}, top * width + columns.from,
        slice * s.shape.out[2] + x);
    }
  }
}

// f(load of an element's channels, first channel, channels) for vectors of channels.
template <class F>
HWY_INLINE void for_channels(Index channels, const float* in, F f) {
  const D d;
  Index c = 0;
  for (; c + kLanes <= channels; c += kLanes)
    f([&](Index element) HWY_ATTR { return hn::LoadU(d, in + element * channels + c); }, c, kLanes);
  const Index left = channels - c;
  if (left == 0) return;
  const auto mask = hn::FirstN(d, static_cast<std::size_t>(left));
  f([&](Index element) HWY_ATTR { return load_part(d, mask, left, in + element * channels + c); }, c, left);
}

void max_image(const Sliding& s, Index channels, const float* in, float* out, Index* where) {
  const D d;
  const hn::RebindToSigned<D> di;
  for_windows(s, [&](const Window& window, Index first, Index o) HWY_ATTR {
    for_channels(channels, in, [&](auto load, Index c, Index count) HWY_ATTR {
      V best = hn::Set(d, -std::numeric_limits<float>::infinity());
      auto at = hn::Set(di, static_cast<std::int32_t>(first));
      window.for_each([&](Index element) HWY_ATTR {
        const V v = load(element);
        const auto better = hn::Or(hn::Gt(v, best), hn::IsNaN(v));
        best = hn::IfThenElse(better, v, best);
        at = hn::IfThenElse(hn::RebindMask(di, better), hn::Set(di, static_cast<std::int32_t>(element)), at);
      });
      store_columns(best, count, out + o * channels + c);
      if (where) store_positions(at, count, where + o * channels + c);
    });
  });
}

void average_image(const Sliding& s, const Divisors& by, Index channels, const float* in, float* out) {
  const D d;
  const Index columns = s.shape.out[2];
  for_windows(s, [&](const Window& window, Index, Index o) HWY_ATTR {
    const float slice = by.slices[static_cast<std::size_t>(o / columns)];
    const V divisor = hn::Set(d, window.count ? slice * by.columns[static_cast<std::size_t>(o % columns)] : 1.0f);
    for_channels(channels, in, [&](auto load, Index c, Index count) HWY_ATTR {
      V sum = hn::Zero(d);
      window.for_each([&](Index element) HWY_ATTR { sum = hn::Add(sum, load(element)); });
      store_columns(hn::Div(sum, divisor), count, out + o * channels + c);
    });
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::pool
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::pool {

void max_image(const Sliding& s, Index channels, const float* in, float* out, Index* where) {
  static constexpr simd::Table<decltype(HWY_NAMESPACE::max_image)> kTable = RL_SIMD_TABLE(max_image);
  kTable(s, channels, in, out, where);
}
void average_image(const Sliding& s, const Divisors& by, Index channels, const float* in, float* out) {
  static constexpr simd::Table<decltype(HWY_NAMESPACE::average_image)> kTable = RL_SIMD_TABLE(average_image);
  kTable(s, by, channels, in, out);
}

}  // namespace rushlight::pool
#endif
