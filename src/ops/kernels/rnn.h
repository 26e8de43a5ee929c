// Kernels of recurrent layers: one direction over all steps, forward and backward, after the products that all steps
// share. float32 and float64, everything contiguous.
#pragma once
#include "ops/kernel.h"

namespace rushlight {

enum class RnnCell : std::uint8_t { kLstm, kGru, kTanh, kRelu };

constexpr std::int64_t gate_count(RnnCell cell) { return cell == RnnCell::kLstm ? 4 : cell == RnnCell::kGru ? 3 : 1; }

// Rows lie step after step; step t has `batch_sizes[t]` of them, never more than the step before. `reverse` runs from
// the last step to the first. Gates are in PyTorch's order: input, forget, cell, output; reset, update, new.
struct RnnLayer {
  RnnCell cell;
  bool reverse;
  IntArray batch_sizes;
  TensorBase w_hh;    // (gates * hidden, state)
  TensorBase b_hh;    // (gates * hidden), or undefined
  TensorBase w_hr;    // (state, hidden), or undefined: then the state is as wide as `hidden`
  TensorBase hx, cx;  // (batch, state), (batch, hidden); cx of an LSTM only
  TensorBase gates;   // (rows, gates * hidden): the input's share before, activated after; plain cells: `output`
  TensorBase cells;   // (rows, hidden): LSTM: states of the cells; GRU: hidden share of the new gate
  TensorBase output;  // (rows, state)
  std::int64_t hidden() const { return w_hh.sizes()[0] / gate_count(cell); }
  std::int64_t state() const { return w_hh.sizes()[1]; }
};

// Fills gates, cells, output and the final states.
extern const Kernel<void(const RnnLayer& layer, const TensorBase& hy, const TensorBase& cy)> rnn_layer_kernel;

// The gradients of a step's parts; products over all steps are left to the caller.
struct RnnGradients {
  TensorBase output;        // in: (rows, state), or undefined
  TensorBase hx, cx;        // in: gradients of the final states; out: of the initial ones
  TensorBase input_gates;   // out: (rows, gates * hidden)
  TensorBase hidden_gates;  // out: the same; GRU: a tensor of its own
  TensorBase before;        // out: (rows, state), the hidden state before each step
  TensorBase projected;     // out: with w_hr: (rows, state), gradient of the state, and
  TensorBase unprojected;   // out: (rows, hidden), the state before w_hr
};
extern const Kernel<void(const RnnLayer& layer, const RnnGradients& gradients)> rnn_layer_backward_kernel;

}  // namespace rushlight
