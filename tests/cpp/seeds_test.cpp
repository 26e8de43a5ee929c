// The first programs of the library, as a C++ user writes them: values, texts, gradients.
#include <gtest/gtest.h>

#include <sstream>

#include "rushlight/rushlight.h"

namespace rl = rushlight;

namespace {

template <class T>
std::string text(const T& value) {
  std::ostringstream stream;
  stream << value;
  return stream.str();
}
constexpr const char* kZeros23 = " 0  0  0\n 0  0  0\n[ CPUFloatType{2,3} ]";

struct TwoLayersImpl : rl::nn::Module {
  TwoLayersImpl(std::int64_t in, std::int64_t out) : fc1(in, 128), fc2(128, out) {
    register_module("fc1", fc1);
    register_module("fc2", fc2);
  }
  rl::Tensor forward(const rl::Tensor& x) { return fc2(fc1(x)); }
  rl::nn::Linear fc1, fc2;
};
TORCH_MODULE(TwoLayers);

TEST(seeds, zeros) { EXPECT_EQ(text(rl::zeros({2, 3})), kZeros23); }

TEST(seeds, zeros_arguments) {
  const auto x = rl::zeros(
      {2, 3}, rl::TensorOptions().dtype(rl::kFloat64).layout(rl::Layout::kStrided).device("cpu").requires_grad(true));
  EXPECT_EQ(text(x), " 0  0  0\n 0  0  0\n[ CPUDoubleType{2,3} ]");
  EXPECT_EQ(x.dtype(), rl::kDouble);
  EXPECT_EQ(x.device(), rl::Device("cpu"));
  EXPECT_TRUE(x.requires_grad());
}

TEST(seeds, zeros_add) { EXPECT_EQ(text(rl::zeros({2, 3}) + rl::zeros({2, 3})), kZeros23); }

TEST(seeds, zeros_negate) { EXPECT_EQ(text(-rl::zeros({2, 3})), "-0 -0 -0\n-0 -0 -0\n[ CPUFloatType{2,3} ]"); }

TEST(seeds, zeros_matmul) {
  EXPECT_EQ(text(rl::matmul(rl::zeros({2, 3}), rl::zeros({3, 4}))), " 0  0  0  0\n 0  0  0  0\n[ CPUFloatType{2,4} ]");
}

TEST(seeds, model_zero_init) {
  TwoLayers model(4, 3);
  for (const rl::Tensor& parameter : model->parameters())
    rl::nn::init::zeros_(parameter);
  EXPECT_EQ(text(model(rl::ones({2, 4}))), kZeros23);
  std::int64_t count = 0;
  for (const rl::Tensor& parameter : model->parameters())
    count += parameter.numel();
  EXPECT_EQ(count, 1027);
  EXPECT_EQ(model->state_dict().keys(), (std::vector<std::string>{"fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias"}));
}

TEST(seeds, device) {
  const rl::Device device(rl::cuda::is_available() ? "cuda:0" : "cpu");
  const auto x = rl::zeros({2, 3}).to(device);
  EXPECT_EQ(text(x.cpu()), kZeros23);
  EXPECT_EQ(x.device(), device);
}

TEST(seeds, model_softmax) {
  rl::manual_seed(0);
  TwoLayers model(4, 3);
  const auto x = model(rl::randn({2, 4}));
  const auto logits = rl::exp(x - std::get<0>(rl::max(x, -1, true)));
  const auto p = logits / rl::sum(logits, -1, true);
  // The numbers that PyTorch prints for the same seed.
  const auto expected = rl::tensor({{0.2392, 0.4047, 0.3560}, {0.2728, 0.2513, 0.4759}});
  EXPECT_LT((p - expected).abs().max().item<double>(), 5.1e-5) << p;
  EXPECT_TRUE(rl::allclose(p, rl::softmax(logits.log(), -1)));
}

TEST(seeds, operations) {
  const auto a = rl::zeros({2, 3}), b = rl::zeros({2, 3});
  const auto product = rl::matmul(a, b.t());
  EXPECT_EQ(text(product), " 0  0\n 0  0\n[ CPUFloatType{2,2} ]");
  EXPECT_EQ(text(product.index({0, 1})), "0\n[ CPUFloatType{} ]");
}

TEST(seeds, view) {
  EXPECT_EQ(text(rl::zeros({2, 3}).view({3, 2})), " 0  0\n 0  0\n 0  0\n[ CPUFloatType{3,2} ]");
  try {
    rl::zeros({2, 2}).view({3, 2});
    FAIL();
  } catch (const rl::RuntimeError& error) {
    EXPECT_NE(std::string(error.what()).find("shape '[3, 2]' is invalid for input of size 4"), std::string::npos)
        << error.what();
  }
}

TEST(seeds, memory_of_the_caller) {
  double memory[] = {1, 2, 3, 4, 5, 6};
  const auto x = rl::from_blob(memory, {2, 3}, rl::kFloat64);
  memory[0] = 9;
  EXPECT_EQ(x.index({0, 0}).item<double>(), 9);
  EXPECT_EQ(x.data_ptr<double>(), memory);
}

TEST(seeds, gradient_of_a_scalar) {
  const auto x = rl::tensor(2.0, rl::requires_grad());
  const auto z = 2 * rl::pow(x, 2) + 3;
  EXPECT_EQ(z.item<float>(), 11);
  z.backward();
  EXPECT_EQ(x.grad().item<float>(), 8);
}

TEST(seeds, gradient_of_a_vector) {
  const auto x = rl::tensor({1.0, 2.0, 3.0}, rl::requires_grad());
  (x * 2).sum().backward();
  EXPECT_EQ(text(x.grad()), " 2\n 2\n 2\n[ CPUFloatType{3} ]");
}

TEST(seeds, no_grad) {
  const auto x = rl::tensor(2.0, rl::requires_grad());
  const rl::NoGradGuard guard;
  EXPECT_FALSE(rl::pow(x, 2).requires_grad());
}

TEST(seeds, zero_grad) {
  const auto x = rl::tensor(2.0, rl::requires_grad());
  rl::pow(x, 2).backward();
  EXPECT_EQ(x.grad().item<float>(), 4);
  x.grad().zero_();
  EXPECT_EQ(x.grad().item<float>(), 0);
}

}  // namespace
