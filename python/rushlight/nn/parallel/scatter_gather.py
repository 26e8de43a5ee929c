"""Nested inputs split over devices, and outputs joined."""

from __future__ import annotations

import rushlight
from rushlight import Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["gather", "scatter", "scatter_kwargs"]


def _is_namedtuple(obj: Any) -> bool:
    return isinstance(obj, tuple) and hasattr(obj, "_asdict") and hasattr(obj, "_fields")


def scatter(inputs: Any, target_gpus: Any, dim: int = 0) -> Any:
    """One part for each device: tensors are cut along `dim`, other values repeated."""
    count = len(target_gpus)

    def cut(obj: Any) -> list[Any]:
        if isinstance(obj, Tensor):
            return [part.to(device) for part, device in zip(obj.chunk(count, dim), target_gpus)]
        if _is_namedtuple(obj):
            return [type(obj)(*parts) for parts in zip(*map(cut, obj))]
        if isinstance(obj, tuple) and obj:
            return list(zip(*map(cut, obj)))
        if isinstance(obj, list) and obj:
            return [list(parts) for parts in zip(*map(cut, obj))]
        if isinstance(obj, dict) and obj:
            return [type(obj)(parts) for parts in zip(*map(cut, obj.items()))]
        return [obj for _ in target_gpus]

    return cut(inputs)


def scatter_kwargs(inputs: Any, kwargs: Any, target_gpus: Any, dim: int = 0) -> Any:
    """Positional and keyword arguments in one part for each device."""
    parts = scatter(inputs, target_gpus, dim) if inputs else []
    named = scatter(kwargs, target_gpus, dim) if kwargs else []
    length = max(len(parts), len(named))
    parts.extend(() for _ in range(length - len(parts)))
    named.extend({} for _ in range(length - len(named)))
    return tuple(parts), tuple(named)


def gather(outputs: Any, target_device: Any, dim: int = 0) -> Any:
    """Outputs of several devices joined along `dim` on one."""
    first = outputs[0]
    if isinstance(first, Tensor):
        moved = [output.to(target_device) for output in outputs]
        if first.dim() == 0:
            return rushlight.stack(moved)
        return rushlight.cat(moved, dim)
    if first is None:
        return None
    if isinstance(first, dict):
        if any(len(output) != len(first) for output in outputs):
            raise ValueError("All dicts must have the same number of keys")
        return type(first)(
            (key, gather([output[key] for output in outputs], target_device, dim)) for key in first
        )
    joined = [gather(list(parts), target_device, dim) for parts in zip(*outputs)]
    return type(first)(*joined) if _is_namedtuple(first) else type(first)(joined)
