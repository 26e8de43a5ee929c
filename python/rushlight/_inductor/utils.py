"""Caches of the compiler (`torch._inductor.utils`): there are none."""

from __future__ import annotations

from contextlib import nullcontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def fresh_cache(*args: Any, **kwargs: Any) -> Any:
    """A context in which nothing changes."""
    return nullcontext()


fresh_inductor_cache = fresh_cache
maybe_profile = fresh_cache
