// Forward convolution as an implicit product: y[oc, pixel] = w[oc, k] * im2col[k, pixel], where the
// im2col matrix exists only as packed panels.
#include "cpu/conv/conv.h"

#include "cpu/simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/conv/conv.cpp"
#include "hwy/foreach_target.h"

#include "cpu/conv/conv-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::gemm {
namespace HWY_NAMESPACE {

// Some consecutive images, one group of channels. Several small images make one product.
template <class T>
void forward_images(const Geometry& g, Index image, Index images, Index group, const T* x, const T* w,
                    const Index* k_offset, const T* bias, T* y) {
  const Index channels = g.group_in(), outputs = g.group_out(), k = channels * g.taps(), pixels = g.out_area();
  const Index in_size = g.in_channels * g.in_area(), out_size = g.out_channels * pixels;
  const View<T> a{w + group * outputs * k, k, 1};
  x += image * in_size + group * channels * g.in_area();
  y += image * out_size + group * outputs * pixels;
  Epilogue<T> ep;
  if (bias) ep.row_bias = bias + group * outputs;
  if (g.pointwise() && images == 1) {
    packed_gemm(outputs, pixels, k, a, StridedB<T>{{x, pixels, 1}}, y, pixels, false, ep);
    return;
  }
  const Layout l(g);
  const Index step = channels * l.channel();
  T* padded = scratch_of<T>(1, images * step + 64);
  for (Index i = 0; i < images; ++i)
    pad_input(g, l, channels, x + i * in_size, padded + i * step);
  const Im2col<T> b{padded, k_offset, step, pixels, g.out[2], g.out[1], g.stride[1] * l.row_w, g.stride[0] * l.plane(),
                    0};
  if (images == 1) {
    packed_gemm(outputs, pixels, k, a, b, y, pixels, false, ep);
    return;
  }
  const Index n = images * pixels;
  T* c = scratch_of<T>(2, outputs * n);
  packed_gemm(outputs, n, k, a, b, c, n, false, ep);
  for (Index i = 0; i < images; ++i)
    for (Index o = 0; o < outputs; ++o)
      std::memcpy(y + i * out_size + o * pixels, c + o * n + i * pixels, static_cast<std::size_t>(pixels) * sizeof(T));
}

template <class T>
void forward_t(const Geometry& g, const T* x, const T* w, const T* bias, T* y) {
  const std::vector<Index> k_offset = tap_offsets(g, Layout(g), g.group_in());
  // Join images until a product has some 500 columns. One product alone is cut by the engine.
  const Index pixels = g.out_area(), group = std::max<Index>(1, std::min(g.batch, pixels < 256 ? 512 / pixels : 1));
  const Index parts = ceil_div(g.batch, group);
  parallel_for(parts * g.groups, [&](Index task) {
    const Index i = split_at(g.batch, parts, task / g.groups), end = split_at(g.batch, parts, task / g.groups + 1);
    forward_images(g, i, end - i, task % g.groups, x, w, k_offset.data(), bias, y);
  });
}
void forward_f32(const Geometry& g, const float* x, const float* w, const float* bias, float* y) {
  forward_t(g, x, w, bias, y);
}
void forward_f64(const Geometry& g, const double* x, const double* w, const double* bias, double* y) {
  forward_t(g, x, w, bias, y);
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::gemm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::conv {

template <>
void forward(const Geometry& g, const float* x, const float* w, const float* bias, float* y) {
  using namespace gemm;
  static constexpr simd::Table<decltype(HWY_NAMESPACE::forward_f32)> kTable = RL_SIMD_TABLE(forward_f32);
  kTable(g, x, w, bias, y);
}
template <>
void forward(const Geometry& g, const double* x, const double* w, const double* bias, double* y) {
  using namespace gemm;
  static constexpr simd::Table<decltype(HWY_NAMESPACE::forward_f64)> kTable = RL_SIMD_TABLE(forward_f64);
  kTable(g, x, w, bias, y);
}

}  // namespace rushlight::conv
#endif
