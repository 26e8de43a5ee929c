"""Arguments at which a function has an exact result, signs of zeros and infinite parts included."""

from __future__ import annotations

import pytest
import rushlight as torch

INF, NAN = float("inf"), float("nan")
FLOATS = [torch.float32, torch.float64]


@pytest.mark.parametrize("count", [1, 37])
@pytest.mark.parametrize("dtype", FLOATS)
def test_cosine_of_zero_is_one(dtype: torch.dtype, count: int) -> None:
    for zero in (0.0, -0.0, 1e-20):
        assert torch.full((count,), zero, dtype=dtype).cos().tolist() == [1.0] * count


EXACT = {
    "exp": {-INF: 0, 0.0: 1, INF: INF, -104: 0, 89: INF},
    "expm1": {-INF: -1, -0.0: -0.0, INF: INF, -20: -1, 89: INF},
    "sinh": {-INF: -INF, -0.0: -0.0, INF: INF, 90: INF},
    "cosh": {-INF: INF, 0.0: 1, INF: INF, -90: INF},
    "tanh": {-INF: -1, -0.0: -0.0, 1e-40: 1e-40, INF: 1, 9.3: 1, -15: -1},
    "erf": {-INF: -1, -0.0: -0.0, INF: 1, 3.99: 1, -5: -1},
    "erfc": {-INF: 2, -0.0: 1, 1e-30: 1, INF: 0, -4.5: 2, 10.2: 0},
    "erfinv": {-1: -INF, -0.0: -0.0, 1: INF, 1.0000001: NAN, -2: NAN, INF: NAN},
    "sigmoid": {-INF: 0, -0.0: 0.5, INF: 1, 30: 1},
    "elu": {-INF: -1, -0.0: -0.0, INF: INF, -20: -1, 3: 3},
    "softplus": {-INF: 0, INF: INF, 21: 21, -105: 0},
    "logsigmoid": {-INF: -INF, -200: -200},
    "mish": {-0.0: -0.0, INF: INF, 21: 21},
    "silu": {-0.0: -0.0, INF: INF, 30: 30},
    "gelu": {-0.0: -0.0, INF: INF, 7: 7},
}


@pytest.mark.parametrize("count", [1, 37])
@pytest.mark.parametrize("name", EXACT)
def test_exponential_functions_at_their_limits(name: str, count: int) -> None:
    function = getattr(torch, name, None) or getattr(torch.nn.functional, name)
    for argument, value in [*EXACT[name].items(), (NAN, NAN)]:
        found = function(torch.full((count,), float(argument)))
        expected = torch.full((count,), float(value))
        assert str(found.tolist()) == str(expected.tolist()), argument


@pytest.mark.parametrize("dtype", FLOATS)
def test_log2_of_powers_of_two_is_exact(dtype: torch.dtype) -> None:
    exponents = list(range(-126, 128))
    assert torch.tensor([2.0**e for e in exponents], dtype=dtype).log2().tolist() == exponents


@pytest.mark.parametrize("dtype", FLOATS)
def test_log2_outside_of_the_normal_numbers(dtype: torch.dtype) -> None:
    found = torch.tensor([0.0, INF, -1.0, NAN, 2.0**-140], dtype=dtype).log2()
    assert str(found.tolist()) == "[-inf, inf, nan, nan, -140.0]"


@pytest.mark.parametrize("dtype", [*FLOATS, torch.bfloat16])
def test_remainder_of_zero_takes_the_sign_of_the_divisor(dtype: torch.dtype) -> None:
    a = torch.tensor([0.0, -0.0, 6.0, -6.0] * 5, dtype=dtype)
    for divisor, zero in ((3.0, "0.0"), (-3.0, "-0.0")):
        b = torch.full_like(a, divisor)
        assert {str(rest) for rest in torch.remainder(a, b).tolist()} == {zero}
        assert {str(rest) for rest in (a % divisor).tolist()} == {zero}


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        (complex(INF, 0), "(inf+0j)"),
        (complex(-INF, INF), "(-1+0j)"),
        (complex(-INF, NAN), "(-1+0j)"),
        (complex(NAN, 0), "(nan+0j)"),
        (complex(INF, 1), "(inf+infj)"),
        (complex(INF, NAN), "(inf+nanj)"),
        (complex(1, NAN), "(nan+nanj)"),
        (complex(1e20, 1), "(inf+infj)"),
        (complex(1e20, 3), "(-inf+infj)"),
    ],
)
def test_expm1_of_infinite_complex_numbers(argument: complex, expected: str) -> None:
    for dtype in (torch.complex64, torch.complex128):
        found = torch.tensor([argument], dtype=dtype).expm1()[0]
        parts = [str(abs(part.item()) if part.isnan() else part.item()) for part in (found.real, found.imag)]
        wanted = complex(expected)
        assert parts == [str(wanted.real), str(wanted.imag)]


def derivatives(function, *arguments: float) -> tuple[list[float], list[float]]:
    """Reverse and forward derivative along each argument."""
    inputs = [torch.tensor(value, dtype=torch.float64, requires_grad=True) for value in arguments]
    reverse = [grad.item() for grad in torch.autograd.grad(function(*inputs), inputs)]
    primals, forward = tuple(x.detach() for x in inputs), []
    for i in range(len(primals)):
        tangents = tuple(torch.tensor(float(i == k), dtype=torch.float64) for k in range(len(primals)))
        forward.append(torch.func.jvp(function, primals, tangents)[1].item())
    return reverse, forward


def test_slopes_where_the_formula_is_indefinite() -> None:
    assert derivatives(torch.sinc, 0.0) == ([0.0], [0.0])
    assert derivatives(lambda x: torch.pow(x, torch.tensor(0.0, dtype=torch.float64)), 0.0) == ([0.0], [0.0])
    assert derivatives(torch.atan2, 0.0, 0.0)[0] == [0.0, 0.0]
    assert derivatives(torch.nextafter, 1.0, 1.0) == ([0.0, 0.0], [0.0, 0.0])
    assert derivatives(torch.nextafter, 1.0, 2.0) == ([1.0, 0.0], [1.0, 0.0])


@pytest.mark.parametrize("function", [torch.nn.functional.elu, torch.nn.functional.celu, torch.selu])
def test_second_derivative_of_exponential_units_at_zero(function) -> None:
    x = torch.zeros(3, dtype=torch.float64, requires_grad=True)
    (slope,) = torch.autograd.grad(function(x).sum(), x, create_graph=True)
    assert torch.autograd.grad(slope.sum(), x)[0].tolist() == [0.0] * 3


@pytest.mark.parametrize("dtype", [*FLOATS, torch.float16, torch.complex64])
def test_what_is_close(dtype: torch.dtype) -> None:
    a = torch.tensor([0.0, INF, INF, NAN, NAN, 1.0, 1.0, -INF, 2.0] * 5, dtype=dtype)
    b = torch.tensor([-0.0, INF, -INF, NAN, 1.0, 1.001, 1.25, 3.0, INF] * 5, dtype=dtype)
    close = [True, True, False, False, False, True, False, False, False]
    assert torch.isclose(a, b, rtol=0.1, atol=0.01).tolist() == close * 5
    close[3] = True
    assert torch.isclose(a, b, rtol=0.1, atol=0.01, equal_nan=True).tolist() == close * 5
    assert torch.isclose(a, b, rtol=0, atol=0).tolist() == ([True, True] + [False] * 7) * 5
