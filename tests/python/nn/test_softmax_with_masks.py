"""Softmax with masks, fused products and weight normalization, against recorded values of PyTorch 2.13."""

from __future__ import annotations

import math

import pytest
import rushlight as torch

INF, NAN = math.inf, math.nan
X = torch.arange(6.0).reshape(2, 3)
MASK = torch.tensor([[False, True, False], [True, True, True]])


def close(x: torch.Tensor, values: list, atol: float = 1e-4) -> bool:
    return torch.allclose(x.detach(), torch.tensor(values, dtype=x.dtype), atol=atol, rtol=0, equal_nan=True)


def test_safe_softmax() -> None:
    x = torch.tensor([[1.0, 2.0], [-INF, -INF]], requires_grad=True)
    result = torch._safe_softmax(x, 1)
    assert close(result, [[0.2689, 0.7311], [0, 0]])
    result.backward(torch.tensor([[1.0, 0.0], [1.0, 0.0]]))
    assert close(x.grad, [[0.1966, -0.1966], [0, 0]])
    assert torch._safe_softmax(torch.tensor([[1, 2]]), 1, torch.float64).dtype is torch.float64
    with pytest.raises(NotImplementedError, match="'Long'"):
        torch._safe_softmax(torch.tensor([[1, 2]]), 1)
    y = torch.randn(2, 3, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda y: torch._safe_softmax(y, 0), (y,))
    assert torch.autograd.gradgradcheck(lambda y: torch._safe_softmax(y, 0), (y,))


def test_masked_softmax() -> None:
    assert close(torch._masked_softmax(X, MASK), [[0.1192, 0, 0.8808], [NAN, NAN, NAN]])
    assert close(torch._masked_softmax(X, MASK, 0), [[1, NAN, 1], [0, NAN, 0]])
    padding = torch.tensor([[False, True, True], [False, False, True]])
    rows = torch._masked_softmax(torch.zeros(2, 2, 3, 3), padding, 3, 1)
    assert close(rows[0, 1], [[1, 0, 0]] * 3) and close(rows[1, 0], [[0.5, 0.5, 0]] * 3)
    causal = torch.ones(3, 3).triu(1).bool()
    assert close(torch._masked_softmax(torch.zeros(2, 2, 3, 3), causal, 3, 0)[1, 1, 1], [0.5, 0.5, 0])
    for mask, kind, message in (
        (X, None, "Mask should be a boolean tensor"),
        (MASK[0], None, "mask_type == 2 mask shape should match"),
    ):
        with pytest.raises(RuntimeError, match=message):
            torch._masked_softmax(X, mask, 1, kind)
    for kind, message in (None, "Mask Type should be defined"), (0, r"should be \(L, L\)"), (3, "should be 0"):
        with pytest.raises(RuntimeError, match=message):
            torch._masked_softmax(torch.zeros(2, 2, 3, 3), MASK, 3, kind)
    x = X.double().requires_grad_()
    assert torch.autograd.gradcheck(lambda x: torch._masked_softmax(x, MASK, 1)[0], (x,))


def test_addmm_activation() -> None:
    a = torch.tensor([1.0, -1.0, 0.0]), torch.ones(2, 2), -torch.ones(2, 3)
    assert close(torch._addmm_activation(*a), [[0, 0, 0]] * 2)
    assert close(
        a[0]._addmm_activation(*a[1:], beta=2, alpha=0.5, use_gelu=True), [[0.8413, -0.0041, -0.1587]] * 2, 6e-3
    )
    gelu = torch.nn.functional.gelu(torch.addmm(*a, beta=2, alpha=0.5))
    assert torch.equal(torch._addmm_activation(*a, beta=2, alpha=0.5, use_gelu=True), gelu)


def test_weight_norm_interface() -> None:
    g = torch.tensor([[1.0], [2.0]])
    scaled, norms = torch._weight_norm_interface(X, g, 0)
    assert close(scaled, [[0, 0.4472, 0.8944], [0.8485, 1.1314, 1.4142]]) and close(norms, [[2.2361], [7.0711]])
    assert torch._weight_norm_interface(X, g[:, 0])[1].shape == (2,)
    last = torch._weight_norm_interface(X, torch.tensor([[1.0, 2.0, 3.0]]), 1)
    assert close(last[0], [[0, 0.4851, 1.1142], [1, 1.9403, 2.7854]]) and close(last[1], [[3, 4.1231, 5.3852]])
    half = torch._weight_norm_interface(X.bfloat16(), g.bfloat16())
    assert half[0].dtype is torch.bfloat16 and half[1].dtype is torch.float32
    assert close(half[0].float(), [[0, 0.4473, 0.8945], [0.8477, 1.1328, 1.4141]])
    with pytest.raises(RuntimeError, match="first or last dim"):
        torch._weight_norm_interface(torch.zeros(2, 3, 4), g, 1)
    v, g = X.double().requires_grad_(), g.double().requires_grad_()
    assert not torch._weight_norm_interface(v, g)[1].requires_grad
    assert torch.autograd.gradcheck(lambda v, g: torch._weight_norm_interface(v, g)[0], (v, g))
