"""Sorting and selection against NumPy: ties, NaN, both zeros, every dtype, columns, and lines of many lengths."""

from __future__ import annotations

import numpy as np
import pytest
import rushlight as torch

LENGTHS = [1, 2, 13, 64, 129, 512, 700, 4100]
DTYPES = ["float16", "float32", "float64", "int64", "int32", "uint8"]


def line(rng: np.random.Generator, dtype: str, kind: str, *shape: int) -> np.ndarray:
    if dtype.startswith("float"):
        values = rng.standard_normal(shape)
        if kind == "ties":
            values = np.round(values)
        if kind == "odd":
            odd = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-40]
            values = np.where(rng.random(shape) < 0.3, rng.choice(odd, shape), values)
        if kind == "close":  # keys that agree in their leading half, but for one
            values = 1 + np.round(values * 9) * np.finfo(dtype).eps
            values.flat[-1] = -6e4
        return values.astype(dtype)
    low, high = (0, 5) if kind == "ties" else (0, 255) if dtype == "uint8" else (-(2**31), 2**31 - 1)
    if kind == "odd" and dtype == "int64":
        low, high = -(2**62), 2**62
    values = rng.integers(low, high, shape).astype(dtype)
    if kind == "close" and dtype == "int64":
        values %= 50
        values.flat[-1] = 2**62
    return values


def order(values: np.ndarray, axis: int, descending: bool) -> np.ndarray:
    """The stable order in which NaN comes last, or first where descending."""
    if not descending:
        return np.argsort(values, axis=axis, kind="stable")
    flipped = np.flip(values, axis)
    back = np.flip(np.argsort(flipped, axis=axis, kind="stable"), axis)
    return values.shape[axis] - 1 - back


@pytest.mark.parametrize("kind", ["plain", "ties", "odd", "close"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", LENGTHS)
def test_sort_topk_kthvalue_are_numpys(n: int, dtype: str, kind: str) -> None:
    rng = np.random.default_rng(n)
    for shape, axis in (((3, n), 1), ((n, 19), 0)):
        values = line(rng, dtype, kind, *shape)
        x = torch.from_numpy(values)
        for descending in (False, True):
            expected = order(values, axis, descending)
            got, places = x.sort(axis, descending)
            assert (places.numpy() == expected).all()
            wanted = np.take_along_axis(values, expected, axis)
            assert got.numpy().tobytes() == np.ascontiguousarray(wanted).tobytes()  # also the sign of zero
            for k in {1, min(n, 5), min(n, 17), (n + 2) // 3, n}:
                best, at = x.topk(k, axis, descending)
                first = np.take(expected, range(k), axis)
                assert (at.numpy() == first).all(), (k, shape)
                assert best.numpy().tobytes() == np.ascontiguousarray(np.take(wanted, range(k), axis)).tobytes()
        expected = order(values, axis, False)
        for k in {1, (n + 1) // 2, n}:
            value, at = x.kthvalue(k, axis)
            assert (at.numpy() == np.take(expected, k - 1, axis)).all()
            assert (
                value.numpy().tobytes()
                == np.take_along_axis(values, np.expand_dims(np.take(expected, k - 1, axis), axis), axis).tobytes()
            )


@pytest.mark.parametrize("n", LENGTHS)
def test_median_takes_the_lower_of_two_and_nan_first(n: int) -> None:
    rng = np.random.default_rng(n)
    values = line(rng, "float32", "ties", 4, n)
    values[1, n // 2] = np.nan
    values[3] = np.nan
    value, at = torch.from_numpy(values).median(1)
    for row in (0, 2):
        place = np.argsort(values[row], kind="stable")[(n - 1) // 2]
        assert at[row] == place and value[row] == values[row, place]
    assert value[1].isnan() and at[1] == n // 2 and value[3].isnan() and at[3] == 0
    value, at = torch.from_numpy(values).nanmedian(1)
    if n > 1:
        place = np.argsort(values[1], kind="stable")[(n - 2) // 2]
        assert at[1] == place and value[1] == values[1, place]


def test_topk_of_equal_elements_takes_the_first() -> None:
    x = torch.zeros(3, 1000)
    for k in (3, 16, 100):
        for largest in (False, True):
            assert (x.topk(k, 1, largest)[1] == torch.arange(k)).all()


def test_selection_does_not_depend_on_the_number_of_threads() -> None:
    x = torch.randn(64, 1000)
    before = torch.get_num_threads()
    results = []
    for threads in (1, 2, 3):
        torch.set_num_threads(threads)
        results.append([*x.topk(7), *x.kthvalue(300), *x.sort(0), *x.median(1)])
    torch.set_num_threads(before)
    for other in results[1:]:
        assert all((a == b).all() for a, b in zip(results[0], other))


def test_mode_is_the_last_of_the_longest_run() -> None:
    value, at = torch.tensor([[3.0, 1, 3, 1, 2], [float("nan"), float("nan"), 1, 2, 3]]).mode(1)
    assert value.tolist() == [1, 1] and at.tolist() == [3, 2]
