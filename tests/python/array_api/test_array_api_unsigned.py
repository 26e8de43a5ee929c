"""Array API: unsigned integers of 16, 32 and 64 bits, as the standard asks for them."""

from __future__ import annotations

import numpy as np
import pytest
import rushlight as torch
import rushlight.array_api as xp

UNSIGNED = (xp.uint8, xp.uint16, xp.uint32, xp.uint64)
TOP = 2**64 - 1


def test_the_namespace_names_them() -> None:
    info = xp.__array_namespace_info__()
    assert list(info.dtypes(kind="unsigned integer").values()) == list(UNSIGNED)
    assert info.dtypes()["uint64"] is xp.uint64 is torch.uint64
    for dtype in UNSIGNED:
        assert xp.isdtype(dtype, ("unsigned integer", "bool")) and xp.isdtype(dtype, "integral")
        assert not xp.isdtype(dtype, "signed integer")
        assert xp.iinfo(dtype).max == 2 ** xp.iinfo(dtype).bits - 1 and xp.iinfo(dtype).min == 0


@pytest.mark.parametrize("dtype", UNSIGNED)
def test_sums_and_products_are_uint64(dtype: torch.dtype) -> None:
    x = xp.ones(3, dtype=dtype)
    for function in (xp.sum, xp.prod, xp.cumulative_sum, xp.cumulative_prod):
        assert function(x).dtype is xp.uint64 and function(x, dtype=xp.int32).dtype is xp.int32
    assert xp.linalg.trace(xp.ones((2, 2), dtype=dtype)).dtype is xp.uint64


def test_sums_and_products_wrap_beyond_the_largest() -> None:
    x = xp.asarray([2**63, 2**63 - 1, 2], dtype=xp.uint64)
    assert int(xp.sum(x)) == 1
    assert xp.cumulative_sum(x, include_initial=True).tolist() == [0, 2**63, TOP, 1]
    assert int(xp.prod(x[1:])) == TOP - 1


def test_uint64_and_signed_integers_have_no_common_dtype() -> None:
    assert not xp.can_cast(xp.uint64, xp.int64) and not xp.can_cast(xp.int8, xp.uint64)
    assert xp.can_cast(xp.uint32, xp.int64) and xp.can_cast(xp.uint64, xp.float32)
    assert xp.result_type(xp.uint16, xp.int16) is xp.int32 and xp.result_type(xp.uint8, xp.uint64, 1) is xp.uint64
    with pytest.raises(RuntimeError, match="no integer dtype holds the values of both"):
        xp.result_type(xp.uint64, xp.int8)
    with pytest.raises(RuntimeError, match="no integer dtype holds the values of both"):
        xp.ones(2, dtype=xp.uint64) + xp.asarray(1, dtype=xp.int8)


def test_numbers_up_to_the_largest() -> None:
    x = xp.asarray([TOP, 3], dtype=xp.uint64)
    assert (x == TOP).tolist() == [True, False] and (TOP - x).tolist() == [0, TOP - 3]
    assert xp.clip(x, 5, TOP - 1).tolist() == [TOP - 1, 5]
    assert xp.where(x > 5, x, TOP - 2).tolist() == [TOP, TOP - 2]
    assert int(x[0]) == TOP and float(x[0]) == 2.0**64
    assert xp.full(2, TOP, dtype=xp.uint64).tolist() == [TOP, TOP]
    assert xp.arange(2**63, 2**63 + 2, dtype=xp.uint64).tolist() == [2**63, 2**63 + 1]
    assert xp.astype(xp.asarray([1.5, 2.0**63], dtype=xp.float64), xp.uint64).tolist() == [1, 2**63]


def test_order_goes_by_the_unsigned_value() -> None:
    x = xp.asarray([2**63, 0, TOP], dtype=xp.uint64)
    assert xp.sort(x).tolist() == [0, 2**63, TOP] and xp.argsort(x, descending=True).tolist() == [2, 0, 1]
    assert (int(xp.argmax(x)), int(xp.min(x))) == (2, 0)
    assert xp.unique_values(x).tolist() == [0, 2**63, TOP]
    assert xp.searchsorted(xp.sort(x), x).tolist() == [1, 0, 2]


@pytest.mark.parametrize("dtype", [*UNSIGNED, xp.int8, xp.int16])
def test_arrays_of_every_integer_dtype_are_indices(dtype: torch.dtype) -> None:
    x, at = xp.asarray([10, 20, 30]), xp.asarray([2, 0], dtype=dtype)
    assert x[at].tolist() == xp.take(x, at).tolist() == xp.take_along_axis(x, at).tolist() == [30, 10]
    assert xp.take(torch.tensor([10, 20, 30]), at).tolist() == [30, 10]
    assert int(x[xp.asarray(1, dtype=dtype)]) == 20
    assert x[None][:, at].tolist() == [[30, 10]]
    x[at] = 7
    assert x.tolist() == [7, 20, 7]


def test_they_share_memory_with_numpy() -> None:
    for dtype in (np.uint16, np.uint32, np.uint64):
        array = np.array([1, np.iinfo(dtype).max], dtype=dtype)
        x = xp.from_dlpack(array)
        assert x.dtype is getattr(xp, dtype.__name__)
        x[0] = 7
        assert array[0] == 7 and np.from_dlpack(x).dtype == dtype
