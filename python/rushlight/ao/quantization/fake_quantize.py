"""Fake quantization in modules: what a quantized model would compute, in floating point, with gradients."""

from __future__ import annotations

from functools import partial
from typing import Any

import rushlight
from rushlight import Tensor
from rushlight.nn import Module

from .observer import (
    _PER_CHANNEL,
    _PER_TENSOR,
    _RANGES,
    _SYMMETRIC,
    FixedQParamsObserver,
    MovingAverageMinMaxObserver,
    MovingAveragePerChannelMinMaxObserver,
    _PartialWrapper,
    default_fixed_qparams_range_0to1_observer,
    default_fixed_qparams_range_neg1to1_observer,
)

__all__ = [
    "FakeQuantize",
    "FakeQuantizeBase",
    "FixedQParamsFakeQuantize",
    "FusedMovingAvgObsFakeQuantize",
    "disable_fake_quant",
    "disable_observer",
    "enable_fake_quant",
    "enable_observer",
]


class FakeQuantizeBase(Module):
    """Base of modules that observe their input and round it; both can be switched off."""

    fake_quant_enabled: Tensor
    observer_enabled: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("fake_quant_enabled", rushlight.tensor([1], dtype=rushlight.uint8))
        self.register_buffer("observer_enabled", rushlight.tensor([1], dtype=rushlight.uint8))

    def calculate_qparams(self, **kwargs: Any) -> Any:
        """Scale and zero point by what has been observed."""
        raise NotImplementedError(f"{type(self).__name__}.calculate_qparams")

    def enable_fake_quant(self, enabled: bool = True) -> None:
        """Round from now on."""
        self.fake_quant_enabled[0] = int(enabled)

    def disable_fake_quant(self) -> None:
        """Round no longer."""
        self.enable_fake_quant(False)

    def enable_observer(self, enabled: bool = True) -> None:
        """Observe from now on."""
        self.observer_enabled[0] = int(enabled)

    def disable_observer(self) -> None:
        """Observe no longer: scale and zero point stay."""
        self.enable_observer(False)

    @classmethod
    def with_args(cls, **kwargs: Any) -> _PartialWrapper:
        """The class with arguments given."""
        return _PartialWrapper(partial(cls, **kwargs))


class FakeQuantize(FakeQuantizeBase):
    """Rounds its input, floating of any shape, to the numbers of a quantized format whose range is observed.

    `observer` makes the observer, with `observer_kwargs`; [`quant_min`, `quant_max`] are the
    positions of the format. Gradients pass where the input lies in the range, and are 0 elsewhere.
    Raises AssertionError for positions that the dtype of the observer does not have.

    >>> import rushlight
    >>> quantize = FakeQuantize(MovingAverageMinMaxObserver, quant_min=0, quant_max=255)
    >>> quantize(rushlight.tensor([-1.0, 0.012, 1.55]))
    tensor([-1.0000,  0.0100,  1.5500])
    """

    scale: Tensor
    zero_point: Tensor

    def __init__(
        self,
        observer: Any = MovingAverageMinMaxObserver,
        quant_min: int | None = None,
        quant_max: int | None = None,
        is_dynamic: bool = False,
        **observer_kwargs: Any,
    ) -> None:
        super().__init__()
        if quant_min is not None and quant_max is not None:
            given = getattr(getattr(observer, "p", None), "keywords", {})
            dtype = given.get("dtype", observer_kwargs.get("dtype", rushlight.quint8))
            if quant_min > quant_max:
                raise AssertionError("quant_min must be less than or equal to quant_max")
            low, high = _RANGES[dtype]
            if quant_min < low:
                raise AssertionError(f"quant_min out of bound: {quant_min} is below {low}, the least of {dtype}")
            if quant_max > high:
                raise AssertionError(f"quant_max out of bound: {quant_max} is above {high}, the most of {dtype}")
            observer_kwargs |= {"quant_min": quant_min, "quant_max": quant_max}
        observed = observer(is_dynamic=is_dynamic, **observer_kwargs)
        self.activation_post_process = observed
        self.quant_min = observed.quant_min
        self.quant_max = observed.quant_max
        self.is_dynamic = observed.is_dynamic
        self.dtype = observed.dtype
        self.qscheme = observed.qscheme
        self.ch_axis = getattr(observed, "ch_axis", -1)
        if self.qscheme not in _PER_TENSOR + _PER_CHANNEL:
            raise AssertionError(
                "Only per channel and per tensor quantization are supported in fake quantize got qscheme: "
                f"{self.qscheme}"
            )
        self.is_per_channel = self.qscheme in _PER_CHANNEL
        floating = self.qscheme is rushlight.per_channel_affine_float_qparams
        zero_dtype = rushlight.float32 if floating else rushlight.int32
        self.register_buffer("scale", rushlight.tensor([1.0], dtype=rushlight.float32))
        self.register_buffer("zero_point", rushlight.tensor([0], dtype=zero_dtype))

    def calculate_qparams(self, **kwargs: Any) -> tuple[Tensor, Tensor]:
        """Scale (float32) and zero point by what has been observed, an element for each channel."""
        found: tuple[Tensor, Tensor] = self.activation_post_process.calculate_qparams()
        return found

    def _observe(self, x: Tensor) -> None:
        self.activation_post_process(x.detach())
        for own, new in zip((self.scale, self.zero_point), self.calculate_qparams(), strict=True):
            if own.shape != new.shape:
                own.resize_(new.shape)
            own.copy_(new)

    def forward(self, X: Tensor) -> Tensor:  # noqa: N803
        """Observe and round, as far as both are switched on."""
        if self.observer_enabled[0] == 1:
            self._observe(X)
        if self.fake_quant_enabled[0] != 1:
            return X
        bounds = (self.activation_post_process.quant_min, self.activation_post_process.quant_max)
        if self.is_per_channel:
            return rushlight.fake_quantize_per_channel_affine(X, self.scale, self.zero_point, self.ch_axis, *bounds)
        return rushlight.fake_quantize_per_tensor_affine(X, self.scale, self.zero_point, *bounds)

    def _switches(self) -> str:
        return f"fake_quant_enabled={self.fake_quant_enabled}, observer_enabled={self.observer_enabled}, "

    def extra_repr(self) -> str:
        """Switches, format, scale and zero point."""
        return (
            f"{self._switches()}quant_min={self.activation_post_process.quant_min}, "
            f"quant_max={self.activation_post_process.quant_max}, dtype={self.dtype}, qscheme={self.qscheme}, "
            f"ch_axis={self.ch_axis}, scale={self.scale}, zero_point={self.zero_point}"
        )

    def _load_from_state_dict(self, state_dict: dict[str, Any], prefix: str, *rest: Any) -> None:
        for name in ("scale", "zero_point"):  # their sizes are those of the first input
            if prefix + name in state_dict:
                getattr(self, name).resize_(state_dict[prefix + name].shape)
        super()._load_from_state_dict(state_dict, prefix, *rest)


class FixedQParamsFakeQuantize(FakeQuantize):
    """Rounds to a format of known scale and zero point: `observer` makes a `FixedQParamsObserver`."""

    def __init__(self, observer: Any) -> None:
        super().__init__(observer=observer)
        if type(self.activation_post_process) is not FixedQParamsObserver:
            raise AssertionError(f"{type(self).__name__}'s observer must be a FixedQParamsObserver")
        if self.is_per_channel:
            raise AssertionError(
                f"Only per tensor quantization is supported FixedQParamsFakeQuantize module, got qscheme:{self.qscheme}"
            )
        self._observer_ctr = observer
        self.scale = self.activation_post_process.scale
        self.zero_point = self.activation_post_process.zero_point

    def calculate_qparams(self, **kwargs: Any) -> tuple[Tensor, Tensor]:
        """The scale and the zero point of the observer."""
        return self.scale, self.zero_point

    def extra_repr(self) -> str:
        """Switches, scale, zero point and format."""
        return (
            f"{self._switches()}scale={self.scale}, zero_point={self.zero_point}, dtype={self.dtype}, "
            f"quant_min={self.activation_post_process.quant_min}, "
            f"quant_max={self.activation_post_process.quant_max}, qscheme={self.qscheme}"
        )


class FusedMovingAvgObsFakeQuantize(FakeQuantize):
    """The same as `FakeQuantize` with an observer of moving averages, in one operator; float32 only."""

    def __init__(
        self,
        observer: Any = MovingAverageMinMaxObserver,
        quant_min: int = 0,
        quant_max: int = 255,
        **observer_kwargs: Any,
    ) -> None:
        super().__init__(observer, quant_min, quant_max, **observer_kwargs)
        averaging = (MovingAverageMinMaxObserver, MovingAveragePerChannelMinMaxObserver)
        if not isinstance(self.activation_post_process, averaging):
            raise AssertionError("Fused observer+fake_quant module only works with MovingAverageMinMaxObserver")
        self.register_buffer("fake_quant_enabled", rushlight.tensor([1], dtype=rushlight.int64))
        self.register_buffer("observer_enabled", rushlight.tensor([1], dtype=rushlight.int64))
        self.is_symmetric_quant = self.qscheme in _SYMMETRIC

    def extra_repr(self) -> str:
        """Switches, scale, zero point and format."""
        return (
            f"{self._switches()}scale={self.scale}, zero_point={self.zero_point}, dtype={self.dtype}, "
            f"quant_min={self.activation_post_process.quant_min}, "
            f"quant_max={self.activation_post_process.quant_max}, qscheme={self.qscheme}, "
            f"reduce_range={self.activation_post_process.reduce_range}"
        )

    def forward(self, X: Tensor) -> Tensor:  # noqa: N803
        """Observe and round, as far as both are switched on."""
        observer = self.activation_post_process
        return rushlight.fused_moving_avg_obs_fake_quant(
            X,
            self.observer_enabled,
            self.fake_quant_enabled,
            observer.min_val,
            observer.max_val,
            self.scale,
            self.zero_point,
            observer.averaging_constant,
            observer.quant_min,
            observer.quant_max,
            self.ch_axis,
            self.is_per_channel,
            self.is_symmetric_quant,
        )


def _of_format(cls: type[FakeQuantizeBase], observer: Any, low: int, high: int, dtype: Any, **more: Any) -> Any:
    return cls.with_args(observer=observer, quant_min=low, quant_max=high, dtype=dtype, **more)


_MOVING, _MOVING_CHANNELS = MovingAverageMinMaxObserver, MovingAveragePerChannelMinMaxObserver
_TENSOR = {"qscheme": rushlight.per_tensor_symmetric}
_CHANNELS = {"qscheme": rushlight.per_channel_symmetric}
_FUSED, _U8, _I8 = FusedMovingAvgObsFakeQuantize, rushlight.quint8, rushlight.qint8
default_fake_quant = _of_format(
    FakeQuantize, _MOVING, 0, 255, _U8, qscheme=rushlight.per_tensor_affine, reduce_range=True
)
default_weight_fake_quant = _of_format(FakeQuantize, _MOVING, -128, 127, _I8, reduce_range=False, **_TENSOR)
default_dynamic_fake_quant = _of_format(FakeQuantize, _MOVING, 0, 255, _U8, is_dynamic=True, averaging_constant=1)
default_fixed_qparams_range_neg1to1_fake_quant = FixedQParamsFakeQuantize.with_args(
    observer=default_fixed_qparams_range_neg1to1_observer
)
default_fixed_qparams_range_0to1_fake_quant = FixedQParamsFakeQuantize.with_args(
    observer=default_fixed_qparams_range_0to1_observer
)
default_symmetric_fixed_qparams_fake_quant = default_fixed_qparams_range_neg1to1_fake_quant
default_affine_fixed_qparams_fake_quant = default_fixed_qparams_range_0to1_fake_quant
default_per_channel_weight_fake_quant = _of_format(
    FakeQuantize, _MOVING_CHANNELS, -128, 127, _I8, reduce_range=False, ch_axis=0, **_CHANNELS
)
_EMBEDDING: dict[str, Any] = {"qscheme": rushlight.per_channel_affine_float_qparams, "ch_axis": 0}
default_embedding_fake_quant = _of_format(
    FakeQuantize, _MOVING_CHANNELS, 0, 255, _U8, averaging_constant=1, **_EMBEDDING
)
default_embedding_fake_quant_4bit = FakeQuantize.with_args(
    observer=_MOVING_CHANNELS, dtype=rushlight.quint4x2, averaging_constant=1, **_EMBEDDING
)
default_fused_act_fake_quant = _of_format(_FUSED, _MOVING, 0, 255, _U8)
default_fused_wt_fake_quant = _of_format(_FUSED, _MOVING, -128, 127, _I8, **_TENSOR)
default_fused_per_channel_wt_fake_quant = _of_format(_FUSED, _MOVING_CHANNELS, -128, 127, _I8, **_CHANNELS)
fused_wt_fake_quant_range_neg_127_to_127 = _of_format(_FUSED, _MOVING, -127, 127, _I8, eps=2**-12, **_TENSOR)
fused_per_channel_wt_fake_quant_range_neg_127_to_127 = _of_format(
    _FUSED, _MOVING_CHANNELS, -127, 127, _I8, eps=2**-12, **_CHANNELS
)


def disable_fake_quant(mod: Module) -> None:
    """Stop rounding if `mod` does: for `model.apply(disable_fake_quant)`."""
    if isinstance(mod, FakeQuantizeBase):
        mod.disable_fake_quant()


def enable_fake_quant(mod: Module) -> None:
    """Begin rounding if `mod` can: for `model.apply(enable_fake_quant)`."""
    if isinstance(mod, FakeQuantizeBase):
        mod.enable_fake_quant()


def disable_observer(mod: Module) -> None:
    """Stop observing if `mod` does: for `model.apply(disable_observer)`."""
    if isinstance(mod, FakeQuantizeBase):
        mod.disable_observer()


def enable_observer(mod: Module) -> None:
    """Begin observing if `mod` can: for `model.apply(enable_observer)`."""
    if isinstance(mod, FakeQuantizeBase):
        mod.enable_observer()
