"""Lazy modules: shapes from the first input or from a state dictionary."""

from __future__ import annotations

import copy

import pytest
import rushlight
from rushlight import nn


def test_first_call_gives_shapes_and_class():
    model = nn.Sequential(nn.LazyLinear(3), nn.LazyLinear(2, bias=False))
    assert repr(model[0]) == "LazyLinear(in_features=0, out_features=3, bias=True)"
    model(rushlight.ones(1, 4))
    assert type(model[0]) is nn.Linear
    assert [tuple(p.shape) for p in model.parameters()] == [(3, 4), (3,), (2, 3)]


def test_uninitialized_parameters_refuse_use():
    weight = nn.LazyLinear(3).weight
    assert repr(weight) == "<UninitializedParameter>"
    with pytest.raises(RuntimeError, match="Can't access the shape of an uninitialized"):
        _ = weight.shape
    with pytest.raises(ValueError, match="Attempted to use an uninitialized parameter"):
        weight + 1


def test_state_dict_of_initialized_module_gives_shapes():
    layer = nn.LazyLinear(3)
    layer.load_state_dict(nn.Linear(2, 3).state_dict())
    assert layer.weight.shape == (3, 2)
    layer(rushlight.ones(1, 2))
    assert layer.in_features == 2


def test_lazy_modules_copy_and_convert():
    layer = copy.deepcopy(nn.LazyLinear(3)).double()
    layer(rushlight.ones(1, 2, dtype=rushlight.float64))
    assert layer.weight.dtype == rushlight.float64


def test_wrong_inputs():
    with pytest.raises(RuntimeError, match=r"Expected 3D \(unbatched\) or 4D \(batched\) input"):
        nn.LazyConv2d(4, 3)(rushlight.ones(3))
    with pytest.raises(ValueError, match="in_channels must be divisible by groups"):
        nn.LazyConv2d(4, 3, groups=2)(rushlight.ones(3, 3, 3))


def test_mixin_wants_its_method():
    class Bare(nn.modules.lazy.LazyModuleMixin, nn.Module):
        pass

    with pytest.raises(NotImplementedError, match="initialize_parameters is not implemented"):
        Bare()(1)


def test_incomplete_initialization_raises():
    class Forgetful(nn.modules.lazy.LazyModuleMixin, nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.UninitializedParameter()

        def initialize_parameters(self, x):
            pass

    with pytest.raises(RuntimeError, match="has not been fully initialized"):
        Forgetful()(1)
