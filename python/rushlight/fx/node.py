"""Node: one operation of a graph, and walks over its arguments (`torch.fx.node`)."""

from __future__ import annotations

import builtins
import operator
import types
from collections.abc import Callable
from typing import Any, Union

import rushlight

Target = Union[Callable[..., Any], str]
Argument = Any

_SIDE_EFFECTS: set[Any] = set()
"""Functions that are called for what they change, and so are never dead code."""


def has_side_effect(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a function as one whose calls must stay in a graph even if nothing reads their result."""
    _SIDE_EFFECTS.add(fn)
    return fn


def map_aggregate(a: Argument, fn: Callable[[Argument], Argument]) -> Argument:
    """`a` with every leaf of its tuples, lists, dicts and slices replaced by `fn(leaf)`."""
    if isinstance(a, tuple):
        items = [map_aggregate(item, fn) for item in a]
        return type(a)(*items) if hasattr(a, "_fields") else tuple(items)
    if isinstance(a, list):
        return [map_aggregate(item, fn) for item in a]
    if isinstance(a, dict):
        return {key: map_aggregate(value, fn) for key, value in a.items()}
    if isinstance(a, slice):
        return slice(*(map_aggregate(part, fn) for part in (a.start, a.stop, a.step)))
    return fn(a)


def map_arg(a: Argument, fn: Callable[[Node], Argument]) -> Argument:
    """`a` with every Node in it replaced by `fn(node)`."""
    return map_aggregate(a, lambda leaf: fn(leaf) if isinstance(leaf, Node) else leaf)




def _module_of(func: Any) -> str:
    from ..nn import functional

    name, module = func.__name__, getattr(func, "__module__", None)
    if isinstance(func, types.FunctionType) and getattr(functional, name, None) is func:
        return "torch.nn.functional"
    if module is None:
        raise RuntimeError(f"cannot find module for {func}")
    own = __package__.partition(".")[0]
    if module.partition(".")[0] in (own, "torch"):
        module = "torch" + module.partition(".")[1] + module.partition(".")[2]
        if module.startswith("torch._") and isinstance(func, types.FunctionType) and getattr(rushlight, name, None) is func:
            return "torch"
    return module.replace("torch._C._VariableFunctions", "torch")


def _get_qualified_name(func: Any) -> str:
    """How code refers to a function."""
    name = func.__name__
    if getattr(builtins, name, None) is func:
        return name
    if isinstance(func, (types.MethodDescriptorType, types.WrapperDescriptorType)):
        return f"torch.Tensor.{name}"
    return f"{_module_of(func)}.{name}"


class _FunctionName:
    """A function of torch by its name, for pickles: those of the extension have no module to be looked up in."""

    def __init__(self, name: str) -> None:
        self.name = name

    def find(self) -> Any:
        here: Any = rushlight
        for part in self.name.split(".")[1:]:
            here = getattr(here, part)
        return here


def _type_text(kind: Any) -> str:
    if isinstance(kind, type) and not getattr(kind, "__args__", None):
        return _get_qualified_name(kind)
    return str(kind)


def _format_arg(arg: Any) -> str:
    if isinstance(arg, Node):
        return f"%{arg.name}"
    if isinstance(arg, list):
        return f"[{', '.join(_format_arg(item) for item in arg)}]"
    if isinstance(arg, tuple):
        return f"({', '.join(_format_arg(item) for item in arg)}{',' if len(arg) == 1 else ''})"
    if isinstance(arg, dict):
        return "{" + ", ".join(f"{key}: {_format_arg(value)}" for key, value in arg.items()) + "}"
    return str(arg)


class Node:
    """One operation: `op` says of what kind, `target` what is called, `args` and `kwargs` may hold other nodes.

    Kinds: `placeholder` (an input; target is its name), `get_attr` (a parameter or another attribute of the module),
    `call_function`, `call_method` (target is the method's name), `call_module` (target is the submodule's path) and
    `output` (args[0] is what is returned).
    """

    def __init__(
        self,
        graph: Any,
        name: str,
        op: str,
        target: Target,
        args: tuple[Argument, ...],
        kwargs: dict[str, Argument],
        return_type: Any = None,
    ) -> None:
        if op == "call_function":
            if not callable(target):
                raise ValueError(
                    f"Node [graph = {graph}, name = '{name}'] target {target} has type {type(target)} "
                    "but a Callable is expected"
                )
        elif not isinstance(target, str):
            raise ValueError(
                f"Node [graph = {graph}, name = '{name}'] target {target} has type {type(target)} but a str is expected"
            )
        self.graph = graph
        self.name = name
        self.op = op
        self.target = target
        self.type = return_type
        self.meta: dict[str, Any] = {}
        self.users: dict[Node, None] = {}
        self._input_nodes: dict[Node, None] = {}
        self._prev = self._next = self
        self._erased = False
        self._args: tuple[Argument, ...] = ()
        self._kwargs: dict[str, Argument] = {}
        self._set(args, kwargs)

    def _set(self, args: tuple[Argument, ...], kwargs: dict[str, Argument]) -> None:
        for node in self._input_nodes:
            node.users.pop(self, None)
        self._input_nodes = {}

        def use(node: Node) -> Node:
            self._input_nodes[node] = None
            node.users[self] = None
            return node

        self._args = map_arg(tuple(args), use)
        self._kwargs = map_arg(dict(kwargs), use)

    @property
    def args(self) -> tuple[Argument, ...]:
        """Positional arguments; assigning keeps the users of all nodes up to date."""
        return self._args

    @args.setter
    def args(self, args: tuple[Argument, ...]) -> None:
        self._set(args, self._kwargs)

    @property
    def kwargs(self) -> dict[str, Argument]:
        """Keyword arguments; assigning keeps the users of all nodes up to date."""
        return self._kwargs

    @kwargs.setter
    def kwargs(self, kwargs: dict[str, Argument]) -> None:
        self._set(self._args, kwargs)

    @property
    def all_input_nodes(self) -> list[Node]:
        """The nodes in the arguments, each once."""
        return list(self._input_nodes)

    @property
    def next(self) -> Node:
        """The node that comes after this one."""
        return self._next

    @property
    def prev(self) -> Node:
        """The node that comes before this one."""
        return self._prev

    @property
    def stack_trace(self) -> str | None:
        """Where the operation was recorded, if that was kept."""
        return self.meta.get("stack_trace")

    def _unlink(self) -> None:
        self._prev._next, self._next._prev = self._next, self._prev

    def prepend(self, x: Node) -> None:
        """Move `x` to right before this node."""
        if x.graph is not self.graph:
            raise AssertionError("Attempting to move a Node into a different Graph")
        if x is self:
            return
        x._unlink()
        x._prev, x._next = self._prev, self
        self._prev._next = self._prev = x

    def append(self, x: Node) -> None:
        """Move `x` to right after this node."""
        self._next.prepend(x)

    def update_arg(self, idx: int, arg: Argument) -> None:
        """Replace one positional argument."""
        args = list(self._args)
        args[idx] = arg
        self.args = tuple(args)

    def insert_arg(self, idx: int, arg: Argument) -> None:
        """Insert a positional argument."""
        self.args = (*self._args[:idx], arg, *self._args[idx:])

    def update_kwarg(self, key: str, arg: Argument) -> None:
        """Set one keyword argument."""
        self.kwargs = {**self._kwargs, key: arg}

    def replace_all_uses_with(
        self,
        replace_with: Node,
        delete_user_cb: Callable[[Node], bool] = lambda user: True,
        *,
        propagate_meta: bool = False,
    ) -> list[Node]:
        """Let the users of this node read `replace_with` instead; returns those that changed."""
        if propagate_meta:
            replace_with.meta.update(self.meta)
        changed = [user for user in list(self.users) if delete_user_cb(user)]
        for user in changed:
            user.replace_input_with(self, replace_with)
        return changed

    def replace_input_with(self, old_input: Node, new_input: Node) -> None:
        """Read `new_input` wherever the arguments say `old_input`."""

        def new(node: Node) -> Node:
            return new_input if node is old_input else node

        self._set(map_arg(self._args, new), map_arg(self._kwargs, new))

    def is_impure(self, impure_random: bool = True) -> bool:
        """Whether the operation does more than compute its result."""
        if self.op in ("placeholder", "output"):
            return True
        if self.op == "call_function":
            return self.target in _SIDE_EFFECTS or self.target in (operator.setitem,)
        if self.op == "call_method":
            return str(self.target).endswith("_") and not str(self.target).endswith("__")
        return self.op == "call_module" and getattr(self._called_module(), "_is_impure", False)

    def _called_module(self) -> Any:
        owner = self.graph.owning_module
        return None if owner is None else owner.get_submodule(self.target)

    def _pretty_print_target(self, target: Any) -> str:
        if isinstance(target, str) or not hasattr(target, "__name__"):
            return str(target)
        name = _get_qualified_name(target)
        return f"builtins.{name}" if "." not in name else name.replace("_operator.", "operator.")

    def format_node(
        self,
        placeholder_names: list[str] | None = None,
        maybe_return_typename: list[str] | None = None,
        *,
        include_tensor_metadata: bool = False,
    ) -> str | None:
        """The node as a line of text."""
        kind = "" if self.type is None else f"{_type_text(self.type)} "
        head = f"%{self.name} : {kind}[num_users={len(self.users)}] = {self.op}"
        if self.op == "placeholder":
            if placeholder_names is not None:
                placeholder_names.append(str(self.target))
            default = f"(default={self.args[0]})" if self.args else ""
            return f"{head}[target={self.target}]{default}"
        if self.op == "get_attr":
            return f"{head}[target={self.target}]"
        if self.op == "output":
            return f"return {self.args[0]}"
        return (
            f"{head}[target={self._pretty_print_target(self.target)}]"
            f"(args = {_format_arg(self.args)}, kwargs = {_format_arg(self.kwargs)})"
        )

    def __repr__(self) -> str:
        return self.name

    def __lt__(self, other: Node) -> bool:
        return self._place() < other._place()

    def _place(self) -> int:
        return list(self.graph.nodes).index(self)
