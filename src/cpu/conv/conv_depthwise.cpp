// Depthwise convolutions, one kernel for each channel: direct loops over planes, 3x3 with stride 1
// in registers.
#include "cpu/conv/conv.h"

#include "cpu/simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/conv/conv_depthwise.cpp"
#include "hwy/foreach_target.h"

#include "cpu/conv/conv-inl.h"
#include "cpu/conv/plane_weights-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::gemm {
namespace HWY_NAMESPACE {

// ---- 3x3, stride 1: R rows by NV vectors of one output plane, summed over input planes ----
// Nothing is copied: masks cut the border columns, rows outside are skipped. (Reading a padded copy
// just written stalls: a shifted load spans two stores.)

struct PlaneJob {
  Index planes, plane_step, height, width;  // input planes
  const float* x;
  const float* w;  // 9 weights a plane, w_step apart
  Index w_step;
  bool flip;
  float bias;
  float* y;
  Index y_row;
  Index iy, ix,
      tail;  // the input position of tap (0, 0) of this tile; lanes used in the last vector
};
template <int R, int NV>
void Plane3x3(const PlaneJob& t) {
  const hn::ScalableTag<float> d;
  using V = hn::Vec<decltype(d)>;
  V acc[R][NV];
  hn::Mask<decltype(d)> mask[3][NV];
  auto count = [](Index n) { return static_cast<std::size_t>(std::max<Index>(0, std::min(n, kLanes<float>))); };
  RL_UNROLL for (int r = 0; r < R; ++r) RL_UNROLL for (int v = 0; v < NV; ++v) acc[r][v] = hn::Set(d, t.bias);
  RL_UNROLL for (int kx = 0; kx < 3; ++kx) RL_UNROLL for (int v = 0; v < NV; ++v) {
    const Index at = t.ix + kx + v * kLanes<float>;
    mask[kx][v] = hn::AndNot(hn::FirstN(d, count(-at)), hn::FirstN(d, count(t.width - at)));
  }
  for (Index p = 0; p < t.planes; ++p) {
    const float *w = t.w + p * t.w_step, *x = t.x + p * t.plane_step + t.iy * t.width + t.ix;
    V wv[9];
    RL_UNROLL for (int i = 0; i < 9; ++i) wv[i] = hn::Set(d, w[t.flip ? 8 - i : i]);
    RL_UNROLL for (int iy = 0; iy < R + 2; ++iy) {
      if (t.iy + iy < 0 || t.iy + iy >= t.height) continue;
      RL_UNROLL for (int kx = 0; kx < 3; ++kx) {
        RL_UNROLL for (int v = 0; v < NV; ++v) {
          const Index at = t.ix + kx + v * kLanes<float>;
          const V xv = LoadRange(d, mask[kx][v], -at, t.width - at, x + iy * t.width + kx + v * kLanes<float>);
          RL_UNROLL for (int ky = 0; ky < 3; ++ky) if (iy - ky >= 0 && iy - ky < R) acc[iy - ky][v] =
              hn::MulAdd(wv[ky * 3 + kx], xv, acc[iy - ky][v]);
        }
      }
    }
  }
  const auto last = hn::FirstN(d, static_cast<std::size_t>(t.tail));
  RL_UNROLL for (int r = 0; r < R; ++r) {
    RL_UNROLL for (int v = 0; v < NV - 1; ++v) hn::StoreU(acc[r][v], d, t.y + r * t.y_row + v * kLanes<float>);
    StorePart(d, acc[r][NV - 1], last, t.tail, t.y + r * t.y_row + (NV - 1) * kLanes<float>);
  }
}
// One output plane of out_h x out_w.
void RunPlane(PlaneJob t, Index out_h, Index out_w, Index pad) {
  using Fn = void (*)(const PlaneJob&);
  constexpr int N = HWY_TARGET <= HWY_AVX3 ? 2 : 1, M = HWY_TARGET <= HWY_AVX3 ? 7 : 4;
  static constexpr Fn kFns[7][2] = {{Plane3x3<1, 1>, Plane3x3<1, N>}, {Plane3x3<2, 1>, Plane3x3<2, N>},
                                    {Plane3x3<3, 1>, Plane3x3<3, N>}, {Plane3x3<4, 1>, Plane3x3<4, N>},
                                    {Plane3x3<5, 1>, Plane3x3<5, N>}, {Plane3x3<6, 1>, Plane3x3<6, N>},
                                    {Plane3x3<7, 1>, Plane3x3<7, N>}};
  const Index tiles = CeilDiv(out_h, M);
  float* y = t.y;
  for (Index i = 0; i < tiles; ++i) {
    const Index r0 = SplitAt(out_h, tiles, i), rows = SplitAt(out_h, tiles, i + 1) - r0;
    for (Index j = 0; j < out_w; j += N * kLanes<float>) {
      const Index cols = std::min(out_w - j, N * kLanes<float>), nv = CeilDiv(cols, kLanes<float>);
      t.iy = r0 - pad;
      t.ix = j - pad;
      t.y = y + r0 * t.y_row + j;
      t.tail = cols - (nv - 1) * kLanes<float>;
      kFns[rows - 1][nv - 1](t);
    }
  }
}

// ---- any kernel: f(tap, output row, input row, first and last column, first input column) for all
// that meet ----

template <class F>
HWY_INLINE void ForRows(const Geometry& g, F f) {
  for (Index row = 0; row < g.out[0] * g.out[1]; ++row) {
    const Index oz = row / g.out[1], oy = row % g.out[1];
    for (Index tap = 0; tap < g.taps(); ++tap) {
      const Index kz = tap / (g.kernel[1] * g.kernel[2]), ky = tap / g.kernel[2] % g.kernel[1], kx = tap % g.kernel[2];
      const Index iz = oz * g.stride[0] - g.pad[0] + kz * g.dilation[0];
      const Index iy = oy * g.stride[1] - g.pad[1] + ky * g.dilation[1], shift = kx * g.dilation[2] - g.pad[2];
      if (iz < 0 || iz >= g.in[0] || iy < 0 || iy >= g.in[1]) continue;
      const Index from = shift >= 0 ? 0 : CeilDiv(-shift, g.stride[2]);
      const Index room = g.in[2] - shift, to = room <= 0 ? 0 : std::min(g.out[2], CeilDiv(room, g.stride[2]));
      if (from < to) f(tap, row * g.out[2], (iz * g.in[1] + iy) * g.in[2] + shift, from, to);
    }
  }
}

// y[i] += w * x[i]
template <class T>
HWY_INLINE void AddScaled(T* HWY_RESTRICT y, const T* HWY_RESTRICT x, T w, Index n) {
  const hn::ScalableTag<T> d;
  constexpr Index L = kLanes<T>;
  const auto wv = hn::Set(d, w);
  Index i = 0;
  for (; i + L <= n; i += L)
    hn::StoreU(hn::MulAdd(wv, hn::LoadU(d, x + i), hn::LoadU(d, y + i)), d, y + i);
  for (; i < n; ++i)
    y[i] += w * x[i];
}

template <class T>
void DepthwiseForwardPlane(const Geometry& g, const T* x, const T* w, T bias, T* y) {
  std::fill_n(y, g.out_area(), bias);
  ForRows(g, [&](Index tap, Index out, Index in, Index from, Index to) {
    if (g.stride[2] == 1) return AddScaled(y + out + from, x + in + from, w[tap], to - from);
    for (Index i = from; i < to; ++i)
      y[out + i] += w[tap] * x[in + i * g.stride[2]];
  });
}

template <class T>
void DepthwiseInputPlane(const Geometry& g, const T* w, const T* dy, T* dx) {
  std::fill_n(dx, g.in_area(), T(0));
  ForRows(g, [&](Index tap, Index out, Index in, Index from, Index to) {
    if (g.stride[2] == 1) return AddScaled(dx + in + from, dy + out + from, w[tap], to - from);
    for (Index i = from; i < to; ++i)
      dx[in + i * g.stride[2]] += w[tap] * dy[out + i];
  });
}

template <class T>
void DepthwiseWeightChannel(const Geometry& g, Index channel, const T* x, const T* dy, T* dw) {
  const hn::ScalableTag<T> d;
  constexpr Index L = kLanes<T>;
  const Index taps = g.taps();
  std::vector<T> sums(static_cast<std::size_t>(taps * L), T(0)), rest(static_cast<std::size_t>(taps), T(0));
  for (Index b = 0; b < g.batch; ++b) {
    const T* in_plane = x + (b * g.in_channels + channel) * g.in_area();
    const T* out_plane = dy + (b * g.out_channels + channel) * g.out_area();
    if constexpr (std::is_same_v<T, float>) {
      if (Small(g)) {
        PlaneWeights3x3(g, in_plane, out_plane, sums.data());
        continue;
      }
    }
    ForRows(g, [&](Index tap, Index out, Index in, Index from, Index to) HWY_ATTR {
      Index i = from;
      if (g.stride[2] == 1) {
        auto acc = hn::LoadU(d, sums.data() + tap * L);
        for (; i + L <= to; i += L)
          acc = hn::MulAdd(hn::LoadU(d, out_plane + out + i), hn::LoadU(d, in_plane + in + i), acc);
        hn::StoreU(acc, d, sums.data() + tap * L);
      }
      T& sum = rest[static_cast<std::size_t>(tap)];
      for (; i < to; ++i)
        sum += out_plane[out + i] * in_plane[in + i * g.stride[2]];
    });
  }
  for (Index tap = 0; tap < taps; ++tap)
    dw[channel * taps + tap] =
        hn::GetLane(hn::SumOfLanes(d, hn::LoadU(d, sums.data() + tap * L))) + rest[static_cast<std::size_t>(tap)];
}

constexpr Index kPlanes = 8;  // planes a task

template <class T>
void DepthwiseForwardT(const Geometry& g, const T* x, const T* w, const T* bias, T* y) {
  parallel_ranges(g.batch * g.in_channels, kPlanes, [&](Index begin, Index end) {
    for (Index p = begin; p < end; ++p) {
      const Index c = p % g.in_channels;
      const T* in = x + p * g.in_area();
      T* out = y + p * g.out_area();
      if constexpr (std::is_same_v<T, float>) {
        if (Small(g)) {
          RunPlane({1, 0, g.in[1], g.in[2], in, w + c * 9, 0, false, bias ? bias[c] : 0.0f, out, g.out[2], 0, 0, 0},
                   g.out[1], g.out[2], g.pad[2]);
          continue;
        }
      }
      DepthwiseForwardPlane(g, in, w + c * g.taps(), bias ? bias[c] : T(0), out);
    }
  });
}
template <class T>
void DepthwiseInputT(const Geometry& g, const T* w, const T* dy, T* dx) {
  parallel_ranges(g.batch * g.in_channels, kPlanes, [&](Index begin, Index end) {
    for (Index p = begin; p < end; ++p) {
      const Index c = p % g.in_channels;
      const T* out = dy + p * g.out_area();
      T* in = dx + p * g.in_area();
      if constexpr (std::is_same_v<T, float>) {
        if (Small(g)) {
          RunPlane({1, 0, g.out[1], g.out[2], out, w + c * 9, 0, true, 0.0f, in, g.in[2], 0, 0, 0}, g.in[1], g.in[2],
                   2 - g.pad[2]);
          continue;
        }
      }
      DepthwiseInputPlane(g, w + c * g.taps(), out, in);
    }
  });
}
template <class T>
void DepthwiseWeightT(const Geometry& g, const T* x, const T* dy, T* dw) {
  parallel_for(g.in_channels, [&](Index c) { DepthwiseWeightChannel(g, c, x, dy, dw); });
}

void DepthwiseForwardF32(const Geometry& g, const float* x, const float* w, const float* bias, float* y) {
  DepthwiseForwardT(g, x, w, bias, y);
}
void DepthwiseForwardF64(const Geometry& g, const double* x, const double* w, const double* bias, double* y) {
  DepthwiseForwardT(g, x, w, bias, y);
}
void DepthwiseInputF32(const Geometry& g, const float* w, const float* dy, float* dx) { DepthwiseInputT(g, w, dy, dx); }
void DepthwiseInputF64(const Geometry& g, const double* w, const double* dy, double* dx) {
  DepthwiseInputT(g, w, dy, dx);
}
void DepthwiseWeightF32(const Geometry& g, const float* x, const float* dy, float* dw) {
  DepthwiseWeightT(g, x, dy, dw);
}
void DepthwiseWeightF64(const Geometry& g, const double* x, const double* dy, double* dw) {
  DepthwiseWeightT(g, x, dy, dw);
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::gemm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::conv {

#define RL_DISPATCH(name, Function, T, Parameters, Arguments)                                         \
  template <>                                                                                         \
  void name Parameters {                                                                              \
    using namespace gemm;                                                                             \
    static constexpr simd::Table<decltype(HWY_NAMESPACE::Function)> kTable = RL_SIMD_TABLE(Function); \
    kTable Arguments;                                                                                 \
  }
#define RL_BOTH(name, Function)                                                                                        \
  RL_DISPATCH(name, Function##F32, float, (const Geometry& g, const float* a, const float* b, float* c), (g, a, b, c)) \
  RL_DISPATCH(name, Function##F64, double, (const Geometry& g, const double* a, const double* b, double* c),           \
              (g, a, b, c))
RL_BOTH(depthwise_input_gradient, DepthwiseInput)
RL_BOTH(depthwise_weight_gradient, DepthwiseWeight)
RL_DISPATCH(depthwise_forward, DepthwiseForwardF32, float,
            (const Geometry& g, const float* x, const float* w, const float* bias, float* y), (g, x, w, bias, y))
RL_DISPATCH(depthwise_forward, DepthwiseForwardF64, double,
            (const Geometry& g, const double* x, const double* w, const double* bias, double* y), (g, x, w, bias, y))
#undef RL_BOTH
#undef RL_DISPATCH

}  // namespace rushlight::conv
#endif
