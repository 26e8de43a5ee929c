"""The CPU (`torch.backends.cpu`)."""

from __future__ import annotations


def get_cpu_capability() -> str:
    """The instruction set that kernels use: "DEFAULT", "AVX2" or "AVX512"."""
    from .. import _C

    return _C._get_cpu_capability()
