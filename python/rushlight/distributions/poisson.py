"""The Poisson distribution."""

from __future__ import annotations

from numbers import Number
from typing import Any

import rushlight
from rushlight import Tensor

from . import constraints
from .exp_family import ExponentialFamily
from .utils import broadcast_all

__all__ = ["Poisson"]


class Poisson(ExponentialFamily):
    """Numbers of independent events, `rate` on average.

    >>> Poisson(4.0).variance.item()
    4.0
    """

    arg_constraints = {"rate": constraints.nonnegative}
    support = constraints.nonnegative_integer

    @property
    def mean(self) -> Tensor:
        return self.rate

    @property
    def mode(self) -> Tensor:
        return self.rate.floor()

    @property
    def variance(self) -> Tensor:
        return self.rate

    def __init__(self, rate: Tensor | float, validate_args: bool | None = None) -> None:
        (self.rate,) = broadcast_all(rate)
        shape = rushlight.Size() if isinstance(rate, Number) else self.rate.size()
        super().__init__(shape, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Poisson:
        new = self._get_checked_instance(Poisson, _instance)
        batch_shape = rushlight.Size(batch_shape)
        new.rate = self.rate.expand(batch_shape)
        return self._finish_expand(new, Poisson, batch_shape)

    def sample(self, sample_shape: Any = rushlight.Size()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        with rushlight.no_grad():
            return rushlight.poisson(self.rate.expand(shape))

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        rate, value = broadcast_all(self.rate, value)
        return value.xlogy(rate) - rate - (value + 1).lgamma()

    @property
    def _natural_params(self) -> tuple[Tensor]:
        return (rushlight.log(self.rate),)

    def _log_normalizer(self, x: Any) -> Any:
        return rushlight.exp(x)
