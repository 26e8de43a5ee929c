"""weight_norm: a weight as direction and length, by a hook before the forward."""

from __future__ import annotations

import warnings

import rushlight
from rushlight import Tensor

from ..modules.module import Module
from ..parameter import Parameter, UninitializedParameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["WeightNorm", "remove_weight_norm", "weight_norm"]


def norm_except_dim(v: Tensor, dim: int) -> Tensor:
    """The norms of the slices of `v` along `dim`, or its norm if `dim` is -1."""
    if dim == -1:
        return rushlight.linalg.vector_norm(v)
    dims = [d for d in range(v.dim()) if d != dim % v.dim()]
    if not dims:
        return v.abs()
    return rushlight.linalg.vector_norm(v, 2, dims, True)


def scaled_direction(v: Tensor, g: Tensor, dim: int) -> Tensor:
    """`v` with the lengths `g`."""
    return v * (g / norm_except_dim(v, dim))


class WeightNorm:
    """The hook that computes a normalized weight before every forward."""

    name: str
    dim: int

    def __init__(self, name: str, dim: int | None) -> None:
        self.name = name
        self.dim = -1 if dim is None else dim

    def compute_weight(self, module: Module) -> Any:
        """The weight from its length and direction."""
        g = getattr(module, self.name + "_g")
        v = getattr(module, self.name + "_v")
        return scaled_direction(v, g, self.dim)

    @staticmethod
    def apply(module: Module, name: str, dim: int | None) -> WeightNorm:
        """Splits the parameter `name` of `module` and registers the hook."""
        for hook in module._forward_pre_hooks.values():
            if isinstance(hook, WeightNorm) and hook.name == name:
                raise RuntimeError(
                    f"Cannot register two weight_norm hooks on the same parameter {name}"
                )
        fn = WeightNorm(name, dim)
        weight = getattr(module, name)
        if isinstance(weight, UninitializedParameter):
            raise ValueError(
                "The module passed to `WeightNorm` can't have uninitialized parameters. Make "
                "sure to run the dummy forward before applying weight normalization"
            )
        del module._parameters[name]
        module.register_parameter(name + "_g", Parameter(norm_except_dim(weight, fn.dim).data))
        module.register_parameter(name + "_v", Parameter(weight.data))
        setattr(module, name, fn.compute_weight(module))
        module.register_forward_pre_hook(fn)
        return fn

    def remove(self, module: Module) -> None:
        """Makes the weight one parameter again."""
        weight = self.compute_weight(module)
        delattr(module, self.name)
        del module._parameters[self.name + "_g"]
        del module._parameters[self.name + "_v"]
        setattr(module, self.name, Parameter(weight.data))

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module))


def weight_norm(module: Any, name: str = "weight", dim: int | None = 0) -> Any:
    """Learns length and direction of a weight apart (Salimans 2016).

    Args:
        module: has the parameter.
        name: of the parameter; `name`_g and `name`_v take its place.
        dim: along which there is a length for each slice; None for one length.

    >>> layer = weight_norm(rushlight.nn.Linear(2, 3))
    >>> layer.weight_g.shape
    torch.Size([3, 1])
    """
    warnings.warn(
        "`torch.nn.utils.weight_norm` is deprecated in favor of "
        "`torch.nn.utils.parametrizations.weight_norm`.",
        FutureWarning,
        stacklevel=2,
    )
    WeightNorm.apply(module, name, dim)
    return module


def remove_weight_norm(module: Any, name: str = "weight") -> Any:
    """Undoes `weight_norm`."""
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, WeightNorm) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(f"weight_norm of '{name}' not found in {module}")
