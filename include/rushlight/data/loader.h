// make_data_loader: batches of a dataset in the order of a sampler, made ahead by threads on request.
#pragma once
#include <deque>
#include <future>

#include "rushlight/data/datasets.h"
#include "rushlight/data/samplers.h"
#include "rushlight/nn/options.h"

namespace rushlight::data {

class DataLoaderOptions {
 public:
  DataLoaderOptions(std::size_t count = 1) : batch_size_(count) {}  // NOLINT(google-explicit-constructor)
  RL_OPTION(std::size_t, batch_size);
  RL_OPTION(std::size_t, workers) = 0;  // threads that make batches ahead; the dataset is then used by several at once
  RL_OPTION(bool, drop_last) = false;
};

// `for (auto& batch : *loader)`: every loop is an epoch.
template <class Dataset, class Sampler>
class DataLoader {
 public:
  using Batch = typename Dataset::BatchType;
  DataLoader(Dataset dataset, Sampler sampler, const DataLoaderOptions& options)
      : dataset_(std::move(dataset)), sampler_(std::move(sampler)), options_(options) {}
  DataLoader(const DataLoader&) = delete;
  DataLoader& operator=(const DataLoader&) = delete;

  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Batch;
    using difference_type = std::ptrdiff_t;
    using pointer = Batch*;
    using reference = Batch&;
    explicit Iterator(DataLoader* loader) : loader_(loader) { ++*this; }
    Batch& operator*() const { return *loader_->batch_; }
    Batch* operator->() const { return &*loader_->batch_; }
    Iterator& operator++() {
      if (loader_ && !loader_->advance()) loader_ = nullptr;
      return *this;
    }
    bool operator==(const Iterator& other) const { return loader_ == other.loader_; }

   private:
    DataLoader* loader_;
  };
  Iterator begin() {
    ahead_.clear();
    sampler_.reset(dataset_.size());
    return Iterator(this);
  }
  Iterator end() { return Iterator(nullptr); }
  const DataLoaderOptions& options() const { return options_; }

 private:
  std::optional<std::vector<std::size_t>> next_indices() {
    auto indices = sampler_.next(options_.batch_size());
    if (indices && options_.drop_last() && indices->size() < options_.batch_size()) return std::nullopt;
    return indices;
  }
  bool advance() {
    if (options_.workers() == 0) {
      const auto indices = next_indices();
      if (indices) batch_ = dataset_.get_batch(*indices);
      return indices.has_value();
    }
    while (ahead_.size() < 2 * options_.workers()) {
      auto indices = next_indices();
      if (!indices) break;
      ahead_.push_back(std::async(std::launch::async,
                                  [this, indices = std::move(*indices)] { return dataset_.get_batch(indices); }));
    }
    if (ahead_.empty()) return false;
    auto next = std::move(ahead_.front());
    ahead_.pop_front();
    batch_ = next.get();
    return true;
  }
  Dataset dataset_;
  Sampler sampler_;
  DataLoaderOptions options_;
  std::optional<Batch> batch_;
  std::deque<std::future<Batch>> ahead_;  // after dataset_, which it uses
};

template <class Sampler = samplers::RandomSampler, class Dataset>
std::unique_ptr<DataLoader<Dataset, Sampler>> make_data_loader(Dataset dataset, DataLoaderOptions options = {}) {
  const std::optional<std::size_t> size = dataset.size();
  check(size.has_value(), "make_data_loader: the dataset has no size; give a sampler of your own");
  return std::make_unique<DataLoader<Dataset, Sampler>>(std::move(dataset), Sampler(*size), options);
}
template <class Dataset, class Sampler>
  requires(requires(Sampler sampler) { sampler.reset(std::optional<std::size_t>()); })
std::unique_ptr<DataLoader<Dataset, Sampler>> make_data_loader(Dataset dataset, Sampler sampler,
                                                               DataLoaderOptions options = {}) {
  return std::make_unique<DataLoader<Dataset, Sampler>>(std::move(dataset), std::move(sampler), options);
}

}  // namespace rushlight::data
