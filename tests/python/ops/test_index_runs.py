"""Gathers, indexed sums and embeddings against NumPy: element sizes, odd lengths, layouts, indices out of range."""

from __future__ import annotations

import numpy as np
import pytest
import rushlight as torch
import rushlight.nn.functional as F

DTYPES = ["bool", "uint8", "int16", "float16", "int32", "float32", "int64", "float64", "complex64", "complex128"]


def table(rng: np.random.Generator, dtype: str, *shape: int) -> np.ndarray:
    return rng.integers(-9, 9, shape).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 3, 8, 17, 33, 100])
def test_gather_and_index_select_are_numpys(n: int, dtype: str) -> None:
    rng = np.random.default_rng(n)
    values = table(rng, dtype, 6, 40)
    x = torch.from_numpy(values)
    wide, tall = rng.integers(0, 40, (6, n)), rng.integers(0, 6, (n, 40))
    for source, plain in ((x, values), (x.flip(1), values[:, ::-1]), (x.t().contiguous().t(), values)):
        assert (source.gather(1, torch.from_numpy(wide)).numpy() == np.take_along_axis(plain, wide, 1)).all()
        assert (source.gather(0, torch.from_numpy(tall)).numpy() == np.take_along_axis(plain, tall, 0)).all()
        assert (source.take_along_dim(torch.from_numpy(wide), 1).numpy() == np.take_along_axis(plain, wide, 1)).all()
        assert (source.index_select(1, torch.from_numpy(wide[0])).numpy() == plain[:, wide[0]]).all()
        assert (source.index_select(0, torch.from_numpy(tall[:, 0])).numpy() == plain[tall[:, 0]]).all()
    strided = torch.from_numpy(np.repeat(wide, 2, 1))[:, ::2]
    assert (x.gather(1, strided).numpy() == np.take_along_axis(values, wide, 1)).all()


@pytest.mark.parametrize("place", [0, 5, 31, 32])
@pytest.mark.parametrize("bad", [-1, 40, 2**62, -(2**62)])
def test_gather_and_scatter_name_a_bad_index(place: int, bad: int) -> None:
    x, index = torch.zeros(2, 40), torch.zeros(2, 33, dtype=torch.int64)
    index[1, place] = bad
    with pytest.raises(RuntimeError, match=f"index {bad} is out of bounds for dimension 1 with size 40"):
        x.gather(1, index)
    with pytest.raises(RuntimeError, match=f"index {bad} is out of bounds"):
        x.scatter_add_(1, index, torch.ones(2, 33))
    with pytest.raises(IndexError, match="out of range in self"):
        F.embedding(index, x)


def test_take_along_dim_counts_negative_indices_from_the_end() -> None:
    x = torch.arange(12.0).reshape(3, 4)
    assert x.take_along_dim(torch.tensor([[-1], [0], [-4]]), 1).flatten().tolist() == [3, 4, 8]
    assert x.take_along_dim(torch.empty(3, 0, dtype=torch.int64), 1).shape == (3, 0)


@pytest.mark.parametrize("dtype", [d for d in DTYPES if d != "bool"])
@pytest.mark.parametrize("width", [1, 5, 16, 33, 100])
def test_index_add_is_numpys(width: int, dtype: str) -> None:
    rng = np.random.default_rng(width)
    base, source = table(rng, dtype, 7, width), table(rng, dtype, 30, width)
    index = rng.integers(0, 7, 30)
    expected = base.copy()
    np.add.at(expected, index, source)
    got = torch.from_numpy(base.copy()).index_add_(0, torch.from_numpy(index), torch.from_numpy(source))
    assert (got.numpy() == expected).all()
    backwards = torch.from_numpy(base[:, ::-1].copy()).flip(1)
    got = backwards.index_add_(0, torch.from_numpy(index), torch.from_numpy(source))
    assert (got.numpy() == expected).all()
    columns = torch.from_numpy(base.T.copy()).index_add_(1, torch.from_numpy(index), torch.from_numpy(source.T.copy()))
    assert (columns.numpy() == expected.T).all()


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize("width", [0, 1, 7, 64, 300])
def test_embedding_and_its_gradient(width: int, dtype: str) -> None:
    rng = np.random.default_rng(width)
    values, index = table(rng, dtype, 11, width), rng.integers(0, 11, (3, 5))
    weight = torch.from_numpy(values).requires_grad_()
    result = F.embedding(torch.from_numpy(index), weight)
    assert (result.detach().numpy() == values[index]).all()
    seed = table(rng, dtype, 3, 5, width)
    result.backward(torch.from_numpy(seed))
    expected = np.zeros_like(values)
    np.add.at(expected, index, seed)
    assert (weight.grad.numpy() == expected).all()
    again = torch.autograd.grad(
        F.embedding(torch.from_numpy(index).int(), weight), weight, torch.from_numpy(seed), create_graph=True
    )[0]
    assert (again.detach().numpy() == expected).all()


def test_embedding_gradient_has_a_gradient() -> None:
    weight = torch.randn(5, 3, dtype=torch.float64, requires_grad=True)
    index = torch.tensor([1, 1, 4])
    assert torch.autograd.gradgradcheck(lambda w: F.embedding(index, w).pow(2), (weight,))
