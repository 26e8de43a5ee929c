// An outside program in libtorch's spelling; it prints the same text with rushlight and with libtorch 2.13.
#include <torch/torch.h>

#include <iomanip>
#include <iostream>
#include <string>

using torch::indexing::Ellipsis;
using torch::indexing::None;
using torch::indexing::Slice;

struct NetImpl : torch::nn::Module {
  NetImpl()
      : conv(torch::nn::Conv2dOptions(1, 4, 3).padding(1).stride({2, 2})), norm(4), drop(0.25), out(4 * 4 * 4, 3) {
    register_module("conv", conv);
    register_module("norm", norm);
    register_module("drop", drop);
    register_module("out", out);
    scale = register_parameter("scale", torch::ones({1}));
    seen = register_buffer("seen", torch::zeros({1}, torch::kInt64));
  }
  torch::Tensor forward(torch::Tensor x) {
    x = torch::relu(norm->forward(conv(x)));
    x = drop(x.view({x.size(0), -1}));
    seen += x.size(0);
    return torch::log_softmax(out(x) * scale, /*dim=*/1);
  }
  torch::nn::Conv2d conv;
  torch::nn::BatchNorm2d norm;
  torch::nn::Dropout drop;
  torch::nn::Linear out;
  torch::Tensor scale, seen;
};
TORCH_MODULE(Net);

struct Cube : torch::autograd::Function<Cube> {
  static torch::Tensor forward(torch::autograd::AutogradContext* ctx, torch::Tensor x, double factor) {
    ctx->save_for_backward({x});
    ctx->saved_data["factor"] = factor;
    return x * x * x * factor;
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* ctx,
                                                 torch::autograd::variable_list grads) {
    const auto x = ctx->get_saved_variables()[0];
    return {grads[0] * 3 * x * x * 2.0, torch::Tensor()};
  }
};

class Numbers : public torch::data::datasets::Dataset<Numbers> {
 public:
  torch::data::Example<> get(size_t index) override {
    const auto x = static_cast<double>(index);
    return {torch::tensor({x, x * x}), torch::tensor(static_cast<int64_t>(index % 3))};
  }
  torch::optional<size_t> size() const override { return 7; }
};

void tensors() {
  std::cout << "== tensors\n";
  const auto x = torch::arange(24, torch::kFloat).reshape({2, 3, 4});
  std::cout << x << "\n" << x.sizes() << " " << x.dtype() << " " << x.device() << "\n";
  std::cout << torch::tensor({{1, 2}, {3, 4}}) << "\n" << torch::tensor({1.5, -2.25, 1e-3}) << "\n";
  std::cout << torch::tensor({1e-6, 1.0, 1e6}) << "\n"
            << torch::tensor(3.5) << "\n"
            << torch::tensor({true, false}) << "\n";
  std::cout << torch::full({2, 2}, 7, torch::dtype(torch::kFloat64)) << "\n" << torch::eye(2) * 1e5 << "\n";
  std::cout << x.sum() << "\n" << x.mean(1) << "\n" << std::get<0>(x.max(2)) << "\n" << x.argmax(1) << "\n";
  std::cout << torch::cat({x, x}, 0).sizes() << torch::stack({x, x}, 1).sizes() << x.permute({2, 0, 1}).sizes() << "\n";
  std::cout << torch::matmul(x[0], x[1].t()) << "\n" << (x > 20).sum().item<int64_t>() << "\n";
  std::cout << (2 - x[0][0]) / 4 + 1 << "\n" << torch::where(x[0] > 5, x[0], torch::zeros_like(x[0])) << "\n";
  float memory[] = {1, 2, 3, 4, 5, 6};
  auto view = torch::from_blob(memory, {2, 3});
  view.mul_(2);
  std::cout << view << "\n" << memory[5] << "\n" << view.to(torch::kInt).dtype() << "\n";
  std::cout << torch::linspace(0, 1, 5) << "\n"
            << torch::randperm(6) << "\n"
            << torch::rand({2, 2}) << "\n"
            << torch::randn({3}) << "\n";
  std::cout << torch::randint(0, 10, {5}) << "\n"
            << torch::zeros({0, 3}) << "\n"
            << torch::zeros({3}, torch::kDouble).options().dtype() << "\n";
  std::cout << torch::linalg_vector_norm(torch::eye(4)) << "\n";
}

void indexing() {
  std::cout << "== indexing\n";
  auto x = torch::arange(24, torch::kFloat).reshape({2, 3, 4});
  std::cout << x.index({0, Slice(1, None), Slice(None, None, 2)}) << "\n";
  std::cout << x.index({Ellipsis, -1}) << "\n" << x.index({"...", 0}) << "\n" << x.index({None, 1}).sizes() << "\n";
  std::cout << x.index({x > 20}) << "\n" << x.index({torch::tensor({1, 0}), 2}) << "\n";
  x.index_put_({0, Slice(), 1}, 100);
  x.index_put_({x < 3}, -1);
  x.index_put_({1, torch::tensor({0, 2})}, torch::ones({4}));
  std::cout << x << "\n";
}

void gradients() {
  std::cout << "== gradients\n";
  auto x = torch::tensor({1.0, 2.0, 3.0}, torch::requires_grad());
  auto y = (x * x * x).sum();
  auto first = torch::autograd::grad({y}, {x}, {}, true, true)[0];
  auto second = torch::autograd::grad({first.sum()}, {x}, {}, true, true)[0];
  auto third = torch::autograd::grad({second.sum()}, {x})[0];
  std::cout << first << "\n" << second << "\n" << third << "\n";
  Cube::apply(x, 2.0).sum().backward();
  std::cout << x.grad() << "\n";
  x.mutable_grad() = torch::Tensor();
  x.register_hook([](torch::Tensor grad) { return grad * 10; });
  (x * 2).sum().backward();
  std::cout << x.grad() << "\n";
  {
    torch::NoGradGuard guard;
    std::cout << (x * 2).requires_grad() << "\n";
  }
  try {
    torch::mm(torch::ones({2, 3}), torch::ones({2, 3}));
  } catch (const c10::Error&) {
    std::cout << "caught\n";
  }
}

void training() {
  std::cout << "== training\n";
  torch::manual_seed(1);
  Net net;
  std::cout << net << "\n";
  for (const auto& item : net->named_parameters())
    std::cout << item.key() << " " << item.value().sizes() << "\n";
  torch::optim::Adam optimizer(net->parameters(), torch::optim::AdamOptions(0.01).weight_decay(1e-4));
  const auto pictures = torch::randn({12, 1, 8, 8});
  const auto labels = torch::randint(0, 3, {12}, torch::kInt64);
  std::cout << std::setprecision(4) << std::fixed;
  for (int epoch = 0; epoch < 10; ++epoch) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(net->forward(pictures), labels);
    loss.backward();
    optimizer.step();
    std::cout << "loss " << loss.item<float>() << "\n";
  }
  net->eval();
  torch::save(net, "net.pt");
  Net again;
  torch::load(again, "net.pt");
  again->eval();
  torch::NoGradGuard guard;
  std::cout << std::boolalpha << torch::equal(net(pictures), again(pictures)) << "\n";
  std::cout << again->seen.item<int64_t>() << "\n";
  torch::save(pictures, "pictures.pt");
  torch::Tensor read;
  torch::load(read, "pictures.pt");
  std::cout << torch::allclose(read, pictures) << "\n";
}

void sequential() {
  std::cout << "== sequential\n";
  torch::manual_seed(2);
  torch::nn::Sequential net(torch::nn::Linear(2, 8), torch::nn::Tanh(),
                            torch::nn::Linear(torch::nn::LinearOptions(8, 3).bias(false)));
  std::cout << net << "\n";
  torch::optim::SGD optimizer(net->parameters(), torch::optim::SGDOptions(0.1).momentum(0.9));
  torch::optim::StepLR schedule(optimizer, 2, 0.5);
  torch::nn::CrossEntropyLoss criterion;
  auto dataset = Numbers().map(torch::data::transforms::Stack<>());
  auto loader = torch::data::make_data_loader<torch::data::samplers::SequentialSampler>(std::move(dataset), 3);
  for (int epoch = 0; epoch < 4; ++epoch) {
    double total = 0;
    for (auto& batch : *loader) {
      optimizer.zero_grad();
      auto loss = criterion(net->forward(batch.data / 36), batch.target);
      loss.backward();
      torch::nn::utils::clip_grad_norm_(net->parameters(), 1.0);
      optimizer.step();
      total += loss.item<double>();
    }
    schedule.step();
    std::cout << "total " << total << "\n";
  }
  torch::nn::LSTM lstm(torch::nn::LSTMOptions(3, 5).num_layers(2).batch_first(true));
  torch::nn::GRU gru(torch::nn::GRUOptions(3, 5).bidirectional(true));
  auto [output, state] = lstm->forward(torch::ones({2, 4, 3}));
  auto hidden = std::get<1>(gru->forward(torch::ones({4, 2, 3})));
  std::cout << lstm << "\n" << gru << "\n" << output.sizes() << std::get<0>(state).sizes() << hidden.sizes() << "\n";
  std::cout << output.index({0, -1}) << "\n" << hidden.index({1, 0}) << "\n";
  torch::nn::ModuleList list(torch::nn::Linear(2, 2), torch::nn::ReLU());
  list->push_back(torch::nn::Embedding(3, 2));
  std::cout << list << "\n" << list->size() << "\n";
}

int main() {
  torch::manual_seed(0);
  torch::Device device(torch::kCPU);
  if (torch::cuda::is_available()) device = torch::Device(torch::kCUDA);
  tensors();
  indexing();
  gradients();
  training();
  sequential();
}
