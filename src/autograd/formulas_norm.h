// Derivatives of softmax, normalisation and losses: each can be differentiated again.
#pragma once
#include <array>
#include <tuple>

#include "rushlight/tensor.h"

namespace rushlight {

// d/d(output) of _softmax_backward_data(grad_output, output) and of its logarithmic form, times grad.
Tensor softmax_double_backward(const Tensor& grad, const Tensor& grad_output, const Tensor& output, std::int64_t dim);
Tensor log_softmax_double_backward(const Tensor& grad, const Tensor& grad_output, const Tensor& output,
                                   std::int64_t dim);
Tensor log_softmax_backward_transposed(const Tensor& grad, const Tensor& output, std::int64_t dim);

}  // namespace rushlight
