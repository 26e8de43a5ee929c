"""The version of the library, in the attributes of `torch.version`."""

from __future__ import annotations

__version__ = "0.1.0"
git_version: str = "unknown"
debug: bool = False
cuda: str | None = None
hip: str | None = None
rocm: str | None = None
xpu: str | None = None
