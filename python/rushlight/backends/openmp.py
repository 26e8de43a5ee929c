"""OpenMP (`torch.backends.openmp`): not used, threads are rushlight's own."""

from __future__ import annotations

enabled = False


def is_available() -> bool:
    """False."""
    return False


def set_flags(_enabled: bool) -> tuple[bool]:
    """Accepted without effect; returns the setting that was in force."""
    return (False,)
