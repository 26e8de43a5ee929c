"""The front of PyTorch's compiler (`torch._dynamo`): nothing is traced, so its switches have no effect."""

from __future__ import annotations

import sys

from ..compiler import (
    allow_in_graph,
    assume_constant_result,
    disable,
    is_compiling,
    list_backends,
    reset,
    substitute_in_graph,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "allow_in_graph",
    "assume_constant_result",
    "disable",
    "explain",
    "graph_break",
    "is_compiling",
    "list_backends",
    "mark_dynamic",
    "mark_static",
    "maybe_mark_dynamic",
    "optimize",
    "reset",
    "run",
    "substitute_in_graph",
]


def optimize(backend: Any = "inductor", **kwargs: Any) -> Any:
    """A decorator that returns its function: nothing is compiled."""
    from ..compiler import _tell

    _tell()
    return lambda function: function


def run(fn: Any = None) -> Any:
    """`fn` itself."""
    return (lambda function: function) if fn is None else fn


def forbid_in_graph(fn: Any) -> Any:
    """`fn` itself."""
    return fn


def graph_break(msg: str = "") -> None:
    """Nothing to break."""


def mark_dynamic(t: Any, index: Any, **kwargs: Any) -> None:
    """Accepted: sizes are never specialised."""


maybe_mark_dynamic = mark_static = mark_static_address = mark_unbacked = mark_dynamic


def explain(f: Any, *args: Any, **kwargs: Any) -> Any:
    """Always refused."""
    raise RuntimeError("_dynamo.explain: rushlight does not trace programs, so there is nothing to explain")


def is_dynamo_supported() -> bool:
    """False."""
    return False


def __getattr__(name: str) -> Any:
    if name in ("config", "eval_frame", "utils", "OptimizedModule"):
        if name == "OptimizedModule":
            from .eval_frame import OptimizedModule

            return OptimizedModule
        __import__(f"{__name__}.{name}")
        return sys.modules[f"{__name__}.{name}"]
    raise AttributeError(f"module 'torch._dynamo' has no attribute '{name}'")
