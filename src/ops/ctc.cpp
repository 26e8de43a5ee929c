// Connectionist temporal classification (Graves et al. 2006): the forward recursion over all batch elements at once,
// on public operators, so that its derivatives are those of logaddexp.
#include <limits>

#include "autograd/shown_name.h"
#include "ops/composed.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace {

// Stands for log 0 inside the recursion: differences of it stay finite, and so do derivatives.
constexpr double kLogZero = -1e30;

Tensor integers(std::span<const std::int64_t> values) {
  const Tensor t = empty_tensor({static_cast<std::int64_t>(values.size())}, Dtype::kInt64);
  std::copy(values.begin(), values.end(), t.mutable_data<std::int64_t>());
  return t;
}

std::vector<std::int64_t> list_of(const Tensor& lengths, const char* which) {
  check(!lengths.is_meta(), "ctc_loss: ", which, " must have data");
  check(is_integral(lengths.dtype(), false), "ctc_loss: ", which, " must be integral, got ", lengths);
  const Tensor copy = contiguous(_to_copy(lengths, TensorOptions(Dtype::kInt64)));
  need_memory(copy, "ctc_loss");
  return {copy.data<std::int64_t>(), copy.data<std::int64_t>() + copy.numel()};
}

// Targets with blanks between them, [N, 2 S + 1]; `skips` marks where a label may follow the label two places before.
struct Extended {
  Tensor labels, skips;
};
Extended extend(const Tensor& targets, IntArray target_lengths, std::int64_t blank, std::int64_t classes) {
  const auto n = static_cast<std::int64_t>(target_lengths.size());
  std::int64_t longest = 0, total = 0;
  for (const std::int64_t length : target_lengths) {
    check(length >= 0, "ctc_loss: Expected target_lengths to have value at least 0, but got value ", length);
    longest = std::max(longest, length), total += length;
  }
  const bool padded = targets.dim() == 2;
  check(padded || targets.dim() == 1, "ctc_loss: expected targets of 1 or 2 dimensions, but got ", targets);
  check(!padded || (targets.size(0) == n && targets.size(1) >= longest),
        "ctc_loss: Expected tensor to have size at least ", longest, " at dimension 1, but got size ", targets.sizes());
  check(padded || targets.numel() >= total, "ctc_loss: Expected tensor to have size ", total,
        " at dimension 0, but got size ", targets.sizes());
  const Tensor given = contiguous(_to_copy(targets, TensorOptions(Dtype::kInt64)));
  need_memory(given, "ctc_loss");
  const std::int64_t width = 2 * longest + 1;
  Extended result{empty_tensor({n, width}, Dtype::kInt64), empty_tensor({n, width}, Dtype::kBool)};
  std::int64_t start = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t length = target_lengths[static_cast<std::size_t>(i)];
    const std::int64_t* from = given.data<std::int64_t>() + (padded ? i * targets.size(1) : start);
    std::int64_t* to = result.labels.mutable_data<std::int64_t>() + i * width;
    bool* skip = result.skips.mutable_data<bool>() + i * width;
    for (std::int64_t s = 0; s < width; ++s) {
      const std::int64_t k = s / 2;
      const bool label = s % 2 == 1 && k < length;
      to[s] = label ? from[k] : blank;
      check(to[s] >= 0 && to[s] < classes, "ctc_loss: target ", to[s], " is no class of ", classes);
      skip[s] = label && k > 0 && from[k] != from[k - 1];
    }
    start += length;
  }
  return result;
}

// `x` moved right by `steps` along dimension 1, with log 0 moving in.
Tensor shifted(const Tensor& x, std::int64_t steps) {
  const std::int64_t width = x.size(1);
  if (width <= steps) return full_like(x, Scalar(kLogZero));
  const std::vector<Tensor> parts = {full({x.size(0), steps}, Scalar(kLogZero), x.options()),
                                     narrow(x, 1, 0, width - steps)};
  return cat(parts, 1);
}

Tensor outer_infinity(const Tensor& x) {
  return where(lt(x, Scalar(kLogZero / 2)), Scalar(-std::numeric_limits<double>::infinity()), x);
}

// PyTorch's gradient takes `log_probs` for the result of log_softmax: it has the probability of every class besides the
// share of the paths. Behind log_softmax that changes nothing; elsewhere it does. The value stays as it is.
Tensor add_normalizer(const Tensor& loss, const Tensor& log_probs, const Tensor& lengths) {
  if (thread.modes & kGradOff || !log_probs.requires_grad()) return loss;
  const Tensor valid =
      lt(unsqueeze(arange(Scalar(log_probs.size(0)), TensorOptions(Dtype::kInt64, log_probs.device())), 1), lengths);
  const Tensor mass =
      sum(where(valid, sum(exp(log_probs), OptionalIntArray{2}, false), Scalar(0.0)), OptionalIntArray{0});
  return add(loss, sub(mass, mass.detach()));
}

}  // namespace

std::tuple<Tensor, Tensor> _ctc_loss(const Tensor& log_probs, const Tensor& targets, IntArray input_lengths,
                                     IntArray target_lengths, std::int64_t blank, bool zero_infinity) {
  check<NotImplementedError>(log_probs.dtype() == Dtype::kFloat32 || log_probs.dtype() == Dtype::kFloat64,
                             "\"ctc_loss_cpu\" not implemented for '", scalar_type_name(log_probs.dtype()), "'");
  check(!targets.is_complex(), "ctc_loss: targets must be real, got ", targets);  // whole numbers of any type
  check(log_probs.dim() == 3, "ctc_loss: expected log_probs of shape [T, N, C], but got ", log_probs);
  const std::int64_t steps = log_probs.size(0), n = log_probs.size(1), classes = log_probs.size(2);
  check(blank >= 0 && blank < classes, "ctc_loss: blank must be in label range, got ", blank, " for ", classes,
        " classes");
  check(static_cast<std::int64_t>(input_lengths.size()) == n,
        "ctc_loss: input_lengths must be of size batch_size, got ", input_lengths.size(), " for ", n);
  check(static_cast<std::int64_t>(target_lengths.size()) == n,
        "ctc_loss: target_lengths must be of size batch_size, got ", target_lengths.size(), " for ", n);
  check(n > 0, "ctc_loss: log_probs tensor must not be empty");
  for (const std::int64_t length : input_lengths)
    check(length >= 0 && length <= steps, "ctc_loss: Expected input_lengths to have value at most ", steps,
          ", but got value ", length);
  const auto [labels, skips] = extend(targets, target_lengths, blank, classes);
  const Tensor lengths = integers(input_lengths), last = mul(integers(target_lengths), Scalar(2));
  const std::int64_t width = labels.size(1);
  const auto emitted = [&](std::int64_t t) {
    return clamp_min(gather(select(log_probs, 0, t), 1, labels), Scalar(kLogZero));
  };
  // Before the first step only the start has probability: it comes into place 0 and, as a label, into place 1.
  const Tensor nothing = full({n, width}, Scalar(kLogZero), log_probs.options());
  Tensor alpha = nothing;
  std::vector<Tensor> alphas;
  if (steps > 0) {
    const Tensor places = arange(Scalar(width), TensorOptions(Dtype::kInt64, log_probs.device()));
    const Tensor starts = unsqueeze(le(places, Scalar(1)), 0);
    const Tensor has_label = unsqueeze(gt(last, Scalar(0)), 1);
    const Tensor allowed = logical_and(starts, logical_or(has_label, unsqueeze(eq(places, Scalar(0)), 0)));
    alpha = where(logical_and(allowed, unsqueeze(gt(lengths, Scalar(0)), 1)), emitted(0), nothing);
    alphas.push_back(alpha);
  }
  for (std::int64_t t = 1; t < steps; ++t) {
    const Tensor skipped = where(skips, shifted(alpha, 2), Scalar(kLogZero));
    const Tensor next =
        clamp_min(add(logaddexp(logaddexp(alpha, shifted(alpha, 1)), skipped), emitted(t)), Scalar(kLogZero));
    alpha = where(unsqueeze(gt(lengths, Scalar(t)), 1), next, alpha);
    alphas.push_back(alpha);
  }
  // Paths end in the last label or the blank after it; no steps match no labels.
  const Tensor ends = unsqueeze(last, 1);
  const Tensor at_blank = gather(alpha, 1, ends);
  const Tensor at_label =
      where(gt(ends, Scalar(0)), gather(alpha, 1, clamp_min(sub(ends, Scalar(1)), Scalar(0))), Scalar(kLogZero));
  Tensor loss = add_normalizer(neg(squeeze(logaddexp(at_blank, at_label), 1)), log_probs, lengths);
  loss = where(logical_and(eq(lengths, Scalar(0)), eq(last, Scalar(0))), Scalar(0.0), loss);
  const Tensor impossible = gt(loss, Scalar(-kLogZero / 2));
  loss = where(impossible, Scalar(zero_infinity ? 0.0 : std::numeric_limits<double>::infinity()), loss);
  const Tensor history = alphas.empty() ? zeros({n, 0, width}, log_probs.options()) : stack(alphas, 1);
  show_as(loss, zero_infinity ? "WhereBackward0" : "CtcLossBackward0");
  return {loss, outer_infinity(history)};
}

std::tuple<Tensor, Tensor> _ctc_loss(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                                     const Tensor& target_lengths, std::int64_t blank, bool zero_infinity) {
  const std::vector<std::int64_t> inputs = list_of(input_lengths, "input_lengths"),
                                  labels = list_of(target_lengths, "target_lengths");
  return _ctc_loss(log_probs, targets, IntArray(inputs), IntArray(labels), blank, zero_infinity);
}

Tensor uncast_ctc_loss(const Tensor& log_probs, const Tensor& targets, IntArray input_lengths, IntArray target_lengths,
                       std::int64_t blank, std::int64_t reduction, bool zero_infinity) {
  // Without a batch dimension there is one sequence.
  const bool batched = log_probs.dim() == 3;
  const Tensor rows = batched ? log_probs : unsqueeze(log_probs, 1);
  const Tensor loss = std::get<0>(_ctc_loss(rows, targets, input_lengths, target_lengths, blank, zero_infinity));
  if (reduction == 1) {
    const Tensor lengths = clamp_min(integers(target_lengths), Scalar(1));
    return mean(div(loss, _to_copy(lengths, TensorOptions(loss.dtype()))));
  }
  if (reduction == 2) return sum(loss);
  return batched ? loss : squeeze(loss, 0);
}
Tensor uncast_ctc_loss(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                       const Tensor& target_lengths, std::int64_t blank, std::int64_t reduction, bool zero_infinity) {
  const std::vector<std::int64_t> inputs = list_of(input_lengths, "input_lengths"),
                                  labels = list_of(target_lengths, "target_lengths");
  return ctc_loss(log_probs, targets, IntArray(inputs), IntArray(labels), blank, reduction, zero_infinity);
}

}  // namespace rushlight
