// Recurrent layers: all steps of one direction.
#include "cpu/rnn/gates.h"
#include "cpu/rnn/steps.h"

namespace rushlight {
namespace rnn {
namespace {

template <class T>
class ForwardPass {
 public:
  ForwardPass(const RnnLayer& layer, const TensorBase& hy, const TensorBase& cy)
      : layer_(layer),
        steps_(layer),
        hidden_(layer.hidden()),
        state_(layer.state()),
        // A GRU's reset and update gates add to the input's share, its new gate stays apart.
        added_(layer.cell == RnnCell::kGru ? 2 * hidden_ : layer.w_hh.sizes()[0]),
        hy_(hy.mutable_data<T>()),
        cy_(cy.defined() ? cy.mutable_data<T>() : nullptr),
        bias_(layer.b_hh.defined() ? layer.b_hh.data<T>() : nullptr),
        to_gates_(state_, added_, weights(layer.w_hh, 0), steps_.count()),
        unprojected_(layer.w_hr.defined() ? steps_.batch() * hidden_ : 0) {
    if (layer.cell == RnnCell::kGru) to_new_gate_.emplace(state_, hidden_, weights(layer.w_hh, added_), steps_.count());
    if (layer.w_hr.defined()) to_state_.emplace(hidden_, state_, weights(layer.w_hr, 0), steps_.count());
    copy_rows(hy_, layer.hx.data<T>(), steps_.batch(), state_);
    if (cy_) copy_rows(cy_, layer.cx.data<T>(), steps_.batch(), hidden_);
  }

  void run() const {
    steps_.for_sequences([&](Index begin, Index end) {
      for (std::size_t place = 0; place < steps_.count(); ++place) {
        const std::size_t step = steps_.at(place);
        const Index rows = steps_.active(step, begin, end);
        if (rows > 0) run_step(begin, rows, steps_.first(step) + begin);
      }
    });
  }

 private:
  // The transposed rows of `matrix` from `first` on.
  static gemm::View<T> weights(const TensorBase& matrix, Index first) {
    return {row_of<T>(matrix, first), 1, matrix.sizes()[1]};
  }

  // `sequence`: the first row of the states; `row`: of everything that has a row for every step.
  void run_step(Index sequence, Index rows, Index row) const {
    T* const state = hy_ + sequence * state_;
    T* const gates = row_of<T>(layer_.gates, row);
    T* const output = row_of<T>(layer_.output, row);
    to_gates_.multiply(rows, state, gates, layer_.gates.sizes()[1], true, bias_);
    T* const cells = layer_.cells.defined() ? row_of<T>(layer_.cells, row) : nullptr;
    Forward<T> step{rows, hidden_, gates, cells, state, cy_ ? cy_ + sequence * hidden_ : nullptr, output};
    switch (layer_.cell) {
      case RnnCell::kLstm:
        if (!to_state_) return lstm_forward(step);
        step.state = nullptr;
        step.output = unprojected_.get() + sequence * hidden_;
        lstm_forward(step);
        to_state_->multiply(rows, step.output, output, state_, false);
        return copy_rows(state, output, rows, state_);
      case RnnCell::kGru:
        to_new_gate_->multiply(rows, state, cells, hidden_, false, bias_ ? bias_ + added_ : nullptr);
        return gru_forward(step);
      case RnnCell::kTanh:
        return tanh_forward(step);
      case RnnCell::kRelu:
        return relu_forward(step);
    }
  }

  const RnnLayer& layer_;
  Steps steps_;
  Index hidden_, state_, added_;
  T *hy_, *cy_;
  const T* bias_;
  StepMatrix<T> to_gates_;
  std::optional<StepMatrix<T>> to_new_gate_, to_state_;
  Buffer<T> unprojected_;
};

void run_layer(const RnnLayer& layer, const TensorBase& hy, const TensorBase& cy) {
  if (layer.output.dtype() == Dtype::kFloat32)
    ForwardPass<float>(layer, hy, cy).run();
  else
    ForwardPass<double>(layer, hy, cy).run();
}

}  // namespace
}  // namespace rnn

const Kernel<void(const RnnLayer&, const TensorBase&, const TensorBase&)> rnn_layer_kernel{rnn::run_layer};

}  // namespace rushlight
