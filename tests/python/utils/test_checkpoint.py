"""Checkpointing: same gradients, same random numbers, errors."""

import pytest
import rushlight as torch
from rushlight.utils.checkpoint import CheckpointError, checkpoint, checkpoint_sequential


def block(x, scale=1.0):
    return torch.nn.functional.dropout((x * scale).sin().exp(), 0.5)


def gradient(call):
    torch.manual_seed(3)
    x = torch.linspace(-1, 1, 8).requires_grad_()
    out = call(x)
    out.sum().backward()
    return out.detach(), x.grad, torch.rand(1)


@pytest.mark.parametrize("reentrant", [True, False])
def test_gradients_and_random_numbers_are_the_same(reentrant):
    plain = gradient(block)
    checked = gradient(lambda x: checkpoint(block, x, use_reentrant=reentrant))
    for a, b in zip(plain, checked):
        assert torch.equal(a, b)


def test_keyword_arguments_need_no_reentry():
    x = torch.ones(2, requires_grad=True)
    checkpoint(block, x, use_reentrant=False, scale=2.0).sum().backward()
    with pytest.raises(ValueError, match="Unexpected keyword arguments"):
        checkpoint(block, x, use_reentrant=True, scale=2.0)


def test_the_function_runs_twice_and_stops_early():
    runs = []

    def function(x):
        runs.append("start")
        y = x.sin().exp()
        runs.append("end")
        return y

    x = torch.ones(2, requires_grad=True)
    checkpoint(function, x, use_reentrant=False).sum().backward()
    assert runs in (["start", "end", "start"], ["start", "end", "start", "end"])


def test_backward_twice_with_retained_graph():
    x = torch.ones(2, requires_grad=True)
    y = checkpoint(lambda v: v.sin().exp(), x, use_reentrant=False).sum()
    y.backward(retain_graph=True)
    first = x.grad.clone()
    y.backward()
    assert torch.equal(x.grad, 2 * first)


def test_nested_checkpoints():
    def inner(x):
        return x.sin().exp()

    def outer(x):
        return checkpoint(inner, x, use_reentrant=False).cos()

    x = torch.linspace(0, 1, 4).requires_grad_()
    checkpoint(outer, x, use_reentrant=False).sum().backward()
    y = x.detach().clone().requires_grad_()
    outer_plain = inner(y).cos()
    outer_plain.sum().backward()
    assert torch.allclose(x.grad, y.grad)


def test_another_second_run_is_an_error():
    runs = []

    def function(x):
        runs.append(1)
        return x.sin().exp() if len(runs) == 1 else x.sin()

    x = torch.ones(2, requires_grad=True)
    y = checkpoint(function, x, use_reentrant=False)
    with pytest.raises(CheckpointError, match="different number of tensors"):
        y.sum().backward()


@pytest.mark.parametrize("reentrant", [True, False])
def test_sequences(reentrant):
    torch.manual_seed(0)
    model = torch.nn.Sequential(*(torch.nn.Linear(3, 3) for _ in range(5)))
    x = torch.ones(2, 3, requires_grad=True)
    expected = model(x)
    assert torch.equal(checkpoint_sequential(model, 2, x, use_reentrant=reentrant), expected)


def test_reentrant_checkpoints_refuse_gradients_of_chosen_tensors():
    x = torch.ones(3, requires_grad=True)
    with pytest.raises(RuntimeError, match=r"incompatible with .grad\(\) or passing an `inputs` parameter"):
        torch.autograd.grad(checkpoint(block, x, use_reentrant=True).sum(), x)
    with pytest.raises(RuntimeError, match=r"incompatible with .grad\(\)"):
        checkpoint(block, x, use_reentrant=True).sum().backward(inputs=[x])
    assert torch.autograd._is_checkpoint_valid()
    checkpoint(block, x, use_reentrant=True).sum().backward()
    assert x.grad is not None


def test_a_run_inside_of_one_for_chosen_tensors_is_one_too():
    seen = []

    def hook(gradient):
        seen.append(torch.autograd._is_checkpoint_valid())
        with torch.enable_grad():
            z = torch.ones(2, requires_grad=True) * 1
            z.register_hook(lambda g: seen.append(torch.autograd._is_checkpoint_valid()))
            z.sum().backward()

    x = torch.ones(2, requires_grad=True)
    y = x * 2
    y.register_hook(hook)
    y.sum().backward(retain_graph=True)
    torch.autograd.grad(y.sum(), x)
    assert seen == [True, True, False, False]
