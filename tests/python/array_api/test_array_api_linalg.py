"""Array API: the linear algebra and Fourier extensions, where they differ from `torch.linalg` and `torch.fft`."""

from __future__ import annotations

import numpy as np
import pytest
import rushlight as torch
import rushlight.array_api as xp

torch.manual_seed(5)
STACK = torch.randn(2, 3, 3, dtype=torch.float64) + 4 * torch.eye(3, dtype=torch.float64)


def test_solve_takes_a_vector_only_of_one_dimension() -> None:
    vector, matrices = torch.randn(3, dtype=torch.float64), torch.randn(2, 3, 1, dtype=torch.float64)
    torch.testing.assert_close(xp.linalg.solve(STACK, vector), torch.linalg.inv(STACK) @ vector)
    torch.testing.assert_close(xp.linalg.solve(STACK, matrices), torch.linalg.inv(STACK) @ matrices)
    ambiguous = torch.randn(3, 3, dtype=torch.float64)  # one matrix for both, not a stack of three vectors
    stack = STACK[:1].expand(3, 3, 3)
    torch.testing.assert_close(xp.linalg.solve(stack, ambiguous), torch.linalg.inv(stack) @ ambiguous)


def test_results_are_named() -> None:
    assert xp.linalg.qr(STACK)._fields == ("Q", "R")
    assert xp.linalg.svd(STACK)._fields == ("U", "S", "Vh")
    assert xp.linalg.eigh(STACK)._fields == xp.linalg.eig(STACK)._fields == ("eigenvalues", "eigenvectors")
    assert xp.linalg.slogdet(STACK)._fields == ("sign", "logabsdet")


def test_diagonals_are_of_the_last_two_axes() -> None:
    np.testing.assert_array_equal(xp.linalg.diagonal(STACK, offset=1).numpy(), STACK.numpy().diagonal(1, -2, -1))
    np.testing.assert_allclose(xp.linalg.trace(STACK).numpy(), STACK.numpy().trace(axis1=-2, axis2=-1))
    assert xp.linalg.trace(torch.ones(2, 2, dtype=torch.int8)).dtype == torch.int64


@pytest.mark.parametrize("axis", [None, 0, (0, 2), ()])
@pytest.mark.parametrize("order", [0, 1, 2, 3.5, float("inf")])
def test_vector_norm(axis: object, order: float) -> None:
    found = xp.linalg.vector_norm(STACK, axis=axis, ord=order, keepdims=True)
    size = STACK.abs().numpy()
    axes = (0, 1, 2) if axis is None else axis
    if order == float("inf"):
        expected = size.max(axis=axes, keepdims=True)
    elif order == 0:
        expected = np.sum(size != 0, axis=axes, keepdims=True)
    else:
        expected = np.sum(size**order, axis=axes, keepdims=True) ** (1 / order)
    np.testing.assert_allclose(found.numpy(), expected)


def test_cross_broadcasts() -> None:
    one, several = torch.randn(3), torch.randn(4, 3)
    np.testing.assert_allclose(xp.linalg.cross(one, several).numpy(), np.cross(one.numpy(), several.numpy()), rtol=1e-5)
    with pytest.raises(ValueError, match="expected 3 elements along axis -1, got 2 and 2"):
        xp.linalg.cross(torch.ones(2), torch.ones(2))


def test_qr_has_two_modes() -> None:
    assert xp.linalg.qr(torch.ones(3, 2), mode="complete").Q.shape == (3, 3)
    with pytest.raises(ValueError, match="'reduced' or 'complete'"):
        xp.linalg.qr(torch.ones(3, 2), mode="r")


def test_fourier_transforms() -> None:
    x = torch.randn(4, 6)
    np.testing.assert_allclose(
        xp.fft.fft(x, n=8, axis=0, norm="ortho").numpy(), np.fft.fft(x, 8, 0, "ortho"), atol=1e-5
    )
    np.testing.assert_allclose(xp.fft.rfftn(x, axes=(1, 0)).numpy(), np.fft.rfftn(x, axes=(1, 0)), atol=1e-5)
    np.testing.assert_allclose(xp.fft.ihfft(x[0]).numpy(), np.fft.ihfft(x[0]), atol=1e-6)
    np.testing.assert_array_equal(xp.fft.fftshift(x, axes=1).numpy(), np.fft.fftshift(x, axes=1))
    assert xp.fft.rfftfreq(5, d=0.5, dtype=torch.float64).dtype == torch.float64
