"""oneDNN (`torch.backends.mkldnn`): not used; settings are kept and have no effect."""

from __future__ import annotations

from . import _Flags

enabled = True
deterministic = False
allow_tf32 = True
fp32_precision = "none"


def is_available() -> bool:
    """False."""
    return False


def flags(
    enabled: bool = False, deterministic: bool = False, allow_tf32: bool = True, fp32_precision: str = "none"
) -> _Flags:
    """The settings for the extent of a `with` block."""
    return _Flags(__name__, dict(locals()))


def set_flags(**values: object) -> None:
    """Keep settings."""
    globals().update({name: value for name, value in values.items() if value is not None})


class verbose:  # noqa: N801
    """Accepted: there is nothing to report."""

    def __init__(self, level: int = 0) -> None: ...

    def __enter__(self) -> verbose:
        return self

    def __exit__(self, *exc: object) -> None: ...
