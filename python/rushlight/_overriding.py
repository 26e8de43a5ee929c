"""How functions written in Python let `__torch_function__` take over.

def scaled(input: Tensor, factor: float = 2) -> Tensor:
    if overridden(input):
        return take_over(scaled, locals())
"""

from __future__ import annotations

from ._C import (
    _has_torch_function_unary as overridden,
    _has_torch_function_variadic as any_overridden,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["any_overridden", "overridden", "take_over"]


def take_over(function: Callable[..., Any], arguments: dict[str, Any]) -> Any:
    """Lets the active mode, then the arguments that override, compute `function`; `arguments`: all of them, by name.

    As in PyTorch, those without a default are handed over by position and all others as keywords.
    """
    from .overrides import handle_torch_function

    code = function.__code__
    required = code.co_argcount - len(function.__defaults__ or ())
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    values = [arguments[name] for name in names]
    return handle_torch_function(function, values, *values[:required], **dict(zip(names[required:], values[required:])))
