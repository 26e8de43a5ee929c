"""Values of functions where a shortcut lost digits once; the right ones have 17 digits of a 30-digit computation."""

from __future__ import annotations

import rushlight as torch


def test_airy_near_zero_has_its_linear_term():
    x = torch.tensor([1e-5, -1e-5, 9e-4, 0.0], dtype=torch.float64)
    want = [0.35502546569377935, 0.3550306420818551, 0.3547951164675255, 0.3550280538878172]
    assert torch.allclose(torch.special.airy_ai(x), torch.tensor(want, dtype=torch.float64), rtol=1e-14, atol=0)


def test_gelu_tanh_has_all_digits_in_float64():
    assert abs(torch.nn.functional.gelu(torch.tensor(2.46531037, dtype=torch.float64), approximate="tanh").item() - 2.4488630213176275) < 2e-15


def test_second_derivative_of_a_power_of_zero_is_zero():
    exponent = torch.tensor([2.5, 0.5, 1.0], dtype=torch.float64, requires_grad=True)
    (first,) = torch.autograd.grad(torch.pow(torch.tensor(0.0, dtype=torch.float64), exponent).sum(), exponent, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), exponent)
    assert first.tolist() == [0, 0, 0] and second.tolist() == [0, 0, 0]
    assert torch.autograd.gradcheck(lambda e: torch.pow(0.0, e), (exponent,), check_forward_ad=True)


def test_second_derivatives_of_frexp_and_complex_silu():
    x = torch.tensor([0.3, 2.5, -7.1], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradgradcheck(lambda t: torch.frexp(t)[0], (x,))
    z = torch.tensor([0.3 + 1j, 2.5 - 0.4j], dtype=torch.complex128, requires_grad=True)
    assert torch.autograd.gradcheck(torch.nn.functional.silu, (z,), check_forward_ad=True)
    assert torch.autograd.gradgradcheck(torch.nn.functional.silu, (z,))


def test_slope_of_gelu_matches_float64_also_where_its_table_ends():
    near = torch.tensor([4.0 + k * 2.0**-21 for k in range(-40, 41)], dtype=torch.float64).float()
    x = torch.cat([torch.linspace(-14, 14, 100_003), near, -near, torch.tensor([0.0, -0.0, 1e-40, -1e-30])])

    def slope(x: torch.Tensor) -> torch.Tensor:
        x = x.requires_grad_()
        return torch.autograd.grad(torch.nn.functional.gelu(x).sum(), x)[0].double()

    assert (slope(x) - slope(x.detach().double())).abs().max() < 2.5e-7
    assert slope(torch.tensor([5.0, float("nan"), 20.0, -20.0]))[1:].isnan().tolist() == [True, False, False]
