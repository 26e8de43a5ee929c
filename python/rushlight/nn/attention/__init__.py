"""Settings of scaled dot-product attention. rushlight has one kernel, which takes every case."""

from __future__ import annotations

from contextlib import contextmanager
from enum import Enum

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

__all__ = [
    "SDPBackend",
    "WARN_FOR_UNFUSED_KERNELS",
    "activate_flash_attention_impl",
    "current_flash_attention_impl",
    "list_flash_attention_impls",
    "register_flash_attention_impl",
    "restore_flash_attention_impl",
    "sdpa_kernel",
]

WARN_FOR_UNFUSED_KERNELS = False


class SDPBackend(Enum):
    """The kernels that programs may ask for."""

    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4

    def __int__(self) -> int:
        return self.value

    __index__ = __int__


# The order in which PyTorch lists them.
_ORDER = (
    SDPBackend.CUDNN_ATTENTION,
    SDPBackend.FLASH_ATTENTION,
    SDPBackend.EFFICIENT_ATTENTION,
    SDPBackend.MATH,
    SDPBackend.OVERRIDEABLE,
)
_enabled: tuple[SDPBackend, ...] = _ORDER


def _cur_sdpa_kernel_backends(with_priority: bool = False) -> list[SDPBackend]:
    return list(_enabled)


@contextmanager
def sdpa_kernel(backends: Any, set_priority: bool = False) -> Iterator[dict[Any, Any]]:
    """Within the block, asks for one or several kernels; the result does not depend on it.

    Args:
        backends: an SDPBackend or a list of them.
        set_priority: the list is in order of preference.

    >>> with sdpa_kernel(SDPBackend.MATH):
    ...     _cur_sdpa_kernel_backends()
    [<SDPBackend.MATH: 0>]
    """
    global _enabled
    if not isinstance(backends, (list, SDPBackend)):
        raise AssertionError(
            "Backend must be an instance of SDPBackend or a list of SDPBackend instances, got "
            + type(backends).__name__
        )
    chosen = [backends] if isinstance(backends, SDPBackend) else list(dict.fromkeys(backends))
    before = _enabled
    _enabled = tuple(chosen) if set_priority else tuple(b for b in _ORDER if b in chosen)
    try:
        yield {}
    finally:
        _enabled = before


@contextmanager
def _sdpa_kernel_variadic(*backends: SDPBackend) -> Iterator[None]:
    with sdpa_kernel(list(backends)):
        yield


def list_flash_attention_impls() -> list[str]:
    """The flash attention implementations that can be activated: none."""
    return []


def current_flash_attention_impl() -> str | None:
    """The activated flash attention implementation: none."""
    return None


def register_flash_attention_impl(impl: str, *, register_fn: Any) -> None:
    """Refused: there is one attention kernel."""
    raise RuntimeError(
        f"register_flash_attention_impl: cannot register {impl!r}; rushlight has one attention "
        "kernel"
    )


def activate_flash_attention_impl(impl: str) -> None:
    """Refused: there is one attention kernel."""
    raise RuntimeError(
        f"activate_flash_attention_impl: unknown implementation {impl!r}; rushlight has one "
        "attention kernel"
    )


def restore_flash_attention_impl(_raise_warn: bool = True) -> None:
    """Does nothing: nothing was activated."""
