"""make_tensor: random tensors of any dtype within bounds."""

from __future__ import annotations

import math
from typing import Any

import rushlight
from rushlight import Tensor

__all__ = ["make_tensor"]


def _bounds(dtype: Any) -> tuple[float, float]:
    """The smallest value of a dtype and the first above its largest."""
    if dtype == rushlight.bool:
        return 0, 2
    if dtype.is_floating_point or dtype.is_complex:
        finfo = rushlight.finfo(dtype)
        return finfo.min, finfo.max
    iinfo = rushlight.iinfo(dtype)
    # int64 has no room for the value above.
    return iinfo.min, iinfo.max + (0 if dtype == rushlight.int64 else 1)


def _clipped(low: Any, high: Any, defaults: tuple[float, float], dtype: Any) -> tuple[Any, Any]:
    low = defaults[0] if low is None else low
    high = defaults[1] if high is None else high
    if math.isnan(low) or math.isnan(high):
        raise ValueError(f"`low` and `high` cannot be NaN, but got low={low} and high={high}")
    if low >= high:
        raise ValueError(f"`low` must be less than `high`, but got {low} >= {high}")
    lowest, highest = _bounds(dtype)
    if high < lowest or low >= highest:
        raise ValueError(
            f"The value interval specified by `low` and `high` is [{low}, {high}), but {dtype} "
            f"only supports [{lowest}, {highest})"
        )
    low, high = max(low, lowest), min(high, highest)
    if not (dtype.is_floating_point or dtype.is_complex):
        low, high = math.ceil(low), math.ceil(high)
        if low >= high:
            raise ValueError(
                f"make_tensor: [{low}, {high}) has no value of dtype {dtype}; widen the interval"
            )
    return low, high


def _fill_uniform(t: Tensor, low: float, high: float) -> None:
    """Uniform values; intervals wider than the dtype's range are filled at half their size."""
    if high - low >= rushlight.finfo(t.dtype).max:
        t.uniform_(low / 2, high / 2).mul_(2)
    else:
        t.uniform_(low, high)


def make_tensor(
    *shape: Any,
    dtype: Any,
    device: Any,
    low: float | None = None,
    high: float | None = None,
    requires_grad: bool = False,
    noncontiguous: bool = False,
    exclude_zero: bool = False,
    memory_format: Any = None,
) -> Tensor:
    """A tensor with values drawn evenly from `low` to below `high`.

    The interval defaults to [-9, 9] for floating dtypes, [-9, 10) for signed and [0, 10) for
    unsigned integers. `exclude_zero` replaces zeros by the smallest positive value.

    >>> import rushlight
    >>> make_tensor(2, 3, dtype=rushlight.float32, device="cpu").shape
    torch.Size([2, 3])
    """
    if len(shape) == 1 and not isinstance(shape[0], int):
        shape = tuple(shape[0])
    if noncontiguous and memory_format is not None:
        raise ValueError(
            "The parameters `noncontiguous` and `memory_format` are mutually exclusive, but got "
            f"noncontiguous={noncontiguous} and memory_format={memory_format}"
        )
    floating = dtype.is_floating_point or dtype.is_complex
    if requires_grad and not floating:
        raise ValueError(
            "`requires_grad=True` is not supported for boolean and integral dtypes, but got "
            f"dtype={dtype}"
        )
    if floating:
        defaults = (-9, 9)
    elif dtype == rushlight.bool:
        defaults = (0, 2)
    elif str(dtype).rpartition(".")[2].startswith("uint"):
        defaults = (0, 10)
    else:
        defaults = (-9, 10)
    low, high = _clipped(low, high, defaults, dtype)
    if floating:
        result = rushlight.empty(shape, device=device, dtype=dtype)
        real = rushlight.view_as_real(result) if dtype.is_complex else result
        _fill_uniform(real, low, high)
    else:
        result = rushlight.randint(int(low), int(high), shape, device=device, dtype=dtype)
    if noncontiguous and result.numel() > 1:
        result = rushlight.repeat_interleave(result, 2, dim=-1)[..., ::2]
    elif memory_format is not None:
        result = result.clone(memory_format=memory_format)
    if exclude_zero:
        smallest = rushlight.finfo(dtype).tiny if floating else 1
        result[result == 0] = smallest
    return result.requires_grad_() if requires_grad else result
