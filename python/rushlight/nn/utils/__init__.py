"""Tools for modules and their parameters; each file is imported on first use."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Function: file.
_LAZY = {
    "clip_grad_norm": "clip_grad",
    "clip_grad_norm_": "clip_grad",
    "clip_grad_value_": "clip_grad",
    "clip_grads_with_norm_": "clip_grad",
    "convert_conv2d_weight_memory_format": "memory_format",
    "convert_conv3d_weight_memory_format": "memory_format",
    "fuse_conv_bn_eval": "fusion",
    "fuse_conv_bn_weights": "fusion",
    "fuse_linear_bn_eval": "fusion",
    "fuse_linear_bn_weights": "fusion",
    "get_total_norm": "clip_grad",
    "parameters_to_vector": "convert_parameters",
    "remove_spectral_norm": "spectral_norm",
    "remove_weight_norm": "weight_norm",
    "skip_init": "init",
    "spectral_norm": "spectral_norm",
    "vector_to_parameters": "convert_parameters",
    "weight_norm": "weight_norm",
}
_FILES = (
    "clip_grad",
    "convert_parameters",
    "fusion",
    "init",
    "memory_format",
    "parametrizations",
    "parametrize",
    "prune",
    "rnn",
    "stateless",
)

__all__ = sorted([*_LAZY, "parametrizations", "parametrize", "rnn", "stateless"])


def __getattr__(name: str) -> Any:
    from importlib import import_module

    found: Any
    if name in _LAZY:
        # Importing a file binds its name here too; the function of that name must win.
        found = getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
    elif name in _FILES:
        found = import_module(f"{__name__}.{name}")
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY, *_FILES})
