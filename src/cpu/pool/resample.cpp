// Resampling along one dim in vectors over the dims after it. Along the last dim a block of lines is transposed first,
// so that a vector holds one column of all of them: no gathers, whatever the table.
#include "cpu/pool/resample.h"

#include "cpu/simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/pool/resample.cpp"
#include "hwy/foreach_target.h"

#include "cpu/gemm/buffer.h"
#include "cpu/gemm/gemm-inl.h"
#include "hwy/highway.h"
#include "rushlight/parallel.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace rushlight::pool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using gemm::HWY_NAMESPACE::kBlock;
using gemm::HWY_NAMESPACE::kLanes;
using gemm::HWY_NAMESPACE::load_part;
using gemm::HWY_NAMESPACE::load_transposed;
using gemm::HWY_NAMESPACE::store_part;
using Index = std::int64_t;

// f(tag, load, store, offset) over `count` elements: whole vectors, then the rest of one.
template <class T, class F>
HWY_INLINE void for_vectors(Index count, F f) {
  const hn::ScalableTag<T> d;
  constexpr Index L = kLanes<T>;
  Index i = 0;
  for (; i + L <= count; i += L)
    f([&](const T* p) HWY_ATTR { return hn::LoadU(d, p + i); },
      [&](hn::Vec<decltype(d)> v, T* p) HWY_ATTR { hn::StoreU(v, d, p + i); });
  const Index left = count - i;
  if (left == 0) return;
  const auto mask = hn::FirstN(d, static_cast<std::size_t>(left));
  f([&](const T* p) HWY_ATTR { return load_part(d, mask, left, p + i); },
    [&](hn::Vec<decltype(d)> v, T* p) HWY_ATTR { store_part(d, v, mask, left, p + i); });
}

// Products and sums are rounded one by one, tap by tap.
template <class T>
void plane(Index out, Index inner, const T* from, T* to, const WeightedTaps<T>& table) {
  const hn::ScalableTag<T> d;
  const Index* index = table.index;
  for (Index i = 0; i < out; ++i, index += table.taps, to += inner) {
    const T* first = from + index[0] * inner;
    if (table.weight.empty()) {
      for_vectors<T>(inner, [&](auto load, auto store) HWY_ATTR { store(load(first), to); });
      continue;
    }
    const T* w = table.weight.data() + i * table.taps;
    if (table.taps == 2) {
      const T* second = from + index[1] * inner;
      const auto w0 = hn::Set(d, w[0]), w1 = hn::Set(d, w[1]);
      for_vectors<T>(inner, [&](auto load, auto store)
                                HWY_ATTR { store(hn::Add(hn::Mul(w0, load(first)), hn::Mul(w1, load(second))), to); });
      continue;
    }
    for_vectors<T>(inner, [&](auto load, auto store) HWY_ATTR {
      auto sum = hn::Mul(hn::Set(d, w[0]), load(first));
      for (Index t = 1; t < table.taps; ++t)
        sum = hn::Add(sum, hn::Mul(hn::Set(d, w[t]), load(from + index[t] * inner)));
      store(sum, to);
    });
  }
}

template <class T>
void plane_backward(Index in, Index out, Index inner, const T* from, T* to, const WeightedTaps<T>& table) {
  const hn::ScalableTag<T> d;
  std::fill_n(to, in * inner, T(0));
  for (Index i = 0; i < out; ++i, from += inner)
    for (Index t = 0; t < table.taps; ++t) {
      const Index at = i * table.taps + t;
      T* line = to + table.index[at] * inner;
      const auto w = hn::Set(d, table.weight.empty() ? T(1) : table.weight[static_cast<std::size_t>(at)]);
      for_vectors<T>(inner,
                     [&](auto load, auto store) HWY_ATTR { store(hn::Add(load(line), hn::Mul(w, load(from))), line); });
    }
}

// kLanes lines of `size` elements to rows of kLanes, and back.
template <class T>
void to_columns(const T* lines, Index size, T* columns) {
  const hn::ScalableTag<T> d;
  constexpr Index L = kLanes<T>, BL = kBlock<T>;
  Index i = 0;
  for (; i + BL <= size; i += BL) {
    hn::Vec<decltype(d)> v[BL];
    load_transposed(d, lines + i, size, v);
    for (Index b = 0; b < BL; ++b)
      hn::StoreU(v[b], d, columns + (i + b) * L);
  }
  for (; i < size; ++i)
    for (Index r = 0; r < L; ++r)
      columns[i * L + r] = lines[r * size + i];
}
template <class T>
void from_columns(const T* columns, Index size, T* lines) {
  const hn::ScalableTag<T> d;
  constexpr Index L = kLanes<T>, BL = kBlock<T>;
  Index i = 0;
  for (; i + L <= size; i += L)
    for (Index r = 0; r < L; r += BL) {
      hn::Vec<decltype(d)> v[BL];
      load_transposed(d, columns + i * L + r, L, v);
      for (Index b = 0; b < BL; ++b)
        hn::StoreU(v[b], d, lines + (r + b) * size + i);
    }
  for (; i < size; ++i)
    for (Index r = 0; r < L; ++r)
      lines[r * size + i] = columns[i * L + r];
}

// body(first line, lines) in pieces of about 32 thousand elements, whole blocks of lines.
template <class T, class Body>
void for_lines(const Lines& l, const Body& body) {
  const Index L = l.inner == 1 ? kLanes<T> : 1, work = std::max<Index>(1, std::max(l.in, l.out) * l.inner);
  parallel_ranges(l.outer, std::max<Index>(1, 32768 / work / L) * L, [&](Index begin, Index end) { body(begin, end); });
}

template <class T>
void resample_t(const Lines& l, const T* in, T* out, const WeightedTaps<T>& table) {
  constexpr Index L = kLanes<T>;
  for_lines<T>(l, [&](Index begin, Index end) {
    Index o = begin;
    if (l.inner == 1) {
      const Buffer<T> from(l.in * L), to(l.out * L);
      for (; o + L <= end; o += L) {
        to_columns(in + o * l.in, l.in, from.get());
        plane(l.out, L, from.get(), to.get(), table);
        from_columns(to.get(), l.out, out + o * l.out);
      }
    }
    for (; o < end; ++o)
      plane(l.out, l.inner, in + o * l.in * l.inner, out + o * l.out * l.inner, table);
  });
}

template <class T>
void resample_backward_t(const Lines& l, const T* grad_out, T* grad_in, const WeightedTaps<T>& table) {
  constexpr Index L = kLanes<T>;
  for_lines<T>(l, [&](Index begin, Index end) {
    Index o = begin;
    if (l.inner == 1) {
      const Buffer<T> from(l.out * L), to(l.in * L);
      for (; o + L <= end; o += L) {
        to_columns(grad_out + o * l.out, l.out, from.get());
        plane_backward(l.in, l.out, L, from.get(), to.get(), table);
        from_columns(to.get(), l.in, grad_in + o * l.in);
      }
    }
    for (; o < end; ++o)
      plane_backward(l.in, l.out, l.inner, grad_out + o * l.out * l.inner, grad_in + o * l.in * l.inner, table);
  });
}

void resample_f32(const Lines& l, const float* in, float* out, const WeightedTaps<float>& t) {
  resample_t(l, in, out, t);
}
void resample_f64(const Lines& l, const double* in, double* out, const WeightedTaps<double>& t) {
  resample_t(l, in, out, t);
}
void backward_f32(const Lines& l, const float* grad_out, float* grad_in, const WeightedTaps<float>& t) {
  resample_backward_t(l, grad_out, grad_in, t);
}
void backward_f64(const Lines& l, const double* grad_out, double* grad_in, const WeightedTaps<double>& t) {
  resample_backward_t(l, grad_out, grad_in, t);
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::pool
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::pool {

#define RL_DISPATCH(name, Function, T)                                                                \
  template <>                                                                                         \
  void name(const Lines& l, const T* from, T* to, const WeightedTaps<T>& table) {                     \
    static constexpr simd::Table<decltype(HWY_NAMESPACE::Function)> kTable = RL_SIMD_TABLE(Function); \
    kTable(l, from, to, table);                                                                       \
  }
RL_DISPATCH(resample, resample_f32, float)
RL_DISPATCH(resample, resample_f64, double)
RL_DISPATCH(resample_backward, backward_f32, float)
RL_DISPATCH(resample_backward, backward_f64, double)
#undef RL_DISPATCH

}  // namespace rushlight::pool
#endif
