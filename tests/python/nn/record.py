"""Writes `layer_results.json` from PyTorch: `python record.py` where torch is installed."""

from __future__ import annotations

import json
from pathlib import Path

import torch
import torch.nn.utils.prune
from layer_cases import CASES, run_case

results = [run_case(torch, torch.nn, *case) for case in CASES]


def _short(value: object) -> object:
    """Numbers with the nine digits that a float32 has."""
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if isinstance(value, (list, tuple)):
        return [_short(part) for part in value]
    if isinstance(value, dict):
        return {key: _short(part) for key, part in value.items()}
    return value


lines = ",\n".join(json.dumps(_short(result)) for result in results)
Path(__file__).with_name("layer_results.json").write_text(f"[\n{lines}\n]\n")
print(f"{len(results)} cases with PyTorch {torch.__version__}")
