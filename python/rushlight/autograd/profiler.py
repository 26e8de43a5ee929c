"""The profiler under its older module name `torch.autograd.profiler`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_is_profiler_enabled = False


def __getattr__(name: str) -> Any:
    from .. import profiler

    if name.startswith("__"):
        raise AttributeError(name)
    try:
        return getattr(profiler, name)
    except AttributeError:
        raise AttributeError(f"module 'torch.autograd.profiler' has no attribute '{name}'") from None
