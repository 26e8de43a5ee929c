"""Tensors of two devices in one call; derivatives that nobody has; erf where it is 1."""

from __future__ import annotations

import pytest
import rushlight as torch

F = torch.nn.functional
X, SHAPE = torch.ones(3, 3), torch.ones(3, 3, device="meta")
INDEX, SHAPES = torch.zeros(3, dtype=torch.int64), torch.zeros(3, dtype=torch.int64, device="meta")
CALLS = {
    "add": lambda: X + SHAPE,
    "mul_": lambda: X.clone().mul_(SHAPE),
    "mm": lambda: X.mm(SHAPE),
    "matmul": lambda: SHAPE @ X,
    "linear": lambda: F.linear(X, SHAPE),
    "addmm": lambda: torch.addmm(X, SHAPE, X),
    "cat": lambda: torch.cat([X, SHAPE]),
    "stack": lambda: torch.stack([X, SHAPE]),
    "index_select": lambda: X.index_select(0, SHAPES),
    "gather": lambda: X.gather(0, SHAPES.unsqueeze(0)),
    "index": lambda: X[SHAPES],
    "index_put_": lambda: X.clone().index_put_((SHAPES,), X),
    "embedding": lambda: F.embedding(SHAPES, X),
    "conv1d": lambda: F.conv1d(X.unsqueeze(0), SHAPE.unsqueeze(0)),
    "where": lambda: torch.where(X > 0, X, SHAPE),
    "layer_norm": lambda: F.layer_norm(X, (3,), torch.ones(3, device="meta")),
    "cross_entropy": lambda: F.cross_entropy(X, SHAPES),
    "scatter_add_": lambda: X.clone().scatter_add_(0, INDEX.unsqueeze(0), SHAPE),
    "dot": lambda: X[0].dot(SHAPE[0]),
    "solve": lambda: torch.linalg.solve(X, SHAPE),
    "scaled_dot_product_attention": lambda: F.scaled_dot_product_attention(X[None], SHAPE[None], X[None]),
}


OUT = torch.zeros(3, 3)
CALLS |= {
    "add out": lambda: torch.add(X, SHAPE, out=OUT),
    "exp out": lambda: torch.exp(SHAPE, out=OUT),
    "mul to meta": lambda: torch.mul(X, X, out=torch.ones(3, 3, device="meta")),
    "where out": lambda: torch.where(X > 0, X, SHAPE, out=OUT),
    "mm out": lambda: torch.mm(SHAPE, SHAPE, out=OUT),
    "number add_": lambda: torch.tensor(1.0).add_(torch.ones((), device="meta")),
}


@pytest.mark.parametrize("name", CALLS)
def test_two_devices_are_refused(name: str) -> None:
    with pytest.raises((RuntimeError, NotImplementedError), match="device|meta"):
        CALLS[name]()


def test_numbers_and_indices_of_the_cpu_may_stand_beside_meta() -> None:
    one = torch.tensor(2.0)
    for result in (SHAPE * one, one + SHAPE, SHAPE.clamp(max=one), SHAPE[INDEX], SHAPE.masked_fill(SHAPE > 0, one)):
        assert result.is_meta and result.shape == (3, 3)


@pytest.mark.parametrize("name", ["igamma", "igammac"])
def test_missing_derivatives_are_errors(name: str) -> None:
    a, x = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)
    getattr(torch, name)(a.detach(), x).sum().backward()
    assert x.grad is not None
    with pytest.raises(NotImplementedError, match=f"the derivative for '{name}: self' is not implemented"):
        getattr(torch, name)(a, x).sum().backward()


def test_erf_reaches_one() -> None:
    x = torch.tensor([3.83, 3.9, 3.9199, 3.93, 4.0, 9.0, 1e30, float("inf")] * 3)
    assert torch.equal(x[3:8].erf(), torch.ones(5)) and torch.equal(x[3:8].neg().erf(), -torch.ones(5))
    wide = x.double().erf()
    assert ((x.erf() - wide).abs() <= 6e-8).all()
    assert F.gelu(torch.tensor([-350.0, -20.0])).tolist() == [0.0, 0.0]
