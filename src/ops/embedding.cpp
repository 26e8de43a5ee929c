// Rows of tables by index: embedding, its renormalisation, and bags of embeddings.
#include "autograd/shown_name.h"
#include "ops/kernels/embedding.h"
#include "autograd/formulas_pool.h"
#include "ops/composed.h"
#include "ops/kernels/index.h"
#include "rushlight/ops.h"
#include "rushlight/sparse.h"

namespace rushlight {
namespace {

using Sizes = std::vector<std::int64_t>;

void check_indices(const Tensor& indices, const char* op) {
  check(indices.dtype() == Dtype::kInt64 || indices.dtype() == Dtype::kInt32,
        "Expected tensor for argument #1 'indices' to have one of the following scalar types: "
        "Long, Int; but got torch.",
        scalar_type_name(indices.dtype()), "Tensor instead (while checking arguments for ", op, ")");
}

void check_range(const Tensor& indices, std::int64_t rows) {
  if (indices.numel() == 0 || indices.is_meta()) return;
  if (indices.dtype() == Dtype::kInt64) {
    std::uint64_t greatest = 0;
    greatest_index_kernel(indices.device(), indices, &greatest);
    if (greatest < static_cast<std::uint64_t>(rows)) return;
  }
  const auto scan = [&](auto t) {
    using T = decltype(t);
    const T* at = indices.data<T>();
    for (std::int64_t i = 0; i < indices.numel(); ++i)
      check<IndexError>(at[i] >= 0 && at[i] < rows, "embedding: index out of range in self: ", at[i], " of ", rows,
                        " rows");
  };
  if (indices.dtype() == Dtype::kInt64)
    scan(std::int64_t());
  else
    scan(std::int32_t());
}

Sizes with_row(const Tensor& indices, const Tensor& weight) {
  Sizes sizes = indices.sizes().vec();
  sizes.push_back(weight.size(1));
  return sizes;
}

// How often each row is used, for every index.
Tensor uses_of(const Tensor& flat, std::int64_t rows) {
  const NoGradGuard no_grad;
  return flat.bincount(std::nullopt, rows).index_select(0, flat);
}

enum Mode : std::int64_t { kSum, kMean, kMax };

// The bag of every index: offsets are its first positions.
Tensor bags_of(const Tensor& offsets, std::int64_t count, std::int64_t bags) {
  const Tensor result = empty_tensor({count}, Dtype::kInt64, offsets.device());
  if (result.is_meta()) return result;
  const std::int64_t* start = offsets.data<std::int64_t>();
  std::int64_t* bag = result.mutable_data<std::int64_t>();
  for (std::int64_t b = 0; b < bags; ++b) {
    const std::int64_t end = b + 1 < offsets.numel() ? start[b + 1] : count;
    for (std::int64_t i = start[b]; i < std::min(end, count); ++i)
      bag[i] = b;
  }
  return result;
}

void check_offsets(const Tensor& offsets, std::int64_t count) {
  if (offsets.numel() == 0 || offsets.is_meta()) return;
  const std::int64_t* at = offsets.data<std::int64_t>();
  check(at[0] == 0,
        "embedding_bag: offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to "
        "start from "
        "position 0. However, got ",
        at[0]);
  const std::int64_t last = at[offsets.numel() - 1];
  check(last <= count, "embedding_bag: offsets[-1] can not be greater than input's length ", count,
        " but got offsets[-1] of ", last);
  for (std::int64_t i = 1; i < offsets.numel(); ++i)
    check(at[i] >= at[i - 1], "embedding_bag: offsets must not decrease, got ", at[i - 1], " before ", at[i]);
}

}  // namespace

// Rows of the gradient, without those of the padding and scaled by their number of uses where asked
// for.
Tensor embedding_rows(const Tensor& rows, const Tensor& flat, std::int64_t num_weights, std::int64_t padding_idx,
                      bool scale_grad_by_freq) {
  Tensor result = rows;
  if (padding_idx >= 0) result = result.masked_fill(flat.eq(Scalar(padding_idx)).unsqueeze(1), Scalar(0));
  if (scale_grad_by_freq && flat.numel()) result = result.div(uses_of(flat, num_weights).unsqueeze(1));
  return result;
}

namespace ops {

Tensor embedding(const Tensor& weight, const Tensor& indices, std::int64_t, bool, bool) {
  check(weight.dim() == 2, "embedding: 'weight' must be 2-D, got ", weight);
  check_indices(indices, "embedding");
  const NoGradGuard no_grad;
  const Tensor dense = indices.contiguous();
  check_range(dense, weight.size(0));
  if (weight.is_contiguous()) {
    const Tensor result = empty_tensor(with_row(indices, weight), weight.dtype(), weight.device());
    embedding_kernel(result.device(), weight, dense.to(Dtype::kInt64), result);
    return result;
  }
  const Tensor flat = dense.view({indices.numel()});
  // Not a view: the result gets a history of its own.
  return alias(weight.index_select(0, flat), with_row(indices, weight), nullptr, 0);
}

void embedding_renorm_(const Tensor& self, const Tensor& indices, double max_norm, double norm_type) {
  check(self.dim() == 2, "embedding_renorm_: 'self' must be 2-D, got ", self);
  check_indices(indices, "embedding_renorm_");
  const NoGradGuard no_grad;
  const Tensor flat = indices.contiguous().view({indices.numel()}).to(Dtype::kInt64);
  check_range(flat, self.size(0));
  if (flat.numel() == 0) return;
  const Tensor rows = self.index_select(0, flat), norm = linalg_vector_norm(rows, Scalar(norm_type), IntArray{1}, true);
  const Tensor scaled = rows.mul(norm.add(Scalar(1e-7)).reciprocal().mul(Scalar(max_norm)));
  self.index_copy_(0, flat, where(norm.gt(Scalar(max_norm)), scaled, rows));
}

}  // namespace ops

Tensor embedding_dense_backward(const Tensor& grad_output, const Tensor& indices, std::int64_t num_weights,
                                std::int64_t padding_idx, bool scale_grad_by_freq) {
  const Tensor flat = indices.reshape({indices.numel()}).to(Dtype::kInt64);
  const std::int64_t width = grad_output.size(-1);
  const Tensor rows =
      embedding_rows(grad_output.reshape({flat.numel(), width}), flat, num_weights, padding_idx, scale_grad_by_freq);
  const Tensor result = zeros({num_weights, width}, grad_output.options());
  if ((rows.word() | flat.word()) & kBatched) [[unlikely]]
    return result.index_add(0, flat, rows);
  return result.index_add_(0, flat, rows);
}

Tensor embedding_sparse_backward(const Tensor& grad, const Tensor& indices, std::int64_t num_weights,
                                 std::int64_t padding_idx, bool scale_grad_by_freq) {
  check(!scale_grad_by_freq, "embedding_backward: scale_grad_by_freq not supported with sparse gradients");
  Tensor flat = indices.reshape({indices.numel()}).to(Dtype::kInt64);
  const std::int64_t width = grad.size(-1);
  Tensor rows = grad.reshape({flat.numel(), width});
  if (padding_idx >= 0) {
    const Tensor used = flat.ne(Scalar(padding_idx)).nonzero().view({-1});
    flat = flat.index_select(0, used);
    rows = rows.index_select(0, used);
  }
  return _sparse_coo_tensor_unsafe(flat.unsqueeze(0), rows, {num_weights, width});
}

// Composite: gather, weigh, reduce by bag. Every part has a derivative of its own.
std::tuple<Tensor, Tensor, Tensor, Tensor> embedding_bag(const Tensor& weight, const Tensor& indices_,
                                                         const Tensor& offsets_, bool scale_grad_by_freq,
                                                         std::int64_t mode, bool sparse,
                                                         const std::optional<Tensor>& per_sample_weights,
                                                         bool include_last_offset,
                                                         std::optional<std::int64_t> padding_idx) {
  check_indices(indices_, "embedding_bag");
  check_indices(offsets_, "embedding_bag");
  check(weight.dim() == 2, "embedding_bag: 'weight' must be 2-D, got ", weight);
  check(indices_.dim() == 1 && offsets_.dim() == 1, "embedding_bag: input and offsets have to be 1D tensors, got ",
        indices_, " and ", offsets_);
  check(!sparse || mode != kMax, "embedding_bag: max mode does not support sparse weights; use sparse=False");
  const std::int64_t rows = weight.size(0), count = indices_.numel();
  std::int64_t padding = padding_idx.value_or(-1);
  if (padding_idx) {
    check(padding >= -rows && padding < rows, "embedding_bag: padding_idx must be within the number of embeddings, ",
          -rows, " through ", rows - 1, ", but got ", padding);
    if (padding < 0) padding += rows;
  }
  const bool weighted = per_sample_weights && per_sample_weights->defined();
  if (weighted) {
    check(mode == kSum, "embedding_bag: per_sample_weights only supported with mode='sum'");
    check(per_sample_weights->dtype() == weight.dtype(), "embedding_bag: expected per_sample_weights to have dtype ",
          name(weight.dtype()), ", got ", name(per_sample_weights->dtype()));
    check(per_sample_weights->sizes() == indices_.sizes(),
          "embedding_bag: expected per_sample_weights to have the shape of "
          "input ",
          indices_.sizes(), ", got ", per_sample_weights->sizes());
  }
  const Tensor indices = indices_.to(Dtype::kInt64).contiguous(), offsets = offsets_.to(Dtype::kInt64).contiguous();
  need_memory(offsets, "embedding_bag"), need_memory(indices, "embedding_bag");
  check_offsets(offsets, count);
  check_range(indices, rows);
  check(!include_last_offset || offsets.numel() >= 1,
        "embedding_bag: include_last_offset: number of offsets should be at least 1");
  const std::int64_t bags = offsets.numel() - include_last_offset;
  const Tensor bag = bags_of(offsets, count, bags);

  // Rows count unless they are padding.
  const Tensor kept =
      padding >= 0 ? indices.ne(Scalar(padding)) : ones({count}, TensorOptions(Dtype::kBool, indices.device()));
  const Tensor sizes =
      zeros({bags}, TensorOptions(Dtype::kInt64, indices.device())).index_add(0, bag, kept.to(Dtype::kInt64));
  Tensor values = embedding(weight, indices, padding, scale_grad_by_freq, sparse);
  const Dtype type = values.dtype();
  if (is_reduced_float(type) && mode != kMax) values = values.to(Dtype::kFloat32);
  if (weighted) values = values.mul(per_sample_weights->unsqueeze(1));
  const std::int64_t width = weight.size(1);
  Tensor output, positions;
  if (mode == kMax) {
    // The first largest element of each column of a bag, by position.
    const NoGradGuard no_grad;
    const Tensor low =
        values.masked_fill(kept.logical_not().unsqueeze(1), Scalar(-std::numeric_limits<double>::infinity()));
    const Tensor target = bag.unsqueeze(1).expand({count, width});
    const Tensor best = full({bags, width}, Scalar(-std::numeric_limits<double>::infinity()), weight.options())
                            .scatter_reduce(0, target, low, "amax", true);
    const Tensor hit = low.eq(best.index_select(0, bag)).logical_and(kept.unsqueeze(1));
    const Tensor place =
        arange(Scalar(count), TensorOptions(Dtype::kInt64, indices.device())).unsqueeze(1).expand({count, width});
    positions = full({bags, width}, Scalar(count), TensorOptions(Dtype::kInt64, indices.device()))
                    .scatter_reduce(0, target, where(hit, place, full_like(place, Scalar(count))), "amin", true);
  }
  if (mode == kMax) {
    const Tensor empty = positions.eq(Scalar(count));
    const Tensor at = positions.masked_fill(empty, Scalar(0));
    output = count == 0 ? zeros({bags, width}, weight.options()) : values.gather(0, at).masked_fill(empty, Scalar(0));
    positions = count == 0 ? zeros({bags, width}, TensorOptions(Dtype::kInt64, indices.device()))
                           : indices.index_select(0, at.flatten()).view(at.sizes()).masked_fill(empty, Scalar(0));
  } else {
    if (padding >= 0) values = values.mul(kept.unsqueeze(1));
    output = zeros({bags, width}, values.options()).index_add(0, bag, values);
    if (mode == kMean) output = output.div(sizes.clamp_min(Scalar(1)).unsqueeze(1));
    output = output.to(type);
  }
  show_as(output, "EmbeddingBagBackward0");
  const Tensor none = empty_tensor({0}, Dtype::kInt64, indices.device());
  const bool plain = mode == kSum && padding < 0;
  Tensor bag_size = mode == kSum ? zeros_like(offsets) : sizes;
  if (mode != kSum && include_last_offset) bag_size = cat(std::vector<Tensor>{sizes, zeros({1}, sizes.options())}, 0);
  return {output, plain ? none : bag, bag_size, mode == kMax ? positions : bag_size};
}

std::tuple<Tensor, Tensor, Tensor, Tensor> embedding_bag(const Tensor& weight, const Tensor& indices,
                                                         const Tensor& offsets, bool scale_grad_by_freq,
                                                         std::int64_t mode, bool sparse,
                                                         const std::optional<Tensor>& per_sample_weights,
                                                         bool include_last_offset) {
  return embedding_bag(weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights,
                       include_last_offset, std::nullopt);
}

}  // namespace rushlight
