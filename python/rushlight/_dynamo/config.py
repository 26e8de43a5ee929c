"""Settings of `torch._dynamo`: kept, without effect."""

from __future__ import annotations

import sys

from .._compiler_config import ConfigModule

sys.modules[__name__].__class__ = ConfigModule
