"""Activation functions, softmax and its relatives."""

from __future__ import annotations

import warnings

import rushlight
from rushlight import Tensor
from rushlight._overriding import overridden, take_over

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_nn = rushlight._C._nn


def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """`input` where it exceeds `threshold`, else `value`."""
    if overridden(input):
        return take_over(_threshold, locals())
    if inplace:
        return rushlight.threshold_(input, threshold, value)
    return rushlight.threshold(input, threshold, value)


_threshold = threshold


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """max(0, input)."""
    if overridden(input):
        return take_over(relu, locals())
    if inplace:
        return rushlight.relu_(input)
    return rushlight.relu(input)


def glu(input: Tensor, dim: int = -1) -> Tensor:
    """a * sigmoid(b), where a and b are the halves of `input` along `dim`."""
    if overridden(input):
        return take_over(glu, locals())
    if input.dim() == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    return _nn.glu(input, dim)


def hardtanh(
    input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False
) -> Tensor:
    """`input` limited to [min_val, max_val]."""
    if overridden(input):
        return take_over(hardtanh, locals())
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    if inplace:
        return _nn.hardtanh_(input, min_val, max_val)
    return _nn.hardtanh(input, min_val, max_val)


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """`input` limited to [0, 6]."""
    if overridden(input):
        return take_over(relu6, locals())
    return _nn.relu6_(input) if inplace else _nn.relu6(input)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """`input` where positive, else alpha * (exp(input) - 1)."""
    if overridden(input):
        return take_over(elu, locals())
    return _nn.elu_(input, alpha) if inplace else _nn.elu(input, alpha)


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """Scaled `elu` with the constants of Klambauer et al. (2017)."""
    if overridden(input):
        return take_over(selu, locals())
    return rushlight.selu_(input) if inplace else rushlight.selu(input)


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """`elu` with a slope that is continuous for every alpha."""
    if overridden(input):
        return take_over(celu, locals())
    return rushlight.celu_(input, alpha) if inplace else rushlight.celu(input, alpha)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """`input` where positive, else negative_slope * input."""
    if overridden(input):
        return take_over(leaky_relu, locals())
    if inplace:
        return _nn.leaky_relu_(input, negative_slope)
    return _nn.leaky_relu(input, negative_slope)


def rrelu(
    input: Tensor,
    lower: float = 1.0 / 8,
    upper: float = 1.0 / 3,
    training: bool = False,
    inplace: bool = False,
) -> Tensor:
    """Leaky relu with a slope drawn from [lower, upper) in training and their mean otherwise."""
    if overridden(input):
        return take_over(rrelu, locals())
    if inplace:
        return rushlight.rrelu_(input, lower, upper, training)
    return rushlight.rrelu(input, lower, upper, training)


def tanhshrink(input: Tensor) -> Tensor:
    """input - tanh(input)."""
    if overridden(input):
        return take_over(tanhshrink, locals())
    return input - input.tanh()


def softsign(input: Tensor) -> Tensor:
    """input / (1 + |input|)."""
    if overridden(input):
        return take_over(softsign, locals())
    return input / (input.abs() + 1) if input.is_complex() else _nn.softsign(input)


def tanh(input: Tensor) -> Tensor:
    """Hyperbolic tangent."""
    return input.tanh()


def sigmoid(input: Tensor) -> Tensor:
    """1 / (1 + exp(-input))."""
    return input.sigmoid()


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """relu6(input + 3) / 6."""
    if overridden(input):
        return take_over(hardsigmoid, locals())
    return _nn.hardsigmoid_(input) if inplace else _nn.hardsigmoid(input)


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """input * sigmoid(input)."""
    if overridden(input):
        return take_over(silu, locals())
    return _nn.silu_(input) if inplace else _nn.silu(input)


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """input * tanh(softplus(input))."""
    if overridden(input):
        return take_over(mish, locals())
    return _nn.mish_(input) if inplace else _nn.mish(input)


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """input * relu6(input + 3) / 6."""
    if overridden(input):
        return take_over(hardswish, locals())
    return _nn.hardswish_(input) if inplace else _nn.hardswish(input)


def _get_softmax_dim(name: str, ndim: int, stacklevel: int) -> int:
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include "
        "dim=X as an argument.",
        stacklevel=stacklevel,
    )
    return 0 if ndim in (0, 1, 3) else 1


def softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
) -> Tensor:
    """exp(input) divided by its sum along `dim`.

    Args:
        input: floating tensor of any shape.
        dim: the dimension whose elements will sum to 1; leaving it out warns and guesses.
        dtype: what `input` is converted to first, so that small types do not overflow.

    >>> softmax(rushlight.zeros(1, 4), dim=1)
    tensor([[0.2500, 0.2500, 0.2500, 0.2500]])
    """
    if overridden(input):
        return take_over(softmax, locals())
    if dim is None:
        dim = _get_softmax_dim("softmax", input.dim(), _stacklevel)
    return input.softmax(dim) if dtype is None else input.softmax(dim, dtype=dtype)


def softmin(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
) -> Tensor:
    """softmax(-input)."""
    if overridden(input):
        return take_over(softmin, locals())
    if dim is None:
        dim = _get_softmax_dim("softmin", input.dim(), _stacklevel)
    return (-input).softmax(dim) if dtype is None else (-input).softmax(dim, dtype=dtype)


def log_softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
) -> Tensor:
    """log(softmax(input)), computed without overflow.

    Args:
        input: floating tensor of any shape.
        dim: the dimension whose exponentials will sum to 1; leaving it out warns and guesses.
        dtype: what `input` is converted to first.

    >>> log_softmax(rushlight.tensor([1000.0, 1000.0]), dim=0)
    tensor([-0.6931, -0.6931])
    """
    if overridden(input):
        return take_over(log_softmax, locals())
    if dim is None:
        dim = _get_softmax_dim("log_softmax", input.dim(), _stacklevel)
    return input.log_softmax(dim) if dtype is None else input.log_softmax(dim, dtype=dtype)


def gumbel_softmax(
    logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1
) -> Tensor:
    """A sample of the Gumbel-softmax distribution.

    Args:
        logits: unnormalized log probabilities.
        tau: temperature, positive.
        hard: return one-hot samples whose gradient is that of the soft ones.
        eps: has no effect.
        dim: along which the probabilities lie.
    """
    if overridden(logits):
        return take_over(gumbel_softmax, locals())
    if eps != 1e-10:
        warnings.warn("`eps` parameter is deprecated and has no effect.", stacklevel=2)
    noise = rushlight.empty_like(logits, memory_format=rushlight.contiguous_format)
    gumbels = -noise.exponential_().log()
    soft = ((logits + gumbels) / tau).softmax(dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    one_hot = rushlight.zeros_like(logits, memory_format=rushlight.contiguous_format)
    return one_hot.scatter_(dim, index, 1.0) - soft.detach() + soft
