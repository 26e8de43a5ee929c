// save and load: round trips, views, errors, files of Python.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "rushlight/rushlight.h"

namespace rushlight {
namespace {

struct File {
  explicit File(const std::string& name) : path(::testing::TempDir() + name) {}
  ~File() { std::remove(path.c_str()); }
  const std::string path;
};

TEST(files, tensors_of_every_dtype) {
  const File file("rushlight_tensors.pt");
  std::vector<Tensor> tensors;
  for (const Dtype type : kAllDtypes)
    if (has_numbers(type)) tensors.push_back(arange(6, kInt64).reshape({2, 3}).to(type));
  tensors.push_back(tensors[5].t());
  tensors.push_back(empty({0, 2}));
  save(tensors, file.path);
  std::vector<Tensor> read;
  load(read, file.path);
  ASSERT_EQ(read.size(), tensors.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].dtype(), tensors[i].dtype());
    EXPECT_TRUE(equal(read[i], tensors[i])) << i;
  }
}

TEST(files, modules_keep_their_outputs) {
  const File file("rushlight_module.pt");
  nn::Sequential net(nn::Linear(3, 4), nn::BatchNorm1d(4), nn::Linear(4, 2)),
      again(nn::Linear(3, 4), nn::BatchNorm1d(4), nn::Linear(4, 2));
  net->forward(randn({5, 3}));
  save(net, file.path);
  load(again, file.path);
  net->eval();
  again->eval();
  const Tensor x = randn({5, 3});
  EXPECT_TRUE(equal(net->forward(x), again->forward(x)));
  EXPECT_TRUE(again->parameters()[0].requires_grad());
  nn::Linear other(3, 4);
  EXPECT_THROW(load(other, file.path), RuntimeError);
}

TEST(files, training_goes_on) {
  const File file("rushlight_optimizer.pt");
  const auto run = [](const Tensor& w, optim::Optimizer& optimizer, int steps) {
    for (int step = 0; step < steps; ++step) {
      optimizer.zero_grad();
      (w * w * w).sum().backward();
      optimizer.step();
    }
  };
  const Tensor whole = tensor({1.0, 2.0}, requires_grad()), half = whole.detach().clone().requires_grad_();
  optim::Adam first(std::vector<Tensor>{whole}, 0.1), second(std::vector<Tensor>{half}, 0.1),
      third(std::vector<Tensor>{half}, 0.5);
  run(whole, first, 6);
  run(half, second, 3);
  save(second, file.path);
  load(third, file.path);
  run(half, third, 3);
  EXPECT_TRUE(equal(whole, half)) << whole << half;
  const Tensor other = ones({3}, requires_grad());
  optim::Adam wrong(std::vector<Tensor>{other}, 0.1);
  EXPECT_THROW(load(wrong, file.path), RuntimeError);
}

TEST(files, safetensors_with_metadata) {
  const File file("rushlight.safetensors");
  OrderedDict<Tensor> tensors;
  tensors.insert("a", arange(4, kFloat));
  tensors.insert("b", ones({2, 2}, kInt64));
  save_safetensors(tensors, file.path, {{"made", "here"}});
  const auto read = load_safetensors(file.path);
  EXPECT_TRUE(equal(read["a"], tensors["a"]));
  EXPECT_TRUE(equal(read["b"], tensors["b"]));
}

TEST(files, errors_say_what_is_wrong) {
  Tensor x;
  EXPECT_THROW(load(x, "/no/such/file.pt"), std::exception);
  const File file("rushlight_broken.pt");
  std::ofstream(file.path) << "no zip archive";
  EXPECT_THROW(load(x, file.path), RuntimeError);
  save(std::vector<Tensor>{ones({1})}, file.path);
  EXPECT_THROW(load(x, file.path), RuntimeError);
}

}  // namespace
}  // namespace rushlight
