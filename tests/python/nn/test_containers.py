"""Sequential, lists and dictionaries of modules and parameters."""

from __future__ import annotations

from collections import OrderedDict

import pytest
import rushlight
from rushlight import nn


def names(container):
    return [type(m).__name__ for m in container]


def test_sequential_edits():
    model = nn.Sequential(nn.ReLU(), nn.Linear(1, 1), nn.Tanh())
    del model[0]
    assert list(model._modules) == ["0", "1"]
    assert isinstance(model[-1], nn.Tanh)
    model.append(nn.ReLU()).insert(0, nn.ELU()).extend([nn.SELU()])
    assert names(model) == ["ELU", "Linear", "Tanh", "ReLU", "SELU"]
    assert isinstance(model.pop(0), nn.ELU)
    assert names(model[1:3]) == ["Tanh", "ReLU"]
    assert len(model * 2) == 8
    model *= 2
    assert len(model) == 8
    assert names(nn.Sequential(nn.ReLU()) + nn.Sequential(nn.ELU())) == ["ReLU", "ELU"]
    model[0] = nn.GELU()
    assert isinstance(model[0], nn.GELU)


def test_sequential_of_names():
    model = nn.Sequential(OrderedDict(a=nn.ReLU(), b=nn.ELU()))
    assert model.a is model[0]
    assert repr(model) == "Sequential(\n  (a): ReLU()\n  (b): ELU(alpha=1.0)\n)"


@pytest.mark.parametrize(
    ("action", "error", "text"),
    [
        (lambda m: m[9], IndexError, "index 9 is out of range"),
        (lambda m: m * 0, ValueError, "Non-positive multiplication factor 0"),
        (lambda m: m * 1.5, TypeError, "unsupported operand type"),
        (lambda m: m + 3, ValueError, "add operator supports only objects of Sequential"),
        (lambda m: m.insert(99, nn.ReLU()), IndexError, "Index out of range: 99"),
        (lambda m: m.append(3), TypeError, "int is not a Module subclass"),
    ],
)
def test_sequential_errors(action, error, text):
    with pytest.raises(error, match=text):
        action(nn.Sequential(nn.ReLU()))


def test_module_list_edits():
    layers = nn.ModuleList([nn.ReLU(), nn.Tanh()])
    layers.insert(1, nn.ELU())
    assert names(layers) == ["ReLU", "ELU", "Tanh"]
    assert list(layers._modules) == ["0", "1", "2"]
    assert names(layers + [nn.GELU()]) == ["ReLU", "ELU", "Tanh", "GELU"]
    layers += [nn.SELU()]
    del layers[0]
    assert isinstance(layers.pop(0), nn.ELU)
    assert names(layers) == ["Tanh", "SELU"]
    assert names(layers[:1]) == ["Tanh"]
    del layers[0:1]
    assert list(layers._modules) == ["0"]
    with pytest.raises(TypeError, match="should be called with an iterable, but got int"):
        layers.extend(3)
    with pytest.raises(NotImplementedError, match="missing the required"):
        layers(1)


def test_module_list_prints_runs():
    layers = nn.ModuleList([nn.ReLU(), nn.ReLU(), nn.Tanh(), nn.ReLU()])
    assert repr(layers) == "ModuleList(\n  (0-1): 2 x ReLU()\n  (2): Tanh()\n  (3): ReLU()\n)"
    assert repr(nn.ModuleList()) == "ModuleList()"


def test_module_dict():
    heads = nn.ModuleDict({"a": nn.ReLU()})
    heads["b"] = nn.ELU()
    heads.update([["c", nn.Tanh()]])
    assert list(heads) == ["a", "b", "c"]
    assert isinstance(heads.pop("a"), nn.ReLU)
    assert "a" not in heads
    assert list(heads.keys()) == ["b", "c"]
    with pytest.raises(KeyError):
        heads["z"]
    with pytest.raises(TypeError, match="iterable of key/value pairs, but got int"):
        heads.update(3)
    with pytest.raises(ValueError, match="has length 3; 2 is required"):
        heads.update([[1, 2, 3]])
    with pytest.raises(KeyError, match="attribute 'keys' already exists"):
        heads["keys"] = nn.ReLU()
    heads.clear()
    assert len(heads) == 0


def test_parameter_list():
    weights = nn.ParameterList([rushlight.ones(2, 3), 3])
    assert isinstance(weights[0], nn.Parameter)
    weights += [rushlight.zeros(1)]
    assert len(weights) == 3
    assert len(weights[0:1]) == 1
    assert repr(weights).replace("rushlight.", "torch.") == (
        "ParameterList(\n"
        "    (0): Parameter containing: [torch.float32 of size 2x3]\n"
        "    (1): Object of type: int\n"
        "    (2): Parameter containing: [torch.float32 of size 1]\n)"
    )
    with pytest.raises(IndexError, match="index 5 is out of range"):
        weights[5]
    assert list(weights.state_dict()) == ["0", "2"]


def test_parameter_dict():
    weights = nn.ParameterDict({"a": rushlight.ones(2), "b": 3})
    assert list(weights) == ["a", "b"]
    assert list(reversed(weights)) == ["b", "a"]
    assert weights.get("z") is None
    assert weights.setdefault("c", rushlight.ones(1)).shape == (1,)
    assert weights.popitem()[0] == "c"
    merged = weights | nn.ParameterDict({"d": rushlight.ones(1)})
    assert list(merged) == ["a", "b", "d"]
    assert list(weights.fromkeys(["x", "y"], 1)) == ["x", "y"]
    assert repr(weights) == (
        "ParameterDict(\n"
        "    (a): Parameter containing: [torch.FloatTensor of size 2]\n"
        "    (b): Object of type: int\n)"
    )
