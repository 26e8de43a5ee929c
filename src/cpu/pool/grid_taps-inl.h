// Where the points of a grid fall: for a block of points the elements that take part, their weights, and the
// derivatives of the weights. Included once per target.
#if defined(RL_CPU_POOL_GRID_TAPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_CPU_POOL_GRID_TAPS_INL_H_
#undef RL_CPU_POOL_GRID_TAPS_INL_H_
#else
#define RL_CPU_POOL_GRID_TAPS_INL_H_
#endif

#include "cpu/pool/grid_shape.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::pool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#define RL_UNROLL _Pragma("GCC unroll 16")

template <class T>
constexpr Index kPoints = 256 / static_cast<Index>(sizeof(T));  // of a block: all its tables stay in L1

constexpr int power(int base, int exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }

// kPer elements along each of kDims dims. Elements outside have the offset of the element after the last one.
template <class T, int kDims, int kPer>
struct Taps {
  static constexpr int kTaps = power(kPer, kDims);
  alignas(64) hwy::MakeSigned<T> offset[kTaps][kPoints<T>];
  alignas(64) T weight[kTaps][kPoints<T>];
  alignas(64) T slope[kDims][kTaps][kPoints<T>];  // of the weights, by the grid's coordinate of each dim
};

// One dim of a vector of points.
template <class T, int kPer>
struct Axis {
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  using M = hn::Mask<D>;
  V at[kPer], weight[kPer], slope[kPer];
  M inside[kPer];

  // Positions mirrored between two borders; `sign` takes the sign of the derivative.
  static HWY_INLINE V reflected(V x, T low, T span, V& sign) {
    const D d;
    if (span == 0) {
      sign = hn::Zero(d);
      return sign;
    }
    const V from = hn::Sub(x, hn::Set(d, low)), distance = hn::Abs(from), by = hn::Set(d, span);
    const V turns = hn::Floor(hn::Div(distance, by));
    // A quotient rounded up leaves less than nothing. The order of Max and Min keeps a NaN.
    const V rest = hn::Max(hn::Zero(d), hn::NegMulAdd(turns, by, distance));
    const V half = hn::Mul(turns, hn::Set(d, T(0.5)));
    const auto odd = hn::Not(hn::Eq(hn::Floor(half), half));
    sign = hn::CopySign(hn::Set(d, T(1)), from);
    sign = hn::IfThenElse(odd, hn::Neg(sign), sign);
    return hn::Add(hn::IfThenElse(odd, hn::Sub(by, rest), rest), hn::Set(d, low));
  }
  // `derivative` is multiplied by that of the padding.
  static HWY_INLINE V padded(const GridShape& s, Index size, V x, V& derivative) {
    const D d;
    if (s.padding == GridPadding::kZeros) return x;
    const T last = static_cast<T>(size - 1);
    if (s.padding == GridPadding::kReflection) {
      V sign;
      x = reflected(x, s.align_corners ? T(0) : T(-0.5), s.align_corners ? last : static_cast<T>(size), sign);
      derivative = hn::Mul(derivative, sign);
    }
    const V zero = hn::Zero(d), end = hn::Set(d, last);
    derivative = hn::IfThenElseZero(hn::And(hn::Gt(x, zero), hn::Lt(x, end)), derivative);
    return hn::Min(end, hn::Max(zero, x));
  }
  HWY_INLINE void place(int tap, V whole, Index size) {
    const D d;
    inside[tap] = hn::And(hn::Ge(whole, hn::Zero(d)), hn::Le(whole, hn::Set(d, static_cast<T>(size - 1))));
    at[tap] = hn::IfThenElseZero(inside[tap], whole);
  }
  static HWY_INLINE V cubic_inner(V x) {
    const D d;
    const V a = hn::MulSub(hn::Set(d, T(1.25)), x, hn::Set(d, T(2.25)));
    return hn::MulAdd(hn::Mul(a, x), x, hn::Set(d, T(1)));
  }
  static HWY_INLINE V cubic_inner_slope(V x) {
    const D d;
    return hn::Mul(hn::MulSub(hn::Set(d, T(3.75)), x, hn::Set(d, T(4.5))), x);
  }
  static HWY_INLINE V cubic_outer(V x) {
    const D d;
    V a = hn::Add(hn::Mul(hn::Set(d, T(-0.75)), x), hn::Set(d, T(3.75)));
    a = hn::MulSub(a, x, hn::Set(d, T(6)));
    return hn::MulAdd(a, x, hn::Set(d, T(3)));
  }
  static HWY_INLINE V cubic_outer_slope(V x) {
    const D d;
    return hn::MulSub(hn::Add(hn::Mul(hn::Set(d, T(-2.25)), x), hn::Set(d, T(7.5))), x, hn::Set(d, T(6)));
  }

  HWY_INLINE Axis(const GridShape& s, Index size, V grid) {
    const D d;
    const V one = hn::Set(d, T(1));
    const T n = static_cast<T>(size);
    V x, derivative;
    if (s.align_corners) {
      derivative = hn::Set(d, (n - 1) / 2);
      x = hn::Mul(hn::Add(grid, one), derivative);
    } else {
      derivative = hn::Set(d, n / 2);
      x = hn::Mul(hn::Sub(hn::Mul(hn::Add(grid, one), hn::Set(d, n)), one), hn::Set(d, T(0.5)));
    }
    if constexpr (kPer == 1) {
      place(0, hn::Round(padded(s, size, x, derivative)), size);
      weight[0] = one;
      slope[0] = hn::Zero(d);
    } else if constexpr (kPer == 2) {
      x = padded(s, size, x, derivative);
      const V low = hn::Floor(x), next = hn::Add(low, one);
      place(0, low, size);
      place(1, next, size);
      weight[0] = hn::Sub(next, x);
      weight[1] = hn::Sub(x, low);
      slope[0] = hn::Neg(derivative);
      slope[1] = derivative;
    } else {
      const V low = hn::Floor(x), t = hn::Sub(x, low), u = hn::Sub(one, t), t1 = hn::Add(t, one), u1 = hn::Add(u, one);
      for (int k = 0; k < 4; ++k) {
        V ignored = one;
        place(k, padded(s, size, hn::Add(low, hn::Set(d, static_cast<T>(k - 1))), ignored), size);
      }
      weight[0] = cubic_outer(t1), weight[1] = cubic_inner(t), weight[2] = cubic_inner(u), weight[3] = cubic_outer(u1);
      slope[0] = hn::Mul(cubic_outer_slope(t1), derivative);
      slope[1] = hn::Mul(cubic_inner_slope(t), derivative);
      slope[2] = hn::Neg(hn::Mul(cubic_inner_slope(u), derivative));
      slope[3] = hn::Neg(hn::Mul(cubic_outer_slope(u1), derivative));
    }
  }
};

// The element at a position of whole numbers; float32 cannot hold every one, float64 can.
template <class T, class V>
HWY_INLINE auto element(const GridShape& s, V z, V y, V x) {
  const hn::ScalableTag<T> d;
  const hn::RebindToSigned<decltype(d)> di;
  if constexpr (sizeof(T) == 8) {
    const V row = hn::MulAdd(z, hn::Set(d, static_cast<T>(s.in[1])), y);
    return hn::ConvertTo(di, hn::MulAdd(row, hn::Set(d, static_cast<T>(s.in[2])), x));
  } else {
    const auto width = hn::Set(di, static_cast<std::int32_t>(s.in[2])),
               height = hn::Set(di, static_cast<std::int32_t>(s.in[1]));
    const auto row = hn::Add(hn::Mul(hn::ConvertTo(di, z), height), hn::ConvertTo(di, y));
    return hn::Add(hn::Mul(row, width), hn::ConvertTo(di, x));
  }
}

// The taps of `count` points; tables are filled in whole vectors.
template <bool kSlopes, class T, int kDims, int kPer>
void place_taps(const GridShape& s, const T* grid, Index count, Taps<T, kDims, kPer>& out) {
  using A = Axis<T, kPer>;
  const hn::ScalableTag<T> d;
  const hn::RebindToSigned<decltype(d)> di;
  constexpr Index L = static_cast<Index>(hn::MaxLanes(decltype(d)()));
  constexpr int kTaps = Taps<T, kDims, kPer>::kTaps;
  const Index* sizes = s.in + 3 - kDims;
  alignas(64) T axis[kDims][kPoints<T>] = {};  // the last dim first, as in the grid
  for (Index i = 0; i < count; ++i)
    RL_UNROLL for (int k = 0; k < kDims; ++k) axis[k][i] = grid[i * kDims + k];
  const auto none = hn::Set(di, static_cast<hwy::MakeSigned<T>>(s.in[0] * s.in[1] * s.in[2]));
  for (Index i = 0; i < count; i += L) {
    const A x(s, sizes[kDims - 1], hn::Load(d, axis[0] + i)), y(s, sizes[kDims - 2], hn::Load(d, axis[1] + i));
    const A z(s, s.in[0], kDims == 3 ? hn::Load(d, axis[kDims - 1] + i) : hn::Zero(d));
    RL_UNROLL for (int t = 0; t < kTaps; ++t) {
      const int tx = t % kPer, ty = t / kPer % kPer, tz = t / kPer / kPer;
      auto inside = hn::And(x.inside[tx], y.inside[ty]);
      auto weight = hn::Mul(x.weight[tx], y.weight[ty]);
      auto slope_x = hn::Mul(x.slope[tx], y.weight[ty]), slope_y = hn::Mul(x.weight[tx], y.slope[ty]);
      if constexpr (kDims == 3) {
        inside = hn::And(inside, z.inside[tz]);
        if constexpr (kSlopes) hn::Store(hn::Mul(weight, z.slope[tz]), d, out.slope[kDims - 1][t] + i);
        weight = hn::Mul(weight, z.weight[tz]);
        slope_x = hn::Mul(slope_x, z.weight[tz]);
        slope_y = hn::Mul(slope_y, z.weight[tz]);
      }
      const auto at = element<T>(s, kDims == 3 ? z.at[tz] : hn::Zero(d), y.at[ty], x.at[tx]);
      hn::Store(hn::IfThenElse(hn::RebindMask(di, inside), at, none), di, out.offset[t] + i);
      hn::Store(weight, d, out.weight[t] + i);
      if constexpr (kSlopes) {
        hn::Store(slope_x, d, out.slope[0][t] + i);
        hn::Store(slope_y, d, out.slope[1][t] + i);
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::pool
HWY_AFTER_NAMESPACE();
#endif
