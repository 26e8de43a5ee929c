"""Who is told of operators: the extension calls one function, and several may listen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rushlight import _C

# Called with (name, True, shapes, other parameters) before and (name, False, shapes of results, ()) after an operator;
# without shapes, None stands for them.
Observer = Callable[[str, bool, Any, Sequence[Any]], None]
_observers: list[tuple[Observer, bool]] = []


def _tell_all(name: str, start: bool, shapes: Any, parameters: Sequence[Any]) -> None:
    for observer, _ in _observers:
        observer(name, start, shapes, parameters)


def _install() -> None:
    if not _observers:
        _C._set_profiler(None)
        return
    called = _observers[0][0] if len(_observers) == 1 else _tell_all
    _C._set_profiler(called, any(shapes for _, shapes in _observers))


def add(observer: Observer, shapes: bool) -> None:
    """Call `observer` for every operator of this thread from now on."""
    _observers.append((observer, shapes))
    _install()


def remove(observer: Observer) -> None:
    """Call `observer` no longer."""
    _observers[:] = [entry for entry in _observers if entry[0] is not observer]
    _install()
