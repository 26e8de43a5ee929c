"""Printed text of tensors against recordings from PyTorch (`record_printing.py`)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import rushlight as torch

CASES = json.loads(Path(__file__).with_name("printing.json").read_text())


@pytest.fixture(autouse=True)
def _default_options():
    yield
    torch.set_printoptions(profile="default")


@pytest.mark.parametrize("expression", sorted({case[0] for case in CASES}))
def test_repr_matches_recording(expression):
    for text, options, expected in CASES:
        if text == expression:
            torch.set_printoptions(profile="default")
            torch.set_printoptions(**options)
            assert repr(eval(text, {"torch": torch})) == expected, options


def test_repr_shows_class_of_subclasses():
    class Mine(torch.Tensor):
        pass

    assert repr(torch.ones(2).as_subclass(Mine)) == "Mine([1., 1.])"


def test_format_of_zero_dim_tensor_formats_its_number():
    assert f"{torch.tensor(2.5):.3f}" == "2.500"
    assert f"{torch.tensor(7):03d}" == "007"
    with pytest.raises(TypeError):
        f"{torch.ones(2):.3f}"


def test_printoptions_context_restores_options():
    from rushlight._tensor_str import printoptions

    with printoptions(precision=1):
        assert repr(torch.tensor(0.25)) == "tensor(0.2)"
    assert repr(torch.tensor(0.25)) == "tensor(0.2500)"


def test_named_results_print_a_line_per_part():
    text = repr(torch.sort(torch.tensor([3, 1, 2])))
    assert text == "torch.return_types.sort(\nvalues=tensor([1, 2, 3]),\nindices=tensor([1, 2, 0]))"
