"""The order of uint16, uint32 and uint64, values beyond the signed dtypes of their width among them, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
import rushlight as torch


def spread(dtype: str, n: int) -> np.ndarray:
    """Small, large and random values, some of them equal."""
    most = int(np.iinfo(dtype).max)
    values = np.random.default_rng(n).integers(0, most, n, dtype=dtype, endpoint=True)
    values[::3] >>= np.iinfo(dtype).bits // 2
    values[1::4] = most // 2 + 1
    return values


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "uint32", "uint64"])
@pytest.mark.parametrize("n", [1, 7, 100, 3000])
def test_unsigned_sorting_and_selection_are_numpys(n: int, dtype: str) -> None:
    values = spread(dtype, n)
    x, order = torch.from_numpy(values), np.sort(values)
    k = (n + 1) // 2
    assert (x.sort()[0].numpy() == order).all()
    assert (x.argsort(stable=True).numpy() == np.argsort(values, kind="stable")).all()
    assert (x.sort(descending=True)[0].numpy() == order[::-1]).all()
    assert (torch.stack([x, x], 1).sort(0)[0].numpy() == order[:, None]).all()
    assert (x.topk(k)[0].numpy() == order[::-1][:k]).all()
    assert (x.topk(1, largest=False)[0].numpy() == order[:1]).all()
    assert x.kthvalue(k)[0] == int(order[k - 1]) == x.median()
    distinct, counts = np.unique(values, return_counts=True)
    assert (x.unique().numpy() == distinct).all()
    assert x.mode()[0] == int(distinct[counts.argmax()])
    assert (x.unique(return_counts=True)[1].numpy() == counts).all()
    assert (torch.searchsorted(x.sort()[0], x).numpy() == np.searchsorted(order, values)).all()
    assert torch.isin(x, x[: n // 2]).numpy().tolist() == np.isin(values, values[: n // 2]).tolist()
    assert x.max() == int(order[-1]) and x.min() == int(order[0])
