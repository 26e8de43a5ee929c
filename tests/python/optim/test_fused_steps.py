"""The fused steps of SGD and Adam give the bits of the loops that they replace, and leave the rest to them."""

import itertools

import pytest
import rushlight as torch
from rushlight import _C
from rushlight.optim import adam as adam_module, sgd as sgd_module

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


def same_with_and_without(monkeypatch, module, name, make, dtype):
    calls = []
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
            sgd_module,
            "_fused_sgd_",
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


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("kind", ["Adam", "AdamW"])
@pytest.mark.parametrize("betas", [(0.9, 0.999), (0.3, 0.5), (0.0, 0.0)])
def test_adam(monkeypatch, dtype, kind, betas):
    for decay, maximize in itertools.product((0, 0.01), (False, True)):
        calls = same_with_and_without(
            monkeypatch,
            adam_module,
            "_fused_adam_",
            lambda params: getattr(torch.optim, kind)(
                params, lr=0.01, betas=betas, weight_decay=decay, maximize=maximize
            ),
            dtype,
        )
        assert calls == [True] * 4


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
