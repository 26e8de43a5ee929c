"""The derivative of every operator that has one, against differences, its own derivative, and itself taken forward.

Operators come from the catalogue and their inputs from the cases for values or from the derivative tables. An operator
that cannot be checked stands in a list below with the reason; a name that is there without need fails.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import derivative_image_table
import derivative_table
import index_table
import pytest
import reduce_table
import rushlight as torch
import scan_table
import shape_table
import sort_table
import test_pointwise_properties
from calls import Case, catalogue, function_of, identity, unwrap
from operands import Operand
from recorded_calls import Recorded
from rushlight.autograd.gradcheck import GradcheckError
from steady import Steady

CASES: dict[str, Case] = test_pointwise_properties.TABLE | reduce_table.TABLE | scan_table.TABLE | index_table.TABLE | sort_table.TABLE | shape_table.TABLE
MAKERS = derivative_table.MAKERS | derivative_image_table.MAKERS
EVERY = {identity(operator): operator for operator in catalogue() if not operator.number}
OPERATORS = {name: operator for name, operator in EVERY.items() if operator.recorded}
SEEDS = (0, 1)

UNTESTED: dict[str, str] = {
    "_standard_gamma": "the derivative is that of the distribution, not of the path by which a seed leads to a number",
    "normal.Tensor_float": "PyTorch defines the derivative as zero",
    "normal.float_Tensor": "PyTorch defines the derivative as zero",
    "normal.Tensor_Tensor": "PyTorch defines the derivative as zero",
    "_scaled_dot_product_flash_attention_for_cpu": "float32 only",
    "_scaled_mm": "PyTorch has no derivative",
    **{name: "passes gradients straight through a step" for name in OPERATORS if "fake_quantize" in name},
    "_fused_moving_avg_obs_fq_helper": "passes gradients straight through a step",
}
FIRST_REFUSED = ("igamma", "igammac")  # have no derivative in their first operand

Sample = tuple[Callable[..., Any], list[torch.Tensor]]


def from_case(name: str, draw: Steady) -> Sample:
    """The call of a value case as a function of the operands that have a derivative."""
    operator, call = EVERY[name], CASES[name](draw)
    args: list[Any] = list(call.args)
    listed = {parameter.name for parameter in operator.differentiable or operator.tensors}  # all of a composite one
    wanted = [call.via is not None or i >= len(operator.parameters) or operator.parameters[i].name in listed for i in range(len(args))]
    tensors: list[torch.Tensor] = []

    def take(value: Any, differentiated: bool) -> Any:
        if isinstance(value, Operand):
            if differentiated and value.dtype in (torch.float64, torch.complex128):
                tensors.append(value.tensor)
                return len(tensors) - 1, None
            return value.tensor
        if isinstance(value, (list, tuple)) and any(isinstance(item, Operand) for item in value):
            return [take(item, differentiated) for item in value]
        return value

    taken = [take(value, want) for value, want in zip(args, wanted)]
    kwargs = {key: value.tensor if isinstance(value, Operand) else value for key, value in call.kwargs.items()}
    function = call.via or function_of(operator)
    in_place = operator.inplace_only and not call.via

    def put(value: Any, given: tuple[Any, ...]) -> Any:
        if isinstance(value, tuple) and len(value) == 2 and value[1] is None and isinstance(value[0], int):
            return given[value[0]]
        return [put(item, given) for item in value] if isinstance(value, list) else value

    def call_again(*given: Any) -> Any:
        first, *rest = (put(value, given) for value in taken)
        if in_place:
            return getattr(first.clone(), operator.name)(*rest, **kwargs)
        return function(first, *rest, **kwargs)

    return call_again, tensors


def in_place(name: str, dtype: torch.dtype, seed: int) -> tuple[Sample, Sample] | None:
    """The call of a value case as it is, and the same in place on a copy of its first operand, where there is that form."""
    operator = EVERY[name]
    homes = (torch.Tensor, torch, torch._C._nn)
    method = next((getattr(home, operator.name + "_") for home in homes if hasattr(home, operator.name + "_")), None)
    call = CASES[name](Steady(seed, dtype))
    first = call.args[0]
    if not (operator.inplace and method and call.forms and isinstance(first, Operand) and first.dtype is dtype and call.via is None):
        return None
    function, tensors = from_case(name, Steady(seed, dtype))
    given = tuple(unwrap(argument) for argument in call.args[1:])
    kwargs = {key: unwrap(value) for key, value in call.kwargs.items()}
    result = function(*tensors)
    if not isinstance(result, torch.Tensor) or result.shape != first.tensor.shape or result.dtype is not dtype:
        return None
    rest = [tensor.detach().clone().requires_grad_() for tensor in tensors[1:]]  # so that `self` is saved for them
    given = tuple(next((one for one, t in zip(rest, tensors[1:]) if t is value), value) for value in given)
    direct = (lambda x: function(x, *rest), [first.tensor])
    return direct, (lambda x: method(x * 1, *given, **kwargs), [first.tensor])


def samples(name: str, dtype: torch.dtype) -> list[Sample]:
    """Calls of an operator in that dtype; none if it does not take the dtype."""
    found = []
    for seed in SEEDS:
        draw = Steady(seed, dtype)
        if name in MAKERS:
            function, *tensors = MAKERS[name](draw)
        else:
            function, tensors = from_case(name, draw)
        if any(tensor.dtype is dtype for tensor in tensors):
            found.append((function, tensors))
    return found


def ready(sample: Sample) -> tuple[Callable[..., Any], tuple[torch.Tensor, ...]]:
    function, tensors = sample
    return function, tuple(tensor.detach().clone().requires_grad_() for tensor in tensors)


def transposed_forward(function: Callable[..., Any], tensors: tuple[torch.Tensor, ...]) -> None:
    """<v, J u> computed forward is <J^H v, u> computed backward."""
    directions = [torch.randn(t.shape, dtype=t.dtype) for t in tensors]
    with torch.autograd.forward_ad.dual_level():
        duals = [torch.autograd.forward_ad.make_dual(t.detach(), u) for t, u in zip(tensors, directions)]
        tangents = [torch.autograd.forward_ad.unpack_dual(out).tangent for out in outputs_of(function(*duals))]
    outputs = outputs_of(function(*tensors))
    weights = [torch.randn(out.shape, dtype=out.dtype) for out in outputs]
    recorded = [(out, weight) for out, weight in zip(outputs, weights) if out.requires_grad]
    gradients = torch.autograd.grad([o for o, _ in recorded], tensors, [w for _, w in recorded], allow_unused=True) if recorded else []
    forward = sum(float((w.conj() * t).sum().real) for w, t in zip(weights, tangents) if t is not None)
    backward = sum(float((g.conj() * u).sum().real) for g, u in zip(gradients, directions) if g is not None)
    assert forward == pytest.approx(backward, rel=1e-9, abs=1e-9)


def outputs_of(result: Any) -> list[torch.Tensor]:
    parts = result if isinstance(result, (tuple, list)) else (result,)
    return [part for part in parts if isinstance(part, torch.Tensor) and (part.dtype.is_floating_point or part.dtype.is_complex)]


def check(name: str) -> None:
    real = samples(name, torch.float64)
    assert real or samples(name, torch.complex128)
    for sample in real + samples(name, torch.complex128):
        function, tensors = ready(sample)
        torch.manual_seed(0)
        torch.autograd.gradcheck(function, tensors, fast_mode=True, check_undefined_grad=False)
        transposed_forward(function, tensors)
        torch.autograd.gradgradcheck(function, tensors, fast_mode=True)


@pytest.mark.parametrize("name", [name for name in OPERATORS if name in MAKERS or name in CASES])
def test_derivative(name: str) -> None:
    if name not in UNTESTED:
        return check(name)
    with pytest.raises((GradcheckError, RuntimeError)):
        check(name)
    return None


@pytest.mark.parametrize("name", [name for name, operator in EVERY.items() if name in CASES and operator.inplace and name not in FIRST_REFUSED])
@pytest.mark.parametrize("dtype", [torch.float64, torch.complex128], ids=str)
def test_derivative_in_place(name: str, dtype: torch.dtype) -> None:
    """The in-place form has a recording of its own; its derivative equals that of the other form, which is checked above."""
    for both in (in_place(name, dtype, seed) for seed in range(4)):
        gradients = []
        for function, tensors in both or ():
            x = tensors[0].detach().clone().requires_grad_()
            result = function(x)
            weight = torch.linspace(1, 2, result.numel(), dtype=torch.float64).reshape(result.shape).to(dtype)
            found = torch.autograd.grad(result, x, weight, allow_unused=True)[0] if result.requires_grad else None
            gradients.append(torch.zeros_like(x) if found is None else found)
        if gradients:
            torch.testing.assert_close(*gradients)


@pytest.mark.parametrize("name", [name for name in OPERATORS if OPERATORS[name].multiple and name not in UNTESTED])
def test_each_output_alone(name: str) -> None:
    """A gradient may arrive at any one of several outputs."""
    (function, tensors), *_ = samples(name, torch.float64) or samples(name, torch.complex128)
    with Recorded() as mode:
        function(*tensors)
    for called, args, kwargs in mode.calls:
        leaves = [value.requires_grad_() for value in args if isinstance(value, torch.Tensor) and value.dtype in (torch.float64, torch.complex128)]
        for output in outputs_of(called(*args, **kwargs)):
            if output.requires_grad:
                found = torch.autograd.grad(output, leaves, torch.ones_like(output), allow_unused=True, retain_graph=True)
                assert all(gradient is None or gradient.shape == leaf.shape for gradient, leaf in zip(found, leaves))


def test_every_derivative_has_a_sample_or_a_reason() -> None:
    missing = [name for name in OPERATORS if name not in MAKERS and name not in CASES]
    assert not missing and set(UNTESTED) <= set(OPERATORS)
