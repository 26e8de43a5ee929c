"""The categorical distribution."""

from __future__ import annotations

from typing import Any

import rushlight
from rushlight import Tensor

from . import constraints
from ._probs_or_logits import ProbsOrLogits, check_one_given

__all__ = ["Categorical"]


class Categorical(ProbsOrLogits):
    """One of the classes 0 .. k-1, with probabilities along the last dimension of `probs`.

    `probs` are scaled to sum to 1; `logits` are logarithms up to a constant.

    >>> import rushlight
    >>> weights = rushlight.tensor([1.0, 3.0])
    >>> round(Categorical(weights).log_prob(rushlight.tensor(1)).exp().item(), 4)
    0.75
    """

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    has_enumerate_support = True
    _binary = False

    def __init__(
        self,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        check_one_given(probs, logits)
        if probs is not None:
            if probs.dim() < 1:
                raise ValueError("`probs` parameter must be at least one-dimensional.")
            self.probs = probs / probs.sum(-1, keepdim=True)
        else:
            assert logits is not None
            if logits.dim() < 1:
                raise ValueError("`logits` parameter must be at least one-dimensional.")
            self.logits = logits - logits.logsumexp(dim=-1, keepdim=True)
        self._param = self.probs if probs is not None else self.logits
        self._num_events = self._param.size()[-1]
        batch_shape = self._param.size()[:-1] if self._param.ndimension() > 1 else rushlight.Size()
        super().__init__(batch_shape, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Categorical:
        new = self._get_checked_instance(Categorical, _instance)
        batch_shape = rushlight.Size(batch_shape)
        param_shape = batch_shape + rushlight.Size((self._num_events,))
        self._expand_param(new, param_shape)
        new._num_events = self._num_events
        return self._finish_expand(new, Categorical, batch_shape)

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self) -> Any:
        return constraints.integer_interval(0, self._num_events - 1)

    def _nowhere(self) -> Tensor:
        return rushlight.full(
            self._extended_shape(),
            rushlight.nan,
            dtype=self.probs.dtype,
            device=self.probs.device,
        )

    @property
    def mean(self) -> Tensor:
        return self._nowhere()

    @property
    def mode(self) -> Tensor:
        return self.probs.argmax(dim=-1)

    @property
    def variance(self) -> Tensor:
        return self._nowhere()

    def sample(self, sample_shape: Any = rushlight.Size()) -> Tensor:
        if not isinstance(sample_shape, rushlight.Size):
            sample_shape = rushlight.Size(sample_shape)
        rows = self.probs.reshape(-1, self._num_events)
        draws = rushlight.multinomial(rows, sample_shape.numel(), True).T
        return draws.reshape(self._extended_shape(sample_shape))

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        value = value.long().unsqueeze(-1)
        value, log_pmf = rushlight.broadcast_tensors(value, self.logits)
        value = value[..., :1]
        return log_pmf.gather(-1, value).squeeze(-1)

    def entropy(self) -> Tensor:
        smallest = rushlight.finfo(self.logits.dtype).min
        logits = rushlight.clamp(self.logits, min=smallest)
        return -(logits * self.probs).sum(-1)

    def enumerate_support(self, expand: bool = True) -> Tensor:
        values = rushlight.arange(self._num_events, dtype=rushlight.long, device=self._param.device)
        values = values.view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1,) + self._batch_shape) if expand else values
