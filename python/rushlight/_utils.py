"""How files and pickles rebuild tensors: the function names that PyTorch writes into them (`torch._utils`)."""

from __future__ import annotations

from . import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from . import Tensor
    from .storage import TypedStorage


def _rebuild_tensor(storage: TypedStorage, storage_offset: int, size: Sequence[int], stride: Sequence[int]) -> Tensor:
    """A tensor that looks at a storage; sizes, strides and offset count elements."""
    return storage._untyped_storage._tensor(storage.dtype, storage_offset, size, stride)


def _rebuild_tensor_v2(
    storage: TypedStorage,
    storage_offset: int,
    size: Sequence[int],
    stride: Sequence[int],
    requires_grad: bool,
    backward_hooks: Any,
    metadata: Any = None,
) -> Tensor:
    """The same with `requires_grad`."""
    tensor = _rebuild_tensor(storage, storage_offset, size, stride)
    if requires_grad:
        tensor.requires_grad_()
    return tensor


def _rebuild_tensor_v3(
    storage: Any,
    storage_offset: int,
    size: Sequence[int],
    stride: Sequence[int],
    requires_grad: bool,
    backward_hooks: Any,
    dtype: Any,
    metadata: Any = None,
) -> Tensor:
    """The same over an untyped storage."""
    untyped = getattr(storage, "_untyped_storage", storage)
    tensor = untyped._tensor(dtype, storage_offset, size, stride)
    if requires_grad:
        tensor.requires_grad_()
    return tensor


def _rebuild_parameter(data: Tensor, requires_grad: bool, backward_hooks: Any) -> Tensor:
    """A parameter over `data`."""
    from .nn import Parameter

    return Parameter(data, requires_grad)


def _rebuild_parameter_with_state(data: Tensor, requires_grad: bool, backward_hooks: Any, state: Any) -> Tensor:
    """A parameter with attributes of its own."""
    return _set_obj_state(_rebuild_parameter(data, requires_grad, backward_hooks), state)


def _set_obj_state(obj: Any, state: Any) -> Any:
    """Give an object the attributes in `state`: a dict, or a pair of a dict and a dict of slots."""
    attributes, slots = state if isinstance(state, tuple) else (state, None)
    for part in (attributes, slots):
        for name, value in (part or {}).items():
            setattr(obj, name, value)
    return obj


def _rebuild_from_type_v2(func: Callable[..., Tensor], new_type: type, args: tuple[Any, ...], state: Any) -> Any:
    """The tensor `func(*args)` as an object of the subclass `new_type`, with its attributes."""
    made = func(*args)
    if type(made) is not new_type:
        made = made.as_subclass(new_type)
    if type(made).__setstate__ is not _C.Tensor.__setstate__:
        made.__setstate__(state)
        return made
    return _set_obj_state(made, state)


def _rebuild_from_type(
    func: Callable[..., Tensor], new_type: type, args: tuple[Any, ...], dict_: dict[str, Any]
) -> Any:
    """The older form of `_rebuild_from_type_v2`."""
    return _rebuild_from_type_v2(func, new_type, args, dict_)


def _rebuild_meta_tensor_no_storage(
    dtype: Any, size: Sequence[int], stride: Sequence[int], requires_grad: bool
) -> Tensor:
    """A tensor without data."""
    return _C._VariableFunctions.empty_strided(size, stride, dtype=dtype, device="meta", requires_grad=requires_grad)


def _rebuild_sparse_tensor(layout: Any, data: tuple[Any, ...]) -> Tensor:
    """A sparse tensor of its parts and size and, in newer files of COO, whether it is coalesced."""
    from . import sparse

    if layout is _C.sparse_coo:
        indices, values, size, *coalesced = data
        return sparse.sparse_coo_tensor(
            indices, values, size, check_invariants=True, is_coalesced=coalesced[0] if coalesced else None
        )
    return sparse.sparse_compressed_tensor(*data, layout=layout)


def _rebuild_device_tensor_from_numpy(data: Any, dtype: Any, device: str, requires_grad: bool) -> Tensor:
    """A tensor that was saved through NumPy; it arrives on the CPU."""
    tensor = _C._VariableFunctions.from_numpy(data).to(dtype)
    return tensor.requires_grad_() if requires_grad else tensor


def _element_size(dtype: Any) -> int:
    """Bytes of one element."""
    return dtype.itemsize


def _get_device_index(device: Any, optional: bool = False, allow_cpu: bool = False) -> int:
    """The index a device names: an int as it is, -1 for the CPU where `allow_cpu`."""
    if isinstance(device, int) and not isinstance(device, bool):
        return device
    if isinstance(device, str):
        device = _C.device(device)
    if isinstance(device, _C.device):
        if device.type == "cpu":
            if allow_cpu:
                return -1
            raise ValueError(f"Expected a non cpu device, but got: {device}")
        if device.index is not None:
            return device.index
    if optional:
        return 0
    raise ValueError(f"Expected a torch.device with a specified index or an integer, but got:{device}")


def _flatten_dense_tensors(tensors: Iterable[Tensor]) -> Tensor:
    """All elements of some tensors of one dtype, one after another, in a new 1-d tensor."""
    return _C._VariableFunctions.cat([t.contiguous().view(-1) for t in tensors])


def _unflatten_dense_tensors(flat: Tensor, tensors: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Views of `flat` shaped as `tensors`: the inverse of `_flatten_dense_tensors`."""
    parts = flat.split([t.numel() for t in tensors])
    return tuple(part.view_as(t) for part, t in zip(parts, tensors))


def _to_dtype_name(dtype: Any) -> str:
    """The name of a dtype without its module."""
    return str(dtype).rsplit(".", 1)[-1]


class ExceptionWrapper:
    """An exception with its traceback as text, so that another thread or process can raise it."""

    def __init__(self, exc_info: Any = None, where: str = "in background") -> None:
        import sys
        import traceback

        kind, value, trace = exc_info or sys.exc_info()
        self.exc_type: Any = kind
        self.exc_msg = "".join(traceback.format_exception(kind, value, trace))
        self.where = where

    def reraise(self) -> None:
        """Raise the exception here, its text telling where it came from."""
        message = f"Caught {self.exc_type.__name__} {self.where}.\nOriginal {self.exc_msg}"
        if self.exc_type is KeyError:
            message = repr(message)
        elif getattr(self.exc_type, "message", None):
            raise self.exc_type(message=message)
        try:
            error = self.exc_type(message)
        except Exception:
            raise RuntimeError(message) from None
        raise error
