// Texts of tensors and layers, each as libtorch 2.13 writes it.
#include <gtest/gtest.h>

#include <cmath>
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
constexpr double kInf = INFINITY;

TEST(printing, formats_of_numbers) {
  EXPECT_EQ(text(tensor({{123456.0, 0.5e5}, {99999.5, 1e5}})),
            "100000 *\n 1.2346  0.5000\n  1.0000  1.0000\n[ CPUFloatType{2,2} ]");
  EXPECT_EQ(text(tensor({1.5e-5, 2.5e-5})), "1e-05 *\n 1.5000\n 2.5000\n[ CPUFloatType{2} ]");
  EXPECT_EQ(text(tensor({{1e-4, 1.0}, {1e4, 10.0}})),
            " 1.0000e-04  1.0000e+00\n 1.0000e+04  1.0000e+01\n[ CPUFloatType{2,2} ]");
  EXPECT_EQ(text(tensor({1.5, kInf, -kInf, std::nan("")})), " 1.5000\n    inf\n   -inf\n    nan\n[ CPUFloatType{4} ]");
  EXPECT_EQ(text(tensor({kInf, std::nan("")})), "inf\nnan\n[ CPUFloatType{2} ]");
  EXPECT_EQ(text(tensor({1.0, kInf, -2.0})), " 1\ninf\n-2\n[ CPUFloatType{3} ]");
  EXPECT_EQ(text(tensor({1e10, 2.0})), " 1.0000e+10\n 2.0000e+00\n[ CPUFloatType{2} ]");
  EXPECT_EQ(text(tensor({{-1, 20}, {300, -4000}})), "   -1    20\n  300 -4000\n[ CPULongType{2,2} ]");
  EXPECT_EQ(text(tensor({0.1, 2.0}, kBFloat16)), " 0.1001\n 2.0000\n[ CPUBFloat16Type{2} ]");
  EXPECT_EQ(text(tensor({1, 255}, kByte)), "   1\n 255\n[ CPUByteType{2} ]");
  EXPECT_EQ(text(-zeros({2})), "-0\n-0\n[ CPUFloatType{2} ]");
}

TEST(printing, scalars) {
  EXPECT_EQ(text(tensor(1.0 / 3)), "0.3333333432674408\n[ CPUFloatType{} ]");
  EXPECT_EQ(text(tensor(1.0e-7)), "1.0000000116860974e-07\n[ CPUFloatType{} ]");
  EXPECT_EQ(text(tensor(123456789.0)), "123456792\n[ CPUFloatType{} ]");
  EXPECT_EQ(text(tensor(1.0 / 3, kDouble)), "0.3333333333333333\n[ CPUDoubleType{} ]");
  EXPECT_EQ(text(tensor(-7)), "-7\n[ CPULongType{} ]");
  EXPECT_EQ(text(tensor(true)), "1\n[ CPUBoolType{} ]");
  EXPECT_EQ(text(full({}, -1, kUInt64)), "18446744073709551615\n[ CPUUInt64Type{} ]");
}

TEST(printing, shapes) {
  EXPECT_EQ(text(Tensor()), "[ Tensor (undefined) ]");
  EXPECT_EQ(text(zeros({0})), "[ CPUFloatType{0} ]");
  EXPECT_EQ(text(zeros({2, 0, 3})), "[ CPUFloatType{2,0,3} ]");
  EXPECT_EQ(text(arange(6).reshape({2, 3}).t()), " 0  3\n 1  4\n 2  5\n[ CPULongType{3,2} ]");
  EXPECT_EQ(text(arange(16, kFloat).reshape({2, 2, 2, 2}) / 3),
            "(1,1,.,.) = \n 0.0000  0.3333\n  0.6667  1.0000\n\n(2,1,.,.) = \n 2.6667  3.0000\n  3.3333  3.6667\n\n"
            "(1,2,.,.) = \n 1.3333  1.6667\n  2.0000  2.3333\n\n(2,2,.,.) = \n 4.0000  4.3333\n  4.6667  5.0000\n[ "
            "CPUFloatType{2,2,2,2} ]");
  EXPECT_EQ(text(arange(24, kFloat).reshape({1, 24}) / 7),
            "Columns 1 to 10 0.0000  0.1429  0.2857  0.4286  0.5714  0.7143  0.8571  1.0000  1.1429  1.2857\n\n"
            "Columns 11 to 20 1.4286  1.5714  1.7143  1.8571  2.0000  2.1429  2.2857  2.4286  2.5714  2.7143\n\n"
            "Columns 21 to 24 2.8571  3.0000  3.1429  3.2857\n[ CPUFloatType{1,24} ]");
  const std::string wide = text(arange(60, kFloat).reshape({1, 2, 30}) / 7);
  EXPECT_EQ(wide.substr(0, wide.find("\n\n")),
            "(1,.,.) = \nColumns 1 to 9  0.0000  0.1429  0.2857  0.4286  0.5714  0.7143  0.8571  1.0000  1.1429\n"
            "  4.2857  4.4286  4.5714  4.7143  4.8571  5.0000  5.1429  5.2857  5.4286");
}

TEST(printing, layers) {
  using namespace nn;
  EXPECT_EQ(
      text(MaxPool2d(MaxPool2dOptions({3, 2}).stride({2, 2}))),
      "torch::nn::MaxPool2d(kernel_size=[3, 2], stride=[2, 2], padding=[0, 0], dilation=[1, 1], ceil_mode=false)");
  EXPECT_EQ(text(AvgPool2d(2)), "torch::nn::AvgPool2d(kernel_size=[2, 2], stride=[2, 2], padding=[0, 0])");
  EXPECT_EQ(text(AdaptiveAvgPool2d(AdaptiveAvgPool2dOptions({1, 1}))),
            "torch::nn::AdaptiveAvgPool2d(output_size=[1, 1])");
  EXPECT_EQ(text(Dropout2d(0.1)), "torch::nn::Dropout2d(p=0.1, inplace=false)");
  EXPECT_EQ(text(BatchNorm1d(4)),
            "torch::nn::BatchNorm1d(4, eps=1e-05, momentum=0.1, affine=true, track_running_stats=true)");
  EXPECT_EQ(text(LayerNorm(LayerNormOptions({4, 2}))),
            "torch::nn::LayerNorm([4, 2], eps=1e-05, elementwise_affine=true)");
  EXPECT_EQ(text(GroupNorm(2, 4)), "torch::nn::GroupNorm(2, 4, eps=1e-05, affine=true)");
  EXPECT_EQ(text(ReLU(ReLUOptions(true))), "torch::nn::ReLU(inplace=true)");
  EXPECT_EQ(text(LeakyReLU(LeakyReLUOptions().negative_slope(0.2))), "torch::nn::LeakyReLU(negative_slope=0.2)");
  EXPECT_EQ(text(Softplus()), "torch::nn::Softplus(beta=1, threshold=20)");
  EXPECT_EQ(text(Softmax(1)), "torch::nn::Softmax(dim=1)");
  EXPECT_EQ(text(Flatten()), "torch::nn::Flatten(start_dim=1, end_dim=-1)");
  EXPECT_EQ(text(Embedding(EmbeddingOptions(3, 2).padding_idx(0))),
            "torch::nn::Embedding(num_embeddings=3, embedding_dim=2, padding_idx=0)");
  EXPECT_EQ(text(ConvTranspose2d(ConvTranspose2dOptions(2, 3, 4).stride(2).padding(1).output_padding(1).bias(false))),
            "torch::nn::ConvTranspose2d(2, 3, kernel_size=[4, 4], stride=[2, 2], padding=[1, 1], output_padding=[1, "
            "1], bias=false)");
  EXPECT_EQ(text(Conv1d(Conv1dOptions(2, 4, 3).dilation(2).groups(2))),
            "torch::nn::Conv1d(2, 4, kernel_size=3, stride=1, dilation=2, groups=2)");
  EXPECT_EQ(text(RNN(RNNOptions(2, 3).dropout(0.5).num_layers(2))),
            "torch::nn::RNN(input_size=2, hidden_size=3, num_layers=2, bias=true, batch_first=false, dropout=0.5, "
            "bidirectional=false)");
  EXPECT_EQ(text(GRUCell(GRUCellOptions(2, 3).bias(false))), "torch::nn::GRUCell(2, 3, bias=false)");
}

}  // namespace
}  // namespace rushlight
