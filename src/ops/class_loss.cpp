// Losses with classes as targets: nll_loss, cross_entropy and the margin losses.
#include "autograd/shown_name.h"
#include "ops/kernels/class_loss.h"

#include "ops/reduce_shape.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace {

// The values of `reduction`, as in Python: 0 none, 1 mean, 2 sum.
constexpr std::int64_t kNone = 0, kMean = 1;

}  // namespace

namespace ops {
namespace {

Dtype loss_dtype(const Tensor& self) { return is_reduced_float(self.dtype()) ? Dtype::kFloat32 : self.dtype(); }

void check_class_targets(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                         std::int64_t classes, const char* op) {
  check<NotImplementedError>(is_floating(self.dtype()), "\"", op, "_out_frame\" not implemented for '",
                             scalar_type_name(self.dtype()), "'");
  check(target.dtype() == Dtype::kInt64 || target.dtype() == Dtype::kUInt8, op,
        ": expected target dtype to be Long or Byte, but got ", scalar_type_name(target.dtype()));
  check(!weight || !weight->defined() || (weight->dim() == 1 && weight->numel() == classes), op,
        ": weight tensor should be defined either for all ", classes,
        " classes or no classes but got weight tensor of shape: ", weight ? weight->sizes() : IntArray{});
  check(!weight || !weight->defined() || weight->dtype() == self.dtype(), op, ": expected scalar type ",
        scalar_type_name(self.dtype()), " for the weight but found ", weight ? scalar_type_name(weight->dtype()) : "");
}

Tensor operand(const std::optional<Tensor>& t, Dtype dtype) {
  return t && t->defined() ? contiguous_as(*t, dtype) : Tensor();
}

// Output and total weight of losses and their weights.
std::tuple<Tensor, Tensor> reduced_losses(const Tensor& losses, const Tensor& weights, std::int64_t reduction,
                                          IntArray sizes, Dtype dtype) {
  const DimMask every = all_dims(1);
  const Tensor total = reduce(Reduction::kSum, weights, every, false, weights.dtype());
  if (reduction == kNone) {
    const Tensor zero = contiguous_as(zeros({}, losses.options()), dtype);
    return {converted(alias(losses, sizes, nullptr, 0), dtype), zero};
  }
  Tensor sum = reduce(Reduction::kSum, losses, every, false, losses.dtype());
  if (reduction == kMean) sum = Tensor(div(sum, total));
  return {converted(sum, dtype), converted(total, dtype)};
}

// `self` as [batch, classes, inner].
std::tuple<Tensor, Tensor> nll(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                               std::int64_t reduction, std::int64_t ignore_index, IntArray shape) {
  check_class_targets(self, target, weight, shape[1], "nll_loss");
  const Dtype dtype = loss_dtype(self);
  const Tensor copy = contiguous_as(self, dtype), in = alias(copy, shape, nullptr, 0);
  const Tensor targets = contiguous_as(target, Dtype::kInt64);
  const Tensor losses = empty_tensor({target.numel()}, dtype, self.device()),
               weights = empty_tensor({target.numel()}, dtype, self.device());
  nll_kernel(self.device(), losses, weights, in, targets, operand(weight, dtype), ignore_index);
  return reduced_losses(losses, weights, reduction, target.sizes(), self.dtype());
}

}  // namespace

std::tuple<Tensor, Tensor> nll_loss_forward(const Tensor& self, const Tensor& target,
                                            const std::optional<Tensor>& weight, std::int64_t reduction,
                                            std::int64_t ignore_index) {
  check(self.dim() > 0 && self.dim() <= 2, "nll_loss: input tensor should be 1D or 2D, but got ", self);
  check(target.dim() <= 1, "nll_loss: 0D or 1D target tensor expected, multi-target not supported, but got ", target);
  const std::int64_t batch = self.dim() == 2 ? self.size(0) : 1, classes = self.size(-1);
  check(self.dim() == 1 ? target.numel() == 1 : target.dim() == 1 && target.size(0) == batch,
        "nll_loss: size mismatch (got input: ", self.sizes(), ", target: ", target.sizes(), ")");
  return nll(self, target, weight, reduction, ignore_index, {batch, classes, 1});
}

std::tuple<Tensor, Tensor> nll_loss2d_forward(const Tensor& self, const Tensor& target,
                                              const std::optional<Tensor>& weight, std::int64_t reduction,
                                              std::int64_t ignore_index) {
  check(target.dim() == 3,
        "nll_loss2d: only batches of spatial targets supported (3D tensors) but got targets of dimension: ",
        target.dim());
  check(self.dim() == 4,
        "nll_loss2d: only batches of spatial inputs supported (4D tensors), but got input of dimension: ", self.dim());
  check(self.size(0) == target.size(0) && self.size(2) == target.size(1) && self.size(3) == target.size(2),
        "nll_loss2d: size mismatch (got input: ", self.sizes(), " , target: ", target.sizes(), ")");
  return nll(self, target, weight, reduction, ignore_index, {self.size(0), self.size(1), self.size(2) * self.size(3)});
}

namespace {

// -weight[target] * share at the target of each position, zero elsewhere.
Tensor nll_gradient(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                    const std::optional<Tensor>& weight, std::int64_t reduction, std::int64_t ignore_index,
                    const Tensor& total_weight) {
  const NoGradGuard no_grad;
  const Tensor grad = grad_output.detach(), counted = ne(target, Scalar(ignore_index));
  const Tensor safe = _to_copy(where(counted, target, Scalar(0)), TensorOptions(Dtype::kInt64));
  Tensor picked = neg(reduction == kMean ? div(grad, total_weight.detach()) : grad);
  if (weight && weight->defined())
    picked = mul(reshape(index_select(weight->detach(), 0, reshape(safe, {-1})), target.sizes()), picked);
  picked = where(counted, picked, Scalar(0.0));
  const bool lone = self.dim() == 1 && target.dim() == 1;
  const std::int64_t class_dim = self.dim() == 1 ? 0 : 1;
  const auto with_classes = [&](const Tensor& t) { return lone ? t : unsqueeze(t, class_dim); };
  return scatter(zeros(self.sizes(), grad.options()), class_dim, with_classes(safe), with_classes(picked));
}

}  // namespace

Tensor nll_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                         const std::optional<Tensor>& weight, std::int64_t reduction, std::int64_t ignore_index,
                         const Tensor& total_weight) {
  return nll_gradient(grad_output, self, target, weight, reduction, ignore_index, total_weight);
}
Tensor nll_loss2d_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                           const std::optional<Tensor>& weight, std::int64_t reduction, std::int64_t ignore_index,
                           const Tensor& total_weight) {
  return nll_gradient(grad_output, self, target, weight, reduction, ignore_index, total_weight);
}

std::tuple<Tensor, Tensor, Tensor> _cross_entropy(const Tensor& self, const Tensor& target,
                                                  const std::optional<Tensor>& weight, std::int64_t reduction,
                                                  std::int64_t ignore_index) {
  check_class_targets(self, target, weight, self.size(1), "nll_loss");
  const Dtype dtype = loss_dtype(self);
  const std::int64_t rows = self.size(0);
  const Device device = self.device();
  const Tensor losses = empty_tensor({rows}, dtype, device), weights = empty_tensor({rows}, dtype, device),
               lse = empty_tensor({rows}, dtype, device);
  cross_entropy_kernel(device, losses, weights, lse, contiguous_as(self, dtype), contiguous_as(target, Dtype::kInt64),
                       operand(weight, dtype), ignore_index);
  auto [loss, total] = reduced_losses(losses, weights, reduction, target.sizes(), self.dtype());
  return {std::move(loss), std::move(total), lse};
}

}  // namespace ops

Tensor uncast_nll_loss(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                       std::int64_t reduction, std::int64_t ignore_index) {
  return std::get<0>(nll_loss_forward(self, target, weight, reduction, ignore_index));
}
Tensor uncast_nll_loss2d(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                         std::int64_t reduction, std::int64_t ignore_index) {
  return std::get<0>(nll_loss2d_forward(self, target, weight, reduction, ignore_index));
}

Tensor uncast_nll_loss_nd(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                          std::int64_t reduction, std::int64_t ignore_index) {
  check<ValueError>(self.dim() >= 1, "nll_loss: Expected 1 or more dimensions (got ", self.dim(), ")");
  check<ValueError>(self.dim() == 1 || (target.dim() > 0 && self.size(0) == target.size(0)),
                    "nll_loss: Expected input batch_size (", self.size(0), ") to match target batch_size (",
                    target.dim() > 0 ? target.size(0) : 0, ").");
  if (self.dim() <= 2) return nll_loss(self, target, weight, reduction, ignore_index);
  if (self.dim() == 4) return nll_loss2d(self, target, weight, reduction, ignore_index);
  const std::int64_t n = self.size(0), c = self.size(1);
  std::vector<std::int64_t> expected = self.sizes().vec();
  expected.erase(expected.begin() + 1);
  check(target.sizes() == IntArray(expected), "nll_loss: Expected target size ", IntArray(expected), ", got ",
        target.sizes());
  std::int64_t inner = 1;
  for (std::int64_t i = 2; i < self.dim(); ++i)
    inner *= self.size(i);
  const Tensor loss =
      nll_loss2d(reshape(self, {n, c, inner, 1}), reshape(target, {n, inner, 1}), weight, reduction, ignore_index);
  return reduction == kNone ? reshape(loss, target.sizes()) : loss;
}

namespace {

Tensor reduced(const Tensor& losses, std::int64_t reduction) {
  if (reduction == kNone) return losses;
  return reduction == kMean ? mean(losses) : sum(losses);
}

// Targets are probabilities of the shape of the input.
Tensor cross_entropy_of_probabilities(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                                      std::int64_t reduction, double label_smoothing) {
  const std::int64_t class_dim = self.dim() == 1 ? 0 : 1, classes = self.size(class_dim);
  const Tensor logs = log_softmax(self, class_dim);
  const Tensor wanted = label_smoothing > 0 ? add(mul(target, Scalar(1 - label_smoothing)),
                                                  Scalar(label_smoothing / static_cast<double>(classes)))
                                            : target;
  Tensor product = mul(logs, wanted);
  if (weight) {
    std::vector<std::int64_t> shape(static_cast<std::size_t>(self.dim()), 1);
    shape[static_cast<std::size_t>(class_dim)] = weight->numel();
    product = mul(product, view(*weight, shape));
  }
  if (reduction == kNone) return neg(sum(product, OptionalIntArray(class_dim), false));
  const Tensor total = neg(sum(product));
  if (reduction != kMean) return total;
  const double batch = static_cast<double>(self.numel()) / static_cast<double>(classes);
  const ShownAs shown("DivBackward1");
  return shown(div(total, Scalar(batch)));
}

// The share of a loss that knows no target: every class counts alike.
Tensor smooth_loss(const Tensor& logs, const Tensor& target, const std::optional<Tensor>& weight,
                   std::int64_t reduction, std::int64_t ignore_index, std::int64_t class_dim) {
  Tensor weighted = logs;
  if (weight) {
    std::vector<std::int64_t> shape(static_cast<std::size_t>(logs.dim()), 1);
    shape[static_cast<std::size_t>(class_dim)] = weight->numel();
    weighted = mul(logs, view(*weight, shape));
  }
  const Tensor ignored = eq(target, Scalar(ignore_index));
  const Tensor losses = where(ignored, Scalar(0.0), neg(sum(weighted, OptionalIntArray(class_dim), false)));
  if (reduction != kMean) return reduced(losses, reduction);
  const Tensor kept = logical_not(ignored);
  if (!weight) return div(sum(losses), sum(kept));
  const Tensor safe = _to_copy(where(ignored, Scalar(0), target), TensorOptions(Dtype::kInt64));
  const Tensor counted = mul(index_select(*weight, 0, reshape(safe, {-1})), reshape(kept, {-1}));
  return div(sum(losses), sum(counted));
}

}  // namespace

Tensor uncast_cross_entropy_loss(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                                 std::int64_t reduction, std::int64_t ignore_index, double label_smoothing) {
  check(label_smoothing >= 0 && label_smoothing <= 1,
        "cross_entropy: label_smoothing must be between 0.0 and 1.0. Got: ", label_smoothing);
  if (self.sizes() == target.sizes()) {
    check(is_floating(target.dtype()),
          "cross_entropy: Expected floating point type for target with class probabilities, got ",
          scalar_type_name(target.dtype()));
    check(ignore_index < 0, "cross_entropy: ignore_index is not supported for floating point target");
    const std::int64_t classes = self.size(self.dim() == 1 ? 0 : 1);
    check(!weight || (weight->dim() == 1 && weight->numel() == classes),
          "cross_entropy: weight tensor should be defined either for all ", classes,
          " classes or no classes but got weight tensor of shape: ", weight ? weight->sizes() : IntArray{});
    return cross_entropy_of_probabilities(self, target, weight, reduction, label_smoothing);
  }
  if (self.dim() == 2 && target.dim() == 1 && label_smoothing == 0 && self.size(0) == target.size(0))
    return std::get<0>(_cross_entropy(self, target, weight, reduction, ignore_index));
  const std::int64_t class_dim = self.dim() == 1 ? 0 : 1;
  const Tensor logs = log_softmax(self, class_dim);
  const Tensor loss = nll_loss_nd(logs, target, weight, reduction, ignore_index);
  if (label_smoothing == 0) return loss;
  const Tensor smooth = smooth_loss(logs, target, weight, reduction, ignore_index, class_dim);
  return add(mul(loss, Scalar(1 - label_smoothing)),
             mul(smooth, Scalar(label_smoothing / static_cast<double>(self.size(class_dim)))));
}

namespace {

Tensor as_rows(const Tensor& t) { return t.dim() < 2 ? reshape(t, {1, t.numel()}) : t; }

}  // namespace

Tensor uncast_multi_margin_loss(const Tensor& self, const Tensor& target, const Scalar& p, const Scalar& margin,
                                const std::optional<Tensor>& weight, std::int64_t reduction) {
  const ShownAs shown("MultiMarginLossBackward0");
  const double power = p.to_double();
  check<ValueError>(power == 1 || power == 2, "multi_margin_loss: only p == 1 and p == 2 supported, got ", power);
  check(
      self.dim() <= 2 && self.numel() > 0 && (self.dim() < 2 || self.size(1) > 0),
      "multi_margin_loss: Expected non-empty vector or matrix with optional 0-dim batch size, but got: ", self.sizes());
  const Tensor x = as_rows(self);
  const std::int64_t n = x.size(0), classes = x.size(1);
  check(target.dim() <= 1 && target.numel() == n, "multi_margin_loss: inconsistent target size, expected ", n,
        " but got ", target.sizes());
  check(!weight || (weight->dim() <= 1 && weight->numel() == classes),
        "multi_margin_loss: inconsistent weight size, expected ", classes, " but got ",
        weight ? weight->sizes() : IntArray{});
  const Tensor labels = reshape(target, {n, 1});
  if (!labels.is_meta())
    check(all(logical_and(ge(labels, Scalar(0)), lt(labels, Scalar(classes)))).item<bool>(),
          "multi_margin_loss: target out of range");
  Tensor z = clamp_min(add(sub(x, gather(x, 1, labels)), margin), Scalar(0.0));
  if (power == 2) z = mul(z, z);
  if (weight) z = mul(z, index_select(*weight, 0, reshape(labels, {-1})).unsqueeze(1));
  z = scatter(z, 1, labels, Scalar(0.0));
  Tensor losses = div(sum(z, OptionalIntArray{1}, false), Scalar(static_cast<double>(classes)));
  if (reduction == kNone && self.dim() < 2 && target.dim() == 0) losses = reshape(losses, {});
  return shown(reduced(losses, reduction));
}

std::tuple<Tensor, Tensor> uncast_multilabel_margin_loss_forward(const Tensor& self, const Tensor& target,
                                                                 std::int64_t reduction) {
  check(self.dim() <= 2 && (self.dim() < 2 || self.size(1) > 0),
        "multilabel_margin_loss: Expected non-empty vector or matrix with optional 0-dim batch size, but got: ",
        self.sizes());
  check(target.sizes() == self.sizes() || (self.dim() <= 1 && target.numel() == self.numel()),
        "multilabel_margin_loss: inconsistent target size: ", target.sizes(), " for input of size: ", self.sizes());
  check(target.dtype() == Dtype::kInt64, "multilabel_margin_loss: expected scalar type Long but found ",
        scalar_type_name(target.dtype()));
  const Tensor x = as_rows(self), labels = as_rows(target);
  const std::int64_t classes = x.size(1);
  if (!labels.is_meta() && labels.numel() > 0)
    check(all(logical_and(ge(labels, Scalar(-1)), lt(labels, Scalar(classes)))).item<bool>(),
          "multilabel_margin_loss: argument #2 'target' is out of range");
  // Labels count up to the first -1 of a row.
  const Tensor valid = ne(cumprod(_to_copy(ge(labels, Scalar(0)), TensorOptions(Dtype::kInt64)), 1), Scalar(0));
  const Tensor safe = where(valid, labels, Scalar(0));
  const Tensor marks = _to_copy(valid, TensorOptions(self.dtype()));
  const Tensor is_target =
      _to_copy(gt(scatter_add(zeros(x.sizes(), x.options()), 1, safe, marks), Scalar(0)), TensorOptions(self.dtype()));
  const Tensor gaps = clamp_min(add(sub(unsqueeze(x, 1), unsqueeze(gather(x, 1, safe), 2)), Scalar(1.0)), Scalar(0.0));
  const Tensor counted = mul(mul(gaps, unsqueeze(marks, 2)), unsqueeze(neg(sub(is_target, Scalar(1.0))), 1));
  Tensor losses =
      div(sum(counted, OptionalIntArray{1, 2}, false), Scalar(static_cast<double>(std::max<std::int64_t>(classes, 1))));
  const ShownAs shown("MultilabelMarginLossBackward0");
  if (reduction == kNone && self.dim() < 2) return {shown(reshape(losses, {})), reshape(is_target, target.sizes())};
  return {shown(reduced(losses, reduction)), reshape(is_target, target.sizes())};
}
Tensor uncast_multilabel_margin_loss(const Tensor& self, const Tensor& target, std::int64_t reduction) {
  return std::get<0>(multilabel_margin_loss_forward(self, target, reduction));
}

}  // namespace rushlight
