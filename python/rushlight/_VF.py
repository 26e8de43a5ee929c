"""The operators exactly as the extension gives them, without any Python in front (`torch._VF`)."""

from __future__ import annotations

from ._C import _VariableFunctions as _ops


def __getattr__(name: str) -> object:
    return getattr(_ops, name)


def __dir__() -> list[str]:
    return dir(_ops)
