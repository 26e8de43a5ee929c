"""Derivatives through float8 and complex32: gradients take the dtype of each tensor on their way."""

from __future__ import annotations

import pytest
import rushlight as torch

FORMATS = [torch.float8_e4m3fn, torch.float8_e5m2]


@pytest.mark.parametrize("dtype", FORMATS)
def test_a_conversion_passes_the_gradient_through_its_format(dtype: torch.dtype) -> None:
    x = torch.tensor([1.1, 2.3, 500.0], requires_grad=True)
    weights = torch.tensor([1.0, 2.0, 3.3])
    (x.to(dtype).to(torch.float32) * weights).sum().backward()
    assert x.grad.tolist() == weights.to(dtype).float().tolist()


@pytest.mark.parametrize("dtype", [*FORMATS, torch.complex32])
def test_a_leaf_has_a_gradient_of_its_dtype(dtype: torch.dtype) -> None:
    x = torch.ones(2).to(dtype).requires_grad_()
    torch.real((x.to(torch.complex64) * 2).sum()).backward()
    assert x.grad.dtype == dtype and x.grad.tolist() == [2, 2]


@pytest.mark.parametrize("dtype", [*FORMATS, torch.complex32])
def test_an_element_taken_twice_gets_both_gradients(dtype: torch.dtype) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    x.to(dtype)[torch.tensor([1, 1, 0])].to(torch.complex64).real.sum().backward()
    assert x.grad.tolist() == [1, 2]


@pytest.mark.parametrize("dtype", FORMATS)
def test_reductions_and_scans_in_a_stated_dtype(dtype: torch.dtype) -> None:
    x = torch.arange(1.0, 5.0).to(dtype).requires_grad_()
    assert x.cumsum(0, dtype=torch.float32).tolist() == [1, 3, 6, 10]
    assert x.cumprod(0, dtype=torch.float32).tolist() == [1, 2, 6, 24]
    x.cumsum(0, dtype=torch.float32).sum().backward()
    assert x.grad.tolist() == [4, 3, 2, 1]
    with pytest.raises(NotImplementedError, match="Float8"):
        x.cumsum(0)
