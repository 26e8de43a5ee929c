"""Tracing: what a program does to proxies becomes a graph, its text, and code that computes the same."""

import copy
import math
import pickle

import pytest
import rushlight
import rushlight.nn.functional as F
from rushlight import fx, nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(rushlight.rand(3, 4))
        self.linear = nn.Linear(4, 5)

    def forward(self, x):
        return self.linear(x + self.weight).clamp(min=0.0, max=1.0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU())
        self.layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(2)])
        self.register_buffer("shift", rushlight.ones(1))

    def forward(self, x):
        x = self.body(x).mean((2, 3))
        for layer in self.layers:
            x = layer(x) + self.shift
        return F.gelu(x), {"norm": F.layer_norm(x, (2,))}


GRAPH = """graph():
    %x : [num_users=1] = placeholder[target=x]
    %weight : [num_users=1] = get_attr[target=weight]
    %add : [num_users=1] = call_function[target=operator.add](args = (%x, %weight), kwargs = {})
    %linear : [num_users=1] = call_module[target=linear](args = (%add,), kwargs = {})
    %clamp : [num_users=1] = call_method[target=clamp](args = (%linear,), kwargs = {min: 0.0, max: 1.0})
    return clamp"""

CODE = """


def forward(self, x):
    weight = self.weight
    add = x + weight;  x = weight = None
    linear = self.linear(add);  add = None
    clamp = linear.clamp(min = 0.0, max = 1.0);  linear = None
    return clamp
    """


def test_graph_and_code_read_as_pytorchs():
    traced = fx.symbolic_trace(Block())
    assert str(traced.graph) == GRAPH
    assert traced.code == CODE
    assert str(traced).endswith("# To see more debug info, please use `graph_module.print_readable()`")
    assert type(traced).__name__ == "Block"


def same(a, b):
    return rushlight.equal(a[0], b[0]) and rushlight.equal(a[1]["norm"], b[1]["norm"])


def test_traced_modules_compute_the_same():
    net, x = Net().eval(), rushlight.randn(2, 1, 5, 5)
    traced = fx.symbolic_trace(net)
    assert traced.training is False
    assert 'getattr(self.body, "0")(x)' in traced.code
    assert same(traced(x), net(x))
    assert same(copy.deepcopy(traced)(x), net(x))
    assert same(pickle.loads(pickle.dumps(traced))(x), net(x))
    assert same(fx.Interpreter(traced).run(x), net(x))
    assert list(dict(traced.named_parameters())) == list(dict(net.named_parameters()))


def test_modules_are_as_before_after_a_trace():
    called = nn.Module.__call__
    fx.symbolic_trace(Net())
    assert nn.Module.__call__ is called and "__call__" not in vars(nn.Module)
    assert F.relu(rushlight.ones(1)).item() == 1.0


def test_functions_are_written_with_all_their_options():
    code = fx.symbolic_trace(lambda input: F.max_pool2d(F.relu(input), 2)).code
    assert "input_1 = input" in code
    assert "relu = torch.nn.functional.relu(input_1, inplace = False)" in code
    assert (
        "torch.nn.functional.max_pool2d(relu, 2, stride = None, padding = 0, dilation = 1, "
        "ceil_mode = False, return_indices = False)" in code
    )


@pytest.mark.parametrize(
    ("function", "line"),
    [
        (lambda x: x[..., None, 1:3], "getitem = x[(Ellipsis, None, slice(1, 3, None))];  x = None"),
        (lambda x: 2 - x, "sub = 2 - x;  x = None"),
        (lambda x: x.shape[0], "getitem = getattr_1[0];  getattr_1 = None"),
        (lambda x: x.to(rushlight.float64), "to = x.to(torch.float64);  x = None"),
        (lambda x: x.masked_fill(x == 0, float("-inf")), "masked_fill = x.masked_fill(eq, -inf);  x = eq = None"),
        (lambda x: rushlight.cat([x, x], dim=1), "cat = torch.cat([x, x], dim = 1);  x = None"),
        (lambda x: F.linear(x, x), "linear = torch._C._nn.linear(x, x);  x = None"),
        (lambda x: x & ~x, "and_ = x & invert;  x = invert = None"),
    ],
)
def test_statements(function, line):
    assert line in fx.symbolic_trace(function).code


def test_unpacking_takes_parts():
    def halves(x):
        a, b = x.chunk(2)
        return a - b

    x = rushlight.arange(4.0)
    assert rushlight.equal(fx.symbolic_trace(halves)(x), halves(x))


def test_annotations_defaults_and_stars():
    def function(x: rushlight.Tensor, y: int = 3, *rest, **options) -> rushlight.Tensor:
        return x * y + rest[0] + options["z"]

    traced = fx.symbolic_trace(function)
    assert "def forward(self, x : torch.Tensor, y : int = 3, *rest, **options) -> torch.Tensor:" in traced.code
    assert traced(rushlight.ones(1), 2, 5, z=1).item() == 8.0


def test_concrete_arguments_are_checked():
    traced = fx.symbolic_trace(lambda x, k: x + k, concrete_args={"k": 3})
    assert traced(rushlight.ones(1), 3).item() == 4.0
    with pytest.raises(AssertionError, match="k has been specialized to have value 3"):
        traced(rushlight.ones(1), 4)


@pytest.mark.parametrize(
    ("function", "error", "message"),
    [
        (lambda x: x if x.sum() > 0 else -x, fx.TraceError, "cannot be used as inputs to control flow"),
        (lambda x: [part for part in x], fx.TraceError, "Proxy object cannot be iterated"),
        (lambda x: len(x), RuntimeError, "'len' is not supported in symbolic tracing"),
    ],
)
def test_what_only_values_could_tell_is_refused(function, error, message):
    with pytest.raises(error, match=message):
        fx.symbolic_trace(function)


def twice(x):
    return x * 2 if x.sum() > 0 else x


fx.wrap("twice")


def test_wrapped_functions_are_calls():
    traced = fx.symbolic_trace(lambda x: twice(x) + math.sqrt(x.size(0)))
    assert 'torch.fx._symbolic_trace.wrap("' in traced.code
    assert [node.target for node in traced.graph.nodes if node.op == "call_function"][0].__name__ == "twice"
    assert traced(rushlight.ones(4)).tolist() == [4.0] * 4


def test_wrap_belongs_at_module_scope():
    with pytest.raises(NotImplementedError, match="top level of a module"):
        fx.wrap("twice")


def test_tracers_choose_their_leaves():
    class Everything(fx.Tracer):
        def is_leaf_module(self, m, module_qualified_name):
            return isinstance(m, nn.Conv2d)

    net = nn.Sequential(nn.Conv2d(1, 1, 1), nn.ReLU())
    graph = Everything().trace(net)
    assert [node.op for node in graph.nodes] == ["placeholder", "call_module", "call_function", "output"]
    x = rushlight.randn(1, 1, 2, 2)
    assert rushlight.equal(fx.GraphModule(net, graph)(x), net(x))
