"""Numbers in the place of symbolic ones, futures of functions, and subnormal numbers."""

from __future__ import annotations

import math

import rushlight as torch


def test_functions_of_numbers() -> None:
    assert torch._sym_sqrt(4) == 2 and torch._sym_log2(8) == 3
    for name in "sin cos tan asin acos atan sinh cosh tanh".split():
        assert getattr(torch, f"_sym_{name}")(0.5) == getattr(math, name)(0.5)


def test_fork_and_wait() -> None:
    assert torch.wait(torch.fork(lambda x, y: x + y, torch.ones(2), y=1)).tolist() == [2, 2]
    assert torch.thread_safe_generator() is None


def test_flush_denormal_reaches_all_threads() -> None:
    x = torch.full((2_000_000,), 1e-39)
    assert torch.set_flush_denormal(True) is True
    try:
        assert not (x * 1).any().item()
    finally:
        torch.set_flush_denormal(False)
    assert (x * 1).all().item()
