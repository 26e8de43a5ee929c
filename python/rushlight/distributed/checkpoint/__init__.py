"""`torch.distributed.checkpoint`: absent; every name refuses when it is used."""

from __future__ import annotations

from .. import fill

fill(
    globals(),
    "FileSystemReader FileSystemWriter",
    "load load_state_dict save save_state_dict",
)
