"""`torch.distributed.fsdp.sharded_grad_scaler`: absent; every name refuses when it is used."""

from __future__ import annotations

from .. import fill

fill(
    globals(),
    "ShardedGradScaler",
    "",
)
