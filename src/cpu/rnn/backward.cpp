// Recurrent layers backward: gradients of the gates of all steps, from the last that ran to the first.
#include "cpu/rnn/gates.h"
#include "cpu/rnn/steps.h"

namespace rushlight {
namespace rnn {
namespace {

template <class T>
class BackwardPass {
 public:
  BackwardPass(const RnnLayer& layer, const RnnGradients& gradients)
      : layer_(layer),
        gradients_(gradients),
        steps_(layer),
        hidden_(layer.hidden()),
        state_(layer.state()),
        from_gates_(layer.w_hh.sizes()[0], state_, weights(layer.w_hh), steps_.count()),
        unprojected_(layer.w_hr.defined() ? steps_.batch() * hidden_ : 0) {
    if (layer.w_hr.defined()) from_state_.emplace(state_, hidden_, weights(layer.w_hr), steps_.count());
  }

  void run() const {
    steps_.for_sequences([&](Index begin, Index end) {
      for (std::size_t place = steps_.count(); place-- > 0;) {
        const std::size_t step = steps_.at(place);
        const Index rows = steps_.active(step, begin, end);
        if (rows > 0) run_step(step, begin, end, rows);
      }
    });
  }

 private:
  static gemm::View<T> weights(const TensorBase& matrix) { return {matrix.data<T>(), matrix.sizes()[1], 1}; }
  static T* optional_row(const TensorBase& matrix, Index row) {
    return matrix.defined() ? row_of<T>(matrix, row) : nullptr;
  }

  void run_step(std::size_t step, Index begin, Index end, Index rows) const {
    const Index row = steps_.first(step) + begin;
    // Sequences that took part in the step before have their states there, the others started with hx and cx.
    const bool has_before = steps_.has_before(step);
    const Index old = has_before ? std::min(rows, steps_.active(steps_.before(step), begin, end)) : 0;
    const Index old_row = has_before ? steps_.first(steps_.before(step)) + begin : 0;
    T* const before = row_of<T>(gradients_.before, row);
    if (old > 0) copy_rows(before, row_of<T>(layer_.output, old_row), old, state_);
    copy_rows(before + old * state_, row_of<T>(layer_.hx, begin + old), rows - old, state_);

    T* const grad_state = row_of<T>(gradients_.hx, begin);
    Backward<T> part{rows,
                     hidden_,
                     row_of<T>(layer_.gates, row),
                     optional_row(layer_.cells, row),
                     before,
                     optional_row(gradients_.output, row),
                     grad_state,
                     optional_row(gradients_.cx, begin),
                     row_of<T>(gradients_.input_gates, row),
                     row_of<T>(gradients_.hidden_gates, row),
                     nullptr};
    switch (layer_.cell) {
      case RnnCell::kLstm:
        if (from_state_) unproject(part, begin, row);
        run_lstm(part, begin, old, old_row);
        break;
      case RnnCell::kGru:
        gru_backward(part);
        break;
      case RnnCell::kTanh:
        tanh_backward(part);
        break;
      case RnnCell::kRelu:
        relu_backward(part);
        break;
    }
    from_gates_.multiply(rows, part.hidden_gates, grad_state, state_, layer_.cell == RnnCell::kGru);
  }

  // From the gradient of the projected state to that of the state before.
  void unproject(Backward<T>& part, Index begin, Index row) const {
    T* const projected = row_of<T>(gradients_.projected, row);
    for (Index i = 0; i < part.rows * state_; ++i)
      projected[i] = part.grad_state[i] + (part.grad_output ? part.grad_output[i] : T(0));
    part.grad_state = unprojected_.get() + begin * hidden_;
    part.grad_output = nullptr;
    part.unprojected = row_of<T>(gradients_.unprojected, row);
    from_state_->multiply(part.rows, projected, part.grad_state, hidden_, false);
  }

  // Cell states before the step are in two places.
  void run_lstm(const Backward<T>& all, Index begin, Index old, Index old_row) const {
    if (old > 0) {
      Backward<T> part = all;
      part.rows = old;
      part.before = row_of<T>(layer_.cells, old_row);
      lstm_backward(part);
    }
    if (old == all.rows) return;
    const auto later = [&](auto* matrix, Index width) { return matrix ? matrix + old * width : nullptr; };
    lstm_backward(Backward<T>{all.rows - old, hidden_, all.gates + old * 4 * hidden_, later(all.cells, hidden_),
                              row_of<T>(layer_.cx, begin + old), later(all.grad_output, hidden_),
                              later(all.grad_state, hidden_), later(all.grad_cell_state, hidden_),
                              all.input_gates + old * 4 * hidden_, all.hidden_gates, later(all.unprojected, hidden_)});
  }

  const RnnLayer& layer_;
  const RnnGradients& gradients_;
  Steps steps_;
  Index hidden_, state_;
  StepMatrix<T> from_gates_;
  std::optional<StepMatrix<T>> from_state_;
  Buffer<T> unprojected_;
};

void run_layer_backward(const RnnLayer& layer, const RnnGradients& gradients) {
  if (layer.output.dtype() == Dtype::kFloat32)
    BackwardPass<float>(layer, gradients).run();
  else
    BackwardPass<double>(layer, gradients).run();
}

}  // namespace
}  // namespace rnn

const Kernel<void(const RnnLayer&, const RnnGradients&)> rnn_layer_backward_kernel{rnn::run_layer_backward};

}  // namespace rushlight
