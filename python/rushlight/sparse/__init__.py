"""Operations on sparse tensors (`torch.sparse`). Formats other than strided exist as far as the extension has them."""

from __future__ import annotations

from .. import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import Tensor

_ops = _C._VariableFunctions


def _dense(x: Tensor) -> Tensor:
    return x if x.layout is _C.strided else x.to_dense()


def mm(sparse: Tensor, dense: Tensor, reduce: str = "sum") -> Tensor:
    """The product of a sparse and a dense matrix; both may require gradients."""
    if reduce != "sum":
        raise NotImplementedError(f"sparse.mm: reduce='{reduce}' is not available; only 'sum' is")
    return _ops.mm(sparse, dense)


def addmm(mat: Tensor, mat1: Tensor, mat2: Tensor, *, beta: float = 1.0, alpha: float = 1.0) -> Tensor:
    """beta * mat + alpha * (mat1 @ mat2), mat1 being sparse."""
    return mat * beta + mm(mat1, mat2) * alpha


def sum(input: Tensor, dim: Any = None, dtype: Any = None) -> Tensor:
    """The sum over all elements or over `dim`, in which case the result is sparse again."""
    total = _dense(input).sum(dtype=dtype) if dim is None else _dense(input).sum(dim, dtype=dtype)
    return total if dim is None or not total.dim() else total.to_sparse()


def softmax(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """Softmax over the elements that are stored; the others count as minus infinity."""
    return _over_stored(input, dim, dtype, log=False)


def log_softmax(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """The logarithm of `softmax`, of the elements that are stored."""
    return _over_stored(input, dim, dtype, log=True)


def _over_stored(input: Tensor, dim: int, dtype: Any, log: bool) -> Tensor:
    entries = input.coalesce()
    indices, values = entries.indices(), entries.values()
    if dtype is not None:
        values = values.to(dtype)
    stored = _ops.zeros(input.shape, dtype=_C.bool).index_put(tuple(indices), _ops.ones(values.shape, dtype=_C.bool))
    full = _ops.full(input.shape, float("-inf"), dtype=values.dtype).index_put(tuple(indices), values)
    full = full.log_softmax(dim) if log else full.softmax(dim)
    full = full.masked_fill(~stored, 0)
    return _ops.sparse_coo_tensor(indices, full[tuple(indices)], input.shape)


def spdiags(diagonals: Tensor, offsets: Tensor, shape: tuple[int, int], layout: Any = None) -> Tensor:
    """A sparse matrix with the rows of `diagonals` along the diagonals `offsets`."""
    rows, columns = shape
    diagonals = diagonals.unsqueeze(0) if diagonals.dim() == 1 else diagonals
    places: list[tuple[int, int]] = []
    values = []
    seen = set()
    for row, offset in zip(diagonals, offsets.reshape(-1).tolist()):
        if offset in seen:
            raise ValueError("spdiags(): Offset tensor contains duplicate values")
        seen.add(offset)
        for j in range(max(0, offset), min(columns, rows + offset, row.shape[0])):
            places.append((j - offset, j))
            values.append(row[j])
    indices = _ops.tensor(places, dtype=_C.int64).t() if places else _ops.zeros(2, 0, dtype=_C.int64)
    data = _ops.stack(values) if values else diagonals.new_zeros(0)
    made = _ops.sparse_coo_tensor(indices, data, shape).coalesce()
    if layout in (None, _C.sparse_coo):
        return made
    return made.to_sparse(layout=layout)


def to_sparse_semi_structured(original_tensor: Tensor, transposed: bool = False) -> Tensor:
    """Always refused: the format exists for GPU hardware."""
    from ..cuda import refuse

    raise refuse("to_sparse_semi_structured")


class SparseSemiStructuredTensor:
    """Never the type of an object: the format exists for GPU hardware."""


class check_sparse_tensor_invariants:  # noqa: N801
    """Accepted: the invariants of sparse tensors are checked whenever one is made."""

    def __init__(self, enable: bool = True) -> None: ...

    def __enter__(self) -> None: ...

    def __exit__(self, *exc: object) -> None: ...

    @staticmethod
    def is_enabled() -> bool:
        """True."""
        return True

    enable = disable = staticmethod(lambda: None)


def _legacy(name: str, dtype: Any) -> Any:
    from .._legacy_types import _TensorTypeMeta

    class _SparseTypeMeta(_TensorTypeMeta):
        def __call__(cls, *args: Any, device: Any = None) -> Any:
            if args and isinstance(args[0], int):
                args = (_ops.zeros(len(args), 0, dtype=_C.int64), _ops.zeros(0, dtype=dtype), args)
            indices, values, *size = args
            return _ops.sparse_coo_tensor(indices, values, *size, dtype=dtype, device=device)

    attributes = {"dtype": dtype, "layout": _C.sparse_coo, "__module__": "torch.sparse"}
    return _SparseTypeMeta(name, (), {**attributes, "__doc__": f"Sparse tensors of dtype {dtype}."})


FloatTensor = _legacy("FloatTensor", _C.float32)
DoubleTensor = _legacy("DoubleTensor", _C.float64)
HalfTensor = _legacy("HalfTensor", _C.float16)
LongTensor = _legacy("LongTensor", _C.int64)
IntTensor = _legacy("IntTensor", _C.int32)
