"""The older names of tensor types: `torch.FloatTensor` and its kin, `Tensor.type`, `Tensor.new`.

Such a class is never the type of an object: `isinstance` looks at the dtype, a call makes a plain tensor.
"""

from __future__ import annotations

from . import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from . import Tensor

_ops = _C._VariableFunctions


class _TensorTypeMeta(type):
    """Gives a class of the kind `torch.FloatTensor` its behaviour."""

    dtype: Any
    layout: Any = _C.strided
    is_cuda: bool = False

    def __instancecheck__(cls, instance: Any) -> bool:
        return (
            isinstance(instance, _C.Tensor)
            and instance.dtype == cls.dtype
            and instance.layout == cls.layout
            and instance.device.type == "cpu"
        )

    def __call__(cls, *args: Any, device: Any = None) -> Any:
        return construct(cls.dtype, args, device)

    def __repr__(cls) -> str:
        return f"<class '{cls.__module__}.{cls.__name__}'>"


def construct(dtype: Any, args: Sequence[Any], device: Any = None) -> Tensor:
    """What `FloatTensor(...)` makes: zeros from sizes, a tensor from data, another look at a tensor."""
    only = args[0] if len(args) == 1 else None
    if isinstance(only, _C.Tensor) and only.dtype != dtype:
        raise TypeError(f"expected torch.{_NAMES.get(dtype, str(dtype))} (got {type_name(only)})")
    storage = getattr(only, "_untyped_storage", None)
    if storage is not None:
        return storage._tensor(dtype, 0, (storage.nbytes() // dtype.itemsize,), (1,))
    return _ops._legacy_new(dtype, device, tuple(args))


def type_name(tensor: Tensor) -> str:
    """The name that `tensor.type()` returns, e.g. "torch.FloatTensor" or "torch.sparse.LongTensor"."""
    name = _NAMES.get(tensor.dtype, "Tensor")
    if tensor.layout == _C.sparse_coo:
        return f"torch.sparse.{name}"
    return f"torch.{name}" if tensor.device.type == "cpu" else f"torch.{tensor.device.type}.{name}"


def dtype_of(name: Any) -> Any:
    """The dtype that a dtype, a class or a name such as "torch.FloatTensor" means."""
    if isinstance(name, _C.dtype):
        return name
    dtype = getattr(name, "dtype", None)
    if isinstance(name, type) and isinstance(dtype, _C.dtype):
        return dtype
    if name is _C.Tensor or name == "torch.Tensor":
        return _ops.get_default_dtype()
    if isinstance(name, str):
        module, _, short = name.rpartition(".")
        if module == "torch" and short in _DTYPES:
            return _DTYPES[short]
        if module == "torch.cuda":
            from .cuda import refuse_type

            raise refuse_type(name)
        raise ValueError(f"invalid type: '{name}'")
    if getattr(name, "__module__", "") == "torch.cuda":
        from .cuda import refuse_type

        raise refuse_type(f"torch.cuda.{name.__name__}")
    raise TypeError("dtype must be a type, str, or dtype object")


def convert(tensor: Tensor, dtype: Any) -> Tensor:
    """The tensor as another dtype; itself when it has that dtype already."""
    return tensor.to(dtype_of(dtype))


def _make(name: str, dtype: Any) -> Any:
    return _TensorTypeMeta(name, (), {"dtype": dtype, "__module__": "torch", "__doc__": f"Tensors of dtype {dtype}."})


_NAMES: dict[Any, str] = {
    dtype: f"{dtype._scalar_type}Tensor" for dtype in vars(_C).values() if isinstance(dtype, _C.dtype)
}
_DTYPES = {name: dtype for dtype, name in _NAMES.items()}

BFloat16Tensor = _make("BFloat16Tensor", _C.bfloat16)
BoolTensor = _make("BoolTensor", _C.bool)
ByteTensor = _make("ByteTensor", _C.uint8)
CharTensor = _make("CharTensor", _C.int8)
DoubleTensor = _make("DoubleTensor", _C.float64)
FloatTensor = _make("FloatTensor", _C.float32)
HalfTensor = _make("HalfTensor", _C.float16)
IntTensor = _make("IntTensor", _C.int32)
LongTensor = _make("LongTensor", _C.int64)
ShortTensor = _make("ShortTensor", _C.int16)
