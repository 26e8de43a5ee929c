"""parallel_apply: several modules called, each with its own inputs."""

from __future__ import annotations

from rushlight import Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["get_a_var", "parallel_apply"]


def get_a_var(obj: Any) -> Tensor | None:
    """The first tensor in nested lists, tuples and dictionaries."""
    if isinstance(obj, Tensor):
        return obj
    parts: Any = ()
    if isinstance(obj, (list, tuple)):
        parts = obj
    elif isinstance(obj, dict):
        parts = obj.items()
    for part in parts:
        found = get_a_var(part)
        if found is not None:
            return found
    return None


def parallel_apply(
    modules: Any, inputs: Any, kwargs_tup: Any = None, devices: Any = None
) -> list[Any]:
    """`module(*input, **kwargs)` for each module, in order."""
    if len(modules) != len(inputs):
        raise AssertionError(
            f"The number of modules {len(modules)} is not equal to the number of inputs "
            f"{len(inputs)}"
        )
    if kwargs_tup is None:
        kwargs_tup = ({},) * len(modules)
    results = []
    for module, args, kwargs in zip(modules, inputs, kwargs_tup):
        if not isinstance(args, (list, tuple)):
            args = (args,)
        results.append(module(*args, **kwargs))
    return results
