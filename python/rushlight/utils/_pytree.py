"""Trees of containers: flatten them to leaves, map over leaves, build them again.

Dictionaries, lists, tuples, named tuples, ordered and default dictionaries and deques are nodes;
`register_pytree_node` adds a class. Everything else, None included, is a leaf.
"""

from __future__ import annotations

import json
from collections import OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import rushlight

__all__ = [
    "GetAttrKey",
    "KeyEntry",
    "LeafSpec",
    "MappingKey",
    "PyTree",
    "SequenceKey",
    "TreeSpec",
    "arg_tree_leaves",
    "is_namedtuple",
    "is_namedtuple_class",
    "is_namedtuple_instance",
    "keystr",
    "register_pytree_node",
    "tree_all",
    "tree_all_only",
    "tree_any",
    "tree_any_only",
    "tree_flatten",
    "tree_flatten_with_path",
    "tree_is_leaf",
    "tree_iter",
    "tree_leaves",
    "tree_leaves_with_path",
    "tree_map",
    "tree_map_",
    "tree_map_only",
    "tree_map_only_",
    "tree_map_with_path",
    "tree_structure",
    "tree_unflatten",
    "treespec_dumps",
    "treespec_loads",
    "treespec_pprint",
]

PyTree = Any
Context = Any
FlattenFn = Callable[[Any], tuple[list[Any], Any]]
UnflattenFn = Callable[[Iterable[Any], Any], Any]


@dataclass(frozen=True)
class SequenceKey:
    """A place in a sequence."""

    idx: int

    def __str__(self) -> str:
        return f"[{self.idx!r}]"

    def get(self, sequence: Any) -> Any:
        return sequence[self.idx]


@dataclass(frozen=True)
class MappingKey:
    """A key of a mapping."""

    key: Any

    def __str__(self) -> str:
        return f"[{self.key!r}]"

    def get(self, mapping: Any) -> Any:
        return mapping[self.key]


@dataclass(frozen=True)
class GetAttrKey:
    """A field of a named tuple."""

    name: str

    def __str__(self) -> str:
        return f".{self.name}"

    def get(self, obj: Any) -> Any:
        return getattr(obj, self.name)


KeyEntry = SequenceKey | MappingKey | GetAttrKey


class NodeDef(NamedTuple):
    """How a class of nodes is taken apart and built again."""

    type: Any
    flatten_fn: FlattenFn
    unflatten_fn: UnflattenFn
    flatten_with_keys_fn: Callable[[Any], tuple[list[tuple[KeyEntry, Any]], Any]] | None


SUPPORTED_NODES: dict[Any, NodeDef] = {}
# By class the name in dumped specs and the functions that make its context JSON and back.
_SERIALIZED: dict[Any, tuple[str, Callable[[Any], Any], Callable[[Any], Any]]] = {}


def _private_register_pytree_node(
    cls: Any,
    flatten_fn: FlattenFn,
    unflatten_fn: UnflattenFn,
    *,
    serialized_type_name: str | None = None,
    to_dumpable_context: Callable[[Any], Any] | None = None,
    from_dumpable_context: Callable[[Any], Any] | None = None,
    flatten_with_keys_fn: Any = None,
) -> None:
    if (to_dumpable_context is None) != (from_dumpable_context is None):
        raise ValueError(
            f"Both to_dumpable_context and from_dumpable_context for {cls} must be None or "
            "registered."
        )
    SUPPORTED_NODES[cls] = NodeDef(cls, flatten_fn, unflatten_fn, flatten_with_keys_fn)
    if serialized_type_name is not None:
        _SERIALIZED[cls] = (
            serialized_type_name,
            to_dumpable_context or json.dumps,
            from_dumpable_context or json.loads,
        )


def register_pytree_node(
    cls: type[Any],
    flatten_fn: FlattenFn,
    unflatten_fn: UnflattenFn,
    *,
    serialized_type_name: str | None = None,
    to_dumpable_context: Callable[[Any], Any] | None = None,
    from_dumpable_context: Callable[[Any], Any] | None = None,
    flatten_with_keys_fn: Any = None,
) -> None:
    """Make instances of `cls` nodes: `flatten_fn(node)` gives children and a context.

    Raises ValueError for a class that is a node already.
    """
    if cls in SUPPORTED_NODES:
        raise ValueError(f"{cls} is already registered as pytree node.")
    _private_register_pytree_node(
        cls,
        flatten_fn,
        unflatten_fn,
        serialized_type_name=serialized_type_name,
        to_dumpable_context=to_dumpable_context,
        from_dumpable_context=from_dumpable_context,
        flatten_with_keys_fn=flatten_with_keys_fn,
    )


def _register_pytree_node(
    cls: Any,
    flatten_fn: FlattenFn,
    unflatten_fn: UnflattenFn,
    to_str_fn: Any = None,
    maybe_from_str_fn: Any = None,
    **kwargs: Any,
) -> None:
    """The former name of `register_pytree_node`."""
    _private_register_pytree_node(cls, flatten_fn, unflatten_fn, **kwargs)


def _register_namedtuple(cls: type[Any], *, serialized_type_name: str) -> None:
    """Give a named tuple a name in dumped specs; all named tuples are nodes anyway."""
    _private_register_pytree_node(
        cls,
        lambda d: (list(d), None),
        lambda values, _: cls(*values),
        serialized_type_name=serialized_type_name,
        flatten_with_keys_fn=lambda d: (_namedtuple_fields(d), None),
    )


def _deregister_pytree_node(cls: type[Any]) -> None:
    """Make instances of `cls` leaves again."""
    SUPPORTED_NODES.pop(cls, None)
    _SERIALIZED.pop(cls, None)


def register_constant(cls: type[Any]) -> None:
    """Make instances of `cls` nodes without children: they are part of the structure."""
    register_pytree_node(cls, lambda x: ([], x), lambda _, context: context)


def register_dataclass(
    cls: type[Any],
    *,
    field_names: list[str] | None = None,
    drop_field_names: list[str] | None = None,
    serialized_type_name: str | None = None,
) -> None:
    """Make instances of a dataclass nodes whose children are its fields."""
    dropped = set(drop_field_names or ())
    names = field_names or list(cls.__dataclass_fields__)
    names = [name for name in names if name not in dropped]

    def flatten(obj: Any) -> tuple[list[Any], Any]:
        return [getattr(obj, name) for name in names], None

    def unflatten(values: Iterable[Any], context: Any) -> Any:
        return cls(**dict(zip(names, values)))

    def flatten_with_keys(obj: Any) -> tuple[list[tuple[KeyEntry, Any]], Any]:
        return [(GetAttrKey(name), getattr(obj, name)) for name in names], None

    register_pytree_node(
        cls,
        flatten,
        unflatten,
        serialized_type_name=serialized_type_name,
        flatten_with_keys_fn=flatten_with_keys,
    )


def is_namedtuple(obj: Any) -> bool:
    """Whether an object or class is a named tuple."""
    return is_namedtuple_class(obj if isinstance(obj, type) else type(obj))


def is_namedtuple_class(cls: Any) -> bool:
    """Whether a class is one of named tuples."""
    return (
        isinstance(cls, type)
        and issubclass(cls, tuple)
        and isinstance(getattr(cls, "_fields", None), tuple)
    )


def is_namedtuple_instance(obj: Any) -> bool:
    """Whether an object is a named tuple."""
    return is_namedtuple_class(type(obj))


def is_structseq_class(cls: Any) -> bool:
    """Whether a class is one of the tuples with attributes that C functions return."""
    return (
        isinstance(cls, type)
        and issubclass(cls, tuple)
        and cls is not tuple
        and isinstance(getattr(cls, "n_sequence_fields", None), int)
    )


def is_structseq(obj: Any) -> bool:
    """Whether an object or class is a tuple with attributes that C functions return."""
    return is_structseq_class(obj if isinstance(obj, type) else type(obj))


def is_structseq_instance(obj: Any) -> bool:
    """Whether an object is a tuple with attributes that C functions return."""
    return is_structseq_class(type(obj))


def _sequence_keys(values: Iterable[Any]) -> list[tuple[KeyEntry, Any]]:
    return [(SequenceKey(i), value) for i, value in enumerate(values)]


def _dict_flatten(d: Any) -> tuple[list[Any], Any]:
    return list(d.values()), list(d)


def _dict_unflatten(values: Iterable[Any], context: Any) -> dict[Any, Any]:
    return dict(zip(context, values))


def _mapping_keys(d: Any) -> list[tuple[KeyEntry, Any]]:
    return [(MappingKey(key), value) for key, value in d.items()]


def _namedtuple_fields(d: Any) -> list[tuple[KeyEntry, Any]]:
    return [(GetAttrKey(name), value) for name, value in zip(d._fields, d)]


_private_register_pytree_node(
    tuple,
    lambda d: (list(d), None),
    lambda values, _: tuple(values),
    serialized_type_name="builtins.tuple",
    flatten_with_keys_fn=lambda d: (_sequence_keys(d), None),
)
_private_register_pytree_node(
    list,
    lambda d: (d, None),
    lambda values, _: list(values),
    serialized_type_name="builtins.list",
    flatten_with_keys_fn=lambda d: (_sequence_keys(d), None),
)
_private_register_pytree_node(
    dict,
    _dict_flatten,
    _dict_unflatten,
    serialized_type_name="builtins.dict",
    flatten_with_keys_fn=lambda d: (_mapping_keys(d), list(d)),
)
_private_register_pytree_node(
    namedtuple,
    lambda d: (list(d), type(d)),
    lambda values, context: context(*values),
    flatten_with_keys_fn=lambda d: (_namedtuple_fields(d), type(d)),
)
_private_register_pytree_node(
    OrderedDict,
    _dict_flatten,
    lambda values, context: OrderedDict(zip(context, values)),
    serialized_type_name="collections.OrderedDict",
    flatten_with_keys_fn=lambda d: (_mapping_keys(d), list(d)),
)
_private_register_pytree_node(
    defaultdict,
    lambda d: (list(d.values()), [d.default_factory, list(d)]),
    lambda values, context: defaultdict(context[0], zip(context[1], values)),
    flatten_with_keys_fn=lambda d: (_mapping_keys(d), [d.default_factory, list(d)]),
)
_private_register_pytree_node(
    deque,
    lambda d: (list(d), d.maxlen),
    lambda values, context: deque(values, maxlen=context),
    serialized_type_name="collections.deque",
    flatten_with_keys_fn=lambda d: (_sequence_keys(d), d.maxlen),
)
_private_register_pytree_node(
    rushlight.Size,
    lambda d: (list(d), None),
    lambda values, _: rushlight.Size(values),
    serialized_type_name="torch.Size",
    flatten_with_keys_fn=lambda d: (_sequence_keys(d), None),
)
STANDARD_DICT_TYPES = frozenset((dict, OrderedDict, defaultdict))


def _get_node_type(tree: Any) -> Any:
    """The registered kind of a tree: its class, or `namedtuple` for any named tuple."""
    cls = type(tree)
    if cls in SUPPORTED_NODES:
        return cls
    return namedtuple if is_namedtuple_class(cls) else cls


def tree_is_leaf(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> bool:
    """Whether a tree is a single leaf."""
    if is_leaf is not None and is_leaf(tree):
        return True
    return _get_node_type(tree) not in SUPPORTED_NODES


_is_leaf = tree_is_leaf


@dataclass(init=True, frozen=True, eq=True, repr=False)
class TreeSpec:
    """The structure of a tree; a leaf has no type."""

    type: Any
    _context: Any
    _children: list[TreeSpec]
    num_nodes: int = field(init=False)
    num_leaves: int = field(init=False)
    num_children: int = field(init=False)

    def __post_init__(self) -> None:
        leaf = self.type is None
        nodes = 1 + sum(child.num_nodes for child in self._children)
        leaves = 1 if leaf else sum(child.num_leaves for child in self._children)
        object.__setattr__(self, "num_nodes", nodes)
        object.__setattr__(self, "num_leaves", leaves)
        object.__setattr__(self, "num_children", len(self._children))

    @property
    def context(self) -> Any:
        return self._context

    @property
    def children_specs(self) -> list[TreeSpec]:
        return self._children

    def children(self) -> list[TreeSpec]:
        """The structures of the children."""
        return list(self._children)

    def child(self, index: int) -> TreeSpec:
        """The structure of one child."""
        return self._children[index]

    def is_leaf(self) -> bool:
        """Whether this is a single leaf."""
        return self.type is None

    def __repr__(self, indent: int = 0) -> str:
        if self.is_leaf():
            return "*"
        name = getattr(self.type, "__name__", str(self.type))
        text = f"TreeSpec({name}, {self._context}, ["
        indent += 2
        for i, child in enumerate(self._children):
            text += "," if i else ""
            text += "\n" + " " * indent if i else ""
            text += child.__repr__(indent)
        return text + "])"

    def __hash__(self) -> int:
        context = self._context
        if self.type in STANDARD_DICT_TYPES:
            context = tuple(map(str, context)) if context else ()
        try:
            return hash((self.type, context, tuple(self._children)))
        except TypeError:
            return hash((self.type, str(context), tuple(self._children)))

    def _check_node(self, tree: Any) -> tuple[list[Any], Any]:
        """The children of a tree, which has to be a node of the same kind."""
        kind = _get_node_type(tree)
        if kind not in SUPPORTED_NODES:
            raise ValueError(f"Type mismatch; expected {self.type!r}, but got {type(tree)!r}.")
        dicts = kind in STANDARD_DICT_TYPES and self.type in STANDARD_DICT_TYPES
        if kind != self.type and not dicts:
            raise ValueError(f"Node type mismatch; expected {self.type!r}, but got {kind!r}.")
        children, context = SUPPORTED_NODES[kind].flatten_fn(tree)
        if len(children) != self.num_children:
            raise ValueError(
                f"Node arity mismatch; expected {self.num_children}, but got {len(children)}."
            )
        if dicts:
            expected = self._context[1] if self.type is defaultdict else self._context
            missing, extra = set(expected) - set(tree), set(tree) - set(expected)
            if missing or extra:
                parts = f"missing key(s): {missing}" if missing else ""
                parts += "; " if missing and extra else ""
                parts += f"extra key(s): {extra}" if extra else ""
                raise ValueError(f"Node keys mismatch; {parts}.")
            return [tree[key] for key in expected], context
        if context != self._context and self.type is not deque:
            raise ValueError(
                f"Node context mismatch for custom node type {self.type!r}; expected "
                f"{self._context!r}, but got {context!r}."
            )
        return list(children), context

    def flatten_up_to(self, tree: Any) -> list[Any]:
        """What `tree`, which may be deeper, has at the leaves of this structure."""
        if self.is_leaf():
            return [tree]
        children, _ = self._check_node(tree)
        result = []
        for child, spec in zip(children, self._children):
            result += spec.flatten_up_to(child)
        return result

    def unflatten(self, leaves: Iterable[Any]) -> Any:
        """The tree of this structure with the given leaves."""
        leaves = list(leaves)
        if len(leaves) != self.num_leaves:
            raise ValueError(
                f"treespec.unflatten(leaves): `leaves` has length {len(leaves)} but the spec "
                f"refers to a pytree that holds {self.num_leaves} items ({self})."
            )
        return self._build(iter(leaves))

    def _build(self, leaves: Iterator[Any]) -> Any:
        if self.is_leaf():
            return next(leaves)
        children = [child._build(leaves) for child in self._children]
        return SUPPORTED_NODES[self.type].unflatten_fn(children, self._context)


class _LeafMeta(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, TreeSpec) and instance.is_leaf()


class LeafSpec(TreeSpec, metaclass=_LeafMeta):
    """The structure of a single leaf."""

    def __new__(cls) -> Any:
        return _LEAF_SPEC


_LEAF_SPEC = TreeSpec(None, None, [])


def _flatten(tree: Any, leaves: list[Any], is_leaf: Any) -> TreeSpec:
    if is_leaf is not None and is_leaf(tree):
        leaves.append(tree)
        return _LEAF_SPEC
    node = SUPPORTED_NODES.get(_get_node_type(tree))
    if node is None:
        leaves.append(tree)
        return _LEAF_SPEC
    children, context = node.flatten_fn(tree)
    return TreeSpec(node.type, context, [_flatten(c, leaves, is_leaf) for c in children])


def tree_flatten(
    tree: Any, is_leaf: Callable[[Any], bool] | None = None
) -> tuple[list[Any], TreeSpec]:
    """The leaves of a tree and its structure.

    >>> tree_flatten({"a": [1, 2], "b": 3})[0]
    [1, 2, 3]
    """
    leaves: list[Any] = []
    spec = _flatten(tree, leaves, is_leaf)
    return leaves, spec


def tree_unflatten(leaves: Iterable[Any], treespec: TreeSpec) -> Any:
    """The tree of a structure with the given leaves; ValueError for a wrong number of them."""
    if not isinstance(treespec, TreeSpec):
        raise TypeError(
            "tree_unflatten(leaves, treespec): Expected `treespec` to be instance of TreeSpec but "
            f"got item of type {type(treespec)}."
        )
    return treespec.unflatten(leaves)


def tree_iter(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> Iterator[Any]:
    """The leaves one by one."""
    if tree_is_leaf(tree, is_leaf):
        yield tree
        return
    children, _ = SUPPORTED_NODES[_get_node_type(tree)].flatten_fn(tree)
    for child in children:
        yield from tree_iter(child, is_leaf)


def tree_leaves(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> list[Any]:
    """The leaves of a tree."""
    return list(tree_iter(tree, is_leaf))


def tree_structure(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> TreeSpec:
    """The structure of a tree."""
    return tree_flatten(tree, is_leaf)[1]


def tree_map(
    func: Callable[..., Any],
    tree: Any,
    *rests: Any,
    is_leaf: Callable[[Any], bool] | None = None,
) -> Any:
    """A tree with `func` of the leaves of all trees at the same place.

    >>> tree_map(lambda a, b: a + b, {"x": 1}, {"x": 10})
    {'x': 11}
    """
    leaves, spec = tree_flatten(tree, is_leaf)
    others = [spec.flatten_up_to(rest) for rest in rests]
    return spec.unflatten(map(func, leaves, *others))


def tree_map_(
    func: Callable[..., Any],
    tree: Any,
    *rests: Any,
    is_leaf: Callable[[Any], bool] | None = None,
) -> Any:
    """Call `func` for its effects; returns `tree` itself."""
    leaves, spec = tree_flatten(tree, is_leaf)
    others = [spec.flatten_up_to(rest) for rest in rests]
    for _ in map(func, leaves, *others):
        pass
    return tree


def _matcher(type_or_predicate: Any) -> Callable[[Any], bool]:
    if isinstance(type_or_predicate, (type, tuple)) or hasattr(type_or_predicate, "__args__"):
        return lambda x: isinstance(x, type_or_predicate)
    if callable(type_or_predicate):
        return type_or_predicate
    raise TypeError("Argument must be a type, a tuple of types, or a callable.")


def map_only(type_or_types_or_pred: Any, /) -> Callable[..., Any]:
    """A decorator: the function applies to leaves of a type, others pass unchanged."""
    matches = _matcher(type_or_types_or_pred)

    def wrapper(func: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return lambda x: func(x) if matches(x) else x

    return wrapper


def tree_map_only(
    type_or_types_or_pred: Any,
    /,
    func: Callable[[Any], Any],
    tree: Any,
    is_leaf: Callable[[Any], bool] | None = None,
) -> Any:
    """`tree_map` for leaves of a type, or those a predicate takes."""
    return tree_map(map_only(type_or_types_or_pred)(func), tree, is_leaf=is_leaf)


def tree_map_only_(
    type_or_types_or_pred: Any,
    /,
    func: Callable[[Any], Any],
    tree: Any,
    is_leaf: Callable[[Any], bool] | None = None,
) -> Any:
    """`tree_map_` for leaves of a type, or those a predicate takes."""
    return tree_map_(map_only(type_or_types_or_pred)(func), tree, is_leaf=is_leaf)


def tree_all(pred: Callable[[Any], bool], tree: Any, is_leaf: Any = None) -> bool:
    """Whether all leaves meet a condition."""
    return all(map(pred, tree_iter(tree, is_leaf)))


def tree_any(pred: Callable[[Any], bool], tree: Any, is_leaf: Any = None) -> bool:
    """Whether any leaf meets a condition."""
    return any(map(pred, tree_iter(tree, is_leaf)))


def tree_all_only(
    type_or_types: Any, /, pred: Callable[[Any], bool], tree: Any, is_leaf: Any = None
) -> bool:
    """Whether all leaves of a type meet a condition."""
    return all(pred(x) for x in tree_iter(tree, is_leaf) if isinstance(x, type_or_types))


def tree_any_only(
    type_or_types: Any, /, pred: Callable[[Any], bool], tree: Any, is_leaf: Any = None
) -> bool:
    """Whether any leaf of a type meets a condition."""
    return any(pred(x) for x in tree_iter(tree, is_leaf) if isinstance(x, type_or_types))


def _broadcast_to_and_flatten(tree: Any, treespec: TreeSpec, is_leaf: Any = None) -> Any:
    """The leaves of `tree` repeated to the structure, or None where it does not fit."""
    if tree_is_leaf(tree, is_leaf):
        return [tree] * treespec.num_leaves
    if treespec.is_leaf() or _get_node_type(tree) != treespec.type:
        return None
    children, context = SUPPORTED_NODES[treespec.type].flatten_fn(tree)
    if len(children) != treespec.num_children or context != treespec.context:
        return None
    result = []
    for child, spec in zip(children, treespec.children_specs):
        flat = _broadcast_to_and_flatten(child, spec, is_leaf)
        if flat is None:
            return None
        result += flat
    return result


def _with_path(tree: Any, path: tuple[KeyEntry, ...], is_leaf: Any) -> Iterator[Any]:
    if tree_is_leaf(tree, is_leaf):
        yield path, tree
        return
    node = SUPPORTED_NODES[_get_node_type(tree)]
    if node.flatten_with_keys_fn is None:
        raise ValueError(
            f"Did not find a flatten_with_keys_fn for type: {node.type}. Please pass a "
            "flatten_with_keys_fn argument to register_pytree_node."
        )
    for key, child in node.flatten_with_keys_fn(tree)[0]:
        yield from _with_path(child, (*path, key), is_leaf)


def tree_leaves_with_path(tree: Any, is_leaf: Any = None) -> list[tuple[Any, Any]]:
    """The leaves, each with the keys that lead to it."""
    return list(_with_path(tree, (), is_leaf))


def tree_flatten_with_path(
    tree: Any, is_leaf: Any = None
) -> tuple[list[tuple[Any, Any]], TreeSpec]:
    """The leaves with their paths, and the structure."""
    return tree_leaves_with_path(tree, is_leaf), tree_structure(tree, is_leaf)


def tree_map_with_path(
    func: Callable[..., Any], tree: Any, *rests: Any, is_leaf: Any = None
) -> Any:
    """`tree_map` with a function that also takes the path."""
    pairs, spec = tree_flatten_with_path(tree, is_leaf)
    others = [spec.flatten_up_to(rest) for rest in rests]
    return spec.unflatten(func(path, leaf, *other) for (path, leaf), *other in zip(pairs, *others))


def keystr(kp: Iterable[KeyEntry]) -> str:
    """A path as text, as it would be written in Python."""
    return "".join(str(key) for key in kp)


def key_get(obj: Any, kp: Iterable[KeyEntry]) -> Any:
    """What is at a path."""
    for key in kp:
        obj = key.get(obj)
    return obj


def arg_tree_leaves(*args: Any, **kwargs: Any) -> list[Any]:
    """The leaves of all arguments of a call."""
    leaves: list[Any] = []
    for value in (*args, *kwargs.values()):
        leaves += tree_iter(value)
    return leaves


# The version of the format of dumped structures.
_PROTOCOL = 1


def _to_json(spec: TreeSpec) -> dict[str, Any]:
    if spec.is_leaf():
        return {"type": None, "context": None, "children_spec": []}
    if spec.type not in _SERIALIZED:
        raise NotImplementedError(
            f"Serializing {spec.type} in pytree is not registered; give register_pytree_node a "
            "serialized_type_name"
        )
    name, dump, _ = _SERIALIZED[spec.type]
    children = [_to_json(child) for child in spec.children_specs]
    return {"type": name, "context": dump(spec.context), "children_spec": children}


def _from_json(data: dict[str, Any]) -> TreeSpec:
    if data["type"] is None:
        return _LEAF_SPEC
    for cls, (name, _, load) in _SERIALIZED.items():
        if name == data["type"]:
            children = [_from_json(child) for child in data["children_spec"]]
            return TreeSpec(cls, load(data["context"]), children)
    raise NotImplementedError(f"Deserializing {data['type']} in pytree is not registered.")


def treespec_dumps(treespec: TreeSpec, protocol: int | None = None) -> str:
    """A structure as JSON."""
    if protocol not in (None, _PROTOCOL):
        raise ValueError(f"Unknown protocol {protocol}. Available protocols: [{_PROTOCOL}]")
    return json.dumps((_PROTOCOL, _to_json(treespec)))


def treespec_loads(serialized: str) -> TreeSpec:
    """The structure that `treespec_dumps` wrote."""
    protocol, data = json.loads(serialized)
    if protocol != _PROTOCOL:
        raise ValueError(f"Unknown protocol {protocol}. Available protocols: [{_PROTOCOL}]")
    return _from_json(data)


def treespec_pprint(treespec: TreeSpec) -> str:
    """The structure with stars for leaves."""
    return repr(treespec.unflatten([_Star()] * treespec.num_leaves))


class _Star:
    def __repr__(self) -> str:
        return "*"
