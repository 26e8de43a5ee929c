"""`torch.distributed.algorithms._checkpoint.checkpoint_wrapper`: absent; every name refuses when it is used."""

from __future__ import annotations

from ... import fill

fill(
    globals(),
    "CheckpointImpl CheckpointWrapper",
    "apply_activation_checkpointing checkpoint_wrapper",
)
