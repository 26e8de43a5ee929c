"""Arithmetic, rounding, exponential and trigonometric operators: NumPy reference and domain."""

from __future__ import annotations

import numpy as np
from calls import Case
from pointwise_rows import row

UNIT, SMALL, POSITIVE = (-0.999, 0.999), (-4.0, 4.0), (0.01, 9.0)
ANY = "fibc"
REAL = "fib"


def round_decimals(x: np.ndarray, decimals: int) -> np.ndarray:
    return x if x.dtype.kind in "iu" else np.round(x * 10.0**decimals) / 10.0**decimals


def angle(x: np.ndarray) -> np.ndarray:
    return np.angle(x) if x.dtype.kind == "c" else np.where(np.isnan(x), np.nan, np.where(x < 0, np.pi, 0.0))


def sgn(x: np.ndarray) -> np.ndarray:
    if x.dtype.kind == "c":
        return np.where(x == 0, 0, x / np.where(x == 0, 1, np.abs(x)))
    return x if x.dtype.kind == "b" else (x > 0).astype(x.dtype) - (x < 0).astype(x.dtype)


def div_trunc(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if a.dtype.kind not in "iu":
        return np.trunc(a / b)
    if a.dtype.kind == "u":
        return a // b
    quotient = np.abs(a.astype(object)) // np.abs(b.astype(object))
    return np.where((a < 0) != (b < 0), -quotient, quotient).astype(a.dtype)


def div_floor(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.where(b == 0, a / b, np.floor_divide(a, b)) if a.dtype.kind == "f" else np.floor_divide(a, b)


def divide(a: np.ndarray, b: np.ndarray, *, rounding_mode: str | None) -> np.ndarray:
    return {None: np.true_divide, "trunc": div_trunc, "floor": div_floor}[rounding_mode](a, b)


def lerp(a: np.ndarray, b: np.ndarray, weight: np.ndarray) -> np.ndarray:
    return a + weight * (b - a)


UNARY: dict[str, Case] = {
    "abs": row(np.abs, "fic", result="real", rtol=1, wide=True),
    "angle": row(angle, "fib", result="float"),
    "sgn": row(sgn, ANY, rtol=2),
    "sign": row(sgn, REAL, rtol=0),
    "conj_physical": row(np.conj, ANY, rtol=0, half=0),
    "neg": row(np.negative, "fic", rtol=0, half=0, wide=True),
    "positive": row(np.positive, "fic", rtol=0, half=0),
    "square": row(lambda x: x * x, "fic", rtol=1),
    "reciprocal": row(lambda x: 1 / x, ANY, result="float", rtol=2),
    "sqrt": row(np.sqrt, ANY, (0, 99), result="float", rtol=2),
    "rsqrt": row(lambda x: 1 / np.sqrt(x), ANY, (0.1, 99), result="float", rtol=2),
    "ceil": row(np.ceil, "fi", rtol=0),
    "floor": row(np.floor, "fi", rtol=0),
    "trunc": row(np.trunc, "fi", rtol=0),
    "round": row(np.round, "fi", rtol=0),
    "round.decimals": row(round_decimals, "f", options=[{"decimals": d} for d in (0, 1, 2, -1)], special=False, rtol=1, half=1, atol=1),
    "frac": row(lambda x: x - np.trunc(x), "f", special=False, rtol=0.51),
    "rad2deg": row(np.rad2deg, REAL, result="float", rtol=2),
    "deg2rad": row(np.deg2rad, REAL, result="float", rtol=2),
    "bitwise_not": row(np.invert, "ib", wide=True),
    "logical_not": row(np.logical_not, ANY, result="bool"),
    "signbit": row(lambda x: np.signbit(x) if x.dtype.kind == "f" else x < 0, REAL, result="bool"),
    "isnan": row(np.isnan, ANY, result="bool"),
    "isinf": row(np.isinf, ANY, result="bool"),
    "isfinite": row(np.isfinite, ANY, result="bool"),
    "isposinf": row(lambda x: x == np.inf, REAL, result="bool"),
    "isneginf": row(lambda x: x == -np.inf, REAL, result="bool"),
    "isreal": row(np.isreal, ANY, result="bool"),
    "nan_to_num": row(
        lambda x, nan=0.0, posinf=None, neginf=None: x,  # floats have a case of their own
        "ib", options=[{}, {"nan": 2.0}, {"posinf": 5.0, "neginf": -5.0}],
    ),
    "exp": row(np.exp, ANY, result="float"),
    "exp2": row(np.exp2, ANY, result="float"),
    "expm1": row(np.expm1, ANY, result="float"),
    "log": row(np.log, ANY, POSITIVE, result="float"),
    "log2": row(lambda x: np.log(x) / np.log(2) if x.dtype.kind == "c" else np.log2(x), ANY, POSITIVE, result="float", rtol=6),
    "log10": row(np.log10, ANY, POSITIVE, result="float", rtol=6),
    "log1p": row(np.log1p, ANY, (-0.9, 9), result="float"),
    "sin": row(np.sin, ANY, result="float", special=True),
    "cos": row(np.cos, ANY, result="float", atol=1),
    "tan": row(np.tan, ANY, result="float", rtol=6),
    "asin": row(np.arcsin, ANY, UNIT, result="float"),
    "acos": row(np.arccos, ANY, UNIT, result="float"),
    "atan": row(np.arctan, ANY, result="float"),
    "sinh": row(np.sinh, ANY, result="float", rtol=6),
    "cosh": row(np.cosh, ANY, result="float", rtol=6),
    "tanh": row(np.tanh, ANY, SMALL, result="float", rtol=6),
    "asinh": row(np.arcsinh, ANY, result="float", rtol=6),
    "acosh": row(np.arccosh, ANY, (1.1, 9), result="float", rtol=6),
    "atanh": row(np.arctanh, ANY, UNIT, result="float", rtol=6),
}
BINARY: dict[str, Case] = {
    "add.Tensor": row(lambda a, b, alpha=1: a + np.asarray(alpha).astype(a.dtype) * b, ANY, arity=2, number=True, options=[{}, {}, {"alpha": 2}], rtol=1, half=0.6, wide=True),
    "sub.Tensor": row(lambda a, b, alpha=1: a - np.asarray(alpha).astype(a.dtype) * b, "fic", arity=2, number=True, options=[{}, {}, {"alpha": 3}], rtol=1, half=0.6, atol=16, wide=True),
    "rsub.Tensor": row(lambda a, b, alpha=1: b - np.asarray(alpha).astype(a.dtype) * a, "fic", arity=2, number=True, options=[{}, {"alpha": 2}], rtol=1, half=0.6, wide=True),
    "mul.Tensor": row(np.multiply, ANY, arity=2, number=True, factor=True, rtol=2, wide=True),
    "div.Tensor": row(np.true_divide, ANY, arity=2, number=True, factor=True, result="float", nonzero=True, rtol=3),
    "div.Tensor_mode": row(divide, "fi", arity=2, number=True, factor=True, nonzero=True, special=False, options=[{"rounding_mode": m} for m in ("trunc", "floor")], grid=True, rtol=1),
    "floor_divide": row(div_floor, "fi", arity=2, number=True, factor=True, nonzero=True, special=False, grid=True),
    "remainder.Tensor": row(np.remainder, "fi", arity=2, number=True, nonzero=True, special=False, rtol=1, atol=0.1),
    "remainder.Scalar_Tensor": row(np.remainder, "fi", arity=2, number_at=0, nonzero=True, special=False, rtol=1, atol=0.1, forms=False),
    "fmod.Tensor": row(np.fmod, "fi", arity=2, number=True, nonzero=True, special=False, rtol=1),
    "pow.Tensor_Tensor": row(np.power, "fi", POSITIVE, (0, 3), arity=2, rtol=6),
    "pow.Tensor_Scalar": row(np.power, "fi", POSITIVE, (0, 3), arity=2, number=True, number_at=1, rtol=6),
    "pow.Scalar": row(np.power, "fi", (0, 6), (0, 3), arity=2, number_at=0, rtol=6),
    "copysign.Tensor": row(np.copysign, REAL, arity=2, number=True, result="float", rtol=0),
    "atan2": row(np.arctan2, REAL, arity=2, result="float"),
    "hypot": row(np.hypot, "f", arity=2, rtol=3),
    "maximum": row(np.maximum, REAL, arity=2, rtol=0),
    "minimum": row(np.minimum, REAL, arity=2, rtol=0),
    "fmax": row(np.fmax, REAL, arity=2, rtol=0),
    "fmin": row(np.fmin, REAL, arity=2, rtol=0),
    "max.other": row(np.maximum, REAL, arity=2, rtol=0),
    "min.other": row(np.minimum, REAL, arity=2, rtol=0),
    "clamp_max.Tensor": row(np.minimum, "fi", arity=2, rtol=0),
    "clamp_min.Tensor": row(np.maximum, "fi", arity=2, rtol=0),
    "clamp_max": row(np.minimum, "fi", arity=2, number_at=1, rtol=0),
    "clamp_min": row(np.maximum, "fi", arity=2, number_at=1, rtol=0),
    "gcd": row(np.gcd, "i", (-60, 60), arity=2),
    "lcm": row(np.lcm, "i", (-11, 11), arity=2),
    "logaddexp": row(np.logaddexp, "F", arity=2, rtol=6, atol=2),
    "logaddexp2": row(np.logaddexp2, "F", arity=2, rtol=6, atol=2),
    "heaviside": row(lambda x, v: np.where(x == 0, v, x > 0), REAL, arity=2, mixed=False, rtol=0),
    "lerp.Tensor": row(lerp, "Fhc", (-9, 9), (-9, 9), (0, 1), arity=3, mixed=False, special=False, rtol=8, half=2, atol=16),
    "lerp.Scalar": row(lerp, "Fhc", (-9, 9), (-9, 9), (-1, 2), arity=3, number_at=2, mixed=False, special=False, rtol=8, half=2, atol=64),
    "addcmul": row(lambda a, b, c, value=1: a + value * b * c, "fic", arity=3, mixed=False, special=False, options=[{}, {"value": 2}], rtol=8, half=1.1, atol=600),
    "addcdiv": row(lambda a, b, c, value=1: a + value * b / c, "fc", arity=3, mixed=False, nonzero=True, special=False, options=[{}, {"value": 2}], rtol=8, half=1.1, atol=600),
}
POINTWISE = UNARY | BINARY
ALIASES = {
    "absolute": "abs", "arccos": "acos", "arccosh": "acosh", "arcsin": "asin", "arcsinh": "asinh", "arctan": "atan", "arctanh": "atanh",
    "negative": "neg", "fix": "trunc", "multiply.Tensor": "mul.Tensor", "divide.Tensor": "div.Tensor", "divide.Tensor_mode": "div.Tensor_mode",
    "true_divide.Tensor": "div.Tensor", "subtract.Tensor": "sub.Tensor", "arctan2": "atan2",
}
