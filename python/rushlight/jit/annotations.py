"""Names for annotations (`torch.jit.annotations`)."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple, Union  # noqa: UP035

BroadcastingList1 = BroadcastingList2 = BroadcastingList3 = Any

__all__ = [
    "Any",
    "BroadcastingList1",
    "BroadcastingList2",
    "BroadcastingList3",
    "Dict",
    "List",
    "Optional",
    "Tuple",
    "Union",
]
