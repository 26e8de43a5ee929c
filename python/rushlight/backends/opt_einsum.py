"""opt_einsum (`torch.backends.opt_einsum`): not used; `einsum` contracts from left to right."""

from __future__ import annotations

enabled = False
strategy: str | None = None


def is_available() -> bool:
    """False."""
    return False


def get_opt_einsum() -> None:
    """None."""


def set_flags(_enabled: bool | None = None, _strategy: str | None = None) -> tuple[bool, str | None]:
    """Accepted without effect; returns the settings that were in force."""
    return enabled, strategy
