"""Quantisation and pruning toolkits (`torch.ao`): see `torch.ao.quantization`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def __getattr__(name: str) -> Any:
    if name == "quantization":
        from importlib import import_module

        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module 'torch.ao' has no attribute '{name}'")
