"""Trees of containers."""

from collections import OrderedDict, defaultdict, deque, namedtuple

import pytest
import rushlight as torch
from rushlight.utils import _pytree as pytree

Pair = namedtuple("Pair", "a b")
TREE = {
    "b": [1, (2, 3)],
    "a": Pair(4, OrderedDict(z=5)),
    "c": None,
    "d": deque([6]),
    "e": defaultdict(int, {"q": 7}),
}


def test_flatten_and_back():
    leaves, spec = pytree.tree_flatten(TREE)
    assert leaves == [1, 2, 3, 4, 5, None, 6, 7]
    assert pytree.tree_unflatten(leaves, spec) == TREE
    assert spec.num_leaves == 8 and spec == pytree.tree_structure(TREE)
    with pytest.raises(ValueError, match="has length 1"):
        pytree.tree_unflatten([1], spec)


def test_map_over_several():
    assert pytree.tree_map(lambda a, b: a + b, [1, {"x": 2}], [3, {"x": 4}]) == [4, {"x": 6}]
    with pytest.raises(ValueError, match="arity"):
        pytree.tree_map(lambda a, b: a + b, [1, 2], [3])
    with pytest.raises(ValueError, match="type mismatch"):
        pytree.tree_map(lambda a, b: a + b, [1, 2], (3, 4))
    with pytest.raises(ValueError, match="missing key"):
        pytree.tree_map(lambda a, b: a + b, {"a": 1}, {"b": 2})


def test_map_only_and_conditions():
    assert pytree.tree_map_only(int, lambda v: -v, [1, "a"]) == [-1, "a"]
    assert pytree.tree_any(lambda v: v == 7, TREE)
    assert pytree.tree_all_only(int, lambda v: v > 0, TREE)


def test_paths():
    keys = [pytree.keystr(path) for path, _ in pytree.tree_leaves_with_path(TREE)]
    assert keys[:5] == ["['b'][0]", "['b'][1][0]", "['b'][1][1]", "['a'].a", "['a'].b['z']"]


def test_structures_as_json():
    spec = pytree.tree_structure([1, (2, {"a": 3})])
    assert pytree.treespec_loads(pytree.treespec_dumps(spec)) == spec


def test_own_classes():
    class Box:
        def __init__(self, value):
            self.value = value

    pytree.register_pytree_node(Box, lambda b: ([b.value], None), lambda v, _: Box(*v))
    assert pytree.tree_map(lambda v: v + 1, Box(3)).value == 4
    with pytest.raises(ValueError, match="already registered"):
        pytree.register_pytree_node(Box, lambda b: ([b.value], None), lambda v, _: Box(*v))
    pytree._deregister_pytree_node(Box)


def test_tensors_are_leaves():
    tree = {"w": torch.ones(2)}
    assert pytree.tree_map(lambda t: t * 2, tree)["w"].tolist() == [2.0, 2.0]
