"""Python source of a graph: what `GraphModule.code` shows and runs."""

from __future__ import annotations

import builtins
import enum
import inspect
import keyword
import math
import operator
import re
from dataclasses import dataclass
from typing import Any

import rushlight

from .node import Node, _get_qualified_name, _module_of, map_arg

_SYMBOLS = {
    operator.eq: "{} == {}", operator.ne: "{} != {}", operator.lt: "{} < {}", operator.gt: "{} > {}",
    operator.le: "{} <= {}", operator.ge: "{} >= {}", operator.pos: "+{}", operator.neg: "-{}",
    operator.invert: "~{}", operator.add: "{} + {}", operator.mul: "{} * {}", operator.sub: "{} - {}",
    operator.mod: "{} % {}", operator.truediv: "{} / {}", operator.floordiv: "{} // {}",
    operator.lshift: "{} << {}", operator.rshift: "{} >> {}", operator.and_: "{} & {}", operator.or_: "{} | {}",
    operator.xor: "{} ^ {}", operator.getitem: "{}[{}]", operator.matmul: "{} @ {}", operator.pow: "{} ** {}",
}  # fmt: skip
_IN_PLACE = {
    operator.iadd: "{} += {}", operator.iand: "{} &= {}", operator.ifloordiv: "{} //= {}",
    operator.imod: "{} %= {}", operator.imul: "{} *= {}", operator.imatmul: "{} @= {}", operator.ior: "{} |= {}",
    operator.ipow: "{} **= {}", operator.isub: "{} -= {}", operator.itruediv: "{} /= {}", operator.ixor: "{} ^= {}",
    operator.setitem: "{}[{}] = {}",
}  # fmt: skip
_RESERVED = {"torch", "inf", "nan", "NoneType", "device", "fx_pytree", "pytree"}


@dataclass
class PythonCode:
    """Source text, and the objects that its names mean."""

    src: str
    globals: dict[str, Any]
    _lineno_map: dict[int, int | None] | None = None


class Namespace:
    """Hands out names that are used once: `add`, `add_1`, `add_2`."""

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._counts: dict[str, int] = {}

    def create_name(self, candidate: str) -> str:
        """A free name, as close to `candidate` as an identifier can be."""
        candidate = re.sub(r"[^0-9a-zA-Z_]+", "_", candidate) or "_unnamed"
        if candidate[0].isdigit():
            candidate = f"_{candidate}"
        match = re.match(r"(.*)_(\d+)$", candidate)
        base, number = (match[1], int(match[2])) if match else (candidate, 0)
        if not match:
            number = self._counts.get(base, 0)
            candidate = f"{base}_{number}" if number else base
        while candidate in self._used or self._means_something(candidate):
            number += 1
            candidate = f"{base}_{number}"
        self._used.add(candidate)
        self._counts[base] = number
        return candidate

    @staticmethod
    def _means_something(name: str) -> bool:
        return keyword.iskeyword(name) or hasattr(builtins, name) or name in _RESERVED

    def forget(self, name: str) -> None:
        """Let a name be used again."""
        self._used.discard(name)


def snake_case(name: str) -> str:
    """`MaxPool2d` as `max_pool2d`."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


def target_name(target: Any) -> str:
    """The name that a node of this target asks for."""
    name = target if isinstance(target, str) else target.__name__
    if name.startswith("__") and name.endswith("__"):
        name = name[2:-2]
    return snake_case(name)


def path_expression(base: str, path: str) -> str:
    """Code that reads `path` from `base`, also where parts of it are no identifiers: `self.layers.0.w`."""
    for part in path.split("."):
        base = f"{base}.{part}" if part.isidentifier() else f'getattr({base}, "{part}")'
    return base


class _Writer:
    """Writes the function `forward` of a graph, statement by statement."""

    def __init__(self, nodes: list[Node], root: str, verbose: bool) -> None:
        self.nodes, self.root, self.verbose = nodes, root, verbose
        self.globals: dict[str, Any] = {}
        self.wrapped: dict[str, None] = {}
        self.namespace = Namespace()
        self.last_uses: dict[Node, list[Node]] = {}
        seen: set[Node] = set()
        for node in reversed(nodes):
            for used in self._inputs(node):
                if used not in seen:
                    seen.add(used)
                    self.last_uses.setdefault(node, []).append(used)

    @staticmethod
    def _inputs(node: Node) -> list[Node]:
        found: list[Node] = []
        map_arg((node.args, node.kwargs), lambda used: found.append(used) or used)  # type: ignore[func-returns-value]
        return found

    def global_name(self, hint: str, value: Any) -> str:
        """A name by which the code can reach an object."""
        if inspect.getmodule(value) is builtins and hasattr(builtins, hint):
            return hint
        if _is_ours(value):
            self.globals["torch"] = rushlight
            return _get_qualified_name(value)
        hint = hint.replace(".", "_")
        if self.globals.get(hint) is value:
            return hint
        name = self.namespace.create_name(hint)
        self.globals[name] = value
        return name

    def value(self, a: Any) -> str:
        if isinstance(a, Node):
            return a.name
        if isinstance(a, tuple):
            inside = ", ".join(map(self.value, a))
            if hasattr(a, "_fields"):
                return f"{self.global_name(type(a).__name__, type(a))}({inside})"
            return f"({inside},)" if len(a) == 1 else f"({inside})"
        if isinstance(a, list):
            return f"[{', '.join(map(self.value, a))}]"
        if isinstance(a, dict):
            return "{" + ", ".join(f"{key!r}: {self.value(item)}" for key, item in a.items()) + "}"
        if isinstance(a, slice):
            return f"slice({self.value(a.start)}, {self.value(a.stop)}, {self.value(a.step)})"
        if isinstance(a, enum.Enum):
            return f"{self.global_name(type(a).__name__, type(a))}.{a.name}"
        if isinstance(a, (rushlight.dtype, rushlight.memory_format, rushlight.layout)):
            self.globals["torch"] = rushlight
            return repr(a)
        if isinstance(a, rushlight.device):
            self.globals["device"] = rushlight.device
            return repr(a)
        if isinstance(a, float) and not math.isfinite(a):
            self.globals |= {"inf": math.inf, "nan": math.nan}
            return repr(a)
        if callable(a) and hasattr(a, "__name__"):
            return self.global_name(_get_qualified_name(a), a)
        return repr(a)

    def arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
        return ", ".join([*map(self.value, args), *(f"{key} = {self.value(item)}" for key, item in kwargs.items())])

    def type_text(self, kind: Any) -> str:
        if kind is None:
            return ""
        if isinstance(kind, str):
            return kind
        if getattr(kind, "__args__", None):
            self.globals["typing_" + str(id(kind))] = kind
            return "typing_" + str(id(kind))
        return self.global_name(_get_qualified_name(kind), kind) if hasattr(kind, "__name__") else repr(kind)

    def annotation(self, node: Node) -> str:
        known = node.meta.get("tensor_meta") if self.verbose else None
        if known is not None and hasattr(known, "dtype"):
            return f': "{_short_dtype(known.dtype)}[{", ".join(map(str, known.shape))}]"'
        return "" if node.type is None else f" : {self.type_text(node.type)}"

    def function_call(self, node: Node) -> str:
        target, args = node.target, node.args
        assert callable(target)
        if target in _SYMBOLS and not node.kwargs:
            return f"{node.name}{self.annotation(node)} = {_SYMBOLS[target].format(*map(self.value, args))}"
        if target in _IN_PLACE and not node.kwargs:
            statement = _IN_PLACE[target].format(*map(self.value, args))
            return f"{statement};  {node.name}{self.annotation(node)} = {self.value(args[0])}"
        if target is getattr and len(args) == 2 and isinstance(args[1], str) and args[1].isidentifier():
            return f"{node.name}{self.annotation(node)} = {self.value(args[0])}.{args[1]}"
        name = self.global_name(_get_qualified_name(target), target)
        if node.meta.get("is_wrapped"):
            self.wrapped[f'torch.fx._symbolic_trace.wrap("{name}")'] = None
            self.globals["torch"] = rushlight
        return f"{node.name}{self.annotation(node)} = {name}({self.arguments(args, node.kwargs)})"

    def statement(self, node: Node) -> str:
        if node.op == "call_function":
            return self.function_call(node)
        target = str(node.target)
        if node.op == "output":
            return f"return {self.value(node.args[0])}"
        left = f"{node.name}{self.annotation(node)} = "
        if node.op == "get_attr":
            return f"{left}{path_expression(self.root, target)}"
        if node.op == "call_method":
            held = path_expression(self.value(node.args[0]), target)
            return f"{left}{held}({self.arguments(node.args[1:], node.kwargs)})"
        return f"{left}{path_expression(self.root, target)}({self.arguments(node.args, node.kwargs)})"

    def freed(self, node: Node) -> str:
        """What follows a statement: names that nothing reads any more let go of their values."""
        if node.op in ("placeholder", "output"):
            return ""
        names = [used.name for used in self.last_uses.get(node, [])]
        if not node.users:
            names.append(node.name)
        return ";  " + " = ".join([*names, "None"]) if names else ""

    def write(self) -> PythonCode:
        parameters, body, returned, noted = [self.root], [], "", False
        for node in self.nodes:
            if node.op != "placeholder":
                if node.op == "output" and node.type is not None:
                    returned = f" -> {self.type_text(node.type)}"
                if self.verbose and not noted:
                    body.append("# No stacktrace found for following nodes")
                    noted = True
                body.append(self.statement(node) + self.freed(node))
                continue
            default = f" = {self.value(node.args[0])}" if node.args else ""
            parameters.append(f"{node.target}{self.annotation(node)}{default}")
            raw = str(node.target).replace("*", "")
            if raw != node.name:
                body.append(f"{node.name} = {raw}")
        lines = "\n".join(f"    {line}" for line in [*(body or ["pass"]), ""])
        wraps = "\n".join(self.wrapped)
        text = f"\n{wraps}\n\ndef forward({', '.join(parameters)}){returned}:\n{lines}"
        return PythonCode(text, self.globals)


def _is_ours(value: Any) -> bool:
    if value is rushlight.device or not hasattr(value, "__name__"):
        return False
    try:
        return _module_of(value).partition(".")[0] == "torch"
    except RuntimeError:
        return False


def _short_dtype(dtype: rushlight.dtype) -> str:
    name = str(dtype).removeprefix("torch.")
    if name in ("bool", "bfloat16"):
        return "b8" if name == "bool" else "bf16"
    return name[0] + name.lstrip("abcdefghijklmnopqrstuvwxyz")


def write(nodes: list[Node], root: str = "self", verbose: bool = False) -> PythonCode:
    """The source of a function `forward` that does what the nodes say; `verbose` tells shapes that are known."""
    return _Writer(nodes, root, verbose).write()
