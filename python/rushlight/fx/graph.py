"""Graph: a program as a list of nodes (`torch.fx.graph`)."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from . import _code
from ._code import PythonCode
from .node import Node, Target, _FunctionName, _get_qualified_name, map_aggregate, map_arg

_KINDS = ("call_function", "call_method", "get_attr", "call_module", "placeholder", "output")


class _NodeList:
    """The nodes of a graph, in order; they may be erased and inserted during the walk."""

    def __init__(self, graph: Graph, direction: str = "_next") -> None:
        self.graph, self.direction = graph, direction

    def __len__(self) -> int:
        return self.graph._len

    def __iter__(self) -> Any:
        node = getattr(self.graph._root, self.direction)
        while node is not self.graph._root:
            if not node._erased:
                yield node
            node = getattr(node, self.direction)

    def __reversed__(self) -> _NodeList:
        return _NodeList(self.graph, "_prev" if self.direction == "_next" else "_next")


class _Place(int):
    """A node by its place, in pickles."""


def _rebuild(rows: list[Any]) -> Graph:
    """The graph that `Graph.__reduce__` took apart."""
    graph = Graph()
    nodes: list[Node] = []

    def here(a: Any) -> Any:
        if isinstance(a, _Place):
            return nodes[a]
        return a.find() if isinstance(a, _FunctionName) else a

    for op, name, target, args, kwargs in rows:
        args, kwargs = map_aggregate((args, kwargs), here)
        nodes.append(graph.create_node(op, here(target), args, kwargs, name))
    return graph


class _InsertPoint:
    def __init__(self, graph: Graph, insert: Callable[[Node], None]) -> None:
        self.graph, self.before = graph, graph._insert
        graph._insert = insert

    def __enter__(self) -> None:
        return None

    def __exit__(self, *exc: object) -> None:
        self.graph._insert = self.before


class Graph:
    """A program: nodes in the order in which they run, made by `Tracer` or by hand.

    >>> graph = rushlight.fx.Graph()
    >>> x = graph.placeholder("x")
    >>> y = graph.call_function(rushlight.relu, (x,))
    >>> _ = graph.output(y)
    >>> print(graph)
    graph():
        %x : [num_users=1] = placeholder[target=x]
        %relu : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})
        return relu
    """

    def __init__(self, owning_module: Any = None, tracer_cls: Any = None, tracer_extras: Any = None) -> None:
        self._root = Node(self, "", "call_method", "root", (), {})
        self._len = 0
        self._insert: Callable[[Node], None] = self._root.prepend
        self._namespace = _code.Namespace()
        self.owning_module = owning_module
        self._tracer_cls = tracer_cls
        self._tracer_extras = tracer_extras

    @property
    def nodes(self) -> Any:
        """The nodes in order; has a length and can be reversed."""
        return _NodeList(self)

    def find_nodes(self, *, op: str, target: Target | None = None, sort: bool = True) -> list[Node]:
        """The nodes of a kind, and of a target if one is given."""
        return [node for node in self.nodes if node.op == op and (target is None or node.target == target)]

    def output_node(self) -> Node:
        """The node that says what is returned."""
        return next(node for node in reversed(self.nodes) if node.op == "output")

    def create_node(
        self,
        op: str,
        target: Target,
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
        name: str | None = None,
        type_expr: Any = None,
    ) -> Node:
        """Add a node at the insertion point, which is the end unless `inserting_before` or `_after` moved it."""
        if op not in _KINDS:
            raise AssertionError(f"op '{op}' is not one of {_KINDS}")
        name = self._namespace.create_name(name or _code.target_name(target))
        node = Node(self, name, op, target, args or (), kwargs or {}, type_expr)
        self._insert(node)
        self._len += 1
        return node

    def placeholder(self, name: str, type_expr: Any = None, default_value: Any = ...) -> Node:
        """An input of the program."""
        args = () if default_value is ... else (default_value,)
        return self.create_node("placeholder", name, args, type_expr=type_expr)

    def get_attr(self, qualified_name: str, type_expr: Any = None) -> Node:
        """The reading of a parameter, buffer or other attribute of the module."""
        return self.create_node("get_attr", qualified_name, type_expr=type_expr)

    def call_module(
        self, module_name: str, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None, type_expr: Any = None
    ) -> Node:
        """The call of a submodule."""
        if self.owning_module is not None:
            try:
                self.owning_module.get_submodule(module_name)
            except AttributeError:
                import warnings

                warnings.warn(
                    "Attempted to insert a call_module Node with no underlying reference in the owning GraphModule! "
                    "Call GraphModule.add_submodule to add the necessary submodule",
                    stacklevel=2,
                )
        return self.create_node("call_module", module_name, args, kwargs, type_expr=type_expr)

    def call_method(
        self, method_name: str, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None, type_expr: Any = None
    ) -> Node:
        """The call of a method of args[0]."""
        return self.create_node("call_method", method_name, args, kwargs, type_expr=type_expr)

    def call_function(
        self,
        the_function: Callable[..., Any],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
        type_expr: Any = None,
        name: str | None = None,
    ) -> Node:
        """The call of a function."""
        return self.create_node("call_function", the_function, args, kwargs, name, type_expr)

    def output(self, result: Any, type_expr: Any = None) -> Node:
        """What the program returns: nodes, or tuples, lists and dicts of them."""
        return self.create_node("output", "output", (result,), type_expr=type_expr)

    def node_copy(self, node: Node, arg_transform: Callable[[Node], Any] = lambda node: node) -> Node:
        """Add a copy of a node, maybe of another graph; `arg_transform` says what stands for its inputs here."""
        args, kwargs = map_arg(node.args, arg_transform), map_arg(node.kwargs, arg_transform)
        made = self.create_node(node.op, node.target, args, kwargs, node.name, node.type)
        made.meta = copy.copy(node.meta)
        return made

    def graph_copy(self, g: Graph, val_map: dict[Node, Node], return_output_node: bool = False) -> Any:
        """Add copies of the nodes of `g`, noted in `val_map`; returns what `g` returns."""
        for node in g.nodes:
            if node in val_map:
                continue
            if node.op == "output":
                result = map_arg(node.args[0], lambda used: val_map[used])
                return (result, node) if return_output_node else result
            val_map[node] = self.node_copy(node, lambda used: val_map[used])
        return None

    def __deepcopy__(self, memo: Any = None) -> Graph:
        made = Graph(tracer_cls=self._tracer_cls, tracer_extras=self._tracer_extras)
        values: dict[Node, Node] = {}
        result = made.graph_copy(self, values, return_output_node=True)
        if result is not None:
            made.output(result[0], result[1].type).meta = copy.copy(result[1].meta)
        return made

    def __reduce__(self) -> Any:
        places = {node: place for place, node in enumerate(self.nodes)}

        def portable(a: Any) -> Any:
            if isinstance(a, Node):
                return _Place(places[a])
            if callable(a) and hasattr(a, "__name__") and _get_qualified_name(a).startswith("torch."):
                return _FunctionName(_get_qualified_name(a))
            return a

        rows = [
            (node.op, node.name, portable(node.target), *map_aggregate((node.args, node.kwargs), portable))
            for node in self.nodes
        ]
        return _rebuild, (rows,)

    def erase_node(self, to_erase: Node) -> None:
        """Remove a node that nothing reads; RuntimeError when something does."""
        if to_erase.users:
            raise RuntimeError(
                f"Tried to erase Node {to_erase} but it still had {len(to_erase.users)} users in the graph: "
                f"{to_erase.users}!"
            )
        if to_erase.graph is not self:
            raise RuntimeError(f"Attempting to remove {to_erase} from wrong graph!")
        if to_erase._erased:
            return
        to_erase._unlink()
        to_erase._erased = True
        to_erase._set((), {})
        self._len -= 1

    def inserting_before(self, n: Node | None = None) -> _InsertPoint:
        """Within this context new nodes come right before `n`, or first."""
        return self.inserting_after(self._root) if n is None else _InsertPoint(self, n.prepend)

    def inserting_after(self, n: Node | None = None) -> _InsertPoint:
        """Within this context new nodes come right after `n`, or last."""
        return self.inserting_before(self._root) if n is None else _InsertPoint(self, n.append)

    def eliminate_dead_code(self, is_impure_node: Callable[[Node], bool] | None = None) -> bool:
        """Erase pure nodes whose results nothing reads; whether there were any."""
        impure = is_impure_node or Node.is_impure
        changed = False
        for node in reversed(self.nodes):
            if not node.users and not impure(node):
                self.erase_node(node)
                changed = True
        return changed

    def lint(self) -> None:
        """RuntimeError unless nodes are defined before they are read, named once and of this graph."""
        names: set[str] = set()
        seen: set[Node] = set()
        for node in self.nodes:
            if node.graph is not self:
                raise RuntimeError(f"Node '{node}' does not belong to this Graph")
            for used in node.all_input_nodes:
                if used.graph is not self:
                    raise RuntimeError(
                        f"Argument '{used}' of Node '{node}' does not belong to this Graph, but was used as an "
                        "argument! If you are copying nodes from another graph, make sure to use `arg_transform` on "
                        f"node_copy() to remap values\n{self}"
                    )
                if used not in seen:
                    raise RuntimeError(
                        f"Argument '{used}' of Node '{node}' was used before it has been defined! Please check that "
                        f"Nodes in the graph are topologically ordered\n{self}"
                    )
            if node.name in names:
                raise RuntimeError(f"Node redefined name {node.name}!")
            names.add(node.name)
            seen.add(node)
        if self.owning_module is not None:
            self._lint_targets()

    def _lint_targets(self) -> None:
        for node in self.nodes:
            if node.op not in ("call_module", "get_attr"):
                continue
            here = self.owning_module
            for part in node.target.split("."):
                if not hasattr(here, part):
                    raise RuntimeError(
                        f"Node {node} target {node.target} references nonexistent attribute {part} of {here}"
                    )
                here = getattr(here, part)

    def python_code(self, root_module: str = "self", **options: Any) -> PythonCode:
        """The source of the program, with the objects that it names."""
        return _code.write(list(self.nodes), root_module, options.get("verbose", False))

    def print_tabular(self) -> None:
        """Print a table of the nodes; needs the package `tabulate`."""
        try:
            from tabulate import tabulate  # type: ignore[import-untyped]
        except ImportError:
            print("`print_tabular` relies on the library `tabulate`, which could not be found on this machine.")
            raise
        rows = [[node.op, node.name, node.target, node.args, node.kwargs] for node in self.nodes]
        print(tabulate(rows, headers=["opcode", "name", "target", "args", "kwargs"]))

    def __str__(self) -> str:
        return "\n    ".join(["graph():", *(str(node.format_node()) for node in self.nodes)])


__all__ = ["Graph", "PythonCode"]
