"""Reductions over the elements that a mask (True: counts) lets through. Each replaces the others by its neutral element."""

from __future__ import annotations

from .. import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import Tensor

_ops = _C._VariableFunctions
_INFINITY = float("inf")


def _limit(dtype: Any, largest: bool, name: str) -> Any:
    """The largest or least value of a dtype."""
    if dtype.is_floating_point:
        return _INFINITY if largest else -_INFINITY
    if dtype is _C.bool:
        raise NotImplementedError(f"identity of {name} on {dtype} input")
    limits = _C.iinfo(dtype)
    return limits.max if largest else limits.min


def _filled(input: Tensor, mask: Tensor | None, neutral: Any) -> Tensor:
    if mask is None:
        return input
    return _ops.where(mask, input, _ops.tensor(neutral, dtype=input.dtype, device=input.device))


def _cast(input: Tensor, dtype: Any) -> Tensor:
    return input if dtype is None else input.to(dtype)


def _dims(input: Tensor, dim: Any) -> tuple[int, ...]:
    if dim is None or dim == ():
        return tuple(range(input.dim()))
    return (dim,) if isinstance(dim, int) else tuple(dim)


def _count(input: Tensor, mask: Tensor | None, dim: tuple[int, ...], keepdim: bool) -> Tensor:
    """How many elements count."""
    if mask is None:
        counted = _ops.ones(input.shape, dtype=_C.int64, device=input.device)
    else:
        counted = mask.expand(input.shape).to(_C.int64)
    return counted.sum(dim, keepdim)


def _floating(input: Tensor, dtype: Any) -> Any:
    """The dtype of a result that is no integer."""
    if dtype is not None:
        return dtype
    if input.is_floating_point() or input.is_complex():
        return input.dtype
    return _C.float32


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
    if dtype is None and not (input.is_floating_point() or input.is_complex()):
        dtype = _C.int64
    result = _cast(result, dtype)
    for d in sorted((d % max(input.dim(), 1) for d in _dims(input, dim)), reverse=True):
        result = result.prod(d, keepdim)
    return result


def mean(
    input: Tensor, dim: Any = None, *, keepdim: bool = False, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """The mean; NaN where nothing counts."""
    if dtype is None and not (input.is_floating_point() or input.is_complex()):
        raise ValueError(
            "mean(): Could not infer output dtype. Input dtype must be either a floating point or complex dtype. "
            f"Got: {input.dtype}"
        )
    dims = _dims(input, dim)
    total = sum(input, dims, keepdim=keepdim, dtype=dtype, mask=mask)
    return total / _count(input, mask, dims, keepdim)


def var(
    input: Tensor,
    dim: Any = None,
    unbiased: bool | None = None,
    *,
    correction: float | None = None,
    keepdim: bool = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The variance, divided by the number of elements less `correction`: 1, or 0 with `unbiased=False`."""
    if unbiased is not None and correction is not None:
        raise RuntimeError("var: only one of unbiased and correction can be given")
    less = 1 if unbiased is None and correction is None else int(bool(unbiased)) if correction is None else correction
    dims = _dims(input, dim)
    kind = _floating(input, dtype)
    values = _filled(input.to(kind), mask, 0)
    count = _count(input, mask, dims, True)
    centred = values - values.sum(dims, True) / count
    squares = centred * centred.conj() if centred.is_complex() else centred * centred
    total = _filled(squares, mask, 0).sum(dims, keepdim)
    if not keepdim:
        count = count.reshape(total.shape)
    return (total / (count - less).clamp(min=0)).to(kind)


def std(
    input: Tensor,
    dim: Any = None,
    unbiased: bool | None = None,
    *,
    correction: float | None = None,
    keepdim: bool = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The square root of `var`."""
    return var(input, dim, unbiased, correction=correction, keepdim=keepdim, dtype=dtype, mask=mask).sqrt()


def amax(
    input: Tensor, dim: Any = None, *, keepdim: bool = False, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """The largest element."""
    return (
        _filled(input, mask, _limit(input.dtype, False, "amax"))
        .amax(_dims(input, dim), keepdim)
        .to(dtype or input.dtype)
    )


def amin(
    input: Tensor, dim: Any = None, *, keepdim: bool = False, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """The least element."""
    return (
        _filled(input, mask, _limit(input.dtype, True, "amin"))
        .amin(_dims(input, dim), keepdim)
        .to(dtype or input.dtype)
    )


def argmax(
    input: Tensor, dim: int | None = None, *, keepdim: bool = False, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """Where the largest element is."""
    return _filled(input, mask, _limit(input.dtype, False, "argmax")).argmax(dim, keepdim).to(dtype or input.dtype)


def argmin(
    input: Tensor, dim: int | None = None, *, keepdim: bool = False, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """Where the least element is."""
    return _filled(input, mask, _limit(input.dtype, True, "argmin")).argmin(dim, keepdim).to(dtype or input.dtype)


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
    input: Tensor, dim: Any = None, *, keepdim: bool = False, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """log(sum(exp(x)))."""
    kind = dtype or input.dtype
    neutral = -_INFINITY if kind.is_complex else _limit(kind, False, "logsumexp")
    return _filled(input.to(kind), mask, neutral).logsumexp(_dims(input, dim), keepdim).to(kind)


def logaddexp(
    input: Tensor,
    other: Tensor,
    *,
    dtype: Any = None,
    input_mask: Tensor | None = None,
    other_mask: Tensor | None = None,
) -> Tensor:
    """log(exp(a) + exp(b)), of which masked-out elements give nothing."""
    kind = dtype or input.dtype
    a, b = input.to(kind), other.to(kind)
    return _ops.logaddexp(_filled(a, input_mask, -_INFINITY), _filled(b, other_mask, -_INFINITY)).to(kind)


def median(
    input: Tensor, dim: int = -1, *, keepdim: bool = False, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """The lower median; NaN where nothing counts."""
    values = _cast(input, dtype)
    if values.is_floating_point():
        return _filled(values, mask, float("nan")).nanmedian(dim, keepdim).values
    if mask is not None and not bool(mask.all()):
        raise ValueError("masked median expects no fully masked out rows if dtype is not floating point")
    return values.median(dim, keepdim).values


def cumsum(input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None) -> Tensor:
    """Sums up to each element."""
    kind = dtype or input.dtype
    return _filled(input.to(kind), mask, 0).cumsum(dim, dtype=kind)


def cumprod(input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None) -> Tensor:
    """Products up to each element."""
    kind = dtype or input.dtype
    return _filled(input.to(kind), mask, 1).cumprod(dim, dtype=kind)


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
