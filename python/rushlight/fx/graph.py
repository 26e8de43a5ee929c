"""`torch.fx.graph`: see `torch.fx`."""

from __future__ import annotations

from . import Graph

__all__ = ["Graph"]
