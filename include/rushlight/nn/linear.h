// Linear, Bilinear, Identity, Flatten, Embedding.
#pragma once
#include "rushlight/nn/module.h"
#include "rushlight/nn/options.h"

namespace rushlight::nn {

class LinearOptions {
 public:
  LinearOptions(std::int64_t in, std::int64_t out) : in_features_(in), out_features_(out) {}
  RL_OPTION(std::int64_t, in_features);
  RL_OPTION(std::int64_t, out_features);
  RL_OPTION(bool, bias) = true;
};

// y = x weight^T + bias on the last dimension: (*, in_features) -> (*, out_features).
class LinearImpl : public Module {
 public:
  LinearImpl(std::int64_t in, std::int64_t out) : LinearImpl(LinearOptions(in, out)) {}
  explicit LinearImpl(const LinearOptions& settings);
  void reset_parameters();
  Tensor forward(const Tensor& input) const;
  void pretty_print(std::ostream& stream) const override;
  LinearOptions options;
  Tensor weight, bias;
};
TORCH_MODULE(Linear);

class IdentityImpl : public Module {
 public:
  Tensor forward(const Tensor& input) const { return input; }
  void pretty_print(std::ostream& stream) const override;
};
TORCH_MODULE(Identity);

class FlattenOptions {
  RL_OPTION(std::int64_t, start_dim) = 1;
  RL_OPTION(std::int64_t, end_dim) = -1;
};
class FlattenImpl : public Module {
 public:
  explicit FlattenImpl(const FlattenOptions& settings = {}) : options(settings) {}
  Tensor forward(const Tensor& input) const { return input.flatten(options.start_dim(), options.end_dim()); }
  void pretty_print(std::ostream& stream) const override;
  FlattenOptions options;
};
TORCH_MODULE(Flatten);

class EmbeddingOptions {
 public:
  EmbeddingOptions(std::int64_t count, std::int64_t dim) : num_embeddings_(count), embedding_dim_(dim) {}
  RL_OPTION(std::int64_t, num_embeddings);
  RL_OPTION(std::int64_t, embedding_dim);
  RL_OPTION(std::optional<std::int64_t>, padding_idx) = std::nullopt;
};
// Rows of a table by index: integers (*) -> (*, embedding_dim).
class EmbeddingImpl : public Module {
 public:
  EmbeddingImpl(std::int64_t count, std::int64_t dim) : EmbeddingImpl(EmbeddingOptions(count, dim)) {}
  explicit EmbeddingImpl(const EmbeddingOptions& settings);
  Tensor forward(const Tensor& indices) const;
  void pretty_print(std::ostream& stream) const override;
  EmbeddingOptions options;
  Tensor weight;
};
TORCH_MODULE(Embedding);

}  // namespace rushlight::nn
