"""uint16, uint32 and uint64 up to their largest values: order, wrap-around, and numbers that do not fit."""

from __future__ import annotations

import pytest
import rushlight as torch

UNSIGNED = (torch.uint16, torch.uint32, torch.uint64)


def largest(dtype: torch.dtype) -> int:
    return torch.iinfo(dtype).max


@pytest.mark.parametrize("dtype", UNSIGNED)
@pytest.mark.parametrize("size", [2, 40, 300])
def test_the_largest_value_sorts_last(dtype: torch.dtype, size: int) -> None:
    top = largest(dtype)
    x = torch.tensor([top, top // 2 + 1, *range(size - 2)], dtype=dtype)
    order = [*range(size - 2), top // 2 + 1, top]
    assert x.sort().values.tolist() == order
    assert x.argsort(descending=True)[:2].tolist() == [0, 1]
    assert x.unsqueeze(1).expand(-1, 3).sort(0).values[:, 1].tolist() == order
    assert x.topk(2).values.tolist() == [top, top // 2 + 1]
    assert x.unique().tolist() == order
    assert x.kthvalue(size).values.item() == top


@pytest.mark.parametrize("dtype", UNSIGNED)
def test_selections_go_by_the_unsigned_order(dtype: torch.dtype) -> None:
    x = torch.tensor([largest(dtype), 0], dtype=dtype)
    assert x.median().item() == x.nanmedian().item() == x.mode().values.item() == 0
    assert torch.unique(x, dim=0).tolist() == [0, largest(dtype)]
    assert torch.isin(torch.zeros(1, dtype=dtype), x.repeat(20)).item()


@pytest.mark.parametrize("dtype", UNSIGNED)
def test_a_negative_number_is_the_value_it_wraps_to(dtype: torch.dtype) -> None:
    top = largest(dtype)
    x = torch.tensor([top, 3], dtype=dtype)
    assert (x == -1).tolist() == [True, False]
    assert (x > -1).tolist() == [False, False]
    assert (x % -2).tolist() == [1, 3]
    assert (x // -2).tolist() == [1, 0]
    assert x.clamp(max=-2).tolist() == [top - 1, 3]
    assert x.clamp_min(-2).tolist() == [top, top - 1]
    assert torch.fmod(x, -1).tolist() == [0, 3]
    assert (torch.tensor(-5) >> torch.tensor([1], dtype=dtype)).item() == (top - 4) >> 1


def test_a_zero_dim_operand_wraps_to_the_dtype_of_the_others() -> None:
    x = torch.tensor([0], dtype=torch.uint32)
    big = torch.tensor(2**64 - 4, dtype=torch.uint64)
    assert torch.maximum(x, big).tolist() == [2**32 - 4]
    assert (x < big).tolist() == [True]


@pytest.mark.parametrize("dtype", UNSIGNED)
def test_lcm_wraps_as_a_product_does(dtype: torch.dtype) -> None:
    top = largest(dtype)
    a, b = (torch.tensor([value], dtype=dtype) for value in (top, top - 4))
    assert torch.lcm(a, b).item() == top * (top - 4) % (top + 1)


def test_powers_and_ranges_take_numbers_beyond_int64() -> None:
    x = torch.tensor([1, 3], dtype=torch.uint64)
    assert x.pow(2**63 + 1).tolist() == [1, pow(3, 2**63 + 1, 2**64)]
    with pytest.raises(RuntimeError, match="negative integer powers"):
        x.pow(-1)
    assert torch.arange(2**63 - 1, 2**63 + 2, dtype=torch.uint64).tolist() == [2**63 - 1, 2**63, 2**63 + 1]


def test_two_numbers_of_which_one_is_beyond_int64() -> None:
    x = torch.tensor([0, 2**64 - 1], dtype=torch.uint64)
    assert x.clamp(2, 2**64 - 2).tolist() == [2, 2**64 - 2]
    assert torch.where(x == 0, 2**63, x).tolist() == [2**63, 2**64 - 1]
