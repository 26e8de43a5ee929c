// Losses: functions of (input, target) with options, and the layers that call them.
#pragma once
#include "rushlight/choices.h"
#include "rushlight/nn/module.h"
#include "rushlight/nn/options.h"

namespace rushlight::nn {

// RL_LOSS(MSELoss, mse_loss, (extra options), call): options MSELossOptions, functional::mse_loss, layer MSELoss. In
// `call`, `o` are the options; a weight that was not given is an undefined tensor.
inline std::optional<Tensor> given(const Tensor& tensor) {
  return tensor.defined() ? std::optional<Tensor>(tensor) : std::nullopt;
}
#define RL_LOSS(Name, function, extra, ...)                                                                \
  class Name##Options {                                                                                    \
   public:                                                                                                 \
    Name##Options(Choice reduce = kMean) : reduction_(reduce) {} /* NOLINT(google-explicit-constructor) */ \
    RL_OPTION(Choice, reduction);                                                                          \
    extra                                                                                                  \
  };                                                                                                       \
  namespace functional {                                                                                   \
  using Name##FuncOptions = Name##Options;                                                                 \
  inline Tensor function(const Tensor& input, const Tensor& target, const Name##Options& o = {}) {         \
    return ::rushlight::__VA_ARGS__;                                                                       \
  }                                                                                                        \
  }                                                                                                        \
  class Name##Impl : public Module {                                                                       \
   public:                                                                                                 \
    explicit Name##Impl(Name##Options settings = {}) : options(std::move(settings)) {}                     \
    Tensor forward(const Tensor& input, const Tensor& target) const {                                      \
      return functional::function(input, target, options);                                                 \
    }                                                                                                      \
    void pretty_print(std::ostream& stream) const override { stream << "torch::nn::" #Name "()"; }         \
    Name##Options options;                                                                                 \
  };                                                                                                       \
  TORCH_MODULE(Name)

RL_LOSS(MSELoss, mse_loss, , mse_loss(input, target, reduction_of(o.reduction())));
RL_LOSS(L1Loss, l1_loss, , l1_loss(input, target, reduction_of(o.reduction())));
RL_LOSS(SmoothL1Loss, smooth_l1_loss, RL_OPTION(double, beta) = 1;
        , smooth_l1_loss(input, target, reduction_of(o.reduction()), o.beta()));
RL_LOSS(HuberLoss, huber_loss, RL_OPTION(double, delta) = 1;
        , huber_loss(input, target, reduction_of(o.reduction()), o.delta()));
RL_LOSS(SoftMarginLoss, soft_margin_loss, , soft_margin_loss(input, target, reduction_of(o.reduction())));
RL_LOSS(HingeEmbeddingLoss, hinge_embedding_loss, RL_OPTION(double, margin) = 1;
        , hinge_embedding_loss(input, target, o.margin(), reduction_of(o.reduction())));
RL_LOSS(BCELoss, binary_cross_entropy, RL_OPTION(Tensor, weight);
        , binary_cross_entropy(input, target, given(o.weight()), reduction_of(o.reduction())));
RL_LOSS(BCEWithLogitsLoss, binary_cross_entropy_with_logits, RL_OPTION(Tensor, weight); RL_OPTION(Tensor, pos_weight);
        , binary_cross_entropy_with_logits(input, target, given(o.weight()), given(o.pos_weight()),
                                           reduction_of(o.reduction())));
RL_LOSS(CrossEntropyLoss, cross_entropy, RL_OPTION(Tensor, weight); RL_OPTION(std::int64_t, ignore_index) = -100;
        RL_OPTION(double, label_smoothing) = 0;
        , cross_entropy_loss(input, target, given(o.weight()), reduction_of(o.reduction()), o.ignore_index(),
                             o.label_smoothing()));
RL_LOSS(NLLLoss, nll_loss, RL_OPTION(Tensor, weight); RL_OPTION(std::int64_t, ignore_index) = -100;
        , nll_loss_nd(input, target, given(o.weight()), reduction_of(o.reduction()), o.ignore_index()));
// kBatchMean divides the sum by the number of samples.
RL_LOSS(KLDivLoss, kl_div, RL_OPTION(bool, log_target) = false;
        , kl_div(input, target, reduction_of(o.reduction() == kBatchMean ? kSum : o.reduction()), o.log_target()) /
              (o.reduction() == kBatchMean && input.dim() > 0 ? input.size(0) : 1));
#undef RL_LOSS

namespace functional {
using BinaryCrossEntropyFuncOptions = BCELossOptions;
using BinaryCrossEntropyWithLogitsFuncOptions = BCEWithLogitsLossOptions;
using CrossEntropyFuncOptions = CrossEntropyLossOptions;
using KLDivFuncOptions = KLDivLossOptions;
}  // namespace functional

}  // namespace rushlight::nn
