"""`vmap`: a function of one sample made to take a batch.

The function runs once, on tensors that stand for one sample and hold all of them; operators compute by the rules of
src/batching. A function that needs the elements of a sample is run once per sample instead, so any function works.
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


def _placed(func: Any, out_dims: Any, batches: Sequence[Any], spec: Any) -> Any:
    """Results put together, their batches moved from dimension 0 to `out_dims`."""
    from .utils import _pytree

    dims = _spread(out_dims, _pytree.tree_unflatten(list(batches), spec))
    if dims is None and isinstance(out_dims, (tuple, list)) and len(out_dims) == 1 and len(batches) == 1:
        dims = list(out_dims)
    if dims is None:
        raise ValueError(
            f"vmap({_name(func)}, ..., out_dims={out_dims})(<inputs>): out_dims is not compatible with the structure of "
            f"`outputs`. out_dims has structure {_pytree.tree_flatten(out_dims)[1]} but outputs has structure {spec}."
        )
    placed = []
    for batch, dim in zip(batches, dims):
        if dim is None:
            placed.append(batch.lone(func))
            continue
        batch.check(func)
        rank = batch.tensor.dim()
        if not -rank <= dim < rank:
            raise IndexError(
                f"Dimension out of range (expected to be in range of [{-rank}, {rank - 1}], but got {dim})"
            )
        placed.append(_ops.movedim(batch.tensor, 0, dim) if dim % rank else batch.tensor)
    return _pytree.tree_unflatten(placed, spec)


class _Result:
    """One leaf of the results: its batch, with the samples in dimension 0, or what all samples share."""

    def __init__(self, tensor: Any, single: Any, differs: bool) -> None:
        self.tensor = tensor
        self.single = single
        self.differs = differs

    def check(self, func: Any) -> None:
        if self.tensor is None:
            raise ValueError(
                f"vmap({_name(func)}, ...): `{_name(func)}` must only return Tensors, got type {type(self.single)}. Did "
                "you mean to set out_dims= to None for output?"
            )

    def lone(self, func: Any) -> Any:
        """The leaf without a batch, where `out_dims` is None."""
        if self.differs:
            raise ValueError(
                f"vmap({_name(func)}, ...): `{_name(func)}` can not return a BatchedTensor when out_dim is None"
            )
        return self.single

    @staticmethod
    def joined(parts: Sequence[_Result]) -> _Result:
        """The result of several chunks."""
        first = parts[0]
        tensor = None if first.tensor is None else _ops.cat([part.tensor for part in parts])
        return _Result(tensor, first.single, any(part.differs for part in parts))


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


class _Job:
    """One call of a mapped function: its leaves, which of them differ between samples, how to call it."""

    def __init__(self, func: Any, leaves: list[Any], dims: list[int | None], size: int, rebuild: Any, mode: str) -> None:
        self.func = func
        self.leaves = leaves
        self.dims = dims
        self.size = size
        self.rebuild = rebuild  # from leaves to args and kwargs
        self.randomness = mode

    def call(self, leaves: list[Any]) -> Any:
        args, kwargs = self.rebuild(leaves)
        return self.func(*args, **kwargs)

    def chunks(self, most: int) -> Iterator[_Job]:
        """The same for at most so many samples at a time."""
        for start in range(0, self.size, most):
            count = min(most, self.size - start)
            leaves = [x if d is None else x.narrow(d, start, count) for x, d in zip(self.leaves, self.dims)]
            yield _Job(self.func, leaves, self.dims, count, self.rebuild, self.randomness)

    def one_by_one_only(self) -> bool:
        """Whether samples must be real tensors: there are none, or the inputs are of classes or layouts of their own."""
        if self.size == 0:
            return True
        plain = (_C.Tensor, _parameter_class())
        batched = [x for x, d in zip(self.leaves, self.dims) if d is not None]
        return any(type(x) not in plain or x.layout is not _strided for x in batched)


def _parameter_class() -> Any:
    from .nn.parameter import Parameter

    return Parameter


_strided = _ops.zeros(()).layout


def _at_once(job: _Job) -> tuple[list[_Result], Any]:
    """All samples in one call, operator by operator."""
    from .utils import _pytree

    level = _C._vmap_enter(job.size, job.randomness)
    try:
        samples = [x if d is None else _C._vmap_batched(x, d, level) for x, d in zip(job.leaves, job.dims)]
        found, spec = _pytree.tree_flatten(job.call(samples))
        results = []
        for leaf in found:
            if isinstance(leaf, _C.Tensor):
                results.append(_Result(_C._vmap_batch_of(leaf, level), leaf, _C._vmap_depends_on(leaf, level)))
            else:
                results.append(_Result(None, leaf, False))
        return results, spec
    except _C._NeedsSamples as reason:
        if _C._vmap_wrote_input(level):
            raise RuntimeError(f"{reason} (an input was changed in place before, so that it cannot be done again)")
        raise
    finally:
        _C._vmap_leave(level)


def _by_sample(job: _Job) -> tuple[list[_Result], Any]:
    """One sample after another."""
    from .utils import _pytree

    generator = _C.default_generator
    columns: list[list[Any]] = []
    spec: Any = None
    for i in range(max(job.size, 1)):
        watched = job.randomness == "same" or (job.randomness == "error" and i == 0)
        before: Any = generator.get_state() if watched else None
        with _graphs_kept(i < job.size - 1):
            found, spec = _pytree.tree_flatten(job.call([_sample(x, d, i) for x, d in zip(job.leaves, job.dims)]))
        columns = columns or [[] for _ in found]
        for column, leaf in zip(columns, found):
            column.append(leaf)
        if job.randomness == "error" and i == 0 and not _ops.equal(before, generator.get_state()):
            raise RuntimeError(
                "vmap: called random operation while in randomness error mode. Please either use the 'same' or "
                "'different' randomness flags on vmap or perform the randomness operation out of vmap"
            )
        if job.randomness == "same" and i < job.size - 1:
            generator.set_state(before)
    results = []
    for column in columns:
        stacked = _ops.stack(column) if isinstance(column[0], _C.Tensor) else None
        results.append(_Result(stacked[:0] if stacked is not None and job.size == 0 else stacked, column[0], False))
    return results, spec


def _results(job: _Job) -> tuple[list[_Result], Any]:
    """By batching rules where the function allows it."""
    if job.one_by_one_only():
        return _by_sample(job)
    before: Any = None if job.randomness == "error" else _C.default_generator.get_state()
    try:
        return _at_once(job)
    except _C._NeedsSamples:
        if before is not None:
            _C.default_generator.set_state(before)
    return _by_sample(job)


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
    nested; keyword arguments are always split along dimension 0. `out_dims`: a dimension, or a tree of them and None, for
    results that are the same for every sample. `randomness`: "error" refuses random operators, "same" gives every sample
    the same numbers, "different" its own. `chunk_size`: how many samples are computed at a time; all by default.

    The samples are computed together: `func` runs once, on tensors that stand for one sample each. Where it needs the
    elements of a sample (`.item()`, `if x.sum() > 0`, indexing with a mask that differs), it starts again, once per
    sample; where it has changed an input in place by then, RuntimeError is raised instead.
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
        count = len(leaves)

        def rebuild(values: list[Any]) -> tuple[Any, Any]:
            return (
                _pytree.tree_unflatten(values[:count], spec),
                _pytree.tree_unflatten(values[count:], named_spec),
            )

        all_dims = dims + [0 if isinstance(leaf, _C.Tensor) else None for leaf in named]
        job = _Job(func, leaves + named, all_dims, size, rebuild, randomness)
        if chunk_size is None or chunk_size >= size:
            results, result_spec = _results(job)
        else:
            before: Any = _C.default_generator.get_state() if randomness == "same" else None
            parts = []
            for i, chunk in enumerate(job.chunks(chunk_size)):
                if before is not None:
                    _C.default_generator.set_state(before)
                with _graphs_kept((i + 1) * chunk_size < size):
                    parts.append(_results(chunk))
            result_spec = parts[0][1]
            results = [_Result.joined(column) for column in zip(*(part[0] for part in parts))]
        return _placed(func, out_dims, results, result_spec)

    if not hasattr(func, "__name__"):
        batched.__name__ = "vmap"
    return batched


def debug_unwrap(tensor: Any, *, recurse: bool = True) -> Any:
    """The tensor of all samples behind the one that a function under `vmap` sees; any other tensor as it is.

    With `recurse` below all levels of `vmap`, else below the innermost. For looking at values: computing with the result
    inside of the function mixes samples.
    """
    return _C._vmap_innermost(tensor) if recurse else _C._vmap_value_of(tensor)
