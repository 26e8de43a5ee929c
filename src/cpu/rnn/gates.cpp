// The arithmetic of recurrent cells on a few rows, between two products.
#include "cpu/rnn/gates.h"

#include "cpu/simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/rnn/gates.cpp"
#include "hwy/foreach_target.h"

#include "cpu/pointwise/exp-inl.h"
#include "hwy/highway.h"

#include <cmath>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace rushlight::rnn {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Single float32 elements take the steps of whole vectors, so that results do not depend on their place.
template <class D, class V, class F>
HWY_INLINE V as_vector(D d, V x, F f) {
  const hn::ScalableTag<float> full;
  if constexpr (std::is_same_v<D, hn::ScalableTag<float>>)
    return f(d, x);
  else
    return hn::Set(d, hn::GetLane(f(full, hn::Set(full, hn::GetLane(x)))));
}
// One lane of double: libm is exact enough and float64 cells are rare.
template <class D, class V>
HWY_INLINE V sigmoid(D d, V x) {
  if constexpr (std::is_same_v<hn::TFromD<D>, float>)
    return as_vector(d, x, [](auto full, auto v) HWY_ATTR { return pointwise::HWY_NAMESPACE::vm::Sigmoid(full, v); });
  else
    return hn::Set(d, 1 / (1 + std::exp(-hn::GetLane(x))));
}
template <class D, class V>
HWY_INLINE V tanh(D d, V x) {
  if constexpr (std::is_same_v<hn::TFromD<D>, float>)
    return as_vector(d, x, [](auto full, auto v) HWY_ATTR { return pointwise::HWY_NAMESPACE::vm::Tanh(full, v); });
  else
    return hn::Set(d, std::tanh(hn::GetLane(x)));
}

// f(tag, first element) for vectors over [0, n), then for single elements.
template <class T, class F>
HWY_INLINE void for_elements(Index n, F f) {
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
HWY_INLINE void for_gates(Index rows, Index hidden, G* gates, F f) {
  for (Index row = 0; row < rows; ++row) {
    G* const own = gates + row * Gates * hidden;
    const Index first = row * hidden;
    for_elements<T>(hidden, [&](auto d, Index j) HWY_ATTR { f(d, j, first + j, own); });
  }
}

template <class D, class V>
HWY_INLINE V sigmoid_slope(D d, V s) {
  return hn::Mul(s, hn::Sub(hn::Set(d, hn::TFromD<D>(1)), s));
}
template <class D, class V>
HWY_INLINE V tanh_slope(D d, V t) {
  return hn::NegMulAdd(t, t, hn::Set(d, hn::TFromD<D>(1)));
}
template <class D, class T>
HWY_INLINE hn::Vec<D> load_or_zero(D d, const T* p, Index at) {
  return p ? hn::LoadU(d, p + at) : hn::Zero(d);
}

template <class T>
void lstm(const Forward<T>& r) {
  const Index n = r.hidden;
  for_gates<4, T>(r.rows, n, r.gates, [&](auto d, Index j, Index at, T* gates) HWY_ATTR {
    const auto i = sigmoid(d, hn::LoadU(d, gates + j)), f = sigmoid(d, hn::LoadU(d, gates + n + j));
    const auto g = tanh(d, hn::LoadU(d, gates + 2 * n + j)), o = sigmoid(d, hn::LoadU(d, gates + 3 * n + j));
    const auto c = hn::MulAdd(f, hn::LoadU(d, r.cell_state + at), hn::Mul(i, g)), h = hn::Mul(o, tanh(d, c));
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
void gru(const Forward<T>& r) {
  const Index n = r.hidden;
  for_gates<3, T>(r.rows, n, r.gates, [&](auto d, Index j, Index at, T* gates) HWY_ATTR {
    const auto reset = sigmoid(d, hn::LoadU(d, gates + j)), update = sigmoid(d, hn::LoadU(d, gates + n + j));
    const auto fresh = tanh(d, hn::MulAdd(reset, hn::LoadU(d, r.cells + at), hn::LoadU(d, gates + 2 * n + j)));
    const auto h = hn::MulAdd(hn::Sub(hn::LoadU(d, r.state + at), fresh), update, fresh);
    hn::StoreU(reset, d, gates + j);
    hn::StoreU(update, d, gates + n + j);
    hn::StoreU(fresh, d, gates + 2 * n + j);
    hn::StoreU(h, d, r.output + at);
    hn::StoreU(h, d, r.state + at);
  });
}

template <class T, class F>
HWY_INLINE void plain(const Forward<T>& r, F activation) {
  for_elements<T>(r.rows * r.hidden, [&](auto d, Index at) HWY_ATTR {
    const auto h = activation(d, hn::LoadU(d, r.gates + at));
    hn::StoreU(h, d, r.output + at);
    hn::StoreU(h, d, r.state + at);
  });
}
template <class T>
void tanh_cell(const Forward<T>& r) {
  plain(r, [](auto d, auto x) HWY_ATTR { return tanh(d, x); });
}
template <class T>
void relu_cell(const Forward<T>& r) {  // nan stays
  plain(r, [](auto d, auto x) HWY_ATTR { return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Zero(d), x); });
}

template <class T>
void lstm_back(const Backward<T>& r) {
  const Index n = r.hidden;
  for_gates<4, T>(r.rows, n, r.gates, [&](auto d, Index j, Index at, const T* gates) HWY_ATTR {
    const auto i = hn::LoadU(d, gates + j), f = hn::LoadU(d, gates + n + j);
    const auto g = hn::LoadU(d, gates + 2 * n + j), o = hn::LoadU(d, gates + 3 * n + j);
    const auto dh = hn::Add(hn::LoadU(d, r.grad_state + at), load_or_zero(d, r.grad_output, at));
    const auto t = tanh(d, hn::LoadU(d, r.cells + at));
    const auto dc = hn::MulAdd(hn::Mul(dh, o), tanh_slope(d, t), hn::LoadU(d, r.grad_cell_state + at));
    T* const out = r.input_gates + (at - j) * 4 + j;
    hn::StoreU(hn::Mul(hn::Mul(dc, g), sigmoid_slope(d, i)), d, out);
    hn::StoreU(hn::Mul(hn::Mul(dc, hn::LoadU(d, r.before + at)), sigmoid_slope(d, f)), d, out + n);
    hn::StoreU(hn::Mul(hn::Mul(dc, i), tanh_slope(d, g)), d, out + 2 * n);
    hn::StoreU(hn::Mul(hn::Mul(dh, t), sigmoid_slope(d, o)), d, out + 3 * n);
    hn::StoreU(hn::Mul(dc, f), d, r.grad_cell_state + at);
    if (r.unprojected) hn::StoreU(hn::Mul(o, t), d, r.unprojected + at);
  });
}

template <class T>
void gru_back(const Backward<T>& r) {
  const Index n = r.hidden;
  for_gates<3, T>(r.rows, n, r.gates, [&](auto d, Index j, Index at, const T* gates) HWY_ATTR {
    const auto reset = hn::LoadU(d, gates + j), update = hn::LoadU(d, gates + n + j);
    const auto fresh = hn::LoadU(d, gates + 2 * n + j), hidden = hn::LoadU(d, r.cells + at);
    const auto dh = hn::Add(hn::LoadU(d, r.grad_state + at), load_or_zero(d, r.grad_output, at));
    const auto through = hn::Mul(dh, update);
    const auto du = hn::Mul(hn::Mul(dh, hn::Sub(hn::LoadU(d, r.before + at), fresh)), sigmoid_slope(d, update));
    const auto df = hn::Mul(hn::Sub(dh, through), tanh_slope(d, fresh));
    const auto dr = hn::Mul(hn::Mul(df, hidden), sigmoid_slope(d, reset));
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
HWY_INLINE void plain_back(const Backward<T>& r, F slope) {
  for_elements<T>(r.rows * r.hidden, [&](auto d, Index at) HWY_ATTR {
    const auto dh = hn::Add(hn::LoadU(d, r.grad_state + at), load_or_zero(d, r.grad_output, at));
    hn::StoreU(slope(d, dh, hn::LoadU(d, r.gates + at)), d, r.input_gates + at);
  });
}
template <class T>
void tanh_back(const Backward<T>& r) {
  plain_back(r, [](auto d, auto dh, auto h) HWY_ATTR { return hn::Mul(dh, tanh_slope(d, h)); });
}
template <class T>
void relu_back(const Backward<T>& r) {
  plain_back(r,
             [](auto d, auto dh, auto h) HWY_ATTR { return hn::IfThenElse(hn::Le(h, hn::Zero(d)), hn::Zero(d), dh); });
}

#define RL_BOTH_TYPES(name, function, Rows)                    \
  void name##_f32(const Rows<float>& rows) { function(rows); } \
  void name##_f64(const Rows<double>& rows) { function(rows); }
RL_BOTH_TYPES(lstm_forward, lstm, Forward)
RL_BOTH_TYPES(gru_forward, gru, Forward)
RL_BOTH_TYPES(tanh_forward, tanh_cell, Forward)
RL_BOTH_TYPES(relu_forward, relu_cell, Forward)
RL_BOTH_TYPES(lstm_backward, lstm_back, Backward)
RL_BOTH_TYPES(gru_backward, gru_back, Backward)
RL_BOTH_TYPES(tanh_backward, tanh_back, Backward)
RL_BOTH_TYPES(relu_backward, relu_back, Backward)
#undef RL_BOTH_TYPES

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::rnn
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::rnn {

#define RL_CHOICE(name, Rows)                                                                             \
  void name(const Rows<float>& rows) {                                                                    \
    static constexpr simd::Table<decltype(HWY_NAMESPACE::name##_f32)> kTable = RL_SIMD_TABLE(name##_f32); \
    kTable(rows);                                                                                         \
  }                                                                                                       \
  void name(const Rows<double>& rows) {                                                                   \
    static constexpr simd::Table<decltype(HWY_NAMESPACE::name##_f64)> kTable = RL_SIMD_TABLE(name##_f64); \
    kTable(rows);                                                                                         \
  }
RL_CHOICE(lstm_forward, Forward)
RL_CHOICE(gru_forward, Forward)
RL_CHOICE(tanh_forward, Forward)
RL_CHOICE(relu_forward, Forward)
RL_CHOICE(lstm_backward, Backward)
RL_CHOICE(gru_backward, Backward)
RL_CHOICE(tanh_backward, Backward)
RL_CHOICE(relu_backward, Backward)
#undef RL_CHOICE

}  // namespace rushlight::rnn
#endif
