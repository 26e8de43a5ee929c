"""Functions written in Python reach `__torch_function__` as themselves, with the arguments that PyTorch hands over."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest
import rushlight as torch
import rushlight.nn.functional as F
from override_calls import calls, first_override
from rushlight.overrides import TorchFunctionMode

RECORDED: dict[str, str] = json.loads(Path(__file__).with_name("recorded.json").read_text())
DIFFERENT = {
    "F.l1_loss(x, y)": "PyTorch forgets the weight here",
    "torch.istft(x, 4)": "PyTorch's is a native function, which hands over what it was given",
    "torch.lobpcg(y)": "of another module in PyTorch",
    "torch.unravel_index(index, (2, 2))": "the shape is a required argument",
    "x.split(1)": "a native method here",
    "list(x)": "iteration begins with unbind",
}


@pytest.mark.parametrize("call", calls())
def test_first_override(call: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = first_override(torch, call)
    assert (found == RECORDED[call]) is (call not in DIFFERENT), (found, RECORDED[call])


def test_override_may_compute_a_function_of_its_own() -> None:
    class Logged(torch.Tensor):
        names: list[str] = []

        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            cls.names.append(func.__name__)
            return super().__torch_function__(func, types, args, kwargs)

    x = torch.randn(3, 4).as_subclass(Logged)
    loss = F.cross_entropy(x, torch.tensor([0, 1, 2]), label_smoothing=0.1)
    assert Logged.names == ["cross_entropy"] and type(loss) is Logged
    plain = F.cross_entropy(x.as_subclass(torch.Tensor), torch.tensor([0, 1, 2]), label_smoothing=0.1)
    assert loss.item() == plain.item()


def test_modes_see_functions_and_not_what_they_call() -> None:
    class Counting(TorchFunctionMode):
        def __init__(self) -> None:
            self.names: list[str] = []

        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            self.names.append(func.__name__)
            return func(*args, **(kwargs or {}))

    x, layer = torch.randn(2, 3), torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.SELU(), torch.nn.LayerNorm(3))
    with Counting() as mode:
        y = F.softmax(layer(x), dim=1)
    assert mode.names == ["linear", "selu", "layer_norm", "softmax"]
    assert torch.equal(y, F.softmax(layer(x), dim=1))


def test_names_under_which_functions_are_known() -> None:
    for function in (F.relu, F.cross_entropy, F.max_pool2d, F.interpolate):
        assert function.__module__ == "rushlight.nn.functional"
        assert torch.overrides.resolve_name(function) == f"torch.nn.functional.{function.__name__}"
    assert torch.overrides.resolve_name(torch.add) == "torch.add"
