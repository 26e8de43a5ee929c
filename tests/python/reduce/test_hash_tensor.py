"""hash_tensor: the exclusive or of all bits, against recorded values of PyTorch 2.13."""

from __future__ import annotations

import math

import numpy as np
import pytest
import rushlight as torch


@pytest.mark.parametrize(
    ("x", "value"),
    [
        (torch.tensor([1.0, 2.0, 3.0]), 4609434218613702656),
        (torch.tensor(3.0), 4613937818241073152),
        (torch.tensor([1, 2, 3]), 0),
        (torch.tensor([1, 2, -3], dtype=torch.int8), 18446744073709551614),
        (torch.tensor([True, False]), 1),
        (torch.tensor([1, 2.5], dtype=torch.float16), 9219994337134247936),
        (torch.tensor([1, 2.5], dtype=torch.bfloat16), 9219994337134247936),
        (torch.tensor([[1.0, 2.0], [3.0, 4.0]]), 9216616637413720064),
        (torch.tensor([math.nan, -math.nan, -0.0]), 0),
    ],
)
def test_recorded(x: torch.Tensor, value: int) -> None:
    result = x.hash_tensor()
    assert result.dtype is torch.uint64 and result.shape == () and result.item() == value
    assert not torch.hash_tensor(x.double().requires_grad_()).requires_grad


@pytest.mark.parametrize("dim", [(), 0, 1, 2, (0, 2), (0, 1, 2)])
@pytest.mark.parametrize("keepdim", [False, True])
def test_dims_and_strides(dim, keepdim: bool) -> None:
    values = np.random.default_rng(0).standard_normal((40, 7, 33))
    axes = tuple(range(3)) if dim == () else dim
    expected = np.bitwise_xor.reduce(values.view(np.uint64), axis=axes, keepdims=keepdim)
    x = torch.from_numpy(values)
    for y in (x, x.permute(2, 0, 1).contiguous().permute(1, 2, 0)):
        assert (torch.hash_tensor(y, dim, keepdim=keepdim).numpy() == expected).all()
    out = torch.empty(0, dtype=torch.uint64)
    assert torch.hash_tensor(x, dim, keepdim=keepdim, out=out) is out and (out.numpy() == expected).all()


def test_errors() -> None:
    with pytest.raises(RuntimeError, match="Expected reduction dim to be specified"):
        torch.hash_tensor(torch.tensor([]))
    with pytest.raises(IndexError, match="reduction dim 0 to have non-zero size"):
        torch.hash_tensor(torch.zeros(0, 3), 0)
    assert torch.hash_tensor(torch.zeros(0, 3), 1).shape == (0,)
    with pytest.raises(NotImplementedError, match="'ComplexFloat'"):
        torch.hash_tensor(torch.tensor([1j]))
    with pytest.raises(RuntimeError, match="Unknown hash_tensor mode: 1"):
        torch.hash_tensor(torch.tensor([1.0]), mode=1)
    assert torch.hash_tensor(torch.ones(3, device="meta")).dtype is torch.uint64
