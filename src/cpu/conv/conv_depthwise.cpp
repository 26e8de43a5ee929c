// Direct convolutions over planes: depthwise ones, and those of small groups with kernels of 3x3 and stride 1, which
// stay in registers.
#include "cpu/conv/conv.h"

#include "cpu/simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/conv/conv_depthwise.cpp"
#include "hwy/foreach_target.h"

#include "cpu/conv/conv-inl.h"
#include "cpu/conv/plane_taps-inl.h"
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
void plane3x3(const PlaneJob& t) {
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
          const V xv = load_range(d, mask[kx][v], -at, t.width - at, x + iy * t.width + kx + v * kLanes<float>);
          RL_UNROLL for (int ky = 0; ky < 3; ++ky) if (iy - ky >= 0 && iy - ky < R) acc[iy - ky][v] =
              hn::MulAdd(wv[ky * 3 + kx], xv, acc[iy - ky][v]);
        }
      }
    }
  }
  const auto last = hn::FirstN(d, static_cast<std::size_t>(t.tail));
  RL_UNROLL for (int r = 0; r < R; ++r) {
    RL_UNROLL for (int v = 0; v < NV - 1; ++v) hn::StoreU(acc[r][v], d, t.y + r * t.y_row + v * kLanes<float>);
    store_part(d, acc[r][NV - 1], last, t.tail, t.y + r * t.y_row + (NV - 1) * kLanes<float>);
  }
}
// One output plane of out_h x out_w.
void run_plane(PlaneJob t, Index out_h, Index out_w, Index pad) {
  using Fn = void (*)(const PlaneJob&);
  constexpr int N = HWY_TARGET <= HWY_AVX3 ? 2 : 1, M = HWY_TARGET <= HWY_AVX3 ? 7 : 4;
  static constexpr Fn kFns[7][2] = {{plane3x3<1, 1>, plane3x3<1, N>}, {plane3x3<2, 1>, plane3x3<2, N>},
                                    {plane3x3<3, 1>, plane3x3<3, N>}, {plane3x3<4, 1>, plane3x3<4, N>},
                                    {plane3x3<5, 1>, plane3x3<5, N>}, {plane3x3<6, 1>, plane3x3<6, N>},
                                    {plane3x3<7, 1>, plane3x3<7, N>}};
  const Index tiles = ceil_div(out_h, M);
  float* y = t.y;
  for (Index i = 0; i < tiles; ++i) {
    const Index r0 = split_at(out_h, tiles, i), rows = split_at(out_h, tiles, i + 1) - r0;
    for (Index j = 0; j < out_w; j += N * kLanes<float>) {
      const Index cols = std::min(out_w - j, N * kLanes<float>), nv = ceil_div(cols, kLanes<float>);
      t.iy = r0 - pad;
      t.ix = j - pad;
      t.y = y + r0 * t.y_row + j;
      t.tail = cols - (nv - 1) * kLanes<float>;
      kFns[rows - 1][nv - 1](t);
    }
  }
}

// ---- passes over planes ----

constexpr Index kPlanes = 8;  // planes a task

// Kernels of 3x3 with stride 1 in float32: sums over the planes of a group, for any number of groups.
void planes_forward3x3(const Geometry& g, const float* x, const float* w, const float* bias, float* y) {
  const Index channels = g.group_in();
  parallel_ranges(g.batch * g.out_channels, kPlanes, [&](Index begin, Index end) {
    for (Index p = begin; p < end; ++p) {
      const Index b = p / g.out_channels, o = p % g.out_channels;
      const float* in = x + (b * g.in_channels + o / g.group_out() * channels) * g.in_area();
      run_plane({channels, g.in_area(), g.in[1], g.in[2], in, w + o * channels * 9, 9, false, bias ? bias[o] : 0.0f,
                 y + p * g.out_area(), g.out[2], 0, 0, 0},
                g.out[1], g.out[2], g.pad[2]);
    }
  });
}
void planes_input3x3(const Geometry& g, const float* w, const float* dy, float* dx) {
  const Index channels = g.group_in(), outputs = g.group_out();
  parallel_ranges(g.batch * g.in_channels, kPlanes, [&](Index begin, Index end) {
    for (Index p = begin; p < end; ++p) {
      const Index b = p / g.in_channels, group = p % g.in_channels / channels, c = p % channels;
      const float* out = dy + (b * g.out_channels + group * outputs) * g.out_area();
      run_plane({outputs, g.out_area(), g.out[1], g.out[2], out, w + (group * outputs * channels + c) * 9, channels * 9,
                 true, 0.0f, dx + p * g.in_area(), g.in[2], 0, 0, 0},
                g.in[1], g.in[2], 2 - g.pad[2]);
    }
  });
}
void planes_weight3x3(const Geometry& g, const float* x, const float* dy, float* dw) {
  constexpr Index L = kLanes<float>;
  const hn::ScalableTag<float> d;
  const Index channels = g.group_in();
  parallel_for(g.out_channels, [&](Index o) {
    const Index first = o / g.group_out() * channels;
    for (Index c = 0; c < channels; ++c) {
      float sums[9 * L] = {};
      for (Index b = 0; b < g.batch; ++b)
        plane_weights3x3(g, x + (b * g.in_channels + first + c) * g.in_area(),
                         dy + (b * g.out_channels + o) * g.out_area(), sums);
      for (Index tap = 0; tap < 9; ++tap)
        dw[(o * channels + c) * 9 + tap] = hn::GetLane(hn::SumOfLanes(d, hn::LoadU(d, sums + tap * L)));
    }
  });
}

// One kernel a channel, of any shape.
template <class T>
void depthwise_forward_t(const Geometry& g, const T* x, const T* w, const T* bias, T* y) {
  if constexpr (std::is_same_v<T, float>)
    if (is_small(g)) return planes_forward3x3(g, x, w, bias, y);
  const PlaneTaps<T> taps(g);
  parallel_ranges(g.batch * g.in_channels, kPlanes, [&](Index begin, Index end) {
    T* const padded = scratch_of<T>(1, taps.size());
    for (Index p = begin; p < end; ++p) {
      const Index c = p % g.in_channels;
      taps.copy(x + p * g.in_area(), padded);
      taps.forward(padded, w + c * g.taps(), bias ? bias[c] : T(0), y + p * g.out_area());
    }
  });
}
template <class T>
void depthwise_input_t(const Geometry& g, const T* w, const T* dy, T* dx) {
  if constexpr (std::is_same_v<T, float>)
    if (is_small(g)) return planes_input3x3(g, w, dy, dx);
  const PlaneTaps<T> taps(g);
  parallel_ranges(g.batch * g.in_channels, kPlanes, [&](Index begin, Index end) {
    T* const padded = scratch_of<T>(1, taps.size());
    for (Index p = begin; p < end; ++p)
      taps.backward(w + p % g.in_channels * g.taps(), dy + p * g.out_area(), padded, dx + p * g.in_area());
  });
}
template <class T>
void depthwise_weight_t(const Geometry& g, const T* x, const T* dy, T* dw) {
  if constexpr (std::is_same_v<T, float>)
    if (is_small(g)) return planes_weight3x3(g, x, dy, dw);
  constexpr Index L = kLanes<T>;
  const PlaneTaps<T> taps(g);
  parallel_for(g.in_channels, [&](Index c) {
    const hn::ScalableTag<T> d;
    T* const padded = scratch_of<T>(1, taps.size());
    T* const sums = scratch_of<T>(2, g.taps() * L);
    std::fill_n(sums, g.taps() * L, T(0));
    for (Index b = 0; b < g.batch; ++b) {
      const Index p = b * g.in_channels + c;
      taps.copy(x + p * g.in_area(), padded);
      taps.weights(padded, dy + p * g.out_area(), sums);
    }
    for (Index t = 0; t < g.taps(); ++t)
      dw[c * g.taps() + t] = hn::GetLane(hn::SumOfLanes(d, hn::LoadU(d, sums + t * L)));
  });
}

void depthwise_forward_f32(const Geometry& g, const float* x, const float* w, const float* bias, float* y) {
  depthwise_forward_t(g, x, w, bias, y);
}
void depthwise_forward_f64(const Geometry& g, const double* x, const double* w, const double* bias, double* y) {
  depthwise_forward_t(g, x, w, bias, y);
}
void depthwise_input_f32(const Geometry& g, const float* w, const float* dy, float* dx) {
  depthwise_input_t(g, w, dy, dx);
}
void depthwise_input_f64(const Geometry& g, const double* w, const double* dy, double* dx) {
  depthwise_input_t(g, w, dy, dx);
}
void depthwise_weight_f32(const Geometry& g, const float* x, const float* dy, float* dw) {
  depthwise_weight_t(g, x, dy, dw);
}
void depthwise_weight_f64(const Geometry& g, const double* x, const double* dy, double* dw) {
  depthwise_weight_t(g, x, dy, dw);
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
#define RL_BOTH(name, Function)                                                                               \
  RL_DISPATCH(name, Function##_f32, float, (const Geometry& g, const float* a, const float* b, float* c),     \
              (g, a, b, c))                                                                                   \
  RL_DISPATCH(name, Function##_f64, double, (const Geometry& g, const double* a, const double* b, double* c), \
              (g, a, b, c))
RL_BOTH(depthwise_input_gradient, depthwise_input)
RL_BOTH(depthwise_weight_gradient, depthwise_weight)
RL_DISPATCH(depthwise_forward, depthwise_forward_f32, float,
            (const Geometry& g, const float* x, const float* w, const float* bias, float* y), (g, x, w, bias, y))
RL_DISPATCH(depthwise_forward, depthwise_forward_f64, double,
            (const Geometry& g, const double* x, const double* w, const double* bias, double* y), (g, x, w, bias, y))
#undef RL_BOTH
#undef RL_DISPATCH

void planes_forward(const Geometry& g, const float* x, const float* w, const float* bias, float* y) {
  using namespace gemm;
  static constexpr simd::Table<decltype(HWY_NAMESPACE::planes_forward3x3)> kTable = RL_SIMD_TABLE(planes_forward3x3);
  kTable(g, x, w, bias, y);
}
void planes_input_gradient(const Geometry& g, const float* w, const float* dy, float* dx) {
  using namespace gemm;
  static constexpr simd::Table<decltype(HWY_NAMESPACE::planes_input3x3)> kTable = RL_SIMD_TABLE(planes_input3x3);
  kTable(g, w, dy, dx);
}
void planes_weight_gradient(const Geometry& g, const float* x, const float* dy, float* dw) {
  using namespace gemm;
  static constexpr simd::Table<decltype(HWY_NAMESPACE::planes_weight3x3)> kTable = RL_SIMD_TABLE(planes_weight3x3);
  kTable(g, x, dy, dw);
}

}  // namespace rushlight::conv
#endif
