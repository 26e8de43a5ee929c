"""`TorchVersion`: a version as text that also compares as a version."""

from __future__ import annotations

from .version import __version__ as _own

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _key(version: Any) -> tuple[tuple[int, ...], tuple[Any, ...]]:
    """Release numbers without trailing zeros, then what orders pre- and post-releases."""
    import re

    text = ".".join(str(part) for part in version) if isinstance(version, (tuple, list)) else str(version)
    public, _, local = text.partition("+")
    match = re.match(r"v?(\d+(?:\.\d+)*)[.\-_]?(a|b|rc|alpha|beta|pre|dev|post)?[.\-_]?(\d*)", public)
    if match is None:
        raise ValueError(f"Invalid version: '{text}'")
    numbers = [int(part) for part in match.group(1).split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    order = {"dev": -4, "a": -3, "alpha": -3, "b": -2, "beta": -2, "rc": -1, "pre": -1, None: 0, "post": 1}
    stage = order[match.group(2)]
    return tuple(numbers), (stage, int(match.group(3) or 0), local)


class TorchVersion(str):
    """Text such as "2.13.0" that orders by its numbers against other texts and tuples."""

    def _compare(self, other: Any) -> int | None:
        try:
            mine, theirs = _key(str(self)), _key(other)
        except ValueError:
            mine, theirs = str(self), str(other)  # type: ignore[assignment]
        return (mine > theirs) - (mine < theirs)

    def __gt__(self, other: Any) -> bool:
        return self._compare(other) == 1

    def __lt__(self, other: Any) -> bool:
        return self._compare(other) == -1

    def __ge__(self, other: Any) -> bool:
        return self._compare(other) != -1

    def __le__(self, other: Any) -> bool:
        return self._compare(other) != 1

    def __eq__(self, other: object) -> bool:
        return self._compare(other) == 0

    def __ne__(self, other: object) -> bool:
        return self._compare(other) != 0

    def __hash__(self) -> int:
        return str.__hash__(self)


__version__ = TorchVersion(_own)
