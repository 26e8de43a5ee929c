// Depthwise convolutions of channels-last tensors: a vector holds neighbouring channels, the taps of a 3x3 kernel stay
// in registers while a row of pixels passes.
#include "cpu/conv/conv.h"

#include "cpu/simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/conv/depthwise_last.cpp"
#include "hwy/foreach_target.h"

#include "cpu/conv/conv-inl.h"
#include "cpu/gemm/buffer.h"
#include "hwy/highway.h"

#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace rushlight::gemm {
namespace HWY_NAMESPACE {

#define RL_UNROLL _Pragma("GCC unroll 16")

// The taps that an output row meets, and the columns for which all of them lie inside.
struct RowTaps {
  Index count = 0, from, to;          // taps; columns [from, to) meet all of them
  Index tap[64], offset[64], kx[64];  // which, the distance of its pixel from column 0's window, its column
};

// f(row taps, whether it is the first piece) for pieces of at most 64 taps, at least one.
template <class F>
HWY_INLINE void for_tap_rows(const Geometry& g, Index oz, Index oy, F f) {
  RowTaps r;
  bool first = true;
  const Index reach = (g.kernel[2] - 1) * g.dilation[2];
  r.from = std::min(g.out[2], ceil_div(g.pad[2], g.stride[2]));
  const Index room = g.in[2] + g.pad[2] - reach;
  r.to = std::max(r.from, room <= 0 ? 0 : std::min(g.out[2], ceil_div(room, g.stride[2])));
  for (Index tap = 0; tap < g.taps(); ++tap) {
    const Index kz = tap / (g.kernel[1] * g.kernel[2]), ky = tap / g.kernel[2] % g.kernel[1], kx = tap % g.kernel[2];
    const Index iz = oz * g.stride[0] - g.pad[0] + kz * g.dilation[0];
    const Index iy = oy * g.stride[1] - g.pad[1] + ky * g.dilation[1];
    if (iz < 0 || iz >= g.in[0] || iy < 0 || iy >= g.in[1]) continue;
    if (r.count == 64) {
      f(r, first);
      r.count = 0;
      first = false;
    }
    r.tap[r.count] = tap;
    r.kx[r.count] = kx * g.dilation[2] - g.pad[2];
    r.offset[r.count] = (iz * g.in[1] + iy) * g.in[2] + r.kx[r.count];
    ++r.count;
  }
  if (r.count || first) f(r, first);
}
HWY_INLINE bool meets(const Geometry& g, const RowTaps& r, Index t, Index ox) {
  const Index ix = ox * g.stride[2] + r.kx[t];
  return ix >= 0 && ix < g.in[2];
}

// body(tag, first channel): whole vectors, then quarters, then single channels.
template <class T, class Body>
HWY_INLINE void for_channel_vectors(Index channels, const Body& body) {
  const hn::ScalableTag<T> d;
  const hn::CappedTag<T, 4> quarter;
  const hn::CappedTag<T, 1> one;
  constexpr Index L = kLanes<T>, Q = static_cast<Index>(hn::MaxLanes(decltype(quarter)()));
  Index c = 0;
  for (; c + L <= channels; c += L)
    body(d, c);
  for (; c + Q <= channels; c += Q)
    body(quarter, c);
  for (; c < channels; ++c)
    body(one, c);
}

// One row of pixels of one vector of channels. Sums start from `start`, `start_step` apart: a bias or those so far.
template <class D, class T>
HWY_INLINE void forward_row(D d, const Geometry& g, const RowTaps& r, Index channels, const T* x, const T* w,
                            const T* start, Index start_step, T* y) {
  using V = hn::Vec<D>;
  constexpr int kPixels = 6;  // that share a load of the weight
  const Index step = g.stride[2] * channels;
  const auto edge = [&](Index ox) HWY_ATTR {
    V even = hn::LoadU(d, start + ox * start_step), odd = hn::Zero(d);
    for (Index t = 0; t < r.count; ++t) {
      if (!meets(g, r, t, ox)) continue;
      const V wv = hn::LoadU(d, w + r.tap[t] * channels), xv = hn::LoadU(d, x + r.offset[t] * channels + ox * step);
      V& sum = t % 2 ? odd : even;
      sum = hn::MulAdd(wv, xv, sum);
    }
    hn::StoreU(hn::Add(even, odd), d, y + ox * channels);
  };
  const auto inner = [&](Index ox, auto pixels) HWY_ATTR {
    constexpr int kCount = decltype(pixels)();
    V sum[kCount];
    RL_UNROLL for (int i = 0; i < kCount; ++i) sum[i] = hn::LoadU(d, start + (ox + i) * start_step);
    for (Index t = 0; t < r.count; ++t) {
      const V wv = hn::LoadU(d, w + r.tap[t] * channels);
      const T* from = x + r.offset[t] * channels + ox * step;
      RL_UNROLL for (int i = 0; i < kCount; ++i) sum[i] = hn::MulAdd(wv, hn::LoadU(d, from + i * step), sum[i]);
    }
    RL_UNROLL for (int i = 0; i < kCount; ++i) hn::StoreU(sum[i], d, y + (ox + i) * channels);
  };
  Index ox = 0;
  for (; ox < r.from; ++ox)
    edge(ox);
  for (; ox + kPixels <= r.to; ox += kPixels)
    inner(ox, std::integral_constant<int, kPixels>());
  for (; ox + 2 <= r.to; ox += 2)
    inner(ox, std::integral_constant<int, 2>());
  for (; ox < g.out[2]; ++ox)
    edge(ox);
}

// The pixels under kRows rows of a kernel three columns wide.
template <int kRows, class T>
struct ThreeColumns {
  const T* row[kRows];        // under the first column, for output column 0
  Index dilation, step;       // elements between columns of the kernel, and between output columns
  Index first, spread, pace;  // the input column of the first one, and the same in pixels
  Index width;
  ThreeColumns(const Geometry& g, const RowTaps& r, Index channels, const T* x)
      : dilation(g.dilation[2] * channels),
        step(g.stride[2] * channels),
        first(-g.pad[2]),
        spread(g.dilation[2]),
        pace(g.stride[2]),
        width(g.in[2]) {
    RL_UNROLL for (int i = 0; i < kRows; ++i) row[i] = x + r.offset[3 * i] * channels;
  }
  HWY_INLINE bool has(Index ox, int column) const {
    const Index ix = first + ox * pace + column * spread;
    return ix >= 0 && ix < width;
  }
};

template <int kRows, class D, class T>
HWY_INLINE void forward_row3(D d, const Geometry& g, const RowTaps& r, Index channels, const T* x, const T* w,
                             const T* start, Index start_step, T* y) {
  using V = hn::Vec<D>;
  const ThreeColumns<kRows, T> in(g, r, channels, x);
  V wv[3 * kRows];
  RL_UNROLL for (int t = 0; t < 3 * kRows; ++t) wv[t] = hn::LoadU(d, w + r.tap[t] * channels);
  const auto edge = [&](Index ox) HWY_ATTR {
    V sum = hn::LoadU(d, start + ox * start_step);
    RL_UNROLL for (int k = 0; k < 3; ++k) {
      if (!in.has(ox, k)) continue;
      RL_UNROLL for (int i = 0; i < kRows; ++i) sum =
          hn::MulAdd(wv[3 * i + k], hn::LoadU(d, in.row[i] + ox * in.step + k * in.dilation), sum);
    }
    hn::StoreU(sum, d, y + ox * channels);
  };
  for (Index ox = 0; ox < r.from; ++ox)
    edge(ox);
  const T* from[kRows];
  RL_UNROLL for (int i = 0; i < kRows; ++i) from[i] = in.row[i] + r.from * in.step;
  T* to = y + r.from * channels;
  const T* first = start + r.from * start_step;
  for (Index ox = r.from; ox < r.to; ++ox, to += channels, first += start_step) {
    V sum[3] = {hn::LoadU(d, first), hn::Zero(d), hn::Zero(d)};
    RL_UNROLL for (int i = 0; i < kRows; ++i) {
      RL_UNROLL for (int k = 0; k < 3; ++k) sum[k] =
          hn::MulAdd(wv[3 * i + k], hn::LoadU(d, from[i] + k * in.dilation), sum[k]);
      from[i] += in.step;
    }
    hn::StoreU(hn::Add(hn::Add(sum[0], sum[1]), sum[2]), d, to);
  }
  for (Index ox = r.to; ox < g.out[2]; ++ox)
    edge(ox);
}

// Whether the taps of a row are whole rows of a kernel three columns wide.
inline bool Three(const Geometry& g, const RowTaps& r, Index rows) { return g.kernel[2] == 3 && r.count == 3 * rows; }

// `w` is (taps, channels).
template <class T>
void last_forward_t(const Geometry& g, const T* x, const T* w, const T* bias, T* y) {
  const Index channels = g.in_channels, rows = g.out[0] * g.out[1];
  const Index grain = std::max<Index>(1, 16384 / std::max<Index>(1, g.out[2] * channels));
  const Buffer<T> zeros(bias ? 0 : channels);
  if (!bias) std::fill_n(zeros.get(), channels, T(0));
  parallel_ranges(g.batch * rows, grain, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const T* in = x + row / rows * g.in_area() * channels;
      T* out = y + row * g.out[2] * channels;
      for_tap_rows(g, row % rows / g.out[1], row % g.out[1], [&](const RowTaps& r, bool first) HWY_ATTR {
        const T* start = !first ? out : bias ? bias : zeros.get();
        const Index step = first ? 0 : channels;
        for_channel_vectors<T>(channels, [&](auto d, Index c) HWY_ATTR {
          if (Three(g, r, 3))
            forward_row3<3>(d, g, r, channels, in + c, w + c, start + c, step, out + c);
          else if (Three(g, r, 2))
            forward_row3<2>(d, g, r, channels, in + c, w + c, start + c, step, out + c);
          else
            forward_row(d, g, r, channels, in + c, w + c, start + c, step, out + c);
        });
      });
    }
  });
}

// The gradient of any kernel: every pixel of dY adds to the pixels that it came from.
template <class T>
void last_input_t(const Geometry& g, const T* w, const T* dy, T* dx) {
  const Index channels = g.in_channels, rows = g.out[0] * g.out[1];
  parallel_for(g.batch, [&](Index b) {
    T* in = dx + b * g.in_area() * channels;
    std::fill_n(in, g.in_area() * channels, T(0));
    for (Index row = 0; row < rows; ++row) {
      const T* out = dy + (b * rows + row) * g.out[2] * channels;
      for_tap_rows(g, row / g.out[1], row % g.out[1], [&](const RowTaps& r, bool) HWY_ATTR {
        for (Index ox = 0; ox < g.out[2]; ++ox)
          for (Index t = 0; t < r.count; ++t) {
            if (!meets(g, r, t, ox)) continue;
            T* to = in + (r.offset[t] + ox * g.stride[2]) * channels;
            const T *from = out + ox * channels, *weight = w + r.tap[t] * channels;
            const hn::ScalableTag<T> d;
            Index c = 0;
            for (; c + kLanes<T> <= channels; c += kLanes<T>)
              hn::StoreU(hn::MulAdd(hn::LoadU(d, weight + c), hn::LoadU(d, from + c), hn::LoadU(d, to + c)), d, to + c);
            for (; c < channels; ++c)
              to[c] += weight[c] * from[c];
          }
      });
    }
  });
}

// dw (taps, channels) of one vector of channels.
template <class D, class T>
HWY_INLINE void weight_row(D d, const Geometry& g, const RowTaps& r, Index channels, const T* x, const T* dy, T* dw) {
  for (Index ox = 0; ox < g.out[2]; ++ox) {
    const auto gradient = hn::LoadU(d, dy + ox * channels);
    for (Index t = 0; t < r.count; ++t) {
      if (!meets(g, r, t, ox)) continue;
      T* to = dw + r.tap[t] * channels;
      const auto in = hn::LoadU(d, x + (r.offset[t] + ox * g.stride[2]) * channels);
      hn::StoreU(hn::MulAdd(gradient, in, hn::LoadU(d, to)), d, to);
    }
  }
}

// Sums stay in registers along a row.
template <int kRows, class D, class T>
HWY_INLINE void weight_row3(D d, const Geometry& g, const RowTaps& r, Index channels, const T* x, const T* dy, T* dw) {
  using V = hn::Vec<D>;
  const ThreeColumns<kRows, T> in(g, r, channels, x);
  V sum[3 * kRows];
  RL_UNROLL for (int t = 0; t < 3 * kRows; ++t) sum[t] = hn::LoadU(d, dw + r.tap[t] * channels);
  const auto edge = [&](Index ox) HWY_ATTR {
    const V gradient = hn::LoadU(d, dy + ox * channels);
    RL_UNROLL for (int k = 0; k < 3; ++k) {
      if (!in.has(ox, k)) continue;
      RL_UNROLL for (int i = 0; i < kRows; ++i) sum[3 * i + k] =
          hn::MulAdd(gradient, hn::LoadU(d, in.row[i] + ox * in.step + k * in.dilation), sum[3 * i + k]);
    }
  };
  for (Index ox = 0; ox < r.from; ++ox)
    edge(ox);
  const T* from[kRows];
  RL_UNROLL for (int i = 0; i < kRows; ++i) from[i] = in.row[i] + r.from * in.step;
  const T* out = dy + r.from * channels;
  for (Index ox = r.from; ox < r.to; ++ox, out += channels) {
    const V gradient = hn::LoadU(d, out);
    RL_UNROLL for (int i = 0; i < kRows; ++i) {
      RL_UNROLL for (int k = 0; k < 3; ++k) sum[3 * i + k] =
          hn::MulAdd(gradient, hn::LoadU(d, from[i] + k * in.dilation), sum[3 * i + k]);
      from[i] += in.step;
    }
  }
  for (Index ox = r.to; ox < g.out[2]; ++ox)
    edge(ox);
  RL_UNROLL for (int t = 0; t < 3 * kRows; ++t) hn::StoreU(sum[t], d, dw + r.tap[t] * channels);
}

// Images are added one by one, each into sums of its own.
template <class T>
void last_weight_t(const Geometry& g, const T* x, const T* dy, T* dw) {
  const Index channels = g.in_channels, rows = g.out[0] * g.out[1], size = g.taps() * channels;
  const Buffer<T> sums(g.batch * size);
  parallel_for(g.batch, [&](Index b) {
    T* const own = sums.get() + b * size;
    std::fill_n(own, size, T(0));
    const T* const image = x + b * g.in_area() * channels;
    for (Index row = 0; row < rows; ++row) {
      const T* const out = dy + (b * rows + row) * g.out[2] * channels;
      for_tap_rows(g, row / g.out[1], row % g.out[1], [&](const RowTaps& r, bool) HWY_ATTR {
        for_channel_vectors<T>(channels, [&](auto d, Index c) HWY_ATTR {
          if (Three(g, r, 3))
            weight_row3<3>(d, g, r, channels, image + c, out + c, own + c);
          else if (Three(g, r, 2))
            weight_row3<2>(d, g, r, channels, image + c, out + c, own + c);
          else
            weight_row(d, g, r, channels, image + c, out + c, own + c);
        });
      });
    }
  });
  std::copy_n(sums.get(), size, dw);
  for (Index b = 1; b < g.batch; ++b)
    for (Index i = 0; i < size; ++i)
      dw[i] += sums[b * size + i];
}

void last_forward_f32(const Geometry& g, const float* x, const float* w, const float* bias, float* y) {
  last_forward_t(g, x, w, bias, y);
}
void last_forward_f64(const Geometry& g, const double* x, const double* w, const double* bias, double* y) {
  last_forward_t(g, x, w, bias, y);
}
void last_input_f32(const Geometry& g, const float* w, const float* dy, float* dx) { last_input_t(g, w, dy, dx); }
void last_input_f64(const Geometry& g, const double* w, const double* dy, double* dx) { last_input_t(g, w, dy, dx); }
void last_weight_f32(const Geometry& g, const float* x, const float* dy, float* dw) { last_weight_t(g, x, dy, dw); }
void last_weight_f64(const Geometry& g, const double* x, const double* dy, double* dw) { last_weight_t(g, x, dy, dw); }

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::gemm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::conv {
namespace {

// (rows, columns) to (columns, rows).
template <class T>
Buffer<T> transposed(const T* from, Index rows, Index columns) {
  Buffer<T> to(rows * columns);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j)
      to[j * rows + i] = from[i * columns + j];
  return to;
}

// Without strides the gradient is a convolution of dY with the reversed kernel.
bool reversible(const Geometry& g) {
  for (int d = 0; d < 3; ++d)
    if (g.stride[d] != 1 || (g.kernel[d] - 1) * g.dilation[d] < g.pad[d]) return false;
  return true;
}
template <class T, class Forward, class Input>
void input_gradient_of(const Geometry& g, const T* w, const T* dy, T* dx, const Forward& forward, const Input& input) {
  const Index channels = g.in_channels, taps = g.taps();
  Buffer<T> weights = transposed(w, channels, taps);
  if (!reversible(g)) return input(g, weights.get(), dy, dx);
  Geometry back = g;
  for (int d = 0; d < 3; ++d) {
    back.in[d] = g.out[d];
    back.out[d] = g.in[d];
    back.pad[d] = (g.kernel[d] - 1) * g.dilation[d] - g.pad[d];
  }
  for (Index t = 0; t < taps / 2; ++t)
    std::swap_ranges(weights.get() + t * channels, weights.get() + (t + 1) * channels,
                     weights.get() + (taps - 1 - t) * channels);
  forward(back, weights.get(), dy, dx);
}

}  // namespace

#define RL_DEFINE(T, Suffix)                                                                                  \
  template <>                                                                                                 \
  void depthwise_last_forward(const Geometry& g, const T* x, const T* w, const T* bias, T* y) {               \
    using namespace gemm;                                                                                     \
    static constexpr simd::Table<decltype(HWY_NAMESPACE::last_forward_##Suffix)> kTable =                     \
        RL_SIMD_TABLE(last_forward_##Suffix);                                                                 \
    kTable(g, x, transposed(w, g.in_channels, g.taps()).get(), bias, y);                                      \
  }                                                                                                           \
  template <>                                                                                                 \
  void depthwise_last_input_gradient(const Geometry& g, const T* w, const T* dy, T* dx) {                     \
    using namespace gemm;                                                                                     \
    static constexpr simd::Table<decltype(HWY_NAMESPACE::last_forward_##Suffix)> kForward =                   \
        RL_SIMD_TABLE(last_forward_##Suffix);                                                                 \
    static constexpr simd::Table<decltype(HWY_NAMESPACE::last_input_##Suffix)> kInput =                       \
        RL_SIMD_TABLE(last_input_##Suffix);                                                                   \
    input_gradient_of(                                                                                        \
        g, w, dy, dx,                                                                                         \
        [](const Geometry& back, const T* v, const T* from, T* to) { kForward(back, from, v, nullptr, to); }, \
        [](const Geometry& same, const T* v, const T* from, T* to) { kInput(same, v, from, to); });           \
  }                                                                                                           \
  template <>                                                                                                 \
  void depthwise_last_weight_gradient(const Geometry& g, const T* x, const T* dy, T* dw) {                    \
    using namespace gemm;                                                                                     \
    static constexpr simd::Table<decltype(HWY_NAMESPACE::last_weight_##Suffix)> kTable =                      \
        RL_SIMD_TABLE(last_weight_##Suffix);                                                                  \
    const Buffer<T> sums(g.taps() * g.in_channels);                                                           \
    kTable(g, x, dy, sums.get());                                                                             \
    const Buffer<T> back = transposed<T>(sums.get(), g.taps(), g.in_channels);                                \
    std::copy_n(back.get(), g.taps() * g.in_channels, dw);                                                    \
  }
RL_DEFINE(float, f32)
RL_DEFINE(double, f64)
#undef RL_DEFINE

}  // namespace rushlight::conv
#endif
