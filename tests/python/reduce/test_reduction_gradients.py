"""Subgradients: zeros in products, ties, norms at zero; second derivatives of fused kernels."""

from __future__ import annotations

import pytest
import rushlight as torch
from rushlight.autograd import gradcheck, gradgradcheck


def gradient(compute, values: list[float]) -> list[float]:
    x = torch.tensor(values, dtype=torch.float64, requires_grad=True)
    compute(x).sum().backward()
    return x.grad.tolist()


def test_product_with_zeros() -> None:
    assert gradient(torch.prod, [2, 0, 3]) == [0, 6, 0]
    assert gradient(torch.prod, [0, 0, 3]) == [0, 0, 0]
    assert gradient(lambda x: x.cumprod(0), [2, 0, 3]) == [1, 8, 0]


def test_ties() -> None:
    assert gradient(lambda x: x.amax(0), [1, 3, 3]) == [0, 0.5, 0.5]
    assert gradient(lambda x: x.max(0)[0], [1, 3, 3]) == [0, 1, 0]
    assert gradient(torch.max, [1, 3, 3]) == [0, 0.5, 0.5]


@pytest.mark.parametrize("order", [1, 2, 3, float("inf")])
def test_norm_at_zero(order: float) -> None:
    assert gradient(lambda x: torch.linalg.vector_norm(x, order), [0, 0]) == [0, 0]


def leaf(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, dtype=torch.float64, requires_grad=True)


CASES = {
    "softmax": (lambda x: torch.softmax(x, 1), lambda: (leaf(3, 4),)),
    "log_softmax": (lambda x: torch.log_softmax(x, 0), lambda: (leaf(3, 4),)),
    "layer_norm": (lambda x, w, b: torch.layer_norm(x, (4,), w, b), lambda: (leaf(3, 4), leaf(4), leaf(4))),
    "rms_norm": (lambda x, w: torch.rms_norm(x, (4,), w), lambda: (leaf(3, 4), leaf(4))),
    "group_norm": (lambda x, w, b: torch.group_norm(x, 2, w, b), lambda: (leaf(2, 4, 3), leaf(4), leaf(4))),
    "batch_norm": (
        lambda x, w, b: torch.batch_norm(x, w, b, None, None, True, 0.1, 1e-5, False),
        lambda: (leaf(3, 2, 3), leaf(2), leaf(2)),
    ),
    "cross_entropy": (
        lambda x: torch.nn.functional.cross_entropy(x, torch.tensor([1, 0, 2])),
        lambda: (leaf(3, 4),),
    ),
    "prod": (lambda x: x.prod(1), lambda: (leaf(3, 4),)),
    "var": (lambda x: x.var(1), lambda: (leaf(3, 4),)),
    "std": (lambda x: x.std(), lambda: (leaf(3, 4),)),
    "logcumsumexp": (lambda x: x.logcumsumexp(1), lambda: (leaf(3, 4),)),
    "cumprod": (lambda x: x.cumprod(1), lambda: (leaf(3, 4),)),
    "sort": (lambda x: x.sort(1)[0], lambda: (leaf(3, 4),)),
    "cdist": (torch.cdist, lambda: (leaf(3, 4), leaf(2, 4))),
}


@pytest.mark.parametrize("name", CASES)
def test_derivatives(name: str) -> None:
    torch.manual_seed(0)
    function, inputs = CASES[name]
    assert gradcheck(function, inputs())
    assert gradgradcheck(function, inputs())


def test_running_product_of_one_element_passes_its_gradient() -> None:
    x = torch.tensor([[2.0, -float("inf"), 0.0]], requires_grad=True)
    assert torch.autograd.grad(x.cumprod(0).sum(), x)[0].tolist() == [[1.0, 1.0, 1.0]]
