"""Signal processing (`torch.signal`): window functions."""

from __future__ import annotations

from . import windows

__all__ = ["windows"]
