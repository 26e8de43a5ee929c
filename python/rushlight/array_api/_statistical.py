"""Statistical functions of the array API standard. An axis is None (all axes), one, or a tuple, which may be empty."""

from __future__ import annotations

from .. import _C
from ._array import keep_arrays
from ._axes import over_axes
from ._promotion import sum_dtype

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .. import Tensor

__all__ = ["cumulative_prod", "cumulative_sum", "max", "mean", "min", "prod", "std", "sum", "var"]

_ops = _C._VariableFunctions


def _cumulative(
    name: str, scan: Callable[..., Tensor], start: int, x: Tensor, axis: int | None, dtype: Any, include_initial: bool
) -> Tensor:
    if axis is None:
        if x.ndim > 1:
            raise ValueError(f"{name}: axis must be given for an array of {x.ndim} dimensions")
        axis = -1
    result = scan(x, axis, dtype=dtype or sum_dtype(x.dtype))
    if not include_initial:
        return result
    shape = list(x.shape)
    shape[axis] = 1
    return _ops.cat((_ops.full(shape, start, dtype=result.dtype, device=x.device), result), axis)


def cumulative_prod(
    x: Tensor, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Tensor:
    """The products of the elements up to each one along an axis; `include_initial` puts a one in front."""
    return _cumulative("cumulative_prod", _ops.cumprod, 1, x, axis, dtype, include_initial)


def cumulative_sum(
    x: Tensor, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Tensor:
    """The sums of the elements up to each one along an axis; `include_initial` puts a zero in front."""
    return _cumulative("cumulative_sum", _ops.cumsum, 0, x, axis, dtype, include_initial)


def max(x: Tensor, /, *, axis: Any = None, keepdims: bool = False) -> Tensor:  # noqa: A001
    """The greatest element over the axes; nan if any is."""
    return over_axes(x, axis, lambda x, dims: _ops.amax(x, dims, keepdims))


def mean(x: Tensor, /, *, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The arithmetic mean over the axes."""
    return over_axes(x, axis, lambda x, dims: _ops.mean(x, dims, keepdims))


def min(x: Tensor, /, *, axis: Any = None, keepdims: bool = False) -> Tensor:  # noqa: A001
    """The smallest element over the axes; nan if any is."""
    return over_axes(x, axis, lambda x, dims: _ops.amin(x, dims, keepdims))


def prod(x: Tensor, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """The product of the elements over the axes; small integers become the default integer first."""
    dtype = dtype or sum_dtype(x.dtype)

    def reduce(x: Tensor, dims: tuple[int, ...]) -> Tensor:
        for dim in dims:
            x = _ops.prod(x, dim, True, dtype=dtype)
        return x if keepdims else x.squeeze(dims)

    return over_axes(x, axis, reduce) if x.ndim else x.to(dtype, copy=True)


def std(x: Tensor, /, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Tensor:
    """The standard deviation over the axes, dividing by their number of elements minus `correction`."""
    return over_axes(x, axis, lambda x, dims: _ops.std(x, dims, correction=correction, keepdim=keepdims))


def sum(x: Tensor, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:  # noqa: A001
    """The sum of the elements over the axes; small integers become the default integer first."""
    dtype = dtype or sum_dtype(x.dtype)
    return over_axes(x, axis, lambda x, dims: _ops.sum(x, dims, keepdims, dtype=dtype))


def var(x: Tensor, /, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Tensor:
    """The variance over the axes, dividing by their number of elements minus `correction`."""
    return over_axes(x, axis, lambda x, dims: _ops.var(x, dims, correction=correction, keepdim=keepdims))


keep_arrays(globals(), __all__)
