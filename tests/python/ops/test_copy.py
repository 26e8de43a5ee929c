"""Copies in place: what is overwritten gets no gradient."""

from __future__ import annotations

import pytest
import rushlight as torch

WRITES = {
    "copy_": lambda y: y.copy_(torch.zeros(3, 2)),
    "slice": lambda y: y.__setitem__(slice(0, 2), torch.zeros(2, 2)),
    "copy_ of a view": lambda y: y[:2].copy_(torch.zeros(2, 2)),
    "fill_": lambda y: y[:2].fill_(torch.tensor(1.0)),
}


@pytest.mark.parametrize("name", WRITES)
def test_a_source_without_gradient_ends_the_history(name: str) -> None:
    x = torch.ones(3, 2, requires_grad=True)
    y = x.clone()
    WRITES[name](y)
    (y * 3).sum().backward()
    kept = 0 if name == "copy_" else 1
    assert x.grad.tolist() == [[0, 0]] * 2 + [[3 * kept, 3 * kept]]


def test_both_sides_have_a_gradient() -> None:
    x, source = torch.ones(3, requires_grad=True), torch.ones(2, requires_grad=True)
    y = x * 2
    y[:2] = source * 5
    y.sum().backward()
    assert x.grad.tolist() == [0, 0, 2] and source.grad.tolist() == [5, 5]


def test_diagonal_of_a_view_that_begins_inside_its_memory():
    memory = torch.zeros(10)
    memory[3:7].view(2, 2).fill_diagonal_(1)
    assert memory.tolist() == [0, 0, 0, 1, 0, 0, 1, 0, 0, 0]
    memory = torch.zeros(24)
    memory[2:10].view(4, 2).fill_diagonal_(1, wrap=True)
    assert memory[2:10].view(4, 2).tolist() == [[1, 0], [0, 1], [0, 0], [1, 0]]
    assert memory.sum() == 3


def test_contiguous_clones_have_fresh_strides():
    x = torch.empty_strided((1, 3), (7, 1)).zero_()
    assert x.clone().stride() == (7, 1)
    assert x.clone(memory_format=torch.contiguous_format).stride() == (3, 1)
    assert torch.narrow_copy(x, 0, 0, 1).stride() == (3, 1) and torch.diag(x).stride() == (1,)
