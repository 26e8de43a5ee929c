"""Values that arrive later (`torch.futures`)."""

from __future__ import annotations

import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Future:
    """A value, or an error, that one thread sets and others wait for."""

    def __init__(self, *, devices: Any = None) -> None:
        self._ready = threading.Event()
        self._lock = threading.Lock()
        self._callbacks: list[Callable[[Future], Any]] = []
        self._value: Any = None
        self._error: BaseException | None = None

    def done(self) -> bool:
        """Whether the value or an error is there."""
        return self._ready.is_set()

    def wait(self) -> Any:
        """The value, waited for; raises the error if one was set."""
        self._ready.wait()
        return self.value()

    def value(self) -> Any:
        """The value, which must be there."""
        if not self.done():
            raise RuntimeError("Future: value() before the result is set; use wait()")
        if self._error is not None:
            raise self._error
        return self._value

    def _finish(self, value: Any, error: BaseException | None) -> None:
        with self._lock:
            if self.done():
                raise RuntimeError("Future can only be marked completed once: attempted to mark a completed future")
            self._value, self._error = value, error
            self._ready.set()
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback(self)

    def set_result(self, result: Any) -> None:
        """Give the value."""
        self._finish(result, None)

    def set_exception(self, result: BaseException) -> None:
        """Give an error in its place."""
        if not isinstance(result, BaseException):
            raise AssertionError(f"{result} is of type {type(result)}, not an Exception.")
        self._finish(None, result)

    def add_done_callback(self, callback: Callable[[Future], None]) -> None:
        """Call `callback(self)` when the value is there."""
        with self._lock:
            if not self.done():
                self._callbacks.append(callback)
                return
        callback(self)

    def then(self, callback: Callable[[Future], Any]) -> Future:
        """A future of `callback(self)`."""
        made = Future()

        def run(done: Future) -> None:
            try:
                made.set_result(callback(done))
            except BaseException as error:  # noqa: BLE001 - it is passed to whoever waits
                made.set_exception(error)

        self.add_done_callback(run)
        return made

    def __class_getitem__(cls, item: Any) -> type[Future]:
        return cls


def collect_all(futures: list[Future]) -> Future:
    """A future of the list, done when all of them are."""
    made = Future()
    left = [len(futures)]
    lock = threading.Lock()

    def one_done(_: Future) -> None:
        with lock:
            left[0] -= 1
            last = left[0] == 0
        if last:
            made.set_result(futures)

    if not futures:
        made.set_result([])
    for future in futures:
        future.add_done_callback(one_done)
    return made


def wait_all(futures: list[Future]) -> list[Any]:
    """The values of all, waited for; raises the first error."""
    return [future.wait() for future in collect_all(futures).wait()]
