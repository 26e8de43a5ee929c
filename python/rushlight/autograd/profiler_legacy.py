"""The profiler under its older module name `torch.autograd.profiler_legacy`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def __getattr__(name: str) -> Any:
    from .. import profiler

    if name.startswith("__"):
        raise AttributeError(name)
    try:
        return getattr(profiler, name)
    except AttributeError:
        raise AttributeError(f"module 'torch.autograd.profiler_legacy' has no attribute '{name}'") from None
