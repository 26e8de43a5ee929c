"""The array of the array API namespace: where its operators and indexing differ from those of tensors."""

from __future__ import annotations

import itertools
import operator
from typing import Any

import numpy as np
import pytest
import rushlight as torch
import rushlight.array_api as xp

SIGNED = (xp.int8, xp.int16, xp.int32, xp.int64)
INTEGERS = (*SIGNED, xp.uint8, xp.uint16, xp.uint32, xp.uint64)
OPERATORS = "add sub mul truediv mod pow lt le gt ge eq ne floordiv".split()


def test_what_the_namespace_makes_is_an_array_and_stays_one() -> None:
    for made in (xp.zeros(2), xp.asarray([1.0]), xp.arange(3), xp.eye(2), xp.full((2,), 1), xp.fft.fftfreq(4)):
        assert type(made) is xp.Array and made.__array_namespace__() is xp
        for further in (made + 1, -made, made[0], xp.sin(made), xp.zeros_like(made), xp.astype(made, xp.float64)):
            assert type(further) is xp.Array
    assert all(type(part) is xp.Array for part in xp.linalg.svd(xp.eye(2)))


def test_tensors_stay_tensors_unless_asked() -> None:
    x = torch.arange(3)
    assert type(xp.sum(x)) is type(xp.zeros_like(x)) is torch.Tensor
    array = xp.asarray(x)
    array[0] = 7
    assert type(array) is xp.Array and x[0] == 7
    back = array.as_subclass(torch.Tensor)
    assert type(back) is torch.Tensor and back.data_ptr() == x.data_ptr()
    assert type(x + array) is type(xp.concat([x, array])) is xp.Array


@pytest.mark.parametrize("name", OPERATORS)
def test_dtypes_promote_whatever_the_dimensions(name: str) -> None:
    function = getattr(operator, name)
    for one, other in itertools.product((*INTEGERS, xp.float32, xp.float64), repeat=2):
        if xp.uint64 in (one, other) and (one in SIGNED or other in SIGNED):
            continue  # have no common dtype
        for x, y in ((xp.ones((), dtype=one), xp.ones(2, dtype=other)), (xp.ones(2, dtype=one), xp.ones((), dtype=other))):
            want = function(xp.ones(2, dtype=one), xp.ones(2, dtype=other)).dtype
            assert function(x, y).dtype is want, (one, other)
            assert function(x.as_subclass(torch.Tensor), y).dtype is want, (one, other)


def test_numbers_take_the_dtype_of_the_array() -> None:
    x = xp.ones(2, dtype=xp.int8)
    assert (x + 1).dtype is (1 + x).dtype is (x // 2).dtype is (7 // x).dtype is xp.int8
    with pytest.raises(TypeError):
        x // "a"
    with pytest.raises(TypeError):
        x + "a"
    assert hash(x) == hash(x)


def test_floor_division_at_infinity() -> None:
    inf = float("inf")
    a = [inf, inf, -inf, -inf, 7.0, -7.0, 7.0, -7.0, inf]
    b = [2.0, -2.0, 2.0, -2.0, inf, inf, -inf, -inf, inf]
    want = "[inf, -inf, -inf, inf, 0.0, -0.0, -0.0, 0.0, nan]"
    x, y = xp.asarray(a), xp.asarray(b)
    assert str((x // y).tolist()) == want
    z = xp.asarray(a, copy=True)
    z //= y
    assert str(z.tolist()) == want
    assert (5.0 // xp.asarray([inf, -inf])).tolist() == [0.0, -0.0]
    assert str((torch.tensor(a) // torch.tensor(b)).tolist()) != want  # PyTorch's tensors keep PyTorch's values


REVERSED: list[Any] = [
    np.s_[::-1], np.s_[..., ::-2], np.s_[3:0:-1, 1], np.s_[1, ::-1], np.s_[None, ::-1, ..., ::-3], np.s_[0:3:-1],
    np.s_[-1:-9:-2, None, :, ::-1], np.s_[::2, ::-1, 1],
]  # fmt: skip


@pytest.mark.parametrize("key", REVERSED, ids=str)
def test_slices_backwards(key: Any) -> None:
    theirs = np.arange(60).reshape(4, 5, 3)
    ours = xp.reshape(xp.arange(60), (4, 5, 3))
    np.testing.assert_array_equal(ours[key].numpy(), theirs[key])
    fresh = -1 - np.arange(theirs[key].size).reshape(theirs[key].shape)
    theirs[key] = fresh
    ours[key] = xp.asarray(fresh)
    np.testing.assert_array_equal(ours.numpy(), theirs)
    theirs[key] = 9
    ours[key] = 9
    np.testing.assert_array_equal(ours.numpy(), theirs)


def test_tensors_refuse_slices_backwards() -> None:
    with pytest.raises(ValueError, match="step must be greater than zero"):
        torch.arange(3)[::-1]


def test_empty_masks_fit_any_size() -> None:
    for shape, mask in (((0, 1), (0, 0)), ((2, 3), (2, 0)), ((2, 3), (0,)), ((2, 3), (0, 3))):
        x = xp.zeros(shape)
        picked = x[xp.zeros(mask, dtype=xp.bool)]
        assert picked.shape == (0, *shape[len(mask) :])
        x[xp.zeros(mask, dtype=xp.bool)] = 1.0
        assert not xp.any(x)
    with pytest.raises(IndexError):
        xp.zeros((2, 3))[xp.zeros((3, 0), dtype=xp.bool)]


def test_exponential_minus_one_at_zero() -> None:
    found = xp.expm1(xp.asarray([complex(-0.0, 0.0), complex(-0.0, -0.0)]))
    assert str(found.tolist()) == "[0j, -0j]"
