"""The continuous Bernoulli distribution."""

from __future__ import annotations

import math
from numbers import Number
from typing import Any

import rushlight
from rushlight import Tensor

from . import constraints
from ._probs_or_logits import ProbsOrLogits, check_one_given
from .exp_family import ExponentialFamily
from .utils import (
    broadcast_all,
    clamp_probs,
    lazy_property,
    logits_to_probs,
)

__all__ = ["ContinuousBernoulli"]


class ContinuousBernoulli(ProbsOrLogits, ExponentialFamily):
    """A density proportional to probs^x (1-probs)^(1-x) on the unit interval.

    Between `lims` the normaliser, which is 0/0 at 1/2, is a Taylor polynomial. Loaiza-Ganem and
    Cunningham, The continuous Bernoulli (2019).

    >>> import rushlight
    >>> ContinuousBernoulli(rushlight.tensor(0.5)).mean.item()
    0.5
    """

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.unit_interval
    has_rsample = True
    _mean_carrier_measure = 0

    def __init__(
        self,
        probs: Tensor | float | None = None,
        logits: Tensor | float | None = None,
        lims: tuple[float, float] = (0.499, 0.501),
        validate_args: bool | None = None,
    ) -> None:
        check_one_given(probs, logits)
        if probs is not None:
            is_scalar = isinstance(probs, Number)
            (self.probs,) = broadcast_all(probs)
            if (
                validate_args is not None
                and not self.arg_constraints["probs"].check(self.probs).all()
            ):
                raise ValueError("The parameter probs has invalid values")
            self.probs = clamp_probs(self.probs)
        else:
            is_scalar = isinstance(logits, Number)
            (self.logits,) = broadcast_all(logits)
        self._param = self.probs if probs is not None else self.logits
        shape = rushlight.Size() if is_scalar else self._param.size()
        self._lims = lims
        super().__init__(shape, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> ContinuousBernoulli:
        new = self._get_checked_instance(ContinuousBernoulli, _instance)
        batch_shape = rushlight.Size(batch_shape)
        new._lims = self._lims
        self._expand_param(new, batch_shape)
        return self._finish_expand(new, ContinuousBernoulli, batch_shape)

    def _outside_unstable_region(self) -> Tensor:
        return rushlight.max(
            rushlight.le(self.probs, self._lims[0]), rushlight.gt(self.probs, self._lims[1])
        )

    def _cut_probs(self) -> Tensor:
        return rushlight.where(
            self._outside_unstable_region(),
            self.probs,
            self._lims[0] * rushlight.ones_like(self.probs),
        )

    def _cont_bern_log_norm(self) -> Tensor:
        cut = self._cut_probs()
        below = rushlight.where(rushlight.le(cut, 0.5), cut, rushlight.zeros_like(cut))
        above = rushlight.where(rushlight.ge(cut, 0.5), cut, rushlight.ones_like(cut))
        log_norm = rushlight.log(
            rushlight.abs(rushlight.log1p(-cut) - rushlight.log(cut))
        ) - rushlight.where(
            rushlight.le(cut, 0.5),
            rushlight.log1p(-2.0 * below),
            rushlight.log(2.0 * above - 1.0),
        )
        x = rushlight.pow(self.probs - 0.5, 2)
        taylor = math.log(2.0) + (4.0 / 3.0 + 104.0 / 45.0 * x) * x
        return rushlight.where(self._outside_unstable_region(), log_norm, taylor)

    @property
    def mean(self) -> Tensor:
        cut = self._cut_probs()
        mus = cut / (2.0 * cut - 1.0) + 1.0 / (rushlight.log1p(-cut) - rushlight.log(cut))
        x = self.probs - 0.5
        taylor = 0.5 + (1.0 / 3.0 + 16.0 / 45.0 * rushlight.pow(x, 2)) * x
        return rushlight.where(self._outside_unstable_region(), mus, taylor)

    @property
    def stddev(self) -> Tensor:
        return rushlight.sqrt(self.variance)

    @property
    def variance(self) -> Tensor:
        cut = self._cut_probs()
        variances = cut * (cut - 1.0) / rushlight.pow(1.0 - 2.0 * cut, 2) + 1.0 / rushlight.pow(
            rushlight.log1p(-cut) - rushlight.log(cut), 2
        )
        x = rushlight.pow(self.probs - 0.5, 2)
        taylor = 1.0 / 12.0 - (1.0 / 15.0 - 128.0 / 945.0 * x) * x
        return rushlight.where(self._outside_unstable_region(), variances, taylor)

    @lazy_property
    def probs(self) -> Tensor:
        """Probabilities."""
        return clamp_probs(logits_to_probs(self.logits, is_binary=True))

    def sample(self, sample_shape: Any = rushlight.Size()) -> Tensor:
        with rushlight.no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape: Any = rushlight.Size()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        u = rushlight.rand(shape, dtype=self.probs.dtype, device=self.probs.device)
        return self.icdf(u)

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        return (
            -rushlight.nn.functional.binary_cross_entropy_with_logits(
                logits, value, reduction="none"
            )
            + self._cont_bern_log_norm()
        )

    def cdf(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        cut = self._cut_probs()
        cdfs = (rushlight.pow(cut, value) * rushlight.pow(1.0 - cut, 1.0 - value) + cut - 1.0) / (
            2.0 * cut - 1.0
        )
        inside = rushlight.where(self._outside_unstable_region(), cdfs, value)
        return rushlight.where(
            rushlight.le(value, 0.0),
            rushlight.zeros_like(value),
            rushlight.where(rushlight.ge(value, 1.0), rushlight.ones_like(value), inside),
        )

    def icdf(self, value: Tensor) -> Tensor:
        cut = self._cut_probs()
        return rushlight.where(
            self._outside_unstable_region(),
            (rushlight.log1p(-cut + value * (2.0 * cut - 1.0)) - rushlight.log1p(-cut))
            / (rushlight.log(cut) - rushlight.log1p(-cut)),
            value,
        )

    def entropy(self) -> Tensor:
        log_probs0 = rushlight.log1p(-self.probs)
        log_probs1 = rushlight.log(self.probs)
        return self.mean * (log_probs0 - log_probs1) - self._cont_bern_log_norm() - log_probs0

    @property
    def _natural_params(self) -> tuple[Tensor]:
        return (self.logits,)

    def _log_normalizer(self, x: Any) -> Any:
        # The normaliser is 0/0 at 0; between the limits it is a Taylor polynomial.
        outside = rushlight.max(
            rushlight.le(x, self._lims[0] - 0.5), rushlight.gt(x, self._lims[1] - 0.5)
        )
        cut = rushlight.where(outside, x, (self._lims[0] - 0.5) * rushlight.ones_like(x))
        log_norm = rushlight.log(rushlight.abs(rushlight.special.expm1(cut))) - rushlight.log(
            rushlight.abs(cut)
        )
        taylor = 0.5 * x + rushlight.pow(x, 2) / 24.0 - rushlight.pow(x, 4) / 2880.0
        return rushlight.where(outside, log_norm, taylor)
