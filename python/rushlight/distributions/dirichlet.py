"""The Dirichlet distribution."""

from __future__ import annotations

from typing import Any

import rushlight
from rushlight import Tensor

from . import constraints
from .exp_family import ExponentialFamily

__all__ = ["Dirichlet"]


def _path_gradient(x: Tensor, concentration: Tensor, grad_output: Tensor) -> Tensor:
    """The gradient of the concentration through a sample, which sums to 1."""
    total = concentration.sum(-1, True).expand_as(concentration)
    grad = rushlight._dirichlet_grad(x, concentration, total)
    return grad * (grad_output - (x * grad_output).sum(-1, True))


class _Dirichlet(rushlight.autograd.Function):
    @staticmethod
    def forward(ctx: Any, concentration: Tensor) -> Tensor:
        x = rushlight._sample_dirichlet(concentration)
        ctx.save_for_backward(x, concentration)
        return x

    @staticmethod
    @rushlight.autograd.function.once_differentiable
    def backward(ctx: Any, grad_output: Tensor) -> Tensor:
        x, concentration = ctx.saved_tensors
        return _path_gradient(x, concentration, grad_output)


class Dirichlet(ExponentialFamily):
    """A distribution over probability vectors as long as the last dimension of `concentration`.

    >>> import rushlight
    >>> Dirichlet(rushlight.tensor([1.0, 3.0])).mean.tolist()
    [0.25, 0.75]
    """

    arg_constraints = {"concentration": constraints.independent(constraints.positive, 1)}
    support = constraints.simplex
    has_rsample = True

    def __init__(self, concentration: Tensor, validate_args: bool | None = None) -> None:
        if concentration.dim() < 1:
            raise ValueError("`concentration` parameter must be at least one-dimensional.")
        self.concentration = concentration
        batch_shape, event_shape = concentration.shape[:-1], concentration.shape[-1:]
        super().__init__(batch_shape, event_shape, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Dirichlet:
        new = self._get_checked_instance(Dirichlet, _instance)
        batch_shape = rushlight.Size(batch_shape)
        new.concentration = self.concentration.expand(batch_shape + self.event_shape)
        return self._finish_expand(new, Dirichlet, batch_shape)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        return _Dirichlet.apply(self.concentration.expand(shape))

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        return (
            rushlight.xlogy(self.concentration - 1.0, value).sum(-1)
            + rushlight.lgamma(self.concentration.sum(-1))
            - rushlight.lgamma(self.concentration).sum(-1)
        )

    @property
    def mean(self) -> Tensor:
        return self.concentration / self.concentration.sum(-1, True)

    @property
    def mode(self) -> Tensor:
        excess = (self.concentration - 1).clamp(min=0.0)
        mode = excess / excess.sum(-1, True)
        # Below 1 everywhere, the density is highest at the corners.
        corners = (self.concentration < 1).all(dim=-1)
        mode[corners] = rushlight.nn.functional.one_hot(
            mode[corners].argmax(dim=-1), excess.shape[-1]
        ).to(mode)
        return mode

    @property
    def variance(self) -> Tensor:
        total = self.concentration.sum(-1, True)
        return self.concentration * (total - self.concentration) / (total.pow(2) * (total + 1))

    def entropy(self) -> Tensor:
        k = self.concentration.size(-1)
        total = self.concentration.sum(-1)
        return (
            rushlight.lgamma(self.concentration).sum(-1)
            - rushlight.lgamma(total)
            - (k - total) * rushlight.digamma(total)
            - ((self.concentration - 1.0) * rushlight.digamma(self.concentration)).sum(-1)
        )

    @property
    def _natural_params(self) -> tuple[Tensor]:
        return (self.concentration,)

    def _log_normalizer(self, x: Any) -> Any:
        return x.lgamma().sum(-1) - rushlight.lgamma(x.sum(-1))
