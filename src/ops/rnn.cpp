// Recurrent networks: cells, layers over padded and packed sequences, packing.
#include <algorithm>

#include "autograd/formulas_pool.h"
#include "ops/kernels/rnn.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace {

using Sizes = std::vector<std::int64_t>;
using Maybe = std::optional<Tensor>;

bool has_kernel(const Tensor& t) { return t.dtype() == Dtype::kFloat32 || t.dtype() == Dtype::kFloat64; }

// The weights of one direction of one layer.
struct Weights {
  Tensor w_ih, w_hh;
  Maybe b_ih, b_hh;
  Maybe w_hr;  // projection of the hidden state of an LSTM
};

std::vector<Weights> grouped(TensorList params, bool has_biases, bool projected, const char* op) {
  const std::size_t each = 2 + 2 * static_cast<std::size_t>(has_biases) + projected;
  check(params.size() % each == 0, op, ": got an incorrect number of RNN parameters: ", params.size());
  std::vector<Weights> all;
  for (std::size_t i = 0; i < params.size(); i += each) {
    Weights w{params[i], params[i + 1], {}, {}, {}};
    if (has_biases) w.b_ih = params[i + 2], w.b_hh = params[i + 3];
    if (projected) w.w_hr = params[i + each - 1];
    all.push_back(w);
  }
  return all;
}

// The hidden state of a direction: h, and c for an LSTM.
struct State {
  Tensor h, c;
  State narrow(std::int64_t start, std::int64_t length) const {
    return {h.narrow(0, start, length), c.defined() ? c.narrow(0, start, length) : Tensor()};
  }
};
State joined(const std::vector<State>& parts) {
  std::vector<Tensor> h, c;
  for (const State& s : parts) {
    h.push_back(s.h);
    if (s.c.defined()) c.push_back(s.c);
  }
  return {cat(h, 0), c.empty() ? Tensor() : cat(c, 0)};
}

enum class Cell { kLstm, kGru, kTanh, kRelu };

// One step from the input's share of the gates.
State step(Cell cell, const Tensor& input_gates, const State& state, const Weights& w) {
  const Tensor hidden_gates = linear(state.h, w.w_hh, w.b_hh);
  switch (cell) {
    case Cell::kLstm: {
      State next;
      if (has_kernel(input_gates)) {
        const auto [hy, cy, workspace] = _lstm_cell_gates(input_gates, hidden_gates, state.c);
        next = {hy, cy};
      } else {
        const std::vector<Tensor> gates = input_gates.add(hidden_gates).chunk(4, 1);
        next.c = gates[1].sigmoid().mul(state.c).add(gates[0].sigmoid().mul(gates[2].tanh()));
        next.h = gates[3].sigmoid().mul(next.c.tanh());
      }
      if (w.w_hr) next.h = linear(next.h, *w.w_hr, std::nullopt);
      return next;
    }
    case Cell::kGru: {
      if (has_kernel(input_gates)) return {std::get<0>(_gru_cell_gates(input_gates, hidden_gates, state.h)), {}};
      const std::vector<Tensor> in = input_gates.chunk(3, 1), hidden = hidden_gates.chunk(3, 1);
      const Tensor reset = in[0].add(hidden[0]).sigmoid(), update = in[1].add(hidden[1]).sigmoid();
      const Tensor fresh = in[2].add(reset.mul(hidden[2])).tanh();
      return {state.h.sub(fresh).mul(update).add(fresh), {}};
    }
    case Cell::kTanh:
      return {input_gates.add(hidden_gates).tanh(), {}};
    case Cell::kRelu:
      return {input_gates.add(hidden_gates).relu(), {}};
  }
  return {};
}

// One direction over (time, batch, features).
Tensor run_padded(Cell cell, const Tensor& input, State& state, const Weights& w, bool reverse) {
  const std::vector<Tensor> gates = linear(input, w.w_ih, w.b_ih).unbind(0);
  std::vector<Tensor> outputs(gates.size());
  for (std::size_t i = 0; i < gates.size(); ++i) {
    const std::size_t t = reverse ? gates.size() - 1 - i : i;
    state = step(cell, gates[t], state, w);
    outputs[t] = state.h;
  }
  return stack(outputs, 0);
}

// One direction over packed data: the sequences of a step are the first `batch_sizes[t]` ones.
Tensor run_packed(Cell cell, const Tensor& data, IntArray batch_sizes, State& state, const Weights& w, bool reverse) {
  const std::vector<Tensor> gates = linear(data, w.w_ih, w.b_ih).split_with_sizes(batch_sizes, 0);
  std::vector<Tensor> outputs(gates.size());
  const State first = state;
  if (!reverse) {
    std::vector<State> ended;  // states of sequences that are over, shortest last
    std::int64_t running = batch_sizes[0];
    for (std::size_t t = 0; t < gates.size(); ++t) {
      const std::int64_t now = batch_sizes[t];
      if (now < running) {
        ended.push_back(state.narrow(now, running - now));
        state = state.narrow(0, now);
        running = now;
      }
      state = step(cell, gates[t], state, w);
      outputs[t] = state.h;
    }
    ended.push_back(state);
    std::reverse(ended.begin(), ended.end());
    if (ended.size() > 1) state = joined(ended);
  } else {
    std::int64_t running = batch_sizes[gates.size() - 1];
    state = first.narrow(0, running);
    for (std::size_t t = gates.size(); t-- > 0;) {
      const std::int64_t now = batch_sizes[t];
      if (now > running) {
        state = joined({state, first.narrow(running, now - running)});
        running = now;
      }
      state = step(cell, gates[t], state, w);
      outputs[t] = state.h;
    }
  }
  return cat(outputs, 0);
}

struct Network {
  Cell cell;
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
  const bool projected = net.cell == Cell::kLstm && hx.size(2) != cx.size(2);
  const std::vector<Weights> weights = grouped(params, net.has_biases, projected, op);
  const std::int64_t directions = net.bidirectional ? 2 : 1;
  check(static_cast<std::int64_t>(weights.size()) == net.num_layers * directions, op,
        ": got an incorrect number of RNN parameters: ", params.size(), " for ", net.num_layers, " layers");
  check(hx.size(0) == net.num_layers * directions, op, ": Expected hidden size (", net.num_layers * directions,
        ", ...), got ", hx.sizes());
  check(!batch_sizes || batch_sizes->size() > 0, op, ": Length of packed batch sizes should be at least 1");
  check(batch_sizes || input.size(0) > 0, op, ": Expected sequence length to be larger than 0 in RNN");
  const std::vector<Tensor> h = hx.unbind(0), c = cx.defined() ? cx.unbind(0) : std::vector<Tensor>{};
  Result result{input, {}, {}};
  std::vector<Tensor> last_h, last_c;
  for (std::int64_t layer = 0; layer < net.num_layers; ++layer) {
    std::vector<Tensor> sides;
    for (std::int64_t direction = 0; direction < directions; ++direction) {
      const auto which = static_cast<std::size_t>(layer * directions + direction);
      State state{h[which], c.empty() ? Tensor() : c[which]};
      sides.push_back(batch_sizes
                          ? run_packed(net.cell, result.output, *batch_sizes, state, weights[which], direction == 1)
                          : run_padded(net.cell, result.output, state, weights[which], direction == 1));
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
  if (batch_first) result.output = result.output.transpose(0, 1);
  return result;
}

Result run_data(const Network& net, const Tensor& data, const Tensor& batch_sizes, const Tensor& hx, const Tensor& cx,
                TensorList params, const char* op) {
  check(batch_sizes.dtype() == Dtype::kInt64 && batch_sizes.dim() == 1, op,
        ": batch_sizes should be a 1-D int64 CPU "
        "tensor, got ",
        batch_sizes);
  const Tensor dense = batch_sizes.contiguous();
  const IntArray sizes(std::span(dense.data<std::int64_t>(), static_cast<std::size_t>(dense.numel())));
  return run(net, data, &sizes, hx, cx, params, op);
}

State one_cell(Cell cell, const Tensor& input, const State& state, const Weights& w) {
  return step(cell, linear(input, w.w_ih, w.b_ih), state, w);
}

void check_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh, const char* op) {
  check(input.dim() == 2 && hx.dim() == 2 && w_ih.dim() == 2 && w_hh.dim() == 2, op, ": matrices expected, got ", input,
        ", ", hx, ", ", w_ih, " and ", w_hh);
  check(input.size(1) == w_ih.size(1), op, ": input has inconsistent input_size: got ", input.size(1), " expected ",
        w_ih.size(1));
  check(input.size(0) == hx.size(0), op, ": Input batch size ", input.size(0), " doesn't match hidden batch size ",
        hx.size(0));
}

const Tensor& second(TensorList hx, const char* op) {
  check(hx.size() == 2, op, " expects two hidden states, got ", hx.size());
  return hx[1];
}

}  // namespace

namespace ops {

std::tuple<Tensor, Tensor, Tensor> _lstm_cell_gates(const Tensor& input_gates, const Tensor& hidden_gates,
                                                    const Tensor& cx) {
  check(input_gates.sizes() == hidden_gates.sizes() && input_gates.size(-1) == 4 * cx.size(-1) &&
            input_gates.size(0) == cx.size(0) && input_gates.dtype() == cx.dtype() &&
            hidden_gates.dtype() == cx.dtype(),
        "lstm_cell: gates of four times the hidden size expected, got ", input_gates, ", ", hidden_gates, " and ", cx);
  const NoGradGuard no_grad;
  const Tensor hy = empty_tensor(cx.sizes(), cx.dtype(), cx.device()),
               cy = empty_tensor(cx.sizes(), cx.dtype(), cx.device());
  const Tensor workspace = empty_tensor(input_gates.sizes(), cx.dtype(), cx.device());
  lstm_cell_kernel(cx.device(), input_gates.contiguous(), hidden_gates.contiguous(), cx.contiguous(), hy, cy,
                   workspace);
  return {hy, cy, workspace};
}

std::tuple<Tensor, Tensor> _gru_cell_gates(const Tensor& input_gates, const Tensor& hidden_gates, const Tensor& hx) {
  check(input_gates.sizes() == hidden_gates.sizes() && input_gates.size(-1) == 3 * hx.size(-1) &&
            input_gates.size(0) == hx.size(0) && input_gates.dtype() == hx.dtype() &&
            hidden_gates.dtype() == hx.dtype(),
        "gru_cell: gates of three times the hidden size expected, got ", input_gates, ", ", hidden_gates, " and ", hx);
  const NoGradGuard no_grad;
  const Tensor hy = empty_tensor(hx.sizes(), hx.dtype(), hx.device());
  const Tensor workspace = empty_tensor({hx.size(0), 5 * hx.size(1)}, hx.dtype(), hx.device());
  gru_cell_kernel(hx.device(), input_gates.contiguous(), hidden_gates.contiguous(), hx.contiguous(), hy, workspace);
  return {hy, workspace};
}

}  // namespace ops

std::tuple<Tensor, Tensor, Tensor> lstm_gates_backward(const Tensor& grad_hy, const Tensor& grad_cy,
                                                       const Tensor& input_gates, const Tensor& hidden_gates,
                                                       const Tensor& cx, const Tensor& cy, const Tensor& workspace) {
  if (!grad_hy.defined() && !grad_cy.defined()) return {};
  if (thread.modes & kGradOff) {
    const auto dense = [](const Tensor& t) { return t.defined() ? t.contiguous() : t; };
    const Tensor gates = empty_tensor(workspace.sizes(), cx.dtype(), cx.device());
    const Tensor grad_cx = empty_tensor(cx.sizes(), cx.dtype(), cx.device());
    lstm_cell_backward_kernel(cx.device(), dense(grad_hy), dense(grad_cy), cx.contiguous(), cy, workspace, gates,
                              grad_cx);
    return {gates, gates, grad_cx};
  }
  // Recorded: from the gates again, so that it can be differentiated.
  const std::vector<Tensor> gate = input_gates.add(hidden_gates).chunk(4, 1);
  const Tensor i = gate[0].sigmoid(), f = gate[1].sigmoid(), g = gate[2].tanh(), o = gate[3].sigmoid();
  const Tensor t = f.mul(cx).add(i.mul(g)).tanh();
  const auto slope = [](const Tensor& s) { return s.sub(s.mul(s)); };
  const auto curve = [](const Tensor& s) { return s.mul(s).neg().add(Scalar(1)); };
  Tensor dc = grad_cy;
  Tensor d_o = zeros_like(o);
  if (grad_hy.defined()) {
    const Tensor through = grad_hy.mul(o).mul(curve(t));
    dc = dc.defined() ? dc.add(through) : through;
    d_o = grad_hy.mul(t).mul(slope(o));
  }
  const Tensor gates =
      cat(std::vector<Tensor>{dc.mul(g).mul(slope(i)), dc.mul(cx).mul(slope(f)), dc.mul(i).mul(curve(g)), d_o}, 1);
  return {gates, gates, dc.mul(f)};
}

std::tuple<Tensor, Tensor, Tensor> gru_gates_backward(const Tensor& grad_hy, const Tensor& input_gates,
                                                      const Tensor& hidden_gates, const Tensor& hx,
                                                      const Tensor& workspace) {
  if (!grad_hy.defined()) return {};
  if (thread.modes & kGradOff) {
    const Tensor input = empty_tensor(input_gates.sizes(), hx.dtype(), hx.device());
    const Tensor hidden = empty_tensor(input_gates.sizes(), hx.dtype(), hx.device());
    const Tensor grad_hx = empty_tensor(hx.sizes(), hx.dtype(), hx.device());
    gru_cell_backward_kernel(hx.device(), grad_hy.contiguous(), workspace, input, hidden, grad_hx);
    return {input, hidden, grad_hx};
  }
  const std::vector<Tensor> in = input_gates.chunk(3, 1), hidden = hidden_gates.chunk(3, 1);
  const Tensor r = in[0].add(hidden[0]).sigmoid(), z = in[1].add(hidden[1]).sigmoid();
  const Tensor fresh = in[2].add(r.mul(hidden[2])).tanh();
  const auto slope = [](const Tensor& s) { return s.sub(s.mul(s)); };
  const Tensor dz = grad_hy.mul(hx.sub(fresh)).mul(slope(z));
  const Tensor dn = grad_hy.sub(grad_hy.mul(z)).mul(fresh.mul(fresh).neg().add(Scalar(1)));
  const Tensor dr = dn.mul(hidden[2]).mul(slope(r));
  return {cat(std::vector<Tensor>{dr, dz, dn}, 1), cat(std::vector<Tensor>{dr, dz, dn.mul(r)}, 1), grad_hy.mul(z)};
}

std::tuple<Tensor, Tensor, Tensor> lstm(const Tensor& input, TensorList hx, TensorList params, bool has_biases,
                                        std::int64_t num_layers, double dropout, bool train, bool bidirectional,
                                        bool batch_first) {
  const Tensor& cx = second(hx, "lstm");
  Result r = run_input({Cell::kLstm, has_biases, num_layers, dropout, train, bidirectional}, input, hx[0], cx, params,
                       batch_first, "lstm");
  return {r.output, r.h, r.c};
}
std::tuple<Tensor, Tensor, Tensor> lstm(const Tensor& data, const Tensor& batch_sizes, TensorList hx, TensorList params,
                                        bool has_biases, std::int64_t num_layers, double dropout, bool train,
                                        bool bidirectional) {
  const Tensor& cx = second(hx, "lstm");
  Result r = run_data({Cell::kLstm, has_biases, num_layers, dropout, train, bidirectional}, data, batch_sizes, hx[0],
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
RL_NETWORK(gru, Cell::kGru)
RL_NETWORK(rnn_tanh, Cell::kTanh)
RL_NETWORK(rnn_relu, Cell::kRelu)
#undef RL_NETWORK

std::tuple<Tensor, Tensor> lstm_cell(const Tensor& input, TensorList hx, const Tensor& w_ih, const Tensor& w_hh,
                                     const Maybe& b_ih, const Maybe& b_hh) {
  const Tensor& cx = second(hx, "lstm_cell");
  check_cell(input, hx[0], w_ih, w_hh, "lstm_cell");
  const State next = one_cell(Cell::kLstm, input, {hx[0], cx}, {w_ih, w_hh, b_ih, b_hh, {}});
  return {next.h, next.c};
}
Tensor gru_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh, const Maybe& b_ih,
                const Maybe& b_hh) {
  check_cell(input, hx, w_ih, w_hh, "gru_cell");
  return one_cell(Cell::kGru, input, {hx, {}}, {w_ih, w_hh, b_ih, b_hh, {}}).h;
}
Tensor rnn_tanh_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh, const Maybe& b_ih,
                     const Maybe& b_hh) {
  check_cell(input, hx, w_ih, w_hh, "rnn_tanh_cell");
  return one_cell(Cell::kTanh, input, {hx, {}}, {w_ih, w_hh, b_ih, b_hh, {}}).h;
}
Tensor rnn_relu_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh, const Maybe& b_ih,
                     const Maybe& b_hh) {
  check_cell(input, hx, w_ih, w_hh, "rnn_relu_cell");
  return one_cell(Cell::kRelu, input, {hx, {}}, {w_ih, w_hh, b_ih, b_hh, {}}).h;
}

// Runs of steps with the same number of sequences.
std::tuple<Tensor, Tensor> _pack_padded_sequence(const Tensor& input_, const Tensor& lengths, bool batch_first) {
  const Tensor input = batch_first ? input_.transpose(0, 1) : input_;
  check(lengths.dtype() == Dtype::kInt64 && lengths.dim() == 1,
        "_pack_padded_sequence: 'lengths' argument should be a 1D "
        "CPU int64 tensor, but got ",
        lengths);
  const Tensor dense = lengths.contiguous();
  const std::int64_t* length = dense.data<std::int64_t>();
  const std::int64_t batch = input.size(1);
  check(input.numel() > 0, "_pack_padded_sequence: Cannot pack empty tensors.");
  check(lengths.numel() == batch, "Expected `len(lengths)` to be equal to batch_size, but got ", lengths.numel(),
        " (batch_size=", batch, ")");
  check(length[batch - 1] > 0,
        "Length of all samples has to be greater than 0, but found an element in 'lengths' that is "
        "<= 0");
  for (std::int64_t i = 1; i < batch; ++i)
    check(length[i - 1] >= length[i],
          "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. "
          "You can pass `enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to "
          "sidestep this requirement if "
          "you do not need ONNX exportability.");
  check(length[0] <= input.size(0), "_pack_padded_sequence: Expected `lengths` up to ", input.size(0), ", got ",
        length[0]);
  const Tensor batch_sizes = empty_tensor({length[0]}, Dtype::kInt64);
  std::int64_t* sizes = batch_sizes.mutable_data<std::int64_t>();
  Sizes shape = input.sizes().vec();
  shape.erase(shape.begin());
  shape[0] = -1;
  std::vector<Tensor> parts;
  std::int64_t done = 0;
  for (std::int64_t i = batch; i-- > 0;) {
    const std::int64_t steps = length[i] - done;
    if (steps <= 0) continue;
    parts.push_back(input.narrow(0, done, steps).narrow(1, 0, i + 1).reshape(shape));
    std::fill_n(sizes + done, steps, i + 1);
    done = length[i];
  }
  return {parts.size() == 1 ? parts[0] : cat(parts, 0), batch_sizes};
}

std::tuple<Tensor, Tensor> _pad_packed_sequence(const Tensor& data, const Tensor& batch_sizes, bool batch_first,
                                                const Scalar& padding_value, std::int64_t total_length) {
  check(batch_sizes.dtype() == Dtype::kInt64 && batch_sizes.dim() == 1 && batch_sizes.numel() > 0,
        "_pad_packed_sequence: batch_sizes should be a 1-D int64 CPU tensor, got ", batch_sizes);
  const Tensor dense = batch_sizes.contiguous();
  const std::int64_t *sizes = dense.data<std::int64_t>(), most = sizes[0];
  std::int64_t steps = batch_sizes.numel();
  check(total_length <= 0 || total_length >= steps,
        "Expected total_length to be at least the length of the longest "
        "sequence in input, but got total_length=",
        total_length, " and max sequence length being ", steps);
  const Tensor lengths = empty_tensor({most}, Dtype::kInt64);
  for (std::int64_t i = 0; i < most; ++i) {
    std::int64_t length = 0;
    while (length < steps && sizes[length] > i)
      ++length;
    lengths.mutable_data<std::int64_t>()[i] = length;
  }
  Sizes pads(static_cast<std::size_t>(2 * (data.dim() - 1)), 0);  // of the features: none
  std::vector<Tensor> parts;
  std::int64_t at = 0;
  for (std::int64_t t = 0; t < steps;) {
    std::int64_t end = t;
    while (end < steps && sizes[end] == sizes[t])
      ++end;
    Sizes shape = data.sizes().vec();
    shape[0] = sizes[t];
    shape.insert(shape.begin(), end - t);
    Sizes padding = pads;
    padding.insert(padding.end(), {0, most - sizes[t]});
    const Tensor rows = data.narrow(0, at, (end - t) * sizes[t]).view(shape);
    parts.push_back(sizes[t] == most ? rows : constant_pad_nd(rows, padding, padding_value));
    at += (end - t) * sizes[t];
    t = end;
  }
  Tensor padded = parts.size() == 1 ? parts[0] : cat(parts, 0);
  if (total_length > steps) {
    Sizes padding = pads;
    padding.insert(padding.end(), {0, 0, 0, total_length - steps});
    padded = constant_pad_nd(padded, padding, padding_value);
  }
  return {batch_first ? padded.transpose(0, 1) : padded, lengths};
}

Tensor pad_sequence(TensorList sequences, bool batch_first, double padding_value, std::string_view padding_side) {
  check(!sequences.empty(), "pad_sequence: received an empty list of sequences");
  check(padding_side == "left" || padding_side == "right",
        "pad_sequence: Expected padding_side to be one of left or right, "
        "but got ",
        std::string(padding_side), ".");
  std::int64_t most = 0;
  for (const Tensor& t : sequences) {
    check(t.dim() > 0, "pad_sequence: sequences need a dimension, got ", t);
    most = std::max(most, t.size(0));
  }
  std::vector<Tensor> padded;
  for (const Tensor& t : sequences) {
    Sizes pads(static_cast<std::size_t>(2 * (t.dim() - 1)), 0);
    const std::int64_t rest = most - t.size(0);
    pads.insert(pads.end(), {padding_side == "left" ? rest : 0, padding_side == "left" ? 0 : rest});
    padded.push_back(rest == 0 ? t : constant_pad_nd(t, pads, Scalar(padding_value)));
  }
  return stack(padded, batch_first ? 0 : 1);
}

}  // namespace rushlight
