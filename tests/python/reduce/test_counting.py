"""Histograms, distinct elements, searches and counts against NumPy, on both sides of the sizes where the way changes."""

from __future__ import annotations

import numpy as np
import pytest
import rushlight as torch


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("n", [0, 1, 15, 16, 513, 5000])
@pytest.mark.parametrize("bins", [1, 7, 100])
def test_histc_counts_as_its_edges_say(n: int, bins: int, dtype: str) -> None:
    rng = np.random.default_rng(n)
    values = np.round(rng.standard_normal(n) * 8).astype(dtype) / 4  # many lie on edges
    if n > 10:
        values[3], values[5], values[7] = np.nan, 99, -99
    counts = torch.from_numpy(values).histc(bins, -2, 2)
    inside = values[(values >= -2) & (values <= 2)]
    assert counts.sum() == inside.size
    assert (counts.numpy() == np.histogram(inside, bins, (-2, 2))[0]).all()


@pytest.mark.parametrize("dtype", ["int64", "int32", "int16", "int8", "uint8"])
@pytest.mark.parametrize("n", [0, 1, 255, 256, 3000])
@pytest.mark.parametrize("high", [1, 5, 100])
def test_unique_of_integers_is_numpys(n: int, high: int, dtype: str) -> None:
    rng = np.random.default_rng(n)
    low = 0 if dtype == "uint8" else -high
    values = rng.integers(low, high + 1, (n // 5 or n, 5 if n >= 5 else 1)).astype(dtype)
    x = torch.from_numpy(values)
    distinct, inverse, counts = x.unique(return_inverse=True, return_counts=True)
    expected, back, number = np.unique(values, return_inverse=True, return_counts=True)
    assert distinct.dtype == x.dtype and (distinct.numpy() == expected).all()
    assert inverse.shape == x.shape and (inverse.numpy() == back.reshape(values.shape)).all()
    assert (counts.numpy() == number).all()
    assert (x.t().unique() == distinct).all()


def test_unique_of_integers_far_apart() -> None:
    x = torch.tensor([2**62, -(2**62), 0, 2**63 - 1, -(2**63)] * 100)
    assert x.unique().tolist() == [-(2**63), -(2**62), 0, 2**62, 2**63 - 1]


@pytest.mark.parametrize("n, high", [(0, 1), (3, 1), (1000, 10), (5000, 900), (5000, 100000)])
def test_bincount_is_numpys(n: int, high: int) -> None:
    values = np.random.default_rng(n).integers(0, high, n)
    x = torch.from_numpy(values)
    assert (x.bincount(minlength=20).numpy() == np.bincount(values, minlength=20)).all()
    assert x.int().bincount().tolist() == np.bincount(values).tolist()
    with pytest.raises(RuntimeError, match="non-negative"):
        torch.cat([x, torch.tensor([-1])]).bincount()


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "int32"])
@pytest.mark.parametrize("edges", [0, 1, 2, 9, 1000])
def test_searchsorted_is_numpys(edges: int, dtype: str) -> None:
    rng = np.random.default_rng(edges)
    table = np.sort(rng.integers(-50, 50, edges)).astype(dtype)
    for n in (0, 1, 7, 8, 100):
        values = rng.integers(-55, 55, n).astype(dtype)
        for right in (False, True):
            got = torch.searchsorted(torch.from_numpy(table), torch.from_numpy(values), right=right)
            assert (got.numpy() == np.searchsorted(table, values, "right" if right else "left")).all()
            narrow = torch.searchsorted(torch.from_numpy(table), torch.from_numpy(values), right=right, out_int32=True)
            assert narrow.dtype == torch.int32 and (narrow == got).all()


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bool", "uint8", "int16", "int32", "int64"])
@pytest.mark.parametrize("n", [0, 1, 63, 64, 1000, 20000])
def test_count_nonzero_is_numpys(n: int, dtype: str) -> None:
    rng = np.random.default_rng(n)
    values = (rng.integers(0, 3, n) * rng.choice([0, 1, 200], n)).astype(dtype)
    if dtype.startswith("float") and n > 60:
        values[:4] = [np.nan, -0.0, np.inf, 6e-8]
    x = torch.from_numpy(values)
    assert x.count_nonzero() == np.count_nonzero(values)
    assert x.flip(0)[::3].count_nonzero() == np.count_nonzero(values[::-1][::3])
    table = np.stack([values, values[::-1]])
    assert (torch.from_numpy(table).count_nonzero(1).numpy() == np.count_nonzero(table, 1)).all()
    assert (torch.from_numpy(table).count_nonzero(0).numpy() == np.count_nonzero(table, 0)).all()
