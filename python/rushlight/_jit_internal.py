"""Names of `torch._jit_internal` that libraries decorate their functions with."""

from __future__ import annotations

from .jit import Final, _overload, _overload_method, export, ignore, is_scripting, unused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "Final",
    "_copy_to_script_wrapper",
    "_overload",
    "_overload_method",
    "boolean_dispatch",
    "export",
    "ignore",
    "is_scripting",
    "unused",
]


def _copy_to_script_wrapper(fn: Any) -> Any:
    return fn


def boolean_dispatch(
    arg_name: str, arg_index: int, default: bool, if_true: Any, if_false: Any, module_name: str, func_name: str
) -> Any:
    """A function that calls one of two functions, by the truth of one of its arguments."""

    def fn(*args: Any, **kwargs: Any) -> Any:
        flag = kwargs.get(arg_name, args[arg_index] if arg_index < len(args) else default)
        return (if_true if flag else if_false)(*args, **kwargs)

    fn.__name__ = func_name
    fn.__doc__ = (if_true.__doc__ or if_false.__doc__) or "One of two functions, by an argument."
    return fn
