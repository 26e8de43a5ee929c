"""Gradients of ctc_loss."""

import math

import pytest
import rushlight as torch
import rushlight.nn.functional as F


def test_gradient_of_ctc_loss_takes_its_input_for_a_log_softmax() -> None:
    log_probs = torch.tensor([[[0.1, -0.2, 0.3]], [[0.5, 0.0, -1.0]]], dtype=torch.float64, requires_grad=True)
    loss = F.ctc_loss(log_probs, torch.tensor([[1]]), torch.tensor([2]), torch.tensor([1]), reduction="sum")
    (gradient,) = torch.autograd.grad(loss, log_probs)
    paths = {(0, 1): -0.2 + 0.5, (1, 1): -0.2 + 0.0, (2, 2): 0.1 + 0.0}
    weight = [math.exp(paths[key]) for key in ((0, 1), (1, 1), (2, 2))]
    total = sum(weight)
    shares = [[weight[2], weight[0] + weight[1], 0.0], [weight[0], weight[1] + weight[2], 0.0]]
    wanted = log_probs.detach().exp() - torch.tensor(shares, dtype=torch.float64).unsqueeze(1) / total
    torch.testing.assert_close(gradient, wanted)
    behind = log_probs.log_softmax(2)
    loss = F.ctc_loss(behind, torch.tensor([[1]]), torch.tensor([2]), torch.tensor([1]), reduction="sum")
    assert abs(torch.autograd.grad(loss, log_probs)[0].sum()) < 1e-12


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.uint8])
def test_targets_are_whole_numbers_of_any_type(dtype):
    scores = torch.randn(6, 2, 5).log_softmax(2)
    targets, lengths = torch.tensor([[1, 2, 1], [3, 2, 4]]), (torch.tensor([6, 6]), torch.tensor([3, 2]))
    loss = torch.nn.functional.ctc_loss
    assert torch.equal(loss(scores, targets.to(dtype), *lengths), loss(scores, targets, *lengths))
