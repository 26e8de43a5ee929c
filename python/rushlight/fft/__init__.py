"""Discrete Fourier transforms (`torch.fft`): operators of the extension under their public names."""

from __future__ import annotations

from .. import _C

__all__: list[str] = []

for _name, _function in vars(_C._fft).items():
    if _name.startswith("fft_") and not _name.startswith("fft__"):
        globals()[_name[len("fft_") :]] = _function
        __all__.append(_name[len("fft_") :])
