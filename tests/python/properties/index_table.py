"""Indexing, gathering and scattering: what each element must become, in NumPy."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import rushlight as torch
from calls import Call, Case, enter
from operands import Draw, Operand, dtypes_of
from pointwise_rows import narrowed

TABLE: dict[str, Case] = {}
ANY = "fibc"
SIZES = (1, 2, 3, 4, 6)


def indices(draw: Draw, shape: tuple[int, ...], size: int, *, distinct: bool = False, negative: bool = False) -> Operand:
    """Positions below `size` in any layout."""
    rng = draw.generator()
    count = int(np.prod(shape))
    values = rng.permutation(size)[:count].reshape(shape) if distinct else rng.integers(0, size, shape)
    if negative:
        values = np.where(rng.random(shape) < 0.3, values - size, values)
    return draw.place(values, torch.int64)


def subject(draw: Draw, letters: str = ANY, low: int = 1, **more: Any) -> tuple[Operand, int]:
    x = draw.tensor(draw.choice(dtypes_of(letters)), draw.shape(low, 4, SIZES), **more)
    return x, draw.dim(x.ndim)


def along(x: np.ndarray, dim: int, positions: np.ndarray) -> tuple[Any, ...]:
    """The index of a gather or scatter: `positions` for `dim`, each element's own place elsewhere."""
    grid: list[Any] = list(np.indices(positions.shape))
    grid[dim] = positions
    return tuple(grid)


@enter(TABLE, "index_select")
def index_select(draw: Draw) -> Call:
    x, dim = subject(draw)
    index = indices(draw, (draw.integer(0, 7),), x.shape[dim])
    return Call((x, dim, index), np.take(x.array, index.array, dim), x.dtype, rtol=0)


@enter(TABLE, "gather")
def gather(draw: Draw) -> Call:
    x, dim = subject(draw)
    shape = tuple(draw.integer(0, 5) if d == dim % x.ndim else draw.integer(0, n) for d, n in enumerate(x.shape))
    index = indices(draw, shape, x.shape[dim])
    return Call((x, dim, index), x.array[along(x.array, dim % x.ndim, index.array)], x.dtype, rtol=0)


@enter(TABLE, "take_along_dim")
def take_along_dim(draw: Draw) -> Call:
    x, dim = subject(draw)
    if draw.integer(0, 3) == 3:
        index = indices(draw, (draw.integer(0, 9),), x.array.size)
        return Call((x, index), x.array.ravel()[index.array], x.dtype, rtol=0)
    shape = tuple(draw.integer(0, 5) if d == dim % x.ndim else draw.choice((n, 1)) for d, n in enumerate(x.shape))
    index = indices(draw, shape, x.shape[dim])
    return Call((x, index, dim), np.take_along_axis(x.array, index.array, dim), x.dtype, rtol=0)


@enter(TABLE, "take")
def take(draw: Draw) -> Call:
    x, _ = subject(draw)
    index = indices(draw, draw.shape(0, 3), x.array.size, negative=True)
    return Call((x, index), np.take(x.array.ravel(), index.array), x.dtype, rtol=0)


@enter(TABLE, "put")
def put(draw: Draw) -> Call:
    x, _ = subject(draw, "Fi")
    accumulate = draw.boolean()
    count = draw.integer(0, x.array.size)
    index = indices(draw, (count,), x.array.size, distinct=not accumulate)
    source, want = draw.tensor(x.dtype, (count,)), x.array.flatten()
    if accumulate:
        np.add.at(want, index.array, source.array)
    else:
        want[index.array] = source.array
    return Call((x, index, source, accumulate), want.reshape(x.shape), x.dtype, rtol=16, atol=400 if accumulate else 0)


def scattered(draw: Draw, distinct: bool, letters: str = ANY, source_domain: tuple[float, float] = (-9, 9)) -> tuple[Operand, int, Operand, Operand]:
    """`self`, `dim`, `index` and a source that is at least as large as the index."""
    x, dim = subject(draw, letters)
    d = dim % x.ndim
    shape = tuple(draw.integer(0, n if distinct else n + 2) if k == d else draw.integer(0, n) for k, n in enumerate(x.shape))
    values = np.argsort(draw.generator().random((*shape[:d], x.shape[d], *shape[d + 1 :])), d).take(range(shape[d]), d) if distinct else draw.generator().integers(0, x.shape[d], shape)
    source = draw.tensor(x.dtype, tuple(n + draw.integer(0, 1) for n in shape), source_domain)
    return x, dim, draw.place(values, torch.int64), source


def cut(source: Operand, index: Operand) -> np.ndarray:
    return source.array[tuple(slice(0, n) for n in index.shape)]


@enter(TABLE, "scatter.src")
def scatter(draw: Draw) -> Call:
    x, dim, index, source = scattered(draw, distinct=True)
    want = x.array.copy()
    want[along(x.array, dim % x.ndim, index.array)] = cut(source, index)
    return Call((x, dim, index, source), want, x.dtype, rtol=0)


@enter(TABLE, "scatter.value")
def scatter_value(draw: Draw) -> Call:
    x, dim, index, _ = scattered(draw, distinct=False)
    want = x.array.copy()
    want[along(x.array, dim % x.ndim, index.array)] = 1
    return Call((x, dim, index, 1), want, x.dtype, rtol=0)


@enter(TABLE, "scatter_add")
def scatter_add(draw: Draw) -> Call:
    x, dim, index, source = scattered(draw, distinct=False, letters="Fic")
    want = x.array.copy()
    np.add.at(want, along(x.array, dim % x.ndim, index.array), cut(source, index))
    return Call((x, dim, index, source), want, x.dtype, rtol=16, atol=400)


@enter(TABLE, "scatter.reduce")
def scatter_with(draw: Draw) -> Call:
    x, dim, index, source = scattered(draw, distinct=False, letters="Fi", source_domain=(-2, 2))
    reduce, want = draw.choice(("add", "multiply")), x.array.copy()
    (np.add if reduce == "add" else np.multiply).at(want, along(x.array, dim % x.ndim, index.array), cut(source, index))
    return Call((x, dim, index, source), want, x.dtype, {"reduce": reduce}, rtol=64, atol=400)


@enter(TABLE, "scatter.value_reduce")
def scatter_value_with(draw: Draw) -> Call:
    x, dim, index, _ = scattered(draw, distinct=False, letters="Fi")
    reduce, want = draw.choice(("add", "multiply")), x.array.copy()
    (np.add if reduce == "add" else np.multiply).at(want, along(x.array, dim % x.ndim, index.array), np.asarray(2, x.array.dtype))
    return Call((x, dim, index, 2), want, x.dtype, {"reduce": reduce}, rtol=64, atol=400)


REDUCTIONS = {"sum": np.add, "prod": np.multiply, "amax": np.maximum, "amin": np.minimum}


def reduce_into(x: np.ndarray, index: Any, source: np.ndarray, reduce: str, include_self: bool) -> np.ndarray:
    """The result of `scatter_reduce` and `index_reduce`."""
    want, counts = x.copy(), np.full(x.shape, int(include_self))
    np.add.at(counts, index, 1)
    if not include_self:
        ends = (np.finfo if x.dtype.kind == "f" else np.iinfo)(x.dtype)
        start = {"prod": 1, "amax": ends.min, "amin": ends.max}.get(reduce, 0)
        touched = np.zeros(x.shape, bool)
        touched[index] = True
        want[touched] = start
    REDUCTIONS.get(reduce, np.add).at(want, index, source)
    if reduce == "mean":
        counts = np.maximum(counts, 1)
        want = want / counts if x.dtype.kind == "f" else want // counts
    return want


@enter(TABLE, "scatter_reduce.two")
def scatter_reduce(draw: Draw) -> Call:
    x, dim, index, source = scattered(draw, distinct=False, letters="Fi", source_domain=(-2, 2))
    reduce, include_self = draw.choice(("sum", "prod", "mean", "amax", "amin")), draw.boolean()
    want = reduce_into(x.array, along(x.array, dim % x.ndim, index.array), cut(source, index), reduce, include_self)
    return Call((x, dim, index, source, reduce), want, x.dtype, {"include_self": include_self}, rtol=64, atol=400)


def rows(draw: Draw, letters: str, distinct: bool, domain: tuple[float, float] = (-9, 9)) -> tuple[Operand, int, Operand, Operand, Any]:
    """`self`, `dim`, a row of positions, a source with as many slices, and the index for NumPy."""
    x, dim = subject(draw, letters)
    d = dim % x.ndim
    index = indices(draw, (draw.integer(0, x.shape[d] if distinct else 6),), x.shape[d], distinct=distinct)
    source = draw.tensor(x.dtype, (*x.shape[:d], index.array.size, *x.shape[d + 1 :]), domain)
    return x, dim, index, source, (slice(None),) * d + (index.array,)


@enter(TABLE, "index_copy")
def index_copy(draw: Draw) -> Call:
    x, dim, index, source, where = rows(draw, ANY, True)
    want = x.array.copy()
    want[where] = source.array
    return Call((x, dim, index, source), want, x.dtype, rtol=0)


@enter(TABLE, "index_add")
def index_add(draw: Draw) -> Call:
    x, dim, index, source, where = rows(draw, "Fic", False)
    want, alpha = x.array.copy(), draw.choice((1, 2))
    np.add.at(want, where, (source.array * alpha).astype(want.dtype))
    return Call((x, dim, index, source), want, x.dtype, {"alpha": alpha}, rtol=16, atol=800)


@enter(TABLE, "index_reduce")
def index_reduce(draw: Draw) -> Call:
    x, dim, index, source, where = rows(draw, "Fi", False, (-2, 2))
    reduce, include_self = draw.choice(("prod", "mean", "amax", "amin")), draw.boolean()
    want = reduce_into(x.array, where, source.array, reduce, include_self)
    return Call((x, dim, index, source, reduce), want, x.dtype, {"include_self": include_self}, rtol=64, atol=400)


@enter(TABLE, "index_fill.int_Scalar", "index_fill.int_Tensor")
def index_fill(draw: Draw) -> Call:
    x, dim, index, _, where = rows(draw, ANY, False)
    want = x.array.copy()
    want[where] = 1
    return Call((x, dim, index, 1 if draw.boolean() else draw.place(np.array(1), x.dtype)), want, x.dtype, rtol=0)


def advanced(draw: Draw, x: Operand, unique: bool) -> tuple[list[Any], Any]:
    """Indices for `index` and `index_put`: tensors that broadcast, masks, and gaps; and the same for NumPy."""
    if draw.integer(0, 3) == 3:
        mask = draw.tensor(torch.bool, x.shape[: draw.integer(1, x.ndim)])
        return [mask], mask.array
    taken = draw.integer(1, x.ndim)
    shape = () if draw.integer(0, 3) == 0 else draw.shape(1, 2, SIZES)
    given: list[Any] = []
    first = draw.integer(0, x.ndim - taken)
    for d in range(first + taken):
        given.append(None if d < first else indices(draw, shape if draw.boolean() else narrowed(draw, shape), x.shape[d], negative=True))
    if unique:
        given = [None] * first + [indices(draw, (draw.integer(0, x.shape[first]),), x.shape[first], distinct=True)]
    return given, tuple(slice(None) if g is None else g.array for g in given)


@enter(TABLE, "index.Tensor")
def index(draw: Draw) -> Call:
    x, _ = subject(draw)
    given, where = advanced(draw, x, False)
    return Call((x, given), x.array[where], x.dtype, rtol=0, forms=False, via=subscript)


def subscript(x: torch.Tensor, given: list[torch.Tensor | None]) -> torch.Tensor:
    return x[tuple(slice(None) if g is None else g for g in given)]


@enter(TABLE, "index_put")
def index_put(draw: Draw) -> Call:
    x, _ = subject(draw, "Fi")
    accumulate = draw.boolean()
    given, where = advanced(draw, x, not accumulate)
    leading = sum(g is None for g in given)
    if leading:
        x = draw.place(np.moveaxis(x.array, range(leading), range(-leading, 0)), x.dtype)
        given, where = given[leading:], where[leading:]
    values = draw.tensor(x.dtype, narrowed(draw, x.array[where].shape))
    want = x.array.copy()
    if accumulate:
        np.add.at(want, where, values.array)
    else:
        want[where] = values.array
    return Call((x, given, values, accumulate), want, x.dtype, rtol=16, atol=400)


def integers(draw: Draw, x: Operand) -> list[Operand]:
    """An index of one shape for each dimension but some of the last."""
    shape = draw.shape(1, 2, SIZES)
    return [indices(draw, shape, x.shape[d], negative=True) for d in range(draw.integer(1, x.ndim))]


@enter(TABLE, "_unsafe_index.Tensor")
def unsafe_index(draw: Draw) -> Call:
    x, _ = subject(draw)
    given = integers(draw, x)
    return Call((x, given), x.array[tuple(g.array for g in given)], x.dtype, rtol=0)


TABLE["_unsafe_index_put"] = lambda draw: replace(index_put(draw), forms=False)


def masked(draw: Draw, x: Operand) -> tuple[Operand, list[Operand], tuple[np.ndarray, ...]]:
    """A mask, indices some of which are out of range, and the same in range."""
    given = integers(draw, x)
    shape = given[0].shape + x.shape[len(given) :]
    far = [draw.place(g.array * draw.choice((1, 3)), torch.int64) for g in given]
    near = tuple(np.clip(g.array, -x.shape[d], x.shape[d] - 1) for d, g in enumerate(far))
    return draw.tensor(torch.bool, shape), far, near


@enter(TABLE, "_unsafe_masked_index")
def unsafe_masked_index(draw: Draw) -> Call:
    x, _ = subject(draw, "Fi")
    mask, given, near = masked(draw, x)
    return Call((x, mask, given, 3), np.where(mask.array, x.array[near], 3), x.dtype, rtol=0)


@enter(TABLE, "_unsafe_masked_index_put_accumulate")
def unsafe_masked_index_put_accumulate(draw: Draw) -> Call:
    x, _ = subject(draw, "Fi")
    mask, given, near = masked(draw, x)
    values = draw.tensor(x.dtype, mask.shape)
    want = x.array.copy()
    np.add.at(want, near, np.where(mask.array, values.array, np.zeros((), want.dtype)))
    return Call((x, mask, given, values), want, x.dtype, rtol=16, atol=400)


@enter(TABLE, "masked_select")
def masked_select(draw: Draw) -> Call:
    shape = draw.shape()
    x, mask = draw.tensor(draw.choice(dtypes_of(ANY)), shape), draw.tensor(torch.bool, narrowed(draw, shape))
    return Call((x, mask), x.array[np.broadcast_to(mask.array, shape)], x.dtype, rtol=0)


@enter(TABLE, "masked_scatter", "masked_scatter_")
def masked_scatter(draw: Draw) -> Call:
    shape = draw.shape()
    x, mask = draw.tensor(draw.choice(dtypes_of(ANY)), shape), draw.tensor(torch.bool, narrowed(draw, shape))
    full = np.broadcast_to(mask.array, shape)
    source, want = draw.tensor(x.dtype, (int(full.sum()) + draw.integer(0, 3),)), x.array.copy()
    want[full] = source.array[: full.sum()]
    return Call((x, mask, source), want, x.dtype, rtol=0)


@enter(TABLE, "nonzero", "argwhere")
def nonzero(draw: Draw) -> Call:
    x = draw.tensor(draw.choice(dtypes_of(ANY)), domain=(-1, 1))
    return Call((x,), np.argwhere(x.array), torch.int64)


@enter(TABLE, "nonzero_static")
def nonzero_static(draw: Draw) -> Call:
    x = draw.tensor(draw.choice(dtypes_of(ANY)), draw.shape(1), (-1, 1))
    size = draw.integer(0, 9)
    want = np.full((size, x.ndim), -1)
    found = np.argwhere(x.array)[:size]
    want[: len(found)] = found
    return Call((x,), want, torch.int64, {"size": size})


@enter(TABLE, "nonzero_numpy")
def nonzero_numpy(draw: Draw) -> Call:
    x = draw.tensor(draw.choice(dtypes_of(ANY)), draw.shape(1), (-1, 1))
    return Call((x,), list(np.nonzero(x.array)), torch.int64)
