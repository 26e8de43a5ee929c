"""Sparse tensors (`torch.sparse`): their products and reductions, factories, legacy types, and checks of invariants."""

from __future__ import annotations

from .. import _C
from .._legacy_types import _TensorTypeMeta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .. import Tensor

__all__ = [
    "addmm",
    "as_sparse_gradcheck",
    "check_sparse_tensor_invariants",
    "log_softmax",
    "mm",
    "sampled_addmm",
    "softmax",
    "solve",
    "spdiags",
    "spsolve",
    "sum",
]

_ops = _C._VariableFunctions

sampled_addmm = _ops.sparse_sampled_addmm
addmm = _ops._sparse_addmm


def mm(sparse: Tensor, dense: Tensor, reduce: str = "sum") -> Tensor:
    """The product of a sparse matrix and a dense or sparse one.

    The gradient of a sparse operand has its pattern. `reduce`: "sum", or for a sparse_csr matrix also "mean", "amax" and
    "amin" of the terms that a sum would add.
    """
    return _ops._sparse_mm(sparse, dense) if reduce == "sum" else _ops._sparse_mm(sparse, dense, reduce)


def sum(input: Tensor, dim: Any = None, dtype: Any = None) -> Tensor:
    """The sum of the values of a sparse tensor, or over `dim`: sparse where a dimension with indices is left."""
    named = {} if dtype is None else {"dtype": dtype}
    return _ops._sparse_sum(input, **named) if dim is None else _ops._sparse_sum(input, dim, **named)


def softmax(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """Softmax along `dim` over the elements that are stated; the others count as minus infinity."""
    return _ops._sparse_softmax(input, dim, dtype=dtype)


def log_softmax(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """The logarithm of softmax along `dim` over the elements that are stated."""
    return _ops._sparse_log_softmax(input, dim, dtype=dtype)


def spdiags(diagonals: Tensor, offsets: Tensor, shape: tuple[int, int], layout: Any = None) -> Tensor:
    """A sparse matrix of `shape` with the rows of `diagonals` on the diagonals that `offsets` name."""
    return _ops._spdiags(diagonals, offsets, shape, layout)


def as_sparse_gradcheck(gradcheck: Callable[..., bool]) -> Callable[..., bool]:
    """`gradcheck` for functions of sparse inputs: they are checked as functions of their values."""

    def checked(func: Callable[..., Any], inputs: Any, **kwargs: Any) -> bool:
        inputs = inputs if isinstance(inputs, (list, tuple)) else (inputs,)
        masked = kwargs.pop("masked", False)
        rebuilt: list[Any] = []
        plain: list[Any] = []
        for each in inputs:
            if isinstance(each, _C.Tensor) and each.layout is _C.sparse_coo and each.requires_grad:
                each = each.detach().coalesce()
                plain.append(each._values().clone().requires_grad_())
                rebuilt.append((each._indices(), each.shape))
            else:
                plain.append(each)
                rebuilt.append(None)
        del masked

        def dense(*args: Any) -> Any:
            made = [
                arg if pattern is None else sparse_coo_tensor(pattern[0], arg, pattern[1], is_coalesced=True)
                for arg, pattern in zip(args, rebuilt)
            ]
            result = func(*made)
            return result.to_dense() if isinstance(result, _C.Tensor) else result

        return gradcheck(dense, tuple(plain), **kwargs)

    return checked


def spsolve(A: Tensor, B: Tensor) -> Tensor:  # noqa: N803 - the names of the arguments are public
    """The solution of a sparse system, by a dense factorisation."""
    return _C._linalg.linalg_solve(A.to_dense(), B)


solve = spsolve

# --- factories: lists and arrays become tensors, the rest is the operator's -----------------------------


def _indices_of(data: Any) -> Tensor:
    tensor = _ops.as_tensor(data)
    return tensor if tensor.dtype in (_C.int64, _C.int32) else tensor.to(_C.int64)


def _size_of(size: Any) -> tuple[int, ...]:
    return (size,) if isinstance(size, int) else tuple(size)


def _options(dtype: Any, device: Any, requires_grad: bool) -> dict[str, Any]:
    return {"dtype": dtype, "device": device, "requires_grad": requires_grad}


def sparse_coo_tensor(
    indices: Any = None,
    values: Any = None,
    size: Any = None,
    *,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    check_invariants: bool | None = None,
    is_coalesced: bool | None = None,
) -> Tensor:
    """A sparse tensor of `indices` [sparse dims, n] and `values` [n, dense sizes]; without `size` the smallest that fits.

    `sparse_coo_tensor(size)` has no elements. Indices outside of `size` raise RuntimeError.
    """
    if values is None:
        return _ops.sparse_coo_tensor(_size_of(size if indices is None else indices), **_options(dtype, device, requires_grad))
    index = _indices_of(indices).to(_C.int64)
    value = _ops.as_tensor(values, dtype=dtype, device=device)
    named = _options(dtype, device, requires_grad)
    if size is None:
        return _ops.sparse_coo_tensor(index, value, is_coalesced=is_coalesced, **named)
    size = _size_of(size)
    if _checked(check_invariants):
        _ops._validate_sparse_coo_tensor_args(index, value, size, is_coalesced)
    return _ops.sparse_coo_tensor(index, value, size, is_coalesced=is_coalesced, **named)


def _compressed(name: str) -> Callable[..., Tensor]:
    operator = getattr(_ops, name)
    first, second = {
        "sparse_csr_tensor": ("crow_indices", "col_indices"),
        "sparse_csc_tensor": ("ccol_indices", "row_indices"),
    }.get(name, ("compressed_indices", "plain_indices"))

    def make(
        *args: Any,
        dtype: Any = None,
        layout: Any = None,
        device: Any = None,
        pin_memory: bool = False,
        requires_grad: bool = False,
        check_invariants: bool | None = None,
        **named: Any,
    ) -> Tensor:
        given = dict(zip((first, second, "values", "size"), args))
        if len(args) > 4 or given.keys() & named.keys() or named.keys() - {first, second, "values", "size"}:
            raise TypeError(f"{name}() got arguments that do not fit: ({first}, {second}, values, size=None, *, dtype, layout)")
        given.update(named)
        missing = [key for key in (first, second, "values") if key not in given]
        if missing:
            raise TypeError(f"{name}() missing arguments: {', '.join(missing)}")
        pointers, plain = _indices_of(given[first]), _indices_of(given[second])
        values = _ops.as_tensor(given["values"], dtype=dtype, device=device)
        options = _options(dtype, device, requires_grad)
        if layout is not None:
            options["layout"] = layout
        size = given.get("size")
        sizes = () if size is None else (_size_of(size),)
        return operator(pointers, plain, values, *sizes, **options)

    make.__name__ = make.__qualname__ = name
    make.__doc__ = f"A sparse matrix of `{first}`, `{second}` and `values`; without `size` the smallest that fits."
    return make


sparse_compressed_tensor = _compressed("sparse_compressed_tensor")
sparse_csr_tensor = _compressed("sparse_csr_tensor")
sparse_csc_tensor = _compressed("sparse_csc_tensor")


def refuse(what: str) -> NotImplementedError:
    """The error for layouts of blocks and of GPU hardware."""
    return NotImplementedError(f"{what}: layouts of blocks are not supported; use sparse_coo or sparse_csr")


def _refusing(name: str) -> Callable[..., Any]:
    def function(*args: Any, **kwargs: Any) -> Any:
        raise refuse(name)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = "Always refused: there are no layouts of blocks."
    return function


sparse_bsr_tensor = _refusing("sparse_bsr_tensor")
sparse_bsc_tensor = _refusing("sparse_bsc_tensor")
to_sparse_semi_structured = _refusing("to_sparse_semi_structured")


class SparseSemiStructuredTensor:
    """Never the type of an object: the format exists for GPU hardware."""


# --- checks -----------------------------------------------------------------------------------------


class _Checks:
    enabled = False


def _checked(given: bool | None) -> bool:
    return _Checks.enabled if given is None else given


class check_sparse_tensor_invariants:  # noqa: N801
    """A context and decorator that says whether claims about sparse tensors are checked, such as `is_coalesced=True`.

    Indices are always checked against the size, whatever it says.
    """

    def __init__(self, enable: bool = True) -> None:
        self.state = enable
        self.saved: bool | None = None

    @staticmethod
    def is_enabled() -> bool:
        """Whether claims are checked."""
        return _Checks.enabled

    @staticmethod
    def enable() -> None:
        """Check claims from now on."""
        _Checks.enabled = True

    @staticmethod
    def disable() -> None:
        """Believe claims from now on."""
        _Checks.enabled = False

    def __enter__(self) -> None:
        if self.saved is not None:
            raise RuntimeError("This context manager instance is already activated. Use a different instance to nest contexts.")
        self.saved, _Checks.enabled = _Checks.enabled, self.state

    def __exit__(self, *exc: object) -> None:
        if self.saved is not None:
            _Checks.enabled, self.saved = self.saved, None

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        from functools import wraps

        @wraps(function)
        def checked(*args: Any, **kwargs: Any) -> Any:
            with type(self)(self.state):
                return function(*args, **kwargs)

        return checked


# --- legacy types -----------------------------------------------------------------------------------


class _SparseTypeMeta(_TensorTypeMeta):
    """Gives a class of the kind `torch.sparse.FloatTensor` its behaviour."""

    layout = _C.sparse_coo

    def __call__(cls, *args: Any, device: Any = None, **named: Any) -> Any:
        places = ("indices", "values", "size")[len(args) :]
        if unknown := named.keys() - set(places):
            raise TypeError(f"sparse.{cls.__name__}(): unexpected keyword arguments {sorted(unknown)}")
        args += tuple(named[name] for name in places if name in named)
        if args and isinstance(args[0], _C.Tensor):
            if len(args) < 2 or not isinstance(args[1], _C.Tensor):
                raise TypeError(f"sparse.{cls.__name__}(): expected (Tensor indices, Tensor values, tuple of ints size=None)")
            return sparse_coo_tensor(*args)  # of the values' dtype, as in PyTorch
        size = args[0] if len(args) == 1 and not isinstance(args[0], int) else args
        return sparse_coo_tensor(size or (0,), dtype=cls.dtype)


def _make(name: str, dtype: Any) -> Any:
    return _SparseTypeMeta(name, (), {"dtype": dtype, "__module__": "torch.sparse", "__doc__": f"Sparse tensors of dtype {dtype}."})


BFloat16Tensor = _make("BFloat16Tensor", _C.bfloat16)
ByteTensor = _make("ByteTensor", _C.uint8)
CharTensor = _make("CharTensor", _C.int8)
DoubleTensor = _make("DoubleTensor", _C.float64)
FloatTensor = _make("FloatTensor", _C.float32)
HalfTensor = _make("HalfTensor", _C.float16)
IntTensor = _make("IntTensor", _C.int32)
LongTensor = _make("LongTensor", _C.int64)
ShortTensor = _make("ShortTensor", _C.int16)
