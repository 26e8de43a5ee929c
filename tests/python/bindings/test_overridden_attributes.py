"""Attributes and hand-written methods of subclasses go through __torch_function__, as operators do."""

from __future__ import annotations

from typing import Any

import pytest
import rushlight as torch
from rushlight.overrides import TorchFunctionMode, resolve_name


class Recording(torch.Tensor):
    """Remembers the names of the functions that were called with it."""

    calls: list[str] = []

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        Recording.calls.append(resolve_name(func))
        return super().__torch_function__(func, types, args, kwargs or {})


@pytest.fixture
def recording() -> torch.Tensor:
    made = torch.tensor([[1.0, 2.0], [3.0, 4.0]]).as_subclass(Recording)
    Recording.calls = []
    return made


@pytest.mark.parametrize(
    "attribute", "shape dtype device ndim requires_grad is_leaf grad T mT H mH real data is_sparse".split()
)
def test_reading_an_attribute(recording: torch.Tensor, attribute: str) -> None:
    value = getattr(recording, attribute)
    assert Recording.calls == [f"torch.Tensor.{attribute}.__get__"]
    if isinstance(value, torch.Tensor):
        assert type(value) is Recording


def test_writing_an_attribute(recording: torch.Tensor) -> None:
    recording.requires_grad = True
    assert Recording.calls == ["torch.Tensor.requires_grad.__set__"]
    assert recording.as_subclass(torch.Tensor).requires_grad


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("size", lambda x: x.size(0)),
        ("stride", lambda x: x.stride(dim=1)),
        ("dim", lambda x: x.dim()),
        ("numel", lambda x: x.numel()),
        ("detach", lambda x: x.detach()),
        ("requires_grad_", lambda x: x.requires_grad_(requires_grad=False)),
        ("is_contiguous", lambda x: x.is_contiguous()),
        ("tolist", lambda x: x.tolist()),
        ("__len__", len),
        ("__contains__", lambda x: 1.0 in x),
    ],
)
def test_methods(recording: torch.Tensor, name: str, call: Any) -> None:
    result = call(recording)
    assert Recording.calls == [f"torch.Tensor.{name}"]
    if isinstance(result, torch.Tensor):
        assert type(result) is Recording
    else:
        assert result == call(recording.as_subclass(torch.Tensor))


@pytest.mark.parametrize(
    ("name", "convert"), [("__bool__", bool), ("__int__", int), ("__float__", float), ("item", None)]
)
def test_conversions_to_numbers(name: str, convert: Any) -> None:
    one = torch.tensor(1.0).as_subclass(Recording)
    Recording.calls = []
    assert (convert(one) if convert else one.item()) == 1
    assert Recording.calls == [f"torch.Tensor.{name}"]


def test_an_override_decides_the_answer() -> None:
    class Larger(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            if func is torch.Tensor.__len__:
                return 7
            if func == torch.Tensor.shape.__get__:
                return "large"
            return super().__torch_function__(func, types, args, kwargs or {})

    x = torch.ones(2).as_subclass(Larger)
    assert len(x) == 7 and x.shape == "large" and x.ndim == 1


def test_a_mode_sees_attributes() -> None:
    seen: list[str] = []

    class Seeing(TorchFunctionMode):
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            seen.append(resolve_name(func))
            return func(*args, **(kwargs or {}))

    x = torch.ones(2, 2)
    with Seeing():
        x.T, x.detach(), torch.add(x, 1), torch.linalg.inv(x + torch.eye(2))  # noqa: B018
    assert seen == [
        "torch.Tensor.T.__get__",
        "torch.Tensor.detach",
        "torch.add",
        "torch.eye",
        "torch.Tensor.add",
        "torch.linalg.inv",
    ]


def test_classes_that_do_not_override_pay_nothing() -> None:
    parameter = torch.nn.Parameter(torch.ones(2, 2))
    assert type(parameter.T) is torch.Tensor and type(parameter.data) is torch.Tensor
