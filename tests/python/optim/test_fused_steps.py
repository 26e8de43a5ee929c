"""Steps in one pass give the bits of the loops that they replace, and leave the rest to them."""

import importlib
import itertools

import pytest
import rushlight as torch
from rushlight import _C

SIZES = [(1,), (3, 5), (7, 31), (0,), (70000,)]


def run(make, dtype, steps=4):
    generator = torch.Generator().manual_seed(1)
    params = [torch.randn(s, dtype=dtype, generator=generator).requires_grad_() for s in SIZES]
    optimizer = make(params)
    for _ in range(steps):
        for p in params:
            p.grad = torch.randn(p.shape, dtype=dtype, generator=generator)
        optimizer.step()
    state = [t for p in params for t in optimizer.state[p].values()]
    return params + [t for t in state if isinstance(t, torch.Tensor)]


def same_with_and_without(monkeypatch, method, make, dtype):
    module, name, calls = importlib.import_module(f"rushlight.optim.{method}"), f"_fused_{method}_", []
    fused = getattr(_C, name)

    def counted(*args):
        calls.append(fused(*args))
        return calls[-1]

    monkeypatch.setattr(module, name, counted)
    with_kernel = run(make, dtype)
    monkeypatch.setattr(module, name, lambda *args: False)
    by_loop = run(make, dtype)
    for a, b in zip(with_kernel, by_loop, strict=True):
        assert torch.equal(a, b)
    return calls


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("momentum", [0, 0.9])
@pytest.mark.parametrize("decay", [0, 0.01])
@pytest.mark.parametrize("maximize", [False, True])
def test_sgd(monkeypatch, dtype, momentum, decay, maximize):
    for nesterov, dampening in [(False, 0), (False, 0.1), (True, 0)]:
        if nesterov and not momentum:
            continue
        calls = same_with_and_without(
            monkeypatch,
            "sgd",
            lambda params: torch.optim.SGD(
                params,
                lr=0.1,
                momentum=momentum,
                weight_decay=decay,
                nesterov=nesterov,
                dampening=dampening,
                maximize=maximize,
            ),
            dtype,
        )
        # The first step with momentum makes the buffers: the loop's work.
        assert calls == [not momentum, True, True, True]


OPTIONS = {
    "adam": [
        {"lr": 0.01, "betas": betas, "amsgrad": amsgrad}
        for betas in [(0.9, 0.999), (0.3, 0.5), (0.0, 0.0)]
        for amsgrad in (False, True)
    ],
    "adamax": [{}, {"betas": (0.3, 0.5)}],
    "radam": [{}, {"betas": (0.3, 0.5)}, {"betas": (0.9, 0.7), "decoupled_weight_decay": True}],
    "nadam": [{}, {"betas": (0.3, 0.5), "decoupled_weight_decay": True}, {"momentum_decay": 0.1}],
    "adadelta": [{}, {"rho": 0.3, "lr": 0.5}],
    "adagrad": [{}, {"lr_decay": 0.1, "initial_accumulator_value": 0.5}],
    "rmsprop": [{"centered": c, "momentum": m} for c in (False, True) for m in (0, 0.9)],
    "asgd": [{}, {"t0": 1.0, "lambd": 0.1, "alpha": 0.5}],
}
CLASSES = {"adam": "Adam", "adamax": "Adamax", "radam": "RAdam", "nadam": "NAdam", "adadelta": "Adadelta"}
CLASSES |= {"adagrad": "Adagrad", "rmsprop": "RMSprop", "asgd": "ASGD"}


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("method", OPTIONS)
def test_methods_with_states(monkeypatch, dtype, method):
    optimizer = getattr(torch.optim, CLASSES[method])
    for options, decay, maximize in itertools.product(OPTIONS[method], (0, 0.01), (False, True)):
        settings = {**options, "weight_decay": decay, "maximize": maximize}
        calls = same_with_and_without(
            monkeypatch, method, lambda params: optimizer(params, **settings), dtype
        )
        assert calls == [True] * 4, settings


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_adamw(monkeypatch, dtype):
    for decay in (0, 0.01):
        calls = same_with_and_without(
            monkeypatch, "adam", lambda params: torch.optim.AdamW(params, weight_decay=decay), dtype
        )
        assert calls == [True] * 4


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("options", [{}, {"etas": (0.3, 1.5), "step_sizes": (0.005, 0.012)}])
@pytest.mark.parametrize("maximize", [False, True])
def test_rprop(monkeypatch, dtype, options, maximize):
    calls = same_with_and_without(
        monkeypatch,
        "rprop",
        lambda params: torch.optim.Rprop(params, maximize=maximize, **options),
        dtype,
    )
    assert calls == [True] * 4


@pytest.mark.parametrize("name", [*CLASSES.values(), "Rprop", "SGD"])
def test_not_a_number_goes_the_same_way(monkeypatch, name):
    method = name.lower()

    def make(params):
        with torch.no_grad():
            params[1][0, 1] = float("nan")
            params[2][3, 3] = float("inf")
        return getattr(torch.optim, name)(params, lr=0.1)

    module, fused = importlib.import_module(f"rushlight.optim.{method}"), f"_fused_{method}_"
    with_kernel = run(make, torch.float32)
    monkeypatch.setattr(module, fused, lambda *args: False)
    for a, b in zip(with_kernel, run(make, torch.float32), strict=True):
        assert torch.allclose(a, b, rtol=0, atol=0, equal_nan=True)


def test_what_does_not_fit_changes_nothing():
    def attempt(param, grad):
        before = param.detach().clone()
        with torch.no_grad():
            done = _C._fused_sgd_([param], [grad], [None], 0.1, 0.0, 0.0, 0.0, False, False)
        assert done or torch.equal(param.detach(), before)
        return done

    ones = torch.ones(4, 4)
    assert attempt(torch.zeros(4, 4), ones)
    assert not attempt(torch.zeros(4, 4).t()[:, :2], ones[:, :2])
    assert not attempt(torch.zeros(4, 4, dtype=torch.bfloat16), ones.bfloat16())
    assert not attempt(torch.zeros(4, 4), ones.double())
    assert not attempt(torch.zeros(4, 4), torch.ones(4))
    assert not attempt(ones, ones)
    assert not _C._fused_sgd_([ones.clone()], [ones], [None], 0.1, 0.0, 0.0, 0.0, False, False)


def test_a_step_counts_as_a_change():
    w = torch.ones(3, requires_grad=True)
    loss = (w * w).sum()
    w.grad = torch.ones(3)
    torch.optim.SGD([w], lr=0.1).step()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()
