"""Dropout: of elements, of channels, and the form that keeps mean and variance."""

from __future__ import annotations

import warnings

import rushlight
from rushlight import Tensor
from rushlight._overriding import overridden, take_over


def _check_probability(p: float) -> None:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zeroes each element with probability `p` and scales the rest by 1 / (1 - p) (Srivastava 2014).

    Args:
        input: floating tensor of any shape.
        p: probability of a zero, from 0 to 1.
        training: without it, `input` is returned as it is.
        inplace: writes to `input`.

    Raises:
        ValueError: `p` is outside [0, 1].

    >>> dropout(rushlight.ones(2), p=1.0)
    tensor([0., 0.])
    """
    if overridden(input):
        return take_over(dropout, locals())
    _check_probability(p)
    if inplace:
        return rushlight.dropout_(input, p, training)
    return rushlight.dropout(input, p, training)


def alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    """Dropout that keeps mean and variance of the outputs of `selu`."""
    if overridden(input):
        return take_over(alpha_dropout, locals())
    _check_probability(p)
    if inplace:
        return rushlight.alpha_dropout_(input, p, training)
    return rushlight.alpha_dropout(input, p, training)


def _feature_dropout(input: Tensor, p: float, training: bool, inplace: bool) -> Tensor:
    if inplace:
        return rushlight.feature_dropout_(input, p, training)
    return rushlight.feature_dropout(input, p, training)


def dropout1d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """Zeroes whole channels of an input (N, C, L) or (C, L)."""
    if overridden(input):
        return take_over(dropout1d, locals())
    _check_probability(p)
    dims = input.dim()
    if dims not in (2, 3):
        raise RuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {dims}D input. Note that "
            "dropout1d exists to provide channel-wise dropout on inputs with 1 spatial "
            "dimension, a channel dimension, and an optional batch dimension (i.e. 2D or 3D "
            "inputs)."
        )
    if dims == 3:
        return _feature_dropout(input, p, training, inplace)
    # In place the result must be written through to the unbatched input.
    result = _feature_dropout(input.unsqueeze(0), p, training, inplace)
    return input if inplace else result.squeeze(0)


def _warn_dropout_dims(name: str, dims: int, spatial: int) -> None:
    low, high = spatial + 1, spatial + 2
    warnings.warn(
        f"{name}: Received a {dims}-D input to {name}, which is deprecated and will result in "
        "an error in a future release. To retain the behavior and silence this warning, please "
        f"use dropout instead. Note that {name} exists to provide channel-wise dropout on "
        f"inputs with {spatial} spatial dimensions, a channel dimension, and an optional batch "
        f"dimension (i.e. {low}D or {high}D inputs).",
        stacklevel=3,
    )


def dropout2d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """Zeroes whole channels of an input (N, C, H, W); 3-D input counts as (N, C, L)."""
    if overridden(input):
        return take_over(dropout2d, locals())
    _check_probability(p)
    dims = input.dim()
    if dims == 3:
        warnings.warn(
            "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D "
            "dropout behavior is desired - input is interpreted as shape (N, C, L), where C is "
            "the channel dim. This behavior will change in a future release to interpret the "
            "input as one without a batch dimension, i.e. shape (C, H, W). To maintain the 1D "
            "channel-wise dropout behavior, please switch to using dropout1d instead.",
            stacklevel=2,
        )
    elif dims != 4:
        _warn_dropout_dims("dropout2d", dims, 2)
    return _feature_dropout(input, p, training, inplace)


def dropout3d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """Zeroes whole channels of an input (N, C, D, H, W) or (C, D, H, W)."""
    if overridden(input):
        return take_over(dropout3d, locals())
    _check_probability(p)
    dims = input.dim()
    if dims not in (4, 5):
        _warn_dropout_dims("dropout3d", dims, 3)
    if dims != 4:
        return _feature_dropout(input, p, training, inplace)
    result = _feature_dropout(input.unsqueeze(0), p, training, inplace)
    return input if inplace else result.squeeze(0)


def feature_alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    """Alpha dropout of whole channels."""
    if overridden(input):
        return take_over(feature_alpha_dropout, locals())
    _check_probability(p)
    if inplace:
        return rushlight.feature_alpha_dropout_(input, p, training)
    return rushlight.feature_alpha_dropout(input, p, training)
