"""Compiled modules (`torch._dynamo.eval_frame`): never made, so nothing is an instance of them."""

from __future__ import annotations


class OptimizedModule:
    """Never the type of an object: `torch.compile` returns the module it was given."""


def is_dynamo_supported() -> bool:
    """False."""
    return False
