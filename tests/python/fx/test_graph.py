"""Graphs made and changed by hand, and the programs that change them."""

import operator

import pytest
import rushlight
from rushlight import fx, nn
from rushlight.fx.passes.shape_prop import ShapeProp


def graph_of_sum():
    graph = fx.Graph()
    x = graph.placeholder("x")
    total = graph.call_function(rushlight.add, (x, x))
    graph.output(total)
    return graph, x, total


def test_graphs_by_hand_run():
    graph, _, _ = graph_of_sum()
    module = fx.GraphModule(nn.Module(), graph)
    assert module(rushlight.ones(1)).item() == 2.0
    assert len(graph.nodes) == 3
    assert [node.name for node in reversed(graph.nodes)] == ["output", "add", "x"]


def test_targets_can_be_exchanged():
    traced = fx.symbolic_trace(lambda x: x + 2)
    for node in traced.graph.nodes:
        if node.target is operator.add:
            node.target = operator.mul
    traced.recompile()
    assert traced(rushlight.full((1,), 3.0)).item() == 6.0


def test_users_follow_arguments():
    graph, x, total = graph_of_sum()
    with graph.inserting_after(x):
        doubled = graph.call_function(rushlight.mul, (x, 2))
    total.args = (doubled, doubled)
    assert list(x.users) == [doubled] and list(doubled.users) == [total]
    doubled.replace_all_uses_with(x)
    assert total.args == (x, x) and not doubled.users
    graph.erase_node(doubled)
    graph.lint()
    with pytest.raises(RuntimeError, match="still had 1 users in the graph"):
        graph.erase_node(total)


def test_lint_finds_values_read_too_early():
    graph, x, total = graph_of_sum()
    x._unlink()
    total.append(x)
    with pytest.raises(RuntimeError, match="was used before it has been defined"):
        graph.lint()


def test_dead_code_goes():
    traced = fx.symbolic_trace(lambda x: (x.relu(), x.exp())[0])
    assert traced.graph.eliminate_dead_code()
    assert "exp" not in traced.graph.python_code("self").src


def test_names_are_used_once():
    traced = fx.symbolic_trace(lambda x: x + 1 + 2 + sum([x]))
    assert [node.name for node in traced.graph.nodes] == ["x", "add", "add_1", "add_2", "add_3", "output"]


def test_patterns_are_replaced_wherever_they_are():
    def program(x, w1, w2):
        return x + rushlight.cat([w1, w2]).sum() + rushlight.cat([w2, w1]).sum()

    traced = fx.symbolic_trace(program)
    found = fx.replace_pattern(traced, lambda a, b: rushlight.cat([a, b]).sum(), lambda a, b: rushlight.stack([a, b]))
    traced.graph.lint()
    assert len(found) == 2 and "cat" not in traced.code and "stack_1" in traced.code
    assert traced(rushlight.zeros(1), rushlight.ones(1), rushlight.ones(1)).shape == (2, 1)


def test_patterns_do_not_take_values_that_others_read():
    traced = fx.symbolic_trace(lambda x: (x.relu() + 1, x.relu().exp()))
    assert len(fx.replace_pattern(traced, lambda x: x.relu() + 1, lambda x: x)) == 1
    shared = fx.symbolic_trace(lambda x: [y.sum() + y for y in [x.exp()]][0])
    assert not fx.replace_pattern(shared, lambda x: x.exp().sum(), lambda x: x)


def test_transformers_write_another_graph():
    class Negated(fx.Transformer):
        def call_function(self, target, args, kwargs):
            return super().call_function(rushlight.neg if target is rushlight.sigmoid else target, args, kwargs)

    traced = fx.symbolic_trace(lambda x: rushlight.sigmoid(x) + 1)
    changed = Negated(traced).transform()
    assert changed(rushlight.ones(1)).item() == 0.0
    assert "sigmoid" in traced.code


def test_interpreters_say_where_they_failed():
    traced = fx.symbolic_trace(lambda x: rushlight.relu(x).view(3))
    with pytest.raises(RuntimeError, match="While executing %view"):
        fx.Interpreter(traced).run(rushlight.ones(2))


def test_shapes_are_found_by_running():
    traced = fx.symbolic_trace(nn.Sequential(nn.Linear(4, 5), nn.ReLU()))
    ShapeProp(traced).propagate(rushlight.ones(3, 4))
    node = traced.graph.find_nodes(op="call_module")[0]
    assert node.meta["tensor_meta"].shape == (3, 5) and node.meta["tensor_meta"].dtype is rushlight.float32
    assert '"f32[3, 5]" = getattr(self, "0")(' in traced.print_readable(print_output=False)


def test_submodules_come_and_go():
    traced = fx.symbolic_trace(nn.Sequential(nn.Linear(2, 2)))
    assert traced.add_submodule("extra.inner", nn.ReLU())
    assert isinstance(traced.get_submodule("extra.inner"), nn.ReLU)
    traced.delete_all_unused_submodules()
    assert [name for name, _ in traced.named_children()] == ["0"]
    assert not traced.delete_submodule("nothing.here")


def test_call_module_warns_of_paths_that_do_not_exist():
    traced = fx.symbolic_trace(nn.Sequential(nn.Linear(2, 2)))
    with pytest.warns(UserWarning, match="no underlying reference in the owning GraphModule"):
        traced.graph.call_module("absent")
