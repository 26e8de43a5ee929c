"""The CUDA profiler (`torch.cuda.profiler`): absent."""

from __future__ import annotations

from contextlib import contextmanager

from . import refuse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def profile() -> Iterator[None]:
    """Always refused."""
    raise refuse("cuda.profiler.profile")
    yield


def start() -> None:
    """Always refused."""
    raise refuse("cuda.profiler.start")


def stop() -> None:
    """Always refused."""
    raise refuse("cuda.profiler.stop")
