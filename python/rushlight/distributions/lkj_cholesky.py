"""The LKJ distribution of correlation matrices, by their Cholesky factors."""

from __future__ import annotations

import math
from typing import Any

import rushlight
from rushlight import Tensor

from . import constraints
from .beta import Beta
from .distribution import Distribution
from .utils import broadcast_all

__all__ = ["LKJCholesky"]


class LKJCholesky(Distribution):
    """Lower Cholesky factors of random correlation matrices of size `dim`.

    Their density is proportional to det^(concentration - 1): 1 is uniform. Lewandowski, Kurowicka
    and Joe, Generating random correlation matrices based on vines and extended onion method (2009).

    >>> import rushlight
    >>> factor = LKJCholesky(3).sample()
    >>> bool(((factor @ factor.T).diagonal() - 1).abs().max() < 1e-5)
    True
    """

    arg_constraints = {"concentration": constraints.positive}
    support = constraints.corr_cholesky

    def __init__(
        self,
        dim: int,
        concentration: Tensor | float = 1.0,
        validate_args: bool | None = None,
    ) -> None:
        if dim < 2:
            raise ValueError(
                f"Expected dim to be an integer greater than or equal to 2. Found dim={dim}."
            )
        self.dim = dim
        (self.concentration,) = broadcast_all(concentration)
        batch_shape = self.concentration.size()
        # Squared distances of the rows from the axis they are built around.
        marginal_conc = self.concentration + 0.5 * (self.dim - 2)
        offset = rushlight.arange(
            self.dim - 1, dtype=self.concentration.dtype, device=self.concentration.device
        )
        offset = rushlight.cat([offset.new_zeros((1,)), offset])
        beta_conc1 = offset + 0.5
        beta_conc0 = marginal_conc.unsqueeze(-1) - 0.5 * offset
        self._beta = Beta(beta_conc1, beta_conc0)
        super().__init__(batch_shape, rushlight.Size((dim, dim)), validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> LKJCholesky:
        new = self._get_checked_instance(LKJCholesky, _instance)
        batch_shape = rushlight.Size(batch_shape)
        new.dim = self.dim
        new.concentration = self.concentration.expand(batch_shape)
        new._beta = self._beta.expand(batch_shape + (self.dim,))
        return self._finish_expand(new, LKJCholesky, batch_shape)

    def sample(self, sample_shape: Any = rushlight.Size()) -> Tensor:
        y = self._beta.sample(sample_shape).unsqueeze(-1)
        u_normal = rushlight.randn(
            self._extended_shape(sample_shape), dtype=y.dtype, device=y.device
        ).tril(-1)
        u_hypersphere = u_normal / u_normal.norm(dim=-1, keepdim=True)
        u_hypersphere[..., 0, :].fill_(0.0)
        w = rushlight.sqrt(y) * u_hypersphere
        eps = rushlight.finfo(w.dtype).tiny
        diag_elems = rushlight.clamp(1 - rushlight.sum(w**2, dim=-1), min=eps).sqrt()
        w += rushlight.diag_embed(diag_elems)
        return w

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        # The Jacobian from matrices to factors weighs each row's diagonal by its own power.
        diag_elems = value.diagonal(dim1=-1, dim2=-2)[..., 1:]
        order = rushlight.arange(2, self.dim + 1, device=self.concentration.device)
        order = 2 * (self.concentration - 1).unsqueeze(-1) + self.dim - order
        unnormalized_log_pdf = rushlight.sum(order * diag_elems.log(), dim=-1)
        dm1 = self.dim - 1
        alpha = self.concentration + 0.5 * dm1
        denominator = rushlight.lgamma(alpha) * dm1
        numerator = rushlight.mvlgamma(alpha - 0.5, dm1)
        pi_constant = 0.5 * dm1 * math.log(math.pi)
        normalize_term = pi_constant + numerator - denominator
        return unnormalized_log_pdf - normalize_term
