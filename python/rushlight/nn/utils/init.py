"""skip_init: a module without drawing its parameters."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def skip_init(module_cls: Any, *args: Any, **kwargs: Any) -> Any:
    """`module_cls(*args, **kwargs)` with uninitialized parameters.

    Args:
        module_cls: a Module class with a `device` argument.
        args: its arguments.
        kwargs: its arguments; `device` is where the parameters go.

    >>> skip_init(rushlight.nn.Linear, 2, 3)
    Linear(in_features=2, out_features=3, bias=True)
    """
    import inspect

    from ..modules.module import Module

    if not issubclass(module_cls, Module):
        raise RuntimeError(f"Expected a Module; got {module_cls}")
    if "device" not in inspect.signature(module_cls).parameters:
        raise RuntimeError("Module must support a 'device' arg to skip initialization")
    device = kwargs.pop("device", "cpu")
    return module_cls(*args, **kwargs, device="meta").to_empty(device=device)
