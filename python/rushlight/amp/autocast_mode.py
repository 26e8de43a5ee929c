"""autocast: run matrix products in a lower precision and what needs it in float32."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

import rushlight
from rushlight import Tensor

__all__ = ["autocast", "autocast_decorator", "custom_bwd", "custom_fwd", "is_autocast_available"]

_CPU_DTYPES = ("bfloat16", "float16")
# Devices that PyTorch knows and this build cannot run on.
_ABSENT = ("cuda", "xpu", "mps", "hpu", "mtia", "maia", "xla", "ipu", "privateuseone")


def is_autocast_available(device_type: str) -> bool:
    """Whether `autocast` has an effect on this kind of device."""
    return device_type == "cpu"


def autocast_decorator(autocast_instance: Any, func: Callable[..., Any]) -> Callable[..., Any]:
    """`func`, run inside of the context."""

    @functools.wraps(func)
    def decorate_autocast(*args: Any, **kwargs: Any) -> Any:
        with autocast_instance:
            return func(*args, **kwargs)

    return decorate_autocast


class autocast:  # noqa: N801
    """Context or decorator in which products run in `dtype` (bfloat16 unless stated) on the CPU.

    On devices that this build has not got it warns and does nothing. `cache_enabled` keeps the
    converted weights until the outermost context ends.

    >>> import rushlight
    >>> a = rushlight.ones(2, 2)
    >>> with autocast("cpu", dtype=rushlight.bfloat16):
    ...     product = a @ a
    >>> product.dtype
    torch.bfloat16
    """

    def __init__(
        self,
        device_type: str,
        dtype: Any = None,
        enabled: bool = True,
        cache_enabled: bool | None = None,
    ) -> None:
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        self.device = rushlight.device(device_type).type
        if cache_enabled is None:
            cache_enabled = bool(rushlight.is_autocast_cache_enabled())
        self._cache_enabled = cache_enabled
        if self.device == "cpu":
            self.fast_dtype = rushlight.get_autocast_dtype("cpu") if dtype is None else dtype
            if enabled and str(self.fast_dtype).rpartition(".")[2] not in _CPU_DTYPES:
                warnings.warn(
                    "In CPU autocast, but the target dtype is not supported. Disabling autocast. "
                    "CPU Autocast only supports dtype of torch.bfloat16, torch.float16 currently.",
                    stacklevel=2,
                )
                enabled = False
        elif self.device in _ABSENT:
            self.fast_dtype = rushlight.get_autocast_dtype(self.device) if dtype is None else dtype
            if enabled:
                warnings.warn(
                    f"User provided device_type of '{self.device}', but {self.device.upper()} is "
                    "not available. Disabling",
                    stacklevel=2,
                )
                enabled = False
        else:
            raise RuntimeError(
                f"User specified an unsupported autocast device_type '{self.device}'"
            )
        self._enabled = enabled
        self._before: list[tuple[bool, bool, Any]] = []

    def __enter__(self) -> autocast:
        if self.device != "cpu":
            return self
        self._before.append(
            (
                rushlight.is_autocast_cache_enabled(),
                rushlight.is_autocast_enabled("cpu"),
                rushlight.get_autocast_dtype("cpu"),
            )
        )
        rushlight.set_autocast_enabled("cpu", self._enabled)
        rushlight.set_autocast_dtype("cpu", self.fast_dtype)
        rushlight.autocast_increment_nesting()
        rushlight.set_autocast_cache_enabled(self._cache_enabled)
        return self

    def __exit__(self, *exc: object) -> None:
        if self.device != "cpu":
            return
        if rushlight.autocast_decrement_nesting() == 0:
            rushlight.clear_autocast_cache()
        cache, enabled, dtype = self._before.pop()
        rushlight.set_autocast_enabled("cpu", enabled)
        rushlight.set_autocast_dtype("cpu", dtype)
        rushlight.set_autocast_cache_enabled(cache)

    def __call__(self, func: Callable[..., Any]) -> Callable[..., Any]:
        return autocast_decorator(self, func)


def _cast(value: Any, device_type: str, dtype: Any) -> Any:
    """Floating tensors of the device inside `value` in another dtype, except float64 ones."""
    if isinstance(value, Tensor):
        eligible = (
            value.is_floating_point()
            and value.device.type == device_type
            and value.dtype != rushlight.float64
        )
        return value.to(dtype) if eligible else value
    if isinstance(value, (str, bytes)):
        return value
    if isinstance(value, dict):
        return {
            _cast(k, device_type, dtype): _cast(v, device_type, dtype) for k, v in value.items()
        }
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_cast(v, device_type, dtype) for v in value))
    if isinstance(value, (list, tuple)):
        return type(value)(_cast(v, device_type, dtype) for v in value)
    return value


def _check_device_type(device_type: Any) -> None:
    if not isinstance(device_type, str):
        raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")


def custom_fwd(
    fwd: Callable[..., Any] | None = None,
    *,
    device_type: str,
    cast_inputs: Any = None,
) -> Any:
    """Decorates `forward` of a custom Function so that it fits into autocast regions.

    With `cast_inputs` its floating inputs are converted and it runs without autocast; else it runs
    in the state of the caller, which `custom_bwd` restores for `backward`.
    """
    _check_device_type(device_type)
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    @functools.wraps(fwd)
    def decorate_fwd(*args: Any, **kwargs: Any) -> Any:
        ctx = args[0]
        ctx._dtype = rushlight.get_autocast_dtype(device_type)
        active = rushlight.is_autocast_enabled(device_type)
        if cast_inputs is None:
            ctx._fwd_used_autocast = active
            return fwd(*args, **kwargs)
        ctx._fwd_used_autocast = False
        if not active:
            return fwd(*args, **kwargs)
        with autocast(device_type=device_type, enabled=False):
            return fwd(
                *_cast(args, device_type, cast_inputs),
                **_cast(kwargs, device_type, cast_inputs),
            )

    return decorate_fwd


def custom_bwd(bwd: Callable[..., Any] | None = None, *, device_type: str) -> Any:
    """Decorates `backward` of a custom Function: it runs in the autocast state of `forward`."""
    _check_device_type(device_type)
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)

    @functools.wraps(bwd)
    def decorate_bwd(*args: Any, **kwargs: Any) -> Any:
        ctx = args[0]
        with autocast(device_type=device_type, enabled=ctx._fwd_used_autocast, dtype=ctx._dtype):
            return bwd(*args, **kwargs)

    return decorate_bwd
