"""Joins, repetition, reversal and triangles against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
import rushlight as torch

A = np.arange(24.0).reshape(2, 3, 4)


@pytest.mark.parametrize("dim", [0, 1, -1])
@pytest.mark.parametrize("transposed", [False, True])
def test_cat_and_stack(dim: int, transposed: bool) -> None:
    arrays = [A, A + 100, A[:, :, ::-1]]
    tensors = [torch.from_numpy(a.copy()) for a in arrays]
    if transposed:
        arrays = [a.swapaxes(0, 2) for a in arrays]
        tensors = [t.transpose(0, 2) for t in tensors]
    np.testing.assert_array_equal(torch.cat(tensors, dim).numpy(), np.concatenate(arrays, dim))
    np.testing.assert_array_equal(torch.stack(tensors, dim).numpy(), np.stack(arrays, dim))


def test_cat_promotes_and_skips_empty_vectors() -> None:
    joined = torch.cat([torch.tensor([1, 2]), torch.tensor([0.5]), torch.empty(0)])
    assert joined.dtype is torch.float32 and joined.tolist() == [1, 2, 0.5]
    with pytest.raises(RuntimeError, match="Sizes of tensors must match except in dimension 0"):
        torch.cat([torch.zeros(2, 3), torch.zeros(2, 2)])


def test_cat_keeps_channels_last() -> None:
    x = torch.zeros(2, 3, 4, 5).to(memory_format=torch.channels_last)
    assert torch.cat([x, x], 1).is_contiguous(memory_format=torch.channels_last)


def test_long_runs_are_copied_in_pieces() -> None:
    x = torch.arange(1 << 18)
    assert torch.equal(torch.cat([x, x.flip(0)])[: 1 << 18], x)
    assert torch.equal(torch.stack([x, x], 1)[:, 1], x)


def test_large_joins_and_copies_pass_the_caches_whole() -> None:
    x = torch.arange(float(7 << 20))
    a = x.numpy()
    np.testing.assert_array_equal(torch.cat([x[:3], x[5:]]).numpy(), np.concatenate([a[:3], a[5:]]))
    rows = a.reshape(-1, 1024)
    np.testing.assert_array_equal(
        torch.cat([torch.from_numpy(rows[:, :700].copy()), torch.from_numpy(rows)], 1).numpy(),
        np.concatenate([rows[:, :700], rows], 1),
    )
    np.testing.assert_array_equal(x.flip(0).numpy(), a[::-1])
    np.testing.assert_array_equal(x[::2].clone().numpy(), a[::2])
    assert (x[5].expand(7 << 20).clone() == 5).all()


# 256 and 512 float32 wide rows share cache sets.
@pytest.mark.parametrize(
    "sizes", [(1, 300), (3, 5), (17, 33), (65, 127), (130, 257), (257, 70), (40, 512), (512, 40), (300, 256)]
)
@pytest.mark.parametrize("dtype", ["bool", "uint8", "int16", "float32", "float64", "complex128"])
def test_transposed_copies(dtype: str, sizes: tuple[int, int]) -> None:
    rows, columns = sizes
    a = (np.arange(3 * rows * columns) % 251).reshape(3, rows, columns).astype(dtype)
    x = torch.from_numpy(a)
    for order in ((0, 2, 1), (2, 1, 0), (2, 0, 1), (1, 2, 0)):
        np.testing.assert_array_equal(x.permute(order).contiguous().numpy(), a.transpose(order))
    inner = x[1, rows // 3 :, columns // 4 :]
    wide = torch.zeros(inner.shape[1] + 9, inner.shape[0] + 7, dtype=x.dtype)
    part = wide[2 : 2 + inner.shape[1], 1 : 1 + inner.shape[0]]
    part.copy_(inner.t())
    np.testing.assert_array_equal(part.numpy(), inner.numpy().T)
    assert (wide != 0).sum() == (inner != 0).sum()  # nothing beside it
    np.testing.assert_array_equal(torch.stack([x[0], x[1]], 2).numpy(), np.stack([a[0], a[1]], 2))


def test_flip_roll_repeat() -> None:
    x = torch.from_numpy(A)
    np.testing.assert_array_equal(x.flip(0, 2).numpy(), np.flip(A, (0, 2)))
    np.testing.assert_array_equal(x.roll((1, -2), (0, 2)).numpy(), np.roll(A, (1, -2), (0, 2)))
    np.testing.assert_array_equal(x.roll(5).numpy(), np.roll(A, 5))
    np.testing.assert_array_equal(torch.rot90(x, 3, (1, 2)).numpy(), np.rot90(A, 3, (1, 2)))
    np.testing.assert_array_equal(x.repeat(2, 1, 1, 3).numpy(), np.tile(A, (2, 1, 1, 3)))
    np.testing.assert_array_equal(x.repeat_interleave(2, 1).numpy(), A.repeat(2, 1))
    np.testing.assert_array_equal(x.repeat_interleave(torch.tensor([1, 0, 2]), 1).numpy(), A.repeat([1, 0, 2], 1))


@pytest.mark.parametrize("diagonal", [-2, 0, 1, 7])
def test_triangles(diagonal: int) -> None:
    x = torch.from_numpy(A)
    np.testing.assert_array_equal(x.tril(diagonal).numpy(), np.tril(A, diagonal))
    np.testing.assert_array_equal(x.triu(diagonal).numpy(), np.triu(A, diagonal))
    rows, columns = torch.tril_indices(3, 4, diagonal).numpy()
    expected = np.tril_indices(3, diagonal, 4)
    np.testing.assert_array_equal(rows, expected[0])
    np.testing.assert_array_equal(columns, expected[1])


@pytest.mark.parametrize(
    "call",
    [
        lambda x: torch.cat([x, x * 2], 1),
        lambda x: torch.stack([x, x], 1),
        lambda x: torch.block_diag(x, x[0]),
        lambda x: x.repeat(2, 3),
        lambda x: x.roll(1, 0).flip(1),
        lambda x: x.tril().diag_embed(),
        lambda x: x.slice_scatter(x[:1] * 2, 0, 1, 2),
        lambda x: x.diagonal_scatter(x[0, :2]),
        lambda x: x.as_strided((2, 2), (1, 1)),
    ],
)
def test_gradients(call) -> None:
    x = torch.arange(6, dtype=torch.float64).view(2, 3).requires_grad_()
    assert torch.autograd.gradcheck(call, (x,), check_forward_ad=True)
    assert torch.autograd.gradgradcheck(call, (x,))


@pytest.mark.parametrize("name", ["T", "mT", "H", "mH", "adjoint"])
def test_transposes_of_numbers_warn(name: str) -> None:
    for number in (torch.tensor(2.0), torch.tensor(1 + 2j)):
        with pytest.warns(UserWarning, match="deprecated on 0-D tensors"):
            turned = getattr(number, name)
            turned = turned() if name == "adjoint" else turned
        assert torch.equal(turned, number if name in ("T", "mT") else number.conj())


def test_a_copy_takes_its_source_by_name() -> None:
    assert torch.zeros(2).copy_(other=torch.ones(2), non_blocking=True).tolist() == [1.0, 1.0]
    assert torch.is_nonzero(input=torch.tensor([2.0]))
    out = torch.zeros(1)
    assert torch.chain_matmul(torch.eye(2), out=out) is out and torch.equal(out, torch.eye(2))


@pytest.mark.parametrize("name", ["multiply", "divide", "true_divide", "subtract", "mul", "div", "sub"])
def test_names_of_arithmetic_write_to_out_with_numbers(name: str) -> None:
    x, out = torch.tensor([1.0, -2.0]), torch.zeros(2)
    function = getattr(torch, name)
    assert function(x, other=4, out=out) is out and torch.equal(out, function(x, 4))
