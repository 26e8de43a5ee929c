"""Views, joining, splitting and other movement of elements: NumPy does the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import rushlight as torch
from calls import Call, Case, enter
from operands import Draw, Operand, dtypes_of

TABLE: dict[str, Case] = {}
ANY = "fibc"
SIZES = (1, 2, 3, 4, 6)


def subject(draw: Draw, low: int = 0, high: int = 4, edges: tuple[int, ...] | None = None) -> Operand:
    shape = draw.shape(low, high) if edges is None else tuple(draw.choice(edges) for _ in range(draw.integer(low, high)))
    return draw.tensor(draw.choice(dtypes_of(ANY)), shape)


def same(args: tuple[Any, ...], want: Any, **more: Any) -> Call:
    """The elements of the first operand, moved."""
    first = args[0] if isinstance(args[0], Operand) else args[0][0]
    return Call(args, want, first.dtype, rtol=0, **more)


def both(*names: str) -> Callable[[Case], Case]:
    """A view and the operator that copies what it shows."""
    return enter(TABLE, *names)


# --- order of dimensions -------------------------------------------------------------------------------


@both("permute", "permute_copy")
def permute(draw: Draw) -> Call:
    x = subject(draw)
    order = tuple(d - x.ndim if draw.boolean() else d for d in draw.permutation(x.ndim))
    return same((x, order), np.transpose(x.array, order))


@both("transpose.int", "transpose_copy.int", "swapaxes", "swapdims")
def transpose(draw: Draw) -> Call:
    x = subject(draw, 1)
    a, b = draw.dim(x.ndim), draw.dim(x.ndim)
    return same((x, a, b), np.swapaxes(x.array, a, b), forms=False)


@both("t", "t_copy")
def t(draw: Draw) -> Call:
    x = subject(draw, 0, 2)
    return same((x,), x.array.T, forms=False)


@both("movedim.int", "moveaxis.int")
def movedim(draw: Draw) -> Call:
    x = subject(draw, 1)
    a, b = draw.dim(x.ndim), draw.dim(x.ndim)
    return same((x, a, b), np.moveaxis(x.array, a, b))


@both("movedim.intlist", "moveaxis.intlist")
def movedim_list(draw: Draw) -> Call:
    x = subject(draw)
    count = draw.integer(0, x.ndim)
    a, b = draw.permutation(x.ndim)[:count], draw.permutation(x.ndim)[:count]
    return same((x, a, b), np.moveaxis(x.array, a, b))


@enter(TABLE, "adjoint")
def adjoint(draw: Draw) -> Call:
    x = subject(draw, 2)
    return same((x,), np.conj(np.swapaxes(x.array, -1, -2)))


# --- sizes ---------------------------------------------------------------------------------------------


def reshaped(draw: Draw, shape: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Another shape of as many elements, and the same with one size left open."""
    sizes: list[int] = []
    for n in shape:
        sizes += [n] if n < 4 or n % 2 or draw.boolean() else [2, n // 2]
    while len(sizes) > 1 and draw.boolean():
        at = draw.integer(0, len(sizes) - 2)
        sizes[at : at + 2] = [sizes[at] * sizes[at + 1]]
    if draw.boolean():
        sizes.insert(draw.integer(0, len(sizes)), 1)
    open_ = list(sizes)
    if sizes and 0 not in sizes and draw.boolean():
        open_[draw.integer(0, len(sizes) - 1)] = -1
    return tuple(sizes), tuple(open_)


@enter(TABLE, "reshape")
def reshape(draw: Draw) -> Call:
    x = subject(draw)
    sizes, given = reshaped(draw, x.shape)
    return same((x, given), x.array.reshape(sizes))


@both("view", "view_copy", "_unsafe_view")
def view(draw: Draw) -> Call:
    x = subject(draw)
    x = Operand(x.tensor.contiguous(), x.array)
    sizes, given = reshaped(draw, x.shape)
    return same((x, given), x.array.reshape(sizes), forms=False)


@enter(TABLE, "reshape_as", "view_as", "expand_as")
def reshape_as(draw: Draw) -> Call:
    x = subject(draw)
    return same((x, draw.tensor(torch.float32, x.shape)), x.array)


@both("view.dtype", "view_copy.dtype")
def view_dtype(draw: Draw) -> Call:
    x = draw.tensor(torch.int32, draw.shape(1, 4, SIZES))
    x = Operand(x.tensor.contiguous().clone(), x.array)
    to, bits = draw.choice(((torch.float32, np.float32), (torch.int16, np.int16), (torch.uint8, np.uint8)))
    return Call((x, to), np.ascontiguousarray(x.array.astype(np.int32)).view(bits), to, rtol=0, forms=False)


@enter(TABLE, "flatten.using_ints")
def flatten(draw: Draw) -> Call:
    x = subject(draw)
    a = draw.integer(0, max(x.ndim - 1, 0))
    b = draw.integer(a, max(x.ndim - 1, 0))
    count = int(np.prod(x.shape[a : b + 1]))
    return same((x, a, b), x.array.reshape(x.shape[:a] + (count,) + x.shape[b + 1 :]))


@enter(TABLE, "ravel")
def ravel(draw: Draw) -> Call:
    x = subject(draw)
    return same((x,), x.array.ravel())


@enter(TABLE, "unflatten.int")
def unflatten(draw: Draw) -> Call:
    x = subject(draw, 1, 3, (2, 4, 6))
    dim = draw.dim(x.ndim)
    d, half = dim % x.ndim, x.shape[dim] // 2
    sizes = draw.choice(((2, half), (-1, half), (2, 1, half)))
    return same((x, dim, sizes), x.array.reshape(x.shape[:d] + tuple(2 if n == -1 else n for n in sizes) + x.shape[d + 1 :]))


@both("squeeze", "squeeze_copy")
def squeeze(draw: Draw) -> Call:
    x = subject(draw)
    return same((x,), x.array.squeeze(), forms=False)


@both("squeeze.dim", "squeeze_copy.dim")
def squeeze_dim(draw: Draw) -> Call:
    x = subject(draw)
    dim = draw.dim(x.ndim)
    return same((x, dim), x.array.squeeze(dim) if x.ndim and x.shape[dim] == 1 else x.array, forms=False)


@both("squeeze.dims", "squeeze_copy.dims")
def squeeze_dims(draw: Draw) -> Call:
    x = subject(draw)
    dims = draw.dims(x.ndim)
    return same((x, dims), x.array.squeeze(tuple(d for d in dims if x.shape[d] == 1)), forms=False)


@both("unsqueeze", "unsqueeze_copy")
def unsqueeze(draw: Draw) -> Call:
    x = subject(draw)
    dim = draw.dim(x.ndim + 1)
    return same((x, dim), np.expand_dims(x.array, dim), forms=False)


@both("expand", "expand_copy")
def expand(draw: Draw) -> Call:
    x = subject(draw, 0, 3)
    sizes = tuple(draw.integer(0, 4) if n == 1 else n for n in x.shape)
    leading = tuple(draw.integer(1, 3) for _ in range(draw.integer(0, 2)))
    return same((x, leading + tuple(-1 if n == m and draw.boolean() else n for n, m in zip(sizes, x.shape))), np.broadcast_to(x.array, leading + sizes), forms=False)


@enter(TABLE, "broadcast_to")
def broadcast_to(draw: Draw) -> Call:
    x = subject(draw, 0, 3)
    sizes = (2, *(3 if n == 1 else n for n in x.shape))
    return same((x, sizes), np.broadcast_to(x.array, sizes))


@enter(TABLE, "broadcast_tensors")
def broadcast_tensors(draw: Draw) -> Call:
    from pointwise_rows import narrowed

    shape = draw.shape(0, 3)
    xs = [draw.tensor(torch.float32, shape), draw.tensor(torch.float32, narrowed(draw, shape))]
    return Call(tuple(xs), list(np.broadcast_arrays(*(x.array for x in xs))), torch.float32, rtol=0)


for _n, _reference in ((1, np.atleast_1d), (2, np.atleast_2d), (3, np.atleast_3d)):

    def _atleast(draw: Draw, reference: Any = _reference) -> Call:
        x = subject(draw, 0, 3)
        return same((x,), reference(x.array))

    def _atleast_all(draw: Draw, reference: Any = _reference) -> Call:
        xs = [subject(draw, 0, 3), subject(draw, 0, 3)]
        return same((xs,), [reference(x.array) for x in xs])

    TABLE[f"atleast_{_n}d"], TABLE[f"atleast_{_n}d.Sequence"] = _atleast, _atleast_all


# --- parts ---------------------------------------------------------------------------------------------


@both("select.int", "select_copy.int")
def select(draw: Draw) -> Call:
    x = subject(draw, 1, 4, SIZES)
    dim = draw.dim(x.ndim)
    at = draw.integer(-x.shape[dim], x.shape[dim] - 1)
    return same((x, dim, at), np.take(x.array, at, dim))


def span(draw: Draw, size: int) -> tuple[Any, Any, int]:
    start = draw.choice((None, draw.integer(-size - 2, size + 2)))
    end = draw.choice((None, draw.integer(-size - 2, size + 2)))
    return start, end, draw.integer(1, 3)


@both("slice.Tensor", "slice_copy.Tensor")
def slice_(draw: Draw) -> Call:
    x = subject(draw, 1)
    dim = draw.dim(x.ndim)
    start, end, step = span(draw, x.shape[dim])
    return same((x, dim, start, end, step), x.array[(slice(None),) * (dim % x.ndim) + (slice(start, end, step),)])


@enter(TABLE, "narrow", "narrow_copy", "narrow.Tensor")
def narrow(draw: Draw) -> Call:
    x = subject(draw, 1)
    dim = draw.dim(x.ndim)
    start = draw.integer(0, x.shape[dim])
    length = draw.integer(0, x.shape[dim] - start)
    return same((x, dim, start, length), np.take(x.array, range(start, start + length), dim))


TABLE["narrow.Tensor"] = lambda draw: (lambda c: same((*c.args[:2], draw.place(np.array(c.args[2]), torch.int64), c.args[3]), c.want))(narrow(draw))


@both("diagonal", "diagonal_copy")
def diagonal(draw: Draw) -> Call:
    x = subject(draw, 2)
    a = draw.dim(x.ndim)
    b = draw.choice([d for d in range(-x.ndim, x.ndim) if d % x.ndim != a % x.ndim])
    offset = draw.integer(-3, 3)
    return same((x, offset, a, b), np.diagonal(x.array, offset, a, b)) if x.array.size else same((x, 0, a, b), np.diagonal(x.array, 0, a, b))


@enter(TABLE, "linalg_diagonal")
def linalg_diagonal(draw: Draw) -> Call:
    call = diagonal(draw)
    x, offset, a, b = call.args
    return same((x,), call.want, kwargs={"offset": offset, "dim1": a, "dim2": b})


@both("unbind.int", "unbind_copy.int")
def unbind(draw: Draw) -> Call:
    x = subject(draw, 1, 4, SIZES)
    dim = draw.dim(x.ndim)
    return same((x, dim), [np.take(x.array, i, dim) for i in range(x.shape[dim])], forms=False)


@both("unfold", "unfold_copy")
def unfold(draw: Draw) -> Call:
    x = subject(draw, 1, 3, (3, 4, 7))
    dim = draw.dim(x.ndim)
    size, step = draw.integer(1, 3), draw.integer(1, 3)
    windows = np.lib.stride_tricks.sliding_window_view(x.array, size, dim)
    want = windows[(slice(None),) * (dim % x.ndim) + (slice(None, None, step),)]
    return same((x, dim, size, step), want)


@both("as_strided", "as_strided_copy")
def as_strided(draw: Draw) -> Call:
    memory = draw.values((40,), torch.float32, (-9, 9)).astype(np.float32)
    x = Operand(torch.from_numpy(memory.copy()), memory.astype(float))
    size = tuple(draw.integer(0, 3) for _ in range(draw.integer(0, 3)))
    stride = tuple(draw.integer(0, 5) for _ in size)
    start = draw.integer(0, 5)
    where = start + sum((np.arange(n).reshape((-1,) + (1,) * (len(size) - d - 1)) * s for d, (n, s) in enumerate(zip(size, stride))), np.zeros((), int))
    return same((x, size, stride, start), x.array[np.broadcast_to(where, size)], forms=False)


# --- splitting -----------------------------------------------------------------------------------------


def pieces(x: np.ndarray, ends: list[int], dim: int) -> list[np.ndarray]:
    return np.split(x, ends, dim)


@both("split.Tensor", "unsafe_split.Tensor", "split_copy.Tensor")
def split(draw: Draw) -> Call:
    x = subject(draw, 1, 4, SIZES)
    dim, size = draw.dim(x.ndim), draw.integer(1, 7)
    return same((x, size, dim), pieces(x.array, list(range(size, x.shape[dim], size)), dim), forms=False)


@both("split.sizes", "split_with_sizes", "unsafe_split_with_sizes", "split_with_sizes_copy")
def split_sizes(draw: Draw) -> Call:
    x = subject(draw, 1, 4, SIZES)
    dim = draw.dim(x.ndim)
    first = draw.integer(0, x.shape[dim])
    sizes = [first, 0, x.shape[dim] - first]
    return same((x, sizes, dim), pieces(x.array, [first, first], dim), forms=False)


@enter(TABLE, "chunk", "unsafe_chunk")
def chunk(draw: Draw) -> Call:
    x = subject(draw, 1, 4, SIZES)
    dim, count = draw.dim(x.ndim), draw.integer(1, 7)
    size = -(-x.shape[dim] // count)
    return same((x, count, dim), pieces(x.array, list(range(size, x.shape[dim], size)), dim))


@enter(TABLE, "tensor_split.sections")
def tensor_split(draw: Draw) -> Call:
    x = subject(draw, 1, 4, SIZES)
    dim, count = draw.dim(x.ndim), draw.integer(1, 7)
    return same((x, count, dim), np.array_split(x.array, count, dim))


@enter(TABLE, "tensor_split.indices", "tensor_split.tensor_indices_or_sections")
def tensor_split_at(draw: Draw) -> Call:
    x = subject(draw, 1, 4, SIZES)
    dim, ends = draw.dim(x.ndim), sorted(draw.integer(0, 8) for _ in range(draw.integer(0, 3)))
    given: Any = draw.place(np.array(ends, np.int64), torch.int64) if draw.boolean() else ends
    if isinstance(given, Operand) and given.array.size == 0:
        given = ends
    return same((x, given, dim), np.split(x.array, ends, dim))


for _name, _dim, _least, _split in (("hsplit", 1, 1, np.hsplit), ("vsplit", 0, 2, np.vsplit), ("dsplit", 2, 3, np.dsplit)):

    def _sections(draw: Draw, least: int = _least, dim: int = _dim, reference: Any = _split) -> Call:
        x = subject(draw, least, 4, (2, 4, 6))
        return same((x, 2), reference(x.array, 2))

    def _ends(draw: Draw, least: int = _least, reference: Any = _split) -> Call:
        x = subject(draw, least, 4, (2, 4, 6))
        return same((x, [1, 3]), reference(x.array, [1, 3]))

    TABLE[f"{_name}.int"], TABLE[f"{_name}.array"] = _sections, _ends


# --- joining -------------------------------------------------------------------------------------------


@enter(TABLE, "cat", "concat", "concatenate")
def cat(draw: Draw) -> Call:
    dtype, shape = draw.choice(dtypes_of(ANY)), draw.shape(1)
    dim = draw.dim(len(shape))
    d = dim % len(shape)
    xs = [draw.tensor(dtype, (*shape[:d], draw.integer(0, 4), *shape[d + 1 :])) for _ in range(draw.integer(1, 4))]
    return same((xs, dim), np.concatenate([x.array for x in xs], dim))


def alike(draw: Draw, low: int = 0, high: int = 3) -> list[Operand]:
    dtype, shape = draw.choice(dtypes_of(ANY)), draw.shape(low, high)
    return [draw.tensor(dtype, shape) for _ in range(draw.integer(1, 4))]


@enter(TABLE, "stack", "_stack")
def stack(draw: Draw) -> Call:
    xs = alike(draw)
    dim = draw.dim(xs[0].ndim + 1)
    return same((xs, dim), np.stack([x.array for x in xs], dim))


for _names, _reference in ((("hstack",), np.hstack), (("vstack", "row_stack"), np.vstack), (("dstack",), np.dstack), (("column_stack",), np.column_stack)):

    def _join(draw: Draw, reference: Any = _reference) -> Call:
        xs = alike(draw)
        return same((xs,), reference([x.array for x in xs]))

    TABLE.update(dict.fromkeys(_names, _join))


@enter(TABLE, "block_diag")
def block_diag(draw: Draw) -> Call:
    from scipy.linalg import block_diag as reference

    xs = [draw.tensor(torch.float64, tuple(draw.integer(1, 3) for _ in range(draw.integer(0, 2)))) for _ in range(draw.integer(1, 3))]
    return Call(tuple(xs), reference(*(x.array for x in xs)), torch.float64, rtol=0, via=torch.block_diag)


@enter(TABLE, "meshgrid.indexing", "meshgrid")
def meshgrid(draw: Draw) -> Call:
    xs = [draw.tensor(torch.float32, (draw.integer(1, 4),)) for _ in range(draw.integer(1, 3))]
    how = draw.choice(("ij", "xy"))
    return Call(tuple(xs), list(np.meshgrid(*(x.array for x in xs), indexing=how)), torch.float32, {"indexing": how}, rtol=0, via=torch.meshgrid)


@enter(TABLE, "cartesian_prod")
def cartesian_prod(draw: Draw) -> Call:
    xs = [draw.tensor(torch.float32, (draw.integer(1, 4),)) for _ in range(draw.integer(2, 3))]
    grids = np.meshgrid(*(x.array for x in xs), indexing="ij")
    return Call(tuple(xs), np.stack([g.ravel() for g in grids], -1), torch.float32, rtol=0, via=torch.cartesian_prod)


@enter(TABLE, "combinations")
def combinations(draw: Draw) -> Call:
    import itertools

    x = draw.tensor(torch.int64, (draw.integer(0, 5),))
    r, again = draw.integer(1, 3), draw.boolean()
    picks = list((itertools.combinations_with_replacement if again else itertools.combinations)(range(len(x.array)), r))
    return Call((x, r, again), x.array[np.array(picks, int).reshape(-1, r)], torch.int64)


# --- repeating and turning -----------------------------------------------------------------------------


@enter(TABLE, "repeat")
def repeat(draw: Draw) -> Call:
    x = subject(draw, 0, 3)
    counts = tuple(draw.integer(0, 3) for _ in range(x.ndim + draw.integer(0, 2)))
    return same((x, counts), np.tile(x.array, counts) if counts else x.array)


@enter(TABLE, "tile")
def tile(draw: Draw) -> Call:
    x = subject(draw, 0, 3)
    counts = tuple(draw.integer(0, 3) for _ in range(draw.integer(0, 4)))
    return same((x, counts), np.tile(x.array, counts))


@enter(TABLE, "repeat_interleave.self_int", "repeat_interleave.self_Tensor")
def repeat_interleave(draw: Draw) -> Call:
    x = subject(draw, 1)
    dim = draw.dim(x.ndim)
    counts: Any = draw.integer(0, 3) if draw.boolean() else draw.tensor(torch.int64, (x.shape[dim],), (0, 3))
    return same((x, counts, dim), np.repeat(x.array, counts if isinstance(counts, int) else counts.array, dim))


@enter(TABLE, "repeat_interleave.Tensor")
def repeat_positions(draw: Draw) -> Call:
    counts = draw.tensor(torch.int64, (draw.integer(0, 9),), (0, 3))
    return Call((counts,), np.repeat(np.arange(len(counts.array)), counts.array), torch.int64)


@enter(TABLE, "flip")
def flip(draw: Draw) -> Call:
    x = subject(draw)
    dims = draw.dims(x.ndim)
    return same((x, dims), np.flip(x.array, dims))


@enter(TABLE, "fliplr")
def fliplr(draw: Draw) -> Call:
    x = subject(draw, 2)
    return same((x,), np.fliplr(x.array))


@enter(TABLE, "flipud")
def flipud(draw: Draw) -> Call:
    x = subject(draw, 1)
    return same((x,), np.flipud(x.array))


@enter(TABLE, "roll")
def roll(draw: Draw) -> Call:
    x = subject(draw)
    if draw.boolean():
        by = draw.integer(-9, 9)
        return same((x, by), np.roll(x.array, by))
    dims = draw.dims(x.ndim, 1) if x.ndim else ()
    by_dim = tuple(draw.integer(-9, 9) for _ in dims)
    return same((x, by_dim, dims), np.roll(x.array, by_dim, dims)) if dims else same((x, 1), x.array)


@enter(TABLE, "rot90")
def rot90(draw: Draw) -> Call:
    x = subject(draw, 2)
    k, dims = draw.integer(-5, 5), draw.permutation(x.ndim)[:2]
    return same((x, k, dims), np.rot90(x.array, k, dims))


# --- diagonals and triangles ---------------------------------------------------------------------------


for _name, _reference in (("tril", np.tril), ("triu", np.triu)):

    def _triangle(draw: Draw, reference: Any = _reference) -> Call:
        x = subject(draw, 2)
        k = draw.integer(-4, 4)
        return same((x, k), reference(x.array, k))

    TABLE[_name] = _triangle


@enter(TABLE, "diag")
def diag(draw: Draw) -> Call:
    x = subject(draw, 1, 2, SIZES)
    k = draw.integer(-2, 2) if x.ndim == 1 else draw.integer(1 - x.shape[0], x.shape[1] - 1)
    return same((x, k), np.diag(x.array, k))


@enter(TABLE, "diagflat")
def diagflat(draw: Draw) -> Call:
    x = subject(draw, 0, 2, SIZES)
    k = draw.integer(-2, 2)
    return same((x, k), np.diagflat(x.array, k))


@enter(TABLE, "diag_embed")
def diag_embed(draw: Draw) -> Call:
    x = subject(draw, 1, 3)
    k = draw.integer(-2, 2)
    n = x.shape[-1] + abs(k)
    want = np.zeros((*x.shape[:-1], n, n), x.array.dtype)
    at = np.arange(x.shape[-1])
    want[..., at + max(-k, 0), at + max(k, 0)] = x.array
    a, b = draw.permutation(x.ndim + 1)[:2]
    return same((x, k, a, b), np.moveaxis(want, (-2, -1), (a, b)))


# --- writing into a copy -------------------------------------------------------------------------------


def written(x: Operand, where: Any, source: np.ndarray) -> np.ndarray:
    want = x.array.copy()
    want[where] = source
    return want


@enter(TABLE, "select_scatter")
def select_scatter(draw: Draw) -> Call:
    x = subject(draw, 1, 4, SIZES)
    dim = draw.integer(0, x.ndim - 1)
    at = draw.integer(-x.shape[dim], x.shape[dim] - 1)
    source = draw.tensor(x.dtype, x.shape[:dim] + x.shape[dim + 1 :])
    return same((x, source, dim, at), written(x, (slice(None),) * dim + (at,), source.array))


@enter(TABLE, "slice_scatter")
def slice_scatter(draw: Draw) -> Call:
    x = subject(draw, 1, 4, SIZES)
    dim = draw.integer(0, x.ndim - 1)
    start, step = draw.integer(0, x.shape[dim] - 1), draw.integer(1, 3)
    end = draw.integer(start, x.shape[dim])
    where = (slice(None),) * dim + (slice(start, end, step),)
    source = draw.tensor(x.dtype, x.array[where].shape)
    return same((x, source, dim, start, end, step), written(x, where, source.array))


@enter(TABLE, "diagonal_scatter")
def diagonal_scatter(draw: Draw) -> Call:
    x = subject(draw, 2, 2, SIZES)
    k = draw.integer(1 - x.shape[0], x.shape[1] - 1)
    count = len(np.diagonal(x.array, k))
    source, at = draw.tensor(x.dtype, (count,)), np.arange(count)
    return same((x, source, k), written(x, (at + max(-k, 0), at + max(k, 0)), source.array))


@enter(TABLE, "as_strided_scatter")
def as_strided_scatter(draw: Draw) -> Call:
    x = draw.tensor(torch.float32, (24,))
    x = Operand(x.tensor.contiguous().clone(), x.array)
    source = draw.tensor(torch.float32, (3, 2))
    return same((x, source, (3, 2), (5, 2), 1), written(x, 1 + 5 * np.arange(3)[:, None] + 2 * np.arange(2), source.array), forms=False)


# --- copies and conversions ----------------------------------------------------------------------------


@both("clone", "contiguous", "alias", "alias_copy", "resolve_conj", "resolve_neg", "positive")
def unchanged(draw: Draw) -> Call:
    x = draw.tensor(draw.choice(dtypes_of("fic")))
    return same((x,), x.array, forms=False)


@enter(TABLE, "conj")
def conj(draw: Draw) -> Call:
    x = subject(draw)
    return same((x,), np.conj(x.array))


def complex_subject(draw: Draw) -> Operand:
    return draw.tensor(draw.choice(dtypes_of("c")))


@enter(TABLE, "real", "imag")
def real(draw: Draw) -> Call:
    x = complex_subject(draw)
    return Call((x,), x.array.real, None, rtol=0)


TABLE["imag"] = lambda draw: (lambda c: Call(c.args, c.args[0].array.imag, None, rtol=0))(real(draw))


@both("view_as_real", "view_as_real_copy")
def view_as_real(draw: Draw) -> Call:
    x = complex_subject(draw)
    return Call((x,), np.stack([x.array.real, x.array.imag], -1), None, rtol=0)


@both("view_as_complex", "view_as_complex_copy")
def view_as_complex(draw: Draw) -> Call:
    x = draw.tensor(draw.choice(dtypes_of("F")), (*draw.shape(0, 3), 2))
    x = Operand(x.tensor.clone(memory_format=torch.contiguous_format), x.array)
    return Call((x,), x.array[..., 0] + 1j * x.array[..., 1], None, rtol=0)


@enter(TABLE, "type_as")
def type_as(draw: Draw) -> Call:
    x, y = draw.tensor(draw.choice(dtypes_of("ib")), domain=(0, 100)), draw.tensor(draw.choice(dtypes_of("fi")), ())
    return Call((x, y), x.array, y.dtype, rtol=0)


@enter(TABLE, "_to_copy")
def to_copy(draw: Draw) -> Call:
    x, dtype = draw.tensor(draw.choice(dtypes_of("ib")), domain=(0, 100)), draw.choice(dtypes_of("fi"))
    return Call((x,), x.array, dtype, {"dtype": dtype}, rtol=0)


@enter(TABLE, "resize_", "resize_as_")
def resize(draw: Draw) -> Call:
    x = draw.tensor(torch.float32, (6,), writable=True)
    x = Operand(x.tensor.contiguous(), x.array)
    return Call((x, (2, 3)), x.array.reshape(2, 3), x.dtype, rtol=0, forms=False, via=lambda t, size: t.clone().resize_(size))


TABLE["resize_as_"] = lambda draw: Call(((c := resize(draw)).args[0], draw.tensor(torch.float32, (2, 3))), c.want, c.dtype, rtol=0, forms=False, via=lambda t, like: t.clone().resize_as_(like))


@enter(TABLE, "detach_copy", "_lazy_clone")
def copies(draw: Draw) -> Call:
    x = subject(draw)
    return same((x,), x.array, forms=False)


@enter(TABLE, "_conj", "_conj_copy")
def conj_of_complex(draw: Draw) -> Call:
    x = draw.tensor(draw.choice(dtypes_of("c")))
    return same((x,), x.array.conj(), forms=False)


@enter(TABLE, "_conj_physical")
def conj_of_any(draw: Draw) -> Call:
    x = subject(draw)
    return same((x,), x.array.conj())


@enter(TABLE, "_neg_view", "_neg_view_copy")
def neg_view(draw: Draw) -> Call:
    x = draw.tensor(draw.choice(dtypes_of("fic")), domain=(0, 9))
    return same((x,), -x.array, forms=False)


@enter(TABLE, "slice_inverse")
def slice_inverse(draw: Draw) -> Call:
    x = subject(draw, 1)
    dim = draw.dim(x.ndim)
    start = draw.integer(0, x.shape[dim])
    return same((x, dim, start), x.array, via=lambda t, *where: torch.slice_inverse(t.narrow(*where, t.shape[where[0]] - where[1]), t, *where))


@enter(TABLE, "is_same_size")
def is_same_size(draw: Draw) -> Call:
    x, y = subject(draw, 0, 2), subject(draw, 0, 2)
    return Call((x, y), x.shape == y.shape)


@enter(TABLE, "_shape_as_tensor")
def shape_as_tensor(draw: Draw) -> Call:
    x = subject(draw)
    return Call((x,), np.array(x.shape, dtype=np.int64), torch.int64)


@enter(TABLE, "_reshape_from_tensor")
def reshape_from_tensor(draw: Draw) -> Call:
    x = subject(draw)
    sizes, given = reshaped(draw, x.shape)
    return same((x, draw.place(np.array(given, dtype=np.int64), torch.int64)), x.array.reshape(sizes))


@enter(TABLE, "_dim_arange")
def dim_arange(draw: Draw) -> Call:
    x = subject(draw, 1)
    dim = draw.dim(x.ndim)
    return Call((x, dim), np.arange(x.shape[dim]), torch.int64)


ELSEWHERE = {"_reshape_alias": "takes strides from its caller, as autograd does; views have cases of their own"}
