"""Initial values of parameters, written in place."""

from __future__ import annotations

import math
import warnings

import rushlight
from rushlight import Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = [
    "calculate_gain",
    "constant",
    "constant_",
    "dirac",
    "dirac_",
    "eye",
    "eye_",
    "kaiming_normal",
    "kaiming_normal_",
    "kaiming_uniform",
    "kaiming_uniform_",
    "normal",
    "normal_",
    "ones_",
    "orthogonal",
    "orthogonal_",
    "sparse",
    "sparse_",
    "trunc_normal_",
    "uniform",
    "uniform_",
    "xavier_normal",
    "xavier_normal_",
    "xavier_uniform",
    "xavier_uniform_",
    "zeros_",
]

_UNIT_GAIN = (
    "linear",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "sigmoid",
)


def _no_grad_uniform_(tensor: Tensor, a: float, b: float, generator: Any = None) -> Tensor:
    with rushlight.no_grad():
        return tensor.uniform_(a, b, generator=generator)


def _no_grad_normal_(tensor: Tensor, mean: float, std: float, generator: Any = None) -> Tensor:
    with rushlight.no_grad():
        return tensor.normal_(mean, std, generator=generator)


def _no_grad_fill_(tensor: Tensor, val: float) -> Tensor:
    with rushlight.no_grad():
        return tensor.fill_(val)


def _no_grad_zero_(tensor: Tensor) -> Tensor:
    with rushlight.no_grad():
        return tensor.zero_()


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """The factor by which weights before this nonlinearity should be larger.

    >>> calculate_gain("relu") ** 2
    2.0000000000000004
    """
    if nonlinearity in _UNIT_GAIN:
        return 1
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "leaky_relu":
        if param is None:
            slope = 0.01
        elif isinstance(param, (int, float)) and not isinstance(param, bool):
            slope = param
        else:
            raise ValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + slope**2))
    if nonlinearity == "selu":
        return 3.0 / 4  # an empirical value
    raise ValueError(f"Unsupported nonlinearity {nonlinearity}")


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Tensor:
    """Fills with values uniform in [a, b)."""
    return _no_grad_uniform_(tensor, a, b, generator)


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Tensor:
    """Fills with values of a normal distribution."""
    return _no_grad_normal_(tensor, mean, std, generator)


def constant_(tensor: Tensor, val: float) -> Tensor:
    """Fills with `val`."""
    return _no_grad_fill_(tensor, val)


def ones_(tensor: Tensor) -> Tensor:
    """Fills with 1."""
    return _no_grad_fill_(tensor, 1.0)


def zeros_(tensor: Tensor) -> Tensor:
    """Fills with 0."""
    return _no_grad_zero_(tensor)


def _matrix(tensor: Tensor, message: str) -> None:
    if tensor.ndimension() != 2:
        raise ValueError(message)


def eye_(tensor: Tensor) -> Tensor:
    """Makes a 2-D tensor the identity matrix."""
    _matrix(tensor, "Only tensors with 2 dimensions are supported")
    with rushlight.no_grad():
        rushlight.eye(*tensor.shape, out=tensor, requires_grad=tensor.requires_grad)
    return tensor


def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """Makes a 3-, 4- or 5-D convolution weight pass its input channels through.

    Args:
        tensor: weight (out channels, in channels / groups, ...).
        groups: number of groups of the convolution; divides the out channels.
    """
    dims = tensor.ndimension()
    if dims not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    out_channels = tensor.size(0)
    if out_channels % groups != 0:
        raise ValueError("dim 0 must be divisible by groups")
    per_group = out_channels // groups
    centre = tuple(n // 2 for n in tensor.shape[2:])
    with rushlight.no_grad():
        tensor.zero_()
        for g in range(groups):
            for d in range(min(per_group, tensor.size(1))):
                tensor[(g * per_group + d, d, *centre)] = 1
    return tensor


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> tuple[int, int]:
    """How many inputs an output has, and how many outputs an input has."""
    if tensor.dim() < 2:
        raise ValueError(
            "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions"
        )
    field = 1
    for n in tensor.shape[2:]:
        field *= n
    return tensor.size(1) * field, tensor.size(0) * field


def _calculate_correct_fan(tensor: Tensor, mode: str) -> int:
    mode = mode.lower()
    valid = ["fan_in", "fan_out"]
    if mode not in valid:
        raise ValueError(f"Mode {mode} not supported, please use one of {valid}")
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return fan_in if mode == "fan_in" else fan_out


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Uniform within gain * sqrt(6 / (fan_in + fan_out)) (Glorot 2010)."""
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    std = gain * math.sqrt(2.0 / float(fan_in + fan_out))
    a = math.sqrt(3.0) * std
    return _no_grad_uniform_(tensor, -a, a, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Normal with deviation gain * sqrt(2 / (fan_in + fan_out)) (Glorot 2010)."""
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    std = gain * math.sqrt(2.0 / float(fan_in + fan_out))
    return _no_grad_normal_(tensor, 0.0, std, generator)


def _empty_needs_nothing(tensor: Tensor) -> bool:
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=3)
        return True
    return False


def kaiming_uniform_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Any = None,
) -> Tensor:
    """Uniform within gain * sqrt(3 / fan) (He 2015).

    Args:
        tensor: weight of at least two dimensions.
        a: negative slope of a leaky relu that follows.
        mode: "fan_in" keeps the variance forward, "fan_out" backward.
        nonlinearity: what follows.
        generator: source of random numbers.
    """
    if _empty_needs_nothing(tensor):
        return tensor
    fan = _calculate_correct_fan(tensor, mode)
    std = calculate_gain(nonlinearity, a) / math.sqrt(fan)
    bound = math.sqrt(3.0) * std
    with rushlight.no_grad():
        return tensor.uniform_(-bound, bound, generator=generator)


def kaiming_normal_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Any = None,
) -> Tensor:
    """Normal with deviation gain / sqrt(fan) (He 2015); arguments as `kaiming_uniform_`."""
    if _empty_needs_nothing(tensor):
        return tensor
    fan = _calculate_correct_fan(tensor, mode)
    std = calculate_gain(nonlinearity, a) / math.sqrt(fan)
    with rushlight.no_grad():
        return tensor.normal_(0, std, generator=generator)


def trunc_normal_(
    tensor: Tensor,
    mean: float = 0.0,
    std: float = 1.0,
    a: float = -2.0,
    b: float = 2.0,
    generator: Any = None,
) -> Tensor:
    """Fills with values of a normal distribution cut off outside [a, b].

    Args:
        tensor: what to fill.
        mean: of the distribution before it is cut.
        std: of the distribution before it is cut.
        a: lower end.
        b: upper end.
        generator: source of random numbers.
    """
    return _no_grad_trunc_normal_(tensor, mean, std, a, b, generator=generator)


def _normal_cdf(x: float) -> float:
    return (1.0 + math.erf(x / math.sqrt(2.0))) / 2.0


def _no_grad_trunc_normal_(
    tensor: Tensor, mean: float, std: float, a: float, b: float, generator: Any = None
) -> Tensor:
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of "
            "values may be incorrect.",
            stacklevel=3,
        )
    if std == 0:
        return _no_grad_fill_(tensor, min(max(mean, a), b))
    low, high = (a - mean) / std, (b - mean) / std
    inside = _normal_cdf(high) - _normal_cdf(low)
    with rushlight.no_grad():
        if inside > 0.3:
            return _redrawn_normal(tensor, mean, std, a, b, generator)
        return _rejected_uniform(tensor, mean, std, a, b, generator)


def _redrawn_normal(
    tensor: Tensor, mean: float, std: float, a: float, b: float, generator: Any
) -> Tensor:
    """Whole new draws replace what is outside until nothing is."""
    tensor.normal_(mean, std, generator=generator)
    while True:
        outside = (tensor < a) | (tensor > b)
        if not outside.any():
            return tensor
        fresh = rushlight.empty_like(tensor).normal_(mean, std, generator=generator)
        tensor.copy_(rushlight.where(outside, fresh, tensor))


def _rejected_uniform(
    tensor: Tensor, mean: float, std: float, a: float, b: float, generator: Any
) -> Tensor:
    """Uniform candidates are kept with the density's share of its maximum in [a, b]."""
    peak = min(max(mean, a), b)
    log_peak = -0.5 * ((peak - mean) / std) ** 2
    pending = rushlight.ones_like(tensor, dtype=rushlight.bool)
    while pending.any():
        candidate = rushlight.empty_like(tensor).uniform_(a, b, generator=generator)
        level = rushlight.empty_like(tensor).uniform_(0, 1, generator=generator)
        density = (-0.5 * ((candidate - mean) / std) ** 2 - log_peak).exp()
        accepted = pending & (level <= density)
        tensor.copy_(rushlight.where(accepted, candidate, tensor))
        pending &= ~accepted
    return tensor


def orthogonal_(tensor: Tensor, gain: float = 1, generator: Any = None) -> Tensor:
    """Makes rows or columns orthonormal, times `gain` (Saxe 2013).

    Args:
        tensor: at least two dimensions; the last ones count as one.
        gain: factor.
        generator: source of random numbers.
    """
    if tensor.ndimension() < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if tensor.numel() == 0:
        return tensor
    rows = tensor.size(0)
    columns = tensor.numel() // rows
    flattened = tensor.new_empty((rows, columns)).normal_(0, 1, generator=generator)
    if rows < columns:
        flattened.t_()
    q, r = rushlight.linalg.qr(flattened)
    # Signs of the diagonal make the decomposition, and so the distribution, unique.
    q *= rushlight.diag(r, 0).sign()
    if rows < columns:
        q.t_()
    with rushlight.no_grad():
        tensor.view_as(q).copy_(q)
        tensor.mul_(gain)
    return tensor


def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Any = None) -> Tensor:
    """Fills a matrix with normal values, but a share `sparsity` of each column with zeros."""
    _matrix(tensor, "Only tensors with 2 dimensions are supported")
    rows, columns = tensor.shape
    zeros = math.ceil(sparsity * rows)
    with rushlight.no_grad():
        tensor.normal_(0, std, generator=generator)
        for column in range(columns):
            chosen = rushlight.randperm(rows, generator=generator)[:zeros]
            tensor[chosen, column] = 0
    return tensor


def _make_deprecate(method: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """The old name, without the underscore, of an initializer."""
    new_name = method.__name__
    old_name = new_name[:-1]

    def deprecated(*args: Any, **kwargs: Any) -> Tensor:
        warnings.warn(
            f"`nn.init.{old_name}` is now deprecated in favor of `nn.init.{new_name}`.",
            FutureWarning,
            stacklevel=2,
        )
        return method(*args, **kwargs)

    deprecated.__name__ = old_name
    deprecated.__doc__ = f"The old name of `{new_name}`."
    return deprecated


uniform = _make_deprecate(uniform_)
normal = _make_deprecate(normal_)
constant = _make_deprecate(constant_)
eye = _make_deprecate(eye_)
dirac = _make_deprecate(dirac_)
xavier_uniform = _make_deprecate(xavier_uniform_)
xavier_normal = _make_deprecate(xavier_normal_)
kaiming_uniform = _make_deprecate(kaiming_uniform_)
kaiming_normal = _make_deprecate(kaiming_normal_)
orthogonal = _make_deprecate(orthogonal_)
sparse = _make_deprecate(sparse_)
