"""`torch.distributed.tensor`: absent; every name refuses when it is used."""

from __future__ import annotations

from .. import fill

fill(
    globals(),
    "DTensor Replicate Shard Partial",
    "distribute_tensor distribute_module",
)
