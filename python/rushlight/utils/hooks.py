"""Handles that take hooks off again."""

from __future__ import annotations

import functools
import warnings
import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

__all__ = ["RemovableHandle", "unserializable_hook", "warn_if_has_hooks"]


class RemovableHandle:
    """Returned by every `register_*_hook`; `remove()` or leaving a `with` block takes the hook off.

    `hooks_dict` is the ordered dictionary that holds the hook under `handle.id`; `extra_dict` is one
    dictionary (or a list of them) with further entries under the same id.

    >>> hooks = {}
    >>> handle = RemovableHandle(hooks)
    >>> hooks[handle.id] = print
    >>> handle.remove()
    >>> hooks
    {}
    """

    id: int
    next_id: int = 0

    def __init__(self, hooks_dict: Any, *, extra_dict: Any = None) -> None:
        self.hooks_dict_ref = weakref.ref(_referable(hooks_dict))
        self._plain = None if _is_referable(hooks_dict) else hooks_dict
        self.id = RemovableHandle.next_id
        RemovableHandle.next_id += 1
        extras = extra_dict if isinstance(extra_dict, list) else [extra_dict]
        self.extra_dict_ref: tuple[Callable[[], Any], ...] = tuple(
            weakref.ref(d) if _is_referable(d) else functools.partial(_same, d)
            for d in extras
            if d is not None
        )

    def _hooks(self) -> Any:
        return self._plain if self._plain is not None else self.hooks_dict_ref()

    def remove(self) -> None:
        """Take the hook off; a second call does nothing."""
        hooks = self._hooks()
        if hooks is not None:
            hooks.pop(self.id, None)
        for reference in self.extra_dict_ref:
            extra = reference()
            if extra is not None:
                extra.pop(self.id, None)

    def __getstate__(self) -> tuple[Any, ...]:
        extras = tuple(ref() for ref in self.extra_dict_ref)
        return (self._hooks(), self.id, extras)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        hooks = state[0] if state[0] is not None else OrderedDict()
        self.hooks_dict_ref = weakref.ref(_referable(hooks))
        self._plain = None if _is_referable(hooks) else hooks
        self.id = state[1]
        RemovableHandle.next_id = max(RemovableHandle.next_id, self.id + 1)
        extras = state[2] if len(state) > 2 else ()
        self.extra_dict_ref = tuple(
            weakref.ref(d) if _is_referable(d) else functools.partial(_same, d)
            for d in extras
            if d is not None
        )

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *exc: object) -> None:
        self.remove()


class _Anchor:
    """Stands in where a plain `dict`, which cannot be weakly referenced, holds the hooks."""


_ANCHOR = _Anchor()


def _is_referable(mapping: Any) -> bool:
    return type(mapping).__weakrefoffset__ != 0


def _referable(mapping: Any) -> Any:
    return mapping if _is_referable(mapping) else _ANCHOR


def _same(mapping: Any) -> Any:
    return mapping


def unserializable_hook(f: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a hook so that writing its tensor to a file warns that the hook stays behind."""
    f.__torch_unserializable__ = True  # type: ignore[attr-defined]
    return f


def warn_if_has_hooks(tensor: Any) -> None:
    """Warn for each hook of `tensor` that will not be written with it."""
    hooks = getattr(tensor, "_backward_hooks", None)
    for hook in list((hooks or {}).values()):
        if not hasattr(hook, "__torch_unserializable__"):
            warnings.warn(
                f"backward hook {hook!r} on tensor will not be serialized. If this is expected, "
                "decorate the function with @rushlight.utils.hooks.unserializable_hook.",
                stacklevel=2,
            )
