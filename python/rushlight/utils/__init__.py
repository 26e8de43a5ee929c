"""Everything around training: data loading, checkpointing, benchmarks, hooks, trees of tensors."""

import importlib
from typing import Any

_SUBMODULES = frozenset(
    (
        "_pytree",
        "_triton",
        "benchmark",
        "checkpoint",
        "collect_env",
        "cpp_extension",
        "data",
        "dlpack",
        "flop_counter",
        "hooks",
        "model_zoo",
        "module_tracker",
        "tensorboard",
    )
)


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def set_module(obj: Any, mod: str) -> None:
    """Say that an object is of another module, for texts."""
    if not isinstance(mod, str):
        raise TypeError("The mod argument should be a string")
    obj.__module__ = mod


def swap_tensors(t1: Any, t2: Any) -> None:
    """Exchange the values and gradients that two tensors of the same kind refer to."""
    if t1.grad_fn is not None or t2.grad_fn is not None:
        raise RuntimeError("swap_tensors: both tensors have to be leaves of the graph")
    first, second = t1.detach(), t2.detach()
    first_grad, second_grad = t1.grad, t2.grad
    first_flag, second_flag = t1.requires_grad, t2.requires_grad
    t1.grad = t2.grad = None
    t1.data, t2.data = second, first
    t1.requires_grad, t2.requires_grad = second_flag, first_flag
    t1.grad, t2.grad = second_grad, first_grad
    if hasattr(t1, "__dict__") and hasattr(t2, "__dict__"):
        t1.__dict__, t2.__dict__ = t2.__dict__, t1.__dict__


def __dir__() -> list[str]:
    return sorted([*globals(), *_SUBMODULES])
