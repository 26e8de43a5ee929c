"""Mixed precision: `autocast` chooses the dtype of operators, `GradScaler` keeps gradients in range."""

from .autocast_mode import (
    autocast as autocast,
    autocast_decorator as autocast_decorator,
    custom_bwd as custom_bwd,
    custom_fwd as custom_fwd,
    is_autocast_available as is_autocast_available,
)
from .grad_scaler import GradScaler as GradScaler, OptState as OptState

__all__ = [
    "GradScaler",
    "OptState",
    "autocast",
    "autocast_decorator",
    "custom_bwd",
    "custom_fwd",
    "is_autocast_available",
]
