"""Set functions of the array API standard. Elements are equal as `==` says: each nan is one of its own."""

from __future__ import annotations

from typing import NamedTuple

from .. import _C
from ._array import keep_arrays
from ._promotion import operands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import Tensor

__all__ = ["isin", "unique_all", "unique_counts", "unique_inverse", "unique_values"]

_ops = _C._VariableFunctions


class UniqueAll(NamedTuple):
    """Unique elements, where each occurs first, which of them each element is, and how often each occurs."""

    values: Tensor
    indices: Tensor
    inverse_indices: Tensor
    counts: Tensor


class UniqueCounts(NamedTuple):
    """Unique elements and how often each occurs."""

    values: Tensor
    counts: Tensor


class UniqueInverse(NamedTuple):
    """Unique elements and which of them each element is."""

    values: Tensor
    inverse_indices: Tensor


def _order(x: Tensor) -> Tensor:
    """A stable order of a 1-dim array; complex numbers by their real, then by their imaginary part."""
    if not x.dtype.is_complex:
        return _ops.argsort(x, stable=True)
    order = _ops.argsort(x.imag, stable=True)
    return order[_ops.argsort(x.real[order], stable=True)]


def _sorted_groups(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """(order, elements in that order, whether each of these is the first of its kind)."""
    flat = x.reshape(-1)
    order = _order(flat)
    ascending = flat[order]
    first = _ops.ones(ascending.shape, dtype=_C.bool, device=x.device)
    first[1:] = ascending[1:] != ascending[:-1]
    return order, ascending, first


def isin(x1: Any, x2: Any, /, *, invert: bool = False) -> Tensor:
    """Whether each element of `x1` is an element of `x2`, or is not if `invert`."""
    x1, x2 = operands(x1, x2)
    return _ops.isin(x1, x2, invert=invert)


def unique_all(x: Tensor, /) -> UniqueAll:
    """The unique elements of an array, their first places, the way back to the array, and their counts."""
    order, ascending, first = _sorted_groups(x)
    inverse = _ops.empty_like(order)
    inverse[order] = first.cumsum(0) - 1
    starts = _ops.nonzero(first).squeeze(-1)
    ends = _ops.cat((starts[1:], starts.new_tensor([first.numel()])[: starts.numel()]))
    return UniqueAll(ascending[first], order[first], inverse.reshape(x.shape), ends - starts)


def unique_counts(x: Tensor, /) -> UniqueCounts:
    """The unique elements of an array and how often each occurs."""
    found = unique_all(x)
    return UniqueCounts(found.values, found.counts)


def unique_inverse(x: Tensor, /) -> UniqueInverse:
    """The unique elements of an array and for each element of the array which of them it is."""
    found = unique_all(x)
    return UniqueInverse(found.values, found.inverse_indices)


def unique_values(x: Tensor, /) -> Tensor:
    """The unique elements of an array."""
    _, ascending, first = _sorted_groups(x)
    return ascending[first]


keep_arrays(globals(), __all__)
