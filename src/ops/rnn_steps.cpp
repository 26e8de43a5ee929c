// The composed form of a recurrent layer: one operator after the other, step by step.
#include <algorithm>

#include "ops/rnn.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace {

// One step from the input's share of the gates.
RnnState composed_step(RnnCell cell, const Tensor& input_gates, const RnnState& state, const RnnWeights& w) {
  const Tensor hidden_gates = linear(state.h, w.w_hh, w.b_hh);
  const std::int64_t each = cell == RnnCell::kLstm ? 4 : cell == RnnCell::kGru ? 3 : 1;
  check(input_gates.sizes() == hidden_gates.sizes() && input_gates.size(-1) % each == 0, "rnn: gates of ", each,
        " times the hidden size expected, got ", input_gates, " and ", hidden_gates);
  switch (cell) {
    case RnnCell::kLstm: {
      const std::vector<Tensor> gates = input_gates.add(hidden_gates).chunk(4, 1);
      const Tensor c = gates[1].sigmoid().mul(state.c).add(gates[0].sigmoid().mul(gates[2].tanh()));
      const Tensor h = gates[3].sigmoid().mul(c.tanh());
      return {w.w_hr ? linear(h, *w.w_hr, std::nullopt) : h, c};
    }
    case RnnCell::kGru: {
      const std::vector<Tensor> in = input_gates.chunk(3, 1), hidden = hidden_gates.chunk(3, 1);
      const Tensor reset = in[0].add(hidden[0]).sigmoid(), update = in[1].add(hidden[1]).sigmoid();
      const Tensor fresh = in[2].add(reset.mul(hidden[2])).tanh();
      return {state.h.sub(fresh).mul(update).add(fresh), {}};
    }
    case RnnCell::kTanh:
      return {input_gates.add(hidden_gates).tanh(), {}};
    case RnnCell::kRelu:
      return {input_gates.add(hidden_gates).relu(), {}};
  }
  return {};
}

Tensor joined(const Tensor& first, const Tensor& second) { return cat(std::vector<Tensor>{first, second}, 0); }

RnnState rows(const RnnState& state, std::int64_t start, std::int64_t length) {
  return {state.h.narrow(0, start, length), state.c.defined() ? state.c.narrow(0, start, length) : Tensor()};
}
RnnState joined(const RnnState& first, const RnnState& second) {
  return {joined(first.h, second.h), first.c.defined() ? joined(first.c, second.c) : Tensor()};
}

}  // namespace

Tensor composed_rnn_layer(RnnCell cell, const Tensor& input, RnnState& state, const RnnWeights& weights,
                          IntArray batch_sizes, bool reverse) {
  const std::vector<Tensor> gates = linear(input, weights.w_ih, weights.b_ih).split_with_sizes(batch_sizes, 0);
  std::vector<Tensor> outputs(gates.size());
  for (std::size_t i = 0; i < gates.size(); ++i) {
    const std::size_t step = reverse ? gates.size() - 1 - i : i;
    const std::int64_t active = batch_sizes[step], others = state.h.size(0) - active;
    if (others == 0) {
      state = composed_step(cell, gates[step], state, weights);
      outputs[step] = state.h;
    } else {  // sequences that are over, or have not begun, keep their state
      const RnnState next = composed_step(cell, gates[step], rows(state, 0, active), weights);
      outputs[step] = next.h;
      state = joined(next, rows(state, active, others));
    }
  }
  return cat(outputs, 0);
}

}  // namespace rushlight
