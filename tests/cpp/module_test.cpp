// nn::Module and its containers, options and initialisers; texts are those of libtorch 2.13.
#include <gtest/gtest.h>

#include <sstream>

#include "rushlight/rushlight.h"

namespace rushlight {
namespace {

template <class T>
std::string text(const T& value) {
  std::ostringstream stream;
  stream << value;
  return stream.str();
}
template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no error";
}
bool close(const Tensor& a, const Tensor& b) { return allclose(a, b, 1e-6, 1e-7); }

struct NetImpl : nn::Module {
  NetImpl() {
    scale = register_parameter("scale", ones({2}));
    offset = register_buffer("offset", zeros({2}));
    inner = register_module("inner", nn::Linear(3, 2));
  }
  Tensor forward(const Tensor& x) { return inner(x) * scale + offset; }
  Tensor scale, offset;
  nn::Linear inner{nullptr};
};
TORCH_MODULE(Net);

TEST(module, names_and_order) {
  Net net;
  EXPECT_EQ(net->named_parameters().keys(), (std::vector<std::string>{"scale", "inner.weight", "inner.bias"}));
  EXPECT_EQ(net->named_buffers().keys(), (std::vector<std::string>{"offset"}));
  EXPECT_EQ(net->state_dict().keys(), (std::vector<std::string>{"scale", "offset", "inner.weight", "inner.bias"}));
  EXPECT_EQ(net->modules().size(), 2u);
}

TEST(module, load_lists_every_wrong_entry) {
  Net net;
  OrderedDict<Tensor> state;
  state.insert("scale", ones({3}));
  state.insert("offset", ones({2}));
  state.insert("more", ones({1}));
  const std::string error = error_of([&] { net->load_state_dict(state); });
  for (const char* part :
       {"missing key: inner.weight", "missing key: inner.bias", "size mismatch for scale", "unexpected key: more"})
    EXPECT_NE(error.find(part), std::string::npos) << error;
  EXPECT_EQ(net->offset.sum().item<float>(), 0);  // nothing was copied
}

TEST(module, refuses_bad_names) {
  nn::Module module;
  EXPECT_NE(error_of([&] { module.register_parameter("a.b", ones({1})); }).find("dot"), std::string::npos);
  EXPECT_NE(error_of([&] { module.register_buffer("", ones({1})); }).find("empty"), std::string::npos);
}

TEST(module, modes_dtypes_and_gradients) {
  Net net;
  EXPECT_TRUE(net->is_training());
  net->eval();
  EXPECT_FALSE(net->inner->is_training());
  net->to(kDouble);
  EXPECT_EQ(net->inner->weight.dtype(), kDouble);
  net(ones({1, 3}, kDouble)).sum().backward();
  EXPECT_TRUE(net->scale.grad().defined());
  net->zero_grad();
  EXPECT_FALSE(net->scale.grad().defined());
}

TEST(module, apply_reaches_all) {
  Net net;
  int linears = 0;
  net->apply([&](nn::Module& module) {
    if (auto* linear = module.as<nn::LinearImpl>()) {
      nn::init::constant_(linear->weight, 2);
      ++linears;
    }
  });
  EXPECT_EQ(linears, 1);
  EXPECT_EQ(net->inner->weight.sum().item<float>(), 12);
}

TEST(module, draws_of_a_seed_are_pytorchs) {
  manual_seed(0);
  nn::Linear linear(2, 2);
  EXPECT_TRUE(close(linear->weight,
                    tensor({{-0.005293981172144413, 0.37932288646698}, {-0.5819807648658752, -0.5203874707221985}})))
      << linear->weight;
  EXPECT_TRUE(close(linear->bias, tensor({-0.27234524488449097, 0.1896158903837204})));
  Tensor w = empty({2, 3});
  manual_seed(0);
  nn::init::xavier_uniform_(w);
  EXPECT_TRUE(close(w, tensor({{-0.008201400749385357, 0.5876445174217224, -0.9016007781028748},
                               {-0.8061808347702026, -0.4219154715538025, 0.29375168681144714}})));
  manual_seed(0);
  nn::init::xavier_normal_(w);
  EXPECT_TRUE(close(w, tensor({{0.9746115207672119, -0.18558073043823242, -1.3779873847961426},
                               {0.3595075011253357, -0.6859121322631836, -0.8845493793487549}})));
  manual_seed(0);
  nn::init::kaiming_normal_(w);
  EXPECT_TRUE(close(w, tensor({{1.2582180500030518, -0.23958370089530945, -1.7789740562438965},
                               {0.4641222059726715, -0.8855087757110596, -1.1419483423233032}})));
  manual_seed(0);
  nn::init::kaiming_uniform_(w, 0, kFanOut, kReLU);
  EXPECT_TRUE(close(w, tensor({{-0.012967552989721298, 0.9291475415229797, -1.425555944442749},
                               {-1.2746837139129639, -0.6671069264411926, 0.46446216106414795}})));
}

TEST(containers, sequential) {
  nn::Sequential net(nn::Linear(2, 3), nn::ReLU(), nn::Dropout(0.5));
  net->push_back("last", nn::Linear(3, 1));
  net->eval();
  EXPECT_EQ(net->size(), 4u);
  EXPECT_EQ(net->forward(ones({5, 2})).sizes(), IntArray({5, 1}));
  EXPECT_EQ(net->state_dict().keys(), (std::vector<std::string>{"0.weight", "0.bias", "last.weight", "last.bias"}));
  EXPECT_NE(error_of([] { nn::Sequential().get()->forward(ones({1})); }).find("empty Sequential"), std::string::npos);
}

TEST(containers, sequential_with_names) {
  nn::Sequential net({{"first", nn::Linear(2, 3)}, {"last", nn::ReLU()}});
  EXPECT_EQ(net->state_dict().keys(), (std::vector<std::string>{"first.weight", "first.bias"}));
  EXPECT_EQ(net->forward(ones({1, 2})).sizes(), IntArray({1, 3}));
}

TEST(containers, module_list) {
  nn::ModuleList list(nn::Linear(2, 2), nn::ReLU());
  list->push_back(nn::Embedding(3, 2));
  EXPECT_EQ(list->at<nn::LinearImpl>(0).weight.size(0), 2);
  int count = 0;
  for (const auto& module : *list)
    count += module != nullptr;
  EXPECT_EQ(count, 3);
  EXPECT_NE(error_of([&] { list->ptr(3); }).find("out of range"), std::string::npos);
}

TEST(printing_of_modules, is_libtorchs) {
  EXPECT_EQ(text(nn::Sequential(nn::Sequential(nn::ReLU()), nn::Tanh())),
            "torch::nn::Sequential(\n  (0): torch::nn::Sequential(\n    (0): torch::nn::ReLU()\n  )\n  (1): "
            "torch::nn::Tanh()\n)");
}

TEST(losses, options) {
  const Tensor x = tensor({{0.2, -0.4}, {1.5, 0.3}}), y = tensor({1, 0});
  const Tensor weight = tensor({1.0, 3.0});
  EXPECT_NEAR(nn::functional::cross_entropy(x, y).item<double>(), 0.6503852009773254, 1e-6);
  EXPECT_NEAR(
      nn::functional::cross_entropy(x, y, nn::functional::CrossEntropyFuncOptions().weight(weight).label_smoothing(0.1))
          .item<double>(),
      0.8620814681053162, 1e-6);
  EXPECT_EQ(nn::CrossEntropyLoss(nn::CrossEntropyLossOptions().reduction(kNone))(x, y).sizes(), IntArray({2}));
  EXPECT_NEAR(nn::MSELoss(kSum)(x, zeros({2, 2})).item<double>(), 0.04 + 0.16 + 2.25 + 0.09, 1e-6);
  EXPECT_NEAR(nn::functional::kl_div(log_softmax(x, 1), softmax(-x, 1), nn::functional::KLDivFuncOptions(kBatchMean))
                  .item<double>(),
              0.4096236228942871, 1e-6);
  EXPECT_NEAR(nll_loss(log_softmax(x, 1), y, {}, Reduction::Sum).item<double>(), 2 * 0.6503852009773254, 1e-6);
}

TEST(functional, pad_normalize_interpolate) {
  namespace F = nn::functional;
  const Tensor x = arange(4, kFloat).reshape({1, 1, 2, 2});
  EXPECT_EQ(F::pad(x, F::PadFuncOptions({1, 1, 0, 0}).value(5)).sum().item<float>(), 6 + 4 * 5);
  EXPECT_EQ(F::pad(x, F::PadFuncOptions({1, 1, 0, 0}).mode(kReplicate)).sizes(), IntArray({1, 1, 2, 4}));
  EXPECT_TRUE(close(F::normalize(tensor({{3.0, 4.0}})), tensor({{0.6, 0.8}})));
  const Tensor twice = F::interpolate(x, F::InterpolateFuncOptions().scale_factor(std::vector<double>{2, 2}));
  EXPECT_EQ(twice.sizes(), IntArray({1, 1, 4, 4}));
  EXPECT_EQ(twice.sum().item<float>(), 24);
  EXPECT_TRUE(close(F::conv2d(x, ones({1, 1, 2, 2}), F::Conv2dFuncOptions().bias(ones({1}))), full({1, 1, 1, 1}, 7.0)));
}

TEST(recurrent, cells_equal_layers) {
  manual_seed(3);
  nn::LSTM lstm(3, 4);
  nn::LSTMCell cell(3, 4);
  for (const auto& item : cell->named_parameters()) {
    const NoGradGuard guard;
    item.value().copy_(lstm->named_parameters()[item.key() + "_l0"]);
  }
  const Tensor x = randn({2, 5, 3});
  const auto [output, state] = lstm(x);
  auto step = cell(x[0]);
  step = cell(x[1], step);
  EXPECT_TRUE(close(output[1], std::get<0>(step)));
  EXPECT_TRUE(close(std::get<1>(state)[0], std::get<1>(step)));
  EXPECT_EQ(std::get<0>(nn::GRU(nn::GRUOptions(3, 4).bidirectional(true))(x)).sizes(), IntArray({2, 5, 8}));
  EXPECT_EQ(std::get<0>(nn::RNN(3, 4)(x[0])).sizes(), IntArray({5, 4}));
}

}  // namespace
}  // namespace rushlight
