"""Graphs of programs (`torch.fx`): the names exist for annotations and decorators; tracing is refused."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def _refuse(name: str) -> RuntimeError:
    return RuntimeError(f"fx.{name}: rushlight does not trace programs into graphs; run the module itself")


def wrap(fn_or_name: Any) -> Any:
    """`fn_or_name` itself: nothing is traced."""
    return fn_or_name


def symbolic_trace(*args: Any, **kwargs: Any) -> Any:
    """Always refused."""
    raise _refuse("symbolic_trace")


def replace_pattern(*args: Any, **kwargs: Any) -> Any:
    """Always refused."""
    raise _refuse("replace_pattern")


def map_arg(a: Any, fn: Callable[[Any], Any]) -> Any:
    """`a` with `fn` applied to the nodes in it."""
    if isinstance(a, (tuple, list)):
        return type(a)(map_arg(item, fn) for item in a)
    if isinstance(a, dict):
        return {key: map_arg(item, fn) for key, item in a.items()}
    return fn(a) if isinstance(a, Node) else a


class _Refused:
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise _refuse(type(self).__name__)


class Graph(_Refused):
    """Always refused."""


class Node(_Refused):
    """Always refused."""


class Proxy(_Refused):
    """Always refused; nothing is an instance of it."""


class Tracer(_Refused):
    """Always refused."""


class Interpreter(_Refused):
    """Always refused."""


class Transformer(_Refused):
    """Always refused."""


def __getattr__(name: str) -> Any:
    if name == "GraphModule":
        from ..nn import Module

        body = {"__init__": _Refused.__init__, "__doc__": "Always refused.", "__module__": "torch.fx"}
        made = globals()[name] = type(name, (Module,), body)
        return made
    raise AttributeError(f"module 'torch.fx' has no attribute '{name}'")
