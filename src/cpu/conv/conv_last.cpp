// Convolutions of channels-last tensors, one group. The channels of neighbouring taps of a row are one contiguous run
// of the padded image, so a row of pixels is read in place as the left operand; nothing but the weights is packed.
//   y[ox, oc] += x[ox * stride, (kx, c)] * w[(kx, c), oc]   for every tap row (kz, ky)
//   dw[oc, (tap, c)] += dy[pixel, oc] * x[pixel, (tap, c)]
#include "cpu/conv/conv.h"

#include "cpu/simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/conv/conv_last.cpp"
#include "hwy/foreach_target.h"

#include "cpu/conv/conv-inl.h"
#include "cpu/conv/pixel_rows-inl.h"
#include "cpu/gemm/buffer.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::gemm {
namespace HWY_NAMESPACE {

// Images with their border.
template <class T>
struct PaddedImages {
  Index channels, row, plane, size;  // elements of a padded row, plane and image
  explicit PaddedImages(const Geometry& g) : channels(g.in_channels) {
    row = (g.in[2] + 2 * g.pad[2]) * channels;
    plane = (g.in[1] + 2 * g.pad[1]) * row;
    size = (g.in[0] + 2 * g.pad[0]) * plane;
  }
  // Input rows [from, to) of the padded image, counted over all planes.
  void copy(const Geometry& g, const T* x, Index from, Index to, T* out) const {
    const Index height = g.in[1] + 2 * g.pad[1], side = g.pad[2] * channels, middle = g.in[2] * channels;
    for (Index r = from; r < to; ++r) {
      T* to_row = out + r * row;
      const Index z = r / height - g.pad[0], y = r % height - g.pad[1];
      if (z < 0 || z >= g.in[0] || y < 0 || y >= g.in[1]) {
        std::memset(to_row, 0, static_cast<std::size_t>(row) * sizeof(T));
        continue;
      }
      std::memset(to_row, 0, static_cast<std::size_t>(side) * sizeof(T));
      std::memcpy(to_row + side, x + (z * g.in[1] + y) * middle, static_cast<std::size_t>(middle) * sizeof(T));
      std::memset(to_row + side + middle, 0, static_cast<std::size_t>(side) * sizeof(T));
    }
  }
};

inline bool has_border(const Geometry& g) { return g.pad[0] || g.pad[1] || g.pad[2]; }

// Runs of channels that are contiguous in a padded row: all taps of a kernel row, or one where they are dilated.
struct Runs {
  Index count, length;        // for each kernel row; elements of one
  std::vector<Index> offset;  // of all runs, in the padded image
  Runs(const Geometry& g, Index row, Index plane) {
    const bool joined = g.dilation[2] == 1;
    count = joined ? 1 : g.kernel[2];
    length = joined ? g.kernel[2] * g.in_channels : g.in_channels;
    for (Index kz = 0; kz < g.kernel[0]; ++kz)
      for (Index ky = 0; ky < g.kernel[1]; ++ky)
        for (Index kx = 0; kx < count; ++kx)
          offset.push_back(kz * g.dilation[0] * plane + ky * g.dilation[1] * row + kx * g.dilation[2] * g.in_channels);
  }
};

// W' of every run as the strips of a packed operand.
template <class T>
void pack_runs(const Runs& runs, Index outputs, const T* w, Index padded, T* packed) {
  constexpr Index L = kLanes<T>;
  const Strips<T> strips(outputs);
  const Index all = static_cast<Index>(runs.offset.size());
  for (Index r = 0; r < all; ++r) {
    const StridedB<T> b{{w + r * runs.length, 1, all * runs.length}};
    for (Index s = 0; s < strips.count; ++s) {
      const Index v0 = strips.First(s), width = (strips.First(s + 1) - v0) * L;
      b.pack(0, runs.length, v0 * L, std::min(outputs - v0 * L, width), width,
             packed + (r * padded + v0 * L) * runs.length);
    }
  }
}

template <class T>
void last_pointwise(const Geometry& g, const T* x, const T* w, const T* bias, T* y) {
  Epilogue<T> ep;
  ep.col_bias = bias;
  packed_gemm(g.batch * g.out_area(), g.out_channels, g.in_channels, View<T>{x, g.in_channels, 1},
              StridedB<T>{{w, 1, g.in_channels}}, y, g.out_channels, false, ep);
}

template <class T>
void last_images_forward_t(const Geometry& g, const T* x, const T* w, const T* bias, T* y) {
  if (g.pointwise()) return last_pointwise(g, x, w, bias, y);
  const PaddedImages<T> images(g);
  const Runs runs(g, images.row, images.plane);
  const Index outputs = g.out_channels, padded = ceil_div(outputs, kLanes<T>) * kLanes<T>;
  const Index all = static_cast<Index>(runs.offset.size());
  const Buffer<T> packed(all * runs.length * padded + 4 * kLanes<T>);
  pack_runs(runs, outputs, w, padded, packed.get());
  const bool copied = has_border(g);
  const Buffer<T> copies(copied ? g.batch * images.size : 0);
  const Index rows_in = copied ? images.size / images.row : 0, piece = std::max<Index>(1, 16384 / images.row);
  parallel_ranges(copied ? g.batch * rows_in : 0, piece, [&](Index begin, Index end) {
    for (Index r = begin; r < end;) {
      const Index image = r / rows_in, stop = std::min(end, (image + 1) * rows_in);
      images.copy(g, x + image * g.in_area() * g.in_channels, r - image * rows_in, stop - image * rows_in,
                  copies.get() + image * images.size);
      r = stop;
    }
  });
  const T* const source = copied ? copies.get() : x;
  const Index rows = g.out[0] * g.out[1], width = g.out[2] * outputs;
  const Index work = g.out[2] * outputs * all * runs.length;
  parallel_ranges(
      g.batch * rows, std::max<Index>(1, kTaskWork / std::max<Index>(1, work)), [&](Index begin, Index end) {
        for (Index row = begin; row < end; ++row) {
          const Index z = row % rows / g.out[1], line = row % g.out[1];
          const T* in =
              source + row / rows * images.size + z * g.stride[0] * images.plane + line * g.stride[1] * images.row;
          for (Index r = 0; r < all; ++r) {
            Block<T> block{g.out[2],
                           outputs,
                           runs.length,
                           {in + runs.offset[static_cast<std::size_t>(r)], g.stride[2] * g.in_channels, 1},
                           packed.get() + r * padded * runs.length,
                           0,
                           y + row * width,
                           outputs,
                           r > 0,
                           {}};
            if (r + 1 == all) block.ep.col_bias = bias;
            run_block(block);
          }
        }
      });
}

template <class T>
void last_images_weight_t(const Geometry& g, const T* x, const T* dy, T* dw) {
  const Index outputs = g.out_channels, pixels = g.out_area(), n = g.in_channels * g.taps();
  if (g.pointwise())
    return packed_gemm(outputs, n, g.batch * pixels, View<T>{dy, 1, outputs}, StridedB<T>{{x, g.in_channels, 1}}, dw, n,
                       false, Epilogue<T>{});
  const PaddedImages<T> images(g);
  const Runs runs(g, images.row, images.plane);
  T* image = scratch_of<T>(1, images.size + 64);
  for (Index b = 0; b < g.batch; ++b) {
    images.copy(g, x + b * g.in_area() * g.in_channels, 0, images.size / images.row, image);
    const PixelRows<T> rows{image,
                            runs.offset.data(),
                            runs.length,
                            g.out[2],
                            g.out[1],
                            g.stride[2] * g.in_channels,
                            g.stride[1] * images.row,
                            g.stride[0] * images.plane};
    packed_gemm(outputs, n, pixels, View<T>{dy + b * pixels * outputs, 1, outputs}, rows, dw, n, b > 0, Epilogue<T>{});
  }
}

void last_images_forward_f32(const Geometry& g, const float* x, const float* w, const float* bias, float* y) {
  last_images_forward_t(g, x, w, bias, y);
}
void last_images_forward_f64(const Geometry& g, const double* x, const double* w, const double* bias, double* y) {
  last_images_forward_t(g, x, w, bias, y);
}
void last_images_weight_f32(const Geometry& g, const float* x, const float* dy, float* dw) {
  last_images_weight_t(g, x, dy, dw);
}
void last_images_weight_f64(const Geometry& g, const double* x, const double* dy, double* dw) {
  last_images_weight_t(g, x, dy, dw);
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::gemm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::conv {
namespace {

// The convolution of dY that gives the gradient of X: the kernel reversed, its channels exchanged.
template <class T>
Buffer<T> reversed(const Geometry& g, const T* w) {
  const Index taps = g.taps(), outputs = g.out_channels, channels = g.in_channels;
  Buffer<T> result(outputs * channels * taps);
  for (Index o = 0; o < outputs; ++o)
    for (Index t = 0; t < taps; ++t)
      for (Index c = 0; c < channels; ++c)
        result[(c * taps + taps - 1 - t) * outputs + o] = w[(o * taps + t) * channels + c];
  return result;
}
Geometry backward_of(const Geometry& g) {
  Geometry back = g;
  std::swap(back.in_channels, back.out_channels);
  for (int d = 0; d < 3; ++d) {
    back.in[d] = g.out[d];
    back.out[d] = g.in[d];
    back.pad[d] = (g.kernel[d] - 1) * g.dilation[d] - g.pad[d];
  }
  return back;
}

}  // namespace

#define RL_DEFINE(T, Suffix)                                                                                           \
  template <>                                                                                                          \
  void last_forward(const Geometry& g, const T* x, const T* w, const T* bias, T* y) {                                  \
    using namespace gemm;                                                                                              \
    static constexpr simd::Table<decltype(HWY_NAMESPACE::last_images_forward_##Suffix)> kTable =                       \
        RL_SIMD_TABLE(last_images_forward_##Suffix);                                                                   \
    kTable(g, x, w, bias, y);                                                                                          \
  }                                                                                                                    \
  template <>                                                                                                          \
  void last_input_gradient(const Geometry& g, const T* w, const T* dy, T* dx) {                                        \
    last_forward(backward_of(g), dy, static_cast<const T*>(reversed(g, w).get()), static_cast<const T*>(nullptr), dx); \
  }                                                                                                                    \
  template <>                                                                                                          \
  void last_weight_gradient(const Geometry& g, const T* x, const T* dy, T* dw) {                                       \
    using namespace gemm;                                                                                              \
    static constexpr simd::Table<decltype(HWY_NAMESPACE::last_images_weight_##Suffix)> kTable =                        \
        RL_SIMD_TABLE(last_images_weight_##Suffix);                                                                    \
    kTable(g, x, dy, dw);                                                                                              \
  }
RL_DEFINE(float, f32)
RL_DEFINE(double, f64)
#undef RL_DEFINE

}  // namespace rushlight::conv
#endif
