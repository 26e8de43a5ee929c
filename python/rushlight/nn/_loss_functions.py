"""Loss functions."""

from __future__ import annotations

import math
import warnings

import rushlight
from rushlight import Tensor
from rushlight._overriding import any_overridden, take_over

from . import _reduction as _Reduction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_nn = rushlight._C._nn


def _kind(size_average: bool | None, reduce: bool | None, reduction: str) -> str:
    """The reduction, whichever way it was given."""
    if size_average is None and reduce is None:
        return reduction
    return _Reduction.legacy_get_string(size_average, reduce)


def _reduced(loss: Tensor, reduction: str) -> Tensor:
    if reduction == "mean":
        return loss.mean()
    if reduction == "sum":
        return loss.sum()
    return loss


def _checked(reduction: str) -> str:
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return reduction


def _warn_sizes(input: Tensor, target: Tensor) -> None:
    if target.size() != input.size():
        warnings.warn(
            f"Using a target size ({target.size()}) that is different to the input size "
            f"({input.size()}). This will likely lead to incorrect results due to broadcasting. "
            "Please ensure they have the same size.",
            stacklevel=3,
        )


def _weighted(loss: Tensor, weight: Tensor, input: Tensor, reduction: str) -> Tensor:
    """Element losses times weights; the mean is over the weights."""
    if weight.size() != input.size():
        raise ValueError("Weights and input must have the same size.")
    loss = loss * weight
    if reduction == "mean":
        return loss.sum() / weight.sum()
    return _reduced(loss, _checked(reduction))


def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Any,
    target_lengths: Any,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    """Connectionist temporal classification loss (Graves 2006).

    Args:
        log_probs: log probabilities (T, N, C) or (T, C).
        targets: class indices (N, S), or all targets one after the other.
        input_lengths: lengths of the inputs, (N) or a tuple.
        target_lengths: lengths of the targets, (N) or a tuple.
        blank: class of the blank.
        reduction: "none", "mean" (over the target length and the batch) or "sum".
        zero_infinity: count impossible alignments as zero.
    """
    if any_overridden(log_probs, targets):
        return take_over(ctc_loss, locals())
    return rushlight.ctc_loss(
        log_probs,
        targets,
        input_lengths,
        target_lengths,
        blank,
        _Reduction.get_enum(reduction),
        zero_infinity,
    )


def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Minus the log probability of the target class.

    Args:
        input: log probabilities (N, C, ...) or (C).
        target: class indices (N, ...) or ().
        weight: factor of each class (C).
        ignore_index: target that does not count.
        reduction: "none", "mean" (weighted) or "sum".
    """
    if any_overridden(input, target, weight):
        return take_over(nll_loss, locals())
    reduction = _kind(size_average, reduce, reduction)
    return _nn.nll_loss_nd(input, target, weight, _Reduction.get_enum(reduction), ignore_index)


def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool = True,
    full: bool = False,
    size_average: bool | None = None,
    eps: float = 1e-8,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Minus the log likelihood of counts under a Poisson distribution.

    Args:
        input: the expected counts, or their logarithms with `log_input`; any shape, floating.
        target: counts of a shape that broadcasts with it.
        log_input: whether `input` is a logarithm.
        full: adds Stirling's approximation of log(target!).
        eps: keeps log(0) away without `log_input`.
        reduction: "mean", "sum" or "none".

    >>> poisson_nll_loss(rushlight.zeros(1), rushlight.ones(1))
    tensor(1.)
    """
    if any_overridden(input, target):
        return take_over(poisson_nll_loss, locals())
    reduction = _checked(_kind(size_average, reduce, reduction))
    return rushlight.poisson_nll_loss(
        input, target, log_input, full, eps, _Reduction.get_enum(reduction)
    )


def gaussian_nll_loss(
    input: Tensor,
    target: Tensor,
    var: Tensor | float,
    full: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> Tensor:
    """Minus the log likelihood under a normal distribution of given variance.

    Args:
        input: means.
        target: samples.
        var: variances, of the input's shape, with one dimension of 1, or without the last one.
        full: add log(2 pi) / 2.
        eps: least variance.
        reduction: "none", "mean" or "sum".
    """
    if any_overridden(input, target, var):
        return take_over(gaussian_nll_loss, locals())
    if not isinstance(var, Tensor):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        var = var * rushlight.ones_like(input)
    elif rushlight.any(var < 0):
        raise ValueError("var has negative entry/entries")
    if var.size() != input.size():
        if input.size()[:-1] == var.size():
            var = var.unsqueeze(-1)
        elif var.dim() != input.dim() or sum(v for x, v in zip(input.size(), var.size()) if x != v) != 1:
            raise ValueError("var is of incorrect size")
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"{reduction} is not valid")
    var = var.clone()
    with rushlight.no_grad():
        var.clamp_(min=eps)
    loss = 0.5 * (rushlight.log(var) + (input - target) ** 2 / var)
    if full:
        loss = loss + 0.5 * math.log(2 * math.pi)
    return _reduced(loss, reduction)


def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Tensor:
    """Kullback-Leibler divergence of `target` from `input`.

    Args:
        input: log probabilities.
        target: probabilities, or their logs if `log_target`.
        reduction: "none", "batchmean", "sum" or "mean" (over all elements).
    """
    if any_overridden(input, target):
        return take_over(kl_div, locals())
    if size_average is not None or reduce is not None:
        reduction = _Reduction.legacy_get_string(size_average, reduce)
    elif reduction == "mean":
        warnings.warn(
            "reduction: 'mean' divides the total loss by both the batch size and the support "
            "size.'batchmean' divides only by the batch size, and aligns with the KL div math "
            "definition.'mean' will be changed to behave the same as 'batchmean' in the next "
            "major release.",
            stacklevel=2,
        )
    if reduction == "batchmean":
        total = rushlight.kl_div(input, target, _Reduction.get_enum("sum"), log_target=log_target)
        return total / input.size()[0] if input.dim() else total
    return rushlight.kl_div(input, target, _Reduction.get_enum(reduction), log_target=log_target)


def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """Cross entropy of logits and target classes.

    Args:
        input: logits (N, C, ...) or (C).
        target: class indices (N, ...) or (), or probabilities of the input's shape.
        weight: factor of each class (C).
        ignore_index: target index that does not count.
        reduction: "none", "mean" (weighted) or "sum".
        label_smoothing: share of the target spread over all classes.

    >>> cross_entropy(rushlight.zeros(1, 2), rushlight.tensor([0]))
    tensor(0.6931)
    """
    if any_overridden(input, target, weight):
        return take_over(cross_entropy, locals())
    if size_average is not None or reduce is not None:
        reduction = _Reduction.legacy_get_string(size_average, reduce)
    return _nn.cross_entropy_loss(
        input, target, weight, _Reduction.get_enum(reduction), ignore_index, label_smoothing
    )


def linear_cross_entropy(
    input: Tensor,
    linear_weight: Tensor,
    target: Tensor,
    *,
    linear_bias: Tensor | None = None,
    weight: Tensor | None = None,
    reduction: str = "mean",
    ignore_index: int | None = None,
    label_smoothing: float = 0.0,
    options: Any = None,
) -> Tensor:
    """Cross entropy of `linear(input, linear_weight, linear_bias)`.

    Args:
        input: (N, in_features) or (in_features).
        linear_weight: (classes, in_features), or (classes, *d, in_features) for d-dimensional
            targets.
        target: class indices (N, *d), or probabilities (N, classes, *d).
        linear_bias: (classes, *d).
        weight: factor of each class.
        reduction: "none", "mean" (weighted) or "sum".
        ignore_index: target index that does not count.
        label_smoothing: share of the target spread over all classes.
        options: memory and accuracy settings; accepted, the product is formed at once.

    Raises:
        RuntimeError: an operand has too many or too few dimensions.
    """
    if any_overridden(input, linear_weight, target, linear_bias, weight):
        return take_over(linear_cross_entropy, locals())
    name = "linear_cross_entropy"
    if input.dim() not in (1, 2):
        raise RuntimeError(f"{name}: expected input with dimensionality 1 or 2, got {input.dim()}")
    if linear_weight.dim() < 2:
        raise RuntimeError(
            f"{name}: expected linear_weight with dimensionality at least 2, "
            f"got {linear_weight.dim()}"
        )
    features = linear_weight.size(-1)
    shape = linear_weight.size()[:-1]
    if len(shape) > 1 and input.dim() == 1:
        raise RuntimeError(
            f"{name}: the loss defined by linear_weight of shape {tuple(linear_weight.shape)} "
            f"requires batched input, (N, {features}), got unbatched input with shape "
            f"{tuple(input.shape)}"
        )
    if input.size(-1) != features:
        raise RuntimeError(
            f"{name}: expected equal input and linear_weight last dimensions (in_features), "
            f"got {input.size(-1)} and {features}, respectively"
        )
    bias = None if linear_bias is None else linear_bias.reshape(-1)
    logits = _nn.linear(input, linear_weight.reshape(-1, features), bias)
    logits = logits.reshape(*input.size()[:-1], *shape)
    return _nn.cross_entropy_loss(
        logits,
        target,
        weight,
        _Reduction.get_enum(reduction),
        -100 if ignore_index is None else ignore_index,
        label_smoothing,
    )


def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Cross entropy of probabilities of two classes.

    Args:
        input: probabilities of the class 1.
        target: same shape, within [0, 1].
        weight: factors that broadcast to the target.
        reduction: "none", "mean" or "sum".
    """
    if any_overridden(input, target, weight):
        return take_over(binary_cross_entropy, locals())
    reduction = _kind(size_average, reduce, reduction)
    number = _Reduction.get_enum(reduction)
    if target.size() != input.size():
        raise ValueError(
            f"Using a target size ({target.size()}) that is different to the input size "
            f"({input.size()}) is deprecated. Please ensure they have the same size."
        )
    if weight is not None:
        weight = weight.expand(rushlight.broadcast_shapes(weight.size(), target.size()))
    return _nn.binary_cross_entropy(input, target, weight, number)


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """Cross entropy of logits of two classes, computed without overflow.

    Args:
        input: logits of the class 1.
        target: same shape, within [0, 1].
        weight: factors that broadcast to the target.
        reduction: "none", "mean" or "sum".
        pos_weight: factors of the positive part that broadcast to the target.
    """
    if any_overridden(input, target, weight, pos_weight):
        return take_over(binary_cross_entropy_with_logits, locals())
    reduction = _kind(size_average, reduce, reduction)
    number = _Reduction.get_enum(reduction)
    if target.size() != input.size():
        raise ValueError(
            f"Target size ({target.size()}) must be the same as input size ({input.size()})"
        )
    return rushlight.binary_cross_entropy_with_logits(input, target, weight, pos_weight, number)


def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Tensor:
    """Squared error below `beta`, absolute error above (Girshick, Fast R-CNN, 2015).

    Args:
        input: any shape, floating.
        target: a shape that broadcasts with it.
        reduction: "mean", "sum" or "none" (the broadcast shape).
        beta: where the square turns into a line; 0 gives `l1_loss`.

    >>> smooth_l1_loss(rushlight.tensor([0.5, 3.0]), rushlight.zeros(2), reduction="none")
    tensor([0.1250, 2.5000])
    """
    if any_overridden(input, target):
        return take_over(smooth_l1_loss, locals())
    _warn_sizes(input, target)
    reduction = _kind(size_average, reduce, reduction)
    number = _Reduction.get_enum(reduction)
    input, target = rushlight.broadcast_tensors(input, target)
    if beta == 0.0:
        return _nn.l1_loss(input, target, number)
    return _nn.smooth_l1_loss(input, target, number, beta)


def huber_loss(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
    delta: float = 1.0,
    weight: Tensor | None = None,
) -> Tensor:
    """Half the squared error below `delta`, linear above (Huber 1964)."""
    if any_overridden(input, target, weight):
        return take_over(huber_loss, locals())
    _warn_sizes(input, target)
    expanded, target = rushlight.broadcast_tensors(input, target)
    if weight is None:
        return _nn.huber_loss(expanded, target, _Reduction.get_enum(reduction), delta)
    if weight.size() != input.size():
        raise ValueError("Weights and input must have the same size.")
    loss = _nn.huber_loss(expanded, target, _Reduction.get_enum("none"), delta) * weight
    return _reduced(loss, _checked(reduction))


def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """Absolute error; with `weight`, its weighted mean or sum.

    Args:
        input: any shape, floating.
        target: a shape that broadcasts with it.
        reduction: "mean", "sum" or "none" (the broadcast shape).
        weight: a weight of each element.

    >>> l1_loss(rushlight.ones(2), rushlight.tensor([1.0, 3.0]))
    tensor(1.)
    """
    if any_overridden(input, target, weight):
        return take_over(l1_loss, locals())
    _warn_sizes(input, target)
    reduction = _kind(size_average, reduce, reduction)
    expanded, target = rushlight.broadcast_tensors(input, target)
    if weight is None:
        return _nn.l1_loss(expanded, target, _Reduction.get_enum(reduction))
    return _weighted((expanded - target).abs(), weight, input, reduction)


def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """Squared error; with `weight`, its weighted mean or sum.

    >>> mse_loss(rushlight.ones(2), rushlight.zeros(2))
    tensor(1.)
    """
    if any_overridden(input, target, weight):
        return take_over(mse_loss, locals())
    _warn_sizes(input, target)
    if size_average is not None or reduce is not None:
        reduction = _Reduction.legacy_get_string(size_average, reduce)
    expanded, target = rushlight.broadcast_tensors(input, target)
    if weight is None:
        return _nn.mse_loss(expanded, target, _Reduction.get_enum(reduction))
    return _weighted((expanded - target).square(), weight, input, reduction)


def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """max(0, -target * (input1 - input2) + margin), with targets 1 and -1.

    Args:
        input1: scores of any shape.
        input2: scores of the same shape.
        target: 1 where the first should be larger, -1 where the second should.
        margin: the difference that is enough.
        reduction: "mean", "sum" or "none".

    >>> margin_ranking_loss(rushlight.ones(1), rushlight.zeros(1), -rushlight.ones(1))
    tensor(1.)
    """
    if any_overridden(input1, input2, target):
        return take_over(margin_ranking_loss, locals())
    reduction = _kind(size_average, reduce, reduction)
    number = _Reduction.get_enum(reduction)
    if input1.dim() != input2.dim() or input1.dim() != target.dim():
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: "
            f"input1: {input1.size()}, input2: {input2.size()}, target: {target.size()} "
        )
    return rushlight.margin_ranking_loss(input1, input2, target, margin, number)


def hinge_embedding_loss(
    input: Tensor,
    target: Tensor,
    margin: float = 1.0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """`input` where the target is 1, max(0, margin - input) where it is -1."""
    if any_overridden(input, target):
        return take_over(hinge_embedding_loss, locals())
    reduction = _kind(size_average, reduce, reduction)
    return rushlight.hinge_embedding_loss(input, target, margin, _Reduction.get_enum(reduction))


def multilabel_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Hinge loss of several target classes, whose list ends at the first -1."""
    if any_overridden(input, target):
        return take_over(multilabel_margin_loss, locals())
    reduction = _kind(size_average, reduce, reduction)
    return _nn.multilabel_margin_loss(input, target, _Reduction.get_enum(reduction))


def soft_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """log(1 + exp(-target * input)), with targets 1 and -1."""
    if any_overridden(input, target):
        return take_over(soft_margin_loss, locals())
    reduction = _kind(size_average, reduce, reduction)
    return _nn.soft_margin_loss(input, target, _Reduction.get_enum(reduction))


def multilabel_soft_margin_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Mean over the classes of the binary cross entropy of logits."""
    if any_overridden(input, target, weight):
        return take_over(multilabel_soft_margin_loss, locals())
    reduction = _kind(size_average, reduce, reduction)
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"{reduction} is not valid")
    positive = target * _nn.log_sigmoid(input)
    loss = -(positive + (1 - target) * _nn.log_sigmoid(-input))
    if weight is not None:
        loss = loss * weight
    return _reduced(loss.sum(dim=-1) / input.size(-1), reduction)


def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """1 - cosine where the target is 1, max(0, cosine - margin) where it is -1.

    Args:
        input1: vectors (N, D) or (D,).
        input2: vectors of the same shape.
        target: (N,) or a 0-dim tensor of 1 and -1.
        margin: the cosine that different vectors may have, from -1 to 1.
        reduction: "mean", "sum" or "none" (N,).

    >>> cosine_embedding_loss(rushlight.eye(2), rushlight.eye(2), -rushlight.ones(2))
    tensor(1.)
    """
    if any_overridden(input1, input2, target):
        return take_over(cosine_embedding_loss, locals())
    reduction = _kind(size_average, reduce, reduction)
    return rushlight.cosine_embedding_loss(
        input1, input2, target, margin, _Reduction.get_enum(reduction)
    )


def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Mean over the other classes of max(0, margin - input[target] + input[other])^p.

    Args:
        input: scores (N, C) or (C,).
        target: int64 classes (N,) or a 0-dim tensor.
        p: 1 or 2.
        margin: by how much the score of the class should be above the others.
        weight: (C,), a weight of each class.
        reduction: "mean", "sum" or "none" (N,).

    >>> multi_margin_loss(rushlight.zeros(1, 2), rushlight.tensor([0]))
    tensor(0.5000)
    """
    if any_overridden(input, target, weight):
        return take_over(multi_margin_loss, locals())
    reduction = _kind(size_average, reduce, reduction)
    number = _Reduction.get_enum(reduction)
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    if weight is not None and weight.dim() != 1:
        raise ValueError("weight must be one-dimensional")
    return _nn.multi_margin_loss(input, target, p, margin, weight, number)


def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """max(0, |anchor - positive| - |anchor - negative| + margin), with p-norms.

    Args:
        anchor: (N, D) or (D), as `positive` and `negative`.
        margin: positive.
        p: of the norm.
        eps: added to the differences.
        swap: take |positive - negative| as the second distance where it is smaller.
        reduction: "none", "mean" or "sum".
    """
    if any_overridden(anchor, positive, negative):
        return take_over(triplet_margin_loss, locals())
    reduction = _kind(size_average, reduce, reduction)
    number = _Reduction.get_enum(reduction)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    return rushlight.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, number)


def triplet_margin_with_distance_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    """Triplet loss with any distance; the Euclidean one when None."""
    if any_overridden(anchor, positive, negative, distance_function):
        return take_over(triplet_margin_with_distance_loss, locals())
    _checked(reduction)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    dims = (anchor.dim(), positive.dim(), negative.dim())
    if dims[0] != dims[1] or dims[1] != dims[2]:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of "
            f"dimensions, but got: anchor {dims[0]}D, positive {dims[1]}D, and negative "
            f"{dims[2]}D inputs"
        )
    distance = rushlight.pairwise_distance if distance_function is None else distance_function
    to_positive = distance(anchor, positive)
    to_negative = distance(anchor, negative)
    if swap:
        to_negative = rushlight.minimum(to_negative, distance(positive, negative))
    return _reduced(rushlight.clamp_min(margin + to_positive - to_negative, 0), reduction)
