"""`torch.fx.node`: see `torch.fx`."""

from __future__ import annotations

from . import Node, map_arg

__all__ = ["Node", "map_arg"]
