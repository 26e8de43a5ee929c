"""Models on several devices. rushlight runs on one device: DataParallel calls its module."""

# ruff: noqa: F401 - names imported here are there for users
from __future__ import annotations

import warnings

from .data_parallel import DataParallel, data_parallel
from .distributed import DistributedDataParallel
from .parallel_apply import parallel_apply
from .replicate import replicate
from .scatter_gather import gather, scatter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "DataParallel",
    "DistributedDataParallel",
    "data_parallel",
    "gather",
    "parallel_apply",
    "replicate",
    "scatter",
]


def DistributedDataParallelCPU(*args: Any, **kwargs: Any) -> DistributedDataParallel:
    """The old name of DistributedDataParallel on CPUs."""
    warnings.warn(
        "DistributedDataParallelCPU is deprecated; use DistributedDataParallel",
        FutureWarning,
        stacklevel=2,
    )
    return DistributedDataParallel(*args, **kwargs)
