"""The older name of `torch.ao.quantization`."""

from __future__ import annotations

from ..ao import quantization as _new

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(_new, name)
