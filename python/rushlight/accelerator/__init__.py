"""The accelerator of this machine (`torch.accelerator`): none."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def is_available() -> bool:
    """False: rushlight runs on the CPU."""
    return False


def device_count() -> int:
    """0."""
    return 0


def current_accelerator(check_available: bool = False) -> Any:
    """None."""
    return None


def _refuse(what: str) -> RuntimeError:
    return RuntimeError(
        f"accelerator.{what}: Cannot access accelerator device when none is available: rushlight runs on the CPU"
    )


def current_device_index() -> int:
    """Always refused."""
    raise _refuse("current_device_index")


def set_device_index(device: Any, /) -> None:
    """Always refused."""
    raise _refuse("set_device_index")


current_device_idx = current_device_index
set_device_idx = set_device_index


def current_stream(device: Any = None, /) -> Any:
    """Always refused."""
    raise _refuse("current_stream")


def set_stream(stream: Any) -> None:
    """Always refused."""
    raise _refuse("set_stream")


def synchronize(device: Any = None, /) -> None:
    """Always refused."""
    raise _refuse("synchronize")


def empty_cache() -> None:
    """Nothing to do."""


def memory_allocated(device_index: Any = None, /) -> int:
    """0 bytes."""
    return 0


max_memory_allocated = memory_reserved = max_memory_reserved = memory_allocated


def reset_peak_memory_stats(device_index: Any = None, /) -> None:
    """Nothing to do."""


class device_index:  # noqa: N801
    """A context in which nothing changes, for None; a device is refused."""

    def __init__(self, device: int | None, /) -> None:
        if device is not None:
            raise _refuse("device_index")

    def __enter__(self) -> None: ...

    def __exit__(self, *exc: object) -> None: ...
