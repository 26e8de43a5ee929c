"""Writes `recorded.json` from PyTorch: `python record.py` where torch is installed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
import torch.ao.quantization
from quantization_cases import CASES, run


def _short(value: Any) -> Any:
    """Numbers with the nine digits that a float32 has."""
    if isinstance(value, float):
        return float(f"{value:.9g}")
    return [_short(part) for part in value] if isinstance(value, list) else value


if __name__ == "__main__":
    recorded = {name: _short(run(torch, name)) for name in CASES}
    Path(__file__).with_name("recorded.json").write_text(json.dumps(recorded).replace("]], [[", "]],\n[[") + "\n")
