// Scaled dot-product attention: the tiled kernel where it applies, products and softmax otherwise.
#include <cmath>
#include <limits>

#include "autograd/formulas_conv.h"
#include "autograd/interpose.h"
#include "batching/batched.h"
#include "ops/element_name.h"
#include "ops/kernels/attention.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double scale_of(const Tensor& query, std::optional<double> scale) {
  return scale ? *scale : 1 / std::sqrt(static_cast<double>(query.size(-1)));
}

// A mask that is added to the scores.
Tensor additive(const Tensor& mask, Dtype type) {
  if (mask.dtype() != Dtype::kBool) return mask;
  const Tensor zero = empty_tensor(mask.sizes(), type, mask.device()).zero_();
  return zero.masked_fill_(mask.logical_not(), Scalar(-kInfinity));
}

// The probabilities; a query that sees no key has probabilities of 0.
Tensor probabilities(const Tensor& query, const Tensor& key, const std::optional<Tensor>& mask, bool causal,
                     double scale) {
  // Half of the scale on each side keeps half types in range.
  const double half = std::sqrt(std::fabs(scale));
  Tensor scores = query.mul(Scalar(scale < 0 ? -half : half)).matmul(key.transpose(-2, -1).mul(Scalar(half)));
  if (mask && mask->defined()) scores = scores.add(additive(*mask, scores.dtype()).to(scores.dtype()));
  if (causal) {
    const Tensor seen = ones({query.size(-2), key.size(-2)}, TensorOptions(Dtype::kBool, query.device())).tril();
    scores = scores.masked_fill(seen.logical_not(), Scalar(-kInfinity));
  }
  if (!mask || !mask->defined()) return scores.softmax(-1);
  const Tensor dead = scores.detach().eq(Scalar(-kInfinity)).all(-1, true);
  return scores.masked_fill(dead, Scalar(0)).softmax(-1).masked_fill(dead, Scalar(0));
}

// Undefined, or (batch, heads, queries, keys) with contiguous rows.
Tensor kernel_mask(const std::optional<Tensor>& mask, const Tensor& query, const Tensor& key) {
  if (!mask || !mask->defined()) return {};
  Tensor added = additive(*mask, query.dtype());
  if (added.stride(-1) != 1) added = added.contiguous();
  return added.expand({query.size(0), query.size(1), query.size(2), key.size(2)});
}

bool fits_kernel(const Tensor& query, const Tensor& key, const Tensor& value, const std::optional<Tensor>& mask,
                 double dropout_p) {
  const auto all = [&](auto property) { return property(query) && property(key) && property(value); };
  if (dropout_p != 0 || !all([](const Tensor& t) { return t.dim() == 4 && t.dtype() == Dtype::kFloat32; }))
    return false;
  if (key.sizes() != value.sizes() || query.size(3) != key.size(3) || query.size(0) != key.size(0) ||
      query.size(1) != key.size(1))
    return false;
  if (query.numel() == 0 || key.numel() == 0) return false;
  if (!mask || !mask->defined()) return true;
  // A mask of one query for all keys, or broadcast along keys, is left to the general form.
  return !mask->requires_grad() && mask->dim() >= 2 && mask->dim() <= 4 && mask->size(-1) == key.size(2) &&
         (mask->dtype() == Dtype::kBool || mask->dtype() == Dtype::kFloat32);
}

void check_operands(const Tensor& query, const Tensor& key, const Tensor& value, const std::optional<Tensor>& mask) {
  check(query.dim() >= 2 && key.dim() >= 2 && value.dim() >= 2,
        "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: ", query.dim(),
        " key.dim: ", key.dim(), " and value.dim: ", value.dim(), " instead.");
  check(query.dtype() == key.dtype() && key.dtype() == value.dtype(),
        "Expected query, key, and value to have the same dtype, but got query.dtype: ", element_name(query.dtype()),
        " key.dtype: ", element_name(key.dtype()), " and value.dtype: ", element_name(value.dtype()), " instead.");
  check(query.is_floating_point() || query.is_complex(),
        "scaled_dot_product_attention: expected scalar type Float but "
        "found ",
        scalar_type_name(query.dtype()));
  if (!mask || !mask->defined()) return;
  const Dtype type = mask->dtype();
  check(type == Dtype::kBool || type == query.dtype() || type == Dtype::kFloat32,
        "Expected attn_mask dtype to be bool or float or to match query dtype, but got "
        "attn_mask.dtype: ",
        element_name(type), " and  query.dtype: ", element_name(query.dtype()), " instead.");
}

// Only PyTorch's fused kernel takes a mask that is causal as well.
void check_causal_mask(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& mask,
                       double dropout_p) {
  bool fused = dropout_p == 0 && query.dim() == 4 && (mask.dim() == 2 || mask.dim() == 4) && !mask.requires_grad() &&
               query.size(-1) == value.size(-1);
  for (const Tensor* t : {&query, &key, &value})
    fused = fused && t->stride(-1) == 1;
  check(fused,
        "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True; got a mask of shape ",
        mask.sizes(), " for queries of shape ", query.sizes(), ": put the triangle into the mask");
}

Tensor for_every_query_head(const Tensor& t, const Tensor& query) {
  const std::int64_t wanted = query.size(-3), heads = t.size(-3);
  if (wanted == heads) return t;
  check(heads > 0 && wanted % heads == 0,
        "Number of heads in key and value must divide the number of heads in query, got ", heads, " and ", wanted);
  return t.repeat_interleave(wanted / heads, -3);
}

}  // namespace

namespace ops {

std::tuple<Tensor, Tensor> _scaled_dot_product_flash_attention_for_cpu(const Tensor& query, const Tensor& key,
                                                                       const Tensor& value, double dropout_p,
                                                                       bool is_causal,
                                                                       const std::optional<Tensor>& attn_mask,
                                                                       std::optional<double> scale) {
  check(fits_kernel(query, key, value, attn_mask, dropout_p),
        "_scaled_dot_product_flash_attention_for_cpu: float32 operands of shape (batch, heads, "
        "length, dim) without "
        "dropout expected, got ",
        query, ", ", key, " and ", value);
  const NoGradGuard no_grad;
  const Tensor q = query.contiguous(), k = key.contiguous(), v = value.contiguous();
  const Tensor output = empty_tensor(query.sizes(), query.dtype(), query.device());
  const Tensor lse = empty_tensor({q.size(0), q.size(1), q.size(2)}, query.dtype(), query.device());
  attention_kernel(q.device(), q, k, v, kernel_mask(attn_mask, q, k), {scale_of(query, scale), is_causal}, output, lse);
  return {output, lse};
}

}  // namespace ops

std::tuple<Tensor, Tensor, Tensor> attention_backward(const Tensor& grad, const Tensor& query, const Tensor& key,
                                                      const Tensor& value, const Tensor& output, const Tensor& lse,
                                                      bool is_causal, const std::optional<Tensor>& attn_mask,
                                                      std::optional<double> scale) {
  if (!grad.defined()) return {};
  const double factor = scale_of(query, scale);
  if (!batching::needs_operators(grad)) {
    const ProfiledArgument seen[] = {profiled(grad), profiled(query), profiled(key), profiled(value)};
    ProfilerScope scope("_scaled_dot_product_flash_attention_for_cpu_backward", seen);
    const Tensor q = query.contiguous(), k = key.contiguous(), v = value.contiguous(), g = grad.contiguous();
    const auto same = [](const Tensor& t) { return empty_tensor(t.sizes(), t.dtype(), t.device()); };
    const Tensor dq = same(q), dk = same(k), dv = same(v);
    attention_backward_kernel(q.device(), q, k, v, kernel_mask(attn_mask, q, k), {factor, is_causal}, {output, lse, g},
                              dq, dk, dv);
    std::tuple result(dq, dk, dv);
    scope.end(results_of(result));
    return result;
  }
  // Recorded: by products, which can be differentiated again.
  const Tensor p = probabilities(query, key, attn_mask, is_causal, factor);
  const Tensor dp = grad.matmul(value.transpose(-2, -1));
  const Tensor ds = p.mul(dp.sub(dp.mul(p).sum(IntArray{-1}, true))).mul(Scalar(factor));
  return {ds.matmul(key), ds.transpose(-2, -1).matmul(query), p.transpose(-2, -1).matmul(grad)};
}

std::tuple<Tensor, Tensor> _scaled_dot_product_attention_math(const Tensor& query, const Tensor& key,
                                                              const Tensor& value,
                                                              const std::optional<Tensor>& attn_mask, double dropout_p,
                                                              bool is_causal, const std::optional<Tensor>& dropout_mask,
                                                              std::optional<double> scale, bool enable_gqa) {
  const Tensor k = enable_gqa ? for_every_query_head(key, query) : key;
  const Tensor v = enable_gqa ? for_every_query_head(value, query) : value;
  Tensor p = probabilities(query, k, attn_mask, is_causal, scale_of(query, scale));
  if (dropout_p > 0 && dropout_mask && dropout_mask->defined())
    p = p.masked_fill(dropout_mask->logical_not(), Scalar(0)).div(Scalar(1 - dropout_p));
  else if (dropout_p != 0)
    p = dropout(p, dropout_p, true);
  return {p.matmul(v), p};
}

Tensor uncast_scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                           const std::optional<Tensor>& attn_mask, double dropout_p, bool is_causal,
                                           std::optional<double> scale, bool enable_gqa) {
  check_operands(query, key, value, attn_mask);
  if (is_causal && attn_mask && attn_mask->defined()) check_causal_mask(query, key, value, *attn_mask, dropout_p);
  if (enable_gqa && query.dim() >= 3 && key.dim() >= 3 && query.size(-3) != key.size(-3))
    return scaled_dot_product_attention(query, for_every_query_head(key, query), for_every_query_head(value, query),
                                        attn_mask, dropout_p, is_causal, scale, false);
  if (is_reduced_float(query.dtype())) {  // one rounding at the end
    const auto wide = [](const Tensor& t) { return t.to(Dtype::kFloat32); };
    std::optional<Tensor> mask = attn_mask;
    if (mask && mask->defined() && mask->dtype() != Dtype::kBool) mask = wide(*mask);
    return scaled_dot_product_attention(wide(query), wide(key), wide(value), mask, dropout_p, is_causal, scale, false)
        .to(query.dtype());
  }
  if (fits_kernel(query, key, value, attn_mask, dropout_p))
    return std::get<0>(
        _scaled_dot_product_flash_attention_for_cpu(query, key, value, dropout_p, is_causal, attn_mask, scale));
  return std::get<0>(_scaled_dot_product_attention_math(query, key, value, attn_mask, dropout_p, is_causal,
                                                        std::nullopt, scale, false));
}

}  // namespace rushlight
