"""`torch.cuda.amp.autocast`, `custom_fwd`, `custom_bwd`: `torch.amp` for device "cuda"."""

from __future__ import annotations

from functools import partial

from ... import amp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class autocast(amp.autocast):  # noqa: N801
    """`torch.amp.autocast("cuda")`."""

    def __init__(self, enabled: bool = True, dtype: Any = None, cache_enabled: bool = True) -> None:
        super().__init__("cuda", dtype=dtype, enabled=enabled, cache_enabled=cache_enabled)


custom_fwd = partial(amp.custom_fwd, device_type="cuda")
custom_bwd = partial(amp.custom_bwd, device_type="cuda")


def _cast(value: Any, dtype: Any) -> Any:
    """The value with every floating tensor in it converted, GPU tensors only: so the value itself."""
    return value
