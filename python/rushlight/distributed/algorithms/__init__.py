"""`torch.distributed.algorithms`: absent; every name refuses when it is used."""

from __future__ import annotations

from .. import fill

fill(
    globals(),
    "Join",
    "",
)
