"""Ready parametrizations: orthogonal matrices, weight and spectral normalization."""

from __future__ import annotations

from enum import Enum, auto

import rushlight
from rushlight import Tensor

from .. import functional as F
from ..modules.module import Module
from . import parametrize
from .weight_norm import norm_except_dim, scaled_direction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["orthogonal", "spectral_norm", "weight_norm"]


def _is_orthogonal(q: Tensor, eps: float | None = None) -> bool:
    """Whether the columns of `q` are orthonormal, to rounding."""
    n, k = q.size(-2), q.size(-1)
    identity = rushlight.eye(k, dtype=q.dtype, device=q.device)
    # A reasonable bound for the rounding of a product of this size.
    eps = 10.0 * n * rushlight.finfo(q.dtype).eps
    return bool(rushlight.allclose(q.mH @ q, identity, atol=eps))


def _make_orthogonal(a: Tensor) -> Tensor:
    """The orthonormal factor of `a`, unique by a positive triangular diagonal."""
    q, r = rushlight.linalg.qr(a)
    return q * r.diagonal(dim1=-2, dim2=-1).sgn().unsqueeze(-2)


class _OrthMaps(Enum):
    matrix_exp = auto()
    cayley = auto()
    householder = auto()


class _Orthogonal(Module):
    """Maps a matrix to one with orthonormal columns or rows."""

    base: Tensor | None

    def __init__(
        self, weight: Tensor, orthogonal_map: _OrthMaps, *, use_trivialization: bool = True
    ) -> None:
        super().__init__()
        if weight.is_complex() and orthogonal_map == _OrthMaps.householder:
            raise ValueError("The householder parametrization does not support complex tensors.")
        self.shape = weight.shape
        self.orthogonal_map = orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, x: Tensor) -> Tensor:
        n, k = x.size(-2), x.size(-1)
        transposed = n < k
        if transposed:
            x, n, k = x.mT, k, n
        if self.orthogonal_map == _OrthMaps.householder:
            # The lower part holds the reflections, the diagonal the signs.
            a = x.tril(diagonal=-1)
            tau = 2.0 / (1.0 + (a * a).sum(dim=-2))
            q = rushlight.linalg.householder_product(a, tau)
            q = q * x.diagonal(dim1=-2, dim2=-1).int().unsqueeze(-2)
        else:
            x = x.tril()
            if n != k:
                zeros = x.new_zeros(n, n - k).expand(*x.shape[:-2], -1, -1)
                x = rushlight.cat([x, zeros], dim=-1)
            skew = x - x.mH
            if self.orthogonal_map == _OrthMaps.matrix_exp:
                q = rushlight.matrix_exp(skew)
            else:
                identity = rushlight.eye(n, dtype=skew.dtype, device=skew.device)
                q = rushlight.linalg.solve(
                    rushlight.add(identity, skew, alpha=-0.5),
                    rushlight.add(identity, skew, alpha=0.5),
                )
            if n != k:
                q = q[..., :k]
        if hasattr(self, "base") and self.base is not None:
            q = self.base @ q
        return q.mT if transposed else q

    def right_inverse(self, q: Tensor) -> Tensor:
        """The matrix that is mapped to `q`; with a base, the base becomes `q`."""
        if q.shape != self.shape:
            raise ValueError(
                f"Expected a matrix or batch of matrices of shape {self.shape}. Got a tensor of "
                f"shape {q.shape}."
            )
        initial = q
        n, k = q.size(-2), q.size(-1)
        transpose = n < k
        if transpose:
            q, n, k = q.mT, k, n
        if not hasattr(self, "base"):
            if self.orthogonal_map != _OrthMaps.householder:
                raise NotImplementedError(
                    "It is not possible to assign to the matrix exponential or the Cayley "
                    "parametrizations when use_trivialization=False."
                )
            a, tau = rushlight.geqrf(q)
            diagonal = a.diagonal(dim1=-2, dim2=-1)
            diagonal.sign_()
            # Columns that need no reflection keep their sign through the diagonal.
            diagonal[tau == 0.0] *= -1
            return a.mT if transpose else a
        if n == k:
            q = q.clone() if _is_orthogonal(q) else _make_orthogonal(q)
        else:
            random = rushlight.randn(*q.shape[:-2], n, n - k, dtype=q.dtype, device=q.device)
            q = _make_orthogonal(rushlight.cat([q, random], dim=-1))
        self.base = q
        # Each map takes -I to I, so that the result is the base.
        negative = rushlight.zeros_like(initial)
        negative.diagonal(dim1=-2, dim2=-1).fill_(-1.0)
        return negative


def orthogonal(
    module: Module,
    name: str = "weight",
    orthogonal_map: str | None = None,
    *,
    use_trivialization: bool = True,
) -> Module:
    """Keeps a matrix orthogonal while it is trained (Lezcano-Casado 2019).

    Args:
        module: has the parameter.
        name: of the parameter, at least two dimensions.
        orthogonal_map: "matrix_exp", "cayley" or "householder"; by default the first for square
            or complex matrices and the last for others.
        use_trivialization: start from the present value, which costs one more matrix.
    """
    weight = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if weight.ndim < 2:
        raise ValueError(
            f"Expected a matrix or batch of matrices. Got a tensor of {weight.ndim} dimensions."
        )
    if orthogonal_map is None:
        square = weight.size(-2) == weight.size(-1)
        orthogonal_map = "matrix_exp" if square or weight.is_complex() else "householder"
    chosen = getattr(_OrthMaps, orthogonal_map, None)
    if chosen is None:
        raise ValueError(
            'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". '
            f"Got: {orthogonal_map}"
        )
    orth = _Orthogonal(weight, chosen, use_trivialization=use_trivialization)
    parametrize.register_parametrization(module, name, orth, unsafe=True)
    return module


class _WeightNorm(Module):
    def __init__(self, dim: int | None = 0) -> None:
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g: Tensor, weight_v: Tensor) -> Tensor:
        return scaled_direction(weight_v, weight_g, self.dim)

    def right_inverse(self, weight: Tensor) -> tuple[Tensor, Tensor]:
        """Lengths and directions of `weight`."""
        return norm_except_dim(weight, self.dim), weight


def weight_norm(module: Module, name: str = "weight", dim: int = 0) -> Module:
    """Learns length and direction of a weight apart (Salimans 2016).

    Args:
        module: has the parameter.
        name: of the parameter.
        dim: along which there is a length for each slice; None for one length.

    >>> layer = weight_norm(rushlight.nn.Linear(2, 3))
    >>> layer.parametrizations.weight.original0.shape
    torch.Size([3, 1])
    """
    parametrize.register_parametrization(module, name, _WeightNorm(dim), unsafe=True)

    def take_old_names(
        state_dict: Any,
        prefix: str,
        local_metadata: Any,
        strict: bool,
        missing_keys: Any,
        unexpected_keys: Any,
        error_msgs: Any,
    ) -> None:
        # Files of the hook version hold name_g and name_v.
        g_key, v_key = f"{prefix}{name}_g", f"{prefix}{name}_v"
        if g_key in state_dict and v_key in state_dict:
            target = f"{prefix}parametrizations.{name}.original"
            state_dict[target + "0"] = state_dict.pop(g_key)
            state_dict[target + "1"] = state_dict.pop(v_key)

    module._register_load_state_dict_pre_hook(take_old_names)
    return module


class _SpectralNorm(Module):
    _u: Tensor
    _v: Tensor

    def __init__(
        self,
        weight: Tensor,
        n_power_iterations: int = 1,
        dim: int = 0,
        eps: float = 1e-12,
    ) -> None:
        super().__init__()
        ndim = weight.ndim
        if dim >= ndim or dim < -ndim:
            raise IndexError(
                f"Dimension out of range (expected to be in range of [-{ndim}, {ndim - 1}] but "
                f"got {dim})"
            )
        if n_power_iterations <= 0:
            raise ValueError(
                "Expected n_power_iterations to be positive, but got "
                f"n_power_iterations={n_power_iterations}"
            )
        self.dim = dim if dim >= 0 else dim + ndim
        self.eps = eps
        if ndim > 1:
            self.n_power_iterations = n_power_iterations
            matrix = self._reshape_weight_to_matrix(weight)
            rows, columns = matrix.size()
            u = matrix.new_empty(rows).normal_(0, 1)
            v = matrix.new_empty(columns).normal_(0, 1)
            self.register_buffer("_u", F.normalize(u, dim=0, eps=eps))
            self.register_buffer("_v", F.normalize(v, dim=0, eps=eps))
            # Enough steps that the first forward already has the singular value.
            self._power_method(matrix, 15)

    def _reshape_weight_to_matrix(self, weight: Tensor) -> Tensor:
        if self.dim != 0:
            weight = weight.permute(self.dim, *(d for d in range(weight.dim()) if d != self.dim))
        return weight.flatten(1)

    def _power_method(self, matrix: Tensor, steps: int) -> None:
        with rushlight.no_grad():
            for _ in range(steps):
                u = F.normalize(rushlight.mv(matrix, self._v), dim=0, eps=self.eps)
                self._u.copy_(u)
                v = F.normalize(rushlight.mv(matrix.mH, self._u), dim=0, eps=self.eps)
                self._v.copy_(v)

    def forward(self, weight: Tensor) -> Tensor:
        if weight.ndim == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = self._reshape_weight_to_matrix(weight)
        if self.training:
            self._power_method(matrix.detach(), self.n_power_iterations)
        # Backward needs the vectors of this step, the next step overwrites them.
        u = self._u.clone(memory_format=rushlight.contiguous_format)
        v = self._v.clone(memory_format=rushlight.contiguous_format)
        sigma = rushlight.vdot(u, rushlight.mv(matrix, v))
        return weight / sigma

    def right_inverse(self, value: Tensor) -> Tensor:
        """The value itself; the next forward normalizes it."""
        return value


def spectral_norm(
    module: Module,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> Module:
    """Divides a weight by its largest singular value (Miyato 2018).

    Args:
        module: has the parameter.
        name: of the parameter.
        n_power_iterations: steps of the power method per forward.
        eps: least norm of its vectors.
        dim: the rows of the matrix; 0, or 1 for transposed convolutions, when None.
    """
    weight = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if dim is None:
        transposed = ("ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d")
        dim = 1 if any(cls.__name__ in transposed for cls in type(module).__mro__) else 0
    norm = _SpectralNorm(weight, n_power_iterations, dim, eps)
    parametrize.register_parametrization(module, name, norm)
    return module
