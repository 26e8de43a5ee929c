"""Errors of functions and reductions stay below the bounds that benchmarks/precision.py measured."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path

import pytest
import rushlight
import rushlight.nn
import rushlight.special
from precision_functions import FUNCTIONS, call
from precision_measure import REDUCTIONS, half, reduction, single

HERE = Path(__file__).parent
BOUNDS = json.loads((HERE / "bounds.json").read_text())
POINTS = json.loads((HERE / "points.json").read_text())
STEP = int(os.environ.get("RUSHLIGHT_PRECISION_STEP", "82055"))  # a multiple of what bounds come from; 1: every float32


def test_every_function_and_reduction_has_bounds() -> None:
    assert BOUNDS["functions"].keys() == FUNCTIONS.keys() == POINTS.keys()
    assert BOUNDS["reductions"].keys() == REDUCTIONS.keys()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_float32_stays_below_its_bound(name: str) -> None:
    error, at = single(rushlight, name, STEP)
    assert error <= BOUNDS["functions"][name]["float32"], f"{error} ULP at {at!r}"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_float64_stays_below_its_bound_at_its_hardest_points(name: str) -> None:
    rows = [[float.fromhex(number) for number in row] for row in POINTS[name]]
    got = call(rushlight, name, rushlight.tensor([x for x, _, _ in rows], dtype=rushlight.float64)).tolist()
    for value, (x, near, rest) in zip(got, rows):
        error = abs((value - near) - rest) / math.ulp(near)
        assert error <= BOUNDS["functions"][name]["float64"], f"{error} ULP at {x!r}"


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("name", [name for name, f in FUNCTIONS.items() if f.half])
def test_all_half_numbers_stay_below_their_bound(name: str, dtype: str) -> None:
    error, at = half(rushlight, name, dtype)
    assert error <= BOUNDS["functions"][name][dtype], f"{error} ULP at {at!r}"


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16"])
@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions_stay_below_their_bound(name: str, dtype: str) -> None:
    assert reduction(rushlight, name, dtype, (4096,)) <= BOUNDS["reductions"][name][dtype]
