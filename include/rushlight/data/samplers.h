// Samplers: the order of an epoch, batch by batch.
#pragma once
#include <numeric>

#include "rushlight/ops.h"

namespace rushlight::data::samplers {

class Sampler {
 public:
  explicit Sampler(std::size_t size) : size_(size) {}
  virtual ~Sampler() = default;
  // Starts an epoch, of another size when one is given.
  void reset(std::optional<std::size_t> size = std::nullopt) {
    size_ = size.value_or(size_);
    order_ = new_order(size_);
    at_ = 0;
  }
  // The next indices, at most `count`; nothing at the end of the epoch.
  std::optional<std::vector<std::size_t>> next(std::size_t count) {
    if (at_ >= order_.size()) return std::nullopt;
    const std::size_t end = std::min(order_.size(), at_ + count);
    std::vector<std::size_t> batch(order_.begin() + static_cast<std::ptrdiff_t>(at_),
                                   order_.begin() + static_cast<std::ptrdiff_t>(end));
    at_ = end;
    return batch;
  }
  std::size_t index() const { return at_; }

 protected:
  virtual std::vector<std::size_t> new_order(std::size_t size) = 0;
  static std::vector<std::size_t> indices_of(const Tensor& order) {
    return {order.data<std::int64_t>(), order.data<std::int64_t>() + order.numel()};
  }

 private:
  std::size_t size_, at_ = 0;
  std::vector<std::size_t> order_;
};

class SequentialSampler : public Sampler {
 public:
  using Sampler::Sampler;

 protected:
  std::vector<std::size_t> new_order(std::size_t size) override {
    std::vector<std::size_t> order(size);
    std::iota(order.begin(), order.end(), std::size_t{0});
    return order;
  }
};

// A permutation from the default generator, as libtorch draws it.
class RandomSampler : public Sampler {
 public:
  using Sampler::Sampler;

 protected:
  std::vector<std::size_t> new_order(std::size_t size) override {
    return indices_of(randperm(static_cast<std::int64_t>(size)));
  }
};

// The order of Python's DataLoader after the same manual_seed: it draws a seed for workers, then one for the order.
class PythonRandomSampler : public Sampler {
 public:
  using Sampler::Sampler;

 protected:
  std::vector<std::size_t> new_order(std::size_t size) override {
    const Tensor seed = rushlight::empty({}, kInt64);
    seed.random_();
    seed.random_();
    const Generator generator = make_generator();
    generator.manual_seed(static_cast<std::uint64_t>(seed.item().to_int()));
    return indices_of(randperm(static_cast<std::int64_t>(size), generator, TensorOptions(kInt64)));
  }
};

}  // namespace rushlight::data::samplers
