// Loads the classifiers that examples/python/digits.py saved, shows that they give Python's logits, and trains one
// here.
//
//   digits FOLDER     FOLDER holds mlp.pt, cnn.pt, sample.pt and train.pt
#include <chrono>
#include <iomanip>
#include <iostream>
#include <string>

#include "rushlight/rushlight.h"

namespace rl = rushlight;
namespace nn = rushlight::nn;

// 64 pixels -> 10 logits.
nn::Sequential mlp() {
  return nn::Sequential(nn::Flatten(), nn::Linear(64, 256), nn::ReLU(), nn::Dropout(0.2),  //
                        nn::Linear(256, 256), nn::ReLU(), nn::Dropout(0.2), nn::Linear(256, 10));
}

// (N, 1, 8, 8) pictures -> (N, 10) logits.
nn::Sequential cnn() {
  return nn::Sequential(nn::Conv2d(nn::Conv2dOptions(1, 32, 3).padding(1)), nn::BatchNorm2d(32), nn::ReLU(),   //
                        nn::Conv2d(nn::Conv2dOptions(32, 64, 3).padding(1)), nn::BatchNorm2d(64), nn::ReLU(),  //
                        nn::MaxPool2d(2), nn::Flatten(), nn::Dropout(0.3), nn::Linear(64 * 4 * 4, 10));
}

// Whether the reloaded model gives the logits that Python saved.
bool same_logits(const std::string& name, nn::Sequential model, const std::string& folder,
                 const rl::OrderedDict<rl::Tensor>& sample) {
  rl::load(model, folder + "/" + name + ".pt");
  model->eval();
  const rl::NoGradGuard no_grad;
  const double difference = (model->forward(sample["pictures"]) - sample[name]).abs().max().item<double>();
  std::cout << name << ": reloaded, largest difference to Python's logits " << difference << "\n";
  return difference <= 1e-6;
}

double accuracy(nn::Sequential& model, const rl::Tensor& pictures, const rl::Tensor& labels) {
  model->eval();
  const rl::NoGradGuard no_grad;
  return (model->forward(pictures).argmax(1) == labels).to(rl::kFloat).mean().item<double>();
}

void train(nn::Sequential& model, const rl::OrderedDict<rl::Tensor>& digits, int epochs) {
  auto loader = rl::data::make_data_loader(rl::data::TensorDataset(digits["pictures"], digits["labels"]), 64);
  rl::optim::Adam optimizer(model->parameters(), rl::optim::AdamOptions(2e-3));
  const auto begin = std::chrono::steady_clock::now();
  for (int epoch = 1; epoch <= epochs; ++epoch) {
    model->train();
    double total = 0;
    int batches = 0;
    for (auto& batch : *loader) {
      optimizer.zero_grad();
      const rl::Tensor loss = nn::functional::cross_entropy(model->forward(batch.data), batch.target);
      loss.backward();
      optimizer.step();
      total += loss.item<double>();
      ++batches;
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const int done = 30 * epoch / epochs;
    std::cout << "cnn [" << std::string(static_cast<std::size_t>(done), '#')
              << std::string(static_cast<std::size_t>(30 - done), '.') << "] epoch " << epoch << "/" << epochs
              << "  loss " << std::fixed << std::setprecision(4) << total / batches << "  " << std::setprecision(1)
              << seconds << " s" << std::endl;
  }
}

int main(int count, char** arguments) {
  const std::string folder = count > 1 ? arguments[1] : "digits";
  try {
    const auto sample = rl::load_tensors(folder + "/sample.pt");
    bool same = same_logits("mlp", mlp(), folder, sample);
    same = same_logits("cnn", cnn(), folder, sample) && same;
    if (!same) {
      std::cerr << "digits: the models give other logits than in Python\n";
      return 1;
    }
    rl::manual_seed(0);
    const auto digits = rl::load_tensors(folder + "/train.pt");
    nn::Sequential model = cnn();
    std::cout << "training in C++:\n" << model << "\n";
    train(model, digits, 5);
    const double reached = accuracy(model, digits["test_pictures"], digits["test_labels"]);
    std::cout << "cnn: test accuracy " << std::setprecision(2) << 100 * reached << " %\n";
    if (reached < 0.95) {
      std::cerr << "digits: the model trained in C++ should reach 95 %\n";
      return 1;
    }
  } catch (const std::exception& error) {
    std::cerr << "digits: " << error.what() << "\n";
    return 1;
  }
}
