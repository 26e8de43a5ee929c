"""Custom functions (`autograd.Function`) and custom operators inside `vmap`."""

from __future__ import annotations

from typing import NamedTuple

from . import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_ops = _C._VariableFunctions


class VmapInfo(NamedTuple):
    """What a `vmap` method learns of the level: how many samples there are, and how random operators behave."""

    batch_size: int
    randomness: str


def level_of(args: tuple[Any, ...]) -> int | None:
    """The innermost level that an argument is batched at."""
    levels = {level for level in map(_C._vmap_level_of, args) if level is not None}
    return max(levels, key=_C._vmap_depth_of) if levels else None


def apply(cls: Any, args: tuple[Any, ...]) -> Any:
    """`cls.apply(*args)` where some arguments stand for one sample of a batch.

    A `vmap` method of the class gets the batches; otherwise the function is applied to one sample after another.
    """
    from .autograd.function import Function

    level = level_of(args)
    assert level is not None
    own_rule = cls.vmap is not Function.vmap
    if own_rule and cls.generate_vmap_rule:
        raise RuntimeError(
            f"You tried to vmap over {cls.__name__}, but it has both generate_vmap_rule=True and an overriden vmap "
            "staticmethod. Please set generate_vmap_rule=False or delete the overriden vmap staticmethod to avoid "
            "ambiguity."
        )
    return by_rule(cls.vmap, cls.__name__, args, level) if own_rule else _by_sample(cls, args, level)


def _dims(args: Any, level: int) -> Any:
    """For each argument, 0 where it is a batch, else None; nested as the arguments are."""
    from .utils import _pytree

    return _pytree.tree_map(lambda x: 0 if _C._vmap_level_of(x) == level else None, args)


def by_rule(rule: Callable[..., Any], name: str, args: tuple[Any, ...], level: int) -> Any:
    """What `rule(info, in_dims, *batches)` makes of the batches at a level."""
    from .utils import _pytree

    values = _pytree.tree_map(lambda x: _C._vmap_value_of(x) if _C._vmap_level_of(x) == level else x, args)
    info = VmapInfo(*_C._vmap_info(level))
    found = _C._vmap_call_below(level, rule, (info, _dims(args, level), *values))
    if not (isinstance(found, tuple) and len(found) == 2):
        raise RuntimeError(
            f"Expected the vmap staticmethod of {name} to return (output, out_dims), got {type(found)}"
        )
    output, out_dims = found
    leaves, spec = _pytree.tree_flatten(output)
    from ._vmap import _spread

    dims = _spread(out_dims, output)
    if dims is None and isinstance(out_dims, (tuple, list)) and len(out_dims) == len(leaves):
        dims = list(out_dims)
    if dims is None:
        raise RuntimeError(
            f"Expected the vmap staticmethod of {name} to return out_dims with the structure of its output"
        )
    wrapped = [x if d is None else _C._vmap_batched(x, d % x.dim(), level) for x, d in zip(leaves, dims)]
    return _pytree.tree_unflatten(wrapped, spec)


def _by_sample(cls: Any, args: tuple[Any, ...], level: int) -> Any:
    size = _C._vmap_info(level)[0]
    dims = _dims(args, level)
    batches = [_C._vmap_value_of(x) if d == 0 else x for x, d in zip(args, dims)]

    def one(i: int) -> Any:
        return cls.apply(*(x.select(0, i) if d == 0 else x for x, d in zip(batches, dims)))

    found = [_C._vmap_call_below(level, one, (i,)) for i in range(size)]
    single = not isinstance(found[0], tuple)
    columns = [found] if single else list(zip(*found))
    outputs = [
        _C._vmap_batched(_C._vmap_call_below(level, _ops.stack, (list(column),)), 0, level)
        if isinstance(column[0], _C.Tensor)
        else column[0]
        for column in columns
    ]
    return outputs[0] if single else tuple(outputs)
