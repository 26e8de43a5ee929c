"""Indices from one form to another, copies of the parts of sparse tensors, and sizes taken from another."""

from __future__ import annotations

import pytest
import rushlight as torch

to_csr, to_coo = torch._convert_indices_from_coo_to_csr, torch._convert_indices_from_csr_to_coo


def test_rows_to_pointers() -> None:
    assert to_csr(torch.tensor([0, 0, 1, 3]), 5).tolist() == [0, 2, 3, 3, 4, 4]
    narrow = to_csr(torch.tensor([0, 0, 1, 3], dtype=torch.int32), 5, out_int32=True)
    assert narrow.dtype is torch.int32 and narrow.tolist() == [0, 2, 3, 3, 4, 4]
    assert to_csr(torch.tensor([], dtype=torch.int64), 3).tolist() == [0, 0, 0, 0]
    with pytest.raises(RuntimeError, match="supposed to be a vector, but got 2"):
        to_csr(torch.tensor([[0]]), 5)
    with pytest.raises(NotImplementedError, match="'Float'"):
        to_csr(torch.tensor([0.0]), 5)
    for row in (-1, 3):  # written out of bounds by PyTorch
        with pytest.raises(RuntimeError, match="index"):
            to_csr(torch.tensor([row]), 3)


def test_pointers_to_rows() -> None:
    pointers, columns = torch.tensor([0, 2, 2, 3]), torch.tensor([0, 1, 2])
    assert to_coo(pointers, columns).tolist() == [[0, 0, 2], [0, 1, 2]]
    turned = to_coo(pointers, columns, out_int32=True, transpose=True)
    assert turned.dtype is torch.int32 and turned.tolist() == [[0, 1, 2], [0, 0, 2]]
    batch = to_coo(torch.tensor([[0, 2, 2, 3], [0, 1, 2, 3]]), torch.tensor([[0, 1, 2], [0, 1, 2]]))
    assert batch.tolist() == [[0, 0, 0, 1, 1, 1], [0, 0, 2, 0, 1, 2], [0, 1, 2, 0, 1, 2]]
    assert to_coo(torch.tensor([0]), torch.tensor([], dtype=torch.int64)).shape == (2, 0)
    for wrong in ([0, 2, 1, 3], [1, 2, 3, 3], [0, 1, 2, 9]):
        with pytest.raises(RuntimeError, match="ascend from 0 to 3"):
            to_coo(torch.tensor(wrong), columns)
    with pytest.raises(RuntimeError, match="do not fit"):
        to_coo(pointers[None], columns)


def test_copies_of_parts() -> None:
    x = torch.tensor([[0.0, 1, 2], [3, 4, 5]])
    coo, csr, csc = x.to_sparse().coalesce(), x.to_sparse_csr(), x.to_sparse_csc()
    for name, whole in (
        ("indices", coo),
        ("values", coo),
        ("_indices", coo),
        ("_values", coo),
        ("crow_indices", csr),
        ("col_indices", csr),
        ("ccol_indices", csc),
        ("row_indices", csc),
    ):
        part, copy = getattr(whole, name)(), getattr(torch, f"{name}_copy")(whole)
        assert torch.equal(part, copy) and part.data_ptr() != copy.data_ptr()
    with pytest.raises(RuntimeError, match="expected sparse row compressed tensor layout but got Strided"):
        torch.crow_indices_copy(x)


def test_resize_as_sparse() -> None:
    x = torch.ones(2, 2).to_sparse()
    assert torch.resize_as_sparse_(x, torch.zeros(3, 3).to_sparse()) is x
    assert x.shape == (3, 3) and x.to_dense().sum() == 4
    empty = torch.zeros(2, 2).to_sparse().resize_as_sparse_(torch.zeros(3).to_sparse())
    assert empty.shape == (3,) and empty._nnz() == 0
    with pytest.raises(RuntimeError, match="sparse_coo|sparse coordinate"):
        torch.resize_as_sparse_(torch.zeros(2, 2), torch.zeros(3, 3).to_sparse())
