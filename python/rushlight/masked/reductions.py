"""Reductions over the elements that a mask (True: counts) lets through. Each replaces the others by its neutral element."""

from __future__ import annotations

from .. import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import Tensor

_ops = _C._VariableFunctions
_INFINITY = float("inf")


def _limit(dtype: Any, largest: bool) -> Any:
    """The largest or least value of a dtype."""
    if dtype.is_floating_point:
        return _INFINITY if largest else -_INFINITY
    if dtype is _C.bool:
        return largest
    return _C.iinfo(dtype).max if largest else _C.iinfo(dtype).min


def _filled(input: Tensor, mask: Tensor | None, neutral: Any) -> Tensor:
    return input if mask is None else _ops.where(mask, input, _ops.tensor(neutral, dtype=input.dtype))


def _dims(input: Tensor, dim: Any) -> tuple[int, ...]:
    if dim is None or dim == ():
        return tuple(range(input.dim()))
    return (dim,) if isinstance(dim, int) else tuple(dim)


def _count(input: Tensor, mask: Tensor | None, dim: tuple[int, ...], keepdim: bool) -> Tensor:
    ones = _ops.ones_like(input, dtype=_C.int64) if mask is None else mask.expand(input.shape).to(_C.int64)
    return ones.sum(dim, keepdim)


def sum(
    input: Tensor, dim: Any = None, *, keepdim: bool = False, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """The sum; 0 where nothing counts."""
    return _filled(input, mask, 0).sum(_dims(input, dim), keepdim, dtype=dtype)


def prod(
    input: Tensor, dim: Any = None, *, keepdim: bool = False, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """The product; 1 where nothing counts."""
    result = _filled(input, mask, 1)
    result = result if dtype is None else result.to(dtype)
    for d in sorted((d % max(input.dim(), 1) for d in _dims(input, dim)), reverse=True):
        result = result.prod(d, keepdim)
    return result


def mean(
    input: Tensor, dim: Any = None, *, keepdim: bool = False, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """The mean; NaN where nothing counts."""
    dims = _dims(input, dim)
    return sum(input, dims, keepdim=keepdim, dtype=dtype, mask=mask) / _count(input, mask, dims, keepdim)


def var(
    input: Tensor,
    dim: Any = None,
    unbiased: bool = True,
    *,
    keepdim: bool = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The variance, divided by n - 1 or, with `unbiased=False`, by n."""
    dims = _dims(input, dim)
    centred = input - mean(input, dims, keepdim=True, dtype=dtype, mask=mask)
    total = sum(centred * centred, dims, keepdim=keepdim, dtype=dtype, mask=mask)
    return total / (_count(input, mask, dims, keepdim) - int(unbiased)).clamp(min=0)


def std(input: Tensor, dim: Any = None, unbiased: bool = True, **options: Any) -> Tensor:
    """The square root of `var`."""
    return var(input, dim, unbiased, **options).sqrt()


def amax(
    input: Tensor, dim: Any = None, *, keepdim: bool = False, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """The largest element."""
    return _filled(input, mask, _limit(input.dtype, False)).amax(_dims(input, dim), keepdim).to(dtype or input.dtype)


def amin(
    input: Tensor, dim: Any = None, *, keepdim: bool = False, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """The least element."""
    return _filled(input, mask, _limit(input.dtype, True)).amin(_dims(input, dim), keepdim).to(dtype or input.dtype)


def argmax(
    input: Tensor, dim: int | None = None, *, keepdim: bool = False, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """Where the largest element is."""
    return _filled(input, mask, _limit(input.dtype, False)).argmax(dim, keepdim)


def argmin(
    input: Tensor, dim: int | None = None, *, keepdim: bool = False, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """Where the least element is."""
    return _filled(input, mask, _limit(input.dtype, True)).argmin(dim, keepdim)


def norm(
    input: Tensor,
    ord: float | None = 2.0,
    dim: Any = None,
    *,
    keepdim: bool = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The vector norm of order `ord`."""
    from ..linalg import vector_norm

    order = 2.0 if ord is None else ord
    neutral = _INFINITY if order == -_INFINITY else 0
    return vector_norm(_filled(input, mask, neutral), order, _dims(input, dim), keepdim, dtype=dtype)


def logsumexp(
    input: Tensor, dim: Any, *, keepdim: bool = False, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """log(sum(exp(x)))."""
    return _filled(input if dtype is None else input.to(dtype), mask, -_INFINITY).logsumexp(_dims(input, dim), keepdim)


def median(
    input: Tensor, dim: int = -1, *, keepdim: bool = False, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """The lower median; NaN where nothing counts."""
    return _filled(input, mask, float("nan")).nanmedian(dim, keepdim).values


def cumsum(input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None) -> Tensor:
    """Sums up to each element."""
    return _filled(input, mask, 0).cumsum(dim, dtype=dtype)


def cumprod(input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None) -> Tensor:
    """Products up to each element."""
    return _filled(input, mask, 1).cumprod(dim, dtype=dtype)


def softmax(input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None) -> Tensor:
    """Softmax over the elements that count; NaN where none does."""
    return _filled(input, mask, -_INFINITY).softmax(dim, dtype=dtype)


def log_softmax(input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None) -> Tensor:
    """The logarithm of `softmax`."""
    return _filled(input, mask, -_INFINITY).log_softmax(dim, dtype=dtype)


def softmin(input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None) -> Tensor:
    """Softmax of the negated elements."""
    return softmax(-input, dim, dtype=dtype, mask=mask)


def normalize(
    input: Tensor, ord: float, dim: int, *, eps: float = 1e-12, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """The elements divided by their norm, or by `eps` where that is larger."""
    return input / norm(input, ord, dim, keepdim=True, dtype=dtype, mask=mask).clamp(min=eps)
