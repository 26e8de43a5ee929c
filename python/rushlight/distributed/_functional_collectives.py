"""`torch.distributed._functional_collectives`: absent; every name refuses when it is used."""

from __future__ import annotations

from . import fill

fill(
    globals(),
    "AsyncCollectiveTensor",
    "all_gather_tensor all_reduce all_to_all_single permute_tensor reduce_scatter_tensor",
)
