"""Parameter groups, hooks, files and errors that all optimizers share."""

import copy
import pickle

import pytest
import rushlight as torch
from rushlight.optim import SGD, Adam, Optimizer
from rushlight.optim.optimizer import (
    register_optimizer_step_post_hook,
    register_optimizer_step_pre_hook,
)


def parameter(*values):
    return torch.nn.Parameter(torch.tensor(values))


def test_groups_take_their_own_options():
    a, b = parameter(1.0), parameter(1.0)
    optimizer = SGD([{"params": [a]}, {"params": [b], "lr": 1.0}], lr=0.1)
    a.grad, b.grad = torch.ones(1), torch.ones(1)
    optimizer.step()
    assert a.item() == pytest.approx(0.9) and b.item() == 0.0
    optimizer.add_param_group({"params": parameter(2.0)})
    assert [g["lr"] for g in optimizer.param_groups] == [0.1, 1.0, 0.1]


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: SGD([], lr=0.1), ValueError, "empty parameter list"),
        (lambda: SGD(torch.ones(1), lr=0.1), TypeError, "iterable of Tensors or dicts"),
        (lambda: SGD([1], lr=0.1), TypeError, "can only optimize Tensors"),
        (lambda: SGD([parameter(1.0) * 2], lr=0.1), ValueError, "non-leaf"),
        (lambda: SGD([{"params": {parameter(1.0)}}]), TypeError, "ordered collections"),
        (lambda: SGD([parameter(1.0)], lr=-1), ValueError, "Invalid learning rate: -1"),
        (lambda: SGD([parameter(1.0)], nesterov=True), ValueError, "Nesterov momentum"),
        (lambda: SGD([parameter(1.0)], lr=torch.ones(2)), ValueError, "1-element"),
        (lambda: Adam([parameter(1.0)], betas=(1.0, 0.9)), ValueError, "index 0: 1.0"),
        (lambda: Adam([parameter(1.0)], fused=True, foreach=True), RuntimeError, "fused"),
        (lambda: torch.optim.Muon([parameter(1.0)]), ValueError, "only supports 2D"),
        (lambda: torch.optim.Rprop([parameter(1.0)], etas=(2, 3)), ValueError, "eta values"),
    ],
)
def test_wrong_arguments_raise(make, error, words):
    with pytest.raises(error, match=words):
        make()


def test_parameter_in_two_groups_raises():
    a = parameter(1.0)
    with pytest.raises(ValueError, match="more than one parameter group"):
        SGD([{"params": [a]}, {"params": [a]}], lr=0.1)


def test_named_parameters_are_kept():
    a = parameter(1.0)
    optimizer = SGD([("weight", a)], lr=0.1)
    assert optimizer.state_dict()["param_groups"][0]["param_names"] == ["weight"]
    with pytest.raises(ValueError, match="without names"):
        optimizer.add_param_group({"params": [parameter(1.0)]})


def test_repr_lists_sorted_options():
    text = repr(SGD([parameter(1.0)], lr=0.5))
    assert text.startswith("SGD (\nParameter Group 0\n    dampening: 0\n")
    assert "    lr: 0.5\n" in text and text.endswith(")")


def test_zero_grad_drops_or_fills():
    a = parameter(1.0)
    optimizer = SGD([a], lr=0.1)
    a.grad = torch.ones(1)
    optimizer.zero_grad(set_to_none=False)
    assert a.grad.item() == 0.0
    optimizer.zero_grad()
    assert a.grad is None


def test_closure_runs_with_gradients_and_its_loss_is_returned():
    a = parameter(3.0)
    optimizer = SGD([a], lr=0.1)

    def closure():
        assert torch.is_grad_enabled()
        optimizer.zero_grad()
        loss = a.sum()
        loss.backward()
        return loss

    with torch.no_grad():
        assert optimizer.step(closure).item() == 3.0


def test_step_hooks_see_and_replace_arguments():
    a = parameter(1.0)
    optimizer = SGD([a], lr=0.1)
    calls = []
    handles = [
        register_optimizer_step_pre_hook(lambda *args: calls.append("all before")),
        optimizer.register_step_pre_hook(lambda *args: calls.append("before")),
        optimizer.register_step_post_hook(lambda *args: calls.append("after")),
        register_optimizer_step_post_hook(lambda *args: calls.append("all after")),
    ]
    optimizer.step()
    assert calls == ["all before", "before", "after", "all after"]
    for handle in handles:
        handle.remove()
    optimizer.step()
    assert len(calls) == 4
    optimizer.register_step_pre_hook(lambda *args: 3)
    with pytest.raises(RuntimeError, match="must return None or a tuple"):
        optimizer.step()


def test_state_dict_hooks():
    optimizer = SGD([parameter(1.0)], lr=0.1)
    seen = []
    optimizer.register_state_dict_pre_hook(lambda o: seen.append("save"))
    optimizer.register_state_dict_post_hook(lambda o, d: {**d, "extra": 1})
    optimizer.register_load_state_dict_pre_hook(lambda o, d: seen.append("load"))
    optimizer.register_load_state_dict_post_hook(lambda o: seen.append("loaded"))
    saved = optimizer.state_dict()
    optimizer.load_state_dict(saved)
    assert saved["extra"] == 1 and seen == ["save", "load", "loaded"]


def test_loading_casts_state_to_the_parameter_but_not_steps():
    a = torch.nn.Parameter(torch.ones(2, dtype=torch.float64))
    optimizer = Adam([a])
    state = {"step": torch.tensor(3.0), "exp_avg": torch.ones(2), "exp_avg_sq": torch.ones(2)}
    group = {**optimizer.state_dict()["param_groups"][0], "lr": 0.5}
    optimizer.load_state_dict({"state": {0: state}, "param_groups": [group]})
    loaded = optimizer.state[a]
    assert loaded["step"].dtype == torch.float32 and loaded["exp_avg"].dtype == torch.float64
    assert optimizer.param_groups[0]["lr"] == 0.5


def test_loading_other_groups_raises():
    optimizer = SGD([parameter(1.0)], lr=0.1)
    with pytest.raises(ValueError, match="different number of parameter groups"):
        optimizer.load_state_dict({"state": {}, "param_groups": []})
    with pytest.raises(ValueError, match="doesn't match the size"):
        optimizer.load_state_dict({"state": {}, "param_groups": [{"params": [0, 1]}]})


def test_steps_of_old_files_become_tensors():
    a = parameter(1.0)
    optimizer = Adam([a])
    state = {"step": 2, "exp_avg": torch.ones(1), "exp_avg_sq": torch.ones(1)}
    optimizer.load_state_dict(
        {
            "state": {0: state},
            "param_groups": [
                {"params": [0], "lr": 0.1, "betas": (0.9, 0.999), "eps": 1e-8, "weight_decay": 0}
            ],
        }
    )
    assert optimizer.state[a]["step"].item() == 2.0
    a.grad = torch.ones(1)
    optimizer.step()


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda o: pickle.loads(pickle.dumps(o))])
def test_copies_work_alone(clone):
    optimizer = Adam([parameter(1.0)], lr=0.1)
    twin = clone(optimizer)
    twin.param_groups[0]["params"][0].grad = torch.ones(1)
    twin.step()
    assert optimizer.param_groups[0]["params"][0].item() == 1.0
    assert twin.param_groups[0]["params"][0].item() == pytest.approx(0.9)


def test_step_has_to_be_defined():
    with pytest.raises(NotImplementedError):
        Optimizer([parameter(1.0)], {}).step()
