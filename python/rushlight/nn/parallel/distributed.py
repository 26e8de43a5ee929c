"""DistributedDataParallel: says that training over processes is not there."""

from __future__ import annotations

from ..modules.module import Module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["DistributedDataParallel"]


class DistributedDataParallel(Module):
    """Averages gradients over processes; needs a process group, which rushlight has not."""

    def __init__(self, module: Any, *args: Any, **kwargs: Any) -> None:
        raise RuntimeError(
            "DistributedDataParallel: Default process group has not been initialized, please "
            "make sure to call init_process_group. rushlight trains in one process: use the "
            "module itself."
        )
