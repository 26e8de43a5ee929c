"""Creation functions of the array API standard."""

from __future__ import annotations

from .. import _C
from ._array import Array, keep_arrays, to_array
from ._axes import as_tuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import Tensor

__all__ = [
    "arange",
    "asarray",
    "empty",
    "empty_like",
    "eye",
    "from_dlpack",
    "full",
    "full_like",
    "linspace",
    "meshgrid",
    "ones",
    "ones_like",
    "tril",
    "triu",
    "zeros",
    "zeros_like",
]

_ops = _C._VariableFunctions


def arange(
    start: float, /, stop: float | None = None, step: float = 1, *, dtype: Any = None, device: Any = None
) -> Array:
    """Numbers from `start` in steps of `step`, before `stop`; empty where `stop` lies the other way."""
    if stop is None:
        start, stop = 0, start
    if step == 0:
        raise ValueError("arange: step must not be 0")
    if (stop - start) * step <= 0:
        if dtype is None:
            whole = all(isinstance(number, int) for number in (start, stop, step))
            dtype = _C.int64 if whole else _ops.get_default_dtype()
        return to_array(_ops.empty(0, dtype=dtype, device=device))
    return to_array(_ops.arange(start, stop, step, dtype=dtype, device=device))


def asarray(obj: Any, /, *, dtype: Any = None, device: Any = None, copy: bool | None = None) -> Array:
    """An array of a number, nested sequences, an array or a buffer; shares memory unless it cannot or `copy` is true."""
    return to_array(_ops.asarray(obj, dtype=dtype, device=device, copy=copy))


def empty(shape: Any, *, dtype: Any = None, device: Any = None) -> Array:
    """An array of that shape whose elements are not set."""
    return to_array(_ops.empty(as_tuple(shape), dtype=dtype, device=device))


def empty_like(x: Tensor, /, *, dtype: Any = None, device: Any = None) -> Tensor:
    """`empty` with the shape, and unless given the dtype and device, of `x`."""
    return _ops.empty_like(x, dtype=dtype, device=device)


def eye(n_rows: int, n_cols: int | None = None, /, *, k: int = 0, dtype: Any = None, device: Any = None) -> Array:
    """A matrix with ones on the diagonal `k` (above the main one if positive) and zeros elsewhere."""
    n_cols = n_rows if n_cols is None else n_cols
    matrix = _ops.zeros((n_rows, n_cols), dtype=dtype, device=device)
    if -n_rows < k < n_cols:
        matrix.diagonal(k).fill_(1)
    return to_array(matrix)


def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Array:
    """An array over the memory of an object that speaks DLPack; `copy=False` raises BufferError where it must copy."""
    return to_array(_C.from_dlpack(x, device=device, copy=copy))


def full(shape: Any, fill_value: complex, *, dtype: Any = None, device: Any = None) -> Array:
    """An array of that shape with `fill_value` everywhere, by default of the default dtype of its kind."""
    return to_array(_ops.full(as_tuple(shape), fill_value, dtype=dtype, device=device))


def full_like(x: Tensor, /, fill_value: complex, *, dtype: Any = None, device: Any = None) -> Tensor:
    """`full` with the shape, and unless given the dtype and device, of `x`."""
    return _ops.full_like(x, fill_value, dtype=dtype, device=device)


def linspace(
    start: complex, stop: complex, /, num: int, *, dtype: Any = None, device: Any = None, endpoint: bool = True
) -> Array:
    """`num` numbers at equal distances from `start` to `stop`, which is the last of them if `endpoint`."""
    if endpoint:
        return to_array(_ops.linspace(start, stop, num, dtype=dtype, device=device))
    return to_array(_ops.linspace(start, stop, num + 1, dtype=dtype, device=device)[:-1])


def meshgrid(*arrays: Tensor, indexing: str = "xy") -> tuple[Tensor, ...]:
    """Grids of coordinates from 1-dim arrays: Cartesian ("xy", second axis first) or by matrix indices ("ij")."""
    if indexing not in ("xy", "ij"):
        raise ValueError(f"meshgrid: indexing must be 'xy' or 'ij', not {indexing!r}")
    return tuple(_ops.meshgrid(arrays, indexing=indexing)) if arrays else ()


def ones(shape: Any, *, dtype: Any = None, device: Any = None) -> Array:
    """An array of that shape with one everywhere."""
    return to_array(_ops.ones(as_tuple(shape), dtype=dtype, device=device))


def ones_like(x: Tensor, /, *, dtype: Any = None, device: Any = None) -> Tensor:
    """`ones` with the shape, and unless given the dtype and device, of `x`."""
    return _ops.ones_like(x, dtype=dtype, device=device)


def tril(x: Tensor, /, *, k: int = 0) -> Tensor:
    """The elements of matrices on and below the diagonal `k`, zeros elsewhere."""
    return _ops.tril(x, k)


def triu(x: Tensor, /, *, k: int = 0) -> Tensor:
    """The elements of matrices on and above the diagonal `k`, zeros elsewhere."""
    return _ops.triu(x, k)


def zeros(shape: Any, *, dtype: Any = None, device: Any = None) -> Array:
    """An array of that shape with zero everywhere."""
    return to_array(_ops.zeros(as_tuple(shape), dtype=dtype, device=device))


def zeros_like(x: Tensor, /, *, dtype: Any = None, device: Any = None) -> Tensor:
    """`zeros` with the shape, and unless given the dtype and device, of `x`."""
    return _ops.zeros_like(x, dtype=dtype, device=device)


keep_arrays(globals(), "empty_like full_like meshgrid ones_like tril triu zeros_like".split())  # the others make arrays
