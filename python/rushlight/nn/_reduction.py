"""Reductions of losses: their numbers, and the two flags that preceded them."""

from __future__ import annotations

import warnings

_ENUM = {"none": 0, "mean": 1, "sum": 2}


def get_enum(reduction: str) -> int:
    """The operator argument for `"none"`, `"mean"` or `"sum"`."""
    found = _ENUM.get(reduction)
    if found is not None:
        return found
    if reduction == "elementwise_mean":
        warnings.warn(
            "reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead.",
            stacklevel=3,
        )
        return 1
    raise ValueError(f"{reduction} is not a valid value for reduction")


def legacy_get_string(
    size_average: bool | None, reduce: bool | None, emit_warning: bool = True
) -> str:
    """The reduction that the flags `size_average` and `reduce` stand for."""
    if reduce is False:
        reduction = "none"
    elif size_average is False:
        reduction = "sum"
    else:
        reduction = "mean"
    if emit_warning:
        warnings.warn(
            "size_average and reduce args will be deprecated, please use "
            f"reduction='{reduction}' instead.",
            stacklevel=3,
        )
    return reduction


def legacy_get_enum(
    size_average: bool | None, reduce: bool | None, emit_warning: bool = True
) -> int:
    """The operator argument that the flags stand for."""
    return get_enum(legacy_get_string(size_average, reduce, emit_warning))
