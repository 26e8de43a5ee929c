"""The namespace of versions up to 2024.12 of the standard: as the newest, with lists where that has tuples."""

from __future__ import annotations

from .. import array_api as _newest
from ._inspection import NamespaceInfo as _NamespaceInfo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import Tensor

__array_api_version__ = "2024.12"


class NamespaceInfo(_NamespaceInfo):
    """Devices, dtypes and capabilities of the namespace."""

    def devices(self) -> list[Any]:  # type: ignore[override]
        """The devices that hold data."""
        return list(super().devices())


def __array_namespace_info__() -> NamespaceInfo:  # noqa: N807
    """Devices, dtypes and capabilities of the namespace."""
    return NamespaceInfo()


def broadcast_arrays(*arrays: Tensor) -> list[Tensor]:
    """Views of the arrays in the one shape they broadcast to."""
    return list(_newest.broadcast_arrays(*arrays))


def meshgrid(*arrays: Tensor, indexing: str = "xy") -> list[Tensor]:
    """Grids of coordinates from 1-dim arrays: Cartesian ("xy", second axis first) or by matrix indices ("ij")."""
    return list(_newest.meshgrid(*arrays, indexing=indexing))


def __getattr__(name: str) -> Any:
    return getattr(_newest, name)


def __dir__() -> list[str]:
    return dir(_newest)
