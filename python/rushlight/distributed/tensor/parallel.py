"""`torch.distributed.tensor.parallel`: absent; every name refuses when it is used."""

from __future__ import annotations

from .. import fill

fill(
    globals(),
    "ColwiseParallel PrepareModuleInput PrepareModuleOutput RowwiseParallel SequenceParallel",
    "loss_parallel parallelize_module",
)
