"""Collectives that gradients pass through (`torch.distributed.nn`): refused, there is one process."""

from __future__ import annotations

from . import functional
from .functional import *  # noqa: F403
from .. import fill

fill(globals(), "RemoteModule", "")

__all__ = [*functional.__all__, "RemoteModule"]
