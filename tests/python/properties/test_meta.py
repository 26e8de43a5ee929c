"""Meta tensors: every operator that is more than a composition of others gives the shape, dtype and strides of its CPU result.

Calls come from the cases for values, from the samples for derivatives (each operator that they call is called again
with meta tensors) and from a table of the rest. An operator that needs the values of its operands, or whose result
differs, stands below with the reason; a list with a superfluous name fails.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import rushlight as torch
from calls import catalogue, function_of, identity, unwrap
from meta_table import CALLED, CREATED
from recorded_calls import Invocation, Recorded
from steady import Steady
from test_derivatives import CASES, MAKERS

OPERATORS = {
    identity(operator): operator for operator in catalogue()
    if operator.kind != "composite" and operator.family != "sparse" and not operator.number
}  # fmt: skip
SEEDS = (0, 1, 2)
SIZE = "the size of the result depends on the values"
READ = "a number is read out of a tensor"
VALUE = "the result is a Python value"
REFUSED = {
    **dict.fromkeys(("nonzero", "index.Tensor", "masked_select", "bincount", "unique_dim", "unique_consecutive"), SIZE),
    **dict.fromkeys(("unique_dim_consecutive", "_unique2", "repeat_interleave.Tensor"), SIZE),
    **dict.fromkeys(("allclose", "equal"), VALUE),
    "histc": "its range depends on the values",
    **dict.fromkeys((f"{name}.{form}" for name in ("linspace", "logspace") for form in ("Tensor_Tensor", "Tensor_Scalar", "Scalar_Tensor")), READ),
    "randint_like.Tensor": READ,
    "_fused_moving_avg_obs_fq_helper": READ,
    "_fake_quantize_per_tensor_affine_cachemask_tensor_qparams": READ,
    "_fake_quantize_learnable_per_tensor_affine": READ,
}

DTYPE = dict.fromkeys(("_scaled_dot_product_flash_attention_for_cpu", "_fused_moving_avg_obs_fq_helper"), torch.float32)


def on_meta(value: Any) -> Any:
    """The value with meta tensors in the place of others."""
    if isinstance(value, torch.Tensor):
        return torch.empty_strided(value.shape, value.stride(), dtype=value.dtype, device="meta") if value.layout is torch.strided else value
    if type(value) in (list, tuple):
        return type(value)(on_meta(item) for item in value)
    return value


def tensors_of(result: Any) -> Iterator[torch.Tensor]:
    if isinstance(result, torch.Tensor):
        yield result
    elif isinstance(result, (tuple, list)):
        for part in result:
            yield from tensors_of(part)


def described(result: Any) -> list[tuple[Any, ...]]:
    """Shape, dtype and the strides that matter of each tensor."""
    return [
        (tuple(t.shape), t.dtype, tuple(step for step, n in zip(t.stride(), t.shape) if n > 1 and t.numel()))
        for t in tensors_of(result)
    ]


def compare(name: str, invocation: Invocation) -> None:
    function, args, kwargs = invocation
    abstract = function(*on_meta(args), **{key: on_meta(value) for key, value in kwargs.items()})
    torch.manual_seed(0)
    concrete = function(*args, **kwargs)
    assert all(tensor.is_meta for tensor in tensors_of(abstract))
    assert described(abstract) == described(concrete), f"{name}{args} {kwargs}"


def from_case(name: str, seed: int) -> Invocation:
    operator, call = OPERATORS[name], CASES[name](Steady(seed, None))
    function = call.via or (getattr(torch.Tensor, operator.name) if operator.inplace_only else function_of(operator))
    return function, tuple(unwrap(a) for a in call.args), {key: unwrap(value) for key, value in call.kwargs.items()}


def invocations(name: str) -> Iterator[Invocation]:
    if name in CALLED:
        function, *args = CALLED[name]
        yield function, tuple(args), {}
    elif name in CASES:
        yield from (from_case(name, seed) for seed in SEEDS)
    else:
        function, *tensors = MAKERS[name](Steady(0, torch.float64))
        tensors = [tensor.to(DTYPE.get(name, tensor.dtype)) for tensor in tensors]
        if not OPERATORS[name].names and name.split("_")[-1] in ("backward", "forward"):  # called by a derivative alone
            yield function, tuple(tensors), {}
            return
        with Recorded() as mode:
            function(*tensors)
        yield from mode.calls


KNOWN = CALLED.keys() | CASES.keys() | MAKERS.keys()


@pytest.mark.parametrize("name", [name for name in OPERATORS if name in KNOWN])
def test_meta_result(name: str) -> None:
    calls = list(invocations(name))
    assert calls
    if name in REFUSED:
        with pytest.raises((RuntimeError, NotImplementedError)):
            for invocation in calls:
                compare(name, invocation)
        return
    for invocation in calls:
        compare(name, invocation)


@pytest.mark.parametrize("name", CREATED)
def test_made_on_meta(name: str) -> None:
    function, *args = CREATED[name]
    abstract, concrete = function(*args, device="meta"), function(*args)
    assert abstract.is_meta and described(abstract) == described(concrete)


def test_every_operator_has_a_call_or_a_reason() -> None:
    missing = [
        name for name, operator in OPERATORS.items()
        if operator.names and name not in KNOWN | CREATED.keys() and "generator" not in name
    ]  # fmt: skip
    assert not missing
