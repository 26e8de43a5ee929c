"""The negative binomial distribution."""

from __future__ import annotations

from typing import Any

import rushlight
from rushlight import Tensor

from . import constraints
from ._probs_or_logits import ProbsOrLogits, check_one_given
from .gamma import Gamma
from .utils import broadcast_all, lazy_property

__all__ = ["NegativeBinomial"]


class NegativeBinomial(ProbsOrLogits):
    """Successes before `total_count` failures, of trials that succeed with probability `probs`.

    >>> import rushlight
    >>> NegativeBinomial(2.0, rushlight.tensor(0.5)).mean.item()
    2.0
    """

    arg_constraints = {
        "total_count": constraints.greater_than_eq(0),
        "probs": constraints.half_open_interval(0.0, 1.0),
        "logits": constraints.real,
    }
    support = constraints.nonnegative_integer

    def __init__(
        self,
        total_count: Tensor | float,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        check_one_given(probs, logits)
        if probs is not None:
            self.total_count, self.probs = broadcast_all(total_count, probs)
            self.total_count = self.total_count.type_as(self.probs)
        else:
            self.total_count, self.logits = broadcast_all(total_count, logits)
            self.total_count = self.total_count.type_as(self.logits)
        self._param = self.probs if probs is not None else self.logits
        super().__init__(self._param.size(), validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> NegativeBinomial:
        new = self._get_checked_instance(NegativeBinomial, _instance)
        batch_shape = rushlight.Size(batch_shape)
        new.total_count = self.total_count.expand(batch_shape)
        self._expand_param(new, batch_shape)
        return self._finish_expand(new, NegativeBinomial, batch_shape)

    @property
    def mean(self) -> Tensor:
        return self.total_count * rushlight.exp(self.logits)

    @property
    def mode(self) -> Tensor:
        return ((self.total_count - 1) * self.logits.exp()).floor().clamp(min=0.0)

    @property
    def variance(self) -> Tensor:
        return self.mean / rushlight.sigmoid(-self.logits)

    @lazy_property
    def _gamma(self) -> Gamma:
        # A Poisson distribution with a gamma distributed rate.
        return Gamma(
            concentration=self.total_count,
            rate=rushlight.exp(-self.logits),
            validate_args=False,
        )

    def sample(self, sample_shape: Any = rushlight.Size()) -> Tensor:
        with rushlight.no_grad():
            rate = self._gamma.sample(sample_shape=sample_shape)
            return rushlight.poisson(rate)

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        log_unnormalized = self.total_count * rushlight.nn.functional.logsigmoid(
            -self.logits
        ) + value * rushlight.nn.functional.logsigmoid(self.logits)
        log_normalization = (
            -rushlight.lgamma(self.total_count + value)
            + rushlight.lgamma(1.0 + value)
            + rushlight.lgamma(self.total_count)
        )
        # No failures to wait for, no success before them: probability 1.
        log_normalization = log_normalization.masked_fill(self.total_count + value == 0.0, 0.0)
        return log_unnormalized - log_normalization
