"""GradScaler and autocast."""

import math

import pytest
import rushlight as torch
import rushlight.nn.functional as F


def setup():
    w = torch.nn.Parameter(torch.ones(2))
    return w, torch.optim.SGD([w], lr=0.1), torch.amp.GradScaler("cpu", init_scale=8.0)


def test_scaled_step_equals_plain_step():
    w, optimizer, scaler = setup()
    scaler.scale((w * 2).sum()).backward()
    assert w.grad.tolist() == [16.0, 16.0]
    scaler.step(optimizer)
    scaler.update()
    assert w.tolist() == pytest.approx([0.8, 0.8])
    assert scaler.state_dict()["_growth_tracker"] == 1


def test_infinite_gradients_are_left_out():
    w, optimizer, scaler = setup()
    scaler.scale(w.sum())
    w.grad = torch.tensor([float("inf"), 1.0])
    scaler.step(optimizer)
    scaler.update()
    assert w.tolist() == [1.0, 1.0] and scaler.get_scale() == 4.0


def test_scale_grows_after_enough_steps():
    w, optimizer, _ = setup()
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0, growth_interval=2)
    for _ in range(2):
        optimizer.zero_grad()
        scaler.scale(w.sum()).backward()
        scaler.step(optimizer)
        scaler.update()
    assert scaler.get_scale() == 4.0


def test_wrong_order_raises():
    w, optimizer, scaler = setup()
    scaler.scale(w.sum()).backward()
    scaler.unscale_(optimizer)
    with pytest.raises(RuntimeError, match="already been called"):
        scaler.unscale_(optimizer)
    scaler.step(optimizer)
    with pytest.raises(RuntimeError, match="step\\(\\) has already been called"):
        scaler.step(optimizer)


def test_state_dict():
    _, _, scaler = setup()
    other = torch.amp.GradScaler("cpu")
    other.load_state_dict(scaler.state_dict())
    assert other.get_scale() == 8.0
    with pytest.raises(RuntimeError, match="is empty"):
        other.load_state_dict({})


def test_autocast_sets_and_restores():
    a = torch.ones(2, 2)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert torch.is_autocast_enabled("cpu")
        assert (a @ a).dtype == torch.bfloat16
        with torch.autocast("cpu", enabled=False):
            assert (a @ a).dtype == torch.float32
    assert not torch.is_autocast_enabled("cpu")
    assert (a @ a).dtype == torch.float32


def test_autocast_refuses_unknown_devices():
    with pytest.raises(ValueError, match="of type `str`"):
        torch.autocast(3)
    with pytest.warns(UserWarning, match="not available"):
        torch.autocast("cuda")
    with pytest.warns(UserWarning, match="dtype is not supported"):
        torch.autocast("cpu", dtype=torch.float64)


def random(*sizes):
    return torch.randn(*sizes)


# What PyTorch 2.13 gives for float32 inputs under autocast in bfloat16.
IN_BFLOAT16 = {
    "linear": lambda: torch.nn.functional.linear(random(3, 4), random(2, 4), random(2)),
    "linear without bias, 3-D": lambda: torch.nn.functional.linear(random(2, 3, 4), random(2, 4)),
    "mm": lambda: random(3, 4) @ random(4, 2),
    "baddbmm": lambda: torch.baddbmm(random(2, 3, 3), random(2, 3, 3), random(2, 3, 3)),
    "einsum": lambda: torch.einsum("ij,jk", random(3, 4), random(4, 2)),
    "conv2d": lambda: torch.nn.functional.conv2d(random(1, 2, 5, 5), random(3, 2, 3, 3)),
    "prelu": lambda: torch.nn.functional.prelu(random(3), torch.ones(1)),
    "Sequential": lambda: torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2))(random(3, 4)),
    "RNN": lambda: torch.nn.RNN(4, 4)(random(2, 1, 4))[0],
    "RNNCell": lambda: torch.nn.RNNCell(4, 4)(random(1, 4)),
    "MultiheadAttention": lambda: torch.nn.MultiheadAttention(4, 2)(*[random(2, 1, 4) for _ in range(3)])[0],
}
IN_FLOAT32 = {
    "mv": lambda: random(3, 4).mv(random(4)),
    "TransformerEncoderLayer": lambda: torch.nn.TransformerEncoderLayer(4, 2, 8)(random(2, 1, 4)),
    "cross_entropy": lambda: F.cross_entropy(random(3, 4).bfloat16(), torch.tensor([0, 1, 2])),
    "cross_entropy, smoothed": lambda: F.cross_entropy(random(3, 4).half(), torch.tensor([0, 1, 2]), label_smoothing=0.1),
    "hinge_embedding_loss": lambda: F.hinge_embedding_loss(random(3).bfloat16(), torch.tensor([1, -1, 1])),
    "l1_loss": lambda: F.l1_loss(random(3).bfloat16(), random(3).bfloat16()),
    "kl_div": lambda: F.kl_div(random(3).bfloat16(), random(3).abs().bfloat16()),
    "soft_margin_loss": lambda: F.soft_margin_loss(random(3).bfloat16(), random(3).bfloat16()),
    "margin_ranking_loss": lambda: F.margin_ranking_loss(*[random(3).bfloat16() for _ in range(3)]),
    "cosine_embedding_loss": lambda: F.cosine_embedding_loss(*[random(3, 4).bfloat16()] * 2, torch.tensor([1, -1, 1])),
    "triplet_margin_loss": lambda: F.triplet_margin_loss(*[random(3, 4).bfloat16() for _ in range(3)]),
    "binary_cross_entropy_with_logits": lambda: F.binary_cross_entropy_with_logits(*[random(3).bfloat16()] * 2),
    "cdist": lambda: torch.cdist(random(3, 4).bfloat16(), random(2, 4).bfloat16()),
    "mse_loss": lambda: torch.nn.functional.mse_loss(random(3).bfloat16(), random(3).bfloat16()),
}


@pytest.mark.parametrize("name", IN_BFLOAT16)
def test_autocast_to_bfloat16(name):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert IN_BFLOAT16[name]().dtype is torch.bfloat16


@pytest.mark.parametrize("name", IN_FLOAT32)
def test_autocast_to_float32(name):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert IN_FLOAT32[name]().dtype is torch.float32


def test_autocast_gives_float32_gradients_to_float32_weights():
    layer = torch.nn.Linear(4, 2)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        layer(random(3, 4)).float().sum().backward()
    assert layer.weight.grad.dtype is torch.float32


def test_unscale_operator_marks_what_is_not_finite():
    grads = [torch.tensor([2.0, 4.0]), torch.tensor(6.0), torch.ones(2, 2, dtype=torch.bfloat16)]
    found = torch.zeros(1)
    torch._amp_foreach_non_finite_check_and_unscale_(grads, found, torch.tensor([0.5]))
    assert [g.tolist() for g in grads] == [[1, 2], 3, [[0.5, 0.5]] * 2] and found.item() == 0
    torch._amp_foreach_non_finite_check_and_unscale_([torch.tensor([1.0, math.inf])], found, torch.tensor(0.5))
    assert found.item() == 1
    with pytest.raises(RuntimeError, match="inv_scale must be a 1-element tensor"):
        torch._amp_foreach_non_finite_check_and_unscale_(grads, found, torch.ones(2))
    with pytest.raises(RuntimeError, match="found_inf must be a float tensor"):
        torch._amp_foreach_non_finite_check_and_unscale_(grads, found.double(), torch.tensor(1.0))


@pytest.mark.parametrize(
    ("scale", "good", "found", "next_scale", "next_good"),
    [(8.0, 0, 0.0, 8.0, 1), (8.0, 2, 0.0, 16.0, 0), (8.0, 2, 1.0, 4.0, 0), (3e38, 2, 0.0, 3e38, 0)],
)
def test_update_operator_grows_and_shrinks(scale, good, found, next_scale, next_good):
    value, tracker = torch.tensor(scale), torch.tensor(good, dtype=torch.int32)
    assert torch._amp_update_scale_(value, tracker, torch.tensor(found), 2.0, 0.5, 3) is value
    assert value.item() == torch.tensor(next_scale).item() and tracker.item() == next_good
