"""The multinomial distribution."""

from __future__ import annotations

from typing import Any

import rushlight
from rushlight import Tensor

from . import constraints
from ._probs_or_logits import OfCategorical
from .binomial import Binomial
from .categorical import Categorical
from .utils import broadcast_all

__all__ = ["Multinomial"]


class Multinomial(OfCategorical):
    """How often each class comes up in `total_count` draws.

    >>> import rushlight
    >>> Multinomial(5, rushlight.tensor([0.0, 1.0])).sample().tolist()
    [0.0, 5.0]
    """

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    total_count: int

    @property
    def mean(self) -> Tensor:
        return self.probs * self.total_count

    @property
    def variance(self) -> Tensor:
        return self.total_count * self.probs * (1 - self.probs)

    def __init__(
        self,
        total_count: int = 1,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        if not isinstance(total_count, int):
            raise NotImplementedError("inhomogeneous total_count is not supported")
        self.total_count = total_count
        self._categorical = Categorical(probs=probs, logits=logits)
        self._binomial = Binomial(total_count=total_count, probs=self.probs)
        batch_shape = self._categorical.batch_shape
        event_shape = self._categorical.param_shape[-1:]
        super().__init__(batch_shape, event_shape, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Multinomial:
        new = self._get_checked_instance(Multinomial, _instance)
        batch_shape = rushlight.Size(batch_shape)
        new.total_count = self.total_count
        new._categorical = self._categorical.expand(batch_shape)
        new._binomial = Binomial(total_count=self.total_count, probs=new._categorical.probs)
        return self._finish_expand(new, Multinomial, batch_shape)

    @constraints.dependent_property(is_discrete=True, event_dim=1)
    def support(self) -> Any:
        return constraints.multinomial(self.total_count)

    def sample(self, sample_shape: Any = rushlight.Size()) -> Tensor:
        sample_shape = rushlight.Size(sample_shape)
        draws = self._categorical.sample(rushlight.Size((self.total_count,)) + sample_shape)
        # The draws of one event go last, where they are counted.
        draws = draws.permute(*range(1, draws.dim()), 0)
        counts = draws.new_zeros(self._extended_shape(sample_shape))
        counts.scatter_add_(-1, draws, rushlight.ones_like(draws))
        return counts.type_as(self.probs)

    def entropy(self) -> Tensor:
        n = rushlight.tensor(self.total_count)
        cat_entropy = self._categorical.entropy()
        term1 = n * cat_entropy - rushlight.lgamma(n + 1)
        support = self._binomial.enumerate_support(expand=False)[1:]
        binomial_probs = rushlight.exp(self._binomial.log_prob(support))
        weights = rushlight.lgamma(support + 1)
        term2 = (binomial_probs * weights).sum([0, -1])
        return term1 + term2

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        logits = logits.clone(memory_format=rushlight.contiguous_format)
        log_factorial_n = rushlight.lgamma(value.sum(-1) + 1)
        log_factorial_xs = rushlight.lgamma(value + 1).sum(-1)
        # What is impossible and did not happen counts for nothing.
        logits[(value == 0) & (logits == -rushlight.inf)] = 0
        log_powers = (logits * value).sum(-1)
        return log_factorial_n - log_factorial_xs + log_powers
