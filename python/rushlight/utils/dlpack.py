"""Exchange of memory with other libraries by DLPack capsules."""

from __future__ import annotations

from typing import Any

import rushlight
from rushlight import Tensor

__all__ = ["from_dlpack", "to_dlpack"]


def from_dlpack(ext_tensor: Any) -> Tensor:
    """A tensor over the memory of a capsule or of any object with `__dlpack__`."""
    return rushlight.from_dlpack(ext_tensor)


def to_dlpack(tensor: Tensor) -> Any:
    """A capsule that shares the memory of a tensor."""
    return rushlight._C._to_dlpack(tensor)
