// The right operand of a weight gradient: pixels by (tap, channel). Included once per target.
#if defined(RL_CPU_CONV_PIXEL_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_CPU_CONV_PIXEL_ROWS_INL_H_
#undef RL_CPU_CONV_PIXEL_ROWS_INL_H_
#else
#define RL_CPU_CONV_PIXEL_ROWS_INL_H_
#endif

#include "cpu/conv/split_row-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::gemm {
namespace HWY_NAMESPACE {

// Rows are output pixels, columns (tap, c). Without dilation along x the channels of neighbouring
// taps are one contiguous run of the image; a strip of columns is a few runs.
template <class T>
struct PixelRows {
  const T* image;                                  // padded, channels-last
  const Index* run_from;                           // where each run starts
  Index run;                                       // its length
  Index out_w, out_h, step, row_step, plane_step;  // steps of output pixels, rows and planes

  void pack(Index k0, Index kc, Index j0, Index cols, Index width, T* HWY_RESTRICT dst) const {
    constexpr Index L = kLanes<T>;
    VectorCopy copies[kNV * L];
    int count = 0;
    for (Index j = 0; j < cols;) {
      const Index which = (j0 + j) / run, at = (j0 + j) % run, len = std::min(cols - j, run - at);
      for (Index i = 0; i < len; i += L)
        copies[count++] = {run_from[which] + at + i, j + i};
      j += len;
    }
    Index row = k0 / out_w, ox = k0 % out_w;
    const auto start = [&] { return image + row / out_h * plane_step + row % out_h * row_step; };
    const T* next = start() + ox * step;
    const auto source = [&](Index) {
      const T* const src = next;
      next += step;
      if (++ox == out_w) {
        ox = 0;
        ++row;
        next = start();
      }
      return src;
    };
    copy_vectors(copies, count, kc, width, source, dst);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::gemm
HWY_AFTER_NAMESPACE();
#endif
