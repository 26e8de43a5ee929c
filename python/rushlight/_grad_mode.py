"""Gradient modes as context managers and decorators: `no_grad`, `enable_grad`, `set_grad_enabled`, `inference_mode`."""

from __future__ import annotations

from ._C import _set_grad_enabled, _set_inference_mode, is_grad_enabled, is_inference_mode_enabled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from typing import Any, TypeVar

    from typing_extensions import Self

    _F = TypeVar("_F", bound=Callable[..., Any])


def _decorate_generator(make_context: Callable[[], Any], function: Callable[..., Any]) -> Callable[..., Any]:
    """A generator function whose every step runs inside a fresh context, and whose caller never sees that mode."""
    from functools import wraps

    @wraps(function)
    def stepped(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
        inner = function(*args, **kwargs)
        try:
            with make_context():
                item = inner.send(None)
            while True:
                try:
                    sent = yield item
                except GeneratorExit:
                    with make_context():
                        inner.close()
                    raise
                except BaseException as error:
                    with make_context():
                        item = inner.throw(error)
                else:
                    with make_context():
                        item = inner.send(sent)
        except StopIteration as stop:
            return stop.value

    return stepped


def _decorate(make_context: Callable[[], Any], function: Any) -> Any:
    """`function` run inside a fresh context at each call; a class gets a decorated `__init__`."""
    from functools import wraps
    from inspect import isgeneratorfunction

    if isinstance(function, type):
        function.__init__ = _decorate(make_context, function.__init__)  # type: ignore[misc]
        return function
    if isgeneratorfunction(function):
        return _decorate_generator(make_context, function)

    @wraps(function)
    def inside(*args: Any, **kwargs: Any) -> Any:
        with make_context():
            return function(*args, **kwargs)

    return inside


class _GradMode:
    """Sets the gradient mode between `__enter__` and `__exit__`."""

    _mode = False
    prev = False

    def __new__(cls, orig_func: Callable[..., Any] | None = None) -> Self:
        made = object.__new__(cls)
        return made if orig_func is None else _decorate(cls, orig_func)

    def __enter__(self) -> None:
        self.prev = is_grad_enabled()
        _set_grad_enabled(self._mode)

    def __exit__(self, *exc: object) -> None:
        _set_grad_enabled(self.prev)

    def __call__(self, orig_func: _F) -> _F:
        return _decorate(self.clone, orig_func)

    def clone(self) -> Any:
        """A new context of the same kind."""
        return type(self)()


class no_grad(_GradMode):  # noqa: N801
    """Records nothing for backward: `with no_grad():`, `@no_grad()` or `@no_grad`."""

    _mode = False


class enable_grad(_GradMode):  # noqa: N801
    """Records for backward, also inside `no_grad`: `with enable_grad():`, `@enable_grad()` or `@enable_grad`."""

    _mode = True


class set_grad_enabled:  # noqa: N801
    """Sets the gradient mode at once; as a context manager or decorator only for its extent."""

    def __init__(self, mode: bool) -> None:
        self.prev = is_grad_enabled()
        self.mode = mode
        _set_grad_enabled(mode)

    def __call__(self, orig_func: _F) -> _F:
        _set_grad_enabled(self.prev)
        return _decorate(self.clone, orig_func)

    def __enter__(self) -> None:
        _set_grad_enabled(self.mode)

    def __exit__(self, *exc: object) -> None:
        _set_grad_enabled(self.prev)

    def __repr__(self) -> str:
        return f"torch.autograd.grad_mode.set_grad_enabled(mode={self.mode})"

    def clone(self) -> set_grad_enabled:
        """A new context with the same mode."""
        return type(self)(self.mode)


class inference_mode:  # noqa: N801
    """`no_grad`, and the tensors made inside may never take part in recording: the cheapest mode."""

    def __new__(cls, mode: Any = True) -> Self:
        made = object.__new__(cls)
        return made if isinstance(mode, bool) else _decorate(cls, mode)

    def __init__(self, mode: bool = True) -> None:
        self.mode = mode
        self._saved: list[tuple[bool, bool]] = []

    def __enter__(self) -> None:
        self._saved.append((is_inference_mode_enabled(), is_grad_enabled()))
        _set_inference_mode(self.mode)
        _set_grad_enabled(not self.mode)

    def __exit__(self, *exc: object) -> None:
        inference, grad = self._saved.pop()
        _set_inference_mode(inference)
        _set_grad_enabled(grad)

    def __call__(self, orig_func: _F) -> _F:
        return _decorate(self.clone, orig_func)

    def clone(self) -> inference_mode:
        """A new context with the same mode."""
        return type(self)(self.mode)


class set_multithreading_enabled:  # noqa: N801
    """Accepted for its name: backward runs on the calling thread, so there is nothing to switch."""

    def __init__(self, mode: bool) -> None:
        self.mode = mode

    def __enter__(self) -> None: ...

    def __exit__(self, *exc: object) -> None: ...
