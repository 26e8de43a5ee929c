// The arithmetic of recurrent cells on a few rows, between two products.
#pragma once
#include <cstddef>

namespace rushlight::rnn {

using Index = std::ptrdiff_t;

// Rows of a step. Matrices are (rows, hidden) and contiguous; `gates` has `gate_count` times that.
template <class T>
struct Forward {
  Index rows, hidden;
  T* gates;  // in: sums; out: activated
  T* cells;  // LSTM: out, the new cell states; GRU: in, the hidden share of the new gate
  T* state;  // hidden state; GRU: in and out; null: not wanted
  T* cell_state;
  T* output;
};
void lstm_forward(const Forward<float>& rows);
void lstm_forward(const Forward<double>& rows);
void gru_forward(const Forward<float>& rows);
void gru_forward(const Forward<double>& rows);
void tanh_forward(const Forward<float>& rows);
void tanh_forward(const Forward<double>& rows);
void relu_forward(const Forward<float>& rows);
void relu_forward(const Forward<double>& rows);

template <class T>
struct Backward {
  Index rows, hidden;
  const T* gates;
  const T* cells;
  const T* before;       // LSTM: cell states before the step; GRU: hidden states
  const T* grad_output;  // null: none
  T* grad_state;         // of the hidden state: in; GRU: out, the share that passes by the gates
  T* grad_cell_state;    // LSTM: in and out
  T* input_gates;        // out
  T* hidden_gates;       // GRU: out
  T* unprojected;        // LSTM: out, the state before its projection; null: not wanted
};
void lstm_backward(const Backward<float>& rows);
void lstm_backward(const Backward<double>& rows);
void gru_backward(const Backward<float>& rows);
void gru_backward(const Backward<double>& rows);
void tanh_backward(const Backward<float>& rows);
void tanh_backward(const Backward<double>& rows);
void relu_backward(const Backward<float>& rows);
void relu_backward(const Backward<double>& rows);

}  // namespace rushlight::rnn
