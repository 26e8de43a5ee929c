// Recurrent layers in two forms: one recorded operator, and a composition of operators step by step.
#pragma once
#include "ops/kernels/rnn.h"
#include "rushlight/tensor.h"

namespace rushlight {

// How a layer is used, which decides the name that `grad_fn` shows. PyTorch has one operator for padded LSTM layers of
// float32 and bfloat16 (kFused) and composes the others.
enum class RnnForm : std::uint8_t { kFused, kPadded, kPacked, kStep };

// The weights of one direction of one layer.
struct RnnWeights {
  Tensor w_ih, w_hh;
  std::optional<Tensor> b_ih, b_hh;
  std::optional<Tensor> w_hr;  // projection of the hidden state of an LSTM
};

// The hidden state of a direction: h, and c for an LSTM.
struct RnnState {
  Tensor h, c;
};

// The composed form: differentiable any number of times, in every dtype. `input` has a row for every sequence of every
// step; returns the outputs in the same rows and replaces `state`.
Tensor composed_rnn_layer(RnnCell cell, const Tensor& input, RnnState& state, const RnnWeights& weights,
                          IntArray batch_sizes, bool reverse);

}  // namespace rushlight
