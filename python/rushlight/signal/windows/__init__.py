"""Window functions (`torch.signal.windows`): weights of `M` samples, symmetric or, with `sym=False`, periodic."""

from __future__ import annotations

import math

from ... import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from ... import Tensor

__all__ = [
    "bartlett",
    "blackman",
    "cosine",
    "exponential",
    "gaussian",
    "general_cosine",
    "general_hamming",
    "hamming",
    "hann",
    "kaiser",
    "nuttall",
]

_ops = _C._VariableFunctions


def _window(
    name: str,
    shape: Callable[[Tensor, int], Tensor],
    m: int,
    sym: bool,
    dtype: Any,
    layout: Any,
    device: Any,
    requires_grad: bool,
) -> Tensor:
    """The values of `shape(sample numbers, period)`; `period` is the number of the last sample of a symmetric window."""
    if m < 0:
        raise ValueError(f"{name} requires non-negative window length, got M={m}")
    if layout is not None and layout is not _C.strided:
        raise ValueError(f"{name} is implemented for strided tensors only, got: {layout}")
    dtype = dtype or _ops.get_default_dtype()
    if dtype not in (_C.float32, _C.float64):
        raise ValueError(f"{name} expects float32 or float64 dtypes, got: {dtype}")
    options = {"dtype": dtype, "device": device}
    if m < 2:
        made = _ops.ones(1 if m else 0, **options)
    else:
        period = m - 1 if sym else m
        made = shape(_ops.arange(m, **options), period)
    return made.requires_grad_() if requires_grad else made


def exponential(
    M: int,  # noqa: N803
    *,
    center: float | None = None,
    tau: float = 1.0,
    sym: bool = True,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """exp(-|n - center| / tau)."""
    if tau <= 0:
        raise ValueError(f"Tau must be positive, got: {tau} instead.")
    if sym and center is not None:
        raise ValueError("Center must be None for symmetric windows")

    def shape(n: Tensor, period: int) -> Tensor:
        middle = period / 2 if center is None else center
        return (-(n - middle).abs() / tau).exp()

    return _window("exponential", shape, M, sym, dtype, layout, device, requires_grad)


def cosine(
    M: int,  # noqa: N803
    *,
    sym: bool = True,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Half a period of a sine: sin(pi (n + 1/2) / M)."""

    def shape(n: Tensor, period: int) -> Tensor:
        return ((n + 0.5) * (math.pi / (period + 1))).sin()

    return _window("cosine", shape, M, sym, dtype, layout, device, requires_grad)


def gaussian(
    M: int,  # noqa: N803
    *,
    std: float = 1.0,
    sym: bool = True,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """exp(-((n - centre) / std)^2 / 2)."""
    if std <= 0:
        raise ValueError(f"Standard deviation must be positive, got: {std} instead.")

    def shape(n: Tensor, period: int) -> Tensor:
        return (-(((n - period / 2) / (std * math.sqrt(2))) ** 2)).exp()

    return _window("gaussian", shape, M, sym, dtype, layout, device, requires_grad)


def kaiser(
    M: int,  # noqa: N803
    *,
    beta: float = 12.0,
    sym: bool = True,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """I0(beta sqrt(1 - x^2)) / I0(beta), x from -1 to 1 (Kaiser and Schafer, 1980)."""
    if beta < 0:
        raise ValueError(f"beta must be non-negative, got: {beta} instead.")

    def shape(n: Tensor, period: int) -> Tensor:
        x = n * (2 / period) - 1
        argument = beta * (1 - x * x).clamp(min=0).sqrt()
        return _ops.i0(argument) / _ops.i0(_ops.tensor(beta, dtype=n.dtype, device=n.device))

    return _window("kaiser", shape, M, sym, dtype, layout, device, requires_grad)


def general_cosine(
    M: int,  # noqa: N803
    *,
    a: Iterable[float],
    sym: bool = True,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """The sum over k of (-1)^k a_k cos(2 pi k n / period)."""
    weights = list(a)
    if not weights:
        raise ValueError("Coefficients cannot be empty")

    def shape(n: Tensor, period: int) -> Tensor:
        angle = n * (2 * math.pi / period)
        total = _ops.full_like(n, weights[0])
        for k, weight in enumerate(weights[1:], 1):
            total = total + (-1) ** k * weight * (angle * k).cos()
        return total

    return _window("general_cosine", shape, M, sym, dtype, layout, device, requires_grad)


def general_hamming(M: int, *, alpha: float = 0.54, sym: bool = True, **options: Any) -> Tensor:  # noqa: N803
    """alpha - (1 - alpha) cos(2 pi n / period)."""
    return general_cosine(M, a=[alpha, 1.0 - alpha], sym=sym, **options)


def hamming(M: int, *, sym: bool = True, **options: Any) -> Tensor:  # noqa: N803
    """`general_hamming` with alpha 0.54."""
    return general_hamming(M, sym=sym, **options)


def hann(M: int, *, sym: bool = True, **options: Any) -> Tensor:  # noqa: N803
    """`general_hamming` with alpha 0.5: it reaches 0 at the ends."""
    return general_hamming(M, alpha=0.5, sym=sym, **options)


def blackman(M: int, *, sym: bool = True, **options: Any) -> Tensor:  # noqa: N803
    """`general_cosine` with weights 0.42, 0.5, 0.08."""
    return general_cosine(M, a=[0.42, 0.5, 0.08], sym=sym, **options)


def nuttall(M: int, *, sym: bool = True, **options: Any) -> Tensor:  # noqa: N803
    """`general_cosine` with Nuttall's minimal four-term weights."""
    return general_cosine(M, a=[0.3635819, 0.4891775, 0.1365995, 0.0106411], sym=sym, **options)


def bartlett(
    M: int,  # noqa: N803
    *,
    sym: bool = True,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """A triangle that is 0 at the ends."""

    def shape(n: Tensor, period: int) -> Tensor:
        return 1 - (n * (2 / period) - 1).abs()

    return _window("bartlett", shape, M, sym, dtype, layout, device, requires_grad)
