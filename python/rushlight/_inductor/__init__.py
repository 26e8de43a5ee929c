"""The back of PyTorch's compiler (`torch._inductor`): absent; its settings are kept without effect."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def cudagraph_mark_step_begin() -> None:
    """Nothing to mark."""


def compile(gm: Any, example_inputs: Any, options: Any = None) -> Any:
    """`gm` itself."""
    return gm


def _refuse(name: str) -> RuntimeError:
    return RuntimeError(f"_inductor.{name}: rushlight has no compiler")


def aoti_compile_and_package(*args: Any, **kwargs: Any) -> Any:
    """Always refused."""
    raise _refuse("aoti_compile_and_package")


def aoti_load_package(*args: Any, **kwargs: Any) -> Any:
    """Always refused."""
    raise _refuse("aoti_load_package")


def __getattr__(name: str) -> Any:
    if name in ("config", "utils"):
        __import__(f"{__name__}.{name}")
        return sys.modules[f"{__name__}.{name}"]
    raise AttributeError(f"module 'torch._inductor' has no attribute '{name}'")
