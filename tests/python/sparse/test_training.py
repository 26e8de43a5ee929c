"""Sparse gradients, their accumulation and optimizers: the text that PyTorch prints, from training.txt."""

from pathlib import Path

import pytest
import rushlight as torch
import training

RECORD = (Path(__file__).parent / "training.txt").read_text().rstrip("\n").split("\n----\n")
FOUND = training.texts(torch)


@pytest.mark.parametrize("step", range(len(RECORD)))
def test_text_is_that_of_pytorch(step):
    assert FOUND[step] == RECORD[step]


def test_norms_of_sparse_gradients_are_clipped():
    table = torch.nn.Parameter(torch.ones(5, 2))
    torch.nn.functional.embedding(torch.tensor([1, 3]), table, sparse=True).pow(2).sum().backward()
    assert torch.nn.utils.clip_grad_norm_([table], 1.0) == 4.0
    assert abs(table.grad.coalesce().values().norm() - 1) < 1e-5


def test_gradients_against_differences():
    indices = torch.tensor([[0, 1, 1, 2], [2, 0, 2, 1]])
    values = torch.randn(4, dtype=torch.float64, requires_grad=True)
    dense = torch.randn(3, 4, dtype=torch.float64, requires_grad=True)
    right = torch.randn(3, 2, dtype=torch.float64, requires_grad=True)

    def coo(v):
        return torch.sparse_coo_tensor(indices, v, (3, 3))

    functions = {
        "to_dense": lambda v: coo(v).to_dense(),
        "coalesce": lambda v: coo(v).coalesce().values(),
        "softmax": lambda v: torch.sparse.softmax(coo(v), 1).to_dense(),
        "log_softmax": lambda v: torch.sparse.log_softmax(coo(v), 0).to_dense(),
        "sum": lambda v: torch.sparse.sum(coo(v), 0).to_dense(),
        "mul": lambda v: (coo(v) * coo(v)).to_dense(),
        "csr": lambda v: coo(v).to_sparse_csr().values(),
        "transpose": lambda v: coo(v).t().to_dense(),
    }
    for function in functions.values():
        assert torch.autograd.gradcheck(function, (values,))
    assert torch.autograd.gradcheck(lambda v, r: torch.sparse.mm(coo(v), r), (values, right))
    assert torch.autograd.gradcheck(lambda v, r: torch.mm(coo(v), r), (values, right))
    mask = torch.sparse_coo_tensor(indices, values.detach(), (3, 4))
    assert torch.autograd.gradcheck(lambda d: d.sparse_mask(mask).to_dense(), (dense,))
    assert torch.autograd.gradgradcheck(lambda v, r: torch.sparse.mm(coo(v), r), (values, right))
