"""Collectives that gradients pass through (`torch.distributed.nn.functional`): refused, there is one process."""

from __future__ import annotations

from .. import fill

__all__ = "all_gather all_reduce all_to_all all_to_all_single broadcast gather reduce reduce_scatter scatter".split()

fill(globals(), "", " ".join(__all__))
