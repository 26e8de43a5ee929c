"""Indexing by integers with a mask, against recorded values of PyTorch 2.13."""

from __future__ import annotations

import pytest
import rushlight as torch

X = torch.arange(6.0).reshape(2, 3)
ROWS, COLUMNS = torch.tensor([[0, -1], [0, 1]]), torch.tensor([0, 9])
MASK = torch.tensor([[True, False], [True, True]])


def test_values() -> None:
    assert torch.equal(torch._unsafe_index(X, [None, torch.tensor([0, -1])]), X[:, [0, -1]])
    assert torch._unsafe_index_put(X, [torch.tensor([0, 0])], torch.tensor(1.0), True).tolist() == [
        [2, 3, 4],
        [3, 4, 5],
    ]
    assert torch._unsafe_masked_index(X, MASK, [ROWS, COLUMNS], 7).tolist() == [[0, 7], [0, 5]]
    added = torch._unsafe_masked_index_put_accumulate(X, MASK, [ROWS, COLUMNS], torch.tensor([[10.0, 20], [30, 40]]))
    assert added.tolist() == [[40, 1, 2], [3, 4, 45]]


def test_derivatives() -> None:
    x = X.double().requires_grad_()
    values = torch.randn(2, 2, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: torch._unsafe_masked_index(x, MASK, [ROWS, COLUMNS], 7), (x,))
    assert torch.autograd.gradcheck(
        lambda x, v: torch._unsafe_masked_index_put_accumulate(x, MASK, [ROWS, COLUMNS], v), (x, values)
    )


def test_errors() -> None:
    with pytest.raises(RuntimeError, match="_unsafe_index found unexpected index type Bool"):
        torch._unsafe_index(X, [torch.tensor([True, False])])
    with pytest.raises(RuntimeError, match="_unsafe_masked_index found unexpected index type Float"):
        torch._unsafe_masked_index(X, MASK, [torch.zeros(2, 2)], 0)
    with pytest.raises(IndexError, match="index 5 is out of bounds"):
        torch._unsafe_index(X, [torch.tensor([0, 5])])
