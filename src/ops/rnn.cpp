// Recurrent networks: layers over padded and packed sequences, and cells.
#include "autograd/shown_name.h"
#include "ops/composed.h"
#include "ops/rnn.h"

#include <algorithm>

#include "autograd/interpose.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace {

using Maybe = std::optional<Tensor>;

std::vector<RnnWeights> grouped(TensorList params, bool has_biases, bool projected, const char* op) {
  const std::size_t each = 2 + 2 * static_cast<std::size_t>(has_biases) + projected;
  check(params.size() % each == 0, op, ": got an incorrect number of RNN parameters: ", params.size());
  std::vector<RnnWeights> all;
  for (std::size_t i = 0; i < params.size(); i += each) {
    RnnWeights w{params[i], params[i + 1], {}, {}, {}};
    if (has_biases) w.b_ih = params[i + 2], w.b_hh = params[i + 3];
    if (projected) w.w_hr = params[i + each - 1];
    all.push_back(w);
  }
  return all;
}

Tensor recorded_layer(RnnCell cell, const Tensor& input, RnnState& state, const RnnWeights& w, IntArray batch_sizes,
                      bool reverse, RnnForm form) {
  const auto cx = state.c.defined() ? Maybe(state.c) : Maybe();
  auto results = _rnn_layer(input, state.h, cx, w.w_ih, w.w_hh, w.b_ih, w.b_hh, w.w_hr, batch_sizes,
                            static_cast<std::int64_t>(cell), reverse, static_cast<std::int64_t>(form));
  state = {std::get<1>(results), std::get<2>(results)};
  return std::get<0>(results);
}

// Under autocast a fused layer runs in the lower precision; the products of a composed one do.
Tensor autocast_layer(RnnCell cell, const Tensor& input, RnnState& state, const RnnWeights& w, IntArray batch_sizes,
                      bool reverse, RnnForm form) {
  if (form == RnnForm::kFused) {
    const auto lower = [](const Tensor& t) { return autocast::cast(t, autocast::lower_dtype()); };
    const auto maybe_lower = [&](const Maybe& t) { return t ? Maybe(lower(*t)) : Maybe(); };
    state = {lower(state.h), lower(state.c)};
    const RnnWeights cast{lower(w.w_ih), lower(w.w_hh), maybe_lower(w.b_ih), maybe_lower(w.b_hh), {}};
    return recorded_layer(cell, lower(input), state, cast, batch_sizes, reverse, form);
  }
  if (input.dim() == 2) return composed_rnn_layer(cell, input, state, w, batch_sizes, reverse);
  const Tensor rows = composed_rnn_layer(cell, input.flatten(0, 1), state, w, batch_sizes, reverse);
  return rows.view({input.size(0), input.size(1), rows.size(1)});
}

RnnForm form_of(RnnCell cell, const Tensor& input, bool packed, bool projected) {
  if (packed) return RnnForm::kPacked;
  const bool has_fused = input.dtype() == Dtype::kFloat32 || input.dtype() == Dtype::kBFloat16;
  return cell == RnnCell::kLstm && !projected && has_fused ? RnnForm::kFused : RnnForm::kPadded;
}

Tensor run_layer(RnnCell cell, const Tensor& input, RnnState& state, const RnnWeights& w, IntArray batch_sizes,
                 bool reverse, RnnForm form) {
  const auto run = thread.modes & kAutocast ? autocast_layer : recorded_layer;
  return run(cell, input, state, w, batch_sizes, reverse, form);
}

struct Network {
  RnnCell cell;
  bool has_biases;
  std::int64_t num_layers;
  double dropout;
  bool train, bidirectional;
};

struct Result {
  Tensor output, h, c;
};

// All layers; `batch_sizes` is null for padded input of shape (time, batch, features).
Result run(const Network& net, const Tensor& input, const IntArray* batch_sizes, const Tensor& hx, const Tensor& cx,
           TensorList params, const char* op) {
  const bool projected = net.cell == RnnCell::kLstm && hx.size(2) != cx.size(2);
  const std::vector<RnnWeights> weights = grouped(params, net.has_biases, projected, op);
  const std::int64_t directions = net.bidirectional ? 2 : 1;
  check(static_cast<std::int64_t>(weights.size()) == net.num_layers * directions, op,
        ": got an incorrect number of RNN parameters: ", params.size(), " for ", net.num_layers, " layers");
  check(hx.size(0) == net.num_layers * directions, op, ": Expected hidden size (", net.num_layers * directions,
        ", ...), got ", hx.sizes());
  check(!batch_sizes || batch_sizes->size() > 0, op, ": Length of packed batch sizes should be at least 1");
  check(batch_sizes || input.size(0) > 0, op, ": Expected sequence length to be larger than 0 in RNN");
  const std::vector<std::int64_t> padded_sizes(batch_sizes ? 0 : static_cast<std::size_t>(input.size(0)), hx.size(1));
  const IntArray rows = batch_sizes ? *batch_sizes : IntArray(padded_sizes);
  const RnnForm form = form_of(net.cell, input, batch_sizes, projected);
  const std::vector<Tensor> h = hx.unbind(0), c = cx.defined() ? cx.unbind(0) : std::vector<Tensor>{};
  Result result{input, {}, {}};
  std::vector<Tensor> last_h, last_c;
  for (std::int64_t layer = 0; layer < net.num_layers; ++layer) {
    std::vector<Tensor> sides;
    for (std::int64_t direction = 0; direction < directions; ++direction) {
      const auto which = static_cast<std::size_t>(layer * directions + direction);
      RnnState state{h[which], c.empty() ? Tensor() : c[which]};
      sides.push_back(run_layer(net.cell, result.output, state, weights[which], rows, direction == 1, form));
      last_h.push_back(state.h);
      if (state.c.defined()) last_c.push_back(state.c);
    }
    result.output = sides.size() == 1 ? sides[0] : cat(sides, -1);
    if (net.train && net.dropout != 0 && layer + 1 < net.num_layers)
      result.output = dropout(result.output, net.dropout, true);
  }
  result.h = stack(last_h, 0);
  if (!last_c.empty()) result.c = stack(last_c, 0);
  return result;
}

Result run_input(const Network& net, const Tensor& input, const Tensor& hx, const Tensor& cx, TensorList params,
                 bool batch_first, const char* op) {
  Result result = run(net, batch_first ? input.transpose(0, 1) : input, nullptr, hx, cx, params, op);
  // As in PyTorch, where the names differ: an LSTM's output is a view, the others' is changed in place.
  if (batch_first && net.cell == RnnCell::kLstm)
    result.output = result.output.transpose(0, 1);
  else if (batch_first)
    result.output.transpose_(0, 1);
  return result;
}

Result run_data(const Network& net, const Tensor& data, const Tensor& batch_sizes, const Tensor& hx, const Tensor& cx,
                TensorList params, const char* op) {
  check(batch_sizes.dtype() == Dtype::kInt64 && batch_sizes.dim() == 1, op,
        ": batch_sizes should be a 1-D int64 CPU "
        "tensor, got ",
        batch_sizes);
  const Tensor dense = batch_sizes.contiguous();
  need_memory(dense, op);
  const IntArray sizes(std::span(dense.data<std::int64_t>(), static_cast<std::size_t>(dense.numel())));
  return run(net, data, &sizes, hx, cx, params, op);
}

RnnState one_cell(RnnCell cell, const Tensor& input, RnnState state, const RnnWeights& w) {
  const std::int64_t rows[] = {input.size(0)};
  run_layer(cell, input, state, w, IntArray(rows), false, RnnForm::kStep);
  return state;
}

// `state` is 0 for the hidden state, 1 for the cell state of an LSTM.
void check_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh, const char* op,
                int state = 0) {
  check(input.dim() == 2 && hx.dim() == 2 && w_ih.dim() == 2 && w_hh.dim() == 2, op, ": matrices expected, got ", input,
        ", ", hx, ", ", w_ih, " and ", w_hh);
  check(input.size(1) == w_ih.size(1), op, ": input has inconsistent input_size: got ", input.size(1), " expected ",
        w_ih.size(1));
  check(input.size(0) == hx.size(0), op, ": Input batch size ", input.size(0), " doesn't match hidden", state,
        " batch size ", hx.size(0));
  check(hx.size(1) == w_hh.size(1), op, ": hidden", state, " has inconsistent hidden_size: got ", hx.size(1),
        ", expected ", w_hh.size(1));
}

const Tensor& second(TensorList hx, const char* op) {
  check(hx.size() == 2, op, " expects two hidden states, got ", hx.size());
  return hx[1];
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> lstm(const Tensor& input, TensorList hx, TensorList params, bool has_biases,
                                        std::int64_t num_layers, double dropout, bool train, bool bidirectional,
                                        bool batch_first) {
  const Tensor& cx = second(hx, "lstm");
  Result r = run_input({RnnCell::kLstm, has_biases, num_layers, dropout, train, bidirectional}, input, hx[0], cx,
                       params, batch_first, "lstm");
  return {r.output, r.h, r.c};
}
std::tuple<Tensor, Tensor, Tensor> lstm(const Tensor& data, const Tensor& batch_sizes, TensorList hx, TensorList params,
                                        bool has_biases, std::int64_t num_layers, double dropout, bool train,
                                        bool bidirectional) {
  const Tensor& cx = second(hx, "lstm");
  Result r = run_data({RnnCell::kLstm, has_biases, num_layers, dropout, train, bidirectional}, data, batch_sizes, hx[0],
                      cx, params, "lstm");
  return {r.output, r.h, r.c};
}

#define RL_NETWORK(function, cell)                                                                                   \
  std::tuple<Tensor, Tensor> function(const Tensor& input, const Tensor& hx, TensorList params, bool has_biases,     \
                                      std::int64_t num_layers, double dropout, bool train, bool bidirectional,       \
                                      bool batch_first) {                                                            \
    Result r = run_input({cell, has_biases, num_layers, dropout, train, bidirectional}, input, hx, Tensor(), params, \
                         batch_first, #function);                                                                    \
    return {r.output, r.h};                                                                                          \
  }                                                                                                                  \
  std::tuple<Tensor, Tensor> function(const Tensor& data, const Tensor& batch_sizes, const Tensor& hx,               \
                                      TensorList params, bool has_biases, std::int64_t num_layers, double dropout,   \
                                      bool train, bool bidirectional) {                                              \
    Result r = run_data({cell, has_biases, num_layers, dropout, train, bidirectional}, data, batch_sizes, hx,        \
                        Tensor(), params, #function);                                                                \
    return {r.output, r.h};                                                                                          \
  }
RL_NETWORK(gru, RnnCell::kGru)
RL_NETWORK(rnn_tanh, RnnCell::kTanh)
RL_NETWORK(rnn_relu, RnnCell::kRelu)
#undef RL_NETWORK

std::tuple<Tensor, Tensor> lstm_cell(const Tensor& input, TensorList hx, const Tensor& w_ih, const Tensor& w_hh,
                                     const Maybe& b_ih, const Maybe& b_hh) {
  const Tensor& cx = second(hx, "lstm_cell");
  check_cell(input, hx[0], w_ih, w_hh, "lstm_cell");
  check_cell(input, cx, w_ih, w_hh, "lstm_cell", 1);
  RnnState next = one_cell(RnnCell::kLstm, input, {hx[0], cx}, {w_ih, w_hh, b_ih, b_hh, {}});
  if (shown_name(next.c) == "MulBackward0") {  // a node of its own, whose name is that of a sum
    next.c = _unsafe_view(next.c, next.c.sizes());
    show_as(next.c, "AddBackward0");
  }
  return {next.h, next.c};
}
Tensor gru_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh, const Maybe& b_ih,
                const Maybe& b_hh) {
  check_cell(input, hx, w_ih, w_hh, "gru_cell");
  return one_cell(RnnCell::kGru, input, {hx, {}}, {w_ih, w_hh, b_ih, b_hh, {}}).h;
}
Tensor rnn_tanh_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh, const Maybe& b_ih,
                     const Maybe& b_hh) {
  check_cell(input, hx, w_ih, w_hh, "rnn_tanh_cell");
  return one_cell(RnnCell::kTanh, input, {hx, {}}, {w_ih, w_hh, b_ih, b_hh, {}}).h;
}
Tensor rnn_relu_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh, const Maybe& b_ih,
                     const Maybe& b_hh) {
  check_cell(input, hx, w_ih, w_hh, "rnn_relu_cell");
  return one_cell(RnnCell::kRelu, input, {hx, {}}, {w_ih, w_hh, b_ih, b_hh, {}}).h;
}

}  // namespace rushlight
