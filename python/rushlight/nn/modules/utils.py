"""Tuples for layer arguments, and prefixes of state dictionaries."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["consume_prefix_in_state_dict_if_present"]


def _ntuple(n: int, name: str = "parse") -> Callable[[Any], tuple[Any, ...]]:
    """A function that repeats a single value `n` times and makes a tuple of a sequence."""

    def parse(x: Any) -> tuple[Any, ...]:
        if isinstance(x, (int, float, str)) or not hasattr(x, "__iter__"):
            return (x,) * n
        return tuple(x)

    parse.__name__ = name
    return parse


_single = _ntuple(1, "_single")
_pair = _ntuple(2, "_pair")
_triple = _ntuple(3, "_triple")
_quadruple = _ntuple(4, "_quadruple")


def _reverse_repeat_tuple(t: tuple[Any, ...], n: int) -> tuple[Any, ...]:
    """The entries from last to first, each `n` times, as `pad` wants them."""
    return tuple(x for x in reversed(t) for _ in range(n))


def _list_with_default(out_size: Any, defaults: Any) -> Any:
    """`out_size` with None replaced by the sizes at the end of `defaults`."""
    if isinstance(out_size, int):
        return out_size
    if len(defaults) <= len(out_size):
        raise ValueError(f"Input dimension should be at least {len(out_size) + 1}")
    ending = defaults[-len(out_size) :]
    return [d if s is None else s for s, d in zip(out_size, ending)]


def consume_prefix_in_state_dict_if_present(state_dict: dict[str, Any], prefix: str) -> None:
    """Takes `prefix` off the keys of a state dictionary, in place.

    >>> entries = {"module.weight": 1}
    >>> consume_prefix_in_state_dict_if_present(entries, "module.")
    >>> entries
    {'weight': 1}
    """
    for key in list(state_dict):
        if key.startswith(prefix):
            state_dict[key[len(prefix) :]] = state_dict.pop(key)
    metadata = getattr(state_dict, "_metadata", None)
    if metadata is not None:
        for key in list(metadata):
            # "module" itself and "module.x"; the module without a name stays.
            if key and key.startswith(prefix):
                metadata[key[len(prefix) :]] = metadata.pop(key)
            elif key and key == prefix.rstrip("."):
                metadata[""] = metadata.pop(key)
