"""`torch.distributed.fsdp`: absent; every name refuses when it is used."""

from __future__ import annotations

from .. import fill

fill(
    globals(),
    "BackwardPrefetch CPUOffload CPUOffloadPolicy FSDPModule FullStateDictConfig FullyShardedDataParallel MixedPrecision MixedPrecisionPolicy OptimStateKeyType OffloadPolicy ShardingStrategy StateDictType",
    "fully_shard",
)
