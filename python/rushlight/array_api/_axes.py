"""Axes as the standard passes them: None is all of them, an empty tuple none."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .. import Tensor


def over_axes(x: Tensor, axis: Any, reduce: Callable[[Tensor, tuple[int, ...]], Tensor]) -> Tensor:
    """`reduce(x, axes)`; with no axes every element is reduced by itself, along an axis of size one put behind."""
    if axis is None:
        axis = tuple(range(x.ndim))
    elif not isinstance(axis, tuple):
        axis = (axis,)
    if axis:
        return reduce(x, axis)
    result = reduce(x.unsqueeze(-1), (-1,))
    return result if result.ndim == x.ndim else result.squeeze(-1)


def as_tuple(shape: Any) -> tuple[int, ...]:
    """A shape or some axes, of which a single one may be an int, as a tuple."""
    return (shape,) if isinstance(shape, int) else tuple(shape)
