"""The older names of mixed precision (`torch.cuda.amp`): use `torch.amp` with device "cuda", which is disabled here."""

from __future__ import annotations

from .autocast_mode import autocast, custom_bwd, custom_fwd
from .grad_scaler import GradScaler, OptState

__all__ = ["GradScaler", "OptState", "amp_definitely_not_available", "autocast", "custom_bwd", "custom_fwd"]


def amp_definitely_not_available() -> bool:
    """True: there is no GPU."""
    return True
