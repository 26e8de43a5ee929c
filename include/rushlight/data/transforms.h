// Transforms of batches: Stack, Normalize, functions of one's own.
#pragma once
#include "rushlight/data/datasets.h"

namespace rushlight::data::transforms {

// From one batch to another; derive and override apply_batch.
template <class Input, class Output>
class BatchTransform {
 public:
  using InputBatchType = Input;
  using OutputBatchType = Output;
  virtual ~BatchTransform() = default;
  virtual Output apply_batch(Input batch) = 0;
};
// From many samples to one.
template <class Collated, class Input = std::vector<Collated>>
using Collation = BatchTransform<Input, Collated>;

// Sample by sample; derive and override apply.
template <class Input, class Output>
class Transform : public BatchTransform<std::vector<Input>, std::vector<Output>> {
 public:
  virtual Output apply(Input input) = 0;
  std::vector<Output> apply_batch(std::vector<Input> batch) override {
    std::vector<Output> results;
    results.reserve(batch.size());
    for (Input& input : batch)
      results.push_back(apply(std::move(input)));
    return results;
  }
};
template <class Input, class Output = Input>
class Lambda : public Transform<Input, Output> {
 public:
  explicit Lambda(std::function<Output(Input)> function) : function_(std::move(function)) {}
  Output apply(Input input) override { return function_(std::move(input)); }

 private:
  std::function<Output(Input)> function_;
};

// Changes the data and leaves the target; derive and override operator().
template <class Target = Tensor>
class TensorTransform : public Transform<Example<Tensor, Target>, Example<Tensor, Target>> {
 public:
  virtual Tensor operator()(Tensor data) = 0;
  Example<Tensor, Target> apply(Example<Tensor, Target> input) override {
    return {(*this)(std::move(input.data)), std::move(input.target)};
  }
};
template <class Target = Tensor>
class TensorLambda : public TensorTransform<Target> {
 public:
  explicit TensorLambda(std::function<Tensor(Tensor)> function) : function_(std::move(function)) {}
  Tensor operator()(Tensor data) override { return function_(std::move(data)); }

 private:
  std::function<Tensor(Tensor)> function_;
};

// (x - mean) / stddev, numbers or one per channel.
template <class Target = Tensor>
class Normalize : public TensorTransform<Target> {
 public:
  Normalize(const std::vector<double>& mean, const std::vector<double>& stddev)
      : mean_(column(mean)), stddev_(column(stddev)) {}
  Normalize(double mean, double stddev) : Normalize(std::vector<double>{mean}, std::vector<double>{stddev}) {}
  Tensor operator()(Tensor data) override { return data.sub(mean_).div(stddev_); }

 private:
  static Tensor column(const std::vector<double>& values) { return tensor(values, kFloat32).unsqueeze(1).unsqueeze(2); }
  Tensor mean_, stddev_;
};

// Samples of equal shape to one batch.
template <class Sample = Example<>>
class Stack : public BatchTransform<std::vector<Sample>, Sample> {
 public:
  Sample apply_batch(std::vector<Sample> samples) override {
    if constexpr (std::is_same_v<Sample, Tensor>) {
      return stack(samples);
    } else {
      std::vector<Tensor> data, targets;
      for (Sample& sample : samples) {
        data.push_back(std::move(sample.data));
        targets.push_back(std::move(sample.target));
      }
      return {stack(data), stack(targets)};
    }
  }
};

}  // namespace rushlight::data::transforms
