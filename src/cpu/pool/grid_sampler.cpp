// grid_sampler of float32 and float64. An image is copied channels-last, so that the elements of a point are
// contiguous vectors over channels: no gathers, and the gradient needs no scatter.
#include "cpu/pool/grid_shape.h"

#include "cpu/simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/pool/grid_sampler.cpp"
#include "hwy/foreach_target.h"

#include "cpu/gemm/buffer.h"
#include "cpu/pool/grid_taps-inl.h"
#include "hwy/highway.h"
#include "rushlight/parallel.h"

#include <algorithm>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace rushlight::pool {
namespace HWY_NAMESPACE {

constexpr Index kQuad = 4;  // channels are padded to multiples of this
inline Index padded(Index channels) { return (channels + kQuad - 1) / kQuad * kQuad; }

// `count` elements of up to `channels` planes, `step` apart, to rows of `width` channels; the rest of a row is 0.
template <class T>
void to_rows(const T* in, Index step, Index channels, Index count, Index width, T* HWY_RESTRICT rows) {
  const hn::ScalableTag<T> d;
  constexpr Index L = static_cast<Index>(hn::MaxLanes(decltype(d)()));
  for (Index c = 0; c < width; c += kQuad) {
    const T* p = in + c * step;
    const Index some = std::min(kQuad, channels - c);
    Index i = 0;
    alignas(64) T quads[kQuad * L];
    const auto plane = [&](Index k) HWY_ATTR { return k < some ? hn::LoadU(d, p + k * step + i) : hn::Zero(d); };
    for (; i + L <= count; i += L) {
      T* to = width == kQuad ? rows + i * kQuad : quads;
      hn::StoreInterleaved4(plane(0), plane(1), plane(2), plane(3), d, to);
      if (width == kQuad) continue;
      for (Index k = 0; k < L; ++k)
        std::memcpy(rows + (i + k) * width + c, quads + k * kQuad, kQuad * sizeof(T));
    }
    for (; i < count; ++i)
      for (Index k = 0; k < kQuad; ++k)
        rows[i * width + c + k] = k < some ? p[k * step + i] : T(0);
  }
}

// The way back.
template <class T>
void from_rows(const T* HWY_RESTRICT rows, Index width, Index channels, Index count, T* out, Index step) {
  const hn::ScalableTag<T> d;
  constexpr Index L = static_cast<Index>(hn::MaxLanes(decltype(d)()));
  for (Index c = 0; c < channels; c += kQuad) {
    T* p = out + c * step;
    const Index some = std::min(kQuad, channels - c);
    Index i = 0;
    alignas(64) T quads[kQuad * L];
    for (; i + L <= count; i += L) {
      for (Index k = 0; k < L; ++k)
        std::memcpy(quads + k * kQuad, rows + (i + k) * width + c, kQuad * sizeof(T));
      hn::Vec<decltype(d)> v[kQuad];
      hn::LoadInterleaved4(d, quads, v[0], v[1], v[2], v[3]);
      for (Index k = 0; k < some; ++k)
        hn::StoreU(v[k], d, p + k * step + i);
    }
    for (; i < count; ++i)
      for (Index k = 0; k < some; ++k)
        p[k * step + i] = rows[i * width + c + k];
  }
}

// body(tag, first channel) over the vectors of a row.
template <class T, class Body>
HWY_INLINE void for_channels(Index width, const Body& body) {
  const hn::ScalableTag<T> d;
  const hn::CappedTag<T, static_cast<std::size_t>(kQuad)> quad;
  constexpr Index L = static_cast<Index>(hn::MaxLanes(decltype(d)())),
                  Q = static_cast<Index>(hn::MaxLanes(decltype(quad)()));
  Index c = 0;
  for (; c + L <= width; c += L)
    body(d, c);
  for (; c < width; c += Q)
    body(quad, c);
}

// ---- forward ----

template <class T, int kDims, int kPer>
void sample_block(const Taps<T, kDims, kPer>& taps, Index count, const T* panel, Index width, T* HWY_RESTRICT rows) {
  constexpr int kTaps = Taps<T, kDims, kPer>::kTaps;
  for (Index i = 0; i < count; ++i) {
    const T* from[kTaps];
    RL_UNROLL for (int t = 0; t < kTaps; ++t) from[t] = panel + static_cast<Index>(taps.offset[t][i]) * width;
    for_channels<T>(width, [&](auto d, Index c) HWY_ATTR {
      auto sum = hn::Mul(hn::Set(d, taps.weight[0][i]), hn::LoadU(d, from[0] + c));
      RL_UNROLL for (int t = 1; t < kTaps; ++t) sum =
          hn::MulAdd(hn::Set(d, taps.weight[t][i]), hn::LoadU(d, from[t] + c), sum);
      hn::StoreU(sum, d, rows + i * width + c);
    });
  }
}

// Few points of large planes: reading them costs less than copying the planes.
template <class T, int kDims, int kPer>
void sample_in_place(const Taps<T, kDims, kPer>& taps, Index count, const GridShape& s, const T* image, T* out) {
  constexpr int kTaps = Taps<T, kDims, kPer>::kTaps;
  const Index area = s.area();
  for (Index c = 0; c < s.channels; ++c, image += area, out += s.points)
    for (Index i = 0; i < count; ++i) {
      T sum = 0;
      for (int t = 0; t < kTaps; ++t)
        sum += taps.weight[t][i] * (taps.offset[t][i] < area ? image[taps.offset[t][i]] : T(0));
      out[i] = sum;
    }
}

// All images as rows of channels, each followed by an element of zeros for what lies outside.
template <class T>
void pack_images(const GridShape& s, Index width, const T* input, T* panels) {
  constexpr Index kPiece = 4096;
  const Index area = s.area(), pieces = (area + kPiece - 1) / kPiece;
  parallel_for(s.batch * pieces, [&](Index task) {
    const Index image = task / pieces, from = task % pieces * kPiece, count = std::min(kPiece, area - from);
    T* panel = panels + image * (area + 1) * width;
    to_rows(input + image * s.channels * area + from, area, s.channels, count, width, panel + from * width);
    if (from == 0) std::fill_n(panel + area * width, width, T(0));
  });
}

template <class T, int kDims, int kPer>
void forward_taps(const GridShape& s, const GridOperands<T>& o) {
  constexpr Index kBlock = kPoints<T>, kTask = 16 * kBlock;
  const Index width = padded(s.channels), area = s.area(), tasks = (s.points + kTask - 1) / kTask;
  const bool packed = 4 * s.points > area;
  const Buffer<T> panels(packed ? s.batch * (area + 1) * width : 0);
  if (packed) pack_images(s, width, o.input, panels.get());
  parallel_for(s.batch * tasks, [&](Index task) {
    const Index image = task / tasks, begin = task % tasks * kTask, end = std::min(s.points, begin + kTask);
    const Buffer<T> rows(packed ? kBlock * width : 0);
    Taps<T, kDims, kPer> taps;
    for (Index p = begin; p < end; p += kBlock) {
      const Index count = std::min(kBlock, end - p);
      place_taps<false>(s, o.grid + (image * s.points + p) * kDims, count, taps);
      T* out = o.output + image * s.channels * s.points + p;
      if (!packed) {
        sample_in_place(taps, count, s, o.input + image * s.channels * area, out);
        continue;
      }
      sample_block(taps, count, panels.get() + image * (area + 1) * width, width, rows.get());
      from_rows(rows.get(), width, s.channels, count, out, s.points);
    }
  });
}

// ---- backward ----

// One image, some channels, a block of points. `panel` holds the image, `sums` its gradient, as rows.
template <class T, int kDims, int kPer>
void gradient_block(const Taps<T, kDims, kPer>& taps, Index count, const T* rows, Index width, const T* panel, T* sums,
                    T* grad_grid) {
  constexpr int kTaps = Taps<T, kDims, kPer>::kTaps;
  const hn::ScalableTag<T> full;
  for (Index i = 0; i < count; ++i) {
    Index at[kTaps];
    RL_UNROLL for (int t = 0; t < kTaps; ++t) at[t] = static_cast<Index>(taps.offset[t][i]) * width;
    const T* gradient = rows + i * width;
    if (sums) {
      RL_UNROLL for (int t = 0; t < kTaps; ++t) {
        T* to = sums + at[t];
        const T weight = taps.weight[t][i];
        for_channels<T>(width, [&](auto d, Index c) HWY_ATTR {
          hn::StoreU(hn::MulAdd(hn::Set(d, weight), hn::LoadU(d, gradient + c), hn::LoadU(d, to + c)), d, to + c);
        });
      }
    }
    if (!grad_grid) continue;
    if constexpr (kPer == 1) {
      std::fill_n(grad_grid + i * kDims, kDims, T(0));
      continue;
    }
    alignas(64) T lanes[kDims][hn::MaxLanes(decltype(full)())] = {};
    for_channels<T>(width, [&](auto d, Index c) HWY_ATTR {
      const auto g = hn::LoadU(d, gradient + c);
      hn::Vec<decltype(d)> sum[kDims];
      RL_UNROLL for (int k = 0; k < kDims; ++k) sum[k] = hn::Zero(d);
      RL_UNROLL for (int t = 0; t < kTaps; ++t) {
        const auto value = hn::LoadU(d, panel + at[t] + c);
        RL_UNROLL for (int k = 0; k < kDims; ++k) sum[k] = hn::MulAdd(hn::Set(d, taps.slope[k][t][i]), value, sum[k]);
      }
      RL_UNROLL for (int k = 0; k < kDims; ++k) hn::StoreU(hn::MulAdd(g, sum[k], hn::LoadU(d, lanes[k])), d, lanes[k]);
    });
    RL_UNROLL for (int k = 0; k < kDims; ++k) grad_grid[i * kDims + k] =
        hn::GetLane(hn::SumOfLanes(full, hn::Load(full, lanes[k])));
  }
}

// Channels [c0, c0 + channels) of one image; `grad_grid` gets their share.
template <class T, int kDims, int kPer>
void gradient_image(const GridShape& s, const GridGradients<T>& o, Index image, Index c0, Index channels,
                    T* grad_grid) {
  constexpr Index kBlock = kPoints<T>;
  const Index width = padded(channels), area = s.area(), size = (area + 1) * width;
  const bool slopes = grad_grid && kPer > 1;
  const Buffer<T> panel(slopes ? size : 0), sums(o.grad_input ? size : 0), rows(kBlock * width);
  if (slopes) {
    to_rows(o.input + (image * s.channels + c0) * area, area, channels, area, width, panel.get());
    std::fill_n(panel.get() + area * width, width, T(0));
  }
  if (o.grad_input) std::fill_n(sums.get(), size, T(0));
  Taps<T, kDims, kPer> taps;
  for (Index p = 0; p < s.points; p += kBlock) {
    const Index count = std::min(kBlock, s.points - p);
    place_taps<true>(s, o.grid + (image * s.points + p) * kDims, count, taps);
    to_rows(o.grad_output + (image * s.channels + c0) * s.points + p, s.points, channels, count, width, rows.get());
    gradient_block(taps, count, rows.get(), width, panel.get(), o.grad_input ? sums.get() : nullptr,
                   grad_grid ? grad_grid + p * kDims : nullptr);
  }
  if (o.grad_input) from_rows(sums.get(), width, channels, area, o.grad_input + (image * s.channels + c0) * area, area);
}

template <class T, int kDims, int kPer>
void backward_taps(const GridShape& s, const GridGradients<T>& o) {
  // Channels of few images are spread over tasks; their shares of the grid's gradient are added in order.
  const Index quads = padded(s.channels) / kQuad, wanted = std::max<Index>(1, 8 / s.batch);
  const Index groups = std::max<Index>(1, std::min(wanted, quads / 8));
  const Index some = (quads + groups - 1) / groups * kQuad, size = s.batch * s.points * kDims;
  const Buffer<T> shares(o.grad_grid ? (groups - 1) * size : 0);
  parallel_for(s.batch * groups, [&](Index task) {
    const Index image = task / groups, group = task % groups, c0 = group * some;
    T* share = !o.grad_grid ? nullptr : group == 0 ? o.grad_grid : shares.get() + (group - 1) * size;
    const Index channels = std::min(some, s.channels - c0);
    if (share) share += image * s.points * kDims;
    if (channels > 0)
      gradient_image<T, kDims, kPer>(s, o, image, c0, channels, share);
    else if (share)
      std::fill_n(share, s.points * kDims, T(0));
  });
  if (!o.grad_grid) return;
  for (Index group = 1; group < groups; ++group)
    for (Index i = 0; i < size; ++i)
      o.grad_grid[i] += shares[(group - 1) * size + i];
}

// ---- the choice of the taps ----

template <class T, class Body>
void with_taps(const GridShape& s, const Body& body) {
  using Two = std::integral_constant<int, 2>;
  using Three = std::integral_constant<int, 3>;
  using Single = std::integral_constant<int, 1>;
  using Pair = std::integral_constant<int, 2>;
  using Four = std::integral_constant<int, 4>;
  if (s.interpolation == Interpolation::kCubic) return body(Two(), Four());
  if (s.interpolation == Interpolation::kNearest) return s.dims == 2 ? body(Two(), Single()) : body(Three(), Single());
  return s.dims == 2 ? body(Two(), Pair()) : body(Three(), Pair());
}
template <class T>
void forward_t(const GridShape& s, const GridOperands<T>& o) {
  with_taps<T>(s, [&](auto dims, auto per) { forward_taps<T, dims(), per()>(s, o); });
}
template <class T>
void backward_t(const GridShape& s, const GridGradients<T>& o) {
  with_taps<T>(s, [&](auto dims, auto per) { backward_taps<T, dims(), per()>(s, o); });
}
void forward_f32(const GridShape& s, const GridOperands<float>& o) { forward_t(s, o); }
void forward_f64(const GridShape& s, const GridOperands<double>& o) { forward_t(s, o); }
void backward_f32(const GridShape& s, const GridGradients<float>& o) { backward_t(s, o); }
void backward_f64(const GridShape& s, const GridGradients<double>& o) { backward_t(s, o); }

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::pool
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight {
namespace {

pool::GridShape shape_of(const GridSampling& how, const TensorBase& input, const TensorBase& grid) {
  pool::GridShape s{input.size(0), input.size(1),    1, {1, 1, 1}, static_cast<int>(input.dim()) - 2, how.interpolation,
                    how.padding,   how.align_corners};
  for (std::int64_t d = 0; d < s.dims; ++d) {
    s.in[3 - s.dims + d] = input.size(d + 2);
    s.points *= grid.size(d + 1);
  }
  return s;
}

template <class T>
T* data_or_null(const TensorBase& t) {
  return t.defined() ? t.mutable_data<T>() : nullptr;
}

void grid_sampler(const GridSampling& how, const TensorBase& input, const TensorBase& grid, const TensorBase& output) {
  using namespace pool;
  static constexpr simd::Table<decltype(HWY_NAMESPACE::forward_f32)> kFloat = RL_SIMD_TABLE(forward_f32);
  static constexpr simd::Table<decltype(HWY_NAMESPACE::forward_f64)> kDouble = RL_SIMD_TABLE(forward_f64);
  const GridShape s = shape_of(how, input, grid);
  if (input.dtype() == Dtype::kFloat32)
    kFloat(s, {input.data<float>(), grid.data<float>(), output.mutable_data<float>()});
  else
    kDouble(s, {input.data<double>(), grid.data<double>(), output.mutable_data<double>()});
}

void grid_sampler_backward(const GridSampling& how, const TensorBase& grad_output, const TensorBase& input,
                           const TensorBase& grid, const TensorBase& grad_input, const TensorBase& grad_grid) {
  using namespace pool;
  static constexpr simd::Table<decltype(HWY_NAMESPACE::backward_f32)> kFloat = RL_SIMD_TABLE(backward_f32);
  static constexpr simd::Table<decltype(HWY_NAMESPACE::backward_f64)> kDouble = RL_SIMD_TABLE(backward_f64);
  const GridShape s = shape_of(how, input, grid);
  if (input.dtype() == Dtype::kFloat32)
    kFloat(s, {grad_output.data<float>(), input.data<float>(), grid.data<float>(), data_or_null<float>(grad_input),
               data_or_null<float>(grad_grid)});
  else
    kDouble(s, {grad_output.data<double>(), input.data<double>(), grid.data<double>(), data_or_null<double>(grad_input),
                data_or_null<double>(grad_grid)});
}

}  // namespace

const Kernel<void(const GridSampling&, const TensorBase&, const TensorBase&, const TensorBase&)> grid_sampler_kernel{
    grid_sampler};
const Kernel<void(const GridSampling&, const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&,
                  const TensorBase&)>
    grid_sampler_backward_kernel{grid_sampler_backward};

}  // namespace rushlight
#endif
