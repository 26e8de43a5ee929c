"""`torch.distributed.checkpoint.state_dict`: absent; every name refuses when it is used."""

from __future__ import annotations

from .. import fill

fill(
    globals(),
    "StateDictOptions",
    "get_model_state_dict get_optimizer_state_dict get_state_dict set_model_state_dict set_optimizer_state_dict set_state_dict",
)
