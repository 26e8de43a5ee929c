"""What distributions share that are given by probabilities or by log-odds, and compute the other when it is asked for."""

from __future__ import annotations

from typing import Any

from rushlight import Tensor

from .distribution import Distribution
from .utils import lazy_property, logits_to_probs, probs_to_logits


def check_one_given(probs: Any, logits: Any) -> None:
    """ValueError unless exactly one of both is there."""
    if (probs is None) == (logits is None):
        raise ValueError("Either `probs` or `logits` must be specified, but not both.")


class ProbsOrLogits(Distribution):
    """Has `probs`, `logits` and, as `_param`, the one that was given; `expand` begins with `_expand_param`."""

    _param: Tensor
    _binary = True  # False: along the last dimension, of several classes

    def _expand_param(self, new: Any, shape: Any) -> None:
        """Give `new` the parameters of this object, broadcast to a shape."""
        for name in ("probs", "logits"):
            if name in self.__dict__:
                new._param = self.__dict__[name].expand(shape)
                setattr(new, name, new._param)

    def _new(self, *args: Any, **kwargs: Any) -> Tensor:
        return self._param.new(*args, **kwargs)

    @lazy_property
    def logits(self) -> Tensor:
        """Log-odds; of several classes, normalised logarithms of the probabilities."""
        return probs_to_logits(self.probs, is_binary=self._binary)

    @lazy_property
    def probs(self) -> Tensor:
        """Probabilities."""
        return logits_to_probs(self.logits, is_binary=self._binary)

    @property
    def param_shape(self) -> Any:
        """The size of the parameter."""
        return self._param.size()


class OfCategorical(Distribution):
    """Has a `Categorical` as `_categorical`, and its parameters."""

    _categorical: Any

    def _new(self, *args: Any, **kwargs: Any) -> Tensor:
        return self._categorical._new(*args, **kwargs)

    @property
    def logits(self) -> Tensor:
        """Normalised logarithms of the probabilities."""
        return self._categorical.logits

    @property
    def probs(self) -> Tensor:
        """Probabilities of the classes."""
        return self._categorical.probs

    @property
    def param_shape(self) -> Any:
        """The size of the parameter."""
        return self._categorical.param_shape
