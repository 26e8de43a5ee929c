// Optimizers step as PyTorch's do (numbers recorded from PyTorch 2.13), schedules, the data loader.
#include <gtest/gtest.h>

#include "rushlight/rushlight.h"

namespace rushlight {
namespace {

// Four steps on (w^3).sum() b + b^2 from w = (1, -2, 3), b = 0.5; each number is (w, b) after them.
template <class Method, class Options>
void expect_steps(const Options& options, const std::vector<double>& expected, const char* name) {
  const Tensor w = tensor({1.0, -2.0, 3.0}, requires_grad()), b = tensor({0.5}, requires_grad());
  Method optimizer(std::vector<Tensor>{w, b}, options);
  for (int step = 0; step < 4; ++step) {
    optimizer.zero_grad();
    ((w * w * w).sum() * b + b * b).sum().backward();
    optimizer.step();
  }
  const NoGradGuard guard;
  const Tensor found = cat({w, b});
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(found[static_cast<int>(i)].item<double>(), expected[i], 2e-6) << name << " " << i;
}

TEST(optimizers, step_as_pytorchs) {
  using namespace optim;
  expect_steps<SGD>(SGDOptions(0.01),
                    {0.9732342958450317, -2.112215280532837, 2.7663466930389404, -0.13646665215492249}, "SGD");
  expect_steps<SGD>(SGDOptions(0.01).momentum(0.9).nesterov(true).weight_decay(0.1),
                    {0.974613606929779, -1.968764066696167, 2.7588353157043457, -1.0961570739746094}, "Nesterov");
  expect_steps<SGD>(SGDOptions(0.01).momentum(0.9).dampening(0.5),
                    {0.940251886844635, -2.2386090755462646, 2.4624791145324707, -0.58128821849823}, "dampening");
  expect_steps<Adam>(AdamOptions(0.1),
                     {0.6294287443161011, -2.392820358276367, 2.6177010536193848, 0.11334127932786942}, "Adam");
  expect_steps<Adam>(AdamOptions(0.1).betas({0.8, 0.9}).amsgrad(true).weight_decay(0.01),
                     {0.6343541741371155, -2.392077922821045, 2.620405912399292, 0.11472120881080627}, "amsgrad");
  expect_steps<AdamW>(AdamWOptions(0.1),
                      {0.6263245344161987, -2.384046792984009, 2.606577157974243, 0.11217278242111206}, "AdamW");
  expect_steps<RMSprop>(RMSpropOptions(0.01),
                        {0.7789623737335205, -2.2599854469299316, 2.7614307403564453, 0.25362706184387207}, "RMSprop");
  expect_steps<RMSprop>(RMSpropOptions(0.01).momentum(0.9).centered(true).weight_decay(0.1),
                        {0.4473511278629303, -2.6199135780334473, 2.417668342590332, -0.09551079571247101}, "centered");
  expect_steps<Adagrad>(AdagradOptions(0.1).lr_decay(0.01).initial_accumulator_value(0.1),
                        {0.7847820520401001, -2.256201982498169, 2.7644453048706055, 0.25677037239074707}, "Adagrad");
}

TEST(optimizers, groups_have_options_of_their_own) {
  const Tensor a = ones({1}, requires_grad()), b = ones({1}, requires_grad());
  std::vector<optim::OptimizerParamGroup> groups;
  groups.emplace_back(std::vector<Tensor>{a});
  groups.emplace_back(std::vector<Tensor>{b}, std::make_unique<optim::SGDOptions>(0.5));
  optim::SGD optimizer(groups, optim::SGDOptions(0.1));
  const Tensor loss = optimizer.step([&] {
    const Tensor value = a.sum() + b.sum();
    value.backward();
    return value;
  });
  EXPECT_EQ(loss.item<float>(), 2);
  EXPECT_FLOAT_EQ(a.item<float>(), 0.9f);
  EXPECT_FLOAT_EQ(b.item<float>(), 0.5f);
  for (auto& group : optimizer.param_groups())
    static_cast<optim::SGDOptions&>(group.options()).lr(0);
  optimizer.step();
  EXPECT_FLOAT_EQ(b.item<float>(), 0.5f);
}

TEST(optimizers, refuse_bad_arguments) {
  const Tensor a = ones({1}, requires_grad());
  EXPECT_THROW(optim::SGD(std::vector<Tensor>{}, 0.1), ValueError);
  EXPECT_THROW(optim::SGD(std::vector<Tensor>{a * 2}, 0.1), ValueError);
  EXPECT_THROW(optim::SGD(std::vector<Tensor>{a}, -1.0), ValueError);
  EXPECT_THROW(optim::SGD(std::vector<Tensor>{a, a}, 0.1), ValueError);
  EXPECT_THROW(optim::Adam(std::vector<Tensor>{a}, optim::AdamOptions().betas({1.0, 0.9})), ValueError);
}

TEST(schedules, change_the_rate) {
  const Tensor a = ones({1}, requires_grad());
  optim::SGD optimizer(std::vector<Tensor>{a}, 1.0);
  const auto rate = [&] { return optimizer.param_groups()[0].options().get_lr(); };
  optim::StepLR schedule(optimizer, 2, 0.5);
  std::vector<double> rates;
  for (int epoch = 0; epoch < 5; ++epoch) {
    rates.push_back(rate());
    schedule.step();
  }
  EXPECT_EQ(rates, (std::vector<double>{1, 1, 1, 0.5, 0.5}));
  optim::ReduceLROnPlateauScheduler plateau(optimizer, optim::ReduceLROnPlateauScheduler::min, 0.1, 1);
  const double before = rate();
  for (const double metric : {1.0, 0.5, 0.5})
    plateau.step(metric);
  EXPECT_EQ(rate(), before);
  plateau.step(0.5);
  EXPECT_DOUBLE_EQ(rate(), before * 0.1);
}

TEST(gradient_clipping, by_norm_and_value) {
  const Tensor a = zeros({2}, requires_grad());
  a.set_grad(tensor({3.0, 4.0}));
  EXPECT_NEAR(nn::utils::clip_grad_norm_({a}, 1.0), 5, 1e-6);
  EXPECT_NEAR(a.grad()[0].item<double>(), 0.6, 1e-5);
  nn::utils::clip_grad_value_({a}, 0.7);
  EXPECT_NEAR(a.grad()[1].item<double>(), 0.7, 1e-6);
}

std::vector<std::int64_t> list(const Tensor& x) { return {x.data<std::int64_t>(), x.data<std::int64_t>() + x.numel()}; }
using Lists = std::vector<std::vector<std::int64_t>>;

template <class Loader>
Lists epoch(Loader& loader) {
  Lists batches;
  for (auto& batch : loader)
    batches.push_back(list(batch.data));
  return batches;
}

TEST(data_loader, order_of_python) {
  const Tensor x = arange(10, kInt64);
  manual_seed(5);
  auto loader = data::make_data_loader<data::samplers::PythonRandomSampler>(data::TensorDataset(x, x), 4);
  EXPECT_EQ(epoch(*loader), (Lists{{8, 3, 0, 5}, {9, 1, 6, 2}, {4, 7}}));
  EXPECT_EQ(epoch(*loader), (Lists{{5, 8, 9, 7}, {2, 0, 4, 1}, {3, 6}}));
}

TEST(data_loader, order_of_libtorch) {
  const Tensor x = arange(10, kInt64);
  manual_seed(5);
  auto loader = data::make_data_loader(data::TensorDataset(x, x), data::DataLoaderOptions(4).drop_last(true));
  EXPECT_EQ(epoch(*loader), (Lists{{1, 4, 9, 6}, {3, 5, 0, 2}}));
  EXPECT_EQ(epoch(*loader), (Lists{{4, 2, 8, 7}, {6, 1, 0, 3}}));
}

struct Squares : data::Dataset<Squares> {
  data::Example<> get(std::size_t index) override {
    check(index != 7, "Squares: sample 7 is broken");
    const auto i = static_cast<std::int64_t>(index);
    return {tensor(i), tensor(i * i)};
  }
  std::optional<std::size_t> size() const override { return count; }
  std::size_t count = 6;
};

TEST(data_loader, samples_transforms_and_workers) {
  namespace t = data::transforms;
  for (const std::size_t workers : {0, 3}) {
    auto dataset = Squares().map(t::TensorLambda<>([](Tensor x) { return x + 100; })).map(t::Stack<>());
    auto loader = data::make_data_loader<data::samplers::SequentialSampler>(
        std::move(dataset), data::DataLoaderOptions(4).workers(workers));
    for (int round = 0; round < 2; ++round)
      EXPECT_EQ(epoch(*loader), (Lists{{100, 101, 102, 103}, {104, 105}}));
    Squares broken;
    broken.count = 9;
    auto failing = data::make_data_loader<data::samplers::SequentialSampler>(
        broken.map(t::Stack<>()), data::DataLoaderOptions(2).workers(workers));
    EXPECT_THROW(epoch(*failing), RuntimeError);
  }
}

TEST(data_loader, normalize) {
  const Tensor x = data::transforms::Normalize<>(0.5, 2.0)(full({1, 2, 2}, 4.5));
  EXPECT_EQ(x.sum().item<float>(), 8);
}

}  // namespace
}  // namespace rushlight
