"""Proxy: stands for a value while a program is traced, and records what is done with it (`torch.fx.proxy`)."""

from __future__ import annotations

import dis
import enum
import inspect
import operator
from collections.abc import Callable
from typing import Any

import rushlight

from .node import Node, Target, map_aggregate


class TraceError(ValueError):
    """A program asked a proxy for what only a value could tell."""


_BASE = (str, int, float, bool, complex, type(None), type(...), rushlight.dtype, rushlight.device, range)
_BASE_LATER = ("memory_format", "layout", "Size")


class TracerBase:
    """Makes nodes in `graph` and proxies of them."""

    graph: Any
    record_stack_traces: bool = False
    check_mutable_operations: bool = False
    trace_asserts: bool = False
    proxy_buffer_attributes: bool = False
    param_shapes_constant: bool = False

    def create_node(
        self,
        kind: str,
        target: Target,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        name: str | None = None,
        type_expr: Any = None,
    ) -> Node:
        """Add a node to the graph; subclasses note here where it came from."""
        node: Node = self.graph.create_node(kind, target, args, kwargs, name, type_expr)
        return node

    def proxy(self, node: Node) -> Proxy:
        """What stands for the value of `node` in the program."""
        return Proxy(node, self)

    def create_proxy(
        self,
        kind: str,
        target: Target,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        name: str | None = None,
        type_expr: Any = None,
        proxy_factory_fn: Callable[[Node], Proxy] | None = None,
    ) -> Proxy:
        """Record an operation on values that may hold proxies."""
        node = self.create_node(kind, target, self.create_arg(args), self.create_arg(kwargs), name, type_expr)
        return proxy_factory_fn(node) if proxy_factory_fn else self.proxy(node)

    def create_arg(self, a: Any) -> Any:
        """An argument as nodes and constants; NotImplementedError for what a graph cannot hold."""
        return map_aggregate(a, self._create_leaf)

    def _create_leaf(self, a: Any) -> Any:
        if isinstance(a, Proxy):
            return a.node
        if isinstance(a, (*_BASE, Node, enum.Enum, type)) or callable(a):
            return a
        if isinstance(a, (rushlight.Tensor, *(getattr(rushlight, name) for name in _BASE_LATER))):
            return a
        raise NotImplementedError(f"argument of type: {type(a)}")

    def to_bool(self, obj: Proxy) -> bool:
        """Refuses: which way a program goes must not depend on values."""
        raise TraceError("symbolically traced variables cannot be used as inputs to control flow")

    def iter(self, obj: Proxy) -> Any:
        """The parts of a proxy where a known number of names takes them, `a, b = x`; refused elsewhere."""
        frame = inspect.currentframe()
        caller = frame.f_back.f_back if frame and frame.f_back else None
        if caller is not None:
            at = {step.offset: step for step in dis.get_instructions(caller.f_code)}.get(caller.f_lasti)
            if at is not None and at.opname == "UNPACK_SEQUENCE":
                return (operator.getitem(obj, i) for i in range(at.argval))
        raise TraceError(
            "Proxy object cannot be iterated. This can be attempted when the Proxy is used in a loop or as a *args "
            "or **kwargs function argument. See the torch.fx docs on pytorch.org for a more detailed explanation of "
            "what types of control flow can be traced, and check out the Proxy docstring for help troubleshooting "
            "Proxy iteration errors"
        )

    def keys(self, obj: Proxy) -> Any:
        """What `**x` asks for; recorded as a call of `keys`."""
        return Attribute(obj, "keys")()


class GraphAppendingTracer(TracerBase):
    """Records what is done with its proxies at the end of a graph that exists already."""

    def __init__(self, graph: Any) -> None:
        super().__init__()
        self.graph = graph


class Proxy:
    """Stands for the value of `node`; operators, methods and functions of torch applied to it are recorded.

    >>> graph = rushlight.fx.Graph()
    >>> x = rushlight.fx.Proxy(graph.placeholder("x"))
    >>> print((rushlight.relu(x) + 1).node)
    add
    """

    def __init__(self, node: Node, tracer: TracerBase | None = None) -> None:
        self.tracer = GraphAppendingTracer(node.graph) if tracer is None else tracer
        self.node = node

    def __repr__(self) -> str:
        return f"Proxy({self.node.name})"

    def __getattr__(self, k: str) -> Attribute:
        if k.startswith("__") and k.endswith("__"):
            raise AttributeError(k)  # copy, pickle and numpy ask for these
        return Attribute(self, k)

    def __call__(self, *args: Any, **kwargs: Any) -> Proxy:
        return self.tracer.create_proxy("call_method", "__call__", (self, *args), kwargs)

    def __iter__(self) -> Any:
        return self.tracer.iter(self)

    def __bool__(self) -> bool:
        return self.tracer.to_bool(self)

    def keys(self) -> Any:
        """Recorded; see `TracerBase.keys`."""
        return self.tracer.keys(self)

    def __len__(self) -> int:
        raise RuntimeError(
            "'len' is not supported in symbolic tracing by default. If you want this call to be recorded, please call "
            "torch.fx.wrap('len') at module scope"
        )

    @classmethod
    def __torch_function__(
        cls, orig_method: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        kwargs = kwargs or {}
        tracers: dict[Any, None] = {}

        def find(leaf: Any) -> Any:
            if isinstance(leaf, cls):
                tracers[leaf.tracer] = None
            return leaf

        map_aggregate((args, kwargs), find)
        if len(tracers) > 1:
            raise RuntimeError(f"Found multiple different tracers {list(tracers)} while trying to trace operations")
        tracer = next(iter(tracers))
        if getattr(orig_method, "__objclass__", None) in rushlight.Tensor.__mro__:
            return tracer.create_proxy("call_method", orig_method.__name__, args, kwargs)
        return tracer.create_proxy("call_function", orig_method, args, kwargs)


class Attribute(Proxy):
    """`root.attr`: a call records a method, any other use records the reading of an attribute."""

    def __init__(self, root: Proxy, attr: str) -> None:
        self.root = root
        self.attr = attr
        self.tracer = root.tracer
        self._node: Node | None = None

    @property
    def node(self) -> Node:  # type: ignore[override]
        """The node that reads the attribute, made at the first question for it."""
        if self._node is None:
            self._node = self.tracer.create_proxy("call_function", getattr, (self.root, self.attr), {}).node
        return self._node

    def __call__(self, *args: Any, **kwargs: Any) -> Proxy:
        return self.tracer.create_proxy("call_method", self.attr, (self.root, *args), kwargs)


_OPERATORS = (
    "eq ne lt gt le ge pos neg invert add mul sub mod truediv floordiv lshift rshift pow matmul getitem abs "
    "xor iadd imul isub itruediv ifloordiv imod"
).split()
_KEYWORDS = ("and", "or")
_REFLECTED = "add sub mul floordiv truediv mod pow lshift rshift matmul and or xor".split()


def _record(target: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Proxy, *args: Any) -> Proxy:
        return self.tracer.create_proxy("call_function", target, (self, *args), {})

    return method


def _record_reflected(target: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Proxy, other: Any) -> Proxy:
        return self.tracer.create_proxy("call_function", target, (other, self), {})

    return method


for _name in _OPERATORS:
    setattr(Proxy, f"__{_name}__", _record(getattr(operator, _name)))
for _name in _KEYWORDS:
    setattr(Proxy, f"__{_name}__", _record(getattr(operator, f"{_name}_")))
for _name in _REFLECTED:
    setattr(
        Proxy, f"__r{_name}__", _record_reflected(getattr(operator, f"{_name}_" if _name in _KEYWORDS else _name))
    )
Proxy.__hash__ = object.__hash__  # type: ignore[method-assign]  # __eq__ is recorded
del _name

__all__ = ["Attribute", "GraphAppendingTracer", "Proxy", "TraceError", "TracerBase"]
