"""Sparse tensors (`torch.sparse`): absent. Functions of dense tensors work, making sparse ones is refused."""

from __future__ import annotations

from .. import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .. import Tensor

_ops = _C._VariableFunctions


def refuse(what: str) -> NotImplementedError:
    """The error that says that there are no sparse tensors."""
    return NotImplementedError(f"{what}: rushlight has no sparse tensors; use dense ones")


def mm(sparse: Tensor, dense: Tensor, reduce: str = "sum") -> Tensor:
    """The matrix product."""
    if reduce != "sum":
        raise refuse(f"sparse.mm(reduce={reduce!r})")
    return _ops.mm(sparse, dense)


def addmm(mat: Tensor, mat1: Tensor, mat2: Tensor, *, beta: float = 1.0, alpha: float = 1.0) -> Tensor:
    """beta * mat + alpha * (mat1 @ mat2)."""
    return _ops.addmm(mat, mat1, mat2, beta=beta, alpha=alpha)


def sum(input: Tensor, dim: Any = None, dtype: Any = None) -> Tensor:
    """The sum over all elements or over `dim`."""
    return input.sum(dtype=dtype) if dim is None else input.sum(dim, dtype=dtype)


def softmax(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """Softmax along `dim`."""
    return input.softmax(dim, dtype=dtype)


def log_softmax(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """The logarithm of softmax along `dim`."""
    return input.log_softmax(dim, dtype=dtype)


def _refusing(name: str) -> Callable[..., Any]:
    def function(*args: Any, **kwargs: Any) -> Any:
        raise refuse(name)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = "Always refused: there are no sparse tensors."
    return function


sparse_coo_tensor = _refusing("sparse_coo_tensor")
sparse_csr_tensor = _refusing("sparse_csr_tensor")
sparse_csc_tensor = _refusing("sparse_csc_tensor")
sparse_bsr_tensor = _refusing("sparse_bsr_tensor")
sparse_bsc_tensor = _refusing("sparse_bsc_tensor")
sparse_compressed_tensor = _refusing("sparse_compressed_tensor")
spdiags = _refusing("sparse.spdiags")
sampled_addmm = _refusing("sparse.sampled_addmm")
to_sparse_semi_structured = _refusing("to_sparse_semi_structured")


class SparseSemiStructuredTensor:
    """Never the type of an object: the format exists for GPU hardware."""


class check_sparse_tensor_invariants:  # noqa: N801
    """Accepted: there are no sparse tensors to check."""

    def __init__(self, enable: bool = True) -> None: ...

    def __enter__(self) -> None: ...

    def __exit__(self, *exc: object) -> None: ...

    @staticmethod
    def is_enabled() -> bool:
        """False."""
        return False

    enable = disable = staticmethod(lambda: None)


class _SparseTypeMeta(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return False

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        raise refuse(f"sparse.{cls.__name__}")


class FloatTensor(metaclass=_SparseTypeMeta):
    """Never the type of an object."""


class DoubleTensor(metaclass=_SparseTypeMeta):
    """Never the type of an object."""


class HalfTensor(metaclass=_SparseTypeMeta):
    """Never the type of an object."""


class LongTensor(metaclass=_SparseTypeMeta):
    """Never the type of an object."""


class IntTensor(metaclass=_SparseTypeMeta):
    """Never the type of an object."""
