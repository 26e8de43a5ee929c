"""`torch.distributed.checkpoint.default_planner`: absent; every name refuses when it is used."""

from __future__ import annotations

from .. import fill

fill(
    globals(),
    "DefaultLoadPlanner DefaultSavePlanner",
    "",
)
