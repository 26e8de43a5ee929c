"""`torch.distributed.autograd`: absent; every name refuses when it is used."""

from __future__ import annotations

from . import fill

fill(
    globals(),
    "context",
    "backward get_gradients",
)
