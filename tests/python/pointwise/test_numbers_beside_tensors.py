"""Numbers beside tensors of dtypes that hold few of them: they are elements of that dtype, or refused."""

from __future__ import annotations

import operator

import numpy as np
import pytest
import rushlight as torch

UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
MOST = 2**64 - 1


@pytest.mark.parametrize("dtype", UNSIGNED)
def test_negative_numbers_wrap_around(dtype: str) -> None:
    most = int(np.iinfo(dtype).max)
    x = torch.tensor([0, 7, most], dtype=getattr(torch, dtype))
    assert (x == -1).tolist() == (x == torch.tensor(-1)).tolist() == [False, False, True]
    assert (x < -1).tolist() == [True, True, False]
    assert (x // -2).tolist() == [0, 0, 1]
    assert (x % -2).tolist() == [0, 7, 1]
    assert x.clamp(-1).tolist() == [most] * 3 == torch.maximum(x, torch.tensor(-1)).tolist()
    assert torch.where(x == 7, x, -1).tolist() == [most, 7, most]
    assert (x + -1).tolist() == [most, 6, most - 1] == x.add(x.new_ones(()), alpha=-1).tolist()


@pytest.mark.parametrize("dtype", UNSIGNED)
@pytest.mark.parametrize("call", [operator.add, operator.mul, operator.floordiv, operator.mod, operator.and_, operator.xor, operator.lt, operator.eq])
def test_large_numbers_are_numpys(call: object, dtype: str) -> None:
    most = int(np.iinfo(dtype).max)
    values = np.array([1, most // 2, most // 2 + 1, most], dtype)
    for number in (most, most // 2 + 1):
        for other in (number, np.dtype(dtype).type(number)):
            assert (call(torch.from_numpy(values), other).numpy() == call(values, np.dtype(dtype).type(number))).all()


@pytest.mark.parametrize("dtype", UNSIGNED)
def test_least_common_multiple_wraps_around(dtype: str) -> None:
    a, b = (np.random.default_rng(s).integers(0, np.iinfo(dtype).max, 100, dtype=dtype) for s in (0, 1))
    assert (torch.lcm(torch.from_numpy(a), torch.from_numpy(b)).numpy() == np.lcm(a, b)).all()


def test_numbers_of_one_sign_and_any_size_have_a_common_dtype() -> None:
    x = torch.tensor([5, MOST], dtype=torch.uint64)
    assert x.clamp(6, MOST - 1).tolist() == [6, MOST - 1]
    with pytest.raises(RuntimeError, match="attempted to promote UInt64 and Long"):
        torch.vander(x)
    x[0] = np.uint64(MOST)
    assert x.tolist() == [MOST, MOST]
    with pytest.raises(RuntimeError, match="overflow"):
        torch.arange(3)[x[0]]


@pytest.mark.parametrize(
    "call",
    [
        lambda x: torch.full((2,), 300, dtype=x.dtype),
        lambda x: torch.full_like(x, 300),
        lambda x: torch.scalar_tensor(300, dtype=x.dtype),
        lambda x: torch.linspace(0, 300, 3, dtype=x.dtype),
        lambda x: x.new_full((2,), -300),
        lambda x: x.clamp(max=300),
        lambda x: x.clamp(0, 300),
        lambda x: x.clamp_max(300),
        lambda x: x.pow(257),
        lambda x: x.add(x, alpha=300),
        lambda x: torch.where(x == x, 300, x),
        lambda x: x.index_fill(0, torch.tensor([0]), 300),
        lambda x: x.scatter(0, torch.tensor([0]), 300),
        lambda x: x.scatter(0, torch.tensor([0]), 300, reduce="add"),
        lambda x: x.masked_fill(x == x, torch.tensor(300)),
        lambda x: x.__setitem__(torch.tensor([0]), 300),
        lambda x: torch.nn.functional.hardtanh(x, 0, 300),
        lambda x: torch.full((2,), 2.0**63, dtype=torch.int64),
        lambda x: torch.full((2,), -1.0, dtype=torch.uint64),
        lambda x: torch.full((2,), 1j, dtype=torch.float32),
        lambda x: torch.tensor([100]).clamp(max=2**63),
    ],
)
def test_numbers_that_a_dtype_does_not_hold_are_refused(call: object) -> None:
    with pytest.raises(RuntimeError, match="without overflow"):
        call(torch.tensor([100, 7], dtype=torch.uint8))


@pytest.mark.parametrize("dtype", ["float8_e4m3fn", "float8_e5m2", "complex32", "float16", "bfloat16"])
def test_an_element_made_of_a_number_equals_it(dtype: str) -> None:
    x = torch.tensor([0.3, 1.0], dtype=getattr(torch, dtype))
    assert (x == 0.3).tolist() == [True, False] == (torch.tensor(0.3) == x).tolist()
    assert torch.where(x != 1, x, 0.3).tolist() == [x[0].item()] * 2


def test_every_bit_of_an_integer_makes_it_true() -> None:
    for dtype in (*UNSIGNED, "int64"):
        bits = torch.iinfo(getattr(torch, dtype)).bits - (dtype == "int64")
        x = torch.tensor([0, *(2**k for k in range(bits))], dtype=getattr(torch, dtype))
        assert x.bool().tolist() == [False] + [True] * bits == x[:, None].expand(-1, 2).bool()[:, 1].tolist()


def test_results_wrap_around_before_they_go_to_a_wider_destination() -> None:
    for dtype in UNSIGNED[:3]:
        x, most = torch.tensor([1, 5], dtype=getattr(torch, dtype)), int(np.iinfo(dtype).max)
        for wide in (torch.uint64, torch.int64, torch.float64):
            assert torch.sub(x, x + 1, out=torch.empty(2, dtype=wide)).tolist() == [most, most]
            assert torch.mul(x, most, out=torch.empty(2, dtype=wide)).tolist() == [most, most - 4]


def test_formats_are_no_default_dtype() -> None:
    for dtype in (torch.float8_e5m2, torch.complex32, torch.uint16):
        with pytest.raises(TypeError, match="only floating-point types"):
            torch.set_default_dtype(dtype)
    assert torch.get_default_dtype() == torch.float32


def test_halves_make_complex32() -> None:
    parts = torch.tensor([[1.0, 2.0]], dtype=torch.float16)
    assert torch.view_as_complex(parts).tolist() == [1 + 2j]
    z = torch.complex(parts[0], parts[0].requires_grad_())
    assert z.dtype == torch.complex32 and z.tolist() == [1 + 1j, 2 + 2j]
