"""Sorting functions of the array API standard."""

from __future__ import annotations

from .. import _C
from ._array import keep_arrays

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .. import Tensor

__all__ = ["argsort", "sort"]

_ops = _C._VariableFunctions


def argsort(x: Tensor, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Tensor:
    """The places of the elements along an axis in ascending or descending order; equal ones stay in order if `stable`."""
    return _ops.argsort(x, dim=axis, descending=descending, stable=stable)


def sort(x: Tensor, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Tensor:
    """The elements along an axis in ascending or descending order."""
    return _ops.sort(x, dim=axis, descending=descending, stable=stable)[0]


keep_arrays(globals(), __all__)
