"""`torch.distributed.fsdp.fully_sharded_data_parallel`: absent; every name refuses when it is used."""

from __future__ import annotations

from .. import fill

fill(
    globals(),
    "BackwardPrefetch CPUOffload FullStateDictConfig FullyShardedDataParallel MixedPrecision ShardingStrategy StateDictType",
    "",
)
