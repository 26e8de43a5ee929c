"""Linear algebra functions of the main namespace of the array API standard."""

from __future__ import annotations

from .. import _C
from ..functional import tensordot as _tensordot
from ._array import keep_arrays
from ._promotion import operands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import Tensor

__all__ = ["matmul", "matrix_transpose", "tensordot", "vecdot"]

_ops = _C._VariableFunctions


def matmul(x1: Tensor, x2: Tensor, /) -> Tensor:
    """The product of matrices, of stacks of them, or of vectors."""
    return _ops.matmul(*operands(x1, x2))


def matrix_transpose(x: Tensor, /) -> Tensor:
    """The transpose of each matrix: the last two axes exchanged."""
    return x.mT


def tensordot(x1: Tensor, x2: Tensor, /, *, axes: Any = 2) -> Tensor:
    """Sums products over `axes`: the last n of `x1` with the first n of `x2`, or the axes of two sequences in pairs."""
    x1, x2 = operands(x1, x2)
    return _tensordot(x1, x2, axes)


def vecdot(x1: Tensor, x2: Tensor, /, *, axis: int = -1) -> Tensor:
    """The dot products of vectors along `axis`, the first conjugated; the other axes broadcast."""
    x1, x2 = operands(x1, x2)
    if x1.shape[axis] != x2.shape[axis]:
        raise ValueError(f"vecdot: the vectors have {x1.shape[axis]} and {x2.shape[axis]} elements along axis {axis}")
    x1, x2 = x1.movedim(axis, -1), x2.movedim(axis, -1)
    return (x1.conj().unsqueeze(-2) @ x2.unsqueeze(-1))[..., 0, 0]


keep_arrays(globals(), __all__)
