"""What the namespace offers, for the array API standard: `__array_namespace_info__()`."""

from __future__ import annotations

from .. import _C
from ._data_types import KINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MAX_DIMENSIONS = 64


class NamespaceInfo:
    """Devices, dtypes and capabilities of the namespace."""

    def capabilities(self) -> dict[str, Any]:
        """What optional behaviour there is."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": _MAX_DIMENSIONS}

    def default_device(self) -> Any:
        """The device of arrays that are created without naming one."""
        return _C._VariableFunctions.empty(0).device

    def default_dtypes(self, *, device: Any = None) -> dict[str, Any]:
        """The dtypes of arrays that are created without naming one, and of indices."""
        real = _C._VariableFunctions.get_default_dtype()
        return {
            "real floating": real,
            "complex floating": real.to_complex(),
            "integral": _C.int64,
            "indexing": _C.int64,
        }

    def devices(self) -> tuple[Any, ...]:
        """The devices that hold data."""
        return (_C.device("cpu"),)

    def dtypes(self, *, device: Any = None, kind: Any = None) -> dict[str, Any]:
        """The dtypes of the standard by name, of all kinds or of one or several named as in `isdtype`."""
        if isinstance(kind, tuple):
            found: dict[str, Any] = {}
            for one in kind:
                found.update(self.dtypes(device=device, kind=one))
            return found
        if kind is not None and kind not in KINDS:
            raise ValueError(f"dtypes: unknown kind {kind!r}; known are {', '.join(map(repr, KINDS))}")
        chosen = KINDS["bool"] + KINDS["numeric"] if kind is None else KINDS[kind]
        return {str(dtype).rpartition(".")[2]: dtype for dtype in chosen}


def __array_namespace_info__() -> NamespaceInfo:  # noqa: N807
    """Devices, dtypes and capabilities of the namespace."""
    return NamespaceInfo()
