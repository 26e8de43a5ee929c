"""`torch.fx.graph_module`: see `torch.fx`."""

from __future__ import annotations

from . import GraphModule

__all__ = ["GraphModule"]
