"""The functional transforms under their internal name (`torch._functorch`): see `torch.func`."""

from __future__ import annotations

from .. import func as apis

__all__ = ["apis"]
