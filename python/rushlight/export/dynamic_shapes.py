"""Named sizes (`torch.export.dynamic_shapes`): see `torch.export`."""

from __future__ import annotations

from . import Dim, dims

__all__ = ["Dim", "dims"]
