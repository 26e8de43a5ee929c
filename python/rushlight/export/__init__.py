"""Export of programs (`torch.export`): absent; modules are saved by their state_dict."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _refuse(name: str) -> RuntimeError:
    return RuntimeError(f"export.{name}: rushlight does not trace programs; save the state_dict instead")


def export(*args: Any, **kwargs: Any) -> Any:
    """Always refused."""
    raise _refuse("export")


def export_for_training(*args: Any, **kwargs: Any) -> Any:
    """Always refused."""
    raise _refuse("export_for_training")


def save(*args: Any, **kwargs: Any) -> None:
    """Always refused."""
    raise _refuse("save")


def load(*args: Any, **kwargs: Any) -> Any:
    """Always refused."""
    raise _refuse("load")


def register_dataclass(cls: Any, **kwargs: Any) -> None:
    """Accepted: nothing is exported."""


class Dim:
    """A named size between `min` and `max`."""

    AUTO = "AUTO"
    DYNAMIC = "DYNAMIC"
    STATIC = "STATIC"

    def __init__(self, name: str, *, min: int | None = None, max: int | None = None) -> None:
        self.__name__, self.min, self.max = name, min, max


def dims(*names: str, min: int | None = None, max: int | None = None) -> tuple[Dim, ...]:
    """Several named sizes."""
    return tuple(Dim(name, min=min, max=max) for name in names)


class ExportedProgram:
    """Never the type of an object."""
