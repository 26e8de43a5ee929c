"""Data type functions of the array API standard."""

from __future__ import annotations

from typing import NamedTuple

from .. import _C
from ._array import keep_arrays
from ._promotion import number_dtype, promote_types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import Tensor

__all__ = ["astype", "can_cast", "finfo", "iinfo", "isdtype", "result_type"]

_SIGNED = (_C.int8, _C.int16, _C.int32, _C.int64)
_UNSIGNED = (_C.uint8, _C.uint16, _C.uint32, _C.uint64)
_REAL = (_C.float32, _C.float64)
_COMPLEX = (_C.complex64, _C.complex128)

KINDS = {
    "bool": (_C.bool,),
    "signed integer": _SIGNED,
    "unsigned integer": _UNSIGNED,
    "integral": _SIGNED + _UNSIGNED,
    "real floating": _REAL,
    "complex floating": _COMPLEX,
    "numeric": _SIGNED + _UNSIGNED + _REAL + _COMPLEX,
}
"""The dtypes of each kind that `isdtype` and `dtypes` know."""


class FloatInfo(NamedTuple):
    """Limits of a floating-point dtype; what `finfo` returns."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: Any


class IntegerInfo(NamedTuple):
    """Limits of an integer dtype; what `iinfo` returns."""

    bits: int
    max: int
    min: int
    dtype: Any


def _dtype_of(array_or_dtype: Any) -> Any:
    return array_or_dtype.dtype if isinstance(array_or_dtype, _C.Tensor) else array_or_dtype


def _expect_dtype(function: str, dtype: Any) -> None:
    if not isinstance(dtype, _C.dtype):
        raise TypeError(f"{function}: expected a dtype, got {type(dtype).__name__}")


def astype(x: Tensor, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Tensor:
    """The array in another dtype; `x` itself if nothing changes and `copy` is false. TypeError from complex to real."""
    _expect_dtype("astype", dtype)
    if x.dtype.is_complex and not dtype.is_complex and dtype is not _C.bool:
        raise TypeError(f"astype: casting {x.dtype} to {dtype} is not permitted; take real(x) or imag(x) first")
    return x.to(dtype=dtype, device=device, copy=copy)


def can_cast(from_: Any, to: Any, /) -> bool:
    """Whether promotion with some other dtype leads from `from_` (a dtype or an array) to the dtype `to`."""
    from_ = _dtype_of(from_)
    _expect_dtype("can_cast", from_)
    _expect_dtype("can_cast", to)
    try:
        return promote_types(from_, to) is to
    except RuntimeError:  # uint64 and signed integers have no common dtype
        return False


def finfo(type: Any, /) -> FloatInfo:
    """The limits of a floating-point dtype, or of the components of a complex one; also of the dtype of an array."""
    dtype = _dtype_of(type)
    info = _C.finfo(dtype)
    component = dtype.to_real() if dtype.is_complex else dtype
    return FloatInfo(info.bits, info.eps, info.max, info.min, info.smallest_normal, component)


def iinfo(type: Any, /) -> IntegerInfo:
    """The limits of an integer dtype, or of the dtype of an array."""
    dtype = _dtype_of(type)
    info = _C.iinfo(dtype)
    return IntegerInfo(info.bits, info.max, info.min, dtype)


def isdtype(dtype: Any, kind: Any) -> bool:
    """Whether a dtype is, or is of, `kind`: a dtype, the name of a kind such as "real floating", or a tuple of these."""
    if isinstance(kind, tuple):
        return any(isdtype(dtype, one) for one in kind)
    if isinstance(kind, str):
        if kind not in KINDS:
            raise ValueError(f"isdtype: unknown kind {kind!r}; known are {', '.join(map(repr, KINDS))}")
        return dtype in KINDS[kind]
    _expect_dtype("isdtype", kind)
    return dtype is kind


def result_type(*arrays_and_dtypes: Any) -> Any:
    """The dtype that arrays, dtypes and Python numbers together promote to."""
    numbers = [item for item in arrays_and_dtypes if isinstance(item, (int, float, complex))]
    dtypes = [_dtype_of(item) for item in arrays_and_dtypes if not isinstance(item, (int, float, complex))]
    if not dtypes:
        raise ValueError("result_type: at least one array or dtype is required")
    for dtype in dtypes:
        _expect_dtype("result_type", dtype)
    found = dtypes[0]
    for dtype in dtypes[1:]:
        found = promote_types(found, dtype)
    for number in numbers:
        found = number_dtype(number, found)
    return found


keep_arrays(globals(), ["astype"])
