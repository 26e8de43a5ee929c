"""Sorting, order statistics, counting and searching: NumPy reference and domain."""

from __future__ import annotations

from typing import Any

import numpy as np
import rushlight as torch
from calls import Call, Case, enter
from operands import UNSIGNED, Draw, Operand, dtypes_of
from reduce_table import NONEMPTY, one

TABLE: dict[str, Case] = {}


def order(x: np.ndarray, dim: int, descending: bool) -> np.ndarray:
    """Stable positions; NaN is the largest."""
    if x.ndim == 0:
        return np.zeros((), int)
    if not descending:
        return np.argsort(x, dim, kind="stable")
    return np.flip(x.shape[dim] - 1 - np.argsort(np.flip(x, dim), dim, kind="stable"), dim)


def picked(x: np.ndarray, index: np.ndarray, dim: int) -> np.ndarray:
    return x if x.ndim == 0 else np.take_along_axis(x, index, dim)


def subject(draw: Draw, letters: str = "fib") -> tuple[Operand, int]:
    x = draw.tensor(draw.choice(dtypes_of(letters)), domain=(-5, 5), special=draw.boolean())
    return x, draw.dim(x.ndim)


@enter(TABLE, "sort.stable")
def sort(draw: Draw) -> Call:
    (x, dim), descending = subject(draw), draw.boolean()
    where = order(x.array, dim, descending)
    return Call((x,), (picked(x.array, where, dim), where), x.dtype, {"stable": True, "dim": dim, "descending": descending}, rtol=0)


@enter(TABLE, "sort")
def sort_plain(draw: Draw) -> Call:
    (x, dim), descending = subject(draw), draw.boolean()
    where = order(x.array, dim, descending)
    return Call((x, dim, descending), (picked(x.array, where, dim), where), x.dtype, rtol=0)


@enter(TABLE, "msort")
def msort(draw: Draw) -> Call:
    x, _ = subject(draw)
    return Call((x,), picked(x.array, order(x.array, 0, False), 0), x.dtype, rtol=0)


@enter(TABLE, "argsort")
def argsort(draw: Draw) -> Call:
    (x, dim), descending = subject(draw), draw.boolean()
    return Call((x, dim, descending), order(x.array, dim, descending), torch.int64)


@enter(TABLE, "argsort.stable")
def argsort_stable(draw: Draw) -> Call:
    (x, dim), descending = subject(draw), draw.boolean()
    return Call((x,), order(x.array, dim, descending), torch.int64, {"stable": True, "dim": dim, "descending": descending})


def distinct(draw: Draw) -> tuple[Operand, int, bool]:
    x = draw.tensor(draw.choice((torch.float32, torch.float64, torch.int64, torch.int32, *UNSIGNED)), draw.shape(1, 3, NONEMPTY), distinct=True)
    return x, draw.dim(x.ndim), draw.boolean()


@enter(TABLE, "topk")
def topk(draw: Draw) -> Call:
    x, dim, largest = distinct(draw)
    k = draw.integer(0, x.shape[dim])
    where = order(x.array, dim, largest).take(range(k), dim)
    return Call((x, k, dim, largest), (picked(x.array, where, dim), where), x.dtype, rtol=0)


@enter(TABLE, "kthvalue")
def kthvalue(draw: Draw) -> Call:
    x, dim, keepdim = distinct(draw)
    k = draw.integer(1, x.shape[dim])
    where = np.expand_dims(order(x.array, dim, False).take(k - 1, dim), dim)
    values = picked(x.array, where, dim)
    results = (values, where) if keepdim else (values.squeeze(dim), where.squeeze(dim))
    return Call((x, k, dim, keepdim), results, x.dtype, rtol=0)


def lower_median(x: np.ndarray, dim: int, ignore_nan: bool) -> tuple[np.ndarray, np.ndarray]:
    """Values and positions along `dim`, which is kept."""
    nan = np.isnan(x) if x.dtype.kind == "f" else np.zeros(x.shape, bool)
    count = (~nan).sum(dim, keepdims=True) if ignore_nan else np.full_like(x.sum(dim, keepdims=True), x.shape[dim], int)
    where = np.take_along_axis(order(x, dim, False), np.maximum((count - 1) // 2, 0), dim)
    if not ignore_nan:
        where = np.where(nan.any(dim, keepdims=True), nan.argmax(dim, keepdims=True), where)
    return np.take_along_axis(x, where, dim), where


def medians(name: str, ignore_nan: bool) -> None:
    def of_dim(draw: Draw) -> Call:
        x, dim, keepdim = distinct(draw)
        if x.dtype.is_floating_point:
            values = np.where(draw.generator().random(x.shape) < 0.1, np.nan, x.array)
            x = draw.place(values, x.dtype)
        values, where = lower_median(x.array, dim, ignore_nan)
        alone = np.isnan(x.array).all(dim, keepdims=True) if ignore_nan and x.dtype.is_floating_point else np.zeros(1, bool)
        if alone.any():  # of a row of NaN any position is right
            x = draw.place(np.nan_to_num(x.array, nan=1000.0), x.dtype)
            values, where = lower_median(x.array, dim, ignore_nan)
        results = (values, where) if keepdim else (values.squeeze(dim), where.squeeze(dim))
        return Call((x, dim, keepdim), results, x.dtype, rtol=0)

    def of_all(draw: Draw) -> Call:
        x, _, _ = one(draw, "fi", special=True)
        return Call((x,), lower_median(x.array.reshape(-1), 0, ignore_nan)[0][0], x.dtype, rtol=0)

    TABLE.update({f"{name}.dim": of_dim, name: of_all})


medians("median", False)
medians("nanmedian", True)


@enter(TABLE, "mode")
def mode(draw: Draw) -> Call:
    x = draw.tensor(draw.choice(dtypes_of("fib")), draw.shape(1, 3, NONEMPTY), (-2, 2))
    x = draw.place(np.round(x.array), x.dtype) if x.dtype.is_floating_point else x
    dim, keepdim = draw.dim(x.ndim), draw.boolean()

    def most(row: np.ndarray) -> Any:
        values, counts = np.unique(row, return_counts=True)
        return values[counts.argmax()]

    values = np.apply_along_axis(most, dim, x.array)
    rows = np.moveaxis(x.array, dim, -1)
    where = x.shape[dim] - 1 - np.argmax(rows[..., ::-1] == values[..., None], -1)
    shape = (lambda a: np.expand_dims(a, dim)) if keepdim else (lambda a: a)
    return Call((x, dim, keepdim), (shape(values), shape(where)), x.dtype, rtol=0)


@enter(TABLE, "bincount")
def bincount(draw: Draw) -> Call:
    x = draw.tensor(draw.choice(dtypes_of("i")), (draw.integer(0, 40),), (0, 9))
    weights = draw.tensor(draw.choice(dtypes_of("F")), x.shape) if draw.boolean() else None
    least = draw.choice((0, 5, 20))
    want = np.bincount(x.array, None if weights is None else weights.array, least)
    return Call((x, weights, least), want, torch.int64 if weights is None else None, rtol=64, atol=400)


def unique_like(name: str, sorts: bool) -> None:
    """Distinct slices along a dimension; consecutive ones where nothing is sorted."""

    def case(draw: Draw) -> Call:
        x = draw.tensor(draw.choice(dtypes_of("fib")), draw.shape(1, 3, NONEMPTY), (-1, 1))
        x = draw.place(np.round(x.array), x.dtype) if x.dtype.is_floating_point else x
        dim = draw.integer(0, x.ndim - 1)
        if sorts:
            values, back, counts = np.unique(x.array, return_inverse=True, return_counts=True, axis=dim)
            args: tuple[Any, ...] = (x, dim, True, True, True)
        else:
            values, back, counts = consecutive(x.array, dim)
            args = (x, dim, True, True) if name == "unique_dim_consecutive" else (x, True, True, dim)
        return Call(args, (values, back.reshape(-1), counts), x.dtype, rtol=0)

    TABLE[name] = case


def consecutive(x: np.ndarray, dim: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rows = np.moveaxis(x, dim, 0)
    starts = np.array([i == 0 or not np.array_equal(rows[i], rows[i - 1]) for i in range(len(rows))])
    back = np.cumsum(starts) - 1
    return np.moveaxis(rows[starts], 0, dim), back, np.bincount(back)


unique_like("unique_dim", True)
unique_like("unique_dim_consecutive", False)
unique_like("unique_consecutive", False)


@enter(TABLE, "_unique2")
def unique2(draw: Draw) -> Call:
    x = draw.tensor(draw.choice(dtypes_of("fib")), domain=(-2, 2))
    x = draw.place(np.round(x.array), x.dtype) if x.dtype.is_floating_point else x
    values, back, counts = np.unique(x.array, return_inverse=True, return_counts=True)
    return Call((x, True, True, True), (values, back.reshape(x.shape), counts), x.dtype, rtol=0)


@enter(TABLE, "_unique")
def unique(draw: Draw) -> Call:
    call = unique2(draw)
    return Call((call.args[0], True, True), call.want[:2], call.dtype, rtol=0)


def grid_values(draw: Draw, shape: tuple[int, ...], dtype: torch.dtype) -> Operand:
    """Values between the edges that the histograms below use, never on one."""
    return draw.place(draw.generator().integers(-12, 12, shape) / 2 + 0.25, dtype)


@enter(TABLE, "histc")
def histc(draw: Draw) -> Call:
    x = grid_values(draw, draw.shape(0, 3), draw.choice(dtypes_of("F")))
    bins = draw.choice((1, 4, 8))
    return Call((x, bins, -4, 4), np.histogram(x.array, bins, (-4, 4))[0], x.dtype, rtol=0)


@enter(TABLE, "histogram.bin_ct", "histogram.bins_tensor")
def histogram(draw: Draw) -> Call:
    dtype = draw.choice(dtypes_of("F"))
    x = grid_values(draw, draw.shape(1, 3, NONEMPTY), dtype)
    weight = draw.tensor(dtype, x.shape, (0, 3)) if draw.boolean() else None
    bins: Any = draw.choice((1, 4, 8))
    edges = np.linspace(-4, 4, bins + 1)
    options: dict[str, Any] = {"weight": weight, "density": False}
    if draw.boolean():
        bins = draw.place(edges, dtype)
    else:
        options["range"] = (-4.0, 4.0)
    counts = np.histogram(x.array, edges, weights=None if weight is None else weight.array)[0]
    return Call((x, bins), (counts, edges), dtype, options, rtol=64, atol=64)


@enter(TABLE, "histogramdd", "histogramdd.int_bins", "histogramdd.TensorList_bins")
def histogramdd(draw: Draw) -> Call:
    return counts_in_grid(draw, draw.integer(0, 2))


def counts_in_grid(draw: Draw, kind: int) -> Call:
    """`kind` 0: bins counted in each dimension, 1: the same count in all, 2: edges."""
    dtype, columns = draw.choice(dtypes_of("F")), draw.integer(1, 3)
    x = grid_values(draw, (draw.integer(1, 20), columns), dtype)
    count = draw.choice((1, 4))
    edges = [np.linspace(-4, 4, count + 1)] * columns
    bins: Any = [count] * columns if kind == 0 else count if kind == 1 else [draw.place(e, dtype) for e in edges]
    options = {} if kind == 2 else {"range": [-4.0, 4.0] * columns}
    return Call((x, bins), (np.histogramdd(x.array, edges)[0], edges), dtype, options, rtol=0)


def histogramdd_part(name: str, kind: int, part: int) -> None:
    def case(draw: Draw) -> Call:
        whole = counts_in_grid(draw, kind)
        return Call(whole.args, whole.want[part], whole.dtype, whole.kwargs, rtol=0)

    TABLE[name] = case


histogramdd_part("_histogramdd_bin_edges", 0, 1)
histogramdd_part("_histogramdd_from_bin_cts", 0, 0)
histogramdd_part("_histogramdd_from_bin_tensors", 2, 0)


def quantiles(name: str, reference: Any) -> None:
    def case(draw: Draw) -> Call:
        x, dim, keepdim = one(draw, "F")
        if name == "nanquantile":
            x = draw.place(np.where(np.arange(x.array.size).reshape(x.shape) % 4 == 3, np.nan, x.array), x.dtype)
        how = draw.choice(("linear", "lower", "higher", "midpoint", "nearest"))
        shares: Any = draw.choice((0.0, 0.25, 0.5, 1.0))
        q = shares
        if draw.boolean():
            shares = np.array([0.0, 0.5, 0.75])
            q = draw.place(shares, x.dtype)
        whole = draw.integer(0, 3) == 3
        with np.errstate(all="ignore"):
            want = reference(x.array, shares, axis=None if whole else dim, keepdims=keepdim, method=how)
        return Call((x, q) if whole else (x, q, dim, keepdim), want if not whole or not keepdim else reference(x.array, shares, axis=None, method=how), x.dtype, {"interpolation": how}, rtol=64, atol=64)

    TABLE[name] = TABLE[f"{name}.scalar"] = case


quantiles("quantile", np.quantile)
quantiles("nanquantile", np.nanquantile)


@enter(TABLE, "isin.Tensor_Tensor")
def isin(draw: Draw) -> Call:
    dtype = draw.choice(dtypes_of("Fi"))
    x, y = draw.tensor(dtype, domain=(-5, 5)), draw.tensor(dtype, draw.shape(0, 2), (-5, 5))
    if dtype.is_floating_point:
        x, y = draw.place(np.round(x.array), dtype), draw.place(np.round(y.array), dtype)
    invert = draw.boolean()
    return Call((x, y), np.isin(x.array, y.array, invert=invert), torch.bool, {"invert": invert})


@enter(TABLE, "isin.Tensor_Scalar", "isin.Scalar_Tensor")
def isin_number(draw: Draw) -> Call:
    x = draw.tensor(draw.choice(dtypes_of("i")), domain=(-2, 2))
    if draw.boolean():
        return Call((x, 1), x.array == 1, torch.bool)
    return Call((1, x), np.isin(1, x.array), torch.bool)


@enter(TABLE, "searchsorted.Tensor")
def searchsorted(draw: Draw) -> Call:
    dtype, right = draw.choice(dtypes_of("Fi")), draw.boolean()
    batch = draw.shape(0, 2, (1, 2, 3)) if draw.boolean() else ()
    n = draw.integer(0, 9)
    edges = draw.tensor(dtype, (*batch, n), (-5, 5))
    ranked = np.argsort(edges.array, -1, kind="stable")
    sorted_edges = np.sort(edges.array, -1)
    values = draw.tensor(dtype, (*batch, draw.integer(0, 6)) if batch else draw.shape(0, 3), (-6, 6))
    side = "right" if right else "left"
    if batch:
        count = int(np.prod(batch))
        flat = [np.searchsorted(e, v, side) for e, v in zip(sorted_edges.reshape(count, n), values.array.reshape(count, values.shape[-1]))]
        want = np.array(flat).reshape(values.shape)
    else:
        want = np.searchsorted(sorted_edges, values.array, side)
    options: dict[str, Any] = {"right": right} if draw.boolean() else {"side": side}
    if draw.boolean():
        options["sorter"] = draw.place(ranked, torch.int64)
        return Call((edges, values), want, torch.int64, options)
    return Call((draw.place(sorted_edges, dtype), values), want, torch.int64, options)


@enter(TABLE, "bucketize.Tensor")
def bucketize(draw: Draw) -> Call:
    dtype, right = draw.choice(dtypes_of("Fi")), draw.boolean()
    values, edges = draw.tensor(dtype, domain=(-6, 6)), np.sort(draw.tensor(dtype, (draw.integer(0, 9),), (-5, 5)).array)
    want = np.searchsorted(edges, values.array, "right" if right else "left")
    narrow = draw.boolean()
    return Call((values, draw.place(edges, dtype)), want, torch.int32 if narrow else torch.int64, {"right": right, "out_int32": narrow})


@enter(TABLE, "searchsorted.Scalar", "bucketize.Scalar")
def search_number(draw: Draw) -> Call:
    edges = np.sort(draw.tensor(torch.float32, (draw.integer(0, 9),), (-5, 5)).array)
    return Call((draw.place(edges, torch.float32), 1.5), np.searchsorted(edges, 1.5), torch.int64)


TABLE["bucketize.Scalar"] = lambda draw: (lambda call: Call((call.args[1], call.args[0]), call.want, call.dtype, forms=False))(search_number(draw))
