"""The standard `multiprocessing` with tensors that travel through shared memory.

>>> queue = SimpleQueue()
>>> import rushlight
>>> queue.put(rushlight.arange(3))
>>> queue.get().tolist()
[0, 1, 2]
"""

import multiprocessing as _standard
from multiprocessing import *  # noqa: F403
from multiprocessing import context as context, reduction as _reduction
from typing import Any

from .reductions import init_reductions as init_reductions
from .spawn import (
    ENV_VAR_PARALLEL_START as ENV_VAR_PARALLEL_START,
    ProcessContext as ProcessContext,
    ProcessException as ProcessException,
    ProcessExitedException as ProcessExitedException,
    ProcessRaisedException as ProcessRaisedException,
    SpawnContext as SpawnContext,
    spawn as spawn,
    start_processes as start_processes,
)

__all__ = [
    *_standard.__all__,
    "get_all_sharing_strategies",
    "get_sharing_strategy",
    "set_sharing_strategy",
]

reduction = _reduction
_sharing_strategy = "file_system"


def set_sharing_strategy(new_strategy: str) -> None:
    """Choose how tensors are shared; "file_system" and "file_descriptor" mean the same here."""
    global _sharing_strategy
    if new_strategy not in ("file_system", "file_descriptor"):
        raise AssertionError(
            f"set_sharing_strategy: unknown strategy {new_strategy!r}; use 'file_system'"
        )
    _sharing_strategy = new_strategy


def get_sharing_strategy() -> str:
    """The strategy in use."""
    return _sharing_strategy


def get_all_sharing_strategies() -> set[str]:
    """The strategies of this system."""
    return {"file_system", "file_descriptor"}


def __getattr__(name: str) -> Any:
    return getattr(_standard, name)


init_reductions()
