// The padded input and the im2col packer, shared by the forward and backward convolutions. Once per
// target.
#if defined(RL_CPU_CONV_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_CPU_CONV_INL_H_
#undef RL_CPU_CONV_INL_H_
#else
#define RL_CPU_CONV_INL_H_
#endif

#include <cstring>
#include <vector>

#include "cpu/conv/conv.h"
#include "cpu/conv/split_row-inl.h"
#include "cpu/gemm/gemm-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::gemm {
namespace HWY_NAMESPACE {

using conv::Geometry;

// The padded input is stored split by column phase (x mod stride), so that whatever the stride the
// pixels of one output row are contiguous: (channel, z, y, phase, x / stride).
struct Layout {
  Index planes, rows, phase_w,
      row_w;  // padded depth and height, columns of a phase, stride * phase_w
  explicit Layout(const Geometry& g)
      : planes(g.in[0] + 2 * g.pad[0]),
        rows(g.in[1] + 2 * g.pad[1]),
        phase_w(ceil_div(g.in[2] + 2 * g.pad[2], g.stride[2])),
        row_w(phase_w * g.stride[2]) {}
  Index plane() const { return rows * row_w; }
  Index channel() const { return planes * plane(); }
};

// `channels` consecutive channels of one image.
template <class T>
void pad_input(const Geometry& g, const Layout& l, Index channels, const T* x, T* out) {
  const SplitRow row{g.in[2], g.pad[2], g.stride[2], l.phase_w, l.row_w};
  const auto clear = [&](Index count) { std::memset(out, 0, static_cast<std::size_t>(count) * sizeof(T)); };
  for (Index c = 0; c < channels; ++c)
    for (Index z = 0; z < l.planes; ++z) {
      const Index iz = z - g.pad[0];
      if (iz < 0 || iz >= g.in[0]) {
        clear(l.plane());
        out += l.plane();
        continue;
      }
      for (Index y = 0; y < l.rows; ++y, out += l.row_w) {
        const Index iy = y - g.pad[1];
        if (iy < 0 || iy >= g.in[1])
          clear(l.row_w);
        else
          split(row, x + ((c * g.in[0] + iz) * g.in[1] + iy) * g.in[2], T(0), out);
      }
    }
}

// Where each (channel, kz, ky, kx) of a kernel starts in the padded input.
inline std::vector<Index> tap_offsets(const Geometry& g, const Layout& l, Index channels) {
  std::vector<Index> offsets;
  for (Index c = 0; c < channels; ++c)
    for (Index kz = 0; kz < g.kernel[0]; ++kz)
      for (Index ky = 0; ky < g.kernel[1]; ++ky)
        for (Index kx = 0; kx < g.kernel[2]; ++kx) {
          const Index column = kx * g.dilation[2];
          offsets.push_back(c * l.channel() + kz * g.dilation[0] * l.plane() + ky * g.dilation[1] * l.row_w +
                            column % g.stride[2] * l.phase_w + column / g.stride[2]);
        }
  return offsets;
}

template <class T>
struct Im2col {
  const T* images;        // padded, `image_step` apart
  const Index* k_offset;  // of (channel, kz, ky, kx)
  Index image_step, pixels, out_w, out_h;
  Index row_step, plane_step;  // distances of output rows and planes
  Index first;                 // the pixel that is column 0

  void pack(Index k0, Index kc, Index j0, Index cols, Index width, T* HWY_RESTRICT dst) const {
    constexpr Index L = kLanes<T>;
    VectorCopy copies[kNV * L];
    int count = 0;
    for (Index j = 0; j < cols;) {  // runs of columns in one output row
      const Index at = first + j0 + j, p = at % pixels, x = p % out_w, row = p / out_w;
      const Index len = std::min(cols - j, out_w - x);
      const Index from = at / pixels * image_step + row / out_h * plane_step + row % out_h * row_step + x;
      for (Index i = 0; i < len; i += L)
        copies[count++] = {from + i, j + i};
      j += len;
    }
    const Index* const offset = k_offset + k0;
    copy_vectors(copies, count, kc, width, [&](Index k) { return images + offset[k]; }, dst);
  }
};

template <class T>
T* scratch_of(int slot, Index count) {
  return static_cast<T*>(scratch_of_thread(slot, static_cast<std::size_t>(count) * sizeof(T)));
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::gemm
HWY_AFTER_NAMESPACE();
#endif
