"""Operands of another dtype next to half types: they become numbers of the half type first, as in PyTorch."""

from __future__ import annotations

import pytest
import rushlight as torch

HALF = pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
OTHERS = pytest.mark.parametrize("wrap", [float, torch.tensor, lambda v: torch.tensor(v, dtype=torch.float64)])


@HALF
@OTHERS
@pytest.mark.parametrize("value", [0.1, 0.3, -0.7, 2.3])
def test_an_element_equals_the_number_it_was_made_of(dtype, wrap, value):
    x, other = torch.tensor([value, 100.0], dtype=dtype), wrap(value)
    assert (x == other).tolist() == [True, False]
    assert (x != other).tolist() == [False, True]
    assert (x >= other).tolist() == [True, True] and (x <= other).tolist() == [True, False]
    assert (x > other).tolist() == [False, True] and (x < other).tolist() == [False, False]
    assert (x - other)[0] == 0 and torch.rsub(x, other)[0] == 0
    assert torch.fmod(x, other)[0] == 0 and torch.remainder(x, other)[0] == 0


@HALF
def test_values_with_a_number(dtype):
    x = torch.tensor([0.3, 2.3], dtype=dtype)
    exact = torch.tensor(2.3, dtype=dtype).double()
    for function in (torch.add, torch.sub, torch.pow):
        assert torch.equal(function(x, 2.3), function(x.double(), exact).to(dtype))


@HALF
def test_factors_and_divisors_keep_their_digits(dtype):
    x = torch.tensor([0.1, 0.3, 2.3, 5.7, 11.1], dtype=dtype)
    for function in (torch.mul, torch.div, torch.floor_divide):
        single = function(x.float(), 0.1).to(dtype)
        assert torch.equal(function(x, 0.1), single)
        assert torch.equal(function(x, torch.tensor(0.1)), single)


@HALF
def test_integers_are_rounded_before_they_are_used(dtype):
    x, whole = torch.ones(2, dtype=dtype), torch.tensor([2049, 40001])
    assert torch.equal(x * whole, whole.to(dtype))
    assert torch.equal(torch.maximum(x, whole) == whole.to(dtype), torch.tensor([True, True]))


@HALF
def test_hardshrink_compares_with_the_rounded_limit(dtype):
    x = torch.tensor([0.3], dtype=dtype, requires_grad=True)
    y = torch.hardshrink(x, 0.3)
    y.backward()
    assert y.tolist() == [0.0] and x.grad.tolist() == [0.0]


def test_heaviside_wants_one_dtype():
    with pytest.raises(RuntimeError, match="not yet implemented for tensors with different dtypes"):
        torch.heaviside(torch.ones(2), torch.ones(2, dtype=torch.float64))
