"""Padding by reflection and replication with negative sizes, which crop, down to dimensions without elements."""

from __future__ import annotations

import pytest
import rushlight as torch
from rushlight.nn import functional as F  # noqa: N812


@pytest.mark.parametrize("mode", ["reflect", "replicate"])
@pytest.mark.parametrize(
    ("shape", "padding", "expected"),
    [
        ((1, 1, 5, 5), (0, 0, 0, -5), (1, 1, 0, 5)),
        ((1, 5, 5, 5), (0, -5, 0, 0), (1, 5, 5, 0)),
        ((1, 1, 5, 5), (3, -5, 1, -5), (1, 1, 1, 3)),
        ((1, 1, 5, 5, 5), (0, 0, 0, -5, 0, 0), (1, 1, 5, 0, 5)),
    ],
)
def test_some_dimensions_may_become_empty(
    mode: str, shape: tuple[int, ...], padding: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    x = torch.ones(shape, requires_grad=True)
    padded = F.pad(x, padding, mode=mode)
    assert padded.shape == expected
    padded.sum().backward()
    assert x.grad.sum().item() == padded.numel()


@pytest.mark.parametrize("mode", ["reflect", "replicate"])
@pytest.mark.parametrize(
    ("shape", "padding"),
    [
        ((1, 1, 5), (0, -5)),
        ((1, 1, 5, 5), (-5, 0, 0, -5)),
        ((1, 1, 5, 5), (0, 0, 0, -6)),
        ((1, 1, 5, 5, 5), (0, -6) + (0,) * 4),
    ],
)
def test_not_all_and_none_below_zero(mode: str, shape: tuple[int, ...], padding: tuple[int, ...]) -> None:
    with pytest.raises(RuntimeError, match="is too small"):
        F.pad(torch.ones(shape), padding, mode=mode)
