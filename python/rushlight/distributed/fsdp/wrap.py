"""`torch.distributed.fsdp.wrap`: absent; every name refuses when it is used."""

from __future__ import annotations

from .. import fill

fill(
    globals(),
    "ModuleWrapPolicy",
    "always_wrap_policy enable_wrap size_based_auto_wrap_policy transformer_auto_wrap_policy wrap",
)
