"""Writes recorded.json, the result dtypes under autocast that PyTorch gives: run with a Python that has PyTorch 2.13."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import torch
from autocast_calls import outcomes

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    recorded = outcomes(torch)
    rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in recorded.items())
    Path(__file__).with_name("recorded.json").write_text(f"{{\n{rows}\n}}\n")
