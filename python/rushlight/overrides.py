"""`__torch_function__`: classes and modes that take over functions (`torch.overrides`)."""

from __future__ import annotations

from . import _C
from ._C import (
    DisableTorchFunctionSubclass,
    _disabled_torch_function_impl,
    _has_torch_function,
    _has_torch_function_unary,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

__all__ = [
    "BaseTorchFunctionMode",
    "DisableTorchFunctionSubclass",
    "TorchFunctionMode",
    "get_ignored_functions",
    "get_overridable_functions",
    "get_testing_overrides",
    "handle_torch_function",
    "has_torch_function",
    "has_torch_function_unary",
    "has_torch_function_variadic",
    "is_tensor_like",
    "is_tensor_method_or_property",
    "resolve_name",
    "wrap_torch_function",
]

has_torch_function = _has_torch_function
has_torch_function_unary = _has_torch_function_unary


def has_torch_function_variadic(*relevant: Any) -> bool:
    """`has_torch_function` with the objects as arguments."""
    return _has_torch_function(relevant)


def is_tensor_like(inp: Any) -> bool:
    """Whether `inp` is a tensor or has `__torch_function__`."""
    return isinstance(inp, _C.Tensor) or hasattr(inp, "__torch_function__")


def _overloaded(relevant: Iterable[Any]) -> list[Any]:
    """One object per type that overrides, subclasses before the classes they derive from, else in order."""
    chosen: list[Any] = []
    for obj in relevant:
        kind = type(obj)
        if kind is _C.Tensor or any(type(other) is kind for other in chosen):
            continue
        override = getattr(kind, "__torch_function__", None)
        if override is None or override is _disabled_torch_function_impl:
            continue
        place = next((i for i, other in enumerate(chosen) if issubclass(kind, type(other))), len(chosen))
        chosen.insert(place, obj)
    return chosen


def handle_torch_function(
    public_api: Callable[..., Any], relevant_args: Iterable[Any], *args: Any, **kwargs: Any
) -> Any:
    """Ask the active modes, then the arguments that override, to compute `public_api(*args, **kwargs)`."""
    overloaded = _overloaded(relevant_args)
    types = tuple(type(obj) for obj in overloaded)
    if _C._len_torch_function_stack():
        with _without_innermost_mode() as mode:
            result = mode.__torch_function__(public_api, types, args, kwargs)
        if result is not NotImplemented:
            return result
    for obj in overloaded:
        result = obj.__torch_function__(public_api, types, args, kwargs)
        if result is not NotImplemented:
            return result
    name = f"{getattr(public_api, '__module__', 'torch')}.{getattr(public_api, '__name__', public_api)}"
    name = name.replace(__package__, "torch", 1)
    raise TypeError(
        f"no implementation found for '{name}' on types that implement __torch_function__: {[type(o) for o in overloaded]}"
    )


class _without_innermost_mode:  # noqa: N801
    """Takes the innermost mode off its stack, so that it can call functions itself."""

    def __enter__(self) -> Any:
        self.mode = _C._pop_torch_function_stack()
        return self.mode

    def __exit__(self, *exc: object) -> None:
        _C._push_on_torch_function_stack(self.mode)


class TorchFunctionMode:
    """While active, every call of the API goes to its `__torch_function__(self, func, types, args, kwargs)`."""

    def __torch_function__(self, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None) -> Any:
        raise NotImplementedError

    def __enter__(self) -> Any:
        _C._push_on_torch_function_stack(self)
        return self

    def __exit__(self, *exc: object) -> None:
        _C._pop_torch_function_stack()


class BaseTorchFunctionMode(TorchFunctionMode):
    """A mode that changes nothing."""

    def __torch_function__(self, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*args, **(kwargs or {}))


def _get_current_function_mode() -> Any:
    count = _C._len_torch_function_stack()
    return _C._get_function_stack_at(count - 1) if count else None


def _get_current_function_mode_stack() -> list[Any]:
    return [_C._get_function_stack_at(i) for i in range(_C._len_torch_function_stack())]


def wrap_torch_function(dispatcher: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function be overridden; `dispatcher`, called with its arguments, returns those that may override."""

    def decorate(func: Callable[..., Any]) -> Callable[..., Any]:
        from functools import wraps

        @wraps(func)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            relevant = dispatcher(*args, **kwargs)
            if _has_torch_function(relevant):
                return handle_torch_function(wrapped, relevant, *args, **kwargs)
            return func(*args, **kwargs)

        return wrapped

    return decorate


def get_ignored_functions() -> set[Any]:
    """Functions that are never overridden: those that take no tensor."""
    import rushlight as torch

    names = """
        is_tensor is_storage set_default_tensor_type set_default_dtype set_default_device get_default_dtype
        get_default_device set_rng_state get_rng_state manual_seed initial_seed seed save load set_printoptions arange
        empty full eye linspace logspace ones zeros rand randn randint randperm tensor as_tensor from_numpy frombuffer
        asarray from_file tril_indices triu_indices hann_window hamming_window kaiser_window bartlett_window
        blackman_window broadcast_shapes can_cast promote_types is_grad_enabled set_grad_enabled no_grad enable_grad
        inference_mode compile""".split()
    return {getattr(torch, name) for name in names if hasattr(torch, name)}


def get_overridable_functions() -> dict[Any, list[Any]]:
    """Functions that can be overridden, by the namespace they are in."""
    import rushlight as torch

    ignored = get_ignored_functions()
    found: dict[Any, list[Any]] = {}
    for space in (torch, torch.functional, torch.nn.functional, torch.Tensor, torch.linalg, torch.fft, torch.special):
        found[space] = [
            value
            for name, value in vars(space).items()
            if callable(value) and not name.startswith("_") and not isinstance(value, type) and value not in ignored
        ]
    return found


def get_testing_overrides() -> dict[Any, Callable[..., Any]]:
    """For each function that can be overridden, a function that takes anything and returns -1."""
    return {
        function: lambda *args, **kwargs: -1 for group in get_overridable_functions().values() for function in group
    }


def is_tensor_method_or_property(func: Callable[..., Any]) -> bool:
    """Whether `func` is a method, or the getter of a property, of Tensor."""
    name = getattr(func, "__name__", "")
    return name == "__get__" or getattr(_C.Tensor, name, None) is func


_HOMES = (
    ("_VariableFunctions.", "torch."),
    ("_nn.", "torch.nn.functional."),
    ("_linalg.linalg_", "torch.linalg."),
    ("_fft.fft_", "torch.fft."),
    ("_special.special_", "torch.special."),
)


def resolve_name(f: Any) -> str | None:
    """The name by which users call a function that can be overridden."""
    from .nn import functional

    shared = next((name for name in functional.__all__ if getattr(functional, name) is f), None)
    if shared is not None:  # an operator that is a function of nn.functional as it is
        return f"torch.nn.functional.{shared}"
    module = (getattr(f, "__module__", None) or "torch").replace(__package__, "torch", 1)
    name = getattr(f, "__qualname__", None) or getattr(f, "__name__", None)
    if name is None:
        return None
    if name.startswith("Tensor."):
        return f"torch.{name}"
    owner: Any = getattr(f, "__self__", None)
    if type(owner).__name__ == "getset_descriptor":  # the reading or writing of an attribute
        return f"torch.Tensor.{owner.__name__}.{f.__name__}"
    if getattr(f, "__objclass__", None) in _C.Tensor.__mro__:
        return f"torch.Tensor.{f.__name__}"
    for home, public in _HOMES:
        at = f"{module}.{name}"
        if home in at:
            return public + at.partition(home)[2]
    return f"{module}.{name}"


def enable_reentrant_dispatch() -> Any:
    """A context in which nothing changes: calls inside an override are overridden as any other."""
    from contextlib import nullcontext

    return nullcontext()
