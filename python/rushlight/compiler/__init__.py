"""`compile` and its switches (`torch.compiler`): rushlight has no compiler, functions run as they are."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_told = False


def _tell() -> None:
    """Say, the first time, that nothing is compiled."""
    global _told
    if not _told:
        _told = True
        import warnings

        warnings.warn("torch.compile: rushlight runs programs as they are, without compiling them", stacklevel=3)


def compile(
    model: Callable[..., Any] | None = None,
    *,
    fullgraph: bool = False,
    dynamic: bool | None = None,
    backend: str | Callable[..., Any] = "inductor",
    mode: str | None = None,
    options: dict[str, Any] | None = None,
    disable: bool = False,
    **_: Any,
) -> Any:
    """`model` itself, or a decorator that returns its function: calls run as they are."""
    if mode is not None and options is not None:
        raise RuntimeError("Either mode or options can be specified, but both can't be specified at the same time.")
    if not disable:
        _tell()
    if model is None:
        return lambda function: function
    if not callable(model):
        raise RuntimeError(f"compile: expects a function or a module, got {type(model).__name__}")
    return model


def is_compiling() -> bool:
    """False."""
    return False


def is_dynamo_compiling() -> bool:
    """False."""
    return False


def is_exporting() -> bool:
    """False."""
    return False


def reset() -> None:
    """Nothing to forget."""


def _identity(fn: Any = None, *args: Any, **kwargs: Any) -> Any:
    return (lambda function: function) if fn is None else fn


def disable(fn: Any = None, recursive: bool = True, *, reason: str | None = None) -> Any:
    """`fn` itself: nothing is compiled."""
    return _identity(fn)


def _disable_dynamo(fn: Any = None, recursive: bool = True) -> Any:
    """`fn` itself."""
    return _identity(fn)


def allow_in_graph(fn: Any) -> Any:
    """`fn` itself."""
    return fn


def assume_constant_result(fn: Any) -> Any:
    """`fn` itself."""
    return fn


def substitute_in_graph(original_fn: Any, **kwargs: Any) -> Any:
    """A decorator that returns its function."""
    return lambda function: function


def cudagraph_mark_step_begin() -> None:
    """Nothing to mark."""


def list_backends(exclude_tags: Any = ()) -> list[str]:
    """Empty."""
    return []


class set_stance:  # noqa: N801
    """Accepted: nothing is compiled under any stance."""

    def __init__(self, stance: str = "default", **kwargs: Any) -> None:
        self.stance = stance

    def __enter__(self) -> None: ...

    def __exit__(self, *exc: object) -> None: ...

    def __call__(self, fn: Any) -> Any:
        return fn


def load_compiled_function(file: Any) -> Any:
    """Always refused."""
    raise RuntimeError("compiler.load_compiled_function: rushlight has no compiler and cannot run compiled functions")


def __getattr__(name: str) -> Any:
    if name == "config":
        __import__(f"{__name__}.config")
        return sys.modules[f"{__name__}.config"]
    raise AttributeError(f"module 'torch.compiler' has no attribute '{name}'")
