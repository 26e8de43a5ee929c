"""Older names of autocast's settings, one function for each kind of device; all say what replaces them."""

from __future__ import annotations

import functools
import warnings

from . import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@functools.cache  # once each
def _tell(verb: str, device: str, what: str, value: str = "") -> None:
    short = "gpu" if device == "cuda" else device
    new = f"{verb}_autocast_{what}('{device}'{', ' + value if value else ''})"
    warnings.warn(
        f"torch.{verb}_autocast_{short}_{what}({value}) is deprecated. Please use torch.{new} instead.",
        DeprecationWarning,
        stacklevel=4,
    )


def _set_enabled(device: str, enabled: bool) -> None:
    if not isinstance(enabled, bool):
        raise TypeError(f"enabled must be a bool (got {type(enabled).__name__})")
    _tell("set", device, "enabled", "enabled")
    _C.set_autocast_enabled(device, enabled)


def _is_enabled(device: str) -> bool:
    _tell("is", device, "enabled")
    return _C.is_autocast_enabled(device)


def _set_dtype(device: str, dtype: Any) -> None:
    if not isinstance(dtype, _C.dtype):
        raise TypeError(f"dtype must be a torch.dtype (got {type(dtype).__name__})")
    _tell("set", device, "dtype", "dtype")
    _C.set_autocast_dtype(device, dtype)


def _get_dtype(device: str) -> Any:
    _tell("get", device, "dtype")
    return _C.get_autocast_dtype(device)


def set_autocast_cpu_enabled(enabled: bool, /) -> None:
    """`set_autocast_enabled("cpu", enabled)`."""
    _set_enabled("cpu", enabled)


def set_autocast_ipu_enabled(enabled: bool, /) -> None:
    """`set_autocast_enabled("ipu", enabled)`."""
    _set_enabled("ipu", enabled)


def set_autocast_xla_enabled(enabled: bool, /) -> None:
    """`set_autocast_enabled("xla", enabled)`."""
    _set_enabled("xla", enabled)


def is_autocast_ipu_enabled() -> bool:
    """`is_autocast_enabled("ipu")`."""
    return _is_enabled("ipu")


def is_autocast_xla_enabled() -> bool:
    """`is_autocast_enabled("xla")`."""
    return _is_enabled("xla")


def set_autocast_cpu_dtype(dtype: Any, /) -> None:
    """`set_autocast_dtype("cpu", dtype)`."""
    _set_dtype("cpu", dtype)


def set_autocast_gpu_dtype(dtype: Any, /) -> None:
    """`set_autocast_dtype("cuda", dtype)`."""
    _set_dtype("cuda", dtype)


def set_autocast_ipu_dtype(dtype: Any, /) -> None:
    """`set_autocast_dtype("ipu", dtype)`."""
    _set_dtype("ipu", dtype)


def set_autocast_xla_dtype(dtype: Any, /) -> None:
    """`set_autocast_dtype("xla", dtype)`."""
    _set_dtype("xla", dtype)


def get_autocast_gpu_dtype() -> Any:
    """`get_autocast_dtype("cuda")`."""
    return _get_dtype("cuda")


def get_autocast_ipu_dtype() -> Any:
    """`get_autocast_dtype("ipu")`."""
    return _get_dtype("ipu")


def get_autocast_xla_dtype() -> Any:
    """`get_autocast_dtype("xla")`."""
    return _get_dtype("xla")
