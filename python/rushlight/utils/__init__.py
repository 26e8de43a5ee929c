"""Everything around training: data loading, checkpointing, benchmarks, hooks, trees of tensors."""

import importlib
from typing import Any

_SUBMODULES = frozenset(
    (
        "_pytree",
        "benchmark",
        "checkpoint",
        "collect_env",
        "cpp_extension",
        "data",
        "dlpack",
        "hooks",
        "model_zoo",
        "tensorboard",
    )
)


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_SUBMODULES])
