"""Calls and attribute reads of modules: what subclasses may override, and both implementations."""

from __future__ import annotations

import gc
import pickle
import weakref
from abc import ABC, abstractmethod
from typing import Generic, TypeVar

import pytest
from rushlight import nn
from rushlight.nn.modules.module_base import ModuleBase, PythonModuleBase


def test_own_getattr_is_asked_last():
    class Wrapper(nn.Module):
        def __init__(self):
            super().__init__()
            self.model = nn.Linear(2, 3)

        def __getattr__(self, name):
            try:
                return super().__getattr__(name)
            except AttributeError:
                return getattr(self.model, name)

    class Derived(Wrapper):
        pass

    for kind in (Wrapper, Derived):
        wrapper = kind()
        assert wrapper.out_features == 3
        assert wrapper.weight is wrapper.model.weight
        assert not hasattr(wrapper, "nothing")


def test_own_getattr_sees_registered_names():
    class Intercepts(nn.Module):
        def __getattr__(self, name):
            return "mine" if name == "layer" else super().__getattr__(name)

    module = Intercepts()
    module.layer = nn.ReLU()
    assert module.layer == "mine"


def test_own_getattribute():
    class Magic(nn.Module):
        def __getattribute__(self, name):
            return 5 if name == "magic" else super().__getattribute__(name)

    module = Magic()
    module.layer = nn.ReLU()
    assert module.magic == 5
    assert isinstance(module.layer, nn.ReLU)


def test_own_call_and_instance_forward():
    class Doubled(nn.Module):
        def __call__(self, *args, **kwargs):
            return ("own", super().__call__(*args, **kwargs))

        def forward(self, x, *, y=1):
            return x, y

    assert Doubled()(1, y=2) == ("own", (1, 2))
    assert Doubled()(1) == ("own", (1, 1))
    module = nn.Identity()
    module.forward = lambda x: x + 1
    assert module(1) == 2
    assert nn.Module.__call__(nn.Identity(), 3) == 3


def test_call_passes_many_arguments():
    class Collects(nn.Module):
        def forward(self, *args, **kwargs):
            return args, kwargs

    assert Collects()(*range(9), a=1) == (tuple(range(9)), {"a": 1})
    assert Collects()() == ((), {})


def test_failing_property_is_an_attribute_error():
    class Broken(nn.Module):
        @property
        def shown(self):
            return self.missing

    with pytest.raises(AttributeError, match="'Broken' object has no attribute"):
        _ = Broken().shown


def test_other_bases():
    class Abstract(nn.Module, ABC):
        @abstractmethod
        def forward(self, x): ...

    with pytest.raises(TypeError, match="abstract"):
        Abstract()

    item = TypeVar("item")

    class Typed(nn.Module, Generic[item]):
        def __init__(self):
            super().__init__()
            self.layer = nn.ReLU()

    assert isinstance(Typed[int]().layer, nn.ReLU)

    class Keeps(nn.Module, dict):
        pass

    both = Keeps()
    both["x"] = 1
    both.layer = nn.ReLU()
    assert isinstance(both.layer, nn.ReLU)

    class Announces(nn.Module):
        def __init_subclass__(cls, word, **kwargs):
            super().__init_subclass__(**kwargs)
            cls.word = word

    class Announced(Announces, word="w"):
        pass

    assert Announced.word == "w"


def test_class_assignment_pickling_and_cycles():
    layer = nn.Linear(1, 1)
    layer.__class__ = nn.Identity
    assert repr(layer) == "Identity()"
    for protocol in (2, 3, 4, 5):
        assert isinstance(pickle.loads(pickle.dumps(nn.ReLU(), protocol)), nn.ReLU)

    def cycle():
        module = nn.Identity()
        module.itself = [module]
        return weakref.ref(module)

    reference = cycle()
    gc.collect()
    assert reference() is None


def test_endless_recursion_is_an_exception():
    class Endless(nn.Module):
        def forward(self, x):
            return self(x)

    with pytest.raises(RecursionError):
        Endless()(1)


def test_python_implementation_does_the_same():
    class Plain(PythonModuleBase):
        def __init__(self):
            self._modules = {"layer": 7}

        def forward(self, x):
            return x + self.layer

    assert Plain()(1) == 8
    with pytest.raises(AttributeError, match="'Plain' object has no attribute 'x'"):
        _ = Plain().x
    assert issubclass(nn.Module, ModuleBase)
