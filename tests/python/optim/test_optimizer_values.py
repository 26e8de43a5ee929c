"""Optimizers against results that PyTorch's one-tensor-at-a-time path gave (recorded_optimizers.json)."""

import json
from pathlib import Path

import pytest
import rushlight as torch

CASES = json.loads((Path(__file__).parent / "recorded_optimizers.json").read_text())


def tuples(options):
    return {k: tuple(v) if isinstance(v, list) else v for k, v in options.items()}


def train(name, options, steps=6):
    w = torch.nn.Parameter(torch.linspace(-1, 1, 6).view(2, 3))
    b = torch.nn.Parameter(torch.tensor([0.5, -0.25]))
    optimizer = getattr(torch.optim, name)([w, b], **tuples(options))

    def closure():
        optimizer.zero_grad()
        loss = ((w - 0.3) ** 2 * 1.5).sum() + (b**2).sum() * 0.5 + (w**2).sum().square() * 0.01
        loss.backward()
        return loss

    for _ in range(steps):
        optimizer.step(closure)
    return w, b, optimizer, closure


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['name']}-{c['options']}")
def test_steps_recorded(case):
    w, b, _, _ = train(case["name"], case["options"])
    # A few units in the last place: sums of the loss may be taken in another order.
    assert w.detach().flatten().tolist() == pytest.approx(case["w"], rel=3e-6, abs=1e-6)
    assert b.detach().tolist() == pytest.approx(case["b"], rel=3e-6, abs=1e-6)


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['name']}-{c['options']}")
def test_state_dict_resumes_exactly(case):
    w, b, optimizer, closure = train(case["name"], case["options"], steps=3)
    saved = optimizer.state_dict()
    fresh = getattr(torch.optim, case["name"])([w, b], **tuples(case["options"]))
    before = [p.detach().clone() for p in (w, b)]
    fresh.load_state_dict(saved)
    state = {k: dict(v) for k, v in fresh.state_dict()["state"].items()}
    for entries in state.values():
        for key, value in entries.items():
            entries[key] = value.clone() if isinstance(value, torch.Tensor) else value
    fresh.step(closure)
    resumed = [p.detach().clone() for p in (w, b)]
    for p, value in zip((w, b), before):
        p.data.copy_(value)
    again = getattr(torch.optim, case["name"])([w, b], **tuples(case["options"]))
    again.load_state_dict({"state": state, "param_groups": saved["param_groups"]})

    def same_closure():
        again.zero_grad()
        loss = ((w - 0.3) ** 2 * 1.5).sum() + (b**2).sum() * 0.5 + (w**2).sum().square() * 0.01
        loss.backward()
        return loss

    if case["name"] != "LBFGS":  # its lists of vectors are shared by the two states
        again.step(same_closure)
        for p, value in zip((w, b), resumed):
            assert torch.equal(p.detach(), value)


@pytest.mark.parametrize("name", ["SGD", "Adam", "AdamW", "RMSprop", "Adagrad", "NAdam"])
def test_zero_gradient_changes_nothing_without_decay(name):
    w = torch.nn.Parameter(torch.ones(3))
    options = {"weight_decay": 0.0} if name == "AdamW" else {}
    optimizer = getattr(torch.optim, name)([w], lr=0.1, **options)
    w.grad = torch.zeros(3)
    optimizer.step()
    assert w.tolist() == [1.0, 1.0, 1.0]


def test_muon_steps_are_nearly_orthogonal():
    torch.manual_seed(0)
    w = torch.nn.Parameter(torch.randn(8, 4))
    before = w.detach().clone()
    optimizer = torch.optim.Muon([w], lr=1.0, weight_decay=0.0)
    (w * torch.randn(8, 4)).sum().backward()
    optimizer.step()
    change = (before - w.detach()) / 2**0.5
    gram = change.T @ change
    assert (gram.diagonal() > 0.3).all() and (gram.diagonal() < 1.6).all()


def test_tensor_lr_follows_the_tensor():
    w = torch.nn.Parameter(torch.zeros(1))
    lr = torch.tensor(0.5)
    optimizer = torch.optim.SGD([w], lr=lr)
    w.grad = torch.ones(1)
    optimizer.step()
    lr.fill_(0.25)
    optimizer.step()
    assert w.item() == -0.75


def test_differentiable_step_reaches_what_made_the_gradient():
    scale = torch.tensor(2.0, requires_grad=True)
    w = torch.zeros(1, requires_grad=True)
    p = w.clone()
    optimizer = torch.optim.SGD([p], lr=0.1, differentiable=True)
    p.grad = scale * torch.ones(1)
    optimizer.step()
    p.sum().backward()
    assert scale.grad.item() == pytest.approx(-0.1)
