"""Running sums and extremes, differences and integrals along a dimension: NumPy reference and domain."""

from __future__ import annotations

from typing import Any

import numpy as np
from calls import Call, Case, enter
from operands import Draw, Operand, dtypes_of
from reduce_table import HALF, added, one, total

TABLE: dict[str, Case] = {}


@enter(TABLE, "cumsum")
def cumsum(draw: Draw) -> Call:
    x, dim, _ = one(draw, "fibc")
    bound = 8 * np.cumsum(np.abs(x.array).astype(float), dim)
    return Call((x, dim), np.cumsum(added(x), dim), total(x.dtype), rtol=0.55 if x.dtype in HALF else 4, atol=bound / 2000 if x.dtype in HALF else bound)


@enter(TABLE, "cumprod")
def cumprod(draw: Draw) -> Call:
    x, dim, _ = one(draw, "Fib", (0.5, 1.4))
    return Call((x, dim), np.cumprod(added(x), dim), total(x.dtype), rtol=2000)


def running(name: str, better: Any) -> None:
    def case(draw: Draw) -> Call:
        x, dim, _ = one(draw, "fib")
        rows = np.moveaxis(x.array, dim, 0)
        values, where = rows.copy(), np.zeros(rows.shape, int)
        for i in range(1, len(rows)):
            takes = better(rows[i], values[i - 1])
            values[i] = np.where(takes, rows[i], values[i - 1])
            where[i] = np.where(takes, i, where[i - 1])
        return Call((x, dim), (np.moveaxis(values, 0, dim), np.moveaxis(where, 0, dim)), x.dtype, rtol=0)

    TABLE[name] = case


running("cummax", np.greater_equal)
running("cummin", np.less_equal)


@enter(TABLE, "logcumsumexp")
def logcumsumexp(draw: Draw) -> Call:
    x, dim, _ = one(draw, "F", (-20, 20))
    return Call((x, dim), np.logaddexp.accumulate(x.array, dim), x.dtype, rtol=16, atol=64)


@enter(TABLE, "diff")
def diff(draw: Draw) -> Call:
    x, dim, _ = one(draw, "fib")
    n, extra = draw.integer(0, 2), {}
    for key in ("prepend", "append"):
        if draw.boolean():
            shape = list(x.shape)
            shape[dim] = draw.integer(0, 2)
            extra[key] = draw.tensor(x.dtype, tuple(shape))
    want = np.diff(x.array, n, dim, **{k: v.array for k, v in extra.items()}) if n else x.array
    exact = x.dtype in HALF
    return Call((x,), want, x.dtype, {"n": n, "dim": dim, **extra}, rtol=4, atol=64 if exact or n > 1 else 0)


@enter(TABLE, "trapezoid.x", "trapz.x", "cumulative_trapezoid.x")
def trapezoid_x(draw: Draw, running: bool = False) -> Call:
    y, dim, _ = one(draw, "F")
    x = draw.tensor(y.dtype, y.shape if draw.boolean() else (y.shape[dim],))
    return integral(y, x, x.array, dim, {}, running)


def integral(y: Operand, x: Operand | None, points: Any, dim: int, options: dict[str, Any], running: bool) -> Call:
    rows = np.moveaxis(y.array, dim, -1)
    if isinstance(points, np.ndarray):
        points = points if points.ndim == 1 and y.ndim != 1 else np.moveaxis(points, dim, -1)
        steps = np.diff(points, axis=-1)
    else:
        steps = points
    areas = (rows[..., 1:] + rows[..., :-1]) / 2 * steps
    bound = 40 * np.abs(areas).sum(-1) + 400 * (rows.shape[-1])
    if running:
        return Call((y,) if x is None else (y, x), np.moveaxis(np.cumsum(areas, -1), -1, dim), y.dtype, {"dim": dim, **options}, rtol=64, atol=float(np.max(bound, initial=0)))
    return Call((y,) if x is None else (y, x), areas.sum(-1), y.dtype, {"dim": dim, **options}, rtol=64, atol=bound)


@enter(TABLE, "trapezoid.dx", "trapz.dx")
def trapezoid_dx(draw: Draw, running: bool = False) -> Call:
    y, dim, _ = one(draw, "F")
    step = draw.choice((1, 0.5, 2.0))
    return integral(y, None, step, dim, {"dx": step}, running)


TABLE["cumulative_trapezoid.x"] = lambda draw: trapezoid_x(draw, True)
TABLE["cumulative_trapezoid.dx"] = lambda draw: trapezoid_dx(draw, True)


def slopes(draw: Draw, spacing: str, dims: str) -> Call:
    """`torch.gradient`: `spacing` is "none", "number", "numbers" or "points"; `dims` is "all", "one" or "some"."""
    x = draw.tensor(draw.choice(dtypes_of("F")), draw.shape(1, 3, (3, 4, 6)))
    if dims == "all" or x.ndim == 1:
        dim: tuple[int, ...] = tuple(range(x.ndim))
    else:
        dim = (draw.integer(0, x.ndim - 1),) if dims == "one" else (0, x.ndim - 1)
    order, options = draw.choice((1, 2)), {}
    if dims == "one":
        dim = dim if len(dim) == 1 else (0,)
    steps: list[Any] = [1.0] * len(dim)
    if spacing == "number":
        options["spacing"] = 0.5
        steps = [0.5] * len(dim)
    elif spacing == "numbers":
        steps = [0.5 + 0.5 * i for i in range(len(dim))]
        options["spacing"] = steps
    elif spacing == "points":
        points = [draw.place(np.cumsum(draw.generator().uniform(0.5, 2, x.shape[d])), x.dtype) for d in dim]
        options["spacing"], steps = tuple(points), [p.array for p in points]
    if dims != "all":
        options["dim"] = dim[0] if dims == "one" else dim
    want = np.gradient(x.array, *steps, axis=dim, edge_order=order)
    return Call((x,), list(want) if len(dim) > 1 else [want], x.dtype, {**options, "edge_order": order}, rtol=64, atol=2000)


TABLE["gradient.scalarint"] = lambda draw: slopes(draw, draw.choice(("none", "number")), draw.choice(("all", "one")))
TABLE["gradient.scalararray"] = lambda draw: slopes(draw, "number", "some")
TABLE["gradient.array"] = lambda draw: slopes(draw, "none", "some")
TABLE["gradient.scalarrayint"] = lambda draw: slopes(draw, "numbers", draw.choice(("all", "one")))
TABLE["gradient.scalarrayarray"] = lambda draw: slopes(draw, "numbers", "some")
TABLE["gradient.tensorarrayint"] = lambda draw: slopes(draw, "points", draw.choice(("all", "one")))
TABLE["gradient.tensorarray"] = lambda draw: slopes(draw, "points", "some")
