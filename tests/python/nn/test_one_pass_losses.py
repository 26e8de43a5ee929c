"""Losses that are reduced in one pass agree with their elements, and their derivatives with the recorded ones."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import rushlight as torch
import rushlight.nn.functional as F
from rushlight.autograd import gradcheck, gradgradcheck

LOSSES: dict[str, Callable[..., torch.Tensor]] = {
    "mse": F.mse_loss,
    "smooth_l1": F.smooth_l1_loss,
    "smooth_l1_beta": lambda x, y, **k: F.smooth_l1_loss(x, y, beta=0.3, **k),
    "huber": lambda x, y, **k: F.huber_loss(x, y, delta=0.7, **k),
    "logits": F.binary_cross_entropy_with_logits,
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("n", [1, 15, 17, 4096, 4111, 70001])
@pytest.mark.parametrize("name", LOSSES)
def test_sum_and_mean_are_those_of_the_elements(name: str, n: int, dtype: torch.dtype) -> None:
    loss = LOSSES[name]
    x, y = torch.randn(n, dtype=dtype) * 3, torch.rand(n, dtype=dtype)
    each = loss(x, y, reduction="none").double()
    assert torch.allclose(loss(x, y, reduction="sum").double(), each.sum(), rtol=3e-7)
    assert torch.allclose(loss(x, y, reduction="mean").double(), each.mean(), rtol=3e-7)


@pytest.mark.parametrize("reduction", ["sum", "mean"])
@pytest.mark.parametrize("name", LOSSES)
def test_gradient_is_the_recorded_one(name: str, reduction: str) -> None:
    loss = LOSSES[name]
    x = (torch.randn(37, 9) * 3).requires_grad_()
    y = torch.rand(37, 9).requires_grad_(name != "logits")
    leaves = [x, y] if y.requires_grad else [x]
    plain = torch.autograd.grad(loss(x, y, reduction=reduction) * 1.7, leaves)
    recorded = torch.autograd.grad(loss(x, y, reduction=reduction) * 1.7, leaves, create_graph=True)
    for a, b in zip(plain, recorded):
        assert not a.requires_grad and torch.allclose(a, b, rtol=1e-5, atol=1e-7)
    transposed = torch.autograd.grad(loss(x.t(), y.t(), reduction=reduction) * 1.7, leaves)
    for a, b in zip(plain, transposed):
        assert torch.allclose(a, b, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("name", LOSSES)
def test_first_and_second_derivatives(name: str) -> None:
    x = torch.randn(5, dtype=torch.float64, requires_grad=True)
    y = torch.rand(5, dtype=torch.float64)
    assert gradcheck(lambda x: LOSSES[name](x, y), (x,))
    assert gradgradcheck(lambda x: LOSSES[name](x, y), (x,))


@pytest.mark.parametrize("name", LOSSES)
def test_nan_and_large_inputs(name: str) -> None:
    x = torch.tensor([float("nan"), 1.0], requires_grad=True)
    loss = LOSSES[name](x, torch.zeros(2), reduction="sum")
    loss.backward()
    assert loss.isnan() and x.grad[0].isnan() and not x.grad[1].isnan()
    x = torch.tensor([100.0, -100.0], requires_grad=True)
    loss = LOSSES[name](x, torch.tensor([0.0, 1.0]), reduction="sum")
    loss.backward()
    assert loss.isfinite() and x.grad.isfinite().all()


def test_loss_does_not_depend_on_the_number_of_threads() -> None:
    x, y = torch.randn(300_001), torch.rand(300_001)
    before = torch.get_num_threads()
    results = []
    for threads in (1, 2, 3):
        torch.set_num_threads(threads)
        results.append([loss(x, y).item() for loss in LOSSES.values()])
    torch.set_num_threads(before)
    assert results[0] == results[1] == results[2]
