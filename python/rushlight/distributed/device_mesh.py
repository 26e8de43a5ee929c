"""`torch.distributed.device_mesh`: absent; every name refuses when it is used."""

from __future__ import annotations

from . import fill

fill(
    globals(),
    "DeviceMesh",
    "init_device_mesh",
)
