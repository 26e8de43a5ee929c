// Datasets: one's own by deriving from Dataset, rows of tensors, MNIST files; and `map` with transforms.
#pragma once
#include "rushlight/tensor_values.h"

namespace rushlight::data {

// One sample, or one batch of samples.
template <class Data = Tensor, class Target = Tensor>
struct Example {
  Data data;
  Target target;
};

namespace datasets {

template <class Source, class Transform>
class MapDataset;

// Batches by their indices.
template <class Self, class Batch>
class BatchDataset {
 public:
  using BatchType = Batch;
  virtual ~BatchDataset() = default;
  virtual Batch get_batch(ArrayRef<std::size_t> indices) = 0;
  virtual std::optional<std::size_t> size() const = 0;
  // This dataset with a transform of its batches.
  template <class Transform>
  MapDataset<Self, Transform> map(Transform transform) & {
    return {static_cast<Self&>(*this), std::move(transform)};
  }
  template <class Transform>
  MapDataset<Self, Transform> map(Transform transform) && {
    return {std::move(static_cast<Self&>(*this)), std::move(transform)};
  }
};

// Samples by index: override get and size.
template <class Self, class SingleExample = Example<>>
class Dataset : public BatchDataset<Self, std::vector<SingleExample>> {
 public:
  using ExampleType = SingleExample;
  virtual SingleExample get(std::size_t index) = 0;
  std::vector<SingleExample> get_batch(ArrayRef<std::size_t> indices) override {
    std::vector<SingleExample> batch;
    batch.reserve(indices.size());
    for (const std::size_t index : indices)
      batch.push_back(get(index));
    return batch;
  }
};

template <class Source, class Transform>
class MapDataset : public BatchDataset<MapDataset<Source, Transform>, typename Transform::OutputBatchType> {
 public:
  MapDataset(Source source, Transform transform) : source_(std::move(source)), transform_(std::move(transform)) {}
  typename Transform::OutputBatchType get_batch(ArrayRef<std::size_t> indices) override {
    return transform_.apply_batch(source_.get_batch(indices));
  }
  std::optional<std::size_t> size() const override { return source_.size(); }
  const Source& dataset() const { return source_; }
  const Transform& transform() const { return transform_; }

 private:
  Source source_;
  Transform transform_;
};

// Rows of two tensors of equal length, whole batches at once.
class TensorDataset : public BatchDataset<TensorDataset, Example<>> {
 public:
  TensorDataset(Tensor data, Tensor target) : data_(std::move(data)), target_(std::move(target)) {
    check(data_.size(0) == target_.size(0), "TensorDataset: size mismatch between tensors: ", data_, " and ", target_);
  }
  Example<> get(std::size_t index) const {
    return {data_[static_cast<std::int64_t>(index)], target_[static_cast<std::int64_t>(index)]};
  }
  Example<> get_batch(ArrayRef<std::size_t> indices) override {
    const Tensor rows = tensor(std::vector<std::int64_t>(indices.begin(), indices.end()), kInt64);
    return {data_.index_select(0, rows), target_.index_select(0, rows)};
  }
  std::optional<std::size_t> size() const override { return static_cast<std::size_t>(data_.size(0)); }

 private:
  Tensor data_, target_;
};

// The IDX files of MNIST in a folder: pictures (1, 28, 28) in [0, 1], labels int64.
class MNIST : public Dataset<MNIST> {
 public:
  enum class Mode { kTrain, kTest };
  explicit MNIST(const std::string& root, Mode mode = Mode::kTrain);
  Example<> get(std::size_t index) override {
    return {images_[static_cast<std::int64_t>(index)], targets_[static_cast<std::int64_t>(index)]};
  }
  std::optional<std::size_t> size() const override { return static_cast<std::size_t>(images_.size(0)); }
  bool is_train() const { return mode_ == Mode::kTrain; }
  const Tensor& images() const { return images_; }
  const Tensor& targets() const { return targets_; }

 private:
  Mode mode_;
  Tensor images_, targets_;
};

}  // namespace datasets
using datasets::Dataset;
using datasets::TensorDataset;
}  // namespace rushlight::data
