"""The Fourier transform extension of the array API standard (`rushlight.array_api.fft`)."""

from __future__ import annotations

from .. import _C
from ._array import Array, keep_arrays, to_array

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from .. import Tensor

__all__ = ["fftfreq", "fftshift", "ifftshift", "rfftfreq"]

_fft = _C._fft

_ONE_AXIS = {
    "fft": "The discrete Fourier transform along an axis.",
    "ifft": "The inverse of `fft`.",
    "rfft": "The transform of real numbers along an axis: the non-negative frequencies.",
    "irfft": "The inverse of `rfft`: `n` real numbers.",
    "hfft": "The transform, which is real, of the non-negative half of a Hermitian signal.",
    "ihfft": "The inverse of `hfft`.",
}
_AXES = {
    "fftn": "The discrete Fourier transform over several axes, by default all.",
    "ifftn": "The inverse of `fftn`.",
    "rfftn": "The transform of real numbers over several axes: the non-negative frequencies of the last.",
    "irfftn": "The inverse of `rfftn`.",
}


def _one_axis(name: str, doc: str) -> Callable[..., Tensor]:
    operator = getattr(_fft, f"fft_{name}")

    def function(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
        return operator(x, n, axis, norm)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{doc} `n`: the length used, padded with zeros or cut; `norm`: which direction divides by n."
    return function


def _several_axes(name: str, doc: str) -> Callable[..., Tensor]:
    operator = getattr(_fft, f"fft_{name}")

    def function(
        x: Tensor,
        /,
        *,
        s: Sequence[int] | None = None,
        axes: Sequence[int] | None = None,
        norm: str = "backward",
    ) -> Tensor:
        return operator(x, s, axes, norm)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"{doc} `s`: the lengths used, padded with zeros or cut; `norm`: which direction divides by them."
    )
    return function


def fftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Array:
    """The frequencies of the results of `fft` of length `n` with sample spacing `d`."""
    return to_array(_fft.fft_fftfreq(n, d, dtype=dtype, device=device))


def rfftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Array:
    """The frequencies of the results of `rfft` of length `n` with sample spacing `d`."""
    return to_array(_fft.fft_rfftfreq(n, d, dtype=dtype, device=device))


def fftshift(x: Tensor, /, *, axes: int | Sequence[int] | None = None) -> Tensor:
    """Moves frequency zero to the middle of the axes, by default of all."""
    return _fft.fft_fftshift(x, axes)


def ifftshift(x: Tensor, /, *, axes: int | Sequence[int] | None = None) -> Tensor:
    """The inverse of `fftshift`."""
    return _fft.fft_ifftshift(x, axes)


for _name, _doc in _ONE_AXIS.items():
    globals()[_name] = _one_axis(_name, _doc)
for _name, _doc in _AXES.items():
    globals()[_name] = _several_axes(_name, _doc)
__all__ += [*_ONE_AXIS, *_AXES]


keep_arrays(globals(), __all__)
