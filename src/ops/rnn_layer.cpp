// One direction of a recurrent layer as one recorded operator, and its derivative.
#include "autograd/formulas_rnn.h"
#include "autograd/node.h"
#include "ops/composed.h"
#include "ops/contiguous.h"
#include "ops/rnn.h"
#include "rushlight/autograd.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace {

using Maybe = std::optional<Tensor>;

// Half types compute in float32.
Dtype compute_dtype(const Tensor& input) {
  return input.dtype() == Dtype::kFloat64 ? Dtype::kFloat64 : Dtype::kFloat32;
}
Tensor dense(const Tensor& tensor, Dtype type) { return tensor.defined() ? ops::contiguous_as(tensor, type) : tensor; }
Tensor dense(const Maybe& tensor, Dtype type) { return tensor ? dense(*tensor, type) : Tensor(); }

// (steps, batch, features) or (rows, features) as rows.
Tensor rows_of(const Tensor& tensor) { return tensor.defined() && tensor.dim() == 3 ? tensor.flatten(0, 1) : tensor; }
std::vector<std::int64_t> with_features(const Tensor& input, std::int64_t features) {
  std::vector<std::int64_t> sizes = input.sizes().vec();
  sizes.back() = features;
  return sizes;
}

struct Arguments {
  const Tensor &input, &hx;
  const Maybe& cx;
  const Tensor &w_ih, &w_hh;
  const Maybe &b_ih, &b_hh, &w_hr;
};

void check_arguments(const Arguments& a, IntArray batch_sizes, RnnCell cell) {
  const char* const name = cell == RnnCell::kLstm ? "lstm" : cell == RnnCell::kGru ? "gru" : "rnn";
  const auto matrix = [&](const Tensor& t, const char* what, std::int64_t rows, std::int64_t columns) {
    check(t.dim() == 2 && t.size(0) == rows && t.size(1) == columns, name, ": ", what, " of shape [", rows, ", ",
          columns, "] expected, got ", t);
    check(t.dtype() == a.input.dtype(), name, ": expected ", what, " to have the dtype of the input, ", a.input.dtype(),
          ", but got ", t.dtype());
  };
  const auto bias = [&](const Maybe& t, const char* what, std::int64_t size) {
    check(!t || (t->dim() == 1 && t->size(0) == size && t->dtype() == a.input.dtype()), name, ": ", what, " of shape [",
          size, "] and the dtype of the input expected, got ", t ? *t : Tensor());
  };
  check((a.input.dim() == 2 || a.input.dim() == 3) && is_floating(a.input.dtype()), name,
        ": floating point features of every sequence at every step expected, got ", a.input);
  check(a.w_hh.dim() == 2 && a.w_hh.size(0) % gate_count(cell) == 0, name, ": w_hh with ", gate_count(cell),
        " times the hidden size of rows expected, got ", a.w_hh);
  std::int64_t rows = 0;
  for (const std::int64_t sequences : batch_sizes)
    rows += sequences;
  check(rows == (a.input.dim() == 3 ? a.input.size(0) * a.input.size(1) : a.input.size(0)), name, ": expected ", rows,
        " rows of input for the batch sizes, got ", a.input);
  const std::int64_t hidden = a.w_hh.size(0) / gate_count(cell), state = a.w_hh.size(1);
  matrix(a.w_ih, "w_ih", a.w_hh.size(0), a.input.size(-1));
  matrix(a.w_hh, "w_hh", a.w_hh.size(0), a.w_hr ? state : hidden);
  bias(a.b_ih, "b_ih", a.w_hh.size(0));
  bias(a.b_hh, "b_hh", a.w_hh.size(0));
  if (a.w_hr) matrix(*a.w_hr, "w_hr", state, hidden);
  std::int64_t most = 0;
  for (const std::int64_t sequences : batch_sizes)
    most = std::max(most, sequences);
  matrix(a.hx, "hx", most, state);
  check((cell == RnnCell::kLstm) == a.cx.has_value(), name, ": an LSTM alone has a cell state");
  if (a.cx) matrix(*a.cx, "cx", most, hidden);
}

// The gradient by the composed form, recorded: it can be differentiated again.
std::vector<Tensor> recorded_backward(const std::vector<Tensor>& grads, const Arguments& a, IntArray batch_sizes,
                                      RnnCell cell, bool reverse, const std::array<bool, 8>& mask) {
  // Aliases, so that an argument which depends on another one does not lead to it.
  std::vector<Tensor> inputs;
  const auto apart = [&](const Tensor& t, std::size_t which) {
    const Tensor copy = mask[which] ? t.alias() : t.detach();
    if (mask[which]) inputs.push_back(copy);
    return copy;
  };
  const auto maybe_apart = [&](const Maybe& t, std::size_t which) { return t ? Maybe(apart(*t, which)) : Maybe(); };
  const Tensor input = apart(a.input, 0), hx = apart(a.hx, 1);
  const Maybe cx = maybe_apart(a.cx, 2);
  RnnWeights weights;
  weights.w_ih = apart(a.w_ih, 3);
  weights.w_hh = apart(a.w_hh, 4);
  weights.b_ih = maybe_apart(a.b_ih, 5);
  weights.b_hh = maybe_apart(a.b_hh, 6);
  weights.w_hr = maybe_apart(a.w_hr, 7);
  RnnState state{hx, cx ? *cx : Tensor()};
  const Tensor rows = composed_rnn_layer(cell, rows_of(input), state, weights, batch_sizes, reverse);
  const Tensor output = rows.view(with_features(input, rows.size(1)));
  std::vector<Tensor> outputs, given;
  const Tensor results[] = {output, state.h, state.c};
  for (std::size_t i = 0; i < 3; ++i)
    if (grads[i].defined() && results[i].requires_grad()) {
      outputs.push_back(results[i]);
      given.push_back(grads[i]);
    }
  std::vector<Tensor> found;
  if (!outputs.empty()) found = autograd::grad(outputs, inputs, given, true, true, true);
  std::vector<Tensor> all(8);
  for (std::size_t which = 0, at = 0; which < 8; ++which)
    if (mask[which] && !found.empty()) all[which] = found[at++];
  return all;
}

RnnLayer described(const Arguments& a, Dtype type, IntArray batch_sizes, RnnCell cell, bool reverse) {
  RnnLayer layer{};
  layer.cell = cell;
  layer.reverse = reverse;
  layer.batch_sizes = batch_sizes;
  layer.w_hh = dense(a.w_hh, type);
  layer.b_hh = dense(a.b_hh, type);
  layer.w_hr = dense(a.w_hr, type);
  layer.hx = dense(a.hx, type);
  layer.cx = dense(a.cx, type);
  return layer;
}

// A gradient buffer that starts with what arrived.
Tensor started(const Tensor& grad, const TensorBase& like) {
  const Tensor buffer = empty_tensor(like.sizes(), like.dtype(), like.device());
  grad.defined() ? copy_(buffer, grad) : zero_(buffer);
  return buffer;
}

}  // namespace

namespace ops {

std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor, Tensor> rnn_layer(
    const Tensor& input, const Tensor& hx, const Maybe& cx, const Tensor& w_ih, const Tensor& w_hh, const Maybe& b_ih,
    const Maybe& b_hh, const Maybe& w_hr, IntArray batch_sizes, std::int64_t cell_, bool reverse, std::int64_t form) {
  const auto cell = static_cast<RnnCell>(cell_);
  const Arguments a{input, hx, cx, w_ih, w_hh, b_ih, b_hh, w_hr};
  check_arguments(a, batch_sizes, cell);
  const bool recorded = !(thread.modes & kGradOff) && any_needs_grad(input, hx, cx, w_ih, w_hh, b_ih, b_hh, w_hr);
  const NoGradGuard no_grad;
  const Dtype type = compute_dtype(input), shown = input.dtype();
  RnnLayer layer = described(a, type, batch_sizes, cell, reverse);
  const Device device = input.device();
  const bool gated = cell == RnnCell::kLstm || cell == RnnCell::kGru;
  const Tensor gates =
      rushlight::linear(rows_of(dense(input, type)), dense(w_ih, type), b_ih ? Maybe(dense(b_ih, type)) : Maybe());
  const Tensor cells = gated ? empty_tensor({gates.size(0), layer.hidden()}, type, device) : Tensor();
  const Tensor states = empty_tensor(with_features(input, layer.state()), type, device);
  const Tensor hy = empty_tensor(layer.hx.sizes(), type, device);
  const Tensor cy = cx ? empty_tensor(layer.cx.sizes(), type, device) : Tensor();
  layer.gates = gates;
  layer.cells = cells;
  layer.output = rows_of(states);
  rnn_layer_kernel(device, layer, hy, cy);
  // A caller may change the output in place, except where PyTorch keeps it for backward, too.
  const bool keeps_output = form == static_cast<std::int64_t>(RnnForm::kFused);
  const Tensor output = shown != type               ? states.to(TensorOptions(shown))
                        : recorded && !keeps_output ? states.clone()
                                                    : shallow_copy(states);
  return {
      output, hy.to(TensorOptions(shown)), cx ? cy.to(TensorOptions(shown)) : Tensor(), gated ? gates : Tensor(), cells,
      states};
}

}  // namespace ops

const char* rnn_layer_title(std::int64_t cell, std::int64_t form) {
  switch (static_cast<RnnForm>(form)) {
    case RnnForm::kFused:
      return "MkldnnRnnLayerBackward0";
    case RnnForm::kPadded:
      return "StackBackward0";
    case RnnForm::kPacked:
      return "CatBackward0";
    case RnnForm::kStep:
      break;
  }
  switch (static_cast<RnnCell>(cell)) {
    case RnnCell::kLstm:
      return "MulBackward0";
    case RnnCell::kGru:
      return "AddBackward0";
    case RnnCell::kTanh:
      return "TanhBackward0";
    case RnnCell::kRelu:
      break;
  }
  return "ReluBackward0";
}

RnnLayerGradients rnn_layer_backward(const Tensor& grad_output, const Tensor& grad_hy, const Tensor& grad_cy,
                                     const Tensor& input, const Tensor& hx, const Maybe& cx, const Tensor& w_ih,
                                     const Tensor& w_hh, const Maybe& b_ih, const Maybe& b_hh, const Maybe& w_hr,
                                     const Tensor& gates, const Tensor& cells, const Tensor& states,
                                     IntArray batch_sizes, std::int64_t cell_, bool reverse,
                                     const std::array<bool, 8>& mask) {
  if (!grad_output.defined() && !grad_hy.defined() && !grad_cy.defined()) return {};
  for (const Tensor* grad : {&grad_output, &grad_hy, &grad_cy})
    if (grad->defined()) need_memory(*grad, "the derivative of a recurrent layer");
  const auto cell = static_cast<RnnCell>(cell_);
  const Arguments a{input, hx, cx, w_ih, w_hh, b_ih, b_hh, w_hr};
  if (!(thread.modes & kGradOff)) {
    std::vector<Tensor> g = recorded_backward({grad_output, grad_hy, grad_cy}, a, batch_sizes, cell, reverse, mask);
    return {g[0], g[1], g[2], g[3], g[4], g[5], g[6], g[7]};
  }
  const Dtype type = compute_dtype(input), shown = input.dtype();
  RnnLayer layer = described(a, type, batch_sizes, cell, reverse);
  const Tensor state_rows = rows_of(states);
  layer.gates = gates.defined() ? gates : state_rows;
  layer.cells = cells;
  layer.output = state_rows;
  const Device device = input.device();
  const auto like = [&](const TensorBase& t) { return empty_tensor(t.sizes(), type, device); };
  const Tensor grad_hx = started(grad_hy, layer.hx), grad_cx = cx ? started(grad_cy, layer.cx) : Tensor();
  const Tensor input_gates = like(layer.gates), before = like(state_rows);
  const Tensor hidden_gates = cell == RnnCell::kGru ? like(layer.gates) : input_gates;
  const Tensor projected = w_hr ? like(state_rows) : Tensor(), unprojected = w_hr ? like(cells) : Tensor();
  rnn_layer_backward_kernel(device, layer,
                            RnnGradients{rows_of(dense(grad_output, type)), grad_hx, grad_cx, input_gates, hidden_gates,
                                         before, projected, unprojected});
  const auto result = [&](const Tensor& t) { return t.to(TensorOptions(shown)); };
  RnnLayerGradients g;
  if (mask[0]) std::get<0>(g) = result(input_gates.mm(dense(w_ih, type))).view(input.sizes());
  if (mask[1]) std::get<1>(g) = result(grad_hx);
  if (mask[2]) std::get<2>(g) = result(grad_cx);
  if (mask[3]) std::get<3>(g) = result(input_gates.t().mm(rows_of(dense(input, type))));
  if (mask[4]) std::get<4>(g) = result(hidden_gates.t().mm(before));
  if (mask[5]) std::get<5>(g) = result(input_gates.sum(IntArray{0}));
  if (mask[6]) {
    const bool shared = mask[5] && cell != RnnCell::kGru;
    std::get<6>(g) = shared ? std::get<5>(g) : result(hidden_gates.sum(IntArray{0}));
  }
  if (mask[7]) std::get<7>(g) = result(projected.t().mm(unprojected));
  return g;
}

}  // namespace rushlight
