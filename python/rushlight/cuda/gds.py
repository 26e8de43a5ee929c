"""GPUDirect storage (`torch.cuda.gds`): absent."""

from __future__ import annotations

from . import _NoDeviceObject


class GdsFile(_NoDeviceObject):
    """Always refused."""
