"""Array API: set functions, where each nan is an element of its own."""

from __future__ import annotations

import pytest
import rushlight as torch
import rushlight.array_api as xp

NAN = float("nan")


@pytest.mark.parametrize("dtype", [torch.bool, torch.uint8, torch.int64, torch.float32, torch.complex64])
def test_parts_fit_together(dtype: torch.dtype) -> None:
    torch.manual_seed(3)
    x = torch.randint(0, 4, (4, 5)).to(dtype)
    if dtype.is_complex:
        x = x + 1j * torch.randint(0, 2, (4, 5))
    values, indices, inverse, counts = xp.unique_all(x)
    assert values.dtype == dtype and indices.dtype == inverse.dtype == counts.dtype == torch.int64
    elements = x.reshape(-1).tolist()
    assert values.numel() == len(set(elements))
    assert values[inverse].tolist() == x.tolist()
    assert [elements.index(value) for value in values.tolist()] == indices.tolist()
    assert [elements.count(value) for value in values.tolist()] == counts.tolist()
    assert torch.equal(xp.unique_values(x), values)
    assert torch.equal(xp.unique_counts(x).counts, counts)
    assert torch.equal(xp.unique_inverse(x).inverse_indices, inverse)


@pytest.mark.parametrize("nan", [NAN, complex(0, NAN)])
def test_each_nan_is_one_of_its_own(nan: complex) -> None:
    found = xp.unique_counts(torch.tensor([nan, 1, nan, 1]))
    assert found.values.numel() == 3 and sorted(found.counts.tolist()) == [1, 1, 2]


def test_zeros_of_both_signs_are_one() -> None:
    assert xp.unique_counts(torch.tensor([0.0, -0.0])).counts.tolist() == [2]


@pytest.mark.parametrize("shape", [(0,), (2, 0), ()])
def test_few_elements(shape: tuple[int, ...]) -> None:
    found = xp.unique_all(torch.ones(shape))
    assert found.values.shape == found.counts.shape == (0 if 0 in shape else 1,)
    assert found.inverse_indices.shape == shape


def test_isin() -> None:
    x = torch.tensor([[1, 2], [3, 4]], dtype=torch.int8)
    assert xp.isin(x, torch.tensor([2, 3])).tolist() == [[False, True], [True, False]]
    assert xp.isin(x, 4, invert=True).tolist() == [[True, True], [True, False]]
    assert xp.isin(2, x).item() is True
