"""Counters of time spent (`torch.monitor`): accepted and dropped."""

from __future__ import annotations

from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class _WaitCounter:
    def __init__(self, key: str) -> None:
        self.key = key

    @contextmanager
    def guard(self) -> Iterator[None]:
        """A context whose time is not counted."""
        yield
