"""Writes recorded.json, what PyTorch hands to `__torch_function__`: run with a Python that has PyTorch 2.13."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import torch
from override_calls import outcomes

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    Path(__file__).with_name("recorded.json").write_text(json.dumps(outcomes(torch), indent=1) + "\n")
