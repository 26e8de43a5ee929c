"""The memory order of convolution weights."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _convert(module: Any, kinds: Any, memory_format: Any) -> Any:
    for layer in module.modules():
        if isinstance(layer, kinds):
            layer.weight.data = layer.weight.detach().clone(memory_format=memory_format)
    return module


def convert_conv2d_weight_memory_format(module: Any, memory_format: Any) -> Any:
    """Reorders the weights of all 2-D convolutions in `module`."""
    from ..modules.conv import Conv2d, ConvTranspose2d

    return _convert(module, (Conv2d, ConvTranspose2d), memory_format)


def convert_conv3d_weight_memory_format(module: Any, memory_format: Any) -> Any:
    """Reorders the weights of all 3-D convolutions in `module`."""
    from ..modules.conv import Conv3d, ConvTranspose3d

    return _convert(module, (Conv3d, ConvTranspose3d), memory_format)


__all__ = ["convert_conv2d_weight_memory_format", "convert_conv3d_weight_memory_format"]
