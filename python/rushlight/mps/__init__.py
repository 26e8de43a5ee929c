"""What `torch.mps` answers where there are no Apple GPUs: counts are 0, and whatever needs a device is refused."""

from __future__ import annotations

from .._absent_device import fill

fill(globals(), "mps", "MPS")
