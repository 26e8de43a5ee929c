"""Classes of libraries built for PyTorch (`torch.classes`): none can be loaded."""

from __future__ import annotations

loaded_libraries: set[str] = set()


def load_library(path: str) -> None:
    """Always refused."""
    raise OSError(f"classes.load_library: {path}: rushlight cannot load libraries built for PyTorch")
