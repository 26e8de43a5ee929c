"""The fast path of multi-head attention (`torch.backends.mha`)."""

from __future__ import annotations

_enabled = True


def get_fastpath_enabled() -> bool:
    """What `set_fastpath_enabled` was given last."""
    return _enabled


def set_fastpath_enabled(value: bool) -> None:
    """Keeps the setting; results are the same either way."""
    global _enabled
    _enabled = bool(value)
