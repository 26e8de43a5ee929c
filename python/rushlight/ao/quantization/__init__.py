"""Quantisation (`torch.ao.quantization`): absent; models run in floating point."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def _refusing(name: str) -> Callable[..., Any]:
    def function(*args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(f"quantization.{name}: rushlight has no quantised kernels; run the model in floating point")

    function.__name__ = function.__qualname__ = name
    function.__doc__ = "Always refused."
    return function


for _name in """
    QConfig QuantWrapper convert fuse_modules get_default_qat_qconfig get_default_qconfig get_default_qconfig_mapping
    get_default_qconfig_propagation_list prepare prepare_qat quantize quantize_dynamic
""".split():
    globals()[_name] = _refusing(_name)


def __getattr__(name: str) -> Any:
    from ...nn import Identity

    if name in ("QuantStub", "DeQuantStub"):
        body = {"__doc__": "A place where quantisation would begin or end: the identity.", "__module__": __name__}
        made = globals()[name] = type(name, (Identity,), body)
        return made
    raise AttributeError(f"module 'torch.ao.quantization' has no attribute '{name}'")
