"""The Wishart distribution."""

from __future__ import annotations

import math
import warnings
from numbers import Number
from typing import Any

import rushlight
from rushlight import Tensor

from . import constraints
from .chi2 import Chi2
from .exp_family import ExponentialFamily
from .multivariate_normal import _precision_to_scale_tril
from .utils import lazy_property

__all__ = ["Wishart"]


def _mvdigamma(x: Tensor, p: int) -> Tensor:
    """The derivative of the multivariate log-gamma function."""
    steps = rushlight.arange(p, dtype=x.dtype, device=x.device).div(2)
    return rushlight.digamma(x.unsqueeze(-1) - steps.expand(x.shape + (-1,))).sum(-1)


def _clamp_above_eps(x: Tensor) -> Tensor:
    return x.clamp(min=rushlight.finfo(x.dtype).eps)


class Wishart(ExponentialFamily):
    """Sample covariances: sums of `df` outer products of normal vectors.

    One of the covariance of the vectors, its inverse or its Cholesky factor is given.

    >>> import rushlight
    >>> Wishart(rushlight.tensor(3.0), rushlight.eye(2)).mean.tolist()
    [[3.0, 0.0], [0.0, 3.0]]
    """

    support = constraints.positive_definite
    has_rsample = True
    _mean_carrier_measure = 0

    @property
    def arg_constraints(self) -> dict[str, Any]:
        return {
            "covariance_matrix": constraints.positive_definite,
            "precision_matrix": constraints.positive_definite,
            "scale_tril": constraints.lower_cholesky,
            "df": constraints.greater_than(self.event_shape[-1] - 1),
        }

    def __init__(
        self,
        df: Tensor | float,
        covariance_matrix: Tensor | None = None,
        precision_matrix: Tensor | None = None,
        scale_tril: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        given = {
            "covariance_matrix": covariance_matrix,
            "precision_matrix": precision_matrix,
            "scale_tril": scale_tril,
        }
        stated = {name: m for name, m in given.items() if m is not None}
        if len(stated) != 1:
            raise AssertionError(
                "Exactly one of covariance_matrix or precision_matrix or scale_tril may be "
                "specified."
            )
        ((name, param),) = stated.items()
        if param.dim() < 2:
            raise ValueError(
                "scale_tril must be at least two-dimensional, with optional leading batch "
                "dimensions"
            )
        if isinstance(df, Number):
            batch_shape = rushlight.Size(param.shape[:-2])
            self.df = rushlight.tensor(df, dtype=param.dtype, device=param.device)
        else:
            batch_shape = rushlight.broadcast_shapes(param.shape[:-2], df.shape)  # type: ignore[union-attr]
            self.df = df.expand(batch_shape)  # type: ignore[union-attr]
        event_shape = param.shape[-2:]
        if self.df.le(event_shape[-1] - 1).any():
            raise ValueError(
                f"Value of df={df} expected to be greater than ndim - 1 = {event_shape[-1] - 1}."
            )
        setattr(self, name, param.expand(batch_shape + (-1, -1)))
        super().__init__(batch_shape, event_shape, validate_args=validate_args)
        if self.df.lt(event_shape[-1]).any():
            warnings.warn(
                "Low df values detected. Singular samples are highly likely to occur for "
                "ndim - 1 < df < ndim.",
                stacklevel=2,
            )
        if name == "scale_tril":
            self._unbroadcasted_scale_tril = param
        elif name == "covariance_matrix":
            self._unbroadcasted_scale_tril = rushlight.linalg.cholesky(param)
        else:
            self._unbroadcasted_scale_tril = _precision_to_scale_tril(param)
        # Degrees of freedom of the diagonal in Bartlett's decomposition.
        self._dist_chi2 = Chi2(
            df=(
                self.df.unsqueeze(-1)
                - rushlight.arange(
                    self._event_shape[-1],
                    dtype=self._unbroadcasted_scale_tril.dtype,
                    device=self._unbroadcasted_scale_tril.device,
                ).expand(batch_shape + (-1,))
            )
        )

    def expand(self, batch_shape: Any, _instance: Any = None) -> Wishart:
        new = self._get_checked_instance(Wishart, _instance)
        batch_shape = rushlight.Size(batch_shape)
        event_shape = self.event_shape
        new._unbroadcasted_scale_tril = self._unbroadcasted_scale_tril.expand(
            batch_shape + event_shape
        )
        new.df = self.df.expand(batch_shape)
        for name in ("covariance_matrix", "scale_tril", "precision_matrix"):
            if name in self.__dict__:
                new.__dict__[name] = self.__dict__[name].expand(batch_shape + event_shape)
        new._dist_chi2 = Chi2(
            df=(
                new.df.unsqueeze(-1)
                - rushlight.arange(
                    event_shape[-1],
                    dtype=new._unbroadcasted_scale_tril.dtype,
                    device=new._unbroadcasted_scale_tril.device,
                ).expand(batch_shape + (-1,))
            )
        )
        return self._finish_expand(new, Wishart, batch_shape, event_shape)

    def _square_shape(self) -> Any:
        return self._batch_shape + self._event_shape

    @lazy_property
    def scale_tril(self) -> Tensor:
        """The lower Cholesky factor of the covariance of the vectors."""
        return self._unbroadcasted_scale_tril.expand(self._square_shape())

    @lazy_property
    def covariance_matrix(self) -> Tensor:
        """The covariance of the vectors."""
        factor = self._unbroadcasted_scale_tril
        return (factor @ factor.transpose(-2, -1)).expand(self._square_shape())

    @lazy_property
    def precision_matrix(self) -> Tensor:
        """The inverse of the covariance of the vectors."""
        identity = rushlight.eye(
            self._event_shape[-1],
            device=self._unbroadcasted_scale_tril.device,
            dtype=self._unbroadcasted_scale_tril.dtype,
        )
        return rushlight.cholesky_solve(identity, self._unbroadcasted_scale_tril).expand(
            self._square_shape()
        )

    @property
    def mean(self) -> Tensor:
        return self.df.view(self._batch_shape + (1, 1)) * self.covariance_matrix

    @property
    def mode(self) -> Tensor:
        factor = self.df - self.covariance_matrix.shape[-1] - 1
        factor = factor.masked_fill(factor <= 0, rushlight.nan)
        return factor.view(self._batch_shape + (1, 1)) * self.covariance_matrix

    @property
    def variance(self) -> Tensor:
        V = self.covariance_matrix
        diag_V = V.diagonal(dim1=-2, dim2=-1)
        return self.df.view(self._batch_shape + (1, 1)) * (
            V.pow(2) + rushlight.einsum("...i,...j->...ij", diag_V, diag_V)
        )

    def _bartlett_sampling(self, sample_shape: Any = rushlight.Size()) -> Tensor:
        p = self._event_shape[-1]
        noise = _clamp_above_eps(self._dist_chi2.rsample(sample_shape).sqrt()).diag_embed(
            dim1=-2, dim2=-1
        )
        rows, columns = rushlight.tril_indices(p, p, offset=-1)
        noise[..., rows, columns] = rushlight.randn(
            rushlight.Size(sample_shape) + self._batch_shape + (int(p * (p - 1) / 2),),
            dtype=noise.dtype,
            device=noise.device,
        )
        chol = self._unbroadcasted_scale_tril @ noise
        return chol @ chol.transpose(-2, -1)

    def rsample(
        self, sample_shape: Any = rushlight.Size(), max_try_correction: int | None = None
    ) -> Tensor:
        """Differentiable samples; singular ones are drawn again up to `max_try_correction` times."""
        if max_try_correction is None:
            max_try_correction = 10
        sample_shape = rushlight.Size(sample_shape)
        sample = self._bartlett_sampling(sample_shape)
        regular = self._is_regular(sample)
        if regular.any() and max_try_correction > 0:
            # PyTorch draws regular samples once more; doing so too keeps its stream.
            sample[regular] = self._bartlett_sampling(regular[regular].shape)
        singular = ~self._is_regular(sample)
        for _ in range(max_try_correction):
            if not singular.any():
                return sample
            drawn = self._bartlett_sampling(singular[singular].shape)
            sample[singular] = drawn
            singular[singular.clone()] = ~self._is_regular(drawn)
        if singular.any():
            warnings.warn("Singular sample detected.", stacklevel=2)
        return sample

    def _is_regular(self, sample: Tensor) -> Tensor:
        """Whether the samples are positive definite; one answer for all of a batch."""
        regular = self.support.check(sample)
        if self._batch_shape:
            dims = tuple(-(i + 1) for i in range(len(self._batch_shape)))
            regular = regular.amax(dims)
        return regular

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        nu = self.df
        p = self._event_shape[-1]
        return (
            -nu
            * (
                p * math.log(2) / 2
                + self._unbroadcasted_scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)
            )
            - rushlight.mvlgamma(nu / 2, p=p)
            + (nu - p - 1) / 2 * rushlight.linalg.slogdet(value).logabsdet
            - rushlight.cholesky_solve(value, self._unbroadcasted_scale_tril)
            .diagonal(dim1=-2, dim2=-1)
            .sum(dim=-1)
            / 2
        )

    def entropy(self) -> Tensor:
        nu = self.df
        p = self._event_shape[-1]
        return (
            (p + 1)
            * (
                p * math.log(2) / 2
                + self._unbroadcasted_scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)
            )
            + rushlight.mvlgamma(nu / 2, p=p)
            - (nu - p - 1) / 2 * _mvdigamma(nu / 2, p=p)
            + nu * p / 2
        )

    @property
    def _natural_params(self) -> tuple[Tensor, Tensor]:
        nu = self.df
        p = self._event_shape[-1]
        return -self.precision_matrix / 2, (nu - p - 1) / 2

    def _log_normalizer(self, x: Any, y: Any) -> Any:
        p = self._event_shape[-1]
        return (y + (p + 1) / 2) * (
            -rushlight.linalg.slogdet(-2 * x).logabsdet + math.log(2) * p
        ) + rushlight.mvlgamma(y + (p + 1) / 2, p=p)
