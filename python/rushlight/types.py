"""Names for annotations (`torch.types`)."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any, Union

from . import _C

Number = Union[builtins.int, builtins.float, builtins.bool]
Device = Union[_C.device, str, builtins.int, None]
FileLike = Any
PyNumber = Union[builtins.int, builtins.float, builtins.complex]
IntLikeType = builtins.int
FloatLikeType = builtins.float
BoolLikeType = builtins.bool
Tensor = _C.Tensor

_bool = builtins.bool
_int = builtins.int
_float = builtins.float
_complex = builtins.complex
_dtype = _C.dtype
_device = _C.device
_layout = _C.layout
_size = Union[_C.Size, list[builtins.int], tuple[builtins.int, ...]]
_TensorOrTensors = Union[_C.Tensor, Sequence[_C.Tensor]]
_TensorOrTensorsOrGradEdge = Any


def __getattr__(name: str) -> Any:
    if name == "Storage":
        from .storage import TypedStorage, UntypedStorage

        return Union[UntypedStorage, TypedStorage]
    raise AttributeError(f"module 'torch.types' has no attribute '{name}'")
