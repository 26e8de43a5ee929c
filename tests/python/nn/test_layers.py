"""Every layer against PyTorch's recorded print, state, random draws, outputs and gradients."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import rushlight
import rushlight.nn
from closeness import assert_close
from layer_cases import CASES, run_case

RESULTS = json.loads(Path(__file__).with_name("layer_results.json").read_text())


def test_results_cover_all_cases():
    assert len(RESULTS) == len(CASES)


@pytest.mark.parametrize("number", range(len(CASES)), ids=[case[0] for case in CASES])
def test_layer_matches_recording(number):
    expected = RESULTS[number]
    found = run_case(rushlight, rushlight.nn, *CASES[number])
    assert found["repr"] == expected["repr"]
    assert found["shapes"] == expected["shapes"]
    # Draws and initial values are exact but for the last digit of transcendental functions.
    assert_close(found["state"], expected["state"], "state", 1e-6)
    assert_close(found["next"], expected["next"], "next draw", 1e-9)
    assert_close(found["outputs"], expected["outputs"], "outputs", 2e-5)
    assert_close(found["buffers"], expected["buffers"], "buffers", 2e-5)
    assert_close(found["gradients"], expected["gradients"], "gradients", 1e-4)
