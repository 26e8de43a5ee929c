// The weight gradient of one plane with a kernel of 3x3 and stride 1, in registers. Included once per target.
#if defined(RL_CPU_CONV_PLANE_WEIGHTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_CPU_CONV_PLANE_WEIGHTS_INL_H_
#undef RL_CPU_CONV_PLANE_WEIGHTS_INL_H_
#else
#define RL_CPU_CONV_PLANE_WEIGHTS_INL_H_
#endif

#include <algorithm>

#include "cpu/conv/conv.h"
#include "cpu/gemm/gemm-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::gemm {
namespace HWY_NAMESPACE {

using conv::Geometry;

#define RL_UNROLL _Pragma("GCC unroll 32")

inline bool is_small(const Geometry& g) { return g.three_by_three(); }

// Lanes [from, to) of p, the others 0 and untouched.
template <class D>
HWY_INLINE hn::Vec<D> load_range(D d, hn::Mask<D> mask, Index from, Index to, const float* p) {
#if HWY_TARGET <= HWY_AVX2
  (void)from, (void)to;
  return hn::MaskedLoad(mask, d, p);
#else
  (void)mask;
  HWY_ALIGN float tmp[kLanes<float>] = {};
  for (Index i = std::max<Index>(0, from); i < std::min(kLanes<float>, to); ++i)
    tmp[i] = p[i];
  return hn::Load(d, tmp);
#endif
}

// Adds to sums[9 vectors] the products of one plane of dY with the nine shifted planes of X. Every row of X is loaded
// once for the three rows of dY that it meets, which stay in registers.
inline void plane_weights3x3(const Geometry& g, const float* x, const float* dy, float* sums) {
  const hn::ScalableTag<float> d;
  using V = hn::Vec<decltype(d)>;
  constexpr Index L = kLanes<float>;
  const Index width = g.in[2], height = g.in[1], out_w = g.out[2], out_h = g.out[1], pad = g.pad[2];
  const auto count = [](Index n) { return static_cast<std::size_t>(std::max<Index>(0, std::min(n, kLanes<float>))); };
  V acc[9];
  RL_UNROLL for (int t = 0; t < 9; ++t) acc[t] = hn::LoadU(d, sums + t * L);
  for (Index j = 0; j < out_w; j += L) {
    const Index cols = std::min(L, out_w - j);
    const auto used = hn::FirstN(d, static_cast<std::size_t>(cols));
    hn::Mask<decltype(d)> mask[3];
    Index from[3], to[3];
    RL_UNROLL for (int kx = 0; kx < 3; ++kx) {
      const Index at = j - pad + kx;
      from[kx] = -at;
      to[kx] = std::min(width - at, cols);
      mask[kx] = hn::AndNot(hn::FirstN(d, count(-at)), hn::FirstN(d, count(to[kx])));
    }
    const auto row = [&](Index oy) HWY_ATTR { return load_part(d, used, cols, dy + oy * out_w + j); };
    V gradient[3];  // of the taps ky = 0, 1, 2 of the row of X
    RL_UNROLL for (int ky = 1; ky < 3; ++ky) gradient[ky - 1] =
        pad - ky >= 0 && pad - ky < out_h ? row(pad - ky) : hn::Zero(d);
    gradient[2] = hn::Zero(d);
    for (Index iy = 0; iy < height; ++iy) {
      gradient[2] = gradient[1];
      gradient[1] = gradient[0];
      if (iy + pad < out_h) gradient[0] = row(iy + pad);
      const float* in = x + iy * width + j - pad;
      V xv[3];
      RL_UNROLL for (int kx = 0; kx < 3; ++kx) xv[kx] = load_range(d, mask[kx], from[kx], to[kx], in + kx);
      RL_UNROLL for (int ky = 0; ky < 3; ++ky) {
        if (iy + pad - ky < 0 || iy + pad - ky >= out_h) continue;
        RL_UNROLL for (int kx = 0; kx < 3; ++kx) acc[ky * 3 + kx] = hn::MulAdd(gradient[ky], xv[kx], acc[ky * 3 + kx]);
      }
    }
  }
  RL_UNROLL for (int t = 0; t < 9; ++t) hn::StoreU(acc[t], d, sums + t * L);
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::gemm
HWY_AFTER_NAMESPACE();
#endif
