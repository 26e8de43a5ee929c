// Recurrent layers and cells: RNN, LSTM, GRU.
#pragma once
#include "rushlight/choices.h"
#include "rushlight/nn/module.h"
#include "rushlight/nn/options.h"

namespace rushlight::nn {

class RNNOptions {
 public:
  RNNOptions(std::int64_t input, std::int64_t hidden) : input_size_(input), hidden_size_(hidden) {}
  RL_OPTION(std::int64_t, input_size);
  RL_OPTION(std::int64_t, hidden_size);
  RL_OPTION(std::int64_t, num_layers) = 1;
  RL_OPTION(bool, bias) = true;
  RL_OPTION(bool, batch_first) = false;
  RL_OPTION(double, dropout) = 0;
  RL_OPTION(bool, bidirectional) = false;
  RL_OPTION(Choice, nonlinearity) = kTanh;  // of RNN: kTanh or kReLU
};
using LSTMOptions = RNNOptions;
using GRUOptions = RNNOptions;

// Weights w_ih, w_hh, b_ih, b_hh of every layer and direction, uniform within 1/sqrt(hidden_size).
class RNNBaseImpl : public Module {
 public:
  void reset_parameters();
  RNNOptions options;

 protected:
  RNNBaseImpl(const RNNOptions& settings, const char* kind, std::int64_t gates);
  void pretty_print(std::ostream& stream) const override;
  Tensor zero_state(const Tensor& input) const;
  std::vector<Tensor> flat_;

 private:
  const char* kind_;
};

// (L, N, in) or, batch first, (N, L, in) -> outputs of the last layer and the last state of every layer.
class RNNImpl : public RNNBaseImpl {
 public:
  RNNImpl(std::int64_t input, std::int64_t hidden) : RNNImpl(RNNOptions(input, hidden)) {}
  explicit RNNImpl(const RNNOptions& settings) : RNNBaseImpl(settings, "RNN", 1) {}
  std::tuple<Tensor, Tensor> forward(const Tensor& input, const Tensor& state = {}) const;
};
TORCH_MODULE(RNN);
class GRUImpl : public RNNBaseImpl {
 public:
  GRUImpl(std::int64_t input, std::int64_t hidden) : GRUImpl(GRUOptions(input, hidden)) {}
  explicit GRUImpl(const GRUOptions& settings) : RNNBaseImpl(settings, "GRU", 3) {}
  std::tuple<Tensor, Tensor> forward(const Tensor& input, const Tensor& state = {}) const;
};
TORCH_MODULE(GRU);
class LSTMImpl : public RNNBaseImpl {
 public:
  using State = std::tuple<Tensor, Tensor>;
  LSTMImpl(std::int64_t input, std::int64_t hidden) : LSTMImpl(LSTMOptions(input, hidden)) {}
  explicit LSTMImpl(const LSTMOptions& settings) : RNNBaseImpl(settings, "LSTM", 4) {}
  std::tuple<Tensor, State> forward(const Tensor& input, const std::optional<State>& state = {}) const;
};
TORCH_MODULE(LSTM);

class RNNCellOptions {
 public:
  RNNCellOptions(std::int64_t input, std::int64_t hidden) : input_size_(input), hidden_size_(hidden) {}
  RL_OPTION(std::int64_t, input_size);
  RL_OPTION(std::int64_t, hidden_size);
  RL_OPTION(bool, bias) = true;
  RL_OPTION(Choice, nonlinearity) = kTanh;
};
using LSTMCellOptions = RNNCellOptions;
using GRUCellOptions = RNNCellOptions;

class RNNCellBaseImpl : public Module {
 public:
  void pretty_print(std::ostream& stream) const override;
  RNNCellOptions options;
  Tensor weight_ih, weight_hh, bias_ih, bias_hh;

 protected:
  RNNCellBaseImpl(const RNNCellOptions& settings, const char* kind, std::int64_t gates);
  Tensor zero_state(const Tensor& input) const;

 private:
  const char* kind_;
};
// (N, in) and the state (N, hidden) -> the next state.
class RNNCellImpl : public RNNCellBaseImpl {
 public:
  RNNCellImpl(std::int64_t input, std::int64_t hidden) : RNNCellImpl(RNNCellOptions(input, hidden)) {}
  explicit RNNCellImpl(const RNNCellOptions& settings) : RNNCellBaseImpl(settings, "RNNCell", 1) {}
  Tensor forward(const Tensor& input, const Tensor& state = {}) const;
};
TORCH_MODULE(RNNCell);
class GRUCellImpl : public RNNCellBaseImpl {
 public:
  GRUCellImpl(std::int64_t input, std::int64_t hidden) : GRUCellImpl(GRUCellOptions(input, hidden)) {}
  explicit GRUCellImpl(const GRUCellOptions& settings) : RNNCellBaseImpl(settings, "GRUCell", 3) {}
  Tensor forward(const Tensor& input, const Tensor& state = {}) const;
};
TORCH_MODULE(GRUCell);
class LSTMCellImpl : public RNNCellBaseImpl {
 public:
  LSTMCellImpl(std::int64_t input, std::int64_t hidden) : LSTMCellImpl(LSTMCellOptions(input, hidden)) {}
  explicit LSTMCellImpl(const LSTMCellOptions& settings) : RNNCellBaseImpl(settings, "LSTMCell", 4) {}
  std::tuple<Tensor, Tensor> forward(const Tensor& input,
                                     const std::optional<std::tuple<Tensor, Tensor>>& state = {}) const;
};
TORCH_MODULE(LSTMCell);

}  // namespace rushlight::nn
