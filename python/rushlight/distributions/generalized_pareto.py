"""The generalized Pareto distribution."""

from __future__ import annotations

import math
from numbers import Number
from typing import Any

import rushlight
from rushlight import Tensor

from . import constraints
from .distribution import Distribution
from .utils import broadcast_all

__all__ = ["GeneralizedPareto"]


class GeneralizedPareto(Distribution):
    """Values above the threshold `loc`; `concentration` sets the weight of the tail.

    >>> import rushlight
    >>> GeneralizedPareto(0.0, 1.0, 0.5).mean.item()
    2.0
    """

    arg_constraints = {
        "loc": constraints.real,
        "scale": constraints.positive,
        "concentration": constraints.real,
    }
    has_rsample = True

    def __init__(
        self,
        loc: Tensor | float,
        scale: Tensor | float,
        concentration: Tensor | float,
        validate_args: bool | None = None,
    ) -> None:
        self.loc, self.scale, self.concentration = broadcast_all(loc, scale, concentration)
        numbers = all(isinstance(v, Number) for v in (loc, scale, concentration))
        shape = rushlight.Size() if numbers else self.loc.size()
        super().__init__(shape, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> GeneralizedPareto:
        new = self._get_checked_instance(GeneralizedPareto, _instance)
        batch_shape = rushlight.Size(batch_shape)
        new.loc = self.loc.expand(batch_shape)
        new.scale = self.scale.expand(batch_shape)
        new.concentration = self.concentration.expand(batch_shape)
        return self._finish_expand(new, GeneralizedPareto, batch_shape)

    def rsample(self, sample_shape: Any = rushlight.Size()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        u = rushlight.rand(shape, dtype=self.loc.dtype, device=self.loc.device)
        return self.icdf(u)

    def _z(self, x: Tensor) -> Tensor:
        return (x - self.loc) / self.scale

    def _is_exponential(self) -> Tensor:
        return rushlight.isclose(self.concentration, self.concentration.new_zeros(()))

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        z = self._z(value)
        eq_zero = self._is_exponential()
        safe = rushlight.where(eq_zero, rushlight.ones_like(self.concentration), self.concentration)
        y = 1 / safe + rushlight.ones_like(z)
        where_nonzero = rushlight.where(y == 0, y, y * rushlight.log1p(safe * z))
        log_scale = self.scale.log()
        return -log_scale - rushlight.where(eq_zero, z, where_nonzero)

    def log_survival_function(self, value: Tensor) -> Tensor:
        """log(1 - cdf(value))."""
        if self._validate_args:
            self._validate_sample(value)
        z = self._z(value)
        eq_zero = self._is_exponential()
        safe = rushlight.where(eq_zero, rushlight.ones_like(self.concentration), self.concentration)
        return rushlight.where(eq_zero, -z, -rushlight.log1p(safe * z) / safe)

    def log_cdf(self, value: Tensor) -> Tensor:
        """log(cdf(value))."""
        return rushlight.log1p(-rushlight.exp(self.log_survival_function(value)))

    def cdf(self, value: Tensor) -> Tensor:
        return rushlight.exp(self.log_cdf(value))

    def icdf(self, value: Tensor) -> Tensor:
        eq_zero = self._is_exponential()
        safe = rushlight.where(eq_zero, rushlight.ones_like(self.concentration), self.concentration)
        logu = rushlight.log1p(-value)
        nonzero = self.loc + self.scale / safe * rushlight.expm1(-safe * logu)
        return rushlight.where(eq_zero, self.loc - self.scale * logu, nonzero)

    @property
    def mean(self) -> Tensor:
        concentration = self.concentration
        valid = concentration < 1
        safe = rushlight.where(valid, concentration, 0.5)
        result = self.loc + self.scale / (1 - safe)
        return rushlight.where(valid, result, rushlight.nan)

    @property
    def variance(self) -> Tensor:
        concentration = self.concentration
        valid = concentration < 0.5
        safe = rushlight.where(valid, concentration, 0.25)
        result = self.scale**2 / ((1 - safe) ** 2 * (1 - 2 * safe))
        return result + rushlight.zeros_like(self.loc).masked_fill(~valid, rushlight.nan)

    def entropy(self) -> Tensor:
        ans = rushlight.log(self.scale) + self.concentration + 1
        return rushlight.broadcast_to(ans, self._batch_shape)

    @property
    def mode(self) -> Tensor:
        return self.loc

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self) -> Any:
        lower = self.loc
        upper = rushlight.where(
            self.concentration < 0, lower - self.scale / self.concentration, math.inf
        )
        return constraints.interval(lower, upper)
