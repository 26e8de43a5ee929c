"""Accuracy, NaN, empty inputs and dtypes of reductions."""

from __future__ import annotations

import math

import numpy as np
import pytest
import rushlight as torch

NAN, INF = math.nan, math.inf


def test_sum_of_millions_is_rounded_once() -> None:
    x = torch.rand(4_000_000)
    exact = x.numpy().astype(np.float64).sum()
    assert abs(x.sum().item() - exact) <= exact * 2**-23


def test_half_sums_accumulate_in_float32() -> None:
    assert torch.ones(70_000, dtype=torch.float16).mean().item() == 1
    assert torch.ones(4096, dtype=torch.bfloat16).sum().item() == 4096


def test_integer_sums_widen() -> None:
    for dtype in (torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32):
        total = torch.ones(1000, dtype=dtype).sum()
        assert total.dtype is torch.int64 and total.item() == 1000


def test_variance_of_offset_data() -> None:
    x = torch.randn(100_000) + 1000
    exact = x.numpy().astype(np.float64).var(ddof=1)
    assert x.var().item() == pytest.approx(exact, rel=1e-5)


@pytest.mark.parametrize("name", ["max", "min", "amax", "amin", "median"])
def test_extrema_keep_nan(name: str) -> None:
    for n in (3, 40, 5000):
        x = torch.arange(n, dtype=torch.float32)
        x[n // 2] = NAN
        assert math.isnan(getattr(torch, name)(x).item())


def test_argmax_first_of_ties_and_nan() -> None:
    assert torch.tensor([1.0, 5.0, 5.0]).argmax().item() == 1
    assert torch.tensor([1.0, NAN, INF, NAN]).argmax().item() == 1
    x = torch.zeros(10_000)
    assert x.argmax().item() == 0
    assert torch.stack([x, x]).argmax(0)[77].item() == 0


def test_max_of_strided_rows() -> None:
    x = torch.randn(33, 70, 5)
    for view in (x, x.transpose(0, 2), x[:, ::3], x[:, :, ::2], x.expand(2, 33, 70, 5)):
        for dim in range(view.dim()):
            values, indices = view.max(dim)
            expected = view.contiguous().numpy().max(dim)
            assert np.array_equal(values.numpy(), expected)
            assert np.array_equal(indices.numpy(), view.contiguous().numpy().argmax(dim))


def test_sum_of_every_layout() -> None:
    x = torch.arange(33 * 70 * 5, dtype=torch.float64).reshape(33, 70, 5)
    for view in (x, x.transpose(0, 2), x[:, ::3], x[:, :, ::2], x.expand(2, 33, 70, 5), x.permute(1, 2, 0)):
        for dims in ((), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)):
            expected = view.contiguous().numpy().sum(dims or None)
            np.testing.assert_allclose(view.sum(dims).numpy(), expected)


def test_empty_inputs() -> None:
    x = torch.empty(0, 3)
    assert x.sum().item() == 0 and x.prod().item() == 1 and math.isnan(x.mean().item())
    assert x.sum(0).tolist() == [0, 0, 0] and x.logsumexp(0).tolist() == [-INF] * 3
    assert x.all().item() and not x.any().item()
    with pytest.raises(RuntimeError, match="Expected reduction dim to be specified"):
        x.max()
    with pytest.raises(IndexError, match="to have non-zero size"):
        x.max(0)


def test_logsumexp_of_infinities() -> None:
    assert torch.tensor([-INF, -INF]).logsumexp(0).item() == -INF
    assert torch.tensor([INF, 1.0]).logsumexp(0).item() == INF
    x = torch.full((3,), -INF, requires_grad=True)
    x.logsumexp(0).backward()
    assert x.grad.tolist() == [0, 0, 0]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
@pytest.mark.parametrize("rows", [2, 3, 9, 20_000])  # single rows, groups of eight, tasks that are merged
def test_logsumexp_of_columns_that_begin_with_huge_negatives(dtype: torch.dtype, rows: int) -> None:
    for least in (-1e9, -1e20, torch.finfo(dtype).min, -INF):
        x = torch.full((rows, 20), least, dtype=dtype)
        x[-1] = 7
        x[:, 1] = least
        expected = [7.0] * 20
        expected[1] = x[0, 1].item()
        for found in (x.logsumexp(0), x.t().contiguous().logsumexp(1)):
            assert found.tolist() == pytest.approx(expected)


def test_softmax_of_infinities() -> None:
    assert torch.isnan(torch.softmax(torch.full((2, 3), -INF), 1)).all()
    assert torch.softmax(torch.tensor([-INF, 0.0]), 0).tolist() == [0, 1]


def test_sort_puts_nan_last_and_keeps_order() -> None:
    values, indices = torch.tensor([NAN, 2.0, -0.0, 0.0, NAN, -INF]).sort(stable=True)
    assert values.tolist()[:4] == [-INF, 0, 0, 2] and indices.tolist() == [5, 2, 3, 1, 0, 4]
    assert torch.tensor([1.0, NAN, 3.0]).sort(descending=True)[1].tolist() == [1, 2, 0]


@pytest.mark.parametrize("n,k", [(5, 2), (500, 3), (5000, 100), (100_000, 10)])
def test_topk_agrees_with_sort(n: int, k: int) -> None:
    x = torch.randn(n)
    assert torch.equal(x.topk(k)[0], x.sort(descending=True)[0][:k])
    assert torch.equal(x.topk(k, largest=False)[0], x.sort()[0][:k])
