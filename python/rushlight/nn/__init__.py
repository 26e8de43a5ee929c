"""Neural network layers, losses, initializers and utilities, under torch.nn's names.

Parts that few programs need are imported on first use.
"""

# ruff: noqa: F401 - names imported here are there for users
from __future__ import annotations

from . import modules as modules  # isort: skip  (the layers import functional in their turn)
from . import functional as functional, init as init
from .parameter import (
    Buffer as Buffer,
    Parameter as Parameter,
    UninitializedBuffer as UninitializedBuffer,
    UninitializedParameter as UninitializedParameter,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from . import (
        attention as attention,
        common_types as common_types,
        grad as grad,
        parallel as parallel,
        utils as utils,
    )
    from .modules import *  # noqa: F403
    from .parallel import DataParallel as DataParallel

# Not by `*`, which would import every file.
globals().update({name: getattr(modules, name) for name in modules._EAGER})

_SUBMODULES = ("attention", "common_types", "grad", "parallel", "utils")


def __getattr__(name: str) -> Any:
    from importlib import import_module

    found: Any
    if name in _SUBMODULES:
        found = import_module(f"{__name__}.{name}")
    elif name == "DataParallel":
        found = import_module(f"{__name__}.parallel").DataParallel
    elif name in modules._LAZY:
        found = getattr(modules, name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_SUBMODULES, *modules._LAZY, "DataParallel"})


def factory_kwargs(kwargs: Any) -> dict[str, Any]:
    """The `device`, `dtype` and `memory_format` among keyword arguments.

    They may also come under the key "factory_kwargs", for constructors that use these names
    otherwise.

    Raises:
        TypeError: another argument is there, or one is given twice.

    >>> factory_kwargs({"device": "cpu"})
    {'device': 'cpu'}
    """
    if kwargs is None:
        return {}
    simple = {"device", "dtype", "memory_format"}
    unexpected = kwargs.keys() - (simple | {"factory_kwargs"})
    if unexpected:
        raise TypeError(f"unexpected kwargs {unexpected}")
    result = dict(kwargs.get("factory_kwargs", {}))
    for name in ("device", "dtype", "memory_format"):
        if name in kwargs:
            if name in result:
                raise TypeError(f"{name} specified twice, in **kwargs and in factory_kwargs")
            result[name] = kwargs[name]
    return result


__all__: list[str] = [
    "Buffer",
    "DataParallel",
    "Parameter",
    "UninitializedBuffer",
    "UninitializedParameter",
    "factory_kwargs",
    "functional",
    "init",
]
__all__ += modules.__all__
