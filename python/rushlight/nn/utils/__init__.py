"""Tools for modules and their parameters; most files are imported on first use."""

# ruff: noqa: F401 - names imported here are there for users
from __future__ import annotations

# These two at once: a later import of the files would bind the names to them.
from .spectral_norm import remove_spectral_norm, spectral_norm
from .weight_norm import remove_weight_norm, weight_norm

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
    "skip_init": "init",
    "vector_to_parameters": "convert_parameters",
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

__all__ = sorted(
    [
        *_LAZY,
        "parametrizations",
        "parametrize",
        "remove_spectral_norm",
        "remove_weight_norm",
        "rnn",
        "spectral_norm",
        "stateless",
        "weight_norm",
    ]
)


def __getattr__(name: str) -> Any:
    from importlib import import_module

    found: Any
    if name in _LAZY:
        found = getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
    elif name in _FILES:
        found = import_module(f"{__name__}.{name}")
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY, *_FILES})
