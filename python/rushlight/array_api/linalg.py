"""The linear algebra extension of the array API standard (`rushlight.array_api.linalg`)."""

from __future__ import annotations

from typing import NamedTuple

from .. import _C
from ..functional import broadcast_shapes
from ._array import keep_arrays
from ._axes import over_axes
from ._linear_algebra import matmul, matrix_transpose, tensordot, vecdot
from ._promotion import operands, sum_dtype

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import Tensor

__all__ = [
    "cholesky",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]

_ops = _C._VariableFunctions
_linalg = _C._linalg


class EigResult(NamedTuple):
    """Eigenvalues and, in the columns, eigenvectors."""

    eigenvalues: Tensor
    eigenvectors: Tensor


class QRResult(NamedTuple):
    """Orthonormal columns and an upper triangular matrix."""

    Q: Tensor
    R: Tensor


class SlogdetResult(NamedTuple):
    """The sign of a determinant and the logarithm of its absolute value."""

    sign: Tensor
    logabsdet: Tensor


class SVDResult(NamedTuple):
    """Left singular vectors, singular values, and the adjoint of the right singular vectors."""

    U: Tensor
    S: Tensor
    Vh: Tensor


def cholesky(x: Tensor, /, *, upper: bool = False) -> Tensor:
    """The lower (or upper) triangular Cholesky factor of positive definite matrices."""
    return _linalg.linalg_cholesky(x, upper=upper)


def cross(x1: Tensor, x2: Tensor, /, *, axis: int = -1) -> Tensor:
    """The cross products of vectors of three elements along `axis`, counted from the end; the other axes broadcast."""
    x1, x2 = operands(x1, x2)
    if x1.shape[axis] != 3 or x2.shape[axis] != 3:
        raise ValueError(f"cross: expected 3 elements along axis {axis}, got {x1.shape[axis]} and {x2.shape[axis]}")
    rank = max(x1.ndim, x2.ndim)
    x1, x2 = (x[(None,) * (rank - x.ndim)] for x in (x1, x2))
    return _linalg.linalg_cross(x1, x2, dim=axis)


def det(x: Tensor, /) -> Tensor:
    """The determinants of square matrices."""
    return _linalg.linalg_det(x)


def diagonal(x: Tensor, /, *, offset: int = 0) -> Tensor:
    """The diagonals of matrices as a view, `offset` above the main one."""
    return _ops.diagonal(x, offset=offset, dim1=-2, dim2=-1)


def eig(x: Tensor, /) -> EigResult:
    """The eigenvalues and eigenvectors of square matrices, complex."""
    return EigResult(*_linalg.linalg_eig(x))


def eigh(x: Tensor, /) -> EigResult:
    """The eigenvalues, ascending, and eigenvectors of symmetric or Hermitian matrices."""
    return EigResult(*_linalg.linalg_eigh(x))


def eigvals(x: Tensor, /) -> Tensor:
    """The eigenvalues of square matrices, complex."""
    return _linalg.linalg_eigvals(x)


def eigvalsh(x: Tensor, /) -> Tensor:
    """The eigenvalues, ascending, of symmetric or Hermitian matrices."""
    return _linalg.linalg_eigvalsh(x)


def inv(x: Tensor, /) -> Tensor:
    """The inverses of square matrices."""
    return _linalg.linalg_inv(x)


def matrix_norm(x: Tensor, /, *, keepdims: bool = False, ord: Any = "fro") -> Tensor:
    """The norms of matrices: Frobenius, nuclear, largest or smallest row (inf) or column (1) sum, singular value (2)."""
    return _linalg.linalg_matrix_norm(x, "fro" if ord is None else ord, (-2, -1), keepdims)


def matrix_power(x: Tensor, n: int, /) -> Tensor:
    """Square matrices to the power of an integer."""
    return _linalg.linalg_matrix_power(x, n)


def matrix_rank(x: Tensor, /, *, rtol: Any = None) -> Tensor:
    """The number of singular values above `rtol` (by default max(M, N) * eps) times the largest."""
    return _linalg.linalg_matrix_rank(x, rtol=rtol)


def outer(x1: Tensor, x2: Tensor, /) -> Tensor:
    """The products of each element of one vector with each of another."""
    return _ops.outer(*operands(x1, x2))


def pinv(x: Tensor, /, *, rtol: Any = None) -> Tensor:
    """The Moore-Penrose inverses; singular values below `rtol` (by default max(M, N) * eps) times the largest count as 0."""
    return _linalg.linalg_pinv(x, rtol=rtol)


def qr(x: Tensor, /, *, mode: str = "reduced") -> QRResult:
    """Factors of orthonormal columns and upper triangular form; `mode` "complete" makes the first one square."""
    if mode not in ("reduced", "complete"):
        raise ValueError(f"qr: mode must be 'reduced' or 'complete', not {mode!r}")
    return QRResult(*_linalg.linalg_qr(x, mode))


def slogdet(x: Tensor, /) -> SlogdetResult:
    """The sign of the determinants of square matrices and the logarithm of their absolute values."""
    return SlogdetResult(*_linalg.linalg_slogdet(x))


def solve(x1: Tensor, x2: Tensor, /) -> Tensor:
    """The solutions of x1 @ x = x2: a vector if `x2` has one dimension, else matrices; stacks broadcast."""
    x1, x2 = operands(x1, x2)
    if x2.ndim == 1:
        return _linalg.linalg_solve(x1, x2.unsqueeze(-1).expand(*x1.shape[:-2], -1, -1)).squeeze(-1)
    shape = broadcast_shapes(x1.shape[:-2], x2.shape[:-2])
    return _linalg.linalg_solve(x1.expand(*shape, -1, -1), x2.expand(*shape, -1, -1))


def svd(x: Tensor, /, *, full_matrices: bool = True) -> SVDResult:
    """The singular value decomposition x = U @ diag(S) @ Vh, with square U and Vh if `full_matrices`."""
    return SVDResult(*_linalg.linalg_svd(x, full_matrices=full_matrices))


def svdvals(x: Tensor, /) -> Tensor:
    """The singular values, descending."""
    return _linalg.linalg_svdvals(x)


def trace(x: Tensor, /, *, offset: int = 0, dtype: Any = None) -> Tensor:
    """The sums of the diagonals of matrices, `offset` above the main ones."""
    return diagonal(x, offset=offset).sum(-1, dtype=dtype or sum_dtype(x.dtype))


def vector_norm(x: Tensor, /, *, axis: Any = None, keepdims: bool = False, ord: float = 2) -> Tensor:
    """The norms of order `ord` over an axis, several axes together, or all elements."""
    return over_axes(x, axis, lambda x, dims: _linalg.linalg_vector_norm(x, ord, dims, keepdims))


keep_arrays(globals(), __all__)
