"""The methods of `Tensor` that are written in Python; `install` puts them on the type that the extension defines.

Whatever the extension already gives is left alone, except the few in `_ALWAYS`, which Python does better.
"""

from __future__ import annotations

import copyreg

from . import _C
from ._backward_pass import run_backward
from ._overriding import overridden, take_over

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from . import Tensor

_ops = _C._VariableFunctions
_vector_norm = _C._linalg.linalg_vector_norm


def _repr(self: Tensor, *, tensor_contents: str | None = None) -> str:
    """The text of the tensor, as `set_printoptions` asks."""
    if _C._has_torch_function_unary(self):
        from .overrides import handle_torch_function

        return handle_torch_function(_repr, (self,), self, tensor_contents=tensor_contents)
    from ._tensor_str import _str

    return _str(self, tensor_contents=tensor_contents)


def _format(self: Tensor, format_spec: str) -> str:
    """Formats the number of a 0-dim tensor; any other tensor only takes an empty format."""
    if self.dim() == 0 and not self.is_meta and type(self) is _C.Tensor:
        return self.item().__format__(format_spec)
    if format_spec:
        raise TypeError(f"unsupported format string passed to {type(self).__name__}.__format__")
    return str(self)


def _dir(self: Tensor) -> list[str]:
    """Names of the attributes, without those that only CUDA tensors have."""
    return sorted({*dir(type(self)), *self.__dict__} - {"__cuda_array_interface__"})


def _contains(self: Tensor, element: Any, /) -> bool:
    """Whether any element equals `element`, a number or a tensor that broadcasts against this one."""
    if isinstance(element, (_C.Tensor, int, float, complex)):
        same: Tensor = element == self  # type: ignore[assignment]
        return bool(same.any().item())
    raise RuntimeError(f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {type(element)}.")


def _reversed(self: Tensor) -> Tensor:
    """The tensor with its first dimension in reverse order."""
    if overridden(self):
        return take_over(_reversed, locals())
    return self.flip(0) if self.dim() else self


def _iter(self: Tensor) -> Iterator[Tensor]:
    """The slices along the first dimension."""
    if self.dim() == 0:
        raise TypeError("iteration over a 0-d tensor")
    return iter(self.unbind(0))


def _len(self: Tensor) -> int:
    if self.dim() == 0:
        raise TypeError("len() of a 0-d tensor")
    return self.shape[0]


def _array(self: Tensor, dtype: Any = None, copy: bool | None = None) -> Any:
    """NumPy's view of the tensor."""
    array = self.numpy()
    if dtype is not None and array.dtype != dtype:
        return array.astype(dtype)
    return array.copy() if copy else array


def _array_wrap(self: Tensor, array: Any, context: Any = None, return_scalar: bool = False) -> Tensor:
    """The tensor over the result of a NumPy function."""
    if array.dtype == bool:
        array = array.astype("uint8")
    return _ops.from_numpy(array)


def _deepcopy(self: Tensor, memo: dict[int, Any]) -> Tensor:
    """A copy with its own storage; tensors copied together that share a storage go on sharing it."""
    known = memo.get(id(self))
    if known is not None:
        return known
    if not self.is_leaf:
        raise RuntimeError(
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  "
            "If you were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, "
            "see https://github.com/pytorch/pytorch/pull/103001"
        )
    recording = _C.is_grad_enabled()
    _C._set_grad_enabled(False)
    try:
        if self.device.type == "meta" or self.layout is not _C.strided:
            made = self.detach().clone()
        else:
            storage = self.untyped_storage().__deepcopy__(memo)
            made = storage._tensor(self.dtype, self.storage_offset(), self.shape, self.stride())
    finally:
        _C._set_grad_enabled(recording)
    cls = type(self)
    if cls is not _C.Tensor:
        made = made.as_subclass(cls)
    if self.requires_grad:
        made.requires_grad_()
    memo[id(self)] = made
    if self.grad is not None:
        made.grad = self.grad.__deepcopy__(memo)
    if self.__dict__:
        from copy import deepcopy

        made.__dict__.update(deepcopy(self.__dict__, memo))
    return made


def _reduce_ex(self: Tensor, protocol: Any) -> tuple[Any, ...]:
    """Pickles as PyTorch does: a storage and how to look at it."""
    from . import _utils

    if self.requires_grad and not self.is_leaf:
        import warnings

        warnings.warn("saving a tensor that is not a leaf drops its history; detach() it to say so", stacklevel=2)
    plain = _reduce_plain(self)
    if type(self) is not _C.Tensor:
        return _utils._rebuild_from_type_v2, (plain[0], type(self), plain[1], dict(self.__dict__))
    return (*plain, dict(self.__dict__)) if self.__dict__ else plain


def _reduce_plain(self: Tensor) -> tuple[Callable[..., Tensor], tuple[Any, ...]]:
    from collections import OrderedDict

    from . import _utils

    if self.device.type == "meta":
        return _utils._rebuild_meta_tensor_no_storage, (
            self.dtype,
            tuple(self.size()),
            self.stride(),
            self.requires_grad,
        )
    if self.layout is not _C.strided:
        if self.layout is _C.sparse_coo:
            parts: tuple[Any, ...] = (self._indices(), self._values(), self.size(), self.is_coalesced())
        elif self.layout is _C.sparse_csr:
            parts = (self.crow_indices(), self.col_indices(), self.values(), self.size())
        else:
            parts = (self.ccol_indices(), self.row_indices(), self.values(), self.size())
        return _utils._rebuild_sparse_tensor, (self.layout, parts)
    from .storage import _CLASS_NAMES, TypedStorage

    self = self.detach().resolve_conj().resolve_neg() if self.is_conj() or self.is_neg() else self
    memory = self.untyped_storage()
    hooks: OrderedDict[int, Any] = OrderedDict()
    where = self.storage_offset(), tuple(self.size()), self.stride(), self.requires_grad, hooks
    if self.dtype not in _CLASS_NAMES:  # no name of a storage class says the dtype
        return _utils._rebuild_tensor_v3, (memory, *where, self.dtype)
    return _utils._rebuild_tensor_v2, (TypedStorage(wrap_storage=memory, dtype=self.dtype), *where)


def _setstate(self: Tensor, state: Any) -> None:
    """Restores attributes that a subclass carries."""
    if isinstance(state, dict):
        self.__dict__.update(state)
        return
    raise RuntimeError(f"Tensor.__setstate__: expects a dict of attributes, not {type(state).__name__}")


def _backward(
    self: Tensor,
    gradient: Tensor | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Sequence[Tensor] | Tensor | None = None,
) -> None:
    """Adds the derivative of this tensor to the `.grad` of the leaves it was computed from.

    `gradient`: weight of each element, needed unless there is only one. `inputs`: the only leaves to write to.
    """
    if _C._has_torch_function_unary(self):
        from .overrides import handle_torch_function

        return handle_torch_function(
            _backward,
            (self,),
            self,
            gradient=gradient,
            retain_graph=retain_graph,
            create_graph=create_graph,
            inputs=inputs,
        )
    if gradient is None and inputs is None:
        keep = create_graph if retain_graph is None else retain_graph
        run_backward((self,), (None,), keep, create_graph, (), True, True)
        return None
    from .autograd import backward

    backward(self, gradient, retain_graph, create_graph, inputs=inputs)
    return None


def _type(self: Tensor, dtype: Any = None, non_blocking: bool = False, **kwargs: Any) -> Any:
    """The legacy name of the type, "torch.FloatTensor"; with an argument, this tensor converted to that type."""
    from ._legacy_types import convert, type_name

    return type_name(self) if dtype is None else convert(self, dtype)


def _new(self: Tensor, *args: Any, device: Any = None) -> Tensor:
    """A tensor of the same dtype from sizes or data: the older form of `new_empty` and `new_tensor`."""
    from ._legacy_types import construct

    if self.is_sparse:  # of indices and values
        from .sparse import sparse_coo_tensor

        parts = args if args and isinstance(args[0], _C.Tensor) else (args or (0,),)
        return sparse_coo_tensor(*parts, dtype=self.dtype, device=device or self.device)
    return construct(self.dtype, args, device or self.device)


def _no_cuda(name: str) -> Callable[..., Tensor]:
    def method(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        from .cuda import refuse

        raise refuse(f"Tensor.{name}")

    method.__name__ = method.__qualname__ = name
    method.__doc__ = "Always refused: rushlight runs on the CPU."
    return method


def _split(self: Tensor, split_size: int | Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
    """Pieces along `dim`: of `split_size` elements each, or of the sizes listed."""
    if overridden(self):
        return take_over(_split, locals())
    if isinstance(split_size, int):
        return _ops.split(self, split_size, dim)
    return _ops.split_with_sizes(self, [int(size) for size in split_size], dim)


def _norm(self: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Tensor:
    """See `torch.norm`."""
    if overridden(self):
        return take_over(_norm, locals())
    if p == "fro" or p.__class__ in (int, float):
        return _vector_norm(self, 2 if p == "fro" else p, dim, keepdim, dtype=dtype)
    from .functional import norm

    return norm(self, p, dim, keepdim, dtype=dtype)


def _unique(
    self: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """See `torch.unique`."""
    if overridden(self):
        return take_over(_unique, locals())
    from .functional import unique

    return unique(self, sorted=sorted, return_inverse=return_inverse, return_counts=return_counts, dim=dim)


def _unique_consecutive(
    self: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """See `torch.unique_consecutive`."""
    if overridden(self):
        return take_over(_unique_consecutive, locals())
    from .functional import unique_consecutive

    return unique_consecutive(self, return_inverse=return_inverse, return_counts=return_counts, dim=dim)


def _stft(
    self: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: bool | None = None,
    return_complex: bool | None = None,
    align_to_window: bool | None = None,
) -> Tensor:
    """See `torch.stft`."""
    if overridden(self):
        return take_over(_stft, locals())
    from .functional import stft

    return stft(
        self,
        n_fft,
        hop_length,
        win_length,
        window,
        center,
        pad_mode,
        normalized,
        onesided,
        return_complex=return_complex,
        align_to_window=align_to_window,
    )


def _istft(
    self: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    normalized: bool = False,
    onesided: bool | None = None,
    length: int | None = None,
    return_complex: bool = False,
) -> Tensor:
    """See `torch.istft`."""
    if overridden(self):
        return take_over(_istft, locals())
    from .functional import istft

    return istft(self, n_fft, hop_length, win_length, window, center, normalized, onesided, length, return_complex)


def _unflatten(self: Tensor, dim: int, sizes: Sequence[int]) -> Tensor:
    """Splits dimension `dim` into `sizes`, of which one may be -1."""
    if not sizes:
        raise RuntimeError("unflatten: sizes must be non-empty")
    return _ops.unflatten(self, dim, tuple(sizes))


def _lu(self: Tensor, pivot: bool = True, get_infos: bool = False) -> Any:
    """See `torch.lu`."""
    if overridden(self):
        return take_over(_lu, locals())
    from .functional import lu

    return lu(self, pivot, get_infos)


def _storage(self: Tensor) -> Any:
    """The memory of the tensor as a sequence of its dtype."""
    from .storage import TypedStorage

    return TypedStorage(wrap_storage=self.untyped_storage(), dtype=self.dtype)


def _untyped_storage(self: Tensor) -> Any:
    """The memory of the tensor as bytes."""
    from .storage import UntypedStorage

    return UntypedStorage._of(self)


def _storage_type(self: Tensor) -> Any:
    """The class of `storage()`."""
    return type(_storage(self))


def _is_shared(self: Tensor) -> bool:
    """Whether the memory is shared with other processes."""
    from .multiprocessing.reductions import is_shared

    return is_shared(self)


def _share_memory(self: Tensor) -> Tensor:
    """Moves the memory to where other processes can reach it."""
    from .multiprocessing.reductions import share_memory_

    if self.layout is not _C.strided:
        self.untyped_storage()  # refuses

    return share_memory_(self)


def _module_load(self: Tensor, other: Tensor, assign: bool = False) -> Tensor:
    """What `load_state_dict` puts in the place of this tensor, under `swap_module_params_on_conversion`."""
    return other.detach() if assign else self.copy_(other).detach()


def _no_sparse(name: str) -> Callable[..., Any]:
    def method(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        from .sparse import refuse

        raise refuse(f"Tensor.{name}")

    method.__doc__ = "Always refused: there are no layouts of blocks and no nested tensors."
    return method


_SPARSE = "to_sparse_bsr to_sparse_bsc to_padded_tensor".split()


def _pin_memory(self: Tensor, device: Any = None) -> Tensor:
    """Always refused: only memory for a GPU is pinned."""
    raise RuntimeError("pin_memory: Cannot access accelerator device when none is available: rushlight runs on the CPU")


def _record_stream(self: Tensor, stream: Any) -> None:
    """Always refused: there are no streams."""
    from .cuda import refuse

    raise refuse("Tensor.record_stream")


def _dequantize(self: Tensor) -> Tensor:
    """The tensor as float32: nothing is quantised."""
    return self.to(_C.float32)


def _apply(self: Tensor, callable: Callable[[Any], Any]) -> Tensor:
    """Replace each element by `callable(element)`, one Python call each."""
    if overridden(self):
        return take_over(_apply, locals())
    _no_history(self, "apply_")
    values = [callable(value) for value in self.reshape(-1).tolist()]
    return self.copy_(_ops.tensor(values, dtype=self.dtype).reshape(self.shape))


def _map(self: Tensor, tensor: Tensor, callable: Callable[[Any, Any], Any]) -> Tensor:
    """Replace each element by `callable(element, element of tensor)`, one Python call each."""
    if overridden(self):
        return take_over(_map, locals())
    _no_history(self, "map_")
    other = tensor.expand(self.shape).reshape(-1).tolist()
    values = [callable(a, b) for a, b in zip(self.reshape(-1).tolist(), other)]
    return self.copy_(_ops.tensor(values, dtype=self.dtype).reshape(self.shape))


def _no_history(self: Tensor, name: str) -> None:
    if self.requires_grad:
        raise RuntimeError(f"Can't call {name}() on Variable that requires grad. Use var.detach().{name}() instead.")


def _set(
    self: Tensor,
    source: Any = None,
    storage_offset: int = 0,
    size: Sequence[int] | None = None,
    stride: Sequence[int] | None = None,
) -> Tensor:
    """Let the tensor look at the memory of another tensor or storage."""
    if source is None:
        self.data = _ops.empty(0, dtype=self.dtype)
        return self
    if isinstance(source, _C.Tensor):
        if source.dtype != self.dtype:
            raise RuntimeError(f"set_: expected a tensor of dtype {self.dtype}, got {source.dtype}")
        if size is None:
            self.data = source.detach()
            return self
        source = source.untyped_storage()
    untyped = getattr(source, "_untyped_storage", source)
    if size is None:
        size = (untyped.nbytes() // self.dtype.itemsize - storage_offset,)
    if stride is None:
        steps = [1]
        for length in reversed(tuple(size)[1:]):
            steps.insert(0, steps[0] * max(length, 1))
        stride = steps[: len(tuple(size))]
    self.data = untyped._tensor(self.dtype, storage_offset, size, stride)
    return self


def _is_nonzero(self: Tensor) -> bool:
    """Whether the one element is not zero; RuntimeError for other numbers of elements."""
    return bool(self)


def _dim_order(self: Tensor, *, ambiguity_check: bool | list[Any] = False) -> tuple[int, ...]:
    """The dimensions from the one that moves slowest through memory to the one that moves fastest.

    With `ambiguity_check` a tensor that has more than one such order is refused (RuntimeError), unless it is
    contiguous in exactly one of the memory formats given.
    """
    strides = self.stride()
    formats = [] if isinstance(ambiguity_check, bool) else ambiguity_check
    if not isinstance(formats, list) or not all(isinstance(item, _C.memory_format) for item in formats):
        raise TypeError("The ambiguity_check argument must be a bool or a list of memory formats.")
    if ambiguity_check and (1 in self.shape or len(set(strides)) < len(strides)):
        if sum(self.is_contiguous(memory_format=item) for item in formats) != 1:
            raise RuntimeError(
                "The tensor does not have unique dim order, or cannot map to exact one of the given memory formats."
            )
    order = tuple(sorted(range(self.dim()), key=lambda d: (strides[d], self.shape[d] == 1 and d), reverse=True))
    return order if len(set(strides)) == len(strides) else tuple(sorted(order, key=lambda d: (-strides[d], d)))


def _resize(self: Tensor, *sizes: int) -> Tensor:
    """The tensor seen in another size with as many elements; deprecated in favour of `reshape`."""
    import warnings

    warnings.warn("non-inplace resize is deprecated", stacklevel=2)
    return self.reshape(*sizes)


def _resize_as(self: Tensor, tensor: Tensor) -> Tensor:
    """`resize(tensor.size())`; deprecated in favour of `reshape_as`."""
    return _resize(self, *tensor.size())


def _reinforce(self: Tensor, *args: Any, **kwargs: Any) -> None:
    """Refuses: stochastic nodes were removed long ago; `torch.distributions` replaces them."""
    raise RuntimeError("Tensor.reinforce: was removed; use torch.distributions instead")


def _removed(name: str, instead: str) -> Callable[..., Any]:
    def method(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(f"torch.{name}: This function was deprecated and is now removed; use {instead} instead")

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"Removed: use `{instead}`."
    return method


def _make_subclass(cls: type, data: Tensor, require_grad: bool = False) -> Any:
    """`data` seen as an object of the subclass `cls`, sharing its memory."""
    made: Tensor = data.detach().as_subclass(cls)
    if require_grad:
        made.requires_grad_()
    return made


def _polygamma(self: Tensor, n: int) -> Tensor:
    """See `torch.polygamma`, which takes the order first."""
    if overridden(self):
        return take_over(_polygamma, locals())
    return _ops.polygamma(n, self)


def _polygamma_(self: Tensor, n: int) -> Tensor:
    """In-place `polygamma`."""
    if overridden(self):
        return take_over(_polygamma_, locals())
    return self.copy_(_ops.polygamma(n, self))


def _where(self: Tensor, condition: Tensor, other: Tensor | float) -> Tensor:
    """Elements of this tensor where `condition` is true, of `other` elsewhere."""
    if overridden(self):
        return take_over(_where, locals())
    return _ops.where(condition, self, other)


def _array_namespace(self: Tensor, /, *, api_version: str | None = None) -> Any:
    """The namespace of the array API standard, `rushlight.array_api`; ValueError for a version that it does not know."""
    from .array_api._version import namespace

    return namespace(api_version)


def _to_device(self: Tensor, device: Any, /, *, stream: Any = None) -> Tensor:
    """The tensor on another device, as the array API standard spells it; there are no streams."""
    if stream is not None:
        raise ValueError(f"to_device: there are no streams; stream must be None, not {stream!r}")
    return self.to(device)


def _rdiv(self: Tensor, other: Tensor | float) -> Tensor:
    """`other / self`."""
    return self.reciprocal() * other


_ALWAYS: dict[str, Any] = {
    "__repr__": _repr,
    "__format__": _format,
    "__dir__": _dir,
    "__deepcopy__": _deepcopy,
    "__reduce_ex__": _reduce_ex,
    "__array_priority__": 1000,
    "is_shared": _is_shared,
    "share_memory_": _share_memory,
    "norm": _norm,
    "unique": _unique,
    "unique_consecutive": _unique_consecutive,
    "stft": _stft,
    "istft": _istft,
}

_IF_MISSING: dict[str, Any] = {
    "polygamma": _polygamma,
    "polygamma_": _polygamma_,
    "where": _where,
    "__rdiv__": _rdiv,
    "__array_namespace__": _array_namespace,
    "to_device": _to_device,
    "__setstate__": _setstate,
    "__contains__": _contains,
    "__reversed__": _reversed,
    "__iter__": _iter,
    "__len__": _len,
    "__array__": _array,
    "__array_wrap__": _array_wrap,
    "backward": _backward,
    "type": _type,
    "new": _new,
    "cuda": _no_cuda("cuda"),
    "xpu": _no_cuda("xpu"),
    "split": _split,
    "unflatten": _unflatten,
    "lu": _lu,
    "storage": _storage,
    "untyped_storage": _untyped_storage,
    "_typed_storage": _storage,
    "storage_type": _storage_type,
    "module_load": _module_load,
    **{name: _no_sparse(name) for name in _SPARSE},
    "pin_memory": _pin_memory,
    "record_stream": _record_stream,
    "dequantize": _dequantize,
    "apply_": _apply,
    "map_": _map,
    "set_": _set,
    "dim_order": _dim_order,
    "is_nonzero": _is_nonzero,
    "resize": _resize,
    "resize_as": _resize_as,
    "reinforce": _reinforce,
    "eig": _removed("eig", "torch.linalg.eig"),
    "lstsq": _removed("lstsq", "torch.linalg.lstsq"),
    "solve": _removed("solve", "torch.linalg.solve"),
    "symeig": _removed("symeig", "torch.linalg.eigh"),
    "_make_subclass": staticmethod(_make_subclass),
}


def _tensor_class() -> type:
    """The tensor type: what its pickle calls."""
    return _C.Tensor


def _reduce_class(cls: type) -> Any:
    """Pickles the tensor type, whose name is PyTorch's, by a function, and subclasses by their name as usual."""
    return (_tensor_class, ()) if cls is _C.Tensor else cls.__qualname__


def install(tensor_type: type) -> None:
    """Put the methods of this file on the tensor type."""
    copyreg.pickle(type(tensor_type), _reduce_class)
    chosen = dict(_ALWAYS)
    known = {name for cls in tensor_type.__mro__[:-1] for name in vars(cls)}
    chosen.update((name, value) for name, value in _IF_MISSING.items() if name not in known)
    for name, value in chosen.items():
        if hasattr(value, "__qualname__") and not name.startswith("_make"):
            value.__name__ = name
            value.__qualname__ = f"Tensor.{name}"
            value.__module__ = "torch"
    put = getattr(_C, "_install_methods", None)
    if put is not None:
        put(chosen)
        return
    for name, value in chosen.items():
        setattr(tensor_type, name, value)


# the name that PyTorch's own files refer to
def _rebuild_from_type_v2(func: Callable[..., Any], new_type: type, args: tuple[Any, ...], state: Any) -> Any:
    """See `torch._utils._rebuild_from_type_v2`."""
    from . import _utils

    return _utils._rebuild_from_type_v2(func, new_type, args, state)
