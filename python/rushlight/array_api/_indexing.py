"""Indexing functions of the array API standard."""

from __future__ import annotations

from .. import _C
from ._array import keep_arrays, places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .. import Tensor

__all__ = ["take", "take_along_axis"]

_ops = _C._VariableFunctions


def take(x: Tensor, indices: Tensor, /, *, axis: int | None = None) -> Tensor:
    """The slices of `x` along `axis` at `indices`, where negative ones count from the end; 1-dim `x` needs no axis."""
    if axis is None:
        if x.ndim != 1:
            raise ValueError(f"take: axis must be given for an array of {x.ndim} dimensions")
        axis = 0
    if not -x.ndim <= axis < x.ndim:
        raise IndexError(f"take: axis {axis} is out of range for an array of {x.ndim} dimensions")
    return x[(slice(None),) * (axis % x.ndim) + (places(indices),)]


def take_along_axis(x: Tensor, indices: Tensor, /, *, axis: int = -1) -> Tensor:
    """The elements of `x` along `axis` at `indices`, which has the rank of `x` and broadcasts against its other axes."""
    return _ops.take_along_dim(x, places(indices), axis)


keep_arrays(globals(), __all__)
