"""cuDNN (`torch.backends.cudnn`): absent; settings are kept and have no effect on the CPU."""

from __future__ import annotations

from . import _Flags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

enabled = True
benchmark = False
benchmark_limit = 10
deterministic = False
allow_tf32 = True
fp32_precision = "none"


def version() -> int | None:
    """None: there is no cuDNN."""
    return None


def is_available() -> bool:
    """False."""
    return False


def is_acceptable(tensor: Any) -> bool:
    """False."""
    return False


def flags(
    enabled: bool = False,
    benchmark: bool = False,
    benchmark_limit: int = 10,
    deterministic: bool = False,
    allow_tf32: bool = True,
    fp32_precision: str = "none",
) -> _Flags:
    """The settings for the extent of a `with` block."""
    return _Flags(__name__, dict(locals()))


def set_flags(**values: Any) -> None:
    """Keep settings."""
    globals().update({name: value for name, value in values.items() if value is not None})
