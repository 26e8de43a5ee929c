"""`torch.distributed._tensor`: absent; every name refuses when it is used."""

from __future__ import annotations

from . import fill

fill(
    globals(),
    "DTensor Replicate Shard Partial DeviceMesh",
    "distribute_tensor distribute_module",
)
