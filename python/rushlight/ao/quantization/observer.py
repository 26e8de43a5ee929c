"""Observers: modules that return their input and note its range, from which scale and zero point follow.

Ranges and zero points: Jacob et al., "Quantization and Training of Neural Networks for Efficient
Integer-Arithmetic-Only Inference", 2018.
"""

from __future__ import annotations

import warnings
from typing import Any

import rushlight
from rushlight import Tensor, dtype as Dtype
from rushlight._quantized import qscheme as Scheme

from ._rangeless_observers import (
    FixedQParamsObserver,
    NoopObserver,
    ObserverBase,
    PlaceholderObserver,
    RecordingObserver,
    ReuseInputObserver,
    _PartialWrapper as _PartialWrapper,
)

__all__ = [
    "FixedQParamsObserver",
    "MinMaxObserver",
    "MovingAverageMinMaxObserver",
    "MovingAveragePerChannelMinMaxObserver",
    "NoopObserver",
    "ObserverBase",
    "PerChannelMinMaxObserver",
    "PlaceholderObserver",
    "RecordingObserver",
    "ReuseInputObserver",
    "UniformQuantizationObserverBase",
]

_EPS = rushlight.finfo(rushlight.float32).eps
_PER_TENSOR = (rushlight.per_tensor_affine, rushlight.per_tensor_symmetric)
_PER_CHANNEL = (
    rushlight.per_channel_affine,
    rushlight.per_channel_symmetric,
    rushlight.per_channel_affine_float_qparams,
)
_SYMMETRIC = (rushlight.per_tensor_symmetric, rushlight.per_channel_symmetric)

# The numbers that a format of a dtype has, and those with a bit less (reduce_range).
_RANGES = {
    rushlight.qint8: (-128, 127),
    rushlight.int8: (-128, 127),
    rushlight.quint8: (0, 255),
    rushlight.uint8: (0, 255),
    rushlight.qint32: (-(2**31), 2**31 - 1),
    rushlight.int32: (-(2**31), 2**31 - 1),
    rushlight.int16: (-(2**15), 2**15 - 1),
    rushlight.uint16: (0, 2**16 - 1),
    rushlight.quint4x2: (0, 15),
    rushlight.float8_e5m2: (0, 15),
    rushlight.float8_e4m3fn: (0, 15),
}
_BYTES = (rushlight.qint8, rushlight.int8, rushlight.quint8, rushlight.uint8)


def _bounds(quant_min: int | None, quant_max: int | None, dtype: Dtype, reduce_range: bool) -> tuple[int, int]:
    """The range of positions: given, or the one of the dtype."""
    if quant_min is None or quant_max is None:
        low, high = _RANGES[dtype]
        return (low // 2, high // 2) if reduce_range and dtype in _BYTES else (low, high)
    if not quant_min <= 0 <= quant_max:
        raise AssertionError("Used-specified quantization range must include 0.")
    if quant_min >= quant_max:
        raise AssertionError("qmin must be strictly less than qmax for user-specified quantization range.")
    bits = {rushlight.qint8: 8, rushlight.int8: 8, rushlight.qint32: 32, rushlight.int32: 32}.get(dtype)
    if bits is not None and quant_max - quant_min >= 2**bits:
        raise AssertionError(
            f"quantization range should be positive and not exceed the maximum bit range (={2**bits})."
        )
    return (quant_min // 2, quant_max // 2) if reduce_range else (quant_min, quant_max)


class UniformQuantizationObserverBase(ObserverBase):
    """Base of observers of ranges: chooses the scale and zero point that cover a range.

    `dtype` is the format, `qscheme` the kind of grid, [`quant_min`, `quant_max`] its positions
    (by default those of the dtype; `reduce_range` leaves out a bit), `eps` the smallest scale.
    Raises AssertionError for other dtypes and schemes, and for a range without 0.
    """

    _version = 3
    eps: Tensor
    min_val: Tensor
    max_val: Tensor

    def __init__(
        self,
        dtype: Dtype = rushlight.quint8,
        qscheme: Scheme = rushlight.per_tensor_affine,
        reduce_range: bool = False,
        quant_min: int | None = None,
        quant_max: int | None = None,
        factory_kwargs: dict[str, Any] | None = None,
        eps: float = _EPS,
        is_dynamic: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(dtype=dtype, is_dynamic=is_dynamic, **kwargs)
        self.qscheme = qscheme
        self.reduce_range = reduce_range
        if reduce_range:
            warnings.warn(
                "Please use quant_min and quant_max to specify the range for observers. "
                "reduce_range will be deprecated in a future release of PyTorch.",
                stacklevel=2,
            )
        self.register_buffer("eps", rushlight.tensor([eps], **(factory_kwargs or {})))
        if qscheme not in _PER_TENSOR + _PER_CHANNEL:
            raise AssertionError(
                "Default Observer only works for per_tensor_affine, per_tensor_symmetric, per_channel_affine, "
                f"per_channel_symmetric and per_channel_float_qparams quantization scheme, not {qscheme}"
            )
        if dtype not in _RANGES:
            raise AssertionError(f"Default Observer only works for {tuple(_RANGES)} data type, not {dtype}")
        self.has_customized_qrange = quant_min is not None and quant_max is not None
        self.quant_min, self.quant_max = _bounds(quant_min, quant_max, dtype, reduce_range)

    def _middle(self) -> int:
        """The zero point of a symmetric grid."""
        if self.dtype in (rushlight.quint8, rushlight.uint8):
            return (self.quant_min + self.quant_max) // 2 if self.has_customized_qrange else 128
        return 2**15 if self.dtype is rushlight.uint16 else 0

    def _calculate_qparams(self, min_val: Tensor, max_val: Tensor) -> tuple[Tensor, Tensor]:
        """Scales (float32) and zero points of the ranges, an element for each channel."""
        if not _is_range(min_val, max_val):
            return rushlight.tensor([1.0]), rushlight.tensor([0])
        low, high = min_val.clamp(max=0).reshape(-1), max_val.clamp(min=0).reshape(-1)
        steps = float(self.quant_max - self.quant_min)
        if self.qscheme in _SYMMETRIC:
            scale = rushlight.maximum(rushlight.maximum(-low, high) / (steps / 2), self.eps)
            return scale, rushlight.full(scale.shape, self._middle())
        if self.qscheme is rushlight.per_channel_affine_float_qparams:
            low = min_val.reshape(-1)
            scale = (max_val.reshape(-1) - low) / steps
            scale = rushlight.where(scale > self.eps, scale, 1.0)
            return scale, -low / scale
        scale = rushlight.maximum((high - low) / steps, self.eps)
        position = self.quant_min - rushlight.round(low / scale).to(rushlight.int32)
        return scale, position.clamp(self.quant_min, self.quant_max)

    def calculate_qparams(self, **kwargs: Any) -> tuple[Tensor, Tensor]:
        """Scales (float32) and zero points of what has been seen, an element for each channel."""
        return self._calculate_qparams(self.min_val, self.max_val)

    def extra_repr(self) -> str:
        """The range."""
        return f"min_val={self.min_val}, max_val={self.max_val}"

    def reset_min_max_vals(self) -> None:
        """Forget what has been seen."""
        raise NotImplementedError("Cannot reset min/max values in the given observer.")


def _is_range(min_val: Tensor, max_val: Tensor) -> bool:
    """Whether something has been seen; raises AssertionError for a minimum above the maximum."""
    nothing = min_val.numel() == 0 or max_val.numel() == 0
    if not nothing and min_val.dim() == 0:
        nothing = min_val.item() == float("inf") and max_val.item() == float("-inf")
    if nothing:
        warnings.warn("must run observer before calling calculate_qparams. Returning default values.", stacklevel=4)
    elif (min_val > max_val).any():
        raise AssertionError(f"min {min_val} should be less than max {max_val}")
    return not nothing


class MinMaxObserver(UniformQuantizationObserverBase):
    """Covers the smallest and the largest number of all inputs, of any shape and floating dtype.

    The arguments are those of `UniformQuantizationObserverBase`; raises NotImplementedError for a
    scheme with channels.

    >>> import rushlight
    >>> observer = MinMaxObserver(dtype=rushlight.quint8)
    >>> observer(rushlight.tensor([-1.0, 1.55]))
    tensor([-1.0000,  1.5500])
    >>> observer.calculate_qparams()
    (tensor([0.0100]), tensor([100], dtype=torch.int32))
    """

    def __init__(
        self,
        dtype: Dtype = rushlight.quint8,
        qscheme: Scheme = rushlight.per_tensor_affine,
        reduce_range: bool = False,
        quant_min: int | None = None,
        quant_max: int | None = None,
        factory_kwargs: dict[str, Any] | None = None,
        eps: float = _EPS,
        is_dynamic: bool = False,
        **kwargs: Any,
    ) -> None:
        if qscheme not in _PER_TENSOR:
            raise NotImplementedError(
                f"{type(self).__name__}'s qscheme only support torch.per_tensor_symmetric and "
                f"torch.per_tensor_affine, not {qscheme}"
            )
        super().__init__(dtype, qscheme, reduce_range, quant_min, quant_max, factory_kwargs, eps, is_dynamic, **kwargs)
        if qscheme is rushlight.per_tensor_symmetric and reduce_range and dtype is rushlight.quint8:
            raise NotImplementedError("Cannot reduce range for symmetric quantization for quint8")
        self.register_buffer("min_val", rushlight.tensor(float("inf"), **(factory_kwargs or {})))
        self.register_buffer("max_val", rushlight.tensor(float("-inf"), **(factory_kwargs or {})))

    def _combined(self, low: Tensor, high: Tensor) -> tuple[Tensor, Tensor]:
        """The range so far and that of one input."""
        return rushlight.minimum(low, self.min_val), rushlight.maximum(high, self.max_val)

    def forward(self, x: Tensor) -> Tensor:
        """Note the range and return the input."""
        if x.numel() > 0:
            low, high = self._combined(*rushlight.aminmax(x.detach().to(self.min_val.dtype)))
            self.min_val.copy_(low)
            self.max_val.copy_(high)
        return x

    def reset_min_max_vals(self) -> None:
        """Forget what has been seen."""
        self.min_val.fill_(float("inf"))
        self.max_val.fill_(float("-inf"))


class MovingAverageMinMaxObserver(MinMaxObserver):
    """Covers moving averages of the smallest and the largest number: each input moves them by `averaging_constant`."""

    def __init__(
        self,
        averaging_constant: float = 0.01,
        dtype: Dtype = rushlight.quint8,
        qscheme: Scheme = rushlight.per_tensor_affine,
        reduce_range: bool = False,
        quant_min: int | None = None,
        quant_max: int | None = None,
        eps: float = _EPS,
        is_dynamic: bool = False,
        **kwargs: Any,
    ) -> None:
        if is_dynamic and averaging_constant != 1:
            raise NotImplementedError(
                "MovingAverageMinMaxObserver doesn't support dynamic quantization for averaging constant of "
                f"{averaging_constant}"
            )
        super().__init__(dtype, qscheme, reduce_range, quant_min, quant_max, eps=eps, is_dynamic=is_dynamic, **kwargs)
        self.averaging_constant = averaging_constant

    def _combined(self, low: Tensor, high: Tensor) -> tuple[Tensor, Tensor]:
        if self.min_val.item() == float("inf") and self.max_val.item() == float("-inf"):
            return low, high
        share = self.averaging_constant
        return self.min_val + share * (low - self.min_val), self.max_val + share * (high - self.max_val)


class PerChannelMinMaxObserver(UniformQuantizationObserverBase):
    """Covers, for each index of `ch_axis`, the smallest and the largest number of all inputs.

    The other arguments are those of `UniformQuantizationObserverBase`; raises NotImplementedError
    for a scheme without channels.
    """

    def __init__(
        self,
        ch_axis: int = 0,
        dtype: Dtype = rushlight.quint8,
        qscheme: Scheme = rushlight.per_channel_affine,
        reduce_range: bool = False,
        quant_min: int | None = None,
        quant_max: int | None = None,
        factory_kwargs: dict[str, Any] | None = None,
        eps: float = _EPS,
        is_dynamic: bool = False,
        **kwargs: Any,
    ) -> None:
        if qscheme not in _PER_CHANNEL:
            raise NotImplementedError(
                f"{type(self).__name__}'s qscheme only support torch.per_channel_symmetric, "
                f"torch.per_channel_affine and torch.per_channel_affine_float_qparams, not {qscheme}"
            )
        if is_dynamic:
            raise NotImplementedError(f"{type(self).__name__} doesn't support dynamic quantization")
        super().__init__(dtype, qscheme, reduce_range, quant_min, quant_max, factory_kwargs, eps, is_dynamic, **kwargs)
        if qscheme is rushlight.per_channel_symmetric and reduce_range and dtype is rushlight.quint8:
            raise NotImplementedError("Cannot reduce range for symmetric quantization for quint8")
        self.ch_axis = ch_axis
        self.register_buffer("min_val", rushlight.tensor([], **(factory_kwargs or {})))
        self.register_buffer("max_val", rushlight.tensor([], **(factory_kwargs or {})))

    def _combined(self, low: Tensor, high: Tensor) -> tuple[Tensor, Tensor]:
        """The ranges so far and those of one input."""
        return rushlight.minimum(low, self.min_val), rushlight.maximum(high, self.max_val)

    def forward(self, x: Tensor) -> Tensor:
        """Note the ranges and return the input."""
        if x.numel() == 0:
            return x
        rows = x.detach().to(self.min_val.dtype).transpose(0, self.ch_axis).flatten(1)
        low, high = rushlight.aminmax(rows, dim=1)
        if self.min_val.numel() > 0 and self.max_val.numel() > 0:
            low, high = self._combined(low, high)
        self.min_val.resize_(low.shape).copy_(low)
        self.max_val.resize_(high.shape).copy_(high)
        return x

    def reset_min_max_vals(self) -> None:
        """Forget what has been seen."""
        self.min_val = rushlight.empty(0)
        self.max_val = rushlight.empty(0)

    def _load_from_state_dict(self, state_dict: dict[str, Any], prefix: str, *rest: Any) -> None:
        for name in ("min_val", "max_val"):  # their sizes are those of the first input
            if prefix + name in state_dict:
                getattr(self, name).resize_(state_dict[prefix + name].shape)
        super()._load_from_state_dict(state_dict, prefix, *rest)


class MovingAveragePerChannelMinMaxObserver(PerChannelMinMaxObserver):
    """Covers, for each index of `ch_axis`, moving averages of the smallest and the largest number."""

    def __init__(
        self,
        averaging_constant: float = 0.01,
        ch_axis: int = 0,
        dtype: Dtype = rushlight.quint8,
        qscheme: Scheme = rushlight.per_channel_affine,
        reduce_range: bool = False,
        quant_min: int | None = None,
        quant_max: int | None = None,
        eps: float = _EPS,
        is_dynamic: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            ch_axis, dtype, qscheme, reduce_range, quant_min, quant_max, eps=eps, is_dynamic=is_dynamic, **kwargs
        )
        self.averaging_constant = averaging_constant

    def _combined(self, low: Tensor, high: Tensor) -> tuple[Tensor, Tensor]:
        share = self.averaging_constant
        return self.min_val + share * (low - self.min_val), self.max_val + share * (high - self.max_val)


_NARROW: dict[str, Any] = {"dtype": rushlight.qint8, "quant_min": -127, "quant_max": 127, "eps": 2**-12}
default_observer = MinMaxObserver.with_args(quant_min=0, quant_max=127)
default_placeholder_observer = PlaceholderObserver
default_debug_observer = RecordingObserver
default_weight_observer = MinMaxObserver.with_args(dtype=rushlight.qint8, qscheme=rushlight.per_tensor_symmetric)
weight_observer_range_neg_127_to_127 = MinMaxObserver.with_args(qscheme=rushlight.per_tensor_symmetric, **_NARROW)
default_per_channel_weight_observer = PerChannelMinMaxObserver.with_args(
    dtype=rushlight.qint8, qscheme=rushlight.per_channel_symmetric
)
per_channel_weight_observer_range_neg_127_to_127 = PerChannelMinMaxObserver.with_args(
    qscheme=rushlight.per_channel_symmetric, **_NARROW
)
default_dynamic_quant_observer = PlaceholderObserver.with_args(
    dtype=rushlight.quint8, quant_min=0, quant_max=255, is_dynamic=True
)
default_float_qparams_observer = PerChannelMinMaxObserver.with_args(
    dtype=rushlight.quint8, qscheme=rushlight.per_channel_affine_float_qparams, ch_axis=0
)
default_float_qparams_observer_4bit = PerChannelMinMaxObserver.with_args(
    dtype=rushlight.quint4x2, qscheme=rushlight.per_channel_affine_float_qparams, ch_axis=0
)
default_fixed_qparams_range_neg1to1_observer = FixedQParamsObserver.with_args(scale=2.0 / 256.0, zero_point=128)
default_fixed_qparams_range_0to1_observer = FixedQParamsObserver.with_args(scale=1.0 / 256.0, zero_point=0)
default_symmetric_fixed_qparams_observer = default_fixed_qparams_range_neg1to1_observer
default_affine_fixed_qparams_observer = default_fixed_qparams_range_0to1_observer
default_reuse_input_observer = ReuseInputObserver
