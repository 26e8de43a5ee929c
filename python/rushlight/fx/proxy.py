"""`torch.fx.proxy`: see `torch.fx`."""

from __future__ import annotations

from . import Proxy

__all__ = ["Proxy"]
