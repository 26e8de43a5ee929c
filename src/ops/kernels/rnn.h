// Kernels of recurrent cells: everything after the two products, in one pass. float32 and float64,
// contiguous.
#pragma once
#include "ops/kernel.h"

namespace rushlight {

// gates (batch, 4 hidden) = input + hidden, in the order input, forget, cell, output; `workspace`
// keeps them after their activations.
extern const Kernel<void(const TensorBase& input_gates, const TensorBase& hidden_gates, const TensorBase& cx,
                         const TensorBase& hy, const TensorBase& cy, const TensorBase& workspace)>
    lstm_cell_kernel;
// grad_hy or grad_cy may be undefined.
extern const Kernel<void(const TensorBase& grad_hy, const TensorBase& grad_cy, const TensorBase& cx,
                         const TensorBase& cy, const TensorBase& workspace, const TensorBase& grad_gates,
                         const TensorBase& grad_cx)>
    lstm_cell_backward_kernel;
// gates (batch, 3 hidden) in the order reset, update, new; `workspace` (batch, 5 hidden): the three
// activations, hx, and the hidden part of the new gate.
extern const Kernel<void(const TensorBase& input_gates, const TensorBase& hidden_gates, const TensorBase& hx,
                         const TensorBase& hy, const TensorBase& workspace)>
    gru_cell_kernel;
extern const Kernel<void(const TensorBase& grad_hy, const TensorBase& workspace, const TensorBase& grad_input_gates,
                         const TensorBase& grad_hidden_gates, const TensorBase& grad_hx)>
    gru_cell_backward_kernel;

}  // namespace rushlight
