"""Quantization (`torch.ao.quantization`): observers and fake quantization, which quantization-aware training needs.

They compute in floating point. What converts models to quantized tensors is refused: there are no kernels for those.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def _refusing(name: str) -> Callable[..., Any]:
    def function(*args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(
            f"quantization.{name}: rushlight has no quantised kernels; run the model in floating point, with "
            "torch.ao.quantization.FakeQuantize where it is to be trained for a quantized format"
        )

    function.__name__ = function.__qualname__ = name
    function.__doc__ = "Always refused."
    return function


for _name in """
    QuantWrapper convert fuse_modules get_default_qat_qconfig get_default_qconfig get_default_qconfig_mapping
    get_default_qconfig_propagation_list prepare prepare_qat quantize quantize_dynamic
""".split():
    globals()[_name] = _refusing(_name)

_SUBMODULES = ("observer", "fake_quantize", "qconfig")


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name.startswith("__"):
        raise AttributeError(name)
    if name in _SUBMODULES:
        return import_module(f"{__name__}.{name}")
    if name in ("QuantStub", "DeQuantStub"):
        from ...nn import Identity

        body = {"__doc__": "A place where quantisation would begin or end: the identity.", "__module__": __name__}
        made = globals()[name] = type(name, (Identity,), body)
        return made
    for part in _SUBMODULES:
        module = import_module(f"{__name__}.{part}")
        if name in getattr(module, "__all__", ()) or name.startswith(("default_", "fused_", "weight_", "per_channel_")):
            if name in vars(module):
                globals()[name] = vars(module)[name]
                return globals()[name]
    raise AttributeError(f"module 'torch.ao.quantization' has no attribute '{name}'")
