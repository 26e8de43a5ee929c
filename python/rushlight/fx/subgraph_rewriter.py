"""Replaces every occurrence of a pattern in a graph (`torch.fx.subgraph_rewriter`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from rushlight.nn import Module

from ._symbolic_trace import symbolic_trace
from .graph import Graph
from .graph_module import GraphModule
from .node import Node, map_arg


class Match(NamedTuple):
    """Where a pattern was found: at which node, and which node of the graph each node of the pattern is."""

    anchor: Node
    nodes_map: dict[Node, Node]


def _graph_of(pattern: Any) -> Graph:
    if isinstance(pattern, Graph):
        return pattern
    if isinstance(pattern, GraphModule):
        return pattern.graph
    return symbolic_trace(pattern).graph


class _Matcher:
    """Compares the nodes of a pattern, from its end, with those of a graph."""

    def __init__(self, pattern: Graph) -> None:
        result = pattern.output_node().args[0]
        self.last: list[Node] = []
        map_arg(result, lambda node: self.last.append(node) or node)  # type: ignore[func-returns-value]
        self.pattern = pattern

    def match(self, node: Node) -> dict[Node, Node] | None:
        found: dict[Node, Node] = {}
        if len(self.last) != 1 or not self._same(self.last[0], node, found):
            return None
        inside = [used for part, used in found.items() if part.op not in ("placeholder", "get_attr")]
        for used in inside:
            if used is not node and any(user not in inside for user in used.users):
                return None  # something else reads a value that the replacement will not compute
        return found

    def _same(self, part: Any, node: Any, found: dict[Node, Node]) -> bool:
        if not isinstance(part, Node) or not isinstance(node, Node):
            return self._same_values(part, node, found)
        if part in found:
            return found[part] is node
        if part.op != "placeholder":
            if part.op != node.op or part.target != node.target:
                return False
            if not self._same_values(part.args, node.args, found) or not self._same_values(part.kwargs, node.kwargs, found):
                return False
        found[part] = node
        return True

    def _same_values(self, part: Any, value: Any, found: dict[Node, Node]) -> bool:
        if isinstance(part, Node):
            if isinstance(value, Node):
                return self._same(part, value, found)
            if part.op == "placeholder" and part not in found:
                found[part] = value
                return True
            return part in found and found[part] == value
        if isinstance(part, (tuple, list)):
            return (
                isinstance(value, (tuple, list))
                and len(part) == len(value)
                and all(self._same_values(a, b, found) for a, b in zip(part, value))
            )
        if isinstance(part, dict):
            return (
                isinstance(value, dict)
                and part.keys() == value.keys()
                and all(self._same_values(part[key], value[key], found) for key in part)
            )
        return type(part) is type(value) and bool(part == value)


def replace_pattern(
    gm: GraphModule, pattern: Callable[..., Any] | Graph | Module, replacement: Callable[..., Any] | Graph | Module
) -> list[Match]:
    """Replace all occurrences of `pattern`, which do not overlap, in the graph of `gm`; returns where they were.

    Args:
        gm: the module whose graph is changed.
        pattern: a function, module or graph that returns one value; its parameters match anything.
        replacement: one with the same parameters.

    >>> traced = rushlight.fx.symbolic_trace(lambda x: rushlight.relu(x) + 1)
    >>> _ = rushlight.fx.replace_pattern(traced, lambda x: rushlight.relu(x), lambda x: rushlight.tanh(x))
    >>> rushlight.allclose(traced(rushlight.ones(1)), rushlight.ones(1).tanh() + 1)
    True
    """
    what, instead = _graph_of(pattern), _graph_of(replacement)
    matcher = _Matcher(what)
    inputs = [node for node in what.nodes if node.op == "placeholder"]
    new_inputs = [node for node in instead.nodes if node.op == "placeholder"]
    if len(inputs) != len(new_inputs):
        raise RuntimeError(f"pattern has {len(inputs)} parameters, but the replacement has {len(new_inputs)}")
    matches: list[Match] = []
    replaced: set[Node] = set()
    now: dict[Node, Node] = {}
    for node in list(gm.graph.nodes):
        found = matcher.match(node) if node.op != "placeholder" else None
        if found is None:
            continue
        inside = {used for part, used in found.items() if part.op != "placeholder"}
        if inside & replaced:
            continue
        values = {new: now.get(found[old], found[old]) for old, new in zip(inputs, new_inputs)}
        with gm.graph.inserting_before(min(node.users, default=node)):
            result = gm.graph.graph_copy(instead, values)
        if isinstance(result, Node):
            node.replace_all_uses_with(result)
            now[node] = result
        for used in sorted(inside, reverse=True):
            if not used.users:
                gm.graph.erase_node(used)
        replaced |= inside
        matches.append(Match(node, found))
    _take_modules(gm, replacement)
    gm.recompile()
    return matches


def _take_modules(gm: GraphModule, replacement: Any) -> None:
    """Submodules and parameters that only the replacement has become those of the module."""
    gm.delete_all_unused_submodules()
    if not isinstance(replacement, Module):
        return
    for node in gm.graph.nodes:
        if node.op in ("call_module", "get_attr"):
            try:
                gm.get_submodule(node.target) if node.op == "call_module" else gm.get_parameter(node.target)
            except AttributeError:
                if node.op == "call_module":
                    gm.add_submodule(node.target, replacement.get_submodule(node.target))
                else:
                    setattr(gm, node.target, replacement.get_parameter(node.target))


__all__ = ["Match", "replace_pattern"]
