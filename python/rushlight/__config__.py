"""How the library was built (`torch.__config__`)."""

from __future__ import annotations

from . import _C
from .version import __version__


def show() -> str:
    """A few lines about the build."""
    capability = getattr(_C, "_get_cpu_capability", lambda: "DEFAULT")()
    return f"rushlight {__version__}\n  - C++ Version: 202002\n  - CPU capability usage: {capability}\n"


def parallel_info() -> str:
    """How many threads are used."""
    threads = _C._VariableFunctions.get_num_threads()
    return f"rushlight threads: {threads}\n"
