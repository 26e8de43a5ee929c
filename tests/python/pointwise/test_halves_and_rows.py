"""Half types against float32 rounded once, and operands that broadcast by rows."""

from __future__ import annotations

import numpy as np
import pytest
import rushlight as torch

HALVES = [torch.float16, torch.bfloat16]
SHAPES = [(), (1,), (7,), (64,), (1000,), (3, 16), (5, 33), (2, 3, 48), (4, 70000)]
BINARY = {
    "add": torch.add,
    "add_alpha": lambda a, b: torch.add(a, b, alpha=0.3),
    "sub": torch.sub,
    "sub_alpha": lambda a, b: torch.sub(a, b, alpha=0.3),
    "rsub": torch.rsub,
    "mul": torch.mul,
    "div": torch.div,
    "maximum": torch.maximum,
    "minimum": torch.minimum,
    "nextafter": torch.nextafter,
}
UNARY = {
    "neg": torch.neg,
    "abs": torch.abs,
    "square": torch.square,
    "sqrt": lambda x: x.abs().sqrt(),
    "rsqrt": lambda x: x.abs().rsqrt(),
    "clamp": lambda x: x.clamp(-0.51, 0.37),
    "relu": torch.relu,
    "leaky_relu": lambda x: torch.nn.functional.leaky_relu(x, 0.1),
    "times a number": lambda x: x * 0.1,
    "number minus": lambda x: 0.1 - x,
    "over a number": lambda x: x / 3,
    "at least a number": lambda x: torch.clamp_min(x, 0.25),
    "plus a number": lambda x: torch.add(x, 0.25),
}


def sample(shape: tuple[int, ...], dtype: torch.dtype, seed: int) -> torch.Tensor:
    values = np.random.default_rng(seed).standard_normal(shape)
    return torch.tensor(values).to(dtype)


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("name", [name for name in BINARY if name != "nextafter"])
def test_binary(name: str, dtype: torch.dtype) -> None:
    function = BINARY[name]
    for shape in SHAPES:
        a, b = sample(shape, dtype, 1), sample(shape, dtype, 2)
        pairs = [(a, b)]
        if len(shape) > 1:
            pairs += [(a, b[..., :1]), (a[..., :1], b), (a, b[:1]), (a[..., :1], b[:1, ..., :1]), (a.mT.contiguous().mT, b)]
        for x, y in pairs:
            expected = function(x.float(), y.float()).to(dtype)
            assert torch.equal(function(x, y), expected)
            out = torch.empty_like(expected)
            function_out = getattr(torch, name, None)
            if function_out is not None and name != "rsub":
                assert torch.equal(function_out(x, y, out=out), expected)


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("name", UNARY)
def test_unary(name: str, dtype: torch.dtype) -> None:
    for shape in SHAPES:
        x = sample(shape, dtype, 3)
        for each in (x, x[..., ::2], x[..., :1].expand(*shape)) if shape else (x,):
            got, expected = UNARY[name](each), UNARY[name](each.float())
            if name == "number minus":  # a number beside a sum is rounded first
                expected = torch.tensor(0.1).to(dtype).float() - each.float()
            if "sqrt" in name:  # two roundings
                expected = UNARY[name](each.abs().float())
            assert got.dtype == dtype and torch.equal(got, expected.to(dtype))


@pytest.mark.parametrize("dtype", HALVES)
def test_selection(dtype: torch.dtype) -> None:
    for shape in SHAPES:
        x, y = sample(shape, dtype, 4), sample(shape, dtype, 5)
        for a, b in ((x, y), (x, y[..., :1]), (x[..., :1], y)) if shape else ((x, y),):
            assert torch.equal(torch.where(y > 0, a, b), torch.where(y > 0, a.float(), b.float()).to(dtype))
        assert torch.equal(torch.where(y > 0, x, 0.1), torch.where(y > 0, x.float(), torch.tensor(0.1).to(dtype).float()).to(dtype))
        assert torch.equal(x.masked_fill(y > 0, -2.5), x.float().masked_fill(y > 0, -2.5).to(dtype))


def test_special_values_keep_their_kind() -> None:
    for dtype in HALVES:
        x = torch.tensor([float("nan"), float("inf"), -float("inf"), -0.0, 3.4e38, 1e-40] * 7, dtype=torch.float32).to(dtype)
        for y in (x + x, x * 2.0, -x, x.relu(), torch.maximum(x, x)):
            assert y.isnan().tolist() == x.isnan().tolist()
        numbers = ~x.isnan()
        assert (x.neg().float().signbit() != x.float().signbit())[numbers].all()


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("name", ["relu", "neg", "abs", "times a number", "plus a number"])
def test_every_number_of_a_half_type(name: str, dtype: torch.dtype) -> None:
    every = torch.arange(65536, dtype=torch.int32).to(torch.int16).view(dtype)
    for x in (every, every[3:-1]):  # vectors and the rest of one
        got, expected = UNARY[name](x), UNARY[name](x.float()).to(dtype)
        numbers = ~expected.isnan()
        assert torch.equal(got.isnan(), ~numbers)
        assert torch.equal(got.view(torch.int16)[numbers], expected.view(torch.int16)[numbers])


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.int32, torch.int64, torch.complex64, torch.bool])
@pytest.mark.parametrize("width", [1, 5, 15, 16, 17, 48, 63, 64, 65, 128, 1000])
def test_rows_broadcast(dtype: torch.dtype, width: int) -> None:
    rng = np.random.default_rng(width)
    x = torch.tensor(rng.integers(0, 2 if dtype == torch.bool else 50, (9, 1, width))).to(dtype)
    y = torch.tensor(rng.integers(0, 2 if dtype == torch.bool else 50, (1, 70, 1))).to(dtype)
    for function, reference in ((torch.add, np.add), (torch.mul, np.multiply), (torch.eq, np.equal)):
        np.testing.assert_array_equal(function(x, y).numpy(), reference(x.numpy(), y.numpy()))
        np.testing.assert_array_equal(function(y, x).numpy(), reference(y.numpy(), x.numpy()))
    chosen = torch.where(y != 0, x, y)
    np.testing.assert_array_equal(chosen.numpy(), np.where(y.numpy() != 0, x.numpy(), y.numpy()))


INT64 = np.iinfo(np.int64)


@pytest.mark.parametrize("name", ["floor_divide", "remainder", "fmod"])
def test_int64_division_is_exact(name: str) -> None:
    """Small numbers go by float64, large ones do not; the lowest number by -1 wraps."""
    edges = [0, 1, -1, 2, -7, 9, 2**31, -(2**31), 2**51 - 1, -(2**51), 2**51, 2**52 + 1, 2**53 + 1, INT64.max, INT64.min + 1, INT64.min]
    a = np.array([p for p in edges for _ in edges], dtype=np.int64)
    b = np.array([q for _ in edges for q in edges], dtype=np.int64)
    rng = np.random.default_rng(0)
    a = np.concatenate([a, rng.integers(-100, 100, 1000), rng.integers(INT64.min, INT64.max, 1000), rng.integers(-(2**51), 2**51, 1000)])
    b = np.concatenate([b, rng.integers(1, 100, 1000), rng.integers(1, INT64.max, 1000), rng.integers(1, 2**20, 1000)])
    keep = (b != 0) & ~((a == INT64.min) & (b == -1))
    a, b = a[keep], b[keep]
    reference = {"floor_divide": np.floor_divide, "remainder": np.remainder, "fmod": np.fmod}[name]
    np.testing.assert_array_equal(getattr(torch, name)(torch.tensor(a), torch.tensor(b)).numpy(), reference(a, b))
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        getattr(torch, name)(torch.tensor(a), torch.zeros(len(a), dtype=torch.int64))


def test_float32_powers() -> None:
    rng = np.random.default_rng(1)
    a = np.concatenate([rng.random(20000) * 4, 10.0 ** rng.uniform(-37, 38, 20000), 1 + rng.uniform(-1e-4, 1e-4, 20000)]).astype(np.float32)
    b = np.concatenate([rng.uniform(-5, 5, 20000), rng.uniform(-1.2, 1.2, 20000), rng.uniform(-1e5, 1e5, 20000)]).astype(np.float32)
    exact = a.astype(np.longdouble) ** b.astype(np.longdouble)
    got = torch.pow(torch.tensor(a), torch.tensor(b)).numpy()
    with np.errstate(over="ignore", under="ignore"):
        step = np.spacing(np.abs(exact).astype(np.float32)).astype(np.longdouble)
        error = np.abs(got - exact) / step
    assert np.nanmax(np.where(np.isfinite(got) & (exact < 3.3e38), error, 0)) < 0.8
    whole = torch.arange(1, 40, dtype=torch.float32)
    assert torch.equal(torch.pow(whole, torch.tensor(3.0)), whole * whole * whole)
    for x, y, z in ((0, 0, 1), (0, -1, np.inf), (-2, 3, -8), (-8, 1 / 3, np.nan), (np.inf, -1, 0), (1, np.nan, 1), (np.nan, 0, 1), (2, 128, np.inf), (2, -149, 2.0**-149)):
        result = torch.pow(torch.tensor([x] * 17, dtype=torch.float32), torch.tensor([y] * 17, dtype=torch.float32))
        np.testing.assert_array_equal(result.numpy(), np.full(17, z, np.float32))
