// data: datasets of tensors and a loader that shuffles as Python's does.
#pragma once
#include "rushlight/ops.h"

namespace rushlight::data {

// One sample or one batch.
template <class Data = Tensor, class Target = Tensor>
struct Example {
  Data data;
  Target target;
};

// Rows of two tensors of equal length.
class TensorDataset {
 public:
  TensorDataset(Tensor data, Tensor target) : data_(std::move(data)), target_(std::move(target)) {
    check(data_.size(0) == target_.size(0), "TensorDataset: size mismatch between tensors: ", data_, " and ", target_);
  }
  std::size_t size() const { return static_cast<std::size_t>(data_.size(0)); }
  Example<> get(std::size_t index) const {
    return {data_.select(0, static_cast<std::int64_t>(index)), target_.select(0, static_cast<std::int64_t>(index))};
  }
  Example<> get_batch(const Tensor& indices) const { return {data_.index_select(0, indices), target_.index_select(0, indices)}; }

 private:
  Tensor data_, target_;
};

class DataLoaderOptions {
 public:
  DataLoaderOptions(std::size_t count = 1) : batch_size_(count) {}  // NOLINT(google-explicit-constructor)
  DataLoaderOptions& batch_size(std::size_t count) { batch_size_ = count; return *this; }
  DataLoaderOptions& shuffle(bool on) { shuffle_ = on; return *this; }
  DataLoaderOptions& drop_last(bool on) { drop_last_ = on; return *this; }
  std::size_t batch_size() const { return batch_size_; }
  bool shuffle() const { return shuffle_; }
  bool drop_last() const { return drop_last_; }

 private:
  std::size_t batch_size_;
  bool shuffle_ = true, drop_last_ = false;
};

// `for (auto& batch : *loader)`: every loop is an epoch in a new order, drawn as Python's DataLoader draws it.
template <class Dataset>
class DataLoader {
 public:
  DataLoader(Dataset dataset, DataLoaderOptions options) : dataset_(std::move(dataset)), options_(options) {}

  class Iterator {
   public:
    Iterator(const DataLoader* loader, Tensor order, std::int64_t at) : loader_(loader), order_(std::move(order)), at_(at) {}
    Example<> operator*() const {
      const auto count = static_cast<std::int64_t>(loader_->options_.batch_size());
      return loader_->dataset_.get_batch(order_.narrow(0, at_, std::min(count, order_.size(0) - at_)));
    }
    Iterator& operator++() {
      at_ += static_cast<std::int64_t>(loader_->options_.batch_size());
      return *this;
    }
    bool operator!=(const Iterator& end) const {
      const std::int64_t rest = order_.size(0) - at_;
      return end.loader_ == nullptr && rest > 0 && (!loader_->options_.drop_last() || rest >= static_cast<std::int64_t>(loader_->options_.batch_size()));
    }

   private:
    const DataLoader* loader_;
    Tensor order_;
    std::int64_t at_;
  };
  Iterator begin() const { return Iterator(this, new_order(), 0); }
  Iterator end() const { return Iterator(nullptr, Tensor(), 0); }

 private:
  Tensor new_order() const {
    const auto count = static_cast<std::int64_t>(dataset_.size());
    const Tensor base_seed = rushlight::empty({}, kInt64);
    base_seed.random_();
    if (!options_.shuffle()) return arange(count, kInt64);
    const Tensor seed = rushlight::empty({}, kInt64);
    seed.random_();
    const Generator generator = make_generator();
    generator.manual_seed(static_cast<std::uint64_t>(seed.item().to_int()));
    return randperm(count, generator, TensorOptions(kInt64));
  }
  Dataset dataset_;
  DataLoaderOptions options_;
};

template <class Dataset>
std::unique_ptr<DataLoader<Dataset>> make_data_loader(Dataset dataset, DataLoaderOptions options = {}) {
  return std::make_unique<DataLoader<Dataset>>(std::move(dataset), options);
}

}  // namespace rushlight::data
