"""Array API: type promotion, where 0-dim arrays count as any other, and the functions on dtypes."""

from __future__ import annotations

import pytest
import rushlight as torch
import rushlight.array_api as xp

NARROW = torch.ones(3, dtype=torch.float32)
WIDE_NUMBER = torch.tensor(1.0, dtype=torch.float64)
BINARY = [
    "add",
    "subtract",
    "multiply",
    "divide",
    "maximum",
    "minimum",
    "atan2",
    "hypot",
    "logaddexp",
    "pow",
    "copysign",
]


@pytest.mark.parametrize("name", BINARY)
def test_zero_dim_arrays_promote_as_others(name: str) -> None:
    function = getattr(xp, name)
    assert (NARROW + WIDE_NUMBER).dtype == torch.float32  # PyTorch's rule
    assert function(NARROW, WIDE_NUMBER).dtype == torch.float64
    assert function(WIDE_NUMBER, NARROW).dtype == torch.float64


@pytest.mark.parametrize("name", BINARY)
def test_numbers_take_the_dtype_of_the_array(name: str) -> None:
    function = getattr(xp, name)
    for number in (2, 2.5):
        assert function(NARROW, number).dtype == torch.float32
        assert function(number, NARROW).dtype == torch.float32
        assert torch.equal(function(number, NARROW), function(torch.full((3,), number), NARROW))


def test_numbers_of_a_higher_kind() -> None:
    assert xp.add(NARROW, 1j).dtype == torch.complex64
    assert xp.multiply(torch.ones(2, dtype=torch.int8), 2).dtype == torch.int8
    with pytest.raises(TypeError, match="at least one operand must be an array, got int and int"):
        xp.add(1, 2)
    with pytest.raises(TypeError, match="expected an array or a Python number, got str"):
        xp.add(NARROW, "1")


@pytest.mark.parametrize("join", [xp.concat, xp.stack])
def test_joined_arrays_promote(join: object) -> None:
    assert join([NARROW, NARROW.to(torch.complex128)]).dtype == torch.complex128
    assert join([NARROW.to(torch.int8), NARROW.to(torch.uint8)]).dtype == torch.int16


def test_astype() -> None:
    assert xp.astype(NARROW, torch.float32) is not NARROW
    assert xp.astype(NARROW, torch.float32, copy=False) is NARROW
    assert xp.astype(NARROW, torch.int8, copy=False).dtype == torch.int8
    assert xp.astype(torch.tensor([1j, 0]), torch.bool).tolist() == [True, False]
    with pytest.raises(TypeError, match="complex64 to torch.float32 is not permitted"):
        xp.astype(torch.tensor([1j]), torch.float32)
    with pytest.raises(TypeError, match="expected a dtype"):
        xp.astype(NARROW, "float32")


def test_can_cast_and_result_type() -> None:
    assert xp.can_cast(torch.int8, torch.int16) and xp.can_cast(NARROW, torch.complex128)
    assert not xp.can_cast(torch.int16, torch.uint8) and not xp.can_cast(torch.float64, torch.float32)
    assert xp.result_type(torch.int8, torch.uint8) == torch.int16
    assert xp.result_type(NARROW, WIDE_NUMBER) == torch.float64
    assert xp.result_type(1.5, NARROW, 2) == torch.float32
    with pytest.raises(ValueError, match="at least one array or dtype"):
        xp.result_type(1, 2.0)


def test_limits() -> None:
    single = xp.finfo(torch.complex64)
    assert single.dtype == torch.float32 and single.bits == 32 and single.eps == torch.finfo(torch.float32).eps
    assert xp.finfo(WIDE_NUMBER).smallest_normal == torch.finfo(torch.float64).tiny
    byte = xp.iinfo(torch.ones(1, dtype=torch.uint8))
    assert (byte.bits, byte.min, byte.max, byte.dtype) == (8, 0, 255, torch.uint8)


@pytest.mark.parametrize(
    ("dtype", "kind", "expected"),
    [
        (torch.float32, "real floating", True),
        (torch.complex64, "numeric", True),
        (torch.bool, "numeric", False),
        (torch.uint8, ("signed integer", torch.uint8), True),
        (torch.int8, (), False),
    ],
)
def test_isdtype(dtype: torch.dtype, kind: object, expected: bool) -> None:
    assert xp.isdtype(dtype, kind) is expected


def test_isdtype_knows_its_kinds() -> None:
    with pytest.raises(ValueError, match="unknown kind 'float'"):
        xp.isdtype(torch.float32, "float")
