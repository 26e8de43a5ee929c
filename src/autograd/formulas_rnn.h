// Derivative of a recurrent layer.
#pragma once
#include <array>
#include <tuple>

#include "rushlight/tensor.h"

namespace rushlight {

// Of the input, the initial states, the weights of the input and of the state, both biases, and the projection.
using RnnLayerGradients = std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor>;
RnnLayerGradients rnn_layer_backward(const Tensor& grad_output, const Tensor& grad_hy, const Tensor& grad_cy,
                                     const Tensor& input, const Tensor& hx, const std::optional<Tensor>& cx,
                                     const Tensor& w_ih, const Tensor& w_hh, const std::optional<Tensor>& b_ih,
                                     const std::optional<Tensor>& b_hh, const std::optional<Tensor>& w_hr,
                                     const Tensor& gates, const Tensor& cells, const Tensor& states,
                                     IntArray batch_sizes, std::int64_t cell, bool reverse,
                                     const std::array<bool, 8>& mask);

// What `grad_fn` shows: PyTorch's name for the last of the operators that it composes there.
const char* rnn_layer_title(std::int64_t cell, std::int64_t form);

}  // namespace rushlight
