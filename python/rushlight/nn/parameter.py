"""Parameter and Buffer: tensors that a module registers when they are assigned to it."""

from __future__ import annotations

from collections import OrderedDict

import rushlight
from rushlight import Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "Buffer",
    "Parameter",
    "UninitializedBuffer",
    "UninitializedParameter",
    "UninitializedTensorMixin",
    "is_lazy",
]


class _ParameterMeta(rushlight._C._TensorMeta):
    """Lets a wrapped tensor subclass that is marked `_is_param` count as a Parameter."""

    def __instancecheck__(cls, instance: Any) -> bool:
        if type.__instancecheck__(cls, instance):
            return True
        return (
            cls is Parameter
            and isinstance(instance, Tensor)
            and getattr(instance, "_is_param", False)
        )


class Parameter(Tensor, metaclass=_ParameterMeta):
    """A tensor that a module trains.

    Args:
        data: floating or complex tensor (any, if `requires_grad` is False); its memory is shared.
        requires_grad: whether gradients are recorded for it.

    >>> layer = rushlight.nn.Module()
    >>> layer.scale = Parameter(rushlight.ones(2))
    >>> [name for name, _ in layer.named_parameters()]
    ['scale']
    """

    # Results of operators on parameters are plain tensors.
    __torch_function__ = rushlight._C._disabled_torch_function_impl

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Any:
        if data is None:
            data = rushlight.empty(0)
        kind = type(data)
        if kind is Tensor or kind is Parameter:
            return Tensor._make_subclass(cls, data, requires_grad)
        # A foreign subclass keeps its own type and is marked instead.
        wrapped = data.detach().requires_grad_(requires_grad)
        if type(wrapped) is Tensor:
            return Tensor._make_subclass(cls, data, requires_grad)
        if type(wrapped) is not kind:
            raise RuntimeError(
                f"Creating a Parameter from an instance of type {kind.__name__} requires that "
                f"detach() returns an instance of the same type, but return type "
                f"{type(wrapped).__name__} was found instead. Make detach() return "
                f"{kind.__name__}."
            )
        wrapped._is_param = True
        return wrapped

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        found = memo.get(id(self))
        if found is None:
            data = self.data.clone(memory_format=rushlight.preserve_format)
            found = memo[id(self)] = type(self)(data, self.requires_grad)
        return found

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        return "Parameter containing:\n" + super().__repr__()

    def __str__(self) -> str:
        return self.__repr__()

    def __reduce_ex__(self, proto: Any) -> Any:
        # Hooks are not written to files: an empty dictionary keeps their place in the format.
        from rushlight import _utils

        state = self.__dict__
        if state:
            return (
                _utils._rebuild_parameter_with_state,
                (self.data, self.requires_grad, OrderedDict(), dict(state)),
            )
        return _utils._rebuild_parameter, (self.data, self.requires_grad, OrderedDict())


class _BufferMeta(rushlight._C._TensorMeta):
    """A Buffer is a plain tensor with a mark, so isinstance looks at the mark."""

    def __instancecheck__(cls, instance: Any) -> bool:
        if cls is Buffer:
            return isinstance(instance, Tensor) and getattr(instance, "_is_buffer", False)
        return type.__instancecheck__(cls, instance)


class Buffer(Tensor, metaclass=_BufferMeta):
    """A tensor that a module registers as state that is not trained.

    Args:
        data: any tensor; empty when omitted.
        persistent: whether it belongs to the module's `state_dict`.
    """

    persistent: bool

    def __new__(cls, data: Any = None, *, persistent: bool = True) -> Any:
        if data is None:
            data = rushlight.empty(0)
        tensor = data.detach().requires_grad_(data.requires_grad)
        tensor.persistent = persistent
        tensor._is_buffer = True
        return tensor


if TYPE_CHECKING:
    _MixedIn = Tensor
else:
    _MixedIn = object


class UninitializedTensorMixin(_MixedIn):
    """A tensor whose shape is not known yet; `materialize` gives it one."""

    cls_to_become: Any

    _allowed_methods = (
        "__hash__",
        "size",
        "copy_",
        "is_complex",
        "is_floating_point",
        "half",
        "float",
        "double",
        "char",
        "short",
        "int",
        "long",
        "bfloat16",
        "cuda",
        "cpu",
        "to",
        "get_device",
        "_has_compatible_shallow_copy_type",
    )

    def materialize(self, shape: Any, device: Any = None, dtype: Any = None) -> None:
        """Gives the tensor its shape, uninitialised memory and its final class, in place."""
        if device is None:
            device = self.data.device
        if dtype is None:
            dtype = self.data.dtype
        self.data = rushlight.empty(shape, device=device, dtype=dtype)
        self.__class__ = self.cls_to_become

    @property
    def shape(self) -> Any:
        raise RuntimeError(
            "Can't access the shape of an uninitialized parameter or buffer. This error usually "
            "happens in `load_state_dict` when trying to load an uninitialized parameter into an "
            "initialized one. Call `forward` to initialize the parameters before accessing their "
            "attributes."
        )

    def share_memory_(self) -> Any:
        raise RuntimeError(
            "Can't share memory on an uninitialized parameter or buffer. Call `forward` to "
            "initialize the parameters before calling `module.share_memory()`."
        )

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        return f"<{type(self).__name__}>"

    __str__ = __repr__

    def __reduce_ex__(self, proto: Any) -> Any:
        return type(self), (self.requires_grad,)

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        # Properties arrive as the getters of slot descriptors; reading those is harmless.
        name = getattr(func, "__name__", "")
        if name in cls._allowed_methods or type(func).__name__ == "method-wrapper":
            return super().__torch_function__(func, types, args, kwargs or {})
        raise ValueError(
            f"Attempted to use an uninitialized parameter in {func}. This error happens when you "
            "are using a `LazyModule` or explicitly manipulating "
            f"`torch.nn.parameter.{cls.__name__}` objects. When using LazyModules Call `forward` "
            "with a dummy batch to initialize the parameters before calling torch functions"
        )


def is_lazy(param: Any) -> bool:
    """Whether `param` still waits for its shape."""
    return isinstance(param, UninitializedTensorMixin)


class UninitializedParameter(UninitializedTensorMixin, Parameter):  # type: ignore[misc]  # two texts
    """A Parameter of unknown shape, as lazy modules hold before their first call."""

    cls_to_become = Parameter

    def __new__(cls, requires_grad: bool = True, device: Any = None, dtype: Any = None) -> Any:
        data = rushlight.empty(0, device=device, dtype=dtype)
        return Tensor._make_subclass(cls, data, requires_grad)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        found = memo.get(id(self))
        if found is None:
            found = type(self)(self.requires_grad, self.data.device, self.data.dtype)
            memo[id(self)] = found
        return found


class MaterializedBuffer(Tensor):
    """What an UninitializedBuffer becomes: objects of subclasses cannot turn into plain tensors."""

    __torch_function__ = rushlight._C._disabled_torch_function_impl

    def plain(self) -> Tensor:
        """The same values as a plain tensor."""
        return self.as_subclass(Tensor)


class UninitializedBuffer(UninitializedTensorMixin, Tensor):
    """A buffer of unknown shape, as lazy modules hold before their first call."""

    cls_to_become = MaterializedBuffer

    def __new__(
        cls,
        requires_grad: bool = False,
        device: Any = None,
        dtype: Any = None,
        persistent: bool = True,
    ) -> Any:
        data = rushlight.empty(0, device=device, dtype=dtype)
        tensor = Tensor._make_subclass(cls, data, requires_grad)
        tensor.persistent = persistent
        tensor._is_buffer = True
        return tensor
