"""Export to ONNX (`torch.onnx`): absent; the names exist so that programs that offer it can be imported."""

from __future__ import annotations

import enum

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class OperatorExportTypes(enum.IntEnum):
    """What an exporter does with operators."""

    ONNX = 0
    ONNX_ATEN = 1
    ONNX_ATEN_FALLBACK = 2
    ONNX_FALLTHROUGH = 3


class TrainingMode(enum.IntEnum):
    """The mode a module is exported in."""

    EVAL = 0
    PRESERVE = 1
    TRAINING = 2


class OnnxExporterError(RuntimeError):
    """An export failed."""


class ONNXProgram:
    """Never the type of an object."""


def _refuse(name: str) -> RuntimeError:
    return RuntimeError(
        f"onnx.{name}: rushlight does not export to ONNX; load the state_dict in PyTorch and export there"
    )


def export(*args: Any, **kwargs: Any) -> Any:
    """Always refused."""
    raise _refuse("export")


def dynamo_export(*args: Any, **kwargs: Any) -> Any:
    """Always refused."""
    raise _refuse("dynamo_export")


def register_custom_op_symbolic(*args: Any, **kwargs: Any) -> None:
    """Accepted: there is no exporter that would use it."""


def unregister_custom_op_symbolic(*args: Any, **kwargs: Any) -> None:
    """Accepted: there is no exporter that would use it."""


def is_in_onnx_export() -> bool:
    """False."""
    return False


def is_onnxrt_backend_supported() -> bool:
    """False."""
    return False
