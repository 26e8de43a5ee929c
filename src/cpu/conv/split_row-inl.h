// Rows with a border, split by column mod stride, so that the elements under one tap of a sliding window are contiguous
// whatever the stride. Shared by convolution and pooling; included once per target.
#if defined(RL_CPU_CONV_SPLIT_ROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_CPU_CONV_SPLIT_ROW_INL_H_
#undef RL_CPU_CONV_SPLIT_ROW_INL_H_
#else
#define RL_CPU_CONV_SPLIT_ROW_INL_H_
#endif

#include <algorithm>

#include "cpu/gemm/gemm-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::gemm {
namespace HWY_NAMESPACE {

// Column i of the row and its border is at phase(i) * phase_w + i / stride; `border` fills the rest of `row_w`.
struct SplitRow {
  Index width, pad, stride, phase_w, row_w;
  template <class T>
  struct Place {
    T* even;
    T* odd;
  };
  template <class T>
  Place<T> pairs(T* row) const {  // stride 2: where input columns 0 and 1 are
    return {row + pad % 2 * phase_w + pad / 2, row + (pad + 1) % 2 * phase_w + (pad + 1) / 2};
  }
};

template <class T>
void split_pairs(const SplitRow& s, const T* in, T* out) {
  const hn::ScalableTag<T> d;
  constexpr Index L = kLanes<T>;
  const auto to = s.pairs(out);
  hn::Vec<decltype(d)> even, odd;
  Index i = 0;
  for (; i + 2 * L <= s.width; i += 2 * L) {
    hn::LoadInterleaved2(d, in + i, even, odd);
    hn::StoreU(even, d, to.even + i / 2);
    hn::StoreU(odd, d, to.odd + i / 2);
  }
  const Index left = s.width - i;
  if (left == 0) return;
  const Index low = std::min(left, L), high = left - low, evens = (left + 1) / 2, odds = left / 2;
  const auto first = [&](Index n) HWY_ATTR { return hn::FirstN(d, static_cast<std::size_t>(n)); };
  const auto v0 = load_part(d, first(low), low, in + i);
  const auto v1 = high ? load_part(d, first(high), high, in + i + L) : hn::Zero(d);
  store_part(d, hn::ConcatEven(d, v1, v0), first(evens), evens, to.even + i / 2);
  if (odds) store_part(d, hn::ConcatOdd(d, v1, v0), first(odds), odds, to.odd + i / 2);
}

// Whole vectors: what a row writes too far is overwritten by the next one, or is a vector of room after the last.
template <class T>
HWY_INLINE void fill(T* to, Index count, T value) {
  const hn::ScalableTag<T> d;
  for (Index i = 0; i < count; i += kLanes<T>)
    hn::StoreU(hn::Set(d, value), d, to + i);
}

template <class T>
void split(const SplitRow& s, const T* in, T border, T* out) {
  if (s.stride == 1) {
    const hn::ScalableTag<T> d;
    constexpr Index L = kLanes<T>;
    const Index left = s.width % L, whole = s.width - left;
    T* o = out + s.pad;
    if (s.pad) fill(out, s.pad, border);
    for (Index i = 0; i < whole; i += L)
      hn::StoreU(hn::LoadU(d, in + i), d, o + i);
    if (left) {
      const auto mask = hn::FirstN(d, static_cast<std::size_t>(left));
      hn::StoreU(load_part(d, mask, left, in + whole), d, o + whole);
    }
    if (s.row_w > s.pad + s.width) fill(o + s.width, s.row_w - s.pad - s.width, border);
    return;
  }
  if (s.row_w != s.width) fill(out, s.row_w, border);
  if (s.stride == 2) return split_pairs(s, in, out);
  for (Index phase = 0; phase < s.stride; ++phase) {
    Index first = (phase - s.pad) % s.stride;  // first input column in this phase
    if (first < 0) first += s.stride;
    T* o = out + phase * s.phase_w + (first + s.pad) / s.stride;
    for (Index i = first; i < s.width; i += s.stride)
      *o++ = in[i];
  }
}

// The way back, without the border. The last row needs two vectors of room after it.
template <class T>
void join(const SplitRow& s, const T* row, T* out) {
  const hn::ScalableTag<T> d;
  constexpr Index L = kLanes<T>;
  Index i = 0;
  if (s.stride == 1) {
    std::copy_n(row + s.pad, s.width, out);
    return;
  }
  if (s.stride == 2) {
    const auto from = s.pairs(row);
    for (; i + 2 * L <= s.width; i += 2 * L)
      hn::StoreInterleaved2(hn::LoadU(d, from.even + i / 2), hn::LoadU(d, from.odd + i / 2), d, out + i);
    HWY_ALIGN T rest[2 * L];  // rows have room for whole vectors
    hn::StoreInterleaved2(hn::LoadU(d, from.even + i / 2), hn::LoadU(d, from.odd + i / 2), d, rest);
    std::copy_n(rest, s.width - i, out + i);
    return;
  }
  for (; i < s.width; ++i)
    out[i] = row[(i + s.pad) % s.stride * s.phase_w + (i + s.pad) / s.stride];
}

// Whole vectors that are copied from each source to a row of `width`: what one writes too far is overwritten by the
// next one, or by the next row.
struct VectorCopy {
  Index from, to;
};
// source(k) is where row k comes from. Few copies keep their places in registers.
template <int kCount, class T, class Source>
HWY_INLINE void copy_rows(const VectorCopy* copies, int count, Index rows, Index width, const Source& source,
                          T* HWY_RESTRICT dst) {
  const hn::ScalableTag<T> d;
  if constexpr (kCount > 0) {
    VectorCopy c[kCount];
    _Pragma("GCC unroll 8") for (int i = 0; i < kCount; ++i) c[i] = copies[i];
    for (Index k = 0; k < rows; ++k, dst += width) {
      const T* const src = source(k);
      _Pragma("GCC unroll 8") for (int i = 0; i < kCount; ++i)
          hn::StoreU(hn::LoadU(d, src + c[i].from), d, dst + c[i].to);
    }
  } else {
    for (Index k = 0; k < rows; ++k, dst += width) {
      const T* const src = source(k);
      for (int i = 0; i < count; ++i)
        hn::StoreU(hn::LoadU(d, src + copies[i].from), d, dst + copies[i].to);
    }
  }
}
template <class T, class Source>
HWY_INLINE void copy_vectors(const VectorCopy* copies, int count, Index rows, Index width, const Source& source,
                             T* dst) {
  switch (count) {
    case 1:
      return copy_rows<1>(copies, count, rows, width, source, dst);
    case 2:
      return copy_rows<2>(copies, count, rows, width, source, dst);
    case 3:
      return copy_rows<3>(copies, count, rows, width, source, dst);
    case 4:
      return copy_rows<4>(copies, count, rows, width, source, dst);
    case 5:
      return copy_rows<5>(copies, count, rows, width, source, dst);
    default:
      return copy_rows<0>(copies, count, rows, width, source, dst);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::gemm
HWY_AFTER_NAMESPACE();
#endif
