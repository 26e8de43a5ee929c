"""`vmap`: a function of one sample made to take a batch. The samples are computed one after another.

So any function works, also one that branches on values; nothing is gained in speed over writing the loop.
"""

from __future__ import annotations

from contextlib import contextmanager

from . import _C, _backward_pass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any


_ops = _C._VariableFunctions
_EXPECTED = "expected `in_dims` to be int or a (potentially nested) tuple matching the structure of inputs, got"


def _name(func: Any) -> str:
    return getattr(func, "__name__", None) or repr(func)


def _spread(prefix: Any, tree: Any) -> list[Any] | None:
    """One entry of `prefix`, a tree that may stop early, for each leaf of `tree`; None where the two do not fit."""
    from .utils import _pytree

    if prefix is None or isinstance(prefix, int):
        return [prefix] * len(_pytree.tree_flatten(tree)[0])
    if isinstance(prefix, (list, tuple)) and isinstance(tree, (list, tuple)) and len(prefix) == len(tree):
        pairs = zip(prefix, tree)
    elif isinstance(prefix, dict) and isinstance(tree, dict) and prefix.keys() == tree.keys():
        pairs = zip((prefix[key] for key in tree), tree.values())
    else:
        return None
    found: list[Any] = []
    for part, branch in pairs:
        below = _spread(part, branch)
        if below is None:
            return None
        found += below
    return found


def _batch(func: Any, in_dims: Any, args: tuple[Any, ...]) -> tuple[list[Any], list[int | None], Any, int]:
    """Leaves of the arguments, the batch dimension of each, how to put them together, and the size of the batch."""
    from .utils import _pytree

    where = f"vmap({_name(func)}, in_dims={in_dims}, ...)(<inputs>): "
    if not isinstance(in_dims, (int, list, tuple)):
        raise ValueError(f"{where}{_EXPECTED}: {type(in_dims)}.")
    if not args:
        raise ValueError(
            f"vmap({_name(func)})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are trying to vmap over "
            "a function with no inputs. The latter is unsupported."
        )
    leaves, spec = _pytree.tree_flatten(args)
    dims = _spread(in_dims, args)
    if dims is None:
        raise ValueError(
            f"{where}in_dims is not compatible with the structure of `inputs`. in_dims has structure "
            f"{_pytree.tree_flatten(in_dims)[1]} but inputs has structure {spec}."
        )
    sizes = set()
    for i, (leaf, dim) in enumerate(zip(leaves, dims)):
        if dim is None:
            continue
        if not isinstance(dim, int):
            raise ValueError(
                f"{where}Got in_dim={dim} for an input but in_dim must be either an integer dimension or None."
            )
        if not isinstance(leaf, _C.Tensor):
            raise ValueError(
                f"{where}Got in_dim={dim} for an input but the input is of type {type(leaf)}. We cannot vmap over "
                "non-Tensor arguments, please use None as the respective in_dim"
            )
        if not -leaf.dim() <= dim < leaf.dim():
            raise ValueError(
                f"{where}Got in_dim={dim} for some input, but that input is a Tensor of dimensionality {leaf.dim()} so "
                f"expected in_dim to satisfy -{leaf.dim()} <= in_dim < {leaf.dim()}."
            )
        dims[i] = dim % leaf.dim()
        sizes.add(leaf.shape[dim])
    if not sizes:
        raise ValueError(f"{where}at least one of the inputs must be batched: every in_dim is None")
    if len(sizes) > 1:
        found = [leaf.shape[dim] for leaf, dim in zip(leaves, dims) if dim is not None]
        raise ValueError(
            f"vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {found} for the mapped "
            "dimension"
        )
    return leaves, dims, spec, sizes.pop()


def _joined(func: Any, out_dims: Any, results: Sequence[Any], empty: bool) -> Any:
    """The results of all samples, stacked leaf by leaf."""
    from .utils import _pytree

    first, spec = _pytree.tree_flatten(results[0])
    for leaf in first:
        if not isinstance(leaf, _C.Tensor):
            raise ValueError(
                f"vmap({_name(func)}, ...): `{_name(func)}` must only return Tensors, got type {type(leaf)}. Did you mean "
                "to set out_dims= to None for output?"
            )
    dims = _spread(out_dims, results[0])
    if dims is None and isinstance(out_dims, (tuple, list)) and len(out_dims) == 1 and len(first) == 1:
        dims = list(out_dims)
    if dims is None:
        raise ValueError(
            f"vmap({_name(func)}, ..., out_dims={out_dims})(<inputs>): out_dims is not compatible with the structure of "
            f"`outputs`. out_dims has structure {_pytree.tree_flatten(out_dims)[1]} but outputs has structure {spec}."
        )
    columns = zip(*(_pytree.tree_flatten(result)[0] for result in results))
    joined = []
    for column, dim in zip(columns, dims):
        if dim is None:
            joined.append(column[0])
            continue
        rank = column[0].dim() + 1
        if not -rank <= dim < rank:
            raise IndexError(
                f"Dimension out of range (expected to be in range of [{-rank}, {rank - 1}], but got {dim})"
            )
        stacked = _ops.stack(column, dim)
        joined.append(stacked.narrow(dim, 0, 0) if empty else stacked)
    return _pytree.tree_unflatten(joined, spec)


@contextmanager
def _graphs_kept(wanted: bool) -> Iterator[None]:
    """Backward passes inside keep their graphs where `wanted`: the function may start all of its samples' in one graph."""
    before = _backward_pass.kept
    _backward_pass.kept = before or wanted
    try:
        yield
    finally:
        _backward_pass.kept = before


def _sample(leaf: Any, dim: int | None, index: int) -> Any:
    if dim is None:
        return leaf
    if leaf.shape[dim] == 0:
        return _ops.zeros(leaf.shape[:dim] + leaf.shape[dim + 1 :], dtype=leaf.dtype, device=leaf.device)
    return leaf.select(dim, index)


def vmap(
    func: Callable[..., Any],
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Callable[..., Any]:
    """The function that applies `func` to each slice of its inputs along `in_dims` and stacks the results at `out_dims`.

    `in_dims`: a dimension, or a tree of dimensions and None (the same for every sample) as the positional arguments are
    nested; keyword arguments are always split along dimension 0. `randomness`: "error" refuses random operators, "same"
    gives every sample the same numbers, "different" its own. `chunk_size` has no effect on the result.
    """
    from functools import wraps

    if randomness not in ("error", "different", "same"):
        raise RuntimeError(f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}")
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")

    @wraps(func)
    def batched(*args: Any, **kwargs: Any) -> Any:
        from .utils import _pytree

        leaves, dims, spec, size = _batch(func, in_dims, args)
        named, named_spec = _pytree.tree_flatten(kwargs)
        named_dims = [0 if isinstance(leaf, _C.Tensor) else None for leaf in named]
        generator = _C.default_generator
        results = []
        for i in range(max(size, 1)):
            watched = randomness == "same" or (randomness == "error" and i == 0)
            before: Any = generator.get_state() if watched else None
            inputs = _pytree.tree_unflatten([_sample(x, d, i) for x, d in zip(leaves, dims)], spec)
            keywords = _pytree.tree_unflatten([_sample(x, d, i) for x, d in zip(named, named_dims)], named_spec)
            with _graphs_kept(i < size - 1):
                results.append(func(*inputs, **keywords))
            if randomness == "error" and i == 0 and not _ops.equal(before, generator.get_state()):
                raise RuntimeError(
                    "vmap: called random operation while in randomness error mode. Please either use the 'same' or "
                    "'different' randomness flags on vmap or perform the randomness operation out of vmap"
                )
            if randomness == "same" and i < size - 1:
                generator.set_state(before)
        return _joined(func, out_dims, results, empty=size == 0)

    if not hasattr(func, "__name__"):
        batched.__name__ = "vmap"
    return batched
