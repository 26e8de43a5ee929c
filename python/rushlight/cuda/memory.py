"""Memory of GPUs (`torch.cuda.memory`): none."""

from __future__ import annotations

from . import (
    empty_cache,
    max_memory_allocated,
    max_memory_reserved,
    memory_allocated,
    memory_reserved,
    memory_snapshot,
    memory_stats,
    memory_summary,
    reset_peak_memory_stats,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "empty_cache",
    "max_memory_allocated",
    "max_memory_reserved",
    "memory_allocated",
    "memory_reserved",
    "memory_snapshot",
    "memory_stats",
    "memory_summary",
    "reset_peak_memory_stats",
]


def _record_memory_history(*args: Any, **kwargs: Any) -> None:
    """Accepted: there is nothing to record."""


def _snapshot(device: Any = None) -> dict[str, Any]:
    return {"segments": [], "device_traces": []}


def _dump_snapshot(filename: str = "dump_snapshot.pickle") -> None:
    import pickle

    with open(filename, "wb") as file:
        pickle.dump(_snapshot(), file)
