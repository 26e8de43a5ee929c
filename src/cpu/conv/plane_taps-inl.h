// One plane and one kernel of any shape: the three passes over a copy of the plane with its border, whose rows are
// split by stride, so that every tap reads whole vectors. Included once per target.
#if defined(RL_CPU_CONV_PLANE_TAPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_CPU_CONV_PLANE_TAPS_INL_H_
#undef RL_CPU_CONV_PLANE_TAPS_INL_H_
#else
#define RL_CPU_CONV_PLANE_TAPS_INL_H_
#endif

#include <algorithm>
#include <type_traits>
#include <vector>

#include "cpu/conv/conv-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::gemm {
namespace HWY_NAMESPACE {

template <class T>
struct PlaneTaps {
  Geometry g;
  Layout l;
  std::vector<Index> offset;  // where each tap starts in the copy
  explicit PlaneTaps(const Geometry& g_) : g(g_), l(g_), offset(tap_offsets(g_, l, 1)) {}

  Index size() const { return l.channel() + 64; }  // of the copy, with room for vectors
  void copy(const T* plane, T* padded) const { pad_input(g, l, 1, plane, padded); }
  // Where the windows of an output row start.
  Index row_of(Index row) const {
    return row / g.out[1] * g.stride[0] * l.plane() + row % g.out[1] * g.stride[1] * l.row_w;
  }

  // f(output row, first column, columns) for vectors of output columns.
  template <class F>
  HWY_INLINE void for_vectors(F f) const {
    for (Index row = 0; row < g.out[0] * g.out[1]; ++row)
      for (Index x = 0; x < g.out[2]; x += kLanes<T>)
        f(row, x, std::min(kLanes<T>, g.out[2] - x));
  }

  void forward(const T* padded, const T* w, T bias, T* y) const {
    const Index rows = g.out[0] * g.out[1];
    Index row = 0;
    for (; row + 7 <= rows; row += 7)
      forward_rows<7>(row, padded, w, bias, y);
    for (; row + 3 <= rows; row += 3)
      forward_rows<3>(row, padded, w, bias, y);
    for (; row < rows; ++row)
      forward_rows<1>(row, padded, w, bias, y);
  }

  // Adds to the copy, which starts as zeros, and takes the plane out of it.
  void backward(const T* w, const T* dy, T* padded, T* dx) const {
    const hn::ScalableTag<T> d;
    const Index taps = static_cast<Index>(offset.size());
    fill(padded, size() - kLanes<T>, T(0));
    for_vectors([&](Index row, Index x, Index count) HWY_ATTR {
      T* const to = padded + row_of(row) + x;
      const auto gradient =
          load_part(d, hn::FirstN(d, static_cast<std::size_t>(count)), count, dy + row * g.out[2] + x);
      for (Index t = 0; t < taps; ++t) {
        T* const p = to + offset[static_cast<std::size_t>(t)];
        hn::StoreU(hn::MulAdd(hn::Set(d, w[t]), gradient, hn::LoadU(d, p)), d, p);
      }
    });
    const SplitRow row{g.in[2], g.pad[2], g.stride[2], l.phase_w, l.row_w};
    for (Index z = 0; z < g.in[0]; ++z)
      for (Index y = 0; y < g.in[1]; ++y)
        join(row, padded + (z + g.pad[0]) * l.plane() + (y + g.pad[1]) * l.row_w, dx + (z * g.in[1] + y) * g.in[2]);
  }

  // Adds to `sums`, a vector for each tap.
  void weights(const T* padded, const T* dy, T* sums) const {
    const Index taps = static_cast<Index>(offset.size());
    Index t = 0;
    for (; t + 8 <= taps; t += 8)
      weights_of(std::integral_constant<int, 8>(), t, padded, dy, sums);
    if (t + 4 <= taps) weights_of(std::integral_constant<int, 4>(), t, padded, dy, sums), t += 4;
    for (; t < taps; ++t)
      weights_of(std::integral_constant<int, 1>(), t, padded, dy, sums);
  }

 private:
  // Rows that share a load of each weight.
  template <int kRows>
  HWY_INLINE void forward_rows(Index row, const T* padded, const T* w, T bias, T* y) const {
    const hn::ScalableTag<T> d;
    const Index taps = static_cast<Index>(offset.size());
    const Index* const at = offset.data();
    const T* from[kRows];
    _Pragma("GCC unroll 8") for (int i = 0; i < kRows; ++i) from[i] = padded + row_of(row + i);
    T* const to = y + row * g.out[2];
    for (Index x = 0; x < g.out[2]; x += kLanes<T>) {
      hn::Vec<decltype(d)> sum[kRows];
      _Pragma("GCC unroll 8") for (int i = 0; i < kRows; ++i) sum[i] = hn::Set(d, bias);
      for (Index t = 0; t < taps; ++t) {
        const auto weight = hn::Set(d, w[t]);
        const Index shift = at[t] + x;
        _Pragma("GCC unroll 8") for (int i = 0; i < kRows; ++i) sum[i] =
            hn::MulAdd(weight, hn::LoadU(d, from[i] + shift), sum[i]);
      }
      const Index count = std::min(kLanes<T>, g.out[2] - x);
      const auto mask = hn::FirstN(d, static_cast<std::size_t>(count));
      _Pragma("GCC unroll 8") for (int i = 0; i < kRows; ++i) {
        if (count == kLanes<T>)
          hn::StoreU(sum[i], d, to + i * g.out[2] + x);
        else
          store_part(d, sum[i], mask, count, to + i * g.out[2] + x);
      }
    }
  }

  template <int kCount>
  void weights_of(std::integral_constant<int, kCount>, Index first, const T* padded, const T* dy, T* sums) const {
    const hn::ScalableTag<T> d;
    hn::Vec<decltype(d)> acc[kCount];
    Index at[kCount];
    _Pragma("GCC unroll 8") for (int t = 0; t < kCount; ++t) {
      acc[t] = hn::LoadU(d, sums + (first + t) * kLanes<T>);
      at[t] = offset[static_cast<std::size_t>(first + t)];
    }
    for_vectors([&](Index row, Index x, Index count) HWY_ATTR {
      const T* const from = padded + row_of(row) + x;
      const T* const out = dy + row * g.out[2] + x;
      if (count == kLanes<T>) {
        const auto gradient = hn::LoadU(d, out);
        _Pragma("GCC unroll 8") for (int t = 0; t < kCount; ++t) acc[t] =
            hn::MulAdd(gradient, hn::LoadU(d, from + at[t]), acc[t]);
        return;
      }
      const auto mask = hn::FirstN(d, static_cast<std::size_t>(count));
      const auto gradient = load_part(d, mask, count, out);
      _Pragma("GCC unroll 8") for (int t = 0; t < kCount; ++t) acc[t] =
          hn::MulAdd(gradient, hn::IfThenElseZero(mask, hn::LoadU(d, from + at[t])), acc[t]);
    });
    _Pragma("GCC unroll 8") for (int t = 0; t < kCount; ++t) hn::StoreU(acc[t], d, sums + (first + t) * kLanes<T>);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::gemm
HWY_AFTER_NAMESPACE();
#endif
