"""Logs of PyTorch's compiler (`torch._logging`): nothing is compiled, so nothing is logged."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def set_logs(*args: Any, **kwargs: Any) -> None:
    """Accepted: there is nothing to log."""
