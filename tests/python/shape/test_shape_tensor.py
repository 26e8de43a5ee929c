"""Shapes as tensors, and the copies of views that have names of their own."""

from __future__ import annotations

import pytest
import rushlight as torch

X = torch.arange(6.0).reshape(2, 3)


def test_shapes() -> None:
    assert torch.is_same_size(X, X + 1) and not X.is_same_size(X.t()) and not X.is_same_size(X[0])
    assert torch._shape_as_tensor(X).tolist() == [2, 3] and torch._shape_as_tensor(X[0, 0]).shape == (0,)
    assert torch._reshape_from_tensor(X, torch.tensor([3, -1])).shape == (3, 2)
    assert torch._dim_arange(X, -1).tolist() == [0, 1, 2]
    with pytest.raises(RuntimeError, match="expected scalar type Long but found Float"):
        torch._reshape_from_tensor(X, torch.tensor([3.0]))
    with pytest.raises(RuntimeError, match="Expected a vector of sizes"):
        torch._reshape_from_tensor(X, torch.tensor([[3, 2]]))
    with pytest.raises(IndexError):
        torch._dim_arange(X, 5)


def test_slice_inverse() -> None:
    base = torch.arange(10.0)
    whole = torch.slice_inverse(base[2:5], base, 0, 2, 5)
    assert torch.equal(whole, base) and whole.data_ptr() == base.data_ptr()
    assert torch.equal(base[4:6].slice_inverse(base[2:5], 0, 2, 4), base[2:5])


def test_copies_share_no_memory() -> None:
    x, z = X.clone().requires_grad_(), torch.tensor([1 + 2j])
    copy = torch.detach_copy(x)
    assert torch.equal(copy, X) and not copy.requires_grad and copy.data_ptr() != x.data_ptr()
    lazy = torch._lazy_clone(x)
    assert lazy.requires_grad and lazy.data_ptr() != x.data_ptr()
    for conj in (torch._conj, torch._conj_physical, torch._conj_copy):
        assert conj(z).tolist() == [1 - 2j]
    assert torch.equal(torch._conj_physical(X), X)
    assert torch.equal(X._neg_view(), -X) and torch.equal(torch._neg_view_copy(X), -X)
    with pytest.raises(RuntimeError, match="Expected a complex tensor"):
        X._conj()


@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        ("Byte", torch.uint8),
        ("Char", torch.int8),
        ("Double", torch.float64),
        ("Float", torch.float32),
        ("Half", torch.float16),
        ("Int", torch.int32),
        ("Long", torch.int64),
        ("Short", torch.int16),
    ],
)
def test_cast(name: str, dtype: object) -> None:
    cast = getattr(torch, f"_cast_{name}")
    assert cast(X).dtype is dtype and torch.equal(cast(X, True), X.to(dtype))
    if dtype is torch.float32:
        assert cast(X) is X


def test_reductions_and_counts_of_older_names() -> None:
    assert torch._is_all_true(torch.tensor([True, False])).item() is False
    assert torch.tensor([True, False])._is_any_true().item() is True
    with pytest.raises(RuntimeError, match="Expected a tensor of dtype bool"):
        torch._is_all_true(torch.tensor([1]))
    assert [t.tolist() for t in torch._aminmax(X)] == [0, 5]
    assert [t.tolist() for t in torch._aminmax(X, 1, True)] == [[[0], [3]], [[2], [5]]]
    assert [t.tolist() for t in torch._unique(torch.tensor([3, 1, 1]), True, True)] == [[1, 3], [1, 0, 0]]
    assert torch._unique(torch.tensor([3, 1, 1]))[1].shape == (0,)


def test_histogramdd_in_parts() -> None:
    edges = torch._histogramdd_bin_edges(X, [2, 3, 2])
    assert [e.tolist() for e in edges] == [[0, 1.5, 3], [1, 2, 3, 4], [2, 3.5, 5]]
    assert torch._histogramdd_from_bin_cts(X, [2, 1, 1]).tolist() == [[[1]], [[1]]]
    density = torch._histogramdd_from_bin_cts(X, [2, 1, 1], weight=torch.tensor([1.0, 2.0]), density=True)
    torch.testing.assert_close(density.flatten(), torch.tensor([2 / 81, 4 / 81]))
    bins = [torch.tensor([0.0, 2.0]), torch.tensor([0.0, 4.0, 5.0]), torch.tensor([0.0, 9.0])]
    assert torch._histogramdd_from_bin_tensors(X, bins).tolist() == [[[1], [0]]]
