"""Process-wide settings: default dtype and device, deterministic algorithms, precision of matrix products."""

from __future__ import annotations

from . import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

has_lapack = True
has_mkl = False
has_mkldnn = False
has_openmp = False
has_spectral = True
has_cuda = False
has_cudnn = False
has_mps = False

_deterministic = 0  # 0 off, 1 warn only, 2 error: the levels of `set_deterministic_debug_mode`
_matmul_precision = "highest"
_warn_always = False


def set_default_dtype(d: Any, /) -> None:
    """Set the floating dtype of tensors made from Python numbers and of factories that name none."""
    if not isinstance(d, _C.dtype):
        raise TypeError(f"invalid dtype object: {d}")
    if not d.is_floating_point:
        raise TypeError(f"only floating-point types are supported as the default type, got {d}")
    _C._set_default_dtype(d)


def set_default_tensor_type(t: Any, /) -> None:
    """Set the default dtype by an older name: a class such as `torch.DoubleTensor` or its name as text."""
    from ._legacy_types import dtype_of

    set_default_dtype(dtype_of(t))


def set_default_device(device: Any) -> None:
    """Set where factories that name no device put their tensors: "cpu" or "meta"; None means the CPU."""
    wanted = _C.device("cpu" if device is None else device)
    if wanted.type not in ("cpu", "meta"):
        from .cuda import refuse

        raise refuse(f"set_default_device('{device}')")
    _C._set_default_device(wanted)


def get_default_device() -> Any:
    """The device that factories use when they name none."""
    return _C.device(_C._get_default_device())


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Asks for results that do not change from run to run; here they never do, so only the answer is kept."""
    global _deterministic
    _deterministic = (1 if warn_only else 2) if mode else 0


def are_deterministic_algorithms_enabled() -> bool:
    """Whether `use_deterministic_algorithms(True)` was called."""
    return _deterministic > 0


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """Whether it was called with `warn_only=True`."""
    return _deterministic == 1


def set_deterministic_debug_mode(debug_mode: int | str) -> None:
    """The same by level: 0 or "default", 1 or "warn", 2 or "error"."""
    global _deterministic
    levels: dict[Any, int] = {"default": 0, "warn": 1, "error": 2, 0: 0, 1: 1, 2: 2}
    if debug_mode not in levels:
        raise RuntimeError(
            f"invalid value of debug_mode, expected one of `default`, `warn`, `error`, 0, 1, 2, but got {debug_mode}"
        )
    _deterministic = levels[debug_mode]


def get_deterministic_debug_mode() -> int:
    """The level that `set_deterministic_debug_mode` set."""
    return _deterministic


def set_float32_matmul_precision(precision: str) -> None:
    """Accepts "highest", "high" or "medium"; products of float32 matrices are always computed in float32 here."""
    global _matmul_precision
    if precision not in ("highest", "high", "medium"):
        raise ValueError(f"set_float32_matmul_precision: expects 'highest', 'high' or 'medium', got {precision!r}")
    _matmul_precision = precision


def get_float32_matmul_precision() -> str:
    """What `set_float32_matmul_precision` was given last."""
    return _matmul_precision


def set_warn_always(b: bool, /) -> None:
    """Asks that warnings given once be given every time."""
    global _warn_always
    _warn_always = bool(b)


def is_warn_always_enabled() -> bool:
    """What `set_warn_always` was given last."""
    return _warn_always


def compiled_with_cxx11_abi() -> bool:
    """True."""
    return True


def get_device_module(device: Any = None) -> Any:
    """The module of a device: `torch.cpu` for the CPU, `torch.cuda` for CUDA."""
    import importlib

    kind = "cpu" if device is None else _C.device(device).type
    try:
        return importlib.import_module(f"{__package__}.{kind}")
    except ModuleNotFoundError:
        raise RuntimeError(f"get_device_module: there is no module for device '{kind}'") from None
