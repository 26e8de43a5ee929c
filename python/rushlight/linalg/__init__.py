"""Linear algebra (`torch.linalg`): decompositions, solvers, norms; operators of the extension under their public names."""

from __future__ import annotations

from .. import _C

LinAlgError = _C._LinAlgError

__all__ = ["LinAlgError"]

for _name, _function in vars(_C._linalg).items():
    if _name.startswith("linalg_") and not _name.startswith("linalg__"):
        globals()[_name[len("linalg_") :]] = _function
        __all__.append(_name[len("linalg_") :])
