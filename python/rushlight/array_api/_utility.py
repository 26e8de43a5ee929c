"""Utility functions of the array API standard."""

from __future__ import annotations

from .. import _C
from ._array import keep_arrays
from ._axes import over_axes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import Tensor

__all__ = ["all", "any", "diff"]

_ops = _C._VariableFunctions


def all(x: Tensor, /, *, axis: Any = None, keepdims: bool = False) -> Tensor:  # noqa: A001
    """Whether all elements over the axes are true; nan is."""
    return over_axes(x != 0, axis, lambda x, dims: _ops.all(x, dims, keepdims))


def any(x: Tensor, /, *, axis: Any = None, keepdims: bool = False) -> Tensor:  # noqa: A001
    """Whether any element over the axes is true; nan is."""
    return over_axes(x != 0, axis, lambda x, dims: _ops.any(x, dims, keepdims))


def diff(
    x: Tensor, /, *, axis: int = -1, n: int = 1, prepend: Tensor | None = None, append: Tensor | None = None
) -> Tensor:
    """The differences of neighbours along an axis, taken `n` times; `prepend` and `append` are joined on first."""
    return _ops.diff(x, n, axis, prepend, append)


keep_arrays(globals(), __all__)
