"""Type promotion by the standard: 0-dim arrays count as any other, Python numbers take the type of the array."""

from __future__ import annotations

from .. import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import Tensor

_ops = _C._VariableFunctions
promote_types = _ops.promote_types


def number_dtype(number: complex, dtype: Any) -> Any:
    """The dtype in which a Python number meets an array of `dtype`: the number only decides if its kind is higher."""
    if isinstance(number, bool):
        return dtype
    if isinstance(number, int):
        return _C.int64 if dtype is _C.bool else dtype
    if isinstance(number, float):
        return dtype if dtype.is_floating_point or dtype.is_complex else _ops.get_default_dtype()
    return dtype if dtype.is_complex else promote_types(dtype, _C.complex64)


def as_array(number: Any, dtype: Any, device: Any) -> Tensor:
    """A Python number as a 0-dim array to meet arrays of `dtype`."""
    if not isinstance(number, (int, float, complex)):
        raise TypeError(f"expected an array or a Python number, got {type(number).__name__}")
    return _ops.tensor(number, dtype=number_dtype(number, dtype), device=device)


def operands(x1: Any, x2: Any) -> tuple[Any, Any]:
    """Two arrays of one dtype from two arrays, or from an array and a number."""
    if isinstance(x1, _C.Tensor):
        if isinstance(x2, _C.Tensor):
            if x1.dtype is x2.dtype:
                return x1, x2
        else:
            x2 = as_array(x2, x1.dtype, x1.device)
    elif isinstance(x2, _C.Tensor):
        x1 = as_array(x1, x2.dtype, x2.device)
    else:
        raise TypeError(f"at least one operand must be an array, got {type(x1).__name__} and {type(x2).__name__}")
    if x1.dtype is x2.dtype:
        return x1, x2
    dtype = promote_types(x1.dtype, x2.dtype)
    return x1.to(dtype), x2.to(dtype)


def common_dtype(arrays: Any) -> Any:
    """The dtype that all arrays promote to."""
    dtypes = [array.dtype for array in arrays]
    found = dtypes[0]
    for dtype in dtypes[1:]:
        found = promote_types(found, dtype)
    return found


def sum_dtype(dtype: Any) -> Any:
    """The dtype of sums and products of arrays of `dtype`: for integers the widest of their signedness."""
    if dtype.is_floating_point or dtype.is_complex:
        return dtype
    return _C.int64 if dtype.is_signed or dtype is _C.bool else _C.uint64


def floor_quotient(x1: Any, x2: Any) -> Tensor:
    """`x1 // x2` of arrays and numbers: the quotient itself where just one is infinite."""
    x1, x2 = operands(x1, x2)
    floor = _ops.floor_divide(x1, x2)
    if not floor.dtype.is_floating_point:
        return floor
    return _ops.where(x1.isinf() != x2.isinf(), x1 / x2, floor)
