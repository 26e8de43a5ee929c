"""Collectives that gradients pass through (`torch.distributed.nn`): refused, there is one process."""

from __future__ import annotations

from .. import fill
from . import functional

for _name in functional.__all__:
    globals()[_name] = getattr(functional, _name)
fill(globals(), "RemoteModule", "")
