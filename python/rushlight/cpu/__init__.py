"""The CPU as a device (`torch.cpu`): work is done when a call returns, so streams and events are trivial."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def is_available() -> bool:
    """True."""
    return True


def device_count() -> int:
    """1."""
    return 1


def current_device() -> str:
    """The name of the device: "cpu"."""
    return "cpu"


def set_device(device: Any) -> None:
    """Accepted: there is one CPU."""


def is_initialized() -> bool:
    """True."""
    return True


def synchronize(device: Any = None) -> None:
    """Nothing to wait for."""


def get_capabilities() -> dict[str, Any]:
    """What the processor is."""
    import platform

    return {"architecture": platform.machine()}


class Stream:
    """Work in order, which all work is."""

    def __init__(self, device: Any = None, priority: int = -1, **kwargs: Any) -> None:
        self.device = device

    def wait_stream(self, stream: Any) -> None:
        """Nothing to wait for."""

    def wait_event(self, event: Any) -> None:
        """Nothing to wait for."""

    def record_event(self, event: Any = None) -> Any:
        """The event, recorded now."""
        event = event or Event()
        event.record(self)
        return event

    def synchronize(self) -> None:
        """Nothing to wait for."""

    def query(self) -> bool:
        """True: all work is done."""
        return True

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *exc: object) -> None: ...


class Event:
    """A point in time."""

    def __init__(self, device: Any = None, enable_timing: bool = False, **kwargs: Any) -> None:
        self._seconds: float | None = None

    def record(self, stream: Any = None) -> None:
        """Take the time."""
        from time import perf_counter

        self._seconds = perf_counter()

    def query(self) -> bool:
        """True: all work is done."""
        return True

    def wait(self, stream: Any = None) -> None:
        """Nothing to wait for."""

    def synchronize(self) -> None:
        """Nothing to wait for."""

    def elapsed_time(self, end_event: Event) -> float:
        """Milliseconds from this event to another; RuntimeError unless both were recorded."""
        if self._seconds is None or end_event._seconds is None:
            raise RuntimeError("Both events must be recorded before calculating elapsed time.")
        return 1e3 * (end_event._seconds - self._seconds)


_stream = Stream()


def current_stream(device: Any = None) -> Stream:
    """The one stream."""
    return _stream


class StreamContext:
    """A context in which nothing changes."""

    def __init__(self, stream: Any) -> None: ...

    def __enter__(self) -> None: ...

    def __exit__(self, *exc: object) -> None: ...


def stream(stream: Any) -> StreamContext:
    """A context in which nothing changes."""
    return StreamContext(stream)


def __getattr__(name: str) -> Any:
    if name == "amp":
        __import__(f"{__name__}.amp")
        return sys.modules[f"{__name__}.amp"]
    raise AttributeError(f"module 'torch.cpu' has no attribute '{name}'")
