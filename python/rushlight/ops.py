"""`torch.ops`: see `_ops.py`; this module turns into the object that finds operators by name."""

from __future__ import annotations

import sys

from ._ops import _Ops

sys.modules[__name__].__class__ = _Ops
