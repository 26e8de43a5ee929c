"""The operators that a function calls, to be called again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import rushlight as torch

Invocation = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]


class Recorded(torch.overrides.TorchFunctionMode):
    """Keeps the calls of operators that a function makes."""

    def __init__(self) -> None:
        self.calls: list[Invocation] = []

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if isinstance(args[0], torch.Tensor):
            copies = tuple(value.detach() if isinstance(value, torch.Tensor) else value for value in args)
            self.calls.append((func, copies, kwargs or {}))
        return func(*args, **(kwargs or {}))
