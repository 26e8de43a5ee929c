"""Distributions of the exponential family: entropy and divergence from the log normaliser."""

from __future__ import annotations

from typing import Any

import rushlight
from rushlight import Tensor

from .distribution import Distribution

__all__ = ["ExponentialFamily"]


class ExponentialFamily(Distribution):
    """A density exp(<t(x), theta> - F(theta) + k(x)).

    Subclasses give the natural parameters theta, F (`_log_normalizer`) and the mean of k
    (`_mean_carrier_measure`). The entropy follows by differentiating F: Nielsen and Nock,
    Entropies and cross-entropies of exponential families (2010).
    """

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        raise NotImplementedError

    def _log_normalizer(self, *natural_params: Any) -> Any:
        raise NotImplementedError

    @property
    def _mean_carrier_measure(self) -> float:
        raise NotImplementedError

    def entropy(self) -> Tensor:
        result: Any = -self._mean_carrier_measure
        params = [p.detach().requires_grad_() for p in self._natural_params]
        with rushlight.enable_grad():
            normalizer = self._log_normalizer(*params)
            gradients = rushlight.autograd.grad(normalizer.sum(), params, create_graph=True)
        result = result + normalizer
        for param, gradient in zip(params, gradients):
            result = result - (param * gradient).reshape(self._batch_shape + (-1,)).sum(-1)
        return result
