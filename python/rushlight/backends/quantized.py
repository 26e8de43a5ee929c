"""Quantised kernels (`torch.backends.quantized`): none."""

from __future__ import annotations

engine = "none"
supported_engines = ["none"]
