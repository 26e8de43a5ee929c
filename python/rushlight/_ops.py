"""Operators by name (`torch.ops`): `torch.ops.aten.add`, `torch.ops.aten.add.Tensor`, and those made with `torch.library`."""

from __future__ import annotations

import types

from . import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class OpOverload:
    """One overload of an operator, such as `torch.ops.aten.add.Tensor`."""

    def __init__(self, packet: OpOverloadPacket, name: str) -> None:
        self._packet = packet
        self._overloadname = name
        self.__name__ = f"{packet.__name__}.{name}"
        self.namespace = packet.namespace

    @property
    def overloadpacket(self) -> OpOverloadPacket:
        return self._packet

    def name(self) -> str:
        """The qualified name, "aten::add.Tensor"; a default overload is not named."""
        plain = f"{self.namespace}::{self._packet.__name__}"
        return plain if self._overloadname == "default" else f"{plain}.{self._overloadname}"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._packet(*args, **kwargs)

    def __str__(self) -> str:
        return f"{self.namespace}.{self.__name__}"

    def __repr__(self) -> str:
        return f"<OpOverload(op='{self.namespace}.{self._packet.__name__}', overload='{self._overloadname}')>"


class OpOverloadPacket:
    """All overloads of an operator, such as `torch.ops.aten.add`; a call chooses by its arguments."""

    def __init__(
        self, namespace: str, name: str, function: Callable[..., Any], overloads: tuple[str, ...] = ()
    ) -> None:
        self.namespace = namespace
        self.__name__ = name
        self._function = function
        self._overloads = overloads
        self._made: dict[str, OpOverload] = {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._function(*args, **kwargs)

    def __getattr__(self, name: str) -> OpOverload:
        if name.startswith("__") or (self._overloads and name not in self._overloads):
            raise AttributeError(
                f"The underlying op of '{self.namespace}.{self.__name__}' has no overload name '{name}'"
            )
        return self._made.setdefault(name, OpOverload(self, name))

    def overloads(self) -> list[str]:
        """Names of the overloads."""
        return list(self._overloads) or ["default"]

    def __str__(self) -> str:
        return f"{self.namespace}.{self.__name__}"

    def __repr__(self) -> str:
        return f"<OpOverloadPacket(op='{self.namespace}.{self.__name__}')>"


class HigherOrderOperator:
    """Never the type of an object."""


class _OpNamespace(types.ModuleType):
    """`torch.ops.<namespace>`."""

    def __init__(self, name: str) -> None:
        super().__init__(f"torch.ops.{name}")
        self.name = name

    def __getattr__(self, name: str) -> OpOverloadPacket:
        function = _find(self.name, name)
        if function is None or name.startswith("__"):
            raise AttributeError(f"'_OpNamespace' '{self.name}' object has no attribute '{name}'")
        packet = OpOverloadPacket(self.name, name, function)
        self.__dict__[name] = packet
        return packet


_registered: dict[str, dict[str, Callable[..., Any]]] = {}


def register(namespace: str, name: str, function: Callable[..., Any]) -> None:
    """Make a function callable as `torch.ops.<namespace>.<name>`."""
    _registered.setdefault(namespace, {})[name] = function
    space = _spaces.get(namespace)
    if space is not None:
        space.__dict__.pop(name, None)


def _find(namespace: str, name: str) -> Callable[..., Any] | None:
    """The function behind an operator's name."""
    found = _registered.get(namespace, {}).get(name)
    if found is None and namespace in ("aten", "prims"):
        places = (_C._VariableFunctions, _C._nn, _C._linalg, _C._fft, _C._special, _C.Tensor)
        found = next((getattr(place, name) for place in places if hasattr(place, name)), None)
    return found


_spaces: dict[str, _OpNamespace] = {}


class _Ops(types.ModuleType):
    """`torch.ops`."""

    def __getattr__(self, name: str) -> _OpNamespace:
        if name.startswith("__"):
            raise AttributeError(name)
        return _spaces.setdefault(name, _OpNamespace(name))

    def load_library(self, path: str) -> None:
        """Always refused."""
        raise OSError(f"ops.load_library: {path}: rushlight cannot load libraries built for PyTorch")


def __getattr__(name: str) -> Any:
    if name == "ops":
        from . import ops

        return ops
    raise AttributeError(f"module 'torch._ops' has no attribute '{name}'")
