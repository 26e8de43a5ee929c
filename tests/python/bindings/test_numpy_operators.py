"""Operators between tensors and NumPy arrays, and what NumPy sees of a tensor."""

from __future__ import annotations

import numpy as np
import pytest
import rushlight as torch

ARRAY = np.array([1.0, 2.0, 4.0])


def test_equality_with_an_array_is_elementwise() -> None:
    x = torch.tensor([1.0, 0.0, 4.0])
    for equal in (x == ARRAY, ARRAY == x):
        assert equal.tolist() == [True, False, True]
    for different in (x != ARRAY, ARRAY != x):
        assert different.tolist() == [False, True, False]
    assert (torch.ones(2, 1) == np.ones(3)).shape == (2, 3)
    with pytest.raises(RuntimeError, match="must match the size"):
        x == np.ones(2)  # noqa: B015


def test_array_divided_by_tensor() -> None:
    x = torch.tensor([1.0, 2.0, 8.0], requires_grad=True)
    quotient = ARRAY / x
    assert quotient.dtype == torch.float64 and quotient.tolist() == [1.0, 1.0, 0.5]
    quotient.sum().backward()
    assert x.grad.tolist() == [-1.0, -0.5, -0.0625]


@pytest.mark.parametrize("operator", ["-", "*", "%", "**", "//", "@"])
def test_other_operators_refuse_an_array_on_their_left(operator: str) -> None:
    with pytest.raises(TypeError, match="unsupported operand"):
        eval(f"array {operator} x", {"array": ARRAY, "x": torch.ones(3)})


def test_integers_are_numpy_s_default_ones() -> None:
    x = torch.arange(3)
    assert repr(x.numpy()) == repr(np.asarray(x)) == "array([0, 1, 2])"
    assert x.numpy().dtype.char == np.dtype(np.int64).char
    for dtype in (np.int64, np.longlong, np.int32):
        assert torch.from_numpy(np.arange(3, dtype=dtype)).itemsize == np.dtype(dtype).itemsize
