"""Packages of code and data (`torch.package`): absent."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class _Refused:
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise RuntimeError(f"package.{type(self).__name__}: rushlight does not read or write packages of code")


class PackageExporter(_Refused):
    """Always refused."""


class PackageImporter(_Refused):
    """Always refused."""
