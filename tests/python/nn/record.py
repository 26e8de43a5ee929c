"""Writes the `*_results.json` from PyTorch: `python record.py` where torch is installed."""

from __future__ import annotations

import json
from pathlib import Path

import torch
import torch.nn.utils.prune
import torch.nn.utils.rnn
from functional_cases import CASES as FUNCTIONAL_CASES, run_case as run_functional_case
from layer_cases import CASES as LAYER_CASES, run_case as run_layer_case


def _short(value: object) -> object:
    """Numbers with the nine digits that a float32 has."""
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if isinstance(value, (list, tuple)):
        return [_short(part) for part in value]
    if isinstance(value, dict):
        return {key: _short(part) for key, part in value.items()}
    return value


def _write(name: str, results: list[object]) -> None:
    lines = ",\n".join(json.dumps(_short(result)) for result in results)
    Path(__file__).with_name(name).write_text(f"[\n{lines}\n]\n")
    print(f"{name}: {len(results)} cases with PyTorch {torch.__version__}")


_write("layer_results.json", [run_layer_case(torch, torch.nn, *case) for case in LAYER_CASES])
_write(
    "functional_results.json",
    [run_functional_case(torch, torch.nn, case) for case in FUNCTIONAL_CASES],
)
