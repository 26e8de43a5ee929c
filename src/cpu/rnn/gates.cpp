// The arithmetic of recurrent cells on a few rows, between two products.
#include "cpu/rnn/gates.h"

#include "cpu/simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/rnn/gates.cpp"
#include "hwy/foreach_target.h"

#include "cpu/pointwise/math-inl.h"
#include "hwy/highway.h"

#include <cmath>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace rushlight::rnn {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

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

// f(tag, index in a row, index in a matrix of `hidden` columns, the row's gates) for every element.
template <int Gates, class T, class G, class F>
HWY_INLINE void ForGates(Index rows, Index hidden, G* gates, F f) {
  for (Index row = 0; row < rows; ++row) {
    G* const own = gates + row * Gates * hidden;
    const Index first = row * hidden;
    ForElements<T>(hidden, [&](auto d, Index j) HWY_ATTR { f(d, j, first + j, own); });
  }
}

template <class D, class V>
HWY_INLINE V SigmoidSlope(D d, V s) {
  return hn::Mul(s, hn::Sub(hn::Set(d, hn::TFromD<D>(1)), s));
}
template <class D, class V>
HWY_INLINE V TanhSlope(D d, V t) {
  return hn::NegMulAdd(t, t, hn::Set(d, hn::TFromD<D>(1)));
}
template <class D, class T>
HWY_INLINE hn::Vec<D> LoadOrZero(D d, const T* p, Index at) {
  return p ? hn::LoadU(d, p + at) : hn::Zero(d);
}

template <class T>
void Lstm(const Forward<T>& r) {
  const Index n = r.hidden;
  ForGates<4, T>(r.rows, n, r.gates, [&](auto d, Index j, Index at, T* gates) HWY_ATTR {
    const auto i = Sigmoid(d, hn::LoadU(d, gates + j)), f = Sigmoid(d, hn::LoadU(d, gates + n + j));
    const auto g = Tanh(d, hn::LoadU(d, gates + 2 * n + j)), o = Sigmoid(d, hn::LoadU(d, gates + 3 * n + j));
    const auto c = hn::MulAdd(f, hn::LoadU(d, r.cell_state + at), hn::Mul(i, g)), h = hn::Mul(o, Tanh(d, c));
    hn::StoreU(i, d, gates + j);
    hn::StoreU(f, d, gates + n + j);
    hn::StoreU(g, d, gates + 2 * n + j);
    hn::StoreU(o, d, gates + 3 * n + j);
    hn::StoreU(c, d, r.cells + at);
    hn::StoreU(c, d, r.cell_state + at);
    hn::StoreU(h, d, r.output + at);
    if (r.state) hn::StoreU(h, d, r.state + at);
  });
}

template <class T>
void Gru(const Forward<T>& r) {
  const Index n = r.hidden;
  ForGates<3, T>(r.rows, n, r.gates, [&](auto d, Index j, Index at, T* gates) HWY_ATTR {
    const auto reset = Sigmoid(d, hn::LoadU(d, gates + j)), update = Sigmoid(d, hn::LoadU(d, gates + n + j));
    const auto fresh = Tanh(d, hn::MulAdd(reset, hn::LoadU(d, r.cells + at), hn::LoadU(d, gates + 2 * n + j)));
    const auto h = hn::MulAdd(hn::Sub(hn::LoadU(d, r.state + at), fresh), update, fresh);
    hn::StoreU(reset, d, gates + j);
    hn::StoreU(update, d, gates + n + j);
    hn::StoreU(fresh, d, gates + 2 * n + j);
    hn::StoreU(h, d, r.output + at);
    hn::StoreU(h, d, r.state + at);
  });
}

template <class T, class F>
HWY_INLINE void Plain(const Forward<T>& r, F activation) {
  ForElements<T>(r.rows * r.hidden, [&](auto d, Index at) HWY_ATTR {
    const auto h = activation(d, hn::LoadU(d, r.gates + at));
    hn::StoreU(h, d, r.output + at);
    hn::StoreU(h, d, r.state + at);
  });
}
template <class T>
void TanhCell(const Forward<T>& r) {
  Plain(r, [](auto d, auto x) HWY_ATTR { return Tanh(d, x); });
}
template <class T>
void ReluCell(const Forward<T>& r) {  // nan stays
  Plain(r, [](auto d, auto x) HWY_ATTR { return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Zero(d), x); });
}

template <class T>
void LstmBack(const Backward<T>& r) {
  const Index n = r.hidden;
  ForGates<4, T>(r.rows, n, r.gates, [&](auto d, Index j, Index at, const T* gates) HWY_ATTR {
    const auto i = hn::LoadU(d, gates + j), f = hn::LoadU(d, gates + n + j);
    const auto g = hn::LoadU(d, gates + 2 * n + j), o = hn::LoadU(d, gates + 3 * n + j);
    const auto dh = hn::Add(hn::LoadU(d, r.grad_state + at), LoadOrZero(d, r.grad_output, at));
    const auto t = Tanh(d, hn::LoadU(d, r.cells + at));
    const auto dc = hn::MulAdd(hn::Mul(dh, o), TanhSlope(d, t), hn::LoadU(d, r.grad_cell_state + at));
    T* const out = r.input_gates + (at - j) * 4 + j;
    hn::StoreU(hn::Mul(hn::Mul(dc, g), SigmoidSlope(d, i)), d, out);
    hn::StoreU(hn::Mul(hn::Mul(dc, hn::LoadU(d, r.before + at)), SigmoidSlope(d, f)), d, out + n);
    hn::StoreU(hn::Mul(hn::Mul(dc, i), TanhSlope(d, g)), d, out + 2 * n);
    hn::StoreU(hn::Mul(hn::Mul(dh, t), SigmoidSlope(d, o)), d, out + 3 * n);
    hn::StoreU(hn::Mul(dc, f), d, r.grad_cell_state + at);
    if (r.unprojected) hn::StoreU(hn::Mul(o, t), d, r.unprojected + at);
  });
}

template <class T>
void GruBack(const Backward<T>& r) {
  const Index n = r.hidden;
  ForGates<3, T>(r.rows, n, r.gates, [&](auto d, Index j, Index at, const T* gates) HWY_ATTR {
    const auto reset = hn::LoadU(d, gates + j), update = hn::LoadU(d, gates + n + j);
    const auto fresh = hn::LoadU(d, gates + 2 * n + j), hidden = hn::LoadU(d, r.cells + at);
    const auto dh = hn::Add(hn::LoadU(d, r.grad_state + at), LoadOrZero(d, r.grad_output, at));
    const auto through = hn::Mul(dh, update);
    const auto du = hn::Mul(hn::Mul(dh, hn::Sub(hn::LoadU(d, r.before + at), fresh)), SigmoidSlope(d, update));
    const auto df = hn::Mul(hn::Sub(dh, through), TanhSlope(d, fresh));
    const auto dr = hn::Mul(hn::Mul(df, hidden), SigmoidSlope(d, reset));
    const Index first = (at - j) * 3 + j;
    hn::StoreU(dr, d, r.input_gates + first);
    hn::StoreU(du, d, r.input_gates + first + n);
    hn::StoreU(df, d, r.input_gates + first + 2 * n);
    hn::StoreU(dr, d, r.hidden_gates + first);
    hn::StoreU(du, d, r.hidden_gates + first + n);
    hn::StoreU(hn::Mul(df, reset), d, r.hidden_gates + first + 2 * n);
    hn::StoreU(through, d, r.grad_state + at);
  });
}

template <class T, class F>
HWY_INLINE void PlainBack(const Backward<T>& r, F slope) {
  ForElements<T>(r.rows * r.hidden, [&](auto d, Index at) HWY_ATTR {
    const auto dh = hn::Add(hn::LoadU(d, r.grad_state + at), LoadOrZero(d, r.grad_output, at));
    hn::StoreU(slope(d, dh, hn::LoadU(d, r.gates + at)), d, r.input_gates + at);
  });
}
template <class T>
void TanhBack(const Backward<T>& r) {
  PlainBack(r, [](auto d, auto dh, auto h) HWY_ATTR { return hn::Mul(dh, TanhSlope(d, h)); });
}
template <class T>
void ReluBack(const Backward<T>& r) {
  PlainBack(r,
            [](auto d, auto dh, auto h) HWY_ATTR { return hn::IfThenElse(hn::Le(h, hn::Zero(d)), hn::Zero(d), dh); });
}

#define RL_BOTH_TYPES(name, function, Rows)                   \
  void name##F32(const Rows<float>& rows) { function(rows); } \
  void name##F64(const Rows<double>& rows) { function(rows); }
RL_BOTH_TYPES(LstmForward, Lstm, Forward)
RL_BOTH_TYPES(GruForward, Gru, Forward)
RL_BOTH_TYPES(TanhForward, TanhCell, Forward)
RL_BOTH_TYPES(ReluForward, ReluCell, Forward)
RL_BOTH_TYPES(LstmBackward, LstmBack, Backward)
RL_BOTH_TYPES(GruBackward, GruBack, Backward)
RL_BOTH_TYPES(TanhBackward, TanhBack, Backward)
RL_BOTH_TYPES(ReluBackward, ReluBack, Backward)
#undef RL_BOTH_TYPES

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::rnn
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::rnn {

#define RL_CHOICE(name, target, Rows)                                                                       \
  void name(const Rows<float>& rows) {                                                                      \
    static constexpr simd::Table<decltype(HWY_NAMESPACE::target##F32)> kTable = RL_SIMD_TABLE(target##F32); \
    kTable(rows);                                                                                           \
  }                                                                                                         \
  void name(const Rows<double>& rows) {                                                                     \
    static constexpr simd::Table<decltype(HWY_NAMESPACE::target##F64)> kTable = RL_SIMD_TABLE(target##F64); \
    kTable(rows);                                                                                           \
  }
RL_CHOICE(lstm_forward, LstmForward, Forward)
RL_CHOICE(gru_forward, GruForward, Forward)
RL_CHOICE(tanh_forward, TanhForward, Forward)
RL_CHOICE(relu_forward, ReluForward, Forward)
RL_CHOICE(lstm_backward, LstmBackward, Backward)
RL_CHOICE(gru_backward, GruBackward, Backward)
RL_CHOICE(tanh_backward, TanhBackward, Backward)
RL_CHOICE(relu_backward, ReluBackward, Backward)
#undef RL_CHOICE

}  // namespace rushlight::rnn
#endif
