"""Intel's MKL (`torch.backends.mkl`): not used."""

from __future__ import annotations

VERBOSE_OFF = 0
VERBOSE_ON = 1


def is_available() -> bool:
    """False."""
    return False


class verbose:  # noqa: N801
    """Accepted: there is nothing to report."""

    def __init__(self, enable: int = 0) -> None: ...

    def __enter__(self) -> verbose:
        return self

    def __exit__(self, *exc: object) -> None: ...
