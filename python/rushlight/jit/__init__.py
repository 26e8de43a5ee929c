"""TorchScript's names (`torch.jit`): functions and modules stay what they are; nothing is compiled or saved as script."""

from __future__ import annotations

import sys
from typing import Final

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = [
    "Final",
    "annotate",
    "export",
    "fork",
    "freeze",
    "ignore",
    "interface",
    "is_scripting",
    "is_tracing",
    "isinstance",
    "load",
    "optimize_for_inference",
    "save",
    "script",
    "script_method",
    "trace",
    "trace_module",
    "unused",
    "wait",
]

_told = False


def _tell(name: str) -> None:
    """Say, the first time, that nothing is compiled."""
    global _told
    if not _told:
        _told = True
        import warnings

        warnings.warn(
            f"torch.jit.{name}: rushlight has no TorchScript; functions and modules run as they are", stacklevel=3
        )


def script(obj: Any, *args: Any, **kwargs: Any) -> Any:
    """`obj` itself."""
    _tell("script")
    return obj


def trace(func: Any, example_inputs: Any = None, *args: Any, **kwargs: Any) -> Any:
    """`func` itself."""
    _tell("trace")
    return func


def trace_module(mod: Any, inputs: Any, *args: Any, **kwargs: Any) -> Any:
    """`mod` itself."""
    _tell("trace_module")
    return mod


def freeze(mod: Any, *args: Any, **kwargs: Any) -> Any:
    """`mod` itself."""
    return mod


def optimize_for_inference(mod: Any, *args: Any, **kwargs: Any) -> Any:
    """`mod` itself."""
    return mod


def run_frozen_optimizations(mod: Any, *args: Any, **kwargs: Any) -> None:
    """Nothing to do."""


def script_method(fn: Any) -> Any:
    """`fn` itself."""
    return fn


def export(fn: Any) -> Any:
    """`fn` itself."""
    return fn


def interface(obj: Any) -> Any:
    """`obj` itself."""
    return obj


def _overload(fn: Any) -> Any:
    return fn


_overload_method = _overload


def ignore(drop: Any = False, **kwargs: Any) -> Any:
    """The function itself, used as `@ignore` or `@ignore(drop=...)`."""
    return drop if callable(drop) else lambda fn: fn


def unused(fn: Any) -> Any:
    """`fn` itself."""
    return fn


def is_scripting() -> bool:
    """False."""
    return False


def is_tracing() -> bool:
    """False."""
    return False


def annotate(the_type: Any, the_value: Any) -> Any:
    """`the_value`."""
    return the_value


def isinstance(obj: Any, target_type: Any) -> bool:
    """Whether `obj` is of the type, containers of a parametrised type being looked into."""
    import builtins
    from typing import Union, get_args, get_origin

    if builtins.isinstance(target_type, tuple):
        return any(isinstance(obj, t) for t in target_type)
    origin, inner = get_origin(target_type), get_args(target_type)
    if origin is None:
        return builtins.isinstance(obj, target_type)
    if origin is Union or type(target_type).__name__ == "UnionType":
        return any(isinstance(obj, t) for t in inner if t is not type(None)) or (obj is None and type(None) in inner)
    if not builtins.isinstance(obj, origin):
        return False
    if origin is dict:
        return all(isinstance(k, inner[0]) and isinstance(v, inner[1]) for k, v in obj.items())
    if origin is tuple and Ellipsis not in inner:
        return len(obj) == len(inner) and all(isinstance(x, t) for x, t in zip(obj, inner))
    return all(isinstance(x, inner[0]) for x in obj)


def fork(func: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """`func(*args, **kwargs)`, computed at once, as a future."""
    from ..futures import Future

    made: Any = Future()
    made.set_result(func(*args, **kwargs))
    return made


def wait(future: Any) -> Any:
    """The value of a future."""
    return future.wait()


def save(m: Any, f: Any, _extra_files: Any = None) -> None:
    """Always refused: use `torch.save(module.state_dict(), f)`."""
    raise RuntimeError("jit.save: rushlight has no TorchScript; save the state_dict with torch.save instead")


def load(f: Any, map_location: Any = None, *args: Any, **kwargs: Any) -> Any:
    """Always refused: TorchScript archives hold compiled programs."""
    raise RuntimeError(
        "jit.load: rushlight cannot run TorchScript archives; build the module in Python and load its state_dict"
    )


def set_fusion_strategy(strategy: Any) -> None:
    """Accepted: nothing is fused."""


def enable_onednn_fusion(enabled: bool) -> None:
    """Accepted: nothing is fused."""


class _Context:
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

    def __enter__(self) -> None: ...

    def __exit__(self, *exc: object) -> None: ...


class fuser(_Context):  # noqa: N801
    """A context in which nothing changes."""


class optimized_execution(_Context):  # noqa: N801
    """A context in which nothing changes."""


class strict_fusion(_Context):  # noqa: N801
    """A context in which nothing changes."""


class TracerWarning(Warning):
    """Never given; kept so that filters for it work."""

    @staticmethod
    def ignore_lib_warnings() -> None:
        """Nothing to ignore."""


class Attribute:
    """A value with a type, for attributes of script modules."""

    def __init__(self, value: Any, type: Any) -> None:
        self.value, self.type = value, type


class ScriptFunction:
    """Never the type of an object."""


class ScriptObject:
    """Never the type of an object."""


def __getattr__(name: str) -> Any:
    if name == "ScriptModule":
        from ..nn import Module

        body = {"__doc__": "A module; subclasses run as any other module.", "__module__": "torch.jit"}
        made = globals()[name] = type(name, (Module,), body)
        return made
    if name in ("RecursiveScriptModule", "TopLevelTracedModule", "TracedModule"):
        body = {"__doc__": "Never the type of an object.", "__module__": "torch.jit"}
        made = globals()[name] = type(name, (__getattr__("ScriptModule"),), body)
        return made
    if name == "annotations":
        __import__(f"{__name__}.annotations")
        return sys.modules[f"{__name__}.annotations"]
    raise AttributeError(f"module 'torch.jit' has no attribute '{name}'")
