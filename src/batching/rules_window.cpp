// Rules of operators on images: pools, resampling, padding, convolutions. Samples join the batch, or the channels.
#include "batching/batching_call.h"
#include "rushlight/ops.h"

namespace rushlight::batching {
namespace {

// The dimensions of an image in an operator's name: 2 for max_pool2d_with_indices, grid_sampler_2d, im2col.
std::int64_t image_rank(std::string_view name) {
  for (std::size_t i = 0; i + 1 < name.size(); ++i)
    if (name[i] >= '1' && name[i] <= '3' && (name[i + 1] == 'd')) return name[i] - '0';
  return 2;
}

std::int64_t entries(const Tensor& tensor, std::size_t from) {
  std::int64_t count = 1;
  for (const std::int64_t size : tensor.sizes().subspan(from))
    count *= size;
  return count;
}

}  // namespace

// (N, C, ...) of all samples are one batch of images; without N, the samples are the batch.
std::vector<Tensor> windows(Call& call) {
  const std::int64_t images = image_rank(call.name()) + 2;
  const bool has_batch = call[0].rank() == images;
  if (!has_batch && call[0].rank() != images - 1) return call.each_sample();
  for (Item& item : call.items()) {
    if (!item.defined()) continue;
    call.expand(item);
    const bool sampled_for_one = call.name().starts_with("fractional") && &item == &call[1];  // [1, C, dims]
    if (has_batch || sampled_for_one) item.tensor = merge_batch(item.tensor);
  }
  for (const Parameter& parameter : call.parameters())
    if (parameter.type() == Parameter::Type::kInts && call.name().ends_with("_backward") &&
        call.name().find("upsample") != std::string_view::npos &&
        static_cast<std::int64_t>(parameter.as<IntArray>().size()) == images) {  // input_size
      std::vector<std::int64_t> sizes = parameter.as<IntArray>().vec();
      sizes[0] *= call.batch();
      call.set(parameter, std::move(sizes));
    }
  std::vector<Tensor> results = call.invoke();
  if (has_batch)
    for (Tensor& result : results)
      result = split_batch(result, call.batch());
  return results;
}

std::vector<Tensor> constant_pad(Call& call) {
  if (static_cast<std::int64_t>(call.parameter<IntArray>(0).size()) > 2 * call[0].rank()) return call.each_sample();
  return call.invoke();
}

namespace {

// [B, N, C, ...] as [N, B * C, ...], and back.
Tensor to_channels(const Tensor& value) { return merge_batch(movedim(value, 0, 1), 1); }
Tensor from_channels(const Tensor& value, std::int64_t batch) { return movedim(split_batch(value, batch, 1), 1, 0); }

}  // namespace

std::vector<Tensor> convolution(Call& call) {
  Item &input = call[0], &weight = call[1], &bias = call[2];
  auto& groups = call.parameter<std::int64_t>(5);
  if (input.rank() < 3 || weight.rank() != input.rank()) return call.each_sample();
  if (!weight.batched && !(bias.defined() && bias.batched)) {
    input.tensor = merge_batch(input.tensor);
    return {split_batch(call.invoke()[0], call.batch())};
  }
  if (!weight.batched) {  // the bias alone differs
    const Tensor shift = bias.tensor;
    bias = {};
    if (input.batched) input.tensor = merge_batch(input.tensor);
    Tensor made = call.invoke()[0];
    made = input.batched ? split_batch(made, call.batch()) : unsqueeze(made, 0);
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(made.dim()), 1);
    sizes[0] = call.batch();
    sizes[2] = shift.sizes()[1];
    return {add(made, reshape(shift, sizes))};
  }
  // A group of channels per sample.
  if (input.batched) {
    input.tensor = to_channels(input.tensor);
  } else {
    input.tensor = to_channels(call.expand(input));
  }
  weight.tensor = merge_batch(weight.tensor);
  if (bias.defined()) bias.tensor = merge_batch(call.expand(bias));
  groups *= call.batch();
  return {from_channels(call.invoke()[0], call.batch())};
}

std::vector<Tensor> convolution_gradient(Call& call) {
  const auto mask = call.parameter<std::span<const bool>>(7);
  auto& groups = call.parameter<std::int64_t>(6);
  Item &grad = call[0], &input = call[1], &weight = call[2];
  const std::int64_t batch = call.batch();
  if (!weight.batched && mask[0] && !mask[1] && !mask[2]) {
    grad.tensor = merge_batch(call.expand(grad));
    input.tensor = merge_batch(call.expand(input));
    std::vector<Tensor> results = call.invoke();
    results[0] = split_batch(results[0], batch);
    return results;
  }
  grad.tensor = to_channels(call.expand(grad));
  input.tensor = to_channels(call.expand(input));
  weight.tensor = merge_batch(call.expand(weight));
  groups *= batch;
  std::vector<Tensor> results = call.invoke();
  if (results[0].defined()) results[0] = from_channels(results[0], batch);
  for (std::size_t i = 1; i < 3; ++i)
    if (results[i].defined()) results[i] = split_batch(results[i], batch);
  return results;
}

// --- normalisation ---------------------------------------------------------------------------------------

namespace {

// out * weight + bias, both with the batch in front and `before` dimensions of ones behind it, `after` at the end.
Tensor scaled(Tensor out, const Item& weight, const Item& bias, std::int64_t before, std::int64_t after) {
  const auto spread = [&](const Item& item) {
    std::vector<std::int64_t> sizes = item.tensor.sizes().vec();
    if (item.batched) sizes.insert(sizes.begin() + 1, static_cast<std::size_t>(before), 1);
    sizes.insert(sizes.end(), static_cast<std::size_t>(after), 1);
    return view(item.tensor.contiguous(), sizes);
  };
  if (weight.defined()) out = mul(out, spread(weight));
  if (bias.defined()) out = add(out, spread(bias));
  return out;
}

}  // namespace

// Rows of the last dimensions; a weight that differs between samples is applied behind.
std::vector<Tensor> row_norm(Call& call) {
  Item& input = call[0];
  const bool has_bias = call.arguments() > 2;
  const std::int64_t normalized = static_cast<std::int64_t>(call.parameter<IntArray>(0).size());
  if (input.rank() < normalized) return call.each_sample();
  call.expand(input);
  Item weight = call[1], bias = has_bias ? call[2] : Item{};
  if (!weight.batched && !bias.batched) return call.invoke();
  call[1] = {};
  if (has_bias) call[2] = {};
  std::vector<Tensor> results = call.invoke();
  const Dtype type = results[0].dtype();
  results[0] = scaled(results[0], weight, bias, input.rank() - normalized, 0);
  if (results[0].dtype() != type) results[0] = _to_copy(results[0], TensorOptions(type));
  return results;
}

std::vector<Tensor> group_norm(Call& call) {
  Item& input = call[0];
  if (input.rank() < 2) return call.each_sample();
  auto& n = call.parameter<std::int64_t>(0);
  const Item weight = call[1], bias = call[2];
  input.tensor = merge_batch(call.expand(input));
  n *= call.batch();
  const bool apart = weight.batched || bias.batched;
  if (apart) call[1] = call[2] = {};
  std::vector<Tensor> results = call.invoke();
  for (Tensor& result : results)
    result = split_batch(result, call.batch());
  if (apart) results[0] = scaled(results[0], weight, bias, 1, input.tensor.dim() - 2);
  return results;
}

// Every sample has channels of its own.
std::vector<Tensor> batch_norm(Call& call) {
  Item& input = call[0];
  const bool training = call.parameter<bool>(0);
  const auto shared = [&](std::size_t i) { return call[i].defined() && !call[i].batched; };
  if (input.rank() < 2) return call.each_sample();
  if (training && (shared(3) || shared(4)))
    need_samples(
        "vmap: batch_norm got a running statistic that all samples share and would have to update it for each of them. "
        "Please use track_running_stats=False or replace the layer");
  if (training && call.has(3)) levels()[call.level_index()].wrote_input = true;
  input.tensor = to_channels(call.expand(input));
  const std::optional<Tensor> statistics[] = {call.optional(3), call.optional(4)};
  for (std::size_t i = 1; i < 5; ++i)
    if (call[i].defined()) call[i].tensor = merge_batch(call.expand(call[i]));
  std::vector<Tensor> results = call.invoke();
  for (std::size_t i = 0; i < 2; ++i)  // what was updated may be a copy
    if (training && statistics[i] && !statistics[i]->is_contiguous()) {
      const NoGradGuard no_grad;
      copy_(*statistics[i], split_batch(call[i + 3].tensor, call.batch()));
    }
  results[0] = from_channels(results[0], call.batch());
  for (std::size_t i = 1; i < 3; ++i)
    results[i] =
        results[i].numel() ? split_batch(results[i], call.batch()) : rushlight::expand(results[i], {call.batch(), 0});
  return results;
}

// --- losses of classes ---------------------------------------------------------------------------------------

// Rows of all samples at once; what a mean divides by is counted per sample.
std::vector<Tensor> class_loss(Call& call) {
  Item &self = call[0], &target = call[1], &weight = call[2];
  auto& reduction = call.parameter<std::int64_t>(0);
  const std::int64_t ignored = call.parameter<std::int64_t>(1), wanted = std::exchange(reduction, 0);
  const std::int64_t batch = call.batch();
  if (weight.defined() && weight.batched) {
    reduction = wanted;
    return call.each_sample();
  }
  const bool lone = self.rank() == 1;
  if (lone && target.rank() == 1) {
    reduction = wanted;
    return call.each_sample();
  }
  call.expand(self), call.expand(target);
  if (!lone) {
    self.tensor = merge_batch(self.tensor);
    target.tensor = merge_batch(target.tensor);
  }
  const Tensor targets = target.tensor;
  std::vector<Tensor> results = call.invoke();
  const auto per_sample = [&](const Tensor& t) { return lone ? t : split_batch(t, batch); };
  results[0] = per_sample(results[0]);
  if (results.size() > 2) results[2] = per_sample(results[2]);
  const Tensor counted = ne(targets, Scalar(ignored));
  Tensor weights;
  if (weight.defined()) {
    const Tensor safe = where(counted, targets, Scalar(0));
    weights = where(counted, reshape(index_select(weight.tensor.detach(), 0, reshape(safe, {-1})), safe.sizes()),
                    Scalar(0.0));
  } else {
    weights = _to_copy(counted, TensorOptions(results[0].dtype()));
  }
  Tensor total = per_sample(weights);
  if (wanted == 0) {
    results[1] = zeros({batch}, results[0].options());
    return results;
  }
  if (!lone) {
    total = sum(reshape(total, {batch, entries(total, 1)}), OptionalIntArray{1}, false);
    results[0] = sum(reshape(results[0], {batch, entries(results[0], 1)}), OptionalIntArray{1}, false);
  }
  if (wanted == 1) results[0] = div(results[0], total);
  results[1] = total;
  return results;
}

}  // namespace rushlight::batching
