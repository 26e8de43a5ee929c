"""Normalisation over batches, instances, layers, groups and neighbours."""

from __future__ import annotations

import rushlight
from rushlight import Tensor
from rushlight._overriding import any_overridden, overridden, take_over

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_nn = rushlight._C._nn


def _verify_batch_size(size: Any) -> None:
    count = size[0]
    for n in size[2:]:
        count *= n
    if count == 1:
        raise ValueError(
            f"Expected more than 1 value per channel when training, got input size {size}"
        )


def _verify_spatial_size(size: Any) -> None:
    count = 1
    for n in size[2:]:
        count *= n
    if count == 1:
        raise ValueError(
            f"Expected more than 1 spatial element when training, got input size {size}"
        )


def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Normalizes each channel over the batch, or by the running statistics (Ioffe and Szegedy 2015).

    Args:
        input: (N, C) or (N, C, ...), floating.
        running_mean: (C,), changed in training: `momentum` of the batch, the rest of what it was.
        running_var: (C,), in the same way, with the unbiased variance.
        weight: (C,), the scale of each channel; 1 when None.
        bias: (C,), added to each channel; 0 when None.
        training: uses the statistics of the batch and changes the running ones.
        momentum: share of the batch in the running statistics.
        eps: added to the variance.

    Raises:
        ValueError: one value per channel in training, or an eps that is negative, or 0 in training.

    >>> batch_norm(rushlight.tensor([[1.0], [3.0]]), None, None, training=True)
    tensor([[-1.0000],
            [ 1.0000]])
    """
    if any_overridden(input, running_mean, running_var, weight, bias):
        return take_over(batch_norm, locals())
    if training:
        _verify_batch_size(input.size())
        if eps <= 0:
            raise ValueError(f"batch_norm eps must be positive during training, but got {eps}")
    elif eps < 0:
        raise ValueError(f"batch_norm eps must be non-negative, but got {eps}")
    return rushlight.batch_norm(
        input,
        weight,
        bias,
        running_mean,
        running_var,
        training,
        momentum,
        eps,
        rushlight.backends.cudnn.enabled,
    )


def instance_norm(
    input: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Normalizes each channel of each sample over its spatial dimensions (Ulyanov 2016).

    Args:
        input: (N, C, ...), floating, with more than one spatial element.
        running_mean: (C,), changed when `use_input_stats`, used otherwise.
        running_var: (C,), in the same way.
        weight: (C,), the scale of each channel; 1 when None.
        bias: (C,), added to each channel; 0 when None.
        use_input_stats: normalizes by the input, not by the running statistics.
        momentum: share of the input in the running statistics.
        eps: added to the variance.

    >>> instance_norm(rushlight.tensor([[[1.0, 3.0]]]))
    tensor([[[-1.0000,  1.0000]]])
    """
    if any_overridden(input, running_mean, running_var, weight, bias):
        return take_over(instance_norm, locals())
    if use_input_stats:
        _verify_spatial_size(input.size())
    return rushlight.instance_norm(
        input,
        weight,
        bias,
        running_mean,
        running_var,
        use_input_stats,
        momentum,
        eps,
        rushlight.backends.cudnn.enabled,
    )


def layer_norm(
    input: Tensor,
    normalized_shape: Any,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Normalizes over the last dimensions, those of `normalized_shape` (Ba, Kiros and Hinton 2016).

    Args:
        input: (*, normalized_shape), floating.
        normalized_shape: sizes of the dimensions that are normalized together.
        weight: of that shape, the scale of each element; 1 when None.
        bias: of that shape, added to each element; 0 when None.
        eps: added to the variance.

    Raises:
        RuntimeError: the last sizes of `input` are others.

    >>> layer_norm(rushlight.tensor([[1.0, 3.0]]), (2,))
    tensor([[-1.0000,  1.0000]])
    """
    if any_overridden(input, weight, bias):
        return take_over(layer_norm, locals())
    return rushlight.layer_norm(input, normalized_shape, weight, bias, eps)


def rms_norm(
    input: Tensor, normalized_shape: Any, weight: Tensor | None = None, eps: float | None = None
) -> Tensor:
    """Divides by the root mean square over the last dimensions (Zhang and Sennrich 2019).

    Args:
        input: (*, normalized_shape), floating.
        normalized_shape: sizes of the dimensions that are normalized together.
        weight: of that shape, the scale of each element; 1 when None.
        eps: added to the mean square; the machine epsilon of the dtype when None.

    >>> rms_norm(rushlight.tensor([[3.0, 3.0]]), (2,))
    tensor([[1., 1.]])
    """
    if any_overridden(input, weight):
        return take_over(rms_norm, locals())
    return rushlight.rms_norm(input, normalized_shape, weight, eps)


def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Normalizes groups of channels of each sample (Wu and He 2018).

    Args:
        input: (N, C, ...), floating.
        num_groups: number of groups, a divisor of C.
        weight: (C,), the scale of each channel; 1 when None.
        bias: (C,), added to each channel; 0 when None.
        eps: added to the variance.

    Raises:
        RuntimeError: C is no multiple of `num_groups`.

    >>> group_norm(rushlight.tensor([[1.0, 3.0, 5.0, 9.0]]), 2)
    tensor([[-1.0000,  1.0000, -1.0000,  1.0000]])
    """
    if any_overridden(input, weight, bias):
        return take_over(group_norm, locals())
    if input.dim() < 2:
        raise RuntimeError(
            f"Expected at least 2 dimensions for input tensor but received {input.dim()}"
        )
    size = list(input.size())
    if num_groups != 0:
        _verify_batch_size([size[0] * size[1] // num_groups, num_groups, *size[2:]])
    return rushlight.group_norm(input, num_groups, weight, bias, eps)


def local_response_norm(
    input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0
) -> Tensor:
    """Divides by a power of the mean square over `size` neighbouring channels."""
    if overridden(input):
        return take_over(local_response_norm, locals())
    dims = input.dim()
    if dims < 3:
        raise ValueError(f"Expected 3D or higher dimensionality input (got {dims} dimensions)")
    if input.numel() == 0:
        return input
    before, after = size // 2, (size - 1) // 2
    squares = input.mul(input)
    if dims == 3:
        padded = _nn.pad(squares.unsqueeze(1), (0, 0, before, after))
        mean = _nn.avg_pool2d(padded, (size, 1), stride=1).squeeze(1)
    else:
        shape = input.size()
        volume = squares.view(shape[0], 1, shape[1], shape[2], -1)
        padded = _nn.pad(volume, (0, 0, 0, 0, before, after))
        mean = _nn.avg_pool3d(padded, (size, 1, 1), stride=1).squeeze(1).view(shape)
    return input / mean.mul(alpha).add(k).pow(beta)


def normalize(
    input: Tensor, p: float = 2.0, dim: Any = 1, eps: float = 1e-12, out: Tensor | None = None
) -> Tensor:
    """Divides by the p-norm along `dim`, which counts as at least `eps`.

    >>> normalize(rushlight.tensor([[3.0, 4.0]]))
    tensor([[0.6000, 0.8000]])
    """
    if any_overridden(input, out):
        return take_over(normalize, locals())
    if out is None:
        return input / input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)
    denom = input.norm(p, dim, keepdim=True).clamp_min_(eps).expand_as(input)
    return rushlight.div(input, denom, out=out)
