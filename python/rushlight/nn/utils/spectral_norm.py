"""spectral_norm: a weight divided by its largest singular value, by a hook."""

from __future__ import annotations

import rushlight
from rushlight import Tensor

from .. import functional as F
from ..modules.module import Module
from ..parameter import Parameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "SpectralNorm",
    "SpectralNormLoadStateDictPreHook",
    "SpectralNormStateDictHook",
    "remove_spectral_norm",
    "spectral_norm",
]


class SpectralNorm:
    """The hook that computes a normalized weight before every forward."""

    _version: int = 1
    name: str
    dim: int
    n_power_iterations: int
    eps: float

    def __init__(
        self,
        name: str = "weight",
        n_power_iterations: int = 1,
        dim: int = 0,
        eps: float = 1e-12,
    ) -> None:
        if n_power_iterations <= 0:
            raise ValueError(
                "Expected n_power_iterations to be positive, but got "
                f"n_power_iterations={n_power_iterations}"
            )
        self.name = name
        self.dim = dim
        self.n_power_iterations = n_power_iterations
        self.eps = eps

    def reshape_weight_to_matrix(self, weight: Tensor) -> Tensor:
        """`weight` with `dim` as rows and everything else as columns."""
        if self.dim != 0:
            others = [d for d in range(weight.dim()) if d != self.dim]
            weight = weight.permute(self.dim, *others)
        return weight.reshape(weight.size(0), -1)

    def compute_weight(self, module: Module, do_power_iteration: bool) -> Tensor:
        """The weight over its singular value, after a step of the power method."""
        weight = getattr(module, self.name + "_orig")
        u = getattr(module, self.name + "_u")
        v = getattr(module, self.name + "_v")
        matrix = self.reshape_weight_to_matrix(weight)
        if do_power_iteration:
            with rushlight.no_grad():
                for _ in range(self.n_power_iterations):
                    # In place: replicas and checkpoints share these vectors.
                    v.copy_(F.normalize(rushlight.mv(matrix.t(), u), dim=0, eps=self.eps))
                    u.copy_(F.normalize(rushlight.mv(matrix, v), dim=0, eps=self.eps))
                # Backward needs the vectors of this step, the next step overwrites them.
                u = u.clone(memory_format=rushlight.contiguous_format)
                v = v.clone(memory_format=rushlight.contiguous_format)
        sigma = rushlight.dot(u, rushlight.mv(matrix, v))
        return weight / sigma

    def remove(self, module: Module) -> None:
        """Makes the weight one parameter again."""
        with rushlight.no_grad():
            weight = self.compute_weight(module, do_power_iteration=False)
        delattr(module, self.name)
        delattr(module, self.name + "_u")
        delattr(module, self.name + "_v")
        delattr(module, self.name + "_orig")
        module.register_parameter(self.name, Parameter(weight.detach()))

    def __call__(self, module: Module, inputs: Any) -> None:
        weight = self.compute_weight(module, do_power_iteration=module.training)
        setattr(module, self.name, weight)

    @staticmethod
    def apply(
        module: Module, name: str, n_power_iterations: int, dim: int, eps: float
    ) -> SpectralNorm:
        """Replaces the parameter `name` of `module` and registers the hooks."""
        for hook in module._forward_pre_hooks.values():
            if isinstance(hook, SpectralNorm) and hook.name == name:
                raise RuntimeError(
                    f"Cannot register two spectral_norm hooks on the same parameter {name}"
                )
        fn = SpectralNorm(name, n_power_iterations, dim, eps)
        weight = module._parameters[name]
        if weight is None:
            raise ValueError(f"`SpectralNorm` cannot be applied as parameter `{name}` is None")
        with rushlight.no_grad():
            rows, columns = fn.reshape_weight_to_matrix(weight).size()
            u = F.normalize(weight.new_empty(rows).normal_(0, 1), dim=0, eps=eps)
            v = F.normalize(weight.new_empty(columns).normal_(0, 1), dim=0, eps=eps)
        delattr(module, name)
        module.register_parameter(name + "_orig", weight)
        # A plain attribute until the first forward; training must not see it as parameter.
        setattr(module, name, weight.data)
        module.register_buffer(name + "_u", u)
        module.register_buffer(name + "_v", v)
        module.register_forward_pre_hook(fn)
        module._register_state_dict_hook(SpectralNormStateDictHook(fn))
        module._register_load_state_dict_pre_hook(SpectralNormLoadStateDictPreHook(fn))
        return fn


class SpectralNormLoadStateDictPreHook:
    """Completes state dictionaries that hold a normalized weight but not its vectors."""

    def __init__(self, fn: SpectralNorm) -> None:
        self.fn = fn

    def __call__(
        self,
        state_dict: Any,
        prefix: str,
        local_metadata: Any,
        strict: bool,
        missing_keys: Any,
        unexpected_keys: Any,
        error_msgs: Any,
    ) -> None:
        key = prefix + self.fn.name
        version = local_metadata.get("spectral_norm", {}).get(self.fn.name + ".version")
        if version is not None and version >= 1:
            return
        needed = (key + "_orig", key + "_u")
        if key + "_v" in state_dict or not all(name in state_dict for name in needed):
            return
        # v solves W v = s u in the least-squares sense.
        with rushlight.no_grad():
            matrix = self.fn.reshape_weight_to_matrix(state_dict[key + "_orig"])
            v = rushlight.mv(rushlight.linalg.pinv(matrix), state_dict[key + "_u"])
            state_dict[key + "_v"] = F.normalize(v, dim=0, eps=self.fn.eps)
            state_dict.pop(key, None)


class SpectralNormStateDictHook:
    """Notes the version of the hook in the metadata of state dictionaries."""

    def __init__(self, fn: SpectralNorm) -> None:
        self.fn = fn

    def __call__(self, module: Module, state_dict: Any, prefix: str, local_metadata: Any) -> None:
        versions = local_metadata.setdefault("spectral_norm", {})
        key = self.fn.name + ".version"
        if key in versions:
            raise RuntimeError(f"Unexpected key in metadata['spectral_norm']: {key}")
        versions[key] = self.fn._version


def spectral_norm(
    module: Any,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> Any:
    """Divides a weight by its largest singular value (Miyato 2018).

    Args:
        module: has the parameter.
        name: of the parameter.
        n_power_iterations: steps of the power method per forward.
        eps: least norm of its vectors.
        dim: the rows of the matrix; 0, or 1 for transposed convolutions, when None.

    >>> layer = spectral_norm(rushlight.nn.Linear(2, 3))
    >>> layer.weight_u.shape
    torch.Size([3])
    """
    if dim is None:
        transposed = ("ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d")
        dim = 1 if any(cls.__name__ in transposed for cls in type(module).__mro__) else 0
    SpectralNorm.apply(module, name, n_power_iterations, dim, eps)
    return module


def remove_spectral_norm(module: Any, name: str = "weight") -> Any:
    """Undoes `spectral_norm`."""
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, SpectralNorm) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            break
    else:
        raise ValueError(f"spectral_norm of '{name}' not found in {module}")
    for key, state_hook in module._state_dict_hooks.items():
        if isinstance(state_hook, SpectralNormStateDictHook) and state_hook.fn.name == name:
            del module._state_dict_hooks[key]
            break
    for key, wrapped in module._load_state_dict_pre_hooks.items():
        load_hook = getattr(wrapped, "hook", wrapped)
        if isinstance(load_hook, SpectralNormLoadStateDictPreHook) and load_hook.fn.name == name:
            del module._load_state_dict_pre_hooks[key]
            break
    return module
