"""Derivatives and 16-bit numbers of max_unpool, grid_sample and interpolate."""

import rushlight as torch
import rushlight.nn.functional as F
from rushlight.autograd import forward_ad


def test_last_of_repeated_positions_gives_value_and_tangent() -> None:
    x, tangent = torch.tensor([[[1.0, 2.0, 3.0]]]), torch.tensor([[[10.0, 20.0, 30.0]]])
    indices = torch.tensor([[[1, 1, 0]]])
    with forward_ad.dual_level():
        out = F.max_unpool1d(forward_ad.make_dual(x, tangent), indices, 2)
        primal, pushed = forward_ad.unpack_dual(out)
    assert primal.tolist() == [[[3.0, 2.0, 0.0, 0.0, 0.0, 0.0]]]
    assert pushed.tolist() == [[[30.0, 20.0, 0.0, 0.0, 0.0, 0.0]]]


def test_gradient_of_nearest_grid_is_zero_and_differentiable() -> None:
    image = torch.arange(9.0).reshape(1, 1, 3, 3).requires_grad_()
    grid = torch.zeros(1, 2, 2, 2, requires_grad=True)
    out = F.grid_sample(image, grid, mode="nearest", align_corners=False)
    _, grad = torch.autograd.grad(out.sum(), (image, grid), create_graph=True)
    assert grad.requires_grad and grad.count_nonzero() == 0
    (second,) = torch.autograd.grad(grad.sum(), image)
    assert second.count_nonzero() == 0


def test_volumes_of_bfloat16_use_rounded_weights() -> None:
    volume = torch.arange(8.0).reshape(1, 1, 2, 2, 2).bfloat16() / 7
    row = F.interpolate(volume, size=(2, 2, 5), mode="trilinear")[0, 0, 0, 0]
    assert row.tolist() == [0.0, 0.0142822265625, 0.0712890625, 0.1279296875, 0.142578125]
