"""Pointwise operators: promotion, broadcasting, destinations, overlap, strides and edges, against NumPy or stated values."""

from __future__ import annotations

import math

import numpy as np
import pytest
import rushlight as torch


def test_promotion_ranks_tensors_above_zero_dim_above_numbers() -> None:
    ints, floats = torch.ones(3, dtype=torch.int32), torch.ones(3, dtype=torch.float16)
    assert (ints + 1).dtype == torch.int32
    assert (ints + 1.5).dtype == torch.float32
    assert (floats + 1.5).dtype == torch.float16
    assert (floats + torch.tensor(2.0, dtype=torch.float64)).dtype == torch.float16
    assert (ints + torch.tensor(2, dtype=torch.int64)).dtype == torch.int32
    assert (floats + 1j).dtype == torch.complex32
    assert (floats.bfloat16() + 1j).dtype == torch.complex64
    assert (ints / ints).dtype == torch.float32
    assert (torch.ones(2, dtype=torch.uint8) + torch.ones(2, dtype=torch.int8)).dtype == torch.int16


def test_broadcasting_names_the_sizes_that_do_not_match() -> None:
    with pytest.raises(RuntimeError, match=r"The size of tensor a \(3\) must match the size of tensor b \(4\) at non-singleton dimension 1"):
        torch.ones(2, 3) + torch.ones(2, 4)


def test_in_place_keeps_shape_and_dtype() -> None:
    x = torch.ones(3, dtype=torch.int64)
    with pytest.raises(RuntimeError, match="result type Float can't be cast to the desired output type Long"):
        x.add_(1.5)
    with pytest.raises(RuntimeError, match="doesn't match the broadcast shape"):
        x.add_(torch.ones(2, 3, dtype=torch.int64))


def test_partial_overlap_is_refused_and_full_overlap_is_not() -> None:
    x = torch.arange(10.0)
    with pytest.raises(RuntimeError, match="some elements of the input tensor and the written-to tensor"):
        x[1:].add_(x[:-1])
    x.add_(x)
    assert x.tolist() == [2.0 * i for i in range(10)]
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor"):
        torch.zeros(1).expand(4).add_(1)


def test_results_keep_the_order_of_strides() -> None:
    x = torch.randn(2, 3, 4, 5).permute(0, 3, 1, 2)
    assert (x + 1).stride() == x.stride()
    assert (x + torch.ones(5, 1, 1)).stride() == x.stride()
    assert torch.exp(x).stride() == x.stride()


def test_out_is_resized_and_converted() -> None:
    out = torch.empty(0)
    assert torch.add(torch.ones(2, 3), 1, out=out) is out
    assert out.shape == (2, 3)
    wide = torch.empty(2, dtype=torch.float64)
    torch.mul(torch.tensor([1.5, 2.0]), 2, out=wide)
    assert wide.tolist() == [3.0, 4.0]


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "int64"])
def test_integer_division_follows_python(dtype: str) -> None:
    low = 0 if dtype == "uint8" else -7
    a = [v for v in range(low, 8) for _ in range(3)]
    b = ([1, 2, 3] if dtype == "uint8" else [-2, 3, -1]) * (len(a) // 3)
    x, y = torch.tensor(a, dtype=getattr(torch, dtype)), torch.tensor(b, dtype=getattr(torch, dtype))
    assert (x // y).tolist() == [p // q for p, q in zip(a, b)]
    assert (x % y).tolist() == [p % q for p, q in zip(a, b)]
    assert torch.fmod(x, y).tolist() == [int(math.fmod(p, q)) for p, q in zip(a, b)]
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        x // torch.zeros_like(x)


def test_nan_travels_as_in_pytorch() -> None:
    nan = float("nan")
    x = torch.tensor([nan, 1.0, nan] * 7)
    y = torch.tensor([1.0, nan, nan] * 7)
    assert torch.isnan(torch.maximum(x, y)).all()
    assert torch.isnan(torch.fmax(x, y)).tolist() == [False, False, True] * 7
    assert torch.isnan(x.clamp(0, 1)).tolist() == [True, False, True] * 7
    assert torch.isnan(torch.relu(x)).tolist() == [True, False, True] * 7
    assert (x != x).tolist() == [True, False, True] * 7
    assert torch.logical_not(x).tolist() == [False] * 21


@pytest.mark.parametrize("name", ["exp", "log", "sin", "cos", "tanh", "sqrt", "log1p", "expm1", "arctan", "sinh"])
@pytest.mark.parametrize("shape", [(), (0,), (7,), (33, 65), (3, 1, 5)])
def test_functions_match_numpy_in_every_layout(name: str, shape: tuple[int, ...]) -> None:
    values = np.random.default_rng(3).uniform(0.1, 3, size=shape).astype(np.float32)
    want = getattr(np, name)(values.astype(np.float64))
    for dtype, tolerance in (("float32", 1e-6), ("float64", 1e-14)):
        x = torch.tensor(values, dtype=getattr(torch, dtype))
        function = getattr(torch, name)
        np.testing.assert_allclose(function(x).numpy(), want, rtol=tolerance, atol=tolerance)
        if x.dim() > 1:
            turned = function(x.transpose(0, 1)).numpy()
            np.testing.assert_allclose(turned, np.swapaxes(want, 0, 1), rtol=tolerance, atol=tolerance)


def test_same_bits_for_any_number_of_threads_and_any_position() -> None:
    x = torch.linspace(-20, 20, 200003)
    before = torch.get_num_threads()
    try:
        results = []
        for threads in (1, 2):
            torch.set_num_threads(threads)
            results.append(torch.sigmoid(x).numpy().tobytes())
        assert results[0] == results[1]
    finally:
        torch.set_num_threads(before)
    assert torch.sin(x)[5:].equal(torch.sin(x[5:]))


def test_tied_maxima_share_the_gradient() -> None:
    a, b = torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor([1.0, 0.0], requires_grad=True)
    torch.maximum(a, b).sum().backward()
    assert a.grad.tolist() == [0.5, 1.0] and b.grad.tolist() == [0.5, 0.0]


def test_gradients_at_the_edges() -> None:
    x = torch.zeros(1, requires_grad=True)
    for function, want in ((torch.abs, 0.0), (lambda t: t**2, 0.0), (lambda t: t**0, 0.0), (lambda t: torch.xlogy(t, torch.zeros(1)), 0.0)):
        (grad,) = torch.autograd.grad(function(x).sum(), x)
        assert grad.item() == want
    y = torch.tensor([float("nan"), 1.0], requires_grad=True)
    torch.where(torch.tensor([False, True]), y, torch.zeros(2)).sum().backward()
    assert y.grad.tolist() == [0.0, 1.0]


def test_sign_refuses_complex_numbers_as_pytorch_does():
    with pytest.raises(NotImplementedError, match="use torch.sgn instead"):
        torch.sign(torch.ones(2, dtype=torch.complex64))
