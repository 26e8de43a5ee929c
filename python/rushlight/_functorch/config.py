"""Settings of `torch._functorch`: kept, without effect."""

from __future__ import annotations

import sys

from .._compiler_config import ConfigModule

sys.modules[__name__].__class__ = ConfigModule
