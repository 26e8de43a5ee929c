"""Questions about objects, and the checks that raise: `is_tensor`, `is_storage`, `typename`, `_check`."""

from __future__ import annotations

from . import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def is_tensor(obj: Any, /) -> bool:
    """Whether `obj` is a tensor."""
    return isinstance(obj, _C.Tensor)


def is_nonzero(input: Any) -> bool:
    """Whether the one element of a tensor is not zero; RuntimeError for other numbers of elements."""
    return bool(input)


def is_storage(obj: Any, /) -> bool:
    """Whether `obj` is a storage."""
    from .storage import TypedStorage, UntypedStorage

    return isinstance(obj, (TypedStorage, UntypedStorage))


def typename(obj: Any, /) -> str:
    """The name of the type of `obj` with its module; for a tensor what `tensor.type()` says."""
    if isinstance(obj, _C.Tensor):
        return obj.type()
    named = obj if hasattr(obj, "__qualname__") else type(obj)
    module = getattr(named, "__module__", None) or ""
    return named.__qualname__ if module in ("", "builtins") else f"{module}.{named.__qualname__}"


def _assert(condition: Any, message: str) -> None:
    """`assert` as a function."""
    if type(condition) is not _C.Tensor and _C._has_torch_function((condition,)):
        from .overrides import handle_torch_function

        handle_torch_function(_assert, (condition,), condition, message)
        return
    assert condition, message


def _check_with(error_type: type[Exception], cond: Any, message: Callable[[], object] | None = None) -> None:
    """Raise an error with `message()` unless the condition holds."""
    if not isinstance(cond, (bool, _C.Tensor)):
        raise TypeError(f"cond must be a bool, but got {type(cond)}")
    if cond:
        return
    if message is None:
        raise error_type("Expected cond to be True, but got False.")
    if not callable(message):
        raise TypeError("message must be a callable")
    raise error_type(str(message()))


def _check(cond: Any, message: Callable[[], object] | None = None) -> None:
    """Raise RuntimeError unless the condition holds."""
    _check_with(RuntimeError, cond, message)


def _check_index(cond: Any, message: Callable[[], object] | None = None) -> None:
    """Raise IndexError unless the condition holds."""
    _check_with(IndexError, cond, message)


def _check_value(cond: Any, message: Callable[[], object] | None = None) -> None:
    """Raise ValueError unless the condition holds."""
    _check_with(ValueError, cond, message)


def _check_type(cond: Any, message: Callable[[], object] | None = None) -> None:
    """Raise TypeError unless the condition holds."""
    _check_with(TypeError, cond, message)


def _check_not_implemented(cond: Any, message: Callable[[], object] | None = None) -> None:
    """Raise NotImplementedError unless the condition holds."""
    _check_with(NotImplementedError, cond, message)


def _check_tensor_all_with(error_type: type[Exception], cond: Any, message: Callable[[], object] | None = None) -> None:
    """Raise an error with `message()` unless the condition holds in every element."""
    if not isinstance(cond, _C.Tensor) or cond.dtype != _C.bool:
        raise TypeError(f"cond must be a tensor of dtype torch.bool, but got {type(cond)}")
    _check_with(error_type, bool(cond.all()), message)


def _check_tensor_all(cond: Any, message: Callable[[], object] | None = None) -> None:
    """Raise RuntimeError unless the condition holds in every element."""
    _check_tensor_all_with(RuntimeError, cond, message)


def _check_is_size(i: int, message: Callable[[], object] | None = None, *, max: int | None = None) -> None:
    """Raise RuntimeError unless `i` can be a size."""
    _check(i >= 0, message)
    if max is not None:
        _check(i <= max, message)
