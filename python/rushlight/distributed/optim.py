"""`torch.distributed.optim`: absent; every name refuses when it is used."""

from __future__ import annotations

from . import fill

fill(
    globals(),
    "DistributedOptimizer PostLocalSGDOptimizer ZeroRedundancyOptimizer",
    "",
)
