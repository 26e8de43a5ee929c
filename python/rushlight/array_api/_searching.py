"""Searching functions of the array API standard."""

from __future__ import annotations

from .. import _C
from ._array import keep_arrays
from ._axes import over_axes
from ._promotion import operands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import Tensor

__all__ = ["argmax", "argmin", "count_nonzero", "nonzero", "searchsorted", "where"]

_ops = _C._VariableFunctions


def argmax(x: Tensor, /, *, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """The place of the first greatest element along an axis, or in the flattened array."""
    return _ops.argmax(x, axis, keepdims)


def argmin(x: Tensor, /, *, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """The place of the first smallest element along an axis, or in the flattened array."""
    return _ops.argmin(x, axis, keepdims)


def count_nonzero(x: Tensor, /, *, axis: Any = None, keepdims: bool = False) -> Tensor:
    """How many elements are not zero, over the axes or in all."""
    return over_axes(x != 0, axis, lambda x, dims: x.sum(dims, keepdim=keepdims))


def nonzero(x: Tensor, /) -> tuple[Tensor, ...]:
    """The places of the elements that are not zero, one array per axis."""
    if x.ndim == 0:
        raise ValueError("nonzero: a 0-dim array has no axes; compare it with 0 instead")
    return _ops.nonzero(x, as_tuple=True)


def searchsorted(x1: Tensor, x2: Any, /, *, side: str = "left", sorter: Tensor | None = None) -> Tensor:
    """Where in the ascending 1-dim `x1` the elements of `x2` belong: before ("left") or behind equal ones ("right")."""
    if side not in ("left", "right"):
        raise ValueError(f"searchsorted: side must be 'left' or 'right', not {side!r}")
    x1, x2 = operands(x1, x2)
    return _ops.searchsorted(x1, x2.contiguous(), right=side == "right", sorter=sorter)


def where(condition: Tensor, x1: Any, x2: Any, /) -> Tensor:
    """The elements of `x1` where the condition holds, of `x2` elsewhere."""
    return _ops.where(condition, *operands(x1, x2))


keep_arrays(globals(), __all__)
