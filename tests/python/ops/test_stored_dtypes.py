"""Dtypes that are only stored: rounding into float8, movement of any bits, and refusals that say what to do."""

from __future__ import annotations

import io
import math
import pickle

import pytest
import rushlight as torch

FLOAT8 = [torch.float8_e4m3fn, torch.float8_e5m2, torch.float8_e4m3fnuz, torch.float8_e5m2fnuz, torch.float8_e8m0fnu]
NUMBERS = [*FLOAT8, torch.complex32]
BITS = [torch.uint4, torch.int7, torch.bits8, torch.bits16, torch.qint32, torch.quint4x2, torch.float4_e2m1fn_x2]
UNSIGNED = {1: torch.uint8, 2: torch.uint16, 4: torch.uint32}


def codes(dtype):
    return torch.arange(256, dtype=torch.uint8).view(dtype)


def raw(x):
    """The bits of a tensor, as integers."""
    return x.view(UNSIGNED[x.dtype.itemsize])


@pytest.mark.parametrize("dtype", FLOAT8)
def test_every_number_of_a_format_survives_float32(dtype):
    all_codes = codes(dtype)
    there = all_codes.float()
    numbers = ~there.isnan()
    assert raw(there.to(dtype))[numbers].tolist() == raw(all_codes)[numbers].tolist()
    assert there.to(dtype).float()[~numbers].isnan().all()


@pytest.mark.parametrize("dtype", FLOAT8)
def test_what_lies_between_two_numbers_becomes_the_nearer_one(dtype):
    known = sorted({v for v in codes(dtype).float().tolist() if math.isfinite(v)})
    if dtype is torch.float8_e8m0fnu:  # its least number is a subnormal float32, and what exceeds that goes up
        known = known[1:]
    nearer_low, nearer_high, ties = [], [], []
    for low, high in zip(known, known[1:]):
        nearer_low.append(low + (high - low) * 0.49)
        nearer_high.append(low + (high - low) * 0.51)
        ties.append((low + high) / 2)
    assert torch.tensor(nearer_low, dtype=torch.float64).to(dtype).tolist() == known[:-1]
    assert torch.tensor(nearer_high, dtype=torch.float64).to(dtype).tolist() == known[1:]
    landed = raw(torch.tensor(ties).to(dtype)).tolist()
    if dtype is torch.float8_e8m0fnu:  # no bit to be even: ties go up
        assert landed == list(range(2, 255))
    else:
        assert all(code % 2 == 0 for code in landed)


@pytest.mark.parametrize(
    ("dtype", "value", "code"),
    [
        (torch.float8_e4m3fn, 1e9, 0x7E),  # the largest number, 448
        (torch.float8_e4m3fn, -math.inf, 0xFE),
        (torch.float8_e4m3fn, math.nan, 0x7F),
        (torch.float8_e5m2, 61440.0, 0x7C),  # the tie between 57344 and infinity
        (torch.float8_e5m2, -math.inf, 0xFC),
        (torch.float8_e4m3fnuz, 248.0, 0x80),  # NaN
        (torch.float8_e4m3fnuz, -0.0, 0x00),
        (torch.float8_e5m2fnuz, math.inf, 0x80),
        (torch.float8_e8m0fnu, -3.0, 0x81),  # no sign: 4
        (torch.float8_e8m0fnu, 0.0, 0x00),  # no zero: 2 ** -127
        (torch.float8_e8m0fnu, math.inf, 0xFF),
    ],
)
def test_ends_of_the_formats(dtype, value, code):
    for made in (torch.tensor([value]).to(dtype), torch.full((1,), value, dtype=dtype), torch.tensor([value], dtype=dtype)):
        assert raw(made).item() == code


@pytest.mark.parametrize("dtype", [*NUMBERS, *BITS])
def test_movement_is_the_movement_of_the_bits(dtype):
    x = torch.arange(24 * dtype.itemsize, dtype=torch.uint8).view(dtype).reshape(4, 6)
    index = torch.tensor([2, 0, 2])
    mask = torch.arange(24).reshape(4, 6) % 3 == 0

    def filled(t):
        t = t.clone()
        t[:, 1] = t[:, 2]
        t[index] = t[:3]
        t[mask] = t.flatten()[:8]
        return t

    for move in (
        lambda t: t.t().contiguous(),
        lambda t: torch.cat((t, t[1:])),
        lambda t: torch.stack((t, t), 1),
        lambda t: t[index],
        lambda t: t[mask],
        lambda t: t[::2, 1:],
        lambda t: t.index_select(1, index),
        lambda t: t.gather(0, index.expand(6, 3).t()),
        lambda t: t.take(index),
        lambda t: t.flip(1).roll(1, 0),
        lambda t: t.repeat(2, 2),
        lambda t: t.expand(2, 4, 6).clone(),
        lambda t: t.unfold(1, 2, 2).clone(),
        lambda t: t.scatter(0, index.expand(6, 3).t(), t[:3]),
        filled,
    ):
        assert torch.equal(raw(move(x)), move(raw(x)))


@pytest.mark.parametrize("dtype", [*NUMBERS, *BITS])
def test_zeros_files_and_text(dtype):
    zero = torch.zeros(3, dtype=dtype)
    assert raw(zero).tolist() == [0, 0, 0]
    assert f"dtype={dtype}" in repr(zero)
    assert "dtype=" in repr(torch.empty(0, dtype=dtype)) and dtype is pickle.loads(pickle.dumps(dtype))
    x = torch.arange(8 * dtype.itemsize, dtype=torch.uint8).view(dtype)
    file = io.BytesIO()
    if dtype in BITS and dtype is not torch.float4_e2m1fn_x2:
        with pytest.raises(RuntimeError, match="no file format has a name for dtype"):
            torch.save(x, file)
        return
    torch.save({"x": x.reshape(2, 4).t()}, file)
    file.seek(0)
    back = torch.load(file)["x"]
    assert back.dtype is dtype and back.stride() == (1, 4)
    assert torch.equal(raw(back.t().contiguous()).flatten(), raw(x))


@pytest.mark.parametrize("dtype", FLOAT8)
def test_arithmetic_is_refused_and_comparison_is_not(dtype):
    x = torch.tensor([1.0, 2.0, 4.0]).to(dtype)
    assert (x == 2).tolist() == [False, True, False] and (x != x).sum() == 0
    assert torch.equal(x, x.clone()) and not x.isnan().any() and x.bool().all()
    assert torch.where(torch.tensor([True, False, True]), x, x.flip(0)).float().tolist() == [1, 2, 4]
    name = dtype._scalar_type
    for call in (lambda: x + x, lambda: x.sum(), lambda: x.sort(), lambda: x.exp(), lambda: x.cumsum(0), lambda: x.softmax(0)):
        with pytest.raises(NotImplementedError, match=f"not implemented for '{name}'.*x.to\\(torch.float32\\)"):
            call()
    with pytest.raises(RuntimeError, match=f"Promotion for Float8 Types is not supported.*{name}"):
        torch.eq(x, x.to(torch.float16))


@pytest.mark.parametrize("dtype", BITS)
def test_bits_have_no_numbers(dtype):
    x = torch.zeros(2, dtype=dtype)
    for call in (lambda: x + x, lambda: x.exp(), lambda: x.float(), lambda: x.fill_(1), lambda: x.sum(), lambda: x == x):
        with pytest.raises((NotImplementedError, RuntimeError), match=dtype._scalar_type):
            call()


def test_complex32_is_computed_in_complex64_and_rounded_once():
    x = torch.tensor([1 + 2j, 3 - 4j], dtype=torch.complex32)
    assert (x * x).tolist() == [-3 + 4j, -7 - 24j] and (x * x).dtype is torch.complex32
    assert x.abs().dtype is torch.float16 and x.abs()[1] == 5
    assert x.real.dtype is torch.float16 and torch.view_as_real(x).tolist() == [[1, 2], [3, -4]]
    assert x.sum() == 4 - 2j and x.mean().dtype is torch.complex32
    half = torch.tensor([1.5, 2.0], dtype=torch.float16)
    assert (half * 1j).dtype is torch.complex32
    assert (x + torch.ones(2)).dtype is torch.complex64 and (x + torch.ones(2).double()).dtype is torch.complex128
    with pytest.raises(NotImplementedError, match="not implemented for 'ComplexHalf'"):
        x.reshape(1, 2) @ x.reshape(2, 1)


def test_gradients_pass_through_a_conversion():
    x = torch.tensor([0.3, 3.1, -7.7], requires_grad=True)
    (x.to(torch.float8_e4m3fn).to(torch.float32) * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
    assert x.grad.tolist() == [1.0, 2.0, 3.0]
    leaf = torch.ones(2, dtype=torch.float8_e5m2, requires_grad=True)
    leaf.float().sum().backward()
    assert leaf.grad.dtype is torch.float8_e5m2 and leaf.grad.float().tolist() == [1.0, 1.0]


def test_limits():
    info = torch.finfo(torch.float8_e4m3fn)
    assert (info.max, info.eps, info.bits) == (448.0, 0.125, 8)
    assert torch.finfo(torch.float8_e8m0fnu).min == 2.0**-127
    assert torch.finfo(torch.complex32).max == 65504.0
    with pytest.raises(TypeError, match="requires an integer input type"):
        torch.iinfo(torch.uint4)
