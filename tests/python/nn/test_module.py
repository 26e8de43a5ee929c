"""Module: registration, attribute rules, traversal, conversion and printing."""

from __future__ import annotations

import copy
import pickle

import pytest
import rushlight
from rushlight import nn


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 3)
        self.second = nn.Linear(3, 1, bias=False)
        self.scale = nn.Parameter(rushlight.ones(()))
        self.register_buffer("steps", rushlight.zeros((), dtype=rushlight.int64))
        self.register_buffer("scratch", rushlight.zeros(2), persistent=False)

    def forward(self, x):
        return self.scale * self.second(self.first(x))


def test_registration_orders_names():
    pair = Pair()
    assert [n for n, _ in pair.named_parameters()] == [
        "scale",
        "first.weight",
        "first.bias",
        "second.weight",
    ]
    assert [n for n, _ in pair.named_buffers()] == ["steps", "scratch"]
    assert [n for n, _ in pair.named_modules()] == ["", "first", "second"]
    assert [n for n, _ in pair.named_modules(prefix="p")] == ["p", "p.first", "p.second"]
    assert [n for n, _ in pair.named_parameters("p", recurse=False)] == ["p.scale"]


def test_shared_members_are_listed_once():
    pair = Pair()
    pair.third = pair.first
    assert [n for n, _ in pair.named_children()] == ["first", "second"]
    assert len(list(pair.parameters())) == 4
    assert [n for n, _ in pair.named_modules(remove_duplicate=False)][-1] == "third"
    assert len(list(pair.named_parameters(remove_duplicate=False))) == 6


@pytest.mark.parametrize(
    ("value", "what"),
    [
        (lambda: nn.Linear(1, 1), "module"),
        (lambda: nn.Parameter(rushlight.ones(1)), "parameters"),
        (lambda: nn.Buffer(rushlight.ones(1)), "buffer"),
    ],
)
def test_assignment_before_init_raises(value, what):
    class Early(nn.Module):
        def __init__(self):
            self.x = value()

    with pytest.raises(AttributeError, match=rf"cannot assign {what} before Module.__init__"):
        Early()


def test_registration_refuses_bad_names():
    layer = nn.Linear(2, 3)
    with pytest.raises(TypeError, match="parameter name should be a string. Got int"):
        layer.register_parameter(1, None)
    with pytest.raises(KeyError, match="parameter name can.+t contain"):
        layer.register_parameter("a.b", None)
    with pytest.raises(KeyError, match="buffer name can.+t be empty string"):
        layer.register_buffer("", None)
    with pytest.raises(KeyError, match="attribute 'weight' already exists"):
        layer.register_buffer("weight", rushlight.ones(1))
    with pytest.raises(KeyError, match="attribute 'forward' already exists"):
        layer.add_module("forward", nn.Linear(1, 1))
    with pytest.raises(TypeError, match="int is not a Module subclass"):
        layer.add_module("x", 3)


def test_assignment_keeps_kinds():
    layer = nn.Linear(2, 3)
    layer.sub = nn.ReLU()
    layer.register_buffer("buf", rushlight.ones(1))
    with pytest.raises(TypeError, match=r"cannot assign 'torch.FloatTensor' as parameter 'weight'"):
        layer.weight = rushlight.ones(1)
    with pytest.raises(TypeError, match="cannot assign 'int' as child module 'sub'"):
        layer.sub = 3
    with pytest.raises(TypeError, match="cannot assign 'int' as buffer 'buf'"):
        layer.buf = 3
    layer.weight = None
    layer.sub = None
    assert "(sub): None" in repr(layer)
    layer.plain = rushlight.ones(1)
    layer.plain = nn.Parameter(rushlight.ones(1))
    assert "plain" not in layer.__dict__
    assert "plain" in layer._parameters
    layer.buf = nn.Parameter(rushlight.ones(1))
    assert "buf" in layer._parameters
    assert "buf" not in layer._buffers


def test_non_leaf_parameter_is_refused():
    layer = nn.Linear(2, 2)
    with pytest.raises(TypeError, match="Parameter or None required"):
        layer.register_parameter("x", layer.weight * 2)


def test_delattr_removes_members():
    pair = Pair()
    del pair.scale
    del pair.first
    del pair.steps
    with pytest.raises(AttributeError, match="'Pair' object has no attribute 'first'"):
        _ = pair.first
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        del pair.nothing


def test_lookup_by_dotted_name():
    model = nn.Sequential(Pair())
    assert model.get_submodule("0.first") is model[0].first
    assert model.get_submodule("") is model
    assert model.get_parameter("0.first.weight") is model[0].first.weight
    assert model.get_buffer("0.steps") is model[0].steps
    with pytest.raises(AttributeError, match="Pair has no attribute `x`"):
        model.get_submodule("0.x")
    with pytest.raises(AttributeError, match="`scale` is not an nn.Module"):
        model.get_submodule("0.scale.x")
    with pytest.raises(AttributeError, match="`first` is not an nn.Parameter"):
        model.get_parameter("0.first")
    model.set_submodule("0.first", nn.Identity())
    assert isinstance(model[0].first, nn.Identity)


def test_forward_is_required():
    with pytest.raises(NotImplementedError, match=r"Module \[Module\] is missing the required"):
        nn.Module()(1)


def test_constructor_refuses_arguments():
    with pytest.raises(TypeError, match="takes 1 positional argument but 2 were given"):
        nn.Module(1)
    with pytest.raises(TypeError, match="unexpected keyword argument 'a'"):
        nn.Module(a=1)


def test_call_super_init_passes_arguments_on():
    class Other:
        def __init__(self, value):
            self.value = value

    class Both(nn.Module, Other):
        call_super_init = True

        def __init__(self, value):
            super().__init__(value)

    assert Both(3).value == 3


def test_train_and_eval_reach_all():
    pair = Pair()
    assert pair.training
    pair.eval()
    assert not any(m.training for m in pair.modules())
    with pytest.raises(ValueError, match="training mode is expected to be boolean"):
        pair.train(1)


def test_conversion_keeps_parameter_objects():
    pair = Pair()
    weight = pair.first.weight
    pair(rushlight.ones(1, 2)).sum().backward()
    gradient = weight.grad
    pair.double()
    assert pair.first.weight is weight
    assert weight.grad is gradient
    assert gradient.dtype == weight.dtype == rushlight.float64
    assert pair.steps.dtype == rushlight.int64
    assert pair.to(rushlight.float16).first.bias.dtype == rushlight.float16
    assert pair.to(rushlight.ones(1)).first.bias.dtype == rushlight.float32
    assert pair.to("cpu", rushlight.float64).scale.dtype == rushlight.float64
    with pytest.raises(TypeError, match="only accepts floating point or complex dtypes"):
        pair.to(rushlight.int64)


def test_meta_device():
    layer = nn.Linear(2, 3, device="meta")
    assert layer.weight.is_meta
    with pytest.raises(NotImplementedError, match="Cannot copy out of meta tensor"):
        layer.to("cpu")
    layer.to_empty(device="cpu")
    assert layer.weight.device.type == "cpu"
    assert isinstance(layer.weight, nn.Parameter)


def test_zero_grad():
    pair = Pair()
    pair(rushlight.ones(1, 2)).sum().backward()
    pair.zero_grad(set_to_none=False)
    assert float(pair.scale.grad) == 0
    pair.zero_grad()
    assert pair.scale.grad is None


def test_apply_visits_children_first():
    seen = []
    Pair().apply(lambda m: seen.append(type(m).__name__))
    assert seen == ["Linear", "Linear", "Pair"]


def test_requires_grad():
    pair = Pair().requires_grad_(False)
    assert not any(p.requires_grad for p in pair.parameters())


def test_printing():
    class Shown(nn.Module):
        def extra_repr(self):
            return "a=1\nb=2"

    shown = Shown()
    assert repr(shown) == "Shown(\n  a=1\n  b=2\n)"
    shown.x = nn.Sequential(nn.ReLU())
    assert repr(shown) == ("Shown(\n  a=1\n  b=2\n  (x): Sequential(\n    (0): ReLU()\n  )\n)")
    assert repr(nn.Module()) == "Module()"


def test_dir_lists_members():
    names = dir(Pair())
    assert {"first", "scale", "steps", "training"} <= set(names)
    assert "0" not in dir(nn.Sequential(nn.ReLU()))


def test_copies_are_independent():
    pair = Pair()
    twin = copy.deepcopy(pair)
    with rushlight.no_grad():
        twin.scale.fill_(2.0)
    assert float(pair.scale.detach()) == 1.0
    assert isinstance(twin.first.weight, nn.Parameter)
    again = pickle.loads(pickle.dumps(nn.Linear(2, 3)))
    assert repr(again) == "Linear(in_features=2, out_features=3, bias=True)"


def test_parameters_print_and_default():
    assert repr(nn.Parameter(rushlight.ones(2))) == (
        "Parameter containing:\ntensor([1., 1.], requires_grad=True)"
    )
    assert nn.Parameter().shape == (0,)
    assert type(nn.Buffer(rushlight.ones(2))) is rushlight.Tensor
    assert isinstance(nn.Buffer(rushlight.ones(2)), nn.Buffer)
    assert not isinstance(rushlight.ones(2), (nn.Buffer, nn.Parameter))
    with pytest.raises(RuntimeError, match="[Oo]nly Tensors of floating point"):
        nn.Parameter(rushlight.ones(1, dtype=rushlight.int64))


def test_results_of_parameters_are_tensors():
    weight = nn.Parameter(rushlight.ones(2))
    assert type(weight * 2) is rushlight.Tensor
    assert type(weight.detach()) is rushlight.Tensor


def test_factory_kwargs():
    assert nn.factory_kwargs({"device": "cpu"}) == {"device": "cpu"}
    assert nn.factory_kwargs({"factory_kwargs": {"dtype": 1}, "device": 2}) == {
        "dtype": 1,
        "device": 2,
    }
    with pytest.raises(TypeError, match="unexpected kwargs"):
        nn.factory_kwargs({"size": 1})


def test_every_public_name_exists():
    for name in nn.__all__:
        assert hasattr(nn, name), name
        assert name in dir(nn)
    for name in nn.functional.__all__:
        assert hasattr(nn.functional, name), name
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        _ = nn.Nothing


def test_skip_init_draws_nothing():
    rushlight.manual_seed(0)
    expected = rushlight.rand(1)
    rushlight.manual_seed(0)
    assert nn.utils.skip_init(nn.Linear, 2, 3).weight.shape == (3, 2)
    assert rushlight.equal(rushlight.rand(1), expected)
