"""Linear algebra against NumPy: factorisations, solvers, norms, empty and singular matrices, derivatives."""

from __future__ import annotations

import numpy as np
import pytest
import rushlight as torch
from rushlight.autograd import gradcheck, gradgradcheck

DTYPES = {torch.float32: 1e-4, torch.float64: 1e-10, torch.complex64: 1e-4, torch.complex128: 1e-10}
SHAPES = [(3, 3), (2, 4, 4), (1, 1, 5, 5), (2, 1, 3, 3)]


def matrix(*shape: int, dtype: torch.dtype = torch.float64, grad: bool = False) -> torch.Tensor:
    return torch.randn(*shape, dtype=dtype).requires_grad_(grad)


def positive(n: int, dtype: torch.dtype = torch.float64) -> torch.Tensor:
    a = matrix(n, n, dtype=dtype)
    return a @ a.mH + n * torch.eye(n, dtype=dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_values(dtype: torch.dtype, shape: tuple[int, ...]) -> None:
    a, close = matrix(*shape, dtype=dtype), {"rtol": 10 * DTYPES[dtype], "atol": 10 * DTYPES[dtype]}
    x = a.numpy()
    np.testing.assert_allclose(torch.linalg.det(a).numpy(), np.linalg.det(x), **close)
    np.testing.assert_allclose((torch.linalg.inv(a) @ a).numpy(), np.broadcast_to(np.eye(shape[-1]), shape), rtol=0, atol=1e-2 if dtype in (torch.float32, torch.complex64) else 1e-8)
    np.testing.assert_allclose(torch.linalg.svdvals(a).numpy(), np.linalg.svd(x, compute_uv=False), **close)
    sign, log = torch.linalg.slogdet(a)
    np.testing.assert_allclose((sign * log.exp()).numpy(), np.linalg.det(x), **close)
    u, s, vh = torch.linalg.svd(a)
    np.testing.assert_allclose(((u * s.unsqueeze(-2)) @ vh).numpy(), x, **close)
    q, r = torch.linalg.qr(a)
    np.testing.assert_allclose((q @ r).numpy(), x, **close)
    p, lower, upper = torch.linalg.lu(a)
    np.testing.assert_allclose((p @ lower @ upper).numpy(), x, **close)


@pytest.mark.parametrize("dtype", DTYPES)
def test_determinant_of_strided_products(dtype: torch.dtype) -> None:
    a = matrix(40, 7, 7, dtype=dtype)
    diagonal = a.diagonal(0, 1, 2)
    np.testing.assert_allclose(diagonal.prod(-1).numpy(), diagonal.numpy().prod(-1), rtol=1e-4)


@pytest.mark.parametrize("name", ["svd", "qr", "eigh", "cholesky_ex", "inv_ex", "lu_factor_ex", "eig", "slogdet"])
def test_out_of_several_results(name: str) -> None:
    function, a = getattr(torch.linalg, name), positive(4)
    expected = function(a)
    out = tuple(torch.empty(0, dtype=part.dtype) for part in expected)
    function(a, out=out)
    for part, target in zip(expected, out):
        assert torch.equal(part, target)


def test_out_of_the_functions_outside_linalg() -> None:
    a, b = positive(3), matrix(3, 2)
    for function, arguments in ((torch.svd, (a,)), (torch.qr, (a,)), (torch.geqrf, (a,)), (torch.triangular_solve, (b, a))):
        expected = function(*arguments)
        out = tuple(torch.empty(0, dtype=part.dtype) for part in expected)
        function(*arguments, out=out)
        assert all(torch.equal(part, target) for part, target in zip(expected, out))


def test_lu_with_infos_is_named() -> None:
    result = torch.lu(positive(3), get_infos=True)
    assert result.LU.shape == (3, 3) and result.pivots.shape == (3,) and result.info.item() == 0


@pytest.mark.parametrize("shape", [(5, 5), (1, 1, 5, 5), (2, 2, 4, 3)])
def test_pseudo_inverse_has_a_gradient(shape: tuple[int, ...]) -> None:
    a = matrix(*shape, grad=True)
    assert torch.linalg.pinv(a).grad_fn is not None
    assert gradcheck(torch.linalg.pinv, (a,))


EMPTY = {
    "cholesky": lambda a: torch.cholesky(a), "inverse": torch.inverse, "matrix_power": lambda a: torch.linalg.matrix_power(a, 0),
    "householder_product": lambda a: torch.linalg.householder_product(a, a.new_zeros(0)), "det": torch.linalg.det,
    "pinv": torch.linalg.pinv, "matrix_exp": torch.linalg.matrix_exp, "svdvals": torch.linalg.svdvals,
}  # fmt: skip


@pytest.mark.parametrize("name", EMPTY)
def test_empty_matrices_stay_in_the_graph(name: str) -> None:
    a = torch.zeros(0, 0, dtype=torch.float64, requires_grad=True)
    result = EMPTY[name](a)
    assert result.requires_grad
    result.sum().backward()


def test_solvers_of_empty_systems() -> None:
    lu, pivots = torch.linalg.lu_factor(torch.zeros(0, 0, dtype=torch.float64))
    b = torch.zeros(0, 1, dtype=torch.float64, requires_grad=True)
    torch.linalg.lu_solve(lu, pivots, b).sum().backward()
    assert b.grad.shape == (0, 1)


@pytest.mark.parametrize("order", [1, 2, float("inf"), "fro", "nuc"])
def test_norms_of_nothing_are_zero(order: float | str) -> None:
    assert torch.linalg.matrix_norm(torch.zeros(0, 3), order).item() == 0
    assert torch.linalg.matrix_norm(torch.zeros(2, 3, 0), order).tolist() == [0, 0]


def test_smallest_norms_of_nothing_are_refused() -> None:
    with pytest.raises(IndexError, match="amin"):
        torch.linalg.matrix_norm(torch.zeros(3, 0), -2)


@pytest.mark.parametrize("order", [1, -1, 2, -2, float("inf"), -float("inf"), "fro", "nuc"])
def test_matrix_norms(order: float | str) -> None:
    a = matrix(4, 3)
    np.testing.assert_allclose(torch.linalg.norm(a, order).item(), np.linalg.norm(a.numpy(), order))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_types(dtype: torch.dtype) -> None:
    a = torch.tensor([[0.5, 1.0], [0.0, -0.5]], dtype=dtype)
    assert torch.linalg.matrix_norm(a, 1).dtype == dtype
    expected = torch.linalg.matrix_exp(a.float())
    assert torch.allclose(torch.linalg.matrix_exp(a).float(), expected, rtol=1e-2)
    with pytest.raises(RuntimeError, match="Low precision dtypes not supported"):
        torch.linalg.matrix_norm(a, 2)


def test_vander() -> None:
    np.testing.assert_array_equal(torch.linalg.vander(torch.tensor([1, 2, 3])).numpy(), np.vander([1, 2, 3], increasing=True))
    assert torch.linalg.vander(torch.tensor(3.0), N=3).tolist() == [[1, 3, 9]]
    with pytest.raises(RuntimeError, match="N must be greater than 1"):
        torch.linalg.vander(torch.tensor(3.0))


SECOND = {
    "det": torch.linalg.det, "inv": torch.linalg.inv, "svdvals": torch.linalg.svdvals, "qr": lambda a: torch.linalg.qr(a)[1],
    "lu": lambda a: torch.linalg.lu(a)[1], "solve": lambda a: torch.linalg.solve(a, torch.ones(3, 2, dtype=torch.float64)),
    "matrix_exp": torch.linalg.matrix_exp, "cond": torch.linalg.cond, "matrix_power": lambda a: torch.linalg.matrix_power(a, -2),
    "lstsq": lambda a: torch.linalg.lstsq(a, torch.ones(3, 2, dtype=torch.float64))[0], "norm": torch.linalg.norm,
    "cholesky": lambda a: torch.linalg.cholesky(a @ a.mT + 3 * torch.eye(3, dtype=torch.float64)),
}  # fmt: skip


@pytest.mark.parametrize("name", SECOND)
def test_derivatives(name: str) -> None:
    a = (matrix(3, 3) + 2 * torch.eye(3, dtype=torch.float64)).requires_grad_()
    assert gradcheck(SECOND[name], (a,), check_forward_ad=True)
    assert gradgradcheck(SECOND[name], (a,))


def test_residuals_of_least_squares_have_a_gradient() -> None:
    a, b = matrix(5, 3, grad=True), matrix(5, 2, grad=True)
    assert gradcheck(lambda a, b: torch.linalg.lstsq(a, b, driver="gels")[1], (a, b))
    wide = torch.linalg.lstsq(matrix(2, 3, grad=True), matrix(2, 1), driver="gels")
    assert wide.residuals.shape == (0,) and wide.residuals.requires_grad


def test_norm_at_zero_in_forward_mode() -> None:
    for order in (2, 3, 3.5):
        with torch.autograd.forward_ad.dual_level():
            x = torch.autograd.forward_ad.make_dual(torch.zeros(3), torch.ones(3))
            assert torch.autograd.forward_ad.unpack_dual(torch.linalg.vector_norm(x, order)).tangent.item() == 0


def test_failures_raise_linalg_errors() -> None:
    for function in (torch.linalg.inv, torch.linalg.cholesky, lambda a: torch.linalg.solve(a, torch.ones(2))):
        with pytest.raises(torch.linalg.LinAlgError):
            function(torch.zeros(2, 2))


def test_products_of_batches_are_no_views() -> None:
    product = torch.ones(2, 2, 3, 3) @ torch.ones(2, 2, 3, 3)
    assert product._base is None
