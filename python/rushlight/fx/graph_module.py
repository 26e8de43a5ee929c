"""GraphModule: a module whose `forward` is the code of a graph (`torch.fx.graph_module`)."""

from __future__ import annotations

import copy
import itertools
import linecache
from typing import Any

import rushlight
from rushlight.nn import Module

from .graph import Graph, PythonCode

_numbers = itertools.count()
_FOREIGN_STATE = ("_graph", "_code")


def _compiled(code: PythonCode) -> Any:
    """The function `forward` of some source; tracebacks show its lines."""
    name = f"<eval_with_key>.{next(_numbers)}"
    linecache.cache[name] = (len(code.src), None, code.src.splitlines(keepends=True), name)
    space = dict(code.globals)
    exec(compile(code.src, name, "exec"), space)
    return space["forward"]


def _copy_attribute(source: Module, target: Module, path: str) -> None:
    *parents, last = path.split(".")
    for part in parents:
        inner = getattr(target, part, None)
        source = getattr(source, part)
        if inner is source:
            return  # its parent was copied whole
        if inner is None:
            inner = Module()
            setattr(target, part, inner)
        target = inner
    value = getattr(source, last)
    if isinstance(value, rushlight.Tensor) and not isinstance(value, rushlight.nn.Parameter):
        target.register_buffer(last, value)
    else:
        setattr(target, last, value)


def _assign_attribute(value: Any, target: Module, path: str) -> None:
    *parents, last = path.split(".")
    for part in parents:
        inner = getattr(target, part, None)
        if inner is None:
            inner = Module()
            setattr(target, part, inner)
        target = inner
    if isinstance(value, rushlight.Tensor) and not isinstance(value, rushlight.nn.Parameter):
        target.register_buffer(last, value)
    else:
        setattr(target, last, value)


def _rebuild(body: dict[str, Any], graph: Graph) -> GraphModule:
    """The module that `GraphModule.__reduce__` took apart."""
    root = Module()
    root.__dict__.update(body)
    return GraphModule(root, graph)


class GraphModule(Module):
    """Runs a graph; changes of the graph take effect after `recompile()`.

    >>> layer = rushlight.fx.symbolic_trace(rushlight.nn.Linear(2, 3).forward.__self__)
    >>> isinstance(layer, rushlight.nn.Module)
    True
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """Each instance has a class of its own: `forward` differs from one to the next."""
        base = next(kind for kind in cls.__mro__ if not getattr(kind, "_made_for_one", False))
        return super().__new__(type(base.__name__, (base,), {"_made_for_one": True, "__module__": base.__module__}))

    def __init__(self, root: Module | dict[str, Any], graph: Graph, class_name: str = "GraphModule") -> None:
        """
        Args:
            root: where the submodules and attributes that the graph names are taken from, or a dict of them by path.
            graph: what `forward` does.
            class_name: the name of the module's class.
        """
        super().__init__()
        type(self).__name__ = class_name
        paths = [node.target for node in graph.nodes if node.op in ("get_attr", "call_module")]
        if isinstance(root, Module):
            self.training = root.training
            for path in paths:
                _copy_attribute(root, self, path)
        elif isinstance(root, dict):
            for path in paths:
                if path not in root:
                    raise RuntimeError(f"Node referenced target {path} but that target was not provided in `root`!")
            for path in sorted(root, key=lambda path: path.count(".")):
                _assign_attribute(root[path], self, path)
        else:
            raise RuntimeError(f"Unsupported type {root} passed for root!")
        self.meta: dict[str, Any] = {}
        self.graph = graph

    @property
    def graph(self) -> Graph:
        """The graph; assigning one recompiles."""
        graph: Graph = self.__dict__["_graph"]
        return graph

    @graph.setter
    def graph(self, graph: Graph) -> None:
        if not isinstance(graph, Graph):
            raise AssertionError(f"Expected a Graph instance, but got {type(graph)}")
        self.__dict__["_graph"] = graph
        graph.owning_module = self
        self.recompile()

    @property
    def code(self) -> str:
        """The source of `forward`."""
        code: str = self.__dict__["_code"]
        return code

    def recompile(self) -> PythonCode:
        """Make `forward` from the graph as it is now."""
        code = self.graph.python_code("self")
        self.__dict__["_code"] = code.src
        type(self).forward = _compiled(code)
        return code

    def add_submodule(self, target: str, m: Module) -> bool:
        """Put a module at a path; parents that are not there are made. False where something else is in the way."""
        *parents, last = target.split(".")
        here: Module = self
        for part in parents:
            inner = getattr(here, part, None)
            if inner is None:
                inner = Module()
                setattr(here, part, inner)
            if not isinstance(inner, Module):
                return False
            here = inner
        here.add_module(last, m)
        return True

    def delete_submodule(self, target: str) -> bool:
        """Remove the module at a path; False where there is none."""
        parent, _, last = target.rpartition(".")
        try:
            holder = self.get_submodule(parent)
        except AttributeError:
            return False
        if not isinstance(getattr(holder, last, None), Module):
            return False
        delattr(holder, last)
        return True

    def delete_all_unused_submodules(self) -> None:
        """Remove the modules that the graph neither calls nor reads from."""
        used: set[str] = set()
        for node in self.graph.nodes:
            if node.op in ("call_module", "get_attr"):
                parts = node.target.split(".")
                used.update(".".join(parts[: count + 1]) for count in range(len(parts)))
                if node.op == "call_module":
                    inside = self.get_submodule(node.target)
                    used.update(f"{node.target}.{name}" for name, _ in inside.named_modules() if name)
        for name in [name for name, _ in self.named_modules() if name and name not in used]:
            self.delete_submodule(name)

    def print_readable(self, print_output: bool = True, **options: Any) -> str:
        """The class with its `forward` as source text, printed unless `print_output` is False."""
        code = self.graph.python_code("self", verbose=True).src.strip("\n").rstrip(" ")
        body = "\n".join("    " + line if line.strip() else line for line in code.split("\n"))
        text = f"class {type(self).__name__}(torch.nn.Module):\n{body}"
        if print_output:
            print(text)
        return text

    def __deepcopy__(self, memo: dict[int, Any]) -> GraphModule:
        root = Module()
        kept = {key: value for key, value in self.__dict__.items() if key not in _FOREIGN_STATE}
        root.__dict__.update(copy.deepcopy(kept, memo))
        made = GraphModule(root, copy.deepcopy(self.graph), type(self).__name__)
        made.meta = copy.copy(self.meta)
        return made

    def __copy__(self) -> GraphModule:
        made = GraphModule(self, self.graph, type(self).__name__)
        made.meta = self.meta
        return made

    def __reduce__(self) -> Any:
        kept = {key: value for key, value in self.__dict__.items() if key not in _FOREIGN_STATE}
        return _rebuild, (kept, self.graph)

    def __str__(self) -> str:
        reminder = "# To see more debug info, please use `graph_module.print_readable()`"
        return "\n".join([super().__repr__(), self.code, reminder])


__all__ = ["GraphModule"]
