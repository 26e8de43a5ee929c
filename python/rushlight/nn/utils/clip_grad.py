"""Limits on gradients before an optimizer step."""

from __future__ import annotations

import warnings

import rushlight
from rushlight import Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

__all__ = [
    "clip_grad_norm",
    "clip_grad_norm_",
    "clip_grad_value_",
    "clip_grads_with_norm_",
    "get_total_norm",
]


def _as_list(tensors: Any) -> list[Tensor]:
    return [tensors] if isinstance(tensors, Tensor) else list(tensors)


def get_total_norm(
    tensors: Tensor | Iterable[Tensor],
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """The norm of all elements of all tensors together.

    Args:
        tensors: one tensor or several.
        norm_type: the p of the norm; may be inf.
        error_if_nonfinite: raise RuntimeError if the norm is inf or nan.
        foreach: accepted; all tensors are taken in one pass anyway.
    """
    norm_type = float(norm_type)
    with rushlight.no_grad():
        norms = [rushlight.linalg.vector_norm(t, norm_type) for t in _as_list(tensors)]
        if not norms:
            return rushlight.tensor(0.0)
        total = rushlight.linalg.vector_norm(
            rushlight.stack([norm.to(norms[0].device) for norm in norms]), norm_type
        )
    if error_if_nonfinite and not rushlight.isfinite(total):
        raise RuntimeError(
            f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, "
            "so it cannot be clipped. To disable this error and scale the gradients by the "
            "non-finite norm anyway, set `error_if_nonfinite=False`"
        )
    return total


def clip_grads_with_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    total_norm: Tensor,
    foreach: bool | None = None,
) -> None:
    """Scales the gradients, in place, as if their norm `total_norm` had to be `max_norm`.

    Args:
        parameters: their gradients are scaled.
        max_norm: the limit.
        total_norm: the norm of all gradients.
        foreach: accepted.
    """
    gradients = [p.grad for p in _as_list(parameters) if p.grad is not None]
    if not gradients:
        return
    with rushlight.no_grad():
        # Gradients within the limit are multiplied by 1: that costs less than to look.
        factor = rushlight.clamp(float(max_norm) / (total_norm + 1e-6), max=1.0)
        for gradient in gradients:
            gradient.mul_(factor.to(gradient.device))


def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Scales the gradients of all parameters, in place, so that their norm is at most max_norm.

    Args:
        parameters: one tensor or several.
        max_norm: the limit.
        norm_type: the p of the norm; may be inf.
        error_if_nonfinite: raise RuntimeError if the norm is inf or nan.
        foreach: accepted.

    Returns:
        The norm of the gradients before.

    >>> weight = rushlight.nn.Parameter(rushlight.zeros(2))
    >>> weight.grad = rushlight.tensor([3.0, 4.0])
    >>> clip_grad_norm_(weight, 1.0)
    tensor(5.)
    >>> weight.grad
    tensor([0.6000, 0.8000])
    """
    is_generator = hasattr(parameters, "gi_frame")
    parameters = _as_list(parameters)
    if is_generator and not parameters:
        warnings.warn(
            "`parameters` is an empty generator, no gradient clipping will occur.", stacklevel=2
        )
    gradients = [p.grad for p in parameters if p.grad is not None]
    total = get_total_norm(gradients, norm_type, error_if_nonfinite, foreach)
    clip_grads_with_norm_(parameters, max_norm, total, foreach)
    return total


def clip_grad_norm(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """The old name of `clip_grad_norm_`."""
    warnings.warn(
        "`torch.nn.utils.clip_grad_norm` is now deprecated in favor of "
        "`torch.nn.utils.clip_grad_norm_`.",
        FutureWarning,
        stacklevel=2,
    )
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


def clip_grad_value_(
    parameters: Tensor | Iterable[Tensor], clip_value: float, foreach: bool | None = None
) -> None:
    """Limits every gradient element, in place, to [-clip_value, clip_value]."""
    clip_value = float(clip_value)
    with rushlight.no_grad():
        for parameter in _as_list(parameters):
            if parameter.grad is not None:
                parameter.grad.clamp_(min=-clip_value, max=clip_value)


_get_total_norm = get_total_norm
_clip_grads_with_norm_ = clip_grads_with_norm_
