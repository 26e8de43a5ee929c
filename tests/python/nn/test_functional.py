"""torch.nn.functional, init and utils against PyTorch's recorded results and draws."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import rushlight
import rushlight.nn
from closeness import assert_close
from functional_cases import CASES, run_case

RESULTS = json.loads(Path(__file__).with_name("functional_results.json").read_text())


def test_results_cover_all_cases():
    assert len(RESULTS) == len(CASES)


@pytest.mark.parametrize("number", range(len(CASES)), ids=CASES)
def test_function_matches_recording(number):
    expected = RESULTS[number]
    found = run_case(rushlight, rushlight.nn, CASES[number])
    assert found["shapes"] == expected["shapes"]
    assert_close(found["values"], expected["values"], "values", 2e-5)
    assert_close(found["next"], expected["next"], "next draw", 1e-9)
