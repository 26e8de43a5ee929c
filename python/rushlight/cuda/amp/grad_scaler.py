"""`torch.cuda.amp.GradScaler`: `torch.amp.GradScaler("cuda")`, which is disabled without a GPU."""

from __future__ import annotations

from ... import amp
from ...amp.grad_scaler import OptState

__all__ = ["GradScaler", "OptState"]


class GradScaler(amp.GradScaler):
    """`torch.amp.GradScaler("cuda")`."""

    def __init__(
        self,
        init_scale: float = 65536.0,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        super().__init__("cuda", init_scale, growth_factor, backoff_factor, growth_interval, enabled)
