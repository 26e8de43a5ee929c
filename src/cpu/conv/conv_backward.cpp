// Gradients of convolutions as implicit products on the register tile.
//   dW[oc, (tap, c)] = dY[oc, pixel] * X[pixel, (tap, c)]   X channels-last: rows are contiguous
//   runs dX[c, pixel]     = W'[c, (oc, tap)] * im2col(dY)        one product for each phase of the
//   stride
#include "cpu/conv/conv.h"

#include "cpu/simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/conv/conv_backward.cpp"
#include "hwy/foreach_target.h"

#include "cpu/conv/conv-inl.h"
#include "cpu/conv/pixel_rows-inl.h"
#include "cpu/gemm/buffer.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::gemm {
namespace HWY_NAMESPACE {

// ---- weight gradient ----

// Some channels of one image to padded channels-last: out[((z * rows + y) * width + x) * C + c].
// The border is zero already.
template <class T>
void to_channels_last(const Geometry& g, Index channels, const T* x, T* out) {
  const hn::ScalableTag<T> d;
  constexpr Index BL = kBlock<T>, L = kLanes<T>;
  const Index area = g.in_area(), pw = g.in[2] + 2 * g.pad[2], ph = g.in[1] + 2 * g.pad[1];
  for (Index z = 0; z < g.in[0]; ++z)
    for (Index y = 0; y < g.in[1]; ++y) {
      T* row = out + (((z + g.pad[0]) * ph + y + g.pad[1]) * pw + g.pad[2]) * channels;
      const T* in = x + (z * g.in[1] + y) * g.in[2];
      Index c = 0;
      for (; c + L <= channels; c += L) {
        Index i = 0;
        for (; i + BL <= g.in[2]; i += BL) {
          hn::Vec<decltype(d)> col[BL];
          load_transposed(d, in + c * area + i, area, col);
          for (Index b = 0; b < BL; ++b)
            hn::StoreU(col[b], d, row + (i + b) * channels + c);
        }
        for (; i < g.in[2]; ++i)
          for (Index lane = 0; lane < L; ++lane)
            row[i * channels + c + lane] = in[(c + lane) * area + i];
      }
      for (; c < channels; ++c)
        for (Index i = 0; i < g.in[2]; ++i)
          row[i * channels + c] = in[c * area + i];
    }
}

// (rows, columns) to (columns, rows); kRows: the taps of common kernels, unrolled, or 0.
template <Index kRows, class T>
void exchange_rows(const T* HWY_RESTRICT from, Index rows, Index columns, T* HWY_RESTRICT to) {
  const Index count = kRows ? kRows : rows;
  for (Index i = 0; i < columns; ++i)
    _Pragma("GCC unroll 9") for (Index r = 0; r < count; ++r) to[i * count + r] = from[r * columns + i];
}
template <class T>
void exchange(const T* from, Index rows, Index columns, T* to) {
  if (rows == 9) return exchange_rows<9>(from, rows, columns, to);
  if (rows == 3) return exchange_rows<3>(from, rows, columns, to);
  exchange_rows<0>(from, rows, columns, to);
}

template <class T>
void weight_group(const Geometry& g, Index group, const T* x, const T* dy, T* dw) {
  const Index pixels = g.out_area(), taps = g.taps(), channels = g.group_in(), outputs = g.group_out();
  const Index n = channels * taps, in_size = g.in_channels * g.in_area(), out_size = g.out_channels * pixels;
  x += group * channels * g.in_area();
  dy += group * outputs * pixels;
  dw += group * outputs * n;
  if (g.pointwise()) {
    for (Index b = 0; b < g.batch; ++b)
      packed_gemm(outputs, n, pixels, View<T>{dy + b * out_size, pixels, 1}, StridedB<T>{{x + b * in_size, 1, pixels}},
                  dw, n, b > 0, Epilogue<T>{});
    return;
  }
  const Index pw = (g.in[2] + 2 * g.pad[2]) * channels, plane = (g.in[1] + 2 * g.pad[1]) * pw;
  const Index size = (g.in[0] + 2 * g.pad[0]) * plane;
  const bool joined = g.dilation[2] == 1;
  std::vector<Index> run_from;
  for (Index kz = 0; kz < g.kernel[0]; ++kz)
    for (Index ky = 0; ky < g.kernel[1]; ++ky)
      for (Index kx = 0; kx < (joined ? 1 : g.kernel[2]); ++kx)
        run_from.push_back(kz * g.dilation[0] * plane + ky * g.dilation[1] * pw + kx * g.dilation[2] * channels);
  T* image = scratch_of<T>(1, size + 64);
  T* c = scratch_of<T>(2, outputs * n);
  std::memset(image, 0, static_cast<std::size_t>(size) * sizeof(T));
  for (Index b = 0; b < g.batch; ++b) {
    to_channels_last(g, channels, x + b * in_size, image);
    const PixelRows<T> rows{image,
                            run_from.data(),
                            joined ? g.kernel[2] * channels : channels,
                            g.out[2],
                            g.out[1],
                            g.stride[2] * channels,
                            g.stride[1] * pw,
                            g.stride[0] * plane};
    packed_gemm(outputs, n, pixels, View<T>{dy + b * out_size, pixels, 1}, rows, c, n, b > 0, Epilogue<T>{});
  }
  for (Index o = 0; o < outputs; ++o)
    exchange(c + o * n, taps, channels, dw + o * n);
}

// Few input channels would leave the lanes of a tile empty: the taps of each output channel are dot
// products of rows of dY with rows of X.
template <class T>
void few_channels_group(const Geometry& g, Index group, const T* x, const T* dy, T* dw) {
  constexpr Index L = kLanes<T>;
  const hn::ScalableTag<T> d;
  const Layout l(g);
  const Index channels = g.group_in(), outputs = g.group_out(), n = channels * g.taps(), pixels = g.out_area();
  const Index in_size = g.in_channels * g.in_area(), out_size = g.out_channels * pixels, out_w = g.out[2];
  const std::vector<Index> offsets = tap_offsets(g, l, channels);
  T* sums = scratch_of<T>(2, outputs * n * L);  // vectors; lanes are added once at the end
  std::memset(sums, 0, static_cast<std::size_t>(outputs * n * L) * sizeof(T));
  T* padded = scratch_of<T>(1, channels * l.channel() + 64);
  const Index whole = out_w / L * L, left = out_w - whole;
  const auto mask = hn::FirstN(d, static_cast<std::size_t>(left));
  const auto columns = [&](const T* gradient, const Index* offset, T* sum) HWY_ATTR {
    constexpr int kTaps = 4;  // independent chains
    hn::Vec<decltype(d)> acc[kTaps];
    for (int t = 0; t < kTaps; ++t)
      acc[t] = hn::LoadU(d, sum + t * L);
    for (Index row = 0; row < g.out[0] * g.out[1]; ++row) {
      const T* from = gradient + row * out_w;
      const T* in = padded + row / g.out[1] * g.stride[0] * l.plane() + row % g.out[1] * g.stride[1] * l.row_w;
      for (Index i = 0; i < whole; i += L) {
        const auto gv = hn::LoadU(d, from + i);
        for (int t = 0; t < kTaps; ++t)
          acc[t] = hn::MulAdd(gv, hn::LoadU(d, in + offset[t] + i), acc[t]);
      }
      if (left) {
        const auto gv = load_part(d, mask, left, from + whole);
        for (int t = 0; t < kTaps; ++t)
          acc[t] = hn::MulAdd(gv, load_part(d, mask, left, in + offset[t] + whole), acc[t]);
      }
    }
    for (int t = 0; t < kTaps; ++t)
      hn::StoreU(acc[t], d, sum + t * L);
  };
  for (Index b = 0; b < g.batch; ++b) {
    pad_input(g, l, channels, x + b * in_size + group * channels * g.in_area(), padded);
    for (Index o = 0; o < outputs; ++o) {
      const T* gradient = dy + b * out_size + (group * outputs + o) * pixels;
      Index j = 0;
      for (; j + 4 <= n; j += 4)
        columns(gradient, offsets.data() + j, sums + (o * n + j) * L);
      for (; j < n; ++j) {  // the last taps one at a time; the three sums beside them go to waste
        alignas(64) T spare[4 * L] = {};
        const Index same[4] = {offsets[static_cast<std::size_t>(j)], 0, 0, 0};
        hn::Store(hn::LoadU(d, sums + (o * n + j) * L), d, spare);
        columns(gradient, same, spare);
        hn::StoreU(hn::Load(d, spare), d, sums + (o * n + j) * L);
      }
    }
  }
  for (Index i = 0; i < outputs * n; ++i)
    dw[group * outputs * n + i] = hn::GetLane(hn::SumOfLanes(d, hn::LoadU(d, sums + i * L)));
}

template <class T>
void weight_t(const Geometry& g, const T* x, const T* dy, T* dw) {
  const bool few = g.group_in() * g.kernel[2] < 8 && !g.pointwise();
  parallel_for(g.groups, [&](Index group) {
    if (few)
      few_channels_group(g, group, x, dy, dw);
    else
      weight_group(g, group, x, dy, dw);
  });
}

// ---- input gradient ----

// The input pixels p, p + stride, ... of one phase take dY at t + (p + pad - k * dilation) /
// stride, for the taps k where that is whole.
struct Phase {
  Index start[3], size[3];
  std::vector<Index> taps[3];
  std::vector<Index> offset;  // in the padded dY, of (tap, oc), or (oc, tap) for few channels
  Index tap_count() const { return static_cast<Index>(taps[0].size() * taps[1].size() * taps[2].size()); }
  Index pixels() const { return size[0] * size[1] * size[2]; }
};

// Less than a vector of output channels: their weights are copied one by one, in the order of memory.
inline bool has_few_outputs(const Geometry& g) { return g.group_out() < 16; }

struct Phases {
  std::vector<Phase> list;
  Geometry padded;  // dY as an input with a border wide enough for every tap

  Phases(const Geometry& g) : padded(g) {
    Index pad[3] = {0, 0, 0};
    const auto shift = [&](int d, Index p, Index k) { return (p + g.pad[d] - k * g.dilation[d]) / g.stride[d]; };
    const auto fits = [&](int d, Index p, Index k) { return (p + g.pad[d] - k * g.dilation[d]) % g.stride[d] == 0; };
    const Index counts[3] = {std::min(g.stride[0], g.in[0]), std::min(g.stride[1], g.in[1]),
                             std::min(g.stride[2], g.in[2])};
    for (Index i = 0; i < counts[0] * counts[1] * counts[2]; ++i) {
      Phase p{{i / (counts[1] * counts[2]), i / counts[2] % counts[1], i % counts[2]}, {}, {}, {}};
      for (int d = 0; d < 3; ++d) {
        p.size[d] = ceil_div(g.in[d] - p.start[d], g.stride[d]);
        for (Index k = 0; k < g.kernel[d]; ++k) {
          if (!fits(d, p.start[d], k)) continue;
          p.taps[d].push_back(k);
          pad[d] = std::max({pad[d], -shift(d, p.start[d], k), p.size[d] + shift(d, p.start[d], k) - g.out[d]});
        }
      }
      list.push_back(std::move(p));
    }
    for (int d = 0; d < 3; ++d) {
      padded.in[d] = g.out[d];
      padded.pad[d] = pad[d];
      padded.stride[d] = padded.kernel[d] = padded.dilation[d] = 1;
    }
    const Layout l(padded);
    for (Phase& p : list) {
      std::vector<Index> taps;
      for (const Index kz : p.taps[0])
        for (const Index ky : p.taps[1])
          for (const Index kx : p.taps[2])
            taps.push_back((pad[0] + shift(0, p.start[0], kz)) * l.plane() +
                           (pad[1] + shift(1, p.start[1], ky)) * l.row_w + pad[2] + shift(2, p.start[2], kx));
      const Index outputs = g.group_out(), count = static_cast<Index>(taps.size());
      p.offset.resize(static_cast<std::size_t>(outputs * count));
      for (Index t = 0; t < count; ++t)
        for (Index o = 0; o < outputs; ++o)
          p.offset[static_cast<std::size_t>(has_few_outputs(g) ? o * count + t : t * outputs + o)] =
              o * l.channel() + taps[static_cast<std::size_t>(t)];
    }
  }
};

// Where the weights of one tap go: for channel c and output o to rows[c * row + o * step]. Null where a large stride
// leaves the tap out.
template <class T>
struct TapRows {
  T* rows;
  Index row, step;
};

// W of one group, (oc, (c, tap)), as (c, tap, oc) of each phase, with a step of 1: a transpose, in blocks of columns
// whose rows of results stay open while all output channels pass.
template <class T>
void phase_weights(Index outputs, Index channels, bool few, const std::vector<TapRows<T>>& taps, const T* w) {
  const hn::ScalableTag<T> d;
  constexpr Index L = kLanes<T>, BL = kBlock<T>, kColumns = 64;
  const Index count = static_cast<Index>(taps.size()), columns = channels * count;
  const Index whole = few ? 0 : outputs / L * L;
  parallel_ranges(columns, kColumns, [&](Index begin, Index end) {
    const Buffer<T> unused(outputs);
    T* to[kColumns];
    for (Index j = begin; j < end; ++j) {
      const TapRows<T>& tap = taps[static_cast<std::size_t>(j % count)];
      to[j - begin] = tap.rows ? tap.rows + j / count * tap.row : unused.get();
    }
    for (Index o = 0; o < whole; o += L) {
      Index j = begin;
      for (; j + BL <= end; j += BL) {
        hn::Vec<decltype(d)> v[BL];
        load_transposed(d, w + o * columns + j, columns, v);
        for (Index i = 0; i < BL; ++i)
          hn::StoreU(v[i], d, to[j + i - begin] + o);
      }
      for (; j < end; ++j)
        for (Index i = 0; i < L; ++i)
          to[j - begin][o + i] = w[(o + i) * columns + j];
    }
    for (Index o = whole; o < outputs; ++o)
      for (Index j = begin; j < end; ++j)
        to[j - begin][o * taps[static_cast<std::size_t>(j % count)].step] = w[o * columns + j];
  });
}

template <class T>
void input_group(const Geometry& g, const Phases& phases, const std::vector<Buffer<T>>& weights, Index group, Index b0,
                 Index images, const T* dy, T* dx) {
  const Index channels = g.group_in(), outputs = g.group_out(), area = g.in_area();
  const Index in_size = g.in_channels * area, out_size = g.out_channels * g.out_area();
  dy += b0 * out_size + group * outputs * g.out_area();
  dx += b0 * in_size + group * channels * area;
  const Layout l(phases.padded);
  const Index step = outputs * l.channel();
  T* padded = scratch_of<T>(1, images * step + 64);
  for (Index i = 0; i < images; ++i)
    pad_input(phases.padded, l, outputs, dy + i * out_size, padded + i * step);
  const bool straight = phases.list.size() == 1 && images == 1;
  for (std::size_t which = 0; which < phases.list.size(); ++which) {
    const Phase& p = phases.list[which];
    const Index k = outputs * p.tap_count(), n = p.pixels();
    T* c = straight ? dx : scratch_of<T>(2, channels * images * n);
    if (k == 0) {
      std::memset(c, 0, static_cast<std::size_t>(channels * images * n) * sizeof(T));
    } else {
      packed_gemm(channels, images * n, k, View<T>{weights[which].get() + group * channels * k, k, 1},
                  Im2col<T>{padded, p.offset.data(), step, n, p.size[2], p.size[1], l.row_w, l.plane(), 0}, c,
                  images * n, false, Epilogue<T>{});
    }
    if (straight) continue;
    const T* in = c;
    for (Index ch = 0; ch < channels; ++ch)
      for (Index i = 0; i < images; ++i)
        for (Index z = 0; z < p.size[0]; ++z)
          for (Index y = 0; y < p.size[1]; ++y, in += p.size[2]) {
            const Index row = (p.start[0] + z * g.stride[0]) * g.in[1] + p.start[1] + y * g.stride[1];
            T* o = dx + i * in_size + ch * area + row * g.in[2] + p.start[2];
            for (Index x = 0; x < p.size[2]; ++x)
              o[x * g.stride[2]] = in[x];
          }
  }
}

template <class T>
void input_t(const Geometry& g, const T* w, const T* dy, T* dx) {
  const Index channels = g.group_in(), outputs = g.group_out(), pixels = g.out_area();
  if (g.pointwise()) {
    parallel_for(g.batch * g.groups, [&](Index task) {
      const Index b = task / g.groups, group = task % g.groups;
      const View<T> a{w + group * outputs * channels, 1, channels};
      const T* from = dy + b * g.out_channels * pixels + group * outputs * pixels;
      T* to = dx + b * g.in_channels * pixels + group * channels * pixels;
      if (in_place<T>(channels, pixels, outputs))
        run_block(Block<T>{channels, pixels, outputs, a, from, pixels, to, pixels, false, {}});
      else
        packed_gemm(channels, pixels, outputs, a, StridedB<T>{{from, pixels, 1}}, to, pixels, false, Epilogue<T>{});
    });
    return;
  }
  const Phases phases(g);
  std::vector<Buffer<T>> weights;
  const bool few = has_few_outputs(g);
  std::vector<TapRows<T>> taps(static_cast<std::size_t>(g.taps()));
  for (const Phase& p : phases.list) {
    weights.emplace_back(channels * outputs * p.tap_count() * g.groups);
    Index place = 0;
    for (const Index kz : p.taps[0])
      for (const Index ky : p.taps[1])
        for (const Index kx : p.taps[2])
          taps[static_cast<std::size_t>((kz * g.kernel[1] + ky) * g.kernel[2] + kx)] = {
              weights.back().get() + place++ * (few ? 1 : outputs), p.tap_count() * outputs, few ? p.tap_count() : 1};
  }
  for (Index group = 0; group < g.groups; ++group) {
    phase_weights(outputs, channels, few, taps, w + group * outputs * channels * g.taps());
    for (TapRows<T>& tap : taps)
      if (tap.rows) tap.rows += channels * tap.row;
  }
  const Index most = phases.list[0].pixels();
  const Index group = std::max<Index>(1, std::min(g.batch, most < 256 ? 512 / most : 1)),
              parts = ceil_div(g.batch, group);
  parallel_for(parts * g.groups, [&](Index task) {
    const Index b0 = split_at(g.batch, parts, task / g.groups), end = split_at(g.batch, parts, task / g.groups + 1);
    input_group(g, phases, weights, task % g.groups, b0, end - b0, dy, dx);
  });
}

void weight_f32(const Geometry& g, const float* x, const float* dy, float* dw) { weight_t(g, x, dy, dw); }
void weight_f64(const Geometry& g, const double* x, const double* dy, double* dw) { weight_t(g, x, dy, dw); }
void input_f32(const Geometry& g, const float* w, const float* dy, float* dx) { input_t(g, w, dy, dx); }
void input_f64(const Geometry& g, const double* w, const double* dy, double* dx) { input_t(g, w, dy, dx); }

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::gemm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::conv {

#define RL_DISPATCH(name, Function, T)                                                                \
  template <>                                                                                         \
  void name(const Geometry& g, const T* a, const T* b, T* c) {                                        \
    using namespace gemm;                                                                             \
    static constexpr simd::Table<decltype(HWY_NAMESPACE::Function)> kTable = RL_SIMD_TABLE(Function); \
    kTable(g, a, b, c);                                                                               \
  }
RL_DISPATCH(weight_gradient, weight_f32, float)
RL_DISPATCH(weight_gradient, weight_f64, double)
RL_DISPATCH(input_gradient, input_f32, float)
RL_DISPATCH(input_gradient, input_f64, double)
#undef RL_DISPATCH

}  // namespace rushlight::conv
#endif
