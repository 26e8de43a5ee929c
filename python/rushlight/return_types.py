"""The classes of named results, such as `torch.return_types.max` (`torch.return_types`)."""

from __future__ import annotations

from . import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def __getattr__(name: str) -> Any:
    try:
        return getattr(_C._return_types, name)
    except AttributeError:
        raise AttributeError(f"module 'torch.return_types' has no attribute '{name}'") from None


def __dir__() -> list[str]:
    return [name for name in dir(_C._return_types) if not name.startswith("_")]
