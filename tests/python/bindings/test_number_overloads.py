"""A 0-dim tensor is a number for some overloads: those for tensors must be asked first, or its dtype is lost."""

from __future__ import annotations

import pytest
import rushlight as torch

WIDE, NARROW = torch.tensor(1 << 40), torch.tensor(3, dtype=torch.int32)


@pytest.mark.parametrize("name", ["bitwise_and", "bitwise_or", "bitwise_xor"])
def test_bits_of_two_zero_dim_tensors_have_the_wider_dtype(name):
    function = getattr(torch, name)
    assert function(WIDE, NARROW).dtype == torch.int64
    assert function(NARROW, WIDE).dtype == torch.int64
    assert function(NARROW, 5).dtype == torch.int32 and function(5, NARROW).dtype == torch.int32


@pytest.mark.parametrize("name", ["less", "less_equal", "greater", "greater_equal", "not_equal"])
def test_comparisons_of_two_zero_dim_tensors_are_made_in_the_wider_dtype(name):
    half, single = torch.tensor(0.8203125, dtype=torch.bfloat16), torch.tensor(0.82177013)
    short = {"less": "lt", "less_equal": "le", "greater": "gt", "greater_equal": "ge", "not_equal": "ne"}[name]
    assert getattr(torch, name)(half, single) == getattr(torch, short)(half, single)
    assert torch.less(half, single)
