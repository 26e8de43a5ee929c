"""Comparison of nested results with recorded ones."""

from __future__ import annotations

import math


def assert_close(found: object, expected: object, where: str, tolerance: float) -> None:
    """Equal structure, and numbers within `tolerance` of each other or of their size."""
    if isinstance(expected, list):
        assert isinstance(found, (list, tuple)), where
        assert len(found) == len(expected), where
        for position, (f, e) in enumerate(zip(found, expected)):
            assert_close(f, e, f"{where}[{position}]", tolerance)
    elif isinstance(expected, float):
        assert isinstance(found, float), where
        both_nan = math.isnan(found) and math.isnan(expected)
        close = math.isclose(found, expected, rel_tol=tolerance, abs_tol=tolerance)
        assert both_nan or close, f"{where}: {found} instead of {expected}"
    else:
        assert found == expected, where
