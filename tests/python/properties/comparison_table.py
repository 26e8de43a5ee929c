"""Comparisons, logic, bits and choices between operands, and pointwise operators with signatures of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import rushlight as torch
from calls import Call, Case, enter
from operands import Draw, dtypes_of, numpy_dtype, numpy_of
from pointwise_rows import as_array, narrowed, promoted, row
from reduce_table import added

REAL, ANY = "fib", "fibc"
BITS = {"arity": 2, "number": True, "wide": True}
SHIFT = {"arity": 2, "number": True}
NUMBER_FIRST = {"arity": 2, "number_at": 0, "forms": False}


def flag(reference: Callable[..., Any], dtypes: str = REAL, **more: Any) -> Case:
    return row(reference, dtypes, (-3, 3), result="bool", arity=2, **more)


def shift(left: bool) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    return np.left_shift if left else np.right_shift


COMPARISON: dict[str, Case] = {
    "eq.Tensor": flag(np.equal, ANY, number=True),
    "ne.Tensor": flag(np.not_equal, ANY, number=True),
    "lt.Tensor": flag(np.less, number=True),
    "le.Tensor": flag(np.less_equal, number=True),
    "gt.Tensor": flag(np.greater, number=True),
    "ge.Tensor": flag(np.greater_equal, number=True),
    "logical_and": flag(np.logical_and, ANY),
    "logical_or": flag(np.logical_or, ANY),
    "logical_xor": flag(np.logical_xor, ANY),
    "bitwise_and.Tensor": row(np.bitwise_and, "ib", **BITS),
    "bitwise_or.Tensor": row(np.bitwise_or, "ib", **BITS),
    "bitwise_xor.Tensor": row(np.bitwise_xor, "ib", **BITS),
    "bitwise_and.Scalar_Tensor": row(np.bitwise_and, "ib", **NUMBER_FIRST),
    "bitwise_or.Scalar_Tensor": row(np.bitwise_or, "ib", **NUMBER_FIRST),
    "bitwise_xor.Scalar_Tensor": row(np.bitwise_xor, "ib", **NUMBER_FIRST),
    "bitwise_left_shift.Tensor": row(shift(True), "i", (-9, 9), (0, 9), **SHIFT),
    "bitwise_right_shift.Tensor": row(shift(False), "i", (-99, 99), (0, 9), **SHIFT),
    "bitwise_left_shift.Scalar_Tensor": row(shift(True), "i", (0, 9), (0, 9), **NUMBER_FIRST),
    "bitwise_right_shift.Scalar_Tensor": row(shift(False), "i", (0, 99), (0, 9), **NUMBER_FIRST),
}
ALIASES = {
    "not_equal": "ne", "greater_equal": "ge", "less_equal": "le", "greater": "gt", "less": "lt",
}
NUMBER_ALIASES = {"multiply.Scalar": "mul.Tensor", "divide.Scalar": "div.Tensor", "true_divide.Scalar": "div.Tensor", "subtract.Scalar": "sub.Tensor", "divide.Scalar_mode": "div.Tensor_mode", "special_xlogy": "xlogy.Tensor", "special_xlogy.other_scalar": "xlogy.Tensor"}


CHOICES: dict[str, Case] = {}


@enter(CHOICES, "where.self", "where.ScalarSelf", "where.ScalarOther")
def where(draw: Draw) -> Call:
    shape, dtype = draw.shape(), draw.choice(dtypes_of(ANY))
    condition = draw.tensor(torch.bool, narrowed(draw, shape))
    branches: list[Any] = [draw.tensor(dtype, shape, special=True), draw.tensor(dtype, narrowed(draw, shape), special=True)]
    number = draw.integer(-1, 1)
    if number >= 0:
        branches[number] = draw.integer(0, 5)
    common = promoted(branches)
    a, b = (as_array(x, common) for x in branches)
    return Call((condition, *branches), np.where(condition.array, a, b), common, rtol=0, forms=number < 0)


@enter(CHOICES, "where.Scalar")
def where_numbers(draw: Draw) -> Call:
    condition = draw.tensor(torch.bool)
    return Call((condition, 1.5, 2.0), np.where(condition.array, 1.5, 2.0), torch.float32, rtol=0, forms=False)


@enter(CHOICES, "where")
def where_condition(draw: Draw) -> Call:
    condition = draw.tensor(draw.choice(dtypes_of(ANY)), draw.shape(1), (-1, 1))
    return Call((condition,), list(np.nonzero(condition.array)), torch.int64)


@enter(CHOICES, "clamp", "clip")
def clamp_numbers(draw: Draw) -> Call:
    x = draw.tensor(draw.choice(dtypes_of("fi")), special=True)
    low, high = draw.choice([(1, 5), (None, 4), (0, None), (5, 1)])
    want = x.array if low is None else np.maximum(x.array, low)
    want = want if high is None else np.minimum(want, high)
    return Call((x, low, high), want, x.dtype, rtol=0)


@enter(CHOICES, "clamp.Tensor", "clip.Tensor")
def clamp_tensors(draw: Draw) -> Call:
    shape, dtype = draw.shape(), draw.choice(dtypes_of("fi"))
    x = draw.tensor(dtype, shape, special=True)
    low = draw.tensor(dtype, narrowed(draw, shape), (0, 3)) if draw.boolean() else None
    high = draw.tensor(dtype, narrowed(draw, shape), (2, 6)) if low is None or draw.boolean() else None
    want = x.array if low is None else np.maximum(x.array, low.array)
    want = want if high is None else np.minimum(want, high.array)
    return Call((x, low, high), np.broadcast_to(want, shape), dtype, rtol=0)


@enter(CHOICES, "nan_to_num")
def nan_to_num(draw: Draw) -> Call:
    x = draw.tensor(draw.choice(dtypes_of("Fib")), special=True)
    options = draw.choice([{}, {"nan": 2.0}, {"posinf": 5.0, "neginf": -5.0}])
    want = x.array
    if x.dtype.is_floating_point:
        ends = torch.finfo(x.dtype)
        want = np.nan_to_num(x.array, **({"nan": 0.0, "posinf": ends.max, "neginf": ends.min} | options))
    return Call((x,), want, x.dtype, options, rtol=0)


@enter(CHOICES, "nextafter")
def nextafter(draw: Draw) -> Call:
    shape, dtype = draw.shape(), draw.choice(dtypes_of("F"))
    x, y = draw.tensor(dtype, shape, special=True), draw.tensor(dtype, narrowed(draw, shape), special=True)
    exact = {torch.float32: np.float32, torch.float64: np.float64}[dtype]
    with np.errstate(all="ignore"):
        return Call((x, y), np.nextafter(x.array.astype(exact), y.array.astype(exact)), dtype, rtol=0)


@enter(CHOICES, "frexp.Tensor")
def frexp(draw: Draw) -> Call:
    x = draw.tensor(draw.choice(dtypes_of("f")))
    return Call((x,), np.frexp(x.array), x.dtype, rtol=0)


@enter(CHOICES, "ldexp.Tensor")
def ldexp(draw: Draw) -> Call:
    shape = draw.shape()
    x, power = draw.tensor(draw.choice(dtypes_of("F"))), draw.choice(dtypes_of("i"))
    y = draw.tensor(power, narrowed(draw, x.shape) if x.shape else shape, (-6, 6))
    return Call((x, y), x.array * 2.0 ** y.array.astype(float), None, rtol=1)


@enter(CHOICES, "isclose")
def isclose(draw: Draw) -> Call:
    x, y, options = close_operands(draw)
    with np.errstate(all="ignore"):
        return Call((x, y), np.isclose(x.array, y.array, **options), torch.bool, options)


@enter(CHOICES, "allclose")
def allclose(draw: Draw) -> Call:
    x, y, options = close_operands(draw)
    with np.errstate(all="ignore"):
        return Call((x, y), bool(np.allclose(x.array, y.array, **options)), None, options)


def close_operands(draw: Draw) -> tuple[Any, Any, dict[str, Any]]:
    dtype = draw.choice(dtypes_of("Fic"))
    x = draw.tensor(dtype, special=True)
    near = x.array + draw.generator().choice([0, 0, 1], x.shape) if draw.boolean() else x.array
    y = draw.place(np.asarray(near), dtype)
    return x, y, draw.choice([{}, {"atol": 2.0}, {"rtol": 0.5, "equal_nan": True}])


@enter(CHOICES, "equal")
def equal(draw: Draw) -> Call:
    x = draw.tensor(draw.choice(dtypes_of(ANY)))
    change = draw.integer(0, 2)
    values = x.array if change == 0 else x.array[None] if change == 1 else np.where(np.arange(x.array.size).reshape(x.shape) == x.array.size - 1, 0, x.array)
    y = draw.place(values, x.dtype)
    return Call((x, y), bool(np.array_equal(x.array, y.array)))


@enter(CHOICES, "masked_fill.Tensor", "masked_fill.Scalar")
def masked_fill(draw: Draw) -> Call:
    shape = draw.shape()
    x, mask = draw.tensor(draw.choice(dtypes_of(ANY)), shape), draw.tensor(torch.bool, narrowed(draw, shape))
    value: Any = 1 if draw.boolean() else draw.tensor(x.dtype, ())
    filled = value if isinstance(value, int) else value.array
    return Call((x, mask, value), np.where(mask.array, np.asarray(filled, x.array.dtype), x.array), x.dtype, rtol=0)


@enter(CHOICES, "complex")
def make_complex(draw: Draw) -> Call:
    dtype, shape = draw.choice(dtypes_of("F")), draw.shape()
    x, y = draw.tensor(dtype, shape, special=False), draw.tensor(dtype, narrowed(draw, shape))
    return Call((x, y), x.array + 1j * y.array, {torch.float32: torch.complex64}.get(dtype, torch.complex128), rtol=0)


@enter(CHOICES, "polar")
def polar(draw: Draw) -> Call:
    dtype, shape = draw.choice(dtypes_of("F")), draw.shape()
    x, y = draw.tensor(dtype, shape, (0, 5)), draw.tensor(dtype, narrowed(draw, shape))
    return Call((x, y), x.array * np.exp(1j * y.array), {torch.float32: torch.complex64}.get(dtype, torch.complex128))


@enter(CHOICES, "float_power.Tensor_Tensor", "float_power.Tensor_Scalar", "float_power.Scalar")
def float_power(draw: Draw) -> Call:
    shape, dtype = draw.shape(), draw.choice(dtypes_of("fibc"))
    args: list[Any] = [draw.tensor(dtype, shape, (0.5, 4)), draw.tensor(dtype, narrowed(draw, shape), (-2, 2))]
    number = draw.integer(-1, 1)
    if number >= 0:
        args[number] = draw.integer(1, 3)
    wide = torch.complex128 if dtype.is_complex else torch.float64
    with np.errstate(all="ignore"):
        want = np.power(as_array(args[0], wide), as_array(args[1], wide))
    return Call(tuple(args), want, wide, rtol=32, forms=not (dtype.is_complex and number >= 0))


@enter(CHOICES, "polygamma", "special_polygamma")
def polygamma(draw: Draw) -> Call:
    from scipy import special

    order, x = draw.integer(0, 3), draw.tensor(draw.choice(dtypes_of("F")), domain=(0.5, 12))
    return Call((order, x), special.polygamma(order, x.array), x.dtype, rtol=64, atol=64)


@enter(CHOICES, "special_round")
def special_round(draw: Draw) -> Call:
    x = draw.tensor(draw.choice(dtypes_of("F")))
    return Call((x,), np.round(x.array), x.dtype, {"decimals": 0} if draw.boolean() else {}, rtol=0)


@enter(CHOICES, "copy")
def copy(draw: Draw) -> Call:
    shape = draw.shape()
    x, y = draw.tensor(draw.choice(dtypes_of(ANY)), shape), draw.tensor(draw.choice(dtypes_of("fib")), narrowed(draw, shape), (0, 9))
    return Call((x, y), np.broadcast_to(numpy_of(y.tensor.to(x.dtype)), shape), x.dtype, rtol=0)


@enter(CHOICES, "fill.Tensor", "fill.Scalar")
def fill(draw: Draw) -> Call:
    x = draw.tensor(draw.choice(dtypes_of(ANY)))
    value = 3 if draw.boolean() else draw.place(np.array(3), x.dtype)
    return Call((x, value), np.full(x.shape, np.asarray(3).astype(numpy_dtype(x.dtype))), x.dtype, rtol=0)


@enter(CHOICES, "zero_")
def zero(draw: Draw) -> Call:
    x = draw.tensor(draw.choice(dtypes_of(ANY)), special=True, writable=True)
    return Call((x,), np.zeros(x.shape), x.dtype, rtol=0)


@enter(CHOICES, "fill_diagonal_")
def fill_diagonal(draw: Draw) -> Call:
    n = draw.integer(1, 6)
    x = draw.tensor(draw.choice(dtypes_of(ANY)), (n, draw.integer(1, 6)) if draw.boolean() else (n, n, n), writable=True)
    wrap, want = draw.boolean(), x.array.copy()
    np.fill_diagonal(want, 1, wrap)
    return Call((x, 1, wrap), want, x.dtype, rtol=0)


@enter(CHOICES, "sum_to_size")
def sum_to_size(draw: Draw) -> Call:
    x = draw.tensor(draw.choice(dtypes_of("Fi")))
    size = narrowed(draw, x.shape)
    want = (x.array if size and size == x.shape else added(x)).sum(tuple(range(x.ndim - len(size))))
    for d, n in enumerate(size):
        want = want.sum(d, keepdims=True) if n == 1 else want
    return Call((x, size), want, None, rtol=16, atol=400)


@enter(CHOICES, "prelu")
def prelu(draw: Draw) -> Call:
    x = draw.tensor(draw.choice(dtypes_of("f")), draw.shape(1, 4, (1, 2, 3, 5)))
    channels = x.shape[1] if x.ndim > 1 and draw.boolean() else 1
    weight = draw.tensor(x.dtype, (channels,))
    shaped = weight.array.reshape((-1,) + (1,) * (x.ndim - 2)) if channels > 1 else weight.array
    return Call((x, weight), np.where(x.array > 0, x.array, x.array * shaped), x.dtype, rtol=1)


@enter(CHOICES, "glu")
def glu(draw: Draw) -> Call:
    dim, dtype = draw.integer(0, 2), draw.choice(dtypes_of("f"))
    shape = tuple(2 * draw.integer(1, 4) if d == dim else draw.integer(1, 5) for d in range(3))
    x = draw.tensor(dtype, shape)
    a, b = np.split(x.array, 2, dim)
    return Call((x, dim), a / (1 + np.exp(-b)), dtype, rtol=6)
