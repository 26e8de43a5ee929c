"""Operators that throw unless a condition holds."""

from __future__ import annotations

import pytest
import rushlight as torch


def test_conditions_that_hold() -> None:
    assert torch._assert_async(torch.tensor(True)) is None
    assert torch._assert_async(torch.tensor([2.0]), "unused") is None
    assert torch._assert_scalar(True, "unused") is None
    assert torch.sym_constrain_range(3, min=1) is None and torch.sym_constrain_range(3, max=3) is None
    assert torch.sym_constrain_range_for_size(3, min=1, max=3) is None
    assert torch._constrain_as_size(5, 2, 10) is None
    torch._check_tensor_all_with(ValueError, torch.tensor([True, True]))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: torch._assert_async(torch.tensor(0.0)), RuntimeError, "single nonzero value, but got zero"),
        (lambda: torch._assert_async(torch.tensor(False), "said so"), RuntimeError, "said so"),
        (lambda: torch._assert_async(torch.tensor([1, 2])), RuntimeError, "more than one value is ambiguous"),
        (lambda: torch._assert_async(torch.tensor([])), RuntimeError, "no values is ambiguous"),
        (lambda: torch._assert_scalar(0, "said so"), RuntimeError, "said so"),
        (lambda: torch.sym_constrain_range(3, min=1, max=2), RuntimeError, r"range for 3 between \[1, 2\]"),
        (lambda: torch.sym_constrain_range(3, min=5, max=2), RuntimeError, "Got min=5 max=2"),
        (lambda: torch.sym_constrain_range_for_size(3, max=2), RuntimeError, "must be greater than 2. got: 2"),
        (lambda: torch.sym_constrain_range_for_size(-1), RuntimeError, "Invalid value range for -1"),
        (lambda: torch._constrain_as_size(1, 2, 10), RuntimeError, r"range for 1 between \[2, 10\]"),
        (lambda: torch._check_tensor_all_with(ValueError, torch.tensor([False]), lambda: "m"), ValueError, "m"),
    ],
)
def test_conditions_that_do_not(call, error, message) -> None:
    with pytest.raises(error, match=message):
        call()
