"""A graph whose saved values were freed refuses another backward, whatever kind of operand was saved."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import rushlight as torch

SAVING: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "x * y": lambda x: x * torch.ones(3),
    "x * 2": lambda x: x * 2,
    "2 * x": lambda x: 2 * x,
    "x / 2": lambda x: x / 2,
    "mul_": lambda x: x.clone().mul_(2),
    "div_": lambda x: x.clone().div_(2),
    "x ** 2": lambda x: x**2,
    "exp": torch.exp,
}
FREE: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "x + 2": lambda x: x + 2,
    "2 - x": lambda x: 2 - x,
    "-x": lambda x: -x,
    "sum": torch.sum,
}


@pytest.mark.parametrize("name", SAVING)
def test_second_backward_raises_where_values_were_saved(name: str) -> None:
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = SAVING[name](x).sum()
    y.backward(retain_graph=True)
    y.backward()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        y.backward()


@pytest.mark.parametrize("name", FREE)
def test_second_backward_works_where_nothing_was_saved(name: str) -> None:
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = FREE[name](x).sum()
    y.backward()
    y.backward()
    assert x.grad is not None and (x.grad.abs() == 2).all()
