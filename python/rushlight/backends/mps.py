"""Apple's Metal (`torch.backends.mps`): absent."""

from __future__ import annotations


def is_built() -> bool:
    """False."""
    return False


def is_available() -> bool:
    """False."""
    return False


def is_macos_or_newer(major: int, minor: int) -> bool:
    """False."""
    return False


is_macos13_or_newer = is_macos_or_newer
