"""Views against NumPy: values, shared memory, strides, and the shapes that must be refused."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import rushlight as torch

VIEWS: dict[str, tuple[Callable, Callable]] = {
    "select": (lambda x: x.select(1, -1), lambda a: a[:, -1]),
    "slice": (lambda x: x[:, 1:3:2], lambda a: a[:, 1:3:2]),
    "narrow": (lambda x: x.narrow(2, 1, 3), lambda a: a[:, :, 1:4]),
    "permute": (lambda x: x.permute(2, 0, 1), lambda a: a.transpose(2, 0, 1)),
    "transpose": (lambda x: x.transpose(0, -1), lambda a: a.swapaxes(0, -1)),
    "movedim": (lambda x: x.movedim((0, 1), (-1, 0)), lambda a: np.moveaxis(a, (0, 1), (-1, 0))),
    "unsqueeze": (lambda x: x.unsqueeze(-2), lambda a: a[:, :, None]),
    "squeeze": (lambda x: x.unsqueeze(0).squeeze((0, 1)), lambda a: a),
    "expand": (lambda x: x.expand(2, -1, -1, 5), lambda a: np.broadcast_to(a, (2, 2, 3, 5))),
    "diagonal": (lambda x: x.diagonal(1, 1, 2), lambda a: a.diagonal(1, 1, 2)),
    "unfold": (lambda x: x.unfold(2, 3, 2), lambda a: np.lib.stride_tricks.sliding_window_view(a, 3, 2)[:, :, ::2]),
    "view": (lambda x: x.view(6, -1), lambda a: a.reshape(6, -1)),
    "flatten": (lambda x: x.flatten(0, 1), lambda a: a.reshape(6, 5)),
    "unflatten": (lambda x: x.unflatten(1, (3, -1)), lambda a: a.reshape(2, 3, 1, 5)),
}


@pytest.mark.parametrize("name", VIEWS)
def test_view_shows_the_same_memory(name: str) -> None:
    ours, numpys = VIEWS[name]
    array = np.arange(30.0).reshape(2, 3, 5)
    x = torch.from_numpy(array)
    view = ours(x)
    np.testing.assert_array_equal(view.numpy(), numpys(array))
    assert view._base is x
    x.add_(1)
    np.testing.assert_array_equal(view.numpy(), numpys(array))


@pytest.mark.parametrize("name", VIEWS)
def test_gradient_of_a_view(name: str) -> None:
    x = torch.arange(30, dtype=torch.float64).view(2, 3, 5).requires_grad_()
    assert torch.autograd.gradcheck(VIEWS[name][0], (x,), check_forward_ad=True)
    assert torch.autograd.gradgradcheck(VIEWS[name][0], (x,))


def test_reshape_copies_only_where_it_must() -> None:
    x = torch.arange(12).view(3, 4)
    assert x.t().reshape(4, 3).data_ptr() == x.data_ptr()
    flat = x.t().reshape(-1)
    assert flat.data_ptr() != x.data_ptr() and flat.tolist() == x.numpy().T.ravel().tolist()
    with pytest.raises(RuntimeError, match=r"Use \.reshape"):
        x.t().view(-1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: x.view(5, 5), "is invalid for input of size 6"),
        (lambda x: x.view(-1, -1), "only one dimension can be inferred"),
        (lambda x: x.expand(4, 3), "must match the existing size"),
        (lambda x: x.permute(0, 0), "duplicate dims"),
        (lambda x: x.unfold(0, 3, 1), "maximum size for tensor"),
        (lambda x: x.as_strided((3,), (4,), 0), "out of bounds for storage"),
        (lambda x: x.as_strided((2,), (-1,)), "Negative strides"),
    ],
)
def test_impossible_shapes_are_refused(call: Callable, message: str) -> None:
    with pytest.raises(RuntimeError, match=message):
        call(torch.zeros(2, 3))


def test_split_forms() -> None:
    x = torch.arange(10)
    assert [p.tolist() for p in x.split(4)] == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
    assert [len(p) for p in x.chunk(4)] == [3, 3, 3, 1]
    assert [len(p) for p in x.tensor_split(4)] == [3, 3, 2, 2]
    assert [p.tolist() for p in x.tensor_split((2, 7))] == [[0, 1], [2, 3, 4, 5, 6], [7, 8, 9]]


def test_views_in_place_change_the_shape_of_the_tensor_itself() -> None:
    x = torch.arange(6.0).view(2, 3)
    assert x.t_() is x and x.shape == (3, 2) and x.stride() == (1, 3)
    assert x.unsqueeze_(0).squeeze_().shape == (3, 2)
