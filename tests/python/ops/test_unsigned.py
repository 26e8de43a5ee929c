"""uint16, uint32 and uint64: arithmetic modulo 2 ** bits, order above the sign bit, numbers beyond int64, promotion."""

from __future__ import annotations

import numpy as np
import pytest
import rushlight as torch

DTYPES = ["uint16", "uint32", "uint64"]
dtypes = pytest.mark.parametrize("name", DTYPES)


def pair(name):
    """Values from the whole range, as an array and a tensor."""
    most = np.iinfo(name).max
    a = np.array([0, 1, 2, 3, 7, most // 2, most // 2 + 1, most - 1, most], name)
    return a, torch.from_numpy(a)


@dtypes
def test_arithmetic_wraps_around(name):
    a, x = pair(name)
    b, y = a[::-1].copy(), x.flip(0)
    for ours, numpys in (
        (x + y, a + b),
        (x - y, a - b),
        (x * y, a * b),
        (-x, -a),
        (~x, ~a),
        (x & y, a & b),
        (x ^ y, a ^ b),
        (x >> 3, a >> np.array(3, name)),
        (x << 5, a << np.array(5, name)),
        (x // 3, a // np.array(3, name)),
        (x % 5, a % np.array(5, name)),
        (x**3, a ** np.array(3, name)),
        (x.square(), a * a),
        (torch.gcd(x, y), np.gcd(a, b)),
        (x.abs(), a),
        (torch.add(x, y, alpha=7), a + np.array(7, name) * b),
    ):
        assert ours.dtype is getattr(torch, name) and np.array_equal(ours.numpy(), numpys)


@dtypes
def test_order_knows_no_sign(name):
    a, x = pair(name)
    b, y = a[::-1].copy(), x.flip(0)
    for test in ("lt", "le", "gt", "ge", "eq", "ne"):
        assert getattr(x, test)(y).tolist() == getattr(np, {"lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal", "eq": "equal", "ne": "not_equal"}[test])(a, b).tolist()
    assert torch.maximum(x, y).tolist() == np.maximum(a, b).tolist()
    assert torch.minimum(x, y).tolist() == np.minimum(a, b).tolist()
    middle = int(np.iinfo(name).max // 2 + 1)
    assert x.clamp(2, middle).tolist() == np.clip(a, 2, middle).tolist()
    assert y.sort().values.tolist() == a.tolist() and y.argsort().tolist() == list(range(8, -1, -1))
    assert (x.max(), x.min(), x.argmax(), y.argmax()) == (int(a[-1]), 0, 8, 0)
    assert y.topk(2).values.tolist() == a[:-3:-1].tolist() and y.median() == int(a[4])
    assert torch.cat((y, x)).unique().tolist() == a.tolist()
    assert torch.searchsorted(x, y).tolist() == np.searchsorted(a, b).tolist()
    assert x.sign().tolist() == [0] + [1] * 8 and not x.signbit().any()


@dtypes
def test_reductions_and_products(name):
    a, x = pair(name)
    assert x[:5].sum() == 13 and x.sum().dtype is torch.int64
    assert x[1:5].prod() == 42 and x.any() and not x.all() and x.count_nonzero() == 8
    assert x[:4].reshape(2, 2).mm(x[1:5].reshape(2, 2)).tolist() == [[3, 7], [11, 25]]
    assert x[:5].cumsum(0).tolist() == [0, 1, 3, 6, 13]
    assert x.float().tolist() == a.astype("float32").tolist() and x.double().tolist() == a.astype("float64").tolist()
    assert torch.tensor([3.7, 0.2]).to(x.dtype).tolist() == [3, 0]
    assert x[:3].sqrt().dtype is torch.float32


def test_numbers_beyond_int64():
    big = 2**64 - 1
    x = torch.full((2,), big, dtype=torch.uint64)
    assert x.tolist() == [big, big] and x[0].item() == big and int(x[0]) == big and repr(x[0]).startswith(f"tensor({big},")
    assert torch.tensor([2**63, 5], dtype=torch.uint64).tolist() == [2**63, 5]
    assert (x == big).all() and (x - big).tolist() == [0, 0] and x.float()[0] == 2.0**64
    assert torch.tensor([2.0**63, 2.0**63 + 4096], dtype=torch.float64).to(torch.uint64).tolist() == [2**63, 2**63 + 4096]
    with pytest.raises(OverflowError):
        torch.tensor([-1], dtype=torch.uint64)
    with pytest.raises(RuntimeError, match="value cannot be converted to type uint16 without overflow"):
        torch.tensor([70000], dtype=torch.uint16)


def test_hardtanh_refuses_limits_below_zero():
    with pytest.raises(RuntimeError, match="cannot do hardtanh on an unsigned type with negative limits"):
        torch.nn.functional.hardtanh(torch.ones(2, dtype=torch.uint16))


def test_promotion_keeps_values():
    wanted = {
        ("uint16", "uint8"): torch.uint16,
        ("uint16", "int8"): torch.int32,
        ("uint16", "int32"): torch.int32,
        ("uint32", "int32"): torch.int64,
        ("uint32", "uint64"): torch.uint64,
        ("uint64", "bool"): torch.uint64,
        ("uint64", "float16"): torch.float16,
        ("uint32", "complex64"): torch.complex64,
    }
    for (a, b), dtype in wanted.items():
        for first, second in ((a, b), (b, a)):
            assert torch.promote_types(getattr(torch, first), getattr(torch, second)) is dtype
    with pytest.raises(RuntimeError, match="Promotion for uint16, uint32, uint64 types is not supported.*UInt64 and Long"):
        torch.ones(1, dtype=torch.uint64) + torch.ones(1, dtype=torch.int64)
    assert (torch.ones(2, dtype=torch.uint64) + 1).dtype is torch.uint64


def test_limits():
    assert [torch.iinfo(getattr(torch, name)).max for name in DTYPES] == [2**16 - 1, 2**32 - 1, 2**64 - 1]
    assert torch.uint16.is_signed is False and torch.uint64.itemsize == 8
