"""Sobol' points against known values of PyTorch."""

from __future__ import annotations

import rushlight as torch
from rushlight.quasirandom import SobolEngine


def test_first_points_of_four_dimensions():
    points = SobolEngine(4).draw(5)
    assert points[1].tolist() == [0.5] * 4 and points[2].tolist() == [0.75, 0.25, 0.25, 0.25]
    assert points[4].tolist() == [0.375, 0.375, 0.625, 0.875]


def test_drawing_in_parts_is_drawing_at_once():
    a, b = SobolEngine(40, scramble=True, seed=7), SobolEngine(40, scramble=True, seed=7)
    assert torch.equal(torch.cat([a.draw(1), a.draw(3), a.fast_forward(2).draw(2)]), b.draw(8)[[0, 1, 2, 3, 6, 7]])
    assert torch.equal(a.reset().draw(2), b.reset().draw(2))


def test_scrambled_points_are_those_of_the_seed():
    points = SobolEngine(3, scramble=True, seed=7).draw(2)
    expected = torch.tensor([[0.1995, 0.1709, 0.7494], [0.6922, 0.7115, 0.4898]])
    assert torch.allclose(points, expected, atol=1e-4)
