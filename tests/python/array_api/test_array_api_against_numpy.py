"""Array API: results, dtypes and shapes equal those of NumPy, whose main namespace follows the same standard."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import rushlight as torch
import rushlight.array_api as xp

RNG = np.random.default_rng(7)
REAL = RNG.uniform(-0.9, 0.9, (3, 4)).astype(np.float32)
COMPLEX = (RNG.uniform(-0.9, 0.9, (3, 4)) + 1j * RNG.uniform(-0.9, 0.9, (3, 4))).astype(np.complex128)
WHOLE = RNG.integers(-5, 6, (3, 4)).astype(np.int16)
SPECIAL = np.array([0.0, -0.0, 1.0, -1.0, 2.5, -2.5, np.inf, -np.inf, np.nan], dtype=np.float64)


def same(ours: Any, theirs: Any) -> None:
    if isinstance(theirs, tuple):
        assert len(ours) == len(theirs)
        for a, b in zip(ours, theirs):
            same(a, b)
        return
    ours = ours.numpy()
    theirs = np.asarray(theirs)
    assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
    np.testing.assert_allclose(ours, theirs, rtol=2e-6 if ours.dtype.itemsize <= 4 else 1e-12)
    if ours.dtype.kind == "f":
        finite = ~np.isnan(theirs)
        np.testing.assert_array_equal(np.signbit(ours)[finite], np.signbit(theirs)[finite])


def both(name: str, *args: Any, **kwargs: Any) -> None:
    convert = lambda a: torch.from_numpy(a.copy()) if isinstance(a, np.ndarray) else a  # noqa: E731
    ours = getattr(xp, name)(*map(convert, args), **{k: convert(v) for k, v in kwargs.items()})
    same(ours, getattr(np, name)(*args, **kwargs))


FLOATS = """acos asin asinh atan atanh cos cosh exp expm1 log1p sin sinh sqrt square tan tanh reciprocal negative conj
    isfinite isinf isnan abs""".split()


@pytest.mark.parametrize("name", FLOATS + "ceil floor trunc signbit sign round".split())
@pytest.mark.filterwarnings("ignore")
def test_functions_of_floats(name: str) -> None:
    both(name, REAL)
    both(name, SPECIAL)


@pytest.mark.parametrize("name", [*FLOATS, "sign", "log", "log2", "log10", "acosh", "round"])
def test_functions_of_complex_numbers(name: str) -> None:
    both(name, COMPLEX)


@pytest.mark.parametrize("name", "abs ceil floor round trunc sign square negative bitwise_invert positive".split())
def test_functions_of_integers_keep_the_dtype(name: str) -> None:
    both(name, WHOLE)


@pytest.mark.parametrize(
    "name",
    """add subtract multiply equal not_equal less less_equal greater greater_equal maximum minimum bitwise_and bitwise_or
    bitwise_xor""".split(),
)
def test_functions_of_two_integers(name: str) -> None:
    both(name, WHOLE, WHOLE[::-1])
    both(name, WHOLE, WHOLE.astype(np.int32)[0])


@pytest.mark.parametrize("name", "divide copysign remainder maximum minimum hypot atan2 nextafter logaddexp".split())
@pytest.mark.filterwarnings("ignore")
def test_functions_of_two_floats(name: str) -> None:
    both(name, SPECIAL[:, None], SPECIAL)


def test_shifts() -> None:
    count = np.arange(4, dtype=np.int16)
    both("bitwise_left_shift", WHOLE, count)
    both("bitwise_right_shift", WHOLE, count)


def test_floor_divide_at_infinity() -> None:
    inf = float("inf")
    a = torch.tensor([inf, -inf, 7.0, -7.0, 7.0, -7.0, inf])
    b = torch.tensor([2.0, 2.0, inf, inf, -inf, -inf, inf])
    found = xp.floor_divide(a, b)
    assert str(found.tolist()) == "[inf, -inf, 0.0, -0.0, -0.0, 0.0, nan]"
    assert xp.floor_divide(torch.tensor([-7, 7]), 2).tolist() == [-4, 3]


def test_tanh_at_infinity_keeps_the_sign() -> None:
    found = xp.tanh(torch.tensor([complex(float("inf"), 2.0), complex(-float("inf"), -2.0)]))
    assert str(found.tolist()) == "[(1+0j), (-1-0j)]"


AXES = [None, 0, -1, (0, 1), ()]


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("name", "sum prod max min mean std var all any count_nonzero".split())
@pytest.mark.filterwarnings("ignore:Degrees")
def test_reductions(name: str, axis: Any, keepdims: bool) -> None:
    both(name, COMPLEX.real, axis=axis, keepdims=keepdims)
    if name not in ("mean", "std", "var"):
        both(name, WHOLE, axis=axis, keepdims=keepdims)


@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_places_of_extremes(name: str) -> None:
    for axis in (None, 0, 1):
        for keepdims in (False, True):
            both(name, REAL, axis=axis, keepdims=keepdims)


@pytest.mark.parametrize("include_initial", [False, True])
@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_prod"])
def test_cumulative(name: str, include_initial: bool) -> None:
    both(name, WHOLE, axis=0, include_initial=include_initial)
    both(name, REAL, axis=1, include_initial=include_initial)
    both(name, REAL[0], include_initial=include_initial)
    with pytest.raises(ValueError, match="axis must be given"):
        getattr(xp, name)(torch.ones(2, 2))


def test_correction_and_dtype() -> None:
    both("var", REAL, axis=0, correction=1)
    both("std", REAL, correction=0.5)
    assert xp.sum(torch.ones(3), dtype=torch.int32).dtype == torch.int32
    assert xp.prod(torch.tensor(3, dtype=torch.int8)).dtype == torch.int64


def test_manipulation() -> None:
    both("flip", REAL)
    both("flip", REAL, axis=1)
    both("roll", REAL, 3)
    both("roll", REAL, (1, 2), axis=(0, 1))
    both("expand_dims", REAL, axis=(0, 3, -1))
    both("permute_dims", REAL, (1, 0))
    both("moveaxis", REAL, 0, 1)
    both("tile", REAL, (2, 1, 2))
    both("tile", REAL, (2,))
    both("repeat", REAL, 2, axis=1)
    both("repeat", REAL, np.array([1, 0, 2], dtype=np.int8), axis=0)
    both("repeat", REAL, 2)
    both("unstack", REAL, axis=1)
    both("matrix_transpose", REAL)
    both("diff", REAL, axis=0, n=2, prepend=REAL)
    both("take", REAL, np.array([-1, 0]), axis=1)
    both("take_along_axis", REAL, np.array([[-1], [0], [2]]), axis=1)
    both("clip", REAL, -0.1, 0.2)
    both("clip", REAL, max=REAL[0])
    both("tril", REAL, k=1)
    both("triu", WHOLE, k=-1)


def test_concat() -> None:
    a = torch.arange(4).reshape(2, 2)
    assert xp.concat((a, a), axis=None).tolist() == [0, 1, 2, 3] * 2
    assert xp.concat((a, a), axis=1).shape == (2, 4)


def test_products() -> None:
    both("matmul", WHOLE, WHOLE.T)
    both("tensordot", REAL, REAL, axes=((0, 1), (0, 1)))
    both("tensordot", WHOLE, WHOLE.T, axes=1)
    both("vecdot", COMPLEX, COMPLEX[0])
    both("vecdot", WHOLE, WHOLE)


def test_vecdot_along_another_axis() -> None:
    found = xp.vecdot(torch.from_numpy(COMPLEX), torch.from_numpy(COMPLEX), axis=-2)
    np.testing.assert_allclose(found.numpy(), (COMPLEX.conj() * COMPLEX).sum(0), rtol=1e-12)
    with pytest.raises(ValueError, match="have 4 and 3 elements"):
        xp.vecdot(torch.ones(4), torch.ones(3))


@pytest.mark.parametrize("descending", [False, True])
def test_sorting_is_stable(descending: bool) -> None:
    x = torch.tensor([2, 1, 2, 1, 3])
    expected = [4, 0, 2, 1, 3] if descending else [1, 3, 0, 2, 4]
    assert xp.argsort(x, descending=descending).tolist() == expected
    assert xp.sort(x, descending=descending).tolist() == sorted(x.tolist(), reverse=descending)


def test_searching() -> None:
    both("searchsorted", np.array([1.0, 2.0, 4.0]), np.array([[2.0], [3.0]]), side="right")
    assert xp.searchsorted(torch.tensor([1, 2, 4]), 3).item() == 2
    order = torch.tensor([2, 0, 1])
    assert xp.searchsorted(torch.tensor([2, 4, 1]), torch.tensor([2]), sorter=order).item() == 1
    both("nonzero", WHOLE)
    both("where", WHOLE > 0, WHOLE, 0)
    with pytest.raises(ValueError, match="0-dim"):
        xp.nonzero(torch.tensor(1))
