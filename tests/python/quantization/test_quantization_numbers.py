"""Fake quantization, observers and their modules give PyTorch's numbers and gradients."""

import json
import math
from pathlib import Path

import pytest
import rushlight as torch
from quantization_cases import CASES, run

RECORDED = json.loads(Path(__file__).with_name("recorded.json").read_text())


def compare(ours, theirs, where):
    if isinstance(theirs, list):
        assert isinstance(ours, list) and len(ours) == len(theirs), where
        for i, (x, y) in enumerate(zip(ours, theirs)):
            compare(x, y, f"{where}[{i}]")
    elif isinstance(theirs, float):
        # 2e-6: sums of learned scales' gradients in another order; everything else is equal to the last bit.
        same = math.isclose(ours, theirs, rel_tol=2e-6, abs_tol=2e-6 if "learnable" in where else 0)
        assert same or (math.isnan(ours) and math.isnan(theirs)), (where, ours, theirs)
    else:
        assert ours == theirs, where


@pytest.mark.parametrize("name", CASES)
def test_numbers_are_pytorchs(name):
    compare(run(torch, name), RECORDED[name], name)
