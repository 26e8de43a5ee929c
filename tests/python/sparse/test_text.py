"""Values, gradients, printing and errors of sparse tensors: the text that PyTorch prints, from expected.json."""

import json
from pathlib import Path

import cases
import pytest
import rushlight as torch

RECORD = json.loads((Path(__file__).parent / "expected.json").read_text())
FOUND = cases.evaluate(torch)
MESSAGES = dict(
    (line.split(" | ")[0].removesuffix(" |"), line.partition(" | ")[2]) for line in cases.ERRORS.strip().splitlines()
)


@pytest.mark.parametrize("expression", [e for e in FOUND if e not in MESSAGES])
def test_text_is_that_of_pytorch(expression):
    assert FOUND[expression] == RECORD[expression]


@pytest.mark.parametrize("expression", MESSAGES)
def test_errors_have_class_and_phrase_of_pytorch(expression):
    with pytest.raises(getattr(__import__("builtins"), RECORD[expression])) as caught:
        eval(expression, cases.names(torch))
    assert MESSAGES[expression] in str(caught.value)
