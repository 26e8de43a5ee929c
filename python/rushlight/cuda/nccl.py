"""NCCL (`torch.cuda.nccl`): absent."""

from __future__ import annotations

from . import refuse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def version() -> tuple[int, int, int]:
    """Always refused."""
    raise refuse("cuda.nccl.version")


def is_available(tensors: Any) -> bool:
    """False."""
    return False
