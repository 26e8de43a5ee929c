"""The array that the namespace makes: a tensor whose operators and indexing follow the standard, not PyTorch."""

from __future__ import annotations

from functools import wraps

from .. import _C
from ._promotion import floor_quotient, promote_types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .. import Tensor

_ops = _C._VariableFunctions
_COMPARISONS = "lt le gt ge eq ne".split()  # their reflected form is the opposite comparison
_FLOORS = {"__floordiv__": floor_quotient, "__rfloordiv__": lambda x, y: floor_quotient(y, x)}
_INDICES = (_C.uint8, _C.uint16, _C.uint32, _C.uint64, _C.int8, _C.int16, _C.int32)  # beside int64
_OPERATORS = "add sub mul truediv floordiv mod pow and or xor lshift rshift matmul".split()


class Array(_C.Tensor):
    """A tensor that follows the array API standard where PyTorch's tensors do not.

    - arrays of two dtypes promote by their dtypes alone, 0-dim ones too: int32 with 0-dim int64 gives int64,
    - `x // y` is infinite where just `x` is, and zero where just `y` is,
    - slices may have negative steps; what they give is a copy,
    - arrays of every integer dtype are indices, uint8 ones, too,
    - an empty mask may have size 0 where the array has not.

    Functions of the namespace give arrays if they are given one. All others, and the methods that tensors have beyond the
    standard, take an array as the tensor that it is and give tensors. An array shares memory and history with the tensor
    that it was made from, and `x.as_subclass(Tensor)` leads back.

    >>> import rushlight.array_api as xp
    >>> xp.arange(4)[::-1]
    Array([3, 2, 1, 0])
    """

    __torch_function__ = _C._disabled_torch_function_impl
    __hash__ = _C.Tensor.__hash__

    def __ifloordiv__(self, other: Any) -> Any:  # type: ignore[misc]  # __floordiv__ is set below
        quotient = self // other
        return quotient if quotient is NotImplemented else self.copy_(quotient)

    def __getitem__(self, key: Any) -> Any:
        key = places(key)
        if isinstance(key, _C.Tensor):
            return to_array(super().__getitem__(_whole_mask(self, key)))
        ahead, turned = _ahead(self, key)
        found = super().__getitem__(ahead)
        return to_array(found.flip(turned) if turned else found)

    def __setitem__(self, key: Any, value: Any) -> None:
        key = places(key)
        if isinstance(key, _C.Tensor):
            return super().__setitem__(_whole_mask(self, key), value)
        ahead, turned = _ahead(self, key)
        if turned:
            shape = super().__getitem__(ahead).shape
            value = _ops.asarray(value, dtype=self.dtype, device=self.device).broadcast_to(shape).flip(turned)
        return super().__setitem__(ahead, value)

    def to_device(self, device: Any, /, *, stream: Any = None) -> Array:
        """The array on another device; there are no streams."""
        return to_array(super().to_device(device, stream=stream))

    @property
    def T(self) -> Array:  # noqa: N802
        """The transpose of a matrix."""
        return to_array(super().T)

    @property
    def mT(self) -> Array:  # noqa: N802
        """The transposes of the matrices in the last two axes."""
        return to_array(super().mT)


def to_array(tensor: Tensor) -> Array:
    """The same memory as an array."""
    return tensor if isinstance(tensor, Array) else tensor.as_subclass(Array)


def _arrays(result: Any) -> Any:
    """A result of tensors with arrays in their place."""
    if isinstance(result, _C.Tensor):
        return to_array(result)
    if isinstance(result, (tuple, list)):
        parts = [_arrays(part) for part in result]
        return type(result)(*parts) if hasattr(result, "_fields") else type(result)(parts)
    return result


def _any_array(values: Any) -> bool:
    """Whether an argument is an array, or a sequence of arrays."""
    for value in values:
        if isinstance(value, Array) or (
            isinstance(value, (tuple, list)) and any(isinstance(item, Array) for item in value)
        ):
            return True
    return False


def keep_arrays(chapter: dict[str, Any], names: list[str]) -> None:
    """Lets the functions of a chapter give arrays if they are given one."""
    for name in names:
        if not hasattr(chapter[name], "__wrapped__"):  # else of another chapter, which has done this
            chapter[name] = _keeping(chapter[name])


def _keeping(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def keeping(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        return _arrays(result) if _any_array(args) or (kwargs and _any_array(kwargs.values())) else result

    return keeping


def _unary(name: str) -> Callable[[Any], Any]:
    operator = getattr(_C.Tensor, name)

    def method(self: Any) -> Any:
        return to_array(operator(self))

    return _named(method, operator)


def _binary(name: str) -> Callable[[Any, Any], Any]:
    """The operator of tensors, between operands of one dtype."""
    operator = _FLOORS.get(name) or getattr(_C.Tensor, name)

    def method(self: Any, other: Any) -> Any:
        if isinstance(other, _C.Tensor):
            if other.dtype is not self.dtype:
                dtype = promote_types(self.dtype, other.dtype)
                self, other = self.to(dtype), other.to(dtype)
        elif not isinstance(other, (int, float, complex)):
            return NotImplemented
        return to_array(operator(self, other))

    return _named(method, getattr(_C.Tensor, name))


def _named(method: Callable[..., Any], like: Any) -> Callable[..., Any]:
    method.__name__ = like.__name__
    method.__qualname__ = f"Array.{like.__name__}"
    method.__doc__ = like.__doc__
    return method


def places(key: Any) -> Any:
    """The key with integer arrays in the dtype of indices."""
    if isinstance(key, _C.Tensor):
        return key.to(_C.int64) if key.dtype in _INDICES else key
    return tuple(places(item) for item in key) if isinstance(key, tuple) else key


def _whole_mask(array: Array, key: Tensor) -> Tensor:
    """A mask with dimensions of size 0 in the shape of the dimensions that it selects from."""
    if key.dtype is not _C.bool or key.numel() or key.ndim > array.ndim:
        return key
    shape = array.shape[: key.ndim]
    fits = all(own in (size, 0) for own, size in zip(key.shape, shape))
    return _ops.zeros(shape, dtype=_C.bool, device=key.device) if fits else key


def _ahead(array: Array, key: Any) -> tuple[Any, list[int]]:
    """The key with all slices going forward, and the dimensions of its result that are then to be turned round."""
    items = key if isinstance(key, tuple) else (key,)
    if not any(isinstance(item, slice) and item.step is not None and item.step < 0 for item in items):
        return key, []
    ahead: list[Any] = []
    turned: list[int] = []
    taken = sum(item is not None and item is not Ellipsis for item in items)
    dim = place = 0  # of the array, of the result
    for item in items:
        if item is Ellipsis:
            dim += array.ndim - taken
            place += array.ndim - taken
        elif item is None:
            place += 1
        elif isinstance(item, slice):
            if item.step is not None and item.step < 0 and dim < array.ndim:
                forward = range(*item.indices(array.shape[dim]))[::-1]
                item = slice(forward.start, forward.stop, forward.step) if forward else slice(0, 0)
                turned.append(place)
            dim += 1
            place += 1
        elif hasattr(item, "__index__") and not isinstance(item, bool):
            dim += 1
        else:
            return key, []
        ahead.append(item)
    return tuple(ahead), turned


for _name in "abs invert neg pos".split():
    setattr(Array, f"__{_name}__", _unary(f"__{_name}__"))
for _name in [*_COMPARISONS, *_OPERATORS, *("r" + name for name in _OPERATORS)]:
    setattr(Array, f"__{_name}__", _binary(f"__{_name}__"))
