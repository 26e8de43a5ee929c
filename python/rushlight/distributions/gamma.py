"""The gamma distribution."""

from __future__ import annotations

from numbers import Number
from typing import Any

import rushlight
from rushlight import Tensor

from . import constraints
from .exp_family import ExponentialFamily
from .utils import broadcast_all

__all__ = ["Gamma"]


def _standard_gamma(concentration: Tensor) -> Tensor:
    return rushlight._standard_gamma(concentration)


class Gamma(ExponentialFamily):
    """Gamma distribution with shape `concentration` and inverse scale `rate`.

    >>> Gamma(3.0, 2.0).mean.item()
    1.5
    """

    arg_constraints = {
        "concentration": constraints.positive,
        "rate": constraints.positive,
    }
    support = constraints.nonnegative
    has_rsample = True
    _mean_carrier_measure = 0

    @property
    def mean(self) -> Tensor:
        return self.concentration / self.rate

    @property
    def mode(self) -> Tensor:
        return ((self.concentration - 1) / self.rate).clamp(min=0)

    @property
    def variance(self) -> Tensor:
        return self.concentration / self.rate.pow(2)

    def __init__(
        self,
        concentration: Tensor | float,
        rate: Tensor | float,
        validate_args: bool | None = None,
    ) -> None:
        self.concentration, self.rate = broadcast_all(concentration, rate)
        numbers = isinstance(concentration, Number) and isinstance(rate, Number)
        shape = rushlight.Size() if numbers else self.concentration.size()
        super().__init__(shape, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Gamma:
        new = self._get_checked_instance(Gamma, _instance)
        batch_shape = rushlight.Size(batch_shape)
        new.concentration = self.concentration.expand(batch_shape)
        new.rate = self.rate.expand(batch_shape)
        return self._finish_expand(new, Gamma, batch_shape)

    def rsample(self, sample_shape: Any = rushlight.Size()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        value = _standard_gamma(self.concentration.expand(shape)) / self.rate.expand(shape)
        # A sample of 0 would have no finite log-probability.
        value.detach().clamp_(min=rushlight.finfo(value.dtype).tiny)
        return value

    def log_prob(self, value: Tensor) -> Tensor:
        value = rushlight.as_tensor(value, dtype=self.rate.dtype, device=self.rate.device)
        if self._validate_args:
            self._validate_sample(value)
        return (
            rushlight.xlogy(self.concentration, self.rate)
            + rushlight.xlogy(self.concentration - 1, value)
            - self.rate * value
            - rushlight.lgamma(self.concentration)
        )

    def entropy(self) -> Tensor:
        return (
            self.concentration
            - rushlight.log(self.rate)
            + rushlight.lgamma(self.concentration)
            + (1.0 - self.concentration) * rushlight.digamma(self.concentration)
        )

    @property
    def _natural_params(self) -> tuple[Tensor, Tensor]:
        return (self.concentration - 1, -self.rate)

    def _log_normalizer(self, x: Any, y: Any) -> Any:
        return rushlight.lgamma(x + 1) + (x + 1) * rushlight.log(-y.reciprocal())

    def cdf(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        return rushlight.special.gammainc(self.concentration, self.rate * value)
