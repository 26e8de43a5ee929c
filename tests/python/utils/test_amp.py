"""GradScaler and autocast."""

import pytest
import rushlight as torch


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
