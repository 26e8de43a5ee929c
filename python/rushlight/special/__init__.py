"""Special functions (`torch.special`): operators of the extension under their public names."""

from __future__ import annotations

from .. import _C

__all__: list[str] = []

for _name, _function in vars(_C._special).items():
    if _name.startswith("special_"):
        globals()[_name[len("special_") :]] = _function
        __all__.append(_name[len("special_") :])
