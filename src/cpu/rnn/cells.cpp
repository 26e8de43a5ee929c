// LSTM and GRU cells after their products, forward and backward, row by row.
#include "ops/kernels/rnn.h"

#include "cpu/simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/rnn/cells.cpp"
#include "hwy/foreach_target.h"

#include "cpu/pointwise/math-inl.h"
#include "hwy/highway.h"

#include <cmath>
#include <type_traits>

#include "rushlight/parallel.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::rnn {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using Index = std::int64_t;

// One lane of double: libm is exact enough and float64 cells are rare.
template <class D, class V>
HWY_INLINE V Sigmoid(D d, V x) {
  if constexpr (std::is_same_v<hn::TFromD<D>, float>)
    return pointwise::HWY_NAMESPACE::vm::Sigmoid(d, x);
  else
    return hn::Set(d, 1 / (1 + std::exp(-hn::GetLane(x))));
}
template <class D, class V>
HWY_INLINE V Tanh(D d, V x) {
  if constexpr (std::is_same_v<hn::TFromD<D>, float>)
    return pointwise::HWY_NAMESPACE::vm::Tanh(d, x);
  else
    return hn::Set(d, std::tanh(hn::GetLane(x)));
}

// f(tag, first element) for vectors over [0, n), then for single elements.
template <class T, class F>
HWY_INLINE void ForElements(Index n, F f) {
  const hn::CappedTag<T, 1> one;
  Index i = 0;
  if constexpr (std::is_same_v<T, float>) {
    const hn::ScalableTag<float> d;
    constexpr Index L = static_cast<Index>(hn::MaxLanes(d));
    for (; i + L <= n; i += L)
      f(d, i);
  }
  for (; i < n; ++i)
    f(one, i);
}

template <class T>
void LstmRow(Index n, const T* in, const T* hid, const T* cx, T* hy, T* cy, T* work) {
  ForElements<T>(n, [&](auto d, Index j) HWY_ATTR {
    const auto gate = [&](Index which) HWY_ATTR {
      return hn::Add(hn::LoadU(d, in + which * n + j), hn::LoadU(d, hid + which * n + j));
    };
    const auto i = Sigmoid(d, gate(0)), f = Sigmoid(d, gate(1)), g = Tanh(d, gate(2)), o = Sigmoid(d, gate(3));
    const auto c = hn::MulAdd(f, hn::LoadU(d, cx + j), hn::Mul(i, g));
    hn::StoreU(i, d, work + j);
    hn::StoreU(f, d, work + n + j);
    hn::StoreU(g, d, work + 2 * n + j);
    hn::StoreU(o, d, work + 3 * n + j);
    hn::StoreU(c, d, cy + j);
    hn::StoreU(hn::Mul(o, Tanh(d, c)), d, hy + j);
  });
}

template <class T>
void LstmRowBackward(Index n, const T* dh, const T* dc_in, const T* cx, const T* cy, const T* work, T* dgates, T* dcx) {
  ForElements<T>(n, [&](auto d, Index j) HWY_ATTR {
    const auto one = hn::Set(d, T(1)), zero = hn::Zero(d);
    const auto i = hn::LoadU(d, work + j), f = hn::LoadU(d, work + n + j);
    const auto g = hn::LoadU(d, work + 2 * n + j), o = hn::LoadU(d, work + 3 * n + j);
    const auto gh = dh ? hn::LoadU(d, dh + j) : zero, t = Tanh(d, hn::LoadU(d, cy + j));
    auto dc = hn::Mul(hn::Mul(gh, o), hn::NegMulAdd(t, t, one));
    if (dc_in) dc = hn::Add(dc, hn::LoadU(d, dc_in + j));
    const auto slope = [&](auto s) HWY_ATTR { return hn::Mul(s, hn::Sub(one, s)); };
    hn::StoreU(hn::Mul(hn::Mul(dc, g), slope(i)), d, dgates + j);
    hn::StoreU(hn::Mul(hn::Mul(dc, hn::LoadU(d, cx + j)), slope(f)), d, dgates + n + j);
    hn::StoreU(hn::Mul(hn::Mul(dc, i), hn::NegMulAdd(g, g, one)), d, dgates + 2 * n + j);
    hn::StoreU(hn::Mul(hn::Mul(gh, t), slope(o)), d, dgates + 3 * n + j);
    hn::StoreU(hn::Mul(dc, f), d, dcx + j);
  });
}

template <class T>
void GruRow(Index n, const T* in, const T* hid, const T* hx, T* hy, T* work) {
  ForElements<T>(n, [&](auto d, Index j) HWY_ATTR {
    const auto r = Sigmoid(d, hn::Add(hn::LoadU(d, in + j), hn::LoadU(d, hid + j)));
    const auto z = Sigmoid(d, hn::Add(hn::LoadU(d, in + n + j), hn::LoadU(d, hid + n + j)));
    const auto hidden = hn::LoadU(d, hid + 2 * n + j), h = hn::LoadU(d, hx + j);
    const auto fresh = Tanh(d, hn::MulAdd(r, hidden, hn::LoadU(d, in + 2 * n + j)));
    hn::StoreU(r, d, work + j);
    hn::StoreU(z, d, work + n + j);
    hn::StoreU(fresh, d, work + 2 * n + j);
    hn::StoreU(h, d, work + 3 * n + j);
    hn::StoreU(hidden, d, work + 4 * n + j);
    hn::StoreU(hn::MulAdd(hn::Sub(h, fresh), z, fresh), d, hy + j);
  });
}

template <class T>
void GruRowBackward(Index n, const T* dh, const T* work, T* din, T* dhid, T* dhx) {
  ForElements<T>(n, [&](auto d, Index j) HWY_ATTR {
    const auto one = hn::Set(d, T(1)), gh = hn::LoadU(d, dh + j);
    const auto r = hn::LoadU(d, work + j), z = hn::LoadU(d, work + n + j), fresh = hn::LoadU(d, work + 2 * n + j);
    const auto h = hn::LoadU(d, work + 3 * n + j), hidden = hn::LoadU(d, work + 4 * n + j);
    const auto dz = hn::Mul(hn::Mul(gh, hn::Sub(h, fresh)), hn::Mul(z, hn::Sub(one, z)));
    const auto dn = hn::Mul(hn::Mul(gh, hn::Sub(one, z)), hn::NegMulAdd(fresh, fresh, one));
    const auto dr = hn::Mul(hn::Mul(dn, hidden), hn::Mul(r, hn::Sub(one, r)));
    hn::StoreU(dr, d, din + j);
    hn::StoreU(dz, d, din + n + j);
    hn::StoreU(dn, d, din + 2 * n + j);
    hn::StoreU(dr, d, dhid + j);
    hn::StoreU(dz, d, dhid + n + j);
    hn::StoreU(hn::Mul(dn, r), d, dhid + 2 * n + j);
    hn::StoreU(hn::Mul(gh, z), d, dhx + j);
  });
}

template <class T>
const T* RowOf(const TensorBase& t, Index row) {
  return t.defined() ? t.data<T>() + row * (t.numel() / t.size(0)) : nullptr;
}
template <class T>
T* OutputRow(const TensorBase& t, Index row) {
  return t.mutable_data<T>() + row * (t.numel() / t.size(0));
}

// body(row) in pieces of about 8 thousand elements; float32 or float64.
template <class F>
void ForRows(const TensorBase& state, F body) {
  const Index rows = state.size(0), n = state.size(1);
  if (state.numel() == 0) return;
  parallel_ranges(rows, n < 8192 ? 8192 / n : 1, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      if (state.dtype() == Dtype::kFloat32)
        body(float(), row, n);
      else
        body(double(), row, n);
    }
  });
}

void Lstm(const TensorBase& in, const TensorBase& hid, const TensorBase& cx, const TensorBase& hy, const TensorBase& cy,
          const TensorBase& work) {
  ForRows(cx, [&](auto t, Index row, Index n) {
    using T = decltype(t);
    LstmRow<T>(n, RowOf<T>(in, row), RowOf<T>(hid, row), RowOf<T>(cx, row), OutputRow<T>(hy, row),
               OutputRow<T>(cy, row), OutputRow<T>(work, row));
  });
}
void LstmBackward(const TensorBase& dh, const TensorBase& dc, const TensorBase& cx, const TensorBase& cy,
                  const TensorBase& work, const TensorBase& dgates, const TensorBase& dcx) {
  ForRows(cx, [&](auto t, Index row, Index n) {
    using T = decltype(t);
    LstmRowBackward<T>(n, RowOf<T>(dh, row), RowOf<T>(dc, row), RowOf<T>(cx, row), RowOf<T>(cy, row),
                       RowOf<T>(work, row), OutputRow<T>(dgates, row), OutputRow<T>(dcx, row));
  });
}
void Gru(const TensorBase& in, const TensorBase& hid, const TensorBase& hx, const TensorBase& hy,
         const TensorBase& work) {
  ForRows(hx, [&](auto t, Index row, Index n) {
    using T = decltype(t);
    GruRow<T>(n, RowOf<T>(in, row), RowOf<T>(hid, row), RowOf<T>(hx, row), OutputRow<T>(hy, row),
              OutputRow<T>(work, row));
  });
}
void GruBackward(const TensorBase& dh, const TensorBase& work, const TensorBase& din, const TensorBase& dhid,
                 const TensorBase& dhx) {
  ForRows(dhx, [&](auto t, Index row, Index n) {
    using T = decltype(t);
    GruRowBackward<T>(n, RowOf<T>(dh, row), RowOf<T>(work, row), OutputRow<T>(din, row), OutputRow<T>(dhid, row),
                      OutputRow<T>(dhx, row));
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::rnn
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight {
namespace rnn {
namespace {

void lstm(const TensorBase& a, const TensorBase& b, const TensorBase& c, const TensorBase& d, const TensorBase& e,
          const TensorBase& f) {
  static constexpr simd::Table<decltype(HWY_NAMESPACE::Lstm)> kTable = RL_SIMD_TABLE(Lstm);
  kTable(a, b, c, d, e, f);
}
void lstm_backward(const TensorBase& a, const TensorBase& b, const TensorBase& c, const TensorBase& d,
                   const TensorBase& e, const TensorBase& f, const TensorBase& g) {
  static constexpr simd::Table<decltype(HWY_NAMESPACE::LstmBackward)> kTable = RL_SIMD_TABLE(LstmBackward);
  kTable(a, b, c, d, e, f, g);
}
void gru(const TensorBase& a, const TensorBase& b, const TensorBase& c, const TensorBase& d, const TensorBase& e) {
  static constexpr simd::Table<decltype(HWY_NAMESPACE::Gru)> kTable = RL_SIMD_TABLE(Gru);
  kTable(a, b, c, d, e);
}
void gru_backward(const TensorBase& a, const TensorBase& b, const TensorBase& c, const TensorBase& d,
                  const TensorBase& e) {
  static constexpr simd::Table<decltype(HWY_NAMESPACE::GruBackward)> kTable = RL_SIMD_TABLE(GruBackward);
  kTable(a, b, c, d, e);
}

}  // namespace
}  // namespace rnn

const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&,
                  const TensorBase&)>
    lstm_cell_kernel{rnn::lstm};
const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&,
                  const TensorBase&, const TensorBase&)>
    lstm_cell_backward_kernel{rnn::lstm_backward};
const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&)>
    gru_cell_kernel{rnn::gru};
const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&)>
    gru_cell_backward_kernel{rnn::gru_backward};

}  // namespace rushlight
#endif
