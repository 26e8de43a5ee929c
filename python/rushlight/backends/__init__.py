"""Switches of the libraries that PyTorch stands on (`torch.backends`): absent ones say so, harmless settings are kept."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__allow_nonbracketed_mutation_flag = True

_SUBMODULES = "cpu cuda cudnn cusparselt kleidiai mha miopen mkl mkldnn mps nnpack openmp opt_einsum quantized xeon xnnpack".split()


def __getattr__(name: str) -> Any:
    if name not in _SUBMODULES:
        raise AttributeError(f"module 'torch.backends' has no attribute '{name}'")
    __import__(f"{__name__}.{name}")
    return sys.modules[f"{__name__}.{name}"]


class _Flags:
    """Sets attributes of a module for the extent of a `with` block."""

    def __init__(self, module: str, values: dict[str, Any]) -> None:
        self.module = sys.modules[module]
        self.values = values

    def __enter__(self) -> None:
        self.before = {name: getattr(self.module, name) for name in self.values}
        vars(self.module).update(self.values)

    def __exit__(self, *exc: object) -> None:
        vars(self.module).update(self.before)
