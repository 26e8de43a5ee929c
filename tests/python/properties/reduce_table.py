"""Reductions, norms, scans and finite differences: NumPy reference and domain."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import rushlight as torch
from calls import REAL_OF, Call, Case, enter
from operands import Draw, Operand, dtypes_of
from scipy import special

TABLE: dict[str, Case] = {}
NONEMPTY = (1, 1, 2, 3, 5, 9)
HALF = (torch.float16, torch.bfloat16)


def axes(x: Operand, dims: tuple[int, ...] | None) -> tuple[int, ...]:
    return tuple(range(x.ndim)) if not dims else tuple(d % x.ndim for d in dims)


def rounding(dtype: torch.dtype, wide: float = 4.0) -> float:
    """Half types add in float32 and round once."""
    return 0.52 if dtype in HALF else wide


def summed(x: np.ndarray, axis: Any, keepdim: bool) -> np.ndarray:
    """The size of the terms of a sum: what its error is measured by."""
    return 8 * np.sum(np.abs(x).astype(float), axis=axis, keepdims=keepdim)


def several(draw: Draw, letters: str, domain: tuple[float, float] = (-9, 9), nonempty: bool = False) -> tuple[Operand, tuple[int, ...], bool]:
    x = draw.tensor(draw.choice(dtypes_of(letters)), draw.shape(1, 4, NONEMPTY) if nonempty else draw.shape(), domain)
    return x, draw.dims(x.ndim, 1), draw.boolean()


def one(draw: Draw, letters: str, domain: tuple[float, float] = (-9, 9), **more: Any) -> tuple[Operand, int, bool]:
    x = draw.tensor(draw.choice(dtypes_of(letters)), draw.shape(1, 4, NONEMPTY), domain, **more)
    return x, draw.dim(x.ndim), draw.boolean()


def total(dtype: torch.dtype) -> torch.dtype:
    return dtype if dtype.is_floating_point or dtype.is_complex else torch.int64


def added(x: Operand) -> np.ndarray:
    """The values in the dtype of their sum: uint64 wraps around to int64."""
    return x.array.astype(np.int64) if x.dtype is torch.uint64 else x.array


@enter(TABLE, "sum", "sum.dim_IntList")
def sum_(draw: Draw) -> Call:
    x, dims, keepdim = several(draw, "fibc")
    axis = axes(x, dims)
    want = added(x).sum(axis=axis, keepdims=keepdim)
    args = (x,) if set(axis) == set(range(x.ndim)) and not keepdim and draw.boolean() else (x, dims, keepdim)
    return Call(args, want, total(x.dtype), rtol=rounding(x.dtype), atol=0 if x.dtype in HALF else summed(x.array, axis, keepdim), forms=len(args) > 1)


@enter(TABLE, "nansum")
def nan_sum(draw: Draw) -> Call:
    x = draw.tensor(draw.choice(dtypes_of("F")))
    dims, keepdim = draw.dims(x.ndim, 1), draw.boolean()
    values = np.where(draw.generator().random(x.shape) < 0.2, np.nan, x.array)
    x, axis = draw.place(values, x.dtype), axes(x, dims)
    return Call((x, dims, keepdim), np.nansum(values, axis=axis, keepdims=keepdim), x.dtype, atol=summed(np.nan_to_num(values), axis, keepdim))


@enter(TABLE, "nanmean")
def nan_mean(draw: Draw) -> Call:
    x, dims, keepdim = several(draw, "F", nonempty=True)
    values = np.where(np.arange(x.array.size).reshape(x.shape) % 5 == 4, np.nan, x.array)
    x, axis = draw.place(values, x.dtype), axes(x, dims)
    with np.errstate(all="ignore"):
        want = np.nansum(values, axis=axis, keepdims=keepdim) / np.sum(~np.isnan(values), axis=axis, keepdims=keepdim)
    return Call((x, dims, keepdim), want, x.dtype, atol=80)


@enter(TABLE, "mean", "mean.dim")
def mean(draw: Draw) -> Call:
    x, dims, keepdim = several(draw, "fc", nonempty=True)
    axis = axes(x, dims)
    count = np.prod([x.shape[d] for d in axis])
    return Call((x, dims, keepdim), x.array.mean(axis=axis, keepdims=keepdim), x.dtype, rtol=rounding(x.dtype), atol=0.01 if x.dtype in HALF else summed(x.array, axis, keepdim) / count)


@enter(TABLE, "prod")
def prod(draw: Draw) -> Call:
    x = draw.tensor(draw.choice(dtypes_of("Fib")), draw.shape(0, 2), (0.5, 1.6))
    return Call((x,), added(x).prod(), total(x.dtype), rtol=64)


@enter(TABLE, "prod.dim_int")
def prod_dim(draw: Draw) -> Call:
    x, dim, keepdim = one(draw, "Fibc", (0.5, 1.6))
    if x.shape[dim] > 40:
        return Call((x.tensor[:40],) if x.ndim == 1 else (x, dim, keepdim), x.array[:40].prod() if x.ndim == 1 else x.array.prod(dim, keepdims=keepdim), None, rtol=256, atol=64, forms=False)
    return Call((x, dim, keepdim), added(x).prod(dim, keepdims=keepdim), total(x.dtype), rtol=64, atol=64)


def flags(name: str, reference: Callable[..., np.ndarray]) -> None:
    def along(draw: Draw) -> Call:
        x, dims, keepdim = several(draw, "fibc", (-1, 1))
        dim = dims[0] if len(dims) == 1 and draw.boolean() else dims or None
        want = reference(x.array != 0, axis=axes(x, dims), keepdims=keepdim)
        return Call((x, dim, keepdim), want, torch.uint8 if x.dtype is torch.uint8 else torch.bool)

    def everything(draw: Draw) -> Call:
        x = draw.tensor(draw.choice(dtypes_of("fibc")), domain=(-1, 1))
        return Call((x,), reference(x.array != 0), torch.uint8 if x.dtype is torch.uint8 else torch.bool)

    TABLE.update({f"{name}.dim": along, f"{name}.dims": along, name: everything})


flags("all", np.all)
flags("any", np.any)


def positions(name: str, reference: Callable[..., Any]) -> None:
    def case(draw: Draw) -> Call:
        x, dim, keepdim = one(draw, "fi", distinct=False, special=True)
        if draw.boolean():
            return Call((x,), reference(x.array), torch.int64)
        return Call((x, dim, keepdim), reference(x.array, dim, keepdims=keepdim), torch.int64)

    TABLE[name] = case


positions("argmax", np.argmax)
positions("argmin", np.argmin)


def extremes(name: str, value: Callable[..., Any], position: Callable[..., Any]) -> None:
    def all_of(draw: Draw) -> Call:
        x, _, _ = one(draw, "fib", special=True)
        return Call((x,), value(x.array), x.dtype, rtol=0)

    def with_positions(draw: Draw) -> Call:
        x, dim, keepdim = one(draw, "fib", special=True)
        return Call((x, dim, keepdim), (value(x.array, dim, keepdims=keepdim), position(x.array, dim, keepdims=keepdim)), x.dtype, rtol=0)

    def over(draw: Draw) -> Call:
        x, dims, keepdim = several(draw, "fib", nonempty=True)
        return Call((x, dims, keepdim), value(x.array, axis=axes(x, dims), keepdims=keepdim), x.dtype, rtol=0)

    TABLE.update({name: all_of, f"{name}.dim": with_positions, f"a{name}": over})


extremes("max", np.max, np.argmax)
extremes("min", np.min, np.argmin)


@enter(TABLE, "aminmax")
def aminmax(draw: Draw) -> Call:
    x, dim, keepdim = one(draw, "fib", special=True)
    return Call((x,), (x.array.min(dim, keepdims=keepdim), x.array.max(dim, keepdims=keepdim)), x.dtype, {"dim": dim, "keepdim": keepdim}, rtol=0)


@enter(TABLE, "count_nonzero", "count_nonzero.dim_IntList")
def count_nonzero(draw: Draw) -> Call:
    x, dims, _ = several(draw, "fibc", (-1, 1))
    if not dims:
        return Call((x,), np.count_nonzero(x.array), torch.int64)
    dim = dims[0] if len(dims) == 1 and draw.boolean() else dims
    return Call((x, dim), np.count_nonzero(x.array, axis=axes(x, dims)), torch.int64)


@enter(TABLE, "logsumexp", "special_logsumexp")
def logsumexp(draw: Draw) -> Call:
    x, dims, keepdim = several(draw, "f", (-20, 20), nonempty=True)
    return Call((x, dims, keepdim), special.logsumexp(x.array, axis=axes(x, dims), keepdims=keepdim), x.dtype, rtol=rounding(x.dtype, 8), atol=0.05 if x.dtype in HALF else 16)


def spread(root: bool, with_mean: bool) -> Case:
    def case(draw: Draw) -> Call:
        x, dims, keepdim = several(draw, "fc", nonempty=True)
        axis, correction = axes(x, dims), draw.choice((1, 0, 2))
        count = int(np.prod([x.shape[d] for d in axis]))
        middle = x.array.mean(axis=axis, keepdims=True)
        squares = (np.abs(x.array - middle) ** 2).sum(axis=axis, keepdims=keepdim)
        with np.errstate(all="ignore"):
            want = squares / np.float64(max(count - correction, 0))
        want = np.sqrt(want) if root else want
        real = REAL_OF.get(x.dtype, x.dtype)
        options = {"correction": correction, "keepdim": keepdim}
        args: tuple[Any, ...] = (x, dims)
        if correction < 2 and draw.boolean():
            args, options = (x, dims, bool(correction), keepdim), {}
        results = (want, middle if keepdim else middle.reshape(want.shape)) if with_mean else want
        return Call(args, results, real, options, rtol=rounding(x.dtype, 64), atol=1e-3 if x.dtype in HALF else 64)

    return case


def spread_of_all(root: bool, with_mean: bool) -> Case:
    def case(draw: Draw) -> Call:
        x = draw.tensor(draw.choice(dtypes_of("F")), draw.shape(1, 3, NONEMPTY))
        unbiased = draw.boolean()
        with np.errstate(all="ignore"):
            want = ((x.array - x.array.mean()) ** 2).sum() / np.float64(x.array.size - unbiased)
        want = np.sqrt(want) if root else want
        return Call((x, unbiased), (want, x.array.mean()) if with_mean else want, x.dtype, rtol=64, atol=64)

    return case


for _name, _root, _mean in (("var", False, False), ("std", True, False), ("var_mean", False, True), ("std_mean", True, True)):
    TABLE[_name] = spread_of_all(_root, _mean)
    TABLE[f"{_name}.dim"] = TABLE[f"{_name}.correction"] = spread(_root, _mean)


def vector_norm(x: np.ndarray, p: float, axis: Any, keepdim: bool) -> np.ndarray:
    size = np.abs(x)
    if p == 0:
        return (size != 0).sum(axis=axis, keepdims=keepdim).astype(float)
    if np.isinf(p):
        return (np.max if p > 0 else np.min)(size, axis=axis, keepdims=keepdim)
    with np.errstate(all="ignore"):
        return (size**p).sum(axis=axis, keepdims=keepdim) ** (1 / p)


@enter(TABLE, "linalg_vector_norm", "norm.ScalarOpt_dim")
def norm_over(draw: Draw) -> Call:
    x, dims, keepdim = several(draw, "fc", nonempty=True)
    p = draw.choice((2, 1, 0, np.inf, -np.inf, 3, 0.5, -1))
    return Call((x, p, dims, keepdim), vector_norm(x.array, p, axes(x, dims), keepdim), REAL_OF.get(x.dtype, x.dtype), rtol=rounding(x.dtype, 64) if p in (0, 1, 2) else 64 if x.dtype not in HALF else 2)


@enter(TABLE, "norm.Scalar", "native_norm")
def norm_of_all(draw: Draw) -> Call:
    x, _, _ = one(draw, "fc")
    p = draw.choice((2, 1, np.inf, 3))
    return Call((x, p), vector_norm(x.array, p, None, False), REAL_OF.get(x.dtype, x.dtype), rtol=rounding(x.dtype, 64))


@enter(TABLE, "norm.ScalarOpt_dtype")
def norm_in_dtype(draw: Draw) -> Call:
    x, _, _ = one(draw, "F")
    return Call((x, 2), vector_norm(x.array, 2, None, False), torch.float64, {"dtype": torch.float64}, rtol=64)


@enter(TABLE, "norm.ScalarOpt_dim_dtype")
def norm_over_in_dtype(draw: Draw) -> Call:
    x, dims, keepdim = several(draw, "F", nonempty=True)
    return Call((x, 2, dims, keepdim), vector_norm(x.array, 2, axes(x, dims), keepdim), torch.float64, {"dtype": torch.float64}, rtol=64)


@enter(TABLE, "native_norm.ScalarOpt_dim_dtype")
def native_norm(draw: Draw) -> Call:
    x, dims, keepdim = several(draw, "F", nonempty=True)
    return Call((x, 2, dims, keepdim, None), vector_norm(x.array, 2, axes(x, dims), keepdim), x.dtype, rtol=64)


@enter(TABLE, "dist")
def dist(draw: Draw) -> Call:
    x, _, _ = one(draw, "F")
    y, p = draw.tensor(x.dtype, x.shape), draw.choice((2, 1, np.inf, 3))
    return Call((x, y, p), vector_norm(x.array - y.array, p, None, False), x.dtype, rtol=64)


@enter(TABLE, "renorm")
def renorm(draw: Draw) -> Call:
    x = draw.tensor(draw.choice(dtypes_of("F")), draw.shape(2, 4, NONEMPTY))
    p, dim, limit = draw.choice((2, 1, 3)), draw.integer(0, x.ndim - 1), 3.0
    size = vector_norm(x.array, p, tuple(d for d in range(x.ndim) if d != dim), True)
    return Call((x, p, dim, limit), x.array * np.where(size > limit, limit / (size + 1e-7), 1), x.dtype, rtol=64)


@enter(TABLE, "cov")
def cov(draw: Draw) -> Call:
    x = draw.tensor(draw.choice(dtypes_of("Fc")), (draw.integer(1, 5), draw.integer(3, 9)))
    correction, count = draw.choice((1, 0)), x.shape[1]
    weights = draw.tensor(torch.int64, (count,), (1, 4)) if draw.boolean() else None
    shares = draw.tensor(torch.float64, (count,), (0.5, 2)) if draw.boolean() and x.dtype is torch.float64 else None
    want = np.cov(x.array, ddof=correction, fweights=None if weights is None else weights.array, aweights=None if shares is None else shares.array)
    return Call((x,), want, x.dtype, {"correction": correction, "fweights": weights, "aweights": shares}, rtol=64, atol=2000)


@enter(TABLE, "corrcoef")
def corrcoef(draw: Draw) -> Call:
    dtype, shape = draw.choice(dtypes_of("Fc")), (draw.integer(1, 5), draw.integer(3, 9))
    x = draw.place(draw.values(shape, dtype, (-9, 9)), dtype)  # no constant rows, which have no correlation
    return Call((x,), np.corrcoef(x.array), dtype, rtol=64, atol=64)


@enter(TABLE, "_aminmax", "_aminmax.dim")
def aminmax_without_names(draw: Draw) -> Call:
    x, dim, keepdim = one(draw, "fib", special=True)
    if draw.boolean():
        return Call((x,), (x.array.min(), x.array.max()), x.dtype, rtol=0)
    return Call((x, dim, keepdim), (x.array.min(dim, keepdims=keepdim), x.array.max(dim, keepdims=keepdim)), x.dtype, rtol=0)


@enter(TABLE, "_is_all_true")
def is_all_true(draw: Draw) -> Call:
    x = draw.tensor(torch.bool)
    return Call((x,), x.array.all(), torch.bool)


@enter(TABLE, "_is_any_true")
def is_any_true(draw: Draw) -> Call:
    x = draw.tensor(torch.bool)
    return Call((x,), x.array.any(), torch.bool)


@enter(TABLE, "hash_tensor")
def hash_tensor(draw: Draw) -> Call:
    x, dims, keepdim = several(draw, "fib", nonempty=True)
    wide = x.array.astype(np.float64 if x.dtype.is_floating_point else np.int64)
    bits = np.ascontiguousarray(wide).view(np.uint64)
    want = np.bitwise_xor.reduce(bits, axis=axes(x, dims), keepdims=keepdim)
    return Call((x, dims), want, torch.uint64, {"keepdim": keepdim}, rtol=0)


@enter(TABLE, "segment_reduce")
def segment_reduce(draw: Draw) -> Call:
    x = draw.tensor(draw.choice(dtypes_of("f")), draw.shape(1, 3, NONEMPTY), (0.5, 1.6))
    axis, name = draw.integer(0, x.ndim - 1), draw.choice(("sum", "mean", "prod", "max", "min"))
    initial = draw.choice((None, 2.0))
    lead, size, count = x.shape[:axis], x.shape[axis], draw.integer(1, 4)
    ends = np.sort(draw.generator().integers(0, size + 1, (*lead, count - 1)), -1)
    bounds = np.concatenate([np.zeros((*lead, 1), np.int64), ends, np.full((*lead, 1), size)], -1)
    start = {"sum": 0.0, "mean": 0.0, "prod": 1.0, "max": -np.inf, "min": np.inf}[name] if initial is None else initial
    reduce = {"sum": np.add, "mean": np.add, "prod": np.multiply, "max": np.maximum, "min": np.minimum}[name].reduce
    want = np.empty((*lead, count, *x.shape[axis + 1 :]))
    for row in np.ndindex(*lead):
        for s in range(count):
            part = x.array[row][bounds[(*row, s)] : bounds[(*row, s + 1)]]
            want[(*row, s)] = reduce(part, axis=0, initial=start) / (max(len(part), 1) if name == "mean" else 1)
            if name == "mean" and initial is None and not len(part):
                want[(*row, s)] = np.nan
    named = {"offsets": draw.place(bounds, torch.int64)} if draw.boolean() else {"lengths": draw.place(np.diff(bounds), torch.int64)}
    return Call((x, name), want, x.dtype, {**named, "axis": axis, "initial": initial}, rtol=256 if name == "prod" else 8)
