"""logcumsumexp against float64: rows, columns, infinities and NaN."""

from __future__ import annotations

import numpy as np
import pytest
import rushlight as torch


def expected(values: np.ndarray, axis: int) -> np.ndarray:
    with np.errstate(all="ignore"):
        return np.logaddexp.accumulate(values.astype(np.float64), axis)


@pytest.mark.parametrize("rows", [1, 7, 8, 65, 130])
@pytest.mark.parametrize("columns", [1, 7, 16, 63, 200])
def test_logcumsumexp_is_that_of_float64(rows: int, columns: int) -> None:
    rng = np.random.default_rng(rows * columns)
    values = (rng.standard_normal((rows, columns)) * 30).astype(np.float32)
    for axis in (0, 1):
        got = torch.from_numpy(values).logcumsumexp(axis).numpy()
        np.testing.assert_allclose(got, expected(values, axis), rtol=1e-6, atol=2e-6)
        got = torch.from_numpy(np.stack([values, -values])).logcumsumexp(axis + 1)[1].numpy()
        np.testing.assert_allclose(got, expected(-values, axis), rtol=1e-6, atol=2e-6)


def test_logcumsumexp_of_infinities_and_nan() -> None:
    inf, nan = float("inf"), float("nan")
    line = [-inf, -inf, 3.0, -200.0, 1.0, inf, 2.0, inf, -inf, nan, 1.0]
    values = np.array([line] * 9, dtype=np.float32)
    with np.errstate(all="ignore"):
        wanted = np.array([-inf, -inf, 3, 3, 3 + np.log1p(np.exp(-2)), inf, inf, inf, inf, nan, nan], dtype=np.float32)
    for got in (torch.from_numpy(values).logcumsumexp(1)[4], torch.from_numpy(values.T.copy()).logcumsumexp(0)[:, 8]):
        np.testing.assert_allclose(got.numpy(), wanted, rtol=1e-6)
