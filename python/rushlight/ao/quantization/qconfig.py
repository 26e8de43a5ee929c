"""QConfig: the observers or fake quantizers of a layer's activations and weights."""

from __future__ import annotations

from typing import Any, NamedTuple

from rushlight.nn import Module

from . import fake_quantize as _fake, observer as _observer

__all__ = ["QConfig", "qconfig_equals"]


class _Pair(NamedTuple):
    activation: Any
    weight: Any


class QConfig(_Pair):
    """What makes the modules that observe activations and weights: classes, or classes `with_args`.

    Raises ValueError for modules instead of what makes them.

    >>> QConfig(activation=_observer.MinMaxObserver, weight=_observer.default_weight_observer).weight().quant_min
    -128
    """

    __slots__ = ()

    def __new__(cls, activation: Any, weight: Any) -> QConfig:
        if isinstance(activation, Module) or isinstance(weight, Module):
            raise ValueError(
                "QConfig received observer instance, please pass observer class instead. Use "
                "MyObserver.with_args(x=1) to override arguments to constructor if needed"
            )
        return super().__new__(cls, activation, weight)


def _same_maker(one: Any, other: Any) -> bool:
    """Whether two classes, or classes with arguments, make the same."""
    if not isinstance(one, _observer._PartialWrapper) or not isinstance(other, _observer._PartialWrapper):
        return bool(one == other)
    first, second = one.p, other.p
    parts = [(getattr(p, "func", p), getattr(p, "args", ()), dict(getattr(p, "keywords", {}))) for p in (first, second)]
    (func, args, given), (other_func, other_args, other_given) = parts
    observers = given.pop("observer", None), other_given.pop("observer", None)
    return bool(_same_maker(func, other_func) and args == other_args and given == other_given) and _same_maker(
        *observers
    )


def qconfig_equals(q1: QConfig | None, q2: QConfig | None) -> bool:
    """Whether two configurations make the same modules."""
    if q1 is None or q2 is None:
        return q1 is q2
    return _same_maker(q1.activation, q2.activation) and _same_maker(q1.weight, q2.weight)


default_qconfig = QConfig(_observer.default_observer, _observer.default_weight_observer)
default_debug_qconfig = QConfig(_observer.default_debug_observer, _observer.default_weight_observer)
default_per_channel_qconfig = QConfig(_observer.default_observer, _observer.default_per_channel_weight_observer)
default_qat_qconfig = QConfig(_fake.default_fake_quant, _fake.default_weight_fake_quant)
default_dynamic_qat_qconfig = QConfig(_fake.default_dynamic_fake_quant, _fake.default_weight_fake_quant)
default_qat_qconfig_v2 = QConfig(_fake.default_fused_act_fake_quant, _fake.default_fused_wt_fake_quant)
