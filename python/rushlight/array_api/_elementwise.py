"""Elementwise functions of the array API standard."""

from __future__ import annotations

from .. import _C
from ._array import Array, keep_arrays, to_array
from ._promotion import as_array, floor_quotient, operands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .. import Tensor

__all__ = [
    "clip",
    "conj",
    "expm1",
    "floor_divide",
    "imag",
    "positive",
    "real",
    "round",
    "sign",
    "tanh",
]

_ops = _C._VariableFunctions

_UNARY = {
    "abs": ("abs", "The absolute value of each element."),
    "acos": ("acos", "The arc cosine of each element, in radians."),
    "acosh": ("acosh", "The inverse hyperbolic cosine of each element."),
    "asin": ("asin", "The arc sine of each element, in radians."),
    "asinh": ("asinh", "The inverse hyperbolic sine of each element."),
    "atan": ("atan", "The arc tangent of each element, in radians."),
    "atanh": ("atanh", "The inverse hyperbolic tangent of each element."),
    "bitwise_invert": ("bitwise_not", "Each element with all bits (a bool: its truth) inverted."),
    "ceil": ("ceil", "The least integer that is not below each element, in the dtype of `x`."),
    "cos": ("cos", "The cosine of each element, in radians."),
    "cosh": ("cosh", "The hyperbolic cosine of each element."),
    "exp": ("exp", "e to the power of each element."),
    "floor": ("floor", "The greatest integer that is not above each element, in the dtype of `x`."),
    "isfinite": ("isfinite", "Whether each element is neither infinite nor nan."),
    "isinf": ("isinf", "Whether each element is infinite."),
    "isnan": ("isnan", "Whether each element is nan."),
    "log": ("log", "The natural logarithm of each element."),
    "log1p": ("log1p", "The natural logarithm of one plus each element, precise near zero."),
    "log2": ("log2", "The logarithm to base 2 of each element."),
    "log10": ("log10", "The logarithm to base 10 of each element."),
    "logical_not": ("logical_not", "Whether each element is false."),
    "negative": ("neg", "Each element with its sign changed."),
    "reciprocal": ("reciprocal", "One divided by each element."),
    "signbit": ("signbit", "Whether the sign bit of each element is set, as in -0."),
    "sin": ("sin", "The sine of each element, in radians."),
    "sinh": ("sinh", "The hyperbolic sine of each element."),
    "square": ("square", "Each element multiplied by itself."),
    "sqrt": ("sqrt", "The square root of each element."),
    "tan": ("tan", "The tangent of each element, in radians."),
    "trunc": ("trunc", "Each element without its fraction, in the dtype of `x`."),
}

_BINARY = {
    "add": ("add", "The sum of each pair of elements."),
    "atan2": ("atan2", "The angle in radians whose tangent is x1 / x2, in the quadrant that their signs tell."),
    "bitwise_and": ("bitwise_and", "The bits set in both elements of each pair."),
    "bitwise_left_shift": ("bitwise_left_shift", "The bits of x1 shifted left by x2 places, zeros put behind."),
    "bitwise_or": ("bitwise_or", "The bits set in either element of each pair."),
    "bitwise_right_shift": ("bitwise_right_shift", "The bits of x1 shifted right by x2 places, the sign kept."),
    "bitwise_xor": ("bitwise_xor", "The bits set in just one element of each pair."),
    "copysign": ("copysign", "The magnitude of x1 with the sign of x2."),
    "divide": ("true_divide", "The quotient of each pair of elements."),
    "equal": ("eq", "Whether the elements of each pair are equal."),
    "greater": ("gt", "Whether x1 is above x2, elementwise."),
    "greater_equal": ("ge", "Whether x1 is not below x2, elementwise."),
    "hypot": ("hypot", "The square root of x1**2 + x2**2, without overflow on the way."),
    "less": ("lt", "Whether x1 is below x2, elementwise."),
    "less_equal": ("le", "Whether x1 is not above x2, elementwise."),
    "logaddexp": ("logaddexp", "log(exp(x1) + exp(x2)), without overflow on the way."),
    "logical_and": ("logical_and", "Whether both elements of each pair are true."),
    "logical_or": ("logical_or", "Whether either element of each pair is true."),
    "logical_xor": ("logical_xor", "Whether just one element of each pair is true."),
    "maximum": ("maximum", "The greater element of each pair; nan if either is."),
    "minimum": ("minimum", "The smaller element of each pair; nan if either is."),
    "multiply": ("mul", "The product of each pair of elements."),
    "nextafter": ("nextafter", "The number next to x1 in the direction of x2, elementwise."),
    "not_equal": ("ne", "Whether the elements of each pair differ."),
    "pow": ("pow", "x1 to the power of x2, elementwise."),
    "remainder": ("remainder", "What is left of x1 after division by x2, with the sign of x2."),
    "subtract": ("sub", "The difference of each pair of elements."),
}


def _unary(name: str, operator: Callable[[Tensor], Tensor], doc: str) -> Callable[[Tensor], Tensor]:
    def function(x: Tensor, /) -> Tensor:
        result = operator(x)
        return to_array(result) if isinstance(x, Array) else result

    return _named(function, name, doc)


def _binary(name: str, operator: Callable[[Tensor, Tensor], Tensor], doc: str) -> Callable[[Any, Any], Tensor]:
    def function(x1: Any, x2: Any, /) -> Tensor:
        result = operator(*operands(x1, x2))
        return to_array(result) if isinstance(x1, Array) or isinstance(x2, Array) else result

    return _named(function, name, doc)


def _named(function: Callable[..., Tensor], name: str, doc: str) -> Callable[..., Tensor]:
    function.__name__ = function.__qualname__ = name
    function.__module__ = __package__
    function.__doc__ = doc
    return function


def _bound(bound: Any, x: Tensor) -> Tensor:
    return bound.to(x.dtype) if isinstance(bound, _C.Tensor) else as_array(bound, x.dtype, x.device).to(x.dtype)


def clip(x: Tensor, /, min: Any = None, max: Any = None) -> Tensor:
    """Each element, or the nearest of the bounds `min` and `max` where it lies outside of them; in the dtype of `x`."""
    if min is None and max is None:
        return x.clone()
    result = x if max is None else _ops.minimum(x, _bound(max, x))
    return result if min is None else _ops.maximum(result, _bound(min, x))


def conj(x: Tensor, /) -> Tensor:
    """The complex conjugate of each element."""
    return _ops.conj(x)


def expm1(x: Tensor, /) -> Tensor:
    """e to the power of each element, minus one, precise near zero."""
    result = _ops.expm1(x)
    return _ops.complex(result.real + 0.0, result.imag) if x.dtype.is_complex else result  # a real part of 0, not of -0


def floor_divide(x1: Any, x2: Any, /) -> Tensor:
    """The greatest integer that is not above the quotient of each pair; the quotient itself where one is infinite."""
    return floor_quotient(x1, x2)


def imag(x: Tensor, /) -> Tensor:
    """The imaginary part of each element: zero for real ones."""
    return _ops.imag(x) if x.dtype.is_complex else _ops.zeros_like(x)


def positive(x: Tensor, /) -> Tensor:
    """Each element as it is, in a new array."""
    return x.clone()


def real(x: Tensor, /) -> Tensor:
    """The real part of each element."""
    return _ops.real(x)


def round(x: Tensor, /) -> Tensor:  # noqa: A001
    """The integer nearest to each element, the even one of two, in the dtype of `x`; complex numbers by their parts."""
    return _ops.complex(x.real.round(), x.imag.round()) if x.dtype.is_complex else _ops.round(x)


def sign(x: Tensor, /) -> Tensor:
    """-1, 0 or 1 by the sign of each element, nan for nan; x / abs(x) for complex numbers."""
    if x.dtype.is_complex:
        return _ops.sgn(x)
    return _ops.where(x.isnan(), x, x.sign()) if x.dtype.is_floating_point else x.sign()


def tanh(x: Tensor, /) -> Tensor:
    """The hyperbolic tangent of each element."""
    result = _ops.tanh(x)
    if not x.dtype.is_complex:
        return result
    # the C library gives the zero at infinity the sign of sin(2 b), the standard that of b
    zero = _ops.copysign(_ops.zeros_like(x.imag), x.imag)
    at_infinity = _ops.isinf(x.real) & _ops.isfinite(x.imag)
    return _ops.where(at_infinity, _ops.complex(result.real, zero), result)


for _name, (_operator, _doc) in _UNARY.items():
    globals()[_name] = _unary(_name, getattr(_ops, _operator), _doc)
for _name, (_operator, _doc) in _BINARY.items():
    globals()[_name] = _binary(_name, getattr(_ops, _operator), _doc)
keep_arrays(globals(), __all__)
__all__ += [*_UNARY, *_BINARY]
