// Recurrent layers and cells.
#include "rushlight/nn/rnn.h"

#include <cmath>
#include <ostream>

#include "rushlight/nn/init.h"

namespace rushlight::nn {

RNNBaseImpl::RNNBaseImpl(const RNNOptions& settings, const char* kind, std::int64_t gates)
    : options(settings), kind_(kind) {
  check<ValueError>(options.hidden_size() > 0 && options.num_layers() > 0, kind,
                    ": hidden_size and num_layers must be greater than zero");
  const int directions = options.bidirectional() ? 2 : 1;
  const std::int64_t rows = gates * options.hidden_size();
  for (std::int64_t layer = 0; layer < options.num_layers(); ++layer) {
    for (int direction = 0; direction < directions; ++direction) {
      const std::string suffix = "_l" + std::to_string(layer) + (direction ? "_reverse" : "");
      const std::int64_t width = layer == 0 ? options.input_size() : options.hidden_size() * directions;
      flat_.push_back(register_parameter("weight_ih" + suffix, empty({rows, width})));
      flat_.push_back(register_parameter("weight_hh" + suffix, empty({rows, options.hidden_size()})));
      if (!options.bias()) continue;
      flat_.push_back(register_parameter("bias_ih" + suffix, empty({rows})));
      flat_.push_back(register_parameter("bias_hh" + suffix, empty({rows})));
    }
  }
  reset_parameters();
}

void RNNBaseImpl::reset_parameters() {
  const double bound = 1 / std::sqrt(static_cast<double>(options.hidden_size()));
  for (const Tensor& weight : flat_)
    init::uniform_(weight, -bound, bound);
}

Tensor RNNBaseImpl::zero_state(const Tensor& input) const {
  const std::int64_t layers = options.num_layers() * (options.bidirectional() ? 2 : 1);
  if (input.dim() == 2) return zeros({layers, options.hidden_size()}, input.options());
  return zeros({layers, input.size(options.batch_first() ? 0 : 1), options.hidden_size()}, input.options());
}

void RNNBaseImpl::pretty_print(std::ostream& stream) const {
  stream << std::boolalpha << "torch::nn::" << kind_ << "(input_size=" << options.input_size()
         << ", hidden_size=" << options.hidden_size() << ", num_layers=" << options.num_layers()
         << ", bias=" << options.bias() << ", batch_first=" << options.batch_first()
         << ", dropout=" << options.dropout() << ", bidirectional=" << options.bidirectional() << ")";
}

namespace {

// Input and state as batches; one sequence without a batch dimension gets one for the call.
struct Batch {
  Batch(const Tensor& sequence, bool batch_first) : single(sequence.dim() == 2), dim(batch_first ? 0 : 1) {
    input = single ? sequence.unsqueeze(dim) : sequence;
  }
  Tensor state(const Tensor& given) const { return single ? given.unsqueeze(1) : given; }
  Tensor output_back(const Tensor& output) const { return single ? output.squeeze(dim) : output; }
  Tensor state_back(const Tensor& state) const { return single ? state.squeeze(1) : state; }
  bool single;
  std::int64_t dim;
  Tensor input;
};

template <class Network>
std::tuple<Tensor, Tensor> run(const Network& network, const RNNOptions& o, const std::vector<Tensor>& weights,
                               bool training, const Tensor& input, const Tensor& state) {
  const Batch batch(input, o.batch_first());
  const auto [output, last] = network(batch.input, batch.state(state), weights, o.bias(), o.num_layers(), o.dropout(),
                                      training, o.bidirectional(), o.batch_first());
  return {batch.output_back(output), batch.state_back(last)};
}

}  // namespace

std::tuple<Tensor, Tensor> RNNImpl::forward(const Tensor& input, const Tensor& state) const {
  const auto network = [&](const auto&... arguments) {
    return options.nonlinearity() == kReLU ? rnn_relu(arguments...) : rnn_tanh(arguments...);
  };
  return run(network, options, flat_, is_training(), input, state.defined() ? state : zero_state(input));
}

std::tuple<Tensor, Tensor> GRUImpl::forward(const Tensor& input, const Tensor& state) const {
  const auto network = [](const auto&... arguments) { return gru(arguments...); };
  return run(network, options, flat_, is_training(), input, state.defined() ? state : zero_state(input));
}

std::tuple<Tensor, LSTMImpl::State> LSTMImpl::forward(const Tensor& input, const std::optional<State>& state) const {
  const auto [hidden, cell] = state ? *state : State(zero_state(input), zero_state(input));
  const Batch batch(input, options.batch_first());
  const auto [output, last_hidden, last_cell] =
      lstm(batch.input, {batch.state(hidden), batch.state(cell)}, flat_, options.bias(), options.num_layers(),
           options.dropout(), is_training(), options.bidirectional(), options.batch_first());
  return {batch.output_back(output), State(batch.state_back(last_hidden), batch.state_back(last_cell))};
}

RNNCellBaseImpl::RNNCellBaseImpl(const RNNCellOptions& settings, const char* kind, std::int64_t gates)
    : options(settings), kind_(kind) {
  const std::int64_t rows = gates * options.hidden_size();
  weight_ih = register_parameter("weight_ih", empty({rows, options.input_size()}));
  weight_hh = register_parameter("weight_hh", empty({rows, options.hidden_size()}));
  bias_ih = register_parameter("bias_ih", options.bias() ? empty({rows}) : Tensor());
  bias_hh = register_parameter("bias_hh", options.bias() ? empty({rows}) : Tensor());
  const double bound = 1 / std::sqrt(static_cast<double>(options.hidden_size()));
  for (const Tensor& weight : parameters())
    init::uniform_(weight, -bound, bound);
}

Tensor RNNCellBaseImpl::zero_state(const Tensor& input) const {
  return zeros({input.size(0), options.hidden_size()}, input.options());
}

void RNNCellBaseImpl::pretty_print(std::ostream& stream) const {
  stream << "torch::nn::" << kind_ << "(" << options.input_size() << ", " << options.hidden_size();
  if (!options.bias()) stream << ", bias=false";
  stream << ")";
}

namespace {
std::optional<Tensor> optional_bias(const Tensor& bias) {
  return bias.defined() ? std::optional<Tensor>(bias) : std::nullopt;
}
}  // namespace

Tensor RNNCellImpl::forward(const Tensor& input, const Tensor& state) const {
  const Tensor& before = state.defined() ? state : zero_state(input);
  const auto low = optional_bias(bias_ih), high = optional_bias(bias_hh);
  if (options.nonlinearity() == kReLU) return rnn_relu_cell(input, before, weight_ih, weight_hh, low, high);
  return rnn_tanh_cell(input, before, weight_ih, weight_hh, low, high);
}
Tensor GRUCellImpl::forward(const Tensor& input, const Tensor& state) const {
  return gru_cell(input, state.defined() ? state : zero_state(input), weight_ih, weight_hh, optional_bias(bias_ih),
                  optional_bias(bias_hh));
}
std::tuple<Tensor, Tensor> LSTMCellImpl::forward(const Tensor& input,
                                                 const std::optional<std::tuple<Tensor, Tensor>>& state) const {
  const auto [hidden, cell] = state ? *state : std::tuple<Tensor, Tensor>(zero_state(input), zero_state(input));
  return lstm_cell(input, {hidden, cell}, weight_ih, weight_hh, optional_bias(bias_ih), optional_bias(bias_hh));
}

}  // namespace rushlight::nn
